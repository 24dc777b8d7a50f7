// bench/kit/kit.h - the frame that both sides of the kit share: cases that register themselves, a clock, a line per
// case. Plain C++, for hipcc and for a host compiler alike.
//
// A case is KIT_CASE(name) { ... }: it makes its problem (problems/), calls run.measure() once and run.check() at least
// once. Output of a program: name,unit,rate,median_ms,first_ms,runs,ok - rate is amount / median time, ok is 1 or 0.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <functional>
#include <new>
#include <string>
#include <vector>

namespace kit {

enum class Scale { Full, Tiny };

// Memory that starts on a cache line.
template<class T> struct LineAllocator {
  using value_type = T;
  LineAllocator() = default;
  template<class U> LineAllocator(const LineAllocator<U>&) {}
  T* allocate(size_t n) { return static_cast<T*>(::operator new(n * sizeof(T), std::align_val_t(64))); }
  void deallocate(T* p, size_t) { ::operator delete(p, std::align_val_t(64)); }
  template<class U> bool operator==(const LineAllocator<U>&) const { return true; }
  template<class U> bool operator!=(const LineAllocator<U>&) const { return false; }
};
template<class T> using Array = std::vector<T, LineAllocator<T>>;

// Deterministic random numbers, the same for every program.
class Random {
public:
  explicit Random(uint64_t seed) : state_(seed * 0x9e3779b97f4a7c15u + 1) {}
  uint32_t bits() {
    uint64_t z = state_ += 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return static_cast<uint32_t>((z ^ (z >> 31)) >> 16);
  }
  uint32_t below(uint32_t n) { return static_cast<uint32_t>((static_cast<uint64_t>(bits()) * n) >> 32); }
  double unit() { return bits() * 0x1p-32; }
  double between(double low, double high) { return low + (high - low) * unit(); }

private:
  uint64_t state_;
};

class Run {
public:
  Run(const char* name, Scale scale) : name_(name), scale_(scale) {}
  Scale scale() const { return scale_; }
  bool tiny() const { return scale_ == Scale::Tiny; }

  // Times work() until it has run three times and for 0.7 s (tiny: twice), with prepare() untimed before each. The rate
  // is `amount` over seconds, in units of `per_unit`.
  void measure(double amount, const char* unit, double per_unit, const std::function<void()>& work,
               const std::function<void()>& prepare = nullptr) {
    using Clock = std::chrono::steady_clock;
    const size_t least = scale_ == Scale::Full ? 3 : 2;
    const double enough_ms = scale_ == Scale::Full ? 700 : 0;
    std::vector<double> ms;
    double total_ms = 0;
    while (ms.size() < least || (total_ms < enough_ms && ms.size() < 200)) {
      if (prepare) prepare();
      const auto start = Clock::now();
      work();
      ms.push_back(std::chrono::duration<double, std::milli>(Clock::now() - start).count());
      total_ms += ms.back();
    }
    first_ms_ = ms.front();
    runs_ = ms.size();
    std::nth_element(ms.begin(), ms.begin() + ms.size() / 2, ms.end());
    median_ms_ = ms[ms.size() / 2];
    unit_ = unit;
    rate_ = amount / (median_ms_ * 1e-3) / per_unit;
  }
  void check(bool right, const char* what) {
    checked_ = true;
    if (right) return;
    right_ = false;
    std::fprintf(stderr, "%s: the result is wrong: %s does not hold\n", name_, what);
  }
  bool ok() const { return checked_ && right_; }
  double median_ms() const { return median_ms_; }
  // Prints the case's line.
  void print() const {
    std::printf("%s,%s,%.6g,%.4f,%.4f,%zu,%d\n", name_, unit_, rate_, median_ms_, first_ms_, runs_, ok() ? 1 : 0);
    std::fflush(stdout);
  }

private:
  const char* name_;
  Scale scale_;
  const char* unit_ = "?";
  double rate_ = 0, median_ms_ = 0, first_ms_ = 0;
  size_t runs_ = 0;
  bool checked_ = false, right_ = true; // ok: checked, and right
};

struct Case {
  const char* name;
  void (*body)(Run&);
  Case* next;
};
inline Case*& cases() {
  static Case* first = nullptr;
  return first;
}
struct Register : Case {
  Register(const char* name, void (*body)(Run&)) : Case{name, body, nullptr} {
    Case** end = &cases();
    while (*end) end = &(*end)->next;
    *end = this;
  }
};

// What every program of the kit does: PROGRAM [--tiny] [--list] [CASE...]; no case means all.
inline int main(int argc, char** argv) {
  Scale scale = Scale::Full;
  std::vector<std::string> wanted;
  for (int i = 1; i < argc; ++i) {
    if (std::strcmp(argv[i], "--tiny") == 0)
      scale = Scale::Tiny;
    else if (std::strcmp(argv[i], "--list") == 0) {
      for (Case* c = cases(); c; c = c->next) std::printf("%s\n", c->name);
      return 0;
    } else
      wanted.push_back(argv[i]);
  }
  int ran = 0, wrong = 0;
  for (Case* c = cases(); c; c = c->next) {
    if (!wanted.empty() && std::find(wanted.begin(), wanted.end(), c->name) == wanted.end()) continue;
    Run run(c->name, scale);
    c->body(run);
    ++ran;
    run.print();
    wrong += !run.ok();
  }
  if (ran == 0) std::fprintf(stderr, "No case has one of these names; --list prints them all.\n");
  return wrong || ran == 0;
}

} // namespace kit

#define KIT_CASE(name)                                                                                                 \
  static void name(kit::Run& run);                                                                                     \
  static kit::Register register_##name(#name, name);                                                                   \
  static void name(kit::Run& run)
#define KIT_CHECK(condition) run.check(condition, #condition)
