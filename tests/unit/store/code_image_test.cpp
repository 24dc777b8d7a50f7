// Loaded code is called: every kind of relocation that generated code has must give the right answer.
#include "objects.h"

#include <catch2/catch.hpp>
#include <cstring>
#include <sys/mman.h>

using namespace hip;
using namespace hip::engine;

namespace {

struct Row {
  double values[8];
};

std::unique_ptr<CodeImage> load(const std::string& name) {
  const auto object = read_data(name);
  REQUIRE(!object.empty());
  auto image = CodeImage::load(object, resolve_helper);
  INFO(name << ": " << image.status().message());
  REQUIRE(image.ok());
  return std::move(image).value();
}

Status load_error(const std::string& name, const CodeImage::Resolver& resolve = resolve_helper) {
  const auto object = read_data(name);
  REQUIRE(!object.empty());
  auto image = CodeImage::load(object, resolve);
  REQUIRE_FALSE(image.ok());
  return image.status();
}

// "r-xp" for the mapping that holds an address.
std::string protection_of(const void* address) {
  std::ifstream maps("/proc/self/maps");
  for (std::string line; std::getline(maps, line);) {
    unsigned long begin = 0, end = 0;
    char protection[5] = {};
    REQUIRE(std::sscanf(line.c_str(), "%lx-%lx %4s", &begin, &end, protection) == 3);
    const auto a = reinterpret_cast<unsigned long>(address);
    if (begin <= a && a < end) return protection;
  }
  return "";
}

} // namespace

TEST_CASE("Loaded code computes what its source says") {
  const std::string name = GENERATE("pic.o", "pic_O0.o", "pic_O3.o", "pic_sections.o", "pic_noplt.o", "pic_dwarf4.o",
                                    "pic_nolines.o", "small.o", "large.o");
  INFO(name);
  const auto image = load(name);
  CHECK(function<int(int, int)>(*image, "add")(40, 2) == 42);
  const double x = 3.25;
  CHECK(function<double(double)>(*image, "polynomial")(x) == (x * 0.12345678901234567 + 2.5) * x - 1e-300);

  const Row* row = function<const Row*()>(*image, "row")();
  CHECK(reinterpret_cast<uintptr_t>(row) % 64 == 0);
  for (int i = 0; i < 8; ++i) CHECK(row->values[i] == double(1 << i));

  auto* choose = function<long(unsigned, long)>(*image, "choose");
  const long expected[] = {5000 + 11, 5000 * 7, 5000 ^ 0x5555, 5000 - 1000, 5000 / 3,
                           5000 << 9, ~5000l,   5000 % 1001,   -1};
  for (unsigned i = 0; i < std::size(expected); ++i) CHECK(choose(i, 5000) == expected[i]);

  auto* name_of = function<const char*(unsigned)>(*image, "name_of");
  CHECK(std::string(name_of(0)) == "zero");
  CHECK(std::string(name_of(3)) == "three");
  CHECK(function<int(unsigned, int, int)>(*image, "apply")(1, 5, 6) == 11);
  CHECK(function<long(long)>(*image, "four_times")(10) == 40);
}

TEST_CASE("Loaded code calls the engine's functions wherever they are") {
  const std::string name = GENERATE("pic.o", "pic_O0.o", "pic_sections.o", "pic_noplt.o", "small.o", "large.o");
  INFO(name);
  const auto image = load(name);
  CHECK(function<long(long)>(*image, "call_helper")(7) == 701);
  CHECK(function<long(long)>(*image, "tail_call_helper")(7) == 800);
}

TEST_CASE("A call reaches beyond 2 GiB through a stub") {
  // The function is put where 32 bits do not reach from anywhere that images lie.
  const auto object = read_data("pic.o");
  const unsigned char code[] = {0x48, 0x8d, 0x47, 0x05, 0xc3}; // lea 5(%rdi), %rax; ret
  auto shared = CodeImage::load(object, resolve_helper);
  REQUIRE(shared.ok());
  bool was_far = false;
  for (uintptr_t at = uintptr_t{1} << 33; at < uintptr_t{1} << 46 && !was_far; at <<= 1) {
    void* page = mmap(reinterpret_cast<void*>(at), 4096, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);
    if (page == MAP_FAILED) continue;
    std::memcpy(page, code, sizeof code);
    REQUIRE(mprotect(page, 4096, PROT_READ | PROT_EXEC) == 0);
    auto image = CodeImage::load(object, [&](std::string_view) { return page; });
    REQUIRE(image.ok());
    const auto distance = reinterpret_cast<intptr_t>(page) - reinterpret_cast<intptr_t>(image.value()->text().data());
    was_far = distance != static_cast<int32_t>(distance);
    CHECK(function<long(long)>(*image.value(), "call_helper")(7) == 13);
    munmap(page, 4096);
  }
  CHECK(was_far);
}

