// Source text -> converted text and findings.
#include "convert.h"

#include <algorithm>
#include <catch2/catch.hpp>

using namespace hip::hipify;
using Kinds = Finding::Kind;

namespace {

ConvertOptions with_runtime() {
  ConvertOptions options;
  options.runtime_header = RuntimeHeader::IfUsed;
  return options;
}

std::string converted(std::string_view source, const ConvertOptions& options = {}) {
  return convert(source, options).text;
}

size_t count(const Conversion& conversion, Kinds kind) {
  return static_cast<size_t>(std::count_if(conversion.findings.begin(), conversion.findings.end(),
                                           [&](const Finding& finding) { return finding.kind == kind; }));
}

// The names that a conversion warns of.
std::vector<std::string> warned(std::string_view source, const ConvertOptions& options = {}) {
  std::vector<std::string> names;
  for (const Finding& finding : convert(source, options).findings) {
    if (finding.is_warning()) names.push_back(finding.name);
  }
  return names;
}
using Words = std::vector<std::string>;

} // namespace

TEST_CASE("identifiers are replaced wherever they stand") {
  CHECK(converted("cudaError_t e = cudaMalloc(&p, n);") == "hipError_t e = hipMalloc(&p, n);");
  CHECK(converted("#define CHECK(x) if (x != cudaSuccess) \\\n  exit(cudaGetLastError())\n") ==
        "#define CHECK(x) if (x != hipSuccess) \\\n  exit(hipGetLastError())\n");
  CHECK(converted("::cudaFree(p); x = sizeof(cudaDeviceProp);") == "::hipFree(p); x = sizeof(hipDeviceProp_t);");
  CHECK(converted("#ifdef __CUDACC__\n#endif\n") == "#ifdef __HIPCC__\n#endif\n");
  CHECK(converted("cuda\\\nMalloc(&p, 1);\n") == "hipMalloc\\\n(&p, 1);\n");
  CHECK(converted("void CUDART_CB f(void CUDART_CB);") == "void f(void );");
  CHECK(converted("#ifdef __DRIVER_TYPES_H__\n#endif\n") == "#ifdef HIP_INCLUDE_HIP_DRIVER_TYPES_H\n#endif\n");
  CHECK(converted("xcudaMalloc cudaMallocx _cudaMalloc") == "xcudaMalloc cudaMallocx _cudaMalloc");
}

TEST_CASE("comments and strings stay") {
  const char* source = "// cudaMalloc\n/* cudaFree */ f(\"cudaMalloc(&p)\", R\"(cudaFree <<<1,1>>>)\", 'c');\n"
                       "#error cudaMalloc is missing\n";
  CHECK(converted(source) == source);
}

TEST_CASE("bytes outside of what is replaced stay") {
  CHECK(converted("\xef\xbb\xbf"
                  "cudaFree(a);\r\n\t \r\ncudaFree(b); \\\r\n// \xe9\n") ==
        "\xef\xbb\xbf"
        "hipFree(a);\r\n\t \r\nhipFree(b); \\\r\n// \xe9\n");
  CHECK(converted("") == "");
  CHECK_FALSE(convert("int main() { return 0; }\n", with_runtime()).changed);
}

TEST_CASE("a second conversion finds nothing") {
  const std::string once = converted("#include <cuda_runtime.h>\nint main() { return cudaDeviceSynchronize(); }\n"
                                     "__global__ void k(); void f() { k<<<1, 2>>>(); }\n",
                                     with_runtime());
  const Conversion again = convert(once, with_runtime());
  CHECK(again.text == once);
  CHECK(count(again, Kinds::Converted) == 0);
}

