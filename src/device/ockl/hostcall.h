// Calls of a host service from device code.
#pragma once

#include "device.h"
#include "../abi/hostcall.h"

namespace hip::device {

// Runs `service` for every active lane with its eight words and returns each lane's two words of answer. Waits for the
// host. `buffer_address` must be that of a HostcallBuffer and the same in all lanes. The words travel as scalars, so that
// they stay in registers where the call is not inlined.
OCKL_CONVERGENT ockl_long2 hostcall(uint64_t buffer_address, uint32_t service, uint64_t a0, uint64_t a1 = 0,
                                    uint64_t a2 = 0, uint64_t a3 = 0, uint64_t a4 = 0, uint64_t a5 = 0, uint64_t a6 = 0,
                                    uint64_t a7 = 0);

inline bool has_hostcall() { return hidden<uint64_t>(kHiddenHostcallBuffer) != 0; }

} // namespace hip::device
