// runtime/engine/interpret/program.h - one mapped code range as a wave program: machine code lifted to Inst elements, function
// by function, when it is first reached. Inside a function the elements lie in address order without gaps, so the next
// instruction is inst + 1; every other transfer of control goes through an address. Instructions without effect (s_waitcnt,
// s_nop) have no element: their addresses lead to the next instruction's. In an instrumented program each instruction begins with
// an observer (observe.h), those without effect too.
// Waves whose MODE is not the usual one run in another program of the same code (by_mode.h), and in translations for their MODE.
// Direct branches (s_branch, s_cbranch_*, s_call_b64): after an instruction's lift function, the program stores the
// target's element in imm[0] (const Inst*) and its address in imm[1]; and in imm[2] what the loop can change that the branch repeats,
// when that loop may wait for other waves (const std::vector<StateRange>*). Instructions that may write MODE: the address behind
// them in imm[2].
// Jumps to addresses (calls, returns) enter translated code where there is some; the program counts the calls of functions that
// are not translated.
// Thread safety: resolve() and enter() from any thread; elements that are known already are found without a lock.
// Memory ordering: an element is complete before resolve() or enter() can return it (release/acquire on the map's entry).
#pragma once

#include "runtime/engine/decode/decoder.h"
#include "runtime/engine/decode/waiting_loop.h"
#include "runtime/engine/engine.h"
#include "runtime/engine/interpret/by_mode.h"
#include "runtime/engine/interpret/inst.h"
#include "runtime/engine/interpret/observe.h"
#include "runtime/engine/interpret/op_row.h"
#include "runtime/engine/tools/code_form.h"

#include <array>
#include <atomic>
#include <deque>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

namespace hip::engine {

// Opcode -> row, for one host level.
class OpTable {
public:
  explicit OpTable(const HostLevel& level);
  // Null: the table has no handler for the opcode.
  const OpRow* find(Opcode opcode) const noexcept { return rows_[size_t(opcode)]; }

private:
  std::array<const OpRow*, kOpcodeCount> rows_{};
};

struct ResolvedInst; // decode/resolve.h
class Program;

// The code ranges of one engine; a wave that jumps out of its own range looks here.
class ProgramDirectory {
public:
  virtual ~ProgramDirectory() = default;
  // The program whose range holds `address`, or null. Takes no lock.
  virtual Program* program_at(uint64_t address) noexcept = 0;
  // A wave with this MODE calls the function at `address` of `program`, as many waves have `calls` - 1 times before. Told when `calls`
  // is a power of two, until the function is translated.
  virtual void function_called(Program& program, uint64_t address, uint64_t calls, uint32_t mode) noexcept {}
  // The address of the guest instruction that host code at `pc` was translated from. Translated code that belongs to no single
  // instruction counts as the one at the distance `otherwise` from its function's start. 0 when `pc` is not in translated code.
  virtual uint64_t guest_pc_of(const void* pc, uint64_t otherwise) const noexcept { return 0; }
  // Whether host code at `pc` is translated code. May be called by a signal handler, whatever the thread is doing: it waits for
  // nobody, and false may also mean that it cannot be told at the moment.
  virtual bool is_translated(const void* pc) const noexcept { return false; }
};

class Program : public std::enable_shared_from_this<Program> {
public:
  Program(CodeRange range, std::unique_ptr<Decoder> decoder, const OpTable& ops, ProgramDirectory& directory,
          CodeForm form = CodeForm::Plain);
  ~Program();

  const CodeRange& range() const noexcept { return range_; }
  CodeForm form() const noexcept { return form_; }
  uint64_t base() const noexcept { return range_.base; }
  bool holds(uint64_t address) const noexcept { return address - range_.base < range_.bytes; }
  // The element at `address`, lifted now if need be. Never null: an address outside every range, misaligned or inside an
  // instruction gives an element that stops the wave with FaultKind::BadJump; when the host has no memory for it, one that stops it with
  // FaultKind::NoMemory.
  const Inst* resolve(uint64_t address) noexcept;

  // How control comes to an address that is not known before: by a call, or by a return or a computed jump.
  enum class Jump { Call, Other };
  // The element at which a wave with this MODE goes on when it jumps to `address`: translated code if there is some for waves that
  // come from anywhere, else resolve(address).
  const Inst* enter(uint64_t address, Jump jump, uint32_t mode) noexcept;
  // From now on waves that jump to `address` enter `element`, which lives until the program's code is unmapped, if their MODE is
  // that in its src[0] (kFloatMode) and this is the program for it.
  void set_translated(uint64_t address, const Inst* element) noexcept;

  // The program of the same code for waves with this MODE. It lives as long as the one for waves with the usual MODE. Throws
  // std::bad_alloc; the second form, for handlers, returns null instead.
  Program& for_mode(uint32_t mode);
  Program* try_for_mode(uint32_t mode) noexcept;

