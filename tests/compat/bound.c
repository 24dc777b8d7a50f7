// A program that was linked with libamdhip64.so.5 or .so.6 of AMD: the dynamic linker finds every symbol by the version
// node that the program asks that library for, in the library itself or in libamdhip64.so.7 and libhiprtc.so.7.
#include <stddef.h>
#include <stdio.h>
#include <string.h>

int hipDriverGetVersion(int*);
int hipFree(void*);
int hipGetLastError(void);
int hipMalloc(void**, size_t);
int hipMallocAsync(void**, size_t, void*);
int hipMemcpy(void*, const void*, size_t, int);
int hipMemset(void*, int, size_t);
int hipModuleLoad(void**, const char*);
int hipPointerGetAttributes(void*, const void*);
int hipSetDevice(int);
const char* hiprtcGetErrorString(int);
int hiprtcVersion(int*, int*);

#define EXPECT(what)                                                                                                   \
  if (!(what)) return printf("line %d: not so: %s\n", __LINE__, #what), 1

int main(void) {
  int version = 0, major = 0, minor = 0;
  EXPECT(hipDriverGetVersion(&version) == 0 && version / 10000000 == LIBRARY);
  void* memory = NULL;
  unsigned char got[16];
  EXPECT(hipMalloc(&memory, 16) == 0);
  EXPECT(hipMemset(memory, 5, 16) == 0);
  EXPECT(hipMemcpy(got, memory, 16, 2) == 0);
  for (int i = 0; i < 16; ++i) EXPECT(got[i] == 5);
  struct {
    int type, device;
    void *on_device, *on_host;
    int managed;
    unsigned flags;
  } attributes;
  EXPECT(hipPointerGetAttributes(&attributes, memory) == 0);
  EXPECT(attributes.type == (LIBRARY == 5 ? 1 : 2)); // device memory
  EXPECT(hipFree(memory) == 0);
  EXPECT(hipMallocAsync(&memory, 16, NULL) == 0);
  EXPECT(hipFree(memory) == 0);
  EXPECT(hipSetDevice(-1) == 101); // hipErrorInvalidDevice
  EXPECT(hipSetDevice(0) == 0);
  EXPECT(hipGetLastError() == 0); // the last call was a success
  void* module = NULL;
  EXPECT(hipModuleLoad(&module, "/nonexistent") == 301); // hipErrorFileNotFound
  EXPECT(hipGetLastError() == 301);
  EXPECT(hiprtcVersion(&major, &minor) == 0);
  EXPECT(strstr(hiprtcGetErrorString(0), "SUCCESS"));
  puts("right");
  return 0;
}
