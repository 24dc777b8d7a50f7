// The exact form, as a program on real files: what only a compiler knows, and sources that it cannot read.
#include "environment_variable.h"
#include "folder.h"

#include <catch2/catch.hpp>
#include <sys/stat.h>

namespace fs = std::filesystem;
using Catch::Matchers::Contains;

namespace {

const std::string kInclude = "#include <hip/hip_runtime.h>\n";

// What hipify-clang makes of a source, in a file of its own.
std::string converted(const std::string& source, const std::string& options = "-fail-on-warnings", int code = 0) {
  Folder folder;
  folder.write("a.cu", "#include <cuda_runtime.h>\n" + source);
  CHECK(folder.run("hipify-clang a.cu " + options) == code);
  if (code == 0) CHECK(folder.err.empty());
  CHECK(folder.out.starts_with(kInclude));
  return folder.out.starts_with(kInclude) ? folder.out.substr(kInclude.size()) : folder.out;
}

void check_same(const std::string& source) { CHECK(converted(source) == source); }

} // namespace

TEST_CASE("exact: CUDA's names, in functions, macros and templates") {
  CHECK(converted("int main() { int* p; cudaError_t e = cudaMalloc(&p, 4); return e != cudaSuccess; }\n") ==
        "int main() { int* p; hipError_t e = hipMalloc(&p, 4); return e != hipSuccess; }\n");
  CHECK(converted("#define TRY(x) if ((x) != cudaSuccess) return cudaGetLastError()\n"
                  "cudaError_t f(void* p) { TRY(cudaFree(p)); return ::cudaSuccess; }\n") ==
        "#define TRY(x) if ((x) != hipSuccess) return hipGetLastError()\n"
        "hipError_t f(void* p) { TRY(hipFree(p)); return ::hipSuccess; }\n");
  CHECK(converted("template<class T, cudaMemcpyKind K = cudaMemcpyHostToDevice> struct S {\n"
                  "  cudaStream_t s; cudaError_t f(T* t, T* u) { return cudaMemcpyAsync(t, u, sizeof(T), K, s); } };\n"
                  "using Error = cudaError_t; typedef cudaEvent_t Event;\n") ==
        "template<class T, hipMemcpyKind K = hipMemcpyHostToDevice> struct S {\n"
        "  hipStream_t s; hipError_t f(T* t, T* u) { return hipMemcpyAsync(t, u, sizeof(T), K, s); } };\n"
        "using Error = hipError_t; typedef hipEvent_t Event;\n");
  CHECK(converted("__constant__ int c[2];\ntemplate<class T> void f(T* t) { cudaMemcpyToSymbol(c, t, 8); }\n") ==
        "__constant__ int c[2];\ntemplate<class T> void f(T* t) { hipMemcpyToSymbol(HIP_SYMBOL(c), t, 8); }\n");
}

TEST_CASE("exact: what the program calls by a name of CUDA stays") {
  check_same("namespace mine { int cudaMalloc(int n) { return n; } struct cudaStream_t { int cudaFree; }; }\n"
             "using namespace mine;\nint f(mine::cudaStream_t& s) { return mine::cudaMalloc(2) + s.cudaFree; }\n");
  check_same("class Device { void cudaDeviceSynchronize() { cudaDeviceReset(); } static int cudaDeviceReset(); };\n"
             "int Device::cudaDeviceReset() { return 1; }\n");
  check_same("int f() { int cudaSuccess = 1; { int cudaFree = cudaSuccess; return cudaFree; } }\n");
  check_same("template<class T> auto f(T t) { T::cudaFree(); t.cudaMalloc(); return t->cudaSuccess; }\n");
  check_same("#define cublasCheck(x) x\n#define CUBLAS_OK 0\nint cublasCreate(int x);\nint x = "
             "cublasCheck(cublasCreate(CUBLAS_OK));\n");
  CHECK(converted("namespace n { void* cudaFree(void* p) { ::cudaFree(p); return p; } }\n"
                  "void f(void* p) { n::cudaFree(p); cudaFree(p); }\n#if 0\nn::cudaFree(p)\n#endif\n") ==
        "namespace n { void* cudaFree(void* p) { ::hipFree(p); return p; } }\n"
        "void f(void* p) { n::cudaFree(p); hipFree(p); }\n#if 0\nn::cudaFree(p)\n#endif\n");
}

