// hsa/hsa_ven_amd_pc_sampling.h - AMD's sampling of program counters. No agent can do it:
// hsa_ven_amd_pcs_iterate_configuration finds no configuration, the others give HSA_STATUS_ERROR_NOT_SUPPORTED.
#ifndef OMNIHIP_HSA_HSA_VEN_AMD_PC_SAMPLING_H
#define OMNIHIP_HSA_HSA_VEN_AMD_PC_SAMPLING_H

#include "hsa.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum { HSA_VEN_AMD_PCS_METHOD_HOSTTRAP_V1, HSA_VEN_AMD_PCS_METHOD_STOCHASTIC_V1 } hsa_ven_amd_pcs_method_kind_t;
typedef enum {
  HSA_VEN_AMD_PCS_INTERVAL_UNITS_MICRO_SECONDS,
  HSA_VEN_AMD_PCS_INTERVAL_UNITS_CLOCK_CYCLES,
  HSA_VEN_AMD_PCS_INTERVAL_UNITS_INSTRUCTIONS
} hsa_ven_amd_pcs_units_t;
typedef hsa_status_t (*hsa_ven_amd_pcs_data_copy_callback_t)(void* hsa_callback_data, size_t data_size,
                                                             void* destination);
typedef void (*hsa_ven_amd_pcs_data_ready_callback_t)(void* client_callback_data, size_t data_size,
                                                      size_t lost_sample_count,
                                                      hsa_ven_amd_pcs_data_copy_callback_t data_copy_callback,
                                                      void* hsa_callback_data);
typedef struct {
  uint64_t handle;
} hsa_ven_amd_pcs_t;
typedef enum {
  HSA_VEN_AMD_PCS_CONFIGURATION_FLAGS_INTERVAL_POWER_OF_2 = (1 << 0)
} hsa_ven_amd_pcs_configuration_flags_t;
typedef struct {
  hsa_ven_amd_pcs_method_kind_t method;
  hsa_ven_amd_pcs_units_t units;
  size_t min_interval;
  size_t max_interval;
  uint64_t flags;
} hsa_ven_amd_pcs_configuration_t;
typedef hsa_status_t (*hsa_ven_amd_pcs_iterate_configuration_callback_t)(
    const hsa_ven_amd_pcs_configuration_t* configuration, void* callback_data);
HSA_API hsa_status_t hsa_ven_amd_pcs_iterate_configuration(
    hsa_agent_t agent, hsa_ven_amd_pcs_iterate_configuration_callback_t configuration_callback, void* callback_data);
HSA_API hsa_status_t hsa_ven_amd_pcs_create(hsa_agent_t agent, hsa_ven_amd_pcs_method_kind_t method,
                                            hsa_ven_amd_pcs_units_t units, size_t interval, size_t latency,
                                            size_t buffer_size,
                                            hsa_ven_amd_pcs_data_ready_callback_t data_ready_callback,
                                            void* client_callback_data, hsa_ven_amd_pcs_t* pc_sampling);
HSA_API hsa_status_t hsa_ven_amd_pcs_create_from_id(uint32_t pcs_id, hsa_agent_t agent,
                                                    hsa_ven_amd_pcs_method_kind_t method, hsa_ven_amd_pcs_units_t units,
                                                    size_t interval, size_t latency, size_t buffer_size,
                                                    hsa_ven_amd_pcs_data_ready_callback_t data_ready_callback,
                                                    void* client_callback_data, hsa_ven_amd_pcs_t* pc_sampling);
HSA_API hsa_status_t hsa_ven_amd_pcs_destroy(hsa_ven_amd_pcs_t pc_sampling);
HSA_API hsa_status_t hsa_ven_amd_pcs_start(hsa_ven_amd_pcs_t pc_sampling);
HSA_API hsa_status_t hsa_ven_amd_pcs_stop(hsa_ven_amd_pcs_t pc_sampling);
HSA_API hsa_status_t hsa_ven_amd_pcs_flush(hsa_ven_amd_pcs_t pc_sampling);

#ifdef __cplusplus
}
#endif

#endif
