// runtime/backend/aql/queue_launch.cpp - Queue::launch: what the kernel asks for through hidden arguments, the argument
// block, the packet.
#include "runtime/backend/aql/command_list.h"
#include "runtime/backend/aql/queue.h"

#include "device/abi/grid_sync.h"

#include <cstring>

namespace hip::aql {

Status Queue::launch(const backend::Launch& launch) {
  const AqlKernel& kernel = static_cast<const AqlKernel&>(*launch.kernel);
  if (launch.cooperative && agent_.cooperative_setup() == 0 && kind_ == RingKind::Ordinary)
    return launch_elsewhere(launch);
  RT_TRY(flush_waits());

  HiddenPointers hidden;
  hidden.queue = reinterpret_cast<uint64_t>(block_);
  hidden.shared_base_hi = block_->group_segment_aperture_base_hi;
  hidden.private_base_hi = block_->private_segment_aperture_base_hi;
  if (kernel.wants_heap) {
    if (heap_ == 0) {
      RT_TRY_ASSIGN(heap_, device_.heap());
    }
    hidden.heap = heap_;
  }
  if (kernel.wants_hostcall) {
    if (!hostcalls_) {
      RT_TRY_ASSIGN(HostcallService* const service, device_.hostcalls());
      RT_TRY_ASSIGN(hostcalls_, service->make_watch());
    }
    hidden.hostcall_buffer = hostcalls_->service().buffer_address();
  }
  if (kernel.wants_printf) {
    if (!printf_) {
      RT_TRY(start_host_functions()); // which drain_printf_after() needs behind the kernel
      RT_TRY_ASSIGN(printf_, KernelPrintf::create(agent_));
    }
    hidden.printf_buffer = printf_->buffer_address();
  }

  RT_TRY(reserve());
  const uint32_t argument_bytes = (kernel.layout.bytes() + 7) & ~7u;
  const bool has_barrier = launch.cooperative && kernel.wants_grid_barrier;
  RT_TRY_ASSIGN(const Arguments arguments,
                allocate_arguments(argument_bytes + (has_barrier ? sizeof(GridSyncArgument) : 0)));
  if (has_barrier) {
    GridSyncArgument sync{};
    sync.grid_count = 1;
    sync.group_count = launch.groups[0] * launch.groups[1] * launch.groups[2];
    sync.work_items_of_all = uint64_t{launch.grid_items[0]} * launch.grid_items[1] * launch.grid_items[2];
    if (const backend::MultiGrid* const grids = launch.multi_grid) {
      sync.all_grids = static_cast<GridBarrierWords*>(grids->barrier);
      sync.grid_index = grids->index;
      sync.grid_count = grids->count;
      sync.work_items_before = grids->items_before;
      sync.work_items_of_all = grids->items_of_all;
    }
    std::memcpy(arguments.memory + argument_bytes, &sync, sizeof(sync));
    hidden.multigrid_sync = reinterpret_cast<uint64_t>(arguments.memory + argument_bytes);
  }
  kernel.layout.write(arguments.memory, launch, hidden);

  KernelDispatchPacket& p = packet(write_).dispatch;
  const uint16_t setup = encode_dispatch(p, kernel, launch, arguments.memory);
  slot(write_).block = arguments.block;
  const uint16_t cooperative = launch.cooperative ? agent_.cooperative_setup() : uint16_t(0);
  submit({PacketType::KernelDispatch, static_cast<uint16_t>(setup | cooperative)},
         launch.out_of_order ? BarrierBit::Clear : BarrierBit::Set);
  if (kernel.wants_hostcall) {
    if (launch.out_of_order)
      hostcalls_->service().watch(Ref<Point>(last()));
    else
      hostcalls_->kernel(Ref<Point>(last()));
  }
  return kernel.wants_printf ? drain_printf_after(kernel) : Status();
}

Status Queue::launch_elsewhere(const backend::Launch& launch) {
  RT_TRY_ASSIGN(const Ref<Point> before, last_point());
  RT_TRY_ASSIGN(const Device::CooperativeQueue there, device_.cooperative_queue());
  RT_TRY(there.queue->wait(before));
  RT_TRY(there.queue->launch(launch));
  RT_TRY_ASSIGN(const Ref<backend::Completion> done, there.queue->record());
  return wait(done);
}

// The text must be out, and the buffer empty again, before anything behind the kernel proceeds.
Status Queue::drain_printf_after(const AqlKernel& kernel) {
  return call_on_host([this, formats = *kernel.printf_formats](const Status&) { printf_->drain(formats); });
}

} // namespace hip::aql
