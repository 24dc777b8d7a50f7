# What package hiprtc sets beside its target: the variables that HIP projects read.
set_target_properties(hiprtc::hiprtc PROPERTIES INTERFACE_COMPILE_DEFINITIONS "__HIP_PLATFORM_AMD__=1")
set(hiprtc_LIB_INSTALL_DIR "${_sdk_prefix}/lib")
foreach(_hiprtc_name IN ITEMS hiprtc HIPRTC)
  set(${_hiprtc_name}_INCLUDE_DIR "${_sdk_prefix}/include")
  set(${_hiprtc_name}_INCLUDE_DIRS "${_sdk_prefix}/include")
  set(${_hiprtc_name}_LIBRARY hiprtc::hiprtc)
  set(${_hiprtc_name}_LIBRARIES hiprtc::hiprtc)
endforeach()
