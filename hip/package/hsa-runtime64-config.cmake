# find_package(hsa-runtime64): target hsa-runtime64::hsa-runtime64, the HSA runtime over the software GPUs.
include(CMakeFindDependencyMacro)
find_dependency(Threads)
get_filename_component(_hsa_prefix "${CMAKE_CURRENT_LIST_DIR}/../../.." ABSOLUTE)
foreach(_hsa_part IN ITEMS include/hsa/hsa.h lib/libhsa-runtime64.so.1)
  if(NOT EXISTS "${_hsa_prefix}/${_hsa_part}")
    set(hsa-runtime64_FOUND FALSE)
    set(hsa-runtime64_NOT_FOUND_MESSAGE "The HIP SDK in '${_hsa_prefix}' is incomplete: it has no file ${_hsa_part}.")
    return()
  endif()
endforeach()

if(NOT TARGET hsa-runtime64::hsa-runtime64)
  add_library(hsa-runtime64::hsa-runtime64 SHARED IMPORTED)
  set_target_properties(hsa-runtime64::hsa-runtime64 PROPERTIES
    IMPORTED_LOCATION "${_hsa_prefix}/lib/libhsa-runtime64.so.1"
    IMPORTED_SONAME "libhsa-runtime64.so.1"
    INTERFACE_INCLUDE_DIRECTORIES "${_hsa_prefix}/include"
    INTERFACE_SYSTEM_INCLUDE_DIRECTORIES "${_hsa_prefix}/include"
    INTERFACE_LINK_LIBRARIES Threads::Threads)
endif()
set(hsa-runtime64_INCLUDE_DIRS "${_hsa_prefix}/include")
set(hsa-runtime64_LIBRARIES hsa-runtime64::hsa-runtime64)
