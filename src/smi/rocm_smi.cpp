// Every symbol that librocm_smi64.so exports. No exception leaves the library.
#include "smi/rocm_smi.h"

#include "smi/busy.h"
#include "smi/clocks.h"
#include "smi/sensors.h"
#include "smi/session.h"

#include <algorithm>
#include <cstring>
#include <functional>

#define SMI_EXPORT extern "C" __attribute__((visibility("default")))

using namespace hip::smi;

namespace {

template<class F> rsmi_status_t guarded(F f) noexcept {
  try {
    return f();
  } catch (const std::bad_alloc&) {
    return RSMI_STATUS_OUT_OF_RESOURCES;
  } catch (...) {
    return RSMI_STATUS_INTERNAL_EXCEPTION;
  }
}

// Calls f with the device of the index.
template<class F> rsmi_status_t with(uint32_t index, F f) noexcept {
  return guarded([&] {
    const Session::Devices devices = session().devices();
    if (!devices) return RSMI_STATUS_INIT_ERROR;
    if (index >= devices->size()) return RSMI_STATUS_INVALID_ARGS;
    return f((*devices)[index]);
  });
}

rsmi_status_t copy(const std::string& text, char* to, size_t bytes) {
  if (!to || bytes == 0) return RSMI_STATUS_INVALID_ARGS;
  const size_t count = std::min(text.size(), bytes - 1);
  std::memcpy(to, text.data(), count);
  to[count] = '\0';
  return count < text.size() ? RSMI_STATUS_INSUFFICIENT_SIZE : RSMI_STATUS_SUCCESS;
}

template<class T, class V> rsmi_status_t give(T* to, const V& value) {
  if (!to) return RSMI_STATUS_INVALID_ARGS;
  *to = value;
  return RSMI_STATUS_SUCCESS;
}

// A fact of the kernel's driver; what it does not have is not supported.
template<class T, class F> rsmi_status_t of_card(const Device& device, T* to, const F& fact) {
  const auto card = device.card();
  const auto value = card ? std::invoke(fact, *card) : decltype(std::invoke(fact, *card))();
  return value ? give(to, *value) : RSMI_STATUS_NOT_SUPPORTED;
}

rsmi_status_t not_supported(uint32_t device) noexcept {
  return with(device, [](const Device&) { return RSMI_STATUS_NOT_SUPPORTED; });
}
rsmi_status_t not_supported() noexcept {
  return session().devices() ? RSMI_STATUS_NOT_SUPPORTED : RSMI_STATUS_INIT_ERROR;
}

// Software GPUs reach each other through the host's memory; what is nearest to that is a hop over PCI Express, as HIP
// and HSA say, too. How cards are linked is not asked for.
template<class F> rsmi_status_t with_link(uint32_t from, uint32_t to, F answer) {
  return with(from, [&](const Device& first) {
    return with(to, [&](const Device& second) {
      if (from == to) return RSMI_STATUS_INVALID_ARGS;
      return first.is_software() && second.is_software() ? answer() : RSMI_STATUS_NOT_SUPPORTED;
    });
  });
}

} // namespace

// The arguments behind the first are not looked at; a caller passes them in registers and on its own stack.
#define SMI_DONE(name)
#define SMI_DEVICE(name)                                                                                               \
  SMI_EXPORT rsmi_status_t name(uint32_t device) { return not_supported(device); }
#define SMI_PLAIN(name)                                                                                                \
  SMI_EXPORT rsmi_status_t name() { return not_supported(); }
#include "smi/rocm_smi.def"
#undef SMI_DONE
#undef SMI_DEVICE
#undef SMI_PLAIN

SMI_EXPORT rsmi_status_t rsmi_init(uint64_t) {
  return guarded([] {
    session().begin();
    return RSMI_STATUS_SUCCESS;
  });
}

SMI_EXPORT rsmi_status_t rsmi_shut_down() { return session().end() ? RSMI_STATUS_SUCCESS : RSMI_STATUS_INIT_ERROR; }

SMI_EXPORT rsmi_status_t rsmi_num_monitor_devices(uint32_t* count) {
  return guarded([&] {
    const Session::Devices devices = session().devices();
    if (!devices) return RSMI_STATUS_INIT_ERROR;
    return give(count, static_cast<uint32_t>(devices->size()));
  });
}

