#include "runtime/core/range_advice.h"

#include <catch2/catch.hpp>

using namespace hip::core;

namespace {

constexpr size_t kPage = 4096;

// An allocation that is not there: advice looks at addresses alone.
struct Range {
  explicit Range(uint64_t id) {
    allocation.base = reinterpret_cast<void*>(uintptr_t{0x100000000000});
    allocation.bytes = 8 * kPage;
    allocation.id = id;
  }
  ~Range() { forget_advice(allocation); }
  const char* at(size_t offset) const { return static_cast<const char*>(allocation.base) + offset; }
  void prefer(size_t offset, size_t bytes, int device) const {
    advise_range(allocation, at(offset), bytes, [](RangeState& s, int where) { s.preferred = where; }, device);
  }
  void coarse(size_t offset, size_t bytes) const {
    advise_range(allocation, at(offset), bytes, [](RangeState& s, int) { s.coarse_grain = true; }, 0);
  }
  void access(size_t offset, size_t bytes, int device) const {
    advise_range(
        allocation, at(offset), bytes, [](RangeState& s, int d) { s.accessed_by |= uint64_t{1} << d; }, device);
  }
  RangeState state(size_t offset, size_t bytes) const {
    bool mixed = false;
    return range_state(allocation, at(offset), bytes, mixed);
  }
  bool mixed(size_t offset, size_t bytes) const {
    bool mixed = false;
    range_state(allocation, at(offset), bytes, mixed);
    return mixed;
  }
  Allocation allocation;
};

} // namespace

TEST_CASE("Nothing is known of a range without advice") {
  const Range t(1);
  CHECK(t.state(0, 8 * kPage) == RangeState{});
  CHECK(t.state(0, 1).preferred == kNowhere);
}

TEST_CASE("Advice holds for whole pages") {
  const Range t(2);
  t.prefer(kPage + 100, 1, 3);
  CHECK(t.state(0, kPage).preferred == kNowhere);
  CHECK(t.state(kPage, kPage).preferred == 3);
  CHECK(t.state(2 * kPage, kPage).preferred == kNowhere);
  t.prefer(2 * kPage - 1, 2, 4); // two pages
  CHECK(t.state(kPage, 2 * kPage).preferred == 4);
  CHECK(t.state(3 * kPage, kPage).preferred == kNowhere);
}

TEST_CASE("A range answers with what is true of all of it") {
  const Range t(3);
  t.prefer(0, 8 * kPage, 1);
  CHECK(t.state(0, 8 * kPage).preferred == 1);
  t.prefer(4 * kPage, kPage, 2);
  CHECK(t.state(0, 8 * kPage).preferred == kNowhere);
  CHECK(t.state(0, 4 * kPage).preferred == 1);
  CHECK(t.state(4 * kPage, kPage).preferred == 2);
  CHECK(t.state(5 * kPage, 3 * kPage).preferred == 1);
  t.access(0, 5 * kPage, 0);
  t.access(0, 8 * kPage, 5);
  CHECK(t.state(0, 5 * kPage).accessed_by == 0b100001);
  CHECK(t.state(0, 8 * kPage).accessed_by == 0b100000);
  CHECK_FALSE(t.mixed(0, 8 * kPage));
  t.coarse(0, kPage);
  CHECK(t.mixed(0, 2 * kPage));
  CHECK_FALSE(t.mixed(0, kPage));
  CHECK(t.state(0, kPage).coarse_grain);
}

TEST_CASE("Advice goes with its allocation") {
  {
    const Range t(4);
    t.prefer(0, kPage, 1);
    CHECK(Range(5).state(0, kPage).preferred == kNowhere); // the same addresses later
  }
  const Range again(4);
  CHECK(again.state(0, kPage).preferred == kNowhere);
}
