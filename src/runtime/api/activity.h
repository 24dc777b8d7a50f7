// runtime/api/activity.h - calls as ROCm's tracing tools see them (roctracer and what is built on it): a callback that
// hipRegisterTracerCallback sets is asked at the start of each call whether it wants it, and then called before and
// behind the call with its arguments. Layouts and numbers are those of HIP 7's hip_prof_str.h and prof_protocol.h.
// Calls alone are reported (the domain "HIP API"), not what queues do. Thread safety: the callback may be set by any
// thread; calls that have begun go on with the one that they asked.
#pragma once

#include "runtime/api/api.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

namespace hip::api {

inline constexpr int kActivityDomainHipApi = 3;
inline constexpr uint32_t kActivityPhaseEnter = 0, kActivityPhaseExit = 1;
inline constexpr size_t kActivityArgumentBytes = 1496; // the largest of HIP 7's functions: hipChooseDevice

// What a callback gets as `data`, and keeps until the call has ended. It sets the correlation id and the two functions,
// of which each may stay null; 0 from the callback says that they are to be called.
struct ActivityData {
  uint64_t correlation_id = 0;
  uint32_t phase = kActivityPhaseEnter;
  alignas(8) std::array<std::byte, kActivityArgumentBytes> arguments{};
  uint64_t* phase_pointer = nullptr; // the tool's
  uint64_t enter_timestamp = 0;      // likewise
  uint64_t phase_data = 0;           // likewise
  void (*phase_enter)(uint32_t operation, ActivityData* data) = nullptr;
  void (*phase_exit)(uint32_t operation, ActivityData* data) = nullptr;
};
static_assert(offsetof(ActivityData, arguments) == 16 && offsetof(ActivityData, phase_pointer) == 1512 &&
              offsetof(ActivityData, phase_enter) == 1536 && sizeof(ActivityData) == 1552);

using ActivityCallback = int (*)(int domain, uint32_t operation, void* data);

namespace detail {
template<class T, class = void> inline constexpr bool kIsComplete = false;
template<class T> inline constexpr bool kIsComplete<T, std::void_t<decltype(sizeof(T))>> = true;
} // namespace detail

// Lays arguments out as the members of the structure that tools have for the function: each argument and, behind one
// that points at an object, room for that object, which the tool copies itself.
class ArgumentPacker {
public:
  ArgumentPacker(ApiId id, ActivityData& data) noexcept : id_(id), to_(data.arguments) {}

  template<class... T> void operator()(const T&... values) noexcept { (put(values), ...); }

private:
  template<class T> void put(const T& value) noexcept {
    void* const place = take(sizeof(T), alignof(T));
    if (place) std::memcpy(place, &value, sizeof(T));
    if constexpr (std::is_pointer_v<T>) {
      using Object = std::remove_cv_t<std::remove_pointer_t<T>>;
      // A handle whose structure is known has no room behind it, except where the parameter is no hipMipmappedArray_t.
      if (std::is_same_v<Object, hipMipmappedArray> && id_ != ApiId::hipTexRefSetMipmappedArray) return;
      if constexpr (std::is_object_v<Object>)
        if constexpr (detail::kIsComplete<Object>) take(sizeof(Object), alignof(Object));
    }
  }
  void* take(size_t bytes, size_t alignment) noexcept {
    at_ = (at_ + alignment - 1) / alignment * alignment;
    const size_t place = at_;
    at_ += bytes;
    return at_ <= to_.size() ? to_.data() + place : nullptr;
  }

  const ApiId id_;
  std::array<std::byte, kActivityArgumentBytes>& to_;
  size_t at_ = 0;
};

// The number that tools have for a function; 0: none, so that it is not reported.
uint32_t activity_id(ApiId id) noexcept;
// The function's name; null for no number.
const char* activity_name(uint32_t id) noexcept;

// One call, from the constructor to the destructor.
class ActivityScope {
public:
  // Asks the callback, if there is one.
  explicit ActivityScope(ApiId id) noexcept;
  ActivityScope(const ActivityScope&) = delete;
  ~ActivityScope();
  // The arguments are wanted: they are to be packed, before enter() is called.
  bool wants_arguments() const noexcept { return wanted_ && data_.phase_enter; }
  ActivityData& data() noexcept { return data_; }
  void enter() noexcept;

private:
  const uint32_t operation_;
  bool wanted_ = false;
  ActivityData data_;
};

} // namespace hip::api
