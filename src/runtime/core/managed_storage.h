// runtime/core/managed_storage.h - where the value of a __managed__ variable lies: memory that the host and all devices
// reach at one address. Core makes it, for registered variables and for those of modules; back ends only tell which
// variables of a code object want such storage (backend::ManagedVariable). Thread safety: one thread at a time.
#pragma once

#include "runtime/backend/backend.h"

#include <string>
#include <utility>

namespace hip::core {

class Device;

class ManagedStorage {
public:
  // Memory of `device`, or of the process alone where there is no device (null). Error: OutOfMemory.
  static Result<ManagedStorage> allocate(Device* device, size_t bytes, size_t alignment);

  ManagedStorage(ManagedStorage&& other) noexcept
      : address_(std::exchange(other.address_, nullptr)), bytes_(other.bytes_), maker_(other.maker_) {}
  ManagedStorage& operator=(ManagedStorage&& other) noexcept {
    std::swap(address_, other.address_);
    std::swap(bytes_, other.bytes_);
    std::swap(maker_, other.maker_);
    return *this;
  }
  ~ManagedStorage(); // finishes what may still use it

  void* address() const noexcept { return address_; }
  size_t bytes() const noexcept { return bytes_; }

private:
  enum class Maker { Device, Host };
  ManagedStorage(void* address, size_t bytes, Maker maker) noexcept : address_(address), bytes_(bytes), maker_(maker) {}

  void* address_;
  size_t bytes_;
  Maker maker_;
};

// The storage that a program has registered for one of its variables.
struct NamedStorage {
  std::string_view name;
  void* address = nullptr;
};

} // namespace hip::core
