// Command line -> jobs: who gets which option, in which order, and what is left to clang's own driver.
#include "plan.h"
#include "words.h"

#include <algorithm>
#include <catch2/catch.hpp>

using namespace hip::hipcc;
using Words = std::vector<std::string>;

namespace {

const Toolchain kToolchain = {"/sdk", "/llvm/bin", "/llvm/bin/clang++", ""};

JobGraph plan(const Words& words) {
  return make_plan(make_invocation(parse_arguments(words)), kToolchain, "/scratch", Colour::Off);
}
bool has(const Words& command, const std::string& word) {
  return std::find(command.begin(), command.end(), word) != command.end();
}
// Position of word in command; fails the test when it is not there.
size_t at(const Words& command, const std::string& word) {
  auto found = std::find(command.begin(), command.end(), word);
  INFO(word);
  REQUIRE(found != command.end());
  return static_cast<size_t>(found - command.begin());
}
std::string after(const Words& command, const std::string& word) { return command.at(at(command, word) + 1); }

} // namespace

TEST_CASE("an SDK without its passes is a warning where device code is compiled") {
  const auto told = [](const Words& words) {
    const JobGraph jobs = plan(words);
    return !jobs.empty() && jobs[0].warnings.size() == 1 &&
           jobs[0].warnings[0].find("'/sdk/lib/omnihip_codegen.so' is missing") == 0;
  };
  CHECK(told({"-c", "a.hip", "--offload-arch=gfx942,gfx90a"})); // once
  CHECK(told({"-c", "a.hip", "--offload-arch=sm_90"}));
  CHECK(told({"a.hip", "-fgpu-rdc", "--offload-arch=gfx942"}));
  CHECK_FALSE(told({"a.o", "-o", "a"}));
  CHECK_FALSE(told({"-c", "-x", "c++", "a.cpp"}));
  CHECK_FALSE(told({"-c", "a.c"}));
}

TEST_CASE("textures in software are told to host and AMD GPUs") {
  const std::string told = "-D__HIP_SOFTWARE_TEXTURES__=1";
  const JobGraph jobs = plan({"-c", "a.hip", "--offload-arch=gfx942", "--offload-arch=sm_75", "-fsoftware-textures"});
  size_t amd_or_host = 0;
  for (const Job& job : jobs) {
    if (!has(job.command, "a.hip")) continue;
    const bool nvidia = has(job.command, "--offload=nvptx64-nvidia-cuda");
    CHECK(has(job.command, told) == !nvidia); // NVIDIA GPUs have images
    CHECK_FALSE(has(job.command, "-fsoftware-textures"));
    amd_or_host += !nvidia;
  }
  CHECK(amd_or_host == 2);
  CHECK_FALSE(has(plan({"a.hip", "--offload-arch=gfx942"})[0].command, told));
}

TEST_CASE("shifts are CUDA's in CUDA sources and where the command line says so") {
  const std::string mark = "/sdk/include/hip/cuda_shifts.h", refused = "-D__HIP_NO_CUDA_SHIFTS__=1";
  const auto told = [&](Words words, const std::string& word) {
    hip::hipcc::append(words, {"-c", "a.cu", "--offload-arch=gfx942,sm_75"});
    size_t compilations = 0;
    size_t told = 0;
    for (const Job& job : plan(words)) {
      if (!has(job.command, "a.cu")) continue;
      ++compilations;
      told += has(job.command, word);
      CHECK_FALSE(has(job.command, "-fcuda-shifts"));
      CHECK_FALSE(has(job.command, "-fno-cuda-shifts"));
    }
    CHECK(compilations == 3);
    CHECK((told == 0 || told == compilations));
    return told != 0;
  };
  CHECK(told({"--cuda"}, mark));
  CHECK(told({"-fcuda-shifts"}, mark));
  CHECK_FALSE(told({}, mark));
  CHECK_FALSE(told({}, refused));
  CHECK_FALSE(told({"--cuda", "-fno-cuda-shifts"}, mark));
  CHECK(told({"-fno-cuda-shifts"}, refused)); // a source may include the header
  CHECK(told({"-fno-cuda-shifts", "-fcuda-shifts"}, mark));
}

