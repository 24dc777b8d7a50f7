// runtime/backend/aql/queue_launch.cpp - Queue::launch: checks against the device and the kernel, arguments, the
// packet.
#include "runtime/backend/aql/queue.h"

#include <algorithm>
#include <cstddef>
#include <cstring>

namespace hip::aql {

namespace {

constexpr uint32_t kDynamicStackBytes = 16 * 1024; // per work-item, for kernels whose stack the compiler cannot bound

// What hidden_multigrid_sync_arg points at, as the device library's grid barrier knows it.
struct MultigridSync {
  uint64_t multigrid = 0; // barrier across devices: none
  uint32_t grid_id = 0, grid_count = 1;
  uint64_t previous_items = 0, all_items = 0;
  uint32_t barrier_words[2] = {};
  uint32_t group_count = 0;
  uint32_t reserved = 0;
};
static_assert(sizeof(MultigridSync) == 48 && offsetof(MultigridSync, barrier_words) == 32);

} // namespace

Status Queue::check_launch(const AqlKernel& kernel, const backend::Launch& launch) const {
  const backend::DeviceProperties& p = device_.properties();
  if (kernel.device != &device_)
    return error(ErrorCode::InvalidDeviceFunction, "Kernel {} is loaded on another device than this stream's.",
                 kernel.name);
  uint64_t items = 1;
  for (int d = 0; d < 3; ++d) {
    if (launch.group_items[d] == 0 || launch.grid_items[d] == 0)
      return error(ErrorCode::InvalidConfiguration,
                   "Kernel {}: dimension {} of the grid is {} work-items in groups of {}.", kernel.name, d,
                   launch.grid_items[d], launch.group_items[d]);
    if (launch.group_items[d] > p.max_group_dim[d])
      return error(ErrorCode::InvalidConfiguration,
                   "Kernel {}: a block of {} in dimension {} is above the device's limit of {}.", kernel.name,
                   launch.group_items[d], d, p.max_group_dim[d]);
    items *= launch.group_items[d];
  }
  if (items > p.max_group_items)
    return error(ErrorCode::InvalidConfiguration,
                 "Kernel {}: a block of {} work-items is above the device's limit of {}.", kernel.name, items,
                 p.max_group_items);
  if (items > kernel.attributes.max_group_items)
    return error(
        ErrorCode::LaunchFailure,
        "Kernel {}: a block of {} work-items is above the {} that the kernel was compiled for (__launch_bounds__).",
        kernel.name, items, kernel.attributes.max_group_items);
  const std::array<uint32_t, 3>& required = kernel.attributes.required_group;
  if (required[0] != 0 && required != launch.group_items)
    return error(ErrorCode::LaunchFailure, "Kernel {}: the block is {}x{}x{}; the kernel requires {}x{}x{}.",
                 kernel.name, launch.group_items[0], launch.group_items[1], launch.group_items[2], required[0],
                 required[1], required[2]);
  const uint64_t lds = uint64_t(kernel.attributes.static_lds_bytes) + launch.dynamic_lds_bytes;
  if (lds > p.lds_bytes_per_group)
    return error(ErrorCode::OutOfMemory,
                 "Kernel {}: {} bytes of shared memory ({} static and {} dynamic) are above the {} of a block.",
                 kernel.name, lds, kernel.attributes.static_lds_bytes, launch.dynamic_lds_bytes, p.lds_bytes_per_group);
  if (launch.cooperative) {
    uint64_t groups = 1;
    for (int d = 0; d < 3; ++d) groups *= (launch.grid_items[d] + launch.group_items[d] - 1) / launch.group_items[d];
    const uint64_t limit = uint64_t(p.compute_units) *
                           device_.max_groups_per_cu(kernel, static_cast<uint32_t>(items), launch.dynamic_lds_bytes);
    if (groups > limit)
      return error(ErrorCode::CooperativeLaunchTooLarge,
                   "Kernel {}: a cooperative launch of {} blocks is above the {} that the device holds at once.",
                   kernel.name, groups, limit);
  }
  return Status();
}

Status Queue::launch(const backend::Launch& launch) {
  const AqlKernel& kernel = static_cast<const AqlKernel&>(*launch.kernel);
  RT_TRY(check_launch(kernel, launch));
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
      hostcalls_ = std::make_unique<HostcallService::Watch>(*service);
    }
    hidden.hostcall_buffer = hostcalls_->service().buffer_address();
  }
  if (kernel.wants_printf) {
    if (!printf_) {
      RT_TRY_ASSIGN(printf_, KernelPrintf::create(agent_));
    }
    hidden.printf_buffer = printf_->buffer_address();
  }

  RT_TRY(reserve());
  const uint32_t argument_bytes = (kernel.layout.bytes() + 7) & ~7u;
  RT_TRY_ASSIGN(const Arguments arguments,
                allocate_arguments(argument_bytes + (kernel.wants_multigrid ? sizeof(MultigridSync) : 0)));
  uint64_t items = 1;
  if (kernel.wants_multigrid) {
    MultigridSync sync;
    sync.group_count = 1;
    for (int d = 0; d < 3; ++d) {
      items *= launch.grid_items[d];
      sync.group_count *= (launch.grid_items[d] + launch.group_items[d] - 1) / launch.group_items[d];
    }
    sync.all_items = items;
    std::memcpy(arguments.memory + argument_bytes, &sync, sizeof(sync));
    hidden.multigrid_sync = reinterpret_cast<uint64_t>(arguments.memory + argument_bytes);
  }
  if (Status status = kernel.layout.write(arguments.memory, launch, hidden); !status.ok()) {
    if (arguments.block) RT_TRY(agent_.free(arguments.block));
    return status;
  }

  KernelDispatchPacket& p = packet(write_).dispatch;
  p.workgroup_size_x = static_cast<uint16_t>(launch.group_items[0]);
  p.workgroup_size_y = static_cast<uint16_t>(launch.group_items[1]);
  p.workgroup_size_z = static_cast<uint16_t>(launch.group_items[2]);
  p.reserved0 = 0;
  p.grid_size_x = launch.grid_items[0];
  p.grid_size_y = launch.grid_items[1];
  p.grid_size_z = launch.grid_items[2];
  p.private_segment_size = kernel.attributes.uses_dynamic_stack
                               ? std::max({kernel.attributes.private_bytes, kDynamicStackBytes, launch.stack_bytes})
                               : kernel.attributes.private_bytes;
  p.group_segment_size = kernel.attributes.static_lds_bytes + launch.dynamic_lds_bytes;
  p.kernel_object = kernel.kernel_object;
  p.kernarg_address = reinterpret_cast<uint64_t>(arguments.memory);
  p.reserved2 = 0;
  slot(write_).block = arguments.block;
  const uint16_t dimensions = launch.grid_items[2] > 1 || launch.group_items[2] > 1   ? 3
                              : launch.grid_items[1] > 1 || launch.group_items[1] > 1 ? 2
                                                                                      : 1;
  const uint16_t cooperative = launch.cooperative ? agent_.cooperative_setup() : uint16_t(0);
  submit({PacketType::KernelDispatch, static_cast<uint16_t>(dimensions | cooperative)},
         launch.out_of_order ? BarrierBit::Clear : BarrierBit::Set);
  if (kernel.wants_hostcall) {
    if (launch.out_of_order)
      hostcalls_->service().watch(Ref<Point>(last()));
    else
      hostcalls_->kernel(Ref<Point>(last()));
  }
  return kernel.wants_printf ? drain_printf_after(kernel) : Status();
}

// The text must be out, and the buffer empty again, before anything behind the kernel proceeds.
Status Queue::drain_printf_after(const AqlKernel& kernel) {
  return call_on_host([this, formats = *kernel.printf_formats](const Status&) { printf_->drain(formats); });
}

} // namespace hip::aql
