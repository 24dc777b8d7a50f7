# The variables that ROCm's package rocm_smi sets beside its target.
foreach(_rocm_smi_name IN ITEMS rocm_smi ROCM_SMI)
  set(${_rocm_smi_name}_INCLUDE_DIR "${_sdk_prefix}/include")
  set(${_rocm_smi_name}_LIB_DIR "${_sdk_prefix}/lib")
endforeach()
set(ROCM_SMI_INCLUDE_DIRS "${_sdk_prefix}/include")
set(ROCM_SMI_LIB_DIRS "${_sdk_prefix}/lib")
set(ROCM_SMI_LIBRARY rocm_smi64)
set(ROCM_SMI_LIBRARIES rocm_smi64)
