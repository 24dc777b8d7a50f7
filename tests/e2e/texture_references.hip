// Texture references, which old programs have: variables that kernels name and the host binds. On AMD GPUs they are read in
// software (-fsoftware-textures); NVIDIA's compiler knows none any more.
#include "images.h"

using namespace images;

#pragma clang diagnostic ignored "-Wdeprecated-declarations" // every function of references

#if !defined(__NVPTX__)
texture<float, 1> numbers;
texture<float, hipTextureType2D> rows;
texture<uchar4, 2, hipReadModeNormalizedFloat> colours;

__global__ void read_numbers(float* out, int n) {
  const int i = int(threadIdx.x);
  if (i < n) out[i] = tex1Dfetch(numbers, n - 1 - i);
}
__global__ void read_rows(float* out, int width) {
  out[blockIdx.x * blockDim.x + threadIdx.x] = tex2D(rows, float(threadIdx.x % width) + 0.5f, float(blockIdx.x) + 0.5f);
}
__global__ void read_colours(float4* out) {
  out[threadIdx.x] = tex2D(colours, float(threadIdx.x % 8) + 0.5f, float(threadIdx.x / 8) + 0.5f);
}
#endif

E2E_CASE(a_reference_reads_what_is_bound_last) {
  E2E_LEAVE_OUT_IF(e2e::on_nvidia(), "NVIDIA's compiler has no texture references");
#if !defined(__NVPTX__)
  const std::vector<float> first = {1, 2, 3, 4, 5, 6, 7, 8}, second = {10, 20, 30, 40};
  const e2e::Device<float> a(first), b(second), out(first.size());
  size_t offset = 1;
  HIP_OK(hipBindTexture(&offset, numbers, a.data(), first.size() * sizeof(float)));
  CHECK_EQ(offset, size_t{0});
  read_numbers<<<1, 64>>>(out.data(), 8);
  RUN_OK();
  std::vector<float> got = out.download();
  for (size_t i = 0; i < 8; ++i) CHECK_AT(i, got[i], first[7 - i]);

  HIP_OK(hipBindTexture(nullptr, numbers, b.data(), second.size() * sizeof(float)));
  read_numbers<<<1, 64>>>(out.data(), 4);
  RUN_OK();
  got = out.download();
  for (size_t i = 0; i < 4; ++i) CHECK_AT(i, got[i], second[3 - i]);
  HIP_OK(hipUnbindTexture(numbers));
#endif
}

E2E_CASE(references_of_rows_and_arrays) {
  E2E_LEAVE_OUT_IF(e2e::on_nvidia(), "NVIDIA's compiler has no texture references");
#if !defined(__NVPTX__)
  constexpr int kRowLength = 16, kRows = 4;
  std::vector<float> elements(kRowLength * kRows);
  for (size_t i = 0; i < elements.size(); ++i) elements[i] = float(i * i);
  const e2e::Device<float> memory(elements), out(elements.size());
  HIP_OK(hipBindTexture2D(nullptr, rows, memory.data(), kRowLength, kRows, kRowLength * sizeof(float)));
  read_rows<<<kRows, kRowLength>>>(out.data(), kRowLength);
  RUN_OK();
  const std::vector<float> got = out.download();
  for (size_t i = 0; i < got.size(); ++i) CHECK_AT(i, got[i], elements[i]);
  HIP_OK(hipUnbindTexture(rows));

  std::vector<uchar4> bytes(32);
  for (size_t i = 0; i < bytes.size(); ++i)
    bytes[i] = make_uchar4(static_cast<unsigned char>(i), static_cast<unsigned char>(255 - i), 128, 255);
  const Array array(hipCreateChannelDesc<uchar4>(), make_hipExtent(8, 4, 0));
  HIP_OK(upload(array.handle, bytes, make_hipExtent(8, 4, 1)));
  HIP_OK(hipBindTextureToArray(colours, array.handle));
  const e2e::Device<float4> floats(32);
  read_colours<<<1, 32>>>(floats.data());
  RUN_OK();
  const std::vector<float4> read = floats.download();
  for (size_t i = 0; i < read.size(); ++i) {
    CHECK_AT(i, read[i].x, float(i) / 255.0f);
    CHECK_AT(i, read[i].y, float(255 - i) / 255.0f);
    CHECK_AT(i, read[i].z, 128.0f / 255.0f);
    CHECK_AT(i, read[i].w, 1.0f);
  }
  HIP_OK(hipUnbindTexture(colours));
#endif
}
