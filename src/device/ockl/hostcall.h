// Calls of a host service from device code.
#pragma once

#include "device.h"
#include "../abi/hostcall.h"

namespace hip::device {

// Runs `service` for every active lane with its eight words and returns each lane's two words of answer. Waits for the
// host. `buffer_address` must be that of a HostcallBuffer and the same in all lanes.
OCKL_CONVERGENT ockl_long2 hostcall(uint64_t buffer_address, uint32_t service,
                                    const uint64_t (&arguments)[kHostcallSlotWords]);

inline bool has_hostcall() { return hidden<uint64_t>(kHiddenHostcallBuffer) != 0; }

} // namespace hip::device
