// omnihip/texture_memory.h - what a texture or surface is on a GPU without image instructions: a description in device
// memory, whose address is the object. Arrays are plain device memory, row after row. omnihip/arrays.h makes them,
// omnihip/texture_reads.h reads them.
#ifndef OMNIHIP_CUDA_TEXTURE_MEMORY_H
#define OMNIHIP_CUDA_TEXTURE_MEMORY_H

#include <driver_types.h>

typedef struct __omnihip_texture {
  char* data;
  unsigned long long row_bytes, slice_bytes;
  unsigned int width, height, depth; // in elements; depth counts layers of layered textures, faces of cube maps
  unsigned int element_bytes, channels, channel_bits;
  int kind;         // cudaChannelFormatKind
  int filter;       // cudaTextureFilterMode
  int address[3];   // cudaTextureAddressMode
  int normalized;   // coordinates
  int reads_floats; // cudaReadModeNormalizedFloat of integers
  float border[4];
} __omnihip_texture;

typedef struct __omnihip_array {
  char* data;
  unsigned int width, height, depth; // as given: 0 for a dimension that is not there
  unsigned int element_bytes, flags;
  cudaChannelFormatDesc format;
} __omnihip_array;

// Whether the current device has images; then arrays, textures and surfaces are HIP's.
static inline int __omnihip_has_images(void) {
  int device = 0, images = 0;
  if (hipGetDevice(&device) != hipSuccess) return 1;
  return hipDeviceGetAttribute(&images, hipDeviceAttributeImageSupport, device) == hipSuccess && images != 0;
}

#endif
