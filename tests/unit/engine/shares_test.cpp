// How many work-groups a thread takes at once.
#include "runtime/engine/wave/grid.h"

#include <catch2/catch.hpp>

using namespace hip::engine;

namespace {

uint64_t share(std::array<uint32_t, 3> groups, uint64_t left, uint32_t threads) {
  GridShape shape;
  shape.groups = groups;
  shape.group_count = uint64_t(groups[0]) * groups[1] * groups[2];
  return groups_in_share(shape, left, threads);
}

} // namespace

TEST_CASE("Shares of a grid leave all threads something until its end") {
  for (uint32_t threads : {1u, 2u, 8u, 64u})
    for (uint64_t left : {1u, 31u, 32u, 100u, 1000u, 100000u}) {
      const uint64_t taken = share({100000, 1, 1}, left, threads);
      INFO(left << " groups left, " << threads << " threads: " << taken);
      CHECK(taken >= 1);
      CHECK((taken == 1 || taken * threads <= left));
    }
}

TEST_CASE("Shares of rows and planes are several of these, of a line no more than 64 groups") {
  CHECK(share({1u << 20, 1, 1}, 1u << 20, 2) == 64);
  CHECK(share({32, 1024, 1}, 32u * 1024, 2) == 8u * 32);
  CHECK(share({16, 16, 1024}, 16u * 16 * 1024, 2) == 8u * 256);
}
