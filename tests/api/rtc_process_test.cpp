// Where hiprtc compiles: in this process, or in a child where the environment asks for it or the compiler has crashed.
// The cases that begin with "Alone" have tags and run in a process each (CMakeLists.txt): what they do stays with the
// process.
#include "testing.h"

#include <hip/hiprtc.h>

#include <csignal>
#include <cstdlib>
#include <sys/resource.h>
#include <thread>

namespace {

class Variable {
public:
  Variable(const char* name, const char* value) : name_(name) { setenv(name, value, 1); }
  ~Variable() { unsetenv(name_); }

private:
  const char* name_;
};

struct Compiled {
  hiprtcResult result;
  std::string log;
  std::vector<char> code;
};

Compiled compile(const std::string& source, std::vector<const char*> options = {}) {
  hiprtcProgram program;
  REQUIRE(hiprtcCreateProgram(&program, source.c_str(), "test.hip", 0, nullptr, nullptr) == HIPRTC_SUCCESS);
  options.push_back("--gpu-architecture=gfx942");
  Compiled out;
  out.result = hiprtcCompileProgram(program, int(options.size()), options.data());
  size_t bytes = 0;
  (void)hiprtcGetProgramLogSize(program, &bytes);
  out.log.resize(bytes);
  if (bytes) (void)hiprtcGetProgramLog(program, out.log.data());
  if (out.result == HIPRTC_SUCCESS && hiprtcGetCodeSize(program, &bytes) == HIPRTC_SUCCESS) {
    out.code.resize(bytes);
    (void)hiprtcGetCode(program, out.code.data());
  }
  (void)hiprtcDestroyProgram(&program);
  return out;
}

bool compiler_is_loaded() {
  std::ifstream maps("/proc/self/maps");
  const std::string text(std::istreambuf_iterator<char>(maps), {});
  return text.find("libomnihip_compiler.so") != std::string::npos;
}

const char* const kKernel = R"(
__device__ float table[4] = {1, 2, 3, 4};
template <int N> __device__ float dot(const float* a, const float* b) {
  float sum = 0;
  for (int i = 0; i < N; ++i) sum += a[i] * b[i];
  return sum;
}
extern "C" __global__ void k(float* out, const float* a, const float* b) {
  __shared__ float part[64];
  part[threadIdx.x] = dot<16>(a, b) + sinf(a[threadIdx.x]) + table[threadIdx.x & 3];
  __syncthreads();
  if (threadIdx.x == 0) { printf("%f\n", part[0]); atomicAdd(out, part[63]); }
}
)";

} // namespace

TEST_CASE("The code is the same, wherever it is compiled") {
  for (const std::vector<const char*>& options : {std::vector<const char*>{},
                                                  {"-O1", "-std=c++17"},
                                                  {"-ffast-math", "-DANY=1"},
                                                  {"-mllvm", "-enable-misched=0"},
                                                  {"-D__HIP_NO_HALF_CONVERSIONS__=1"},
                                                  {"-O0", "-g"}}) {
    const Compiled here = compile(kKernel, options);
    INFO(here.log);
    REQUIRE(here.result == HIPRTC_SUCCESS);
    const Variable child("OMNIHIP_RTC_CHILD", "1");
    const Compiled there = compile(kKernel, options);
    INFO(there.log);
    REQUIRE(there.result == HIPRTC_SUCCESS);
    CHECK(here.log == there.log);
    const bool names_folders = !options.empty() && std::string(options.back()) == "-g"; // in debug information
    CHECK((here.code == there.code || names_folders));                                  // too long to be shown
  }
}