  // A copy of the instruction's own element at `address`, not of its observer. Lifts only this instruction, not its function,
  // where that is possible.
  Inst lift_alone(uint64_t address);
  // Of an instrumented program: a copy of the observer at `address`.
  Inst observer_of(uint64_t address) noexcept { return *resolve(address); }

  const Target& target() const noexcept { return decoder_->target(); }
  uint32_t lanes() const noexcept { return decoder_->lanes(); } // of the waves that its code was compiled for
  // The end of the function that starts at (or holds) `address`: its symbol's end; for want of a symbol, the end of what is reached
  // from there without a jump to an address.
  uint64_t function_end(uint64_t address);
  // Where an instruction ends, at most `bytes` behind `address`, at which another one begins; the function's end if that is nearer.
  uint64_t part_end(uint64_t address, uint64_t bytes);
  // The target of the instruction at `address`, if it is a direct branch.
  std::optional<uint64_t> branch_target(uint64_t address);
  // An element that continues at `address`, which may be in any range; and one that enters what is there as if it were called
  // (Jump::Call).
  static Inst continue_at(uint64_t address) noexcept;
  static Inst enter_at(uint64_t address) noexcept;
  // The symbol that starts at or in front of `address`; null when there is none.
  const CodeRange::Symbol* symbol_at(uint64_t address) const noexcept;
  // The name of the kernel with this descriptor; empty when it is not known.
  std::string kernel_name(uint64_t kernel_object) const;

  // For reports: the function's name or "?", the distance from its start, the instruction's text, and "file:line" of
  // its source.
  struct CodeLocation {
    std::string function;
    uint64_t offset = 0;
    bool is_behind = false; // the function, whose size is known, ends in front of the address
    std::string text, source;
  };
  CodeLocation describe(uint64_t address);
  // Which lanes of a wave access `address`, interpreted at `pc`; 0: not known.
  uint64_t lanes_that_access(Wave& wave, uint64_t pc, uint64_t address);
  // Why the instruction at `address` cannot be executed: the sentence of its lift function; empty when there is none.
  std::string unsupported_reason(uint64_t address) const;

private:
  // Where a program for waves with an unusual MODE finds others of its kind.
  class UnusualDirectory final : public ProgramDirectory {
  public:
    explicit UnusualDirectory(ProgramDirectory& usual) : usual_(usual) {}
    Program* program_at(uint64_t address) noexcept override;
    void function_called(Program& program, uint64_t address, uint64_t calls, uint32_t mode) noexcept override {
      usual_.function_called(*program.usual_, address, calls, mode);
    }
    uint64_t guest_pc_of(const void* pc, uint64_t otherwise) const noexcept override { return usual_.guest_pc_of(pc, otherwise); }
    bool is_translated(const void* pc) const noexcept override { return usual_.is_translated(pc); }

  private:
    ProgramDirectory& usual_;
  };

  // Address space for entries of 8 bytes, all zero, whose pages are committed where entries are written. Throws std::bad_alloc.
  class Map {
  public:
    explicit Map(size_t entries);
    ~Map();
    Map(const Map&) = delete;
    Map& operator=(const Map&) = delete;
    void* data() const noexcept { return data_; }

  private:
    size_t bytes_;
    void* data_;
  };

  const Inst* lift_function(uint64_t address);
  uint64_t reached_end(uint64_t address, uint64_t limit);
  void lift(const ResolvedInst& inst, Inst& out);     // for the waves that this program is for
  void lift_one(const ResolvedInst& inst, Inst& out); // for waves with the usual MODE
  Inst make_observer(const ResolvedInst& inst);
  Inst make_by_mode(const ResolvedInst& inst, const FloatRules& rules);
  const Inst* bad_jump(uint64_t address);

  CodeRange range_; // symbols sorted by address
  std::unique_ptr<Decoder> decoder_;
  const OpTable& ops_;
  ProgramDirectory& directory_;
  const CodeForm form_;
  const Inst no_memory_;
  const Map map_memory_, entries_memory_;
  std::atomic<const Inst*>* const map_; // one entry per dword of the range
  // Likewise, for jumps: a translated element; or twice the number of calls, plus one; or 0.
  std::atomic<uint64_t>* const entries_;
  Program* usual_ = nullptr;                // of a program for an unusual MODE: the one that it belongs to
  std::atomic<Program*> unusual_ = nullptr; // own_unusual_ as soon as there is one
  std::unique_ptr<UnusualDirectory> unusual_directory_;
  std::unique_ptr<Program> own_unusual_;
  mutable std::mutex mutex_;                // guards the decoder and everything below
  std::vector<std::unique_ptr<Inst[]>> functions_;
  std::deque<Inst> bad_jumps_;
  std::deque<std::vector<StateRange>> waiting_loops_;
  std::deque<ObservedInst> observed_; // CodeForm::Instrumented
  std::deque<InstByMode> by_mode_;    // of a program for an unusual MODE
  std::unordered_map<uint64_t, std::string> reasons_;
};

} // namespace hip::engine
