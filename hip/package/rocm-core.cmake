# The variables that ROCm's package rocm-core sets beside its target.
foreach(_rocm_core_name IN ITEMS rocm_core ROCM_CORE)
  set(${_rocm_core_name}_INCLUDE_DIR "${_sdk_prefix}/include")
  set(${_rocm_core_name}_LIB_DIR "${_sdk_prefix}/lib")
endforeach()
set(ROCM_PATH "${_sdk_prefix}")
