// Texture references: structures of the program that say how a texture is read, and what is bound to them. A binding is
// a texture object, which the reference's member textureObject names; kernels get that number. Bindings and border
// colours, for which the structure has no member, are kept in a table by the reference's address. Thread safety: calls
// for different references from any threads; for one reference, as the program's own accesses.
#include "runtime/base/no_destroy.h"
#include "runtime/core/fat_binary.h"
#include "runtime/core/texture.h"

#include "runtime/api/array_format.h"

#include <algorithm>
#include <map>
#include <memory>
#include <mutex>

namespace hip::api {
namespace {

struct Binding {
  hipTextureObject_t object = nullptr; // that this table made; null: nothing is bound
  std::array<float, 4> border{};
};

struct Bindings {
  std::mutex mutex; // a leaf
  std::map<const textureReference*, Binding> all;
  // References of modules, by the module's handle and the variable's name.
  std::map<std::pair<const void*, std::string>, std::unique_ptr<textureReference>> of_modules;
};
Bindings& bindings() {
  RT_NO_DESTROY static Bindings table;
  return table;
}

Binding binding_of(const textureReference* reference) {
  Bindings& b = bindings();
  std::lock_guard lock(b.mutex);
  const auto it = b.all.find(reference);
  return it == b.all.end() ? Binding() : it->second;
}

// Puts `object` in the place of what is bound, which it returns.
hipTextureObject_t exchange(const textureReference* reference, hipTextureObject_t object) {
  Bindings& b = bindings();
  std::lock_guard lock(b.mutex);
  return std::exchange(b.all[reference].object, object);
}

hipTextureDesc sampling_of(const textureReference& r) {
  hipTextureDesc d{};
  std::copy_n(r.addressMode, 3, d.addressMode);
  d.filterMode = r.filterMode;
  d.readMode = r.readMode;
  d.sRGB = r.sRGB;
  std::copy_n(binding_of(&r).border.begin(), 4, d.borderColor);
  d.normalizedCoords = r.normalized;
  d.maxAnisotropy = r.maxAnisotropy;
  d.mipmapFilterMode = r.mipmapFilterMode;
  d.mipmapLevelBias = r.mipmapLevelBias;
  d.minMipmapLevelClamp = r.minMipmapLevelClamp;
  d.maxMipmapLevelClamp = r.maxMipmapLevelClamp;
  return d;
}

// A kernel that names the reference reads the device's copy of it. Only code for GPUs whose textures are software has
// one: NVIDIA's compiler knows no references any more.
Status tell_device(const textureReference* reference) {
  RT_TRY_ASSIGN(core::Device * device, core::current_device());
  if (device->hal().images() || !core::find_registered_variable(reference)) return {};
  return api::hipMemcpyToSymbol(reference, &reference->textureObject, sizeof reference->textureObject,
                                offsetof(textureReference, textureObject), hipMemcpyHostToDevice);
}

// Makes the texture object; what was bound stays so when that fails.
Status bind(const textureReference* reference, const hipResourceDesc& resource) {
  const hipTextureDesc sampling = sampling_of(*reference);
  hipTextureObject_t object = nullptr;
  RT_TRY(api::hipCreateTextureObject(&object, &resource, &sampling, nullptr));
  const_cast<textureReference*>(reference)->textureObject = object; // the program's references are not constant
  if (const hipTextureObject_t before = exchange(reference, object)) RT_TRY(api::hipDestroyTextureObject(before));
  return tell_device(reference);
}

// As on AMD's devices without images, where a reference has no use.
Status check_images() {
  RT_TRY_ASSIGN(core::Device * device, core::current_device());
  return core::images_of(*device).status();
}

Result<hipResourceDesc> bound_resource(const textureReference* reference) {
  RT_TRY(check_images());
  const hipTextureObject_t object = binding_of(reference).object;
  if (!object) return error(ErrorCode::InvalidValue, "Nothing is bound to the texture reference.");
  hipResourceDesc resource{};
  RT_TRY(api::hipGetTextureObjectResourceDesc(&resource, object));
  return resource;
}

hipResourceDesc row(const void* memory, const hipChannelFormatDesc& format, size_t bytes) {
  hipResourceDesc r{};
  r.resType = hipResourceTypeLinear;
  r.res.linear.devPtr = const_cast<void*>(memory);
  r.res.linear.desc = format;
  r.res.linear.sizeInBytes = bytes;
  return r;
}
hipResourceDesc rows(const void* memory, const hipChannelFormatDesc& format, size_t width, size_t height,
                     size_t pitch) {
  hipResourceDesc r{};
  r.resType = hipResourceTypePitch2D;
  r.res.pitch2D.devPtr = const_cast<void*>(memory);
  r.res.pitch2D.desc = format;
  r.res.pitch2D.width = width;
  r.res.pitch2D.height = height;
  r.res.pitch2D.pitchInBytes = pitch;
  return r;
}
hipResourceDesc of(hipArray_const_t array) {
  hipResourceDesc r{};
  r.resType = hipResourceTypeArray;
  r.res.array.array = const_cast<hipArray_t>(array);
  return r;
}
hipResourceDesc of(hipMipmappedArray_const_t array) {
  hipResourceDesc r{};
  r.resType = hipResourceTypeMipmappedArray;
  r.res.mipmap.mipmap = const_cast<hipMipmappedArray_t>(array);
  return r;
}

// hipBindTexture's default size means all that there is behind the address.
size_t bytes_behind(const void* memory, size_t size) {
  hipDeviceptr_t base = nullptr;
  size_t bytes = 0;
  if (!api::hipMemGetAddressRange(&base, &bytes, const_cast<void*>(memory)).ok()) return size; // the object refuses it
  return std::min(size, bytes - static_cast<size_t>(static_cast<const char*>(memory) - static_cast<char*>(base)));
}

Status check_override(unsigned flags) {
  if (flags == HIP_TRSA_OVERRIDE_FORMAT) return {};
  return error(ErrorCode::InvalidValue, "The flags are {:#x}; they must be HIP_TRSA_OVERRIDE_FORMAT.", flags);
}

Status check_filter(hipTextureFilterMode mode) {
  if (mode == hipFilterModePoint || mode == hipFilterModeLinear) return {};
  return error(ErrorCode::InvalidValue, "The filter {} is not known.", static_cast<int>(mode));
}

Status check_dimension(int dim) {
  if (dim >= 0 && dim < 3) return {};
  return error(ErrorCode::InvalidValue, "A texture reference has address modes for 3 dimensions; {} is asked for.",
               dim);
}

void take_format(textureReference& r, const backend::ElementFormat& format) {
  r.format = array_format(format);
  r.numChannels = static_cast<int>(format.channels);
  r.channelDesc = channel_desc(format);
}

} // namespace

// ---- HIP's runtime style -------------------------------------------------------------------------------------------

Status hipBindTexture(size_t* offset, const textureReference* tex, const void* devPtr, const hipChannelFormatDesc* desc,
                      size_t size) {
  RT_TRY(bind(tex, row(devPtr, *desc, size == UINT_MAX ? bytes_behind(devPtr, size) : size)));
  if (offset) *offset = 0; // addresses that would need one are refused
  return {};
}

Status hipBindTexture2D(size_t* offset, const textureReference* tex, const void* devPtr,
                        const hipChannelFormatDesc* desc, size_t width, size_t height, size_t pitch) {
  if (!tex || !devPtr)
    return error(ErrorCode::NotFound, "The {} to bind is null.", tex ? "memory" : "texture reference");
  RT_TRY(bind(tex, rows(devPtr, *desc, width, height, pitch)));
  if (offset) *offset = 0;
  return {};
}

Status hipBindTextureToArray(const textureReference* tex, hipArray_const_t array, const hipChannelFormatDesc* desc) {
  if (!tex || !desc)
    return error(ErrorCode::InvalidChannelDescriptor, "The {} is null.", tex ? "channel format" : "texture reference");
  return bind(tex, of(array));
}

Status hipBindTextureToMipmappedArray(const textureReference* tex, hipMipmappedArray_const_t mipmappedArray,
                                      const hipChannelFormatDesc* desc) {
  return bind(tex, of(mipmappedArray));
}

Status hipUnbindTexture(const textureReference* tex) {
  const hipTextureObject_t object = exchange(tex, nullptr);
  if (object) const_cast<textureReference*>(tex)->textureObject = nullptr;
  return api::hipDestroyTextureObject(object);
}

Status hipGetTextureAlignmentOffset(size_t* offset, const textureReference* texref) {
  if (!texref) return error(ErrorCode::InvalidTexture, "The texture reference is null.");
  RT_TRY(bound_resource(texref).status());
  *offset = 0;
  return {};
}

Status hipGetTextureReference(const textureReference** texref, const void* symbol) {
  *texref = nullptr;
  if (!core::find_registered_variable(symbol))
    return error(ErrorCode::InvalidSymbol, "{} is not the address of a registered texture reference.",
                 const_cast<void*>(symbol));
  *texref = static_cast<const textureReference*>(symbol);
  return {};
}

// ---- HIP's driver style --------------------------------------------------------------------------------------------

Status hipModuleGetTexRef(textureReference** texRef, hipModule_t hmod, const char* name) {
  *texRef = nullptr;
  auto pin = core::modules().pin(hmod);
  if (!pin) return error(ErrorCode::InvalidHandle, "{} is not a module, or it was unloaded.", static_cast<void*>(hmod));
  if (*name == '\0') return error(ErrorCode::InvalidValue, "The name of the texture reference is empty.");
  RT_TRY(pin->code().find_user_variable(name).status());
  Bindings& b = bindings();
  std::lock_guard lock(b.mutex);
  // References of modules that were unloaded have ended; handles are not used again.
  std::erase_if(b.of_modules, [](const auto& entry) { return !core::modules().pin(entry.first.first); });
  auto& reference = b.of_modules[{hmod, name}];
  if (!reference) reference = std::make_unique<textureReference>();
  *texRef = reference.get();
  return {};
}

Status hipTexRefSetAddress(size_t* ByteOffset, textureReference* texRef, hipDeviceptr_t dptr, size_t bytes) {
  RT_TRY_ASSIGN(const backend::ElementFormat format,
                element_format(texRef->format, static_cast<unsigned>(texRef->numChannels)));
  RT_TRY(bind(texRef, row(dptr, channel_desc(format), bytes)));
  if (ByteOffset) *ByteOffset = 0;
  return {};
}

Status hipTexRefSetAddress2D(textureReference* texRef, const HIP_ARRAY_DESCRIPTOR* desc, hipDeviceptr_t dptr,
                             size_t Pitch) {
  RT_TRY_ASSIGN(const backend::ElementFormat format, element_format(desc->Format, desc->NumChannels));
  RT_TRY(bind(texRef, rows(dptr, channel_desc(format), desc->Width, desc->Height, Pitch)));
  take_format(*texRef, format);
  return {};
}

Status hipTexRefSetArray(textureReference* tex, hipArray_const_t array, unsigned int flags) {
  RT_TRY(check_override(flags));
  RT_TRY(bind(tex, of(array)));
  RT_TRY_ASSIGN(const auto found, core::find_array(array));
  take_format(*tex, found->image()->shape().format);
  return {};
}

Status hipTexRefSetMipmappedArray(textureReference* texRef, hipMipmappedArray* mipmappedArray, unsigned int Flags) {
  RT_TRY(check_override(Flags));
  RT_TRY(bind(texRef, of(mipmappedArray)));
  RT_TRY_ASSIGN(const auto found, core::find_mipmapped_array(mipmappedArray));
  take_format(*texRef, found->image()->shape().format);
  return {};
}

Status hipTexRefGetAddress(hipDeviceptr_t* dev_ptr, const textureReference* texRef) {
  RT_TRY_ASSIGN(const hipResourceDesc resource, bound_resource(texRef));
  if (resource.resType == hipResourceTypeLinear)
    *dev_ptr = resource.res.linear.devPtr;
  else if (resource.resType == hipResourceTypePitch2D)
    *dev_ptr = resource.res.pitch2D.devPtr;
  else
    return error(ErrorCode::InvalidValue, "An array is bound to the texture reference, not memory.");
  return {};
}

Status hipTexRefGetArray(hipArray_t* pArray, const textureReference* texRef) {
  RT_TRY_ASSIGN(const hipResourceDesc resource, bound_resource(texRef));
  if (resource.resType != hipResourceTypeArray)
    return error(ErrorCode::InvalidValue, "No array is bound to the texture reference.");
  *pArray = resource.res.array.array;
  return {};
}

Status hipTexRefGetMipMappedArray(hipMipmappedArray_t* pArray, const textureReference* texRef) {
  RT_TRY_ASSIGN(const hipResourceDesc resource, bound_resource(texRef));
  if (resource.resType != hipResourceTypeMipmappedArray)
    return error(ErrorCode::InvalidValue, "No mipmapped array is bound to the texture reference.");
  *pArray = resource.res.mipmap.mipmap;
  return {};
}

Status hipTexRefSetAddressMode(textureReference* texRef, int dim, hipTextureAddressMode am) {
  RT_TRY(check_images());
  RT_TRY(check_dimension(dim));
  if (am < hipAddressModeWrap || am > hipAddressModeBorder)
    return error(ErrorCode::InvalidValue, "The address mode {} is not known.", static_cast<int>(am));
  texRef->addressMode[dim] = am;
  return {};
}
Status hipTexRefGetAddressMode(hipTextureAddressMode* pam, const textureReference* texRef, int dim) {
  RT_TRY(check_images());
  RT_TRY(check_dimension(dim));
  *pam = texRef->addressMode[dim];
  return {};
}

Status hipTexRefSetBorderColor(textureReference* texRef, float* pBorderColor) {
  RT_TRY(check_images());
  Bindings& b = bindings();
  std::lock_guard lock(b.mutex);
  std::copy_n(pBorderColor, 4, b.all[texRef].border.begin());
  return {};
}
Status hipTexRefGetBorderColor(float* pBorderColor, const textureReference* texRef) {
  RT_TRY(check_images());
  const Binding binding = binding_of(texRef);
  std::copy(binding.border.begin(), binding.border.end(), pBorderColor);
  return {};
}

Status hipTexRefSetFilterMode(textureReference* texRef, hipTextureFilterMode fm) {
  RT_TRY(check_images());
  RT_TRY(check_filter(fm));
  texRef->filterMode = fm;
  return {};
}
Status hipTexRefGetFilterMode(hipTextureFilterMode* pfm, const textureReference* texRef) {
  RT_TRY(check_images());
  *pfm = texRef->filterMode;
  return {};
}

Status hipTexRefSetFlags(textureReference* texRef, unsigned int Flags) {
  RT_TRY(check_images());
  constexpr unsigned kKnown = HIP_TRSF_READ_AS_INTEGER | HIP_TRSF_NORMALIZED_COORDINATES | HIP_TRSF_SRGB;
  if ((Flags & ~kKnown) != 0)
    return error(ErrorCode::InvalidValue, "The flags {:#x} of a texture are not known.", Flags & ~kKnown);
  texRef->readMode = (Flags & HIP_TRSF_READ_AS_INTEGER) != 0 ? hipReadModeElementType : hipReadModeNormalizedFloat;
  texRef->normalized = (Flags & HIP_TRSF_NORMALIZED_COORDINATES) != 0;
  texRef->sRGB = (Flags & HIP_TRSF_SRGB) != 0;
  return {};
}
Status hipTexRefGetFlags(unsigned int* pFlags, const textureReference* texRef) {
  RT_TRY(check_images());
  *pFlags = static_cast<unsigned>((texRef->readMode == hipReadModeElementType ? HIP_TRSF_READ_AS_INTEGER : 0) |
                                  (texRef->normalized ? HIP_TRSF_NORMALIZED_COORDINATES : 0) |
                                  (texRef->sRGB ? HIP_TRSF_SRGB : 0));
  return {};
}

Status hipTexRefSetFormat(textureReference* texRef, hipArray_Format fmt, int NumPackedComponents) {
  RT_TRY(check_images());
  RT_TRY_ASSIGN(const backend::ElementFormat format, element_format(fmt, static_cast<unsigned>(NumPackedComponents)));
  take_format(*texRef, format);
  return {};
}
Status hipTexRefGetFormat(hipArray_Format* pFormat, int* pNumChannels, const textureReference* texRef) {
  RT_TRY(check_images());
  *pFormat = texRef->format;
  *pNumChannels = texRef->numChannels;
  return {};
}

Status hipTexRefSetMaxAnisotropy(textureReference* texRef, unsigned int maxAniso) {
  RT_TRY(check_images());
  if (maxAniso < 1 || maxAniso > 16)
    return error(ErrorCode::InvalidValue, "The anisotropy is {}; it takes 1 to 16.", maxAniso);
  texRef->maxAnisotropy = maxAniso;
  return {};
}
Status hipTexRefGetMaxAnisotropy(int* pmaxAnsio, const textureReference* texRef) {
  RT_TRY(check_images());
  *pmaxAnsio = static_cast<int>(texRef->maxAnisotropy);
  return {};
}

Status hipTexRefSetMipmapFilterMode(textureReference* texRef, hipTextureFilterMode fm) {
  RT_TRY(check_images());
  RT_TRY(check_filter(fm));
  texRef->mipmapFilterMode = fm;
  return {};
}
Status hipTexRefGetMipmapFilterMode(hipTextureFilterMode* pfm, const textureReference* texRef) {
  RT_TRY(check_images());
  *pfm = texRef->mipmapFilterMode;
  return {};
}

Status hipTexRefSetMipmapLevelBias(textureReference* texRef, float bias) {
  RT_TRY(check_images());
  texRef->mipmapLevelBias = bias;
  return {};
}
Status hipTexRefGetMipmapLevelBias(float* pbias, const textureReference* texRef) {
  RT_TRY(check_images());
  *pbias = texRef->mipmapLevelBias;
  return {};
}

Status hipTexRefSetMipmapLevelClamp(textureReference* texRef, float minMipMapLevelClamp, float maxMipMapLevelClamp) {
  RT_TRY(check_images());
  if (!(minMipMapLevelClamp <= maxMipMapLevelClamp))
    return error(ErrorCode::InvalidValue, "The lowest level is {} and the highest is {}.", minMipMapLevelClamp,
                 maxMipMapLevelClamp);
  texRef->minMipmapLevelClamp = minMipMapLevelClamp;
  texRef->maxMipmapLevelClamp = maxMipMapLevelClamp;
  return {};
}
Status hipTexRefGetMipmapLevelClamp(float* pminMipmapLevelClamp, float* pmaxMipmapLevelClamp,
                                    const textureReference* texRef) {
  RT_TRY(check_images());
  *pminMipmapLevelClamp = texRef->minMipmapLevelClamp;
  *pmaxMipmapLevelClamp = texRef->maxMipmapLevelClamp;
  return {};
}

} // namespace hip::api
