// e2e.h - the small frame of the end-to-end programs. They are compiled by the SDK's own hipcc, so they use nothing but
// the SDK: no test library. A case is E2E_CASE(name) { ... }; a failed check prints where and what, and the program
// goes on with the next case. Exit code: 0 when every check held.
#pragma once

#include <hip/hip_runtime.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <string>
#include <type_traits>
#include <vector>

namespace e2e {

struct Case {
  const char* name;
  void (*run)();
  Case* next;
};
inline Case*& cases() {
  static Case* first = nullptr;
  return first;
}
struct Register : Case {
  Register(const char* name, void (*run)()) : Case{name, run, nullptr} {
    Case** end = &cases();
    while (*end) end = &(*end)->next;
    *end = this;
  }
};

inline int failures = 0; // of the case that runs

inline void fail(const char* file, int line, const std::string& what) {
  if (++failures <= 10) std::printf("%s:%d: %s\n", file, line, what.c_str());
}

template<class T> std::string text_of(const T& value) {
  if constexpr (std::is_same_v<T, bool>)
    return value ? "true" : "false";
  else if constexpr (std::is_same_v<T, hipError_t>)
    return hipGetErrorName(value);
  else if constexpr (std::is_enum_v<T>)
    return std::to_string(static_cast<long long>(value));
  else if constexpr (std::is_floating_point_v<T>) {
    char text[64];
    std::snprintf(text, sizeof(text), "%.17g", static_cast<double>(value));
    return text;
  } else if constexpr (std::is_integral_v<T>)
    return std::to_string(value);
  else if constexpr (std::is_convertible_v<T, std::string>)
    return "\"" + std::string(value) + "\"";
  else
    return "(value)";
}

// Equal, and for floating point: the same bits, or both NaN.
template<class T> bool same(const T& a, const T& b) {
  if constexpr (std::is_floating_point_v<T>)
    return std::memcmp(&a, &b, sizeof(T)) == 0 || (a != a && b != b);
  else
    return a == b;
}

// An array in device memory.
template<class T> class Device {
public:
  explicit Device(size_t count) : count_(count) {
    if (hipMalloc(&data_, count * sizeof(T)) != hipSuccess)
      data_ = nullptr;
    else
      (void)hipMemset(data_, 0, count * sizeof(T));
  }
  explicit Device(const std::vector<T>& host) : Device(host.size()) { upload(host); }
  ~Device() { (void)hipFree(data_); }
  Device(const Device&) = delete;
  Device& operator=(const Device&) = delete;
  operator T*() const { return data_; }
  T* data() const { return data_; }
  size_t size() const { return count_; }
  void upload(const std::vector<T>& host) {
    (void)hipMemcpy(data_, host.data(), host.size() * sizeof(T), hipMemcpyHostToDevice);
  }
  std::vector<T> download() const {
    std::vector<T> host(count_);
    if (hipMemcpy(host.data(), data_, count_ * sizeof(T), hipMemcpyDeviceToHost) != hipSuccess)
      fail(__FILE__, __LINE__, "the copy from the device failed");
    return host;
  }

private:
  T* data_ = nullptr;
  size_t count_;
};

// The error of the launches since the last call, at start and at run time.
inline hipError_t finish() {
  const hipError_t started = hipGetLastError();
  const hipError_t ran = hipDeviceSynchronize();
  return started != hipSuccess ? started : ran;
}

// The current device is an NVIDIA GPU.
inline bool on_nvidia() {
  hipDeviceProp_t properties;
  return hipGetDeviceProperties(&properties, 0) == hipSuccess && std::strncmp(properties.gcnArchName, "sm_", 3) == 0;
}

// Deterministic random bits.
class Random {
public:
  uint64_t bits() {
    state_ ^= state_ << 13;
    state_ ^= state_ >> 7;
    return state_ ^= state_ << 17;
  }
  double unit() { return static_cast<double>(bits() >> 11) * 0x1p-53; }

private:
  uint64_t state_ = 0x9e3779b97f4a7c15u;
};

// Values that break things, then random ones, `count` in all.
template<class T> std::vector<T> interesting(size_t count, uint64_t salt = 0) {
  std::vector<T> out;
  using L = std::numeric_limits<T>;
  if constexpr (std::is_floating_point_v<T>) {
    out = {T(0),
           -T(0),
           T(1),
           T(-1),
           T(0.5),
           T(1.5),
           T(2.5),
           T(-2.5),
           L::max(),
           L::lowest(),
           L::min(),
           -L::min(),
           L::denorm_min(),
           -L::denorm_min(),
           L::infinity(),
           -L::infinity(),
           L::quiet_NaN(),
           L::epsilon(),
           T(16777217),
           T(2147483648.0),
           T(-2147483648.0),
           T(4294967296.0),
           T(1e10),
           T(3.14159265358979)};
  } else {
    out = {T(0), T(1),  T(2),    T(3), L::max(), T(L::max() - 1), L::min(), T(L::min() + 1), T(L::max() / 2),
           T(7), T(10), T(~T(0))};
  }
  Random random;
  for (uint64_t i = 0; i < salt * 3 + 1; ++i) random.bits();
  if (salt) std::swap(out[0], out[salt % out.size()]);
  while (out.size() < count) {
    const uint64_t bits = random.bits();
    if constexpr (std::is_floating_point_v<T>) {
      using Bits = std::conditional_t<sizeof(T) == 8, uint64_t, uint32_t>;
      const Bits b = static_cast<Bits>(bits);
      T value;
      std::memcpy(&value, &b, sizeof(value));
      out.push_back(bits % 3 == 0 ? value : static_cast<T>((random.unit() - 0.5) * 200));
    } else {
      out.push_back(static_cast<T>(bits >> (bits % 5 == 0 ? 56 : 0)));
    }
  }
  out.resize(count);
  return out;
}

} // namespace e2e