TEST_CASE("What does not compile is told in the same words, wherever it is compiled") {
  const struct {
    const char* source;
    std::vector<const char*> options;
    const char* text;
  } cases[] = {
      {"\n__global__ void k(int* p) { *p = missing; }", {}, "test.hip:2:34: error: use of undeclared identifier"},
      {"#include \"missing.h\"\n", {}, "test.hip:1:10: fatal error: 'missing.h' file not found"},
      {"__global__ void k(int* p) { int unused; }", {"-Wall", "-Werror"}, "unused variable"},
      {"extern __device__ int f(); __global__ void k(int* p) { *p = f(); }", {}, "symbol: f()"},
      {"", {"--no-such-option"}, "--no-such-option"},
      {"", {"-mllvm", "-no-such-option"}, "-no-such-option"},
      {"", {"--offload-arch=gfx1"}, "gfx1"},
      {"#error halt\n", {"-DONE", "-I/nonexistent"}, "halt"},
  };
  for (const auto& c : cases) {
    const Compiled here = compile(c.source, c.options);
    INFO(here.log);
    CHECK(here.result == HIPRTC_ERROR_COMPILATION);
    CHECK(here.log.find(c.text) != std::string::npos);
    const Variable child("OMNIHIP_RTC_CHILD", "1");
    const Compiled there = compile(c.source, c.options);
    INFO(there.log);
    CHECK(there.result == HIPRTC_ERROR_COMPILATION);
    CHECK(there.log.find(c.text) != std::string::npos);
  }
}

TEST_CASE("Options of the environment come behind those of the call") {
  const char* const source = "#if VALUE != 2\n#error VALUE\n#endif\n";
  CHECK(compile(source, {"-DVALUE=1", "-w"}).result == HIPRTC_ERROR_COMPILATION);
  const Variable more("HIPRTC_COMPILE_OPTIONS_APPEND", "-UVALUE  -DVALUE=2");
  const Compiled with_more = compile(source, {"-DVALUE=1", "-w"});
  INFO(with_more.log);
  CHECK(with_more.result == HIPRTC_SUCCESS);
}

TEST_CASE("Options of the environment for hipcc's command line are none of hiprtc's, wherever it compiles") {
  const Variable more("HIPCC_COMPILE_FLAGS_APPEND", "-DVALUE"), link("HIPCC_LINK_FLAGS_APPEND", "--no-such-option");
  const auto check = [] {
    const Compiled compiled = compile("#ifdef VALUE\n#error VALUE\n#endif\n__global__ void k() {}\n");
    INFO(compiled.log);
    CHECK(compiled.result == HIPRTC_SUCCESS);
  };
  check();
  const Variable child("OMNIHIP_RTC_CHILD", "1");
  check();
}

TEST_CASE("The SDK is the runtime's own, whatever HIP_PATH names, wherever hiprtc compiles") {
  const Variable other("HIP_PATH", "/nonexistent");
  const auto check = [] {
    const Compiled compiled = compile("__global__ void k(int* p) { *p = threadIdx.x; }\n");
    INFO(compiled.log);
    CHECK(compiled.result == HIPRTC_SUCCESS);
  };
  check();
  const Variable child("OMNIHIP_RTC_CHILD", "1");
  check();
}

TEST_CASE("Many threads compile at once, with different options of the code generator") {
  const Compiled plain = compile(kKernel), tuned = compile(kKernel, {"-mllvm", "-enable-misched=0"});
  REQUIRE(plain.result == HIPRTC_SUCCESS);
  REQUIRE(tuned.result == HIPRTC_SUCCESS);
  REQUIRE((plain.code != tuned.code));
  std::vector<Compiled> found(8);
  std::vector<std::thread> threads;
  for (size_t i = 0; i < found.size(); ++i)
    threads.emplace_back(
        [&, i] { found[i] = i % 2 ? compile(kKernel, {"-mllvm", "-enable-misched=0"}) : compile(kKernel); });
  for (std::thread& thread : threads) thread.join();
  for (size_t i = 0; i < found.size(); ++i) {
    INFO(i << ": " << found[i].log);
    REQUIRE(found[i].result == HIPRTC_SUCCESS);
    CHECK((found[i].code == (i % 2 ? tuned.code : plain.code)));
  }
}

