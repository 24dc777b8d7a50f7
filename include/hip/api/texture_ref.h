// hip/api/texture_ref.h - texture references: textures bound to a global variable. Kept for old programs; new code uses
// texture objects (texture.h).
#ifndef HIP_INCLUDE_HIP_API_TEXTURE_REF_H
#define HIP_INCLUDE_HIP_API_TEXTURE_REF_H

#include <limits.h>

#include <hip/api/array.h>
#include <hip/api/error.h>
#include <hip/texture_types.h>

HIP_C_BEGIN

// The reference behind a global texture variable.
HIP_DEPRECATED(HIP_DEPRECATED_MSG)
hipError_t hipGetTextureReference(const textureReference** texref, const void* symbol);

// Binds linear memory. `offset` returns the bytes that fetches must add.
HIP_DEPRECATED(HIP_DEPRECATED_MSG)
hipError_t hipBindTexture(size_t* offset, const textureReference* tex, const void* devPtr,
                          const hipChannelFormatDesc* desc, size_t size __dparm(UINT_MAX));

// Binds rows of linear memory.
HIP_DEPRECATED(HIP_DEPRECATED_MSG)
hipError_t hipBindTexture2D(size_t* offset, const textureReference* tex, const void* devPtr,
                            const hipChannelFormatDesc* desc, size_t width, size_t height, size_t pitch);

// Binds an array.
HIP_DEPRECATED(HIP_DEPRECATED_MSG)
hipError_t hipBindTextureToArray(const textureReference* tex, hipArray_const_t array, const hipChannelFormatDesc* desc);

// Binds a mipmapped array.
HIP_DEPRECATED(HIP_DEPRECATED_MSG)
hipError_t hipBindTextureToMipmappedArray(const textureReference* tex, hipMipmappedArray_const_t mipmappedArray,
                                          const hipChannelFormatDesc* desc);

// Takes back a binding.
HIP_DEPRECATED(HIP_DEPRECATED_MSG) hipError_t hipUnbindTexture(const textureReference* tex);

// The offset that the binding returned.
HIP_DEPRECATED(HIP_DEPRECATED_MSG)
hipError_t hipGetTextureAlignmentOffset(size_t* offset, const textureReference* texref);

// Binds linear memory; driver-style.
HIP_DEPRECATED(HIP_DEPRECATED_MSG)
hipError_t hipTexRefSetAddress(size_t* ByteOffset, textureReference* texRef, hipDeviceptr_t dptr, size_t bytes);

// Binds rows of linear memory; driver-style.
HIP_DEPRECATED(HIP_DEPRECATED_MSG)
hipError_t hipTexRefSetAddress2D(textureReference* texRef, const HIP_ARRAY_DESCRIPTOR* desc, hipDeviceptr_t dptr,
                                 size_t Pitch);

// Binds an array; driver-style.
HIP_DEPRECATED(HIP_DEPRECATED_MSG)
hipError_t hipTexRefSetArray(textureReference* tex, hipArray_const_t array, unsigned int flags);

// Binds a mipmapped array; driver-style.
HIP_DEPRECATED(HIP_DEPRECATED_MSG)
hipError_t hipTexRefSetMipmappedArray(textureReference* texRef, hipMipmappedArray* mipmappedArray, unsigned int Flags);

// Sets what coordinates outside dimension `dim` read.
HIP_DEPRECATED(HIP_DEPRECATED_MSG)
hipError_t hipTexRefSetAddressMode(textureReference* texRef, int dim, hipTextureAddressMode am);

// Sets the four components of the border.
HIP_DEPRECATED(HIP_DEPRECATED_MSG) hipError_t hipTexRefSetBorderColor(textureReference* texRef, float* pBorderColor);

// Sets the filter.
HIP_DEPRECATED(HIP_DEPRECATED_MSG) hipError_t hipTexRefSetFilterMode(textureReference* texRef, hipTextureFilterMode fm);

