// Memory of the process that agents share without that anybody allocates it for them (hsa_amd_svm_*).
#include "testing.h"

#include <sys/mman.h>

using namespace hip::test;

namespace {

constexpr size_t kPage = 4096;

using Pairs = std::vector<hsa_amd_svm_attribute_pair_t>;

// Pages of the process.
struct Pages {
  size_t bytes;
  char* base;
  explicit Pages(size_t count)
      : bytes(count * kPage),
        base(static_cast<char*>(::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0))) {
    REQUIRE(base != MAP_FAILED);
  }
  ~Pages() {
    if (base) ::munmap(base, bytes);
  }
  Pages(const Pages&) = delete;
  char* page(size_t number) const { return base + number * kPage; }
  void unmap() {
    ::munmap(base, bytes);
    base = nullptr;
  }
};

hsa_status_t set(void* base, size_t bytes, Pairs pairs) {
  return hsa_amd_svm_attributes_set(base, bytes, pairs.data(), pairs.size());
}

hsa_status_t get(void* base, size_t bytes, Pairs& pairs) {
  return hsa_amd_svm_attributes_get(base, bytes, pairs.data(), pairs.size());
}

uint64_t value_of(void* base, size_t bytes, uint64_t attribute) {
  Pairs pairs{{attribute, 12345}};
  REQUIRE_HSA(get(base, bytes, pairs));
  CHECK(pairs[0].attribute == attribute);
  return pairs[0].value;
}

uint64_t access_of(void* base, size_t bytes, hsa_agent_t agent) {
  Pairs pairs{{HSA_AMD_SVM_ATTRIB_ACCESS_QUERY, agent.handle}};
  REQUIRE_HSA(get(base, bytes, pairs));
  CHECK(pairs[0].value == agent.handle);
  return pairs[0].attribute;
}

} // namespace

TEST_CASE("The system has shared virtual memory, where a program asks for it", "[hsa][svm]") {
  Hsa hsa;
  bool supported = false, by_default = true, direct = false;
  REQUIRE_HSA(hsa_system_get_info(static_cast<hsa_system_info_t>(HSA_AMD_SYSTEM_INFO_SVM_SUPPORTED), &supported));
  REQUIRE_HSA(
      hsa_system_get_info(static_cast<hsa_system_info_t>(HSA_AMD_SYSTEM_INFO_SVM_ACCESSIBLE_BY_DEFAULT), &by_default));
  REQUIRE_HSA(
      hsa_agent_get_info(hsa.gpu, static_cast<hsa_agent_info_t>(HSA_AMD_AGENT_INFO_SVM_DIRECT_HOST_ACCESS), &direct));
  CHECK(supported);
  CHECK_FALSE(by_default);
  CHECK(direct);
}

TEST_CASE("Kernels reach memory of the process that they were given access to, and no other", "[hsa][svm][misuse]") {
  Hsa hsa;
  GroupRunner runner{hsa};
  Pages memory(4);
  auto* const numbers = reinterpret_cast<uint32_t*>(memory.page(1));
  CHECK(runner.add(numbers) == kMemoryFault);
  const uint64_t attribute =
      GENERATE(HSA_AMD_SVM_ATTRIB_AGENT_ACCESSIBLE, HSA_AMD_SVM_ATTRIB_AGENT_ACCESSIBLE_IN_PLACE);
  REQUIRE_HSA(set(numbers + 3, 1, {{attribute, hsa.gpu.handle}})); // the page around it
  numbers[63] = 10;
  CHECK(runner.add(numbers) == HSA_STATUS_SUCCESS);
  CHECK(numbers[63] == 15);
  CHECK(runner.add(memory.page(2) - 128) == kMemoryFault); // half of it lies in the next page
  CHECK(runner.add(memory.page(1) - 128) == kMemoryFault);
  // Two ranges that meet are one piece of memory.
  REQUIRE_HSA(set(memory.page(2), kPage, {{attribute, hsa.gpu.handle}, {HSA_AMD_SVM_ATTRIB_READ_MOSTLY, 1}}));
  CHECK(runner.add(memory.page(2) - 128) == HSA_STATUS_SUCCESS);

  // Kernels may read what is for reading alone; the host may write it.
  REQUIRE_HSA(set(numbers, kPage, {{HSA_AMD_SVM_ATTRIB_READ_ONLY, 1}}));
  numbers[0] = 1;
  CHECK(runner.read(numbers) == HSA_STATUS_SUCCESS);
  CHECK(runner.add(numbers) == kMemoryFault);
  REQUIRE_HSA(set(numbers, kPage, {{HSA_AMD_SVM_ATTRIB_READ_ONLY, 0}}));
  CHECK(runner.add(numbers) == HSA_STATUS_SUCCESS);
  REQUIRE_HSA(set(numbers, kPage, {{HSA_AMD_SVM_ATTRIB_AGENT_NO_ACCESS, hsa.gpu.handle}}));
  CHECK(runner.read(numbers) == kMemoryFault);
  CHECK(runner.add(memory.page(2)) == HSA_STATUS_SUCCESS);
  memory.unmap();
  CHECK(runner.add(numbers + 1024) == kMemoryFault); // accessible, and no memory any more
}

