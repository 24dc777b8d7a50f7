// Programs for NVIDIA GPUs: the plan, what is refused, and PTX from the built hipcc. No CUDA is needed.
#include "command.h"
#include "devices.h"
#include "nvidia.h"
#include "plan.h"
#include "ptx.h"
#include "toolchain.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cstdlib>
#include <sstream>
#include <sys/stat.h>

using namespace hip::hipcc;
using Words = std::vector<std::string>;

namespace {

const Toolchain kToolchain = {"/sdk", "/llvm/bin", "/llvm/bin/clang++", "/clang/include"};

JobGraph plan(const Words& words) {
  return make_plan(make_invocation(parse_arguments(words)), kToolchain, "/scratch", Colour::Off);
}
bool has(const Words& command, const std::string& word) {
  return std::find(command.begin(), command.end(), word) != command.end();
}
// HIPCC_PTXAS for the length of a test.
struct PtxasChoice {
  explicit PtxasChoice(const char* value) { setenv("HIPCC_PTXAS", value, 1); }
  ~PtxasChoice() { unsetenv("HIPCC_PTXAS"); }
};

} // namespace

TEST_CASE("AMD and NVIDIA devices share one bundle and one host compilation") {
  PtxasChoice none("none");
  const JobGraph jobs = plan({"a.hip", "-o", "a", "--offload-arch=gfx942,sm_90", "--no-hip-pch"});
  REQUIRE(jobs.size() == 6);
  CHECK(has(jobs[0].command, "--offload-arch=gfx942"));
  const Words& ptx = jobs[1].command;
  CHECK(has(ptx, "--offload=nvptx64-nvidia-cuda"));
  CHECK(has(ptx, "--offload-arch=sm_90"));
  CHECK(has(ptx, "--cuda-feature=+ptx78"));
  CHECK(has(ptx, "/sdk/nvptx/bitcode/omnihip.bc"));
  CHECK_FALSE(has(ptx, "-D__HIP_PLATFORM_AMD__=1"));
  CHECK(has(jobs[2].command, "--offload-arch=gfx942"));
  CHECK(has(jobs[2].command, "--offload-host-only"));
  CHECK(jobs[3].needs == std::vector<size_t>{0, 1});
}

TEST_CASE("LLVM's tuning for ptxas gives way to the user's") {
  PtxasChoice none("none");
  const auto count = [](const Words& command, const std::string& name) {
    return std::count_if(command.begin(), command.end(),
                         [&](const std::string& word) { return word.starts_with(name); });
  };
  const JobGraph ours = plan({"a.hip", "-c", "--offload-arch=sm_90", "--no-hip-pch"});
  CHECK(has(ours[0].command, "-bonus-inst-threshold=3"));
  const JobGraph theirs =
      plan({"a.hip", "-c", "--offload-arch=sm_90", "--no-hip-pch", "-mllvm", "-bonus-inst-threshold=1"});
  CHECK_FALSE(has(theirs[0].command, "-bonus-inst-threshold=3"));
  CHECK(count(theirs[0].command, "-bonus-inst-threshold") == 1); // LLVM refuses two
  CHECK(count(theirs[0].command, "-unroll-partial-threshold") == 1);
}

TEST_CASE("OpenMP is for the host") {
  PtxasChoice none("none");
  const JobGraph jobs = plan({"a.hip", "-o", "a", "-fopenmp", "--offload-arch=gfx942,sm_90", "--no-hip-pch"});
  CHECK_FALSE(has(jobs[1].command, "-fopenmp"));
  CHECK(has(jobs[2].command, "-fopenmp"));
}

TEST_CASE("with ptxas there is machine code beside the PTX") {
  PtxasChoice any("/bin/true");
  const JobGraph jobs = plan({"a.hip", "-c", "--offload-arch=sm_90", "--no-hip-pch"});
  REQUIRE(jobs.size() == 5); // PTX, ptxas, host, bundle, embed
  CHECK(jobs[1].command[0] == "/bin/true");
  CHECK(has(jobs[1].command, "-arch=sm_90"));
  CHECK(jobs[1].needs == std::vector<size_t>{0});
  CHECK(has(jobs[2].command, std::string("--offload-arch=") + kSoftwareArch));
}