TEST_CASE("headers are told of waves of 64 lanes on families that have 32") {
  const std::string told = "-D__AMDGCN_WAVEFRONT_SIZE=64";
  CHECK(has(plan({"a.hip", "--offload-arch=gfx1100", "-mwavefrontsize64"})[0].command, told));
  CHECK_FALSE(has(plan({"a.hip", "--offload-arch=gfx1100"})[0].command, told));
  CHECK_FALSE(
      has(plan({"a.hip", "--offload-arch=gfx1100", "-mwavefrontsize64", "-mno-wavefrontsize64"})[0].command, told));
}

TEST_CASE("one source, two devices: devices, host, bundle, embed, link") {
  JobGraph jobs = plan({"a.hip", "-o", "a", "--offload-arch=gfx942,gfx1100"});
  REQUIRE(jobs.size() == 6);
  CHECK(has(jobs[0].command, "--offload-arch=gfx942"));
  CHECK(has(jobs[0].command, "--offload-device-only"));
  CHECK(has(jobs[1].command, "--offload-arch=gfx1100"));
  CHECK_FALSE(has(jobs[1].command, "--offload-arch=gfx942"));
  CHECK(has(jobs[2].command, "--offload-host-only"));
  CHECK(has(jobs[2].command, "-fcuda-include-gpubinary"));
  CHECK(jobs[2].needs.empty()); // runs beside the devices
  CHECK(jobs[3].command.empty());
  CHECK(jobs[3].needs == std::vector<size_t>{0, 1});
  CHECK(jobs[4].needs == std::vector<size_t>{2, 3});
  CHECK(jobs[5].needs == std::vector<size_t>{4});
  CHECK(has(jobs[5].command, "--hip-link"));
  CHECK(has(jobs[5].command, "--rocm-path=/sdk"));
  CHECK(has(jobs[5].command, "--hip-path=/sdk"));
  CHECK(has(jobs[5].command, "-Wl,-rpath,/sdk/lib"));
  CHECK(after(jobs[5].command, "-o") == "a");
}

// clang looks into --hip-path, then $HIP_PATH, then --rocm-path.
TEST_CASE("every command that names the SDK names it so that HIP_PATH does not choose another") {
  const std::string arch = "--offload-arch=gfx942";
  for (const Words& words :
       {Words{"a.hip", "b.c", "-o", "a", arch}, Words{"-E", "a.hip", arch}, Words{"a.hip", "-fgpu-rdc", arch},
        Words{"-c", "-x", "c++", "a.cpp"}, Words{"--genco", "a.hip", arch}, Words{"a.o"}}) {
    size_t told = 0;
    for (const Job& job : plan(words)) {
      INFO(words[0]);
      CHECK(has(job.command, "--rocm-path=/sdk") == has(job.command, "--hip-path=/sdk"));
      told += has(job.command, "--hip-path=/sdk");
    }
    CHECK(told > 0);
  }
  // As an option of hipcc's it is another name of --rocm-path.
  CHECK(make_invocation(parse_arguments({"--hip-path=/other", "a.hip"})).sdk_option == "/other");
}

TEST_CASE("every side of a source gets the same compilation unit id") {
  JobGraph jobs = plan({"-c", "a.hip", "--offload-arch=gfx942"});
  auto id = [](const Words& command) {
    return *std::find_if(command.begin(), command.end(), [](const std::string& w) { return w.starts_with("-cuid="); });
  };
  CHECK(id(jobs[0].command) == id(jobs[1].command));
  CHECK(id(plan({"-c", "b.hip"})[0].command) != id(jobs[0].command));
  CHECK(id(plan({"-c", "a.hip", "-DX"})[0].command) != id(jobs[0].command));
  JobGraph own = plan({"-c", "a.hip", "-cuid=7"});
  CHECK(id(own[0].command) == "-cuid=7");
}

