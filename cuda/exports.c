// exports.c - the functions of CUDA's C interface, which the headers have inline, as symbols: for programs that call
// them without a declaration, and for configure scripts that link a call of one. Two libraries are made of it, by what
// their maps let out: the runtime's functions and the driver's. Types and values are our headers', not NVIDIA's.
#define OMNIHIP_CUDA_FUNCTION __attribute__((visibility("default")))

#include <cuda.h>
#include <cuda_runtime_api.h>