TEST_CASE("an architecture that ptxas does not know is excused, with a warning; other errors of ptxas are not") {
  PtxasChoice any("/bin/true");
  const JobGraph jobs = plan({"a.hip", "-c", "--offload-arch=sm_70", "--no-hip-pch"});
  REQUIRE(jobs[1].excuse);
  const std::string told = jobs[1].excuse("ptxas fatal   : Value 'sm_70' is not defined for option 'gpu-name'\n");
  CHECK_THAT(told, Catch::Contains("does not know sm_70") && Catch::Contains("/bin/true") && Catch::EndsWith("\n"));
  CHECK(jobs[1].excuse("ptxas fatal   : Value 'sm_75' is not defined for option 'gpu-name'\n").empty());
  CHECK(jobs[1].excuse("ptxas a.ptx, line 7; error   : Unknown symbol 'sm_70'\n").empty());
}

TEST_CASE("a bundle that clang's tool compresses has a second form without machine code") {
  PtxasChoice any("/bin/true");
  const JobGraph jobs = plan({"a.hip", "--genco", "--offload-arch=gfx942,sm_70", "--offload-compress", "--no-hip-pch"});
  const auto names = [](const Words& command, const std::string& part) {
    return std::any_of(command.begin(), command.end(),
                       [&](const std::string& word) { return word.find(part) != std::string::npos; });
  };
  CHECK(names(jobs.back().command, "cubin-sm_70"));
  CHECK_FALSE(names(jobs.back().fallback, "cubin"));
  CHECK(names(jobs.back().fallback, "nvidia-cuda--sm_70"));
  CHECK(names(jobs.back().fallback, "gfx942"));
}

TEST_CASE("a HIPCC_PTXAS that is no program is an error") {
  PtxasChoice wrong("/nowhere/ptxas");
  CHECK_THROWS_WITH(plan({"a.hip", "-c", "--offload-arch=sm_90"}), Catch::Contains("/nowhere/ptxas"));
}

TEST_CASE("all stands for both vendors' usual GPUs") {
  const Words archs = make_invocation(parse_arguments({"a.hip", "--offload-arch=all"})).archs;
  CHECK(has(archs, "gfx942"));
  CHECK(has(archs, "gfx1100"));
  CHECK(has(archs, "sm_75"));
  CHECK_FALSE(has(archs, "gfx906"));
  CHECK(make_invocation(parse_arguments({"a.hip", "--offload-arch=all,gfx942"})).archs == archs);
}

TEST_CASE("what cannot be done for NVIDIA GPUs is refused with the reason") {
  const auto refuse = [](const Words& words) { return make_invocation(parse_arguments(words)); };
  CHECK_THROWS_WITH(refuse({"a.hip", "--offload-arch=sm_35"}), Catch::Contains("sm_35") && Catch::Contains("sm_90"));
  CHECK_THROWS_WITH(refuse({"a.hip", "--offload-arch=gfx942,sm_90", "-fgpu-rdc"}), Catch::Contains("-fgpu-rdc"));
  CHECK_THROWS_WITH(refuse({"a.hip", "--offload-arch=gfx942,sm_90", "-S"}), Catch::Contains("sm_90"));
  CHECK_THROWS_WITH(refuse({"a.hip", "--offload-arch=sm_90", "--save-temps"}), Catch::Contains("sm_90"));
  CHECK_NOTHROW(refuse({"a.o", "--offload-arch=sm_90", "-fgpu-rdc"})); // no device code is made
}

TEST_CASE("names that PTX does not allow are mended, and nothing else") {
  CHECK(mended_ptx(".global .u32 m.managed = 3;\n ld [m.managed+4];") ==
        ".global .u32 m$managed = 3;\n ld [m$managed+4];");
  CHECK(mended_ptx(".attribute(.managed) .u32 x; a.managed_2") == ".attribute(.managed) .u32 x; a.managed_2");
  CHECK(mended_ptx("").empty());
  CHECK(mended_ptx("x.managed") == "x$managed");
}

TEST_CASE("stores of a part of a register go through a move, whole ones do not") {
  CHECK(mended_ptx("\tmul.f64 \t%rd4, %rd3, %rd3;\n\tst.global.b8 \t[%rd1+13], %rd4;\n\tret;\n") ==
        "\tmul.f64 \t%rd4, %rd3, %rd3;\n\t{\n\t.reg .b64 %hip_part0;\n\tmov.b64 \t%hip_part0, %rd4;\n"
        "\tst.global.b8 \t[%rd1+13], %hip_part0;\n\t}\n\tret;\n");
  CHECK(mended_ptx("\tst.shared.v2.b8 \t[x], {%rs1, %rs22};") ==
        "\t{\n\t.reg .b16 %hip_part0;\n\tmov.b16 \t%hip_part0, %rs1;\n\t.reg .b16 %hip_part1;\n"
        "\tmov.b16 \t%hip_part1, %rs22;\n\tst.shared.v2.b8 \t[x], {%hip_part0, %hip_part1};\n\t}");
  CHECK(mended_ptx("st.u16 [%rd1], %r7;") ==
        "\t{\n\t.reg .b32 %hip_part0;\n\tmov.b32 \t%hip_part0, %r7;\n\tst.u16 [%rd1], %hip_part0;\n\t}");
  for (const char* whole : {"\tst.global.b64 \t[%rd1], %rd4;", "\tst.local.v4.b32 \t[%SP], {%r1, %r2, %r3, %r4};",
                            "\tst.b16 \t[%rd1], %rs4;", "\tst.global.b8 \t[%rd1], 5;", "\tst.param.b32 \t[p], %r1;",
                            "\tstx.b8 [a], %rd1;", "\tst.global.b8 \t[%rd1], %rdx;", "// st.b8 [a], %rd1;"})
    CHECK(mended_ptx(whole) == whole);
}

