// malloc and free of device code. Blocks up to 2 KiB come from size classes: a lock-free list of freed blocks, else the
// next piece of a slab that the host gave; larger ones come from the host directly. Memory outlives the kernel.
// Memory ordering: the lists acquire and release at device scope; the caller orders its own use of the memory.
#include "hostcall.h"
#include "../abi/heap.h"

using namespace hip::device;

namespace {

constexpr uint64_t kAddressMask = (uint64_t{1} << 44) - 1; // of an address / 16
constexpr uint64_t kTagStep = uint64_t{1} << 44;

uint64_t load(uint64_t* address) { return __scoped_atomic_load_n(address, __ATOMIC_ACQUIRE, __MEMORY_SCOPE_DEVICE); }
bool swap(uint64_t* address, uint64_t& expected, uint64_t desired) {
  return __scoped_atomic_compare_exchange_n(address, &expected, desired, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE,
                                            __MEMORY_SCOPE_DEVICE);
}
HeapBlock* block_of(uint64_t link) { return reinterpret_cast<HeapBlock*>((link & kAddressMask) << 4); }

OCKL_CONVERGENT uint64_t host_memory(uint64_t free_address, uint64_t bytes) {
  if (!has_hostcall()) return 0;
  return static_cast<uint64_t>(
      hostcall(hidden<uint64_t>(kHiddenHostcallBuffer), kHostcallDeviceMemory, free_address, bytes).x);
}

uint64_t finish(HeapBlock* block, uint32_t state, uint32_t size_class) {
  block->state = state;
  block->size_class = size_class;
  return reinterpret_cast<uint64_t>(block + 1);
}

OCKL_CONVERGENT uint64_t allocate_from_host(uint64_t bytes) {
  if (bytes > UINT64_MAX - sizeof(HeapBlock)) return 0;
  const uint64_t address = host_memory(0, bytes + sizeof(HeapBlock));
  return address == 0 ? 0 : finish(reinterpret_cast<HeapBlock*>(address), kHeapBlockFromHost, 0);
}

HeapBlock* take_free(HeapClass* heap_class) {
  uint64_t head = load(&heap_class->free_list);
  while ((head & kAddressMask) != 0) {
    // The block may be taken and written by somebody else meanwhile; then the tag has changed and the swap fails.
    const uint64_t next = __scoped_atomic_load_n(&block_of(head)->next, __ATOMIC_RELAXED, __MEMORY_SCOPE_DEVICE);
    if (swap(&heap_class->free_list, head, (next & kAddressMask) | ((head + kTagStep) & ~kAddressMask)))
      return block_of(head);
  }
  return nullptr;
}

uint64_t block_bytes(uint32_t size_class) { return (uint64_t{kHeapSmallestBytes} << size_class) + sizeof(HeapBlock); }

HeapBlock* cut(HeapClass* heap_class, uint32_t size_class) {
  auto* slab = reinterpret_cast<HeapSlab*>(load(&heap_class->slab));
  if (slab == nullptr) return nullptr;
  const uint32_t index = __scoped_atomic_fetch_add(&slab->blocks_cut, 1u, __ATOMIC_RELAXED, __MEMORY_SCOPE_DEVICE);
  if (index >= slab->block_count) {
    // The count is taken back, so that it stays near block_count however often a full slab is asked.
    __scoped_atomic_fetch_sub(&slab->blocks_cut, 1u, __ATOMIC_RELAXED, __MEMORY_SCOPE_DEVICE);
    return nullptr;
  }
  return reinterpret_cast<HeapBlock*>(reinterpret_cast<char*>(slab + 1) + index * block_bytes(size_class));
}

enum class Growth { Done, Busy, Exhausted };

// Fetches a slab unless somebody else is at it or has just done it.
OCKL_CONVERGENT Growth grow(HeapClass* heap_class, uint32_t size_class, uint64_t full_slab) {
  if (__scoped_atomic_exchange_n(&heap_class->growing, 1u, __ATOMIC_ACQUIRE, __MEMORY_SCOPE_DEVICE) != 0) return Growth::Busy;
  Growth result = Growth::Done;
  if (load(&heap_class->slab) == full_slab) {
    const uint64_t address = host_memory(0, kHeapSlabBytes);
    if (address == 0) {
      result = Growth::Exhausted;
    } else {
      auto* slab = reinterpret_cast<HeapSlab*>(address);
      slab->blocks_cut = 0;
      slab->block_count = static_cast<uint32_t>((kHeapSlabBytes - sizeof(HeapSlab)) / block_bytes(size_class));
      __scoped_atomic_store_n(&heap_class->slab, address, __ATOMIC_RELEASE, __MEMORY_SCOPE_DEVICE);
    }
  }
  __scoped_atomic_store_n(&heap_class->growing, 0u, __ATOMIC_RELEASE, __MEMORY_SCOPE_DEVICE);
  return result;
}

} // namespace

