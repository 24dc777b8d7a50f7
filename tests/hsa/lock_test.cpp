// Host memory that agents use while it is locked.
#include "testing.h"

#include <algorithm>
#include <numeric>
#include <set>

using namespace hip::test;

namespace {

hsa_amd_pointer_info_t info_of(const void* pointer) {
  hsa_amd_pointer_info_t info{};
  info.size = sizeof info;
  REQUIRE_HSA(hsa_amd_pointer_info(pointer, &info, nullptr, nullptr, nullptr));
  return info;
}

hsa_status_t lock(void* base, size_t bytes) {
  void* of_agent = nullptr;
  const hsa_status_t status = hsa_amd_memory_lock(base, bytes, nullptr, 0, &of_agent);
  if (status == HSA_STATUS_SUCCESS) CHECK(of_agent == base);
  return status;
}

} // namespace

TEST_CASE("Kernels use host memory while it is locked", "[hsa][memory][misuse]") {
  Hsa hsa;
  Kernels kernels(hsa);
  alignas(4096) static uint32_t numbers[1024];
  std::iota(numbers, numbers + 1024, 0u);
  auto* const arguments = hsa.allocate<AddArguments>(hsa.kernarg, 1);
  hsa_queue_t* const queue = hsa.queue();
  void* of_agent = nullptr;
  REQUIRE_HSA(hsa_amd_memory_lock(numbers, sizeof numbers, &hsa.gpu, 1, &of_agent));
  void* inner = nullptr;
  REQUIRE_HSA(hsa_amd_memory_lock(numbers + 256, 1024, nullptr, 0, &inner)); // a part once more
  CHECK(inner == numbers + 256);
  REQUIRE_HSA(hsa_amd_memory_unlock(numbers + 256));
  *arguments = {static_cast<uint32_t*>(of_agent), 1000};
  const hsa_signal_t done = hsa.signal(1);
  dispatch(queue, kernels.kernel("add"), arguments, 16, done);
  REQUIRE(wait_below(done, 1) == 0);
  for (uint32_t i = 0; i < 1024; ++i) REQUIRE(numbers[i] == i + 1000);
  hsa_amd_pointer_info_t info{};
  info.size = sizeof info;
  REQUIRE_HSA(hsa_amd_pointer_info(numbers + 1, &info, nullptr, nullptr, nullptr));
  CHECK(info.type == HSA_EXT_POINTER_TYPE_LOCKED);
  REQUIRE_HSA(hsa_amd_memory_unlock(numbers));
  CHECK(hsa_amd_memory_unlock(numbers) == HSA_STATUS_ERROR_INVALID_ARGUMENT);
  CHECK(hsa_amd_memory_lock(nullptr, 8, nullptr, 0, &of_agent) == HSA_STATUS_ERROR_INVALID_ARGUMENT);
  CHECK(hsa_amd_memory_lock(numbers, 0, nullptr, 0, &of_agent) == HSA_STATUS_ERROR_INVALID_ARGUMENT);
  CHECK(hsa_amd_memory_lock_to_pool(numbers, 8, nullptr, 0, hsa.device, 0, &of_agent) == kInvalidPool);
  REQUIRE_HSA(hsa_queue_destroy(queue));
}

