// What the kernels of AMD's OpenCL and HIP runtimes call: they bring kernels for copies, fills and operations on memory in
// stream order as OpenCL C, whose bodies are functions of the device library. One work-item does one element.
#include "../ockl/device.h"

using namespace hip::device;

namespace {

typedef unsigned long Ulong2 __attribute__((ext_vector_type(2)));
typedef unsigned long Ulong4 __attribute__((ext_vector_type(4)));

size_t item(unsigned axis, unsigned group, unsigned within) {
  return static_cast<size_t>(group) * hidden<uint16_t>(kHiddenGroupSize + 2 * axis) + within +
         hidden<uint64_t>(kHiddenGlobalOffset + 8 * axis);
}
size_t item_x() { return item(0, __builtin_amdgcn_workgroup_id_x(), __builtin_amdgcn_workitem_id_x()); }
size_t item_y() { return item(1, __builtin_amdgcn_workgroup_id_y(), __builtin_amdgcn_workitem_id_y()); }
size_t item_z() { return item(2, __builtin_amdgcn_workgroup_id_z(), __builtin_amdgcn_workitem_id_z()); }

// Pitches of rows and slices, and the first element; all in elements.
template<class T>
void copy_box(OCKL_GLOBAL const T* src, OCKL_GLOBAL T* dst, Ulong4 from, Ulong4 to, Ulong4 size) {
  const size_t x = item_x(), y = item_y(), z = item_z();
  if (x >= size.x || y >= size.y || z >= size.z) return;
  dst[z * to.y + y * to.x + to.z + x] = src[z * from.y + y * from.x + from.z + x];
}

// A pattern of `count` elements in each place of a row; rows are `pitch` elements apart, and have `row_bytes`.
template<class T>
void fill_rows(OCKL_GLOBAL T* memory, const OCKL_CONSTANT T* pattern, unsigned count, size_t first, size_t row_bytes,
               size_t rows, size_t pitch) {
  const size_t x = item_x(), y = item_y();
  if (x >= row_bytes / (count * sizeof(T)) || y >= rows) return;
  for (unsigned i = 0; i < count; ++i) memory[first + y * pitch + x * count + i] = pattern[i];
}

// HIP's conditions of hipStreamWaitValue32 and its kin.
enum Condition : unsigned { kAtLeast, kEqual, kAnd, kNor };
template<class T> bool holds(T seen, T value, unsigned condition) {
  switch (condition) {
  case kEqual: return seen == value;
  case kAnd: return (seen & value) != 0;
  case kNor: return static_cast<T>(~(seen | value)) != 0;
  default: return seen >= value;
  }
}
template<class T> void wait_for(OCKL_GLOBAL T* word, T value, unsigned condition, T mask) {
  while (!holds<T>(__scoped_atomic_load_n(word, __ATOMIC_ACQUIRE, __MEMORY_SCOPE_SYSTEM) & mask, value, condition))
    __builtin_amdgcn_s_sleep(1);
}
template<class T> void write(OCKL_GLOBAL T* word, T value) {
  __scoped_atomic_store_n(word, value, __ATOMIC_RELEASE, __MEMORY_SCOPE_SYSTEM);
}

// hipStreamBatchMemOpParams.
struct MemoryOperation {
  enum Kind : unsigned { kWait32 = 1, kWrite32 = 2, kWait64 = 4, kWrite64 = 5 };
  unsigned kind;
  uint64_t address, value;
  unsigned flags;
  uint64_t alias;
  uint64_t reserved;
};
static_assert(sizeof(MemoryOperation) == 48);

} // namespace

