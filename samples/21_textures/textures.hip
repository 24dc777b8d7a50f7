// 21_textures - enlarges an image with a bilinear filter. A device with image instructions filters by itself: the image
// is a texture, and one fetch at a coordinate between elements is the mean of four. Other devices (gfx942, and so the
// MI300X, has no image instructions) read the four elements and compute. The program asks the device which kernel to
// launch, and the compiler, by __HIP_NO_IMAGE_SUPPORT, which one it can compile.
#include "../common.h"

// Element (x, y) of the large image lies here in the small one, whose elements have their centres at n + 0.5.
__host__ __device__ float source_of(int i, int large, int small) { return (i + 0.5f) * small / large; }

__global__ void enlarge_texture(hipTextureObject_t image, float* out, int width, int height, int from_width,
                                int from_height) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height) return;
#if defined(__HIP_NO_IMAGE_SUPPORT)
  (void)image; // never launched there
  out[y * width + x] = 0.0f * (from_width + from_height);
#else
  out[y * width + x] = tex2D<float>(image, source_of(x, width, from_width), source_of(y, height, from_height));
#endif
}

// The same filter, for host and device: outside the image its edge goes on.
__host__ __device__ float filter(const float* image, int width, int height, float x, float y) {
  const float left = floorf(x - 0.5f), top = floorf(y - 0.5f), a = x - 0.5f - left, b = y - 0.5f - top;
  const auto at = [&](int px, int py) {
    px = px < 0 ? 0 : px >= width ? width - 1 : px;
    py = py < 0 ? 0 : py >= height ? height - 1 : py;
    return image[py * width + px];
  };
  const int l = static_cast<int>(left), t = static_cast<int>(top);
  return (1 - b) * ((1 - a) * at(l, t) + a * at(l + 1, t)) + b * ((1 - a) * at(l, t + 1) + a * at(l + 1, t + 1));
}

__global__ void enlarge_memory(const float* image, float* out, int width, int height, int from_width, int from_height) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height) return;
  out[y * width + x] =
      filter(image, from_width, from_height, source_of(x, width, from_width), source_of(y, height, from_height));
}

int main() {
  constexpr int kFromWidth = 96, kFromHeight = 64, kWidth = 800, kHeight = 600;
  const std::vector<float> image = sample::Random().vector(kFromWidth * kFromHeight);
  sample::DeviceArray<float> out(kWidth * kHeight);
  const dim3 block(16, 16), grid(sample::blocks_for(kWidth, 16), sample::blocks_for(kHeight, 16));
  int has_images = 0;
  HIP_CHECK(hipDeviceGetAttribute(&has_images, hipDeviceAttributeImageSupport, 0));
  double ms = 0;
  if (has_images) {
    // An array has a layout of the device's own. What it holds and how it is read are the texture object's.
    hipArray_t array;
    const hipChannelFormatDesc format = hipCreateChannelDesc<float>();
    HIP_CHECK(hipMallocArray(&array, &format, kFromWidth, kFromHeight));
    HIP_CHECK(hipMemcpy2DToArray(array, 0, 0, image.data(), kFromWidth * sizeof(float), kFromWidth * sizeof(float),
                                 kFromHeight, hipMemcpyHostToDevice));
    hipResourceDesc resource{};
    resource.resType = hipResourceTypeArray;
    resource.res.array.array = array;
    hipTextureDesc reading{};
    reading.addressMode[0] = reading.addressMode[1] = hipAddressModeClamp;
    reading.filterMode = hipFilterModeLinear;
    hipTextureObject_t texture;
    HIP_CHECK(hipCreateTextureObject(&texture, &resource, &reading, nullptr));
    ms = sample::time_ms(
        [&] { enlarge_texture<<<grid, block>>>(texture, out.data(), kWidth, kHeight, kFromWidth, kFromHeight); });
    HIP_CHECK(hipDestroyTextureObject(texture));
    HIP_CHECK(hipFreeArray(array));
  } else {
    sample::DeviceArray<float> memory(image);
    ms = sample::time_ms(
        [&] { enlarge_memory<<<grid, block>>>(memory.data(), out.data(), kWidth, kHeight, kFromWidth, kFromHeight); });
  }

  // A texture unit weighs the four elements with 8 bits of fraction in each direction.
  const std::vector<float> result = out.download();
  bool passed = true;
  for (int y = 0; y < kHeight; ++y)
    for (int x = 0; x < kWidth; ++x) {
      const float want = filter(image.data(), kFromWidth, kFromHeight, source_of(x, kWidth, kFromWidth),
                                source_of(y, kHeight, kFromHeight));
      passed &= std::abs(result[y * kWidth + x] - want) <= (has_images ? 2.0f / 256 : 1e-5f);
    }
  std::printf("%d x %d from %d x %d, %s\n", kWidth, kHeight, kFromWidth, kFromHeight,
              has_images ? "by the texture unit" : "computed: the device has no image instructions");
  return sample::finish("textures", passed, ms);
}