TEST_CASE("devices come from lists and repetition, each once; --no-offload-arch takes away") {
  auto archs = [](const Words& words) { return make_invocation(parse_arguments(words)).archs; };
  CHECK(archs({"--offload-arch=gfx942,gfx90a", "--offload-arch", "gfx1100", "--offload-arch=gfx942"}) ==
        Words{"gfx942", "gfx90a", "gfx1100"});
  CHECK(archs({"--offload-arch=gfx942,gfx90a", "--no-offload-arch=gfx942"}) == Words{"gfx90a"});
  CHECK(archs({"--offload-arch=gfx90a", "--no-offload-arch=all", "--offload-arch=gfx1030"}) == Words{"gfx1030"});
  CHECK(archs({"--amdgpu-target=gfx90a:xnack+"}) == Words{"gfx90a:xnack+"});
  CHECK_FALSE(archs({"a.hip"}).empty());
  CHECK(archs({"--offload-arch=native"}) == archs({"a.hip"}));
}

TEST_CASE("two forms of one processor are left to clang to judge") {
  JobGraph jobs = plan({"-c", "a.hip", "--offload-arch=gfx90a,gfx90a:xnack+"});
  REQUIRE(jobs.size() == 1);
  CHECK(has(jobs[0].command, "--offload-arch=gfx90a:xnack+"));
}

TEST_CASE("languages: C++ files are HIP, C files are C, -x decides until the next -x") {
  auto kinds = [](const Words& words) {
    std::vector<InputKind> kinds;
    for (const Input& input : make_invocation(parse_arguments(words)).inputs) kinds.push_back(input.kind);
    return kinds;
  };
  using K = InputKind;
  CHECK(kinds({"a.hip", "b.cu", "c.cpp", "d.cc", "e.C", "f.c", "g.s", "h.o", "i.a", "j"}) ==
        std::vector<K>{K::HipSource, K::HipSource, K::HipSource, K::HipSource, K::HipSource, K::CSource, K::OtherSource,
                       K::LinkerWord, K::LinkerWord, K::LinkerWord});
  CHECK(kinds({"-x", "hip", "a.c", "-x", "none", "b.c", "-xc++", "c.cpp"}) ==
        std::vector<K>{K::HipSource, K::CSource, K::OtherSource});
  CHECK(kinds({"dir.hip/file"}) == std::vector<K>{K::LinkerWord});
}

TEST_CASE("a C file beside a HIP file is compiled as C, without the C++ standard") {
  JobGraph jobs = plan({"a.hip", "b.c", "-std=c++17", "-o", "a", "--offload-arch=gfx942"});
  const Words& c = jobs[4].command;
  CHECK(after(c, "-x") == "c");
  CHECK_FALSE(has(c, "-std=c++17"));
  CHECK_FALSE(has(c, "--offload-arch=gfx942"));
  CHECK(has(jobs[0].command, "-std=c++17"));
}

TEST_CASE("objects, libraries and linker words keep their order") {
  JobGraph jobs = plan({"x.o", "-lfoo", "a.hip", "-Wl,--start-group", "y.a", "-Xlinker", "--end-group", "-L/lib",
                        "-lbar", "-o", "p", "--offload-arch=gfx942"});
  const Words& link = jobs.back().command;
  Words order = {"x.o", "-lfoo", "-Wl,--start-group", "y.a", "-Xlinker", "--end-group", "-lbar", "--hip-link"};
  for (size_t i = 1; i < order.size(); ++i) CHECK(at(link, order[i - 1]) < at(link, order[i]));
  auto object = std::find_if(link.begin(), link.end(), [](const std::string& w) { return w.ends_with("-a.o"); });
  REQUIRE(object != link.end());
  CHECK(static_cast<size_t>(object - link.begin()) == at(link, "-lfoo") + 1);
  CHECK(has(link, "-L/lib"));
  CHECK_FALSE(has(jobs[0].command, "-L/lib"));
  CHECK_FALSE(has(jobs[0].command, "-lfoo"));
}

