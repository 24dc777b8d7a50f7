#include <cstdio>
#include <hsa/hsa.h>
#include <hsa/hsa_ext_amd.h>

int main() {
  if (hsa_init() != HSA_STATUS_SUCCESS) return 1;
  int gpus = 0;
  const hsa_status_t status = hsa_iterate_agents(
      [](hsa_agent_t agent, void* data) {
        hsa_device_type_t type;
        const hsa_status_t got = hsa_agent_get_info(agent, HSA_AGENT_INFO_DEVICE, &type);
        if (got == HSA_STATUS_SUCCESS && type == HSA_DEVICE_TYPE_GPU) ++*static_cast<int*>(data);
        return got;
      },
      &gpus);
  if (status != HSA_STATUS_SUCCESS || gpus < 1 || hsa_shut_down() != HSA_STATUS_SUCCESS) return 1;
  return std::puts("right") < 0;
}