TEST_CASE("includes") {
  CHECK(converted("#include <cuda_runtime.h>\n") == "#include <hip/hip_runtime.h>\n");
  CHECK(converted("#  include \"cuda.h\" // x\n") == "#  include \"hip/hip_runtime.h\" // x\n");
  // The second of a header leaves an empty line, unless the first may not be compiled.
  CHECK(converted("#include <cuda.h>\n#include <cuda_runtime.h> // y\nz\n") ==
        "#include <hip/hip_runtime.h>\n // y\nz\n");
  CHECK(converted("#if A\n#include <cuda.h>\n#else\n#include <cuda_runtime.h>\n#endif\n") ==
        "#if A\n#include <hip/hip_runtime.h>\n#else\n#include <hip/hip_runtime.h>\n#endif\n");
  CHECK(converted("#include <cuda.h>\n#if A\n#include <cuda_runtime.h>\n#endif\n") ==
        "#include <hip/hip_runtime.h>\n#if A\n\n#endif\n");
  CHECK(converted("#include <device_launch_parameters.h>\n#include <stdio.h>\n") == "\n#include <stdio.h>\n");
  CHECK(converted("#include \"my/cuda.h\"\n#include <curand_kernel.h>\n") ==
        "#include \"my/cuda.h\"\n#include <hiprand/hiprand_kernel.h>\n");
  CHECK(converted("#include <cub/device/device_reduce.cuh>\n") == "#include <hipcub/hipcub.hpp>\n");
  CHECK(converted("#if __has_include(<cuda_fp16.h>)\n#include <cuda_fp16.h>\n#endif\n") ==
        "#if __has_include(<hip/hip_fp16.h>)\n#include <hip/hip_fp16.h>\n#endif\n");
  CHECK(warned("#include <mma.h>\n#include <cuda/atomic>\n#include <thrust/sort.h>\n") == Words{"cuda/atomic"});
}

TEST_CASE("files whose kernels shift by unknown amounts ask for CUDA's shifts") {
  const std::string lines =
      "#if __has_include(<hip/cuda_shifts.h>)\n#include <hip/cuda_shifts.h> // shifts by the width or "
      "more, as CUDA has them\n#endif\n";
  const auto asks = [&](const std::string& body, const std::string& head = "__global__ void k(int n, unsigned x) ") {
    const std::string text = converted("#include <cuda.h>\n" + head + "{ " + body + " }\n", with_runtime());
    const bool found = text.find("cuda_shifts") != std::string::npos;
    CHECK((!found || text.starts_with(lines + "#include <hip/hip_runtime.h>\n")));
    CHECK(converted(text, with_runtime()) == text);
    return found;
  };
  CHECK(asks("x << n;"));
  CHECK(asks("x >> n;"));
  CHECK(asks("x <<= n;"));
  CHECK(asks("x >>= 32 - n;"));
  CHECK(asks("x >> f(n, 31);"));
  CHECK(asks("x >> (n & 31) + n;"));
  CHECK(asks("x >> a[i & 7];"));
  CHECK(asks("if (n && (x << (n && 31))) return;"));
  CHECK(asks("x << n;", "template<class T> __device__ __forceinline__ T f(T x, int n) "));
  CHECK(asks("return x << n;", "auto f = [=] __device__ (int n) "));
  CHECK(asks("x << n;", "__global__ void __launch_bounds__(64) k(int n) "));
  // Constants, and what is cut off.
  CHECK_FALSE(asks("x << 3; x >> (2 * 4); x >>= 1; x << BITS - 1; x >> sizeof(int) * 4;"));
  CHECK_FALSE(asks("x << (n & 31); x >> (n & (WIDTH - 1)); x >>= n % 32; x << ((n & 7));"));
  // What is no shift, and what is not device code.
  CHECK_FALSE(asks("A<B<int>> a; k<<<1, 2>>>(n); f<C<D>>(n); if (n > 2 && x > 3) return;"));
  CHECK_FALSE(asks("x << n; std::cout << n;", "void f(int n) "));
  CHECK_FALSE(asks("x << n;", "__device__ int v; __global__ void k(); __device__ int w = 1; void f(int n) "));
  CHECK_FALSE(asks("// x << n\n"));
  ConvertOptions options = with_runtime();
  options.cuda_shifts = false;
  const std::string source = "__global__ void k(int n) { n << n; }\n";
  CHECK(converted(source, options).find("cuda_shifts") == std::string::npos);
  CHECK(converted(source).find("cuda_shifts") == std::string::npos); // a file that gets no header
  const Conversion told = convert(source, with_runtime());
  CHECK(std::any_of(told.findings.begin(), told.findings.end(), [](const Finding& finding) {
    return finding.name == "<<" && finding.kind == Kinds::Rewritten && finding.line == 1 && finding.column == 30;
  }));
  CHECK(convert("#include <a>\r\n" + source, with_runtime()).text.find("#endif\r\n") != std::string::npos);
}

