// HIP_PLATFORM=nvidia: the plan for nvcc, what becomes of options, and the built hipcc with a program in nvcc's place.
// No CUDA is needed.
#include "nvcc.h"

#include "command.h"
#include "environment_variable.h"
#include "plan.h"
#include "toolchain.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cstdlib>

using hip::EnvironmentVariable;
using namespace hip::hipcc;
using Words = std::vector<std::string>;

namespace {

const NvccToolchain kToolchain = {"/sdk", "/cuda/bin/nvcc", {"/cuda/lib64", "/cuda/lib64/stubs"}};

JobGraph plan(const Words& words) {
  return make_nvcc_plan(make_invocation(parse_arguments(words), Platform::Nvidia), kToolchain, "/scratch");
}
bool has(const Words& command, const Words& run) {
  return std::search(command.begin(), command.end(), run.begin(), run.end()) != command.end();
}
Words translated(const Words& words, InputKind kind = InputKind::HipSource) {
  Words result;
  for (const Argument& argument : parse_arguments(words))
    for (const std::string& word : nvcc_words(argument, kind)) result.push_back(word);
  return result;
}

} // namespace

TEST_CASE("nvcc: one compilation per source, then the link") {
  const JobGraph jobs = plan({"a.hip", "b.c", "c.o", "-o", "a", "-lm", "--offload-arch=sm_80,sm_90"});
  REQUIRE(jobs.size() == 3);
  CHECK(jobs[0].command[0] == "/cuda/bin/nvcc");
  CHECK(has(jobs[0].command,
            {"-gencode=arch=compute_80,code=[sm_80,compute_80]", "-gencode=arch=compute_90,code=[sm_90,compute_90]"}));
  CHECK(has(jobs[0].command, {"-O3"}));
  CHECK(has(jobs[0].command, {"-D__HIP_PLATFORM_NVIDIA__=1", "-isystem", "/sdk/include", "-c", "-x", "cu", "a.hip"}));
  CHECK(has(jobs[1].command, {"-c", "-x", "c", "b.c"}));
  CHECK_FALSE(has(jobs[1].command, {"-gencode=arch=compute_90,code=[sm_90,compute_90]"}));
  const std::string object_a = jobs[0].command.back(), object_b = jobs[1].command.back();
  CHECK(has(jobs[2].command, {object_a, object_b, "c.o", "-lm"}));
  CHECK(has(jobs[2].command, {"-L/cuda/lib64", "-L/cuda/lib64/stubs", "-lcuda", "-o", "a"}));
  CHECK(jobs[2].needs == std::vector<size_t>{0, 1});
}

TEST_CASE("nvcc: libraries of HIP are CUDA's, and linker options go through the host's compiler") {
  const Words link = plan({"a.o", "-lamdhip64", "-lhiprtc", "-Wl,-rpath,/x", "-o", "a"}).back().command;
  CHECK(has(link, {"a.o", "-lnvrtc", "-Xcompiler", "-Wl\\,-rpath\\,/x"})); // nvcc cuts at bare commas
  CHECK_FALSE(has(link, {"-lamdhip64"}));
  // nvcc has no -z, and cuts the words of its own -Xlinker at every comma.
  const Words keyword = plan({"a.o", "-z", "now", "-Xlinker", "-rpath=/a,b", "-o", "a"}).back().command;
  CHECK(has(keyword, {"-Xcompiler", "-Xlinker", "-Xcompiler", "-z", "-Xcompiler", "-Xlinker", "-Xcompiler", "now"}));
  CHECK(has(keyword, {"-Xcompiler", "-Xlinker", "-Xcompiler", "-rpath=/a\\,b"}));
  CHECK(std::count(keyword.begin(), keyword.end(), "-z") == 1);
  CHECK(std::count(keyword.begin(), keyword.end(), "now") == 1);
}

TEST_CASE("nvcc: without an architecture this machine's, unless nvcc is told itself") {
  CHECK(has(plan({"-c", "a.hip"})[0].command, {"-arch=native"}));
  const JobGraph own = plan({"-c", "a.hip", "-gencode", "arch=compute_90,code=sm_90"});
  REQUIRE(own.size() == 1);
  CHECK(has(own[0].command, {"-gencode", "arch=compute_90,code=sm_90"}));
  CHECK_FALSE(has(own[0].command, {"-arch=native"}));
  CHECK(has(plan({"-c", "a.hip", "--offload-arch=all"})[0].command, {"-arch=all"}));
}

