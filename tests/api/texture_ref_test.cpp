// Texture references: what they remember, what is bound to them, and wrong ones.
#include "registered.h"

namespace {

const hipChannelFormatDesc kFloat{32, 0, 0, 0, hipChannelFormatKindFloat};

struct Memory {
  Memory() { OK(hipMalloc(&address, 8192)); }
  ~Memory() { OK(hipFree(address)); }
  void* address = nullptr;
};

textureReference reference() {
  textureReference r{};
  OK(hipTexRefSetFormat(&r, HIP_AD_FORMAT_FLOAT, 1));
  OK(hipTexRefSetFlags(&r, HIP_TRSF_READ_AS_INTEGER));
  for (int dim = 0; dim < 3; ++dim) OK(hipTexRefSetAddressMode(&r, dim, hipAddressModeClamp));
  return r;
}

} // namespace

TEST_CASE("Texture references remember how a texture is read", "[api][images]") {
  if (!has_images()) return;
  textureReference r{};
  OK(hipTexRefSetFormat(&r, HIP_AD_FORMAT_UNSIGNED_INT8, 4));
  hipArray_Format format{};
  int channels = 0;
  OK(hipTexRefGetFormat(&format, &channels, &r));
  CHECK((format == HIP_AD_FORMAT_UNSIGNED_INT8 && channels == 4));
  CHECK((r.channelDesc.x == 8 && r.channelDesc.w == 8 && r.channelDesc.f == hipChannelFormatKindUnsigned));
  for (const unsigned flags : {0u, 1u, 2u, 3u, 0x10u, 0x13u}) {
    unsigned found = 77;
    OK(hipTexRefSetFlags(&r, flags));
    OK(hipTexRefGetFlags(&found, &r));
    CHECK(found == flags);
    CHECK((r.readMode == hipReadModeElementType) == ((flags & 1) != 0));
    CHECK((r.normalized != 0) == ((flags & 2) != 0));
  }
  for (int dim = 0; dim < 3; ++dim) {
    const auto wanted = static_cast<hipTextureAddressMode>(dim + 1);
    hipTextureAddressMode mode{};
    OK(hipTexRefSetAddressMode(&r, dim, wanted));
    OK(hipTexRefGetAddressMode(&mode, &r, dim));
    CHECK((mode == wanted && r.addressMode[dim] == wanted));
  }
  hipTextureFilterMode filter{}, level_filter{};
  OK(hipTexRefSetFilterMode(&r, hipFilterModeLinear));
  OK(hipTexRefSetMipmapFilterMode(&r, hipFilterModePoint));
  OK(hipTexRefGetFilterMode(&filter, &r));
  OK(hipTexRefGetMipmapFilterMode(&level_filter, &r));
  CHECK((filter == hipFilterModeLinear && level_filter == hipFilterModePoint));
  float bias = 0, low = 0, high = 0;
  OK(hipTexRefSetMipmapLevelBias(&r, 0.5f));
  OK(hipTexRefGetMipmapLevelBias(&bias, &r));
  OK(hipTexRefSetMipmapLevelClamp(&r, 1, 3));
  OK(hipTexRefGetMipmapLevelClamp(&low, &high, &r));
  CHECK((bias == 0.5f && low == 1 && high == 3));
  int anisotropy = 0;
  OK(hipTexRefSetMaxAnisotropy(&r, 16));
  OK(hipTexRefGetMaxAnisotropy(&anisotropy, &r));
  CHECK(anisotropy == 16);
  float colour[4] = {1, 2, 3, 4}, found[4] = {};
  OK(hipTexRefSetBorderColor(&r, colour));
  OK(hipTexRefGetBorderColor(found, &r));
  CHECK(std::memcmp(colour, found, sizeof colour) == 0);
  textureReference other{};
  OK(hipTexRefGetBorderColor(found, &other));
  CHECK((found[0] == 0 && found[3] == 0));
}

