// Kernels from start to end: arithmetic over memory, barriers, LDS, private memory, generic pointers.
#include "rig.h"

#include <catch2/catch.hpp>

#include <algorithm>

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

TEST_CASE("waves start with the MODE that their kernel's descriptor says") {
  Rig rig;
  constexpr uint32_t n = 256 * 40;
  uint32_t* a = rig.array<uint32_t>(n);
  uint32_t* b = rig.array<uint32_t>(n, 0x80000000);
  uint32_t* c = rig.array<uint32_t>(n);
  for (uint32_t k = 0; k < n; ++k) a[k] = k % 2 ? 0x3f800000 + k : 1 + k; // numbers and denormals
  for (int round = 0; round < 3; ++round)
    for (const bool flush : {true, false}) {
      rig.set_float_mode("vector_add", flush ? 0xc0 : 0xf0);
      std::fill_n(c, n, 0xffffffff);
      Status status = rig.launch("vector_add", {.groups_x = n / 256, .items_x = 256, .threads = 2}, a, b, c, n);
      INFO(status.to_string());
      REQUIRE(status.ok());
      for (uint32_t k = 0; k < n; ++k) REQUIRE(c[k] == (flush && k % 2 == 0 ? 0 : a[k]));
    }
}

TEST_CASE("LDS and barriers") {
  Rig rig;
  uint32_t* in = rig.array<uint32_t>(1024);
  uint32_t* out = rig.array<uint32_t>(1024);
  for (uint32_t k = 0; k < 1024; ++k) in[k] = k * 3;
  Status status = rig.launch("reverse", {.groups_x = 4, .items_x = 256}, in, out);
  INFO(status.to_string());
  REQUIRE(status.ok());
  for (uint32_t k = 0; k < 1024; ++k) REQUIRE(out[k] == in[k / 256 * 256 + 255 - k % 256]);

  status = rig.launch("leave_early", {.groups_x = 1, .items_x = 256}, out);
  INFO(status.to_string());
  REQUIRE(status.ok());
  for (uint32_t k = 0; k < 128; ++k) REQUIRE(out[k] == 127 - k + 128 + 1);
}

TEST_CASE("tiled matrix product") {
  Rig rig;
  constexpr uint32_t n = 64;
  float* a = rig.array<float>(n * n);
  float* b = rig.array<float>(n * n);
  float* c = rig.array<float>(n * n);
  for (uint32_t k = 0; k < n * n; ++k) a[k] = float(k % 7), b[k] = float(k % 5) - 2;
  Status status =
      rig.launch("matmul", {.groups_x = n / 16, .items_x = 16, .groups_y = n / 16, .items_y = 16}, a, b, c, n);
  INFO(status.to_string());
  REQUIRE(status.ok());
  for (uint32_t y = 0; y < n; ++y)
    for (uint32_t x = 0; x < n; ++x) {
      float sum = 0;
      for (uint32_t k = 0; k < n; ++k) sum += a[y * n + k] * b[k * n + x];
      REQUIRE(c[y * n + x] == sum);
    }
}

namespace {
struct Mixed {
  unsigned char b;
  signed char sb;
  unsigned short s;
  short ss;
  uint64_t q;
  uint32_t t[3];
};
} // namespace

