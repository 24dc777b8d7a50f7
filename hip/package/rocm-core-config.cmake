# find_package(rocm-core): target rocm-core (ROCm's version, and where it is installed), and the variables that ROCm's package sets.
get_filename_component(_rocm_core_prefix "${CMAKE_CURRENT_LIST_DIR}/../../.." ABSOLUTE)
foreach(_rocm_core_part IN ITEMS include/rocm-core/rocm_version.h lib/librocm-core.so.1)
  if(NOT EXISTS "${_rocm_core_prefix}/${_rocm_core_part}")
    set(rocm-core_FOUND FALSE)
    set(rocm-core_NOT_FOUND_MESSAGE "The HIP SDK in '${_rocm_core_prefix}' is incomplete: it has no file ${_rocm_core_part}.")
    return()
  endif()
endforeach()

if(NOT TARGET rocm-core)
  add_library(rocm-core SHARED IMPORTED)
  set_target_properties(rocm-core PROPERTIES
    IMPORTED_LOCATION "${_rocm_core_prefix}/lib/librocm-core.so.1"
    IMPORTED_SONAME "librocm-core.so.1"
    INTERFACE_INCLUDE_DIRECTORIES "${_rocm_core_prefix}/include"
    INTERFACE_SYSTEM_INCLUDE_DIRECTORIES "${_rocm_core_prefix}/include")
endif()

foreach(_rocm_core_name IN ITEMS rocm_core ROCM_CORE)
  set(${_rocm_core_name}_INCLUDE_DIR "${_rocm_core_prefix}/include")
  set(${_rocm_core_name}_LIB_DIR "${_rocm_core_prefix}/lib")
endforeach()
set(ROCM_PATH "${_rocm_core_prefix}")
