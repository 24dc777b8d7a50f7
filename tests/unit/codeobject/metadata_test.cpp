#include "runtime/codeobject/metadata.h"

#include "runtime/codeobject/msgpack.h"
#include "test_data.h"

#include <catch2/catch.hpp>

using namespace hip;
using namespace hip::codeobject;
using test::ByteVector;

namespace {

// Writes MessagePack; what the reader must understand, made independently of it.
class Writer {
public:
  Writer& raw(std::initializer_list<int> bytes) {
    for (const int b : bytes) bytes_.push_back(static_cast<std::byte>(b));
    return *this;
  }
  Writer& map(unsigned pairs) { return raw({0xde, static_cast<int>(pairs >> 8), static_cast<int>(pairs & 255)}); }
  Writer& array(unsigned elements) {
    return raw({0xdc, static_cast<int>(elements >> 8), static_cast<int>(elements & 255)});
  }
  Writer& text(std::string_view t) {
    raw({0xd9, static_cast<int>(t.size())});
    for (const char c : t) bytes_.push_back(static_cast<std::byte>(c));
    return *this;
  }
  Writer& number(uint32_t n) {
    return raw({0xce, static_cast<int>(n >> 24), static_cast<int>(n >> 16 & 255), static_cast<int>(n >> 8 & 255),
                static_cast<int>(n & 255)});
  }
  Writer& flag(bool value) { return raw({value ? 0xc3 : 0xc2}); }
  Bytes bytes() const { return bytes_; }

private:
  ByteVector bytes_;
};

// A root with the version and one kernel whose map has `extra` more pairs, to be written by the caller.
Writer root_with_kernel(unsigned extra, uint32_t kernarg_size = 16) {
  Writer w;
  w.map(2).text("amdhsa.version").array(2).number(1).number(2).text("amdhsa.kernels").array(1).map(4 + extra);
  w.text(".name").text("k").text(".symbol").text("k.kd").text(".kernarg_segment_align").number(8);
  w.text(".kernarg_segment_size").number(kernarg_size);
  return w;
}
Writer& arg(Writer& w, uint32_t offset, uint32_t size, std::string_view kind) {
  return w.map(3).text(".offset").number(offset).text(".size").number(size).text(".value_kind").text(kind);
}

std::string failure(const Writer& w) {
  const test::GuardedBytes guarded(w.bytes());
  const auto metadata = parse_metadata(guarded.bytes());
  if (metadata.ok()) return "";
  CHECK(metadata.status().code() == ErrorCode::InvalidImage);
  return metadata.status().message();
}
bool says(const Writer& w, std::string_view part) {
  const std::string text = failure(w);
  INFO(text);
  CHECK(text.find(part) != std::string::npos);
  return text.find(part) != std::string::npos;
}

} // namespace

TEST_CASE("MessagePack: every encoding", "[codeobject][msgpack]") {
  using Type = MsgPackReader::Type;
  const ByteVector bytes = [] {
    Writer w;
    w.raw({0x05}).raw({0xff}).raw({0xcc, 200}).raw({0xcd, 1, 0}).raw({0xcf, 0, 0, 0, 1, 0, 0, 0, 0});
    w.raw({0xd0, 0x80})
        .raw({0xd1, 0xff, 0xfe})
        .raw({0xd2, 0x7f, 0xff, 0xff, 0xff})
        .raw({0xd3, 255, 255, 255, 255, 255, 255, 255, 255});
    w.raw({0xc0}).raw({0xc2}).raw({0xc3}).raw({0xca, 0x3f, 0x80, 0, 0}).raw({0xcb, 0xc0, 0, 0, 0, 0, 0, 0, 0});
    w.raw({0xa2, 'h', 'i'}).raw({0xda, 0, 1, 'x'}).raw({0xc4, 1, 9}).raw({0xd4, 7, 8}).raw({0xc7, 2, 1, 3, 4});
    w.raw({0x92, 1, 2}).raw({0x81, 0xa1, 'k', 1});
    return ByteVector(w.bytes().begin(), w.bytes().end());
  }();
  MsgPackReader reader(bytes);
  const std::pair<Type, uint64_t> numbers[] = {{Type::UInt, 5},
                                               {Type::Int, UINT64_MAX},
                                               {Type::UInt, 200},
                                               {Type::UInt, 256},
                                               {Type::UInt, uint64_t{1} << 32},
                                               {Type::Int, static_cast<uint64_t>(-128)},
                                               {Type::Int, static_cast<uint64_t>(-2)},
                                               {Type::UInt, INT32_MAX},
                                               {Type::Int, UINT64_MAX}};
  for (const auto& [type, value] : numbers) {
    const auto token = reader.next();
    REQUIRE(token);
    CHECK(token->type == type);
    CHECK(token->number == value);
  }
  CHECK(reader.next()->is(Type::Nil));
  CHECK_FALSE(reader.next()->flag);
  CHECK(reader.next()->flag);
  CHECK(reader.next()->real == 1.0);
  CHECK(reader.next()->real == -2.0);
  CHECK(reader.next()->text() == "hi");
  CHECK(reader.next()->text() == "x");
  CHECK(reader.next()->payload.size() == 1);
  CHECK(reader.next()->is(Type::Extension));
  CHECK(reader.next()->payload.size() == 3);
  CHECK(reader.skip_value());
  CHECK(reader.skip_value());
  CHECK(reader.offset() == bytes.size());
  CHECK_FALSE(reader.next());
}

