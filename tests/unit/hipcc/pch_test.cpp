// The header cache: used when it may be, never when stale, never changing a program. Works on a small SDK of its own,
// so that headers can be edited; only host code is compiled, which needs no device library.
#include "command.h"
#include "pch_cache.h"
#include "pch_manifest.h"
#include "preamble.h"

#include <catch2/catch.hpp>
#include <filesystem>

using namespace hip::hipcc;

namespace {

// A folder with an SDK whose hip_runtime.h says value() is 1, and a source that returns it.
class SmallSdk : public test::Folder {
public:
  SmallSdk() {
    write("sdk/share/hip/version", "HIP_VERSION_MAJOR=7\nHIP_VERSION_MINOR=2\nHIP_VERSION_PATCH=0\n");
    write("sdk/include/hip/hip_version.h",
          "#define HIP_VERSION_MAJOR 7\n#define HIP_VERSION_MINOR 2\n#define HIP_VERSION_PATCH 0\n");
    set_value(1);
    write("a.hip", "// A comment.\n#include <hip/hip_runtime.h>\nint answer() { return value(); }\n");
  }
  void set_value(int value) const {
    write("sdk/include/hip/hip_runtime.h", "#pragma once\n#include \"part.h\"\n#ifndef TIMES\n#define TIMES "
                                           "1\n#endif\ninline int value() { return TIMES * " +
                                               std::to_string(value) + "; }\n");
    write("sdk/include/hip/part.h", "// edited with the rest: " + std::string(static_cast<size_t>(value), '.') + "\n");
  }
  test::Outcome compile(const std::string& options = "") const {
    return test::hipcc(path(),
                       "--rocm-path=" + path() + "/sdk --offload-host-only --offload-arch=gfx942 -v -c a.hip -o a.o " +
                           options,
                       *this / "cache");
  }
  // Compiles, and checks that the object is the one that a compilation without the cache makes.
  test::Outcome compile_both_ways(const std::string& options = "") const {
    test::Outcome with = compile(options);
    INFO(with.output);
    REQUIRE(with.code == 0);
    std::string object = read("a.o");
    test::Outcome without = compile(options + " --no-hip-pch");
    REQUIRE(without.code == 0);
    CHECK_FALSE(used_pch(without));
    CHECK(object == read("a.o"));
    return with;
  }
  // Compiles until the cached header exists.
  void warm_up(const std::string& options = "") const {
    compile(options);
    compile(options);
    REQUIRE(used_pch(compile(options)));
  }
  static bool used_pch(const test::Outcome& outcome) { return outcome.mentions("\"-include-pch\""); }
};

} // namespace

TEST_CASE("the includes before hip_runtime.h count while they are the standard library's") {
  using Names = std::vector<std::string>;
  CHECK(leading_includes("#include <hip/hip_runtime.h>\n") == Names{"hip/hip_runtime.h"});
  CHECK(leading_includes("/* licence\n */\n\n// note\n  # include \"hip/hip_runtime.h\"\nint x;") ==
        Names{"hip/hip_runtime.h"});
  CHECK(leading_includes(
            "#include <cstdio> // printf\n#include<vector>\n#include <hip/hip_runtime.h>\n#include <map>\n") ==
        Names{"cstdio", "vector", "hip/hip_runtime.h"});
  for (const char* text :
       {"#include \"own.h\"\n#include <hip/hip_runtime.h>\n", "#include <own.h>\n#include <hip/hip_runtime.h>\n",
        "#include \"cstdio\"\n#include <hip/hip_runtime.h>\n", "#define NDEBUG\n#include <hip/hip_runtime.h>\n",
        "#include <cstdio>\n#define X\n#include <hip/hip_runtime.h>\n", "#ifdef X\n#include <hip/hip_runtime.h>\n",
        "#pragma once\n#include <hip/hip_runtime.h>\n", "// a comment that goes on \\\n#include <hip/hip_runtime.h>\n",
        "int x;\n#include <hip/hip_runtime.h>\n", "/* never closed #include <hip/hip_runtime.h>",
        "#include <hip/hip_runtime_api.h>\n", "#include <cstdio>\n", "#include <cstdio\n", "#", ""}) {
    INFO(text);
    CHECK(leading_includes(text).empty());
  }
}

TEST_CASE("a manifest survives writing, and damage is noticed") {
  PchManifest manifest{"key with\nlines", "x.pch", {{"/usr/include/a b.h", 123456789012345, 42, 13}}, {"tbb/tbb.h"}};
  auto again = PchManifest::from_text(manifest.to_text());
  REQUIRE(again);
  CHECK(again->key == manifest.key);
  CHECK(again->pch == "x.pch");
  REQUIRE(again->files.size() == 1);
  CHECK(again->files[0].path == "/usr/include/a b.h");
  CHECK(again->files[0].name_at == 13);
  CHECK(again->probes == manifest.probes);
  std::string text = manifest.to_text();
  for (size_t size = 0; size < text.size() - 1; ++size) CHECK_FALSE(PchManifest::from_text(text.substr(0, size)));
}

