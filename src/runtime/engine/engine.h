// runtime/engine/engine.h - the software GPU's execution core, seen from outside: code ranges and dispatches go in,
// memory changes and a Status come out. The engine knows nothing of HIP, queues, packets or signals, and its only threads are those
// that translate: callers execute a grid by calling Grid::run on threads of their own, any number of them at once.
// It lives in its own shared object (libomnihip_engine.so), with LLVM's disassembler in it; load it with dlopen and call
// omnihip_engine_create.
#pragma once

#include "runtime/base/status.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace hip::codeobject {
struct LineSections; // codeobject/line_table.h
}

namespace hip::engine {

inline constexpr uint32_t kEngineAbiVersion = 9;

enum class Access { Read, Write };

class Tool; // tools/tool.h

// The address space, as the engine sees it; provided by the agent, which owns all memory.
// Device memory lies in one reserved range, the arena. Accesses inside it are executed directly; where nothing is mapped they
// raise SIGSEGV, which the engine turns into a report. For any other address accessible() is asked, lane by lane.
// Thread safety: the functions are called from any thread that runs a grid, also after a fault's signal handler has returned,
// but never from inside the handler.
class AddressSpace {
public:
  virtual ~AddressSpace() = default;
  uint64_t arena_base = 0;
  uint64_t arena_bytes = 0;
  // May a kernel touch [address, address + bytes)? Asked only outside the arena (registered host memory).
  virtual bool accessible(uint64_t address, uint64_t bytes, Access access) const noexcept = 0;
  // Where an address lies, for fault reports: "3 bytes past the end of the 4096-byte allocation at 0x…" or "no allocation near".
  virtual std::string describe(uint64_t address) const = 0;
  // A kernel's read of an address in the arena has faulted. True: the address can be read now, and holds zeros.
  virtual bool lend(uint64_t) const noexcept { return false; }
  // Tells the user of something that a kernel has done and that does not stop it.
  virtual void note(std::string_view) const noexcept {}
};

// A loaded, relocated range of instructions of one code object, as the loader placed it in memory.
struct CodeRange {
  uint64_t base = 0;   // executable segment
  uint64_t bytes = 0;
  std::string target;  // processor name, "gfx942"
  uint32_t wave_lanes = 0; // of the waves that its code was compiled for, 32 or 64; 0: the processor's default
  struct Symbol {
    uint64_t address; // first instruction
    uint64_t bytes;
    std::string name; // for reports: kernel or device function
    int32_t hidden_group_size_offset = -1; // of a kernel: where its kernarg segment holds the work-group's size; -1: nowhere
    uint64_t kernel_object = 0; // of a kernel: its descriptor, by which reports name it; 0: not known, or no kernel
  };
  std::vector<Symbol> symbols;
  std::shared_ptr<const codeobject::LineSections> lines; // source lines, for reports; null: not known
  uint64_t file_address = 0;                             // by which `lines` knows `base`
};

// One kernel dispatch: exactly what an AQL packet holds. Memory that it points to stays valid until the grid finishes.
struct Dispatch {
  uint64_t packet_address = 0;      // the packet in the ring (dispatch_ptr)
  uint64_t queue_address = 0;       // amd_queue_t (queue_ptr)
  uint64_t kernel_object = 0;       // address of the 64-byte kernel descriptor
  uint64_t kernarg_address = 0;
  uint64_t dispatch_id = 0;
  std::array<uint32_t, 3> grid_items{1, 1, 1};
  std::array<uint32_t, 3> group_items{1, 1, 1};
  uint32_t private_segment_bytes = 0; // per work-item
  uint32_t group_segment_bytes = 0;   // LDS per work-group
  bool cooperative = false;           // all work-groups must be resident at once
  uint32_t threads = 1;               // the number of threads that may run it at once, each of which gets work-groups
  bool timed = false;                 // Grid::time_out() may be called
  // Work-groups are dealt out in turn to these of the device's compute units, which their waves name (HW_ID): to those with
  // a bit in the mask, which stays valid until the grid finishes, or to all where it has no words.
  uint32_t compute_units = 1;
  std::span<const uint32_t> unit_mask;
  Tool* tool = nullptr; // watches the launch, whose code is then executed in its instrumented form; null: nobody
};

// A thread's execution resources (wave state, LDS, scratch). Used by one thread at a time.
class Worker {
public:
  virtual ~Worker() = default;
};

// One dispatch in execution.
class Grid {
public:
  virtual ~Grid() = default;
  // Takes work-groups and executes them until none is left to take; then returns, even while other threads still execute
  // theirs. Any number of threads may call this at once, each with its own Worker. After a fault in any work-group no further
  // ones are taken.
  virtual void run(Worker& worker) noexcept = 0;
  // No work-group is left to take (others may still be executing).
  virtual bool exhausted() const noexcept = 0;
  // All work-groups have ended, or the fault has been recorded and nobody executes any more. Acquire semantics: all
  // memory effects of the grid are visible to the caller that sees true.
  virtual bool finished() const noexcept = 0;
  // After finished(): success, or the report of the first fault (hipErrorIllegalAddress, hipErrorLaunchFailure,
  // hipErrorAssert/Trap, hipErrorInvalidKernelFile for an instruction that is not implemented, …).
  virtual const Status& status() const noexcept = 0;
  virtual uint64_t group_count() const noexcept = 0;
  // The grid (of a dispatch with `timed`) has executed for longer than it may: work-groups stop at their next taken
  // branches and barriers, no further ones are taken, and status() becomes hipErrorLaunchTimeOut with a report of where
  // one of them was. `limit` is part of the report: how long the grid may execute, and who says so. A group may miss a
  // call that comes while it starts, so the caller repeats it until the grid has finished. From any thread, until the
  // grid is used for another dispatch.
  virtual void time_out(std::string_view limit) noexcept = 0;
};

// Small dispatches that are executed again and again, one after the other, as a graph's kernels are: what does not change from
// one time to the next was computed when the sequence was made. Used by one thread at a time.
class DispatchSequence {
public:
  virtual ~DispatchSequence() = default;
  // Executes the dispatches from number `first` up to `end`, each wholly on the calling thread, and returns the number of the first
  // one that it did not execute. That is `end`; or a dispatch that has to go through Engine::prepare(), which is `first` perhaps; or
  // the one behind a dispatch that has failed, whose report status() is.
  virtual size_t run(Worker& worker, size_t first, size_t end) noexcept = 0;
  // Of the last run(): success, or as Grid::status().
  virtual const Status& status() const noexcept = 0;
};

// Thread safety: all functions may be called from any thread.
class Engine {
public:
  virtual ~Engine() = default;
  // Names of the processors that this engine executes ("gfx942", …).
  virtual std::vector<std::string> targets() const = 0;
  virtual Status map_code(const CodeRange& range) = 0;
  // Forgets a range. No grid may still execute in it.
  virtual void unmap_code(uint64_t base) noexcept = 0;
  virtual std::unique_ptr<Worker> create_worker() = 0;
  // Checks the dispatch against the descriptor and the device limits and makes `grid` its grid; executes nothing. `grid` may
  // hold null or a finished grid of this engine, whose memory is used again; the old grid is lost even when this fails. The
  // steady state (a kernel seen before, a grid to use again) takes no lock, allocates nothing and decodes nothing.
  virtual Status prepare(const Dispatch& dispatch, std::unique_ptr<Grid>& grid) = 0;
  // Makes a sequence of the dispatches, whose memory, arguments included, does not change as long as it is used, and whose code
  // stays mapped while it runs. Those with a kernel object of 0, and those that depend on more than their memory (cooperative ones,
  // timed ones, waves that are told their queue or dispatch id), keep their numbers and are never executed. Null: the engine has no
  // sequences.
  virtual std::unique_ptr<DispatchSequence> make_sequence(std::span<const Dispatch>) { return nullptr; }
};

} // namespace hip::engine

// The shared object's one entry point. `space` must outlive the engine. Returns null when abi_version is not the one that the
// engine was built with, and then uses no other argument; or when it cannot run on this host, with the reason in `why`.
extern "C" __attribute__((visibility("default"))) hip::engine::Engine*
omnihip_engine_create(uint32_t abi_version, const hip::engine::AddressSpace* space, std::string* why);