TEST_CASE("the runtime's header is added where nvcc needs none") {
  const std::string line = "#include <hip/hip_runtime.h>\n";
  CHECK(converted("// about\n#define X\n#include <stdio.h>\n__global__ void k() {}\n", with_runtime()) ==
        "// about\n#define X\n" + line + "#include <stdio.h>\n__global__ void k() {}\n");
  CHECK(converted("/* about */\nint f() { return cudaFree(0); }\n", with_runtime()) ==
        "/* about */\n" + line + "int f() { return hipFree(0); }\n");
  CHECK(converted("#if A\n#include <a>\n#endif\n#include \"own.h\"\n", with_runtime()) ==
        line + "#if A\n#include <a>\n#endif\n#include \"own.h\"\n");
  CHECK(converted("extern \"C\" {\n#include <a>\n}\n__global__ void k();\n", with_runtime()) ==
        line + "extern \"C\" {\n#include <a>\n}\n__global__ void k();\n");
  CHECK(converted("\xef\xbb\xbf__global__ void k();\r\n", with_runtime()) ==
        "\xef\xbb\xbf#include <hip/hip_runtime.h>\r\n__global__ void k();\r\n");
  // Not where there is nothing of CUDA, nor where it is included.
  CHECK(converted("#include <stdio.h>\n", with_runtime()) == "#include <stdio.h>\n");
  CHECK(converted("#include <cuda.h>\n__global__ void k();\n", with_runtime()) == line + "__global__ void k();\n");
  ConvertOptions header;
  header.runtime_header = RuntimeHeader::IfKernelsForHipOnly;
  CHECK(converted("#ifndef H\n#define H\n__device__ int f();\n#endif\n", header) ==
        "#ifndef H\n#define H\n#ifdef __HIPCC__\n" + line + "#endif\n__device__ int f();\n#endif\n");
  CHECK(converted("#pragma once\ncudaError_t f();\n", header) == "#pragma once\nhipError_t f();\n");
}

TEST_CASE("launches stay") {
  const char* source = "k<<<1, 2>>>(a); n::k<int, 3><<<dim3(1, 2), f(3, 4), 0, s>>>();\n";
  const Conversion conversion = convert(source, {});
  CHECK(conversion.text == source);
  CHECK(count(conversion, Kinds::Launch) == 2);
  CHECK(conversion.findings[1].name == "n::k<int, 3>");
  CHECK(count(convert("os << 1; operator<<<int>(x); a = b << c;\n<<<<<<< HEAD\n", {}), Kinds::Launch) == 0);
}

TEST_CASE("launches with blanks in their brackets are closed up") {
  CHECK(converted("k << < g, b >> > (x);") == "k <<< g, b >>> (x);");
  CHECK(converted("k<< <f(a >> b), b > >>(x);") == "k<<<f(a >> b), b >>>(x);");
  CHECK(converted("os << < x; operator<< <int>(y); a << b; c >> d;") ==
        "os << < x; operator<< <int>(y); a << b; c >> d;");
  ConvertOptions options;
  options.launches = LaunchSyntax::Hip;
  CHECK(converted("k << < g, b >> > (x);", options) == "hipLaunchKernelGGL(k, g, b, 0, 0, x);");
}

TEST_CASE("a launch by a kernel is named") {
  CHECK(warned("__global__ void k(int n) { if (n) k<<<1, 1>>>(n - 1); } void f() { k<<<1, 1>>>(2); }") == Words{"<<<"});
  CHECK(warned("__device__ int x; __global__ void k(); void f() { k<<<1, 1>>>(); }").empty());
}

