#include "runtime/hsa/loader.h"

#include "runtime/hsa/entry.h"

namespace hip::hsa {

namespace {

// What was loaded at this address; null: nothing.
const LoadedCode* find_code(const Runtime& runtime, uint64_t address) {
  const LoadedCode* found = nullptr;
  static_cast<void>(runtime.for_each_executable([&](Executable& executable) {
    for (const std::unique_ptr<LoadedCode>& loaded : executable.loaded())
      if (loaded->holds(address)) found = loaded.get();
    return found ? HSA_STATUS_INFO_BREAK : HSA_STATUS_SUCCESS;
  }));
  return found;
}

const LoadedCode* find_code(const Runtime& runtime, hsa_loaded_code_object_t handle) {
  const LoadedCode* found = nullptr;
  static_cast<void>(runtime.for_each_executable([&](Executable& executable) {
    for (const std::unique_ptr<LoadedCode>& loaded : executable.loaded())
      if (reinterpret_cast<uint64_t>(loaded.get()) == handle.handle) found = loaded.get();
    return found ? HSA_STATUS_INFO_BREAK : HSA_STATUS_SUCCESS;
  }));
  return found;
}

hsa_status_t query_host_address(const void* device_address, const void** host_address) {
  return entry([&](Runtime& runtime) -> hsa_status_t {
    if (!device_address || !host_address) return HSA_STATUS_ERROR_INVALID_ARGUMENT;
    if (!find_code(runtime, reinterpret_cast<uint64_t>(device_address))) return HSA_STATUS_ERROR_INVALID_ARGUMENT;
    *host_address = device_address; // the host reads code where it is
    return HSA_STATUS_SUCCESS;
  });
}

hsa_status_t query_segment_descriptors(hsa_ven_amd_loader_segment_descriptor_t* out, size_t* count) {
  return entry([&](Runtime& runtime) -> hsa_status_t {
    if (!count || (!out && *count != 0)) return HSA_STATUS_ERROR_INVALID_ARGUMENT;
    std::vector<hsa_ven_amd_loader_segment_descriptor_t> all;
    HSA_TRY(runtime.for_each_executable([&](Executable& executable) {
      for (const std::unique_ptr<LoadedCode>& loaded : executable.loaded())
        for (const auto& [address, bytes, offset] : loaded->segments)
          all.push_back({loaded->agent->handle(), executable.handle(),
                         HSA_VEN_AMD_LOADER_CODE_OBJECT_STORAGE_TYPE_MEMORY, loaded->file.data(), loaded->file.size(),
                         offset, reinterpret_cast<const void*>(address), bytes});
      return HSA_STATUS_SUCCESS;
    }));
    if (!out) return answer<size_t>(count, all.size());
    if (*count != all.size()) return HSA_STATUS_ERROR_INCOMPATIBLE_ARGUMENTS;
    std::copy(all.begin(), all.end(), out);
    return HSA_STATUS_SUCCESS;
  });
}

hsa_status_t query_executable(const void* device_address, hsa_executable_t* executable) {
  return entry([&](Runtime& runtime) -> hsa_status_t {
    if (!device_address || !executable) return HSA_STATUS_ERROR_INVALID_ARGUMENT;
    const LoadedCode* const loaded = find_code(runtime, reinterpret_cast<uint64_t>(device_address));
    if (!loaded) return HSA_STATUS_ERROR_INVALID_ARGUMENT;
    *executable = loaded->executable->handle();
    return HSA_STATUS_SUCCESS;
  });
}

hsa_status_t iterate_loaded_code_objects(hsa_executable_t handle,
                                         hsa_status_t (*callback)(hsa_executable_t, hsa_loaded_code_object_t, void*),
                                         void* data) {
  return entry([&](Runtime& runtime) -> hsa_status_t {
    const Executable* const executable = runtime.find(handle);
    if (!executable) return HSA_STATUS_ERROR_INVALID_EXECUTABLE;
    if (!callback) return HSA_STATUS_ERROR_INVALID_ARGUMENT;
    for (const std::unique_ptr<LoadedCode>& loaded : executable->loaded())
      HSA_TRY(callback(handle, {reinterpret_cast<uint64_t>(loaded.get())}, data));
    return HSA_STATUS_SUCCESS;
  });
}

hsa_status_t get_info(hsa_loaded_code_object_t handle, hsa_ven_amd_loader_loaded_code_object_info_t attribute,
                      void* value) {
  return entry([&](Runtime& runtime) -> hsa_status_t {
    const LoadedCode* const loaded = find_code(runtime, handle);
    if (!loaded) return HSA_STATUS_ERROR_INVALID_CODE_OBJECT;
    if (!value) return HSA_STATUS_ERROR_INVALID_ARGUMENT;
    switch (attribute) {
    case HSA_VEN_AMD_LOADER_LOADED_CODE_OBJECT_INFO_EXECUTABLE:
      return answer(value, loaded->executable->handle());
    case HSA_VEN_AMD_LOADER_LOADED_CODE_OBJECT_INFO_KIND:
      return answer<uint32_t>(value, HSA_VEN_AMD_LOADER_LOADED_CODE_OBJECT_KIND_AGENT);
    case HSA_VEN_AMD_LOADER_LOADED_CODE_OBJECT_INFO_AGENT:
      return answer(value, loaded->agent->handle());
    case HSA_VEN_AMD_LOADER_LOADED_CODE_OBJECT_INFO_CODE_OBJECT_STORAGE_TYPE:
      return answer<uint32_t>(value, HSA_VEN_AMD_LOADER_CODE_OBJECT_STORAGE_TYPE_MEMORY);
    case HSA_VEN_AMD_LOADER_LOADED_CODE_OBJECT_INFO_CODE_OBJECT_STORAGE_MEMORY_BASE:
      return answer<uint64_t>(value, reinterpret_cast<uint64_t>(loaded->file.data()));
    case HSA_VEN_AMD_LOADER_LOADED_CODE_OBJECT_INFO_CODE_OBJECT_STORAGE_MEMORY_SIZE:
      return answer<uint64_t>(value, loaded->file.size());
    case HSA_VEN_AMD_LOADER_LOADED_CODE_OBJECT_INFO_CODE_OBJECT_STORAGE_FILE:
      return HSA_STATUS_ERROR_INVALID_ARGUMENT; // its storage is memory
    case HSA_VEN_AMD_LOADER_LOADED_CODE_OBJECT_INFO_LOAD_DELTA:
      return answer<int64_t>(value, loaded->delta());
    case HSA_VEN_AMD_LOADER_LOADED_CODE_OBJECT_INFO_LOAD_BASE:
      return answer<uint64_t>(value, loaded->code.image().device_base);
    case HSA_VEN_AMD_LOADER_LOADED_CODE_OBJECT_INFO_LOAD_SIZE:
      return answer<uint64_t>(value, loaded->code.image().size_bytes);
    case HSA_VEN_AMD_LOADER_LOADED_CODE_OBJECT_INFO_URI_LENGTH:
      return answer<uint32_t>(value, static_cast<uint32_t>(loaded->uri.size()));
    case HSA_VEN_AMD_LOADER_LOADED_CODE_OBJECT_INFO_URI:
      return answer_characters(value, loaded->uri);
    }
    return HSA_STATUS_ERROR_INVALID_ARGUMENT;
  });
}

hsa_status_t reader_from_part(hsa_file_t file, size_t offset, size_t bytes, hsa_code_object_reader_t* out) {
  return entry([&](Runtime& runtime) -> hsa_status_t {
    if (!out || bytes == 0) return HSA_STATUS_ERROR_INVALID_ARGUMENT;
    Result<std::unique_ptr<Reader>> reader = Reader::of_file(file, offset, bytes);
    if (!reader.ok()) return refuse(HSA_STATUS_ERROR_INVALID_FILE, "{}", reader.status().message());
    out->handle = reinterpret_cast<uint64_t>(runtime.add(std::move(*reader)));
    return HSA_STATUS_SUCCESS;
  });
}

hsa_status_t iterate_executables(hsa_status_t (*callback)(hsa_executable_t, void*), void* data) {
  return entry([&](Runtime& runtime) -> hsa_status_t {
    if (!callback) return HSA_STATUS_ERROR_INVALID_ARGUMENT;
    return runtime.for_each_executable([&](Executable& executable) { return callback(executable.handle(), data); });
  });
}

} // namespace

const hsa_ven_amd_loader_1_03_pfn_t& loader_table() noexcept {
  static constexpr hsa_ven_amd_loader_1_03_pfn_t kTable{
      query_host_address, query_segment_descriptors, query_executable,   iterate_loaded_code_objects,
      get_info,           reader_from_part,          iterate_executables};
  return kTable;
}

} // namespace hip::hsa
