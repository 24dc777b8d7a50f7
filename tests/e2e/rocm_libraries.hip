// Libraries that ROCm's programs load beside HIP, found at run time as such programs do: librocm_smi64 sees a kernel that
// runs, libroctx64 takes its marks.
#include "e2e.h"

#include <dlfcn.h>
#include <rocm_smi/rocm_smi.h>
#include <unistd.h>

namespace {

__global__ void wait_for(volatile int* flag, int* rounds) {
  int n = 0;
  while (*flag == 0) ++n;
  *rounds = n;
}

template<class F> F* function(void* library, const char* name) {
  return reinterpret_cast<F*>(dlsym(library, name));
}

} // namespace

E2E_CASE(a_running_kernel_keeps_the_gpu_busy) {
  void* const library = dlopen("librocm_smi64.so.7", RTLD_NOW);
  CHECK(library != nullptr);
  if (!library) return;
  auto* const init = function<decltype(rsmi_init)>(library, "rsmi_init");
  auto* const count_devices = function<decltype(rsmi_num_monitor_devices)>(library, "rsmi_num_monitor_devices");
  auto* const busy = function<decltype(rsmi_dev_busy_percent_get)>(library, "rsmi_dev_busy_percent_get");
  CHECK(init && count_devices && busy);
  if (!init || !count_devices || !busy) return;
  CHECK_EQ(init(0), RSMI_STATUS_SUCCESS);
  uint32_t devices = 0;
  CHECK_EQ(count_devices(&devices), RSMI_STATUS_SUCCESS);
  if (devices == 0) return; // NVIDIA's are not shown

  int *flag = nullptr, *rounds = nullptr;
  CHECK_EQ(hipHostMalloc(reinterpret_cast<void**>(&flag), 2 * sizeof(int)), hipSuccess);
  rounds = flag + 1;
  *static_cast<volatile int*>(flag) = 0;
  wait_for<<<1, 64>>>(flag, rounds);
  CHECK_EQ(hipGetLastError(), hipSuccess);
  uint32_t percent = 0;
  for (int tries = 0; tries < 500 && percent == 0; ++tries) CHECK_EQ(busy(0, &percent), RSMI_STATUS_SUCCESS);
  CHECK(percent > 0 && percent <= 100);
  *static_cast<volatile int*>(flag) = 1;
  CHECK_EQ(hipDeviceSynchronize(), hipSuccess);
  CHECK(*rounds > 0);
  CHECK_EQ(hipHostFree(flag), hipSuccess);
}

E2E_CASE(marks_and_ranges_around_launches) {
  void* const library = dlopen("libroctx64.so.4", RTLD_NOW);
  CHECK(library != nullptr);
  if (!library) return;
  auto* const push = function<int(const char*)>(library, "roctxRangePushA");
  auto* const pop = function<int()>(library, "roctxRangePop");
  CHECK(push && pop);
  if (!push || !pop) return;
  CHECK_EQ(push("outer"), 0);
  CHECK_EQ(push("inner"), 1);
  CHECK_EQ(hipDeviceSynchronize(), hipSuccess);
  CHECK_EQ(pop(), 1);
  CHECK_EQ(pop(), 0);
}
