// hipcc on real files, against the SDK just built: what comes out, and whether it runs.
#include "command.h"
#include "toolchain.h"

#include <catch2/catch.hpp>

using namespace hip::hipcc;

namespace {

// One kernel that doubles, a main that checks; with EXTRA also what other files define.
constexpr const char* kDouble = R"(
#include <hip/hip_runtime.h>
#include <cstdio>
__global__ void twice(int* data) { data[threadIdx.x] *= 2; }
#ifdef EXTRA
extern "C" int from_c(int);
int from_hip();
#endif
int main() {
  int host[64], *device;
  for (int i = 0; i < 64; ++i) host[i] = i;
  if (hipMalloc(&device, sizeof host) != hipSuccess) return 2;
  if (hipMemcpy(device, host, sizeof host, hipMemcpyHostToDevice) != hipSuccess) return 3;
  twice<<<1, 64>>>(device);
  if (hipMemcpy(host, device, sizeof host, hipMemcpyDeviceToHost) != hipSuccess) return 4;
  for (int i = 0; i < 64; ++i) if (host[i] != 2 * i) return 5;
#ifdef EXTRA
  if (from_c(20) != 21 || from_hip() != 42) return 6;
#endif
  std::puts("right");
}
)";

class Project : public test::Folder {
public:
  Project() { write("a.hip", kDouble); }
  // Runs hipcc and requires that it succeeds.
  void build(const std::string& arguments) const {
    test::Outcome outcome = test::hipcc(path(), arguments);
    INFO(arguments << "\n" << outcome.output);
    REQUIRE(outcome.code == 0);
  }
  test::Outcome run(const std::string& program) const { return test::shell("cd " + path() + " && ./" + program); }
  std::string code_objects(const std::string& file) const {
    return test::shell(find_clang_dir(OMNIHIP_SDK_DIR) + "/clang-offload-bundler -list -type=o -input=" + *this / file)
        .output;
  }
};

int count(const std::string& text, const std::string& part) {
  int found = 0;
  for (size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++found;
  return found;
}

} // namespace

TEST_CASE("a program compiles and runs in one step, at every level") {
  Project project;
  for (const char* level : {"-O0", "-O1", "-O3 -g", ""}) {
    INFO(level);
    project.build(std::string("a.hip -o a ") + level);
    CHECK(project.run("a").output == "right\n");
  }
}

// What contracts is contracted before the vectorizers see it (src/device/codegen/contract.cpp).
TEST_CASE("products and sums are multiply-adds, packed where they stand side by side") {
  Project project;
  project.write("chain.hip", R"(#include <hip/hip_runtime.h>
__global__ void chain(const float* a, const float* b, float* sum) {
  __shared__ float x[64], y[64];
  x[threadIdx.x] = a[threadIdx.x];
  y[threadIdx.x] = b[threadIdx.x];
  __syncthreads();
  float s = 0;
  for (int k = 0; k < 8; ++k) s += x[k] * y[k];
  sum[threadIdx.x] = s;
})");
  project.write("pairs.hip", R"(#include <hip/hip_runtime.h>
__global__ void pairs(const float4* a, const float4* b, float4* sum) {
  float4 s = sum[threadIdx.x], x = a[threadIdx.x], y = b[threadIdx.x];
  sum[threadIdx.x] = {s.x + x.x * y.x, s.y + x.y * y.y, s.z + x.z * y.z, s.w + x.w * y.w};
})");
  const auto count = [&](const std::string& file, const std::string& instructions) {
    return std::stoi(test::shell("grep -cE '" + instructions + "' " + project / file + " || true").output);
  };
  const std::string products = "v_(pk_)?mul_f32", fused = "v_(fma|fmac)_f32", packed = "v_pk_fma_f32";
  project.build("--offload-arch=gfx942 --cuda-device-only -S chain.hip -o chain.s");
  CHECK(count("chain.s", products) <= 1); // the first one has nothing to be added to
  CHECK(count("chain.s", fused) >= 7);
  project.build("--offload-arch=gfx942 --cuda-device-only -S pairs.hip -o pairs.s");
  CHECK(count("pairs.s", products) == 0);
  CHECK(count("pairs.s", packed) == 2);
  project.build("--offload-arch=gfx942 --cuda-device-only -S -ffp-contract=off pairs.hip -o off.s");
  CHECK(count("off.s", packed) == 0);
}

