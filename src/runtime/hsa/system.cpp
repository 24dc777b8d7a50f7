// runtime/hsa/system.cpp - hsa_init, what the system is, and extensions.
#include "runtime/hsa/entry.h"
#include "runtime/hsa/loader.h"

#include <chrono>

using namespace hip::hsa;

namespace {

constexpr uint16_t kMajor = 1, kMinor = 1; // of the specification; ROCr says 1.1 as well
constexpr uint16_t kExtensionMajor = 1;

struct Extension {
  uint16_t number;
  const char* name;
  bool supported;
  uint16_t minor;
};

// Of the loader's table, minor version 3 is the last. Images have their functions, which say that no agent has images;
// finalizer and the tools' extensions have no agent that offers them.
constexpr Extension kExtensions[] = {
    {HSA_EXTENSION_FINALIZER, "HSA_EXTENSION_FINALIZER", false, 0},
    {HSA_EXTENSION_IMAGES, "HSA_EXTENSION_IMAGES", true, 0},
    {HSA_EXTENSION_PERFORMANCE_COUNTERS, "HSA_EXTENSION_PERFORMANCE_COUNTERS", false, 0},
    {HSA_EXTENSION_PROFILING_EVENTS, "HSA_EXTENSION_PROFILING_EVENTS", false, 0},
    {HSA_EXTENSION_AMD_PROFILER, "HSA_EXTENSION_AMD_PROFILER", true, 0},
    {HSA_EXTENSION_AMD_LOADER, "HSA_EXTENSION_AMD_LOADER", true, 3},
    {HSA_EXTENSION_AMD_AQLPROFILE, "HSA_EXTENSION_AMD_AQLPROFILE", false, 0},
    {HSA_EXTENSION_AMD_PC_SAMPLING, "HSA_EXTENSION_AMD_PC_SAMPLING", false, 0},
};

constexpr hsa_ext_images_1_pfn_t kImageTable = {hsa_ext_image_get_capability,
                                                hsa_ext_image_data_get_info,
                                                hsa_ext_image_create,
                                                hsa_ext_image_destroy,
                                                hsa_ext_image_copy,
                                                hsa_ext_image_import,
                                                hsa_ext_image_export,
                                                hsa_ext_image_clear,
                                                hsa_ext_sampler_create,
                                                hsa_ext_sampler_destroy,
                                                hsa_ext_image_get_capability_with_layout,
                                                hsa_ext_image_data_get_info_with_layout,
                                                hsa_ext_image_create_with_layout,
                                                hsa_ext_sampler_create_v2};

const Extension* find_extension(uint16_t number) noexcept {
  for (const Extension& each : kExtensions)
    if (each.number == number) return &each;
  return nullptr;
}

hsa_status_t extension_table(uint16_t extension, uint16_t major, size_t bytes, void* table) {
  const Extension* const found = find_extension(extension);
  if (!found || !table || major != kExtensionMajor || bytes == 0) return HSA_STATUS_ERROR_INVALID_ARGUMENT;
  if (extension == HSA_EXTENSION_AMD_LOADER)
    std::memcpy(table, &loader_table(), std::min(bytes, sizeof(hsa_ven_amd_loader_1_03_pfn_t)));
  else if (extension == HSA_EXTENSION_IMAGES)
    std::memcpy(table, &kImageTable, std::min(bytes, sizeof kImageTable));
  else
    return refuse(HSA_STATUS_ERROR, "{} has no table of functions here.", found->name);
  return HSA_STATUS_SUCCESS;
}

// How long the table of a minor version is; 0: there is no such version.
size_t table_bytes(uint16_t extension, uint16_t minor) noexcept {
  constexpr size_t kLoaderBytes[] = {
      offsetof(hsa_ven_amd_loader_1_03_pfn_t, hsa_ven_amd_loader_executable_iterate_loaded_code_objects),
      offsetof(hsa_ven_amd_loader_1_03_pfn_t, hsa_ven_amd_loader_code_object_reader_create_from_file_with_offset_size),
      offsetof(hsa_ven_amd_loader_1_03_pfn_t, hsa_ven_amd_loader_iterate_executables),
      sizeof(hsa_ven_amd_loader_1_03_pfn_t)};
  if (extension == HSA_EXTENSION_IMAGES) return minor == 0 ? sizeof(hsa_ext_images_1_00_pfn_t) : 0;
  return minor < std::size(kLoaderBytes) ? kLoaderBytes[minor] : 0;
}

} // namespace

extern "C" [[gnu::visibility("default")]] const void* __omnihipSoftwareGpus() { return hip::backend::software_gpus(); }

hsa_status_t hsa_init() {
  try {
    return Runtime::acquire();
  } catch (...) {
    return HSA_STATUS_ERROR_OUT_OF_RESOURCES;
  }
}

hsa_status_t hsa_shut_down() { return Runtime::release(); }