#define E2E_CASE(name)                                                                                                 \
  static void name();                                                                                                  \
  static e2e::Register register_##name(#name, name);                                                                   \
  static void name()

#define CHECK(condition)                                                                                               \
  do {                                                                                                                 \
    if (!(condition)) e2e::fail(__FILE__, __LINE__, "does not hold: " #condition);                                     \
  } while (0)
#define CHECK_EQ(got, wanted)                                                                                          \
  do {                                                                                                                 \
    const auto got_ = (got);                                                                                           \
    const std::decay_t<decltype(got_)> wanted_ = (wanted);                                                             \
    if (!e2e::same(got_, wanted_))                                                                                     \
      e2e::fail(__FILE__, __LINE__, #got " is " + e2e::text_of(got_) + ", expected " + e2e::text_of(wanted_));         \
  } while (0)
// The same for element `i` of something.
#define CHECK_AT(i, got, wanted)                                                                                       \
  do {                                                                                                                 \
    const auto got_ = (got);                                                                                           \
    const std::decay_t<decltype(got_)> wanted_ = (wanted);                                                             \
    if (!e2e::same(got_, wanted_))                                                                                     \
      e2e::fail(__FILE__, __LINE__,                                                                                    \
                "[" + std::to_string(i) + "] " #got " is " + e2e::text_of(got_) + ", expected " +                      \
                    e2e::text_of(wanted_));                                                                            \
  } while (0)
// Waits for what was launched; ends the case when it failed.
#define RUN_OK()                                                                                                       \
  do {                                                                                                                 \
    const hipError_t status_ = e2e::finish();                                                                          \
    if (status_ != hipSuccess) {                                                                                       \
      e2e::fail(__FILE__, __LINE__, std::string("the kernel failed: ") + hipGetErrorName(status_));                    \
      return;                                                                                                          \
    }                                                                                                                  \
  } while (0)
#define HIP_OK(call) CHECK_EQ(call, hipSuccess)

// A case that says nothing about the device at hand.
#define E2E_LEAVE_OUT_IF(condition, why)                                                                               \
  do {                                                                                                                 \
    if (condition) {                                                                                                   \
      std::printf("left out: %s\n", why);                                                                              \
      return;                                                                                                          \
    }                                                                                                                  \
  } while (0)

// Where a fault ends the device for its process, each case of a program about faults runs in a process of its own.
#if defined(E2E_ABOUT_FAULTS)
inline bool own_process_per_case() { return e2e::on_nvidia(); }
#else
inline bool own_process_per_case() { return false; }
#endif

// Arguments: the cases to run, all without any.
int main(int argc, char** argv) {
  int failed = 0, ran = 0;
  const bool apart = argc == 1 && own_process_per_case();
  for (e2e::Case* c = e2e::cases(); c; c = c->next) {
    if (argc > 1 && std::none_of(argv + 1, argv + argc, [&](const char* name) { return std::strcmp(name, c->name) == 0; })) continue;
    e2e::failures = 0;
    if (apart) {
      const std::string self = argv[0];
      if (std::system(("'" + self + "' " + c->name + " > /dev/null").c_str()) != 0)
        e2e::fail(c->name, 0, "its process failed; run it alone");
    } else {
      c->run();
    }
    (void)hipGetLastError();
    ++ran;
    if (e2e::failures) {
      ++failed;
      std::printf("FAILED %s (%d checks)\n", c->name, e2e::failures);
    } else {
      std::printf("passed %s\n", c->name);
    }
    std::fflush(stdout);
  }
  std::printf("%d of %d cases passed\n", ran - failed, ran);
  return failed || ran == 0 || ran < argc - 1 ? 1 : 0;
}
