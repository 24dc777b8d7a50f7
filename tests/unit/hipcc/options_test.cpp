// Command line -> arguments.
#include "command.h"
#include "options.h"

#include <catch2/catch.hpp>

using namespace hip::hipcc;
using Words = std::vector<std::string>;

TEST_CASE("an option keeps its value in every form") {
  auto parsed =
      parse_arguments({"-I", "a", "-Ib", "-o", "out", "-DX=1", "-Xarch_device", "-O1", "-mllvm", "-v", "file.hip"});
  REQUIRE(parsed.size() == 7);
  CHECK(parsed[0].id() == OptionId::IncludeDir);
  CHECK(parsed[0].value == "a");
  CHECK(parsed[0].words == Words{"-I", "a"});
  CHECK(parsed[1].value == "b");
  CHECK(parsed[1].words == Words{"-Ib"});
  CHECK(parsed[2].id() == OptionId::Output);
  CHECK(parsed[2].value == "out");
  CHECK(parsed[3].id() == OptionId::Define);
  CHECK(parsed[4].words == Words{"-Xarch_device", "-O1"});
  CHECK(parsed[5].words == Words{"-mllvm", "-v"});
  CHECK(parsed[6].id() == OptionId::Input);
}

TEST_CASE("the longest spelling decides") {
  CHECK(parse_arguments({"-fgpu-rdc"})[0].id() == OptionId::Rdc);
  CHECK(parse_arguments({"-fno-gpu-rdc"})[0].id() == OptionId::NoRdc);
  CHECK(parse_arguments({"-fgpu-flush-denormals-to-zero"})[0].id() == OptionId::Forward);
  CHECK(parse_arguments({"-MMD"})[0].id() == OptionId::DependencyFile);
  CHECK(parse_arguments({"-MM"})[0].id() == OptionId::DependenciesOnly);
  CHECK(parse_arguments({"-emit-llvm"})[0].id() == OptionId::EmitLlvm);
  CHECK(parse_arguments({"-Wl,-z,now"})[0].id() == OptionId::LinkInput);
  CHECK(parse_arguments({"-Wall"})[0].id() == OptionId::Forward);
  CHECK(parse_arguments({"-static-libstdc++"})[0].option->use == Use::Link);
  CHECK(parse_arguments({"-include-pch", "x"})[0].words.size() == 2);
}

TEST_CASE("what no row names is passed on and keeps headers out of the cache") {
  auto parsed = parse_arguments({"--some-new-option=3"});
  CHECK(parsed[0].id() == OptionId::Unknown);
  CHECK(parsed[0].option->use == Use::Any);
  CHECK(parsed[0].option->pch == Pch::Off);
  CHECK(parse_arguments({"-"})[0].id() == OptionId::Input);
}

TEST_CASE("after two dashes everything is an input") {
  auto parsed = parse_arguments({"--", "-O3", "--"});
  REQUIRE(parsed.size() == 2);
  CHECK(parsed[0].id() == OptionId::Input);
  CHECK(parsed[1].value == "--");
}

TEST_CASE("a missing value is an error that names the option") {
  CHECK_THROWS_WITH(parse_arguments({"-c", "-o"}), Catch::Contains("argument to '-o' is missing"));
  CHECK_THROWS_WITH(parse_arguments({"-Xclang"}), Catch::Contains("'-Xclang'"));
}

TEST_CASE("words are split as a shell splits them") {
  CHECK(split_words("a  b\tc\nd") == Words{"a", "b", "c", "d"});
  CHECK(split_words(R"(-DA="x y" 'p q'\ r "")") == Words{"-DA=x y", "p q r", ""});
  CHECK(split_words(R"("a\"b" 'c\d')") == Words{"a\"b", "c\\d"});
  CHECK(split_words("   ").empty());
}

TEST_CASE("response files are opened, nested, and not endlessly") {
  test::Folder folder;
  folder.write("outer", "-c @" + (folder / "inner") + "\n-O1");
  folder.write("inner", "-g 'a b.hip'");
  folder.write("loop", "@" + (folder / "loop"));
  CHECK(expand_response_files({"@" + (folder / "outer"), "x"}) == Words{"-c", "-g", "a b.hip", "-O1", "x"});
  CHECK(expand_response_files({"@" + (folder / "absent")}) == Words{"@" + (folder / "absent")});
  CHECK_THROWS_AS(expand_response_files({"@" + (folder / "loop")}), DriverError);
}
