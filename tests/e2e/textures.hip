// Textures and surfaces: every kind of object over every kind of array, compared with a model of the texture unit on
// the host. A device without image instructions says so, and refuses.
#include "images.h"

using namespace images;

namespace {

// Random coordinates between -2 and 3 times the texture, off the borders of elements by at least an eighth of one,
// where rounding decides nothing; fractions are multiples of 1/8, which the weights of the hardware hold.
std::vector<float4> coordinates(size_t count, int width, int height, int depth, bool normalized) {
  e2e::Random random;
  const auto one = [&](int n) {
    const int whole = static_cast<int>(random.bits() % static_cast<unsigned>(5 * n)) - 2 * n;
    const float u = float(whole) + float(1 + random.bits() % 7) / 8;
    return normalized ? u / float(n) : u;
  };
  std::vector<float4> at(count);
  for (float4& p : at) p = make_float4(one(width), one(height), one(depth), 0.0f);
  return at;
}

void check_near(const std::vector<float4>& got, const std::vector<float4>& at, const Model& model, float tolerance,
                const char* what) {
  if (got.size() != at.size()) return;
  for (size_t i = 0; i < at.size(); ++i) {
    const Texel want = model(at[i].x, at[i].y, at[i].z);
    const float have[4] = {got[i].x, got[i].y, got[i].z, got[i].w};
    for (size_t c = 0; c < 4; ++c)
      if (!(std::fabs(have[c] - want[c]) <= tolerance))
        return e2e::fail(__FILE__, __LINE__,
                         std::string(what) + ": channel " + std::to_string(c) + " at " + e2e::text_of(at[i].x) + ", " +
                             e2e::text_of(at[i].y) + ", " + e2e::text_of(at[i].z) + " is " + e2e::text_of(have[c]) +
                             ", expected " + e2e::text_of(want[c]));
  }
}

constexpr hipTextureAddressMode kAddresses[] = {hipAddressModeWrap, hipAddressModeClamp, hipAddressModeMirror,
                                                hipAddressModeBorder};
constexpr int kWidth = 16, kHeight = 8, kDepth = 4; // powers of two: normalized coordinates are exact
constexpr float kWeightError = 1.0f / 256;          // of a filter, for values in [0, 1)

std::vector<float4> random_elements(size_t count) {
  e2e::Random random;
  std::vector<float4> elements(count);
  for (float4& e : elements)
    e = make_float4(float(random.bits() % 1000) / 1000, float(random.bits() % 1000) / 1000,
                    float(random.bits() % 1000) / 1000, float(random.bits() % 1000) / 1000);
  return elements;
}

Lookup lookup(const std::vector<float4>& elements, int width, int height) {
  return [&elements, width, height](int x, int y, int z) {
    const float4& e = elements[static_cast<size_t>((z * height + y) * width + x)];
    return Texel{e.x, e.y, e.z, e.w};
  };
}

// All address modes and filters of a texture of `dimensions`.
template<Fetch how> void check_modes(int dimensions) {
  const int width = kWidth, height = dimensions > 1 ? kHeight : 1, depth = dimensions > 2 ? kDepth : 1;
  const auto elements = random_elements(static_cast<size_t>(width * height * depth));
  const hipExtent extent = make_hipExtent(width, dimensions > 1 ? height : 0, dimensions > 2 ? depth : 0);
  const Array array(hipCreateChannelDesc<float4>(), extent);
  HIP_OK(upload(array.handle, elements, make_hipExtent(width, height, depth)));
  for (const auto address : kAddresses)
    for (const auto filter : {hipFilterModePoint, hipFilterModeLinear})
      for (const int normalized : {0, 1}) {
        // Without normalized coordinates there is nothing to repeat.
        if (!normalized && (address == hipAddressModeWrap || address == hipAddressModeMirror)) continue;
        hipTextureDesc desc = modes(address, filter, normalized);
        const Texel border = {0.25f, 0.5f, 0.75f, 1.0f};
        std::copy(border.begin(), border.end(), desc.borderColor);
#if defined(__HIP_PLATFORM_NVIDIA__) // CUDA's runtime passes on modes of dimensions that are not there, and they count
        for (int d = dimensions; d < 3; ++d) desc.addressMode[d] = hipAddressModeClamp;
#endif
        const Texture texture(resource(array.handle), desc);
        const Model model{{width, height, depth},          address, filter,    normalized != 0,
                          lookup(elements, width, height), border,  dimensions};
        const auto at = coordinates(500, width, height, depth, normalized != 0);
        const std::string what = "address mode " + std::to_string(address) + ", filter " + std::to_string(filter) +
                                 ", normalized " + std::to_string(normalized);
        auto flat = at; // what the shape does not have is 0
        for (float4& p : flat) p = make_float4(p.x, dimensions > 1 ? p.y : 0.0f, dimensions > 2 ? p.z : 0.0f, 0.0f);
        check_near(fetch<float4, how>(texture.handle, flat), flat, model,
                   filter == hipFilterModeLinear ? float(dimensions) * kWeightError : 1e-6f, what.c_str());
      }
}

// The channels of an element.
template<class T> std::array<double, 4> channels(const T& v) {
  if constexpr (std::is_arithmetic_v<T>)
    return {double(v), 0, 0, 0};
  else if constexpr (sizeof(T) == sizeof(v.x))
    return {double(v.x), 0, 0, 0};
  else if constexpr (sizeof(T) == 2 * sizeof(v.x))
    return {double(v.x), double(v.y), 0, 0};
  else
    return {double(v.x), double(v.y), double(v.z), double(v.w)};
}
template<class T> std::vector<T> random_bytes(size_t count) {
  e2e::Random random;
  std::vector<T> values(count);
  unsigned char* bytes = reinterpret_cast<unsigned char*>(values.data());
  for (size_t i = 0; i < count * sizeof(T); ++i) bytes[i] = static_cast<unsigned char>(random.bits() >> 16);
  // Floats are numbers.
  if constexpr (std::is_same_v<T, float> || std::is_same_v<T, float1> || std::is_same_v<T, float2> ||
                std::is_same_v<T, float4>)
    for (size_t i = 0; i < count * sizeof(T) / 4; ++i) {
      const float f = float(random.bits() % 2000) - 1000;
      std::memcpy(bytes + 4 * i, &f, 4);
    }
  return values;
}
template<class T> void check_same(const std::vector<T>& got, const std::vector<T>& want, const char* what) {
  if (got.size() != want.size()) return;
  for (size_t i = 0; i < got.size(); ++i)
    if (channels(got[i]) != channels(want[i]))
      return e2e::fail(__FILE__, __LINE__,
                       std::string(what) + " of " + std::to_string(sizeof(T)) + " bytes: element " + std::to_string(i) +
                           " differs");
}

template<class... T, class F> void for_types(F f) { (f(T{}), ...); }
template<class F> void for_all_elements(F f) {
  for_types<char, signed char, unsigned char, short, unsigned short, int, unsigned int, float, char1, char2, char4,
            uchar1, uchar2, uchar4, short1, short2, short4, ushort1, ushort2, ushort4, int1, int2, int4, uint1, uint2,
            uint4, float1, float2, float4>(f);
}

} // namespace

