// core/launch_shape.h as a function of the device's and the kernel's limits: which error, and what its message names.
#include "runtime/core/launch_shape.h"
#include "test_seed.h"

#include <catch2/catch.hpp>

#include <random>

using namespace hip;
using namespace hip::core;

namespace {

struct Bench {
  Bench() { kernel.name = "saxpy"; }
  Status check(const LaunchShape& shape) { return check_shape(shape, kernel, device, launch); }
  void refused(const LaunchShape& shape, ErrorCode code, std::string_view part) {
    const Status status = check(shape);
    INFO(status.to_string());
    CHECK(status.code() == code);
    CHECK(status.message().find("Kernel saxpy") == 0);
    CHECK(status.message().find(part) != std::string::npos);
  }
  backend::Kernel kernel;
  backend::DeviceProperties device;
  backend::Launch launch;
};

constexpr LaunchShape kCooperative{.kind = LaunchKind::Cooperative};
LaunchShape shape_of(Dim3 grid, Dim3 group, size_t bytes = 0, LaunchShape other = {}) {
  other.grid = grid;
  other.group = group;
  other.dynamic_lds_bytes = bytes;
  return other;
}

} // namespace

TEST_CASE("A shape that fits is told in work-items and in groups", "[launch_shape]") {
  Bench t;
  REQUIRE(t.check(shape_of({10, 3, 2}, {64, 2, 1}, 100)).ok());
  CHECK(t.launch.grid_items == Dim3{640, 6, 2});
  CHECK(t.launch.groups == Dim3{10, 3, 2});
  CHECK(t.launch.group_items == Dim3{64, 2, 1});
  CHECK(t.launch.dynamic_lds_bytes == 100);
  CHECK_FALSE(t.launch.cooperative);
  REQUIRE(t.check(shape_of({100, 7, 1}, {64, 4, 1}, 0, {.grid_unit = GridUnit::Items})).ok());
  CHECK(t.launch.grid_items == Dim3{100, 7, 1});
  CHECK(t.launch.groups == Dim3{2, 2, 1});
  REQUIRE(t.check(shape_of({1, 1, 1}, {1, 1, 1}, 0, kCooperative)).ok());
  CHECK(t.launch.cooperative);
  // The largest of each.
  REQUIRE(t.check(shape_of({0x7fffffff, 1, 1}, {2, 1, 1})).ok());
  REQUIRE(t.check(shape_of({1, 65535, 65535}, {1, 1, 1024})).ok());
  REQUIRE(t.check(shape_of({UINT32_MAX, 1, 1}, {1024, 1, 1}, 0, {.grid_unit = GridUnit::Items})).ok());
  CHECK(t.launch.groups[0] == 1u << 22);
  // More than the device tells, if it takes that.
  REQUIRE(t.check(shape_of({1, 65539, 1}, {1, 1, 1})).ok());
  REQUIRE(t.check(shape_of({2, UINT32_MAX, 0x7fffffff}, {1, 1, 1})).ok());
}

