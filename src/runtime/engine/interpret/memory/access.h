// runtime/engine/interpret/memory/access.h - one access of a wave to memory as a value, and the one function that says
// which of its lanes may go ahead. All slow ways of tier 0 (this folder) and of translated code (support.cpp) ask it,
// and nothing else ends a wave with a memory fault, except the host's SIGSEGV inside the arena (wave/grid.cpp). Fast
// ways ask reach.h, of which this is made. Compiled once for all host levels.
#pragma once

#include "runtime/engine/engine.h"
#include "runtime/engine/interpret/inst.h"
#include "runtime/engine/isa/opcode.h"

#include <cstring>
#include <optional>

namespace hip::engine {

enum class MemorySpace : uint8_t {
  Global,  // addresses: the arena, and what the address space allows
  Lds,     // offsets in the work-group's LDS. What is outside reads 0 and writes nothing (ERRATA 33)
  Scratch, // offsets in each lane's private segment
  Scalar,  // addresses that the wave accesses for itself, as lane 0
};
inline constexpr size_t kMemorySpaces = size_t(MemorySpace::Scalar) + 1;

// The lanes of an instruction that access one space, each an element of `bytes`.
struct WaveAccess {
  const Inst* inst; // the instruction, which a fault's report names
  MemorySpace space;
  MemoryKind kind; // Load, Store or Atomic
  uint32_t bytes;
  uint64_t lanes;            // of the wave, those that access
  const uint64_t* addresses; // lane l's is addresses[l - first_lane]
  uint32_t first_lane = 0;

  Access access() const noexcept { return kind == MemoryKind::Load ? Access::Read : Access::Write; }
  uint64_t address_of(uint32_t lane) const noexcept { return addresses[lane - first_lane]; }
};

// Wave::fault_value of FaultKind::Memory: 0, or the bytes of the atomic to which the address is not aligned. Hardware
// executes other accesses at any address (ERRATA 55).

// The lanes that may go ahead; the others' accesses are dropped, as LDS does. Nothing: a lane may not access its
// address, and the wave has been stopped with a fault that names all such lanes.
std::optional<uint64_t> admit(Wave* w, const WaveAccess& access) noexcept;

// Ends the wave with a fault of these lanes of the access. `misaligned_bytes`: Wave::fault_value.
void stop_with_memory_fault(Wave* w, const WaveAccess& access, uint64_t lanes, uint32_t misaligned_bytes = 0) noexcept;

// Where a flat address leads.
struct FlatPlace {
  MemorySpace space;
  uint64_t address; // in that space
};
inline FlatPlace flat_place(const Wave* w, uint64_t address) noexcept {
  if (address >> 32 == w->shared_aperture >> 32) return {MemorySpace::Lds, uint32_t(address)};
  if (address >> 32 == w->private_aperture >> 32) return {MemorySpace::Scratch, uint32_t(address)};
  return {MemorySpace::Global, address};
}

// The address of a lane's element, of an instruction with an offset and a base in SGPRs, a VGPR or both (loads to LDS
// may lack the VGPR).
inline uint64_t global_address(Wave* w, const Inst* i, uint32_t lane) noexcept {
  const uint32_t* low = &at<uint32_t>(w, i->src[0]);
  if (!i->src[1]) return (uint64_t(low[kMaxLanes + lane]) << 32 | low[lane]) + i->imm[0];
  uint64_t base;
  std::memcpy(&base, &at<uint32_t>(w, i->src[1]), sizeof base);
  return base + i->imm[0] + (i->src[0] ? low[lane] : 0);
}

// One lane's load or store: copies its element to `data`, or from there. What is dropped reads 0. False: the wave has been
// stopped.
bool access_lane(Wave* w, const Inst* inst, uint32_t lane, const FlatPlace& place, uint32_t bytes, MemoryKind kind,
                 void* data) noexcept;

// Bytes of one lane's private segment, inside it.
void read_scratch(const Wave* w, uint32_t lane, uint32_t offset, uint32_t bytes, void* out) noexcept;
void write_scratch(const Wave* w, uint32_t lane, uint32_t offset, uint32_t bytes, const void* in) noexcept;

} // namespace hip::engine