TEST_CASE("kernels with large parameters get the PTX version that has them") {
  const std::string large = ".version 7.8\n.target sm_90\n.visible .entry k(\n\t.param .align 4 .b8 k_param_0[32004],\n"
                            "\t.param .u64 k_param_1\n)\n{\n}\n";
  CHECK(mended_ptx(large).starts_with(".version 8.1\n.target sm_90\n"));
  std::string newer = large;
  newer.replace(9, 3, "8.3");
  CHECK(mended_ptx(newer) == newer);
  std::string small = large;
  small.replace(small.find("32004"), 5, "4352");
  CHECK(mended_ptx(small) == small);
  const std::string array = ".version 7.8\n.global .b8 a[99999];\n.visible .entry k(\n\t.param .u64 p\n)\n{\n}\n";
  CHECK(mended_ptx(array) == array);
}

TEST_CASE("one program holds code for both vendors, and runs on the software GPU") {
  test::Folder folder;
  folder.write("a.hip", R"(
#include <hip/hip_runtime.h>
#include <cmath>
__managed__ int total = 0;
__global__ void k(const float* in) {
  const float s = sinf(in[threadIdx.x]) + expf(in[threadIdx.x]) + std::log(1 + in[threadIdx.x]);
  atomicAdd(&total, static_cast<int>(s + 0.5f));
  __syncthreads();
  if (threadIdx.x == 0) printf("%d\n", total);
}
int main() {
  float* in;
  if (hipMalloc(&in, 256) != hipSuccess || hipMemset(in, 0, 256) != hipSuccess) return 2;
  k<<<1, 64>>>(in);
  return hipDeviceSynchronize() == hipSuccess && total == 64 ? 0 : 3;
}
)");
  const auto build = [&](const std::string& arguments) {
    const test::Outcome outcome = test::hipcc(folder.path(), arguments);
    INFO(outcome.output);
    REQUIRE(outcome.code == 0);
  };
  const auto list = [&](const std::string& file) {
    return test::shell(find_clang_dir(OMNIHIP_SDK_DIR) + "/clang-offload-bundler -list -type=o -input=" + folder / file)
        .output;
  };
  build("a.hip -o a --offload-arch=gfx942,sm_75,sm_90");
  CHECK(test::shell("cd " + folder.path() + " && OMNIHIP_BACKEND=aql ./a").output == "64\n");
  build("a.hip --genco -o a.hipfb --offload-arch=gfx942,sm_90");
  CHECK_THAT(list("a.hipfb"), Catch::Contains("gfx942") && Catch::Contains("sm_90"));
  build("a.hip --genco --offload-compress -o b.hipfb --offload-arch=gfx942,sm_90");
  CHECK_THAT(list("b.hipfb"), Catch::Contains("gfx942") && Catch::Contains("sm_90"));
  build("a.hip -S --offload-device-only -o a.ptx --offload-arch=sm_75");
  const std::string ptx = test::shell("cat " + folder / "a.ptx").output;
  CHECK_THAT(ptx,
             Catch::Contains(".target sm_75") && Catch::Contains(".version 6.3") && Catch::Contains("total$managed"));
  // What is not in the text the driver brings; it has no other functions.
  const std::string externs = test::shell("grep -A3 'extern .func' " + folder / "a.ptx" + " | grep -v vprintf").output;
  CHECK_THAT(externs, !Catch::Contains("__ocml"));
}

TEST_CASE("the cached header changes no PTX") {
  test::Folder folder;
  folder.write(
      "a.hip",
      "#include <hip/hip_runtime.h>\n__global__ void k(float* x) { x[threadIdx.x] = tanhf(x[threadIdx.x]); }\n");
  std::string first;
  for (int round = 0; round < 3; ++round) { // seen, built, used
    const test::Outcome outcome = test::shell(
        "cd " + folder.path() + " && OMNIHIP_CACHE_DIR=" + folder / "cache" +
        " " OMNIHIP_SDK_DIR "/bin/hipcc --offload-arch=sm_80 -S --offload-device-only a.hip -o a.ptx && cat a.ptx");
    REQUIRE(outcome.code == 0);
    if (round == 0) first = outcome.output;
    CHECK(outcome.output == first);
  }
  CHECK(test::shell("ls " + folder / "cache/pch" + "/*.pch").code == 0);
}

