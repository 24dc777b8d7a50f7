// hipconfig's answers.
#include "command.h"
#include "toolchain.h"

#include <catch2/catch.hpp>
#include <regex>

using namespace hip::hipcc;

namespace {
test::Outcome hipconfig(const std::string& arguments) {
  return test::shell("'" OMNIHIP_SDK_DIR "/bin/hipconfig' " + arguments);
}
} // namespace

TEST_CASE("hipconfig answers one question without an end of line") {
  CHECK(hipconfig("--platform").output == "amd");
  CHECK(hipconfig("-P").output == "amd");
  CHECK(hipconfig("-c").output == "clang");
  CHECK(hipconfig("--runtime").output == "rocclr");
  CHECK(hipconfig("--path").output == OMNIHIP_SDK_DIR);
  CHECK(hipconfig("-R -n").output == OMNIHIP_SDK_DIR "\n");
  CHECK(std::regex_match(hipconfig("--version").output, std::regex(R"(7\.2\.\d+-\w+)")));
  CHECK(hipconfig("--cpp_config").mentions("-D__HIP_PLATFORM_AMD__= -I" OMNIHIP_SDK_DIR "/include"));
  CHECK(test::shell("test -x \"$('" OMNIHIP_SDK_DIR "/bin/hipconfig' --hipclangpath)/clang++\"").code == 0);
}

TEST_CASE("the SDK's clang takes the SDK for its ROCm installation, and hipcc starts LLVM's own") {
  CHECK(hipconfig("--hipclangpath").output == OMNIHIP_SDK_DIR "/lib/llvm/bin");
  const std::string clang = "env -u ROCM_PATH -u HIP_PATH '" OMNIHIP_SDK_DIR "/";
  for (const char* const name : {"lib/llvm/bin/clang++", "llvm/bin/clang++", "bin/amdclang++", "bin/amdclang"}) {
    INFO(name);
    const test::Outcome told = test::shell(clang + name + "' -v -print-targets");
    CHECK(told.code == 0);
    CHECK(told.mentions("Found HIP installation: " OMNIHIP_SDK_DIR ",")); // what CMake looks for
  }
  const test::Outcome other =
      test::shell("ROCM_PATH=/nonexistent '" OMNIHIP_SDK_DIR "/bin/amdclang++' -v -print-targets");
  CHECK_FALSE(other.mentions("Found HIP installation: " OMNIHIP_SDK_DIR));
  const test::Outcome commands = test::shell("'" OMNIHIP_SDK_DIR "/bin/hipcc' -### -c x.hip");
  CHECK_FALSE(commands.mentions(OMNIHIP_SDK_DIR "/lib/llvm"));
  CHECK_FALSE(commands.mentions(OMNIHIP_SDK_DIR "/llvm"));
}

TEST_CASE("hipconfig tells everything, and refuses what it does not know") {
  test::Outcome full = hipconfig("--full");
  CHECK(full.code == 0);
  CHECK(full.mentions("HIP version  : 7.2."));
  CHECK(full.mentions("HIP_PATH     : " OMNIHIP_SDK_DIR));
  test::Outcome unknown = hipconfig("--colour");
  CHECK(unknown.code == 1);
  CHECK(unknown.mentions("--colour"));
}

TEST_CASE("hipconfig finds its tree from where it lies") {
  test::Folder folder;
  folder.write("share/hip/version", "HIP_VERSION_MAJOR=7\n");
  test::shell("mkdir -p '" + (folder / "bin") + "' && cp '" OMNIHIP_SDK_DIR "/bin/hipconfig' '" + (folder / "bin") +
              "'");
  CHECK(test::shell("'" + (folder / "bin/hipconfig") + "' --path").output == folder.path());
  test::shell("rm -r '" + (folder / "share") + "'");
  test::Outcome lost = test::shell("ROCM_PATH= HIP_PATH= '" + (folder / "bin/hipconfig") + "' --path");
  CHECK(lost.code == 1);
  CHECK(lost.mentions("share/hip/version"));
}

TEST_CASE("the compiler is the SDK's while its link to LLVM leads to one, and elsewhere when it leads nowhere") {
  test::Folder folder;
  folder.write("share/hip/version", "HIP_VERSION_MAJOR=7\n");
  for (const char* const file : {"compiler/bin/clang++", "compiler/bin/clang-22", "lib/llvm/bin/clang++"})
    folder.write(file, "");
  const std::string set_up = "mkdir bin && cp '" OMNIHIP_SDK_DIR "/bin/hipconfig' bin && "
                             "ln -s ../../../compiler/bin/clang-22 lib/llvm/bin/clang-22";
  REQUIRE(test::shell("cd '" + folder.path() + "' && " + set_up).code == 0);
  const std::string ask = "HIP_CLANG_PATH= '" + (folder / "bin/hipconfig") + "' --hipclangpath";
  CHECK(test::shell(ask).output == test::shell("printf %s \"$(realpath '" + (folder / "lib/llvm/bin") + "')\"").output);
  REQUIRE(test::shell("rm -r '" + (folder / "compiler") + "'").code == 0);
  CHECK(test::shell("test -x \"$(" + ask + ")/clang++\"").code == 0);
}
