#include "runtime/core/shared_blocks.h"

#include "runtime/core/virtual_memory.h"

#include <cstring>
#include <new>
#include <unistd.h>

namespace hip::core {

namespace {

// What a pool's page begins with.
struct Page {
  uint64_t magic;
  SharedBlocks::Access access;
};
constexpr uint64_t kPageMagic = 0x6c6f6f707069686f; // "ohippool" in memory

struct PointerData {
  uint64_t magic;
  int32_t process, descriptor;
  uint64_t inode, bytes;
  uint64_t pool; // the inode of its page
};
static_assert(sizeof(PointerData) <= sizeof(backend::PoolPointerData));
constexpr uint64_t kPointerMagic = 0x727470707069686f; // "ohipp" and "ptr"

} // namespace

Result<std::unique_ptr<SharedBlocks>> SharedBlocks::create(Device& device) {
  RT_TRY(virtual_memory_of(device).status());
  RT_TRY_ASSIGN(SharedFile file, SharedFile::create(SharedPage::kBytes));
  RT_TRY_ASSIGN(SharedPage page, SharedPage::map(std::move(file)));
  static_cast<Page*>(page.memory())->magic = kPageMagic;
  return std::unique_ptr<SharedBlocks>(new SharedBlocks(device, std::move(page), false));
}

Result<std::unique_ptr<SharedBlocks>> SharedBlocks::import(Device& device, int descriptor) {
  RT_TRY(virtual_memory_of(device).status());
  size_t bytes = 0;
  RT_TRY_ASSIGN(SharedFile file, SharedFile::adopt(descriptor, bytes));
  if (bytes != SharedPage::kBytes)
    return error(ErrorCode::InvalidValue, "File descriptor {} is no memory pool.", descriptor);
  RT_TRY_ASSIGN(SharedPage page, SharedPage::map(std::move(file)));
  if (static_cast<const Page*>(page.memory())->magic != kPageMagic)
    return error(ErrorCode::InvalidValue, "File descriptor {} is no memory pool.", descriptor);
  return std::unique_ptr<SharedBlocks>(new SharedBlocks(device, std::move(page), true));
}

SharedBlocks::~SharedBlocks() {
  backend::VirtualMemory& addresses = *device_.hal().virtual_memory();
  for (const auto& [base, block] : blocks_) {
    try {
      if (addresses.unmap(base, block.bytes).ok()) static_cast<void>(addresses.release(base, block.bytes));
    } catch (const std::bad_alloc&) { // it stays mapped until the process ends, as where the driver refuses
    }
  }
}

SharedBlocks::Access& SharedBlocks::access() const noexcept { return static_cast<Page*>(page_.memory())->access; }

namespace {

// Addresses that are given back, unless they were kept.
struct Attempt {
  backend::VirtualMemory& addresses;
  void* const base;
  const size_t bytes;
  bool mapped = false, kept = false;
  ~Attempt() {
    if (kept) return;
    if (mapped) static_cast<void>(addresses.unmap(base, bytes));
    static_cast<void>(addresses.release(base, bytes));
  }
};

} // namespace

Result<void*> SharedBlocks::map(size_t bytes, Ref<backend::PhysicalMemory> memory) {
  backend::VirtualMemory& addresses = *device_.hal().virtual_memory();
  RT_TRY_ASSIGN(void* const base, addresses.reserve(bytes, 0, nullptr));
  Attempt attempt{addresses, base, bytes};
  RT_TRY(addresses.map(base, bytes, 0, memory));
  attempt.mapped = true;
  RT_TRY(addresses.set_access(base, bytes, device_.hal(), backend::PoolAccess::ReadWrite));
  std::lock_guard lock(mutex_);
  blocks_[base] = Block{bytes, std::move(memory), {}};
  attempt.kept = true;
  return base;
}

Result<void*> SharedBlocks::allocate(size_t bytes) {
  backend::VirtualMemory& memory = *device_.hal().virtual_memory();
  RT_TRY_ASSIGN(const size_t unit, memory.granularity_bytes(backend::Granularity::Minimum));
  const size_t whole = (bytes + unit - 1) / unit * unit;
  RT_TRY_ASSIGN(Ref<backend::PhysicalMemory> physical, memory.create(whole, {.exportable = true}));
  return map(whole, std::move(physical));
}

Status SharedBlocks::free(void* base) {
  std::map<void*, Block>::node_type block;
  {
    std::lock_guard lock(mutex_);
    block = blocks_.extract(base);
    if (block.empty()) return error(ErrorCode::InvalidValue, "{} is no block of the pool.", base);
  }
  const size_t bytes = block.mapped().bytes;
  backend::VirtualMemory& addresses = *device_.hal().virtual_memory();
  const auto stays_mapped = [&] {
    std::lock_guard lock(mutex_);
    blocks_.insert(std::move(block));
  };
  try {
    if (Status status = addresses.unmap(base, bytes); !status.ok()) {
      stays_mapped();
      return status;
    }
  } catch (const std::bad_alloc&) {
    stays_mapped();
    throw;
  }
  try {
    return addresses.release(base, bytes);
  } catch (const std::bad_alloc&) { // the memory is given back; no exception may say that it is not
    return Status::no_memory();
  }
}

Result<backend::PoolPointerData> SharedBlocks::export_block(void* base, size_t bytes) {
  std::lock_guard lock(mutex_);
  const auto found = blocks_.find(base);
  if (found == blocks_.end() || imported_)
    return error(ErrorCode::InvalidValue, "{} is no block that this process can export.", base);
  Block& block = found->second;
  if (!block.exported) {
    RT_TRY_ASSIGN(const int descriptor, block.memory->export_descriptor());
    block.exported = SharedFile(descriptor);
  }
  const PointerData data{kPointerMagic,          ::getpid(), block.exported.descriptor(),
                         block.exported.inode(), bytes,      page_.file().inode()};
  backend::PoolPointerData result{};
  std::memcpy(result.data(), &data, sizeof data);
  return result;
}

Result<void*> SharedBlocks::open(const backend::PoolPointerData& exported, size_t& bytes) {
  PointerData data;
  std::memcpy(&data, exported.data(), sizeof data);
  if (data.magic != kPointerMagic || !imported_)
    return error(ErrorCode::InvalidValue, "{}",
                 imported_ ? "The data are none of an exported pointer."
                           : "The pool is of this process, not imported.");
  if (data.pool != page_.file().inode()) // programs with several pools try one after the other
    return error(ErrorCode::InvalidValue, "The exported pointer is of another pool.");
  size_t whole = 0;
  RT_TRY_ASSIGN(const SharedFile file, SharedFile::open(data.process, data.descriptor, data.inode, whole));
  if (data.bytes == 0 || data.bytes > whole)
    return error(ErrorCode::InvalidValue, "The exported pointer has {} bytes in memory of {}.", data.bytes, whole);
  RT_TRY_ASSIGN(Ref<backend::PhysicalMemory> memory, device_.hal().virtual_memory()->import(file.descriptor()));
  bytes = data.bytes;
  return map(whole, std::move(memory));
}

} // namespace hip::core
