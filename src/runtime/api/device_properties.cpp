#include "runtime/api/device_properties.h"

#include <algorithm>
#include <charconv>
#include <cstring>

namespace hip::api {
namespace {

template<class T> int to_int(T value) {
  return static_cast<int>(std::min<uint64_t>(static_cast<uint64_t>(value), INT32_MAX));
}

template<size_t N> void put_text(char (&field)[N], const std::string& text) {
  const size_t length = std::min(text.size(), N - 1);
  std::memcpy(field, text.data(), length);
  field[length] = '\0';
}

template<size_t N> void put(int (&field)[N], const std::array<uint32_t, N>& values) {
  for (size_t i = 0; i < N; ++i) field[i] = to_int(values[i]);
}

void put_textures(hipDeviceProp_tR0600& p, const backend::TextureLimits& t) {
  p.maxTexture1D = to_int(t.texture_1d);
  p.maxTexture1DMipmap = to_int(t.texture_1d_mipmapped);
  p.maxTexture1DLinear = to_int(t.texture_1d_linear);
  put(p.maxTexture1DLayered, t.texture_1d_layered);
  put(p.maxTexture2D, t.texture_2d);
  put(p.maxTexture2DMipmap, t.texture_2d_mipmapped);
  put(p.maxTexture2DLinear, t.texture_2d_linear);
  put(p.maxTexture2DGather, t.texture_2d_gather);
  put(p.maxTexture2DLayered, t.texture_2d_layered);
  put(p.maxTexture3D, t.texture_3d);
  put(p.maxTexture3DAlt, t.texture_3d_alternate);
  p.maxTextureCubemap = to_int(t.texture_cubemap);
  put(p.maxTextureCubemapLayered, t.texture_cubemap_layered);
  p.maxSurface1D = to_int(t.surface_1d);
  put(p.maxSurface1DLayered, t.surface_1d_layered);
  put(p.maxSurface2D, t.surface_2d);
  put(p.maxSurface2DLayered, t.surface_2d_layered);
  put(p.maxSurface3D, t.surface_3d);
  p.maxSurfaceCubemap = to_int(t.surface_cubemap);
  put(p.maxSurfaceCubemapLayered, t.surface_cubemap_layered);
}

} // namespace

hipDeviceProp_tR0600 device_properties(const core::Device& device) {
  const backend::DeviceProperties& d = device.properties();
  hipDeviceProp_tR0600 p;
  std::memset(&p, 0, sizeof p); // the device does not have what is not set below
  put_text(p.name, d.name);
  put_text(p.gcnArchName, d.target);
  std::memcpy(p.uuid.bytes, d.uuid.data(), sizeof p.uuid.bytes);
  p.luidDeviceNodeMask = 0;
  p.pciDomainID = to_int(d.pci_domain);
  p.pciBusID = to_int(d.pci_bus);
  p.pciDeviceID = to_int(d.pci_device);
  p.major = d.major;
  p.minor = d.minor;

  p.totalGlobalMem = d.memory_bytes;
  // Without memory of their own constants are ordinary global memory.
  p.totalConstMem = d.constant_bytes ? d.constant_bytes : std::min<uint64_t>(d.memory_bytes, INT32_MAX);
  p.sharedMemPerBlock = d.lds_bytes_per_group;
  p.sharedMemPerBlockOptin = d.most_lds_bytes_per_group();
  p.sharedMemPerMultiprocessor = d.lds_bytes_per_cu;
  p.maxSharedMemoryPerMultiProcessor = d.lds_bytes_per_cu;
  p.reservedSharedMemPerBlock = d.lds_reserved_bytes_per_group;
  p.memPitch = d.max_pitch_bytes;
  p.textureAlignment = d.texture_alignment;
  p.texturePitchAlignment = d.texture_pitch_alignment;
  p.surfaceAlignment = d.surface_alignment;
  p.l2CacheSize = to_int(d.l2_bytes);
  p.persistingL2CacheMaxSize = to_int(d.persisting_l2_bytes);
  p.accessPolicyMaxWindowSize = to_int(d.access_policy_window_bytes);
  p.memoryClockRate = to_int(d.memory_clock_khz);
  p.memoryBusWidth = to_int(d.memory_bus_bits);

  p.warpSize = to_int(d.wave_lanes);
  p.multiProcessorCount = to_int(d.compute_units);
  p.maxThreadsPerBlock = to_int(d.max_group_items);
  p.maxThreadsPerMultiProcessor = to_int(uint64_t{d.max_waves_per_cu} * d.wave_lanes);
  const int full_groups = d.max_group_items ? p.maxThreadsPerMultiProcessor / to_int(d.max_group_items) : 0;
  p.maxBlocksPerMultiProcessor = d.max_groups_per_cu ? to_int(d.max_groups_per_cu) : full_groups;
  for (int i = 0; i < 3; ++i) {
    p.maxThreadsDim[i] = to_int(d.max_group_dim[static_cast<size_t>(i)]);
    p.maxGridSize[i] = to_int(d.max_grid_dim[static_cast<size_t>(i)]);
  }
  // 32-bit registers: what one compute unit's SIMDs hold, arch and accumulation registers together.
  const uint64_t in_simds = uint64_t{d.vgprs_per_simd} * d.simds_per_cu * d.wave_lanes;
  p.regsPerMultiprocessor = to_int(d.registers_per_cu ? d.registers_per_cu : in_simds);
  p.regsPerBlock = to_int(d.registers_per_group ? d.registers_per_group : in_simds);
  p.clockRate = to_int(d.core_clock_khz);
  p.clockInstructionRate = to_int(d.wall_clock_khz);

  p.asyncEngineCount = to_int(d.async_copy_engines);
  p.deviceOverlap = d.async_copy_engines != 0;
  p.concurrentKernels = d.concurrent_kernels;
  p.unifiedAddressing = d.unified_addressing;
  p.canMapHostMemory = d.map_host_memory;
  p.hostRegisterSupported = d.host_register;
  p.canUseHostPointerForRegisteredMem = d.host_pointer_for_registered;
  p.streamPrioritiesSupported = d.stream_priorities;
  p.computePreemptionSupported = d.compute_preemption;
  p.globalL1CacheSupported = d.global_l1_cache;
  p.localL1CacheSupported = d.local_l1_cache;
  p.unifiedFunctionPointers = 1;
  p.isLargeBar = d.large_bar;
  p.computeMode = to_int(d.compute_mode);
  p.singleToDoublePrecisionPerfRatio = to_int(d.single_to_double_ratio);
  p.integrated = d.integrated;
  p.ECCEnabled = d.ecc;
  p.tccDriver = d.tcc_driver;
  p.kernelExecTimeoutEnabled = d.kernel_timeout;
  p.isMultiGpuBoard = d.multi_gpu_board;
  p.multiGpuBoardGroupID = to_int(d.multi_gpu_board_group);
  p.hostNativeAtomicSupported = d.host_native_atomics;
  p.directManagedMemAccessFromHost = d.direct_managed_access_from_host;
  p.managedMemory = d.managed_memory;
  p.concurrentManagedAccess = d.concurrent_managed_access;
  p.pageableMemoryAccess = d.pageable_memory_access;
  p.pageableMemoryAccessUsesHostPageTables = d.pageable_access_by_host_tables;
  p.cooperativeLaunch = d.cooperative_launch;
  p.cooperativeMultiDeviceLaunch = d.multi_grid_barrier;
  // Each grid of such a launch has a kernel and a shape of its own.
  p.cooperativeMultiDeviceUnmatchedFunc = d.multi_grid_barrier;
  p.cooperativeMultiDeviceUnmatchedGridDim = d.multi_grid_barrier;
  p.cooperativeMultiDeviceUnmatchedBlockDim = d.multi_grid_barrier;
  p.cooperativeMultiDeviceUnmatchedSharedMem = d.multi_grid_barrier;
  p.memoryPoolsSupported = 1;
  p.memoryPoolSupportedHandleTypes = d.virtual_memory ? hipMemHandleTypePosixFileDescriptor : hipMemHandleTypeNone;
  put_textures(p, device.texture_limits());

  p.arch.hasGlobalInt32Atomics = 1;
  p.arch.hasGlobalFloatAtomicExch = 1;
  p.arch.hasSharedInt32Atomics = 1;
  p.arch.hasSharedFloatAtomicExch = 1;
  p.arch.hasFloatAtomicAdd = 1;
  p.arch.hasGlobalInt64Atomics = 1;
  p.arch.hasSharedInt64Atomics = 1;
  p.arch.hasDoubles = 1;
  p.arch.hasWarpVote = 1;
  p.arch.hasWarpBallot = 1;
  p.arch.hasWarpShuffle = 1;
  p.arch.hasThreadFenceSystem = 1;
  p.arch.has3dGrid = 1;
  return p;
}

namespace {

// The number of "gfx942", 942; of "gfx90a" it is 910, since minor version and stepping are one hexadecimal digit each.
// Generic processors and other vendors' devices have none.
int gcn_arch(std::string_view target) noexcept {
  const std::string_view name = target.substr(0, target.find(':'));
  if (!name.starts_with("gfx") || name.size() < 6) return 0;
  int major = 0, minor = 0, stepping = 0;
  const char *const digits = name.data() + 3, *const end = name.data() + name.size();
  if (std::from_chars(digits, end - 2, major).ptr != end - 2) return 0;
  if (std::from_chars(end - 2, end - 1, minor, 16).ptr != end - 1) return 0;
  if (std::from_chars(end - 1, end, stepping, 16).ptr != end) return 0;
  return major * 100 + minor * 10 + stepping;
}

} // namespace

hipDeviceProp_tR0000 older_properties(const hipDeviceProp_tR0600& p) {
  hipDeviceProp_tR0000 o;
  std::memset(&o, 0, sizeof o);
  o.totalGlobalMem = p.totalGlobalMem;
  o.sharedMemPerBlock = p.sharedMemPerBlock;
  o.regsPerBlock = p.regsPerBlock;
  o.warpSize = p.warpSize;
  o.maxThreadsPerBlock = p.maxThreadsPerBlock;
  o.clockRate = p.clockRate;
  o.memoryClockRate = p.memoryClockRate;
  o.memoryBusWidth = p.memoryBusWidth;
  o.totalConstMem = p.totalConstMem;
  o.major = p.major;
  o.minor = p.minor;
  o.multiProcessorCount = p.multiProcessorCount;
  o.l2CacheSize = p.l2CacheSize;
  o.maxThreadsPerMultiProcessor = p.maxThreadsPerMultiProcessor;
  o.computeMode = p.computeMode;
  o.clockInstructionRate = p.clockInstructionRate;
  o.arch = p.arch;
  o.concurrentKernels = p.concurrentKernels;
  o.pciDomainID = p.pciDomainID;
  o.pciBusID = p.pciBusID;
  o.pciDeviceID = p.pciDeviceID;
  o.maxSharedMemoryPerMultiProcessor = p.maxSharedMemoryPerMultiProcessor;
  o.isMultiGpuBoard = p.isMultiGpuBoard;
  o.canMapHostMemory = p.canMapHostMemory;
  o.integrated = p.integrated;
  o.cooperativeLaunch = p.cooperativeLaunch;
  o.cooperativeMultiDeviceLaunch = p.cooperativeMultiDeviceLaunch;
  o.maxTexture1DLinear = p.maxTexture1DLinear;
  o.maxTexture1D = p.maxTexture1D;
  o.hdpMemFlushCntl = p.hdpMemFlushCntl;
  o.hdpRegFlushCntl = p.hdpRegFlushCntl;
  o.memPitch = p.memPitch;
  o.textureAlignment = p.textureAlignment;
  o.texturePitchAlignment = p.texturePitchAlignment;
  o.kernelExecTimeoutEnabled = p.kernelExecTimeoutEnabled;
  o.ECCEnabled = p.ECCEnabled;
  o.tccDriver = p.tccDriver;
  o.cooperativeMultiDeviceUnmatchedFunc = p.cooperativeMultiDeviceUnmatchedFunc;
  o.cooperativeMultiDeviceUnmatchedGridDim = p.cooperativeMultiDeviceUnmatchedGridDim;
  o.cooperativeMultiDeviceUnmatchedBlockDim = p.cooperativeMultiDeviceUnmatchedBlockDim;
  o.cooperativeMultiDeviceUnmatchedSharedMem = p.cooperativeMultiDeviceUnmatchedSharedMem;
  o.isLargeBar = p.isLargeBar;
  o.asicRevision = p.asicRevision;
  o.managedMemory = p.managedMemory;
  o.directManagedMemAccessFromHost = p.directManagedMemAccessFromHost;
  o.concurrentManagedAccess = p.concurrentManagedAccess;
  o.pageableMemoryAccess = p.pageableMemoryAccess;
  o.pageableMemoryAccessUsesHostPageTables = p.pageableMemoryAccessUsesHostPageTables;
  std::memcpy(o.name, p.name, sizeof o.name);
  std::memcpy(o.gcnArchName, p.gcnArchName, sizeof o.gcnArchName);
  std::memcpy(o.maxThreadsDim, p.maxThreadsDim, sizeof o.maxThreadsDim);
  std::memcpy(o.maxGridSize, p.maxGridSize, sizeof o.maxGridSize);
  std::memcpy(o.maxTexture2D, p.maxTexture2D, sizeof o.maxTexture2D);
  std::memcpy(o.maxTexture3D, p.maxTexture3D, sizeof o.maxTexture3D);
  o.gcnArch = gcn_arch(p.gcnArchName);
  return o;
}

// The sources that hip/api/attributes.def names for attributes that are no field of hipDeviceProp_t.
namespace {
using core::Device;
int virtual_memory_management(const Device& d) { return d.properties().virtual_memory; }
int host_numa_id(const Device&) { return 0; }
int stream_wait_value(const Device& d) { return d.properties().stream_values; }
int image_support(const Device& d) { return d.texture_limits().texture_2d[0] != 0; } // gfx9-4 has no image instructions
uint32_t physical_compute_units(const Device& d) { return d.properties().compute_units; }
int fine_grain_support(const Device&) { return 1; }
uint32_t wall_clock_khz(const Device& d) { return d.properties().wall_clock_khz; }
int xcc_count(const Device&) { return 1; }
uint32_t max_vgprs_per_work_item(const Device& d) { return d.properties().vgprs_per_item; }
int generic_compression(const Device& d) { return d.properties().compressed_memory; }
int pci_chip_id(const Device&) { return 0; } // the software GPU is no PCI device; real ones come with kfd
} // namespace

Status get_device_attribute(int* value, const core::Device& device, hipDeviceAttribute_t attribute) {
  const hipDeviceProp_tR0600 p = device_properties(device);
  switch (attribute) {
#define HIP_ATTRIBUTE_FIELD(name, number, field)                                                                       \
  case number:                                                                                                         \
    static_assert(hipDeviceAttribute##name == number);                                                                 \
    *value = to_int(p.field);                                                                                          \
    return {};
#define HIP_ATTRIBUTE_POINTER(name, number, field)                                                                     \
  case number:                                                                                                         \
    static_assert(hipDeviceAttribute##name == number);                                                                 \
    std::memcpy(value, &p.field, sizeof p.field);                                                                      \
    return {};
#define HIP_ATTRIBUTE_SOURCE(name, number, source)                                                                     \
  case number:                                                                                                         \
    static_assert(hipDeviceAttribute##name == number);                                                                 \
    *value = to_int(source(device));                                                                                   \
    return {};
#define HIP_ATTRIBUTE_NONE(name, number)                                                                               \
  case number:                                                                                                         \
    static_assert(hipDeviceAttribute##name == number);                                                                 \
    break;
#include "api/attributes.def"
#undef HIP_ATTRIBUTE_FIELD
#undef HIP_ATTRIBUTE_POINTER
#undef HIP_ATTRIBUTE_SOURCE
#undef HIP_ATTRIBUTE_NONE
  default:
    break;
  }
  return error(ErrorCode::InvalidValue, "{} is no attribute of device {}.", static_cast<int>(attribute),
               device.ordinal());
}

} // namespace hip::api