E2E_CASE(a_device_says_whether_it_has_images) {
  int image_support = -1, texture_2d = -1, texture_3d = -1, surface_2d = -1;
  HIP_OK(hipDeviceGetAttribute(&image_support, hipDeviceAttributeImageSupport, 0));
  HIP_OK(hipDeviceGetAttribute(&texture_2d, hipDeviceAttributeMaxTexture2DWidth, 0));
  HIP_OK(hipDeviceGetAttribute(&texture_3d, hipDeviceAttributeMaxTexture3DDepth, 0));
  HIP_OK(hipDeviceGetAttribute(&surface_2d, hipDeviceAttributeMaxSurface2D, 0));
#if defined(__HIP_SOFTWARE_TEXTURES__)
  CHECK_EQ(image_support, 1);
#else
  CHECK_EQ(image_support, e2e::on_nvidia() ? 1 : 0);
#endif
  CHECK_EQ(texture_2d > 0, image_support == 1);
  CHECK_EQ(texture_3d > 0, image_support == 1);
  CHECK_EQ(surface_2d > 0, image_support == 1);
  if (image_support) return;
  const hipChannelFormatDesc format = hipCreateChannelDesc<float>();
  hipArray_t array = nullptr;
  hipMipmappedArray_t mipmapped = nullptr;
  hipTextureObject_t texture{};
  hipSurfaceObject_t surface{};
  const hipResourceDesc resource_desc{};
  const hipTextureDesc texture_desc{};
  size_t width = 0;
  float value = 0;
  CHECK_EQ(hipMallocArray(&array, &format, 16, 16), hipErrorNotSupported);
  CHECK_EQ(hipMalloc3DArray(&array, &format, make_hipExtent(16, 16, 16), 0), hipErrorNotSupported);
  CHECK_EQ(hipMallocMipmappedArray(&mipmapped, &format, make_hipExtent(16, 16, 0), 2), hipErrorNotSupported);
  CHECK_EQ(hipCreateTextureObject(&texture, &resource_desc, &texture_desc, nullptr), hipErrorNotSupported);
  CHECK_EQ(hipCreateSurfaceObject(&surface, &resource_desc), hipErrorNotSupported);
  CHECK_EQ(hipDeviceGetTexture1DLinearMaxWidth(&width, &format, 0), hipErrorNotSupported);
  // An array can not exist here, so null is all that there is to pass.
  CHECK_EQ(hipMemcpy2DToArray(array, 0, 0, &value, 4, 4, 1, hipMemcpyHostToDevice), hipErrorInvalidHandle);
}

