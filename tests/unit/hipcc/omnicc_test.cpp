// CUDA sources as they are: nvcc's options as hipcc's, launches with blanks in them, advice behind errors, and the
// built programs.
#include "omnicc.h"

#include "command.h"
#include "cuda_advice.h"
#include "invocation.h"
#include "launch_spacing.h"
#include "options.h"
#include "plan.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <fstream>

using namespace hip::hipcc;
using hip::hipcc::test::Folder;
using hip::hipcc::test::Outcome;
using Words = std::vector<std::string>;

namespace {

// The words for a source "a.cu", which has to exist.
struct Source {
  Folder folder;
  Source() { folder.write("a.cu", "int main() {}\n"); }
  std::string path() const { return folder / "a.cu"; }
  OmniccCommand operator()(Words words) const {
    words.push_back(path());
    return translate_nvcc(words);
  }
};

bool has(const Words& words, const Words& sequence) {
  return std::search(words.begin(), words.end(), sequence.begin(), sequence.end()) != words.end();
}
bool warns(const OmniccCommand& command, const std::string& text) {
  return std::any_of(command.warnings.begin(), command.warnings.end(),
                     [&](const std::string& one) { return one.find(text) != std::string::npos; });
}

} // namespace

TEST_CASE("omnicc: a CUDA source is one, with the host's code as -O says and device code optimised") {
  const Source a;
  const Words plain = a({}).words;
  CHECK(plain[0] == "--cuda");
  CHECK(has(plain, {"-O3", "-Xarch_host", "-O0"}));
  CHECK(has(plain, {"-x", "hip", a.path()}));
  CHECK(has(a({"-O2"}).words, {"-O3", "-Xarch_host", "-O2"}));
  CHECK(has(a({"-O"}).words, {"-O3", "-Xarch_host", "-O1"}));
  CHECK(has(a({"-G", "-g"}).words, {"-O0", "-g", "-Xarch_host", "-O0"}));
}

TEST_CASE("omnicc: architectures are NVIDIA's beside this machine's") {
  const Source a;
  for (const Words& words :
       {Words{"-arch=sm_80"}, Words{"-arch", "sm_80"}, Words{"--gpu-architecture=compute_80"},
        Words{"-gencode", "arch=compute_80,code=sm_80"}, Words{"-gencode=arch=compute_80,code=[sm_80,compute_80]"},
        Words{"--generate-code", "arch=compute_80,code=\"sm_80,compute_80\""}}) {
    const OmniccCommand command = a(words);
    CHECK(has(command.words, {"--offload-arch=sm_80"}));
    CHECK(has(command.words, {"-D__OMNIHIP_CUDA_ARCH__=800"}));
    CHECK(std::count_if(command.words.begin(), command.words.end(),
                        [](const std::string& word) { return word.starts_with("--offload-arch="); }) >= 2);
    CHECK(command.warnings.empty());
  }
  const OmniccCommand old = a({"-arch=sm_35", "-gencode", "arch=compute_20,code=sm_20"});
  CHECK(warns(old, "'sm_35' is too old"));
  CHECK(warns(old, "'sm_20' is too old"));
  CHECK_FALSE(has(old.words, {"--offload-arch=sm_35"}));
  const OmniccCommand named = a({"--offload-arch=gfx1100", "-arch=sm_90"});
  CHECK(has(named.words, {"--offload-arch=gfx1100"}));
  CHECK_FALSE(has(named.words, {"--offload-arch=sm_90"}));
  CHECK(warns(a({"-rdc=true", "-arch=sm_90"}), "NVIDIA's GPUs are left out"));
  CHECK(has(a({"-rdc", "true"}).words, {"-fgpu-rdc"}));
  CHECK_FALSE(has(a({"-rdc=false"}).words, {"-fgpu-rdc"}));
  CHECK(has(a({"-dc"}).words, {"-c"}));
  CHECK(has(a({"-dc"}).words, {"-fgpu-rdc"}));
}