TEST_CASE("multiply-adds of every form and type have their signs and are rounded once or twice") {
  Project project;
  project.write("forms.hip", R"(#include <hip/hip_runtime.h>
#include <hip/hip_fp16.h>
#include <cmath>
#include <cstdio>
template <class T> __global__ void forms(const T* in, T* out) {
  const T a = in[0], b = in[1], c = in[2];
  out[0] = a * b + c;
  out[1] = c + a * b;
  out[2] = a * b - c;
  out[3] = c - a * b;
  out[4] = -(a * b) - c;
  out[5] = a * b + c * c;
  out[6] = a * b - c * c;
  const T p = a * b; // used twice
  out[7] = p + c;
  out[8] = p;
}
template <class T> int check(double epsilon, double ulp) { // of 1
  // (1 + e)^2 is 1 + 2e + e^2, of which only a fused operation sees the last part.
  const double a = 1 + epsilon, b = 1 + epsilon, c = -(1 + 2 * epsilon);
  const T in[] = {T(a), T(b), T(c)};
  T *device_in, *device_out, out[9];
  if (hipMalloc(&device_in, sizeof in) || hipMalloc(&device_out, sizeof out)) return 2;
  if (hipMemcpy(device_in, in, sizeof in, hipMemcpyHostToDevice)) return 3;
  forms<T><<<1, 1>>>(device_in, device_out);
  if (hipMemcpy(out, device_out, sizeof out, hipMemcpyDeviceToHost)) return 4;
  const long double A = a, C = c, product = A * A; // exact in 64 bits up to e = 2^-26
  const long double want[] = {product + C, C + product, product - C, C - product, -product - C,
                              product + C * C, product - C * C, product + C, product};
  for (int i = 0; i < 9; ++i) {
    // At most three roundings of numbers below 4.
    if (!(std::fabs((long double)out[i] - want[i]) <= 3 * ulp)) {
      std::printf("form %d of %d bytes: %g, not %g\n", i, int(sizeof(T)), double(out[i]), double(want[i]));
      return 5;
    }
  }
  return 0;
}
int main() {
  if (int code = check<double>(std::ldexp(1, -26), std::ldexp(1, -52))) return code;
  if (int code = check<float>(std::ldexp(1, -20), std::ldexp(1, -23))) return code;
  if (int code = check<_Float16>(std::ldexp(1, -9), std::ldexp(1, -10))) return code;
  std::puts("right");
})");
  for (const char* level : {"-O0", "-O3", "-O3 -ffp-contract=off", "-O3 -ffast-math"}) {
    INFO(level);
    project.build(std::string("forms.hip -o forms ") + level);
    CHECK(project.run("forms").output == "right\n");
  }
}

TEST_CASE("shared memory of dynamic size is copied 16 bytes at a time on NVIDIA GPUs, whatever its type") {
  Project project;
  project.write("s.hip", R"(
#include <hip/hip_runtime.h>
__global__ void copy(const int4* in, short* out) {
  extern __shared__ short lines[];
  reinterpret_cast<int4*>(lines)[threadIdx.x] = in[threadIdx.x];
  __syncthreads();
  out[threadIdx.x] = lines[threadIdx.x ^ 1];
}
)");
  for (const char* level : {"-O0", "-O3"}) {
    project.build(std::string("s.hip --offload-arch=sm_75 --offload-device-only -S -o s.ptx ") + level);
    const std::string ptx = project.read("s.ptx");
    INFO(ptx);
    CHECK(ptx.find(".shared .align 16 .b8 lines[]") != std::string::npos);
    if (std::string(level) == "-O3") CHECK(ptx.find("st.shared.b16") == std::string::npos);
  }
}

TEST_CASE("structures are copied and filled in wide pieces on NVIDIA GPUs, loads before stores") {
  Project project;
  project.write("s.hip", R"(
#include <hip/hip_runtime.h>
struct alignas(16) Aligned { int v[12]; };
struct Words { int v[40]; };
struct Large { long v[1000]; };
template<class T> __global__ void copy(T* to, const T* from) { to[threadIdx.x] = from[threadIdx.x]; }
template __global__ void copy(Aligned*, const Aligned*);
template __global__ void copy(Words*, const Words*);
template __global__ void copy(Large*, const Large*);
__global__ void fill(Words* to) { to[threadIdx.x] = Words(); }
)");
  project.build("s.hip --offload-arch=sm_75 --offload-device-only -S -O3 -o s.ptx");
  const std::string ptx = project.read("s.ptx");
  INFO(ptx);
  const auto kernel = [&](const char* name) {
    const size_t at = ptx.find(std::string(".entry ") + name);
    REQUIRE(at != std::string::npos);
    return ptx.substr(at, ptx.find("\n}", at) - at);
  };
  const std::string aligned = kernel("_Z4copyI7AlignedEvPT_PKS1_");
  CHECK(count(aligned, "ld.global.v4.b32") == 3);
  CHECK(count(aligned, "st.global.v4.b32") == 3);
  CHECK(aligned.rfind("ld.global") < aligned.find("st.global"));
  const std::string words = kernel("_Z4copyI5WordsEvPT_PKS1_");
  CHECK(count(words, "ld.global.b32") == 40);
  CHECK(count(words, "bra") == 0);
  CHECK(count(kernel("_Z4copyI5LargeEvPT_PKS1_"), "ld.global.b8") == 0); // a loop of eight bytes each
  CHECK(count(kernel("_Z4fillP5Words"), "st.global.b32") == 40);
}