TEST_CASE("nvcc: objects, code objects and PTX") {
  const JobGraph object = plan({"-c", "dir/a.cpp"});
  CHECK(has(object[0].command, {"-x", "cu", "dir/a.cpp", "-o", "a.o"}));
  CHECK(object[0].outputs == Words{"a.o"});
  CHECK(has(plan({"--genco", "a.hip", "-o", "a.co"})[0].command, {"-fatbin", "-x", "cu", "a.hip", "-o", "a.co"}));
  CHECK(has(plan({"-S", "--offload-device-only", "a.hip"})[0].command, {"-ptx", "-x", "cu", "a.hip", "-o", "a.ptx"}));
  // gcc may fortify unasked, which takes memmove away from kernels; who asks for it gets it.
  CHECK(has(plan({"-c", "a.hip"})[0].command, {"-U_FORTIFY_SOURCE"}));
  CHECK(has(plan({"-c", "a.hip", "-O2", "-D_FORTIFY_SOURCE=2"})[0].command,
            {"-U_FORTIFY_SOURCE", "-O2", "-D_FORTIFY_SOURCE=2"}));
  CHECK_FALSE(has(plan({"-c", "a.c"})[0].command, {"-U_FORTIFY_SOURCE"}));
  CHECK(has(plan({"-E", "a.hip"})[0].command, {"-E", "-x", "cu", "a.hip"}));
  CHECK(has(plan({"-fsyntax-only", "a.hip"})[0].command, {"-c", "-o", "/dev/null", "-x", "cu", "a.hip"}));
}

TEST_CASE("nvcc: device code across files is -rdc, in the compilation and in the link") {
  const JobGraph jobs = plan({"-fgpu-rdc", "a.hip", "-o", "a", "--offload-arch=sm_90"});
  CHECK(has(jobs[0].command, {"-rdc=true"}));
  CHECK(has(jobs[1].command, {"-gencode=arch=compute_90,code=[sm_90,compute_90]", "-rdc=true"}));
  CHECK_FALSE(has(jobs[0].command, {"-fgpu-rdc"}));
}

TEST_CASE("nvcc: what becomes of options") {
  CHECK(translated({"-DX=1", "-I", "dir", "-isystem", "sys", "-Llib", "-g", "-w"}) ==
        Words{"-DX=1", "-I", "dir", "-isystem", "sys", "-Llib", "-g", "-w"});
  CHECK(translated({"-Wall", "-fPIC", "-march=native", "-pthread", "-ggdb"}) ==
        Words{"-Xcompiler", "-Wall", "-Xcompiler", "-fPIC", "-Xcompiler", "-march=native", "-Xcompiler", "-pthread",
              "-Xcompiler", "-ggdb"});
  CHECK(translated({"-fsanitize=address,undefined"}) == Words{"-Xcompiler", "-fsanitize=address\\,undefined"});
  CHECK(translated({"-D", "HIP_API_PER_THREAD_DEFAULT_STREAM=1"}) ==
        Words{"--default-stream=per-thread", "-DHIP_API_PER_THREAD_DEFAULT_STREAM"});
  CHECK(translated({"-fgpu-default-stream=per-thread"}) == Words{"--default-stream=per-thread"});
  CHECK(translated({"-std=gnu++17"}) == Words{"-std=c++17"});
  CHECK(translated({"-std=c++17"}, InputKind::CSource).empty());
  CHECK(translated({"-std=c11"}, InputKind::CSource) == Words{"-Xcompiler", "-std=c11"});
  CHECK(translated({"-std=c11"}).empty());
  CHECK(translated({"-O2"}) == Words{"-O2"});
  CHECK(translated({"-Ofast"}) == Words{"-O3", "--use_fast_math"});
  CHECK(translated({"-Os"}) == Words{"-O2", "-Xcompiler", "-Os"});
  CHECK(translated({"-ffast-math"}) == Words{"--use_fast_math", "-Xcompiler", "-ffast-math"});
  CHECK(translated({"-ffp-contract=off"}) == Words{"-fmad=false"});
  CHECK(translated({"-ffp-contract=fast"}) == Words{"-fmad=true"});
  CHECK(translated({"-mllvm", "-x", "-Xclang", "y", "-munsafe-fp-atomics", "-fgpu-flush-denormals-to-zero"}).empty());
  CHECK(translated({"-rpath", "/lib", "-shared"}) == Words{"-Xcompiler", "-Xlinker", "-Xcompiler", "-rpath",
                                                           "-Xcompiler", "-Xlinker", "-Xcompiler", "/lib", "-shared"});
  CHECK(translated({"-lineinfo", "--expt-relaxed-constexpr", "-Xptxas", "-v", "-maxrregcount=32", "--save-temps"}) ==
        Words{"-lineinfo", "--expt-relaxed-constexpr", "-Xptxas", "-v", "-maxrregcount=32", "--keep"});
}