TEST_CASE("omnicc: options of build files") {
  const Source a;
  CHECK(has(a({"-Xcompiler", "-fPIC,-Wall"}).words, {"-Xarch_host", "-fPIC", "-Xarch_host", "-Wall"}));
  CHECK(has(a({"--compiler-options", "-fPIC -Wall"}).words, {"-Xarch_host", "-fPIC", "-Xarch_host", "-Wall"}));
  CHECK(has(a({"-Xcompiler=-pthread"}).words, {"-pthread"}));
  CHECK_FALSE(has(a({"-Xcompiler", "-m64"}).words, {"-m64"}));
  CHECK(has(a({"-Xlinker", "-rpath,/x"}).words, {"-Xlinker", "-rpath", "-Xlinker", "/x"}));
  CHECK(has(a({"-I", "in", "-Iin2", "-DX=1", "-D", "Y", "-Ufoo", "-Llib", "-lm", "-std=c++14"}).words,
            {"-Iin", "-Iin2", "-DX=1", "-DY", "-Ufoo", "-Llib", "-lm", "-std=c++14"}));
  CHECK(has(a({"-std", "c++17"}).words, {"-std=c++17"}));
  const Words runtime = a({"-lcudart", "-lcuda", "-lcudart_static", "-lcudadevrt", "-lcublas"}).words;
  CHECK_FALSE(has(runtime, {"-lcudart"}));
  CHECK_FALSE(has(runtime, {"-lcuda"}));
  CHECK(has(runtime, {"-lcublas"}));
  CHECK(has(a({"-use_fast_math"}).words, {"-Xarch_device", "-fgpu-approx-transcendentals"}));
  CHECK(has(a({"--ftz=true", "-fmad=false"}).words,
            {"-Xarch_device", "-fgpu-flush-denormals-to-zero", "-Xarch_device", "-ffp-contract=off"}));
  CHECK(has(a({"-fno-cuda-shifts"}).words, {"-fno-cuda-shifts"}));
  CHECK(has(a({"-lineinfo"}).words, {"-Xarch_device", "-gline-tables-only"}));
  CHECK(has(a({"--default-stream", "per-thread"}).words, {"-DCUDA_API_PER_THREAD_DEFAULT_STREAM=1"}));
  CHECK(has(a({"-shared", "-w", "-o", "out"}).words, {"-shared", "-w"}));
  CHECK(has(a({"-oout"}).words, {"-o", "out"}));
  CHECK(has(a({"-MD", "-MF", "a.d", "-c"}).words, {"-MD", "-MF", "a.d", "-c"}));
  CHECK(has(a({"-M"}).words, {"-M", "--offload-host-only"}));
  CHECK(has(a({"-fatbin"}).words, {"-o", "a.fatbin"}));
  CHECK(has(a({"-fatbin"}).words, {"--genco"}));
  CHECK(has(a({"-ptx"}).words, {"--genco-text"}));
  CHECK(has(a({"-ptx"}).words, {"-o", "a.ptx"}));
  // Without effect, and said so in the table.
  CHECK(a({"-Xptxas", "-v", "-maxrregcount=32", "-cudart", "static", "-ccbin", "g++", "--expt-relaxed-constexpr",
           "--extended-lambda", "-res-usage", "-threads", "4"})
            .words == a({}).words);
  const Source& b = a;
  b.folder.write("b.cpp", "");
  b.folder.write("c.o", "");
  const Words mixed = translate_nvcc({a.path(), b.folder / "b.cpp", b.folder / "c.o"}).words;
  CHECK(has(mixed, {"-x", "c++", b.folder / "b.cpp", "-x", "none", b.folder / "c.o"}));
  CHECK(has(translate_nvcc({"-x", "cu", b.folder / "b.cpp"}).words, {"-x", "hip", b.folder / "b.cpp"}));
  a.folder.write("options", "-O2 -DFROM_FILE\n");
  CHECK(has(a({"-optf", a.folder / "options"}).words, {"-DFROM_FILE"}));
}

TEST_CASE("omnicc: objects with device code of -dc are linked as such, and -dlink says what it does not do") {
  const Source a;
  a.folder.write("dc.o", "x__CLANG_OFFLOAD_BUNDLE__hip-amdgcn-amd-amdhsa--gfx942");
  a.folder.write("c.o", "x");
  CHECK(has(translate_nvcc({a.folder / "dc.o"}).words, {"-fgpu-rdc"}));
  CHECK_FALSE(has(translate_nvcc({a.folder / "c.o"}).words, {"-fgpu-rdc"}));
  const OmniccCommand link = translate_nvcc({"-dlink", a.folder / "dc.o", "-o", "d.o"});
  CHECK(link.words == Words{"-c", "-x", "c", "/dev/null", "-o", "d.o"});
  CHECK(warns(link, "-dlink writes an object without contents"));
}