TEST_CASE("Texture references refuse what is no way to read", "[api][images]") {
  if (!has_images()) return;
  textureReference r{};
  FAILS(hipTexRefSetFormat(&r, HIP_AD_FORMAT_FLOAT, 3), hipErrorInvalidValue);
  FAILS(hipTexRefSetFormat(&r, static_cast<hipArray_Format>(77), 1), hipErrorInvalidValue);
  FAILS(hipTexRefSetFlags(&r, 4), hipErrorInvalidValue);
  FAILS(hipTexRefSetAddressMode(&r, 3, hipAddressModeClamp), hipErrorInvalidValue);
  FAILS(hipTexRefSetAddressMode(&r, -1, hipAddressModeClamp), hipErrorInvalidValue);
  FAILS(hipTexRefSetAddressMode(&r, 0, static_cast<hipTextureAddressMode>(4)), hipErrorInvalidValue);
  hipTextureAddressMode mode{};
  FAILS(hipTexRefGetAddressMode(&mode, &r, 3), hipErrorInvalidValue);
  FAILS(hipTexRefSetFilterMode(&r, static_cast<hipTextureFilterMode>(2)), hipErrorInvalidValue);
  FAILS(hipTexRefSetMipmapFilterMode(&r, static_cast<hipTextureFilterMode>(2)), hipErrorInvalidValue);
  FAILS(hipTexRefSetMaxAnisotropy(&r, 0), hipErrorInvalidValue);
  FAILS(hipTexRefSetMaxAnisotropy(&r, 17), hipErrorInvalidValue);
  FAILS(hipTexRefSetMipmapLevelClamp(&r, 2, 1), hipErrorInvalidValue);
  // Nothing of that has left a trace.
  CHECK((r.numChannels == 0 && r.maxAnisotropy == 0 && r.maxMipmapLevelClamp == 0 && r.readMode == 0));
}

TEST_CASE("Null texture references, and null places for what one says", "[api][images]") {
  textureReference r{};
  unsigned flags;
  float number;
  int count;
  hipArray_Format format;
  hipTextureFilterMode filter;
  FAILS(hipTexRefSetFormat(nullptr, HIP_AD_FORMAT_FLOAT, 1), hipErrorInvalidValue);
  FAILS(hipTexRefGetFormat(&format, &count, nullptr), hipErrorInvalidValue);
  FAILS(hipTexRefGetFormat(nullptr, &count, &r), hipErrorInvalidValue);
  FAILS(hipTexRefSetFlags(nullptr, 0), hipErrorInvalidValue);
  FAILS(hipTexRefGetFlags(&flags, nullptr), hipErrorInvalidValue);
  FAILS(hipTexRefGetFlags(nullptr, &r), hipErrorInvalidValue);
  FAILS(hipTexRefSetAddressMode(nullptr, 0, hipAddressModeClamp), hipErrorInvalidValue);
  FAILS(hipTexRefGetAddressMode(nullptr, &r, 0), hipErrorInvalidValue);
  FAILS(hipTexRefSetFilterMode(nullptr, hipFilterModePoint), hipErrorInvalidValue);
  FAILS(hipTexRefGetFilterMode(nullptr, &r), hipErrorInvalidValue);
  FAILS(hipTexRefSetMipmapFilterMode(nullptr, hipFilterModePoint), hipErrorInvalidValue);
  FAILS(hipTexRefGetMipmapFilterMode(&filter, nullptr), hipErrorInvalidValue);
  FAILS(hipTexRefSetMipmapLevelBias(nullptr, 1), hipErrorInvalidValue);
  FAILS(hipTexRefGetMipmapLevelBias(nullptr, &r), hipErrorInvalidValue);
  FAILS(hipTexRefSetMipmapLevelClamp(nullptr, 1, 1), hipErrorInvalidValue);
  FAILS(hipTexRefGetMipmapLevelClamp(&number, nullptr, &r), hipErrorInvalidValue);
  FAILS(hipTexRefSetMaxAnisotropy(nullptr, 1), hipErrorInvalidValue);
  FAILS(hipTexRefGetMaxAnisotropy(nullptr, &r), hipErrorInvalidValue);
  FAILS(hipTexRefSetBorderColor(&r, nullptr), hipErrorInvalidValue);
  FAILS(hipTexRefGetBorderColor(nullptr, &r), hipErrorInvalidValue);
}

