// runtime/engine/exec/tier1.h - which kernels run as translated code. A kernel starts in tier 0; when it has done enough
// work to be worth it, a thread of the engine's own translates it for its work-group shape (translate/), and work-groups
// that start from then on run the result. Translated functions are elements (Inst) like any other: regions of host code,
// and between them the handlers of what is not translated.
// Thread safety: all functions from any thread; find() takes no lock once a kernel is known.
#pragma once

#include "runtime/engine/exec/translated.h"

#include <array>
#include <atomic>
#include <condition_variable>
#include <deque>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

namespace hip::engine {

namespace translate {
class Translator;
}

// A kernel with a work-group shape, for waves that start with all lanes active or for those that do not.
struct TieredKernel {
  uint64_t entry_pc = 0;
  std::array<uint32_t, 3> items{};
  bool full_waves = true;
  std::shared_ptr<Program> program;
  int kernarg_sgpr = -1;
  int32_t hidden_group_size_offset = -1; // in the kernarg segment; -1 when not known
  std::atomic<const Inst*> start{nullptr}; // translated entry; null while there is none
  std::atomic<uint64_t> waves{0};        // dispatched so far
  std::atomic<bool> asked{false};
  std::atomic<bool> dead{false};         // its code is gone
};

class Tier1 {
public:
  // Reads OMNIHIP_TIER: "0" never translates, "1" translates before a kernel's first work-group, else as described above.
  Tier1();
  ~Tier1();
  Tier1(const Tier1&) = delete;
  Tier1& operator=(const Tier1&) = delete;

  bool enabled() const noexcept { return mode_ != Mode::Never; }
  // The kernel's record, made when it is new; null when the table is full. Asks for its translation when `waves` more
  // make it worth one.
  TieredKernel* find(const TieredKernel& key, uint64_t waves) noexcept;
  // Code of [base, base + bytes) is about to go.
  void forget(uint64_t base, uint64_t bytes) noexcept;
  // The guest instruction that host code at `pc` belongs to; 0 when it is not translated code.
  uint64_t guest_pc_of(const void* pc) const noexcept;

private:
  enum class Mode { Never, Background, AtOnce };
  void ask(TieredKernel& kernel) noexcept;
  void work();
  void translate_now(TieredKernel& kernel) noexcept;
  Status translate(TieredKernel& kernel);
  static translate::Translator* translator();

  Mode mode_ = Mode::Background;
  static constexpr size_t kSlots = 4096; // power of two
  std::unique_ptr<std::atomic<TieredKernel*>[]> slots_;
  mutable std::mutex mutex_; // guards what follows
  std::deque<TieredKernel> kernels_;
  std::vector<std::unique_ptr<TranslatedFunction>> functions_;
  std::mutex translating_; // one translation at a time
  std::deque<TieredKernel*> wanted_;
  std::condition_variable wake_;
  bool stop_ = false;
  std::thread thread_;
};

} // namespace hip::engine
