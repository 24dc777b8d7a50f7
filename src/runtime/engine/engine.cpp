// runtime/engine/engine.cpp - the engine behind the shared object's one entry point: mapped code ranges, and the way from
// a dispatch to a grid.
// Thread safety: map and unmap take a lock; finding a program does not (code_ranges.h).
#include "runtime/engine/engine.h"

#include "runtime/codeobject/kernel_descriptor.h"
#include "runtime/engine/code_ranges.h"
#include "runtime/engine/wave/grid.h"
#include "runtime/engine/wave/sequence.h"
#include "runtime/engine/interpret/op_row.h"
#include "runtime/engine/tiering/tier1.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <mutex>

namespace hip::engine {
namespace {

// The apertures: flat addresses with these upper halves mean LDS and private segments.
constexpr uint64_t kSharedAperture = 0x0001'0000'0000'0000, kPrivateAperture = 0x0002'0000'0000'0000;
// The number of work-group shapes whose work-item ids are kept.
constexpr size_t kCachedShapes = 64;

// The element at which waves start when both kinds of a grid's waves are translated, so that the kernel need not be lifted. Else
// null.
const Inst* translated_start(const GridShape& shape) noexcept {
  if (shape.tail != shape.items) return nullptr;
  const auto start_of = [](const TieredFunction* kernel) {
    return kernel ? kernel->start.load(std::memory_order_acquire) : nullptr;
  };
  const uint32_t items = shape.items[0] * shape.items[1] * shape.items[2];
  const Inst* full = start_of(shape.tiered_full);
  const Inst* partial = start_of(shape.tiered_partial);
  const uint32_t lanes = shape.initial.lanes;
  if (items % lanes == 0) return full;
  if (items < lanes) return partial;
  return full && partial ? full : nullptr; // WorkGroup::start chooses the start of each kind of wave
}

class WaveEngine final : public Engine, public ProgramDirectory {
public:
  WaveEngine(const AddressSpace& space, const HostLevel& level) : space_(space), ops_(level), tier1_(level.isa) {}

  std::vector<std::string> targets() const override {
    std::vector<std::string> names;
    for (const codeobject::Processor& processor : codeobject::processors())
      if (processor.software == codeobject::SoftwareExecution::Executes) names.emplace_back(processor.name);
    return names;
  }
  Status map_code(const CodeRange& range) override;
  void unmap_code(uint64_t base) noexcept override;
  std::unique_ptr<Worker> create_worker() override { return std::make_unique<WaveWorker>(); }
  Status prepare(const Dispatch& dispatch, std::unique_ptr<Grid>& result) override;
  std::unique_ptr<DispatchSequence> make_sequence(std::span<const Dispatch> dispatches) override;

  Program* program_at(uint64_t address) noexcept override { return ranges_.at(address).program; }

  void function_called(Program& program, uint64_t address, uint64_t calls, uint32_t mode) noexcept override {
    const CodeRanges::Found found = ranges_.at(address);
    if (found.program == &program || found.instrumented == &program)
      tier1_.function_called({.entry_pc = address, .full_waves = false, .float_mode = mode & kFloatMode, .program = program}, calls);
  }

  uint64_t guest_pc_of(const void* pc, uint64_t otherwise) const noexcept override { return tier1_.guest_pc_of(pc, otherwise); }
  bool is_translated(const void* pc) const noexcept override { return tier1_.is_translated(pc); }

private:
  // The same code ranges in their instrumented form, which is made when it is first asked for.
  class Instrumented final : public ProgramDirectory {
  public:
    explicit Instrumented(WaveEngine& engine) : engine_(engine) {}
    Program* program_at(uint64_t address) noexcept override { return engine_.instrumented_at(address); }
    void function_called(Program& program, uint64_t address, uint64_t calls, uint32_t mode) noexcept override {
      engine_.function_called(program, address, calls, mode);
    }
    uint64_t guest_pc_of(const void* pc, uint64_t otherwise) const noexcept override { return engine_.guest_pc_of(pc, otherwise); }
    bool is_translated(const void* pc) const noexcept override { return engine_.is_translated(pc); }