TEST_CASE("exact: comments, strings and what stands for them stay") {
  check_same("// cudaMalloc\nconst char* f() { return \"cuda\" \"Malloc(cudaFree)\" R\"(cudaSuccess)\"; }\n"
             "#define TEXT(x) #x\n");
}

TEST_CASE("exact: libraries that no header declares are converted by the table") {
  CHECK(converted("#include <cublas_v2.h>\n#include <curand.h>\n"
                  "int f() { cublasHandle_t h; return cublasCreate(&h) == CUBLAS_STATUS_SUCCESS; }\n") ==
        "#include <hipblas.h>\n#include <hiprand/hiprand.h>\n"
        "int f() { hipblasHandle_t h; return hipblasCreate(&h) == HIPBLAS_STATUS_SUCCESS; }\n");
  CHECK(converted("#include <cublas_v2.h>\ncublasHandle_t h;\n", "-roc -fail-on-warnings") ==
        "#include <rocblas.h>\nrocblas_handle h;\n");
}

TEST_CASE("exact: launches and device code") {
  const std::string source =
      "template<class T, int N> __global__ void k(T* p) { extern __shared__ T s[]; p[threadIdx.x] = s[N]; }\n"
      "void f(float* p) { k<float, 2><<<1, 32, 8>>>(p); }\n";
  check_same(source);
  CHECK_THAT(converted(source, "-hip-kernel-execution-syntax"),
             Contains("hipLaunchKernelGGL(HIP_KERNEL_NAME(k<float, 2>), 1, 32, 8, 0, p);"));
  CHECK(converted("#ifdef __CUDA_ARCH__\n__device__ cudaError_t d;\n#else\ncudaError_t h;\n#endif\n") ==
        "#ifdef __HIP_DEVICE_COMPILE__\n__device__ hipError_t d;\n#else\nhipError_t h;\n#endif\n");
}

TEST_CASE("exact: masks of lanes by their type and value") {
  CHECK(converted("__global__ void k(int* p, unsigned long long m) {\n"
                  "  const unsigned full = 0xffffffff;\n  p[0] = __any_sync(full, 1) + __any_sync(m, 1);\n}\n") ==
        "__global__ void k(int* p, unsigned long long m) {\n"
        "  const unsigned full = 0xffffffff;\n  p[0] = __any_sync(0xffffffffffffffffull, 1) + __any_sync(m, 1);\n}\n");
  CHECK(converted("__global__ void k(int* p, unsigned m) { p[0] = __any_sync(m, 1); }\n", "-fail-on-warnings", 3) ==
        "__global__ void k(int* p, unsigned m) { p[0] = __any_sync((unsigned long long)(m), 1); }\n");
}

TEST_CASE("exact: code that is not compiled") {
  const std::string source =
      "#if 0\ncudaError_t a;\n#else\ncudaError_t b;\n#endif\n#ifdef __CUDACC__\ncudaError_t c;\n#endif\n";
  CHECK(converted(source) ==
        "#if 0\nhipError_t a;\n#else\nhipError_t b;\n#endif\n#ifdef __HIPCC__\nhipError_t c;\n#endif\n");
  CHECK(converted(source, "-default-preprocessor") ==
        "#if 0\ncudaError_t a;\n#else\nhipError_t b;\n#endif\n#ifdef __HIPCC__\nhipError_t c;\n#endif\n");
  CHECK(converted("#ifdef MINE\ncudaError_t a;\n#endif\n", "-default-preprocessor -DMINE") ==
        "#ifdef MINE\nhipError_t a;\n#endif\n");
  CHECK(converted("#ifdef MINE\ncudaError_t a;\n#endif\n", "-default-preprocessor -- -DMINE") ==
        "#ifdef MINE\nhipError_t a;\n#endif\n");
}