TEST_CASE("tables of the host that are larger than constant memory are not in code for NVIDIA GPUs") {
  Project project;
  project.write("t.hip", R"(
#include <hip/hip_runtime.h>
extern const int table[20000];
const int table[20000] = {1};
__constant__ int small[2];
__global__ void k(int* to) { *to = 1; }
int main() {}
)");
  project.build("t.hip --offload-arch=sm_75 --offload-device-only -S -O3 -o t.ptx");
  const std::string ptx = project.read("t.ptx");
  CHECK(ptx.find("table") == std::string::npos);
  CHECK(ptx.find("small") != std::string::npos);
}

TEST_CASE("operations at system scope, and their order, are in code for NVIDIA GPUs") {
  Project project;
  project.write("a.hip", R"(
#include <hip/hip_runtime.h>
__global__ void device(int* p, unsigned* u, float* f) {
  atomicAdd(p, 1);
  atomicMax_block(p, 2);
  atomicInc(u, 5);
  atomicAdd(f, 1.0f);
  atomicCAS(p, 1, 2);
}
__global__ void system(int* p, unsigned* u, double* d) {
  atomicAdd_system(p, 1);
  atomicSub_system(p, 1);
  atomicMax_system(p, 2);
  atomicMin_system(u, 2u);
  atomicExch_system(u, 2u);
  atomicInc_system(u, 5);
  atomicAdd_system(d, 1.0);
  atomicCAS_system(p, 1, 2);
}
__global__ void ordered(int* p) { __hip_atomic_fetch_add(p, 1, __ATOMIC_SEQ_CST, __HIP_MEMORY_SCOPE_SYSTEM); }
)");
  for (const char* level : {"-O0", "-O3"}) {
    project.build(std::string("a.hip --offload-arch=sm_75 --offload-device-only -S -o a.ptx ") + level);
    const std::string ptx = project.read("a.ptx");
    INFO(ptx);
    CHECK(count(ptx, ".sys.add.u32") == 3);
    CHECK(count(ptx, ".sys.max.s32") == 1);
    CHECK(count(ptx, ".sys.min.u32") == 1);
    CHECK(count(ptx, ".sys.exch.b32") == 1);
    CHECK(count(ptx, ".sys.inc.u32") == 1);
    CHECK(count(ptx, ".sys.add.f64") == 1);
    CHECK(count(ptx, "atom.relaxed.gpu") == 1);
    CHECK(count(ptx, "atom.relaxed.sys") == 1);
    CHECK(count(ptx, "atom.") == 13 + 1);
    const size_t fence = ptx.find("fence.sc.sys");
    REQUIRE(fence != std::string::npos);
    CHECK(ptx.find("fence.acq_rel.sys", fence) > ptx.find(".sys.add.u32", fence));
  }
}

TEST_CASE("matrices are loaded from the memory that they are in on NVIDIA GPUs") {
  Project project;
  project.write("m.hip", R"(
#include <hip/hip_runtime.h>
#include <hip/hip_wmma.h>
using namespace nvcuda;
template<class Use, class Layout> using Factor = wmma::fragment<Use, 16, 16, 16, __half, Layout>;
__global__ void multiply(float* to, const __half* a, const __half* b, int way) {
  extern __shared__ __half lines[];
  __shared__ __half others[256];
  lines[threadIdx.x] = b[threadIdx.x];
  others[threadIdx.x] = b[threadIdx.x + 32];
  __syncthreads();
  Factor<wmma::matrix_a, wmma::row_major> fa;
  Factor<wmma::matrix_b, wmma::col_major> fb;
  wmma::fragment<wmma::accumulator, 16, 16, 16, float> sum;
  wmma::fill_fragment(sum, 0.0f);
  wmma::load_matrix_sync(fa, a, 16);
  wmma::load_matrix_sync(fb, way & 1 ? lines + way : others, 16);
  wmma::mma_sync(sum, fa, fb, sum);
  wmma::load_matrix_sync(fb, way & 2 ? lines : b, 16); // in either
  wmma::mma_sync(sum, fa, fb, sum);
  wmma::store_matrix_sync(to, sum, 16, wmma::mem_row_major);
}
)");
  project.build("m.hip --offload-arch=sm_75 --offload-device-only -S -O3 -o m.ptx");
  const std::string ptx = project.read("m.ptx");
  INFO(ptx);
  CHECK(count(ptx, "wmma.load.a.sync.aligned.row.m16n16k16.global.f16") == 1);
  CHECK(count(ptx, "wmma.load.b.sync.aligned.col.m16n16k16.shared.f16") == 1);
  CHECK(count(ptx, "wmma.load.b.sync.aligned.col.m16n16k16.f16") == 1);
  CHECK(count(ptx, "wmma.store.d.sync.aligned.row.m16n16k16.global.f32") == 1);
}

