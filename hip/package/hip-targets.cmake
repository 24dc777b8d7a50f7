# The imported targets of package hip.
#   hip::amdhip64  the runtime library
#   hip::host      to call the HIP API from C or C++
#   hip::device    to compile C++ files of a target as HIP with clang or hipcc, for the devices in GPU_TARGETS
# Needs _hip_prefix, the root of the SDK.
if(TARGET hip::amdhip64)
  return()
endif()

add_library(hip::amdhip64 SHARED IMPORTED)
set_target_properties(hip::amdhip64 PROPERTIES
  IMPORTED_LOCATION "${_hip_prefix}/lib/libamdhip64.so.7"
  IMPORTED_SONAME "libamdhip64.so.7"
  INTERFACE_COMPILE_DEFINITIONS "__HIP_PLATFORM_AMD__=1"
  INTERFACE_INCLUDE_DIRECTORIES "${_hip_prefix}/include"
  INTERFACE_SYSTEM_INCLUDE_DIRECTORIES "${_hip_prefix}/include")

add_library(hip::host INTERFACE IMPORTED)
set_property(TARGET hip::host PROPERTY INTERFACE_LINK_LIBRARIES hip::amdhip64)

add_library(hip::device INTERFACE IMPORTED)
set_property(TARGET hip::device PROPERTY INTERFACE_LINK_LIBRARIES hip::host)
# clang takes HIP_PATH of the environment over --rocm-path, but not over --hip-path.
set(_hip_device_options "SHELL:-x hip" "--rocm-path=${_hip_prefix}" "--hip-path=${_hip_prefix}")
foreach(_hip_arch IN LISTS GPU_TARGETS)
  list(APPEND _hip_device_options "--offload-arch=${_hip_arch}")
endforeach()
set_property(TARGET hip::device PROPERTY
  INTERFACE_COMPILE_OPTIONS "$<$<COMPILE_LANGUAGE:CXX>:${_hip_device_options}>")
set_property(TARGET hip::device PROPERTY
  INTERFACE_LINK_OPTIONS "$<$<LINK_LANGUAGE:CXX>:--hip-link;--rocm-path=${_hip_prefix};--hip-path=${_hip_prefix}>")
unset(_hip_device_options)
