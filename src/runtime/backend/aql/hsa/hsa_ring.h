// runtime/backend/aql/hsa/hsa_ring.h - a queue of HSA's as a ring of the back end's: hsa_queue_t is the beginning of
// amd_queue_t, which packets.h calls QueueBlock. Thread safety: as HardwareQueue.
#pragma once

#include "runtime/backend/aql/hsa/hsa_agent.h"

namespace hip::aql::hsa {

// When HSA reports an error of the queue, the agent is lost. `agent` outlives the ring.
Result<std::unique_ptr<PacketRing>> create_hsa_ring(HsaAgent& agent, const RingOptions& options);

} // namespace hip::aql::hsa
