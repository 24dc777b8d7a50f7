// tests/tier1/machine.h - a guest program as handlers and as translated code, a wave with memory around it, and the
// comparison of what both make of the same state.
#pragma once

#include "dialect.h"
#include "test_seed.h"

#include "runtime/base/format.h"
#include "runtime/engine/tiering/translated.h"
#include "runtime/engine/compile/translator.h"
#include "runtime/engine/wave/group.h"

#include <catch2/catch.hpp>

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace tier1_test {

using namespace hip::engine;

// A small generator of random numbers: most of what these tests do is drawing them.
class Random {
public:
  explicit Random(uint64_t seed) : state_(hip::testing::seeded(seed) * 0x9e3779b97f4a7c15ull + 1) {}
  uint64_t operator()() {
    uint64_t z = state_ += 0x9e3779b97f4a7c15ull;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9ull;
    z = (z ^ z >> 27) * 0x94d049bb133111ebull;
    return z ^ z >> 31;
  }
  uint32_t below(uint32_t n) { return uint32_t((*this)() >> 32) % n; }
  uint32_t between(uint32_t low, uint32_t high) { return low + below(high - low + 1); } // inclusive
  bool one_in(uint32_t n) { return below(n) == 0; }
  template <class T, size_t N> const T& of(const T (&values)[N]) { return values[below(uint32_t(N))]; }

private:
  uint64_t state_;
};

// Bits of a register: special values of all types, numbers of moderate size, or anything.
uint32_t any_bits(Random& random);
// The handlers that tier 0 uses here, whose HostIsa tier 1 generates code for (OMNIHIP_HOST_ISA chooses another).
const HostLevel& host_level();

// EXEC in its kinds: full, one lane, none, halves, strips, random; of waves of so many lanes.
uint64_t any_exec(uint32_t kind, Random& random, uint32_t lanes = kMaxLanes);
inline uint64_t all_lanes(uint32_t lanes) { return ~0ull >> (kMaxLanes - lanes); }
inline constexpr uint32_t kExecKinds = 8;
// Sets how the wave rounds (bits 0 to 3 of MODE) and what becomes of denormals (bits 4 to 7).
inline void set_float_mode(Wave& wave, uint32_t bits) { wave.mode = (wave.mode & ~kFloatMode) | bits; }

// How many times as many random programs as usual: OMNIHIP_TEST_ROUNDS, 1 when it is not set. A fraction where another
// run has tried most of what the programs have in common.
double rounds();
// How many programs to try where `usual` ones are usual: one at least.
uint32_t tries(uint32_t usual);
// Whether to try one program of many: always, but where only a fraction of them is tried.
bool is_picked(Random& random);

// A program: a function that ends by leaving to code behind it, which may read every register, so that all of them count.
// Where a kernel starts, tier 1 takes all VGPRs but v0 as undefined; so the function begins with an instruction that tier 0
// executes, behind which they count, unless `defined` says that the text defines what it reads.
class Guest final : public ProgramDirectory {
public:
  Guest(const Assembler& assembler, const std::string& processor, const std::string& text, bool defined = false,
        uint32_t lanes = kMaxLanes, CodeForm form = CodeForm::Plain);
  Guest(const Dialect& dialect, const std::string& text, bool defined = false, CodeForm form = CodeForm::Plain)
      : Guest(dialect.assembler(), dialect.processor(), text, defined, dialect.lanes(), form) {}
  uint64_t begin() const { return reinterpret_cast<uint64_t>(code_.data()); }
  Program& program() { return *program_; }
  const Inst* tier0() { return program_->for_mode(float_mode).resolve(begin()); }
  // MODE of the waves that enter it, as far as it concerns floating point (compile::Request::float_mode).
  uint32_t float_mode = kUsualFloatMode;
  // By how many threads at once it is translated.
  uint32_t threads = 1;
  // By quick code (OMNIHIP_TIER_CODE=quick).
  static bool is_quick();
  // Translates the function; fails the test when that is not possible.
  const Inst* tier1(const compile::Start& start, compile::Optimise optimise = compile::Optimise::Everything);
  // The same program for handlers that compute one lane after the other.
  Program& reference();
  // After tier1().
  const compile::Translation& translation() const { return translation_; }
  const std::string& text() const { return text_; }

private:
  Program* program_at(uint64_t address) noexcept override { return program_->holds(address) ? program_.get() : nullptr; }
  std::unique_ptr<Program> program_for(const OpTable& ops);
  hip::Result<compile::Translation> translate(const compile::Start& start, compile::Optimise optimise);
  std::string text_, processor_;
  uint32_t lanes_;
  CodeForm form_;
  std::vector<uint8_t> code_;
  std::unique_ptr<Program> program_, reference_;
  compile::Translation translation_;
  std::vector<std::unique_ptr<TranslatedFunction>> functions_;
};

// A shorter program of the same lines for which `fails` still holds, as it does for `text`.
std::string reduced(const std::string& text, const std::function<bool(const std::string&)>& fails);

// The wave and its memory: device memory that is accessed directly ("arena"), memory of the host's that has to be asked
// for, LDS, private segments.
class Machine final : public AddressSpace {
public:
  static constexpr uint32_t kArenaBytes = 1 << 15, kHostBytes = 1 << 12, kLdsBytes = 1 << 12, kScratchBytes = 64;
  static constexpr uint32_t kRandomRows = 192, kRandomAccRows = 16;
  explicit Machine(uint32_t lanes = kMaxLanes);
  Wave& wave() { return *wave_; }
  uint64_t arena() const { return arena_base; }
  uint64_t host() const { return host_base_; }
  // A new state: registers and memory random, EXEC full.
  void randomize(Random& random);

  // Whether values of a register in both runs count as equal although their bits differ.
  using Tolerance = std::function<bool(uint32_t row, const uint32_t* a, const uint32_t* b, uint32_t lane)>;
  // Where instrumented code of later runs tells what it does.
  void watch(Probe& probe) { group_.probe = &probe; }
  // Runs both forms from the present state and says what differs; an empty string when nothing does. `stopped` gets how
  // tier 0's run ended.
  std::string compare(Guest& guest, const Inst* tier0, const Inst* tier1, const Tolerance& tolerance = {},
                      Stop* stopped = nullptr);
  // The same for every form of the program, against the reference: handlers that compute one lane after the other.
  struct Form {
    std::string name;
    const Inst* entry;
  };
  std::string compare_with_reference(Guest& guest, std::span<const Form> forms, Stop* stopped = nullptr);
  // Until the wave ends, or has had its turn often.
  void run(Program& program, const Inst* entry);
  void run(Guest& guest, const Inst* entry) { run(guest.program(), entry); }

private:
  bool accessible(uint64_t address, uint64_t bytes, Access access) const noexcept override;
  std::string describe(uint64_t address) const override { return "somewhere"; }
  // Runs it from `saved_`, and says in what the end differs from `expected`.
  std::string difference(Program& program, const Inst* entry, const std::vector<uint8_t>& expected, const Tolerance& tolerance);
  std::vector<uint8_t> state() const;

  const HostLevel* level_;
  uint32_t lanes_;
  const GridShape shape_; // one work-group on the only compute unit
  WorkGroup group_;
  size_t block_bytes_, memory_bytes_;
  std::vector<uint8_t> block_; // the wave, then arena, host memory, LDS, private segments
  std::vector<uint8_t> saved_;
  Wave* wave_;
  uint8_t* memory_;
  uint64_t host_base_;
};

} // namespace tier1_test