E2E_CASE(linear_memory_of_every_element) {
  NEEDS_IMAGES();
  for_all_elements([](auto zero) {
    using T = decltype(zero);
    const auto elements = random_bytes<T>(1000);
    const e2e::Device<T> memory(elements);
    hipResourceDesc r{};
    r.resType = hipResourceTypeLinear;
    r.res.linear.devPtr = memory.data();
    r.res.linear.desc = hipCreateChannelDesc<T>();
    r.res.linear.sizeInBytes = elements.size() * sizeof(T);
    const Texture texture(r, hipTextureDesc{});
    std::vector<float4> at(elements.size());
    std::vector<T> want(elements.size());
    for (size_t i = 0; i < at.size(); ++i) {
      const size_t from = i * 7 % elements.size();
      at[i] = make_float4(float(from), 0.0f, 0.0f, 0.0f);
      want[i] = elements[from];
    }
    check_same(fetch<T, Fetch::Linear>(texture.handle, at), want, "tex1Dfetch");
  });
}

E2E_CASE(arrays_of_every_element) {
  NEEDS_IMAGES();
  for_all_elements([](auto zero) {
    using T = decltype(zero);
    const auto elements = random_bytes<T>(kWidth * kHeight);
    const Array array(hipCreateChannelDesc<T>(), make_hipExtent(kWidth, kHeight, 0));
    HIP_OK(hipMemcpy2DToArray(array.handle, 0, 0, elements.data(), kWidth * sizeof(T), kWidth * sizeof(T), kHeight,
                              hipMemcpyHostToDevice));
    const Texture texture(resource(array.handle), modes(hipAddressModeClamp, hipFilterModePoint, 0));
    std::vector<float4> at;
    for (int i = 0; i < kWidth * kHeight; ++i)
      at.push_back(make_float4(float(i % kWidth) + 0.5f, float(i / kWidth) + 0.5f, 0.0f, 0.0f));
    check_same(fetch<T, Fetch::Tex2D>(texture.handle, at), elements, "tex2D");
  });
}

E2E_CASE(address_modes_and_filters_1d) {
  NEEDS_IMAGES();
  check_modes<Fetch::Tex1D>(1);
}
E2E_CASE(address_modes_and_filters_2d) {
  NEEDS_IMAGES();
  check_modes<Fetch::Tex2D>(2);
}
E2E_CASE(address_modes_and_filters_3d) {
  NEEDS_IMAGES();
  check_modes<Fetch::Tex3D>(3);
}