TEST_CASE("omnicc: what nvcc does not have is an error that names it") {
  const Source a;
  const std::pair<Words, const char*> wrong[] = {{{"-foo"}, "nvcc has no option '-foo'"},
                                                 {{"-Wall"}, "nvcc has no option '-Wall'"},
                                                 {{"--shared=yes"}, "nvcc has no option '--shared=yes'"},
                                                 {{"-arch=foo"}, "'foo' is no architecture"},
                                                 {{"-arch=sm_999"}, "'sm_999'"},
                                                 {{"-arch=gfx942"}, "--offload-arch"},
                                                 {{"-gencode", "code"}, "is no value of '-gencode'"},
                                                 {{"-rdc=maybe"}, "it is true or false"},
                                                 {{"-x", "fortran"}, "it is cu, c or c++"},
                                                 {{"-m32"}, "64 bits"},
                                                 {{"-default-stream", "none"}, "it is legacy, null or per-thread"},
                                                 {{"-run"}, "'-run' is not supported"},
                                                 {{"kernel.ptx"}, "device code of NVIDIA's"},
                                                 {{"-optf", "/nonexistent"}, "'/nonexistent' cannot be read"}};
  for (const auto& [words, message] : wrong) CHECK_THROWS_WITH(a(words), Catch::Contains(message));
  CHECK_THROWS_WITH(translate_nvcc({"/nonexistent.cu"}), Catch::Contains("there is no file '/nonexistent.cu'"));
  CHECK_THROWS_WITH(translate_nvcc({}), Catch::Contains("no input files"));
  CHECK_THROWS_WITH(translate_nvcc({a.path(), "-o"}), Catch::Contains("argument to '-o' is missing"));
  a.folder.write("loop", "-optf " + a.folder / "loop");
  CHECK_THROWS_WITH(a({"-optf", a.folder / "loop"}), Catch::Contains("more than 16 deep"));
  CHECK_THROWS_WITH(make_invocation(parse_arguments({"--cuda", "a.cu"}), Platform::Nvidia),
                    Catch::Contains("HIP_PLATFORM=nvidia"));
}

TEST_CASE("omnicc: answers for build scripts") {
  CHECK(translate_nvcc({"--version"}).answer.find("release 12.9, V12.9.0") != std::string::npos);
  CHECK(translate_nvcc({"--list-gpu-code"}).answer.find("sm_90\n") != std::string::npos);
  CHECK(translate_nvcc({"-h"}).answer.find("--offload-arch") != std::string::npos);
}

TEST_CASE("cuda: launches are closed up where they are written with blanks, and nothing else is touched") {
  const auto closed = [](const std::string& text) { return with_launches_closed_up(text); };
  CHECK(closed("k << <1, 2>> >(x);") == "k <<< 1, 2>>> (x);");
  CHECK(closed("k< <<g(a >> 2), b[c > d] > > >(x);") == "k<<< g(a >> 2), b[c > d] >>>  (x);");
  CHECK(closed("k<<<1, 1 >> >(x);") == "k<<<1, 1 >>> (x);");
  for (const std::string same :
       {"k<<<1, 2>>>(x);", "A<B<C<int> > > a;", "std::cout << \" << <\" << '<';", "// k << <1>> >\n",
        "/* k << <1>> > */", "R\"x(k << <1>> >)x\"", "a << b < c; A<B<C> > > d;", "int n = 1'000; k<<<n, 1>>>();",
        "x <<", "\"", "'", "k<<<1"})
    CHECK(closed(same) == same);
  const std::string lines = "f\n << < 1,\n 2 >> > (\n)";
  const std::string one_line = closed(lines);
  CHECK(one_line.size() == lines.size());
  CHECK(std::count(one_line.begin(), one_line.end(), '\n') == std::count(lines.begin(), lines.end(), '\n'));
}