TEST_CASE("Another runtime knows nothing of what was shared with the last one", "[hsa][svm][misuse]") {
  Pages memory(1);
  {
    Hsa hsa;
    REQUIRE_HSA(set(memory.base, kPage, {{HSA_AMD_SVM_ATTRIB_AGENT_ACCESSIBLE, hsa.gpu.handle}}));
  }
  Hsa hsa;
  CHECK(access_of(memory.base, kPage, hsa.gpu) == HSA_AMD_SVM_ATTRIB_AGENT_NO_ACCESS);
  CHECK(GroupRunner{hsa}.add(memory.base) == kMemoryFault);
}

TEST_CASE("Attributes are those of pages, and answers those of all pages", "[hsa][svm]") {
  Hsa hsa;
  Pages memory(8);
  const auto all = [&](uint64_t attribute) { return value_of(memory.base, memory.bytes, attribute); };
  CHECK(all(HSA_AMD_SVM_ATTRIB_GLOBAL_FLAG) == HSA_AMD_SVM_GLOBAL_FLAG_FINE_GRAINED);
  CHECK(all(HSA_AMD_SVM_ATTRIB_READ_MOSTLY) == 0);
  CHECK(all(HSA_AMD_SVM_ATTRIB_PREFERRED_LOCATION) == 0);
  CHECK(all(HSA_AMD_SVM_ATTRIB_PREFETCH_LOCATION) == 0);
  CHECK(all(HSA_AMD_SVM_ATTRIB_MIGRATION_GRANULARITY) == 9); // 2 MiB
  CHECK(access_of(memory.base, memory.bytes, hsa.gpu) == HSA_AMD_SVM_ATTRIB_AGENT_NO_ACCESS);
  CHECK(access_of(memory.base, memory.bytes, hsa.host) == HSA_AMD_SVM_ATTRIB_AGENT_ACCESSIBLE);

  REQUIRE_HSA(set(memory.page(2) + 17, 3 * kPage - 17,
                  {{HSA_AMD_SVM_ATTRIB_GLOBAL_FLAG, HSA_AMD_SVM_GLOBAL_FLAG_COARSE_GRAINED},
                   {HSA_AMD_SVM_ATTRIB_READ_ONLY, 7},
                   {HSA_AMD_SVM_ATTRIB_HIVE_LOCAL, 1},
                   {HSA_AMD_SVM_ATTRIB_READ_MOSTLY, 1},
                   {HSA_AMD_SVM_ATTRIB_GPU_EXEC, 1},
                   {HSA_AMD_SVM_ATTRIB_MIGRATION_GRANULARITY, 4},
                   {HSA_AMD_SVM_ATTRIB_PREFERRED_LOCATION, hsa.gpu.handle},
                   {HSA_AMD_SVM_ATTRIB_AGENT_ACCESSIBLE, hsa.gpu.handle},
                   {HSA_AMD_SVM_ATTRIB_AGENT_NO_ACCESS, hsa.host.handle}}));
  const auto inner = [&](uint64_t attribute) { return value_of(memory.page(2), 3 * kPage, attribute); };
  CHECK(inner(HSA_AMD_SVM_ATTRIB_GLOBAL_FLAG) == HSA_AMD_SVM_GLOBAL_FLAG_COARSE_GRAINED);
  for (const uint64_t flag : {HSA_AMD_SVM_ATTRIB_READ_ONLY, HSA_AMD_SVM_ATTRIB_HIVE_LOCAL,
                              HSA_AMD_SVM_ATTRIB_READ_MOSTLY, HSA_AMD_SVM_ATTRIB_GPU_EXEC}) {
    CHECK(inner(flag) == 1);
    CHECK(all(flag) == 0);
  }
  CHECK(inner(HSA_AMD_SVM_ATTRIB_MIGRATION_GRANULARITY) == 4);
  CHECK(inner(HSA_AMD_SVM_ATTRIB_PREFERRED_LOCATION) == hsa.gpu.handle);
  CHECK(access_of(memory.page(2), 3 * kPage, hsa.gpu) == HSA_AMD_SVM_ATTRIB_AGENT_ACCESSIBLE);
  CHECK(access_of(memory.page(2), 3 * kPage, hsa.host) == HSA_AMD_SVM_ATTRIB_AGENT_NO_ACCESS);
  CHECK(all(HSA_AMD_SVM_ATTRIB_GLOBAL_FLAG) == HSA_AMD_SVM_GLOBAL_FLAG_INDETERMINATE);
  CHECK(all(HSA_AMD_SVM_ATTRIB_MIGRATION_GRANULARITY) == 4);
  CHECK(all(HSA_AMD_SVM_ATTRIB_PREFERRED_LOCATION) == 0);
  CHECK(access_of(memory.base, memory.bytes, hsa.gpu) == HSA_AMD_SVM_ATTRIB_AGENT_NO_ACCESS);
  // A single page of them, another kind of access, and the rest of the memory.
  REQUIRE_HSA(set(memory.page(3), 1,
                  {{HSA_AMD_SVM_ATTRIB_AGENT_ACCESSIBLE_IN_PLACE, hsa.gpu.handle},
                   {HSA_AMD_SVM_ATTRIB_PREFERRED_LOCATION, hsa.host.handle}}));
  CHECK(access_of(memory.page(3), 1, hsa.gpu) == HSA_AMD_SVM_ATTRIB_AGENT_ACCESSIBLE_IN_PLACE);
  CHECK(access_of(memory.page(2), 3 * kPage, hsa.gpu) == HSA_AMD_SVM_ATTRIB_AGENT_ACCESSIBLE);
  CHECK(value_of(memory.page(3), 1, HSA_AMD_SVM_ATTRIB_PREFERRED_LOCATION) == hsa.host.handle);
  CHECK(inner(HSA_AMD_SVM_ATTRIB_PREFERRED_LOCATION) == 0);
  CHECK(inner(HSA_AMD_SVM_ATTRIB_READ_MOSTLY) == 1);
  REQUIRE_HSA(set(memory.base, memory.bytes,
                  {{HSA_AMD_SVM_ATTRIB_AGENT_ACCESSIBLE_IN_PLACE, hsa.gpu.handle},
                   {HSA_AMD_SVM_ATTRIB_PREFERRED_LOCATION, 0},
                   {HSA_AMD_SVM_ATTRIB_MIGRATION_GRANULARITY, 100}}));
  CHECK(access_of(memory.base, memory.bytes, hsa.gpu) == HSA_AMD_SVM_ATTRIB_AGENT_ACCESSIBLE_IN_PLACE);
  CHECK(all(HSA_AMD_SVM_ATTRIB_MIGRATION_GRANULARITY) == 18); // ROCr's most
  CHECK(inner(HSA_AMD_SVM_ATTRIB_READ_MOSTLY) == 1);
  CHECK(all(HSA_AMD_SVM_ATTRIB_READ_MOSTLY) == 0);
}

