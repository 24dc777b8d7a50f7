#include "runtime/codeobject/loader.h"

#include "runtime/codeobject/elf_format.h"
#include "test_data.h"

#include <catch2/catch.hpp>

using namespace hip;
using namespace hip::codeobject;
using test::ByteVector;
using test::get;
using test::put;

namespace {

constexpr uint64_t kBase = 0x7f1234560000;

// Memory full of a pattern, so that a byte which the loader forgets shows.
struct Memory {
  ByteVector bytes;
  uint64_t asked_align = 0;
  AllocateImage allocator(uint64_t base = kBase) {
    return [this, base](uint64_t size, uint64_t align) -> Result<ImageMemory> {
      bytes.assign(size, std::byte{0xee});
      asked_align = align;
      return ImageMemory{bytes, base};
    };
  }
  template<class T> T at(const LoadedImage& image, uint64_t device_address) const {
    return get<T>(bytes, device_address - image.device_base);
  }
};

// Rewrites the file's only relocation.
void forge_relocation(ByteVector& file, uint32_t type, uint32_t symbol, int64_t addend) {
  const CodeObject code = CodeObject::parse(file).value();
  REQUIRE(code.relocations().size() == 1);
  const elf::RelaEntry old{code.relocations()[0].address, elf::kRelRelative64, code.relocations()[0].addend};
  const elf::RelaEntry fresh{old.address, uint64_t{symbol} << 32 | type, addend};
  for (size_t at = 0; at + sizeof(old) <= file.size(); at += 8)
    if (std::memcmp(file.data() + at, &old, sizeof(old)) == 0) {
      put(file, at, fresh);
      return;
    }
  FAIL("the relocation is not in the file");
}
uint32_t symbol_index(const CodeObject& code, std::string_view name) {
  return static_cast<uint32_t>(code.find_symbol(name) - code.symbols().data());
}

} // namespace

TEST_CASE("image: contents, zeroes and addresses", "[codeobject][loader]") {
  const auto data = test::load_data("gfx942_v" + std::to_string(GENERATE(4, 5, 6)) + ".co");
  const auto code = CodeObject::parse(data);
  REQUIRE(code.ok());
  Memory memory;
  const auto loaded = load_image(code.value(), memory.allocator());
  INFO(loaded.status().to_string());
  REQUIRE(loaded.ok());
  const LoadedImage& image = loaded.value();
  CHECK(memory.asked_align == 4096);
  CHECK(image.device_base == kBase);
  const auto address = [&](const char* name) { return image.address_of(*code.value().find_symbol(name)); };
  CHECK(memory.at<int32_t>(image, address("table") + 4) == 2);
  CHECK(memory.at<float>(image, address("scale")) == 3.5f);
  for (int i = 0; i < 100; ++i) CHECK(memory.at<int32_t>(image, address("numbers") + i * 4) == 0);
  CHECK(memory.at<uint64_t>(image, address("callback")) == 0);
  CHECK(memory.at<uint64_t>(image, address("pointer_into_numbers")) == address("numbers") + 20);
  const Kernel& kernel = *code.value().find_kernel("explicit_only");
  CHECK(image.kernel_object(kernel) % 64 == 0);
  const auto descriptor = memory.at<KernelDescriptor>(image, image.kernel_object(kernel));
  CHECK(image.kernel_object(kernel) + static_cast<uint64_t>(descriptor.kernel_code_entry_byte_offset) ==
        image.address_of(kernel.entry_address));
  for (const Segment& s : code.value().segments()) { // everything but the relocated pointer is the file's contents
    if (s.writable || s.contents.empty()) continue;
    const auto offset = static_cast<size_t>(s.address - image.image_begin);
    CHECK(std::memcmp(memory.bytes.data() + offset, s.contents.data(), s.contents.size()) == 0);
  }
  CHECK(std::search_n(memory.bytes.begin(), memory.bytes.end(), 16, std::byte{0xee}) == memory.bytes.end());
}

