// runtime/engine/compile/left_on_throw.h - owners of LLVM's objects. LLVM is compiled without exceptions: when the host has no memory
// and std::bad_alloc passes through it, nothing of it cleans up, and destructors of what it worked on may find it half changed
// and crash. So these objects are left as they are then; what leaks is little beside what was missing.
#pragma once

#include <exception>
#include <memory>
#include <utility>

namespace hip::engine::compile {

template<class T> class LeftOnThrow {
public:
  template<class... A>
    requires std::is_constructible_v<T, A...>
  explicit LeftOnThrow(A&&... arguments) : object_(new T(std::forward<A>(arguments)...)) {}
  explicit LeftOnThrow(std::unique_ptr<T> object) noexcept : object_(object.release()) {}
  LeftOnThrow(const LeftOnThrow&) = delete;
  LeftOnThrow& operator=(const LeftOnThrow&) = delete;
  ~LeftOnThrow() {
    if (std::uncaught_exceptions() == exceptions_) delete object_;
  }
  T& operator*() const noexcept { return *object_; }
  T* operator->() const noexcept { return object_; }

private:
  T* object_;
  int exceptions_ = std::uncaught_exceptions();
};

} // namespace hip::engine::compile
