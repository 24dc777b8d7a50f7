// runtime/engine/interpret/memory/describe.cpp - see describe.h. How addresses follow from operands is said in lift.h.
#include "runtime/engine/interpret/memory/describe.h"

#include "runtime/engine/interpret/memory/access.h"
#include "runtime/engine/interpret/memory/buffer.h"
#include "runtime/engine/interpret/memory/reach.h"
#include "runtime/engine/tools/tool.h"
#include "runtime/engine/wave/group.h"

#include <bit>
#include <cstring>

namespace hip::engine {
namespace {

class Description {
public:
  Description(Wave* w, const Inst& inst, const OpcodeRow& row) : w_(w), inst_(inst), row_(row), exec_(w->exec()) {}

  bool offer() {
    switch (row_.unit) {
    case Unit::ScalarMemory:
      return scalar();
    case Unit::ScalarBuffer:
      return scalar_buffer();
    case Unit::Global:
      return global();
    case Unit::Flat:
      return flat();
    case Unit::Scratch:
      return scratch(uint32_t(inst_.imm[0]) + scalar32(inst_.src[1]), inst_.src[0]);
    case Unit::Buffer:
      return buffer();
    case Unit::Lds:
      return counts_lanes(row_) ? lane_counter() : lds();
    default:
      return true; // no handler executes its accesses
    }
  }

private:
  // A register of the wave that the instruction may lack: then its offset is 0.
  uint32_t scalar32(uint32_t offset) const { return offset ? at<uint32_t>(w_, offset) : 0; }
  uint64_t scalar64(uint32_t offset) const {
    uint64_t v = 0;
    if (offset) std::memcpy(&v, &at<uint32_t>(w_, offset), sizeof v);
    return v;
  }
  uint32_t lane32(uint32_t row, uint32_t lane) const { return row ? (&at<uint32_t>(w_, row))[lane] : 0; }

  template<class F> void for_active(F f) const {
    for (uint64_t rest = exec_; rest; rest &= rest - 1) f(uint32_t(std::countr_zero(rest)));
  }

  bool offer(MemorySpace space, uint64_t lanes, uint32_t bytes) {
    if (!lanes) return true;
    const MemoryKind kind = row_.memory ? row_.memory.kind : MemoryKind::Atomic;
    const WaveAccess access{&inst_, space, kind, bytes, lanes, addresses_};
    const uint64_t refused = w_->group->probe->listener->before(*w_, access) & lanes;
    if (refused) stop_with_memory_fault(w_, access, refused);
    return !refused;
  }

  uint64_t scalar_offset() const {
    return inst_.imm[0] + (inst_.src[2] ? at<uint32_t>(w_, inst_.src[2]) : inst_.imm[1]);
  }
  bool scalar() {
    const uint64_t kept = row_.memory.bytes < 4 ? ~0ull : ~3ull; // ERRATA 35
    addresses_[0] = (scalar64(inst_.src[1]) + scalar_offset()) & kept;
    return offer(MemorySpace::Scalar, 1, row_.memory.bytes);
  }
  // Dwords behind the buffer's end are not accessed (ERRATA 34).
  bool scalar_buffer() {
    const uint32_t* resource = &at<uint32_t>(w_, inst_.src[1]);
    const uint32_t stride = resource[1] >> 16 & 0x3fff;
    const uint64_t room = stride ? uint64_t(resource[2]) * stride : resource[2], offset = scalar_offset() & ~3ull;
    uint32_t bytes = 0;
    while (bytes < row_.memory.bytes && offset + bytes + 4 <= room) bytes += 4;
    addresses_[0] = (scalar64(inst_.src[1]) & kBufferBaseMask) + offset;
    return offer(MemorySpace::Scalar, bytes ? 1 : 0, bytes);
  }

  void find_addresses() {
    const bool wide = inst_.src[1] == 0;
    const uint64_t base = inst_.imm[0] + scalar64(inst_.src[1]);
    for_active([&](uint32_t l) {
      const uint64_t high = wide ? lane32(inst_.src[0] + kRowBytes, l) : 0;
      addresses_[l] = base + (lane32(inst_.src[0], l) | high << 32);
    });
  }
  bool global() {
    find_addresses();
    return offer(MemorySpace::Global, exec_, row_.memory.bytes);
  }
  bool flat() {
    find_addresses();
    uint64_t lanes[kMemorySpaces] = {};
    for_active([&](uint32_t l) {
      const FlatPlace place = flat_place(w_, addresses_[l]);
      addresses_[l] = place.address;
      lanes[size_t(place.space)] |= 1ull << l;
    });
    uint64_t& lds = lanes[size_t(MemorySpace::Lds)];
    lds = inside_lds(lds, row_.memory.bytes);
    for (const MemorySpace space : {MemorySpace::Global, MemorySpace::Lds, MemorySpace::Scratch})
      if (!offer(space, lanes[size_t(space)], row_.memory.bytes)) return false;
    return true;
  }

  // `row`: of the lanes' own offsets; 0: there are none.
  bool scratch(uint32_t fixed, uint32_t row) {
    for_active([&](uint32_t l) { addresses_[l] = uint32_t(fixed + lane32(row, l)); });
    return offer(MemorySpace::Scratch, exec_, row_.memory.bytes);
  }
  bool buffer() {
    const Buffer buffer = buffer_of(w_, &inst_);
    if (buffer.swizzled) {
      const auto [is_one, fixed] = private_buffer(w_, &inst_, buffer);
      return !is_one || scratch(fixed, inst_.imm[2] & kMubufOffen ? inst_.src[0] : 0);
    }
    uint64_t inside = 0;
    for_active([&](uint32_t l) {
      const BufferElement element = buffer_element(w_, &inst_, buffer, l, row_.memory.bytes);
      addresses_[l] = element.address;
      inside |= uint64_t(element.fits) << l;
    });
    return offer(MemorySpace::Global, inside, row_.memory.bytes);
  }

  uint64_t inside_lds(uint64_t lanes, uint32_t bytes) const {
    for (uint64_t rest = lanes; rest; rest &= rest - 1) {
      const uint32_t l = uint32_t(std::countr_zero(rest));
      if (!ends_in(uint32_t(addresses_[l]), bytes, w_->lds_bytes)) lanes &= ~(1ull << l);
    }
    return lanes;
  }
  bool lds() {
    for (uint32_t element = 0; element < row_.memory.elements; ++element) {
      for_active([&](uint32_t l) { addresses_[l] = uint32_t(lane32(inst_.src[0], l) + inst_.imm[element]); });
      if (!offer(MemorySpace::Lds, inside_lds(exec_, row_.memory.bytes), row_.memory.bytes)) return false;
    }
    return true;
  }
  // All active lanes are one access, as the first of them.
  bool lane_counter() {
    const uint64_t first = exec_ & (0 - exec_);
    if (first) addresses_[std::countr_zero(first)] = uint32_t((w_->sgpr[kM0] & 0xffff) + inst_.imm[0]);
    return offer(MemorySpace::Lds, inside_lds(first, sizeof(uint32_t)), sizeof(uint32_t));
  }

  Wave* const w_;
  const Inst& inst_;
  const OpcodeRow& row_;
  const uint64_t exec_;
  uint64_t addresses_[kMaxLanes];
};

} // namespace

bool offer_accesses(Wave* w, const Inst& inst, const OpcodeRow& row) noexcept {
  return Description(w, inst, row).offer();
}

} // namespace hip::engine
