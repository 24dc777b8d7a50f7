// Every symbol that libamd_smi.so exports. No exception leaves the library.
#include "smi/amd_smi.h"

#include "smi/busy.h"
#include "smi/clocks.h"
#include "smi/sensors.h"
#include "smi/session.h"

#include <algorithm>
#include <cstring>

#define SMI_EXPORT extern "C" __attribute__((visibility("default")))

using namespace hip::smi;

namespace {

constexpr uint64_t kMiB = uint64_t{1} << 20;

template<class F> amdsmi_status_t guarded(F f) noexcept {
  try {
    return f();
  } catch (const std::bad_alloc&) {
    return AMDSMI_STATUS_OUT_OF_RESOURCES;
  } catch (...) {
    return AMDSMI_STATUS_INTERNAL_EXCEPTION;
  }
}

// Handles of a socket and of its one processor are numbers, not addresses: an index with a tag.
constexpr uintptr_t kSocketTag = 0x50c0000, kProcessorTag = 0x6b00000, kIndexMask = 0xffff;
void* handle_of(uintptr_t tag, size_t index) { return reinterpret_cast<void*>(tag | index); }

// Calls f with the device that a handle with the tag means, and its index.
template<class F> amdsmi_status_t with(uintptr_t tag, void* handle, F f) noexcept {
  return guarded([&] {
    const Session::Devices devices = session().devices();
    if (!devices) return AMDSMI_STATUS_NOT_INIT;
    const auto bits = reinterpret_cast<uintptr_t>(handle);
    const size_t index = bits & kIndexMask;
    if ((bits & ~kIndexMask) != tag || index >= devices->size()) return AMDSMI_STATUS_INVAL;
    return f((*devices)[index], index);
  });
}
template<class F> amdsmi_status_t with(amdsmi_processor_handle processor, F f) noexcept {
  return with(kProcessorTag, processor, [&](const Device& device, size_t index) {
    if constexpr (std::is_invocable_v<F, const Device&, size_t>)
      return f(device, index);
    else
      return f(device);
  });
}

amdsmi_status_t copy(const std::string& text, char* to, size_t bytes) {
  if (!to || bytes == 0) return AMDSMI_STATUS_INVAL;
  const size_t count = std::min(text.size(), bytes - 1);
  std::memcpy(to, text.data(), count);
  to[count] = '\0';
  return count < text.size() ? AMDSMI_STATUS_INSUFFICIENT_SIZE : AMDSMI_STATUS_SUCCESS;
}
template<size_t bytes> void fill(char (&to)[bytes], const std::string& text) { copy(text, to, bytes); }

template<class T, class V> amdsmi_status_t give(T* to, const V& value) {
  if (!to) return AMDSMI_STATUS_INVAL;
  *to = value;
  return AMDSMI_STATUS_SUCCESS;
}

amdsmi_status_t give_list(uintptr_t tag, size_t first, size_t found, uint32_t* count, void** to) {
  if (!count) return AMDSMI_STATUS_INVAL;
  const size_t given = to ? std::min<size_t>(*count, found) : found;
  if (to)
    for (size_t i = 0; i < given; ++i) to[i] = handle_of(tag, first + i);
  *count = static_cast<uint32_t>(given);
  return AMDSMI_STATUS_SUCCESS;
}

// Of the software GPUs' threads, or what the kernel's driver says of a card.
std::optional<uint32_t> busy_of(const Device& device) {
  if (device.is_software()) return busy_percent();
  const auto card = device.card();
  return card ? card->busy_percent() : std::nullopt;
}

uint64_t vram_of(const Device& device) {
  return total_memory(device, Card::Memory::Vram).value_or(device.memory_bytes);
}

amdsmi_bdf_t bdf_of(const Device& device) {
  amdsmi_bdf_t made{};
  made.bdf.device_number = device.pci_device & 31;
  made.bdf.bus_number = device.pci_bus;
  made.bdf.domain_number = device.pci_domain;
  return made;
}

amdsmi_status_t not_supported(amdsmi_processor_handle processor) noexcept {
  return with(processor, [](const Device&) { return AMDSMI_STATUS_NOT_SUPPORTED; });
}
amdsmi_status_t not_supported() noexcept {
  return session().devices() ? AMDSMI_STATUS_NOT_SUPPORTED : AMDSMI_STATUS_NOT_INIT;
}

} // namespace