TEST_CASE("Random attributes of random pages are those that were set last", "[hsa][svm]") {
  Hsa hsa;
  constexpr size_t kPages = 40;
  Pages memory(kPages);
  struct Said {
    uint64_t granularity = 9, preferred = 0, access = HSA_AMD_SVM_ATTRIB_AGENT_NO_ACCESS, mostly = 0;
  } said[kPages];
  uint32_t state = 12345;
  const auto random = [&state](uint32_t below) { return (state = state * 1664525 + 1013904223) / 65536 % below; };
  for (int round = 0; round < 400; ++round) {
    const size_t first = random(kPages), count = 1 + random(static_cast<uint32_t>(kPages - first));
    const Said now{random(3), random(2) ? hsa.gpu.handle : 0, HSA_AMD_SVM_ATTRIB_AGENT_ACCESSIBLE + random(3),
                   random(2)};
    REQUIRE_HSA(set(memory.page(first), count * kPage,
                    {{HSA_AMD_SVM_ATTRIB_MIGRATION_GRANULARITY, now.granularity},
                     {HSA_AMD_SVM_ATTRIB_PREFERRED_LOCATION, now.preferred},
                     {now.access, hsa.gpu.handle},
                     {HSA_AMD_SVM_ATTRIB_READ_MOSTLY, now.mostly}}));
    std::fill_n(said + first, count, now);
    const size_t at = random(kPages);
    Pairs pairs{{HSA_AMD_SVM_ATTRIB_MIGRATION_GRANULARITY, 0},
                {HSA_AMD_SVM_ATTRIB_PREFERRED_LOCATION, 0},
                {HSA_AMD_SVM_ATTRIB_ACCESS_QUERY, hsa.gpu.handle},
                {HSA_AMD_SVM_ATTRIB_READ_MOSTLY, 0}};
    REQUIRE_HSA(get(memory.page(at), kPage, pairs));
    REQUIRE(pairs[0].value == said[at].granularity);
    REQUIRE(pairs[1].value == said[at].preferred);
    REQUIRE(pairs[2].attribute == said[at].access);
    REQUIRE(pairs[3].value == said[at].mostly);
  }
}

