// api_world.h - what fuzz_api.cpp's calls draw their arguments from: the bytes of the input, and pools of handles and
// memory that the calls so far have made. A pick may be alive, ended, null, of another kind or plain garbage. Memory
// that the runtime is to read or write is alive: what is pageable is the program's own business, so its sizes are
// bounded here, but ranges that HIP knows are taken with any size, offset and pitch.
#pragma once

#include <hip/hip_ext.h>
#include <hip/hip_runtime_api.h>

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <vector>

namespace hip::fuzz {

class Input {
public:
  Input(const uint8_t* data, size_t size) : data_(data), size_(size) {}
  bool empty() const { return at_ >= size_; }
  uint8_t byte() { return empty() ? 0 : data_[at_++]; }
  template<class T> T pick(std::initializer_list<T> values) { return values.begin()[byte() % values.size()]; }
  // A byte, or one of the numbers where code goes wrong.
  size_t number() {
    constexpr size_t kEdges[] = {
        0,       1,          2,          3,          4,          7,       8,          63,           64,
        65,      255,        256,        1023,       1024,       1025,    4096,       65535,        65536,
        65537,   0x7fffffff, 0x80000000, 0xffffffff, 1ull << 32, 1 << 20, 1ull << 47, SIZE_MAX / 2, SIZE_MAX - 15,
        SIZE_MAX};
    const uint8_t which = byte();
    return which < 128 ? which : kEdges[which % (sizeof kEdges / sizeof *kEdges)];
  }
  unsigned word() { return static_cast<unsigned>(number()); }
  int integer() { return static_cast<int>(word() - (byte() == 0 ? 1u : 0u)); }
  size_t small() { return byte() % 17; }
  size_t below(size_t end) { return end == 0 ? 0 : (byte() | size_t{byte()} << 8) % end; }

private:
  const uint8_t* data_;
  size_t size_, at_ = 0;
};

template<class H> struct Pool { std::vector<H> live, dead; };

// Memory that HIP knows.
enum class Origin { Device, Host, Registered };
struct Block {
  char* base;
  size_t bytes;
  Origin origin;
};

class World {
public:
  static constexpr size_t kMost = 24;           // live handles of one kind, or blocks
  static constexpr size_t kPageable = 2u << 20; // larger than any block
  static constexpr size_t kPage = 4096, kPages = 16;

  World(const uint8_t* data, size_t size) : in(data, size) {}

  Input in;
  Pool<hipStream_t> streams;
  Pool<hipEvent_t> events;
  Pool<hipModule_t> modules;
  Pool<hipFunction_t> functions;
  Pool<hipCtx_t> contexts;
  Pool<hipArray_t> arrays;
  Pool<hipMipmappedArray_t> mipmapped;
  std::vector<Block> blocks;
  std::vector<char*> freed;

  template<class H> H pick(Pool<H>& pool) {
    const uint8_t how = in.byte();
    if (how < 160 && !pool.live.empty()) return pool.live[how % pool.live.size()];
    if (how < 200 && !pool.dead.empty()) return pool.dead[how % pool.dead.size()];
    switch (how % 6) {
    case 0:
      return nullptr;
    case 1:
      return reinterpret_cast<H>(uintptr_t{in.number()});
    case 2:
      return cast<H>(streams);
    case 3:
      return cast<H>(events);
    case 4:
      return cast<H>(functions);
    default: // another generation or slot of a handle of this kind
      return reinterpret_cast<H>((pool.live.empty() ? 0 : reinterpret_cast<uintptr_t>(pool.live.front())) ^
                                 uintptr_t{1} << in.byte() % 64);
    }
  }
  // The default streams and those of the pool.
  hipStream_t stream() {
    switch (in.byte() % 6) {
    case 0:
    case 1:
      return nullptr;
    case 2:
      return hipStreamLegacy;
    case 3:
      return hipStreamPerThread;
    default:
      return pick(streams);
    }
  }
  template<class H> bool full(const Pool<H>& pool) const { return pool.live.size() >= kMost; }
  // `handle` is written by the call whose result this is.
  template<class H> hipError_t made(Pool<H>& pool, const H& handle, hipError_t result) {
    if (result == hipSuccess) pool.live.push_back(handle);
    return result;
  }
  template<class H> hipError_t ended(Pool<H>& pool, H handle, hipError_t result) {
    if (result == hipSuccess && std::erase(pool.live, handle) != 0) pool.dead.push_back(handle);
    return result;
  }