TEST_CASE("launches as function calls") {
  ConvertOptions options;
  options.launches = LaunchSyntax::Hip;
  auto hip = [&](const char* source) { return converted(source, options); };
  CHECK(hip("k<<<g, b>>>();") == "hipLaunchKernelGGL(k, g, b, 0, 0);");
  CHECK(hip("k<<<g, b, m>>>(x, y);") == "hipLaunchKernelGGL(k, g, b, m, 0, x, y);");
  CHECK(hip("if (x) ::n::k<<<g, b, m, s>>>(x);") == "if (x) hipLaunchKernelGGL(::n::k, g, b, m, s, x);");
  CHECK(hip("k<A<int>, 2> <<< dim3(1, 2), f(a, b) >>> ( v[i], (c, d) );") ==
        "hipLaunchKernelGGL(HIP_KERNEL_NAME(k<A<int>, 2>), dim3(1, 2), f(a, b), 0, 0, v[i], (c, d) );");
  CHECK(hip("N<T>::k<<<f<1, 2>(), b>>>(x);") == "hipLaunchKernelGGL(N<T>::k, (f<1, 2>()), b, 0, 0, x);");
  CHECK(hip("t->k[i]<<<g, b>>>(x); (*p)<<<g, b>>>(x);") ==
        "hipLaunchKernelGGL(t->k[i], g, b, 0, 0, x); hipLaunchKernelGGL((*p), g, b, 0, 0, x);");
  CHECK(hip("k<<<n >> 2, sizeof(V<V<V<int>>>)>>>(x);") ==
        "hipLaunchKernelGGL(k, n >> 2, sizeof(V<V<V<int>>>), 0, 0, x);");
  CHECK(hip("#define L(k) k<<<1, \\\n  2>>>(x)\n") == "#define L(k) hipLaunchKernelGGL(k, 1, \\\n  2, 0, 0, x)\n");
  CHECK(hip("k<<<g, cudaFoo(b), 0, cudaStreamPerThread>>>(cudaSuccess);") ==
        "hipLaunchKernelGGL(k, g, cudaFoo(b), 0, hipStreamPerThread, hipSuccess);");
  CHECK(hip("k /* a */ <<<g, b>>> /* c */ (x);") == "hipLaunchKernelGGL(k /* a */ , g, b, 0, 0 /* c */ , x);");
  // What is not understood stays, and is named.
  CHECK(hip("k<<<g, b(x); y") == "k<<<g, b(x); y");
  CHECK(count(convert("k<<<g>>>(x);", options), Kinds::Look) == 1);
  CHECK(hip("k<<<g, >>>(x); k<<<, b>>>(x);") == "k<<<g, >>>(x); k<<<, b>>>(x);");
}

TEST_CASE("cuTENSOR, and functions that give drivers' entry points") {
  CHECK(converted("#include <cutensor.h>\ncutensorHandle_t h; cutensorCreate(&h);") ==
        "#include <hiptensor/hiptensor.h>\nhiptensorHandle_t h; hiptensorCreate(&h);");
  CHECK(converted("cutensorComputeDescriptor_t c = CUTENSOR_COMPUTE_DESC_32F;") ==
        "hiptensorComputeDescriptor_t c = HIPTENSOR_COMPUTE_DESC_32F;");
  CHECK(warned("cutensorCreateNewThing(h);") == Words{"cutensorCreateNewThing"});
  CHECK(converted("cudaDriverEntryPointQueryResult r; cudaGetDriverEntryPoint(s, &p, cudaEnableDefault, &r);") ==
        "hipDriverEntryPointQueryResult r; hipGetDriverEntryPoint(s, &p, hipEnableDefault, &r);");
}

TEST_CASE("NCCL's header, and NVTX") {
  CHECK(converted("#include <nccl.h>\nncclAllReduce(a, b, n, ncclFloat, ncclSum, c, (cudaStream_t)s);") ==
        "#include <rccl/rccl.h>\nncclAllReduce(a, b, n, ncclFloat, ncclSum, c, (hipStream_t)s);");
  CHECK(warned("ncclAllReduce(a, b, n, ncclFloat, ncclSum, c, (cudaStream_t)s);").empty());
  CHECK(converted("#include <nvtx3/nvToolsExt.h>\nnvtxRangePushA(\"x\"); nvtxRangePop();") ==
        "#include <roctracer/roctx.h>\nroctxRangePushA(\"x\"); roctxRangePop();");
  CHECK(converted("nvtxRangeId_t r = nvtxRangeStartA(\"x\"); nvtxRangeEnd(r);") ==
        "roctx_range_id_t r = roctxRangeStartA(\"x\"); roctxRangeStop(r);");
  CHECK(warned("nvtxRangePushEx(&a);") == Words{"nvtxRangePushEx"});
}