TEST_CASE("Attributes that cannot be", "[hsa][svm][misuse]") {
  Hsa hsa;
  Pages memory(2);
  void* const base = memory.base;
  Pairs one{{HSA_AMD_SVM_ATTRIB_READ_MOSTLY, 1}};
  for (const auto& call : {hsa_amd_svm_attributes_set, hsa_amd_svm_attributes_get}) {
    CHECK(call(base, kPage, nullptr, 1) == HSA_STATUS_ERROR_INVALID_ARGUMENT);
    CHECK(call(nullptr, kPage, one.data(), 1) == HSA_STATUS_ERROR_INVALID_ARGUMENT);
    CHECK(call(base, 0, one.data(), 1) == HSA_STATUS_ERROR_INVALID_ARGUMENT);
    CHECK(call(base, SIZE_MAX, one.data(), 1) == HSA_STATUS_ERROR_INVALID_ARGUMENT);
    CHECK(call(base, kPage, nullptr, 0) == HSA_STATUS_SUCCESS);
    CHECK(call(reinterpret_cast<void*>(0x1000), kPage, one.data(), 1) == HSA_STATUS_ERROR); // no memory
    auto* const of_pool = hsa.allocate<char>(hsa.device, kPage);
    CHECK(call(of_pool, kPage, one.data(), 1) == HSA_STATUS_ERROR);
    REQUIRE_HSA(hsa_amd_memory_pool_free(of_pool));
    Pairs unknown{{0x900, 0}};
    CHECK(call(base, kPage, unknown.data(), 1) == HSA_STATUS_ERROR_INVALID_ARGUMENT);
  }
  CHECK(set(base, kPage, {{HSA_AMD_SVM_ATTRIB_PREFETCH_LOCATION, hsa.gpu.handle}}) ==
        HSA_STATUS_ERROR_INVALID_ARGUMENT);
  CHECK(set(base, kPage, {{HSA_AMD_SVM_ATTRIB_ACCESS_QUERY, hsa.gpu.handle}}) == HSA_STATUS_ERROR_INVALID_ARGUMENT);
  CHECK(set(base, kPage, {{HSA_AMD_SVM_ATTRIB_GLOBAL_FLAG, HSA_AMD_SVM_GLOBAL_FLAG_INDETERMINATE}}) ==
        HSA_STATUS_ERROR_INVALID_ARGUMENT);
  for (const uint64_t attribute :
       {HSA_AMD_SVM_ATTRIB_AGENT_ACCESSIBLE, HSA_AMD_SVM_ATTRIB_AGENT_NO_ACCESS, HSA_AMD_SVM_ATTRIB_PREFERRED_LOCATION})
    CHECK(set(base, kPage, {{attribute, 0xdeadbeef}}) == HSA_STATUS_ERROR_INVALID_AGENT);
  CHECK(set(base, kPage, {{HSA_AMD_SVM_ATTRIB_AGENT_ACCESSIBLE, 0}}) == HSA_STATUS_ERROR_INVALID_AGENT);
  // All of a list, or nothing.
  CHECK(set(base, kPage, {{HSA_AMD_SVM_ATTRIB_READ_MOSTLY, 1}, {HSA_AMD_SVM_ATTRIB_READ_MOSTLY, 0}}) ==
        HSA_STATUS_ERROR_INCOMPATIBLE_ARGUMENTS);
  CHECK(set(base, kPage,
            {{HSA_AMD_SVM_ATTRIB_READ_MOSTLY, 1},
             {HSA_AMD_SVM_ATTRIB_AGENT_ACCESSIBLE, hsa.gpu.handle},
             {HSA_AMD_SVM_ATTRIB_AGENT_NO_ACCESS, hsa.gpu.handle}}) == HSA_STATUS_ERROR_INCOMPATIBLE_ARGUMENTS);
  CHECK(value_of(base, kPage, HSA_AMD_SVM_ATTRIB_READ_MOSTLY) == 0);
  Pairs access{{HSA_AMD_SVM_ATTRIB_AGENT_ACCESSIBLE, hsa.gpu.handle}};
  CHECK(get(base, kPage, access) == HSA_STATUS_ERROR_INVALID_ARGUMENT);
  Pairs nobody{{HSA_AMD_SVM_ATTRIB_ACCESS_QUERY, 0xdeadbeef}};
  CHECK(get(base, kPage, nobody) == HSA_STATUS_ERROR_INVALID_AGENT);

  const hsa_signal_t done = hsa.signal(1);
  const hsa_signal_t none{0xdeadbeef};
  CHECK(hsa_amd_svm_prefetch_async(base, kPage, {0xdeadbeef}, 0, nullptr, done) == HSA_STATUS_ERROR_INVALID_AGENT);
  CHECK(hsa_amd_svm_prefetch_async(nullptr, kPage, hsa.gpu, 0, nullptr, done) == HSA_STATUS_ERROR_INVALID_ARGUMENT);
  CHECK(hsa_amd_svm_prefetch_async(base, kPage, hsa.gpu, 1, nullptr, done) == HSA_STATUS_ERROR_INVALID_ARGUMENT);
  CHECK(hsa_amd_svm_prefetch_async(base, kPage, hsa.gpu, 1, &none, done) == HSA_STATUS_ERROR_INVALID_SIGNAL);
  CHECK(hsa_amd_svm_prefetch_async(base, kPage, hsa.gpu, 0, nullptr, none) == HSA_STATUS_ERROR_INVALID_SIGNAL);
  CHECK(hsa_amd_svm_prefetch_async(reinterpret_cast<void*>(0x1000), kPage, hsa.gpu, 0, nullptr, done) ==
        HSA_STATUS_ERROR);
  CHECK(hsa_signal_load_relaxed(done) == 1);
}

