// tests/tier1/machine.cpp - see machine.h.
#include "machine.h"

#include "runtime/base/env.h"
#include "runtime/engine/wave/turn.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>

namespace tier1_test {

uint32_t any_bits(Random& random) {
  static const uint32_t special[] = {0,          0x80000000, 0x3f800000, 0xbf800000, 0x7f800000, 0xff800000, 1,          0xffffffff,
                                     0x7fffffff, 0x00010001, 0x3c00bc00, 0x7c00fc00, 17,         64,         0x3f000000, 0x3effffff,
                                     0x7fc00000, 0x7f800001, 0x00400000, 0x00800000, 0x4f000000, 0xcf000000, 0x7e007d00, 0x00010400,
                                     0x3ff00000, 0x7ff00000, 0xfff80000, 0x41e00000, 31,         32,         0xfffffff8, 0x7f7fffff};
  const uint64_t drawn = random();
  const uint32_t bits = uint32_t(drawn);
  switch (drawn >> 62) {
  case 0: return special[bits % std::size(special)];
  case 1: return (bits & 0x80000000) | (0x38000000 + (bits & 0x0fffffff)); // a float of moderate size
  case 2: return drawn & (1ull << 61) ? bits & 0xff : bits & 0x00ff00ff;
  default: return bits;
  }
}

namespace {

uint64_t any_exec_of_64(uint32_t kind, Random& random) {
  switch (kind % kExecKinds) {
  case 0: return ~0ull;
  case 1: return random();
  case 2: return 1ull << random.below(64);
  case 3: return 0;
  case 4: return 0xffffffffull;
  case 5: return 0xffffffff00000000ull;
  case 6: return 0xffffull << (16 * random.below(4)) | (random.one_in(2) ? random() & random() : 0);
  default: return random() & random() & random();
  }
}

} // namespace

uint64_t any_exec(uint32_t kind, Random& random, uint32_t lanes) {
  const uint64_t exec = any_exec_of_64(kind, random);
  return lanes == kMaxLanes ? exec : uint32_t(exec | exec >> 32);
}

double rounds() {
  static const double wanted = [] {
    const char* text = std::getenv("OMNIHIP_TEST_ROUNDS");
    const double times = text ? std::atof(text) : 1;
    return times > 0 ? times : 1;
  }();
  return wanted;
}
uint32_t tries(uint32_t usual) { return std::max(1u, uint32_t(usual * rounds())); }
bool is_picked(Random& random) { return rounds() >= 1 || random.below(1000) < rounds() * 1000; }

const HostLevel& host_level() {
  static const HostLevel* const chosen = [] {
    std::string why;
    const HostLevel* level = choose_host_level(why);
    if (!level) FAIL(why);
    if (level->isa == HostIsa::Generic) FAIL("Tier 1 needs a host with AVX2, and OMNIHIP_HOST_ISA to allow it.");
    return level;
  }();
  return *chosen;
}

Guest::Guest(const Assembler& assembler, const std::string& processor, const std::string& text, bool defined, uint32_t lanes,
             CodeForm form)
    : text_((defined ? "" : "s_sleep 0\n") + text), processor_(processor), lanes_(lanes), form_(form),
      code_(assembler.assemble(text_ + "s_branch stop\nstop:\ns_endpgm\n")) {
  static const OpTable ops(host_level());
  program_ = program_for(ops);
}

Program& Guest::reference() {
  static const OpTable ops = [] {
    for (const HostLevel* level : host_levels())
      if (level->isa == HostIsa::Generic) return OpTable(*level);
    FAIL("There are no handlers for one lane at a time.");
    std::abort();
  }();
  if (!reference_) reference_ = program_for(ops);
  return *reference_;
}

std::unique_ptr<Program> Guest::program_for(const OpTable& ops) {
  CodeRange range;
  range.base = begin();
  range.bytes = code_.size();
  range.target = processor_;
  range.wave_lanes = lanes_;
  range.symbols = {{begin(), code_.size() - 4, "program"}, {begin() + code_.size() - 4, 4, "stop"}};
  auto decoder = Decoder::create(processor_, lanes_);
  REQUIRE(decoder.ok());
  return std::make_unique<Program>(std::move(range), std::move(decoder).value(), ops, *this, form_);
}

bool Guest::is_quick() { return hip::env_text(hip::Env::OMNIHIP_TIER_CODE) == "quick"; }

hip::Result<compile::Translation> Guest::translate(const compile::Start& start, compile::Optimise optimise) {
  static compile::Translator* const translator = omnihip_translator_create(compile::kTranslatorAbiVersion);
  REQUIRE(translator);
  compile::Request request;
  request.begin = begin();
  request.end = program_->function_end(begin());
  request.target = program_->target().name();
  request.wave_lanes = program_->lanes();
  request.is_kernel = true;
  request.start = start;
  request.optimise = optimise;
  request.form = form_;
  request.float_mode = float_mode;
  request.threads = threads;
  request.host = compile::HostCpu::detect(host_level().isa);
  request.quick = is_quick();
  return translator->translate(request);
}

const Inst* Guest::tier1(const compile::Start& start, compile::Optimise optimise) {
  auto translation = translate(start, optimise);
  if (!translation.ok()) FAIL(translation.status().message() << "\n" << text_);
  translation_ = std::move(translation).value();
  for (const std::string& refusal : translation_.refusals) FAIL(refusal << "\n" << text_);
  if (translation_.exits.empty()) return tier0(); // nothing to translate
  auto function = TranslatedFunction::load(*program_, begin(), program_->function_end(begin()) - begin(), translation_);
  if (!function.ok()) FAIL(function.status().message() << "\n" << text_);
  functions_.push_back(std::move(function).value());
  return functions_.back()->start();
}

std::string reduced(const std::string& text, const std::function<bool(const std::string&)>& fails) {
  std::vector<std::string> lines;
  for (size_t at = 0; at < text.size();) {
    const size_t end = text.find('\n', at);
    lines.push_back(text.substr(at, end - at + 1));
    at = end + 1;
  }
  auto joined = [](const std::vector<std::string>& some) {
    std::string all;
    for (const std::string& line : some) all += line;
    return all;
  };
  int tries = 400; // each may take a while
  for (size_t step = lines.size() / 2; step > 0; step /= 2)
    for (bool again = true; again;) {
      again = false;
      for (size_t k = 0; k < lines.size() && tries-- > 0;) {
        std::vector<std::string> fewer(lines.begin(), lines.begin() + ptrdiff_t(k));
        fewer.insert(fewer.end(), lines.begin() + ptrdiff_t(std::min(k + step, lines.size())), lines.end());
        if (!fewer.empty() && fails(joined(fewer)))
          lines = std::move(fewer), again = true;
        else
          k += step;
      }
    }
  return joined(lines);
}

Machine::Machine(uint32_t lanes) : lanes_(lanes) {
  level_ = &host_level();
  block_bytes_ = kWaveBytes;
  memory_bytes_ = kArenaBytes + kHostBytes + kLdsBytes + size_t(kScratchBytes) * kMaxLanes;
  block_.resize(block_bytes_ + memory_bytes_ + 64);
  auto* begin = reinterpret_cast<uint8_t*>((reinterpret_cast<uintptr_t>(block_.data()) + 63) & ~uintptr_t(63));
  wave_ = new (begin) Wave;
  memory_ = begin + block_bytes_;
  arena_base = reinterpret_cast<uint64_t>(memory_);
  arena_bytes = kArenaBytes;
  host_base_ = arena_base + kArenaBytes;
}

bool Machine::accessible(uint64_t address, uint64_t bytes, Access) const noexcept {
  return address - host_base_ <= kHostBytes - bytes && bytes <= kHostBytes;
}

void Machine::randomize(Random& random) {
  Wave& w = *new (wave_) Wave;
  for (uint32_t r = 0; r < kRandomRows + kRandomAccRows; ++r) {
    uint32_t* row = w.row(r < kRandomRows ? r : kFirstAccVgpr + r - kRandomRows);
    for (uint32_t l = 0; l < kMaxLanes; ++l) row[l] = any_bits(random);
  }
  for (uint32_t r = 0; r < kExecLo; ++r) w.sgpr[r] = any_bits(random);
  w.lanes = lanes_;
  w.set_sgpr64(kExecLo, all_lanes(lanes_));
  w.scc = random.below(2);
  for (size_t k = 0; k < memory_bytes_; k += 8) {
    const uint64_t bits = any_bits(random) | uint64_t(any_bits(random)) << 32;
    std::memcpy(memory_ + k, &bits, 8);
  }
  w.mode = kUsualFloatMode; // as the kernel descriptors of HIP kernels ask: all denormals on
  w.vgpr_rows = kMaxVgprs;
  w.streams = random.below(2);
  w.item_ids = w.row(0);
  w.current = &w;
  w.lds = memory_ + kArenaBytes + kHostBytes;
  w.lds_bytes = kLdsBytes;
  w.scratch_base = reinterpret_cast<uint64_t>(w.lds + kLdsBytes);
  w.scratch_bytes = kScratchBytes;
  w.shared_aperture = 1ull << 56, w.private_aperture = 2ull << 56;
  w.arena_base = arena_base, w.arena_bytes = arena_bytes, w.space = this;
}

void Machine::run(Program& program, const Inst* entry) {
  Wave& w = *wave_;
  w.program = &program.for_mode(w.mode);
  w.group = &group_;
  group_.grid = &shape_;
  w.pc = entry;
  for (int turns = 0; turns < 50; ++turns) {
    w.stop = Stop::None;
    w.fault = FaultKind::None;
    w.budget = {1 << 16, kTimeSliceBranches};
    w.waits = Waits::No;
    level_->run(w);
    if (w.stop != Stop::Barrier && w.stop != Stop::Yield) return;
  }
}

std::string Machine::compare(Guest& guest, const Inst* tier0, const Inst* tier1, const Tolerance& tolerance, Stop* stopped) {
  saved_ = state();
  run(guest.program(), tier0);
  if (stopped) *stopped = wave_->stop;
  return difference(guest.program(), tier1, state(), tolerance);
}

std::string Machine::compare_with_reference(Guest& guest, std::span<const Form> forms, Stop* stopped) {
  saved_ = state();
  run(guest.reference(), guest.reference().resolve(guest.begin()));
  if (stopped) *stopped = wave_->stop;
  const std::vector<uint8_t> expected = state();
  for (const Form& form : forms)
    if (const std::string wrong = difference(guest.program(), form.entry, expected, {}); !wrong.empty())
      return fmt::format("{} (as tier 1) against the reference (as tier 0): {}", form.name, wrong);
  return {};
}

std::vector<uint8_t> Machine::state() const {
  const uint8_t* begin = reinterpret_cast<const uint8_t*>(wave_);
  return {begin, begin + block_bytes_ + memory_bytes_};
}

std::string Machine::difference(Program& program, const Inst* entry, const std::vector<uint8_t>& expected, const Tolerance& tolerance) {
  std::memcpy(reinterpret_cast<uint8_t*>(wave_), saved_.data(), saved_.size());
  run(program, entry);
  const Wave& a = *reinterpret_cast<const Wave*>(expected.data());
  const Wave& b = *wave_;
  auto pc_of = [](const Inst* i) { return i ? i->pc : 0; };
  if (a.stop != b.stop || a.fault != b.fault)
    return fmt::format("tier 0 stops with reason {} (fault {}), tier 1 with {} (fault {})", int(a.stop), int(a.fault), int(b.stop),
                       int(b.fault));
  if (a.stop == Stop::Fault) {
    // Tier 0 names all lanes of the strip, tier 1 the first.
    auto first = [](uint64_t lanes) { return lanes & (0 - lanes); };
    if (a.fault_address != b.fault_address || first(a.fault_lanes) != first(b.fault_lanes) || pc_of(a.fault_inst) != pc_of(b.fault_inst))
      return fmt::format("tier 0's fault is at address {:#x}, lanes {:#x}, pc {:#x}; tier 1's at {:#x}, {:#x}, {:#x}", a.fault_address,
                         a.fault_lanes, pc_of(a.fault_inst), b.fault_address, b.fault_lanes, pc_of(b.fault_inst));
    return {};
  }
  if (pc_of(a.pc) != pc_of(b.pc)) return fmt::format("tier 0 ends at {:#x}, tier 1 at {:#x}", pc_of(a.pc), pc_of(b.pc));
  for (uint32_t s = 0; s < kSgprCount; ++s)
    if (a.sgpr[s] != b.sgpr[s]) return fmt::format("s{} is {:#x}, in tier 1 {:#x}", s, a.sgpr[s], b.sgpr[s]);
  if (a.scc != b.scc) return fmt::format("SCC is {}, in tier 1 {}", a.scc, b.scc);
  if (a.mode != b.mode) return fmt::format("MODE is {:#x}, in tier 1 {:#x}", a.mode, b.mode);
  // Without accumulation registers, their rows are the engine's own.
  const uint32_t rows = program.target().has(IsaFeature::Mai) ? kMaxVgprs : kFirstAccVgpr;
  for (uint32_t r = 0; r < rows; ++r) {
    if (std::memcmp(a.row(r), b.row(r), kRowBytes) == 0) continue;
    for (uint32_t l = 0; l < lanes_; ++l)
      if (a.row(r)[l] != b.row(r)[l] && !(tolerance && tolerance(r, a.row(r), b.row(r), l)))
        return fmt::format("v{} of lane {} is {:#x}, in tier 1 {:#x} (EXEC {:#x})", r, l, a.row(r)[l], b.row(r)[l], b.exec());
  }
  const uint8_t* memory = expected.data() + block_bytes_;
  if (std::memcmp(memory, memory_, memory_bytes_) == 0) return {};
  size_t k = 0;
  while (memory[k] == memory_[k]) ++k;
  return fmt::format("byte {:#x} of memory is {:#x}, in tier 1 {:#x}", k, memory[k], memory_[k]);
}

} // namespace tier1_test