SMI_EXPORT rsmi_status_t rsmi_status_string(rsmi_status_t status, const char** text) {
  if (!text) return RSMI_STATUS_INVALID_ARGS;
  switch (status) {
#define SMI_TEXT(name, words)                                                                                          \
  case name:                                                                                                           \
    *text = #name ": " words;                                                                                          \
    return RSMI_STATUS_SUCCESS;
    SMI_TEXT(RSMI_STATUS_SUCCESS, "The call succeeds.")
    SMI_TEXT(RSMI_STATUS_INVALID_ARGS, "An argument is not valid.")
    SMI_TEXT(RSMI_STATUS_NOT_SUPPORTED, "The device does not have this.")
    SMI_TEXT(RSMI_STATUS_FILE_ERROR, "A file cannot be used.")
    SMI_TEXT(RSMI_STATUS_PERMISSION, "The user may not do this.")
    SMI_TEXT(RSMI_STATUS_OUT_OF_RESOURCES, "Memory or another resource is short.")
    SMI_TEXT(RSMI_STATUS_INTERNAL_EXCEPTION, "The library has an error.")
    SMI_TEXT(RSMI_STATUS_INPUT_OUT_OF_BOUNDS, "A value is outside of its range.")
    SMI_TEXT(RSMI_STATUS_INIT_ERROR, "The library is not initialised.")
    SMI_TEXT(RSMI_STATUS_NOT_YET_IMPLEMENTED, "This is not done yet.")
    SMI_TEXT(RSMI_STATUS_NOT_FOUND, "It was not found.")
    SMI_TEXT(RSMI_STATUS_INSUFFICIENT_SIZE, "The buffer is too small.")
    SMI_TEXT(RSMI_STATUS_INTERRUPT, "The call was interrupted.")
    SMI_TEXT(RSMI_STATUS_UNEXPECTED_SIZE, "There were more or fewer data than expected.")
    SMI_TEXT(RSMI_STATUS_NO_DATA, "There are no data.")
    SMI_TEXT(RSMI_STATUS_UNEXPECTED_DATA, "The data are others than expected.")
    SMI_TEXT(RSMI_STATUS_BUSY, "A resource is in use.")
    SMI_TEXT(RSMI_STATUS_REFCOUNT_OVERFLOW, "There are too many references.")
    SMI_TEXT(RSMI_STATUS_SETTING_UNAVAILABLE, "The setting is not available.")
    SMI_TEXT(RSMI_STATUS_AMDGPU_RESTART_ERR, "The driver cannot be restarted.")
    SMI_TEXT(RSMI_STATUS_DRM_ERROR, "The driver's interface fails.")
    SMI_TEXT(RSMI_STATUS_FAIL_LOAD_MODULE, "A module cannot be loaded.")
    SMI_TEXT(RSMI_STATUS_FAIL_LOAD_SYMBOL, "A symbol cannot be found.")
    SMI_TEXT(RSMI_STATUS_UNKNOWN_ERROR, "The error is not known.")
#undef SMI_TEXT
  }
  *text = "No state of this number is known.";
  return RSMI_STATUS_SUCCESS;
}

SMI_EXPORT rsmi_status_t rsmi_version_get(rsmi_version_t* version) {
  return give(version, rsmi_version_t{7, 8, 0, "OmniHIP " OMNIHIP_VERSION});
}

SMI_EXPORT rsmi_status_t rsmi_version_str_get(rsmi_sw_component_t component, char* text, uint32_t bytes) {
  return guarded([&] {
    if (component != RSMI_SW_COMP_DRIVER) return RSMI_STATUS_INVALID_ARGS;
    return copy("OmniHIP " OMNIHIP_VERSION, text, bytes);
  });
}

SMI_EXPORT rsmi_status_t rsmi_dev_vendor_id_get(uint32_t device, uint16_t* id) {
  return with(device, [&](const Device&) { return give(id, kVendorId); });
}
SMI_EXPORT rsmi_status_t rsmi_dev_vendor_name_get(uint32_t device, char* name, size_t bytes) {
  return with(device, [&](const Device&) { return copy(kVendorName, name, bytes); });
}
SMI_EXPORT rsmi_status_t rsmi_dev_name_get(uint32_t device, char* name, size_t bytes) {
  return with(device, [&](const Device& found) { return copy(found.name, name, bytes); });
}
SMI_EXPORT rsmi_status_t rsmi_dev_brand_get(uint32_t device, char* brand, uint32_t bytes) {
  return with(device, [&](const Device& found) { return copy(found.name, brand, bytes); });
}
SMI_EXPORT rsmi_status_t rsmi_dev_market_name_get(uint32_t device, char* name, uint32_t bytes) {
  return with(device, [&](const Device& found) { return copy(found.name, name, bytes); });
}
SMI_EXPORT rsmi_status_t rsmi_dev_unique_id_get(uint32_t device, uint64_t* id) {
  return with(device, [&](const Device& found) { return give(id, found.unique_id); });
}
SMI_EXPORT rsmi_status_t rsmi_dev_node_id_get(uint32_t device, uint32_t* node) {
  return with(device, [&](const Device&) { return give(node, device + 1); });
}
SMI_EXPORT rsmi_status_t rsmi_dev_device_identifiers_get(uint32_t device, rsmi_device_identifiers_t* identifiers) {
  return with(device, [&](const Device& found) {
    rsmi_device_identifiers_t made{};
    made.card_index = made.smi_device_id = device;
    made.drm_render_minor = UINT32_MAX;
    made.kfd_gpu_id = UINT64_MAX;
    made.bdfid = found.bdf_id();
    return give(identifiers, made);
  });
}
SMI_EXPORT rsmi_status_t rsmi_dev_pci_id_get(uint32_t device, uint64_t* bdf_id) {
  return with(device, [&](const Device& found) { return give(bdf_id, found.bdf_id()); });
}
SMI_EXPORT rsmi_status_t rsmi_dev_target_graphics_version_get(uint32_t device, uint64_t* version) {
  return with(device, [&](const Device& found) { return give(version, found.gfx_version); });
}
SMI_EXPORT rsmi_status_t rsmi_dev_partition_id_get(uint32_t device, uint32_t* partition) {
  return with(device, [&](const Device&) { return give(partition, 0u); });
}

