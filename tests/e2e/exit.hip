// HIP calls from the destructor of a static object, which runs while the process ends: handles are still looked up and
// checked, and the heap stays whole. Memory can be freed: libraries that find an error there end the process. (What another
// call returns then is the runtime's choice; it must not crash. NVIDIA's driver has ended by then, and says so.)
#include <hip/hip_runtime.h>

#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>
#include <vector>

__global__ void fill(int* p, int v) { p[threadIdx.x] = v; }

struct Resources {
  hipStream_t stream = nullptr;
  hipEvent_t event = nullptr;
  int* memory = nullptr;
  hipError_t expected = hipSuccess; // of hipFree at the end

  ~Resources() {
    static_cast<void>(hipEventDestroy(event));
    static_cast<void>(hipStreamDestroy(stream));
    if (const hipError_t freed = hipFree(memory); freed != expected) {
      std::printf("hipFree gives %s\n", hipGetErrorName(freed));
      std::fflush(stdout);
      std::_Exit(1);
    }
    // A heap that was written to after it was freed shows itself here.
    std::vector<std::unique_ptr<std::string>> strings;
    for (int i = 0; i < 4000; ++i) strings.push_back(std::make_unique<std::string>(i % 300 + 1, 'x'));
    std::puts("ended");
  }
};
static Resources resources; // made before the runtime's own statics, so it goes after them

int main() {
  hipDeviceProp_t properties;
  if (hipGetDeviceProperties(&properties, 0) != hipSuccess) return 1;
  if (std::string(properties.gcnArchName).rfind("sm_", 0) == 0) resources.expected = hipErrorDeinitialized;
  hipFunction_t function; // its handle ends with the program's code, while the process ends
  if (hipGetFuncBySymbol(&function, reinterpret_cast<const void*>(fill)) != hipSuccess) return 1;
  bool ok = hipStreamCreate(&resources.stream) == hipSuccess && hipEventCreate(&resources.event) == hipSuccess &&
            hipMalloc(&resources.memory, 64 * sizeof(int)) == hipSuccess;
  if (!ok) return 1;
  fill<<<1, 64, 0, resources.stream>>>(resources.memory, 7);
  int last = 0;
  ok = hipEventRecord(resources.event, resources.stream) == hipSuccess &&
       hipEventSynchronize(resources.event) == hipSuccess &&
       hipMemcpy(&last, resources.memory + 63, sizeof(int), hipMemcpyDeviceToHost) == hipSuccess;
  return ok && last == 7 ? 0 : 1;
}