TEST_CASE("nvcc: what it does not do is an error") {
  CHECK_THROWS_WITH(plan({"a.hip", "--offload-arch=gfx942"}), Catch::Contains("'gfx942' is no NVIDIA architecture"));
  CHECK_THROWS_WITH(plan({"-S", "a.hip"}), Catch::Contains("-S needs --offload-device-only"));
  CHECK_THROWS_WITH(plan({"-c", "-emit-llvm", "a.hip"}), Catch::Contains("-emit-llvm"));
  CHECK_THROWS_WITH(plan({"-c", "a.hip", "b.hip", "-o", "c.o"}), Catch::Contains("multiple output files"));
  CHECK_THROWS_WITH(plan({"-v"}), Catch::Contains("no input files"));
  CHECK_THROWS_WITH(plan({"-c", "-x", "hip", "-"}), Catch::Contains("does not read standard input"));
}

TEST_CASE("the platform is what the environment says") {
  CHECK(platform_from_environment() == Platform::Amd);
  {
    EnvironmentVariable nvcc("HIP_COMPILER", "nvcc");
    CHECK(platform_from_environment() == Platform::Nvidia);
    EnvironmentVariable amd("HIP_PLATFORM", "amd");
    CHECK(platform_from_environment() == Platform::Amd);
  }
  {
    EnvironmentVariable cuda("HIP_RUNTIME", "cuda");
    CHECK(platform_from_environment() == Platform::Nvidia);
  }
  EnvironmentVariable other("HIP_PLATFORM", "intel");
  CHECK_THROWS_WITH(platform_from_environment(), Catch::Contains("HIP_PLATFORM is 'intel'"));
}

TEST_CASE("hipcc runs the nvcc that it finds, and says where it looked") {
  test::Folder folder;
  folder.write("cuda/bin/nvcc", "#!/bin/sh\necho nvcc \"$@\"\n");
  folder.write("cuda/lib64/stubs/none", "");
  test::shell("chmod +x '" + (folder / "cuda/bin/nvcc") + "'");
  folder.write("a.hip", "");
  const std::string cuda = "HIP_PLATFORM=nvidia CUDA_PATH='" + (folder / "cuda") + "' ";
  const std::string hipcc = "'" OMNIHIP_SDK_DIR "/bin/hipcc' ", hipconfig = "'" OMNIHIP_SDK_DIR "/bin/hipconfig' ";
  const test::Outcome run = test::shell(cuda + hipcc + "-c --offload-arch=sm_90 '" + (folder / "a.hip") + "' -o x.o");
  CHECK(run.code == 0);
  CHECK(run.mentions("nvcc -gencode=arch=compute_90,code=[sm_90,compute_90] -U_FORTIFY_SOURCE -O3"));
  CHECK(test::shell(cuda + hipcc + "-### a.hip").mentions("\"-L" + (folder / "cuda/lib64/stubs") + "\""));
  CHECK(test::shell(cuda + hipcc + "--version").mentions("nvcc --version"));
  CHECK(test::shell(cuda + hipcc + "--cxxflags").mentions("-isystem " + (folder / "cuda/include")));
  CHECK(test::shell(cuda + hipconfig + "--platform").output == "nvidia");
  CHECK(test::shell(cuda + hipconfig + "--compiler").output == "nvcc");
  CHECK(test::shell(cuda + hipconfig + "--runtime").output == "cuda");
  CHECK(test::shell(cuda + hipconfig + "--cpp_config").mentions("-D__HIP_PLATFORM_NVIDIA__="));
  const test::Outcome wrong = test::shell("HIP_PLATFORM=nvidia HIPCC_NVCC=/nowhere/nvcc " + hipcc + "-c a.hip");
  CHECK(wrong.code == 1);
  CHECK(wrong.mentions("HIPCC_NVCC is '/nowhere/nvcc', which is no program"));
}

// The name of the long macro alone is longer than Linux lets a word of a command line be.
TEST_CASE("nvcc: a command too long for the kernel gets its words by --options-file") {
  test::Folder folder;
  folder.write("nvcc", "#!/bin/sh\nhead -n 6 \"${1#--options-file=}\"\nexit 7\n");
  folder.write("a.hip", "");
  folder.write("words", R"('-DTEXT="a b"' -fsanitize=address,undefined -D)" + std::string(200'000, 'x'));
  const test::Outcome run = test::shell(
      "cd '" + folder.path() + "' && chmod +x nvcc && mkdir tmp && TMPDIR=$PWD/tmp HIP_PLATFORM=nvidia " +
      "HIPCC_NVCC=$PWD/nvcc '" OMNIHIP_SDK_DIR "/bin/hipcc' -c --offload-arch=sm_90 a.hip @words; code=$?; " +
      "ls tmp; exit $code");
  CHECK(run.code == 7);
  // nvcc takes out quotes twice, unless they have a backslash each time. Nothing is left in TMPDIR.
  CHECK(run.output == R"("-gencode=arch=compute_90,code=[sm_90,compute_90]"
"-U_FORTIFY_SOURCE"
"-O3"
"-DTEXT=\\\"a b\\\""
"-Xcompiler"
"-fsanitize=address\\,undefined"
)");
}
