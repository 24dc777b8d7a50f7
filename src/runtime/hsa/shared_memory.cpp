#include "runtime/hsa/shared_memory.h"

#include <cstring>
#include <unistd.h>

namespace hip::hsa {

namespace {

// What a handle of HSA's holds.
struct PageName {
  uint64_t magic;
  int32_t process, descriptor;
  uint64_t inode, reserved;
};
static_assert(sizeof(PageName) == sizeof(hsa_amd_ipc_memory_t));
constexpr uint64_t kMagic = 0x6d656d6170696873; // "shipamem" in memory

} // namespace

SharedMemory::~SharedMemory() {
  for (const auto& [base, bytes] : attached_) {
    memory_.remove(base);
    if (Status status = virtual_.close(base); !status.ok())
      log(LogLevel::Warning, "Detaching memory of another process: {}", status.message());
  }
}

hsa_status_t SharedMemory::create(void* base, size_t bytes, hsa_amd_ipc_memory_t* handle) {
  if (!base || !handle) return HSA_STATUS_ERROR_INVALID_ARGUMENT;
  const auto found = memory_.find(base);
  if (!found || found->base != reinterpret_cast<uint64_t>(base) || !found->block.pool || bytes > found->block.bytes)
    return refuse(HSA_STATUS_ERROR_INVALID_ARGUMENT, "{} is no allocation of {} bytes.", base, bytes);
  std::lock_guard guard(mutex_);
  auto page = pages_.find(base);
  Result<backend::SharedMemoryHandle> inner = virtual_.share(base);
  if (!inner.ok()) return to_hsa(inner.status());
  if (page == pages_.end()) {
    Result<SharedFile> file = SharedFile::create(SharedPage::kBytes);
    if (!file.ok()) return to_hsa(file.status());
    Result<SharedPage> mapped = SharedPage::map(std::move(*file));
    if (!mapped.ok()) return to_hsa(mapped.status());
    page = pages_.emplace(base, std::move(*mapped)).first;
  }
  std::memcpy(page->second.memory(), inner->data(), inner->size());
  const SharedFile& file = page->second.file();
  const PageName name{kMagic, ::getpid(), file.descriptor(), file.inode(), 0};
  std::memcpy(handle, &name, sizeof name);
  return HSA_STATUS_SUCCESS;
}

void SharedMemory::forget(void* base) {
  std::lock_guard guard(mutex_);
  pages_.erase(base);
}

hsa_status_t SharedMemory::attach(const hsa_amd_ipc_memory_t& handle, size_t bytes, void** out) {
  PageName name;
  std::memcpy(&name, &handle, sizeof name);
  if (name.magic != kMagic || !out) return HSA_STATUS_ERROR_INVALID_ARGUMENT;
  const auto refused = [](const Status& status) {
    return refuse(HSA_STATUS_ERROR_INVALID_ARGUMENT, "{}", status.message());
  };
  size_t page_bytes = 0;
  Result<SharedFile> file = SharedFile::open(name.process, name.descriptor, name.inode, page_bytes);
  if (!file.ok()) return refused(file.status());
  if (page_bytes != SharedPage::kBytes) return HSA_STATUS_ERROR_INVALID_ARGUMENT;
  Result<SharedPage> page = SharedPage::map(std::move(*file));
  if (!page.ok()) return to_hsa(page.status());
  backend::SharedMemoryHandle inner;
  std::memcpy(inner.data(), page->memory(), inner.size());
  size_t whole = 0;
  Result<void*> base = virtual_.open(inner, whole);
  if (!base.ok()) return refused(base.status());
  if (bytes > whole) {
    static_cast<void>(virtual_.close(*base));
    return refuse(HSA_STATUS_ERROR_INVALID_ARGUMENT, "The memory has {} bytes, not {}.", whole, bytes);
  }
  Memory::Block block;
  block.bytes = whole;
  block.type = HSA_EXT_POINTER_TYPE_IPC;
  block.pool = gpu_.pools()[0].get();
  memory_.add(*base, std::move(block));
  std::lock_guard guard(mutex_);
  attached_[*base] = whole;
  *out = *base;
  return HSA_STATUS_SUCCESS;
}

hsa_status_t SharedMemory::detach(void* base) {
  std::lock_guard guard(mutex_);
  if (attached_.erase(base) == 0) return HSA_STATUS_ERROR_INVALID_ARGUMENT;
  memory_.remove(base);
  return to_hsa(virtual_.close(base));
}

} // namespace hip::hsa
