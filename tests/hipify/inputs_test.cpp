// Command lines and compilation databases.
#include "compile_commands.h"
#include "options.h"

#include <catch2/catch.hpp>

using namespace hip::hipify;
using Words = std::vector<std::string>;

TEST_CASE("options with one dash or two, and values in both forms") {
  const Options options =
      parse_options({"-o=out.cpp", "--print-stats", "a.cu", "-whitelist", "cudaA,cudaB", "--exclude-dirs=x,,y",
                     "-quiet-warnings", "-j", "3", "-roc", "--hip-kernel-execution-syntax"});
  CHECK(options.destination == Options::Destination::File);
  CHECK(options.output == "out.cpp");
  CHECK(options.print_stats);
  CHECK(options.inputs == Words{"a.cu"});
  CHECK(options.convert.whitelist.contains("cudaA"));
  CHECK(options.convert.whitelist.contains("cudaB"));
  CHECK(options.excluded_directories == Words{"x", "y"});
  CHECK(options.quiet_warnings);
  CHECK(options.jobs == 3);
  CHECK(options.convert.libraries == Libraries::Roc);
  CHECK(options.convert.launches == LaunchSyntax::Hip);
}

TEST_CASE("-examine and -no-output win over where the result would go") {
  CHECK(parse_options({"-examine", "a.cu"}).destination == Options::Destination::Nowhere);
  CHECK(parse_options({"-examine", "a.cu"}).print_stats);
  CHECK(parse_options({"-inplace", "-no-output", "a.cu"}).destination == Options::Destination::Nowhere);
  CHECK(parse_options({"-"}).inputs == Words{"-"});
}

TEST_CASE("options of hipify-clang that have no effect here are remembered") {
  const Options options =
      parse_options({"a.cu", "-I", "x", "-Iy", "-DA=1", "--cuda-path=/usr", "--", "-x", "cuda", "b.cu"});
  CHECK(options.inputs == Words{"a.cu"});
  CHECK(options.ignored == Words{"'-I'", "'-I'", "'-D'", "'-cuda-path'", "what follows '--'"});
}

TEST_CASE("wrong command lines") {
  for (const Words& words :
       {Words{}, Words{"-o"}, Words{"-nonsense", "a.cu"}, Words{"-o", "a", "-inplace", "b.cu"}, Words{"-j=0", "a.cu"},
        Words{"-j=x", "a.cu"}, Words{"-roc=1", "a.cu"}, Words{"-doc-roc", "a.cu"}, Words{"-o=", "a.cu"}}) {
    CHECK_THROWS_AS(parse_options(words), HipifyError);
  }
  CHECK(parse_options({"-help"}).request == Options::Request::Help);
  CHECK(parse_options({"--version"}).request == Options::Request::Version);
}

TEST_CASE("compilation databases") {
  const char* json = R"([
    {"directory": "/build", "command": "nvcc -c \"a b.cu\" -DX='a\"b' c\\ d", "file": "../src/a b.cu"},
    {"file": "/src/\u00e9.cpp", "arguments": ["cc", "-c", {"x": [1, -2.5e3, true, null]}], "directory": "/build", "output": ""},
    {"directory": "/src", "file": "a b.cu"}
  ])";
  const auto files = read_compile_commands(json, "x.json");
  REQUIRE(files.size() == 2);
  CHECK(files[0].file == "/src/a b.cu");
  CHECK(files[1].file == "/src/\xc3\xa9.cpp");
  CHECK(files[0].directory == "/build");
  CHECK(files[0].words == std::vector<std::string>{"-c", "a b.cu", "-DX=a\"b", "c d"});
  CHECK(files[1].words == std::vector<std::string>{"-c"});
  CHECK(read_compile_commands(" [ ] ", "x.json").empty());
  for (const char* wrong :
       {"", "{}", "[", "[{}]", "[{\"file\": 1}]", "[{\"file\": \"a\"", "[{\"file\": \"\\u12\"}]", "[{\"file\": \"a\\"})
    CHECK_THROWS_AS(read_compile_commands(wrong, "x.json"), HipifyError);
}
