// What a texture or surface object is on a GPU without image instructions: the address of this description, in device
// memory. The runtime writes it (src/runtime/core/software_images.cpp), kernels read it (software_textures.h). Plain C,
// for both. Internal.
#ifndef HIP_DETAIL_SOFTWARE_TEXTURE_H
#define HIP_DETAIL_SOFTWARE_TEXTURE_H

// Enumerators have HIP's numbers: hipChannelFormatKind, hipTextureFilterMode, hipTextureAddressMode.
typedef struct __hip_software_texture {
  char* data;                                // the first element of the first level, which is without gaps in arrays
  unsigned long long row_bytes, slice_bytes; // of the first level
  unsigned int width, height, depth;         // of the first level, in elements; depth counts layers and faces, too
  unsigned int levels, first_layer;
  unsigned int element_bytes, channels, channel_bits;
  int kind, filter, address[3];
  int normalized;   // coordinates
  int reads_floats; // integers as floats in [0, 1] or [-1, 1]
  int srgb;         // the first three channels
  int layered;      // depth is the same in all levels
  int level_filter;
  float level_bias, least_level, greatest_level;
  float border[4];
} __hip_software_texture;

#endif
