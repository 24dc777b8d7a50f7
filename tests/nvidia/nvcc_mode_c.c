/* nvcc_mode_c.c - the host interface of HIP_PLATFORM=nvidia in C: allocation, copies, streams, events, properties, errors. */
#include <hip/hip_runtime.h>

#include <stdio.h>
#include <string.h>

static int failures = 0;
#define EXPECT(condition) \
  do { \
    if (!(condition)) { \
      printf("%s:%d: does not hold: %s\n", __FILE__, __LINE__, #condition); \
      ++failures; \
    } \
  } while (0)
#define OK(call) EXPECT((call) == hipSuccess)

int main(void) {
  int count = 0;
  int value = 0;
  int host[64];
  void* device = NULL;
  hipStream_t stream;
  hipEvent_t event;
  hipDeviceProp_t properties;
  OK(hipGetDeviceCount(&count));
  EXPECT(count > 0);
  OK(hipGetDeviceProperties(&properties, 0));
  EXPECT(properties.warpSize == 32);
  EXPECT(properties.clockRate > 0 && properties.memoryClockRate > 0);
  EXPECT(strncmp(properties.gcnArchName, "sm_", 3) == 0);
  OK(hipDeviceGetAttribute(&value, hipDeviceAttributeMultiprocessorCount, 0));
  EXPECT(value == properties.multiProcessorCount);
  OK(hipStreamCreate(&stream));
  OK(hipEventCreateWithFlags(&event, hipEventDisableTiming));
  OK(hipMalloc(&device, sizeof host));
  OK(hipMemsetAsync(device, 0x11, sizeof host, stream));
  OK(hipMemcpyAsync(host, device, sizeof host, hipMemcpyDeviceToHost, stream));
  OK(hipEventRecord(event, stream));
  OK(hipEventSynchronize(event));
  EXPECT(host[0] == 0x11111111 && host[63] == 0x11111111);
  OK(hipMemsetD32((hipDeviceptr_t)device, 7, 64));
  OK(hipMemcpyDtoH(host, (hipDeviceptr_t)device, sizeof host));
  EXPECT(host[0] == 7 && host[63] == 7);
  EXPECT(hipMalloc(NULL, 16) == hipErrorInvalidValue);
  EXPECT(hipGetLastError() == hipErrorInvalidValue);
  EXPECT(hipSetDevice(count) == hipErrorInvalidDevice);
  EXPECT(hipPeekAtLastError() == hipErrorInvalidDevice);
  EXPECT(strcmp(hipGetErrorName(hipErrorInvalidDevice), "hipErrorInvalidDevice") == 0);
  EXPECT(strlen(hipGetErrorString(hipErrorOutOfMemory)) > 0);
  (void)hipGetLastError();
  OK(hipFree(device));
  OK(hipEventDestroy(event));
  OK(hipStreamDestroy(stream));
  printf(failures ? "%d checks failed\n" : "all checks passed\n", failures);
  return failures != 0;
}
