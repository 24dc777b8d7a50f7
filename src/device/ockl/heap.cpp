// malloc and free of device code. Each call goes to the host (kHostcallDeviceMemory), one packet for all lanes of a wave.
#include "hostcall.h"

using namespace hip::device;

extern "C" {

OCKL_CONVERGENT uint64_t __ockl_devmem_request(uint64_t address, uint64_t bytes) {
  if (!has_hostcall()) return 0;
  return static_cast<uint64_t>(
      hostcall(hidden<uint64_t>(kHiddenHostcallBuffer), kHostcallDeviceMemory, address, bytes).x);
}

// Memory of `bytes`, 16-byte aligned, or 0. Memory outlives the kernel.
OCKL_CONVERGENT uint64_t __ockl_dm_alloc(uint64_t bytes) { return bytes == 0 ? 0 : __ockl_devmem_request(0, bytes); }
OCKL_CONVERGENT void __ockl_dm_dealloc(uint64_t address) {
  if (address != 0) (void)__ockl_devmem_request(address, 0);
}

} // extern "C"