TEST_CASE("The address of an engine's function comes from the global offset table") {
  const auto image = load("helper_address_pic.o");
  CHECK(function<long (*())(long)>(*image, "helper_address")() == &hip::engine::helper);
}

TEST_CASE("A distance in 64 bits is relocated with its addend") {
  const auto image = load("relocations.o");
  const auto expected =
      static_cast<std::byte*>(image->symbol("distance")) + 5 - static_cast<std::byte*>(image->symbol("table"));
  CHECK(function<long()>(*image, "distance")() == expected);
}

TEST_CASE("A short address that does not reach is an error") {
  const std::string name = GENERATE("helper_address_small.o", "short_address.o");
  const auto far = [](std::string_view) { return reinterpret_cast<const void*>(uintptr_t{0x123456789000}); };
  const Status status = load_error(name, far);
  CHECK(status.code() == ErrorCode::InvalidImage);
  INFO(status.message());
  CHECK(status.message().find("does not reach the symbol 'helper' at 0x123456789000") != std::string::npos);
}

TEST_CASE("A short address that reaches is right") {
  const std::string name = GENERATE("helper_address_small.o", "short_address.o");
  const auto near = [](std::string_view) { return reinterpret_cast<const void*>(uintptr_t{0x7fffff00}); };
  const auto object = read_data(name);
  auto image = CodeImage::load(object, near);
  REQUIRE(image.ok());
  CHECK(function<uintptr_t()>(*image.value(), "helper_address")() == 0x7fffff00);
}

TEST_CASE("Undefined symbols are named") {
  const std::string name = GENERATE("pic.o", "pic_noplt.o", "small.o", "helper_address_pic.o");
  const Status status =
      GENERATE(true, false) ? load_error(name, {}) : load_error(name, [](std::string_view) { return nullptr; });
  CHECK(status.code() == ErrorCode::InvalidImage);
  CHECK(status.message().find("'helper'") != std::string::npos);
}

TEST_CASE("What generated code does not have is refused by name") {
  CHECK(load_error("writable.o").code() == ErrorCode::NotSupported);
  CHECK(load_error("writable.o").message().find("'.data'") != std::string::npos);
  CHECK(load_error("zeroed.o").code() == ErrorCode::NotSupported);
  CHECK(load_error("zeroed.o").message().find("'.bss'") != std::string::npos);
  CHECK(load_error("thread_local.o").code() == ErrorCode::NotSupported);
  CHECK(load_error("no_code.o").code() == ErrorCode::InvalidImage);
}

TEST_CASE("Symbols are the object's global definitions") {
  const auto image = load("pic.o");
  CHECK(image->holds(image->symbol("add")));
  CHECK(image->symbol("ad") == nullptr);
  CHECK(image->symbol("adds") == nullptr);
  CHECK(image->symbol("") == nullptr);
  CHECK(image->symbol("twice") == nullptr);  // local
  CHECK(image->symbol("helper") == nullptr); // not its own
  CHECK(image->symbol("kOperations") != nullptr);
  CHECK_FALSE(image->holds(image->symbol("kOperations")));
}

TEST_CASE("The text is what holds() says, and nothing is writable") {
  const auto image = load("pic_sections.o");
  const auto text = image->text();
  CHECK(image->holds(text.data()));
  CHECK(image->holds(text.data() + text.size() - 1));
  CHECK_FALSE(image->holds(text.data() + text.size()));
  CHECK_FALSE(image->holds(text.data() - 1));
  CHECK_FALSE(image->holds(nullptr));
  CHECK(protection_of(text.data()) == "r-xp");
  CHECK(protection_of(text.data() + text.size() - 1) == "r-xp");
  CHECK(protection_of(function<const Row*()>(*image, "row")()) == "r--p");
  CHECK(protection_of(image->symbol("kOperations")) == "r--p");
}

TEST_CASE("The object is not needed after loading, and an image returns its memory") {
  const void* text = nullptr;
  {
    auto object = read_data("pic.o");
    auto image = CodeImage::load(object, resolve_helper);
    REQUIRE(image.ok());
    std::fill(object.begin(), object.end(), std::byte{0xff});
    object.clear();
    object.shrink_to_fit();
    CHECK(function<int(int, int)>(*image.value(), "add")(1, 2) == 3);
    CHECK(image.value()->line_of(image.value()->symbol("far_line")) >= 70000);
    text = image.value()->text().data();
    CHECK(protection_of(text) == "r-xp");
  }
  CHECK(protection_of(text) != "r-xp");
}