E2E_CASE(integers_as_normalized_floats) {
  NEEDS_IMAGES();
  const auto check = [](auto zero, double scale) {
    using T = decltype(zero);
    const auto elements = random_bytes<T>(kWidth * kHeight);
    const Array array(hipCreateChannelDesc<T>(), make_hipExtent(kWidth, kHeight, 0));
    HIP_OK(upload(array.handle, elements, make_hipExtent(kWidth, kHeight, 1)));
    for (const auto filter : {hipFilterModePoint, hipFilterModeLinear}) {
      const Texture texture(resource(array.handle), modes(hipAddressModeWrap, filter, 1, hipReadModeNormalizedFloat));
      const Lookup element = [&](int x, int y, int) {
        const auto c = channels(elements[static_cast<size_t>(y * kWidth + x)]);
        Texel t;
        for (size_t i = 0; i < 4; ++i) t[i] = float(std::max(c[i] / scale, -1.0));
        return t;
      };
      const Model model{{kWidth, kHeight, 1}, hipAddressModeWrap, filter, true, element, {}, 2};
      auto at = coordinates(300, kWidth, kHeight, 1, true);
      for (float4& p : at) p.z = 0;
      check_near(fetch<float4, Fetch::Tex2D>(texture.handle, at), at, model,
                 filter == hipFilterModeLinear ? 4 * kWeightError : 1e-6f, "normalized");
    }
  };
  check(uchar4{}, 255);
  check(char4{}, 127);
  check(ushort4{}, 65535);
  check(short4{}, 32767);
}

E2E_CASE(srgb_is_linearised) {
  NEEDS_IMAGES();
  std::vector<uchar4> elements(256);
  std::vector<float4> at(256);
  for (size_t i = 0; i < 256; ++i) {
    elements[i] = make_uchar4(i, i, i, i);
    at[i] = make_float4(float(i) + 0.5f, 0.0f, 0.0f, 0.0f);
  }
  const Array array(hipCreateChannelDesc<uchar4>(), make_hipExtent(256, 0, 0));
  HIP_OK(upload(array.handle, elements, make_hipExtent(256, 1, 1)));
  hipTextureDesc desc = modes(hipAddressModeClamp, hipFilterModePoint, 0, hipReadModeNormalizedFloat);
  desc.sRGB = 1;
  const Texture texture(resource(array.handle), desc);
  const auto got = fetch<float4, Fetch::Tex1D>(texture.handle, at);
  for (size_t i = 0; i < got.size(); ++i) {
    const double c = double(i) / 255, linear = c <= 0.04045 ? c / 12.92 : std::pow((c + 0.055) / 1.055, 2.4);
    if (std::fabs(got[i].x - linear) > 1.0 / 256 || std::fabs(got[i].w - c) > 1e-6) // alpha stays as it is
      return e2e::fail(__FILE__, __LINE__,
                       "element " + std::to_string(i) + " is " + std::to_string(got[i].x) + ", expected " +
                           std::to_string(linear));
  }
}

E2E_CASE(halves_are_read_as_floats) {
  NEEDS_IMAGES();
  std::vector<_Float16> elements(64);
  std::vector<float4> at(64);
  for (size_t i = 0; i < 64; ++i) {
    elements[i] = static_cast<_Float16>(float(i) * 1.25f - 20);
    at[i] = make_float4(float(i) + 0.5f, 0.0f, 0.0f, 0.0f);
  }
  const Array array(hipCreateChannelDescHalf(), make_hipExtent(64, 0, 0));
  HIP_OK(upload(array.handle, elements, make_hipExtent(64, 1, 1)));
  const Texture texture(resource(array.handle), modes(hipAddressModeClamp, hipFilterModePoint, 0));
  const auto got = fetch<float, Fetch::Tex1D>(texture.handle, at);
  for (size_t i = 0; i < got.size(); ++i) CHECK_AT(i, got[i], float(i) * 1.25f - 20);
}