TEST_CASE("cuda: advice behind errors of the compiler") {
  CHECK(cuda_advice("").empty());
  CHECK(cuda_advice("a.cu:3:4: error: no member named 'x'\n").empty());
  CHECK(cuda_advice("a.cu:3:4: warning: in asm\n").empty());
  const std::string ptx =
      cuda_advice("a.cu:3:73: error: invalid output constraint '=f' in asm\na.cu:3:99: error: invalid instruction\n");
  CHECK(ptx.starts_with("hipcc: note: a.cu:3: inline PTX"));
  CHECK(std::count(ptx.begin(), ptx.end(), '\n') == 1); // once a line
  CHECK(cuda_advice("\033[1ma.cu:7:1: \033[0m\033[0;1;31merror: \033[0m\033[1minvalid instruction\033[0m\n")
            .find("a.cu:7: inline PTX") != std::string::npos);
  CHECK(cuda_advice("b.cu:1:10: fatal error: 'cublas_v2.h' file not found\n")
            .find("'cublas_v2.h' belongs to a library") != std::string::npos);
  CHECK(cuda_advice("b.cu:1:10: fatal error: 'mine.h' file not found\n").empty());
  CHECK(cuda_advice("b.cu:9:2: error: no template named 'texture'\n").find("texture references") != std::string::npos);
}

TEST_CASE("omnicc: the built programs, right and wrong") {
  const Folder folder;
  folder.write("ptx.cu", "__global__ void k(unsigned* out) {\n  unsigned lane;\n  asm(\"mov.u32 %0, %%laneid;\" : "
                         "\"=r\"(lane));\n  *out = lane;\n}\n");
  const Outcome ptx = hip::hipcc::test::omnicc(folder.path(), "--offload-arch=gfx942 -c ptx.cu");
  CHECK(ptx.code != 0);
  CHECK(ptx.mentions("ptx.cu:3: inline PTX is NVIDIA's instruction set"));
  CHECK_FALSE(folder.has("ptx.o"));
  CHECK(hip::hipcc::test::omnicc(folder.path(), "--offload-arch=sm_75 -c ptx.cu").code == 0); // NVIDIA's GPUs have it
  folder.write("texture.cu",
               "__global__ void k(float* out, cudaTextureObject_t t) { *out = tex2D<float>(t, 0, 0); }\n");
  CHECK(hip::hipcc::test::omnicc(folder.path(), "--offload-arch=sm_75 -c texture.cu").code == 0);
  folder.write("missing.cu",
               "int main() { return cudaGraphicsMapResources(1, nullptr, nullptr) + cudaGLSetGLDevice(0); }\n");
  const Outcome missing = hip::hipcc::test::omnicc(folder.path(), "--offload-arch=gfx942 -c missing.cu");
  CHECK(missing.code != 0);
  CHECK(missing.mentions("HIP has no counterpart of cudaGLSetGLDevice"));
  CHECK(hip::hipcc::test::omnicc(folder.path(), "-c nowhere.cu")
            .mentions("omnicc: error: there is no file 'nowhere.cu'"));
  CHECK(hip::hipcc::test::omnicc(folder.path(), "-arch=sm_1 ptx.cu").code == 1);
  // A macro right behind a literal, which C++11 would read as the literal's suffix: nvcc says so and goes on.
  folder.write("suffix.cu", "#define SIZE \"u\"\nconst char* format() { return \"%\"SIZE\"\\n\"; }\n");
  const Outcome suffix = hip::hipcc::test::omnicc(folder.path(), "--offload-arch=gfx942 -c suffix.cu");
  CHECK(suffix.code == 0);
  CHECK(suffix.mentions("warning: invalid suffix on literal"));
  folder.write("suffix.cpp", "#define SIZE \"u\"\nconst char* format() { return \"%\"SIZE\"\\n\"; }\n");
  CHECK(hip::hipcc::test::omnicc(folder.path(), "--offload-arch=gfx942 -c suffix.cpp").code == 0);
  // A launch as a formatter leaves it; the file keeps its name and lines in what is said of it.
  folder.write("launch.cu", "__global__ void k() {}\nint main() {\n  k << <1, 1>> >();\n  wrong;\n}\n");
  const Outcome launch = hip::hipcc::test::omnicc(folder.path(), "--offload-arch=gfx942 launch.cu");
  CHECK(launch.mentions("launch.cu:4:3: error"));
  CHECK_FALSE(launch.mentions("launch.cu:3:"));
  folder.write("launch.cu", "__global__ void k() {}\nint main() {\n  k << <1, 1>> >();\n}\n");
  CHECK(hip::hipcc::test::omnicc(folder.path(), "--offload-arch=gfx942 launch.cu -o launch").code == 0);
  // C and C++ of the host beside it, with CUDA's headers for both.
  folder.write("host.c", "#include <cuda.h>\n#include <cuda_runtime_api.h>\nint from_c(void) { enum cudaMemcpyKind k = "
                         "cudaMemcpyDefault; struct "
                         "cudaDeviceProp p; return cudaGetDeviceProperties(&p, 0) == cudaSuccess && k == 4 && "
                         "p.warpSize == 32 ? 42 : 0; }\n");
  folder.write("host.cpp", "#include <cuda_runtime.h>\nextern \"C\" int from_c(void);\nint from_cpp() { dim3 d(2); "
                           "return from_c() + d.y; }\n");
  folder.write("main.cu", "int from_cpp();\nint main() { return from_cpp() == 43 ? 0 : 1; }\n");
  CHECK(hip::hipcc::test::omnicc(folder.path(), "--offload-arch=gfx942 main.cu host.cpp host.c -o all -lcudart").code ==
        0);
  CHECK(hip::hipcc::test::shell("cd " + folder.path() + " && ./all").code == 0);
  // Device code across files, linked by omnicc without being told.
  folder.write("one.cu", "__device__ int twice(int x) { return 2 * x; }\n");
  folder.write(
      "two.cu",
      "__device__ int twice(int x);\nstatic __constant__ int c[2];\n__global__ void k(int* o) { *o = "
      "twice(c[threadIdx.x]); }\n"
      "int main() {\n  int v[2] = {21, 0}, *o;\n  cudaMemcpyToSymbol(c, v, sizeof v);\n  cudaMallocManaged(&o, 4);\n"
      "  k<<<1, 1>>>(o);\n  return cudaDeviceSynchronize() || *o != 42;\n}\n");
  CHECK(hip::hipcc::test::omnicc(folder.path(), "--offload-arch=gfx942 -dc one.cu -o one.o").code == 0);
  CHECK(hip::hipcc::test::omnicc(folder.path(), "--offload-arch=gfx942 -dc two.cu -o two.o").code == 0);
  CHECK(hip::hipcc::test::omnicc(folder.path(), "--offload-arch=gfx942 one.o two.o -o two").code == 0);
  CHECK(hip::hipcc::test::shell("cd " + folder.path() + " && ./two").code == 0);
}

