// hip/api/device.h - choosing devices, asking what they are, setting their limits and waiting for them.
//
// Each thread has one current device, 0 until it calls hipSetDevice; calls without a device argument work on it.
#ifndef HIP_INCLUDE_HIP_API_DEVICE_H
#define HIP_INCLUDE_HIP_API_DEVICE_H

#include <hip/api/device_attributes.h>
#include <hip/api/device_properties.h>
#include <hip/api/error.h>
#include <hip/api/handles.h>

typedef enum hipComputeMode {
  hipComputeModeDefault = 0,
  hipComputeModeExclusive = 1,
  hipComputeModeProhibited = 2,
  hipComputeModeExclusiveProcess = 3
} hipComputeMode;

typedef enum hipFlushGPUDirectRDMAWritesOptions {
  hipFlushGPUDirectRDMAWritesOptionHost = 1 << 0,
  hipFlushGPUDirectRDMAWritesOptionMemOps = 1 << 1
} hipFlushGPUDirectRDMAWritesOptions;

typedef enum hipGPUDirectRDMAWritesOrdering {
  hipGPUDirectRDMAWritesOrderingNone = 0,
  hipGPUDirectRDMAWritesOrderingOwner = 100,
  hipGPUDirectRDMAWritesOrderingAllDevices = 200
} hipGPUDirectRDMAWritesOrdering;

// hipDeviceFlushGPUDirectRDMAWrites: whose memory was written, and who is to see it.
typedef enum hipFlushGPUDirectRDMAWritesTarget {
  hipFlushGPUDirectRDMAWritesTargetCurrentDevice = 0
} hipFlushGPUDirectRDMAWritesTarget;

typedef enum hipFlushGPUDirectRDMAWritesScope {
  hipFlushGPUDirectRDMAWritesToOwner = 100,
  hipFlushGPUDirectRDMAWritesToAllDevices = 200
} hipFlushGPUDirectRDMAWritesScope;

// An atomic operation, and what hardware can do of it, as bits.
typedef enum hipAtomicOperation {
  hipAtomicOperationIntegerAdd = 0,
  hipAtomicOperationIntegerMin = 1,
  hipAtomicOperationIntegerMax = 2,
  hipAtomicOperationIntegerIncrement = 3,
  hipAtomicOperationIntegerDecrement = 4,
  hipAtomicOperationAnd = 5,
  hipAtomicOperationOr = 6,
  hipAtomicOperationXOR = 7,
  hipAtomicOperationExchange = 8,
  hipAtomicOperationCAS = 9,
  hipAtomicOperationFloatAdd = 10,
  hipAtomicOperationFloatMin = 11,
  hipAtomicOperationFloatMax = 12,
  hipAtomicOperationMax
} hipAtomicOperation;

typedef enum hipAtomicCapability {
  hipAtomicCapabilitySigned = 1 << 0,
  hipAtomicCapabilityUnsigned = 1 << 1,
  hipAtomicCapabilityReduction = 1 << 2, // without a result
  hipAtomicCapabilityScalar32 = 1 << 3,
  hipAtomicCapabilityScalar64 = 1 << 4,
  hipAtomicCapabilityScalar128 = 1 << 5,
  hipAtomicCapabilityVector32x4 = 1 << 6
} hipAtomicCapability;

// hipDeviceGetLimit, hipDeviceSetLimit: bytes.
typedef enum hipLimit_t {
  hipLimitStackSize = 0x0,      // private stack of a work-item
  hipLimitPrintfFifoSize = 0x1, // buffer of printf in kernels
  hipLimitMallocHeapSize = 0x2, // heap of malloc in kernels
  hipExtLimitScratchMin = 0x1000,
  hipExtLimitScratchMax = 0x1001,
  hipExtLimitScratchCurrent = 0x1002,
  hipLimitRange
} hipLimit_t;

// Preference between L1 cache and shared memory. AMD targets have separate memories and ignore it.
typedef enum hipFuncCache_t {
  hipFuncCachePreferNone = 0,
  hipFuncCachePreferShared = 1,
  hipFuncCachePreferL1 = 2,
  hipFuncCachePreferEqual = 3
} hipFuncCache_t;

typedef enum hipSharedMemConfig {
  hipSharedMemBankSizeDefault = 0,
  hipSharedMemBankSizeFourByte = 1,
  hipSharedMemBankSizeEightByte = 2
} hipSharedMemConfig;

// hipSetDeviceFlags. The low three bits say how the host waits for the device; at most one may be set.
#define hipDeviceScheduleAuto 0x0
#define hipDeviceScheduleSpin 0x1
#define hipDeviceScheduleYield 0x2
#define hipDeviceScheduleBlockingSync 0x4
#define hipDeviceScheduleMask 0x7
#define hipDeviceMapHost 0x8
#define hipDeviceLmemResizeToMax 0x10

// hipInitDevice: its device flags are meant.
#define hipInitDeviceFlagsAreValid 0x1

