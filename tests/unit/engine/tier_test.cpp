// When kernels run translated, and that a translation ends with the code it was made from.
#include "environment_variable.h"
#include "rig.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <unistd.h>
#include <vector>

using hip::EnvironmentVariable;
using namespace hip::engine;
using namespace hip::engine::test;

namespace {

// For engines that are made meanwhile.
struct Environment {
  explicit Environment(const char* tier) : tier_("OMNIHIP_TIER", tier) {}
  EnvironmentVariable tier_, log_{"OMNIHIP_TIER_LOG", "1"};
};

// What comes on standard error meanwhile.
class Log {
public:
  Log() : file_(std::tmpfile()), before_(dup(2)) {
    std::fflush(stderr);
    dup2(fileno(file_), 2);
  }
  ~Log() {
    dup2(before_, 2);
    close(before_);
    std::fclose(file_);
  }
  // How many lines speak of `function`.
  int count(const char* function = " put_number:") const {
    std::rewind(file_);
    int n = 0;
    char line[512];
    while (std::fgets(line, sizeof line, file_)) n += std::string(line).find(function) != std::string::npos;
    return n;
  }

private:
  std::FILE* file_;
  int before_;
};

constexpr uint32_t kNumber = 0x5ca1ab1e;
bool puts(Rig& rig, uint32_t number, uint32_t groups = 4) {
  auto* out = rig.array<uint32_t>(groups * 64);
  Rig::Shape shape;
  shape.groups_x = groups, shape.items_x = 64;
  REQUIRE(rig.launch("put_number", shape, out).ok());
  return std::count(out, out + groups * 64, number) == groups * 64;
}

bool is_translated_here() { return __builtin_cpu_supports("x86-64-v3"); }

} // namespace

TEST_CASE("Code that takes the place of other code is translated anew") {
  if (!is_translated_here()) return;
  for (const char* tier : {"1", "0"}) {
    const Environment environment(tier);
    const int each = *tier == '1';
    Rig rig;
    Log log;
    CHECK(puts(rig, kNumber));
    CHECK(log.count() == each);
    uint32_t number = kNumber;
    for (uint32_t k = 1; k <= 10; ++k) {
      rig.exchange("put_number", number, kNumber + k);
      number = kNumber + k;
      CHECK(puts(rig, number));
      CHECK(puts(rig, number));
      CHECK(log.count() == each * int(k + 1));
    }
  }
}

TEST_CASE("A kernel is translated in the background when it has run long enough, however its code comes and goes") {
  if (!is_translated_here()) return;
  const Environment environment("");
  Rig rig;
  Log log;
  for (int k = 0; k < 20; ++k) CHECK(puts(rig, kNumber)); // 80 waves
  CHECK(log.count() == 0);
  // Some translations end after their code has gone.
  uint32_t number = kNumber;
  for (uint32_t k = 1; k <= 10; ++k) {
    CHECK(puts(rig, number, 3000));
    usleep(k % 5 * 20000);
    CHECK(puts(rig, number, 100));
    rig.exchange("put_number", number, kNumber + k);
    number = kNumber + k;
  }
  CHECK(puts(rig, number, 3000));
  for (int k = 0; k < 500 && log.count() == 0; ++k) usleep(20000);
  CHECK(log.count() > 0);
  CHECK(puts(rig, number));
}

// The test waits for the translations, for half a minute at most.
TEST_CASE("Kernels that are wanted at the same time are translated side by side") {
  if (!is_translated_here()) return;
  for (const char* threads : {"1", "3"}) {
    const Environment environment("");
    const EnvironmentVariable most("OMNIHIP_TIER_THREADS", threads);
    Rig rig;
    Log log;
    constexpr uint32_t kItems = 256, kGroups = 800, kNumbers = kItems * kGroups;
    constexpr Rig::Shape kShape{.groups_x = kGroups, .items_x = kItems};
    auto *in = rig.array<uint32_t>(kNumbers), *out = rig.array<uint32_t>(kNumbers), *bins = rig.array<uint32_t>(kNumbers);
    for (uint32_t k = 0; k < kNumbers; ++k) in[k] = k;
    const auto launch = [&] {
      REQUIRE(rig.launch("reverse", kShape, in, out).ok());
      REQUIRE(rig.launch("lds_atomics", kShape, bins).ok());
      uint32_t wrong = 0;
      for (uint32_t k = 0; k < kNumbers; ++k) wrong += out[k] != k / kItems * kItems + (kItems - 1 - k % kItems);
      for (uint32_t k = 0; k < kGroups * 16; ++k) wrong += bins[k] != kItems / 16;
      CHECK(wrong == 0);
    };
    CHECK(puts(rig, kNumber, 3000));
    launch();
    const auto all_there = [&] { return log.count() && log.count(" reverse:") && log.count(" lds_atomics:"); };
    for (int k = 0; k < 1500 && !all_there(); ++k) usleep(20000);
    CHECK(all_there());
    CHECK(puts(rig, kNumber));
    launch();
  }
}

TEST_CASE("An engine may go while it translates") {
  for (unsigned k = 0; k < 8; ++k) {
    const Environment environment("");
    Rig rig;
    Log log;
    CHECK(puts(rig, kNumber, 3000));
    usleep(k * 4000);
  }
}