// Sets HIP_TRSF_* flags.
HIP_DEPRECATED(HIP_DEPRECATED_MSG) hipError_t hipTexRefSetFlags(textureReference* texRef, unsigned int Flags);

// Sets the element format.
HIP_DEPRECATED(HIP_DEPRECATED_MSG)
hipError_t hipTexRefSetFormat(textureReference* texRef, hipArray_Format fmt, int NumPackedComponents);

// Sets the anisotropy, 1 to 16.
HIP_DEPRECATED(HIP_DEPRECATED_MSG)
hipError_t hipTexRefSetMaxAnisotropy(textureReference* texRef, unsigned int maxAniso);

// Sets the filter between levels.
HIP_DEPRECATED(HIP_DEPRECATED_MSG)
hipError_t hipTexRefSetMipmapFilterMode(textureReference* texRef, hipTextureFilterMode fm);

// Sets what is added to the level.
HIP_DEPRECATED(HIP_DEPRECATED_MSG) hipError_t hipTexRefSetMipmapLevelBias(textureReference* texRef, float bias);

// Sets the lowest and the highest level.
HIP_DEPRECATED(HIP_DEPRECATED_MSG)
hipError_t hipTexRefSetMipmapLevelClamp(textureReference* texRef, float minMipMapLevelClamp, float maxMipMapLevelClamp);

// The bound address.
HIP_DEPRECATED(HIP_DEPRECATED_MSG)
hipError_t hipTexRefGetAddress(hipDeviceptr_t* dev_ptr, const textureReference* texRef);

// What coordinates outside dimension `dim` read.
HIP_DEPRECATED(HIP_DEPRECATED_MSG)
hipError_t hipTexRefGetAddressMode(hipTextureAddressMode* pam, const textureReference* texRef, int dim);

// The bound array.
HIP_DEPRECATED(HIP_DEPRECATED_MSG) hipError_t hipTexRefGetArray(hipArray_t* pArray, const textureReference* texRef);

// The four components of the border.
HIP_DEPRECATED(HIP_DEPRECATED_MSG)
hipError_t hipTexRefGetBorderColor(float* pBorderColor, const textureReference* texRef);

// The filter.
HIP_DEPRECATED(HIP_DEPRECATED_MSG)
hipError_t hipTexRefGetFilterMode(hipTextureFilterMode* pfm, const textureReference* texRef);

// The HIP_TRSF_* flags.
HIP_DEPRECATED(HIP_DEPRECATED_MSG) hipError_t hipTexRefGetFlags(unsigned int* pFlags, const textureReference* texRef);

// The element format.
HIP_DEPRECATED(HIP_DEPRECATED_MSG)
hipError_t hipTexRefGetFormat(hipArray_Format* pFormat, int* pNumChannels, const textureReference* texRef);

// The anisotropy.
HIP_DEPRECATED(HIP_DEPRECATED_MSG) hipError_t hipTexRefGetMaxAnisotropy(int* pmaxAnsio, const textureReference* texRef);

// The bound mipmapped array.
HIP_DEPRECATED(HIP_DEPRECATED_MSG)
hipError_t hipTexRefGetMipMappedArray(hipMipmappedArray_t* pArray, const textureReference* texRef);

// The filter between levels.
HIP_DEPRECATED(HIP_DEPRECATED_MSG)
hipError_t hipTexRefGetMipmapFilterMode(hipTextureFilterMode* pfm, const textureReference* texRef);

// What is added to the level.
HIP_DEPRECATED(HIP_DEPRECATED_MSG) hipError_t hipTexRefGetMipmapLevelBias(float* pbias, const textureReference* texRef);

// The lowest and the highest level.
HIP_DEPRECATED(HIP_DEPRECATED_MSG)
hipError_t hipTexRefGetMipmapLevelClamp(float* pminMipmapLevelClamp, float* pmaxMipmapLevelClamp,
                                        const textureReference* texRef);

HIP_C_END

#endif
