// base/hash.h: every bit counts.
#include "runtime/base/hash.h"

#include <catch2/catch.hpp>

#include <bit>
#include <set>
#include <vector>

using namespace hip;

TEST_CASE("Hashes of different bytes, lengths and seeds differ") {
  std::set<std::pair<uint64_t, uint64_t>> seen;
  std::vector<std::byte> bytes;
  for (size_t size = 0; size < 200; ++size) {
    const Hash128 zeros = hash128(bytes), other = hash128(bytes, 1);
    CHECK(seen.insert({zeros.low, zeros.high}).second);
    CHECK(seen.insert({other.low, other.high}).second);
    CHECK(hash128(bytes) == zeros);
    bytes.push_back(std::byte{0});
  }
}

TEST_CASE("A changed bit changes about half of a hash's bits") {
  std::vector<std::byte> bytes(100);
  for (size_t i = 0; i < bytes.size(); ++i) bytes[i] = std::byte(37 * i);
  const Hash128 before = hash128(bytes);
  unsigned changed = 0, fewest = 128;
  for (size_t bit = 0; bit < 8 * bytes.size(); ++bit) {
    bytes[bit / 8] ^= std::byte(1 << bit % 8);
    const Hash128 after = hash128(bytes);
    const unsigned count = unsigned(std::popcount(before.low ^ after.low) + std::popcount(before.high ^ after.high));
    changed += count;
    fewest = std::min(fewest, count);
    bytes[bit / 8] ^= std::byte(1 << bit % 8);
  }
  // The mean of 800 sums of 128 fair bits is within 64 +- 1 (five standard deviations), and the least is hardly
  // below 38.
  CHECK(changed > 63 * 800);
  CHECK(changed < 65 * 800);
  CHECK(fewest > 30);
}