TEST_CASE("options reach the jobs they concern") {
  JobGraph jobs =
      plan({"a.hip", "-DA", "-Iinc", "-shared", "-fPIC", "-o", "a.so", "--offload-arch=gfx942", "--strange"});
  CHECK(has(jobs[0].command, "-DA"));
  CHECK(has(jobs[1].command, "-Iinc"));
  CHECK(has(jobs[0].command, "-fPIC"));
  CHECK_FALSE(has(jobs[0].command, "-shared"));
  CHECK(has(jobs.back().command, "-shared"));
  CHECK(has(jobs.back().command, "-fPIC"));
  CHECK_FALSE(has(jobs.back().command, "-DA"));
  for (size_t i : {size_t(0), size_t(1), jobs.size() - 1}) CHECK(has(jobs[i].command, "--strange"));
  CHECK(has(jobs[0].command, "-D__HIP_PLATFORM_AMD__=1"));
}

TEST_CASE("optimisation is -O3 unless something is said") {
  CHECK(has(plan({"-c", "a.hip"})[0].command, "-O3"));
  CHECK_FALSE(has(plan({"-c", "a.hip", "-O0"})[0].command, "-O3"));
  CHECK(has(plan({"-c", "a.hip", "-Og"})[0].command, "-Og"));
}

TEST_CASE("dependency files are the host's work") {
  JobGraph jobs = plan({"-c", "a.hip", "-o", "a.o", "-MMD", "-MF", "a.d", "--offload-arch=gfx942"});
  CHECK_FALSE(has(jobs[0].command, "-MMD"));
  CHECK_FALSE(has(jobs[0].command, "a.d"));
  CHECK(after(jobs[1].command, "-MF") == "a.d");
}

TEST_CASE("an object's name comes from -o or from the source") {
  CHECK(plan({"-c", "dir/a.hip", "--offload-arch=gfx942"}).back().outputs == Words{"a.o"});
  CHECK(plan({"-c", "dir/a.hip", "-o", "x/y.o", "--offload-arch=gfx942"}).back().outputs == Words{"x/y.o"});
  CHECK(after(plan({"-c", "a.hip", "-o", "y.o", "--offload-host-only"})[0].command, "-o") == "y.o");
}

TEST_CASE("no object without its device code stands under the user's name") {
  const auto written = [](Words words) {
    hip::hipcc::append(words, {"-c", "dir/a.hip", "--offload-arch=gfx942"});
    return after(plan(words)[1].command, "-o");
  };
  CHECK(written({"-o", "x/y.o"}).starts_with("/scratch/"));
  CHECK(written({}).starts_with("/scratch/"));
  // Clang takes these options' names from the object's.
  for (const Words& options : {Words{"--coverage"}, Words{"-ftest-coverage"}, Words{"-fsave-optimization-record"},
                               Words{"-Xarch_host", "-fstack-usage"}, Words{"-MJ", "a.json"}, Words{"--strange"}}) {
    INFO(options[0]);
    CHECK(written(options) == "a.o");
  }
}

TEST_CASE("dependency files are named after the object, and name it, wherever it is written first") {
  const auto host = [](Words words) {
    hip::hipcc::append(words, {"-c", "dir/a.hip", "--offload-arch=gfx942"});
    return plan(words)[1].command;
  };
  CHECK(after(host({"-MD"}), "-MF") == "a.d");
  CHECK(after(host({"-MD"}), "-MQ") == "a.o");
  CHECK(after(host({"-MMD", "-o", "x.y/z"}), "-MF") == "x.y/z.d");
  CHECK(after(host({"-MMD", "-o", "x.y/z"}), "-MQ") == "x.y/z");
  CHECK_FALSE(has(host({"-MD", "-MT", "t"}), "-MQ"));
  CHECK_FALSE(has(host({"-MD", "-MFb.d"}), "-MF"));
  CHECK_FALSE(has(host({}), "-MQ"));
}

TEST_CASE("one name for the outputs of several sources is refused in clang's words") {
  const std::string text = "cannot specify -o when generating multiple output files";
  CHECK_THROWS_WITH(plan({"-c", "a.hip", "b.hip", "-o", "x.o"}), text);
  CHECK_THROWS_WITH(plan({"--genco", "a.hip", "b.hip", "-o", "k.co"}), text);
  CHECK_THROWS_WITH(plan({"--genco-text", "a.hip", "b.hip", "-o", "k.co", "--offload-arch=gfx942,sm_75"}), text);
  CHECK_THROWS_WITH(plan({"-S", "--offload-device-only", "a.hip", "b.hip", "-o", "k.ptx", "--offload-arch=sm_75"}),
                    text);
  CHECK_NOTHROW(plan({"--genco", "a.hip", "b.hip"}));
  CHECK_NOTHROW(plan({"a.hip", "b.hip", "-o", "p"}));
  CHECK_NOTHROW(plan({"-c", "a.hip", "b.o", "-o", "x.o"}));
}

