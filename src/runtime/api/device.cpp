// Device choice, properties, limits.
#include "runtime/api/api.h"
#include "runtime/api/atomics.h"
#include "runtime/api/device_properties.h"
#include "runtime/core/fat_binary.h"
#include "runtime/core/graph/capture.h"
#include "runtime/core/host_wait.h"

#include <cstdio>
#include <cstring>

namespace hip::api {

static_assert(core::Device::kScheduleFlags == hipDeviceScheduleMask);

Status hipGetDeviceCount(int* count) {
  *count = static_cast<int>(core::devices().size());
  if (*count != 0) return {};
  return core::current_device().status(); // says why
}

Status hipGetDevice(int* deviceId) {
  RT_TRY_ASSIGN(core::Device * device, core::current_device());
  *deviceId = device->ordinal();
  return {};
}

Status hipSetDevice(int deviceId) {
  RT_TRY_ASSIGN(core::Device * device, core::find_device(deviceId));
  core::this_thread().device = device->ordinal();
  core::this_thread().device_is_chosen = true;
  return device->hal().select();
}

Status hipSetValidDevices(int* device_arr, int len) {
  const size_t all = core::devices().size();
  if (len < 0 || static_cast<size_t>(len) > all)
    return error(ErrorCode::InvalidValue, "{} devices are listed; the process sees {}.", len, all);
  if (len != 0 && !device_arr) return error(ErrorCode::InvalidValue, "The list of {} devices is null.", len);
  return core::set_device_order(std::span(device_arr, static_cast<size_t>(len)));
}

Status hipGetDeviceFlags(unsigned int* flags) {
  RT_TRY_ASSIGN(core::Device * device, core::current_device());
  *flags = device->flags();
  return {};
}

namespace {

Status check_device_flags(unsigned flags) {
  constexpr unsigned kKnown = hipDeviceScheduleMask | hipDeviceMapHost | hipDeviceLmemResizeToMax;
  const unsigned schedule = flags & hipDeviceScheduleMask;
  if ((flags & ~kKnown) == 0 && (schedule & (schedule - 1)) == 0) return {};
  return error(ErrorCode::InvalidValue, "The device flags {:#x} are not known or exclude each other.", flags);
}

} // namespace

Status hipSetDeviceFlags(unsigned int flags) {
  RT_TRY(check_device_flags(flags));
  RT_TRY_ASSIGN(core::Device * device, core::current_device());
  return device->set_flags(flags);
}

Status hipInitDevice(int device, unsigned int deviceFlags, unsigned int flags) {
  RT_TRY_ASSIGN(core::Device* const found, core::find_device(device));
  if (flags != 0 && flags != hipInitDeviceFlagsAreValid)
    return error(ErrorCode::InvalidValue, "The flags {:#x} of hipInitDevice are not known.", flags);
  if (flags == hipInitDeviceFlagsAreValid) {
    RT_TRY(check_device_flags(deviceFlags));
    RT_TRY(found->set_flags(deviceFlags));
  }
  // What the first work on the device would make: its default stream's queue, with the driver's context.
  auto nothing = [](backend::Queue&) { return Status(); };
  RT_TRY(found->null_stream().call_now(nothing));
  core::load_registered_code(*found);
  return {};
}

Status hipGetDevicePropertiesR0600(hipDeviceProp_tR0600* prop, int deviceId) {
  RT_TRY_ASSIGN(core::Device * device, core::find_device(deviceId));
  *prop = device_properties(*device);
  return {};
}

Status hipDeviceGetAttribute(int* pi, hipDeviceAttribute_t attr, int deviceId) {
  RT_TRY_ASSIGN(core::Device * device, core::find_device(deviceId));
  return get_device_attribute(pi, *device, attr);
}

Status hipChooseDeviceR0600(int* device, const hipDeviceProp_tR0600* prop) {
  RT_TRY(core::current_device().status());
  int best_score = -1;
  for (core::Device* candidate : core::devices()) {
    const hipDeviceProp_tR0600 p = device_properties(*candidate);
    // Every property that is asked for and met counts one; what is not asked for is zero.
    int score = 0;
    const auto wants = [&score](auto asked, auto has) { score += asked != 0 && has >= asked ? 1 : 0; };
    wants(prop->major, p.major);
    if (prop->major == p.major) wants(prop->minor, p.minor);
    wants(prop->totalGlobalMem, p.totalGlobalMem);
    wants(prop->sharedMemPerBlock, p.sharedMemPerBlock);
    wants(prop->maxThreadsPerBlock, p.maxThreadsPerBlock);
    wants(prop->totalConstMem, p.totalConstMem);
    wants(prop->multiProcessorCount, p.multiProcessorCount);
    wants(prop->maxThreadsPerMultiProcessor, p.maxThreadsPerMultiProcessor);
    wants(prop->memoryClockRate, p.memoryClockRate);
    if (score <= best_score) continue;
    best_score = score;
    *device = candidate->ordinal();
  }
  return {};
}

Status hipGetDevicePropertiesR0000(hipDeviceProp_tR0000* prop, int device) {
  RT_TRY_ASSIGN(core::Device * found, core::find_device(device));
  *prop = older_properties(device_properties(*found));
  return {};
}

Status hipChooseDeviceR0000(int* device, const hipDeviceProp_tR0000* prop) {
  hipDeviceProp_tR0600 wanted{};
  wanted.major = prop->major;
  wanted.minor = prop->minor;
  wanted.totalGlobalMem = prop->totalGlobalMem;
  wanted.sharedMemPerBlock = prop->sharedMemPerBlock;
  wanted.maxThreadsPerBlock = prop->maxThreadsPerBlock;
  wanted.totalConstMem = prop->totalConstMem;
  wanted.multiProcessorCount = prop->multiProcessorCount;
  wanted.maxThreadsPerMultiProcessor = prop->maxThreadsPerMultiProcessor;
  wanted.memoryClockRate = prop->memoryClockRate;
  return api::hipChooseDeviceR0600(device, &wanted);
}

Status hipDeviceGetCacheConfig(hipFuncCache_t* cacheConfig) {
  RT_TRY_ASSIGN([[maybe_unused]] core::Device * device, core::current_device());
  *cacheConfig = hipFuncCachePreferNone; // LDS and the L1 cache are separate on these devices
  return {};
}

Status hipDeviceSetCacheConfig(hipFuncCache_t cacheConfig) {
  if (cacheConfig < hipFuncCachePreferNone || cacheConfig > hipFuncCachePreferEqual)
    return error(ErrorCode::InvalidValue, "{} is no hipFuncCache_t.", static_cast<int>(cacheConfig));
  RT_TRY(core::check_call_allowed());
  return core::current_device().status(); // a preference that has nothing to choose from
}

Status hipDeviceGetSharedMemConfig(hipSharedMemConfig* pConfig) {
  RT_TRY_ASSIGN([[maybe_unused]] core::Device * device, core::current_device());
  *pConfig = hipSharedMemBankSizeFourByte; // LDS has 32 banks of 4 bytes, which cannot be changed
  return {};
}

Status hipDeviceSetSharedMemConfig(hipSharedMemConfig config) {
  if (config < hipSharedMemBankSizeDefault || config > hipSharedMemBankSizeEightByte)
    return error(ErrorCode::InvalidValue, "{} is no hipSharedMemConfig.", static_cast<int>(config));
  RT_TRY(core::check_call_allowed());
  return core::current_device().status(); // a preference that has nothing to choose from
}

namespace {

constexpr int kPersistingL2Limit = 6; // cudaLimitPersistingL2CacheSize, for which HIP has no name

Result<core::Limit> to_limit(const core::Device& device, hipLimit_t limit) {
  switch (static_cast<int>(limit)) {
  case hipLimitStackSize:
    return core::Limit::StackSize;
  case hipLimitPrintfFifoSize:
    return core::Limit::PrintfFifoSize;
  case hipLimitMallocHeapSize:
    return core::Limit::MallocHeapSize;
  case kPersistingL2Limit:
    if (device.properties().persisting_l2_bytes != 0) return core::Limit::PersistingL2Size;
    [[fallthrough]];
  default:
    return error(ErrorCode::UnsupportedLimit, "{} is no hipLimit_t of this device.", static_cast<int>(limit));
  }
}

} // namespace

Status hipDeviceGetLimit(size_t* pValue, hipLimit_t limit) {
  RT_TRY_ASSIGN(core::Device * device, core::current_device());
  RT_TRY_ASSIGN(const core::Limit which, to_limit(*device, limit));
  *pValue = device->limit(which);
  return {};
}

Status hipDeviceSetLimit(hipLimit_t limit, size_t value) {
  RT_TRY_ASSIGN(core::Device * device, core::current_device());
  if (static_cast<int>(limit) >= hipLimitRange)
    return error(ErrorCode::InvalidValue, "{} is no hipLimit_t.", static_cast<int>(limit));
  RT_TRY_ASSIGN(const core::Limit which, to_limit(*device, limit));
  const uint32_t largest_stack = device->properties().max_stack_bytes_per_item;
  if (which == core::Limit::StackSize && value > largest_stack)
    return error(ErrorCode::InvalidValue, "A stack of {} bytes per work-item is more than the {} that the device has.",
                 value, largest_stack);
  return device->set_limit(which, value);
}

Status hipDeviceReset() {
  RT_TRY_ASSIGN(core::Device * device, core::current_device());
  return device->reset();
}

Status hipDeviceSynchronize() {
  RT_TRY_ASSIGN(core::Device * device, core::current_device());
  RT_TRY(core::check_device_wait_allowed(*device));
  Status done = device->synchronize();
  core::after_host_wait();
  return done;
}

Status hipDeviceComputeCapability(int* major, int* minor, hipDevice_t device) {
  RT_TRY_ASSIGN(core::Device * found, core::find_device(device));
  *major = found->properties().major;
  *minor = found->properties().minor;
  return {};
}

Status hipDeviceGet(hipDevice_t* device, int ordinal) {
  RT_TRY_ASSIGN(core::Device * found, core::find_device(ordinal));
  *device = found->ordinal();
  return {};
}

Status hipDeviceGetName(char* name, int len, hipDevice_t device) {
  RT_TRY_ASSIGN(core::Device * found, core::find_device(device));
  if (len <= 0) return error(ErrorCode::InvalidValue, "The buffer for the device's name has {} bytes.", len);
  std::snprintf(name, static_cast<size_t>(len), "%s", found->properties().name.c_str());
  return {};
}

Status hipDeviceGetUuid(hipUUID* uuid, hipDevice_t device) {
  RT_TRY_ASSIGN(core::Device * found, core::find_device(device));
  std::memcpy(uuid->bytes, found->properties().uuid.data(), sizeof uuid->bytes);
  return {};
}

Status hipDeviceGetLuid(char* luid, unsigned int* deviceNodeMask, hipDevice_t device) {
  static_cast<void>(luid);
  static_cast<void>(deviceNodeMask);
  RT_TRY(core::find_device(device).status());
  return error(ErrorCode::NotSupported, "Devices have LUIDs on Windows alone.");
}

Status hipDeviceGetHostAtomicCapabilities(unsigned int* capabilities, const hipAtomicOperation* operations,
                                          unsigned int count, int device) {
  RT_TRY_ASSIGN(core::Device* const found, core::find_device(device));
  return atomic_capabilities(*found, nullptr, {operations, count}, capabilities);
}

Status hipDeviceFlushGPUDirectRDMAWrites(hipFlushGPUDirectRDMAWritesTarget target,
                                         hipFlushGPUDirectRDMAWritesScope scope) {
  using WrittenFor = backend::Device::WrittenFor;
  if (target != hipFlushGPUDirectRDMAWritesTargetCurrentDevice ||
      (scope != hipFlushGPUDirectRDMAWritesToOwner && scope != hipFlushGPUDirectRDMAWritesToAllDevices))
    return error(ErrorCode::InvalidValue, "The target {} or the scope {} is not known.", static_cast<int>(target),
                 static_cast<int>(scope));
  RT_TRY_ASSIGN(core::Device* const device, core::current_device());
  return device->hal().flush_remote_writes(scope == hipFlushGPUDirectRDMAWritesToOwner ? WrittenFor::Owner
                                                                                       : WrittenFor::AllDevices);
}

Status hipDeviceTotalMem(size_t* bytes, hipDevice_t device) {
  RT_TRY_ASSIGN(core::Device * found, core::find_device(device));
  *bytes = found->properties().memory_bytes;
  return {};
}

Status hipDeviceGetPCIBusId(char* pciBusId, int len, int device) {
  RT_TRY_ASSIGN(core::Device * found, core::find_device(device));
  constexpr int kLength = 13; // "0000:00:00.0" and its zero
  const backend::DeviceProperties& p = found->properties();
  // What there is room for is written also when it is not all, as upstream does.
  if (len > 0)
    std::snprintf(pciBusId, static_cast<size_t>(len), "%04x:%02x:%02x.0", p.pci_domain, p.pci_bus, p.pci_device);
  if (len < kLength)
    return error(ErrorCode::InvalidValue, "The buffer for the PCI address has {} bytes; it takes {}.", len, kLength);
  return {};
}

Status hipDeviceGetByPCIBusId(int* device, const char* pciBusId) {
  RT_TRY(core::current_device().status());
  // [domain:]bus:device[.function]
  unsigned domain = 0, bus = 0, slot = 0;
  if (std::sscanf(pciBusId, "%x:%x:%x", &domain, &bus, &slot) != 3) {
    domain = 0;
    if (std::sscanf(pciBusId, "%x:%x", &bus, &slot) != 2)
      return error(ErrorCode::InvalidValue, "\"{}\" is no PCI address.", pciBusId);
  }
  for (core::Device* candidate : core::devices()) {
    const backend::DeviceProperties& p = candidate->properties();
    if (p.pci_domain != domain || p.pci_bus != bus || p.pci_device != slot) continue;
    *device = candidate->ordinal();
    return {};
  }
  return error(ErrorCode::InvalidDevice, "No device has the PCI address \"{}\".", pciBusId);
}

} // namespace hip::api
