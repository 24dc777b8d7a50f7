// What the process may do with its memory, in ranges of every size (runtime/base/mapped.h).
#include "runtime/base/mapped.h"

#include <catch2/catch.hpp>

#include <cstdio>
#include <sys/mman.h>
#include <unistd.h>

using namespace hip;

namespace {

const size_t kPage = static_cast<size_t>(sysconf(_SC_PAGESIZE));

// Memory of the process, gone with the object.
struct Mapping {
  Mapping(size_t size, int access, int file = -1)
      : bytes(size), base(::mmap(nullptr, size, access, file < 0 ? MAP_PRIVATE | MAP_ANONYMOUS : MAP_SHARED, file, 0)) {
    REQUIRE(base != MAP_FAILED);
  }
  ~Mapping() { ::munmap(base, bytes); }
  Mapping(const Mapping&) = delete;
  uint64_t at(size_t offset = 0) const { return reinterpret_cast<uint64_t>(base) + offset; }

  const size_t bytes;
  void* const base;
};

} // namespace

TEST_CASE("Access is that of all pages of a range", "[base][mapped]") {
  const size_t bytes = GENERATE(size_t(3), size_t(64), size_t(3000)) * kPage; // populated, or asked mapping by mapping
  Mapping memory(bytes, PROT_READ | PROT_WRITE);
  const auto both = [&](size_t begin, size_t end, bool read, bool write) {
    CAPTURE(begin, end);
    CHECK(may_access(memory.at(begin), end - begin, HostAccess::Read) == read);
    CHECK(may_access(memory.at(begin), end - begin, HostAccess::Write) == write);
  };
  both(0, bytes, true, true);
  both(1, bytes - 1, true, true);
  REQUIRE(::mprotect(reinterpret_cast<void*>(memory.at(bytes - kPage)), kPage, PROT_READ) == 0);
  both(0, bytes, true, false);
  both(0, bytes - kPage + 1, true, false); // one byte of the last page
  both(0, bytes - kPage, true, true);
  CHECK(first_without_access(memory.at(), bytes, HostAccess::Write) == memory.at(bytes - kPage));
  CHECK(first_without_access(memory.at(), bytes, HostAccess::Read) == memory.at(bytes));
  CHECK(mapped_access(memory.at(bytes - 1)) == "r");
  REQUIRE(::mprotect(reinterpret_cast<void*>(memory.at(bytes - kPage)), kPage, PROT_NONE) == 0);
  both(0, bytes, false, false);
  both(0, bytes - kPage, true, true);
  CHECK(mapped_access(memory.at(bytes - 1)) == "-");
  REQUIRE(::munmap(reinterpret_cast<void*>(memory.at(bytes - kPage)), kPage) == 0);
  both(0, bytes, false, false);
  CHECK(is_mapped(memory.at(), bytes - kPage));
  CHECK_FALSE(is_mapped(memory.at(), bytes));
}

TEST_CASE("No range wraps around the end of memory", "[base][mapped]") {
  for (const uint64_t bytes : {UINT64_MAX, UINT64_MAX - kPage, uint64_t{1} << 63}) {
    CHECK_FALSE(may_access(kPage, bytes, HostAccess::Read));
    CHECK_FALSE(may_access(UINT64_MAX - 5, bytes, HostAccess::Write));
  }
  CHECK_FALSE(may_access(0, 1, HostAccess::Read));
}

TEST_CASE("A file that ends before its mapping does", "[base][mapped]") {
  const size_t pages = GENERATE(size_t(4), size_t(200));
  std::FILE* const file = std::tmpfile();
  REQUIRE(file);
  REQUIRE(::ftruncate(::fileno(file), static_cast<off_t>(kPage)) == 0);
  {
    Mapping memory(pages * kPage, PROT_READ | PROT_WRITE, ::fileno(file));
    CHECK(may_access(memory.at(), kPage, HostAccess::Write));
    CHECK_FALSE(may_access(memory.at(), pages * kPage, HostAccess::Read)); // a load there is a bus error
    CHECK_FALSE(may_access(memory.at(), pages * kPage, HostAccess::Write));
  }
  std::fclose(file);
}