TEST_CASE("names of CUDA 13") {
  CHECK(converted("cudaJit_CacheMode m = cudaJitCacheOptionCG; cuStreamGetDevice(s, &d);") ==
        "hipJitCacheMode m = hipJitCacheOptionCG; hipStreamGetDevice(s, &d);");
  CHECK(warned("cuCheckpointProcessLock(p, &a); cudaLogsCurrent(&i, 0);") ==
        Words{"cuCheckpointProcessLock", "cudaLogsCurrent"});
  CHECK(warned("child<<<1, 1, 0, cudaStreamTailLaunch>>>();") == Words{"cudaStreamTailLaunch"});
}

TEST_CASE("symbols and kernels as arguments") {
  CHECK(converted("cudaMemcpyToSymbol(c, h, n);") == "hipMemcpyToSymbol(HIP_SYMBOL(c), h, n);");
  CHECK(converted("cudaMemcpyFromSymbol(h, t<1, 2>::c[0], n);") ==
        "hipMemcpyFromSymbol(h, HIP_SYMBOL(t<1, 2>::c[0]), n);");
  CHECK(converted("cudaGetSymbolAddress((void**)&p, HIP_SYMBOL(c));") ==
        "hipGetSymbolAddress((void**)&p, HIP_SYMBOL(c));");
  CHECK(converted("cudaMemcpyToSymbol(\"c\", h, n);") == "hipMemcpyToSymbol(HIP_SYMBOL(c), h, n);");
  CHECK(converted("cudaMemcpyToSymbol(\"a\" \"b\", h, n);") == "hipMemcpyToSymbol(\"a\" \"b\", h, n);");
  CHECK(converted("cudaMemcpyToSymbol(\"a::b\", h, n);") == "hipMemcpyToSymbol(\"a::b\", h, n);");
  CHECK(warned("cudaMemcpyToSymbol(\"c\", h, n);") == Words{"cudaMemcpyToSymbol"});
  CHECK(converted("cudaFuncSetAttribute(k<int, 2>, a, 1);") ==
        "hipFuncSetAttribute(reinterpret_cast<const void*>(k<int, 2>), a, 1);");
  CHECK(converted("cudaLaunchKernel((const void*)k, g, b, a, 0, s);") ==
        "hipLaunchKernel((const void*)k, g, b, a, 0, s);");
  ConvertOptions c;
  c.language = Language::C;
  CHECK(converted("cudaFuncGetAttributes(&a, k);", c) == "hipFuncGetAttributes(&a, (const void*)(k));");
  CHECK(converted("cuOccupancyMaxPotentialBlockSize(&a, &b, f, cudaFoo, 0, 1);") ==
        "hipModuleOccupancyMaxPotentialBlockSize(&a, &b, f, 0, 1);");
}