TEST_CASE("Prefetches begin after their signals, and the last one says where memory is", "[hsa][svm]") {
  Hsa hsa;
  Pages memory(8);
  const auto place = [&](size_t first, size_t count) {
    return value_of(memory.page(first), count * kPage, HSA_AMD_SVM_ATTRIB_PREFETCH_LOCATION);
  };
  const hsa_signal_t done = hsa.signal(2);
  REQUIRE_HSA(hsa_amd_svm_prefetch_async(memory.page(1) + 5, kPage, hsa.gpu, 0, nullptr, done));
  CHECK(wait_below(done, 2) == 1);
  CHECK(place(1, 2) == hsa.gpu.handle);
  CHECK(place(0, 2) == 0);
  REQUIRE_HSA(hsa_amd_svm_prefetch_async(memory.page(2), 4 * kPage, hsa.host, 0, nullptr, {0}));
  CHECK(place(1, 1) == hsa.gpu.handle);
  CHECK(place(2, 4) == hsa.host.handle);
  CHECK(place(1, 2) == 0);

  hsa_signal_t gates[] = {hsa.signal(1), hsa.signal(0), hsa.signal(3)};
  hsa_signal_store_screlease(done, 1);
  REQUIRE_HSA(hsa_amd_svm_prefetch_async(memory.base, memory.bytes, hsa.gpu, 3, gates, done));
  CHECK(place(0, 8) == hsa.gpu.handle); // the last that was asked for
  // A later one ends before it; then it is the one that ended last.
  REQUIRE_HSA(hsa_amd_svm_prefetch_async(memory.page(4), kPage, hsa.host, 0, nullptr, {0}));
  CHECK(place(4, 1) == hsa.host.handle);
  hsa_signal_store_screlease(gates[2], 0);
  CHECK(hsa_signal_wait_scacquire(done, HSA_SIGNAL_CONDITION_LT, 1, 3'000'000, HSA_WAIT_STATE_BLOCKED) == 1);
  hsa_signal_store_screlease(gates[0], 0);
  CHECK(wait_below(done, 1) == 0);
  CHECK(place(0, 8) == hsa.gpu.handle);
}