TEST_CASE("image: relocations of every type", "[codeobject][loader]") {
  auto data = test::load_data("gfx942_v6.co");
  const CodeObject original = CodeObject::parse(data).value();
  const uint64_t place_elf = original.relocations()[0].address;
  const uint32_t scale = symbol_index(original, "scale");
  const auto apply = [&](uint32_t type, int64_t addend, uint64_t base) {
    auto file = data;
    forge_relocation(file, type, scale, addend);
    const CodeObject code = CodeObject::parse(file).value();
    Memory memory;
    const auto image = load_image(code, memory.allocator(base));
    INFO(image.status().to_string());
    REQUIRE(image.ok());
    return memory.at<uint64_t>(image.value(), image.value().address_of(place_elf));
  };
  const uint64_t symbol = kBase + original.find_symbol("scale")->address, place = kBase + place_elf;
  CHECK(apply(elf::kRelAbs64, 8, kBase) == symbol + 8);
  CHECK(apply(elf::kRelRel64, 8, kBase) == symbol + 8 - place);
  CHECK(static_cast<uint32_t>(apply(elf::kRelAbs32Lo, 4, kBase)) == static_cast<uint32_t>(symbol + 4));
  CHECK(static_cast<uint32_t>(apply(elf::kRelAbs32Hi, 4, kBase)) == (symbol + 4) >> 32);
  CHECK(static_cast<uint32_t>(apply(elf::kRelRel32, -4, kBase)) == static_cast<uint32_t>(symbol - 4 - place));
  CHECK(static_cast<uint32_t>(apply(elf::kRelRel32Lo, -4, kBase)) == static_cast<uint32_t>(symbol - 4 - place));
  CHECK(static_cast<uint32_t>(apply(elf::kRelRel32Hi, int64_t{1} << 40, kBase)) ==
        (symbol + (uint64_t{1} << 40) - place) >> 32);
  CHECK(static_cast<uint32_t>(apply(elf::kRelAbs32, 0, 0x10000)) == 0x10000 + original.find_symbol("scale")->address);
}

TEST_CASE("image: relocations that are refused", "[codeobject][loader]") {
  auto data = test::load_data("gfx942_v6.co");
  const uint32_t scale = symbol_index(CodeObject::parse(data).value(), "scale");
  uint32_t type = 0;
  int64_t addend = 0;
  SECTION("value beyond 32 bits") { type = elf::kRelAbs32; }
  SECTION("distance beyond 32 bits") { type = elf::kRelRel32, addend = int64_t{1} << 33; }
  SECTION("type of the static linker") { type = 8; }
  SECTION("type that nobody knows") { type = 99; }
  forge_relocation(data, type, scale, addend);
  const CodeObject code = CodeObject::parse(data).value();
  Memory memory;
  const auto image = load_image(code, memory.allocator());
  CHECK(image.status().code() == ErrorCode::InvalidImage);
}

TEST_CASE("image: symbols that the code object does not define", "[codeobject][loader]") {
  auto data = test::load_data("gfx942_v6.co");
  const CodeObject original = CodeObject::parse(data).value();
  const uint32_t scale = symbol_index(original, "scale");
  forge_relocation(data, elf::kRelAbs64, scale, 16);
  // Makes `scale` undefined in the dynamic symbol table, which begins with an all-zero entry; found by its entry's
  // value and size.
  const uint64_t value_and_size[2] = {original.find_symbol("scale")->address, 4};
  size_t entry = 0;
  for (size_t at = 0; at + 16 <= data.size() && entry == 0; at += 8)
    if (std::memcmp(data.data() + at, value_and_size, 16) == 0) entry = at - 8;
  REQUIRE(entry != 0);
  put<uint16_t>(data, entry + 6, 0);
  const uint64_t place_elf = original.relocations()[0].address;

  SECTION("nobody defines it") {
    const CodeObject code = CodeObject::parse(data).value();
    Memory memory;
    const auto image = load_image(code, memory.allocator());
    CHECK(image.status().code() == ErrorCode::SharedObjectSymbolNotFound);
    CHECK(image.status().message().find("scale") != std::string::npos);
    CHECK(code.find_symbol("scale") == nullptr);
  }
  SECTION("the resolver does") {
    const CodeObject code = CodeObject::parse(data).value();
    Memory memory;
    const auto image =
        load_image(code, memory.allocator(), [](std::string_view) -> Result<uint64_t> { return uint64_t{0x1000}; });
    REQUIRE(image.ok());
    CHECK(memory.at<uint64_t>(image.value(), image.value().address_of(place_elf)) == 0x1010);
  }
  SECTION("it is weak") {
    data[entry + 4] = std::byte{elf::kBindWeak << 4 | elf::kSymObject};
    const CodeObject code = CodeObject::parse(data).value();
    Memory memory;
    const auto image = load_image(code, memory.allocator());
    REQUIRE(image.ok());
    CHECK(memory.at<uint64_t>(image.value(), image.value().address_of(place_elf)) == 16);
  }
}

TEST_CASE("image: memory that does not fit", "[codeobject][loader]") {
  const auto data = test::load_data("gfx942_v6.co");
  const CodeObject code = CodeObject::parse(data).value();
  ByteVector memory(code.image_end() - code.image_begin());
  CHECK(place_image(code, {memory, 0x10000}).ok());
  CHECK(place_image(code, {memory, 0x10010}).status().code() == ErrorCode::InvalidValue);
  memory.pop_back();
  CHECK(place_image(code, {memory, 0x10000}).status().code() == ErrorCode::InvalidValue);
  const auto refused = load_image(code, [](uint64_t, uint64_t) -> Result<ImageMemory> {
    return error(ErrorCode::OutOfMemory, "No memory today.");
  });
  CHECK(refused.status().code() == ErrorCode::OutOfMemory);
}