TEST_CASE("exact: a program of several files") {
  Folder folder;
  folder.write("src/cuda.h",
               "namespace app { inline int cudaFree(int x) { return x; } }\n"); // called like a header of CUDA
  folder.write("src/own.h", "#define cudaCheck(x) x\nstruct Own { int cudaMalloc; cudaError_t e; };\n");
  folder.write(
      "src/a.cu",
      "#include \"cuda.h\"\n#include \"own.h\"\nint f(Own o) { return cudaCheck(app::cudaFree(o.cudaMalloc)); }\n");
  folder.write("src/b.cpp",
               "#include <cuda_runtime_api.h>\n#include \"own.h\"\nint main() { Own o; return o.e = cudaFree(0); }\n");
  CHECK(folder.run("hipify-clang src -o-dir out -fail-on-warnings -j 2") == 0);
  CHECK(folder.err.empty());
  CHECK(folder.read("out/cuda.h") == "namespace app { inline int cudaFree(int x) { return x; } }\n");
  CHECK(folder.read("out/own.h") == "#define cudaCheck(x) x\nstruct Own { int cudaMalloc; hipError_t e; };\n");
  CHECK(
      folder.read("out/a.cu") ==
      kInclude +
          "#include \"cuda.h\"\n#include \"own.h\"\nint f(Own o) { return cudaCheck(app::cudaFree(o.cudaMalloc)); }\n");
  CHECK(folder.read("out/b.cpp") ==
        "#include <hip/hip_runtime_api.h>\n#include \"own.h\"\nint main() { Own o; return o.e = hipFree(0); }\n");
  // Again, from what they were.
  CHECK(folder.run("hipify-clang src -inplace") == 0);
  CHECK(folder.run("hipify-clang src -inplace -fail-on-warnings") == 0);
  CHECK(folder.read("src/a.cu") == folder.read("out/a.cu"));
  CHECK(folder.read("src/own.h") == folder.read("out/own.h"));
}

TEST_CASE("exact: a compilation database says how files are compiled") {
  Folder folder;
  folder.write("inc/own.h", "namespace n { const int cudaSuccess = 3; }\n");
  folder.write(
      "a.cu", "#include <own.h>\n#ifndef VALUE\n#error no VALUE\n#endif\nint f() { return n::cudaSuccess + VALUE; }\n");
  folder.write("build/compile_commands.json",
               "[{\"directory\": \"" + (folder / "build").string() +
                   "\", \"command\": \"nvcc -arch=sm_70 -DVALUE='cudaSuccess' -I../inc "
                   "--expt-relaxed-constexpr -c ../a.cu -o a.o\", \"file\": \"../a.cu\"}]");
  CHECK(folder.run("hipify-clang -p build -inplace -fail-on-warnings -strict") == 0);
  CHECK(folder.err.empty());
  CHECK_THAT(folder.read("a.cu"), Contains("return n::cudaSuccess + VALUE"));
}

TEST_CASE("exact: standard input") {
  Folder folder;
  folder.write("a.cu", "namespace n { int cudaFree; }\nint f() { return n::cudaFree + cudaSuccess; }\n");
  CHECK(folder.run("hipify-clang - <a.cu") == 0);
  CHECK(folder.out == kInclude + "namespace n { int cudaFree; }\nint f() { return n::cudaFree + hipSuccess; }\n");
}

TEST_CASE("exact: what does not compile") {
  Folder folder;
  folder.write("a.cu", "int f( { cudaFree(0); }\nint g() { return cudaSuccess; } }\n");
  folder.write("b.cu", "int main() { return cudaSuccess; }\n");
  CHECK(folder.run("hipify-clang a.cu") == 0);
  CHECK(folder.out == kInclude + "int f( { hipFree(0); }\nint g() { return hipSuccess; } }\n");
  CHECK_THAT(folder.err, Contains("a.cu:1:") && Contains("errors in this source"));
  CHECK(folder.run("hipify-clang a.cu -fail-on-warnings -no-output") == 3);
  CHECK(folder.run("hipify-clang a.cu b.cu -strict -o-dir out") == 1);
  CHECK_THAT(folder.err, Contains("'a.cu' does not compile"));
  CHECK(folder.files() == "a.cu b.cu out/b.cu");
  // A header that is not there.
  folder.write("c.cu", "#include \"my own.h\"\nint main() { return cudaSuccess; }\n");
  CHECK(folder.run("hipify-clang c.cu -strict") == 0);
  CHECK_THAT(folder.err, Contains("headers are not found") && Contains("my own.h"));
}