// The arguments behind the first are not looked at; a caller passes them in registers and on its own stack.
#define SMI_DONE(name)
#define SMI_DEVICE(name)                                                                                               \
  SMI_EXPORT amdsmi_status_t name(amdsmi_processor_handle processor) { return not_supported(processor); }
#define SMI_PLAIN(name)                                                                                                \
  SMI_EXPORT amdsmi_status_t name() { return not_supported(); }
#include "smi/amd_smi.def"
#undef SMI_DONE
#undef SMI_DEVICE
#undef SMI_PLAIN

// Without AMDSMI_INIT_AMD_GPUS there is nothing to show: processors of the host are not.
SMI_EXPORT amdsmi_status_t amdsmi_init(uint64_t flags) {
  return guarded([&] {
    if (!(flags & AMDSMI_INIT_AMD_GPUS)) return AMDSMI_STATUS_NOT_SUPPORTED;
    session().begin();
    return AMDSMI_STATUS_SUCCESS;
  });
}
SMI_EXPORT amdsmi_status_t amdsmi_shut_down() {
  return session().end() ? AMDSMI_STATUS_SUCCESS : AMDSMI_STATUS_NOT_INIT;
}

SMI_EXPORT amdsmi_status_t amdsmi_get_lib_version(amdsmi_version_t* version) {
  return give(version, amdsmi_version_t{27, 1, 0, "27.1.0 (OmniHIP " OMNIHIP_VERSION ")"});
}

SMI_EXPORT amdsmi_status_t amdsmi_status_code_to_string(amdsmi_status_t status, const char** text) {
  if (!text) return AMDSMI_STATUS_INVAL;
  switch (status) {
#define SMI_TEXT(name, words)                                                                                          \
  case name:                                                                                                           \
    *text = #name ": " words;                                                                                          \
    return AMDSMI_STATUS_SUCCESS;
    SMI_TEXT(AMDSMI_STATUS_SUCCESS, "The call succeeds.")
    SMI_TEXT(AMDSMI_STATUS_INVAL, "An argument is not valid.")
    SMI_TEXT(AMDSMI_STATUS_NOT_SUPPORTED, "The device does not have this.")
    SMI_TEXT(AMDSMI_STATUS_API_FAILED, "A call of HIP fails.")
    SMI_TEXT(AMDSMI_STATUS_OUT_OF_RESOURCES, "Memory or another resource is short.")
    SMI_TEXT(AMDSMI_STATUS_INTERNAL_EXCEPTION, "The library has an error.")
    SMI_TEXT(AMDSMI_STATUS_NOT_FOUND, "There is no such processor.")
    SMI_TEXT(AMDSMI_STATUS_NOT_INIT, "The library is not initialised.")
    SMI_TEXT(AMDSMI_STATUS_INSUFFICIENT_SIZE, "The buffer is too small.")
#undef SMI_TEXT
  }
  *text = "This library returns no state of this number.";
  return AMDSMI_STATUS_SUCCESS;
}