TEST_CASE("Devices without images bind nothing", "[api][images]") {
  if (has_images()) return;
  textureReference r{};
  r.format = HIP_AD_FORMAT_FLOAT;
  r.numChannels = 1;
  const Memory memory;
  size_t offset = 7;
  HIP_ARRAY_DESCRIPTOR rows{16, 8, HIP_AD_FORMAT_FLOAT, 1};
  hipDeviceptr_t address = nullptr;
  hipArray_t array = nullptr;
  hipMipmappedArray_t levels = nullptr;
  FAILS(hipBindTexture(&offset, &r, memory.address, &kFloat, 4096), hipErrorNotSupported);
  FAILS(hipBindTexture2D(&offset, &r, memory.address, &kFloat, 16, 8, 256), hipErrorNotSupported);
  FAILS(hipBindTextureToArray(&r, garbage_handle<hipArray_t>(), &kFloat), hipErrorNotSupported);
  FAILS(hipBindTextureToMipmappedArray(&r, garbage_handle<hipMipmappedArray_t>(), &kFloat), hipErrorNotSupported);
  FAILS(hipTexRefSetAddress(&offset, &r, memory.address, 4096), hipErrorNotSupported);
  FAILS(hipTexRefSetAddress2D(&r, &rows, memory.address, 256), hipErrorNotSupported);
  FAILS(hipTexRefSetArray(&r, garbage_handle<hipArray_t>(), HIP_TRSA_OVERRIDE_FORMAT), hipErrorNotSupported);
  FAILS(hipTexRefSetMipmappedArray(&r, garbage_handle<hipMipmappedArray_t>(), HIP_TRSA_OVERRIDE_FORMAT),
        hipErrorNotSupported);
  FAILS(hipTexRefGetAddress(&address, &r), hipErrorNotSupported);
  FAILS(hipTexRefGetArray(&array, &r), hipErrorNotSupported);
  FAILS(hipTexRefGetMipMappedArray(&levels, &r), hipErrorNotSupported);
  FAILS(hipGetTextureAlignmentOffset(&offset, &r), hipErrorNotSupported);
  FAILS(hipUnbindTexture(&r), hipErrorNotSupported);
  CHECK((offset == 7 && r.textureObject == nullptr));
}

TEST_CASE("Devices without images have no way to read by a texture reference", "[api][images]") {
  if (has_images()) return;
  textureReference r{}, untouched{};
  hipArray_Format format = HIP_AD_FORMAT_HALF;
  hipTextureAddressMode mode = hipAddressModeMirror;
  hipTextureFilterMode filter = hipFilterModeLinear;
  unsigned flags = 77;
  int count = 77;
  float low = 77, high = 77, colour[4] = {1, 2, 3, 4};
  FAILS(hipTexRefSetFormat(&r, HIP_AD_FORMAT_FLOAT, 1), hipErrorNotSupported);
  FAILS(hipTexRefGetFormat(&format, &count, &r), hipErrorNotSupported);
  FAILS(hipTexRefSetFlags(&r, HIP_TRSF_READ_AS_INTEGER), hipErrorNotSupported);
  FAILS(hipTexRefGetFlags(&flags, &r), hipErrorNotSupported);
  FAILS(hipTexRefSetAddressMode(&r, 0, hipAddressModeClamp), hipErrorNotSupported);
  FAILS(hipTexRefGetAddressMode(&mode, &r, 0), hipErrorNotSupported);
  FAILS(hipTexRefSetFilterMode(&r, hipFilterModeLinear), hipErrorNotSupported);
  FAILS(hipTexRefGetFilterMode(&filter, &r), hipErrorNotSupported);
  FAILS(hipTexRefSetMipmapFilterMode(&r, hipFilterModeLinear), hipErrorNotSupported);
  FAILS(hipTexRefGetMipmapFilterMode(&filter, &r), hipErrorNotSupported);
  FAILS(hipTexRefSetMipmapLevelBias(&r, 1), hipErrorNotSupported);
  FAILS(hipTexRefGetMipmapLevelBias(&low, &r), hipErrorNotSupported);
  FAILS(hipTexRefSetMipmapLevelClamp(&r, 1, 2), hipErrorNotSupported);
  FAILS(hipTexRefGetMipmapLevelClamp(&low, &high, &r), hipErrorNotSupported);
  FAILS(hipTexRefSetMaxAnisotropy(&r, 4), hipErrorNotSupported);
  FAILS(hipTexRefGetMaxAnisotropy(&count, &r), hipErrorNotSupported);
  FAILS(hipTexRefSetBorderColor(&r, colour), hipErrorNotSupported);
  FAILS(hipTexRefGetBorderColor(colour, &r), hipErrorNotSupported);
  CHECK(std::memcmp(&r, &untouched, sizeof r) == 0);
  CHECK((format == HIP_AD_FORMAT_HALF && mode == hipAddressModeMirror && filter == hipFilterModeLinear));
  CHECK((flags == 77 && count == 77 && low == 77 && high == 77 && colour[3] == 4));
}

