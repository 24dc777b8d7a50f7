// runtime/engine/compile/phase_times.h - where a translation's time goes: processor time of its thread per phase, for
// developers (OMNIHIP_TIER_DUMP=times). Off, it costs a comparison per phase.
#pragma once

#include <cstdint>
#include <ctime>
#include <llvm/Support/Format.h>
#include <llvm/Support/raw_ostream.h>
#include <string_view>
#include <utility>
#include <vector>

namespace hip::engine::compile {

class PhaseTimes {
public:
  explicit PhaseTimes(bool wanted) : wanted_(wanted) { begin("load"); }
  ~PhaseTimes() {
    if (!wanted_) return;
    begin("");
    double all = 0;
    for (size_t k = 0; k + 1 < begins_.size(); ++k) {
      const double ms = double(begins_[k + 1].second - begins_[k].second) * 1e-6;
      llvm::errs() << begins_[k].first << llvm::format(" %.2f, ", ms);
      all += ms;
    }
    llvm::errs() << llvm::format("all %.2f ms\n", all);
  }
  PhaseTimes(const PhaseTimes&) = delete;
  PhaseTimes& operator=(const PhaseTimes&) = delete;

  // A phase ends where the next one begins. `name` is a literal.
  void begin(std::string_view name) {
    if (wanted_) begins_.emplace_back(name, now());
  }

private:
  static int64_t now() {
    timespec t{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return int64_t(t.tv_sec) * 1'000'000'000 + t.tv_nsec;
  }

  bool wanted_;
  std::vector<std::pair<std::string_view, int64_t>> begins_; // in ns
};

} // namespace hip::engine::compile
