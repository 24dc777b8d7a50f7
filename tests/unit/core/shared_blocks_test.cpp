// Pools that processes share, over virtual memory made of anonymous files; both ends are in this process.
#include "runtime/backend/null/null_device.h"
#include "runtime/backend/virtual_memory.h"
#include "runtime/core/memory.h"
#include "runtime/core/pool_table.h"

#include <catch2/catch.hpp>

#include <cstring>
#include <new>
#include <sys/mman.h>
#include <unistd.h>

using namespace hip;
using namespace hip::core;

namespace {

constexpr size_t kUnit = 4096;

class FileMemory final : public backend::PhysicalMemory {
public:
  FileMemory(SharedFile file, size_t bytes) noexcept : PhysicalMemory(bytes), file(std::move(file)) {}
  Result<int> export_descriptor() override { return file.duplicate(); }
  SharedFile file;
};

class FileAddresses final : public backend::VirtualMemory {
public:
  Result<size_t> granularity_bytes(backend::Granularity) override { return kUnit; }
  Result<void*> reserve(size_t bytes, size_t, void*) override {
    ++reservations;
    return ::mmap(nullptr, bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  }
  Status release(void* base, size_t bytes) override {
    --reservations;
    ::munmap(base, bytes);
    return {};
  }
  Result<Ref<backend::PhysicalMemory>> create(size_t bytes, const backend::PhysicalOptions& options) override {
    REQUIRE(options.exportable);
    RT_TRY_ASSIGN(SharedFile file, SharedFile::create(bytes));
    return Ref<backend::PhysicalMemory>(make_ref<FileMemory>(std::move(file), bytes));
  }
  Result<Ref<backend::PhysicalMemory>> import(int descriptor) override {
    size_t bytes = 0;
    RT_TRY_ASSIGN(SharedFile file, SharedFile::adopt(descriptor, bytes));
    return Ref<backend::PhysicalMemory>(make_ref<FileMemory>(std::move(file), bytes));
  }
  Status map(void* address, size_t bytes, size_t offset, const Ref<backend::PhysicalMemory>& memory) override {
    const int file = static_cast<FileMemory&>(*memory).file.descriptor();
    REQUIRE(::mmap(address, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, file, static_cast<off_t>(offset)) ==
            address);
    ++mappings;
    return {};
  }
  Status unmap(void* address, size_t bytes) override {
    if (no_memory_to_unmap) throw std::bad_alloc();
    if (refuses_to_unmap) return error(ErrorCode::OutOfMemory, "The test says so.");
    --mappings;
    ::mmap(address, bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
    return {};
  }
  Status set_access(void*, size_t, backend::Device&, backend::PoolAccess) override { return {}; }
  Result<backend::SharedMemoryHandle> share(void*) override { return error(ErrorCode::NotSupported, "Not here."); }
  Result<void*> open(const backend::SharedMemoryHandle&, size_t&) override {
    return error(ErrorCode::NotSupported, "Not here.");
  }
  Status close(void*) override { return error(ErrorCode::NotSupported, "Not here."); }
  int reservations = 0, mappings = 0;
  bool no_memory_to_unmap = false, refuses_to_unmap = false; // the host's memory; the driver
};

class FileDevice final : public backend::null::NullDevice {
public:
  FileDevice() {
    properties_ = NullDevice::properties();
    properties_.virtual_memory = true;
  }
  const backend::DeviceProperties& properties() const noexcept override { return properties_; }
  backend::VirtualMemory* virtual_memory() noexcept override { return &addresses; }
  backend::PeerLink peer_link(backend::Device&) override { return {.access = true}; }
  FileAddresses addresses;

private:
  backend::DeviceProperties properties_;
};

class FileBackend final : public backend::Backend {
public:
  std::string_view name() const noexcept override { return "file"; }
  std::span<backend::Device* const> devices() noexcept override { return {}; }
};

struct Bench {
  Bench() {
    Handle made = create_pool(device, {.handle_types = 1}).value();
    own = find_pool(made).value();
    const int descriptor = own->pool().export_descriptor().value();
    auto opened = import_pool(device, descriptor);
    ::close(descriptor);
    REQUIRE(opened.ok());
    imported = find_pool(*opened).value();
  }
  ~Bench() {
    for (Pin<PoolOwner>* pin : {&own, &imported}) {
      const Handle handle = (*pin)->pool().handle();
      *pin = {};
      CHECK(destroy_pool(handle).ok());
    }
    CHECK(hal.addresses.mappings == 0);
    CHECK(hal.addresses.reservations == 0);
  }
  Allocation find(void* memory) const { return addresses().find(memory).value(); }

  FileDevice hal, other_hal;
  FileBackend group;
  Device device{0, hal, group}, other{1, other_hal, group};
  Pin<PoolOwner> own, imported;
  Stream stream{device, Stream::Kind::NonBlocking, 0, 0};
};

using Attribute = MemoryPool::Attribute;

} // namespace

TEST_CASE("Memory of an exported pool is the same in the pool that was imported") {
  Bench t;
  auto memory = t.own->pool().allocate(10000, t.stream);
  REQUIRE(memory.ok());
  std::memset(*memory, 5, 10000);
  auto data = t.own->pool().export_pointer(t.find(*memory));
  REQUIRE(data.ok());
  auto there = t.imported->pool().import_pointer(*data);
  REQUIRE(there.ok());
  CHECK(*there != *memory);
  CHECK(t.find(*there).bytes == 10000);
  CHECK(t.imported->pool().attribute(Attribute::UsedCurrent).value() == 10000);
  CHECK(std::memcmp(*there, *memory, 10000) == 0);
  static_cast<char*>(*there)[9999] = 77;
  CHECK(static_cast<char*>(*memory)[9999] == 77);
  CHECK(free_in_stream_order(*there, t.stream).ok());
  CHECK(t.imported->pool().attribute(Attribute::UsedCurrent).value() == 0);
  CHECK(t.imported->pool().attribute(Attribute::ReservedCurrent).value() == 0);
  CHECK(t.hal.addresses.mappings == 1);
  CHECK(free_in_stream_order(*memory, t.stream).ok());
}

TEST_CASE("A block that the host has no memory to unmap stays a block of the pool") {
  Bench t;
  MemoryPool& pool = t.own->pool();
  void* const memory = pool.allocate(10000, t.stream).value();
  const uint64_t reserved = pool.attribute(Attribute::ReservedCurrent).value();
  REQUIRE(free_in_stream_order(memory, t.stream).ok());
  t.hal.addresses.no_memory_to_unmap = true;
  CHECK(pool.trim(0).code() == ErrorCode::OutOfMemory);
  t.hal.addresses.no_memory_to_unmap = false;
  CHECK(pool.attribute(Attribute::ReservedCurrent).value() == reserved);
  REQUIRE(pool.allocate(10000, t.stream).value() == memory);
  std::memset(memory, 5, 10000);
  CHECK(pool.export_pointer(t.find(memory)).ok());
  REQUIRE(free_in_stream_order(memory, t.stream).ok());
  CHECK(pool.trim(0).ok());
  CHECK(t.hal.addresses.mappings == 0);
  CHECK(t.hal.addresses.reservations == 0);
}

TEST_CASE("A pool ends although what it has cannot be unmapped") {
  FileDevice hal;
  FileBackend group;
  Device device{0, hal, group};
  Stream stream{device, Stream::Kind::NonBlocking, 0, 0};
  for (const bool is_refused : {true, false}) {
    const int before = hal.addresses.mappings;
    const Handle handle = create_pool(device, {.handle_types = 1}).value();
    void* const memory = find_pool(handle).value()->pool().allocate(10000, stream).value();
    REQUIRE(free_in_stream_order(memory, stream).ok());
    hal.addresses.refuses_to_unmap = true;
    CHECK(find_pool(handle).value()->pool().trim(0).code() == ErrorCode::OutOfMemory);
    hal.addresses.refuses_to_unmap = is_refused;
    CHECK(destroy_pool(handle).ok()); // asks once more
    CHECK(hal.addresses.mappings == before + (is_refused ? 1 : 0));
    hal.addresses.refuses_to_unmap = false;
  }
}

TEST_CASE("An imported pool gives what was exported, and nothing else") {
  Bench t;
  auto memory = t.own->pool().allocate(100, t.stream);
  REQUIRE(memory.ok());
  auto data = t.own->pool().export_pointer(t.find(*memory));
  REQUIRE(data.ok());
  CHECK(t.imported->pool().allocate(100, t.stream).status().code() == ErrorCode::InvalidValue);
  CHECK(t.own->pool().import_pointer(*data).status().code() == ErrorCode::InvalidValue);
  backend::PoolPointerData garbage{};
  CHECK(t.imported->pool().import_pointer(garbage).status().code() == ErrorCode::InvalidValue);
  auto there = t.imported->pool().import_pointer(*data);
  REQUIRE(there.ok());
  CHECK(t.imported->pool().export_pointer(t.find(*there)).status().code() == ErrorCode::InvalidValue);
  CHECK(free_in_stream_order(*there, t.stream).ok());
  CHECK(free_in_stream_order(*memory, t.stream).ok());
  CHECK(t.own->pool().trim(0).ok());
  CHECK(t.imported->pool().import_pointer(*data).status().code() == ErrorCode::InvalidValue); // is gone
}

TEST_CASE("Which devices have access is the same in all pools of one") {
  Bench t;
  REQUIRE(t.own->pool().set_access(t.other, MemoryPool::Access::ReadWrite).ok());
  CHECK(t.imported->pool().access(t.other).value() == MemoryPool::Access::ReadWrite);
  REQUIRE(t.imported->pool().set_access(t.other, MemoryPool::Access::Read).ok());
  CHECK(t.own->pool().access(t.other).value() == MemoryPool::Access::Read);
  REQUIRE(t.own->pool().set_access(t.other, MemoryPool::Access::None).ok());
  CHECK(t.imported->pool().access(t.other).value() == MemoryPool::Access::None);
}

TEST_CASE("A pool that was made for one process stays there; a descriptor of something else is none of a pool") {
  Bench t;
  const Handle handle = create_pool(t.device, {}).value();
  auto pin = find_pool(handle).value();
  CHECK(pin->pool().export_descriptor().status().code() == ErrorCode::InvalidValue);
  auto memory = pin->pool().allocate(100, t.stream);
  REQUIRE(memory.ok());
  CHECK(pin->pool().export_pointer(t.find(*memory)).status().code() == ErrorCode::InvalidValue);
  backend::PoolPointerData data{};
  CHECK(pin->pool().import_pointer(data).status().code() == ErrorCode::InvalidValue);
  CHECK(free_in_stream_order(*memory, t.stream).ok());
  pin = {};
  CHECK(destroy_pool(handle).ok());
  CHECK(import_pool(t.device, -1).status().code() == ErrorCode::InvalidValue);
  CHECK(import_pool(t.device, 1).status().code() == ErrorCode::InvalidValue);
  const SharedFile zeros = std::move(SharedFile::create(SharedPage::kBytes).value());
  CHECK(import_pool(t.device, zeros.descriptor()).status().code() == ErrorCode::InvalidValue);
}
