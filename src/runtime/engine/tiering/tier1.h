// runtime/engine/tiering/tier1.h - which functions run as translated code: kernels, and functions that they call. A
// kernel whose translation is on disk runs translated from its first launch. Any other starts in tier 0; when it has
// done enough work for its length, threads of the engine's own translate it for its work-group shape (compile/), and
// work-groups that start from then on run the result. The first translation is quick code, where the host has it
// (compile/quick); when that has run for as long as the best code takes to make, the function is translated again. Both
// are kept on disk. Of a kernel that is launched with more and more shapes, those behind the eighth share one
// translation for any. A called function is translated for all its callers when it has been called often enough, or
// when a kernel of its code object has done enough work; waves that call it from then on, or return to a function,
// enter translated code (Program::enter). A translated function consists of elements (Inst) like any other: regions of
// host code, and between them handlers of the instructions that are not translated.
//
// Thread safety: all functions from any thread; find() takes no lock once a function is known.
//
// Lock order: at_once_, code_in_use_, mutex_. A thread that waits for the background threads' lock holds none of these.
#pragma once

#include "runtime/engine/tiering/perf_map.h"
#include "runtime/engine/tiering/translated.h"
#include "runtime/engine/tiering/translation_source.h"
#include "runtime/engine/tiering/unfinished.h"

#include <array>
#include <atomic>
#include <condition_variable>
#include <deque>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

namespace hip::engine {

class Tier1;

// A function that may be translated: a kernel as a launch describes it, or a function that is called, whose work-group has any
// shape.
struct FunctionKey {
  uint64_t entry_pc = 0;
  std::array<uint32_t, 3> items{}; // of the work-group; all 0: a called function
  bool full_waves = true;          // of a kernel
  uint32_t float_mode = kUsualFloatMode; // compile::Request::float_mode
  Program& program; // owned by a std::shared_ptr
  int kernarg_sgpr = -1;
  uint32_t item_ids = kAllItemIds; // GridShape::item_id_mask
  uint32_t item_id_vgprs = 1;      // GridShape::item_id_vgprs
};

// The record of a called function; or of a kernel with one work-group shape, for waves that start with all lanes active or for
// waves that do not.
struct TieredFunction {
  uint64_t entry_pc = 0;
  std::array<uint32_t, 3> items{};
  bool full_waves = true;
  uint32_t float_mode = kUsualFloatMode;
  CodeForm form = CodeForm::Plain; // the program's
  std::shared_ptr<Program> program;
  int kernarg_sgpr = -1;
  uint32_t item_ids = kAllItemIds, item_id_vgprs = 1;
  int32_t hidden_group_size_offset = -1;   // in the kernarg segment; -1 when not known
  uint64_t worthwhile_waves = 0, worthwhile_ticks = 0; // from which on it is translated
  std::atomic<const Inst*> start{nullptr}; // translated entry; null while there is none
  std::atomic<uint64_t> waves{0};          // number of waves that it was dispatched or called with so far
  std::atomic<uint64_t> ticks{0};          // ticks of the host's clock that all threads have spent on it so far
  Tier1* owner = nullptr;                  // null: nothing more is translated
  std::atomic<bool> has_quick{false};      // its translation is quick code
  std::atomic<uint64_t> best_at{
      0}; // the ticks from which on the best code is worth its translation; 0: that is not asked
  std::atomic<bool> asked{false};          // a translation has been requested, is there, or has failed
  std::atomic<uint32_t> side_exits{0};     // waves that have left its translation because a check has failed, since they were counted last
  std::atomic<bool> careful{false};        // too many have: its translation is compile::Optimise::Careful, or shall be
  std::atomic<bool> groups_wait{false}; // work-groups of the kernel have been seen to wait for others (wave/grid.cpp)
  std::atomic<bool> dead{false};           // its code is unmapped; the record will serve the next kernel at that address
  // Of a kernel that had been launched with many other work-group shapes before this one: the record that they share from then on,
  // as if it were a called function. Else null.
  std::atomic<TieredFunction*> for_any_shape{nullptr};