  private:
    WaveEngine& engine_;
  };
  Program* instrumented_at(uint64_t address) noexcept;
  void choose_item_ids(WaveGrid& grid);
  void set_tier(WaveGrid& grid, Program& program);

  const AddressSpace& space_;
  Instrumented instrumented_{*this};
  const OpTable ops_;
  Tier1 tier1_;
  std::mutex mutex_; // guards changes of the ranges, and owned_ids_
  CodeRanges ranges_;
  std::array<std::atomic<const ItemIds*>, kCachedShapes> item_ids_{};
  std::vector<std::unique_ptr<ItemIds>> owned_ids_;
};

Status WaveEngine::map_code(const CodeRange& range) {
  const Target* const target = find_target(range.target);
  if (!target) return error(ErrorCode::InvalidImage, "'{}' is not a processor that the software GPU knows.", range.target);
  if (!target->executes())
    return error(ErrorCode::NotSupported, "The software GPU does not execute code for {} yet; it executes code for {}.",
                 range.target, executed_targets());
  if (range.base % 4 != 0 || range.bytes == 0)
    return error(ErrorCode::InvalidValue, "A code range of {} bytes at {:#x} is empty or not aligned to 4 bytes.", range.bytes,
                 range.base);
  RT_TRY_ASSIGN(std::unique_ptr<Decoder> decoder, Decoder::create(range.target, range.wave_lanes));
  auto program = std::make_shared<Program>(range, std::move(decoder), ops_, *this);
  std::lock_guard lock(mutex_);
  if (const Program* other = ranges_.overlapping(range.base, range.bytes))
    return error(ErrorCode::InvalidValue, "The code range at {:#x} overlaps the one at {:#x}.", range.base, other->base());
  ranges_.insert(std::move(program));
  return {};
}

// Null: no range holds the address, or there is no decoder or no memory for it.
Program* WaveEngine::instrumented_at(uint64_t address) noexcept try {
  const CodeRanges::Found found = ranges_.at(address);
  if (!found.program || found.instrumented) return found.instrumented;
  std::lock_guard lock(mutex_);
  if (Program* const known = ranges_.at(address).instrumented) return known; // another thread was faster
  const CodeRange& code = found.program->range();
  auto decoder = Decoder::create(code.target, code.wave_lanes);
  if (!decoder.ok()) return nullptr;
  auto made = std::make_shared<Program>(code, std::move(decoder).value(), ops_, instrumented_, CodeForm::Instrumented);
  Program* const instrumented = made.get();
  ranges_.set_instrumented(code.base, std::move(made));
  return instrumented;
} catch (const std::bad_alloc&) {
  return nullptr;
}

void WaveEngine::unmap_code(uint64_t base) noexcept {
  std::lock_guard lock(mutex_);
  const Program* const program = ranges_.at(base).program;
  if (!program || program->base() != base) return;
  tier1_.forget(base, program->range().bytes);
  ranges_.erase(base);
}

void WaveEngine::choose_item_ids(WaveGrid& grid) {
  for (const std::atomic<const ItemIds*>& entry : item_ids_) {
    const ItemIds* ids = entry.load(std::memory_order_acquire);
    if (!ids) break;
    if (ids->items == grid.shape.items && ids->mask == grid.shape.item_id_mask && ids->vgprs == grid.shape.item_id_vgprs && ids->lanes == grid.shape.initial.lanes) {
      grid.shape.ids = ids;
      return;
    }
  }
  auto made = std::make_unique<ItemIds>();
  set_item_ids(*made, grid.shape.items, grid.shape.item_id_mask, grid.shape.item_id_vgprs, grid.shape.initial.lanes);
  grid.shape.ids = made.get();
  std::lock_guard lock(mutex_);
  if (owned_ids_.size() < kCachedShapes) {
    item_ids_[owned_ids_.size()].store(made.get(), std::memory_order_release);
    owned_ids_.push_back(std::move(made));
  } else {
    grid.own_ids = std::move(made);
  }
}

void WaveEngine::set_tier(WaveGrid& grid, Program& program) {
  GridShape& shape = grid.shape;
  FunctionKey key{.entry_pc = shape.entry_pc, .items = shape.items, .full_waves = true, .float_mode = shape.initial.mode & kFloatMode, .program = program,
                .kernarg_sgpr = shape.kernarg_sgpr, .item_ids = shape.item_id_mask,
                .item_id_vgprs = shape.item_id_vgprs};
  const uint32_t lanes = shape.initial.lanes;
  // Waves with fewer lanes are the last one of a group, and in one dimension the last ones of the last group.
  const uint32_t items = shape.items[0] * shape.items[1] * shape.items[2];
  if (items >= lanes) shape.tiered_full = tier1_.find(key, shape.group_count * (items / lanes));
  if (items % lanes != 0) {
    key.full_waves = false;
    shape.tiered_partial = tier1_.find(key, shape.group_count);
  }
}

Status WaveEngine::prepare(const Dispatch& dispatch, std::unique_ptr<Grid>& result) {
  if (dispatch.kernel_object == 0 || dispatch.kernel_object % 64 != 0)
    return error(ErrorCode::InvalidDeviceFunction, "The kernel object {:#x} is not the address of a kernel descriptor.",
                 dispatch.kernel_object);
  const bool in_arena = dispatch.kernel_object - space_.arena_base < space_.arena_bytes;
  if (!in_arena && !space_.accessible(dispatch.kernel_object, sizeof(codeobject::KernelDescriptor), Access::Read))
    return error(ErrorCode::InvalidDeviceFunction, "The kernel object {:#x} lies in no allocation.", dispatch.kernel_object);
  if (!result) result = std::make_unique<WaveGrid>(space_);
  auto* const grid = static_cast<WaveGrid*>(result.get());
  grid->renew();
  const auto& kd = *reinterpret_cast<const codeobject::KernelDescriptor*>(dispatch.kernel_object);
  uint64_t entry = dispatch.kernel_object + uint64_t(kd.kernel_code_entry_byte_offset);
  Program* program = ranges_.at(entry).program;
  if (!program)
    return error(ErrorCode::InvalidDeviceFunction, "The kernel at {:#x} lies in no code range that is mapped.", entry);
  RT_TRY(make_grid_shape(dispatch, program->target(), program->lanes(), grid->shape));
  grid->cooperative = dispatch.cooperative;
  grid->threads = dispatch.threads;
  grid->timed = dispatch.timed;
  grid->tool = dispatch.tool;
  if (dispatch.tool && !(program = instrumented_at(entry)))
    return error(ErrorCode::NotSupported, "The code of the kernel at {:#x} cannot be instrumented.", entry);
  grid->shape.directory = dispatch.tool ? static_cast<ProgramDirectory*>(&instrumented_) : this;
  Wave& initial = grid->shape.initial;
  initial.program = &program->for_mode(initial.mode);
  initial.shared_aperture = kSharedAperture;
  initial.private_aperture = kPrivateAperture;
  choose_item_ids(*grid);
  if (tier1_.enabled()) set_tier(*grid, *program);
  initial.pc = translated_start(grid->shape);
  if (!initial.pc) initial.pc = initial.program->resolve(entry);
  return {};
}

std::unique_ptr<DispatchSequence> WaveEngine::make_sequence(std::span<const Dispatch> dispatches) {
  auto sequence = std::make_unique<WaveSequence>(space_);
  for (const Dispatch& dispatch : dispatches) {
    std::unique_ptr<Grid> grid;
    if (dispatch.kernel_object != 0 && prepare(dispatch, grid).ok() && WaveSequence::fits(dispatch))
      sequence->add(std::unique_ptr<WaveGrid>(static_cast<WaveGrid*>(grid.release())));
    else
      sequence->add(nullptr); // whoever executes it by itself hears of what is wrong with it
  }
  return sequence;
}

} // namespace
} // namespace hip::engine

hip::engine::Engine* omnihip_engine_create(uint32_t abi_version, const hip::engine::AddressSpace* space, std::string* why) {
  using namespace hip::engine;
  if (abi_version != kEngineAbiVersion || !space) return nullptr;
  const HostLevel* level = choose_host_level(*why);
  if (!level) return nullptr;
  install_fault_handlers();
  return new WaveEngine(*space, *level);
}
