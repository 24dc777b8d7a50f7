// Allocation, what is known of an address, copies and fills.
#include "api_calls.h"

#include <cstring>

namespace hip::fuzz {
namespace {

hipMemcpyKind kind(World& w) {
  return w.in.pick({hipMemcpyDefault, hipMemcpyDefault, hipMemcpyHostToDevice, hipMemcpyDeviceToHost,
                    hipMemcpyDeviceToDevice, hipMemcpyHostToHost, hipMemcpyDeviceToDeviceNoCU,
                    static_cast<hipMemcpyKind>(77)});
}

// Addresses, pitches and extents of a box in memory; small numbers where an end is pageable.
struct Box {
  char *dst, *src;
  size_t numbers[16];
  size_t next = 0;
  size_t take() { return numbers[next++]; }
};
Box box(World& w) {
  const World::Copy ends = w.copy();
  Box b{ends.dst, ends.src, {}};
  const bool bounded = w.is_pageable(b.dst) || w.is_pageable(b.src);
  for (size_t& number : b.numbers) number = bounded ? w.in.small() : w.in.number();
  return b;
}

hipMemcpy3DParms parameters_3d(World& w) {
  hipMemcpy3DParms p;
  std::memset(&p, 0, sizeof p);
  Box b = box(w);
  p.dstPtr = {b.dst, b.take(), b.take(), b.take()};
  p.srcPtr = {b.src, b.take(), b.take(), b.take()};
  p.dstPos = {b.take(), b.take(), b.take()};
  p.srcPos = {b.take(), b.take(), b.take()};
  p.extent = {b.take(), b.take(), b.take()};
  p.kind = kind(w);
  if (w.in.byte() % 8 == 0) p.dstArray = w.pick(w.arrays);
  if (w.in.byte() % 8 == 0) p.srcArray = w.pick(w.arrays);
  return p;
}

hipMemoryType memory_type(World& w) {
  return w.in.pick({hipMemoryTypeDevice, hipMemoryTypeDevice, hipMemoryTypeHost, hipMemoryTypeUnified,
                    hipMemoryTypeManaged, hipMemoryTypeArray, static_cast<hipMemoryType>(55)});
}

hip_Memcpy2D parameters_2d(World& w) {
  hip_Memcpy2D p;
  std::memset(&p, 0, sizeof p);
  Box b = box(w);
  p.dstMemoryType = memory_type(w);
  p.srcMemoryType = memory_type(w);
  p.dstHost = p.dstDevice = b.dst;
  p.srcHost = p.srcDevice = b.src;
  p.dstArray = p.srcArray = w.pick(w.arrays);
  p.dstXInBytes = b.take(), p.dstY = b.take(), p.dstPitch = b.take();
  p.srcXInBytes = b.take(), p.srcY = b.take(), p.srcPitch = b.take();
  p.WidthInBytes = b.take(), p.Height = b.take();
  return p;
}

HIP_MEMCPY3D driver_parameters_3d(World& w) {
  HIP_MEMCPY3D p;
  std::memset(&p, 0, sizeof p);
  Box b = box(w);
  p.dstMemoryType = memory_type(w);
  p.srcMemoryType = memory_type(w);
  p.dstHost = p.dstDevice = b.dst;
  p.srcHost = p.srcDevice = b.src;
  p.dstArray = p.srcArray = w.pick(w.arrays);
  p.dstXInBytes = b.take(), p.dstY = b.take(), p.dstZ = b.take(), p.dstPitch = b.take(), p.dstHeight = b.take();
  p.srcXInBytes = b.take(), p.srcY = b.take(), p.srcZ = b.take(), p.srcPitch = b.take(), p.srcHeight = b.take();
  p.WidthInBytes = b.take(), p.Height = b.take(), p.Depth = b.take();
  return p;
}

hipError_t register_host(World& w) {
  if (w.blocks.size() >= World::kMost) return kNotCalled;
  char* const at = w.in.byte() == 0 ? nullptr : World::to_register() + w.in.below(World::kPages * World::kPage);
  const size_t rest = at ? static_cast<size_t>(World::to_register() + World::kPages * World::kPage - at) : 0;
  const size_t bytes = w.in.byte() == 0 ? SIZE_MAX : w.in.below(rest + 1);
  return w.allocated(at, bytes, Origin::Registered,
                     hipHostRegister(at, bytes, w.in.pick<unsigned>({0, 1, 2, 4, 8, 64})));
}

hipError_t malloc_pitch(World& w) {
  void* base = nullptr;
  size_t pitch = 0;
  const size_t width = w.in.pick<size_t>({1, 100, 256, 257, 0, SIZE_MAX - 10, 1ull << 40});
  const size_t height = w.in.pick<size_t>({1, 3, 16, 0, SIZE_MAX, 1ull << 32});
  if (w.blocks.size() >= World::kMost) return kNotCalled;
  const hipError_t result = hipMallocPitch(&base, &pitch, width, height);
  return w.allocated(base, pitch * height, Origin::Device, result);
}

hipError_t malloc_3d(World& w) {
  hipPitchedPtr made{};
  const hipExtent e{w.in.pick<size_t>({1, 100, 257, 0, SIZE_MAX, 1ull << 40}), w.in.pick<size_t>({1, 3, 0, SIZE_MAX}),
                    w.in.pick<size_t>({1, 2, 0, SIZE_MAX, 1ull << 33})};
  if (w.blocks.size() >= World::kMost) return kNotCalled;
  const hipError_t result = hipMalloc3D(&made, e);
  return w.allocated(made.ptr, made.pitch * e.height * e.depth, Origin::Device, result);
}

hipError_t allocate_block(World& w, Origin origin, hipError_t (*allocate)(void** address, size_t bytes, World& w)) {
  if (w.blocks.size() >= World::kMost) return kNotCalled;
  void* address = nullptr;
  const size_t bytes = w.allocation_bytes();
  const hipError_t result = allocate(&address, bytes, w);
  return w.allocated(address, bytes, origin, result);
}

// Of memory of the host's own the blocks with this base go, whatever allocated them.
hipError_t release(World& w, hipError_t (*free_it)(void*)) {
  void* const address = w.address();
  return w.released(address, free_it(address));
}

constexpr auto kGone = hipErrorContextIsDestroyed;
constexpr auto kInvalid = hipErrorInvalidHandle;
constexpr auto kDirection = hipErrorInvalidMemcpyDirection;
constexpr auto kPitch = hipErrorInvalidPitchValue;
constexpr auto kNoMemory = hipErrorOutOfMemory;
constexpr auto kNone = hipErrorNotSupported;

} // namespace

std::vector<Call> memory_calls() {
  return {
      {"hipMalloc",
       [](World& w) {
         return allocate_block(w, Origin::Device, [](void** p, size_t n, World&) { return hipMalloc(p, n); });
       },
       {kNoMemory}},
      {"hipExtMallocWithFlags",
       [](World& w) {
         return allocate_block(w, Origin::Device, [](void** p, size_t n, World& x) {
           return hipExtMallocWithFlags(p, n, x.in.pick<unsigned>({0, 1, 2, 3, 99}));
         });
       },
       {kNoMemory}},
      {"hipHostMalloc",
       [](World& w) {
         return allocate_block(w, Origin::Host,
                               [](void** p, size_t n, World& x) { return hipHostMalloc(p, n, x.in.word()); });
       },
       {kNoMemory}},
      {"hipMallocManaged",
       [](World& w) {
         return allocate_block(w, Origin::Device, [](void** p, size_t n, World& x) {
           return hipMallocManaged(p, n, x.in.pick<unsigned>({1, 1, 2, 0, 4}));
         });
       },
       {kNoMemory}},
      {"hipMallocAsync",
       [](World& w) {
         return allocate_block(w, Origin::Device,
                               [](void** p, size_t n, World& x) { return hipMallocAsync(p, n, x.stream()); });
       },
       {kNoMemory, hipErrorInvalidHandle}},
      {"hipMallocPitch", malloc_pitch, {kNoMemory}},
      {"hipMalloc3D", malloc_3d, {kNoMemory}},
      {"hipHostRegister", register_host, {hipErrorHostMemoryAlreadyRegistered}},
      {"hipHostUnregister", [](World& w) { return release(w, hipHostUnregister); }, {hipErrorHostMemoryNotRegistered}},
      {"hipFree", [](World& w) { return release(w, hipFree); }, {}},
      {"hipHostFree", [](World& w) { return release(w, hipHostFree); }, {}},
      {"hipFreeAsync",
       [](World& w) {
         void* const address = w.address();
         return w.released(address, hipFreeAsync(address, w.stream()));
       },
       {hipErrorInvalidHandle}},
      {"hipMemGetInfo",
       [](World& w) {
         size_t free_bytes, total_bytes;
         return hipMemGetInfo(w.in.byte() ? &free_bytes : nullptr, &total_bytes);
       },
       {}},
      {"hipMemPtrGetInfo",
       [](World& w) {
         size_t n;
         return hipMemPtrGetInfo(w.address(), &n);
       },
       {}},
      {"hipMemGetAddressRange",
       [](World& w) {
         hipDeviceptr_t p;
         size_t n;
         return hipMemGetAddressRange(&p, &n, w.address());
       },
       {hipErrorNotFound}},
      {"hipPointerGetAttributes",
       [](World& w) {
         hipPointerAttribute_t a;
         return hipPointerGetAttributes(&a, w.address());
       },
       {}},
      {"hipPointerGetAttribute",
       [](World& w) {
         uint64_t data[4];
         return hipPointerGetAttribute(data, static_cast<hipPointer_attribute>(w.in.byte() % 20), w.address());
       },
       {kNone}},
      {"hipPointerSetAttribute",
       [](World& w) {
         const int value = w.in.byte() % 2;
         return hipPointerSetAttribute(&value, static_cast<hipPointer_attribute>(w.in.byte() % 20), w.address());
       },
       {hipErrorInvalidDevicePointer, kNone}},
      {"hipHostGetDevicePointer",
       [](World& w) {
         void* p;
         void* const address = w.address();
         return hipHostGetDevicePointer(&p, address, w.in.byte() % 2);
       },
       {}},
      {"hipHostGetFlags",
       [](World& w) {
         unsigned f;
         return hipHostGetFlags(&f, w.address());
       },
       {}},
      {"hipMemPrefetchAsync",
       [](World& w) {
         void* const address = w.address();
         const size_t bytes = w.in.number();
         const int device = w.in.pick({0, hipCpuDeviceId, 1, -5});
         return hipMemPrefetchAsync(address, bytes, device, w.stream());
       },
       {hipErrorInvalidDevice, kGone}},
      {"hipStreamAttachMemAsync",
       [](World& w) {
         void* const address = w.address();
         return hipStreamAttachMemAsync(w.stream(), address, w.in.number(), w.in.byte() % 6);
       },
       {kGone}},
      // ---- copies
      {"hipMemcpy",
       [](World& w) {
         const World::Copy c = w.copy();
         return hipMemcpy(c.dst, c.src, c.bytes, kind(w));
       },
       {kDirection}},
      {"hipMemcpyAsync",
       [](World& w) {
         const World::Copy c = w.copy();
         const hipMemcpyKind k = kind(w);
         return hipMemcpyAsync(c.dst, c.src, c.bytes, k, w.stream());
       },
       {kDirection, kGone}},
      {"hipMemcpyHtoD",
       [](World& w) {
         const World::Copy c = w.copy();
         return hipMemcpyHtoD(c.dst, c.src, c.bytes);
       },
       {}},
      {"hipMemcpyDtoHAsync",
       [](World& w) {
         const World::Copy c = w.copy();
         return hipMemcpyDtoHAsync(c.dst, c.src, c.bytes, w.stream());
       },
       {kGone}},
      {"hipMemcpyPeer",
       [](World& w) {
         const World::Copy c = w.copy();
         const int to = w.in.byte() % 2;
         return hipMemcpyPeer(c.dst, to, c.src, w.in.byte() % 2, c.bytes);
       },
       {hipErrorInvalidDevice}},
      {"hipMemcpy2D",
       [](World& w) {
         const World::Plane p = w.plane();
         return hipMemcpy2D(p.ends.dst, p.dst_pitch, p.ends.src, p.src_pitch, p.width, p.height, kind(w));
       },
       {kDirection, kPitch}},
      {"hipMemcpy2DAsync",
       [](World& w) {
         const World::Plane p = w.plane();
         const hipMemcpyKind k = kind(w);
         return hipMemcpy2DAsync(p.ends.dst, p.dst_pitch, p.ends.src, p.src_pitch, p.width, p.height, k, w.stream());
       },
       {kDirection, kPitch, kGone}},
      {"hipMemcpy3D",
       [](World& w) {
         const hipMemcpy3DParms p = parameters_3d(w);
         return hipMemcpy3D(&p);
       },
       {kDirection, kPitch, kInvalid, kNone}},
      {"hipMemcpyParam2D",
       [](World& w) {
         const hip_Memcpy2D p = parameters_2d(w);
         return hipMemcpyParam2D(&p);
       },
       {kPitch, kInvalid, kNone}},
      {"hipDrvMemcpy3DAsync",
       [](World& w) {
         const HIP_MEMCPY3D p = driver_parameters_3d(w);
         return hipDrvMemcpy3DAsync(&p, w.stream());
       },
       {kPitch, kInvalid, kNone, kGone}},
      {"hipMemcpyToSymbol",
       [](World& w) {
         const size_t bytes = w.in.number();
         const size_t offset = w.in.number();
         return hipMemcpyToSymbol(symbol_address(w), World::pageable(), bytes, offset, kind(w));
       },
       {hipErrorInvalidSymbol, kDirection}},
      {"hipMemcpyFromSymbol",
       [](World& w) {
         const size_t bytes = w.in.number();
         const size_t offset = w.in.number();
         return hipMemcpyFromSymbol(World::pageable(), symbol_address(w), bytes, offset, kind(w));
       },
       {hipErrorInvalidSymbol, kDirection}},
      {"hipGetSymbolAddress",
       [](World& w) {
         void* p;
         return hipGetSymbolAddress(&p, symbol_address(w));
       },
       {hipErrorInvalidSymbol}},
      {"hipGetSymbolSize",
       [](World& w) {
         size_t n;
         return hipGetSymbolSize(&n, symbol_address(w));
       },
       {hipErrorInvalidSymbol}},
      {"hipMemcpyHtoA",
       [](World& w) { return hipMemcpyHtoA(w.pick(w.arrays), w.in.number(), World::pageable(), w.in.byte()); },
       {kInvalid, kNone}},
      {"hipMemcpy2DToArray",
       [](World& w) {
         return hipMemcpy2DToArray(w.pick(w.arrays), w.in.number(), w.in.number(), World::pageable(), 16, 16, 4,
                                   kind(w));
       },
       {kInvalid, kDirection, kPitch, kNone}},
      // ---- fills
      {"hipMemset", [](World& w) { return hipMemset(w.address(), w.in.byte(), w.in.number()); }, {}},
      {"hipMemsetD16Async",
       [](World& w) {
         void* const address = w.address();
         const size_t count = w.in.number();
         return hipMemsetD16Async(address, 0x1234, count, w.stream());
       },
       {kGone}},
      {"hipMemsetD32", [](World& w) { return hipMemsetD32(w.address(), 5, w.in.number()); }, {}},
      {"hipMemset2D",
       [](World& w) {
         void* const address = w.address();
         const size_t pitch = w.in.number();
         const size_t width = w.in.number();
         return hipMemset2D(address, pitch, 3, width, w.in.number());
       },
       {kPitch}},
      {"hipMemsetD2D32",
       [](World& w) {
         void* const address = w.address();
         const size_t pitch = w.in.number();
         const size_t width = w.in.number();
         return hipMemsetD2D32(address, pitch, 3, width, w.in.number());
       },
       {kPitch}},
      {"hipMemset3D",
       [](World& w) {
         const hipPitchedPtr memory{w.address(), w.in.number(), w.in.number(), w.in.number()};
         const hipExtent e{w.in.number(), w.in.number(), w.in.number()};
         return hipMemset3D(memory, 9, e);
       },
       {kPitch}},
  };
}

} // namespace hip::fuzz