TEST_CASE("elements of every size at scattered addresses, optimised and not") {
  // On gfx90a private segments are reached through a swizzled buffer.
  for (const char* file :
       {"kernels.co", "kernels_O0.co", "kernels_gfx90a.co", "kernels_gfx90a_O0.co", "kernels_generic.co"}) {
    INFO(file);
    Rig rig(file);
    constexpr uint32_t n = 300;
    Mixed* in = rig.array<Mixed>(n);
    Mixed* out = rig.array<Mixed>(n);
    uint32_t* index = rig.array<uint32_t>(n);
    for (uint32_t k = 0; k < n; ++k) {
      in[k] = {(unsigned char)(k + 200), (signed char)(k - 100), (unsigned short)(k * 300),
               short(k * 200 - 30000),   k * 0x1'2345'6789ull,   {k, k * 2, ~k}};
      index[k] = (k * 7 + 3) % n;
    }
    Status status = rig.launch("gather_mixed", {.groups_x = 2, .items_x = 256}, in, index, out, n);
    INFO(file << ": " << status.to_string());
    REQUIRE(status.ok());
    for (uint32_t k = 0; k < n; ++k) {
      Mixed m = in[index[k]];
      REQUIRE(out[k].b == m.b);
      REQUIRE(out[k].sb == m.sb);
      REQUIRE(out[k].s == (unsigned short)(m.s + m.b));
      REQUIRE(out[k].ss == short(m.ss + m.sb));
      REQUIRE(out[k].q == m.q * 3 + m.t[2]);
      REQUIRE(out[k].t[1] == m.t[1]);
    }
  }
}

TEST_CASE("private arrays and generic pointers") {
  // On gfx90a private segments are reached through a swizzled buffer.
  for (const char* file :
       {"kernels.co", "kernels_O0.co", "kernels_gfx90a.co", "kernels_gfx90a_O0.co", "kernels_generic.co"}) {
    INFO(file);
    Rig rig(file);
    uint32_t* out = rig.array<uint32_t>(512);
    uint32_t* pick = rig.array<uint32_t>(256);
    for (uint32_t k = 0; k < 256; ++k) pick[k] = k * 11;
    Status status = rig.launch("private_array", {.groups_x = 2, .items_x = 256}, out, pick);
    INFO(file << ": " << status.to_string());
    REQUIRE(status.ok());
    for (uint32_t k = 0; k < 512; ++k) REQUIRE(out[k] == (k % 256 + 1) * (pick[k % 256] % 40 + 1));

    uint32_t* global = rig.array<uint32_t>(256);
    for (uint32_t k = 0; k < 256; ++k) global[k] = k + 5000;
    status = rig.launch("generic_mix", {.groups_x = 1, .items_x = 256}, global, out);
    INFO(file << ": " << status.to_string());
    REQUIRE(status.ok());
    for (uint32_t k = 0; k < 256; ++k) REQUIRE(out[k] == (k & 1 ? (k ^ 3) * 7 : k + 5000));
  }
}

TEST_CASE("atomics on global memory and LDS, several threads") {
  Rig rig;
  constexpr uint32_t groups = 64, n = groups * 256;
  uint32_t* sum = rig.array<uint32_t>(1);
  uint32_t* slots = rig.array<uint32_t>(9);
  float* fsum = rig.array<float>(1);
  uint64_t* wide = rig.array<uint64_t>(1);
  uint32_t* old = rig.array<uint32_t>(n);
  Status status =
      rig.launch("atomics", {.groups_x = groups, .items_x = 256, .threads = 3}, sum, slots, fsum, wide, old);
  INFO(status.to_string());
  REQUIRE(status.ok());
  REQUIRE(*sum == n);
  REQUIRE(*fsum == n * 0.5f);
  REQUIRE(*wide == uint64_t(255) << 33);
  std::vector<bool> seen(n);
  for (uint32_t k = 0; k < n; ++k) {
    REQUIRE(old[k] < n);
    REQUIRE(!seen[old[k]]);
    seen[old[k]] = true;
  }
  uint32_t expected[7] = {};
  for (uint32_t k = 0; k < n; ++k) expected[k % 256 % 7] += k % 256;
  for (uint32_t k = 0; k < 7; ++k) REQUIRE(slots[k] == expected[k]);

  uint32_t* bins = rig.array<uint32_t>(groups * 16);
  status = rig.launch("lds_atomics", {.groups_x = groups, .items_x = 256}, bins);
  INFO(status.to_string());
  REQUIRE(status.ok());
  for (uint32_t k = 0; k < groups * 16; ++k) REQUIRE(bins[k] == 16);
}
