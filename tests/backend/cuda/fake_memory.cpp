// The fake driver: memory, copies, fills.
#include "fake_state.h"

#include <cstring>

using namespace hip::cuda;
using namespace hip::test;

#define FAKE_EXPORT extern "C" __attribute__((visibility("default")))

namespace {

constexpr CUresult kErrorAlreadyRegistered = 712, kErrorNotRegistered = 713;

CUresult allocate_device(Fake& fake, CUctx_st& context, CUdeviceptr* address, size_t bytes, From from) {
  void* base = nullptr;
  if (const CUresult result = fake.allocate(context, bytes, from, base); result != kSuccess) return result;
  *address = to_cuda(base);
  return kSuccess;
}

// Memory that the driver does not know: it may change when the call is over, so it is read at once.
bool is_pageable(Fake& fake, uintptr_t address) {
  if (fake.block_of(address) != fake.blocks.end()) return false;
  auto after = fake.registered.upper_bound(address);
  return after == fake.registered.begin() || address >= std::prev(after)->first + std::prev(after)->second;
}

// A single element is one store, since the host may poll it.
template<class T> void fill(CUdeviceptr destination, size_t pitch, T value, size_t width, size_t height) {
  if (width == 1 && height == 1) return __atomic_store_n(static_cast<T*>(from_cuda(destination)), value, __ATOMIC_RELEASE);
  for (size_t y = 0; y < height; ++y) {
    auto* row = static_cast<std::byte*>(from_cuda(destination)) + y * pitch;
    for (size_t x = 0; x < width; ++x) std::memcpy(row + x * sizeof(T), &value, sizeof(T));
  }
}

CUctx_st* owner_of(Fake& fake, uintptr_t address);
bool reaches(Fake& fake, const CUctx_st& context, uintptr_t address);

template<class T> CUresult submit_fill(Fake& fake, CUstream stream, CUdeviceptr destination, size_t pitch, T value,
                                       size_t width, size_t height) {
  if (destination % sizeof(T) != 0 || width == 0 || height == 0 || (height > 1 && pitch < width * sizeof(T)) ||
      pitch % sizeof(T) != 0)
    return kErrorInvalidValue;
  const size_t bytes = (height - 1) * pitch + width * sizeof(T);
  if (fake.leaves_block(destination, bytes) || is_pageable(fake, destination)) return kErrorInvalidValue;
  CUctx_st* context = nullptr;
  if (fake.current(context) == kSuccess && !reaches(fake, *context, destination)) return kErrorInvalidValue;
  return fake.submit(stream, [=] { fill(destination, pitch, value, width, height); });
}

// Null: no one device's.
CUctx_st* owner_of(Fake& fake, uintptr_t address) {
  const auto block = fake.block_of(address);
  const bool device =
      block != fake.blocks.end() && block->second.from != From::Host && block->second.from != From::Managed;
  return device ? block->second.context : nullptr;
}

// Fills and copies of boxes reach another device's memory where access is enabled. cuMemcpyAsync takes any device's
// memory, in streams of any (seen on two H200, as is what it does with the host's).
bool reaches(Fake& fake, const CUctx_st& context, uintptr_t address) {
  const CUctx_st* const owner = owner_of(fake, address);
  return !owner || owner == &context || fake.peers.contains({context.device, owner->device});
}

// One side of a box copy: where row y of slice z begins. Null: the box leaves the array, or is not described well.
struct Side {
  std::byte* base = nullptr;
  size_t pitch = 0, height = 0;
  std::byte* row(size_t z, size_t y) const { return base + (z * height + y) * pitch; }
};

Side array_side(Fake& fake, const CUctx_st* context, CUarray array, const CUDA_MEMCPY3D& c, size_t x, size_t y,
                size_t z) {
  if (!fake.arrays.contains(array) || array->context != context) return {};
  const CUDA_ARRAY3D_DESCRIPTOR& shape = array->shape;
  const size_t rows = shape.Height ? shape.Height : 1, slices = shape.Depth ? shape.Depth : 1;
  const size_t row_bytes = array->data.size() / rows / slices, element_bytes = row_bytes / shape.Width;
  if (x + c.WidthInBytes > row_bytes || y + c.Height > rows || z + c.Depth > slices || x % element_bytes != 0 ||
      c.WidthInBytes % element_bytes != 0)
    return {};
  return {array->data.data() + (z * rows + y) * row_bytes + x, row_bytes, rows};
}

Side memory_side(Fake& fake, CUdeviceptr address, const CUDA_MEMCPY3D& c, size_t pitch, size_t height) {
  const size_t span = ((c.Depth - 1) * height + c.Height - 1) * pitch + c.WidthInBytes;
  if (pitch < c.WidthInBytes || height < c.Height || fake.leaves_block(address, span)) return {};
  return {static_cast<std::byte*>(from_cuda(address)), pitch, height};
}

CUresult copy_rows(Fake& fake, std::unique_lock<std::mutex>& lock, CUctx_st& context, const CUDA_MEMCPY3D& c,
                   CUstream stream) {
  const bool to_array = c.dstMemoryType == kMemoryArray, from_array = c.srcMemoryType == kMemoryArray;
  if (c.WidthInBytes == 0 || c.Height == 0 || c.Depth == 0 || c.srcLOD != 0 || c.dstLOD != 0 ||
      (!from_array && (c.srcXInBytes | c.srcY | c.srcZ) != 0) || (!to_array && (c.dstXInBytes | c.dstY | c.dstZ) != 0))
    return kErrorInvalidValue;
  const Side to =
      to_array ? array_side(fake, c.dstContext ? c.dstContext : &context, c.dstArray, c, c.dstXInBytes, c.dstY, c.dstZ)
               : memory_side(fake, c.dstDevice, c, c.dstPitch, c.dstHeight);
  const Side from = from_array ? array_side(fake, c.srcContext ? c.srcContext : &context, c.srcArray, c, c.srcXInBytes,
                                            c.srcY, c.srcZ)
                               : memory_side(fake, c.srcDevice, c, c.srcPitch, c.srcHeight);
  if (!to.base || !from.base) return kErrorInvalidValue;
  uint64_t number = 0;
  const bool waits = (!to_array && is_pageable(fake, c.dstDevice)) || (!from_array && is_pageable(fake, c.srcDevice));
  const auto run = [c, to, from] {
    for (size_t z = 0; z < c.Depth; ++z)
      for (size_t y = 0; y < c.Height; ++y) std::memmove(to.row(z, y), from.row(z, y), c.WidthInBytes);
  };
  const CUresult result = fake.submit(stream, run, false, &number);
  return result == kSuccess && waits ? fake.wait_for(lock, context, number) : result;
}

} // namespace