hsa_status_t hsa_system_get_info(hsa_system_info_t attribute, void* value) {
  return entry([&](Runtime&) -> hsa_status_t {
    if (!value) return HSA_STATUS_ERROR_INVALID_ARGUMENT;
    switch (static_cast<int>(attribute)) {
    case HSA_SYSTEM_INFO_VERSION_MAJOR:
      return answer(value, kMajor);
    case HSA_SYSTEM_INFO_VERSION_MINOR:
      return answer(value, kMinor);
    case HSA_SYSTEM_INFO_TIMESTAMP:
      return answer<uint64_t>(value, static_cast<uint64_t>(std::chrono::steady_clock::now().time_since_epoch() /
                                                           std::chrono::nanoseconds(1)));
    case HSA_SYSTEM_INFO_TIMESTAMP_FREQUENCY:
      return answer<uint64_t>(value, 1'000'000'000);
    case HSA_SYSTEM_INFO_SIGNAL_MAX_WAIT:
      return answer<uint64_t>(value, UINT64_MAX);
    case HSA_SYSTEM_INFO_ENDIANNESS:
      return answer(value, HSA_ENDIANNESS_LITTLE);
    case HSA_SYSTEM_INFO_MACHINE_MODEL:
      return answer(value, HSA_MACHINE_MODEL_LARGE);
    case HSA_SYSTEM_INFO_EXTENSIONS: {
      uint8_t bits[128] = {};
      for (const Extension& each : kExtensions)
        if (each.supported) bits[each.number / 8] |= static_cast<uint8_t>(1u << each.number % 8);
      return answer(value, bits);
    }
    case HSA_AMD_SYSTEM_INFO_BUILD_VERSION:
      return answer<const char*>(value, "OmniHIP");
    case HSA_AMD_SYSTEM_INFO_SVM_ACCESSIBLE_BY_DEFAULT: // a wild pointer is a fault
    case HSA_AMD_SYSTEM_INFO_MWAITX_ENABLED:
    case HSA_AMD_SYSTEM_INFO_XNACK_ENABLED:
      return answer(value, false);
    case HSA_AMD_SYSTEM_INFO_SVM_SUPPORTED:
    case HSA_AMD_SYSTEM_INFO_VIRTUAL_MEM_API_SUPPORTED:
    case HSA_AMD_SYSTEM_INFO_DMABUF_SUPPORTED: // descriptors of the memory's files
      return answer(value, true);
    case HSA_AMD_SYSTEM_INFO_EXT_VERSION_MAJOR:
      return answer<uint16_t>(value, HSA_AMD_INTERFACE_VERSION_MAJOR);
    case HSA_AMD_SYSTEM_INFO_EXT_VERSION_MINOR:
      return answer<uint16_t>(value, HSA_AMD_INTERFACE_VERSION_MINOR);
    }
    return HSA_STATUS_ERROR_INVALID_ARGUMENT;
  });
}

hsa_status_t hsa_extension_get_name(uint16_t extension, const char** name) {
  return entry([&](Runtime&) -> hsa_status_t {
    const Extension* const found = find_extension(extension);
    if (!found || !name) return HSA_STATUS_ERROR_INVALID_ARGUMENT;
    *name = found->name;
    return HSA_STATUS_SUCCESS;
  });
}

hsa_status_t hsa_system_major_extension_supported(uint16_t extension, uint16_t major, uint16_t* minor, bool* result) {
  return entry([&](Runtime&) -> hsa_status_t {
    const Extension* const found = find_extension(extension);
    if (!found || !minor || !result) return HSA_STATUS_ERROR_INVALID_ARGUMENT;
    *result = found->supported && major == kExtensionMajor;
    *minor = *result ? found->minor : 0;
    return HSA_STATUS_SUCCESS;
  });
}

hsa_status_t hsa_system_extension_supported(uint16_t extension, uint16_t major, uint16_t minor, bool* result) {
  return entry([&](Runtime&) -> hsa_status_t {
    const Extension* const found = find_extension(extension);
    if (!found || !result) return HSA_STATUS_ERROR_INVALID_ARGUMENT;
    *result = found->supported && major == kExtensionMajor && minor <= found->minor;
    return HSA_STATUS_SUCCESS;
  });
}

hsa_status_t hsa_system_get_major_extension_table(uint16_t extension, uint16_t major, size_t bytes, void* table) {
  return entry([&](Runtime&) { return extension_table(extension, major, bytes, table); });
}

hsa_status_t hsa_system_get_extension_table(uint16_t extension, uint16_t major, uint16_t minor, void* table) {
  return entry([&](Runtime&) -> hsa_status_t {
    return extension_table(extension, major, table_bytes(extension, minor), table);
  });
}

hsa_status_t hsa_agent_major_extension_supported(uint16_t extension, hsa_agent_t agent, uint16_t major, uint16_t* minor,
                                                 bool* result) {
  return entry([&](Runtime& runtime) -> hsa_status_t {
    const Agent* const found = runtime.find(agent);
    if (!found) return HSA_STATUS_ERROR_INVALID_AGENT;
    HSA_TRY(hsa_system_major_extension_supported(extension, major, minor, result));
    *result &= found->is_gpu();
    return HSA_STATUS_SUCCESS;
  });
}

hsa_status_t hsa_agent_extension_supported(uint16_t extension, hsa_agent_t agent, uint16_t major, uint16_t minor,
                                           bool* result) {
  return entry([&](Runtime& runtime) -> hsa_status_t {
    const Agent* const found = runtime.find(agent);
    if (!found) return HSA_STATUS_ERROR_INVALID_AGENT;
    HSA_TRY(hsa_system_extension_supported(extension, major, minor, result));
    *result &= found->is_gpu();
    return HSA_STATUS_SUCCESS;
  });
}

hsa_status_t hsa_amd_register_system_event_handler(hsa_amd_system_event_callback_t callback, void* data) {
  return entry([&](Runtime& runtime) -> hsa_status_t {
    if (!callback) return HSA_STATUS_ERROR_INVALID_ARGUMENT;
    runtime.add_event_handler(callback, data);
    return HSA_STATUS_SUCCESS;
  });
}

hsa_status_t hsa_amd_enable_logging(uint8_t* flags, void*) {
  return entry([&](Runtime&) -> hsa_status_t {
    if (!flags) return HSA_STATUS_ERROR_INVALID_ARGUMENT;
    return refuse(kNotSupported, "The log of OmniHIP's HSA is switched on by OMNIHIP_LOG.");
  });
}