TEST_CASE("exact: HIP_PATH does not choose the headers") {
  const hip::EnvironmentVariable other("HIP_PATH", "/nonexistent");
  CHECK(converted("int main() { return cudaSuccess; }\n", "-strict -fail-on-warnings") ==
        "int main() { return hipSuccess; }\n");
}

TEST_CASE("exact: a crash of the parser loses nothing") {
  Folder folder;
  const std::string crash = "#pragma clang __debug crash\nint main() { return cudaSuccess; }\n";
  folder.write("a.cu", crash);
  folder.write("b.cu", "int main() { return cudaSuccess; }\n");
  CHECK(folder.run("hipify-clang -inplace a.cu b.cu -report=port.md") == 1);
  CHECK_THAT(folder.err, Contains("'a.cu', was ended by signal"));
  CHECK(folder.read("a.cu") == crash);
  CHECK(folder.read("b.cu") == kInclude + "int main() { return hipSuccess; }\n");
  CHECK_THAT(folder.read("port.md"), Contains("a.cu") && Contains("was ended by signal"));
  CHECK(folder.run("hipify-clang -fallback a.cu") == 0);
  CHECK_THAT(folder.out, Contains("return hipSuccess;"));
  CHECK_THAT(folder.err, Contains("the quick form converted the file"));
  CHECK(folder.files() == "a.cu b.cu b.cu.prehip port.md");
}

TEST_CASE("exact: files that are no sources") {
  Folder folder;
  folder.write("zero.cu", std::string("int x;\0cudaFree", 15));
  folder.write("utf16.cu", "\xff\xfe"
                           "c\0");
  folder.write("latin1.cu", "// \xe9\nconst char* s = \"\xe9\"; cudaError_t e;\n");
  CHECK(folder.run("hipify-clang zero.cu utf16.cu missing.cu latin1.cu -o-dir out") == 1);
  CHECK_THAT(folder.err, Contains("zero.cu") && Contains("UTF-16") && Contains("missing.cu"));
  CHECK(folder.read("out/latin1.cu") == "// \xe9\n" + kInclude + "const char* s = \"\xe9\"; hipError_t e;\n");
  folder.write("ro.cu", "cudaError_t e;\n");
  ::chmod((folder / "ro.cu").c_str(), 0444);
  CHECK(folder.run("hipify-clang -inplace ro.cu") == 1);
  CHECK(folder.read("ro.cu") == "cudaError_t e;\n");
  CHECK_FALSE(fs::exists(folder / "ro.cu.prehip"));
  CHECK(folder.run("hipify-clang -I") == 2);
}

TEST_CASE("exact: a location for a device's number, by type") {
  CHECK(converted("#define TRY(x) if (x) return\n"
                  "void f(void* p, cudaMemLocation (*g)()) { TRY(cudaMemPrefetchAsync(p, 4, g(), 0)); }\n"
                  "void f(void* p, cudaStream_t s) { TRY(cudaMemPrefetchAsync(p, 4, 0, s)); }\n") ==
        "#define TRY(x) if (x) return\n"
        "void f(void* p, hipMemLocation (*g)()) { TRY(hipMemPrefetchAsync_v2(p, 4, g(), 0)); }\n"
        "void f(void* p, hipStream_t s) { TRY(hipMemPrefetchAsync(p, 4, 0, s)); }\n");
}

TEST_CASE("exact: functions for the errors of both interfaces") {
  CHECK(converted("#include <cuda.h>\nstatic const char* name(cudaError_t e) { return cudaGetErrorName(e); }\n"
                  "static const char* name(CUresult e) { return e ? \"bad\" : \"good\"; }\n"
                  "static int other(CUresult e) { return e; }\n") ==
        "\nstatic const char* name(hipError_t e) { return hipGetErrorName(e); }\n"
        "template <class = void> static const char* name(hipError_t e) { return e ? \"bad\" : \"good\"; }\n"
        "static int other(hipError_t e) { return e; }\n");
}

