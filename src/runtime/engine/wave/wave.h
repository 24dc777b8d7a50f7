// runtime/engine/wave/wave.h - the state of one wavefront: one contiguous block that starts with this header, continues
// with the SGPR file (indexed by the hardware's operand encoding) and ends with the VGPR rows, so that every register is
// a byte offset from the block and the working set of a wave stays in the host's L1/L2 cache.
// Thread safety: a wave belongs to the one thread that runs its work-group.
#pragma once

#include <cstddef>
#include <cstdint>

namespace hip::engine {

class AddressSpace; // engine.h
struct Inst;
class Program;
struct WorkGroup; // wave/group.h

inline constexpr uint32_t kAllItemIds = 0x3fffffff; // all bits of packed work-item ids: 10 for each dimension
inline constexpr uint32_t kMaxLanes = 64;      // a row always has room for 64 lanes; wave32 uses the first 32
inline constexpr uint32_t kRowBytes = kMaxLanes * 4;
inline constexpr uint32_t kMaxVgprs = 512;     // v0-v255, then the accumulation registers a0-a255
inline constexpr uint32_t kFirstAccVgpr = 256; // row of a0, whatever accum_offset says: code is shared between kernels
inline constexpr uint32_t kWidestOperand = 32; // registers of the widest operand (matrix accumulators)
// Rows behind the registers, for hints of translated code (compile/emit/prefetch_notes.h): one for each column of work-groups.
inline constexpr uint32_t kMostColumns = 16, kFirstHintRow = kMaxVgprs + kWidestOperand;
inline constexpr uint32_t kReadBehindLds = 128; // readable bytes behind a work-group's LDS, for vector loads that begin inside

// SGPR numbers in operand encoding.
enum Sgpr : uint32_t {
  kFlatScratchLo = 102,
  kXnackMaskLo = 104,
  kVccLo = 106,
  kVccHi = 107,
  kTtmp0 = 108,
  kM0 = 124, // whatever its number in the guest's code (Target::sgpr_index)
  kNull = 125,
  kExecLo = 126,
  kExecHi = 127,
  kSgprCount = 128,
};

// Why run_wave() came back.
enum class Stop : uint32_t {
  None,    // still running (never seen outside)
  Ended,   // s_endpgm
  Barrier, // s_barrier: continue when all waves of the group have arrived
  Yield,   // s_sleep, the time slice is used up, or a loop waits for memory to change: let others run, then continue
  Fault,   // the wave cannot continue; `fault` says why, fault_inst where
  CatchUp, // continue when the group's other waves have stopped, too (decode/catch_up.h)
};

enum class FaultKind : uint32_t {
  None,
  Unimplemented, // the instruction's meaning is not known to the engine
  Undecodable,   // no instruction at this address
  BadJump,       // jump to an address outside every mapped code range
  Trap,          // s_trap; fault_value is its id
  Memory,        // access outside the address space; fault_address, fault_lanes
  Lds,           // reserved for LDS accesses that the hardware would refuse
  NoMemory,      // the host has none for the elements of the code that the wave has come to
  Unsupported,   // a known instruction in a form that the engine does not execute; fault_value selects the text
};

// Whether a wave waits for what another wave will write (wave/turn.h).
enum class Waits : uint32_t {
  No,
  Since, // it has begun to wait in its last turn
  Still, // it has done nothing else in its last turn
};

// Taken branches that a wave may go on for until turn_is_over() is asked.
struct BranchBudget {
  static constexpr uint32_t kCount = 15, kStateKnown = 16, kLooks = 31; // the low bits of `granted`
  int32_t left = 0;
  // Since the turn's begin and the last look, a multiple of 32, which is 0 when the turn has begun with a wave that waits; how many
  // branches the look at hand has seen; and whether Wave::loop_state is from it.
  uint32_t granted = 0;
};

// MODE register: the fields that clang's code touches.
inline constexpr uint32_t kModeRound32 = 0x3, kModeRound64 = 0xc, kModeDenorm32 = 0x30, kModeDenorm64 = 0xc0;
inline constexpr uint32_t kModeDx10Clamp = 1u << 8, kModeIeee = 1u << 9, kModeFp16Overflow = 1u << 23;
// The MODE that HIP's kernels have, as far as it concerns arithmetic: numbers are rounded to nearest, denormals stay, signalling NaNs
// win in min and max, clamp makes 0 of a NaN, and an f16 that overflows is an infinity. Handlers and translated code compute so.
// Waves with another MODE run in a program whose elements look at MODE (interpret/by_mode.h), or in code that is translated for it.
inline constexpr uint32_t kUsualFloatMode = kModeDenorm32 | kModeDenorm64 | kModeDx10Clamp | kModeIeee;
inline constexpr uint32_t kFloatMode = kUsualFloatMode | kModeRound32 | kModeRound64 | kModeFp16Overflow; // the fields
inline constexpr bool is_usual_mode(uint32_t mode) noexcept { return (mode & kFloatMode) == kUsualFloatMode; }

struct alignas(64) Wave {
  // --- the fields that handlers use most
  const Inst* pc = nullptr; // next instruction when run_wave is entered again; kept only while stopped
  BranchBudget budget;
  uint8_t* lds = nullptr;   // the work-group's LDS block; kReadBehindLds more bytes can be read
  uint32_t scc = 0;         // 0 or 1
  uint32_t lds_bytes = 0;
  uint32_t mode = 0;            // MODE register
  uint64_t scratch_base = 0;    // the wave's private segments: dword d of lane l lies at + d * 256 + l * 4
  uint64_t scratch_bytes = 0;   // bytes of private segment per lane
  uint64_t shared_aperture = 0; // flat addresses with these upper 32 bits mean LDS; the low half is 0 (src_shared_base)
  uint64_t private_aperture = 0; // likewise for private segments (src_private_base)
  uint64_t arena_base = 0;      // device memory: [arena_base, arena_base + arena_bytes) is accessed directly;
  uint64_t arena_bytes = 0;     // for any other address `space` is asked
  const AddressSpace* space = nullptr;
  // --- why it stopped
  Stop stop = Stop::None;
  FaultKind fault = FaultKind::None;
  const Inst* fault_inst = nullptr;
  uint64_t fault_address = 0;
  uint64_t fault_lanes = 0;
  uint64_t fault_value = 0;
  // --- what it belongs to
  WorkGroup* group = nullptr;
  Program* program = nullptr; // address -> Inst, for indirect jumps
  uint32_t lanes = kMaxLanes;
  uint32_t vgpr_rows = 0; // VGPRs that the kernel has
  uint32_t index_in_group = 0;
  uint32_t streams = 0; // not 0: the grid writes more than the host's caches hold, so stores may bypass them
  // Groups in a row of the grid when there are several rows of few groups, else 0; and which of them this wave's group is, else 0.
  uint32_t columns = 0, column = 0;
  Waits waits = Waits::No;
  // How many of the matrix instructions that the wave comes to next it has computed already (compile/read/ahead.h).
  uint32_t products_ahead = 0;
  uint64_t loop_state = 0; // what turn_is_over() has last seen of what a loop can change
  uint64_t start_clock = 0;
  uint64_t guest_pc = 0; // set by functions that translated code calls: their instruction's distance from its function's start
  // --- the batch of waves that translated code runs in one loop (compile/emit/wave_loop.h)
  uint32_t batch = 0;            // number of waves in the batch that begins with this one (all of the group); 0: no batch
  Stop batch_stop = Stop::None;  // why all waves of the stopped batch have stopped; None: each has its own reason in `stop`
  Wave* current = nullptr;       // the wave in execution of the batch that begins with this one
  const uint32_t* item_ids = nullptr; // rows of work-item ids of this wave when a translated kernel starts; those of the batch's next waves follow
  alignas(8) uint32_t discarded[2] = {}; // what instructions write to the null register
  uint64_t sync_ticket = 0;              // what it waits for at a barrier of the grid (WaveSync); 0: it does not
  // --- registers
  alignas(64) uint32_t sgpr[kSgprCount] = {};
  // VGPR rows follow the header: row(n) for n < vgpr_rows.