TEST_CASE("a cached header appears at the second use and changes no object") {
  SmallSdk sdk;
  CHECK_FALSE(SmallSdk::used_pch(sdk.compile_both_ways()));
  CHECK(sdk.list("cache/omnihip/pch", ".pch").empty());
  CHECK(SmallSdk::used_pch(sdk.compile_both_ways()));
  CHECK(sdk.list("cache/omnihip/pch", ".pch").size() == 1);
  CHECK(SmallSdk::used_pch(sdk.compile_both_ways()));
}

TEST_CASE("an edited header is parsed again") {
  SmallSdk sdk;
  sdk.warm_up();
  sdk.set_value(2);
  std::string before = sdk.read("a.o");
  sdk.compile_both_ways();
  CHECK(sdk.read("a.o") != before);
  CHECK(SmallSdk::used_pch(sdk.compile_both_ways()));
  CHECK(sdk.list("cache/omnihip/pch", ".pch").size() == 1); // the old one is gone
}

TEST_CASE("a header of the same size and another time is parsed again") {
  SmallSdk sdk;
  sdk.warm_up();
  sdk.set_value(7); // one digit, as before
  std::string before = sdk.read("a.o");
  sdk.compile_both_ways();
  CHECK(sdk.read("a.o") != before);
}

TEST_CASE("macros and options are part of the key") {
  SmallSdk sdk;
  sdk.warm_up();
  CHECK_FALSE(SmallSdk::used_pch(sdk.compile_both_ways("-DTIMES=5")));
  CHECK_FALSE(SmallSdk::used_pch(sdk.compile_both_ways("-std=c++20")));
  CHECK_FALSE(SmallSdk::used_pch(sdk.compile_both_ways("-O0")));
  CHECK_FALSE(SmallSdk::used_pch(sdk.compile_both_ways("-ffast-math")));
  CHECK(SmallSdk::used_pch(sdk.compile_both_ways("-Wall -Wextra"))); // warnings are not
}

TEST_CASE("options that may change the parse in ways of their own keep it off") {
  SmallSdk sdk;
  sdk.warm_up();
  sdk.write("first.h", "#define TIMES 3\n");
  for (const char* option : {"-include first.h", "-imacros first.h", "-Xclang -DTIMES=4", "-Wp,-DTIMES=4"}) {
    INFO(option);
    CHECK_FALSE(SmallSdk::used_pch(sdk.compile_both_ways(option)));
  }
}

TEST_CASE("a file that an include folder puts before a cached one keeps it off") {
  SmallSdk sdk;
  sdk.warm_up();
  sdk.write("inc/own.h", "");
  CHECK(SmallSdk::used_pch(sdk.compile_both_ways("-Iinc")));
  sdk.write("inc/hip/hip_runtime.h", "inline int value() { return 9; }\n");
  CHECK_FALSE(SmallSdk::used_pch(sdk.compile_both_ways("-Iinc")));
  sdk.write("inc2/algorithm", "#define TIMES 8\n#include_next <algorithm>\n");
  CHECK_FALSE(SmallSdk::used_pch(sdk.compile_both_ways("-isystem inc2")));
}

TEST_CASE("a file beside the source wins over the SDK's only when it is there") {
  SmallSdk sdk;
  sdk.write("a.hip", "#include \"hip/hip_runtime.h\"\nint answer() { return value(); }\n");
  sdk.warm_up();
  sdk.write("hip/hip_runtime.h", "inline int value() { return 9; }\n");
  std::string before = sdk.read("a.o");
  sdk.compile_both_ways();
  CHECK(sdk.read("a.o") != before);
}

TEST_CASE("a source with other first lines still shares the wrapper's parse") {
  SmallSdk sdk;
  sdk.write("a.hip",
            "#define TIMES 6\n#include <cstdio>\n#include <hip/hip_runtime.h>\nint answer() { return value(); }\n");
  sdk.warm_up();
  sdk.compile_both_ways();
}

TEST_CASE("standard headers first join the cached header, unless the current folder holds such a name") {
  SmallSdk sdk;
  sdk.write("a.hip", "#include <cassert>\n#include <vector>\n#include <hip/hip_runtime.h>\n"
                     "int answer() { assert(value()); return int(std::vector<int>{value()}.size()); }\n");
  sdk.write("vector", "#error not this one\n");
  sdk.compile_both_ways();
  CHECK_FALSE(SmallSdk::used_pch(sdk.compile_both_ways()));
  test::shell("rm '" + (sdk / "vector") + "'");
  sdk.warm_up();
  sdk.compile_both_ways();
  sdk.write("vector", "#error not this one\n"); // found by no #include <vector>
  CHECK(SmallSdk::used_pch(sdk.compile_both_ways()));
  CHECK_FALSE(SmallSdk::used_pch(sdk.compile_both_ways("-DNDEBUG")));
}