TEST_CASE("Alone: the compiler is loaded by the first compilation, and by none in a child process", "[.loaded]") {
  CHECK_FALSE(compiler_is_loaded());
  {
    const Variable child("OMNIHIP_RTC_CHILD", "1");
    CHECK(compile(kKernel).result == HIPRTC_SUCCESS);
    CHECK_FALSE(compiler_is_loaded());
  }
  CHECK(compile(kKernel).result == HIPRTC_SUCCESS);
  CHECK(compiler_is_loaded());
}

TEST_CASE("Alone: a crash of the compiler is an error, and the program goes on", "[.crash]") {
  const rlimit none{0, 0};
  setrlimit(RLIMIT_CORE, &none); // the child's
  const std::vector<char> before = compile(kKernel).code;
  const Compiled crashed = compile("#pragma clang __debug crash\n");
  INFO(crashed.log);
  CHECK(crashed.result == HIPRTC_ERROR_COMPILATION); // the child crashes as well
  CHECK(crashed.log.find("the compiler in this process crashed") != std::string::npos);
  const Compiled after = compile(kKernel);
  INFO(after.log);
  CHECK(after.result == HIPRTC_SUCCESS);
  CHECK((after.code == before));
}

TEST_CASE("Alone: compilations of other threads survive a crash of the compiler", "[.beside]") {
  const rlimit none{0, 0};
  setrlimit(RLIMIT_CORE, &none);
  std::vector<Compiled> found(6);
  std::vector<std::thread> threads;
  for (size_t i = 0; i < found.size(); ++i) // one crashes where others compile, wait for the linker, or begin
    threads.emplace_back([&, i] { found[i] = compile(i == 1 ? "#pragma clang __debug crash\n" : kKernel); });
  for (std::thread& thread : threads) thread.join();
  for (size_t i = 0; i < found.size(); ++i) {
    INFO(i << ": " << found[i].log);
    CHECK(found[i].result == (i == 1 ? HIPRTC_ERROR_COMPILATION : HIPRTC_SUCCESS));
  }
}

TEST_CASE("Alone: a program that ignores the ends of its children compiles in them", "[.reaped]") {
  const Variable child("OMNIHIP_RTC_CHILD", "1");
  signal(SIGCHLD, SIG_IGN);
  const Compiled compiled = compile(kKernel);
  INFO(compiled.log);
  CHECK(compiled.result == HIPRTC_SUCCESS);
  CHECK_FALSE(compiled.code.empty());
  const Compiled wrong = compile("int f() { return nothing; }");
  CHECK(wrong.result == HIPRTC_ERROR_COMPILATION);
  CHECK(wrong.log.find("use of undeclared identifier") != std::string::npos);
}

TEST_CASE("Alone: so is a stack overflow of the compiler", "[.overflow]") {
  const size_t kDepth = 1000000; // of an expression that the parser descends into
  const rlimit none{0, 0};
  setrlimit(RLIMIT_CORE, &none);
  const Compiled crashed = compile("int x = " + std::string(kDepth, '(') + "1" + std::string(kDepth, ')') + ";\n",
                                   {"-fbracket-depth=100000000"});
  INFO(crashed.log);
  CHECK(crashed.result == HIPRTC_ERROR_COMPILATION);
  CHECK(crashed.log.find("the compiler in this process crashed") != std::string::npos);
  CHECK(compile(kKernel).result == HIPRTC_SUCCESS);
}

TEST_CASE("Alone: and a fatal error in the code generator", "[.fatal]") {
  const rlimit none{0, 0};
  setrlimit(RLIMIT_CORE, &none);
  const Compiled crashed = compile("#pragma clang __debug llvm_fatal_error\n");
  INFO(crashed.log);
  CHECK(crashed.result == HIPRTC_ERROR_COMPILATION);
  CHECK(crashed.log.find("the compiler in this process crashed") != std::string::npos);
  CHECK(compile(kKernel).result == HIPRTC_SUCCESS);
}