  hipError_t allocated(void* base, size_t bytes, Origin origin, hipError_t result) {
    if (result == hipSuccess && base) blocks.push_back({static_cast<char*>(base), bytes, origin});
    return result;
  }
  hipError_t released(void* base, hipError_t result) {
    if (result == hipSuccess && base && std::erase_if(blocks, [base](const Block& b) { return b.base == base; }) != 0)
      freed.push_back(static_cast<char*>(base));
    return result;
  }
  // Small, or more than any device has.
  size_t allocation_bytes() {
    return in.pick<size_t>({0, 1, 3, 64, 100, 256, 4096, 5000, 1 << 20, 1ull << 42, SIZE_MAX});
  }

  // Inside a block, if there is one.
  char* known() {
    if (blocks.empty()) return nullptr;
    const Block& block = blocks[in.byte() % blocks.size()];
    switch (in.byte() % 4) {
    case 0:
      return block.base + in.below(block.bytes);
    case 1:
      return block.base + (block.bytes - 1);
    default:
      return block.base;
    }
  }
  static char* pageable() {
    static char memory[kPageable];
    return memory;
  }
  static char* to_register() {
    alignas(kPage) static char memory[kPages * kPage];
    return memory;
  }
  // What is only looked up.
  void* address() {
    switch (in.byte() % 8) {
    case 0:
      return nullptr;
    case 1:
      return reinterpret_cast<void*>(uintptr_t{in.number()});
    case 2:
      return freed.empty() ? nullptr : freed[in.byte() % freed.size()];
    case 3:
      return pageable() + in.byte();
    case 4:
      return to_register() + in.below(kPages * kPage);
    case 5:
      return streams.live.empty() ? nullptr : static_cast<void*>(streams.live.front());
    default:
      return known();
    }
  }

  // Two ends and the size of a linear copy. One end may be pageable; of two pageable ones the size is bounded.
  struct Copy {
    char *dst, *src;
    size_t bytes;
  };
  Copy copy() {
    Copy c{known(), known(), in.number()};
    const uint8_t pageables = in.byte() % 4;
    if (pageables & 1 || !c.dst) c.dst = in.byte() == 0 ? nullptr : pageable();
    if (pageables & 2 || !c.src) c.src = in.byte() == 0 ? nullptr : pageable() + kPageable / 2;
    const bool both = c.dst && c.src && is_pageable(c.dst) && is_pageable(c.src);
    if (both && c.bytes > kPageable / 2) c.bytes = kPageable / 2;
    return c;
  }
  // The same of a box, with small numbers where an end is pageable.
  struct Plane {
    Copy ends;
    size_t dst_pitch, src_pitch, width, height;
  };
  Plane plane() {
    Plane p{copy(), 0, 0, 0, 0};
    const bool bounded = is_pageable(p.ends.dst) || is_pageable(p.ends.src);
    for (size_t* number : {&p.dst_pitch, &p.src_pitch, &p.width, &p.height})
      *number = bounded ? in.byte() : in.number();
    return p;
  }
  bool is_pageable(const char* address) const { return address >= pageable() && address < pageable() + kPageable; }

private:
  template<class H, class Other> H cast(Pool<Other>& pool) {
    return reinterpret_cast<H>(pool.live.empty() ? nullptr : pool.live[in.byte() % pool.live.size()]);
  }
};

} // namespace hip::fuzz
