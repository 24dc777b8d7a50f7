// runtime/engine/compile/translator.h - tier 1 seen from outside: a guest function goes in, host code comes out, as a
// relocatable object with the list of its regions. The translator lives in a shared object of its own
// (libomnihip_translator.so), the only one with LLVM's code generator; the engine loads it when it first has time for it.
// A translation fits the same instructions wherever they lie: all its places count from the function's first byte, and its
// code asks the element that it is entered by where that is.
#pragma once

#include "runtime/base/status.h"
#include "runtime/engine/compile/analysis/facts.h"
#include "runtime/engine/store/host_cpu.h"
#include "runtime/engine/tools/code_form.h"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace hip::engine::compile {

inline constexpr uint32_t kTranslatorAbiVersion = 19;

enum class Optimise : uint8_t {
  Everything,
  Nothing, // as instructions stand, whatever follows from them; what tests compare with
  Careful, // nothing is assumed of addresses: for functions whose waves often leave for tier 0 because a check has failed
};

struct Request {
  uint64_t begin = 0, end = 0; // the function's instructions, or a copy of them
  std::string target;          // guest processor, "gfx942"
  uint32_t wave_lanes = 64;    // of the waves that execute it
  Start start;
  bool is_kernel = false;      // `start` describes its entry; else it is a function that kernels call, and nothing is known there
  Optimise optimise = Optimise::Everything;
  uint32_t float_mode = kUsualFloatMode; // kFloatMode of the waves that enter it
  CodeForm form = CodeForm::Plain;     // Instrumented: counts, and offers each access in front of it; nothing is checked or fetched ahead
  HostCpu host;                // what code is generated for
  bool quick = false; // by quick code where the host has it, in a quarter of the time; what cannot be is the best code
  // How the translation is made, which changes nothing about it:
  uint32_t threads = 1; // how many work on it at once, at most
  const std::atomic<bool>* cancelled = nullptr; // may become true at any time: then it ends early, with an error
};

struct Translation {
  std::vector<std::vector<std::byte>> objects; // each ELF x86-64, relocatable; function "r<k>" of one of them is region k
  // In guest order: what has an element. Region headers name their region; the others are executed by tier 0's handlers.
  struct Element {
    uint64_t offset;
    uint32_t region; // kNoRegion: tier 0
  };
  static constexpr uint32_t kNoRegion = ~0u;
  std::vector<Element> elements;
  // Per region: offsets, each of an element, of a place outside the function, or, with kTierZero added, of an instruction that
  // tier 0 goes on at (instructions lie at multiples of 4).
  static constexpr uint64_t kTierZero = 1;
  std::vector<std::vector<uint64_t>> exits;
  // Per region: offsets of the instructions whose handlers it calls, or, with kOffers added, whose accesses it offers to a tool.
  static constexpr uint64_t kOffers = 1;
  std::vector<std::vector<uint64_t>> calls;
  // Per region: whether it runs all waves of a group as one (Wave::batch), and can start them (kStartsBatch).
  enum Batch : uint64_t { kAlone, kBatch, kStartingBatch };
  std::vector<uint64_t> batches;
  // Elements of regions that any wave with this MODE (kFloatMode) may enter from outside, with its registers in its block: what
  // follows a call, and the start of a called function. Ascending.
  struct Entry {
    uint64_t offset;
    uint32_t float_mode;
  };
  std::vector<Entry> entries;
  // Its waves have the usual MODE throughout; else the handlers that it leaves instructions to have to look at MODE.
  bool usual_mode = true;
  std::vector<uint64_t> lines;              // debug line n is the instruction at lines[n - 1]
  bool quick = false;                       // some of it is quick code: there is better to be had
  // Of the parts that were to be quick code and are LLVM's: what quick code has no form for. Not kept on disk.
  std::vector<std::string> refusals;
  uint32_t native = 0, foreign = 0;         // instructions in regions, and left to tier 0
};

// Thread safety: translate() from any number of threads.
class Translator {
public:
  virtual ~Translator() = default;
  virtual Result<Translation> translate(const Request& request) noexcept = 0;
};

} // namespace hip::engine::compile

// Null when abi_version is not the one it was built with. The translator lives until the process ends.
extern "C" __attribute__((visibility("default"))) hip::engine::compile::Translator*
omnihip_translator_create(uint32_t abi_version);