TEST_CASE("functions whose number of arguments decides") {
  CHECK(converted("cudaEventCreate(&e);") == "hipEventCreate(&e);");
  CHECK(converted("cudaEventCreate(&e, flags(a, b));") == "hipEventCreateWithFlags(&e, flags(a, b));");
  CHECK(converted("cudaGraphInstantiate(&x, g);") == "hipGraphInstantiateWithFlags(&x, g, 0);");
  CHECK(converted("cudaGraphInstantiate(&x, g, 0);") == "hipGraphInstantiateWithFlags(&x, g, 0);");
  CHECK(converted("cudaGraphInstantiate(&x, g, nullptr, log, n);") == "hipGraphInstantiate(&x, g, nullptr, log, n);");
  CHECK(converted("cudaMemPrefetchAsync(p, n, 0, s);") == "hipMemPrefetchAsync(p, n, 0, s);");
  CHECK(converted("cudaMemPrefetchAsync(p, n, l, 0, s);") == "hipMemPrefetchAsync_v2(p, n, l, 0, s);");
  CHECK(converted("cuCtxCreate(&c, params, 0, d);") == "hipCtxCreate(&c, 0, d);");
  CHECK(converted("{ CUctxCreateParams p = {}; cuCtxCreate(&c, &p, 0, d); }") ==
        "{ struct {} p = {}; hipCtxCreate(&c, 0, d); }");
  CHECK(warned("void f(CUctxCreateParams* p);") == Words{"CUctxCreateParams"});
  CHECK(converted("cudaHostGetDevicePointer(&p, q, 0); cudaHostGetDevicePointer((void **)&p, q, 0);") ==
        "hipHostGetDevicePointer(reinterpret_cast<void**>(&p), q, 0); hipHostGetDevicePointer((void **)&p, q, 0);");
  // Without a profiler CUDA's succeed.
  CHECK(converted("check(cudaProfilerStart()); cudaProfilerStop(); if (x) cuProfilerStop();") ==
        "check(((void)hipProfilerStart(), (void)hipGetLastError(), hipSuccess)); "
        "(void)hipProfilerStop(), (void)hipGetLastError(); if (x) (void)hipProfilerStop(), (void)hipGetLastError();");
  CHECK(converted("cudaError_t e = cudaProfilerStop();") ==
        "hipError_t e = ((void)hipProfilerStop(), (void)hipGetLastError(), hipSuccess);");
  CHECK(converted("cudaMalloc3DArray(&a, &d, e);") == "hipMalloc3DArray(&a, &d, e, 0);");
  CHECK(converted("cudaLaunchCooperativeKernel(k, g, b, a);") ==
        "hipLaunchCooperativeKernel(reinterpret_cast<const void*>(k), g, b, a, 0, 0);");
  CHECK(warned("cudaGraphExecUpdate(x, g, &info);") == Words{"cudaGraphExecUpdate"});
}

TEST_CASE("masks of lanes get 64 bits") {
  CHECK(converted("__shfl_sync(0xffffffff, v, 0);") == "__shfl_sync(0xffffffffffffffffull, v, 0);");
  CHECK(
      converted("__any_sync(0xFFFF'FFFFu, p); __all_sync(~0, p); __syncwarp(-1); __syncwarp();") ==
      "__any_sync(0xffffffffffffffffull, p); __all_sync(0xffffffffffffffffull, p); __syncwarp(0xffffffffffffffffull); "
      "__syncwarp();");
  CHECK(converted("#define M (0xffffffffu)\nx = __shfl_sync(M, v, 0) + __shfl_sync(M, v, 1);\n") ==
        "#define M (0xffffffffffffffffull)\nx = __shfl_sync(M, v, 0) + __shfl_sync(M, v, 1);\n");
  CHECK(warned("__shfl_sync(mask, v, 0);") == Words{"__shfl_sync"});
  CHECK(warned("__shfl_sync(0xff, v, 0);") == Words{"__shfl_sync"});
  CHECK(warned("__shfl_sync(__activemask(), v, 0); __shfl_sync(0xffULL, v, 0);").empty());
}

TEST_CASE("names of ordinary words are CUDA's where they are used so") {
  CHECK(converted("using namespace cub; cub::Sum s; namespace c = cub;") ==
        "using namespace hipcub; hipcub::Sum s; namespace c = hipcub;");
  CHECK(converted("int cub = 1; x.cub = cub; thrust::cub::f();") == "int cub = 1; x.cub = cub; thrust::cub::f();");
  CHECK(converted("curand(&s) + curand;") == "hiprand(&s) + curand;");
  CHECK(converted("y = umin(a, f(b, 1)) + llmax(a, b);") ==
        "y = min((unsigned int)(a), (unsigned int)(f(b, 1))) + max((long long)(a), (long long)(b));");
  CHECK(warned("y = umin(a, b);").empty());
  CHECK(warned("y = umin(a);") == Words{"umin"});
  CHECK(converted("int umax(int a, int b); y = umax(a, b);") == "int umax(int a, int b); y = umax(a, b);");
  CHECK(warned("y = x.umin(a) + std::umin(a) + umin; ").empty());
  CHECK(warned("float saturate(float x) { return x; } float y = saturate(2);").empty());
  CHECK(warned("texture<float, 2> t;") == Words{"texture"});
  CHECK(warned("int texture = 1; std::texture<int> t; x.texture < 3;").empty());
}