// private_array() calls fill() of kernels.hip, which has no symbol of its own.
TEST_CASE("A function that a kernel calls is translated when it is called first, or often enough") {
  if (!is_translated_here()) return;
  constexpr uint32_t kItems = 256, kMost = 16;
  const auto launch = [&](Rig& rig, uint32_t groups) {
    auto* pick = rig.array<uint32_t>(kItems);
    for (uint32_t k = 0; k < kItems; ++k) pick[k] = k * 5;
    auto* out = rig.array<uint32_t>(groups * kItems);
    REQUIRE(rig.launch("private_array", {.groups_x = groups, .items_x = kItems}, out, pick).ok());
    uint32_t wrong = 0;
    for (uint32_t k = 0; k < groups * kItems; ++k) wrong += out[k] != (k % kItems + 1) * (k % kItems * 5 % 40 + 1);
    CHECK(wrong == 0);
  };
  constexpr const char *kKernel = " private_array:", *kCalled = " the function ";
  SECTION("before its first wave") {
    const Environment environment("1");
    Rig rig("kernels_O0.co");
    Log log;
    for (int k = 0; k < 3; ++k) launch(rig, 2);
    CHECK(log.count(kKernel) == 1);
    CHECK(log.count(kCalled) >= 1);
  }
  SECTION("never") {
    const Environment environment("0");
    Rig rig("kernels_O0.co");
    Log log;
    for (int k = 0; k < 3; ++k) launch(rig, 2);
    CHECK(log.count(kCalled) == 0);
  }
  SECTION("in the background") {
    const Environment environment("");
    Rig rig("kernels_O0.co");
    Log log;
    launch(rig, 2);
    CHECK(log.count(kCalled) == 0);
    for (int k = 0; k < 2000 && log.count(kCalled) == 0; ++k) launch(rig, kMost);
    CHECK(log.count(kCalled) >= 1);
    launch(rig, kMost); // some of it in translated code
  }
}

TEST_CASE("A kernel that is launched with many work-group shapes is translated for some of them, and once for all others") {
  if (!is_translated_here()) return;
  const Environment environment("1");
  Rig rig;
  Log log;
  constexpr uint32_t kShapes = 16, kMost = kShapes * 64;
  auto *a = rig.array<float>(kMost), *b = rig.array<float>(kMost), *c = rig.array<float>(kMost);
  for (uint32_t k = 0; k < kMost; ++k) a[k] = float(k), b[k] = float(3 * k);
  for (int round = 0; round < 2; ++round)
    for (uint32_t shape = 1; shape <= kShapes; ++shape) {
      const uint32_t items = shape * 64;
      std::fill(c, c + kMost, -1.0f);
      REQUIRE(rig.launch("vector_add", {.groups_x = 1, .items_x = items}, a, b, c, kMost).ok());
      uint32_t wrong = 0;
      for (uint32_t k = 0; k < kMost; ++k) wrong += c[k] != (k < items ? float(4 * k) : -1.0f);
      CHECK(wrong == 0);
    }
  CHECK(log.count(" vector_add:") == 9); // eight shapes, and any
}

TEST_CASE("A kernel whose waves often leave their translation is translated again, without assumptions") {
  if (!is_translated_here()) return;
  constexpr uint32_t kGroups = 400, kNumbers = kGroups * 256;
  const Environment environment("1");
  Rig rig;
  Log log;
  constexpr const char *kKernel = " vector_add:", *kCareful = ", without assumptions";
  const auto add = [&](float* a, float* b, float* c) {
    for (uint32_t k = 0; k < kNumbers; ++k) a[k] = float(k), b[k] = float(3 * k), c[k] = 0;
    REQUIRE(rig.launch("vector_add", {.groups_x = kGroups, .items_x = 256}, a, b, c, kNumbers).ok());
    uint32_t wrong = 0;
    for (uint32_t k = 0; k < kNumbers; ++k) wrong += c[k] != float(4 * k);
    CHECK(wrong == 0);
  };
  auto *a = rig.array<float>(kNumbers), *b = rig.array<float>(kNumbers), *c = rig.array<float>(kNumbers);
  for (int k = 0; k < 3; ++k) add(a, b, c);
  CHECK(log.count(kKernel) == 1);
  CHECK(log.count(kCareful) == 0);
  // Accesses to memory of the host fail the checks of device memory.
  std::vector<float> x(kNumbers), y(kNumbers), z(kNumbers);
  for (std::vector<float>* host : {&x, &y, &z}) rig.arena.register_host(host->data(), kNumbers * sizeof(float));
  for (int k = 0; k < 3; ++k) add(x.data(), y.data(), z.data());
  CHECK(log.count(kKernel) == 2);
  CHECK(log.count(kCareful) == 1);
  add(a, y.data(), c);
  std::vector<float> stranger(kNumbers);
  CHECK_FALSE(rig.launch("vector_add", {.groups_x = 1, .items_x = 256}, x.data(), y.data(), stranger.data(), 256u).ok());
  CHECK(stranger[0] == 0);
}
