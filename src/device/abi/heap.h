/* The device heap of malloc and free in kernels. The host gives each device 128 KiB of zeroed memory (hidden_heap_v1) and
 * more by hostcalls; what it holds is the device library's own business. All kernels of a device share it. */
#ifndef HIP_DEVICE_ABI_HEAP_H
#define HIP_DEVICE_ABI_HEAP_H

#include <stddef.h>
#include <stdint.h>

enum { kHeapBytes = 128 << 10, kHeapClasses = 8, kHeapSmallestBytes = 16, kHeapSlabBytes = 2 << 20 };

/* Blocks of one size: 16 << index. The free list's head is a tagged address: bits 0 to 43 the address / 16, above them a
 * tag that counts every change. */
typedef struct HeapClass {
  uint64_t free_list;
  uint64_t slab;     /* address of the slab that new blocks are cut from, 0 before the first */
  uint32_t growing;  /* 1 while somebody fetches a slab */
  uint32_t reserved[27];
} HeapClass;

typedef struct Heap {
  HeapClass classes[kHeapClasses];
} Heap;

/* In front of the blocks of a slab. */
typedef struct HeapSlab {
  uint32_t blocks_cut; /* goes beyond block_count when several find the slab full at once */
  uint32_t block_count;
  uint64_t reserved;
} HeapSlab;

/* In front of every block that malloc returns. */
typedef struct HeapBlock {
  uint32_t state; /* one of the numbers below; anything else is no block of ours */
  uint32_t size_class;
  uint64_t next; /* in the free list, as in HeapClass */
} HeapBlock;

enum { kHeapBlockInUse = 0x48495055, kHeapBlockFree = 0x48495046, kHeapBlockFromHost = 0x48495048 };

#ifdef __cplusplus
static_assert(sizeof(HeapClass) == 128 && sizeof(Heap) <= kHeapBytes, "Each class has a cache line of its own.");
static_assert(offsetof(HeapClass, slab) == 8 && offsetof(HeapClass, growing) == 16, "Part of the ABI.");
static_assert(sizeof(HeapSlab) == 16 && sizeof(HeapBlock) == 16, "Blocks stay aligned to 16 bytes.");
static_assert(offsetof(HeapSlab, block_count) == 4 && offsetof(HeapBlock, size_class) == 4 &&
                  offsetof(HeapBlock, next) == 8,
              "Part of the ABI.");
#endif

#endif
