# The imported targets of package hip for HIP_PLATFORM=nvidia, over those of CMake's package CUDAToolkit. C++ files with kernels
# are CMake's language CUDA (set_source_files_properties(... LANGUAGE CUDA)) or compiled by hipcc.
#   hip::host      to call the HIP API from C, C++ or CUDA
#   hip::device    the same, for targets written for both platforms
# Needs _hip_prefix, the root of the SDK.
if(TARGET hip::host)
  return()
endif()
include(CMakeFindDependencyMacro)
find_dependency(CUDAToolkit 12)

add_library(hip::host INTERFACE IMPORTED)
set_target_properties(hip::host PROPERTIES
  INTERFACE_COMPILE_DEFINITIONS "__HIP_PLATFORM_NVIDIA__=1"
  INTERFACE_INCLUDE_DIRECTORIES "${_hip_prefix}/include"
  INTERFACE_SYSTEM_INCLUDE_DIRECTORIES "${_hip_prefix}/include"
  INTERFACE_LINK_LIBRARIES "CUDA::cudart;CUDA::cuda_driver")

add_library(hip::device INTERFACE IMPORTED)
set_property(TARGET hip::device PROPERTY INTERFACE_LINK_LIBRARIES hip::host)