FAKE_EXPORT CUresult cuMemGetInfo_v2(size_t* free_bytes, size_t* total_bytes) {
  FAKE_ENTER_CONTEXT(cuMemGetInfo);
  *free_bytes = Fake::kMemoryBytes - fake.used_bytes;
  *total_bytes = Fake::kMemoryBytes;
  return kSuccess;
}

FAKE_EXPORT CUresult cuMemAlloc_v2(CUdeviceptr* address, size_t bytes) {
  FAKE_ENTER_CONTEXT(cuMemAlloc);
  return allocate_device(fake, *context, address, bytes, From::Device);
}

FAKE_EXPORT CUresult cuMemAllocManaged(CUdeviceptr* address, size_t bytes, unsigned flags) {
  FAKE_ENTER_CONTEXT(cuMemAllocManaged);
  if (flags != kMemAttachGlobal) return kErrorInvalidValue;
  return allocate_device(fake, *context, address, bytes, From::Managed);
}

FAKE_EXPORT CUresult cuMemFree_v2(CUdeviceptr address) {
  FAKE_ENTER_CONTEXT(cuMemFree);
  const auto block = fake.blocks.find(address);
  if (block == fake.blocks.end() || block->second.from == From::Host) return kErrorInvalidValue;
  const uint64_t last = fake.last_of_all(*context); // what may still use it
  fake.changed.wait(lock, [&] { return fake.completed >= last; });
  const auto still = fake.blocks.find(address);
  if (still == fake.blocks.end()) return kErrorInvalidValue;
  if (fake.pools.contains(still->second.pool)) still->second.pool->freed_apart += still->second.bytes;
  fake.drop_block(still);
  return kSuccess;
}

FAKE_EXPORT CUresult cuMemFreeAsync(CUdeviceptr address, CUstream stream) {
  FAKE_ENTER_CONTEXT(cuMemFreeAsync);
  const auto block = fake.blocks.find(address);
  if (block == fake.blocks.end() || block->second.from != From::Pool) return kErrorInvalidValue;
  return fake.submit(stream, [&fake, address] {
    std::lock_guard freeing(fake.mutex);
    fake.drop_block(fake.blocks.find(address));
  });
}

FAKE_EXPORT CUresult cuMemHostAlloc(void** address, size_t bytes, unsigned flags) {
  FAKE_ENTER_CONTEXT(cuMemHostAlloc);
  if (flags > 7) return kErrorInvalidValue;
  return fake.allocate(*context, bytes, From::Host, *address);
}