TEST_CASE("A binding is a texture object", "[api][images]") {
  if (!has_images()) return;
  textureReference r = reference();
  const Memory memory;
  size_t offset = 7;
  hipDeviceptr_t address = nullptr;
  hipArray_t array = nullptr, bound = nullptr;
  float colour[4] = {1, 2, 3, 4};
  OK(hipTexRefSetBorderColor(&r, colour));
  OK(hipBindTexture(&offset, &r, memory.address, &kFloat, 4096));
  CHECK(offset == 0);
  REQUIRE(r.textureObject != nullptr);
  hipResourceDesc resource{};
  OK(hipGetTextureObjectResourceDesc(&resource, r.textureObject));
  CHECK((resource.resType == hipResourceTypeLinear && resource.res.linear.devPtr == memory.address &&
         resource.res.linear.sizeInBytes == 4096));
  hipTextureDesc sampling{};
  OK(hipGetTextureObjectTextureDesc(&sampling, r.textureObject));
  CHECK((sampling.addressMode[0] == hipAddressModeClamp && sampling.readMode == hipReadModeElementType));
  CHECK(std::memcmp(sampling.borderColor, colour, sizeof colour) == 0);
  OK(hipTexRefGetAddress(&address, &r));
  CHECK(address == memory.address);
  offset = 7;
  OK(hipGetTextureAlignmentOffset(&offset, &r));
  CHECK(offset == 0);
  FAILS(hipTexRefGetArray(&array, &r), hipErrorInvalidValue);

  // Another binding takes its place, a failing one does not.
  const hipTextureObject_t first = r.textureObject;
  OK(hipBindTexture(nullptr, &r, static_cast<char*>(memory.address) + 4096, &kFloat)); // all that is behind
  FAILS(hipGetTextureObjectResourceDesc(&resource, first), hipErrorInvalidValue);
  OK(hipGetTextureObjectResourceDesc(&resource, r.textureObject));
  CHECK(resource.res.linear.sizeInBytes == 4096);
  const hipTextureObject_t second = r.textureObject;
  FAILS(hipBindTextureToArray(&r, garbage_handle<hipArray_t>(), &kFloat), hipErrorInvalidHandle);
  CHECK(r.textureObject == second);

  OK(hipMallocArray(&array, &kFloat, 16, 8, 0));
  OK(hipBindTextureToArray(&r, array, &kFloat));
  OK(hipTexRefGetArray(&bound, &r));
  CHECK(bound == array);
  FAILS(hipTexRefGetAddress(&address, &r), hipErrorInvalidValue);
  OK(hipTexRefSetFormat(&r, HIP_AD_FORMAT_UNSIGNED_INT8, 4));
  FAILS(hipTexRefSetArray(&r, array, 0), hipErrorInvalidValue);
  OK(hipTexRefSetArray(&r, array, HIP_TRSA_OVERRIDE_FORMAT));
  CHECK((r.format == HIP_AD_FORMAT_FLOAT && r.numChannels == 1)); // the array's
  OK(hipUnbindTexture(&r));
  CHECK(r.textureObject == nullptr);
  OK(hipUnbindTexture(&r)); // nothing is bound
  FAILS(hipTexRefGetArray(&bound, &r), hipErrorInvalidValue);
  FAILS(hipGetTextureAlignmentOffset(&offset, &r), hipErrorInvalidValue);

  HIP_ARRAY_DESCRIPTOR rows{16, 8, HIP_AD_FORMAT_FLOAT, 1};
  OK(hipTexRefSetAddress(&offset, &r, memory.address, 1024));
  OK(hipTexRefGetAddress(&address, &r));
  CHECK(address == memory.address);
  OK(hipTexRefSetAddress2D(&r, &rows, memory.address, 512));
  OK(hipGetTextureObjectResourceDesc(&resource, r.textureObject));
  CHECK((resource.resType == hipResourceTypePitch2D && resource.res.pitch2D.pitchInBytes == 512));
  OK(hipBindTexture2D(&offset, &r, memory.address, &kFloat, 16, 4, 512));
  OK(hipGetTextureObjectResourceDesc(&resource, r.textureObject));
  CHECK(resource.res.pitch2D.height == 4);
  hipMipmappedArray_t levels = nullptr, bound_levels = nullptr;
  OK(hipMallocMipmappedArray(&levels, &kFloat, hipExtent{16, 8, 0}, 2, 0));
  OK(hipBindTextureToMipmappedArray(&r, levels, &kFloat));
  OK(hipTexRefGetMipMappedArray(&bound_levels, &r));
  CHECK(bound_levels == levels);
  FAILS(hipTexRefSetMipmappedArray(&r, levels, 0), hipErrorInvalidValue);
  OK(hipTexRefSetMipmappedArray(&r, levels, HIP_TRSA_OVERRIDE_FORMAT));
  FAILS(hipTexRefGetArray(&bound, &r), hipErrorInvalidValue);
  OK(hipUnbindTexture(&r));
  FAILS(hipTexRefGetMipMappedArray(&bound_levels, &r), hipErrorInvalidValue);
  OK(hipFreeMipmappedArray(levels));
  OK(hipFreeArray(array));
}

