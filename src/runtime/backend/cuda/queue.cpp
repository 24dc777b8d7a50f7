#include "runtime/backend/cuda/queue.h"

#include "runtime/backend/cuda/device.h"

namespace hip::cuda {

Queue::Queue(Device& device, Ref<Stream> stream)
    : device_(device), context_(device.context()), driver_(context_.driver()), stream_(std::move(stream)),
      handle_(stream_->handle()), end_(make_ref<StreamEnd>(stream_)) {}

Queue::~Queue() { static_cast<void>(stream_->synchronize()); }

// ---- launches ------------------------------------------------------------------------------------------------------

namespace {

// The size in blocks of a launch that check_shape has nothing against; false when it may have.
inline bool take_blocks(const Kernel& kernel, const backend::Launch& launch, const backend::DeviceProperties& p,
                        std::array<unsigned, 3>& blocks) {
  bool good = launch.argument_pointers || launch.packed_arguments.size() >= kernel.explicit_bytes;
  for (size_t d = 0; d < 3; ++d) {
    const uint32_t grid = launch.grid_items[d], group = launch.group_items[d];
    if (group == 0) [[unlikely]]
      return false;
    blocks[d] = group == 1 ? grid : grid / group;
    good &= grid != 0;
    good &= blocks[d] * group == grid;
    good &= group <= p.max_group_dim[d];
  }
  const std::array<uint32_t, 3>& group = launch.group_items;
  const uint64_t items = uint64_t{group[0]} * group[1] * group[2];
  good &= items <= p.max_group_items;
  good &= items <= kernel.attributes.max_group_items;
  good &= uint64_t{kernel.attributes.static_lds_bytes} + launch.dynamic_lds_bytes <= p.most_lds_bytes_per_group();
  return good;
}

} // namespace

Status Queue::check_shape(const Kernel& kernel, const backend::Launch& launch) const {
  const backend::DeviceProperties& p = device_.properties();
  uint64_t items = 1;
  for (size_t d = 0; d < 3; ++d) {
    const uint32_t grid = launch.grid_items[d], group = launch.group_items[d];
    items *= group;
    if (group == 0 || grid == 0 || group > p.max_group_dim[d])
      return error(ErrorCode::InvalidConfiguration,
                   "Kernel {}: dimension {} of the launch is {} work-items in groups of {}.", kernel.name, d, grid,
                   group);
    if (grid % group != 0)
      return error(ErrorCode::InvalidConfiguration,
                   "Kernel {}: {} work-items in dimension {} are no whole number of blocks "
                   "of {}; NVIDIA GPUs have no partial blocks.",
                   kernel.name, grid, d, group);
  }
  if (items > p.max_group_items)
    return error(ErrorCode::InvalidConfiguration,
                 "Kernel {}: a block of {} work-items is above the device's limit of {}.", kernel.name, items,
                 p.max_group_items);
  if (items > kernel.attributes.max_group_items)
    return error(ErrorCode::LaunchFailure,
                 "Kernel {}: a block of {} work-items is above the {} that its launch bounds and "
                 "registers allow.",
                 kernel.name, items, kernel.attributes.max_group_items);
  const uint64_t shared = uint64_t{kernel.attributes.static_lds_bytes} + launch.dynamic_lds_bytes;
  if (shared > p.most_lds_bytes_per_group())
    return error(ErrorCode::OutOfMemory, "Kernel {}: {} bytes of shared memory are above the {} of a block.",
                 kernel.name, shared, p.most_lds_bytes_per_group());
  if (!launch.argument_pointers && launch.packed_arguments.size() < kernel.explicit_bytes)
    return error(ErrorCode::InvalidValue, "Kernel {}: the packed argument block has {} bytes; the arguments take {}.",
                 kernel.name, launch.packed_arguments.size(), kernel.explicit_bytes);
  return {};
}

Status Queue::launch(const backend::Launch& launch) {
  auto& kernel = static_cast<Kernel&>(*launch.kernel);
  std::array<unsigned, 3> grid;
  if (!take_blocks(kernel, launch, device_.properties(), grid)) [[unlikely]]
    RT_TRY(check_shape(kernel, launch));
  RT_TRY(context_.enter());
  if (launch.dynamic_lds_bytes != 0)
    RT_TRY(kernel.allow_dynamic(context_, launch.dynamic_lds_bytes, device_.properties()));
  const std::array<unsigned, 3>& block = launch.group_items;
  if (launch.cooperative) return launch_cooperative(kernel, launch, grid);
  // The driver's interface takes pointers to what it does not change.
  auto** const pointers = const_cast<void**>(launch.argument_pointers);
  size_t bytes = kernel.explicit_bytes != 0 ? kernel.explicit_bytes : launch.packed_arguments.size();
  void* extra[] = {kLaunchBuffer, const_cast<std::byte*>(launch.packed_arguments.data()), kLaunchBufferBytes, &bytes,
                   kLaunchEnd};
  void** const packed = pointers || launch.packed_arguments.empty() ? nullptr : extra;
  RT_TRY(context_.check(driver_.cuLaunchKernel(kernel.function, grid[0], grid[1], grid[2], block[0], block[1], block[2],
                                               launch.dynamic_lds_bytes, handle_, pointers, packed),
                        "cuLaunchKernel"));
  stream_->log().add(kernel.log_name);
  return {};
}

Status Queue::launch_cooperative(Kernel& kernel, const backend::Launch& launch, const std::array<unsigned, 3>& grid) {
  std::vector<void*> from_block;
  auto** pointers = const_cast<void**>(launch.argument_pointers);
  if (!pointers && !launch.packed_arguments.empty()) { // this call has no packed form
    if (kernel.arguments.empty())
      return error(ErrorCode::NotSupported,
                   "Kernel {}: a cooperative launch with a packed argument block takes a driver for "
                   "CUDA 12.4 or PTX.",
                   kernel.name);
    for (const backend::KernelArgument& argument : kernel.arguments)
      from_block.push_back(const_cast<std::byte*>(launch.packed_arguments.data()) + argument.offset);
    pointers = from_block.data();
  }
  const std::array<unsigned, 3>& block = launch.group_items;
  RT_TRY(
      context_.check(driver_.cuLaunchCooperativeKernel(kernel.function, grid[0], grid[1], grid[2], block[0], block[1],
                                                       block[2], launch.dynamic_lds_bytes, handle_, pointers),
                     "cuLaunchCooperativeKernel"));
  stream_->log().add(kernel.log_name);
  return {};
}

// ---- order ---------------------------------------------------------------------------------------------------------

Result<Ref<backend::Completion>> Queue::record(const backend::PointOptions& options) {
  RT_TRY(context_.enter());
  RT_TRY_ASSIGN(CUevent event, context_.take_event(options));
  const CUresult result = driver_.cuEventRecord(event, handle_);
  if (result != kSuccess) {
    context_.give_event(event, options);
    return context_.check(result, "cuEventRecord");
  }
  return Ref<backend::Completion>(make_ref<Point>(*stream_, event, options, stream_->log().launches()));
}

Status Queue::wait(const Ref<backend::Completion>& completion) {
  const auto* const point = dynamic_cast<const Point*>(completion.get());
  if (!point)
    return error(ErrorCode::InvalidHandle, "A stream of {} cannot wait for a completion of another back end.",
                 context_.name());
  RT_TRY(context_.enter());
  return context_.check(driver_.cuStreamWaitEvent(handle_, point->event(), 0), "cuStreamWaitEvent");
}

Status Queue::host_function(backend::HostFunction fn, void* user_data) {
  RT_TRY(context_.enter());
  Context::HostCall& call = context_.add_host_call(fn, user_data);
  const CUresult result = driver_.cuLaunchHostFunc(handle_, &Context::run_host_call, &call);
  if (result == kSuccess) return {};
  context_.drop_host_call(call);
  return context_.check(result, "cuLaunchHostFunc");
}

// ---- memory in stream order ----------------------------------------------------------------------------------------

Result<void*> Queue::allocate(backend::Device& device, size_t bytes) {
  if (!device_.has_memory_pools()) return device.allocate(bytes, backend::MemoryKind::Device);
  RT_TRY(device_.check_size(bytes));
  RT_TRY(context_.enter());
  CUdeviceptr address = 0;
  RT_TRY(context_.check(driver_.cuMemAllocAsync(&address, bytes, handle_), "cuMemAllocAsync"));
  device_.allocations().insert(from_cuda(address), Allocations::From::Pool);
  return from_cuda(address);
}

Status Queue::release(backend::Device& device, void* base) {
  // Host functions must not call the driver, so memory that is no pool's is freed by this thread.
  if (device_.allocations().find(base) != Allocations::From::Pool) {
    RT_TRY(stream_->synchronize());
    return device.free(base);
  }
  RT_TRY(context_.enter());
  device_.allocations().take(base);
  return context_.check(driver_.cuMemFreeAsync(to_cuda(base), handle_), "cuMemFreeAsync");
}

// Memory of devices without concurrent managed access moves as a whole, at launches.
Status Queue::prefetch(const void* base, size_t bytes, backend::Device* where) {
  constexpr CUdevice kHost = -1; // CU_DEVICE_CPU
  auto* const device = static_cast<Device*>(where);
  const auto takes_part = [](const Device& d) { return d.properties().concurrent_managed_access; };
  if (!driver_.cuMemPrefetchAsync || !takes_part(device_) || (device && !takes_part(*device))) return {};
  RT_TRY(context_.enter());
  const CUdevice to = device ? device->handle() : kHost;
  return context_.check(driver_.cuMemPrefetchAsync(to_cuda(base), bytes, to, handle_), "cuMemPrefetchAsync");
}

} // namespace hip::cuda