FAKE_EXPORT CUresult cuMemFreeHost(void* address) {
  FAKE_ENTER_CONTEXT(cuMemFreeHost);
  const auto block = fake.blocks.find(to_cuda(address));
  if (block == fake.blocks.end() || block->second.from != From::Host) return kErrorInvalidValue;
  fake.drop_block(block);
  return kSuccess;
}

FAKE_EXPORT CUresult cuMemHostRegister_v2(void* address, size_t bytes, unsigned flags) {
  FAKE_ENTER_CONTEXT(cuMemHostRegister);
  const uintptr_t begin = to_cuda(address);
  if (!address || bytes == 0) return kErrorInvalidValue;
  const auto next = fake.registered.lower_bound(begin);
  if (next != fake.registered.end() && next->first < begin + bytes) return kErrorAlreadyRegistered;
  if (next != fake.registered.begin() && std::prev(next)->first + std::prev(next)->second > begin)
    return kErrorAlreadyRegistered;
  fake.registered[begin] = bytes;
  return kSuccess;
}

FAKE_EXPORT CUresult cuMemHostUnregister(void* address) {
  FAKE_ENTER_CONTEXT(cuMemHostUnregister);
  return fake.registered.erase(to_cuda(address)) ? kSuccess : kErrorNotRegistered;
}

FAKE_EXPORT CUresult cuMemcpyAsync(CUdeviceptr destination, CUdeviceptr source, size_t bytes, CUstream stream) {
  FAKE_ENTER_CONTEXT(cuMemcpyAsync);
  if (fake.leaves_block(destination, bytes) || fake.leaves_block(source, bytes)) return kErrorInvalidValue;
  if (is_pageable(fake, source) && !fake.captures(stream)) {
    const auto* begin = static_cast<const std::byte*>(from_cuda(source));
    const std::vector<std::byte> staged(begin, begin + bytes);
    return fake.submit(stream, [=] { std::memcpy(from_cuda(destination), staged.data(), bytes); });
  }
  uint64_t number = 0;
  const bool waits = is_pageable(fake, destination);
  const CUresult result =
      fake.submit(stream, [=] { std::memmove(from_cuda(destination), from_cuda(source), bytes); }, false, &number);
  return result == kSuccess && waits ? fake.wait_for(lock, *context, number) : result;
}

FAKE_EXPORT CUresult cuMemcpy(CUdeviceptr destination, CUdeviceptr source, size_t bytes) {
  FAKE_ENTER_CONTEXT(cuMemcpy);
  if (fake.leaves_block(destination, bytes) || fake.leaves_block(source, bytes)) return kErrorInvalidValue;
  uint64_t number = 0;
  const CUresult result = fake.submit(
      kStreamLegacy, [=] { std::memmove(from_cuda(destination), from_cuda(source), bytes); }, false, &number);
  return result == kSuccess ? fake.wait_for(lock, *context, number) : result;
}

FAKE_EXPORT CUresult cuMemcpy3DAsync_v2(const CUDA_MEMCPY3D* copy, CUstream stream) {
  FAKE_ENTER_CONTEXT(cuMemcpy3DAsync);
  const auto reached = [&](CUmemorytype type, CUdeviceptr address) {
    return type == kMemoryArray || (type == kMemoryUnified && reaches(fake, *context, address));
  };
  if (copy->srcContext || copy->dstContext || !reached(copy->srcMemoryType, copy->srcDevice) ||
      !reached(copy->dstMemoryType, copy->dstDevice))
    return kErrorInvalidValue;
  return copy_rows(fake, lock, *context, *copy, stream);
}

FAKE_EXPORT CUresult cuMemcpyPeerAsync(CUdeviceptr destination, CUcontext destination_context, CUdeviceptr source,
                                       CUcontext source_context, size_t bytes, CUstream stream) {
  FAKE_ENTER_CONTEXT(cuMemcpyPeerAsync);
  if (owner_of(fake, destination) != destination_context || owner_of(fake, source) != source_context ||
      fake.leaves_block(destination, bytes) || fake.leaves_block(source, bytes))
    return kErrorInvalidValue;
  return fake.submit(stream, [=] { std::memmove(from_cuda(destination), from_cuda(source), bytes); });
}

