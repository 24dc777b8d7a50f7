// hip/nvidia_detail/nvidia_hiprtc.h - compiling source at run time on NVIDIA GPUs: NVRTC under HIP's names (link with -lnvrtc;
// hipcc reads -lhiprtc as that). The source is CUDA's language, options are NVRTC's (--gpu-architecture=compute_90), the code is
// PTX, which hipModuleLoadData takes. Bitcode and hiprtcLink* have no counterpart: hipLink* link PTX and cubins.
#ifndef HIP_INCLUDE_HIP_NVIDIA_DETAIL_NVIDIA_HIPRTC_H
#define HIP_INCLUDE_HIP_NVIDIA_DETAIL_NVIDIA_HIPRTC_H

#include <nvrtc.h>
#include <stddef.h>

typedef nvrtcResult hiprtcResult;
typedef nvrtcProgram hiprtcProgram;

#define HIPRTC_SUCCESS NVRTC_SUCCESS
#define HIPRTC_ERROR_OUT_OF_MEMORY NVRTC_ERROR_OUT_OF_MEMORY
#define HIPRTC_ERROR_PROGRAM_CREATION_FAILURE NVRTC_ERROR_PROGRAM_CREATION_FAILURE
#define HIPRTC_ERROR_INVALID_INPUT NVRTC_ERROR_INVALID_INPUT
#define HIPRTC_ERROR_INVALID_PROGRAM NVRTC_ERROR_INVALID_PROGRAM
#define HIPRTC_ERROR_INVALID_OPTION NVRTC_ERROR_INVALID_OPTION
#define HIPRTC_ERROR_COMPILATION NVRTC_ERROR_COMPILATION
#define HIPRTC_ERROR_BUILTIN_OPERATION_FAILURE NVRTC_ERROR_BUILTIN_OPERATION_FAILURE
#define HIPRTC_ERROR_NO_NAME_EXPRESSIONS_AFTER_COMPILATION NVRTC_ERROR_NO_NAME_EXPRESSIONS_AFTER_COMPILATION
#define HIPRTC_ERROR_NO_LOWERED_NAMES_BEFORE_COMPILATION NVRTC_ERROR_NO_LOWERED_NAMES_BEFORE_COMPILATION
#define HIPRTC_ERROR_NAME_EXPRESSION_NOT_VALID NVRTC_ERROR_NAME_EXPRESSION_NOT_VALID
#define HIPRTC_ERROR_INTERNAL_ERROR NVRTC_ERROR_INTERNAL_ERROR

// HIP_TO_NVRTC(type, hip name, nvrtc name, (parameters), (arguments))
#define HIP_TO_NVRTC(type, hip_name, nvrtc_name, parameters, arguments) \
  static inline type hip_name parameters { return nvrtc_name arguments; }

HIP_TO_NVRTC(const char*, hiprtcGetErrorString, nvrtcGetErrorString, (hiprtcResult result), (result))
HIP_TO_NVRTC(hiprtcResult, hiprtcVersion, nvrtcVersion, (int* major, int* minor), (major, minor))
HIP_TO_NVRTC(hiprtcResult, hiprtcCreateProgram, nvrtcCreateProgram,
    (hiprtcProgram* prog, const char* src, const char* name, int numHeaders, const char* const* headers,
     const char* const* includeNames), (prog, src, name, numHeaders, headers, includeNames))
HIP_TO_NVRTC(hiprtcResult, hiprtcDestroyProgram, nvrtcDestroyProgram, (hiprtcProgram* prog), (prog))
HIP_TO_NVRTC(hiprtcResult, hiprtcAddNameExpression, nvrtcAddNameExpression,
    (hiprtcProgram prog, const char* name_expression), (prog, name_expression))
HIP_TO_NVRTC(hiprtcResult, hiprtcCompileProgram, nvrtcCompileProgram,
    (hiprtcProgram prog, int numOptions, const char* const* options), (prog, numOptions, options))
HIP_TO_NVRTC(hiprtcResult, hiprtcGetLoweredName, nvrtcGetLoweredName,
    (hiprtcProgram prog, const char* name_expression, const char** lowered_name),
    (prog, name_expression, lowered_name))
HIP_TO_NVRTC(hiprtcResult, hiprtcGetProgramLogSize, nvrtcGetProgramLogSize,
    (hiprtcProgram prog, size_t* logSizeRet), (prog, logSizeRet))
HIP_TO_NVRTC(hiprtcResult, hiprtcGetProgramLog, nvrtcGetProgramLog, (hiprtcProgram prog, char* log), (prog, log))
HIP_TO_NVRTC(hiprtcResult, hiprtcGetCodeSize, nvrtcGetPTXSize,
    (hiprtcProgram prog, size_t* codeSizeRet), (prog, codeSizeRet))
HIP_TO_NVRTC(hiprtcResult, hiprtcGetCode, nvrtcGetPTX, (hiprtcProgram prog, char* code), (prog, code))

#undef HIP_TO_NVRTC

#endif