TEST_CASE("device code alone is made of HIP sources: others are refused, and what is linked is said to be left out") {
  CHECK_THROWS_WITH(plan({"--genco", "a.hip", "b.c", "-o", "k.co"}), Catch::Contains("'b.c'"));
  CHECK_THROWS_WITH(plan({"-S", "--offload-device-only", "a.hip", "b.c", "--offload-arch=sm_75"}),
                    Catch::Contains("'b.c'"));
  const auto told = [](const Words& words) {
    const JobGraph jobs = plan(words);
    size_t told = 0;
    for (const std::string& warning : jobs[0].warnings) told += warning.starts_with("'b.o' is not used");
    return told;
  };
  CHECK(told({"--genco", "a.hip", "b.o"}) == 1);
  CHECK(told({"--genco", "a.hip", "-lm", "-Wl,-z,now"}) == 0);
}

TEST_CASE("headers are precompiled by clang, and linked with nothing") {
  for (const Words& words : {Words{"-x", "c++-header", "all.h", "-o", "all.h.gch"}, Words{"all.h"}, Words{"all.hh"},
                             Words{"-c", "all.h", "-MD"}}) {
    const JobGraph jobs = plan(words);
    REQUIRE(is_single_command(jobs));
    CHECK_FALSE(has(jobs[0].command, "--hip-link"));
    CHECK(has(jobs[0].command, "/sdk/include"));
    CHECK(has(jobs[0].command, "-o") == has(words, "-o"));
  }
  CHECK(after(plan({"-x", "c++-header", "all.h", "-o", "all.h.gch"})[0].command, "-x") == "c++-header");
  CHECK(has(plan({"all.h", "a.hip", "--offload-arch=gfx942"})[0].command, "--hip-link"));
}

TEST_CASE("options of the environment join where they have a use, with a -x and a -- of their own") {
  const auto joined = [](const Words& command, const Words& compile, const Words& link) {
    Words words = {"--offload-arch=gfx942"};
    hip::hipcc::append(words, command);
    return make_invocation(with_appended(parse_arguments(words), parse_arguments(compile), parse_arguments(link)));
  };
  const auto has_option = [](const Invocation& inv, const std::string& word) {
    return std::ranges::any_of(inv.options, [&](const Argument& option) { return has(option.words, word); });
  };
  const auto takes = [&](const Words& command) {
    const Invocation inv = joined(command, {"-DC"}, {"-DL"});
    return std::pair(has_option(inv, "-DC"), has_option(inv, "-DL"));
  };
  CHECK(takes({"a.hip", "-o", "a"}) == std::pair(true, true));
  CHECK(takes({"-c", "a.hip"}) == std::pair(true, false));
  CHECK(takes({"--genco", "a.hip"}) == std::pair(true, false));
  CHECK(takes({"-fsyntax-only", "a.c"}) == std::pair(true, false));
  CHECK(takes({"a.o", "-o", "a"}) == std::pair(false, true));
  CHECK(takes({"-x", "hip", "a.o"}) == std::pair(true, true));
  CHECK(takes({}) == std::pair(false, false));
  CHECK_FALSE(has_option(joined({"a.hip"}, {"-c"}, {"-DL"}), "-DL"));

  const Invocation dashes = joined({"-c", "--", "a.hip"}, {"-DC"}, {});
  CHECK(dashes.inputs.size() == 1);
  CHECK(has_option(dashes, "-DC"));
  const Invocation language = joined({"-x", "hip", "a"}, {}, {"b.o"});
  REQUIRE(language.inputs.size() == 2);
  CHECK(language.inputs[1].kind == InputKind::LinkerWord);
}

