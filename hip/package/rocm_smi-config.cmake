# find_package(rocm_smi): target rocm_smi64, the library for watching GPUs, and the variables that ROCm's package sets.
get_filename_component(_rocm_smi_prefix "${CMAKE_CURRENT_LIST_DIR}/../../.." ABSOLUTE)
foreach(_rocm_smi_part IN ITEMS include/rocm_smi/rocm_smi.h lib/librocm_smi64.so.7)
  if(NOT EXISTS "${_rocm_smi_prefix}/${_rocm_smi_part}")
    set(rocm_smi_FOUND FALSE)
    set(rocm_smi_NOT_FOUND_MESSAGE "The HIP SDK in '${_rocm_smi_prefix}' is incomplete: it has no file ${_rocm_smi_part}.")
    return()
  endif()
endforeach()

if(NOT TARGET rocm_smi64)
  add_library(rocm_smi64 SHARED IMPORTED)
  set_target_properties(rocm_smi64 PROPERTIES
    IMPORTED_LOCATION "${_rocm_smi_prefix}/lib/librocm_smi64.so.7"
    IMPORTED_SONAME "librocm_smi64.so.7"
    INTERFACE_INCLUDE_DIRECTORIES "${_rocm_smi_prefix}/include"
    INTERFACE_SYSTEM_INCLUDE_DIRECTORIES "${_rocm_smi_prefix}/include")
endif()

foreach(_rocm_smi_name IN ITEMS rocm_smi ROCM_SMI)
  set(${_rocm_smi_name}_INCLUDE_DIR "${_rocm_smi_prefix}/include")
  set(${_rocm_smi_name}_LIB_DIR "${_rocm_smi_prefix}/lib")
endforeach()
set(ROCM_SMI_INCLUDE_DIRS "${_rocm_smi_prefix}/include")
set(ROCM_SMI_LIB_DIRS "${_rocm_smi_prefix}/lib")
set(ROCM_SMI_LIBRARY rocm_smi64)
set(ROCM_SMI_LIBRARIES rocm_smi64)
