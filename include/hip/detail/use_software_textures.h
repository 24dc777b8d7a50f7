// Tells the runtime, before main(), that this program has textures in software on GPUs without image instructions. With
// another runtime than this SDK's there are none there. Plain C. Internal.
#ifndef HIP_DETAIL_USE_SOFTWARE_TEXTURES_H
#define HIP_DETAIL_USE_SOFTWARE_TEXTURES_H

#ifdef __cplusplus
extern "C" {
#endif
void __omnihipUseSoftwareTextures(void) __attribute__((weak));
#ifdef __cplusplus
}
#endif

static void __attribute__((constructor, unused)) __hip_use_software_textures(void) {
  if (__omnihipUseSoftwareTextures) __omnihipUseSoftwareTextures();
}

#endif
