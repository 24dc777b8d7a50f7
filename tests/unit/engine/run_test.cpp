// Kernels from start to end: arithmetic over memory, barriers, LDS, private memory, generic pointers.
#include "rig.h"

#include <catch2/catch.hpp>

using namespace hip;
using namespace hip::engine::test;

TEST_CASE("vector add, with a last group that is not full") {
  Rig rig;
  constexpr uint32_t n = 1000;
  float* a = rig.array<float>(n);
  float* b = rig.array<float>(n);
  float* c = rig.array<float>(n + 1, -1.0f);
  for (uint32_t k = 0; k < n; ++k) a[k] = float(k), b[k] = 0.5f * float(k);
  Status status = rig.launch("vector_add", {.groups_x = 4, .items_x = 256}, a, b, c, n);
  INFO(status.to_string());
  REQUIRE(status.ok());
  for (uint32_t k = 0; k < n; ++k) REQUIRE(c[k] == a[k] + b[k]);
  REQUIRE(c[n] == -1.0f);
}

TEST_CASE("a work-group cut off by the grid's size runs only its own items") {
  Rig rig;
  uint32_t* in = rig.array<uint32_t>(512);
  float* x = rig.array<float>(512, 1.0f);
  float* y = rig.array<float>(512, 2.0f);
  (void)in;
  Status status = rig.launch("saxpy", {.groups_x = 2, .items_x = 256, .grid_items_x = 300}, 3.0f, x, y, 512u);
  INFO(status.to_string());
  REQUIRE(status.ok());
  for (uint32_t k = 0; k < 512; ++k) REQUIRE(y[k] == (k < 300 ? 5.0f : 2.0f));
}

TEST_CASE("four-dword elements") {
  Rig rig;
  uint32_t n = 700;
  float* a = rig.array<float>(n * 4);
  float* b = rig.array<float>(n * 4 + 4, -1.0f);
  for (uint32_t k = 0; k < n * 4; ++k) a[k] = float(k);
  Status status = rig.launch("copy4", {.groups_x = 3, .items_x = 256}, a, b, n);
  INFO(status.to_string());
  REQUIRE(status.ok());
  REQUIRE(std::memcmp(a, b, n * 16) == 0);
  REQUIRE(b[n * 4] == -1.0f);
}

TEST_CASE("host memory outside the arena is asked for") {
  Rig rig;
  std::vector<float> x(256, 2.0f), y(256, 1.0f);
  rig.arena.register_host(x.data(), x.size() * 4);
  rig.arena.register_host(y.data(), y.size() * 4);
  Status status = rig.launch("saxpy", {.groups_x = 1, .items_x = 256}, 3.0f, x.data(), y.data(), 256u);
  INFO(status.to_string());
  REQUIRE(status.ok());
  for (float v : y) REQUIRE(v == 7.0f);
}

TEST_CASE("many groups on several threads") {
  Rig rig;
  constexpr uint32_t n = 256 * 1000;
  float* a = rig.array<float>(n, 1.0f);
  float* b = rig.array<float>(n, 2.0f);
  float* c = rig.array<float>(n);
  Status status = rig.launch("vector_add", {.groups_x = 1000, .items_x = 256, .threads = 3}, a, b, c, n);
  REQUIRE(status.ok());
  for (uint32_t k = 0; k < n; ++k) REQUIRE(c[k] == 3.0f);
}