TEST_CASE("Memory stays locked as long as one of its locks holds it", "[hsa][memory][misuse]") {
  Hsa hsa;
  GroupRunner runner{hsa};
  constexpr size_t kPage = 4096;
  alignas(4096) static char memory[16 * kPage];
  SECTION("Locks within another") {
    REQUIRE_HSA(lock(memory, 16 * kPage));
    REQUIRE_HSA(lock(memory + kPage, kPage));
    REQUIRE_HSA(lock(memory + 2 * kPage, kPage));
    CHECK(info_of(memory + kPage + 8).agentBaseAddress == memory + kPage);
    for (const size_t page : {0, 3, 15}) {
      const hsa_amd_pointer_info_t info = info_of(memory + page * kPage);
      CHECK(info.type == HSA_EXT_POINTER_TYPE_LOCKED);
      CHECK(info.agentBaseAddress == memory);
      CHECK(info.sizeInBytes == 16 * kPage);
    }
    REQUIRE_HSA(hsa_amd_memory_unlock(memory));
    CHECK(hsa_amd_memory_unlock(memory) == HSA_STATUS_ERROR_INVALID_ARGUMENT);
    CHECK(runner.add(memory + kPage) == HSA_STATUS_SUCCESS);
    CHECK(runner.add(memory + 2 * kPage - 128) == HSA_STATUS_SUCCESS); // in both
    CHECK(runner.add(memory + 3 * kPage - 128) == kMemoryFault);
    CHECK(runner.add(memory) == kMemoryFault);
    CHECK(info_of(memory + 3 * kPage).type == HSA_EXT_POINTER_TYPE_UNKNOWN);
    REQUIRE_HSA(hsa_amd_memory_unlock(memory + kPage));
    REQUIRE_HSA(hsa_amd_memory_unlock(memory + 2 * kPage));
    CHECK(runner.add(memory + 2 * kPage) == kMemoryFault);
  }
  SECTION("Locks that overlap") {
    REQUIRE_HSA(lock(memory, 2 * kPage));
    REQUIRE_HSA(lock(memory + kPage, 2 * kPage));
    CHECK(runner.add(memory + 2 * kPage - 128) == HSA_STATUS_SUCCESS);
    REQUIRE_HSA(hsa_amd_memory_unlock(memory));
    CHECK(runner.add(memory + kPage - 256) == kMemoryFault);
    CHECK(runner.add(memory + 2 * kPage - 128) == HSA_STATUS_SUCCESS);
    REQUIRE_HSA(hsa_amd_memory_unlock(memory + kPage));
    CHECK(runner.add(memory + 2 * kPage - 128) == kMemoryFault);
  }
  SECTION("Locks that begin together, of which the longest ends last") {
    REQUIRE_HSA(lock(memory, kPage));
    REQUIRE_HSA(lock(memory, 2 * kPage));
    REQUIRE_HSA(lock(memory, kPage));
    for (int i = 0; i < 2; ++i) {
      REQUIRE_HSA(hsa_amd_memory_unlock(memory));
      CHECK(runner.add(memory + kPage - 128) == HSA_STATUS_SUCCESS);
    }
    REQUIRE_HSA(hsa_amd_memory_unlock(memory));
    CHECK(runner.add(memory) == kMemoryFault);
  }
  SECTION("A lock that fails leaves nothing") {
    REQUIRE_HSA(lock(memory + kPage, kPage));
    // The page before that one can be locked, what comes behind it is more than a process can have.
    CHECK(lock(memory, size_t(1) << 60) != HSA_STATUS_SUCCESS);
    CHECK(lock(memory, SIZE_MAX) == HSA_STATUS_ERROR_INVALID_ARGUMENT);
    CHECK(runner.add(memory + kPage) == HSA_STATUS_SUCCESS);
    CHECK(runner.add(memory) == kMemoryFault);
    REQUIRE_HSA(lock(memory, kPage));
    CHECK(runner.add(memory + kPage - 128) == HSA_STATUS_SUCCESS);
    REQUIRE_HSA(hsa_amd_memory_unlock(memory));
    REQUIRE_HSA(hsa_amd_memory_unlock(memory + kPage));
  }
}

TEST_CASE("Random locks: kernels reach what one of them holds", "[hsa][memory][misuse]") {
  Hsa hsa;
  GroupRunner runner{hsa};
  constexpr size_t kPart = 256, kParts = 48; // of what a kernel of one group touches
  alignas(256) static char memory[kParts * kPart];
  std::multiset<std::pair<size_t, size_t>> locks; // first part, number of parts
  uint32_t state = 777;
  const auto random = [&state](size_t below) { return (state = state * 1664525 + 1013904223) / 65536 % below; };
  for (int round = 0; round < 300; ++round) {
    if (locks.size() < 6 || random(2) != 0) {
      const size_t first = random(kParts), count = 1 + random(kParts - first) / (1 + random(4));
      REQUIRE_HSA(lock(memory + first * kPart, count * kPart));
      locks.emplace(first, count);
    } else {
      const size_t first = std::next(locks.begin(), static_cast<std::ptrdiff_t>(random(locks.size())))->first;
      REQUIRE_HSA(hsa_amd_memory_unlock(memory + first * kPart));
      locks.erase(locks.lower_bound({first, 0}));
    }
    const auto holds = [&](size_t part) {
      return std::any_of(locks.begin(), locks.end(),
                         [part](const auto& each) { return part - each.first < each.second; });
    };
    for (size_t part = 0; part < kParts; ++part) {
      const hsa_amd_pointer_info_t info = info_of(memory + part * kPart + 17);
      REQUIRE((info.type == HSA_EXT_POINTER_TYPE_LOCKED) == holds(part));
      if (!holds(part)) continue;
      const std::pair told{static_cast<size_t>(static_cast<char*>(info.agentBaseAddress) - memory) / kPart,
                           info.sizeInBytes / kPart};
      REQUIRE(part - told.first < told.second);
      REQUIRE(locks.contains(told));
    }
    if (round % 5 != 0) continue;
    const size_t part = random(kParts);
    REQUIRE((runner.add(memory + part * kPart) == HSA_STATUS_SUCCESS) == holds(part));
  }
  for (const auto& [first, count] : locks) REQUIRE_HSA(hsa_amd_memory_unlock(memory + first * kPart));
}