SMI_EXPORT amdsmi_status_t amdsmi_get_socket_handles(uint32_t* count, amdsmi_socket_handle* sockets) {
  return guarded([&] {
    const Session::Devices devices = session().devices();
    if (!devices) return AMDSMI_STATUS_NOT_INIT;
    return give_list(kSocketTag, 0, devices->size(), count, sockets);
  });
}
SMI_EXPORT amdsmi_status_t amdsmi_get_socket_info(amdsmi_socket_handle socket, size_t bytes, char* name) {
  return with(kSocketTag, socket, [&](const Device& device, size_t) { return copy(device.bdf_text(), name, bytes); });
}
SMI_EXPORT amdsmi_status_t amdsmi_get_processor_handles(amdsmi_socket_handle socket, uint32_t* count,
                                                        amdsmi_processor_handle* processors) {
  return with(kSocketTag, socket,
              [&](const Device&, size_t index) { return give_list(kProcessorTag, index, 1, count, processors); });
}
SMI_EXPORT amdsmi_status_t amdsmi_get_processor_handles_by_type(amdsmi_socket_handle socket,
                                                                amdsmi_processor_type_t type,
                                                                amdsmi_processor_handle* processors, uint32_t* count) {
  return with(kSocketTag, socket, [&](const Device&, size_t index) {
    return give_list(kProcessorTag, index, type == AMDSMI_PROCESSOR_TYPE_AMD_GPU, count, processors);
  });
}
SMI_EXPORT amdsmi_status_t amdsmi_get_processor_count_from_handles(amdsmi_processor_handle* processors, uint32_t* count,
                                                                   uint32_t* cpu_sockets, uint32_t* cpu_cores,
                                                                   uint32_t* gpus) {
  if (!session().devices()) return AMDSMI_STATUS_NOT_INIT;
  if (!processors || !count || !cpu_sockets || !cpu_cores || !gpus) return AMDSMI_STATUS_INVAL;
  uint32_t found = 0;
  for (uint32_t i = 0; i < *count; ++i) {
    if (const auto status = with(processors[i], [](const Device&) { return AMDSMI_STATUS_SUCCESS; })) return status;
    ++found;
  }
  *cpu_sockets = *cpu_cores = 0;
  *gpus = found;
  return AMDSMI_STATUS_SUCCESS;
}
SMI_EXPORT amdsmi_status_t amdsmi_get_processor_type(amdsmi_processor_handle processor, amdsmi_processor_type_t* type) {
  return with(processor, [&](const Device&) { return give(type, AMDSMI_PROCESSOR_TYPE_AMD_GPU); });
}
SMI_EXPORT amdsmi_status_t amdsmi_get_processor_info(amdsmi_processor_handle processor, size_t bytes, char* name) {
  return with(processor, [&](const Device& device) { return copy(device.bdf_text(), name, bytes); });
}
SMI_EXPORT amdsmi_status_t amdsmi_get_processor_handle_from_bdf(amdsmi_bdf_t bdf, amdsmi_processor_handle* processor) {
  return guarded([&] {
    const Session::Devices devices = session().devices();
    if (!devices) return AMDSMI_STATUS_NOT_INIT;
    for (size_t i = 0; i < devices->size(); ++i)
      if (bdf_of((*devices)[i]).as_uint == bdf.as_uint) return give(processor, handle_of(kProcessorTag, i));
    return AMDSMI_STATUS_NOT_FOUND;
  });
}

