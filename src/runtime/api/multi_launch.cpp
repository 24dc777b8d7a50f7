// Launches on several devices with one call, brought to core::launch_grids.
#include "runtime/core/multi_launch.h"

#include "runtime/api/api.h"

namespace hip::api {
namespace {

using core::GridLaunch;
using core::LaunchKind;
using core::StreamOrder;

Status check_list(size_t count, unsigned flags) {
  if (count == 0 || count > core::devices().size())
    return error(ErrorCode::InvalidValue, "A launch on {} devices; there are {}.", count, core::devices().size());
  constexpr unsigned kKnown = hipCooperativeLaunchMultiDeviceNoPreSync | hipCooperativeLaunchMultiDeviceNoPostSync;
  if ((flags & ~kKnown) != 0) return error(ErrorCode::InvalidValue, "The launch flags {:#x} are not known.", flags);
  return {};
}

// A default stream does not say which device is meant.
Result<core::Pin<core::Stream>> stream_of(size_t index, hipStream_t stream) {
  if (!stream)
    return error(ErrorCode::InvalidHandle, "Grid {} has the default stream; each grid needs a stream of its own.",
                 index);
  return core::find_stream(stream);
}

Status launch_all(std::vector<GridLaunch>& grids, unsigned flags) {
  return core::launch_grids(grids,
                            flags & hipCooperativeLaunchMultiDeviceNoPreSync ? StreamOrder::Own : StreamOrder::All,
                            flags & hipCooperativeLaunchMultiDeviceNoPostSync ? StreamOrder::Own : StreamOrder::All);
}

Status launch_registered(const hipLaunchParams* list, int count, unsigned flags, LaunchKind kind) {
  RT_TRY(check_list(count < 0 ? 0 : static_cast<size_t>(count), flags));
  std::vector<GridLaunch> grids;
  for (int i = 0; i < count; ++i) {
    const hipLaunchParams& p = list[i];
    RT_TRY_ASSIGN(core::Pin<core::Stream> stream, stream_of(static_cast<size_t>(i), p.stream));
    core::RegisteredFunction* const registered = core::find_registered_function(p.func);
    if (!registered)
      return error(ErrorCode::InvalidDeviceFunction, "{} is not the address of a registered kernel.", p.func);
    RT_TRY_ASSIGN(core::Function* const function, registered->on(stream->device()));
    grids.push_back({.function = function,
                     .stream = std::move(stream),
                     .request = {.shape = {.grid = to_core(p.gridDim),
                                           .group = to_core(p.blockDim),
                                           .dynamic_lds_bytes = p.sharedMem,
                                           .kind = kind},
                                 .argument_pointers = p.args}});
  }
  return launch_all(grids, flags);
}

} // namespace

Status hipLaunchCooperativeKernelMultiDevice(hipLaunchParams* launchParamsList, int numDevices, unsigned int flags) {
  return launch_registered(launchParamsList, numDevices, flags, LaunchKind::Cooperative);
}

Status hipExtLaunchMultiKernelMultiDevice(hipLaunchParams* launchParamsList, int numDevices, unsigned int flags) {
  return launch_registered(launchParamsList, numDevices, flags, LaunchKind::Plain);
}

Status hipModuleLaunchCooperativeKernelMultiDevice(hipFunctionLaunchParams* launchParamsList, unsigned int numDevices,
                                                   unsigned int flags) {
  RT_TRY(check_list(numDevices, flags));
  std::vector<GridLaunch> grids;
  std::vector<decltype(core::functions().pin(nullptr))> pins; // until the launch
  for (unsigned i = 0; i < numDevices; ++i) {
    const hipFunctionLaunchParams& p = launchParamsList[i];
    RT_TRY_ASSIGN(core::Pin<core::Stream> stream, stream_of(i, p.hStream));
    auto pin = core::functions().pin(p.function);
    if (!pin)
      return error(ErrorCode::InvalidHandle, "{} is not a function, or its module was unloaded.",
                   static_cast<void*>(p.function));
    grids.push_back({.function = &pin->function(),
                     .stream = std::move(stream),
                     .request = {.shape = {.grid = {p.gridDimX, p.gridDimY, p.gridDimZ},
                                           .group = {p.blockDimX, p.blockDimY, p.blockDimZ},
                                           .dynamic_lds_bytes = p.sharedMemBytes,
                                           .kind = LaunchKind::Cooperative},
                                 .argument_pointers = p.kernelParams}});
    pins.push_back(std::move(pin));
  }
  return launch_all(grids, flags);
}

} // namespace hip::api