TEST_CASE("A prefetch of memory that has gone fails", "[hsa][svm][misuse]") {
  Hsa hsa;
  Pages memory(2);
  const hsa_signal_t gate = hsa.signal(1), done = hsa.signal(1);
  REQUIRE_HSA(hsa_amd_svm_prefetch_async(memory.base, memory.bytes, hsa.gpu, 1, &gate, done));
  memory.unmap();
  hsa_signal_store_screlease(gate, 0);
  CHECK(wait_below(done, 1) == -1);
}

TEST_CASE("Addresses that are not registered are memory of the process", "[hsa][svm]") {
  Hsa hsa;
  GroupRunner runner{hsa};
  constexpr size_t kBytes = 3 * kPage - 100, kAlignment = 1 << 16; // any size
  void* base = nullptr;
  REQUIRE_HSA(hsa_amd_vmem_address_reserve_align(&base, kBytes, 0, kAlignment, HSA_AMD_VMEM_ADDRESS_NO_REGISTER));
  CHECK(reinterpret_cast<uintptr_t>(base) % kAlignment == 0);
  auto* const numbers = static_cast<uint32_t*>(base);
  numbers[0] = numbers[kBytes / 4 - 1] = 1; // the host may use all of it at once
  hsa_amd_pointer_info_t info{};
  info.size = sizeof info;
  REQUIRE_HSA(hsa_amd_pointer_info(numbers + 2000, &info, nullptr, nullptr, nullptr));
  CHECK(info.type == HSA_EXT_POINTER_TYPE_RESERVED_ADDR);
  CHECK(info.hostBaseAddress == base);
  CHECK(info.sizeInBytes == kBytes);
  REQUIRE_HSA(set(base, kBytes, {{HSA_AMD_SVM_ATTRIB_AGENT_ACCESSIBLE, hsa.gpu.handle}}));
  CHECK(runner.add(numbers) == HSA_STATUS_SUCCESS);
  CHECK(numbers[0] == 6);
  CHECK(hsa_amd_vmem_address_free(base, kPage) == HSA_STATUS_ERROR_INVALID_ALLOCATION);
  REQUIRE_HSA(hsa_amd_vmem_address_free(base, kBytes));
  CHECK(hsa_amd_vmem_address_free(base, kBytes) == HSA_STATUS_ERROR_INVALID_ALLOCATION);
  // What comes to lie there is not shared.
  void* const again =
      ::mmap(base, kBytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);
  REQUIRE(again == base);
  CHECK(access_of(base, kBytes, hsa.gpu) == HSA_AMD_SVM_ATTRIB_AGENT_NO_ACCESS);
  ::munmap(again, kBytes);
}