SMI_EXPORT amdsmi_status_t amdsmi_get_gpu_device_bdf(amdsmi_processor_handle processor, amdsmi_bdf_t* bdf) {
  return with(processor, [&](const Device& device) { return give(bdf, bdf_of(device)); });
}
SMI_EXPORT amdsmi_status_t amdsmi_get_gpu_bdf_id(amdsmi_processor_handle processor, uint64_t* bdf_id) {
  return with(processor, [&](const Device& device) { return give(bdf_id, device.bdf_id()); });
}
SMI_EXPORT amdsmi_status_t amdsmi_get_gpu_device_uuid(amdsmi_processor_handle processor, unsigned* bytes, char* uuid) {
  return with(processor, [&](const Device& device) {
    if (!bytes) return AMDSMI_STATUS_INVAL;
    const auto status = copy(device.uuid, uuid, *bytes);
    *bytes = static_cast<unsigned>(device.uuid.size() + 1);
    return status;
  });
}
SMI_EXPORT amdsmi_status_t amdsmi_get_gpu_vendor_name(amdsmi_processor_handle processor, char* name, size_t bytes) {
  return with(processor, [&](const Device&) { return copy(kVendorName, name, bytes); });
}
SMI_EXPORT amdsmi_status_t amdsmi_get_gpu_asic_info(amdsmi_processor_handle processor, amdsmi_asic_info_t* info) {
  return with(processor, [&](const Device& device) {
    amdsmi_asic_info_t made{};
    fill(made.market_name, device.name);
    fill(made.vendor_name, kVendorName);
    fill(made.asic_serial, device.uuid.substr(4)); // the digits
    made.vendor_id = kVendorId;
    made.num_of_compute_units = device.compute_units;
    made.target_graphics_version = device.gfx_version;
    made.subvendor_id = made.rev_id = made.oam_id = made.subsystem_id = UINT32_MAX;
    made.physical_acc_id = made.chip_rev_id = made.external_rev_id = UINT32_MAX;
    made.device_id = UINT64_MAX;
    return give(info, made);
  });
}
SMI_EXPORT amdsmi_status_t amdsmi_get_gpu_board_info(amdsmi_processor_handle processor, amdsmi_board_info_t* info) {
  return with(processor, [&](const Device& device) {
    amdsmi_board_info_t made{};
    fill(made.product_name, device.name);
    return give(info, made);
  });
}
SMI_EXPORT amdsmi_status_t amdsmi_get_gpu_vram_info(amdsmi_processor_handle processor, amdsmi_vram_info_t* info) {
  return with(processor, [&](const Device& device) {
    amdsmi_vram_info_t made{};
    made.vram_size = vram_of(device) / kMiB;
    made.vram_bit_width = device.memory_bus_bits;
    made.vram_max_bandwidth = UINT64_MAX;
    return give(info, made);
  });
}
SMI_EXPORT amdsmi_status_t amdsmi_get_gpu_vram_usage(amdsmi_processor_handle processor, amdsmi_vram_usage_t* usage) {
  return with(processor, [&](const Device& device) {
    const auto used = used_memory(device, Card::Memory::Vram);
    if (!used) return AMDSMI_STATUS_API_FAILED;
    amdsmi_vram_usage_t made{};
    made.vram_total = static_cast<uint32_t>(vram_of(device) / kMiB);
    made.vram_used = static_cast<uint32_t>(*used / kMiB);
    return give(usage, made);
  });
}
SMI_EXPORT amdsmi_status_t amdsmi_get_gpu_memory_total(amdsmi_processor_handle processor, amdsmi_memory_type_t type,
                                                       uint64_t* bytes) {
  return with(processor, [&](const Device& device) {
    const auto memory = memory_of(type);
    const auto total = memory ? total_memory(device, *memory) : std::nullopt;
    return total ? give(bytes, *total) : AMDSMI_STATUS_NOT_SUPPORTED;
  });
}
SMI_EXPORT amdsmi_status_t amdsmi_get_gpu_memory_usage(amdsmi_processor_handle processor, amdsmi_memory_type_t type,
                                                       uint64_t* bytes) {
  return with(processor, [&](const Device& device) {
    const auto memory = memory_of(type);
    if (!memory || !total_memory(device, *memory)) return AMDSMI_STATUS_NOT_SUPPORTED;
    const auto used = used_memory(device, *memory);
    return used ? give(bytes, *used) : AMDSMI_STATUS_API_FAILED;
  });
}
SMI_EXPORT amdsmi_status_t amdsmi_get_gpu_activity(amdsmi_processor_handle processor, amdsmi_engine_usage_t* usage) {
  return with(processor, [&](const Device& device) {
    if (!usage) return AMDSMI_STATUS_INVAL;
    const auto percent = busy_of(device);
    if (!percent) return AMDSMI_STATUS_NOT_SUPPORTED;
    amdsmi_engine_usage_t made{};
    made.gfx_activity = *percent;
    made.umc_activity = made.mm_activity = UINT16_MAX; // what clients take for "not there"
    return give(usage, made);
  });
}
SMI_EXPORT amdsmi_status_t amdsmi_get_gpu_busy_percent(amdsmi_processor_handle processor, uint32_t* percent) {
  return with(processor, [&](const Device& device) {
    if (!percent) return AMDSMI_STATUS_INVAL;
    const auto busy = busy_of(device);
    return busy ? give(percent, *busy) : AMDSMI_STATUS_NOT_SUPPORTED;
  });
}
SMI_EXPORT amdsmi_status_t amdsmi_get_temp_metric(amdsmi_processor_handle processor, amdsmi_temperature_type_t type,
                                                  amdsmi_temperature_metric_t metric, int64_t* degrees) {
  return with(processor, [&](const Device& device) {
    if (!degrees) return AMDSMI_STATUS_INVAL;
    const auto sensor = metric == AMDSMI_TEMP_CURRENT ? sensor_of(type) : std::nullopt;
    const auto card = device.card();
    const auto value = sensor && card ? degrees_of(*card, *sensor) : std::nullopt;
    return value ? give(degrees, *value) : AMDSMI_STATUS_NOT_SUPPORTED;
  });
}
SMI_EXPORT amdsmi_status_t amdsmi_get_power_info(amdsmi_processor_handle processor, amdsmi_power_info_t* info) {
  return with(processor, [&](const Device& device) {
    if (!info) return AMDSMI_STATUS_INVAL;
    const auto card = device.card();
    const auto made = card ? power_info_of<amdsmi_power_info_t>(*card) : std::nullopt;
    return made ? give(info, *made) : AMDSMI_STATUS_NOT_SUPPORTED;
  });
}
SMI_EXPORT amdsmi_status_t amdsmi_get_gpu_pci_replay_counter(amdsmi_processor_handle processor, uint64_t* count) {
  return with(processor, [&](const Device& device) {
    if (!count) return AMDSMI_STATUS_INVAL;
    const auto card = device.card();
    const auto replays = card ? card->pcie_replays() : std::nullopt;
    return replays ? give(count, *replays) : AMDSMI_STATUS_NOT_SUPPORTED;
  });
}
SMI_EXPORT amdsmi_status_t amdsmi_get_clk_freq(amdsmi_processor_handle processor, amdsmi_clk_type_t type,
                                               amdsmi_frequencies_t* frequencies) {
  return with(processor, [&](const Device& device) {
    if (!frequencies) return AMDSMI_STATUS_INVAL;
    const auto clock = clock_of(type);
    const auto card = device.card();
    const auto levels = clock && card ? card->levels(*clock) : std::nullopt;
    return levels ? give(frequencies, frequencies_of<amdsmi_frequencies_t>(*levels)) : AMDSMI_STATUS_NOT_SUPPORTED;
  });
}
SMI_EXPORT amdsmi_status_t amdsmi_get_clock_info(amdsmi_processor_handle processor, amdsmi_clk_type_t type,
                                                 amdsmi_clk_info_t* info) {
  return with(processor, [&](const Device& device) {
    if (!info) return AMDSMI_STATUS_INVAL;
    const auto clock = clock_of(type);
    const auto card = device.card();
    const auto made = clock && card ? clock_info_of<amdsmi_clk_info_t>(*card, *clock) : std::nullopt;
    return made ? give(info, *made) : AMDSMI_STATUS_NOT_SUPPORTED;
  });
}
SMI_EXPORT amdsmi_status_t amdsmi_get_gpu_driver_info(amdsmi_processor_handle processor, amdsmi_driver_info_t* info) {
  return with(processor, [&](const Device&) {
    amdsmi_driver_info_t made{};
    fill(made.driver_name, "OmniHIP");
    fill(made.driver_version, OMNIHIP_VERSION);
    return give(info, made);
  });
}
SMI_EXPORT amdsmi_status_t amdsmi_get_gpu_kfd_info(amdsmi_processor_handle processor, amdsmi_kfd_info_t* info) {
  return with(processor, [&](const Device&, size_t index) {
    amdsmi_kfd_info_t made{};
    made.kfd_id = UINT64_MAX;
    made.node_id = static_cast<uint32_t>(index + 1); // behind the host's node
    return give(info, made);
  });
}
SMI_EXPORT amdsmi_status_t amdsmi_get_gpu_enumeration_info(amdsmi_processor_handle processor,
                                                           amdsmi_enumeration_info_t* info) {
  return with(processor, [&](const Device& device, size_t index) {
    amdsmi_enumeration_info_t made{};
    made.drm_render = made.drm_card = made.oam_id = made.physical_acc_id = UINT32_MAX;
    made.hsa_id = static_cast<uint32_t>(index + 1);
    made.hip_id = device.found_index; // without HIP_VISIBLE_DEVICES and its kin, as AMD's library counts
    fill(made.hip_uuid, device.uuid);
    return give(info, made);
  });
}
SMI_EXPORT amdsmi_status_t amdsmi_get_gpu_virtualization_mode(amdsmi_processor_handle processor,
                                                              amdsmi_virtualization_mode_t* mode) {
  return with(processor, [&](const Device&) { return give(mode, AMDSMI_VIRTUALIZATION_MODE_UNKNOWN); });
}
SMI_EXPORT amdsmi_status_t amdsmi_is_gpu_power_management_enabled(amdsmi_processor_handle processor, bool* enabled) {
  return with(processor, [&](const Device&) { return give(enabled, false); });
}
SMI_EXPORT amdsmi_status_t amdsmi_is_P2P_accessible(amdsmi_processor_handle from, amdsmi_processor_handle to,
                                                    bool* accessible) {
  return with(from, [&](const Device& first) {
    return with(to, [&](const Device& second) { return give(accessible, can_access_peer(first, second)); });
  });
}
