// The arena of the software GPUs: allocation, what it knows about addresses, faults after free, registered host memory.
#include "fake_engine.h"

#include "runtime/backend/aql/soft/arena.h"
#include "runtime/backend/aql/soft/host_ranges.h"
#include "test_seed.h"

#include <algorithm>
#include <array>
#include <fstream>
#include <random>
#include <sys/mman.h>
#include <unistd.h>

using namespace hip;
using namespace hip::aql::soft;
using hip::aql::SharedAccess;
using hip::test::good;

namespace {

uint64_t address(void* p) { return reinterpret_cast<uint64_t>(p); }

// The kernel refuses to read it on our behalf.
bool faults(const void* p) {
  int pipe[2];
  REQUIRE(::pipe(pipe) == 0);
  const bool refused = ::write(pipe[1], p, 1) != 1;
  ::close(pipe[0]);
  ::close(pipe[1]);
  return refused;
}

// ThreadSanitizer ends the process where it cannot unmap memory of its own.
#if defined(__has_feature) && __has_feature(thread_sanitizer)
constexpr bool kNeedsRoomInMap = true;
#else
constexpr bool kNeedsRoomInMap = false;
#endif

// While it lives, the kernel's memory map has no room for one more mapping (vm.max_map_count).
class FullMemoryMap {
public:
  FullMemoryMap() {
    if (kNeedsRoomInMap) return;
    uint64_t limit = 0;
    std::ifstream("/proc/sys/vm/max_map_count") >> limit;
    if (limit == 0 || limit > kMostMappings) return;
    bytes_ = (2 * limit + 1) * kPage;
    void* const base = ::mmap(nullptr, bytes_, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (base == MAP_FAILED) return;
    pages_ = static_cast<std::byte*>(base);
    // Every other page is a mapping; the first and the last one part the range from what is beside it.
    bool changed = make_readable(bytes_ - kPage);
    for (uint64_t offset = 0; changed && offset < bytes_; offset += 2 * kPage) changed = make_readable(offset);
    full_ = !changed;
    last_ = ::mmap(nullptr, kPage, PROT_READ | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0); // one above the limit
  }
  ~FullMemoryMap() {
    if (last_ != MAP_FAILED) ::munmap(last_, kPage);
    if (pages_) ::munmap(pages_, bytes_);
  }
  FullMemoryMap(const FullMemoryMap&) = delete;
  FullMemoryMap& operator=(const FullMemoryMap&) = delete;
  bool full() const noexcept { return full_; }

private:
  static constexpr uint64_t kPage = Arena::kPageBytes, kMostMappings = 1 << 21;
  bool make_readable(uint64_t offset) { return ::mprotect(pages_ + offset, kPage, PROT_READ) == 0; }
  std::byte* pages_ = nullptr;
  uint64_t bytes_ = 0;
  void* last_ = MAP_FAILED;
  bool full_ = false;
};

} // namespace

TEST_CASE("Arena: allocations are aligned, writable and disjoint", "[aql][arena]") {
  const auto arena = good(Arena::create(uint64_t(1) << 32, uint64_t(1) << 32));
  std::mt19937_64 random(hip::testing::seeded(1));
  std::vector<std::pair<std::byte*, size_t>> blocks;
  for (int i = 0; i < 300; ++i) {
    const size_t bytes = size_t(1) << (random() % 20);
    const size_t size = bytes + random() % bytes;
    auto* block = static_cast<std::byte*>(good(arena->allocate(size, 256, Purse::Device)));
    REQUIRE(address(block) % 256 == 0);
    REQUIRE(arena->covers(address(block)));
    std::memset(block, i & 0xff, size);
    blocks.emplace_back(block, size);
  }
  for (size_t i = 0; i < blocks.size(); ++i) {
    CHECK(blocks[i].first[0] == std::byte(i & 0xff));
    CHECK(blocks[i].first[blocks[i].second - 1] == std::byte(i & 0xff));
    CHECK(arena->contains(address(blocks[i].first), blocks[i].second));
    CHECK_FALSE(arena->contains(address(blocks[i].first), blocks[i].second + 1));
  }
  for (auto& [block, size] : blocks) REQUIRE_OK(arena->free(block));
  CHECK(address(good(arena->allocate(3 << 20, 256, Purse::Device))) % (2 << 20) == 0); // huge pages
  CHECK(address(good(arena->allocate(100, 8192, Purse::Device))) % 8192 == 0);
}

TEST_CASE("Arena: freed pages fault, freed twice is an error", "[aql][arena]") {
  const auto arena = good(Arena::create(uint64_t(1) << 30, uint64_t(1) << 30));
  void* const block = good(arena->allocate(100000, 256, Purse::Device));
  CHECK_FALSE(faults(block));
  CHECK(faults(static_cast<std::byte*>(block) + 102400)); // the gap behind
  REQUIRE_OK(arena->free(block));
  CHECK(faults(block));
  CHECK(arena->free(block).code() == ErrorCode::InvalidValue);
  CHECK_FALSE(arena->contains(address(block), 1));
  // The addresses rest as long as there are others.
  for (int i = 0; i < 10; ++i) CHECK(good(arena->allocate(100000, 256, Purse::Device)) != block);

  void* const small = good(arena->allocate(100, 256, Purse::Device));
  REQUIRE_OK(arena->free(small));
  CHECK(arena->free(small).code() == ErrorCode::InvalidValue);
  CHECK(arena->free(static_cast<std::byte*>(block) + 1).code() == ErrorCode::InvalidValue);
  int local = 0;
  CHECK(arena->free(&local).code() == ErrorCode::InvalidValue);
}

TEST_CASE("Arena: the capacity is kept and given back", "[aql][arena]") {
  const auto arena = good(Arena::create(64 << 20, 64 << 20));
  void* const block = good(arena->allocate(40 << 20, 256, Purse::Device));
  CHECK(arena->used_bytes(Purse::Device) == 40 << 20);
  const Result<void*> more = arena->allocate(40 << 20, 256, Purse::Device);
  CHECK(more.status().code() == ErrorCode::OutOfMemory);
  CHECK(more.status().message().find("41943040 bytes") != std::string::npos);
  CHECK(arena->allocate(SIZE_MAX / 2, 256, Purse::Device).status().code() == ErrorCode::OutOfMemory);
  REQUIRE_OK(arena->free(block));
  CHECK(arena->used_bytes(Purse::Device) == 0);
  CHECK(arena->allocate(40 << 20, 256, Purse::Device).ok());
}

TEST_CASE("Arena: pinned host memory takes none of the device's", "[aql][arena]") {
  const auto arena = good(Arena::create(64 << 20, 128 << 20));
  void* const pinned = good(arena->allocate(100 << 20, 256, Purse::Host)); // more than the device has
  void* const small = good(arena->allocate(100, 256, Purse::Host));
  CHECK(arena->used_bytes(Purse::Device) == 0);
  CHECK(arena->used_bytes(Purse::Host) == (100 << 20) + 256);
  CHECK(arena->contains(address(small), 100));
  const Result<void*> more = arena->allocate(40 << 20, 256, Purse::Host);
  CHECK(more.status().code() == ErrorCode::OutOfMemory);
  CHECK(more.status().message().find("host memory") != std::string::npos);
  void* const device = good(arena->allocate(40 << 20, 256, Purse::Device));
  REQUIRE_OK(arena->free(pinned));
  REQUIRE_OK(arena->free(small));
  CHECK(arena->used_bytes(Purse::Host) == 0);
  CHECK(arena->used_bytes(Purse::Device) == 40 << 20);
  REQUIRE_OK(arena->free(device));
  CHECK(arena->used_bytes(Purse::Device) == 0);
}

TEST_CASE("Arena: pages are freed while the kernel's memory map is full", "[aql][arena]") {
  const auto arena = good(Arena::create(uint64_t(1) << 32, uint64_t(1) << 32));
  constexpr size_t kBytes = 20480;
  // So many that the last ones have no gaps: they are one mapping for the kernel.
  std::vector<std::byte*> blocks(20016);
  for (std::byte*& block : blocks) block = static_cast<std::byte*>(good(arena->allocate(kBytes, 256, Purse::Device)));
  std::byte* const before = blocks[20008];
  std::byte* const freed = blocks[20009];
  std::byte* const behind = blocks[20010];
  std::byte* const shared = blocks[20013];
  REQUIRE(freed == before + kBytes);
  REQUIRE(behind == freed + kBytes);
  for (std::byte* const block : {before, freed, behind, shared}) std::memset(block, 7, kBytes);
  REQUIRE(arena->share(address(shared)).ok());
  REQUIRE_OK(arena->free(blocks[0])); // so that the list of freed blocks has its memory
  const uint64_t used = arena->used_bytes(Purse::Device);
  std::array<ErrorCode, 2> results{};
  {
    const FullMemoryMap map;
    if (!map.full()) {
      WARN("This system does not limit the mappings of a process, or a sanitizer needs some.");
      return;
    }
    results = {arena->free(freed).code(), arena->free(shared).code()};
  }
  CHECK(results == std::array{ErrorCode::Success, ErrorCode::Success});
  CHECK(arena->used_bytes(Purse::Device) == used - 2 * kBytes);
  CHECK_FALSE(arena->contains(address(freed), 1));
  CHECK_FALSE(arena->contains(address(shared), 1));
  CHECK(faults(shared));
  CHECK(std::count(before, before + kBytes, std::byte{7}) == kBytes);
  CHECK(std::count(behind, behind + kBytes, std::byte{7}) == kBytes);
  CHECK(std::count(freed, freed + kBytes, std::byte{0}) == kBytes); // its memory was given back
  CHECK(good(arena->reserve(kBytes, Arena::kPageBytes, address(freed))) == address(freed));
  CHECK(arena->allocate(kBytes, 256, Purse::Device).ok());
  for (std::byte* const block : blocks)
    if (block != blocks[0] && block != freed && block != shared) REQUIRE_OK(arena->free(block));
  CHECK(arena->used_bytes(Purse::Device) == kBytes);
}

TEST_CASE("Arena: large pages are accessible to their end", "[aql][arena]") {
  const auto arena = good(Arena::create(uint64_t(1) << 30, uint64_t(1) << 30, 2 << 20));
  auto* const block = static_cast<char*>(good(arena->allocate(65536, 256, Purse::Device)));
  CHECK(arena->used_bytes(Purse::Device) == 2 << 20);
  block[65536] = block[(2 << 20) - 1] = 1;
  CHECK(arena->contains(reinterpret_cast<uint64_t>(block), 65536)); // copies still know its size
  CHECK_FALSE(arena->contains(reinterpret_cast<uint64_t>(block), 65537));
  REQUIRE_OK(arena->free(block));
  CHECK(arena->used_bytes(Purse::Device) == 0);
}

TEST_CASE("Arena: the page behind an allocation can be lent for reading", "[aql][arena]") {
  const auto arena = good(Arena::create(uint64_t(1) << 30, uint64_t(1) << 30));
  auto* const block = static_cast<char*>(good(arena->allocate(100000, 256, Purse::Device)));
  char* const gap = block + 25 * Arena::kPageBytes;
  CHECK(faults(gap));
  CHECK_FALSE(arena->lend_gap(address(gap - 1)));
  CHECK_FALSE(arena->lend_gap(address(gap + Arena::kPageBytes)));
  CHECK(faults(gap));
  CHECK(arena->lend_gap(address(gap + 100)));
  CHECK(arena->lend_gap(address(gap))); // another thread's access at the same time
  CHECK(std::all_of(gap, gap + Arena::kPageBytes, [](char byte) { return byte == 0; }));
  CHECK(faults(gap + Arena::kPageBytes));
  CHECK_FALSE(arena->contains(address(gap), 1)); // copies still know the size
  CHECK(arena->used_bytes(Purse::Device) == 25 * Arena::kPageBytes);
  int pipe[2];
  REQUIRE(::pipe(pipe) == 0);
  REQUIRE(::write(pipe[1], "x", 1) == 1);
  CHECK(::read(pipe[0], gap, 1) == -1); // nobody may write there
  ::close(pipe[0]);
  ::close(pipe[1]);
  REQUIRE_OK(arena->free(block));
  CHECK(faults(block));
  CHECK(faults(gap));
  CHECK_FALSE(arena->lend_gap(address(gap)));

  // Pages that other processes share, and their gap.
  auto* const shared = static_cast<char*>(good(arena->allocate(100000, 256, Purse::Device)));
  REQUIRE(arena->share(address(shared)).ok());
  CHECK(arena->lend_gap(address(shared + 25 * Arena::kPageBytes)));
  REQUIRE_OK(arena->free(shared));
  CHECK(faults(shared));
  CHECK(faults(shared + 25 * Arena::kPageBytes));

  // Small allocations have no gap between them; behind the last slab there is one.
  auto* const small = static_cast<char*>(good(arena->allocate(16384, 256, Purse::Device)));
  char* const slab_end = small + SlabHeap::kSlabBytes; // the first block begins with the slab
  CHECK(faults(slab_end));
  CHECK(arena->lend_gap(address(slab_end + 1)));
  CHECK(*slab_end == 0);
  CHECK_FALSE(arena->lend_gap(address(slab_end + Arena::kPageBytes)));
  for (int i = 0; i < 64; ++i)
    *static_cast<char*>(good(arena->allocate(16384, 256, Purse::Device))) = 1; // a second slab
  CHECK(arena->lend_gap(address(slab_end + 1)));

  const auto strict = good(Arena::create(uint64_t(1) << 30, uint64_t(1) << 30, Arena::kPageBytes, false));
  auto* const other = static_cast<char*>(good(strict->allocate(100000, 256, Purse::Device)));
  CHECK_FALSE(strict->lend_gap(address(other + 25 * Arena::kPageBytes)));
  CHECK(faults(other + 25 * Arena::kPageBytes));
}

TEST_CASE("Arena: address ranges are reused once the end is reached", "[aql][arena]") {
  const auto arena = good(Arena::create(uint64_t(1) << 40, uint64_t(1) << 40));
  // 16 TiB (or less) of addresses in pieces of 64 GiB that are never touched.
  for (int i = 0; i < 600; ++i) {
    Result<void*> block = arena->allocate(uint64_t(64) << 30, 256, Purse::Device);
    if (!block.ok()) { // a machine that does not overcommit
      CHECK(block.status().code() == ErrorCode::OutOfMemory);
      return;
    }
    REQUIRE_OK(arena->free(*block));
  }
}

TEST_CASE("Arena: small allocations that stay leave room for large ones", "[aql][arena]") {
  const auto arena = good(Arena::create(uint64_t(1) << 44, uint64_t(1) << 44));
  const uint64_t piece = arena->bytes() / 512;
  for (int i = 0; i < 1500; ++i) { // three times through all addresses
    Result<void*> large = arena->allocate(piece, 256, Purse::Device);
    if (!large.ok()) return; // a machine that does not overcommit
    good(arena->allocate(20000, 256, Purse::Device));
    REQUIRE_OK(arena->free(*large));
  }
  good(arena->allocate(arena->bytes() / 4, 256, Purse::Device));
}

TEST_CASE("Address ranges: what is free is handed out, what comes back last", "[aql][arena]") {
  constexpr uint64_t kBase = 0x10000, kAll = 0x10000;
  AddressRanges ranges(kBase, kAll);
  CHECK(ranges.covers(kBase));
  CHECK(ranges.covers(kBase + kAll - 1));
  CHECK_FALSE(ranges.covers(kBase + kAll));
  CHECK_FALSE(ranges.covers(kBase - 1));
  CHECK(ranges.take(0x100, 0x100) == kBase);
  CHECK(ranges.take(0x1000, 0x1000) == kBase + 0x1000); // aligned; 0xf00 bytes stay free in front of it
  ranges.give(kBase, 0x100);
  CHECK(ranges.take(0x100, 0x100) == kBase + 0x2000);
  CHECK_FALSE(ranges.take(kAll, 1));
  CHECK(ranges.take(0xdf00, 1) == kBase + 0x2100); // to the end
  CHECK(ranges.take(0x1000, 1) == kBase);          // what came back, and what was left in front
  CHECK_FALSE(ranges.take(1, 1));
  ranges.give(kBase + 0x1000, 0x1000);
  CHECK_FALSE(ranges.take_at(kBase + 0xfff, 2));
  CHECK_FALSE(ranges.take_at(kBase + 0x1fff, 2));
  CHECK(ranges.take_at(kBase + 0x1800, 0x800) == kBase + 0x1800);
  CHECK(ranges.take_at(kBase + 0x1000, 0x800) == kBase + 0x1000);
  CHECK_FALSE(ranges.take_at(kBase + 0x1000, 1));
}

TEST_CASE("Address ranges: no number of bytes is too large to be refused", "[aql][arena]") {
  constexpr uint64_t kBase = 0x10000, kAll = 0x10000, kPage = 0x1000;
  AddressRanges ranges(kBase, kAll);
  // Added to the base, all but the last give a number that is not above the end.
  for (const uint64_t bytes : {-kBase, -kPage, UINT64_MAX, kAll + 1}) {
    CHECK_FALSE(ranges.take(bytes, 1));
    CHECK_FALSE(ranges.take(bytes, kPage));
    CHECK_FALSE(ranges.take_at(kBase + kPage, bytes));
  }
  CHECK_FALSE(ranges.take(kPage, uint64_t(1) << 63)); // no such multiple is free
  // Nothing was cut off.
  CHECK(ranges.take(kAll, 1) == kBase);
  CHECK_FALSE(ranges.take(1, 1));
}

// The expectation is a list of pages and whom they belong to.
TEST_CASE("Address ranges: parts never overlap, and all of it can be had again", "[aql][arena]") {
  constexpr uint64_t kPages = 512;
  AddressRanges ranges(kPages, kPages); // in pages: a range has no smallest unit
  std::vector<bool> taken(kPages, false);
  std::vector<std::pair<uint64_t, uint64_t>> parts;
  std::mt19937_64 random(hip::testing::seeded(7));
  for (int i = 0; i < 20000; ++i) {
    if (random() % 2 != 0 && !parts.empty()) {
      const size_t k = random() % parts.size();
      const auto [base, size] = parts[k];
      ranges.give(base, size);
      for (uint64_t page = base; page < base + size; ++page) taken[page - kPages] = false;
      parts[k] = parts.back(), parts.pop_back();
      continue;
    }
    const uint64_t size = 1 + random() % 40, alignment = uint64_t(1) << random() % 5;
    if (const auto base = ranges.take(size, alignment)) {
      REQUIRE(*base % alignment == 0);
      for (uint64_t page = *base; page < *base + size; ++page) {
        REQUIRE(ranges.covers(page));
        REQUIRE(!taken[page - kPages]);
        taken[page - kPages] = true;
      }
      parts.emplace_back(*base, size);
    } else { // then there is no such gap
      uint64_t run = 0;
      for (uint64_t page = 0; page < kPages; ++page) {
        run = taken[page] ? 0 : run + 1;
        const uint64_t start = page + 1 - std::min(run, size);
        if (run >= size) REQUIRE(start % alignment != 0);
      }
    }
  }
  for (const auto& [base, size] : parts) ranges.give(base, size);
  CHECK(ranges.take(kPages, 1) == kPages);
}

TEST_CASE("Arena: describes where an address lies", "[aql][arena]") {
  const auto arena = good(Arena::create(uint64_t(1) << 30, uint64_t(1) << 30));
  good(arena->allocate(20000, 256, Purse::Device));
  void* const block = good(arena->allocate(100000, 256, Purse::Device));
  CHECK(arena->describe(address(block) + 5).find("byte 5 of the 100000-byte allocation") != std::string::npos);
  CHECK(arena->describe(address(block) + 100003).find("3 bytes past the end of the 100000-byte") != std::string::npos);
  CHECK(arena->describe(address(block) + 100003).find("OMNIHIP_SOFT_PAGE_KB=2048") != std::string::npos);
  CHECK(arena->describe(address(block) + (2 << 20)).find("OMNIHIP_SOFT_PAGE_KB") == std::string::npos);
  CHECK(arena->describe(address(block) - 16).find("16 bytes before the 100000-byte") != std::string::npos);
  REQUIRE_OK(arena->free(block));
  CHECK(arena->describe(address(block)).find("has been freed") != std::string::npos);
  CHECK(arena->describe(8).find("no device memory") != std::string::npos);
  void* const small = good(arena->allocate(100, 256, Purse::Device));
  CHECK(arena->describe(address(small) + 120).find("20 bytes past the end of the 100-byte") != std::string::npos);
}

TEST_CASE("Registered host memory is found, overlaps are refused", "[aql][arena]") {
  HostRanges ranges;
  alignas(4096) static std::byte memory[3 * 4096];
  REQUIRE_OK(ranges.add(memory + 4096, 4096));
  CHECK(ranges.contains(address(memory + 4096), 4096, HostAccess::Write));
  CHECK_FALSE(ranges.contains(address(memory + 4096), 4097, HostAccess::Write));
  CHECK_FALSE(ranges.contains(address(memory), 1, HostAccess::Write));
  CHECK(ranges.add(memory, 4097).code() == ErrorCode::HostMemoryAlreadyRegistered);
  CHECK(ranges.add(memory + 5000, 10).code() == ErrorCode::HostMemoryAlreadyRegistered);
  REQUIRE_OK(ranges.add(memory, 4096));
  REQUIRE_OK(ranges.add(memory + 8192, 4096));
  CHECK(ranges.remove(memory + 1).code() == ErrorCode::HostMemoryNotRegistered);
  REQUIRE_OK(ranges.remove(memory + 4096));
  CHECK_FALSE(ranges.contains(address(memory + 4096), 1, HostAccess::Write));
  CHECK(ranges.contains(address(memory + 8192), 4096, HostAccess::Write));
  ranges.drop_old_snapshots();
  CHECK(ranges.contains(address(memory), 4096, HostAccess::Write));
  // An access may lie in several ranges that meet, and in no hole between them.
  CHECK_FALSE(ranges.contains(address(memory), 3 * 4096, HostAccess::Write));
  CHECK_FALSE(ranges.contains(address(memory + 4092), 8, HostAccess::Write));
  REQUIRE_OK(ranges.add(memory + 4096, 1));
  REQUIRE_OK(ranges.add(memory + 4097, 4095));
  CHECK(ranges.contains(address(memory), 3 * 4096, HostAccess::Write));
  CHECK(ranges.contains(address(memory + 4092), 8, HostAccess::Write));
  CHECK_FALSE(ranges.contains(address(memory + 4092), 2 * 4096 + 5, HostAccess::Write));
  CHECK_FALSE(ranges.contains(address(memory), UINT64_MAX, HostAccess::Write));
  CHECK(ranges.add(reinterpret_cast<void*>(4096), 10).code() == ErrorCode::InvalidValue);
}

TEST_CASE("Parts of registered host memory are taken back, the rest stays", "[aql][arena]") {
  HostRanges ranges;
  constexpr uint64_t kBytes = 64;
  alignas(4096) static std::byte memory[4096];
  std::byte* const base = memory + 100;
  bool registered[kBytes] = {};
  std::mt19937 random(hip::testing::seeded(11));
  const auto any = [&](uint64_t below) { return std::uniform_int_distribution<uint64_t>(0, below - 1)(random); };
  for (int round = 0; round < 500; ++round) {
    const uint64_t first = any(kBytes), count = 1 + any(kBytes - first);
    const auto begin = registered + first, end = begin + count;
    if (std::none_of(begin, end, [](bool each) { return each; })) {
      REQUIRE_OK(ranges.add(base + first, count));
      std::fill(begin, end, true);
    } else {
      ranges.remove_part(base + first, count);
      std::fill(begin, end, false);
    }
    const uint64_t from = any(kBytes), bytes = 1 + any(kBytes - from);
    const bool all = std::all_of(registered + from, registered + from + bytes, [](bool each) { return each; });
    REQUIRE(ranges.contains(address(base + from), bytes, HostAccess::Write) == all);
    ranges.drop_old_snapshots();
  }
  ranges.remove_part(base, kBytes);
  for (uint64_t i = 0; i < kBytes; ++i) REQUIRE_FALSE(ranges.contains(address(base + i), 1, HostAccess::Read));
  REQUIRE_OK(ranges.add(memory, 4096));
  ranges.remove_part(memory, 4096);
  CHECK(ranges.remove(memory).code() == ErrorCode::HostMemoryNotRegistered);
}

TEST_CASE("Shared pages are what was said of them last", "[aql][arena]") {
  HostRanges ranges;
  constexpr uint64_t kPage = 4096, kPages = 32, kBase = 1 << 20;
  const auto pointer = [&](uint64_t page) { return reinterpret_cast<void*>(kBase + page * kPage); };
  SharedAccess said[kPages] = {};
  std::mt19937 random(hip::testing::seeded(7));
  const auto any = [&](uint64_t below) { return std::uniform_int_distribution<uint64_t>(0, below - 1)(random); };
  for (int round = 0; round < 500; ++round) {
    const uint64_t first = any(kPages), count = 1 + any(kPages - first);
    const auto access = static_cast<SharedAccess>(any(3));
    ranges.share(pointer(first), count * kPage, access);
    std::fill_n(said + first, count, access);
    const uint64_t from = any(kPages), pages = 1 + any(std::min<uint64_t>(kPages - from, 4));
    const auto least = *std::min_element(said + from, said + from + pages);
    const uint64_t begin = kBase + from * kPage + 5, bytes = pages * kPage - 9;
    REQUIRE(ranges.contains(begin, bytes, HostAccess::Read) == (least != SharedAccess::None));
    REQUIRE(ranges.contains(begin, bytes, HostAccess::Write) == (least == SharedAccess::ReadWrite));
    ranges.drop_old_snapshots();
  }
  ranges.share(pointer(0), kPages * kPage, SharedAccess::None);
  CHECK_FALSE(ranges.contains(kBase, 1, HostAccess::Read));

  // Shared and registered memory that meet are one piece; registered memory may be written in any case.
  alignas(4096) static std::byte memory[2 * 4096];
  ranges.share(memory, 2 * 4096, SharedAccess::Read);
  REQUIRE_OK(ranges.add(memory + 4096, 4096));
  CHECK(ranges.contains(address(memory), 2 * 4096, HostAccess::Read));
  CHECK_FALSE(ranges.contains(address(memory), 2 * 4096, HostAccess::Write));
  CHECK(ranges.contains(address(memory + 4096), 4096, HostAccess::Write));
  REQUIRE_OK(ranges.remove(memory + 4096));
  CHECK_FALSE(ranges.contains(address(memory + 4096), 4096, HostAccess::Write));
  CHECK(ranges.describe(address(memory + 4100)) ==
        fmt::format("{:#x} is byte 4100 of the 8192-byte shared host memory at {:#x}, which kernels may read alone",
                    address(memory + 4100), address(memory)));
}

TEST_CASE("What the process has done to registered memory is in its description", "[aql][arena]") {
  HostRanges ranges;
  char* const memory =
      static_cast<char*>(::mmap(nullptr, 4 * 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
  REQUIRE(memory != MAP_FAILED);
  REQUIRE_OK(ranges.add(memory, 4 * 4096));
  REQUIRE(::mprotect(memory + 4096, 4096, PROT_READ) == 0);
  REQUIRE(::mprotect(memory + 2 * 4096, 4096, PROT_NONE) == 0);
  REQUIRE(::munmap(memory + 3 * 4096, 4096) == 0);
  const auto text = [&](int page) { return ranges.describe(address(memory + page * 4096 + 7)); };
  CHECK(text(0) == fmt::format("{:#x} is byte 7 of the 16384-byte registered host memory at {:#x}", address(memory + 7),
                               address(memory)));
  CHECK(text(1).find("where the process itself has the access \"r\" alone") != std::string::npos);
  CHECK(text(2).find("which the process itself may not access") != std::string::npos);
  CHECK(text(3).find("which the process does not have any more") != std::string::npos);
  ::munmap(memory, 3 * 4096);
}

TEST_CASE("Arena: reserved ranges fault, files are mapped into them", "[aql][arena]") {
  const auto arena = good(Arena::create(uint64_t(1) << 32, uint64_t(1) << 32));
  constexpr uint64_t kBytes = 16 * Arena::kPageBytes;
  const uint64_t base = good(arena->reserve(kBytes, uint64_t(1) << 21, 0));
  CHECK(base % (uint64_t(1) << 21) == 0);
  auto* const memory = reinterpret_cast<char*>(base);
  CHECK(faults(memory));
  CHECK(arena->describe(base + 5).find("no memory is mapped") != std::string::npos);
  const SharedFile file = good(SharedFile::create(4 * Arena::kPageBytes));
  REQUIRE(arena->map_file(base, 4 * Arena::kPageBytes, file, 0).ok());
  CHECK(faults(memory));
  CHECK_FALSE(arena->contains(base, 1));
  REQUIRE(arena->protect(base, 4 * Arena::kPageBytes, backend::PoolAccess::ReadWrite).ok());
  memory[100] = 42;
  CHECK(arena->contains(base, 4 * Arena::kPageBytes));
  CHECK_FALSE(arena->contains(base, 4 * Arena::kPageBytes + 1));
  // The same file behind it, from its second page on.
  const uint64_t next = base + 4 * Arena::kPageBytes;
  REQUIRE(arena->map_file(next, Arena::kPageBytes, file, 0).ok());
  REQUIRE(arena->protect(next, Arena::kPageBytes, backend::PoolAccess::Read).ok());
  CHECK(reinterpret_cast<char*>(next)[100] == 42);
  CHECK(arena->contains(base, 5 * Arena::kPageBytes));
  CHECK(arena->contains(base, 4 * Arena::kPageBytes, backend::PoolAccess::ReadWrite));
  CHECK_FALSE(arena->contains(base, 5 * Arena::kPageBytes, backend::PoolAccess::ReadWrite));
  CHECK_FALSE(arena->contains(next, 1, backend::PoolAccess::ReadWrite));
  CHECK_FALSE(arena->contains(base, UINT64_MAX));
  CHECK_FALSE(arena->contains(base, UINT64_MAX - base + 1)); // to the end of the address space
  CHECK(arena->map_file(next, Arena::kPageBytes, file, 0).code() == ErrorCode::InvalidValue); // mapped already
  CHECK(arena->map_file(base + kBytes, Arena::kPageBytes, file, 0).code() == ErrorCode::InvalidValue);
  CHECK(arena->release(base, kBytes).code() == ErrorCode::InvalidValue);
  CHECK(arena->unmap_file(base, Arena::kPageBytes).code() == ErrorCode::InvalidValue);
  REQUIRE(arena->unmap_file(base, 4 * Arena::kPageBytes).ok());
  CHECK(faults(memory));
  REQUIRE(arena->unmap_file(next, Arena::kPageBytes).ok());
  REQUIRE(arena->release(base, kBytes).ok());
  CHECK(arena->release(base, kBytes).code() == ErrorCode::InvalidValue);
  CHECK(good(arena->reserve(kBytes, Arena::kPageBytes, base)) == base); // as wished
  CHECK(good(arena->reserve(kBytes, Arena::kPageBytes, base)) != base);
}

TEST_CASE("Arena: sharing an allocation keeps its contents", "[aql][arena]") {
  const auto arena = good(Arena::create(uint64_t(1) << 32, uint64_t(1) << 32));
  for (const size_t bytes : {size_t(300), size_t(100000), size_t(3) << 20}) {
    auto* const memory = static_cast<char*>(good(arena->allocate(bytes, 256, Purse::Device)));
    auto* const neighbour = static_cast<char*>(good(arena->allocate(bytes, 256, Purse::Device)));
    for (size_t i = 0; i < bytes; i += 50) memory[i] = static_cast<char>(i / 50), neighbour[i] = 99;
    const Arena::Shared shared = good(arena->share(address(memory) + 100));
    CHECK(shared.bytes == bytes - 100);
    size_t file_bytes = 0;
    const SharedFile file = good(SharedFile::open(::getpid(), shared.descriptor, shared.inode, file_bytes));
    CHECK(shared.offset + shared.bytes <= file_bytes);
    char read = 0;
    for (size_t i = 100; i < bytes; i += 50) {
      REQUIRE(::pread(file.descriptor(), &read, 1, static_cast<off_t>(shared.offset + i - 100)) == 1);
      REQUIRE(read == static_cast<char>(i / 50));
    }
    memory[100] = 77; // seen through the file
    REQUIRE(::pread(file.descriptor(), &read, 1, static_cast<off_t>(shared.offset)) == 1);
    CHECK(read == 77);
    for (size_t i = 0; i < bytes; i += 50) REQUIRE(neighbour[i] == 99);
    CHECK(good(arena->share(address(memory))).inode == shared.inode);
    CHECK(SharedFile::open(::getpid(), shared.descriptor, shared.inode + 1, file_bytes).status().code() ==
          ErrorCode::InvalidValue);
    REQUIRE(arena->free(memory).ok());
    CHECK(arena->share(address(memory)).status().code() == ErrorCode::InvalidValue);
    REQUIRE(arena->free(neighbour).ok());
  }
}