TEST_CASE("shuffles are NVIDIA GPUs' own") {
  Project project;
  project.write("s.hip", R"(
#include <hip/hip_runtime.h>
#include <hip/hip_cooperative_groups.h>
__global__ void move(int* p, double* d, int by) {
  const int v = p[threadIdx.x];
  int r = __shfl(v, by, 16) + __shfl_up(v, 3) + __shfl_down_sync(~0ull, v, 2, 8) + __shfl_xor(v, 1);
  p[threadIdx.x] = r;
  d[threadIdx.x] = __shfl_xor(d[threadIdx.x], 4);
}
__global__ void tile(float* p) {
  auto t = cooperative_groups::tiled_partition<8>(cooperative_groups::this_thread_block());
  p[threadIdx.x] = t.shfl_up(p[threadIdx.x], 1);
}
)");
  project.build("s.hip --offload-arch=sm_75 --offload-device-only -S -O3 -o s.ptx");
  const std::string ptx = project.read("s.ptx");
  INFO(ptx);
  CHECK(count(ptx, "shfl.sync.idx") == 1);
  CHECK(count(ptx, "shfl.sync.up") == 2);
  CHECK(count(ptx, "shfl.sync.down") == 1);
  CHECK(count(ptx, "shfl.sync.bfly") == 3); // two of the double
  // The last operand but one: the lane's segment and the last lane that can be read.
  CHECK(ptx.find(", 4127, ") != std::string::npos); // (32 - 16) * 256 + 31
  CHECK(ptx.find(", 3, 0, ") != std::string::npos);
  CHECK(ptx.find(", 2, 6175, ") != std::string::npos); // (32 - 8) * 256 + 31
  CHECK(ptx.find(", 1, 6144, ") != std::string::npos);
}

TEST_CASE("constants of indices into shared memory are offsets on NVIDIA GPUs") {
  Project project;
  project.write("s.hip", R"(
#include <hip/hip_runtime.h>
__global__ void add(unsigned* to, unsigned i) {
  __shared__ unsigned lines[1024];
  lines[threadIdx.x] = to[threadIdx.x];
  __syncthreads();
  to[threadIdx.x] = lines[i - 2] + lines[i] + lines[i + 3];
}
)");
  project.build("s.hip --offload-arch=sm_75 --offload-device-only -S -O3 -o s.ptx");
  const std::string ptx = project.read("s.ptx");
  INFO(ptx);
  CHECK(count(ptx, "+-8];") == 1);
  CHECK(count(ptx, "+12];") == 1);
  CHECK(count(ptx, "mul.wide.s32") == 1); // one address for the three
}

// The macro's own functions are those of clang's headers, which are read before the program.
TEST_CASE("arithmetic with a direction of rounding is there whoever defines clang's macro for it, and wherever") {
  Project project;
  project.write("rounded.hip", R"(
#ifdef BEFORE
#define OCML_BASIC_ROUNDED_OPERATIONS
#endif
#include <hip/hip_runtime.h>
#ifdef BEHIND
#define OCML_BASIC_ROUNDED_OPERATIONS
#endif
__global__ void k(float* f, double* d) {
  *f = __fadd_rd(f[1], f[2]) + __fsqrt_ru(f[3]) + __fmaf_rz(f[1], f[2], f[3]) + __fdiv_rn(f[1], f[2]);
  *d = __dmul_rd(d[1], d[2]) + __drcp_ru(d[3]) + __fma_rz(d[1], d[2], d[3]) + __dsub_rn(d[1], d[2]);
}
)");
  for (const char* macro : {"", "-DOCML_BASIC_ROUNDED_OPERATIONS", "-DBEFORE", "-DBEHIND"})
    for (const char* target : {"gfx942", "sm_75"})
      project.build(std::string("-c rounded.hip -o rounded.o --offload-arch=") + target + " " + macro);
}

TEST_CASE("the least of integers of two types is no double") {
  Project project;
  project.write("m.hip", R"(
#include <hip/hip_runtime.h>
__global__ void choose(int* p, int n, unsigned u, short s) {
  p[0] = min(threadIdx.x, n - 1);
  p[1] = max(n, u);
  p[2] = max(u, s);
  p[3] = min(n, u);
  p[4] = min(u, 7);
}
__global__ void number(double* p, int n, unsigned u) { *p = min(n, u); }
)");
  for (const char* target : {"sm_75", "gfx942"}) {
    project.build(std::string("m.hip --offload-device-only -S -O3 -o m.s --offload-arch=") + target);
    const std::string text = project.read("m.s");
    INFO(text);
    const size_t first = text.find("_Z6choose"), second = text.find("_Z6number");
    REQUIRE(first < second);
    const std::string chosen = text.substr(first, second - first);
    CHECK(count(chosen, "f64") == 0);
    CHECK(count(text, "f64") > 0);
  }
}

