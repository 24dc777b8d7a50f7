// runtime/base/ref.h - intrusive reference counting for objects whose lifetime several owners share.
// Thread safety: the count is atomic; the object's own members are its own business.
#pragma once

#include <atomic>
#include <cstdint>
#include <utility>

namespace hip {

class RefCounted {
public:
  RefCounted(const RefCounted&) = delete;
  RefCounted& operator=(const RefCounted&) = delete;
  void retain() const noexcept { count_.fetch_add(1, std::memory_order_relaxed); }
  void release() const noexcept {
    if (count_.fetch_sub(1, std::memory_order_acq_rel) == 1) last_release();
  }
  // For registries that hold no reference of their own: takes one unless the last owner is gone already.
  bool retain_unless_ending() const noexcept {
    uint32_t count = count_.load(std::memory_order_relaxed);
    while (count != 0)
      if (count_.compare_exchange_weak(count, count + 1, std::memory_order_acq_rel, std::memory_order_relaxed))
        return true;
    return false;
  }
  // The caller's reference is the only one, and nobody can get another but from the caller.
  bool unique() const noexcept { return count_.load(std::memory_order_acquire) == 1; }
  // For pools, which reuse an object that has no owner: afterwards it has one owner again.
  void revive() const noexcept { count_.store(1, std::memory_order_relaxed); }

protected:
  RefCounted() noexcept = default; // starts with one owner: adopt it with Ref<T>::adopt
  virtual ~RefCounted() = default;
  // Called when the last owner has released the object.
  virtual void last_release() const noexcept { delete this; }

private:
  mutable std::atomic<uint32_t> count_{1};
};

template<class T> class Ref {
public:
  Ref() noexcept = default;
  explicit Ref(T* p) noexcept : p_(p) {
    if (p_) p_->retain();
  }
  static Ref adopt(T* p) noexcept {
    Ref r;
    r.p_ = p;
    return r;
  }
  Ref(const Ref& o) noexcept : Ref(o.p_) {}
  Ref(Ref&& o) noexcept : p_(std::exchange(o.p_, nullptr)) {}
  template<class U> Ref(Ref<U> o) noexcept : p_(o.detach()) {}
  Ref& operator=(Ref o) noexcept {
    std::swap(p_, o.p_);
    return *this;
  }
  ~Ref() {
    if (p_) p_->release();
  }
  T* get() const noexcept { return p_; }
  T* operator->() const noexcept { return p_; }
  T& operator*() const noexcept { return *p_; }
  explicit operator bool() const noexcept { return p_ != nullptr; }
  T* detach() noexcept { return std::exchange(p_, nullptr); }

private:
  T* p_ = nullptr;
};

template<class T, class... A> Ref<T> make_ref(A&&... args) { return Ref<T>::adopt(new T(std::forward<A>(args)...)); }

} // namespace hip
