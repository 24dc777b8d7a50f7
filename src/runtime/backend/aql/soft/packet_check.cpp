#include "runtime/backend/aql/soft/packet_check.h"

#include "runtime/backend/aql/soft/system.h"
#include "runtime/codeobject/kernel_descriptor.h"

namespace hip::aql::soft {

Status check_user_packet(const Packet& slot, PacketType type, const QueueBlock& queue, System& system) {
  const auto check_signal = [&](uint64_t handle) -> Status {
    if (handle == 0) return Status();
    if (handle % alignof(Signal) == 0 && system.arena().contains(handle, sizeof(Signal))) return Status();
    return error(ErrorCode::InvalidValue, "A packet of queue {} names {:#x}, which is no signal.", queue.id, handle);
  };
  RT_TRY(check_signal(slot.raw.completion_signal));
  if (type == PacketType::BarrierAnd || type == PacketType::BarrierOr)
    for (const uint64_t handle : slot.barrier.dep_signal) RT_TRY(check_signal(handle));
  if (type == PacketType::Vendor && slot.barrier_value.format == BarrierValuePacket::kFormat)
    RT_TRY(check_signal(slot.barrier_value.signal));
  if (type != PacketType::KernelDispatch) return Status();

  const KernelDispatchPacket& packet = slot.dispatch;
  if ((packet.setup & 3) == 0)
    return error(ErrorCode::InvalidConfiguration, "A dispatch of queue {} has no dimensions (setup {:#x}).", queue.id,
                 packet.setup);
  if (!system.arena().contains(packet.kernel_object, sizeof(codeobject::KernelDescriptor)))
    return error(ErrorCode::InvalidDeviceFunction, "A dispatch of queue {} names {:#x}, which is no kernel descriptor.",
                 queue.id, packet.kernel_object);
  if (packet.kernarg_address != 0 && !system.space().usable_by_host(packet.kernarg_address, 1, HostAccess::Read))
    return error(ErrorCode::IllegalAddress, "A dispatch of queue {} has its arguments at {:#x}, which is no memory.",
                 queue.id, packet.kernarg_address);
  return Status();
}

} // namespace hip::aql::soft