E2E_CASE(rows_of_linear_memory) {
  NEEDS_IMAGES();
  const auto elements = random_elements(kWidth * kHeight);
  float4* memory = nullptr;
  size_t pitch = 0;
  HIP_OK(hipMallocPitch(reinterpret_cast<void**>(&memory), &pitch, kWidth * sizeof(float4), kHeight));
  HIP_OK(hipMemcpy2D(memory, pitch, elements.data(), kWidth * sizeof(float4), kWidth * sizeof(float4), kHeight,
                     hipMemcpyHostToDevice));
  hipResourceDesc r{};
  r.resType = hipResourceTypePitch2D;
  r.res.pitch2D.devPtr = memory;
  r.res.pitch2D.desc = hipCreateChannelDesc<float4>();
  r.res.pitch2D.width = kWidth;
  r.res.pitch2D.height = kHeight;
  r.res.pitch2D.pitchInBytes = pitch;
  {
    const Texture texture(r, modes(hipAddressModeClamp, hipFilterModeLinear, 0));
    const Model model{{kWidth, kHeight, 1},
                      hipAddressModeClamp,
                      hipFilterModeLinear,
                      false,
                      lookup(elements, kWidth, kHeight),
                      {},
                      2};
    auto at = coordinates(300, kWidth, kHeight, 1, false);
    for (float4& p : at) p.z = 0;
    check_near(fetch<float4, Fetch::Tex2D>(texture.handle, at), at, model, 2 * kWeightError, "pitched rows");
  }
  HIP_OK(hipFree(memory));
}

// ---- layers, cube maps, levels -------------------------------------------------------------------------------------

E2E_CASE(layers) {
  NEEDS_IMAGES();
  const auto elements = random_elements(kWidth * kHeight * kDepth);
  const Array flat(hipCreateChannelDesc<float4>(), make_hipExtent(kWidth, kHeight, kDepth), hipArrayLayered);
  HIP_OK(upload(flat.handle, elements, make_hipExtent(kWidth, kHeight, kDepth)));
  const Array rows(hipCreateChannelDesc<float4>(), make_hipExtent(kWidth, 0, kDepth), hipArrayLayered);
  HIP_OK(upload(rows.handle, elements, make_hipExtent(kWidth, 1, kDepth)));
  const hipTextureDesc desc = modes(hipAddressModeMirror, hipFilterModeLinear, 1);
  const Texture flat_texture(resource(flat.handle), desc), rows_texture(resource(rows.handle), desc);
  auto at = coordinates(300, kWidth, kHeight, 1, true);
  for (size_t i = 0; i < at.size(); ++i) at[i].z = float(i % kDepth);
  const Model flat_model{{kWidth, kHeight, kDepth},
                         hipAddressModeMirror,
                         hipFilterModeLinear,
                         true,
                         lookup(elements, kWidth, kHeight),
                         {},
                         2};
  check_near(fetch<float4, Fetch::Layered2D>(flat_texture.handle, at), at, flat_model, 2 * kWeightError, "2D layers");
  check_near(fetch<float4, Fetch::LodLayered2D>(flat_texture.handle, at), at, flat_model, 2 * kWeightError,
             "2D layers, level 0");
  check_near(fetch<float4, Fetch::GradLayered2D>(flat_texture.handle, at, 1.0f / 64), at, flat_model, 2 * kWeightError,
             "2D layers, small gradients");
  for (float4& p : at) p = make_float4(p.x, p.z, 0.0f, 0.0f);
  const Model rows_model{
      {kWidth, kDepth, 1}, hipAddressModeMirror, hipFilterModeLinear, true, lookup(elements, kWidth, 1), {}, 1};
  // The model's second coordinate is the row of its elements.
  const auto by_row = [&](float x, float layer) { return rows_model(x, 0, layer); };
  const hipTextureObject_t rows_object = rows_texture.handle;
  for (const auto& got : {fetch<float4, Fetch::Layered1D>(rows_object, at), fetch<float4, Fetch::LodLayered1D>(rows_object, at),
                          fetch<float4, Fetch::GradLayered1D>(rows_object, at, 1.0f / 64)})
    for (size_t i = 0; i < got.size(); ++i)
      if (std::fabs(got[i].y - by_row(at[i].x, at[i].y)[1]) > kWeightError)
        return e2e::fail(__FILE__, __LINE__, "1D layers: element " + std::to_string(i) + " differs");
}

