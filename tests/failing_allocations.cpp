// Allocations that fail when they are told to.
#include "failing_allocations.h"

#include <cerrno>
#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <new>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

thread_local long allocations_left = -1;
thread_local bool allocation_failed = false;
std::atomic<long> allocations_left_to_all{-1};
std::atomic<bool> failed_anywhere{false};
std::atomic<long> live_blocks{0};

namespace {

bool fails_now() noexcept {
  if (allocations_left_to_all.load() >= 0 && allocations_left_to_all.fetch_sub(1) == 0) {
    failed_anywhere = true;
    return true;
  }
  if (allocations_left < 0) return false;
  if (allocations_left-- != 0) return false;
  allocation_failed = true;
  return true;
}

// NVIDIA's driver has allocations of its own, and so the one that stands for it (tests/backend/cuda).
bool is_drivers(const void* caller) noexcept {
  Dl_info info{};
  return dladdr(caller, &info) != 0 && info.dli_fname && std::strstr(info.dli_fname, "libfake_cuda");
}

bool may_fail(const void* caller) noexcept {
  return (allocations_left >= 0 || allocations_left_to_all.load() >= 0) && !is_drivers(caller);
}

void* allocate(size_t bytes, size_t alignment, const void* caller) noexcept {
  if (may_fail(caller) && fails_now()) return nullptr;
  void* memory = nullptr;
  if (alignment <= alignof(max_align_t))
    memory = std::malloc(bytes ? bytes : 1);
  else if (posix_memalign(&memory, alignment, bytes) != 0)
    memory = nullptr;
  if (memory) ++live_blocks;
  return memory;
}

void* allocate_or_throw(size_t bytes, size_t alignment, const void* caller) {
  void* const memory = allocate(bytes, alignment, caller);
  if (!memory) throw std::bad_alloc();
  return memory;
}

void release(void* memory) noexcept {
  if (memory) --live_blocks;
  std::free(memory);
}

} // namespace

#define CALLER __builtin_return_address(0)
void* operator new(size_t bytes) { return allocate_or_throw(bytes, 1, CALLER); }
void* operator new[](size_t bytes) { return allocate_or_throw(bytes, 1, CALLER); }
void* operator new(size_t bytes, std::align_val_t a) {
  return allocate_or_throw(bytes, static_cast<size_t>(a), CALLER);
}
void* operator new[](size_t bytes, std::align_val_t a) {
  return allocate_or_throw(bytes, static_cast<size_t>(a), CALLER);
}
void* operator new(size_t bytes, const std::nothrow_t&) noexcept { return allocate(bytes, 1, CALLER); }
void* operator new[](size_t bytes, const std::nothrow_t&) noexcept { return allocate(bytes, 1, CALLER); }
void* operator new(size_t bytes, std::align_val_t a, const std::nothrow_t&) noexcept {
  return allocate(bytes, static_cast<size_t>(a), CALLER);
}
void* operator new[](size_t bytes, std::align_val_t a, const std::nothrow_t&) noexcept {
  return allocate(bytes, static_cast<size_t>(a), CALLER);
}
#undef CALLER
void operator delete(void* memory) noexcept { release(memory); }
void operator delete[](void* memory) noexcept { release(memory); }
void operator delete(void* memory, size_t) noexcept { release(memory); }
void operator delete[](void* memory, size_t) noexcept { release(memory); }
void operator delete(void* memory, std::align_val_t) noexcept { release(memory); }
void operator delete[](void* memory, std::align_val_t) noexcept { release(memory); }
void operator delete(void* memory, const std::nothrow_t&) noexcept { release(memory); }
void operator delete[](void* memory, const std::nothrow_t&) noexcept { release(memory); }
void operator delete(void* memory, std::align_val_t, const std::nothrow_t&) noexcept { release(memory); }
void operator delete[](void* memory, std::align_val_t, const std::nothrow_t&) noexcept { release(memory); }
void operator delete(void* memory, size_t, std::align_val_t) noexcept { release(memory); }
void operator delete[](void* memory, size_t, std::align_val_t) noexcept { release(memory); }

extern "C" void* mmap(void* address, size_t bytes, int protection, int flags, int descriptor, off_t offset) noexcept {
  if (fails_now()) {
    errno = ENOMEM;
    return MAP_FAILED;
  }
  return reinterpret_cast<void*>(::syscall(SYS_mmap, address, bytes, protection, flags, descriptor, offset));
}
