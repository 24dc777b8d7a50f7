// runtime/base/own.h - what a driver has made gets its owner, for which the host may have no memory.
#pragma once

namespace hip {

// make(), which makes the owner. When it throws, destroy() ends what would have been owned, and the exception goes on.
template<class Make, class Destroy> auto own(const Make& make, const Destroy& destroy) {
  try {
    return make();
  } catch (...) {
    destroy();
    throw;
  }
}

} // namespace hip
