// What the compiler tells: merging, and the text between the processes.
#include "convert.h"
#include "knowledge.h"

#include <catch2/catch.hpp>

using namespace hip::hipify;

namespace {

// The text that comes of a source when the compiler knows these bits of the tokens at these offsets.
std::string converted(std::string_view source, std::initializer_list<std::pair<uint32_t, TokenBits>> known,
                      std::vector<ByteRange> dead = {}) {
  FileKnowledge knowledge;
  for (const auto& [offset, bits] : known) knowledge.add(offset, bits);
  knowledge.add_reading(dead);
  ConvertOptions options;
  options.knowledge = &knowledge;
  options.skip_dead_code = true;
  return convert(source, options).text;
}

} // namespace

TEST_CASE("what no reading of a file compiles is dead") {
  FileKnowledge file;
  file.add_reading({{10, 20}, {30, 40}});
  CHECK(file.is_dead(10));
  CHECK(file.is_dead(19));
  CHECK_FALSE(file.is_dead(20));
  file.add_reading({{15, 35}});
  CHECK(file.dead() == std::vector<ByteRange>{{15, 20}, {30, 35}});
  file.add_reading({});
  CHECK(file.dead().empty());
  FileKnowledge other;
  other.add(3, kCudaName);
  other.add(3, kProgramName);
  CHECK_FALSE(other.was_read());
  other.merge(file);
  CHECK(other.was_read());
  CHECK(other.at(3) == (kCudaName | kProgramName));
  CHECK(other.at(4) == 0);
}

TEST_CASE("knowledge travels as text") {
  ProgramKnowledge program;
  program.files["/a b/c.cu"].add(7, kWideMask);
  program.files["/a b/c.cu"].add_reading({{1, 2}, {5, 9}});
  program.files["/a b/c.cu"].add(8, kAddressValue);
  program.files["/d.h"].add(1, kProgramName);
  program.missing_headers = {"my header.h"};
  program.errors = {{"/a b/c.cu", 12, 7, "no type\nhere"}};
  program.error_count = 3;
  program.complete = true;
  const std::string text = to_text(program);
  const ProgramKnowledge again = from_text(text);
  CHECK(again.complete);
  CHECK(again.files.size() == 2);
  CHECK(again.files.at("/a b/c.cu").at(7) == kWideMask);
  CHECK(again.files.at("/a b/c.cu").at(8) == kAddressValue);
  CHECK(again.files.at("/a b/c.cu").dead() == std::vector<ByteRange>{{1, 2}, {5, 9}});
  CHECK_FALSE(again.files.at("/d.h").was_read());
  CHECK(again.missing_headers == program.missing_headers);
  REQUIRE(again.errors.size() == 1);
  CHECK(again.errors[0].file == "/a b/c.cu");
  CHECK(again.errors[0].line == 12);
  CHECK(again.errors[0].column == 7);
  CHECK(again.errors[0].message == "no type here");
  CHECK(again.error_count == 3);
  // A process that ended early, anywhere.
  for (size_t size = 0; size + 1 < text.size(); ++size) CHECK_FALSE(from_text(text.substr(0, size)).complete);
}

TEST_CASE("what the compiler knows decides") {
  CHECK(converted("cudaFree(p);", {{0, kProgramName}}) == "cudaFree(p);");
  CHECK(converted("cudaFree(p);", {{0, kProgramName | kCudaName}}) == "hipFree(p);");
  CHECK(converted("cudaFree(p); cudaFree(q);", {{0, kProgramName}}) ==
        "cudaFree(p); cudaFree(q);"); // the other one as well
  CHECK(converted("cudaFree(p); cudaFree(q);", {{0, kProgramName}, {13, kCudaName}}) == "cudaFree(p); hipFree(q);");
  CHECK(converted("cudaFree(p);", {}) == "hipFree(p);");
  CHECK(converted("x.cudaFree(p); n::cudaFree(p); ::cudaFree(p);", {}) ==
        "x.cudaFree(p); n::cudaFree(p); ::hipFree(p);");
  CHECK(converted("#include \"cuda.h\"\n", {{9, kProgramName}}) == "#include \"cuda.h\"\n");
  CHECK(converted("cudaFree(p); cudaFree(q);", {}, {{0, 12}}) == "cudaFree(p); hipFree(q);");
  CHECK(converted("__any_sync(M, p);", {{0, kAllLanesMask}}) == "__any_sync(0xffffffffffffffffull, p);");
  CHECK(converted("__any_sync(m, p);", {{0, kNarrowMask}}) == "__any_sync((unsigned long long)(m), p);");
  CHECK(converted("__any_sync(m, p);", {{0, kWideMask}}) == "__any_sync(m, p);");
}
