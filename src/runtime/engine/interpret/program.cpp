// runtime/engine/interpret/program.cpp - see program.h.
#include "runtime/engine/interpret/program.h"

#include "runtime/codeobject/line_table.h"
#include "runtime/engine/decode/catch_up.h"
#include "runtime/engine/decode/mode_write.h"
#include "runtime/engine/decode/resolve.h"
#include "runtime/engine/interpret/memory/describe.h"

#include <algorithm>
#include <bit>
#include <sys/mman.h>

namespace hip::engine {
namespace {

void RT_HANDLER_CC run_undecodable(Wave* w, const Inst* i) { stop_with_fault(w, i, FaultKind::Undecodable); }
void RT_HANDLER_CC run_unimplemented(Wave* w, const Inst* i) { stop_with_fault(w, i, FaultKind::Unimplemented); }
void RT_HANDLER_CC run_unsupported(Wave* w, const Inst* i) { stop_with_fault(w, i, FaultKind::Unsupported); }
// Whether control may reach the instruction behind.
bool goes_on(const RawInst& raw) noexcept {
  const Unit unit = row_of(raw.opcode).unit;
  return unit != Unit::Branch && unit != Unit::EndWave && raw.opcode != Opcode::s_setpc_b64 &&
         raw.format != Format::Invalid;
}
// Of an instruction that does nothing but stop its wave.
bool is_refused(Handler run) { return run == run_undecodable || run == run_unimplemented || run == run_unsupported; }
// Whoever jumps to an address that is not known to have an instruction has left itself in Wave::pc.
void RT_HANDLER_CC run_bad_jump(Wave* w, const Inst* i) {
  w->fault_address = w->pc != i ? w->pc->pc : i->pc;
  stop_with_fault(w, i, FaultKind::BadJump, i->pc);
}
void RT_HANDLER_CC run_no_memory(Wave* w, const Inst* i) { stop_with_fault(w, i, FaultKind::NoMemory); }
void RT_HANDLER_CC run_nothing(Wave* w, const Inst* i) { RT_NEXT(w, i); }
void RT_HANDLER_CC run_catch_up(Wave* w, const Inst* i) {
  w->pc = i + 1;
  w->stop = Stop::CatchUp;
}
// Continues at the address in imm[1]. Such elements follow a function's last instruction, and stand for branch targets
// outside; Inst::pc is where control comes from.
void RT_HANDLER_CC run_elsewhere(Wave* w, const Inst* i) {
  w->pc = i;
  RT_JUMP(w, w->program->resolve(i->imm[1]));
}

// Of a function that is translated in parts: the next part's beginning, or one that it goes back to.
void RT_HANDLER_CC run_enter(Wave* w, const Inst* i) {
  w->pc = i;
  RT_JUMP(w, w->program->enter(i->imm[1], Program::Jump::Call, w->mode));
}

Inst element(Handler run, uint64_t pc) {
  Inst out{};
  out.run = run;
  out.pc = pc;
  return out;
}

// Of an entry of Program::entries_. Elements lie at multiples of 64.
constexpr uint64_t kIsCount = 1;

// Instructions of a loop that is examined for waiting. Without optimisation loops that wait have some hundred.
constexpr size_t kLongestWaitingLoop = 1024;

bool is_direct_branch(const RawInst& raw) {
  const Unit unit = row_of(raw.opcode).unit;
  return unit == Unit::Branch || unit == Unit::ConditionalBranch || raw.opcode == Opcode::s_call_b64;
}
uint64_t target_of(const RawInst& direct_branch) { return direct_branch.address + 4 + uint64_t(int64_t(direct_branch.simm16) * 4); }

// Replaces an instruction by a simpler one with the same effect. A scalar operand comes first, for which there are faster
// handlers.
RawInst simplified(RawInst raw) {
  if (raw.opcode == Opcode::v_lshl_add_u64 && raw.src[1].is_constant() && (raw.src[1].imm & 7) == 0 && !raw.clamp) {
    raw.opcode = Opcode::v_add_nc_u64;
    raw.src[1] = raw.src[2];
    raw.src[2] = Operand{};
    raw.source_count = 2;
    if (raw.src[1].bank != Bank::Vgpr) std::swap(raw.src[0], raw.src[1]);
  }
  return raw;
}

// Whether an instruction has no effect here: memory operations are complete when their handler ends, and there is no pipeline.
bool is_without_effect(const RawInst& raw) {
  return row_of(raw.opcode).unit == Unit::NoEffect;
}

std::string source_text(const codeobject::SourceLine& at) {
  if (!at.line || at.file.name.empty()) return {};
  const bool absolute = at.file.name.front() == '/' || at.file.directory.empty();
  return absolute ? fmt::format("{}:{}", at.file.name, at.line)
                  : fmt::format("{}/{}:{}", at.file.directory, at.file.name, at.line);
}

} // namespace

OpTable::OpTable(const HostLevel& level) {
  for (std::span<const OpRow> group : level.groups)
    for (const OpRow& row : group) rows_[size_t(row.opcode)] = &row;
}

Program::Program(CodeRange range, std::unique_ptr<Decoder> decoder, const OpTable& ops, ProgramDirectory& directory,
                 CodeForm form)
    : range_(std::move(range)), decoder_(std::move(decoder)), ops_(ops), directory_(directory), form_(form), no_memory_(element(run_no_memory, range_.base)),
      map_memory_(range_.bytes / 4), entries_memory_(range_.bytes / 4),
      map_(static_cast<std::atomic<const Inst*>*>(map_memory_.data())),
      entries_(static_cast<std::atomic<uint64_t>*>(entries_memory_.data())) {
  std::sort(range_.symbols.begin(), range_.symbols.end(),
            [](const auto& a, const auto& b) { return a.address < b.address; });
  static_assert(sizeof(*map_) == sizeof(uint64_t) && sizeof(*entries_) == sizeof(uint64_t));
}

Program::~Program() = default;

Program::Map::Map(size_t entries) : bytes_(entries * sizeof(uint64_t) + 1) {
  data_ = mmap(nullptr, bytes_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (data_ == MAP_FAILED) throw std::bad_alloc();
}
Program::Map::~Map() { munmap(data_, bytes_); }

const Inst* Program::resolve(uint64_t address) noexcept try {
  if (!holds(address)) {
    Program* other = directory_.program_at(address);
    return other ? other->resolve(address) : bad_jump(address);
  }
  if (address % 4 != 0 || address - range_.base + 4 > range_.bytes) return bad_jump(address);
  if (const Inst* known = map_[(address - range_.base) / 4].load(std::memory_order_acquire)) return known;
  return lift_function(address);
} catch (const std::bad_alloc&) {
  return &no_memory_;
}

Program* Program::UnusualDirectory::program_at(uint64_t address) noexcept {
  constexpr uint32_t kUnusual = 0;
  static_assert(!is_usual_mode(kUnusual));
  Program* const program = usual_.program_at(address);
  return program ? program->try_for_mode(kUnusual) : nullptr;
}

Program& Program::for_mode(uint32_t mode) {
  if (is_usual_mode(mode)) return usual_ ? *usual_ : *this;
  if (usual_) return *this;
  if (Program* known = unusual_.load(std::memory_order_acquire)) return *known;
  std::lock_guard lock(mutex_);
  if (!own_unusual_) {
    auto decoder = Decoder::create(range_.target, lanes());
    RT_CHECK(decoder.ok(), "the engine needs a second decoder for code that it has decoded before");
    auto directory = std::make_unique<UnusualDirectory>(directory_);
    auto program = std::make_unique<Program>(range_, std::move(decoder).value(), ops_, *directory, form_);
    program->usual_ = this;
    unusual_directory_ = std::move(directory);
    own_unusual_ = std::move(program);
    unusual_.store(own_unusual_.get(), std::memory_order_release);
  }
  return *own_unusual_;
}

Program* Program::try_for_mode(uint32_t mode) noexcept try {
  return &for_mode(mode);
} catch (const std::bad_alloc&) {
  return nullptr;
}

namespace {

// The translation that an entry holds, if it holds one and not a count of calls, and waves with this MODE may run it.
const Inst* translation_in(uint64_t entry, uint32_t mode) {
  if (entry == 0 || entry & kIsCount) return nullptr;
  const Inst* const element = reinterpret_cast<const Inst*>(entry);
  return element->src[0] == (mode & kFloatMode) ? element : nullptr;
}

} // namespace

const Inst* Program::enter(uint64_t address, Jump jump, uint32_t mode) noexcept try {
  if (!holds(address) || address % 4 != 0) [[unlikely]] {
    Program* other = holds(address) ? nullptr : directory_.program_at(address);
    return other ? other->enter(address, jump, mode) : bad_jump(address);
  }
  std::atomic<uint64_t>& entry = entries_[(address - range_.base) / 4];
  uint64_t known = entry.load(std::memory_order_acquire);
  if (const Inst* translated = translation_in(known, mode)) return translated;
  if (jump == Jump::Call && (known == 0 || known & kIsCount)) {
    // Counts of several threads at once may be lost; a translation is not.
    const uint64_t calls = known / 2 + 1;
    if (entry.compare_exchange_strong(known, calls * 2 | kIsCount, std::memory_order_acq_rel) && std::has_single_bit(calls)) {
      directory_.function_called(*this, address, calls, mode);
      known = entry.load(std::memory_order_acquire);
    }
    if (const Inst* translated = translation_in(known, mode)) return translated;
  }
  return resolve(address);
} catch (const std::bad_alloc&) { // of a bad jump
  return &no_memory_;
}

void Program::set_translated(uint64_t address, const Inst* element) noexcept {
  if (holds(address) && address % 4 == 0)
    entries_[(address - range_.base) / 4].store(reinterpret_cast<uint64_t>(element), std::memory_order_release);
}

Inst Program::lift_alone(uint64_t address) {
  if (holds(address) && address % 4 == 0) {
    std::lock_guard lock(mutex_);
    RawInst raw;
    decoder_->decode({reinterpret_cast<const uint8_t*>(address), range_.base + range_.bytes - address}, address, raw);
    const std::vector<ResolvedInst> parts = resolve_all(*decoder_, simplified(raw));
    if (parts.size() == 1 && is_without_effect(parts[0])) return element(run_nothing, address);
    if (parts.size() > 1) return continue_at(address);
    if (!is_direct_branch(raw)) {
      Inst out;
      lift(parts[0], out);
      return out;
    }
  }
  const Inst* first = resolve(address);
  return first->run == run_observer ? first[1] : *first;
}

Inst Program::make_observer(const ResolvedInst& inst) {
  const OpcodeRow& row = row_of(inst.opcode);
  ObservedInst& what = observed_.emplace_back();
  what.instruction_class = class_of(row.unit);
  if (accesses_memory(row)) {
    lift_one(inst, what.inst);
    if (!is_refused(what.inst.run)) what.accesses = &row;
  }
  what.inst.pc = inst.address;
  Inst out = element(run_observer, inst.address);
  out.imm[0] = reinterpret_cast<uint64_t>(&what);
  return out;
}

Inst Program::make_by_mode(const ResolvedInst& inst, const FloatRules& rules) {
  InstByMode& by = by_mode_.emplace_back();
  static_cast<FloatRules&>(by) = rules;
  lift_one(inst, by.inst);
  if (is_refused(by.inst.run)) return by.inst;
  if (rules.other != Opcode::unknown) {
    ResolvedInst other = inst;
    other.body = rules.other;
    lift_one(other, by.other);
  }
  Inst out = element(row_of(inst.opcode).unit == Unit::ScalarAlu ? run_scalar_by_mode : run_by_mode, inst.address);
  out.imm[0] = reinterpret_cast<uint64_t>(&by);
  return out;
}

void Program::lift(const ResolvedInst& inst, Inst& out) {
  const std::optional<FloatRules> rules = usual_ ? float_rules(inst) : std::nullopt;
  if (rules)
    out = make_by_mode(inst, *rules);
  else
    lift_one(inst, out);
}

const Inst* Program::bad_jump(uint64_t address) {
  std::lock_guard lock(mutex_);
  return &bad_jumps_.emplace_back(element(run_bad_jump, address));
}

void Program::lift_one(const ResolvedInst& inst, Inst& out) {
  out = element(run_undecodable, inst.address);
  if (inst.format == Format::Invalid) return;
  if (const std::string_view refusal = refusal_of(inst.opcode); !refusal.empty()) {
    out.run = run_unsupported;
    reasons_[inst.address] = refusal;
    return;
  }
  out.run = run_unimplemented;
  const OpRow* row = ops_.find(inst.body);
  if (!row || inst.format == Format::Other) return;
  std::string reason = inst.problem.empty() ? row->lift(*row, inst, out) : inst.problem;
  out.pc = inst.address;
  if (!reason.empty()) {
    out = element(run_unsupported, inst.address);
    reasons_[inst.address] = std::move(reason);
  }
}

// Lifts the symbol that holds `address`, from its start to its end; without a symbol, from the address itself to where
// a function seems to end: behind an instruction that does not go on, to the next symbol at most. (Libraries have tens
// of megabytes of functions without symbols. What is left out is lifted when control reaches it.) In both cases it
// stops at the first instruction that is lifted already.
const Inst* Program::lift_function(uint64_t address) {
  std::unique_lock lock(mutex_);
  auto slot = [this](uint64_t a) -> std::atomic<const Inst*>& { return map_[(a - range_.base) / 4]; };
  if (const Inst* known = slot(address).load(std::memory_order_acquire)) return known;

  uint64_t begin = address, end = range_.base + range_.bytes / 4 * 4;
  bool has_symbol = false;
  auto next = std::upper_bound(range_.symbols.begin(), range_.symbols.end(), address,
                               [](uint64_t a, const CodeRange::Symbol& s) { return a < s.address; });
  if (next != range_.symbols.end()) end = std::min(end, next->address);
  if (next != range_.symbols.begin()) {
    const CodeRange::Symbol& symbol = *std::prev(next);
    uint64_t symbol_end = symbol.bytes ? symbol.address + symbol.bytes : end;
    if (address < symbol_end && holds(symbol.address) && !slot(symbol.address).load(std::memory_order_relaxed)) {
      begin = symbol.address;
      end = std::min(end, symbol_end);
      has_symbol = true;
    }
  }

  struct Start {
    uint64_t pc;
    size_t element; // the element that executes when control reaches pc
    size_t step;    // the place of the instruction's first operation in `steps`
  };
  struct Branch {
    size_t element, step; // as in Start, of its last ones
  };
  std::vector<Inst> lifted;
  std::vector<LoopStep> steps;
  std::vector<Start> starts; // one per machine instruction, by ascending address
  std::vector<Branch> branches;
  CatchUpSearch catch_up;
  std::vector<size_t> behind; // each operation: how many elements there were then
  uint64_t at = begin, furthest = 0; // target of a branch so far
  while (at < end && !slot(at).load(std::memory_order_relaxed)) {
    RawInst raw;
    decoder_->decode({reinterpret_cast<const uint8_t*>(at), range_.base + range_.bytes - at}, at, raw);
    starts.push_back({at, lifted.size(), steps.size()});
    const std::vector<ResolvedInst> parts = resolve_all(*decoder_, simplified(raw));
    if (form_ == CodeForm::Instrumented) lifted.push_back(make_observer(parts[0]));
    for (const ResolvedInst& inst : parts) {
      steps.emplace_back(inst);
      if (!is_without_effect(inst)) lift(inst, lifted.emplace_back());
      catch_up.add(inst);
      behind.push_back(lifted.size());
    }
    if (is_direct_branch(raw)) {
      lifted.back().imm[1] = target_of(raw);
      branches.push_back({lifted.size() - 1, steps.size() - 1});
      furthest = std::max(furthest, target_of(raw));
    }
    at += raw.size_bytes;
    if (mode_write(parts[0])) lifted.back().imm[2] = at;
    if (!has_symbol && at > furthest && !goes_on(raw)) break;
  }
  if (const std::vector<uint32_t> places = catch_up.places(); !places.empty()) {
    std::vector<size_t> inserted; // the elements in front of which a wave stops when it comes from the one before
    for (uint32_t step : places) inserted.push_back(behind[step]);
    std::vector<Inst> with_stops;
    with_stops.reserve(lifted.size() + inserted.size());
    auto stop = inserted.begin();
    for (size_t k = 0; k <= lifted.size(); ++k) {
      for (; stop != inserted.end() && *stop == k; ++stop)
        with_stops.push_back(element(run_catch_up, lifted[k - 1].pc));
      if (k < lifted.size()) with_stops.push_back(lifted[k]);
    }
    lifted = std::move(with_stops);
    const auto move = [&](size_t& place) { place += size_t(std::ranges::upper_bound(inserted, place) - inserted.begin()); };
    for (Start& start : starts) move(start.element);
    for (Branch& branch : branches) move(branch.element);
  }
  lifted.push_back(element(run_elsewhere, starts.empty() ? at : starts.back().pc));
  lifted.back().imm[1] = at;

  // A branch target outside these elements gets an element that continues there by address.
  std::vector<size_t> targets(branches.size());
  for (size_t k = 0; k < branches.size(); ++k) {
    const Branch& branch = branches[k];
    uint64_t target = lifted[branch.element].imm[1];
    auto it = std::lower_bound(starts.begin(), starts.end(), target, [](const Start& s, uint64_t a) { return s.pc < a; });
    if (it != starts.end() && it->pc == target) {
      targets[k] = it->element;
      if (it->step <= branch.step && branch.step - it->step < kLongestWaitingLoop)
        if (auto loop = find_waiting_loop(std::span(steps).subspan(it->step, branch.step + 1 - it->step)))
          lifted[branch.element].imm[2] = reinterpret_cast<uint64_t>(&waiting_loops_.emplace_back(state_of(*loop)));
    } else {
      targets[k] = lifted.size();
      lifted.push_back(element(run_elsewhere, lifted[branch.element].pc));
      lifted.back().imm[1] = target;
    }
  }
  auto function = std::make_unique<Inst[]>(lifted.size());
  std::copy(lifted.begin(), lifted.end(), function.get());
  for (size_t k = 0; k < branches.size(); ++k)
    function[branches[k].element].imm[0] = reinterpret_cast<uint64_t>(&function[targets[k]]);
  for (const Start& start : starts) slot(start.pc).store(&function[start.element], std::memory_order_release);
  functions_.push_back(std::move(function));

  const Inst* found = slot(address).load(std::memory_order_relaxed);
  if (found) return found;
  return &bad_jumps_.emplace_back(element(run_bad_jump, address)); // inside an instruction
}

Inst Program::continue_at(uint64_t address) noexcept {
  Inst out = element(run_elsewhere, address);
  out.imm[1] = address;
  return out;
}

Inst Program::enter_at(uint64_t address) noexcept {
  Inst out = element(run_enter, address);
  out.imm[1] = address;
  return out;
}

std::optional<uint64_t> Program::branch_target(uint64_t address) {
  std::lock_guard lock(mutex_);
  RawInst raw;
  decoder_->decode({reinterpret_cast<const uint8_t*>(address), range_.base + range_.bytes - address}, address, raw);
  if (!is_direct_branch(raw)) return std::nullopt;
  return target_of(raw);
}

uint64_t Program::part_end(uint64_t address, uint64_t bytes) {
  const uint64_t end = function_end(address);
  if (end - address <= bytes) return end;
  std::lock_guard lock(mutex_);
  uint64_t at = address;
  for (;;) {
    RawInst raw;
    decoder_->decode({reinterpret_cast<const uint8_t*>(at), end - at}, at, raw);
    if (at + raw.size_bytes - address > bytes && at != address) return at;
    at += raw.size_bytes;
  }
}

const CodeRange::Symbol* Program::symbol_at(uint64_t address) const noexcept {
  auto next = std::upper_bound(range_.symbols.begin(), range_.symbols.end(), address,
                               [](uint64_t a, const CodeRange::Symbol& s) { return a < s.address; });
  return next == range_.symbols.begin() ? nullptr : &*std::prev(next);
}

std::string Program::kernel_name(uint64_t kernel_object) const {
  const auto of_kernel = [&](const CodeRange::Symbol& symbol) { return kernel_object && symbol.kernel_object == kernel_object; };
  const auto found = std::ranges::find_if(range_.symbols, of_kernel);
  return found == range_.symbols.end() ? std::string() : found->name;
}

uint64_t Program::function_end(uint64_t address) {
  uint64_t end = range_.base + range_.bytes / 4 * 4;
  const CodeRange::Symbol* symbol = symbol_at(address);
  if (symbol && symbol->bytes && address < symbol->address + symbol->bytes) return std::min(end, symbol->address + symbol->bytes);
  for (const CodeRange::Symbol& s : range_.symbols)
    if (s.address > address) end = std::min(end, s.address);
  return reached_end(address, end);
}

uint64_t Program::reached_end(uint64_t address, uint64_t limit) {
  std::lock_guard lock(mutex_);
  std::vector<bool> seen((limit - address) / 4, false);
  std::vector<uint64_t> todo{address};
  uint64_t end = address;
  while (!todo.empty()) {
    uint64_t at = todo.back();
    todo.pop_back();
    while (at - address < limit - address && !seen[(at - address) / 4]) {
      seen[(at - address) / 4] = true;
      RawInst raw;
      decoder_->decode({reinterpret_cast<const uint8_t*>(at), limit - at}, at, raw);
      const Unit unit = row_of(raw.opcode).unit;
      if (unit == Unit::Branch || unit == Unit::ConditionalBranch) todo.push_back(target_of(raw));
      at += raw.size_bytes;
      end = std::max(end, at);
      if (!goes_on(raw)) break;
    }
  }
  return std::max(std::min(end, limit), std::min(address + 4, limit));
}

Program::CodeLocation Program::describe(uint64_t address) {
  CodeLocation location;
  location.function = "?";
  auto next = std::upper_bound(range_.symbols.begin(), range_.symbols.end(), address,
                               [](uint64_t a, const CodeRange::Symbol& s) { return a < s.address; });
  if (next != range_.symbols.begin()) {
    const CodeRange::Symbol& symbol = *std::prev(next);
    location.function = symbol.name;
    location.offset = address - symbol.address;
    location.is_behind = symbol.bytes && location.offset >= symbol.bytes;
  }
  if (range_.lines && holds(address))
    location.source = source_text(range_.lines->line_of(address - range_.base + range_.file_address));
  if (holds(address)) {
    std::lock_guard lock(mutex_);
    location.text = decoder_->text({reinterpret_cast<const uint8_t*>(address), range_.base + range_.bytes - address}, address);
  }
  return location;
}

uint64_t Program::lanes_that_access(Wave& wave, uint64_t pc, uint64_t address) {
  if (!holds(pc)) return 0;
  std::lock_guard lock(mutex_);
  RawInst raw;
  decoder_->decode({reinterpret_cast<const uint8_t*>(pc), range_.base + range_.bytes - pc}, pc, raw);
  uint64_t lanes = 0;
  for (const ResolvedInst& inst : resolve_all(*decoder_, simplified(raw))) {
    const OpcodeRow& row = row_of(inst.opcode);
    if (!accesses_memory(row)) continue;
    Inst lifted;
    lift_one(inst, lifted);
    if (is_refused(lifted.run)) continue;
    lanes |= engine::lanes_that_access(&wave, lifted, row, address);
  }
  return lanes;
}

std::string Program::unsupported_reason(uint64_t address) const {
  std::lock_guard lock(mutex_);
  auto it = reasons_.find(address);
  if (it != reasons_.end()) return it->second;
  const Program* const unusual = unusual_.load(std::memory_order_acquire);
  return unusual ? unusual->unsupported_reason(address) : std::string();
}

} // namespace hip::engine