TEST_CASE("exact: addresses of the driver's interface are pointers") {
  CHECK(converted("#include <cuda.h>\n#define TRY(x) if (x) return\n#define NEXT(d) (d + 1)\n"
                  "void f(CUdeviceptr d, size_t n) { TRY(cuMemFree(d + n)); TRY(cuMemFree(d)); }\n") ==
        "\n#define TRY(x) if (x) return\n#define NEXT(d) (d + 1)\n"
        "void f(hipDeviceptr_t d, size_t n) { TRY(hipFree((char*)d + n)); TRY(hipFree(d)); }\n");
  CHECK(converted(
            "#include <cuda.h>\nvoid f(CUdeviceptr d, size_t n, CUdeviceptr* out) {\n"
            "  CUdeviceptr e = d + n * 2, z = 0; out[0] = n; *out = e - 4; e = (CUdeviceptr)n; e = *out + 1;\n}\n") ==
        "\nvoid f(hipDeviceptr_t d, size_t n, hipDeviceptr_t* out) {\n"
        "  hipDeviceptr_t e = (char*)d + n * 2, z = 0; out[0] = (hipDeviceptr_t)n; *out = (char*)e - 4; "
        "e = (hipDeviceptr_t)n; e = (char*)*out + 1;\n}\n");
}

TEST_CASE("exact: shifts by unknown amounts, where macros and types hide them") {
  const auto asks = [](const std::string& source) {
    Folder folder;
    folder.write("a.cu", "#include <cuda_runtime.h>\n" + source + "\n");
    CHECK(folder.run("hipify-clang a.cu") == 0);
    return folder.out.find("#include <hip/cuda_shifts.h>") != std::string::npos;
  };
  const std::string kernel = "__global__ void k(unsigned* x, int n) ";
  CHECK(asks("#define ROTATE(x, n) (((x) << (n)) | ((x) >> (32 - (n))))\n" + kernel + "{ x[0] = ROTATE(x[1], n); }"));
  CHECK(asks("#define UP x[0] <<= n\n" + kernel + "{ UP; }"));
  CHECK(asks("#define AMOUNT n + 1\n" + kernel + "{ x[0] >>= AMOUNT; }"));
  CHECK(asks("#define INLINE static __device__ __forceinline__\nINLINE int f(int x, int n) { return x >> n; }"));
  CHECK(asks("#define KERNEL(name) __global__ void name(unsigned* x, int n) { x[0] = 1u << n; }\nKERNEL(k)"));
  CHECK(asks("#define UP(x, n) (x << n)\ntemplate<class T> __device__ T f(T x, int n) { return UP(x, n); }"));
  CHECK(asks("#define MASK 63\n#define UP(x, n) x << (n & MASK)\n" + kernel + "{ x[0] = UP(x[1], n); }"));
  // Constants, and what is cut off to the number's width.
  CHECK_FALSE(
      asks("#define ROTATE(x, n) (((x) << (n)) | ((x) >> (32 - (n))))\n" + kernel + "{ x[0] = ROTATE(x[1], 7); }"));
  CHECK_FALSE(asks("#define MASK 31\n#define UP(x, n) x << (n & MASK)\n" + kernel + "{ x[0] = UP(x[1], n); }"));
  CHECK_FALSE(asks("#define UP(x, n) x << n % 32\n" + kernel + "{ x[0] = UP(x[1], n); }"));
  CHECK_FALSE(asks("#define UP(x, n) ((x) << (n))\ntemplate<int N> __device__ int f(int x) { return UP(x, 32 - N); }"));
  CHECK_FALSE(asks("#define UP(x, n) ((x) << (n))\n" + kernel + "{ constexpr int bits = 5; x[0] = UP(x[1], bits); }"));
  // No shift of a number, and not for the device.
  CHECK_FALSE(asks("struct S { __device__ S operator<<(int) const { return *this; } };\n#define UP(x, n) (x << n)\n"
                   "__global__ void k(S* x, int n) { x[0] = UP(x[1], n); }"));
  CHECK_FALSE(asks("#define UP(x, n) (x << n)\nint f(int x, int n) { return UP(x, n); }\n" + kernel + "{ x[0] = n; }"));
}
