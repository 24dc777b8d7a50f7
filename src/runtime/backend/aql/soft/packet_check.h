// runtime/backend/aql/soft/packet_check.h - what a packet processor looks at before it takes a packet of HSA's users,
// who write packets themselves: what the packet names has to be there. Packets of this runtime are not checked. Thread
// safety: any thread; holds no lock of its own. The caller is the thread that has claimed the packet's queue, so the
// slot stays as it is meanwhile unless the user writes to a packet that he has published.
#pragma once

#include "runtime/backend/aql/agent.h"

namespace hip::aql::soft {

class System;

// Whether signals, the kernel's descriptor and its arguments are in memory that the agent can read. Errors name the
// queue: InvalidValue for what is no signal, InvalidConfiguration for a dispatch without dimensions,
// InvalidDeviceFunction and IllegalAddress for its descriptor and arguments.
Status check_user_packet(const Packet& slot, PacketType type, const QueueBlock& queue, System& system);

} // namespace hip::aql::soft
