// hip/nvidia_detail/round_mode.h - CUDA's roundings of conversions under HIP's names, for the 6- and 4-bit floats.
#ifndef HIP_INCLUDE_HIP_NVIDIA_DETAIL_ROUND_MODE_H
#define HIP_INCLUDE_HIP_NVIDIA_DETAIL_ROUND_MODE_H

#define hipRoundMode cudaRoundMode
#define hipRoundNearest cudaRoundNearest
#define hipRoundZero cudaRoundZero
#define hipRoundPosInf cudaRoundPosInf
#define hipRoundMinInf cudaRoundMinInf

#endif