TEST_CASE("the driver's links take what omnicc -ptx, -cubin and -fatbin write") {
  const hip::hipcc::test::Folder folder;
  folder.write("kernel.cu", "extern \"C\" __global__ void k(int* p) { *p = 42; }\n");
  folder.write("main.cu", R"(
#include <cuda.h>
#include <cstdlib>
int main(int, char** words) {
  CUdevice device;
  CUcontext context;
  CUlinkState link;
  CUmodule module;
  CUfunction k;
  CUdeviceptr p;
  void* code;
  size_t size;
  char log[4096] = "";
  CUjit_option options[] = {CU_JIT_ERROR_LOG_BUFFER, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES};
  void* values[] = {log, (void*)sizeof log};
  if (cuInit(0) || cuDeviceGet(&device, 0) || cuCtxCreate(&context, 0, device)) return 1;
  if (cuLinkCreate(2, options, values, &link)) return 2;
  if (cuLinkAddFile(link, (CUjitInputType)atoi(words[2]), words[1], 0, 0, 0)) return 3;
  if (cuLinkComplete(link, &code, &size)) return 4;
  if (cuModuleLoadData(&module, code) || cuLinkDestroy(link) || cuModuleGetFunction(&k, module, "k")) return 5;
  if (cuMemAlloc(&p, 4)) return 6;
  void* arguments[] = {&p};
  int value = 0;
  if (cuLaunchKernel(k, 1, 1, 1, 1, 1, 1, 0, 0, arguments, 0) || cuMemcpyDtoH(&value, p, 4)) return 7;
  return value != 42;
}
)");
  CHECK(hip::hipcc::test::omnicc(folder.path(), "--offload-arch=gfx942 main.cu -o main -lcuda").code == 0);
  const char* const kinds[][2] = {{"cubin", "0"}, {"ptx", "1"}, {"fatbin", "2"}};
  for (const auto& [kind, number] : kinds) {
    INFO(kind);
    const std::string file = std::string("kernel.") + kind;
    CHECK(
        hip::hipcc::test::omnicc(folder.path(), std::string("--offload-arch=gfx942 -") + kind + " kernel.cu -o " + file)
            .code == 0);
    CHECK(hip::hipcc::test::shell("cd " + folder.path() + " && ./main " + file + " " + number).code == 0);
  }
}