namespace {
// The texts among the arrays of bytes that PTX defines.
std::vector<std::string> texts_of(const std::string& ptx) {
  std::vector<std::string> texts;
  for (size_t at = ptx.find(".b8 "); at != std::string::npos; at = ptx.find(".b8 ", at + 1)) {
    const size_t end = ptx.find(';', at), open = ptx.find('{', at);
    if (open == std::string::npos || open > end) continue;
    std::istringstream numbers(ptx.substr(open + 1, ptx.find('}', open) - open - 1));
    std::string text, number;
    while (std::getline(numbers, number, ',')) text += static_cast<char>(std::stoi(number));
    while (!text.empty() && text.back() == '\0') text.pop_back();
    texts.push_back(text);
  }
  return texts;
}
} // namespace

TEST_CASE("formats of printf become ones that NVIDIA's driver reads as C does") {
  test::Folder folder;
  folder.write("a.hip", R"(#include <hip/hip_runtime.h>
__global__ void k(char c, size_t z, long l, double d, const char* s, int n) {
  printf("A %hhd %hhx %zu|", c, c, z);
  printf("B %zx %jd %td %Lf %5.1Le|", z, l, l, 2.5L, 2.5L);
  printf("C %*d %-*s %.*f %0*d %*.*g|", 6, n, 8, s, 3, d, -4, n, 10, -2, d);
  printf("D %d %hd %ld %lld %f %c %s %p %5.2f %%|", n, n, l, 1ll, d, c, s, s, d);
  printf("E %*d %.*f|", n, n, n, d);
  printf("F %hhd %.*f|", c, n, d);
}
)");
  const std::string level = GENERATE("-O0", "-O3");
  const test::Outcome outcome =
      test::shell("cd " + folder.path() + " && " OMNIHIP_SDK_DIR "/bin/hipcc " + level +
                  " --offload-arch=sm_80 -S --offload-device-only a.hip -o a.ptx && cat a.ptx");
  INFO(outcome.output);
  REQUIRE(outcome.code == 0);
  const std::vector<std::string> texts = texts_of(outcome.output);
  const auto has = [&](const char* text) { return std::find(texts.begin(), texts.end(), text) != texts.end(); };
  CHECK(has("A %d %x %lu|"));
  CHECK(has("B %lx %ld %ld %f %5.1e|"));
  CHECK(has("C %6d %-8s %.3f %0-4d %10g|"));
  CHECK(has("D %d %hd %ld %lld %f %c %s %p %5.2f %%|"));
  CHECK(has("E %*d %.*f|")); // not constant
  CHECK(has("F %d %.*f|"));
}

TEST_CASE("loops branch back where their condition is true, and nothing but the program's variables is there") {
  test::Folder folder;
  folder.write("a.hip", R"(#include <hip/hip_runtime.h>
__global__ void chain(unsigned* data, int rounds) {
  unsigned x = data[threadIdx.x];
  for (int k = 0; k < rounds; ++k) x = x * 1664525u + 1013904223u;
  data[threadIdx.x] = x;
}
)");
  const test::Outcome outcome =
      test::shell("cd " + folder.path() +
                  " && " OMNIHIP_SDK_DIR
                  "/bin/hipcc -O3 --offload-arch=sm_80 -S --offload-device-only a.hip -o a.ptx && cat a.ptx");
  INFO(outcome.output);
  REQUIRE(outcome.code == 0);
  const std::string& ptx = outcome.output;
  CHECK(ptx.find(".global .align") == std::string::npos); // each costs a launch of each kernel some 30 ns
  // A backward branch that is always taken is one that ptxas does not unroll.
  std::vector<std::string> labels;
  std::istringstream lines(ptx);
  int back = 0;
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("$L")) labels.push_back(line.substr(0, line.find(':')));
    const size_t branch = line.find("bra");
    if (branch == std::string::npos) continue;
    const size_t to = line.find("$L", branch);
    if (to == std::string::npos) continue;
    const std::string target = line.substr(to, line.find(';', to) - to);
    if (std::find(labels.begin(), labels.end(), target) == labels.end()) continue;
    ++back;
    CHECK(line.find("@") != std::string::npos);
  }
  CHECK(back >= 1);
}