TEST_CASE("shifts by the width and more are defined where the code asks for it, at no cost where they cannot happen") {
  Project project;
  project.write("plain.hip", R"(
#include <hip/hip_runtime.h>
__global__ void shift(unsigned* p, unsigned long long* q, int* r, unsigned n) {
  p[0] <<= n;
  q[0] >>= n;
  r[0] >>= n;
}
__global__ void bounded(unsigned* p, unsigned n) {
  const unsigned cut = n & 31;
  p[0] = p[0] << cut | p[0] >> (n % 8 + 3);
  for (int i = 0; i < 4; ++i) p[i + 1] >>= i * 8;
}
)");
  project.write(
      "asks.hip",
      "#if __has_include(<hip/cuda_shifts.h>)\n#include <hip/cuda_shifts.h>\n#endif\n#include \"plain.hip\"\n");
  const auto chosen = [&](const std::string& arguments, const std::string& kernel) {
    project.build(arguments + " --offload-device-only -S -o m.s");
    const std::string text = project.read("m.s");
    CHECK(count(text, "hip_cuda_shifts") == 0); // the mark is gone
    const size_t begin = text.find(kernel), end = text.find("endpgm", begin);
    REQUIRE(end != std::string::npos);
    const std::string code = text.substr(begin, end - begin);
    return count(code, "s_cselect") + count(code, "v_cndmask") + count(code, "s_min_u32") + count(code, "v_min_u32");
  };
  const std::string amd = " --offload-arch=gfx942 -O3";
  for (const std::string level : {" --hip-pch", " --no-hip-pch"}) {
    CHECK(chosen("plain.hip" + amd + level, "_Z5shift") == 0);
    CHECK(chosen("plain.hip -fcuda-shifts" + amd + level, "_Z5shift") > 0);
    CHECK(chosen("asks.hip" + amd + level, "_Z5shift") > 0);
    CHECK(chosen("asks.hip -fno-cuda-shifts" + amd + level, "_Z5shift") == 0);
    CHECK(chosen("asks.hip" + amd + level, "_Z7bounded") == 0);
  }
  CHECK(chosen("--cuda plain.hip" + amd, "_Z5shift") > 0);
  CHECK(chosen("--cuda -fno-cuda-shifts plain.hip" + amd, "_Z5shift") == 0);
  CHECK(chosen("plain.hip -fcuda-shifts --offload-arch=gfx942 -O0", "_Z5shift") > 0);
  // NVIDIA GPUs do it by themselves: the shifts to the left and of unsigned numbers stay one instruction.
  project.build("asks.hip --offload-device-only -S -O3 -o m.ptx --offload-arch=sm_75");
  const std::string ptx = project.read("m.ptx");
  INFO(ptx);
  CHECK(count(ptx, "selp") == 0);
  CHECK(count(ptx, "setp") == 0);
  CHECK(count(ptx, "hip_cuda_shifts") == 0);
}

TEST_CASE("compile, then link, with C and HIP files and an archive beside") {
  Project project;
  project.write("b.c", "int from_c(int x) { int class = x; return class + 1; }\n"); // C, and no C++
  project.write("c.cpp",
                "#include <hip/hip_runtime.h>\n__global__ void other() {}\n"
                "int from_hip() { other<<<1, 1>>>(); return hipDeviceSynchronize() == hipSuccess ? 42 : 0; }\n");
  project.build("a.hip b.c c.cpp -DEXTRA -o all -std=c++17");
  CHECK(project.run("all").output == "right\n");

  project.build("-c a.hip -DEXTRA -o a.o");
  project.build("-c b.c c.cpp");
  REQUIRE(test::shell("cd " + project.path() + " && ar rc libmine.a c.o").code == 0);
  project.build("a.o b.o -L. -lmine -o parts");
  CHECK(project.run("parts").output == "right\n");
}

TEST_CASE("many devices go into one program") {
  Project project;
  project.build("a.hip -o a --offload-arch=gfx942,gfx90a --offload-arch=gfx1100");
  CHECK(project.run("a").output == "right\n");
  project.build("-c a.hip --offload-arch=gfx942,gfx1100 -o a.o");
  project.build("a.o -o b");
  CHECK(project.run("b").output == "right\n");
}

TEST_CASE("--genco writes a bundle of the devices named, plain and compressed") {
  Project project;
  project.build("--genco a.hip -o a.hsaco --offload-arch=gfx942,gfx1100");
  CHECK(project.code_objects("a.hsaco") ==
        "hipv4-amdgcn-amd-amdhsa--gfx942\nhipv4-amdgcn-amd-amdhsa--gfx1100\nhost-x86_64-unknown-linux-gnu-\n");
  project.build("--genco a.hip -o b.hsaco --offload-arch=gfx942 --offload-compress");
  CHECK(project.read("b.hsaco").starts_with("CCOB"));
  project.build("a.hip -o c --offload-compress");
  CHECK(project.run("c").output == "right\n");
}