TEST_CASE("Texture references by symbol and by name, and null ones", "[api][images]") {
  const Registered registered("kernels.hipfb");
  const textureReference* found = nullptr;
  OK(hipGetTextureReference(&found, &registered.counter));
  CHECK(found == reinterpret_cast<const textureReference*>(&registered.counter));
  int local = 0;
  FAILS(hipGetTextureReference(&found, &local), hipErrorInvalidSymbol);
  CHECK(found == nullptr);
  FAILS(hipGetTextureReference(nullptr, &registered.counter), hipErrorInvalidValue);
  FAILS(hipGetTextureReference(&found, nullptr), hipErrorInvalidValue);

  textureReference *first = nullptr, *second = nullptr, *other = nullptr;
  {
    TestModule m;
    OK(hipModuleGetTexRef(&first, m.module, "counter"));
    OK(hipModuleGetTexRef(&second, m.module, "counter"));
    OK(hipModuleGetTexRef(&other, m.module, "factors"));
    CHECK((first && first == second && first != other));
    FAILS(hipModuleGetTexRef(&first, m.module, "no such variable"), hipErrorNotFound);
    CHECK(first == nullptr);
    FAILS(hipModuleGetTexRef(&first, m.module, ""), hipErrorInvalidValue);
    FAILS(hipModuleGetTexRef(&first, m.module, nullptr), hipErrorInvalidValue);
    FAILS(hipModuleGetTexRef(nullptr, m.module, "counter"), hipErrorInvalidValue);
  }
  FAILS(hipModuleGetTexRef(&first, nullptr, "counter"), hipErrorInvalidHandle);
  FAILS(hipModuleGetTexRef(&first, garbage_handle<hipModule_t>(), "counter"), hipErrorInvalidHandle);

  textureReference r{};
  char byte = 0;
  hipArray_t array = garbage_handle<hipArray_t>();
  hipMipmappedArray_t levels = garbage_handle<hipMipmappedArray_t>();
  FAILS(hipBindTexture(nullptr, nullptr, &byte, &kFloat, 1), hipErrorInvalidValue);
  FAILS(hipBindTexture(nullptr, &r, nullptr, &kFloat, 1), hipErrorInvalidValue);
  FAILS(hipBindTexture(nullptr, &r, &byte, nullptr, 1), hipErrorInvalidValue);
  FAILS(hipBindTexture2D(nullptr, nullptr, &byte, &kFloat, 1, 1, 1), hipErrorNotFound);
  FAILS(hipBindTexture2D(nullptr, &r, nullptr, &kFloat, 1, 1, 1), hipErrorNotFound);
  FAILS(hipBindTextureToArray(nullptr, array, &kFloat), hipErrorInvalidChannelDescriptor);
  FAILS(hipBindTextureToArray(&r, array, nullptr), hipErrorInvalidChannelDescriptor);
  FAILS(hipBindTextureToMipmappedArray(nullptr, levels, &kFloat), hipErrorInvalidValue);
  FAILS(hipUnbindTexture(nullptr), hipErrorInvalidValue);
  FAILS(hipGetTextureAlignmentOffset(nullptr, &r), hipErrorInvalidValue);
  size_t offset = 0;
  FAILS(hipGetTextureAlignmentOffset(&offset, nullptr), hipErrorInvalidTexture);
  FAILS(hipTexRefSetAddress(nullptr, nullptr, &byte, 1), hipErrorInvalidValue);
  FAILS(hipTexRefSetAddress2D(&r, nullptr, &byte, 1), hipErrorInvalidValue);
  FAILS(hipTexRefSetArray(nullptr, array, HIP_TRSA_OVERRIDE_FORMAT), hipErrorInvalidValue);
  FAILS(hipTexRefSetMipmappedArray(nullptr, levels, HIP_TRSA_OVERRIDE_FORMAT), hipErrorInvalidValue);
  FAILS(hipTexRefGetAddress(nullptr, &r), hipErrorInvalidValue);
  FAILS(hipTexRefGetArray(nullptr, &r), hipErrorInvalidValue);
  FAILS(hipTexRefGetMipMappedArray(nullptr, &r), hipErrorInvalidValue);
}
