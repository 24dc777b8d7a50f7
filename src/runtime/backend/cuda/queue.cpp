#include "runtime/backend/cuda/queue.h"

#include "runtime/backend/cuda/command_list.h"
#include "runtime/backend/cuda/device.h"
#include "runtime/base/own.h"

namespace hip::cuda {

Queue::Queue(Device& device, Ref<Stream> stream)
    : device_(device), context_(device.context()), driver_(context_.driver()), launch_kernel_(driver_.cuLaunchKernel),
      handle_(stream->handle()), stream_(std::move(stream)), log_(stream_->log()), end_(make_ref<StreamEnd>(stream_)) {}

Queue::~Queue() { static_cast<void>(stream_->synchronize()); }

// ---- launches ------------------------------------------------------------------------------------------------------

Status Queue::launch(const backend::Launch& launch) {
  auto& kernel = static_cast<Kernel&>(*launch.kernel);
  RT_TRY(context_.enter());
  if (launch.dynamic_lds_bytes != 0)
    RT_TRY(kernel.allow_dynamic(context_, launch.dynamic_lds_bytes, device_.properties()));
  if (launch.cooperative) [[unlikely]]
    return launch_cooperative(kernel, launch);
  if (!launch.argument_pointers) [[unlikely]]
    return launch_packed(kernel, launch);
  const std::array<unsigned, 3>& grid = launch.groups;
  const std::array<unsigned, 3>& block = launch.group_items;
  // The driver's interface takes pointers to non-const data, which it does not change.
  auto** const pointers = const_cast<void**>(launch.argument_pointers);
  RT_TRY(context_.check(launch_kernel_(kernel.function, grid[0], grid[1], grid[2], block[0], block[1], block[2],
                                       launch.dynamic_lds_bytes, handle_, pointers, nullptr),
                        "cuLaunchKernel"));
  log_.add(kernel.log_name);
  return {};
}

// The arguments are one block, or there are none.
Status Queue::launch_packed(Kernel& kernel, const backend::Launch& launch) {
  const std::array<unsigned, 3>& grid = launch.groups;
  const std::array<unsigned, 3>& block = launch.group_items;
  size_t bytes = kernel.block_bytes(launch.packed_arguments);
  void* extra[] = {kLaunchBuffer, const_cast<std::byte*>(launch.packed_arguments.data()), kLaunchBufferBytes, &bytes,
                   kLaunchEnd};
  RT_TRY(context_.check(launch_kernel_(kernel.function, grid[0], grid[1], grid[2], block[0], block[1], block[2],
                                       launch.dynamic_lds_bytes, handle_, nullptr, bytes == 0 ? nullptr : extra),
                        "cuLaunchKernel"));
  log_.add(kernel.log_name);
  return {};
}

Status Queue::launch_cooperative(Kernel& kernel, const backend::Launch& launch) {
  std::vector<void*> from_block;
  auto** pointers = const_cast<void**>(launch.argument_pointers);
  if (!pointers && !launch.packed_arguments.empty()) { // this call has no packed form
    if (!kernel.parameters_known)
      return error(ErrorCode::NotSupported,
                   "Kernel {}: a cooperative launch with a packed argument block takes a driver for "
                   "CUDA 12.4 or PTX.",
                   kernel.name);
    for (const backend::KernelArgument& argument : kernel.arguments)
      from_block.push_back(const_cast<std::byte*>(launch.packed_arguments.data()) + argument.offset);
    pointers = from_block.data();
  }
  const std::array<unsigned, 3>& grid = launch.groups;
  const std::array<unsigned, 3>& block = launch.group_items;
  RT_TRY(
      context_.check(driver_.cuLaunchCooperativeKernel(kernel.function, grid[0], grid[1], grid[2], block[0], block[1],
                                                       block[2], launch.dynamic_lds_bytes, handle_, pointers),
                     "cuLaunchCooperativeKernel"));
  log_.add(kernel.log_name);
  return {};
}

Status Queue::run(const Ref<backend::CommandList>& list) {
  const auto& prepared = static_cast<const CommandList&>(*list); // the device has prepared it
  if (!prepared.graph()) return backend::Queue::run(list);
  RT_TRY(context_.enter());
  RT_TRY(context_.check(driver_.cuGraphLaunch(prepared.graph(), handle_), "cuGraphLaunch"));
  prepared.note_in(log_);
  return {};
}

// ---- order ---------------------------------------------------------------------------------------------------------

Result<Ref<backend::Completion>> Queue::record(const backend::PointOptions& options) {
  RT_TRY(context_.enter());
  Ref<Epoch> epoch = options.dated ? context_.clock().epoch() : Ref<Epoch>();
  RT_TRY_ASSIGN(CUevent event, context_.take_event(options));
  const CUresult result = driver_.cuEventRecord(event, handle_);
  if (result != kSuccess) {
    context_.give_event(event, options);
    return context_.check(result, "cuEventRecord");
  }
  return own(
      [&] {
        return Ref<backend::Completion>(make_ref<Point>(*stream_, event, options, log_.launches(), std::move(epoch)));
      },
      [&] { context_.give_event(event, options); });
}

Status Queue::record_into(Ref<backend::Completion>& point, const backend::PointOptions& options) {
  // The point may be of another back end. Point is final, so the question is one comparison.
  auto* const old = dynamic_cast<Point*>(point.get());
  if (!old || !old->fits(context_, options)) [[unlikely]]
    return backend::Queue::record_into(point, options);
  RT_TRY(context_.enter());
  RT_TRY(context_.check(driver_.cuEventRecord(old->event(), handle_), "cuEventRecord"));
  old->renew(*stream_, log_.launches());
  return {};
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

// ---- words in memory -----------------------------------------------------------------------------------------------

Status Queue::write_value(void* address, uint64_t value, uint32_t bytes) {
  if (!driver_.cuStreamWriteValue32 || !driver_.cuStreamWriteValue64)
    return error(ErrorCode::NotSupported, "Writing values in stream order takes a driver for CUDA 11.7.");
  RT_TRY(context_.enter());
  const CUresult result = bytes == 4
                              ? driver_.cuStreamWriteValue32(handle_, to_cuda(address), static_cast<uint32_t>(value), 0)
                              : driver_.cuStreamWriteValue64(handle_, to_cuda(address), value, 0);
  return context_.check(result, bytes == 4 ? "cuStreamWriteValue32" : "cuStreamWriteValue64");
}

// The driver knows no masks: where the condition is Equal or Nor, a mask must be all ones. Its GreaterOrEqual takes the
// difference for a signed number.
Status Queue::wait_value(const backend::ValueWait& wait) {
  if (!driver_.cuStreamWaitValue32 || !driver_.cuStreamWaitValue64)
    return error(ErrorCode::NotSupported, "Waiting for values in stream order takes a driver for CUDA 11.7.");
  const uint64_t width = wait.bytes == 4 ? UINT32_MAX : UINT64_MAX;
  const bool is_and = wait.condition == backend::ValueCondition::And;
  if ((wait.mask & width) != width && !is_and)
    return error(ErrorCode::NotSupported,
                 "{}: a wait for a value has the mask {:#x}; only waits for bits may have one.", context_.name(),
                 wait.mask & width);
  const uint64_t value = is_and ? wait.value & wait.mask : wait.value;
  const unsigned flags = static_cast<unsigned>(wait.condition); // the same numbers
  RT_TRY(context_.enter());
  const CUresult result =
      wait.bytes == 4 ? driver_.cuStreamWaitValue32(handle_, to_cuda(wait.address), static_cast<uint32_t>(value), flags)
                      : driver_.cuStreamWaitValue64(handle_, to_cuda(wait.address), value, flags);
  return context_.check(result, wait.bytes == 4 ? "cuStreamWaitValue32" : "cuStreamWaitValue64");
}

// ---- memory in stream order ----------------------------------------------------------------------------------------

Result<void*> Queue::allocate(backend::Device& device, size_t bytes) {
  if (!device_.has_memory_pools()) return device.allocate(bytes, backend::MemoryKind::Device);
  RT_TRY(device_.check_size(bytes));
  RT_TRY(context_.enter());
  CUdeviceptr address = 0;
  RT_TRY(context_.check(driver_.cuMemAllocAsync(&address, bytes, handle_), "cuMemAllocAsync"));
  return from_cuda(address);
}

Status Queue::release(backend::Device& device, void* base, backend::MemoryKind kind) {
  // A host function must not call the driver, so this thread waits and frees memory that no pool gave.
  if (kind != backend::MemoryKind::StreamOrdered || !device_.has_memory_pools()) {
    RT_TRY(stream_->synchronize());
    return device.free(base, kind);
  }
  RT_TRY(context_.enter());
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

Status Queue::discard(void* base, size_t bytes) {
  if (!driver_.cuMemDiscardBatchAsync || !device_.properties().concurrent_managed_access) return {};
  RT_TRY(context_.enter());
  CUdeviceptr address = to_cuda(base);
  return context_.check(driver_.cuMemDiscardBatchAsync(&address, &bytes, 1, 0, handle_), "cuMemDiscardBatchAsync");
}

Status Queue::set_access_window(const backend::AccessWindow& window) {
  if (!driver_.cuStreamSetAttribute) return {};
  RT_TRY(context_.enter());
  CUstreamAttrValue value{};
  value.accessPolicyWindow = {window.base, window.bytes, window.hit_ratio, window.hit_property, window.miss_property};
  return context_.check(driver_.cuStreamSetAttribute(handle_, kStreamAccessPolicyWindow, &value),
                        "cuStreamSetAttribute");
}

} // namespace hip::cuda