TEST_CASE("--genco makes a bundle and nothing of the host") {
  JobGraph jobs = plan({"--genco", "a.hip", "-o", "a.hsaco", "--offload-arch=gfx942,gfx90a"});
  REQUIRE(jobs.size() == 3);
  CHECK(jobs[2].outputs == Words{"a.hsaco"});
  for (const Job& job : jobs) CHECK_FALSE(has(job.command, "--offload-host-only"));
  CHECK(plan({"--genco", "a.hip", "--offload-arch=gfx942"})[1].outputs == Words{"a-hip-amdgcn-amd-amdhsa.hipfb"});
}

TEST_CASE("compression is the bundler's work") {
  JobGraph jobs = plan({"--genco", "a.hip", "-o", "a.co", "--offload-compress", "--offload-arch=gfx942"});
  CHECK(has(jobs[1].command, "-compress"));
  CHECK(has(jobs[1].command, "-output=a.co"));
  CHECK(plan({"--genco", "a.hip", "--offload-compress", "--no-offload-compress"})[1].command.empty());
}

TEST_CASE("relocatable device code: each source by clang as a whole, then a link that knows the devices") {
  JobGraph jobs = plan({"-fgpu-rdc", "a.hip", "b.hip", "-o", "p", "--offload-arch=gfx942,gfx90a"});
  REQUIRE(jobs.size() == 3);
  CHECK(has(jobs[0].command, "-fgpu-rdc"));
  CHECK(has(jobs[0].command, "--offload-arch=gfx90a"));
  CHECK(has(jobs[2].command, "-fgpu-rdc"));
  CHECK(has(jobs[2].command, "--hip-link"));
  CHECK(has(jobs[2].command, "--offload-arch=gfx90a"));
  CHECK(jobs[2].needs == std::vector<size_t>{0, 1});
}

TEST_CASE("what clang's driver must see as a whole is one command") {
  for (const char* option : {"-E", "-S", "-fsyntax-only", "-M", "--save-temps", "-emit-llvm", "-flto", "-fmodules"}) {
    INFO(option);
    JobGraph jobs = plan({"-c", "a.hip", option, "-Xclang", "-foo", "--offload-arch=gfx942,gfx90a"});
    REQUIRE(jobs.size() == 1);
    CHECK(is_single_command(jobs));
    CHECK(has(jobs[0].command, option));
    CHECK(after(jobs[0].command, "-x") == "hip");
    CHECK(has(jobs[0].command, "--offload-arch=gfx90a"));
  }
}

TEST_CASE("an output that is no plain file is clang's to write") {
  CHECK(is_single_command(plan({"-c", "a.hip", "-o", "/dev/null"})));
  CHECK(is_single_command(plan({"--genco", "a.hip", "-o", "/dev/null"})));
  CHECK(is_single_command(plan({"a.hip", "-o", "/dev/null"})));
}

TEST_CASE("C++ that is not HIP still finds the API's headers") {
  JobGraph jobs = plan({"-c", "-x", "c++", "a.cpp"});
  REQUIRE(jobs.size() == 1);
  CHECK(after(jobs[0].command, "-x") == "c++");
  CHECK(has(jobs[0].command, "-D__HIP_PLATFORM_AMD__=1"));
  CHECK(has(jobs[0].command, "/sdk/include"));
}

TEST_CASE("a link without sources is one command") {
  JobGraph jobs = plan({"a.o", "b.o", "-lm", "-o", "p"});
  REQUIRE(is_single_command(jobs));
  CHECK(has(jobs[0].command, "--hip-link"));
  CHECK_FALSE(has(jobs[0].command, "-x"));
  JobGraph bare = plan({"a.o", "-no-hip-rt"});
  CHECK(has(bare[0].command, "-no-hip-rt"));
  CHECK_FALSE(has(bare[0].command, "-Wl,-rpath,/sdk/lib"));
}

TEST_CASE("a number of jobs that is none is refused") {
  CHECK(make_invocation(parse_arguments({"--parallel-jobs=3"})).jobs == 3);
  CHECK_THROWS_WITH(make_invocation(parse_arguments({"--parallel-jobs=many"})), Catch::Contains("many"));
  CHECK_THROWS_AS(make_invocation(parse_arguments({"--parallel-jobs=0"})), DriverError);
}