TEST_CASE("--genco-text writes the bundle as text that a program may keep in a string") {
  Project project;
  project.write("load.hip", R"(
#include <hip/hip_runtime.h>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <string>
int main(int, char** arguments) {
  std::ifstream file(arguments[1]);
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  if (text.find('\0') != std::string::npos) return 1;
  const std::string copy = text.c_str();
  hipModule_t module;
  hipFunction_t twice;
  if (hipModuleLoadData(&module, copy.c_str()) != hipSuccess) return 2;
  if (hipModuleGetFunction(&twice, module, "_Z5twicePi") != hipSuccess) return 3;
  int host[64], *device;
  for (int i = 0; i < 64; ++i) host[i] = i;
  if (hipMalloc(&device, sizeof host) != hipSuccess) return 4;
  if (hipMemcpy(device, host, sizeof host, hipMemcpyHostToDevice) != hipSuccess) return 5;
  void* parameters[] = {&device};
  if (hipModuleLaunchKernel(twice, 1, 1, 1, 64, 1, 1, 0, nullptr, parameters, nullptr) != hipSuccess) return 6;
  if (hipMemcpy(host, device, sizeof host, hipMemcpyDeviceToHost) != hipSuccess) return 7;
  for (int i = 0; i < 64; ++i) if (host[i] != 2 * i) return 8;
  std::puts("right");
}
)");
  project.build("load.hip -o load");
  for (const char* options :
       {"--offload-arch=gfx942", "--offload-arch=gfx942,sm_75", "--offload-arch=gfx942 --offload-compress"}) {
    INFO(options);
    project.build(std::string("--genco-text a.hip -o a.ptx ") + options);
    const test::Outcome outcome = project.run("load a.ptx");
    CHECK(outcome.code == 0);
    CHECK(outcome.output == "right\n");
    const bool has_ptx = project.read("a.ptx").find("\n.version ") != std::string::npos;
    CHECK(has_ptx == (std::string_view(options).find("sm_75") != std::string_view::npos));
  }
}

// The linker generates code in parts, each with metadata of its own: two kernels make two parts.
TEST_CASE("device code is linked across files with -fgpu-rdc") {
  Project project;
  project.write("k.hip", "#include <hip/hip_runtime.h>\n__device__ int factor() { return 2; }\n");
  project.write("m.hip", R"(
#include <hip/hip_runtime.h>
#include <cstdio>
__device__ int factor();
__global__ void scale(int* data) { data[threadIdx.x] *= factor(); }
__global__ void fill(int* data) { data[threadIdx.x] = threadIdx.x; }
int main() {
  int host[64], *device;
  if (hipMalloc(&device, sizeof host) != hipSuccess) return 2;
  fill<<<1, 64>>>(device);
  scale<<<1, 64>>>(device);
  if (hipMemcpy(host, device, sizeof host, hipMemcpyDeviceToHost) != hipSuccess) return 4;
  for (int i = 0; i < 64; ++i) if (host[i] != 2 * i) return 5;
  std::puts("right");
}
)");
  project.build("-fgpu-rdc k.hip m.hip -o one");
  CHECK(project.run("one").output == "right\n");
  project.build("-fgpu-rdc -c k.hip m.hip");
  project.build("-fgpu-rdc --hip-link k.o m.o -o two");
  CHECK(project.run("two").output == "right\n");
}

TEST_CASE("response files, dependency files and intermediate files") {
  Project project;
  project.write("args", "-c a.hip\n-DTEXT=\"\\\"a b\\\"\" -o \"out file.o\"");
  project.build("@args -MMD -MF a.d -MT target");
  CHECK(project.has("out file.o"));
  CHECK(project.read("a.d").starts_with("target:"));
  CHECK(project.read("a.d").find("a.hip") != std::string::npos);
  CHECK(project.read("a.d").find("hipcc-") == std::string::npos); // nothing of the scratch folder
  project.build("-c a.hip --save-temps -o a.o --offload-arch=gfx942");
  CHECK(project.has("a-hip-amdgcn-amd-amdhsa-gfx942.s"));
}