FAKE_EXPORT CUresult cuMemcpy3DPeerAsync(const CUDA_MEMCPY3D* copy, CUstream stream) {
  FAKE_ENTER_CONTEXT(cuMemcpy3DPeerAsync);
  // Memory of one GPU, an array, or what every GPU reaches.
  const auto named = [&](CUmemorytype type, CUdeviceptr address, CUcontext owner) {
    if (type == kMemoryArray) return owner != nullptr;
    return (type == kMemoryDevice) == (owner != nullptr) && owner_of(fake, address) == owner;
  };
  if (!named(copy->srcMemoryType, copy->srcDevice, copy->srcContext) ||
      !named(copy->dstMemoryType, copy->dstDevice, copy->dstContext))
    return kErrorInvalidValue;
  return copy_rows(fake, lock, *context, *copy, stream);
}

FAKE_EXPORT CUresult cuPointerGetAttributes(unsigned count, CUpointer_attribute* attributes, void** values,
                                            CUdeviceptr address) {
  FAKE_ENTER_CONTEXT(cuPointerGetAttributes);
  const auto block = fake.block_of(address);
  const bool known = block != fake.blocks.end();
  for (unsigned i = 0; i < count; ++i) {
    int value = 0; // of memory that the driver does not know
    if (attributes[i] == kPointerMemoryType && known) value = block->second.from == From::Host ? 1 : kMemoryDevice;
    if (attributes[i] == kPointerIsManaged && known) value = block->second.from == From::Managed;
    if (attributes[i] == kPointerDevice) value = known ? block->second.context->device : -2;
    std::memcpy(values[i], &value, sizeof value);
  }
  return kSuccess;
}

FAKE_EXPORT CUresult cuMemAdvise(CUdeviceptr address, size_t bytes, CUmem_advise advice, CUdevice where) {
  FAKE_ENTER_CONTEXT(cuMemAdvise);
  const auto block = fake.block_of(address);
  constexpr CUdevice kHost = -1;
  if (bytes == 0 || block == fake.blocks.end() || block->second.from != From::Managed ||
      fake.leaves_block(address, bytes) || advice < 1 || advice > 6 || where < kHost ||
      where >= environment_number("FAKE_CUDA_DEVICES", 1))
    return kErrorInvalidValue;
  return kSuccess;
}

FAKE_EXPORT CUresult cuMemPrefetchAsync(CUdeviceptr address, size_t bytes, CUdevice where, CUstream stream) {
  FAKE_ENTER_CONTEXT(cuMemPrefetchAsync);
  const auto block = fake.block_of(address);
  if (bytes == 0 || block == fake.blocks.end() || block->second.from != From::Managed ||
      fake.leaves_block(address, bytes))
    return kErrorInvalidValue;
  constexpr CUdevice kHost = -1;
  if (where < kHost || where >= environment_number("FAKE_CUDA_DEVICES", 1)) return kErrorInvalidValue;
  return fake.submit(stream, [] {});
}

FAKE_EXPORT CUresult cuMemsetD8Async(CUdeviceptr destination, unsigned char value, size_t count, CUstream stream) {
  FAKE_ENTER_CONTEXT(cuMemsetD8Async);
  return submit_fill(fake, stream, destination, 0, value, count, 1);
}

FAKE_EXPORT CUresult cuMemsetD16Async(CUdeviceptr destination, unsigned short value, size_t count, CUstream stream) {
  FAKE_ENTER_CONTEXT(cuMemsetD16Async);
  return submit_fill(fake, stream, destination, 0, value, count, 1);
}

FAKE_EXPORT CUresult cuMemsetD32Async(CUdeviceptr destination, unsigned value, size_t count, CUstream stream) {
  FAKE_ENTER_CONTEXT(cuMemsetD32Async);
  return submit_fill(fake, stream, destination, 0, value, count, 1);
}

FAKE_EXPORT CUresult cuMemsetD2D8Async(CUdeviceptr destination, size_t pitch, unsigned char value, size_t width,
                                       size_t height, CUstream stream) {
  FAKE_ENTER_CONTEXT(cuMemsetD2D8Async);
  return submit_fill(fake, stream, destination, pitch, value, width, height);
}

FAKE_EXPORT CUresult cuMemsetD2D16Async(CUdeviceptr destination, size_t pitch, unsigned short value, size_t width,
                                        size_t height, CUstream stream) {
  FAKE_ENTER_CONTEXT(cuMemsetD2D16Async);
  return submit_fill(fake, stream, destination, pitch, value, width, height);
}

FAKE_EXPORT CUresult cuMemsetD2D32Async(CUdeviceptr destination, size_t pitch, unsigned value, size_t width,
                                        size_t height, CUstream stream) {
  FAKE_ENTER_CONTEXT(cuMemsetD2D32Async);
  return submit_fill(fake, stream, destination, pitch, value, width, height);
}