namespace {
// A direction through the middle of element (u, v) of a face, by the table of cube map faces.
float4 direction(int face, float u, float v, float layer) {
  const float s = 2 * u - 1, t = 2 * v - 1;
  switch (face) {
  case 0:
    return make_float4(1.0f, -t, -s, layer);
  case 1:
    return make_float4(-1.0f, -t, s, layer);
  case 2:
    return make_float4(s, 1.0f, t, layer);
  case 3:
    return make_float4(s, -1.0f, -t, layer);
  case 4:
    return make_float4(s, -t, 1.0f, layer);
  default:
    return make_float4(-s, -t, -1.0f, layer);
  }
}
} // namespace

E2E_CASE(cube_maps) {
  NEEDS_IMAGES();
  constexpr int kEdge = 8, kLayers = 2;
  std::vector<float> elements(kEdge * kEdge * 6 * kLayers);
  for (size_t i = 0; i < elements.size(); ++i) elements[i] = float(i);
  const Array one(hipCreateChannelDesc<float>(), make_hipExtent(kEdge, kEdge, 6), hipArrayCubemap);
  const Array many(hipCreateChannelDesc<float>(), make_hipExtent(kEdge, kEdge, 6 * kLayers),
                   hipArrayCubemap | hipArrayLayered);
  HIP_OK(upload(one.handle, elements, make_hipExtent(kEdge, kEdge, 6)));
  HIP_OK(upload(many.handle, elements, make_hipExtent(kEdge, kEdge, 6 * kLayers)));
  const hipTextureDesc desc = modes(hipAddressModeClamp, hipFilterModePoint, 1);
  const Texture one_texture(resource(one.handle), desc), many_texture(resource(many.handle), desc);
  std::vector<float4> at;
  for (int i = 0; i < kEdge * kEdge * 6 * kLayers; ++i) {
    const int x = i % kEdge, y = i / kEdge % kEdge, face = i / kEdge / kEdge % 6, layer = i / kEdge / kEdge / 6;
    at.push_back(direction(face, (float(x) + 0.5f) / kEdge, (float(y) + 0.5f) / kEdge, float(layer)));
  }
  const std::vector<float4> first(at.begin(), at.begin() + kEdge * kEdge * 6);
  const std::vector<float> of_one(elements.begin(), elements.begin() + kEdge * kEdge * 6);
  check_same(fetch<float, Fetch::Cube>(one_texture.handle, first), of_one, "texCubemap");
  check_same(fetch<float, Fetch::LodCube>(one_texture.handle, first), of_one, "texCubemapLod");
  check_same(fetch<float, Fetch::GradCube>(one_texture.handle, first, 1.0f / 64), of_one, "texCubemapGrad");
  check_same(fetch<float, Fetch::LayeredCube>(many_texture.handle, at), elements, "texCubemapLayered");
  check_same(fetch<float, Fetch::LodLayeredCube>(many_texture.handle, at), elements, "texCubemapLayeredLod");
  check_same(fetch<float, Fetch::GradLayeredCube>(many_texture.handle, at, 1.0f / 64), elements,
             "texCubemapLayeredGrad");
}