// Words of 200,000 characters: the kernel takes none of 128 KiB in a command line.
TEST_CASE("single commands that are too long for the kernel get their words from a file") {
  const std::string long_word(200'000, 'x'), hipcc = "'" OMNIHIP_SDK_DIR "/bin/hipcc' ";
  Project project;
  const auto in_project = [&](const std::string& line) {
    return test::shell("cd '" + project.path() + "' && export TMPDIR=$PWD/tmp && " + line);
  };
  REQUIRE(in_project("mkdir tmp").code == 0);
  project.build("-c a.hip -o a.o");
  project.write("link", "a.o -o 'a b' -L" + long_word);
  const test::Outcome link = in_project(hipcc + "@link");
  INFO(link.output);
  CHECK(link.code == 0);
  CHECK(in_project("'./a b'").output == "right\n");

  // Standard input, exit codes and signals are those of the command; the file goes with it.
  project.write("preprocess", "-E -P -x c++ - -DONE=two -D" + long_word);
  CHECK(in_project("echo ONE | " + hipcc + "@preprocess").output == "two\n");
  project.write("bin/clang++", "#!/bin/sh\ncase $1 in\n@*) exit 7 ;;\nesac\nexit 8\n");
  REQUIRE(in_project("chmod +x bin/clang++").code == 0);
  const std::string with_script = "HIP_CLANG_PATH=$PWD/bin " + hipcc + "@link";
  CHECK(in_project(with_script).code == 7);
  project.write("bin/clang++", "#!/bin/sh\nwhile kill -TERM $PPID; do sleep 0.05; done\n");
  CHECK(in_project(with_script).code == 128 + 15);
  CHECK(in_project("ls tmp").output.empty());
}

TEST_CASE("text outputs are clang's") {
  Project project;
  CHECK(test::hipcc(project.path(), "-E a.hip --offload-host-only").mentions("__global__") == false);
  project.build("-S a.hip -o a.s --offload-arch=gfx942 --offload-device-only");
  CHECK(project.read("a.s").find("amdgcn-amd-amdhsa--gfx942") != std::string::npos);
  CHECK(test::hipcc(project.path(), "-fsyntax-only a.hip").code == 0);
}

TEST_CASE("a shared library has its device code in it") {
  Project project;
  project.write("lib.hip",
                "#include <hip/hip_runtime.h>\n__global__ void k(int* p) { *p = 7; }\n"
                "extern \"C\" int run() { int* p; int v = 0; if (hipMalloc(&p, 4)) return 0; k<<<1, 1>>>(p); "
                "return hipMemcpy(&v, p, 4, hipMemcpyDeviceToHost) ? 0 : v; }\n");
  project.write("main.c", "int run(void); int main(void) { return run() != 7; }\n");
  project.build("-shared -fPIC lib.hip -o libk.so");
  project.build("main.c -L. -lk -Wl,-rpath,. -o main");
  CHECK(project.run("main").code == 0);
}

TEST_CASE("errors have clang's text and exit code, and leave no output behind") {
  Project project;
  project.write("bad.hip", "#include <hip/hip_runtime.h>\n__global__ void k() { undeclared = 1; }\n");
  test::Outcome bad = test::hipcc(project.path(), "-c bad.hip -o bad.o --offload-arch=gfx942,gfx90a");
  CHECK(bad.code == 1);
  CHECK(bad.mentions("bad.hip:2:23: error: use of undeclared identifier 'undeclared'"));
  CHECK(bad.mentions("1 error generated when compiling for gfx942."));
  CHECK_FALSE(bad.mentions("gfx90a"));
  CHECK_FALSE(project.has("bad.o"));

  project.write("old.o", "old");
  test::hipcc(project.path(), "-c absent.hip -o old.o");
  test::Outcome absent = test::hipcc(project.path(), "-c absent.hip");
  CHECK(absent.code == 1);
  CHECK(absent.mentions("no such file or directory: 'absent.hip'"));
  CHECK(test::hipcc(project.path(), "").mentions("no input files"));
  // What the environment appends is not taken for the missing argument.
  CHECK(test::shell("HIPCC_COMPILE_FLAGS_APPEND=-g '" OMNIHIP_SDK_DIR "/bin/hipcc' a.hip -o")
            .mentions("argument to '-o' is missing"));
  test::Outcome arch = test::hipcc(project.path(), "-c a.hip --offload-arch=gfx123");
  CHECK(arch.code == 1);
  CHECK(arch.mentions("gfx123"));
  project.write("undefined.hip", "#include <hip/hip_runtime.h>\nvoid nowhere();\nint main() { nowhere(); }\n");
  test::Outcome link = test::hipcc(project.path(), "undefined.hip -o u");
  CHECK(link.code == 1);
  CHECK(link.mentions("nowhere"));
}

TEST_CASE("the keyword register is a warning in HIP sources, as nvcc and g++ have it in C++17") {
  Project project;
  project.write("old.hip",
                "#include <hip/hip_runtime.h>\n__global__ void k(int* p) { register int i = threadIdx.x; p[i] = i; }\n"
                "int host(int x) { register int y = x; return y; }\n");
  for (const char* options : {"-c old.hip", "-c old.hip -Werror", "-S --offload-device-only old.hip -o old.s"}) {
    test::Outcome outcome = test::hipcc(project.path(), options);
    INFO(options << "\n" << outcome.output);
    CHECK(outcome.code == 0);
    CHECK(outcome.output.find("warning: ISO C++17 does not allow 'register'") != std::string::npos);
  }
  CHECK(test::hipcc(project.path(), "-c old.hip -Werror=register").code == 1);
  CHECK(test::hipcc(project.path(), "-c old.hip -Wno-register").output.empty());
}

TEST_CASE("hipcc tells about itself") {
  CHECK(test::hipcc(".", "--version").mentions("HIP version: 7.2."));
  CHECK(test::hipcc(".", "--version").mentions("clang version 22"));
  CHECK(test::hipcc(".", "--short-version").output.starts_with("7.2."));
  CHECK(test::hipcc(".", "--help").mentions("--offload-arch"));
  CHECK(test::hipcc(".", "--cxxflags").mentions("-D__HIP_PLATFORM_AMD__=1"));
  Project project;
  test::Outcome dry = test::hipcc(project.path(), "a.hip -o a -###", project / "cache");
  CHECK(dry.code == 0);
  CHECK(dry.mentions("\"--offload-device-only\""));
  CHECK_FALSE(project.has("a"));
  CHECK_FALSE(project.has("cache"));
}

TEST_CASE("flags in the environment count") {
  Project project;
  test::Outcome outcome = test::shell("cd " + project.path() +
                                      " && HIPCC_COMPILE_FLAGS_APPEND='-DONE=\"a b\"' "
                                      "HIPCC_LINK_FLAGS_APPEND=-lm '" OMNIHIP_SDK_DIR "/bin/hipcc' a.hip -o a -###");
  CHECK(outcome.mentions("\"-DONE=a b\""));
  CHECK(outcome.mentions("\"-lm\""));
}

TEST_CASE("flags in the environment count only for what they are for") {
  Project project;
  const auto dry = [&](const std::string& variables, const std::string& arguments) {
    return test::shell("cd " + project.path() + " && " + variables + " '" OMNIHIP_SDK_DIR "/bin/hipcc' -### " +
                       arguments);
  };
  CHECK_FALSE(dry("HIPCC_LINK_FLAGS_APPEND=-O3", "-c -O0 a.hip").mentions("\"-O3\""));
  CHECK_FALSE(dry("HIPCC_COMPILE_FLAGS_APPEND=-DONE", "a.o -o a").mentions("-DONE"));
  CHECK(dry("HIPCC_COMPILE_FLAGS_APPEND=-DONE", "-c -- a.hip").mentions("\"-DONE\""));
}

// clang prefers $HIP_PATH to --rocm-path.
TEST_CASE("another HIP in HIP_PATH is neither compiled with nor linked") {
  Project project;
  project.write("other/share/hip/version", "HIP_VERSION_MAJOR=7\nHIP_VERSION_MINOR=2\nHIP_VERSION_PATCH=0\n");
  project.write("other/include/hip/hip_runtime.h", "#error another HIP's\n");
  project.write("other/lib/libamdhip64.so", "no library");
  for (const std::string& path : {std::string("/nonexistent"), project / "other"}) {
    INFO(path);
    const test::Outcome outcome = test::shell("cd " + project.path() + " && rm -f a && HIP_PATH=" + path +
                                              " '" OMNIHIP_SDK_DIR "/bin/hipcc' --no-hip-pch a.hip -o a");
    INFO(outcome.output);
    CHECK(outcome.code == 0);
    CHECK(project.run("a").output == "right\n");
  }
}

// The compiler is a script: the host's compilation is clang's, and the devices' waits for it and kills hipcc.
TEST_CASE("a killed hipcc leaves no object without its device code") {
  Project project;
  project.write("bin/clang++", "#!/bin/sh\ncase \" $* \" in\n*' --offload-device-only '*)\n"
                               "while ! test -e host-done; do sleep 0.05; done\nkill -9 $PPID\nexit 1;;\nesac\n'" +
                                   find_clang_dir(OMNIHIP_SDK_DIR) +
                                   "/clang++' \"$@\"\ncode=$?\ntouch host-done\n"
                                   "exit $code\n");
  const test::Outcome killed =
      test::shell("cd " + project.path() + " && chmod +x bin/clang++ && TMPDIR=" + project.path() +
                  " HIP_CLANG_PATH=" + project / "bin" +
                  " '" OMNIHIP_SDK_DIR "/bin/hipcc' -c a.hip -o made.o -MD --offload-arch=gfx942 --parallel-jobs=2");
  INFO(killed.output);
  CHECK(killed.code == 128 + 9);
  CHECK(project.has("host-done"));
  CHECK(project.read("made.d").starts_with("made.o:"));
  CHECK_FALSE(project.has("made.o"));
}

TEST_CASE("an object and its dependency file have clang's names, and nothing else is left") {
  Project project;
  REQUIRE(test::shell("mkdir " + project / "sub").code == 0);
  project.build("-c a.hip -o 'sub/$b c.o' -MD --offload-arch=gfx942");
  CHECK(test::shell("ls " + project / "sub").output == "$b c.d\n$b c.o\n");
  CHECK(project.read("sub/$b c.d").starts_with("sub/$$b\\ c.o:")); // as make reads it
  project.build("-c a.hip -o sub/d.o -Xarch_host -fstack-usage --offload-arch=gfx942");
  CHECK(project.has("sub/d.su"));
}

TEST_CASE("headers are precompiled") {
  Project project;
  project.write("all.h", "inline int one() { return 1; }\n");
  project.build("-x c++-header all.h -o all.h.gch");
  CHECK(project.read("all.h.gch").starts_with("CPCH"));
  project.build("all.h");
  CHECK(project.read("all.h.pch").starts_with("CPCH"));
  CHECK_FALSE(project.has("a.out"));
  CHECK(test::hipcc(project.path(), "--genco a.hip a.hip -o k.co")
            .mentions("cannot specify -o when generating multiple output files"));
  CHECK_FALSE(project.has("k.co"));
}