extern "C" {

// Called by a kernel of AMD's HIP runtime, one work-group, before the heap's first use. It also offers memory to begin with,
// which is left alone: slabs come from the host as they are wanted.
void __ockl_dm_init_v1(uint64_t heap, uint64_t, uint32_t heap_bytes, uint32_t) {
  auto* const words = reinterpret_cast<uint64_t*>(heap);
  for (uint32_t i = __builtin_amdgcn_workitem_id_x(); i < heap_bytes / 8; i += group_size(0)) words[i] = 0;
}

// Memory of `bytes`, aligned to 16, or 0 when the host has none left.
OCKL_CONVERGENT uint64_t __ockl_dm_alloc(uint64_t bytes) {
  if (bytes == 0) return 0;
  auto* heap = reinterpret_cast<Heap*>(hidden<uint64_t>(kHiddenHeap));
  constexpr uint64_t kLargest = uint64_t{kHeapSmallestBytes} << (kHeapClasses - 1);
  if (heap == nullptr || bytes > kLargest) return allocate_from_host(bytes);
  const uint32_t size_class =
      bytes <= kHeapSmallestBytes ? 0 : static_cast<uint32_t>(60 - __builtin_clzll(bytes - 1));
  HeapClass* heap_class = &heap->classes[size_class];

  // Lanes of one wave may want to grow the same class: whoever has the lock finishes within its round of the loop, and
  // the others come round again. Nothing waits inside the body.
  HeapBlock* block = nullptr;
  bool waiting = true;
  do {
    if (waiting) {
      const uint64_t slab = load(&heap_class->slab);
      block = take_free(heap_class);
      if (block == nullptr) block = cut(heap_class, size_class);
      waiting = block == nullptr && grow(heap_class, size_class, slab) != Growth::Exhausted;
    }
  } while (__builtin_amdgcn_ballot_w64(waiting) != 0);
  return block == nullptr ? 0 : finish(block, kHeapBlockInUse, size_class);
}

// Traps when the address is not one that malloc gave, or was freed before.
OCKL_CONVERGENT void __ockl_dm_dealloc(uint64_t address) {
  if (address == 0) return;
  auto* block = reinterpret_cast<HeapBlock*>(address) - 1;
  if (block->state == kHeapBlockFromHost) {
    block->state = kHeapBlockFree;
    (void)host_memory(reinterpret_cast<uint64_t>(block), 0);
    return;
  }
  if (block->state != kHeapBlockInUse) __builtin_trap();
  block->state = kHeapBlockFree;
  auto* heap = reinterpret_cast<Heap*>(hidden<uint64_t>(kHiddenHeap));
  HeapClass* heap_class = &heap->classes[block->size_class];
  uint64_t head = load(&heap_class->free_list);
  uint64_t link;
  do {
    __scoped_atomic_store_n(&block->next, head & kAddressMask, __ATOMIC_RELAXED, __MEMORY_SCOPE_DEVICE);
    link = reinterpret_cast<uint64_t>(block) >> 4 | ((head + kTagStep) & ~kAddressMask);
  } while (!swap(&heap_class->free_list, head, link));
}

} // extern "C"
