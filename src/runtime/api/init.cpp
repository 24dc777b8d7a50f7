// Initialisation, versions, and looking entry points up by name.
#include "runtime/api/activity.h"
#include "runtime/api/trace.h"
#include "runtime/base/log.h"

#include <atomic>
#include <dlfcn.h>
#include <string>
#include <string_view>

namespace hip::api {

Status hipInit(unsigned int flags) {
  if (flags != 0) return error(ErrorCode::InvalidValue, "The flags of hipInit are {:#x}; they must be 0.", flags);
  RT_TRY_ASSIGN([[maybe_unused]] core::Device * device, core::current_device());
  return {};
}

Status hipDriverGetVersion(int* driverVersion) {
  *driverVersion = HIP_VERSION;
  return {};
}

Status hipRuntimeGetVersion(int* runtimeVersion) {
  *runtimeVersion = HIP_VERSION;
  return {};
}

// By the numbers that tracing tools are given.
const char* hipApiName(uint32_t id) {
  const char* name = activity_name(id);
  return name ? name : "unknown";
}

namespace {

// "hip_6.1" -> 60100000; an extension has no version
constexpr int node_version(std::string_view node) {
  const size_t dot = node.find('.');
  if (dot == node.npos) return 0;
  int major = 0, minor = 0;
  for (char c : node.substr(4, dot - 4)) major = major * 10 + (c - '0');
  for (char c : node.substr(dot + 1)) minor = minor * 10 + (c - '0');
  return major * 10000000 + minor * 100000;
}

constexpr std::pair<std::string_view, int> kExports[] = {
#define HIP_API(name, node, area, params, args, ...) {#name, node_version(#node)},
#define HIP_API_BARE(name, node, area, params, args) {#name, node_version(#node)},
#define HIP_API_TODO(name, node, area, params, args) {#name, node_version(#node)},
#define HIP_API_RET(type, name, node, area, params, args) {#name, node_version(#node)},
#define HIP_API_RET_TODO(type, name, node, area, params, args, value) {#name, node_version(#node)},
#define HIP_COMPILER_API(type, name, node, params, args)
#define HIP_PRIVATE_API_TODO(type, name, node, params, args, value)
#define HIP_API_ALIAS(symbol, function, node) {symbol, node_version(#node)},
#include "api/api.def"
#include "runtime/api/undefine_rows.h"
};

void* find_export(std::string_view name, int& version) {
  for (const auto& [row_name, row_version] : kExports) {
    if (row_name != name) continue;
    version = row_version;
    // The library looks into itself: its own handle, not whatever the program's symbol scope has under this name.
    static void* const self = [] {
      Dl_info info;
      return dladdr(reinterpret_cast<const void*>(&find_export), &info)
                 ? dlopen(info.dli_fname, RTLD_LAZY | RTLD_NOLOAD)
                 : nullptr;
    }();
    return self ? dlsym(self, std::string(name).c_str()) : nullptr;
  }
  return nullptr;
}

void set(hipDriverProcAddressQueryResult* status, hipDriverProcAddressQueryResult value) {
  if (status) *status = value;
}

} // namespace

Status hipGetProcAddress(const char* symbol, void** pfn, int hipVersion, uint64_t flags,
                         hipDriverProcAddressQueryResult* symbolStatus) {
  *pfn = nullptr;
  const std::string_view name(symbol);
  if (name.empty()) return error(ErrorCode::InvalidValue, "The name of the function is empty.");
  if (flags > HIP_GET_PROC_ADDRESS_PER_THREAD_DEFAULT_STREAM)
    return error(ErrorCode::InvalidValue, "The flags {:#x} of hipGetProcAddress are not known.", flags);
  // Programs for HIP 6 and later mean the structures of HIP 6 by these names.
  std::string wanted(name);
  if (hipVersion >= 60000000 || hipVersion < 10000) // older callers pass major * 100 + minor
    if (name == "hipGetDeviceProperties" || name == "hipChooseDevice") wanted += "R0600";
  int version = 0;
  void* address = nullptr;
  if (flags == HIP_GET_PROC_ADDRESS_PER_THREAD_DEFAULT_STREAM) address = find_export(wanted + "_spt", version);
  if (!address) address = find_export(wanted, version);
  if (!address) {
    set(symbolStatus, HIP_GET_PROC_ADDRESS_SYMBOL_NOT_FOUND);
    return error(ErrorCode::NotFound, "There is no function \"{}\".", name);
  }
  *pfn = address;
  set(symbolStatus, HIP_GET_PROC_ADDRESS_SUCCESS);
  return {};
}

// AMD's profilers collect as their own interfaces say (rocprofiler); HIP documents hipErrorNotSupported for these two.
Status hipProfilerStart() {
  RT_TRY_ASSIGN(core::Device * device, core::current_device());
  return device->hal().collect_profile(true);
}

Status hipProfilerStop() {
  RT_TRY_ASSIGN(core::Device * device, core::current_device());
  return device->hal().collect_profile(false);
}

namespace {

// hipExtSetLoggingParams.
struct LoggingParameters {
  std::atomic<size_t> level{0}, size{0}, mask{0};
};
constinit LoggingParameters logging;
constexpr size_t kCallsLevel = 3, kCallsMask = 1; // AMD_LOG_LEVEL's information, AMD_LOG_MASK's calls

} // namespace

Status hipExtSetLoggingParams(size_t log_level, size_t log_size, size_t log_mask) {
  logging.level.store(log_level, std::memory_order_relaxed);
  logging.size.store(log_size, std::memory_order_relaxed);
  logging.mask.store(log_mask, std::memory_order_relaxed);
  return {};
}

Status hipExtEnableLogging() {
  const size_t level = logging.level.load(std::memory_order_relaxed);
  const bool calls = level >= kCallsLevel && (logging.mask.load(std::memory_order_relaxed) & kCallsMask) != 0;
  set_log_level(log_level_of(level));
  trace_lines(calls);
  return {};
}

Status hipExtDisableLogging() {
  set_log_level(log_level_of(0));
  trace_lines(false);
  return {};
}

const char* amd_dbgapi_get_build_name() { return "OmniHIP" HIP_VERSION_BUILD_NAME; }
const char* amd_dbgapi_get_git_hash() { return HIP_VERSION_GITHASH; }
size_t amd_dbgapi_get_build_id() { return HIP_VERSION_BUILD_ID; }

Status hipGetDriverEntryPoint(const char* symbol, void** funcPtr, unsigned long long flags,
                              hipDriverEntryPointQueryResult* driverStatus) {
  hipDriverProcAddressQueryResult found = HIP_GET_PROC_ADDRESS_SYMBOL_NOT_FOUND;
  const Status status = api::hipGetProcAddress(symbol, funcPtr, HIP_VERSION, flags, &found);
  if (driverStatus) *driverStatus = static_cast<hipDriverEntryPointQueryResult>(found);
  return status;
}

} // namespace hip::api
