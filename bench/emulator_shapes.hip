// The shapes for which AMD's own emulator of this architecture publishes times, beside those times: seconds of a launch
// with its synchronisation, data in place. One line each: shape,published_s,ours_s,times_faster,ok.
// usage: emulator_shapes [--tiny] [SHAPE...]; for fp8_gemm that time is of one thread, so set OMNIHIP_SOFT_THREADS=1.
#include "kit/device.h"
#include "kit/matrix_gemm.h"
#include "kit/problems/matrix_gemm.h"

namespace {

constexpr unsigned kThreads = 256;

__global__ void add(const float* a, const float* b, float* c, size_t n) {
  const size_t i = static_cast<size_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i < n) c[i] = a[i] + b[i];
}
void vector_add(kit::Run& run) {
  const size_t n = run.tiny() ? 8195 : 8388611;
  kit::Array<float> a(n), b(n);
  for (size_t i = 0; i < n; ++i) a[i] = static_cast<float>(i % 1021), b[i] = static_cast<float>(i % 509);
  const kit::Device<float> da(a), db(b), dc(n);
  run.measure(1, "", 1, [&] {
    add<<<kit::groups(n, kThreads), kThreads>>>(da, db, dc, n);
    kit::wait();
  });
  const kit::Array<float> c = dc.download();
  bool right = true;
  for (size_t i = 0; i < n; ++i) right &= c[i] == a[i] + b[i];
  KIT_CHECK(right);
}

__global__ void add_to_buckets(const float* values, const unsigned* bucket, float* sums, unsigned n) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) atomicAdd(&sums[bucket[i]], values[i]);
}
void atomic_add(kit::Run& run) {
  constexpr unsigned kBuckets = 256;
  const unsigned n = run.tiny() ? 4096 : 131072;
  kit::Random random(1);
  kit::Array<float> values(n), wanted(kBuckets, 0.0f);
  kit::Array<unsigned> bucket(n);
  for (unsigned i = 0; i < n; ++i) { // whole numbers: any order gives the same sums
    values[i] = static_cast<float>(random.below(16));
    bucket[i] = random.below(kBuckets);
    wanted[bucket[i]] += values[i];
  }
  const kit::Device<float> dvalues(values);
  kit::Device<float> sums(kBuckets);
  const kit::Device<unsigned> dbucket(bucket);
  run.measure(
      1, "", 1,
      [&] {
        add_to_buckets<<<kit::groups(n, kThreads), kThreads>>>(dvalues, dbucket, sums, n);
        kit::wait();
      },
      [&] { sums.fill(0); });
  KIT_CHECK(sums.download() == wanted);
}

__global__ void pick(const float* table, const unsigned* index, float* out, unsigned n) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = table[index[i]];
}
void gather(kit::Run& run) {
  const unsigned n = run.tiny() ? 4099 : 4194307;
  kit::Random random(2);
  kit::Array<float> table(n);
  kit::Array<unsigned> index(n);
  for (unsigned i = 0; i < n; ++i) table[i] = static_cast<float>(i % 65536), index[i] = random.below(n);
  const kit::Device<float> dtable(table), out(n);
  const kit::Device<unsigned> dindex(index);
  run.measure(1, "", 1, [&] {
    pick<<<kit::groups(n, kThreads), kThreads>>>(dtable, dindex, out, n);
    kit::wait();
  });
  const kit::Array<float> result = out.download();
  bool right = true;
  for (unsigned i = 0; i < n; ++i) right &= result[i] == table[index[i]];
  KIT_CHECK(right);
}

__global__ void copy_words(const uint4* from, uint4* to, unsigned n) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) to[i] = from[i];
}
void copy(kit::Run& run) {
  const size_t bytes = run.tiny() ? 65536 : 32u << 20;
  kit::Random random(3);
  kit::Array<uint32_t> words(bytes / 4);
  for (uint32_t& word : words) word = random.bits();
  const kit::Device<uint32_t> from(words), to(words.size());
  const unsigned n = static_cast<unsigned>(bytes / sizeof(uint4));
  run.measure(1, "", 1, [&] {
    copy_words<<<kit::groups(n, kThreads), kThreads>>>(reinterpret_cast<const uint4*>(static_cast<uint32_t*>(from)),
                                                       reinterpret_cast<uint4*>(static_cast<uint32_t*>(to)), n);
    kit::wait();
  });
  KIT_CHECK(to.download() == words);
}

