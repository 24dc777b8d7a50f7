// runtime/engine/wave/group.cpp - see group.h.
#include "runtime/engine/wave/group.h"

#include "runtime/engine/wave/grid_shape.h"
#include "runtime/engine/wave/run.h"
#include "runtime/engine/tiering/tier1.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <sys/mman.h>

namespace hip::engine {
namespace {

constexpr size_t kPage = 4096;
// An instruction that names a register beyond what its kernel declared stays inside the group's own memory.
constexpr size_t kOverrunBytes = size_t(kMaxVgprs) * kRowBytes;

// The part of a wave's header that a layout copies: everything in front of the SGPRs, and the SGPRs that a dispatch initialises.
// The other SGPRs are undefined when a wave starts.
constexpr size_t kInitialBytes = offsetof(Wave, sgpr) + 40 * sizeof(uint32_t);
constexpr uint32_t kSgprStep = 8; // SGPRs that are copied at once

constexpr size_t aligned(size_t bytes, size_t to) { return (bytes + to - 1) / to * to; }

// Copies a row in four pieces, which the compiler makes vector moves of. One memcpy of the whole row would be a call, which takes
// longer than an empty kernel.
inline void copy_row(uint32_t* to, const uint32_t* from) noexcept {
  static_assert(kRowBytes == 4 * 64);
  std::memcpy(to, from, 64);
  std::memcpy(to + 16, from + 16, 64);
  std::memcpy(to + 32, from + 32, 64);
  std::memcpy(to + 48, from + 48, 64);
}

} // namespace

LazyMemory::~LazyMemory() {
  if (data_) munmap(data_, bytes_);
}

bool LazyMemory::reserve(size_t bytes) noexcept {
  if (bytes <= bytes_) return true;
  bytes = aligned(bytes, kPage);
  void* fresh = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (fresh == MAP_FAILED) return false;
  if (data_) munmap(data_, bytes_);
  data_ = static_cast<char*>(fresh);
  bytes_ = bytes;
  return true;
}

bool WorkGroup::lay_out(const GridShape& shape, const AddressSpace& space) noexcept {
  entry_pc = shape.entry_pc;
  kernel_object = shape.kernel_object;
  directory = shape.directory;
  late = shape.late;
  const size_t lds_at = aligned(kWaveBytes * shape.waves_per_group, 64);
  const size_t scratch_at = aligned(lds_at + shape.lds_bytes + kReadBehindLds, 64);
  if (!memory.reserve(scratch_at + shape.scratch_wave_bytes * shape.waves_per_group + kOverrunBytes)) return false;
  char* base = memory.data();
  for (uint32_t k = 0; k < shape.waves_per_group; ++k) {
    char* block = base + kWaveBytes * k;
    std::memcpy(block, &shape.initial, kInitialBytes);
    Wave* wave = reinterpret_cast<Wave*>(block);
    waves[k] = wave;
    wave->lds = reinterpret_cast<uint8_t*>(base + lds_at);
    wave->scratch_base = reinterpret_cast<uint64_t>(base + scratch_at + shape.scratch_wave_bytes * k);
    wave->space = &space;
    wave->arena_base = space.arena_base;
    wave->arena_bytes = space.arena_bytes;
    wave->group = this;
    wave->index_in_group = k;
    wave->current = wave;
    wave->item_ids = wave->row(0);
  }
  laid_out = untouched = true;
  return true;
}

// What lay_out() takes from a shape. Two shapes of the same kernel object have the same kernel descriptor, and with it the same
// registers and MODE.
bool have_same_layout(const GridShape& a, const GridShape& b) noexcept {
  return a.kernel_object == b.kernel_object && a.entry_pc == b.entry_pc && a.directory == b.directory && a.late == b.late &&
         a.waves_per_group == b.waves_per_group && a.lds_bytes == b.lds_bytes && a.scratch_wave_bytes == b.scratch_wave_bytes &&
         a.initial.program == b.initial.program && a.initial.streams == b.initial.streams &&
         a.initial.columns == b.initial.columns;
}

namespace {

const Inst* translated_start(const TieredFunction* kernel) noexcept {
  return kernel ? kernel->start.load(std::memory_order_acquire) : nullptr;
}

void set_initial_sgprs(Wave& wave, const GridShape& shape, const std::array<uint32_t, 3>& group_id) noexcept {
  for (uint32_t n = 0; n < shape.initial_sgprs; n += kSgprStep)
    std::memcpy(&wave.sgpr[n], &shape.initial.sgpr[n], kSgprStep * sizeof(uint32_t));
  for (int d = 0; d < 3; ++d)
    if (shape.group_id_sgpr[d] >= 0) wave.sgpr[shape.group_id_sgpr[d]] = group_id[d];
  if (shape.group_id_yz_sgpr >= 0) wave.sgpr[shape.group_id_yz_sgpr] = group_id[1] | group_id[2] << 16;
}

} // namespace

// Starts a full group whose kernel is translated. The translation knows with what values the group's waves start, except for the
// SGPRs, which are the same in all of them; so only the first wave is initialised.
bool WorkGroup::start_as_one(const GridShape& shape) noexcept {
  if (!shape.whole_waves) return false;
  const Inst* start = translated_start(shape.tiered_full);
  if (!start || !(start->flags & kStartsBatch)) return false;
  wave_count = running = shape.waves_per_group;
  Wave& first = *waves[0];
  set_initial_sgprs(first, shape, id);
  first.pc = start;
  first.item_ids = shape.ids->rows.data();
  if (shape.initial.columns)
    for (uint32_t k = 0; k < wave_count; ++k) waves[k]->column = id[0];
  if (!untouched)
    for (uint32_t k = 0; k < wave_count; ++k)
      waves[k]->scc = 0, waves[k]->mode = shape.initial.mode, waves[k]->program = shape.initial.program,
      waves[k]->products_ahead = 0, waves[k]->sync_ticket = 0;
  untouched = as_one = true;
  return true;
}

bool WorkGroup::start(const GridShape& shape, std::array<uint32_t, 3> group_id, const AddressSpace& space) noexcept {
  if (!laid_out && !lay_out(shape, space)) return false;
  id = group_id;
  grid = &shape;
  faulted = nullptr;
  std::array<uint32_t, 3> items = shape.items;
  bool full = true;
  for (int d = 0; d < 3; ++d)
    if (id[d] + 1 == shape.groups[d] && shape.tail[d] != items[d]) items[d] = shape.tail[d], full = false;
  if (full && start_as_one(shape)) return true;
  as_one = untouched = false;
  const uint32_t count = items[0] * items[1] * items[2];
  const uint32_t wave_lanes = shape.initial.lanes;
  wave_count = (count + wave_lanes - 1) / wave_lanes;
  running = wave_count;

  const bool own_ids = !full && !shape.one_dimension; // in one dimension a cut group has the first ids of a full one
  const uint32_t id_vgprs = shape.item_id_vgprs;
  if (own_ids && (edge_ids_.items != items || edge_ids_.mask != shape.item_id_mask || edge_ids_.vgprs != id_vgprs || edge_ids_.lanes != wave_lanes)) [[unlikely]]
    set_item_ids(edge_ids_, items, shape.item_id_mask, id_vgprs, wave_lanes);
  const Inst *start_full = shape.initial.pc, *start_partial = shape.initial.pc;
  if (full || shape.one_dimension) {
    if (const Inst* translated = translated_start(shape.tiered_full)) start_full = translated;
    if (const Inst* translated = translated_start(shape.tiered_partial)) start_partial = translated;
  }
  const uint32_t* ids = own_ids ? edge_ids_.rows.data() : shape.ids->rows.data();
  for (uint32_t k = 0; k < wave_count; ++k) {
    Wave* wave = waves[k];
    state[k] = WaveState::Ready;

    wave->scc = wave->products_ahead = 0, wave->sync_ticket = 0;
    if (shape.initial.columns) wave->column = id[0];
    wave->mode = shape.initial.mode, wave->program = shape.initial.program;
    set_initial_sgprs(*wave, shape, id);
    if (shape.group_info_sgpr >= 0) // first wave of the group, and how many there are
      wave->sgpr[shape.group_info_sgpr] = (k == 0 ? 1u << 31 : 0) | wave_count;
    if (shape.private_buffer_sgpr >= 0) // the low 48 bits of the resource; what follows them is there already
      wave->set_sgpr64(uint32_t(shape.private_buffer_sgpr),
                       wave->sgpr64(uint32_t(shape.private_buffer_sgpr)) | (wave->scratch_base & ((1ull << 48) - 1)));
    const uint32_t lanes = std::min(wave_lanes, count - k * wave_lanes);
    wave->set_sgpr64(kExecLo, ~0ull >> (kMaxLanes - lanes));
    wave->pc = lanes == wave_lanes ? start_full : start_partial;
    for (uint32_t v = 0; v < id_vgprs; ++v) copy_row(wave->row(v), ids + (size_t(k) * id_vgprs + v) * kMaxLanes);
    wave->item_ids = wave->row(0);
  }
  return true;
}

// Whether all waves of the group can go on as one batch: none has ended, and all are at the same batch region with the same MODE.
bool WorkGroup::ready_as_one(uint32_t mode) const noexcept {
  const Inst* pc = waves[0]->pc;
  if (running != wave_count || !(pc->flags & kRunsBatch)) return false;
  for (uint32_t k = 0; k < wave_count; ++k)
    if (waves[k]->pc != pc || waves[k]->mode != mode) return false;
  return true;
}

WorkGroup::Turn WorkGroup::take_turn(uint32_t mode, Wave* volatile& current) noexcept {
  bool advanced = false;
  for (;;) {
    const bool together = as_one;
    as_one = false;
    if (together) {
      advanced = true;
      Wave& first = *waves[0];
      first.batch = wave_count;
      first.batch_stop = Stop::None;
      current = &first;
      const bool stays = untouched;
      untouched = false; // should a fault end it
      first.pc->run(&first, first.pc);
      clear_upper_halves();
      if (first.batch_stop == Stop::Ended) {
        untouched = stays;
        return Turn::Done;
      }
      state.fill(WaveState::Ready);
    }
    bool yielded = false, slice_over = false;
    uint32_t at_barrier = 0, ahead = 0;
    for (uint32_t k = 0; k < wave_count; ++k) {
      if (state[k] == WaveState::Ready) {
        Wave& wave = *waves[k];
        if (!together) {
          current = &wave;
          run_apart(wave, wave.pc);
        }
        switch (wave.stop) {
        case Stop::Ended:
          state[k] = WaveState::Ended;
          --running;
          advanced = true;
          break;
        case Stop::Barrier:
          state[k] = WaveState::AtBarrier;
          advanced = true;
          break;
        case Stop::Yield:
          yielded = true;
          slice_over |= wave.waits == Waits::No;
          advanced |= wave.waits != Waits::Still;
          if (is_late()) [[unlikely]]
            return Turn::Yielded;
          break;
        case Stop::CatchUp:
          ++ahead;
          advanced = true;
          break;
        case Stop::Fault:
        case Stop::None: faulted = &wave; return Turn::Faulted;
        }
      }
      at_barrier += state[k] == WaveState::AtBarrier;
    }
    if (running == 0) return Turn::Done;
    if (at_barrier == running) {
      if (is_late()) [[unlikely]]
        return Turn::Yielded;
      for (uint32_t k = 0; k < wave_count; ++k)
        if (state[k] == WaveState::AtBarrier) state[k] = WaveState::Ready;
      as_one = ready_as_one(mode);
    } else if (yielded) {
      return slice_over ? Turn::Yielded : advanced ? Turn::Advanced : Turn::Waiting;
    } else if (ahead != 0) {
      if (is_late()) [[unlikely]]
        return Turn::Yielded;
      as_one = ahead == running && ready_as_one(mode);
    }
  }
}

} // namespace hip::engine