extern "C" {

void __amd_copyBufferRect(OCKL_GLOBAL uint8_t* src, OCKL_GLOBAL uint8_t* dst, Ulong4 from, Ulong4 to, Ulong4 size) {
  copy_box(src, dst, from, to, size);
}
// `size.w`: the bytes of an element, 4 or 16.
void __amd_copyBufferRectAligned(OCKL_GLOBAL uint32_t* src, OCKL_GLOBAL uint32_t* dst, Ulong4 from, Ulong4 to,
                                 Ulong4 size) {
  if (size.w == sizeof(Ulong2))
    copy_box((OCKL_GLOBAL Ulong2*)src, (OCKL_GLOBAL Ulong2*)dst, from, to, size);
  else
    copy_box(src, dst, from, to, size);
}

void __amd_copyBuffer(OCKL_GLOBAL uint8_t* src, OCKL_GLOBAL uint8_t* dst, uint64_t from, uint64_t to, uint64_t bytes,
                      uint32_t rest) {
  // Four bytes by each work-item, and what is left over by the first.
  const size_t x = item_x();
  const size_t words = (bytes - rest) / 4;
  if (x < words)
    for (unsigned i = 0; i < 4; ++i) dst[to + 4 * x + i] = src[from + 4 * x + i];
  if (x == 0)
    for (size_t i = bytes - rest; i < bytes; ++i) dst[to + i] = src[from + i];
}
void __amd_copyBufferAligned(OCKL_GLOBAL uint32_t* src, OCKL_GLOBAL uint32_t* dst, uint64_t from, uint64_t to,
                             uint64_t size, uint32_t element_bytes) {
  const size_t x = item_x();
  if (x >= size) return;
  if (element_bytes == sizeof(Ulong2))
    ((OCKL_GLOBAL Ulong2*)dst)[to + x] = ((OCKL_GLOBAL Ulong2*)src)[from + x];
  else
    dst[to + x] = src[from + x];
}

// The pointer that is not null says what the elements are.
void __amd_fillBufferAligned2D(OCKL_GLOBAL uint8_t* bytes, OCKL_GLOBAL uint16_t* shorts, OCKL_GLOBAL uint32_t* words,
                               OCKL_GLOBAL uint64_t* longs, const OCKL_CONSTANT uint8_t* pattern, uint32_t count,
                               uint64_t first, uint64_t row_bytes, uint64_t rows, uint64_t pitch) {
  if (longs)
    fill_rows(longs, (const OCKL_CONSTANT uint64_t*)pattern, count, first, row_bytes, rows, pitch);
  else if (words)
    fill_rows(words, (const OCKL_CONSTANT uint32_t*)pattern, count, first, row_bytes, rows, pitch);
  else if (shorts)
    fill_rows(shorts, (const OCKL_CONSTANT uint16_t*)pattern, count, first, row_bytes, rows, pitch);
  else
    fill_rows(bytes, pattern, count, first, row_bytes, rows, pitch);
}

void __amd_streamOpsWrite(OCKL_GLOBAL uint32_t* word, OCKL_GLOBAL uint64_t* quadword, uint64_t value) {
  word ? write(word, static_cast<uint32_t>(value)) : write(quadword, value);
}
void __amd_streamOpsWait(OCKL_GLOBAL uint32_t* word, OCKL_GLOBAL uint64_t* quadword, uint64_t value, uint64_t condition,
                         uint64_t mask) {
  if (word)
    wait_for(word, static_cast<uint32_t>(value), static_cast<unsigned>(condition), static_cast<uint32_t>(mask));
  else
    wait_for(quadword, value, static_cast<unsigned>(condition), mask);
}
void __amd_batchMemOp(OCKL_GLOBAL void* operations, uint32_t count) {
  if (item_x() != 0) return;
  const auto* const list = (OCKL_GLOBAL const MemoryOperation*)operations;
  for (uint32_t i = 0; i < count; ++i) {
    auto* const word = (OCKL_GLOBAL uint32_t*)list[i].address;
    auto* const quadword = (OCKL_GLOBAL uint64_t*)list[i].address;
    switch (list[i].kind) {
    case MemoryOperation::kWait32: wait_for(word, static_cast<uint32_t>(list[i].value), list[i].flags, ~0u); break;
    case MemoryOperation::kWrite32: write(word, static_cast<uint32_t>(list[i].value)); break;
    case MemoryOperation::kWait64: wait_for(quadword, list[i].value, list[i].flags, ~uint64_t{0}); break;
    case MemoryOperation::kWrite64: write(quadword, list[i].value); break;
    default: __builtin_amdgcn_fence(__ATOMIC_SEQ_CST, ""); // barriers, and writes that others are to see
    }
  }
}

// Queues of the device, which no kernel can reach: the functions that use them do not link.
void __amd_scheduler_rocm(OCKL_GLOBAL void*) { __builtin_trap(); }

} // extern "C"