// Special values of a device argument.
#define hipCpuDeviceId ((int)-1)
#define hipInvalidDeviceId ((int)-2)

HIP_C_BEGIN

// Number of devices that this process may use, after the visibility variables. hipErrorNoDevice when there is none.
hipError_t hipGetDeviceCount(int* count);

// The calling thread's current device.
hipError_t hipGetDevice(int* deviceId);

// Makes `deviceId` the calling thread's current device. hipErrorInvalidDevice when there is no such device.
hipError_t hipSetDevice(int deviceId);

// Makes device `device` ready, so that its first use need not, and leaves the current device as it is. With
// hipInitDeviceFlagsAreValid in `flags`, `deviceFlags` are the device's, as hipSetDeviceFlags sets them.
hipError_t hipInitDevice(int device, unsigned int deviceFlags, unsigned int flags);

// Sets the order in which devices are tried when the thread has not chosen one. `len` 0 restores the default.
hipError_t hipSetValidDevices(int* device_arr, int len);

// How the host waits for the current device: the schedule flag that was set (hipDeviceScheduleMask), and no other
// flags.
hipError_t hipGetDeviceFlags(unsigned int* flags);

// Sets the current device's flags. hipErrorInvalidValue when more than one schedule bit is set.
hipError_t hipSetDeviceFlags(unsigned int flags);

// Fills `prop` with the description of device `deviceId`.
hipError_t hipGetDevicePropertiesR0600(hipDeviceProp_tR0600* prop, int deviceId);

// Finds the device that agrees best with the fields of `prop` that are not zero.
hipError_t hipChooseDeviceR0600(int* device, const hipDeviceProp_tR0600* prop);

// One property of device `deviceId`. hipErrorInvalidValue for an attribute that does not exist.
hipError_t hipDeviceGetAttribute(int* pi, hipDeviceAttribute_t attr, int deviceId);

// Handle of the device with that ordinal. On all our platforms the handle is the ordinal.
hipError_t hipDeviceGet(hipDevice_t* device, int ordinal);

// Copies the device's marketing name into `name`, at most `len` bytes with the final zero.
hipError_t hipDeviceGetName(char* name, int len, hipDevice_t device);

// 16 bytes that identify the device across processes and restarts.
hipError_t hipDeviceGetUuid(hipUUID* uuid, hipDevice_t device);

// What Windows calls the device: hipErrorNotSupported on all other systems.
hipError_t hipDeviceGetLuid(char* luid, unsigned int* deviceNodeMask, hipDevice_t device);

// Major and minor number of the architecture: 9 and 4 for gfx942.
hipError_t hipDeviceComputeCapability(int* major, int* minor, hipDevice_t device);

// Memory of the device in bytes.
hipError_t hipDeviceTotalMem(size_t* bytes, hipDevice_t device);

// Writes "domain:bus:device.function" in hexadecimal. hipErrorInvalidValue when `len` is too small for it.
hipError_t hipDeviceGetPCIBusId(char* pciBusId, int len, int device);

// The device at that PCI address.
hipError_t hipDeviceGetByPCIBusId(int* device, const char* pciBusId);

// What a device's kernels can do atomically to memory of the host: for each of `count` operations the bits of
// hipAtomicCapability.
hipError_t hipDeviceGetHostAtomicCapabilities(unsigned int* capabilities, const hipAtomicOperation* operations,
                                              unsigned int count, int device);

// Waits until what other hardware has written to the current device's memory can be seen. hipErrorNotSupported where
// the host has no means to do so.
hipError_t hipDeviceFlushGPUDirectRDMAWrites(enum hipFlushGPUDirectRDMAWritesTarget target,
                                             enum hipFlushGPUDirectRDMAWritesScope scope);

// Waits until all work of the current device has ended. Returns the error of work that failed.
hipError_t hipDeviceSynchronize(void);

// Ends all work of the current device and frees everything this process has on it.
hipError_t hipDeviceReset(void);

// Reads a limit. hipErrorUnsupportedLimit when the device has no such limit.
hipError_t hipDeviceGetLimit(size_t* pValue, hipLimit_t limit);

// Sets a limit for kernels launched from now on. hipErrorUnsupportedLimit when the device has no such limit.
hipError_t hipDeviceSetLimit(hipLimit_t limit, size_t value);

// The preference set by hipDeviceSetCacheConfig; hipFuncCachePreferNone on AMD targets.
hipError_t hipDeviceGetCacheConfig(hipFuncCache_t* cacheConfig);

// Accepted and ignored on AMD targets.
hipError_t hipDeviceSetCacheConfig(hipFuncCache_t cacheConfig);

// Width of a shared memory bank.
hipError_t hipDeviceGetSharedMemConfig(hipSharedMemConfig* pConfig);

// Accepted and ignored: the bank width of AMD targets is fixed.
hipError_t hipDeviceSetSharedMemConfig(hipSharedMemConfig config);

HIP_C_END

#endif
