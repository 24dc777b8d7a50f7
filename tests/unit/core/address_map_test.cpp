#include "runtime/core/address_map.h"

#include <catch2/catch.hpp>

using namespace hip::core;

namespace {
Allocation at(uintptr_t base, size_t bytes) { return {.base = reinterpret_cast<void*>(base), .bytes = bytes}; }
const void* address(uintptr_t a) { return reinterpret_cast<const void*>(a); }
} // namespace

TEST_CASE("An address is found in the allocation that contains it") {
  AddressMap map;
  REQUIRE(map.insert(at(0x1000, 0x100)));
  REQUIRE(map.insert(at(0x1100, 0x10)));
  CHECK_FALSE(map.find(address(0xfff)));
  CHECK(map.find(address(0x1000))->base == address(0x1000));
  CHECK(map.find(address(0x10ff))->base == address(0x1000));
  CHECK(map.find(address(0x10ff))->bytes_from(address(0x10ff)) == 1);
  CHECK(map.find(address(0x1100))->base == address(0x1100));
  CHECK_FALSE(map.find(address(0x1110)));
  CHECK_FALSE(map.find(nullptr));
}

TEST_CASE("Overlapping allocations are refused") {
  AddressMap map;
  REQUIRE(map.insert(at(0x1000, 0x100)));
  const struct {
    uintptr_t base;
    size_t bytes;
  } overlapping[] = {{0x1000, 0x100}, {0x10ff, 1}, {0xf00, 0x101}, {0xf00, 0x1000}, {0x1080, 1}};
  for (const auto& [base, bytes] : overlapping) {
    CHECK(map.overlaps(address(base), bytes));
    CHECK_FALSE(map.insert(at(base, bytes)));
  }
  CHECK_FALSE(map.overlaps(address(0xf00), 0x100));
  CHECK_FALSE(map.overlaps(address(0x1100), 0x100));
  CHECK(map.insert(at(0xf00, 0x100)));
  CHECK(map.insert(at(0x1100, 1)));
}

TEST_CASE("An allocation is taken once, by its start") {
  AddressMap map;
  REQUIRE(map.insert(at(0x1000, 0x100)));
  const auto any = [](const Allocation&) { return true; };
  CHECK_FALSE(map.take(address(0x1001), any));
  CHECK_FALSE(map.take(address(0x1000), [](const Allocation&) { return false; }));
  CHECK(map.take(address(0x1000), any));
  CHECK_FALSE(map.take(address(0x1000), any));
  CHECK_FALSE(map.find(address(0x1000)));
}

TEST_CASE("Each allocation has an id of its own") {
  AddressMap map;
  REQUIRE(map.insert(at(0x1000, 1)));
  const uint64_t first = map.find(address(0x1000))->id;
  map.take(address(0x1000), [](const Allocation&) { return true; });
  REQUIRE(map.insert(at(0x1000, 1)));
  CHECK(map.find(address(0x1000))->id != first);
}

TEST_CASE("An allocation that is claimed stays, goes or is refused, as was decided") {
  using Claim = AddressMap::Claim;
  AddressMap map;
  REQUIRE(map.insert(at(0x1000, 0x100)));
  const auto claim = [&](uintptr_t base, Claim decision) {
    return map.claim(address(base), [&](const Allocation&) { return decision; });
  };
  CHECK_FALSE(claim(0x1010, Claim::Take).known);
  CHECK_FALSE(claim(0x1000, Claim::Refuse).known);
  const auto left = claim(0x1000, Claim::Leave);
  CHECK((left.known && !left.taken && left.allocation.bytes == 0x100));
  const auto taken = claim(0x1000, Claim::Take);
  CHECK((taken.taken && taken.allocation.id == left.allocation.id));
  CHECK_FALSE(map.find(address(0x1000)));
}

TEST_CASE("What was removed leaves no trace in what comes after") {
  AddressMap map;
  for (uintptr_t round = 0; round < 3; ++round) {
    for (uintptr_t i = 0; i < 100; ++i) {
      Allocation a = at(0x10000 + i * 0x100, 0x80 + round);
      a.flags = static_cast<unsigned>(round);
      REQUIRE(map.insert(a));
    }
    for (uintptr_t i = 0; i < 100; ++i) {
      const auto found = map.find(address(0x10000 + i * 0x100 + 0x7f));
      REQUIRE((found && found->bytes == 0x80 + round && found->flags == round));
      REQUIRE_FALSE(map.find(address(0x10000 + i * 0x100 + 0x80 + round)));
    }
    for (uintptr_t i = 0; i < 100; ++i)
      REQUIRE(map.take(address(0x10000 + i * 0x100), [](const Allocation&) { return true; }));
  }
}

TEST_CASE("A range is mapped as far as mappings with that access follow each other") {
  using hip::backend::PoolAccess;
  AddressMap map;
  const auto mapped = [](uintptr_t base, size_t bytes, PoolAccess access) {
    Allocation a = at(base, bytes);
    a.memory = hip::backend::MemoryKind::Mapped;
    a.access = access;
    return a;
  };
  REQUIRE(map.insert(mapped(0x1000, 0x1000, PoolAccess::ReadWrite)));
  REQUIRE(map.insert(mapped(0x2000, 0x1000, PoolAccess::Read)));
  REQUIRE(map.insert(mapped(0x4000, 0x1000, PoolAccess::None)));
  CHECK(map.is_mapped(address(0x1000), 0x2000, PoolAccess::Read));
  CHECK(map.is_mapped(address(0x1800), 0x800, PoolAccess::ReadWrite));
  CHECK_FALSE(map.is_mapped(address(0x1800), 0x801, PoolAccess::ReadWrite));
  CHECK_FALSE(map.is_mapped(address(0x1800), 0x1801, PoolAccess::Read));
  CHECK_FALSE(map.is_mapped(address(0x4000), 1, PoolAccess::Read));
  // Added to the address, these leave the address space.
  for (const size_t bytes : {SIZE_MAX, SIZE_MAX - 0x1000 + 1, SIZE_MAX - 0x1000 + 2, SIZE_MAX - 0x800})
    CHECK_FALSE(map.is_mapped(address(0x1000), bytes, PoolAccess::Read));
}