SMI_EXPORT rsmi_status_t rsmi_dev_memory_total_get(uint32_t device, rsmi_memory_type_t type, uint64_t* bytes) {
  return with(device, [&](const Device& found) {
    const auto memory = memory_of(type);
    const auto total = memory ? total_memory(found, *memory) : std::nullopt;
    return total ? give(bytes, *total) : RSMI_STATUS_NOT_SUPPORTED;
  });
}
SMI_EXPORT rsmi_status_t rsmi_dev_memory_usage_get(uint32_t device, rsmi_memory_type_t type, uint64_t* bytes) {
  return with(device, [&](const Device& found) {
    const auto memory = memory_of(type);
    if (!memory || !total_memory(found, *memory)) return RSMI_STATUS_NOT_SUPPORTED;
    const auto used = used_memory(found, *memory);
    return used ? give(bytes, *used) : RSMI_STATUS_UNKNOWN_ERROR;
  });
}
SMI_EXPORT rsmi_status_t rsmi_dev_busy_percent_get(uint32_t device, uint32_t* percent) {
  return with(device, [&](const Device& found) {
    if (found.is_software()) return percent ? give(percent, busy_percent()) : RSMI_STATUS_INVALID_ARGS;
    return of_card(found, percent, &Card::busy_percent);
  });
}
SMI_EXPORT rsmi_status_t rsmi_dev_temp_metric_get(uint32_t device, uint32_t sensor, rsmi_temperature_metric_t metric,
                                                  int64_t* millidegrees) {
  return with(device, [&](const Device& found) {
    const auto place = sensor_of(sensor);
    if (metric != RSMI_TEMP_CURRENT || !place) return RSMI_STATUS_NOT_SUPPORTED;
    return of_card(found, millidegrees, [&](const Card& card) { return card.temperature_millidegrees(*place); });
  });
}
SMI_EXPORT rsmi_status_t rsmi_dev_power_ave_get(uint32_t device, uint32_t sensor, uint64_t* microwatts) {
  return with(device, [&](const Device& found) {
    return sensor == 0 ? of_card(found, microwatts, &Card::power_microwatts) : RSMI_STATUS_NOT_SUPPORTED;
  });
}
SMI_EXPORT rsmi_status_t rsmi_dev_pci_replay_counter_get(uint32_t device, uint64_t* count) {
  return with(device, [&](const Device& found) { return of_card(found, count, &Card::pcie_replays); });
}
#ifndef OMNIHIP_SMI_OF_ROCM_5
SMI_EXPORT rsmi_status_t rsmi_dev_gpu_clk_freq_get(uint32_t device, rsmi_clk_type_t type, rsmi_frequencies_t* to) {
  return with(device, [&](const Device& found) {
    const auto clock = clock_of(type);
    if (!clock) return RSMI_STATUS_NOT_SUPPORTED;
    return of_card(found, to, [&](const Card& card) -> std::optional<rsmi_frequencies_t> {
      const auto levels = card.levels(*clock);
      return levels ? std::optional(frequencies_of<rsmi_frequencies_t>(*levels)) : std::nullopt;
    });
  });
}
#endif
SMI_EXPORT rsmi_status_t rsmi_is_P2P_accessible(uint32_t from, uint32_t to, bool* accessible) {
  return with(from, [&](const Device& first) {
    return with(to, [&](const Device& second) { return give(accessible, can_access_peer(first, second)); });
  });
}

SMI_EXPORT rsmi_status_t rsmi_topo_get_link_type(uint32_t from, uint32_t to, uint64_t* hops, RSMI_IO_LINK_TYPE* type) {
  return with_link(from, to, [&] {
    if (!hops || !type) return RSMI_STATUS_INVALID_ARGS;
    *hops = 1, *type = RSMI_IOLINK_TYPE_PCIEXPRESS;
    return RSMI_STATUS_SUCCESS;
  });
}
SMI_EXPORT rsmi_status_t rsmi_topo_get_link_weight(uint32_t from, uint32_t to, uint64_t* weight) {
  constexpr uint64_t kPerHop = 20; // what the kernel's driver counts for PCI Express
  return with_link(from, to, [&] { return give(weight, kPerHop); });
}