TEST_CASE("members and locals are renamed with their declarations") {
  CHECK(converted("struct S { int cudaMalloc; }; s.cudaMalloc = p->cudaMalloc;") ==
        "struct S { int hipMalloc; }; s.hipMalloc = p->hipMalloc;");
}

TEST_CASE("a program's own declarations of what HIP does without or does not have stay whole") {
  CHECK(converted("void CUDART_CB done(cudaStream_t s);") == "void done(hipStream_t s);");
  const char* macros = "#ifdef _WIN32\n#define CUDAAPI __stdcall\n#else\n#define CUDAAPI\n#endif\nint CUDAAPI f();\n";
  CHECK(converted(macros) == macros);
  const char* asked = "#ifndef CUDA_CB\n#undef CUDA_CB\n#endif\n";
  CHECK(converted(asked) == asked);
  const char* enumerators =
      "enum E { CUDA_ERROR_TOO_MANY_PEERS = 711, CUDA_ERROR_LAUNCH_INCOMPATIBLE_TEXTURING = 703 };\n"
      "int f(int e) { return e == CUDA_ERROR_TOO_MANY_PEERS; }\n";
  CHECK(converted(enumerators) == enumerators);
  CHECK(converted("x = {a, e == CUDA_ERROR_TOO_MANY_PEERS};") == "x = {a, e == (hipError_t)711};");
}

TEST_CASE("what is left is named") {
  CHECK(warned("cuTensorMapEncodeTiled(x);") == Words{"cuTensorMapEncodeTiled"});
  CHECK(warned("cudaNewerThanTheTable(x);") == Words{"cudaNewerThanTheTable"});
  CHECK(warned("#define cudaCheck(x) x\ncudaCheck(1); void cudaHelp(int); cudaHelp(2); int* cudaPtr; f(cudaPtr);")
            .empty());
  CHECK(warned("x.cudaOwn(); mine::cudaOwn();").empty());
  ConvertOptions options;
  options.declared_elsewhere = {"cudaCheck"};
  options.whitelist = {"cudaOther", "cudaMalloc"};
  CHECK(warned("cudaCheck(1); cudaOther(2); cudaMalloc(3);", options).empty());
  CHECK(converted("cudaMalloc(3);", options) == "cudaMalloc(3);");
  CHECK(warned("f(dlsym(h, \"cudaMalloc\"), \"cuda\");") == Words{"\"cudaMalloc\""});
  CHECK(warned("asm volatile(\"mov.u32 %0, %%laneid;\" : \"=r\"(x)); asm(\"cpuid\");") == Words{"asm"});
  const char* matrices = "#include <hip/hip_wmma.h>\nnvcuda::wmma::fragment<int> f;\n";
  CHECK(converted(matrices) == matrices);
  CHECK(warned("/* no end") == Words{"/*"});
  const Conversion conversion = convert("\n  cudaNewer();\n", {});
  REQUIRE(conversion.findings.size() == 1);
  CHECK(conversion.findings[0].line == 2);
  CHECK(conversion.findings[0].column == 3);
}

