// smi/session.h - between the first init and the last shut_down of a library: the devices that were found.
#pragma once

#include "smi/devices.h"

#include <memory>
#include <mutex>

namespace hip::smi {

class Session {
public:
  using Devices = std::shared_ptr<const std::vector<Device>>;

  void begin() {
    std::lock_guard lock(mutex_);
    if (users_ == 0) devices_ = std::make_shared<const std::vector<Device>>(list_devices());
    ++users_;
  }
  // False: it has not begun.
  bool end() noexcept {
    std::lock_guard lock(mutex_);
    if (users_ == 0) return false;
    if (--users_ == 0) devices_.reset();
    return true;
  }
  // Null outside of a session.
  Devices devices() const noexcept {
    std::lock_guard lock(mutex_);
    return devices_;
  }

private:
  mutable std::mutex mutex_;
  unsigned users_ = 0;
  Devices devices_;
};

// The library's one session, which is never destroyed.
inline Session& session() {
  static Session* const only = new Session;
  return *only;
}

} // namespace hip::smi
