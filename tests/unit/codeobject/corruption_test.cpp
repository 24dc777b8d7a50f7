// Damaged files: whatever the bytes, parsing and loading end with a value that is consistent or with an error, and
// never read outside the file (it ends at an unmapped page) or write outside the image (so does its memory).
#include "runtime/codeobject/bundle.h"
#include "runtime/codeobject/loader.h"
#include "test_data.h"
#include "test_seed.h"

#include <catch2/catch.hpp>
#include <random>

using namespace hip;
using namespace hip::codeobject;
using test::ByteVector;
using test::GuardedBytes;

namespace {

constexpr uint64_t kLargestImage = 1 << 20;

// Parses, uses everything that the code object offers, and loads. Returns whether the file was accepted.
bool exercise(Bytes file) {
  const auto parsed = CodeObject::parse(file);
  if (!parsed.ok()) {
    REQUIRE_FALSE(parsed.status().message().empty());
    return false;
  }
  const CodeObject& code = parsed.value();
  const auto inside = [&](uint64_t address, uint64_t size) {
    return address >= code.image_begin() && address <= code.image_end() && size <= code.image_end() - address;
  };
  for (const Kernel& kernel : code.kernels()) {
    REQUIRE(inside(kernel.descriptor_address, 64));
    REQUIRE(inside(kernel.entry_address, 4));
    for (const KernelArg& arg : kernel.info.args)
      REQUIRE(uint64_t{arg.offset} + arg.size <= kernel.info.kernarg_segment_size);
    REQUIRE(code.find_kernel(kernel.info.name) != nullptr);
  }
  for (const Symbol& symbol : code.symbols())
    if (symbol.is_in_image()) REQUIRE(inside(symbol.address, symbol.size));
  for (const ManagedVariable& variable : code.managed_variables())
    for (const Symbol* symbol : {variable.pointer, variable.storage}) REQUIRE(inside(symbol->address, symbol->size));
  if (code.image_end() - code.image_begin() <= kLargestImage) {
    GuardedBytes memory(ByteVector(code.image_end() - code.image_begin()));
    const auto image = place_image(code, {memory.writable(), code.image_align() * 16});
    if (!image.ok()) REQUIRE_FALSE(image.status().message().empty());
  }
  return true;
}

} // namespace

TEST_CASE("code object cut at every 1/64th", "[codeobject][corruption]") {
  const auto data = test::load_data(GENERATE("gfx942_v4.co", "gfx942_v6.co", "gfx942_printf.co"));
  REQUIRE(exercise(GuardedBytes(data).bytes()));
  uint64_t needed = 0; // what lies behind the last segment (sections, static symbols) may be missing
  const CodeObject whole = CodeObject::parse(data).value();
  for (const Segment& s : whole.segments())
    needed = std::max<uint64_t>(needed, static_cast<uint64_t>(s.contents.data() - data.data()) + s.contents.size());
  for (size_t i = 0; i < 64; ++i) {
    const size_t size = data.size() * i / 64;
    const GuardedBytes cut(Bytes(data).first(size));
    INFO(size << " of " << data.size() << " bytes");
    CHECK(exercise(cut.bytes()) == (size >= needed));
  }
}

TEST_CASE("code object with random bytes changed", "[codeobject][corruption]") {
  const auto data = test::load_data("gfx942_v5.co");
  std::mt19937 random(hip::testing::seeded(12345));
  const auto below = [&](size_t n) { return static_cast<size_t>(random() % n); };
  GuardedBytes damaged{Bytes(data)};
  int refused = 0;
  for (int round = 0; round < 4000; ++round) {
    std::copy(data.begin(), data.end(), damaged.writable().begin());
    // Mostly the parts that are interpreted: headers, note, dynamic tables.
    for (size_t i = 0, n = 1 + below(8); i < n; ++i) {
      const size_t at = below(4) ? below(std::min<size_t>(data.size(), 0xe00)) : below(data.size());
      constexpr unsigned char kNasty[] = {0x00, 0x01, 0x7f, 0x80, 0xff};
      damaged.writable()[at] = below(2) ? static_cast<std::byte>(below(256)) : static_cast<std::byte>(kNasty[below(5)]);
    }
    refused += !exercise(damaged.bytes());
  }
  CHECK(refused > 1000); // most damage of these parts shows
}

TEST_CASE("bundle with random bytes changed", "[codeobject][corruption]") {
  const bool compressed = GENERATE(false, true);
  const auto data = test::load_data(compressed ? "compressed_v3.hipfb" : "plain.hipfb");
  const TargetId device = parse_target_id("gfx942:sramecc+:xnack-").value();
  std::mt19937 random(hip::testing::seeded(54321));
  GuardedBytes damaged{Bytes(data)};
  for (int round = 0; round < 2000; ++round) {
    std::copy(data.begin(), data.end(), damaged.writable().begin());
    for (size_t i = 0, n = 1 + random() % 6; i < n; ++i)
      damaged.writable()[random() % (compressed || random() % 4 == 0 ? data.size() : 300)] =
          static_cast<std::byte>(random());
    const auto bundle = parse_bundle(damaged.bytes());
    if (!bundle.ok()) continue;
    for (const BundleEntry& entry : bundle.value().entries())
      if (entry.is_device("amdgcn")) exercise(entry.image);
    const auto chosen = choose_entry(bundle.value(), device);
    if (chosen.ok()) CHECK_FALSE(chosen.value()->image.empty());
  }
}