TEST_CASE("A shape that does not fit is refused with the reason", "[launch_shape]") {
  Bench t;
  t.refused(shape_of({1, 0, 1}, {1, 1, 1}), ErrorCode::InvalidConfiguration, "1 x 0 x 1");
  t.refused(shape_of({1, 1, 1}, {1, 1, 0}), ErrorCode::InvalidConfiguration, "1 x 1 x 0");
  t.refused(shape_of({0, 1, 1}, {1, 1, 1}, 0, {.grid_unit = GridUnit::Items}), ErrorCode::InvalidConfiguration, "zero");
  t.refused(shape_of({1u << 26, 1, 1}, {64, 1, 1}), ErrorCode::InvalidConfiguration, "4294967296 work-items");
  t.refused(shape_of({2, UINT32_MAX, UINT32_MAX}, {1, 1, 1}), ErrorCode::InvalidConfiguration, "2^64");
  t.device.most_groups = {0x7fffffff, 65535, 65535};
  t.refused(shape_of({1, 65536, 1}, {1, 1, 1}), ErrorCode::InvalidValue, "65536 blocks in dimension 1");
  t.refused(shape_of({1, 65536, 1}, {1, 1, 1}, 0, kCooperative), ErrorCode::InvalidConfiguration, "65535");
  t.refused(shape_of({1, 1, 131071}, {1, 1, 2}, 0, {.grid_unit = GridUnit::Items}), ErrorCode::InvalidValue,
            "65536 blocks in dimension 2");
  t.refused(shape_of({1, 1, 1}, {1025, 1, 1}), ErrorCode::InvalidConfiguration, "1025");
  t.refused(shape_of({1, 1, 1}, {64, 64, 1}), ErrorCode::InvalidConfiguration, "64 x 64 x 1");
  t.refused(shape_of({1, 1, 1}, {1u << 16, 1u << 16, 1u << 16}), ErrorCode::InvalidConfiguration, "65536");
  t.kernel.attributes.static_lds_bytes = 1000;
  t.refused(shape_of({1, 1, 1}, {1, 1, 1}, 64537), ErrorCode::InvalidValue, "1000 static and 64537 dynamic");
  t.refused(shape_of({1, 1, 1}, {1, 1, 1}, SIZE_MAX), ErrorCode::InvalidValue, "65536");
  t.refused(shape_of({1, 1, 1}, {1, 1, 1}, 64537, kCooperative), ErrorCode::CooperativeLaunchTooLarge, "65536");
  CHECK(t.check(shape_of({1, 1, 1}, {1, 1, 1}, 64536)).ok());
  t.device.lds_bytes_per_group_optin = 100000;
  CHECK(t.check(shape_of({1, 1, 1}, {1, 1, 1}, 64537)).ok());
  t.kernel.attributes.max_group_items = 32;
  t.refused(shape_of({1, 1, 1}, {33, 1, 1}), ErrorCode::LaunchFailure, "__launch_bounds__");
  t.kernel.attributes.max_group_items = 1024;
  t.kernel.attributes.required_group = {32, 1, 1};
  t.refused(shape_of({1, 1, 1}, {16, 2, 1}), ErrorCode::LaunchFailure, "requires blocks of 32 x 1 x 1");
  CHECK(t.check(shape_of({1, 1, 1}, {32, 1, 1})).ok());
  t.device.partial_groups = false;
  t.refused(shape_of({40, 1, 1}, {32, 1, 1}, 0, {.grid_unit = GridUnit::Items}), ErrorCode::InvalidConfiguration,
            "partial");
}

// The short way of plain launches takes nothing that the long one refuses, and of those without a required size all
// that it takes.
TEST_CASE("Both ways to check a plain launch agree", "[launch_shape]") {
  Bench t;
  t.kernel.attributes.max_group_items = 512;
  t.kernel.attributes.static_lds_bytes = 40000;
  std::mt19937 random(hip::testing::seeded(7));
  const auto any = [&](std::initializer_list<uint32_t> values) { return values.begin()[random() % values.size()]; };
  unsigned fit = 0;
  for (int i = 0; i < 100000; ++i) {
    LaunchShape shape;
    for (size_t d = 0; d < 3; ++d) {
      shape.grid[d] = any({0, 1, 1, 1, 2, 65535, 65536, 1u << 22, 0x7fffffff, 0x80000000, UINT32_MAX});
      shape.group[d] = any({0, 1, 1, 1, 2, 8, 64, 512, 1024, 1025, UINT32_MAX});
    }
    shape.dynamic_lds_bytes = any({0, 1, 25536, 25537, 65536, UINT32_MAX});
    t.device.lds_bytes_per_group_optin = any({0, 70000});
    backend::Launch plain;
    plain.groups = shape.grid;
    plain.group_items = shape.group;
    plain.dynamic_lds_bytes = static_cast<uint32_t>(shape.dynamic_lds_bytes);
    const bool fits = surely_fits(plain, t.kernel, t.device);
    REQUIRE(fits == t.check(shape).ok());
    if (!fits) continue;
    ++fit;
    REQUIRE(plain.grid_items == t.launch.grid_items);
    REQUIRE(plain.groups == t.launch.groups);
  }
  CHECK(fit > 100);
}
