// runtime/engine/interpret/memory/describe.cpp - see describe.h. How addresses follow from operands is said in lift.h.
#include "runtime/engine/interpret/memory/describe.h"

#include "runtime/engine/interpret/memory/access.h"
#include "runtime/engine/interpret/memory/buffer.h"
#include "runtime/engine/interpret/memory/reach.h"
#include "runtime/engine/interpret/memory/to_lds.h"
#include "runtime/engine/interpret/memory/typed.h"
#include "runtime/engine/tools/tool.h"
#include "runtime/engine/wave/group.h"

#include <bit>
#include <cstring>
#include <utility>

namespace hip::engine {
namespace {

class Description {
public:
  Description(Wave* w, const Inst& inst, const OpcodeRow& row) : w_(w), inst_(inst), row_(row), exec_(w->exec()) {}

  bool offer() { return offer_memory() && (row_.memory.kind != MemoryKind::LoadToLds || elements_in_lds()); }

private:
  bool offer_memory() {
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
    case Unit::TypedBuffer:
      return buffer();
    case Unit::Lds:
      return row_.memory.place == ElementPlace::LaneNumber ? elements_in_lds()
             : counts_lanes(row_)                          ? lane_counter()
                                                           : lds();
    default:
      return true; // no handler executes its accesses
    }
  }

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
    MemoryKind kind = row_.memory ? row_.memory.kind : MemoryKind::Atomic;
    if (kind == MemoryKind::LoadToLds) kind = space == MemorySpace::Lds ? MemoryKind::Store : MemoryKind::Load;
    const WaveAccess access{&inst_, space, kind, bytes, lanes, addresses_};
    const uint64_t refused = w_->group->probe->listener->before(*w_, access) & lanes;
    if (refused) stop_with_memory_fault(w_, access, refused);
    return !refused;
  }

  uint64_t scalar_offset() const {
    return inst_.imm[0] + (inst_.src[2] ? at<uint32_t>(w_, inst_.src[2]) : inst_.imm[1]) * row_.soffset_bytes;
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
    if (row_.memory.kind == MemoryKind::Atomic && bytes < row_.memory.bytes) bytes = 0;
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
    const bool is_plain = row_.memory.kind == MemoryKind::Load || row_.memory.kind == MemoryKind::Store;
    if (buffer.swizzled() && is_plain && !row_.memory.components)
      if (const auto [is_one, fixed] = private_buffer(w_, &inst_, buffer); is_one)
        return scratch(fixed, inst_.imm[2] & kMubufOffen ? inst_.src[0] : 0);
    const uint32_t bytes = row_.memory.components ? typed_bytes(w_, &inst_) : row_.memory.bytes;
    // Of an element of several dwords those at its beginning may lie inside alone.
    uint64_t inside[4] = {};
    for_active([&](uint32_t l) {
      const BufferElement element = buffer_element(w_, &inst_, buffer, l, bytes);
      addresses_[l] = element.address;
      if (element.fits)
        inside[0] |= 1ull << l;
      else if (is_plain && !row_.memory.components)
        inside[element.inside_bytes / 4] |= uint64_t(element.inside_bytes != 0) << l;
    });
    for (uint32_t dwords = 0; dwords < 4; ++dwords)
      if (bytes && !offer(MemorySpace::Global, inside[dwords], dwords ? dwords * 4 : bytes)) return false;
    return true;
  }
  // Of instructions that find their element in LDS by the lane's number.
  bool elements_in_lds() {
    for_active([&](uint32_t l) { addresses_[l] = lds_address(w_, &inst_, l, row_.memory.bytes); });
    const uint32_t bytes = lds_element_bytes(row_.memory.bytes);
    return offer(MemorySpace::Lds, inside_lds(exec_, bytes), bytes);
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

uint64_t lanes_that_access(Wave* w, const Inst& inst, const OpcodeRow& row, uint64_t address) noexcept {
  struct Finder final : AccessListener {
    explicit Finder(uint64_t wanted) noexcept : address(wanted) {}
    uint64_t before(const Wave&, const WaveAccess& access) noexcept override {
      if (access.space != MemorySpace::Global) return 0;
      for (uint64_t rest = access.lanes; rest; rest &= rest - 1) {
        const uint32_t lane = uint32_t(std::countr_zero(rest));
        if (address - access.address_of(lane) < access.bytes) lanes |= 1ull << lane;
      }
      return 0;
    }
    const uint64_t address;
    uint64_t lanes = 0;
  } finder(address);
  Probe probe{{}, &finder};
  Probe* const before = std::exchange(w->group->probe, &probe);
  offer_accesses(w, inst, row);
  w->group->probe = before;
  return finder.lanes;
}

} // namespace hip::engine