namespace {
// Level k of a mipmapped array is full of 10 * (k + 1); what is read tells the level.
template<Fetch lod, Fetch grad> void check_levels(int dimensions) {
  constexpr unsigned kLevels = 4, kEdge = 16;
  const hipChannelFormatDesc format = hipCreateChannelDesc<float>();
  hipMipmappedArray_t array = nullptr;
  HIP_OK(hipMallocMipmappedArray(
      &array, &format, make_hipExtent(kEdge, dimensions > 1 ? kEdge : 0, dimensions > 2 ? kEdge : 0), kLevels));
  for (unsigned level = 0; level < kLevels; ++level) {
    hipArray_t part = nullptr, again = nullptr;
    HIP_OK(hipGetMipmappedArrayLevel(&part, array, level));
    HIP_OK(hipGetMipmappedArrayLevel(&again, array, level));
    CHECK_EQ(part == again, true);
    hipExtent extent{};
    HIP_OK(hipArrayGetInfo(nullptr, &extent, nullptr, part));
    CHECK_EQ(extent.width, size_t{kEdge} >> level);
    const hipExtent box =
        make_hipExtent(extent.width, dimensions > 1 ? extent.height : 1, dimensions > 2 ? extent.depth : 1);
    const std::vector<float> values(box.width * box.height * box.depth, 10.0f * float(level + 1));
    HIP_OK(upload(part, values, box));
  }
  {
    const Texture texture(resource(array), modes(hipAddressModeClamp, hipFilterModeLinear, 1));
    const std::vector<float4> at = {make_float4(0.5f, 0.5f, 0.5f, 0.0f), make_float4(0.3f, 0.7f, 0.2f, 0.0f)};
    for (const float level : {0.0f, 1.0f, 1.5f, 2.25f, 3.0f, 7.0f}) {
      const float want = 10 * (std::min(level, float(kLevels - 1)) + 1);
      for (const float got : fetch<float, lod>(texture.handle, at, level))
        if (std::fabs(got - want) > 0.1f) // 1/256 of the distance between levels, and then some
          e2e::fail(__FILE__, __LINE__, "level " + std::to_string(level) + " is " + std::to_string(got));
    }
    // A gradient of 2^k elements asks for level k.
    for (unsigned level = 0; level < kLevels; ++level)
      for (const float got : fetch<float, grad>(texture.handle, at, float(1u << level) / kEdge))
        if (std::fabs(got - 10.0f * float(level + 1)) > 0.1f)
          e2e::fail(__FILE__, __LINE__, "gradient of level " + std::to_string(level) + " is " + std::to_string(got));
  }
  HIP_OK(hipFreeMipmappedArray(array));
}
} // namespace

E2E_CASE(levels_1d) {
  NEEDS_IMAGES();
  check_levels<Fetch::Lod1D, Fetch::Grad1D>(1);
}
E2E_CASE(levels_2d) {
  NEEDS_IMAGES();
  check_levels<Fetch::Lod2D, Fetch::Grad2D>(2);
}
E2E_CASE(levels_3d) {
  NEEDS_IMAGES();
  check_levels<Fetch::Lod3D, Fetch::Grad3D>(3);
}

// ---- gathers and views ---------------------------------------------------------------------------------------------

__global__ void gather_all(float4* out, hipTextureObject_t o, const float4* at, unsigned n) {
#if !defined(__HIP_NO_IMAGE_SUPPORT)
  const unsigned i = threadIdx.x;
  if (i >= n) return;
  for (int channel = 0; channel < 4; ++channel)
    out[4 * i + channel] = tex2Dgather<float4>(o, at[i].x, at[i].y, channel);
#endif
}

E2E_CASE(gathers) {
  NEEDS_IMAGES();
  const auto elements = random_elements(kWidth * kHeight);
  const Array array(hipCreateChannelDesc<float4>(), make_hipExtent(kWidth, kHeight, 0), hipArrayTextureGather);
  HIP_OK(upload(array.handle, elements, make_hipExtent(kWidth, kHeight, 1)));
  const Texture texture(resource(array.handle), modes(hipAddressModeClamp, hipFilterModePoint, 0));
  std::vector<float4> at;
  for (int i = 0; i < 60; ++i)
    at.push_back(make_float4(float(i % 15) + 1.0f, float(i / 15) + 1.0f, 0.0f, 0.0f)); // corners
  const e2e::Device<float4> where(at), out(4 * at.size());
  gather_all<<<1, 64>>>(out.data(), texture.handle, where.data(), 60);
  RUN_OK();
  const auto got = out.download();
  for (size_t i = 0; i < at.size(); ++i) {
    const int x = int(at[i].x), y = int(at[i].y);
    const auto element = lookup(elements, kWidth, kHeight);
    for (size_t c = 0; c < 4; ++c) { // counter-clockwise from the lower left, which has the greater row
      CHECK_AT(i, got[4 * i + c].x, element(x - 1, y, 0)[c]);
      CHECK_AT(i, got[4 * i + c].y, element(x, y, 0)[c]);
      CHECK_AT(i, got[4 * i + c].z, element(x, y - 1, 0)[c]);
      CHECK_AT(i, got[4 * i + c].w, element(x - 1, y - 1, 0)[c]);
    }
  }
}

