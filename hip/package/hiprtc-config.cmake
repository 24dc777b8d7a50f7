# find_package(hiprtc): target hiprtc::hiprtc, and the variables that HIP projects read.
get_filename_component(_hiprtc_prefix "${CMAKE_CURRENT_LIST_DIR}/../../.." ABSOLUTE)
foreach(_hiprtc_part IN ITEMS include/hip/hiprtc.h lib/libhiprtc.so.7)
  if(NOT EXISTS "${_hiprtc_prefix}/${_hiprtc_part}")
    set(hiprtc_FOUND FALSE)
    set(hiprtc_NOT_FOUND_MESSAGE "The HIP SDK in '${_hiprtc_prefix}' is incomplete: it has no file ${_hiprtc_part}.")
    return()
  endif()
endforeach()

if(NOT TARGET hiprtc::hiprtc)
  add_library(hiprtc::hiprtc SHARED IMPORTED)
  set_target_properties(hiprtc::hiprtc PROPERTIES
    IMPORTED_LOCATION "${_hiprtc_prefix}/lib/libhiprtc.so.7"
    IMPORTED_SONAME "libhiprtc.so.7"
    INTERFACE_COMPILE_DEFINITIONS "__HIP_PLATFORM_AMD__=1"
    INTERFACE_INCLUDE_DIRECTORIES "${_hiprtc_prefix}/include"
    INTERFACE_SYSTEM_INCLUDE_DIRECTORIES "${_hiprtc_prefix}/include")
endif()

set(hiprtc_LIB_INSTALL_DIR "${_hiprtc_prefix}/lib")
foreach(_hiprtc_name IN ITEMS hiprtc HIPRTC)
  set(${_hiprtc_name}_INCLUDE_DIR "${_hiprtc_prefix}/include")
  set(${_hiprtc_name}_INCLUDE_DIRS "${_hiprtc_prefix}/include")
  set(${_hiprtc_name}_LIBRARY hiprtc::hiprtc)
  set(${_hiprtc_name}_LIBRARIES hiprtc::hiprtc)
endforeach()
