// Texture references as CUDA 11 and older had them: of linear memory, of memory with rows, of arrays; bound, bound again, unbound.
#include "check.h"

#include <cmath>
#include <vector>

texture<float, 1, cudaReadModeElementType> linear;
texture<int2, cudaTextureType1D> pairs;
texture<float, 2, cudaReadModeElementType> image;
texture<unsigned char, 2, cudaReadModeNormalizedFloat> grey;

__global__ void read_linear(float* out) {
  const int2 pair = tex1Dfetch(pairs, threadIdx.x);
  out[threadIdx.x] = tex1Dfetch(linear, threadIdx.x) + pair.x * 100 + pair.y * 10000;
}
__global__ void read_images(float2* out, int width) {
  const int x = threadIdx.x, y = threadIdx.y;
  out[y * width + x] = make_float2(tex2D(image, x + 1.0f, y + 0.5f), tex2D(grey, x, y));
}

int main() {
  const int n = 32;
  float *data, *out;
  int2* twos;
  CHECK_CUDA(cudaMallocManaged(&data, 2 * n * sizeof(float)));
  CHECK_CUDA(cudaMallocManaged(&twos, n * sizeof(int2)));
  CHECK_CUDA(cudaMallocManaged(&out, n * sizeof(float)));
  for (int i = 0; i < n; ++i) {
    data[i] = i;
    data[n + i] = 2 * i;
    twos[i] = make_int2(i % 3, i % 5);
  }
  CHECK_CUDA(cudaBindTexture(0, pairs, twos, n * sizeof(int2)));
  const cudaChannelFormatDesc format_of_floats = cudaCreateChannelDesc<float>();
  for (int half = 0; half < 2; ++half) {
    if (half == 0) // the functions of C++ and of C
      CHECK_CUDA(cudaBindTexture(nullptr, linear, data, n * sizeof(float)));
    else
      CHECK_CUDA(cudaBindTexture(nullptr, &linear, data + n, &format_of_floats, n * sizeof(float)));
    read_linear<<<1, n>>>(out);
    CHECK_CUDA(cudaDeviceSynchronize());
    for (int i = 0; i < n; ++i) CHECK(out[i] == (half + 1) * i + i % 3 * 100 + i % 5 * 10000);
  }
  const cudaChannelFormatDesc* const none = nullptr;
  CHECK(cudaBindTexture(nullptr, &linear, data, none, n * sizeof(float)) == cudaErrorInvalidValue);
  (void)cudaGetLastError();
  CHECK_CUDA(cudaUnbindTexture(linear));
  CHECK_CUDA(cudaUnbindTexture(&linear));
  CHECK_CUDA(cudaUnbindTexture(pairs));

  const int width = 8, height = 4;
  std::vector<float> host(width * height);
  for (int i = 0; i < width * height; ++i) host[i] = i * i % 17;
  cudaArray* array;
  cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
  CHECK_CUDA(cudaMallocArray(&array, &format, width, height));
  CHECK_CUDA(cudaMemcpyToArray(array, 0, 0, host.data(), host.size() * sizeof(float), cudaMemcpyHostToDevice));
  image.addressMode[0] = cudaAddressModeClamp;
  image.filterMode = cudaFilterModeLinear;
  image.normalized = false;
  CHECK_CUDA(cudaBindTextureToArray(image, array, format));
  unsigned char* bytes;
  size_t pitch;
  CHECK_CUDA(cudaMallocPitch(&bytes, &pitch, width, height));
  std::vector<unsigned char> rows(width * height);
  for (int i = 0; i < width * height; ++i) rows[i] = 7 * i;
  CHECK_CUDA(cudaMemcpy2D(bytes, pitch, rows.data(), width, width, height, cudaMemcpyHostToDevice));
  CHECK_CUDA(cudaBindTexture2D(nullptr, grey, bytes, width, height, pitch));
  float2* seen;
  CHECK_CUDA(cudaMallocManaged(&seen, width * height * sizeof(float2)));
  read_images<<<1, dim3(width, height)>>>(seen, width);
  CHECK_CUDA(cudaDeviceSynchronize());
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x) {
      const float right = host[y * width + (x + 1 < width ? x + 1 : x)];
      CHECK(std::fabs(seen[y * width + x].x - (host[y * width + x] + right) / 2) < 0.05f); // between two elements
      CHECK(std::fabs(seen[y * width + x].y - rows[y * width + x] / 255.0f) < 1e-6f);
    }
  CHECK_CUDA(cudaUnbindTexture(image));
  CHECK_CUDA(cudaFreeArray(array));
  return checks_failed() != 0;
}