E2E_CASE(a_view_reads_another_format) {
  NEEDS_IMAGES();
#if defined(__HIP_PLATFORM_NVIDIA__)
  E2E_LEAVE_OUT_IF(true, "CUDA's runtime has rules of its own for views of 32-bit integers");
#endif
  const auto words = random_bytes<unsigned int>(kWidth * kHeight);
  const Array array(hipCreateChannelDesc<unsigned int>(), make_hipExtent(kWidth, kHeight, 0));
  HIP_OK(upload(array.handle, words, make_hipExtent(kWidth, kHeight, 1)));
  hipResourceViewDesc view{};
  view.format = hipResViewFormatUnsignedChar4;
  view.width = kWidth;
  view.height = kHeight;
  const Texture texture(resource(array.handle), modes(hipAddressModeClamp, hipFilterModePoint, 0), &view);
  std::vector<float4> at;
  std::vector<uchar4> want(words.size());
  std::memcpy(want.data(), words.data(), words.size() * 4);
  for (int i = 0; i < kWidth * kHeight; ++i)
    at.push_back(make_float4(float(i % kWidth) + 0.5f, float(i / kWidth) + 0.5f, 0.0f, 0.0f));
  check_same(fetch<uchar4, Fetch::Tex2D>(texture.handle, at), want, "a view");
  hipResourceViewDesc told{};
  HIP_OK(hipGetTextureObjectResourceViewDesc(&told, texture.handle));
  CHECK_EQ(told.format, view.format);
  CHECK_EQ(told.width, view.width);
}

E2E_CASE(driver_style_objects) {
  NEEDS_IMAGES();
  HIP_ARRAY_DESCRIPTOR descriptor{};
  descriptor.Width = kWidth;
  descriptor.Height = kHeight;
  descriptor.Format = HIP_AD_FORMAT_SIGNED_INT16;
  descriptor.NumChannels = 2;
  hipArray_t array = nullptr;
  HIP_OK(hipArrayCreate(&array, &descriptor));
  const auto elements = random_bytes<short2>(kWidth * kHeight);
  hip_Memcpy2D copy{};
  copy.srcMemoryType = hipMemoryTypeHost;
  copy.srcHost = elements.data();
  copy.srcPitch = kWidth * sizeof(short2);
  copy.dstMemoryType = hipMemoryTypeArray;
  copy.dstArray = array;
  copy.WidthInBytes = kWidth * sizeof(short2);
  copy.Height = kHeight;
  HIP_OK(hipMemcpyParam2D(&copy));
  HIP_RESOURCE_DESC r{};
  r.resType = HIP_RESOURCE_TYPE_ARRAY;
  r.res.array.hArray = reinterpret_cast<decltype(r.res.array.hArray)>(array);
  HIP_TEXTURE_DESC d{};
  d.addressMode[0] = d.addressMode[1] = d.addressMode[2] = HIP_TR_ADDRESS_MODE_CLAMP;
  d.flags = HIP_TRSF_READ_AS_INTEGER;
  hipTextureObject_t texture{};
  HIP_OK(hipTexObjectCreate(&texture, &r, &d, nullptr));
  std::vector<float4> at;
  for (int i = 0; i < kWidth * kHeight; ++i)
    at.push_back(make_float4(float(i % kWidth) + 0.5f, float(i / kWidth) + 0.5f, 0.0f, 0.0f));
  check_same(fetch<short2, Fetch::Tex2D>(texture, at), elements, "hipTexObjectCreate");
  HIP_OK(hipTexObjectDestroy(texture));
  HIP_OK(hipArrayDestroy(array));
}