TEST_CASE("errors are clang's, word for word, with and without the cache") {
  SmallSdk sdk;
  sdk.warm_up();
  sdk.write("a.hip", "#include <hip/hip_runtime.h>\nint answer() { return valeu(); }\n");
  std::string options = "--rocm-path=" + sdk.path() + "/sdk --offload-host-only --offload-arch=gfx942 -c a.hip ";
  test::Outcome with = test::hipcc(sdk.path(), options, sdk / "cache"),
                without = test::hipcc(sdk.path(), options + "--no-hip-pch", sdk / "cache");
  CHECK(with.code == 1);
  CHECK(with.mentions("error: use of undeclared identifier 'valeu'"));
  CHECK(with.output == without.output);
  CHECK(with.code == without.code);
}

TEST_CASE("warnings with the cache are those without it") {
  SmallSdk sdk;
  sdk.write("a.hip", "#include <hip/hip_runtime.h>\nint answer(int unused) { int i; return value(); }\n");
  sdk.warm_up("-Wall -Wextra");
  std::string options =
      "--rocm-path=" + sdk.path() + "/sdk --offload-host-only --offload-arch=gfx942 -Wall -Wextra -c a.hip ";
  test::Outcome with = test::hipcc(sdk.path(), options, sdk / "cache"),
                without = test::hipcc(sdk.path(), options + "--no-hip-pch", sdk / "cache");
  CHECK(with.mentions("unused variable 'i'"));
  CHECK(with.output == without.output);
}

TEST_CASE("a damaged cache costs time and nothing else") {
  SmallSdk sdk;
  sdk.warm_up();
  for (const std::string& name : sdk.list("cache/omnihip/pch", ".pch"))
    sdk.write("cache/omnihip/pch/" + name, "garbage");
  sdk.compile_both_ways();
  for (const std::string& name : sdk.list("cache/omnihip/pch", ".manifest"))
    sdk.write("cache/omnihip/pch/" + name, "garbage");
  sdk.compile_both_ways();
  CHECK(SmallSdk::used_pch(sdk.compile_both_ways()));
  for (const std::string& name : sdk.list("cache/omnihip/pch", ".pch"))
    test::shell("rm '" + sdk.path() + "/cache/omnihip/pch/" + name + "'");
  sdk.compile_both_ways();
}

TEST_CASE("the environment switches it off") {
  SmallSdk sdk;
  sdk.warm_up();
  for (const char* setting : {"OMNIHIP_NO_PCH=1", "CPATH=/usr/include", "CPLUS_INCLUDE_PATH=/usr/include"}) {
    INFO(setting);
    test::Outcome outcome = test::shell("cd " + sdk.path() + " && unset OMNIHIP_CACHE_DIR && XDG_CACHE_HOME=" + sdk.path() + "/cache " + setting +
                                        " '" OMNIHIP_SDK_DIR "/bin/hipcc' --rocm-path=" + sdk.path() +
                                        "/sdk --offload-host-only --offload-arch=gfx942 -v -c a.hip");
    CHECK_FALSE(SmallSdk::used_pch(outcome));
  }
}

TEST_CASE("OMNIHIP_CACHE_DIR chooses the folder") {
  SmallSdk sdk;
  std::string line = "cd " + sdk.path() + " && export XDG_CACHE_HOME=" + sdk.path() + "/cache OMNIHIP_CACHE_DIR=" +
                     sdk.path() + "/chosen; for r in 1 2; do '" OMNIHIP_SDK_DIR
                     "/bin/hipcc' --rocm-path=sdk --offload-host-only --offload-arch=gfx942 -c a.hip -o a.o; done";
  CHECK(test::shell(line).output.empty());
  CHECK(sdk.list("chosen/pch", ".pch").size() == 1);
  CHECK_FALSE(std::filesystem::exists(sdk.path() + "/cache"));
}

TEST_CASE("many processes at once share one cache") {
  SmallSdk sdk;
  std::string line = "cd " + sdk.path() + " && unset OMNIHIP_CACHE_DIR && export XDG_CACHE_HOME=" + sdk.path() + "/cache; for r in 1 2; do ";
  for (int i = 0; i < 4; ++i)
    line += "'" OMNIHIP_SDK_DIR "/bin/hipcc' --rocm-path=sdk --offload-host-only --offload-arch=gfx942 -c a.hip -o " +
            std::to_string(i) + ".o & ";
  test::Outcome outcome = test::shell(line + " wait; done");
  CHECK(outcome.output.empty());
  for (int i = 1; i < 4; ++i) CHECK(sdk.read(std::to_string(i) + ".o") == sdk.read("0.o"));
  CHECK_FALSE(sdk.read("0.o").empty());
  CHECK(sdk.list("cache/omnihip/pch", ".pch").size() <= 1);
}