TEST_CASE("MessagePack: hostile sizes and nesting", "[codeobject][msgpack]") {
  SECTION("counts beyond the bytes") {
    for (const auto& bad : {std::initializer_list<int>{0xdd, 255, 255, 255, 255},
                            {0xdf, 255, 255, 255, 255},
                            {0xdb, 255, 255, 255, 255, 1},
                            {0xc6, 0, 0, 0, 2, 1},
                            {0xc9, 255, 255, 255, 255, 0},
                            {0x9f},
                            {0xc1},
                            {0xcd, 1},
                            {0xbf, 'a'}}) {
      Writer w;
      w.raw(bad);
      const test::GuardedBytes guarded(w.bytes());
      MsgPackReader reader(guarded.bytes());
      CHECK_FALSE(reader.skip_value());
    }
  }
  SECTION("a million nested arrays cost no stack") {
    ByteVector nested(1'000'000, std::byte{0x91});
    nested.push_back(std::byte{0xc0});
    MsgPackReader reader(nested);
    CHECK(reader.skip_value());
    nested.pop_back();
    MsgPackReader cut(nested);
    CHECK_FALSE(cut.skip_value());
  }
}

TEST_CASE("metadata: kernels and arguments", "[codeobject][metadata]") {
  Writer w = root_with_kernel(4, 32);
  w.text(".unknown_key").array(2).map(1).text("a").flag(true).number(3); // skipped
  w.text(".reqd_workgroup_size").array(3).number(8).number(4).number(2).text(".uses_dynamic_stack").flag(true);
  w.text(".args").array(3);
  arg(arg(arg(w, 24, 4, "hidden_block_count_x"), 8, 8, "global_buffer"), 0, 4, "by_value");
  const auto metadata = parse_metadata(w.bytes());
  INFO(metadata.status().to_string());
  REQUIRE(metadata.ok());
  const KernelInfo& kernel = metadata.value().kernels.at(0);
  CHECK(kernel.name == "k");
  CHECK(kernel.uses_dynamic_stack);
  CHECK(kernel.reqd_workgroup_size == std::array<uint32_t, 3>{8, 4, 2});
  CHECK(kernel.explicit_args == 2);
  REQUIRE(kernel.args.size() == 3);
  CHECK(kernel.args[0].offset == 0);
  CHECK(kernel.args[2].kind == ArgKind::HiddenBlockCountX);
}

TEST_CASE("metadata: every argument kind by its text", "[codeobject][metadata]") {
  for (unsigned i = 0; i <= static_cast<unsigned>(ArgKind::HiddenQueuePtr); ++i) {
    const auto kind = static_cast<ArgKind>(i);
    Writer w = root_with_kernel(1);
    w.text(".args").array(1);
    arg(w, 0, 8, arg_kind_text(kind));
    const auto metadata = parse_metadata(w.bytes());
    REQUIRE(metadata.ok());
    CHECK(metadata.value().kernels[0].args[0].kind == kind);
    CHECK(is_hidden(kind) == std::string_view(arg_kind_text(kind)).starts_with("hidden_"));
  }
}

