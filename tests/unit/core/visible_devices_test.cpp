#include "runtime/base/visible_devices.h"

#include <catch2/catch.hpp>

#include <array>

using hip::select_devices;
using Indices = std::vector<size_t>;

TEST_CASE("A list of visible devices") {
  constexpr std::array<std::string_view, 3> uuids{"GPU-0000000000000000", "GPU-0123456789abcdef",
                                                  "GPU-fedcba9876543210"};
  CHECK(select_devices("0", uuids) == Indices{0});
  CHECK(select_devices("2,0", uuids) == Indices{2, 0});
  CHECK(select_devices(" 1 , 2 ", uuids) == Indices{1, 2});
  CHECK(select_devices("GPU-0123456789abcdef,0", uuids) == Indices{1, 0});
  CHECK(select_devices("1,1,0", uuids) == Indices{1, 0});
  SECTION("ends at the first entry that names no device") {
    CHECK(select_devices("-1", uuids).empty());
    CHECK(select_devices("", uuids).empty());
    CHECK(select_devices("0,3,1", uuids) == Indices{0});
    CHECK(select_devices("0,x,1", uuids) == Indices{0});
    CHECK(select_devices("0,,1", uuids) == Indices{0});
    CHECK(select_devices("GPU-1", uuids).empty());
    CHECK(select_devices("99999999999999999999", uuids).empty());
  }
}
