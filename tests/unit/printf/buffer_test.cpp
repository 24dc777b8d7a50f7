#include "runtime/backend/aql/printf/printf_buffer.h"

#include "slots.h"
#include "test_seed.h"

#include <catch2/catch.hpp>
#include <random>

using namespace hip;
using namespace hip::aql;
using test::Slots;

namespace {

// A printf buffer, filled the way the device library does it.
class Buffer {
public:
  explicit Buffer(size_t bytes) : bytes_(bytes) { reset_printf_buffer(bytes_); }
  void constant(uint64_t hash, const Slots& arguments, uint32_t stream = 0) {
    std::vector<std::byte> body(8);
    std::memcpy(body.data(), &hash, 8);
    record(stream | 2, body, arguments);
  }
  void text(std::string_view format, const Slots& arguments) {
    const Slots body = Slots().text(format);
    record(0, body.bytes(), arguments);
  }
  std::span<std::byte> bytes() { return bytes_; }
  uint32_t word(size_t at) const {
    uint32_t value;
    std::memcpy(&value, bytes_.data() + at, 4);
    return value;
  }
  void set_word(size_t at, uint32_t value) { std::memcpy(bytes_.data() + at, &value, 4); }

private:
  void record(uint32_t bits, std::span<const std::byte> body, const Slots& arguments) {
    const auto size = static_cast<uint32_t>(4 + body.size() + arguments.bytes().size());
    const uint32_t used = word(0);
    set_word(0, used + size);
    if (used + size > word(4)) return; // no room: the count has grown all the same
    std::byte* at = bytes_.data() + 8 + used;
    const uint32_t control = size << 2 | bits;
    std::memcpy(at, &control, 4);
    std::memcpy(at + 4, body.data(), body.size());
    if (!arguments.bytes().empty())
      std::memcpy(at + 4 + body.size(), arguments.bytes().data(), arguments.bytes().size());
  }
  std::vector<std::byte> bytes_;
};

const std::vector<codeobject::PrintfFormat> kFormats = {{.hash = 11, .arg_sizes = {}, .format = "value %d, %f\n"},
                                                        {.hash = 22, .arg_sizes = {}, .format = "plain\n"}};

struct Printed {
  std::string out, err;
  Status status;
};
Printed print(Buffer& buffer) {
  Printed printed;
  printed.status = print_printf_buffer(buffer.bytes(), kFormats, [&](PrintfStream stream, std::string_view text) {
    (stream == PrintfStream::Stderr ? printed.err : printed.out) += text;
  });
  return printed;
}

} // namespace

TEST_CASE("printf buffer: records in order", "[printf]") {
  Buffer buffer(1024);
  CHECK_FALSE(printf_buffer_used(buffer.bytes()));
  buffer.constant(11, Slots().add(int64_t{7}).add(0.5));
  buffer.constant(22, {}, 1);
  buffer.text("inline %s|%d\n", Slots().text("text").add(int64_t{-1}));
  CHECK(printf_buffer_used(buffer.bytes()));
  const Printed printed = print(buffer);
  INFO(printed.status.to_string());
  CHECK(printed.status.ok());
  CHECK(printed.out == "value 7, 0.500000\ninline text|-1\n");
  CHECK(printed.err == "plain\n");
  reset_printf_buffer(buffer.bytes());
  CHECK_FALSE(printf_buffer_used(buffer.bytes()));
  CHECK(print(buffer).out.empty());
}

TEST_CASE("printf buffer: overflow prints what fits and says so", "[printf]") {
  Buffer buffer(8 + 40);
  for (int i = 0; i < 5; ++i) buffer.constant(22, {});
  const Printed printed = print(buffer);
  CHECK(printed.out == "plain\nplain\nplain\n");
  CHECK(printed.status.code() == ErrorCode::OutOfMemory);
}

TEST_CASE("printf buffer: records that cannot be", "[printf]") {
  Buffer buffer(1024);
  buffer.constant(22, {});
  buffer.constant(33, {});
  SECTION("unknown format") {}
  SECTION("size zero") { buffer.set_word(8 + 12, 0); }
  SECTION("size beyond the used bytes") { buffer.set_word(8 + 12, 4000 << 2); }
  SECTION("too small for a hash") { buffer.set_word(8 + 12, 8 << 2 | 2); }
  SECTION("inline format without an end") {
    buffer.set_word(8 + 12, 12 << 2);
    buffer.set_word(8 + 16, 0x41414141);
    buffer.set_word(8 + 20, 0x41414141);
  }
  const Printed printed = print(buffer);
  CHECK(printed.out == "plain\n");
  CHECK(printed.status.code() == ErrorCode::InvalidValue);
}

TEST_CASE("printf buffer: random contents", "[printf]") {
  std::mt19937 random(hip::testing::seeded(7));
  for (int round = 0; round < 5000; ++round) {
    Buffer buffer(8 + random() % 128);
    for (std::byte& b : buffer.bytes()) b = static_cast<std::byte>(random() % 4 ? random() % 32 : random());
    if (random() % 2) buffer.set_word(0, static_cast<uint32_t>(random() % 200));
    (void)print(buffer);
  }
  const std::byte short_buffer[7] = {std::byte{1}};
  for (size_t size = 0; size <= sizeof(short_buffer); ++size)
    CHECK(print_printf_buffer(std::span(short_buffer, size), kFormats, [](PrintfStream, std::string_view) {}).code() ==
          ErrorCode::InvalidValue);
}
