// hip/detail/fp16_choices.h - what a program takes away from half. As in HIP, __HIP_NO_HALF_CONVERSIONS__ takes away
// the conversions between __half and numbers, __HIP_NO_HALF_OPERATORS__ the operators of __half and of __half2,
// HIP_NO_HALF the names half and half2. CUDA sources say it by CUDA's macros, where the operators of __half2 have one
// of their own. The file that includes this one undefines these macros at its end.
#if defined(__HIP_NO_HALF_CONVERSIONS__) || (defined(__OMNIHIP_CUDA__) && defined(__CUDA_NO_HALF_CONVERSIONS__))
#define __HIP_WITHOUT_HALF_CONVERSIONS 1
#endif
#if defined(__HIP_NO_HALF_OPERATORS__) || (defined(__OMNIHIP_CUDA__) && defined(__CUDA_NO_HALF_OPERATORS__))
#define __HIP_WITHOUT_HALF_OPERATORS 1
#endif
#if defined(__HIP_NO_HALF_OPERATORS__) || (defined(__OMNIHIP_CUDA__) && defined(__CUDA_NO_HALF2_OPERATORS__))
#define __HIP_WITHOUT_HALF2_OPERATORS 1
#endif
#if defined(HIP_NO_HALF) || (defined(__OMNIHIP_CUDA__) && defined(CUDA_NO_HALF))
#define __HIP_WITHOUT_HALF_NAMES 1
#endif