  uint64_t sgpr64(uint32_t n) const noexcept { return sgpr[n] | uint64_t(sgpr[n + 1]) << 32; }
  void set_sgpr64(uint32_t n, uint64_t v) noexcept { sgpr[n] = uint32_t(v), sgpr[n + 1] = uint32_t(v >> 32); }
  uint64_t exec() const noexcept { return sgpr64(kExecLo); }
  uint64_t vcc() const noexcept { return sgpr64(kVccLo); }
  uint32_t* row(uint32_t n) noexcept { return reinterpret_cast<uint32_t*>(this + 1) + n * kMaxLanes; }
  const uint32_t* row(uint32_t n) const noexcept { return reinterpret_cast<const uint32_t*>(this + 1) + n * kMaxLanes; }

  static constexpr size_t bytes_for(uint32_t rows) noexcept { return sizeof(Wave) + size_t(rows) * kRowBytes; }
  // Offsets of registers from the block, as instructions hold them.
  static constexpr uint32_t sgpr_offset(uint32_t n) noexcept;
  static constexpr uint32_t vgpr_offset(uint32_t n) noexcept;
};
static_assert(sizeof(Wave) % 64 == 0);
// Every block has room for all registers, whatever the kernel descriptor grants, so an instruction that names a register beyond
// the grant stays inside its own wave's block. Rows that nothing touches cost address space only. The waves of a group lie one
// after the other.
inline constexpr size_t kWaveBytes = sizeof(Wave) + size_t(kFirstHintRow + kMostColumns) * kRowBytes;

constexpr uint32_t Wave::sgpr_offset(uint32_t n) noexcept { return uint32_t(offsetof(Wave, sgpr)) + n * 4; }
constexpr uint32_t Wave::vgpr_offset(uint32_t n) noexcept { return uint32_t(sizeof(Wave)) + n * kRowBytes; }

// Executes the wave from wave.pc until it stops, and leaves the reason in wave.stop. The host's MXCSR is the default one
// meanwhile and restored on exit.
void run_wave(Wave& wave) noexcept;

} // namespace hip::engine