  bool is_kernel() const noexcept { return items[0] != 0; }
  // Counts ticks (of __rdtsc) that a thread has spent on so many waves of the kernel. Requests its translation when the sum is
  // large enough, and whenever it has doubled, those of the functions that have been called; and a careful one when a large part
  // of the waves has left the other one.
  void worked(uint64_t more_ticks, uint64_t more_waves) noexcept;
};

class Tier1 {
public:
  // Reads OMNIHIP_TIER: "0" never translates, "1" translates before a function's first wave, else as described
  // above. Translations are for `isa`; with HostIsa::Generic there are none.
  explicit Tier1(HostIsa isa);
  // Waits for a translation in progress, which ends early.
  ~Tier1();
  Tier1(const Tier1&) = delete;
  Tier1& operator=(const Tier1&) = delete;

  bool enabled() const noexcept { return mode_ != Mode::Never; }
  // The function's record, made when it is new; null when the table is full. Counts `waves`, and requests the function's
  // translation when their sum is large enough.
  TieredFunction* find(const FunctionKey& key, uint64_t waves) noexcept;
  // A wave is about to call a function (ProgramDirectory::function_called). May be called from handlers.
  void function_called(const FunctionKey& key, uint64_t calls) noexcept;
  // Forgets code in [base, base + bytes), which is about to be unmapped and which nothing executes.
  void forget(uint64_t base, uint64_t bytes) noexcept;
  // See ProgramDirectory::guest_pc_of.
  uint64_t guest_pc_of(const void* pc, uint64_t otherwise) const noexcept;
  // See ProgramDirectory::is_translated.
  bool is_translated(const void* pc) const noexcept;

private:
  friend struct TieredFunction;
  enum class Mode { Never, Background, AtOnce };
  enum class Generators { Both, Quick, Best };
  enum class Effort { Stored, Translate }; // take only a translation from disk; or translate when there is none
  // The threads that translate, and their queue. There are as many threads as functions were wanted at once, and each function is
  // translated by as many more as the others leave (compile::Request::threads).
  struct Background {
    std::mutex mutex;
    std::deque<TieredFunction*> wanted;
    std::vector<TieredFunction*> current; // the functions in translation
    std::condition_variable wake;
    bool stop = false;
    std::vector<std::thread> threads;
    int process = 0; // whose threads they are: a forked child has none
  };
  void renew(TieredFunction& function, const FunctionKey& key) noexcept;
  bool has_many_shapes(const FunctionKey& key) noexcept;
  void translate_now(TieredFunction& function) noexcept;
  void ask(TieredFunction& function) noexcept;
  void ask_for_functions_of(const TieredFunction& kernel, uint64_t ticks) noexcept;
  void left_often(TieredFunction& kernel) noexcept;
  uint32_t threads() const;
  bool add_thread(Background& background) noexcept;
  void work(Background& background);
  void obtain(TieredFunction& function, Effort effort) noexcept;
  // When the process ends, another one makes the translations that are not there yet (unfinished.h).
  void finish_for_next_run() noexcept;
  // Requests for these.
  PackedRequests unfinished();
  Status try_to_obtain(TieredFunction& function, Effort effort);

  bool wants_quick(const TieredFunction& function, bool careful) const noexcept;

  Mode mode_ = Mode::Background;
  Generators generators_ = Generators::Both; // OMNIHIP_TIER_CODE
  const bool talkative_;
  const uint64_t most_bytes_; // OMNIHIP_TIER_BYTES
  const uint32_t threads_wanted_; // OMNIHIP_TIER_THREADS; 0: as many as there are processors
  std::unique_ptr<TranslationSource> source_;
  std::unique_ptr<PerfMap> perf_map_; // null: not wanted
  static constexpr size_t kSlots = 4096; // power of two
  std::unique_ptr<std::atomic<TieredFunction*>[]> slots_;
  std::mutex code_in_use_;   // held while guest code is read, so that it stays mapped
  mutable std::mutex mutex_; // guards the next two
  std::deque<TieredFunction> functions_;
  std::vector<std::unique_ptr<TranslatedFunction>> translated_;
  std::mutex at_once_;     // OMNIHIP_TIER=1: held for a whole function
  std::atomic<uint32_t> translating_{0}; // how many functions are in translation
  std::atomic<bool> cancelled_{false};
  std::mutex background_mutex_; // guards the making of background_
  std::unique_ptr<Background> background_;
};

} // namespace hip::engine