TEST_CASE("C that calls CUDA's functions without a declaration links, as do configure scripts' checks") {
  const hip::hipcc::test::Folder folder;
  const auto ran = [&folder](const std::string& program) {
    return hip::hipcc::test::shell("cd " + folder.path() + " && LD_LIBRARY_PATH=" OMNIHIP_SDK_DIR "/cuda/lib64 ./" +
                                   program)
        .code;
  };
  // cudaGetErrorString would return an int without its declaration; the others do.
  folder.write("undeclared.c",
               "int main(void) { int device = 7, count = 0; cudaGetDeviceCount(&count); cudaSetDevice(0); "
               "cudaGetDevice(&device); return device != 0 || count < 1 || cudaSetDevice(9999) != 101; }\n");
  folder.write("main.cu", "extern \"C\" int part();\nint main() { return part(); }\n");
  folder.write("part.c", "int part(void) { return cudaSetDevice(9999) == 101 && cuInit(0) == 0 ? 0 : 1; }\n");
  CHECK(hip::hipcc::test::omnicc(folder.path(), "--offload-arch=gfx942 main.cu part.c -o part -lcudart").code == 0);
  CHECK(ran("part") == 0);
  // What autoconf's AC_CHECK_LIB links.
  folder.write("check.c", "char cuInit();\nint main(void) { return cuInit(); }\n");
  const std::string cc = "cd " + folder.path() + " && " HOST_CC " -w -std=gnu90 -L" OMNIHIP_SDK_DIR "/cuda/lib64 ";
  CHECK(hip::hipcc::test::shell(cc + "undeclared.c -o undeclared -lcudart").code == 0);
  CHECK(ran("undeclared") == 0);
  CHECK(hip::hipcc::test::shell(cc + "check.c -o check -lcuda").code == 0);
  CHECK(hip::hipcc::test::shell(cc + "check.c -o wrong -lcudart").code != 0); // the driver's functions are not in it
  // Kernels run as well where the runtime is opened through the toolkit folder's links.
  folder.write("kernel.cu", "__global__ void k(int* p) { *p = 42; }\nextern \"C\" int run() {\n  int *p, v = 0;\n"
                            "  cudaMalloc(&p, 4);\n  k<<<1, 1>>>(p);\n  cudaMemcpy(&v, p, 4, cudaMemcpyDefault);\n"
                            "  return v != 42;\n}\n");
  folder.write("caller.c", "int main(void) { cudaSetDevice(0); return run(); }\n");
  CHECK(hip::hipcc::test::omnicc(folder.path(), "--offload-arch=gfx942 -c kernel.cu -o kernel.o").code == 0);
  CHECK(hip::hipcc::test::shell(cc + "caller.c kernel.o -o caller -lcudart -lstdc++").code == 0);
  CHECK(ran("caller") == 0);
  // A program that needs none of them is not linked with their library.
  folder.write("plain.cu", "int main() { return cudaSetDevice(0); }\n");
  CHECK(hip::hipcc::test::omnicc(folder.path(), "--offload-arch=gfx942 plain.cu -o plain -lcudart -lcuda").code == 0);
  CHECK_FALSE(hip::hipcc::test::shell("readelf -d " + folder / "plain").mentions("omnihip_cuda"));
}