TEST_CASE("metadata: what is refused", "[codeobject][metadata]") {
  Writer w;
  SECTION("nothing") { CHECK(says(w, "root is not a map")); }
  SECTION("a root that is an array") { CHECK(says(w.array(0), "root is not a map")); }
  SECTION("no version") { CHECK(says(w.map(0), "amdhsa.version")); }
  SECTION("foreign version") {
    CHECK(says(w.map(1).text("amdhsa.version").array(2).number(2).number(0), "amdhsa.version is 2.0"));
  }
  SECTION("long version") {
    CHECK(says(w.map(1).text("amdhsa.version").array(3).number(1).number(0).number(0), "more than two"));
  }
  SECTION("kernels that are a number") { CHECK(says(w.map(1).text("amdhsa.kernels").number(3), "not an array")); }
  SECTION("a key that is a number") { CHECK(says(w.map(1).number(1).number(3), "key of the root")); }
  SECTION("kernel without a name") {
    w.map(1).text("amdhsa.kernels").array(1).map(1).text(".kernarg_segment_align").number(8);
    CHECK(says(w, ".name"));
  }
  SECTION("argument outside the kernarg segment") {
    w = root_with_kernel(1);
    arg(w.text(".args").array(1), 12, 8, "by_value");
    CHECK(says(w, "offset 12"));
  }
  SECTION("argument offset that overflows") {
    w = root_with_kernel(1);
    arg(w.text(".args").array(1), UINT32_MAX, 8, "by_value");
    CHECK(says(w, "leaves the kernarg segment"));
  }
  SECTION("argument of unknown kind") {
    w = root_with_kernel(1);
    arg(w.text(".args").array(1), 0, 8, "by_magic");
    CHECK(says(w, "by_magic"));
  }
  SECTION("argument without size") {
    w = root_with_kernel(1);
    w.text(".args").array(1).map(1).text(".offset").number(0);
    CHECK(says(w, ".size"));
  }
  SECTION("four block dimensions") {
    w = root_with_kernel(1);
    w.text(".reqd_workgroup_size").array(4).number(1).number(1).number(1).number(1);
    CHECK(says(w, "more than three"));
  }
  SECTION("odd alignment") {
    w = root_with_kernel(1);
    CHECK(says(w.text(".kernarg_segment_align").number(12), "power of two"));
  }
  SECTION("wave of 48 lanes") {
    w = root_with_kernel(1);
    CHECK(says(w.text(".wavefront_size").number(48), "48"));
  }
  SECTION("negative size") {
    w = root_with_kernel(1);
    CHECK(says(w.text(".group_segment_fixed_size").raw({0xff}), ".group_segment_fixed_size"));
  }
  SECTION("size beyond 32 bits") {
    w = root_with_kernel(1);
    CHECK(says(w.text(".private_segment_fixed_size").raw({0xcf, 1, 0, 0, 0, 0, 0, 0, 0}), "32 bits"));
  }
}

TEST_CASE("metadata: printf formats of both lowerings", "[codeobject][metadata]") {
  const auto format_of = [](std::string_view entry) {
    Writer w;
    w.map(2).text("amdhsa.version").array(2).number(1).number(1).text("amdhsa.printf").array(1).text(entry);
    return parse_metadata(w.bytes());
  };
  const auto hip = format_of("0:0:13b6eeb5f43907e1,a: %d,\n");
  REQUIRE(hip.ok());
  CHECK(hip.value().printf_formats[0].hash == 0x13b6eeb5f43907e1u);
  CHECK(hip.value().printf_formats[0].format == "a: %d,\n");
  const auto opencl = format_of("7:2:4:8:x=%d\\n %s\\\\");
  REQUIRE(opencl.ok());
  CHECK(opencl.value().printf_formats[0].id == 7);
  CHECK(opencl.value().printf_formats[0].arg_sizes == std::vector<uint32_t>{4, 8});
  CHECK(opencl.value().printf_formats[0].format == "x=%d\n %s\\");
  for (const char* bad : {"", "x", "1", "1:", "1:2:4", "1:99999999999999999999:", "-1:0:x"}) {
    INFO(bad);
    CHECK(format_of(bad).status().code() == ErrorCode::InvalidImage);
  }
}