TEST_CASE("the architecture is asked for in two ways") {
  CHECK(converted("#ifdef __CUDA_ARCH__\n#if !defined(__CUDA_ARCH__)\n") ==
        "#ifdef __HIP_DEVICE_COMPILE__\n#if !defined(__HIP_DEVICE_COMPILE__)\n");
  // Numbers that HIP does not have.
  CHECK(converted("#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 600\n") ==
        "#if defined(__HIP_DEVICE_COMPILE__) && (__HIP_DEVICE_COMPILE__ * 750) < 600\n");
  CHECK(warned("int x = __CUDA_ARCH__;").size() == 1);
  CHECK(converted("#if CUDART_VERSION >= 9000 && defined(CUDA_VERSION)\nint v = CUDA_VERSION / 1000;\n#endif\n") ==
        "#if 12090 >= 9000 && defined(HIP_VERSION)\nint v = 12090 / 1000;\n#endif\n");
  CHECK(converted("#if __CUDACC_VER_MAJOR__ > 10 || __CUDACC_VER_MINOR__ > 1\n#endif\n") ==
        "#if 12 > 10 || 9 > 1\n#endif\n");
  CHECK(warned("#if CUDART_VERSION >= 9000\n#endif\n").empty());
  const char* own = "#define CUDA_VERSION 3020\n#if CUDA_VERSION > 3000\n#endif\n";
  CHECK(converted(own) == own);
  // A branch of PTX is for NVIDIA GPUs, so the other one stays what AMD GPUs get; nested conditions do not matter.
  const char* ptx =
      "#if __CUDA_ARCH__ < 320\nf();\n#if X\n#endif\n#else\nasm(\"mov.u32 %0, 1;\" : \"=r\"(x));\n#endif\n";
  CHECK(converted(ptx) == ptx);
  CHECK(converted("#if __CUDA_ARCH__ < 320\nf();\n#endif\nvoid f() { asm(\"mov.u32 %0, 1;\" : \"=r\"(x)); }\n") ==
        "#if (__HIP_DEVICE_COMPILE__ * 750) < 320\nf();\n#endif\nvoid f() { asm(\"mov.u32 %0, 1;\" : \"=r\"(x)); }\n");
}

TEST_CASE("errors that HIP does not have are their numbers") {
  CHECK(converted("case cudaErrorAddressOfConstant: return e == CUDA_ERROR_STUB_LIBRARY;") ==
        "case (hipError_t)22: return e == (hipError_t)34;");
  CHECK(converted("e == cudaErrorApiFailureBase;") == "e == (hipError_t)2047;"); // no enumerator holds 10000
  CHECK(converted("cudaDeviceSetLimit(cudaLimitPersistingL2CacheSize, n);") == "hipDeviceSetLimit((hipLimit_t)6, n);");
  CHECK(converted("p.allocFlags.compressionType = CU_MEM_ALLOCATION_COMP_GENERIC;") ==
        "p.allocFlags.compressionType = 1;");
}

TEST_CASE("functions for both kinds of errors") {
  CHECK(converted("#ifdef A\nconst char* f(cudaError_t e) { return 0; }\n#endif\n#ifdef B\n"
                  "static const char *f(int n, CUresult r) { return 0; }\nconst char* f(CUresult result) { return 1; "
                  "}\n#endif\n") == "#ifdef A\nconst char* f(hipError_t e) { return 0; }\n#endif\n#ifdef B\n"
                                    "static const char *f(int n, hipError_t r) { return 0; }\ntemplate <class = void> "
                                    "const char* f(hipError_t result) "
                                    "{ return 1; }\n#endif\n");
  CHECK(converted("try { } catch (cudaError_t e) { } catch (CUresult e) { }") ==
        "try { } catch (hipError_t e) { } catch (hipError_t e) { }");
}

TEST_CASE("a location for a device's number") {
  CHECK(
      converted("cudaMemLocation where; f(cudaMemPrefetchAsync(p, n, where, 0)); cudaMemPrefetchAsync(p, n, 0, s);") ==
      "hipMemLocation where; f(hipMemPrefetchAsync_v2(p, n, where, 0)); hipMemPrefetchAsync(p, n, 0, s);");
  CHECK(converted("CUmemLocation w; cuMemAdvise(p, n, a, w);") == "hipMemLocation w; hipMemAdvise_v2(p, n, a, w);");
}

TEST_CASE("libraries: hip or roc, and what is experimental") {
  CHECK(converted("cublasSgemm(h);") == "hipblasSgemm(h);");
  ConvertOptions options;
  options.libraries = Libraries::Roc;
  CHECK(converted("#include <cublas_v2.h>\ncublasSgemm(h); cudaFree(p);\n", options) ==
        "#include <rocblas.h>\nrocblas_sgemm(h); hipFree(p);\n");
  CHECK(warned("cudaLibraryEnumerateKernels(k);") == Words{"cudaLibraryEnumerateKernels"});
  options = {};
  options.experimental = true;
  CHECK(converted("cudaLibraryEnumerateKernels(k);", options) == "hipLibraryEnumerateKernels(k);");
}