__global__ void transpose_tiles(const _Float16* in, _Float16* out, int n) {
  __shared__ _Float16 tile[32][34];
  int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
  for (int i = 0; i < 32; i += 8) tile[threadIdx.y + i][threadIdx.x] = in[(y + i) * n + x];
  __syncthreads();
  x = blockIdx.y * 32 + threadIdx.x, y = blockIdx.x * 32 + threadIdx.y;
  for (int i = 0; i < 32; i += 8) out[(y + i) * n + x] = tile[threadIdx.x][threadIdx.y + i];
}
void transpose(kit::Run& run) {
  const int n = run.tiny() ? 64 : 2048;
  kit::Random random(4);
  kit::Array<uint16_t> in(static_cast<size_t>(n) * n);
  for (uint16_t& half : in) half = static_cast<uint16_t>(random.bits());
  const kit::Device<uint16_t> din(in), dout(in.size());
  run.measure(1, "", 1, [&] {
    transpose_tiles<<<dim3(n / 32, n / 32), dim3(32, 8)>>>(
        reinterpret_cast<const _Float16*>(static_cast<uint16_t*>(din)),
        reinterpret_cast<_Float16*>(static_cast<uint16_t*>(dout)), n);
    kit::wait();
  });
  const kit::Array<uint16_t> out = dout.download();
  bool right = true;
  for (int y = 0; y < n; ++y)
    for (int x = 0; x < n; ++x) right &= out[x * n + y] == in[y * n + x];
  KIT_CHECK(right);
}

template<class T> void gemm(kit::Run& run) {
  const problems::MatrixGemm<T> problem(run.scale(), 1024);
  const kit::Device<T> a(problem.a), b(problem.b);
  const kit::Device<float> c(problem.a.size());
  const dim3 tiles(kit::groups(problem.n, kit::kGemmColumns), kit::groups(problem.n, kit::kGemmRows));
  run.measure(1, "", 1, [&] {
    kit::matrix_gemm<T><<<tiles, kit::kGemmThreads>>>(a, b, c, problem.n);
    kit::wait();
  });
  KIT_CHECK(problem.right(c.download()));
}

constexpr struct {
  const char* name;
  double published_s;
  void (*body)(kit::Run&);
} kShapes[] = {
    {"vector_add of 8388611 floats", 7.16, vector_add},  {"float atomic_add of 131072 on 256", 7.08, atomic_add},
    {"gather of 4194307 floats", 4.36, gather},          {"copy of 32 MiB", 0.387, copy},
    {"transpose of 2048 x 2048 fp16", 0.407, transpose}, {"bf16_gemm 1024^3", 0.356, gemm<problems::Bf16>},
    {"fp8_gemm 1024^3", 4.2, gemm<problems::Fp8>},
};

} // namespace

int main(int argc, char** argv) {
  kit::Scale scale = kit::Scale::Full;
  std::vector<std::string> wanted;
  for (int i = 1; i < argc; ++i) {
    if (std::strcmp(argv[i], "--tiny") == 0)
      scale = kit::Scale::Tiny;
    else
      wanted.push_back(argv[i]);
  }
  bool all_right = true, any = false;
  for (const auto& shape : kShapes) {
    bool chosen = wanted.empty();
    for (const std::string& word : wanted) chosen |= std::strstr(shape.name, word.c_str()) != nullptr;
    if (!chosen) continue;
    kit::Run run(shape.name, scale);
    shape.body(run);
    const double seconds = run.median_ms() * 1e-3;
    std::printf("%s,%g,%.6f,%.1f,%d\n", shape.name, shape.published_s, seconds, shape.published_s / seconds, run.ok());
    std::fflush(stdout);
    all_right &= run.ok(), any = true;
  }
  if (!any) std::fprintf(stderr, "No shape's name contains one of these words.\n");
  return all_right && any ? 0 : 1;
}
