#include "runtime/backend/aql/hsa/library.h"

#include "runtime/base/env.h"
#include "runtime/base/log.h"
#include "runtime/hsa_check/check.h"

#include <dlfcn.h>
#include <memory>
#include <unistd.h>
#include <vector>

namespace hip::aql::hsa {

namespace {

// The device file of AMD's kernel driver: without it the runtime has nothing to find, and is not opened.
constexpr const char* kDriver = "/dev/kfd";
// Not by its name alone: the search would begin beside this library, where the SDK's own libhsa-runtime64 is.
constexpr const char* kPlaces[] = {"/opt/rocm/lib/libhsa-runtime64.so.1",
                                   "/usr/lib/x86_64-linux-gnu/libhsa-runtime64.so.1",
                                   "/usr/lib64/libhsa-runtime64.so.1", "/usr/lib/libhsa-runtime64.so.1"};

// The SDK's own library, whose GPUs are the software ones that this process has already.
bool is_ours(const Library& hsa) {
  const char* build = nullptr;
  constexpr auto kBuild = static_cast<hsa_system_info_t>(HSA_AMD_SYSTEM_INFO_BUILD_VERSION);
  return hsa.hsa_system_get_info(kBuild, &build) == HSA_STATUS_SUCCESS && build && std::string_view(build) == "OmniHIP";
}

// Why AMD's runtime does not begin, as far as it can be seen from here; its own status says the same for all reasons.
std::string hint_of_init() {
  if (::access(kDriver, F_OK) != 0)
    return fmt::format(" There is no {}, so AMD's kernel driver is not loaded.", kDriver);
  if (::access(kDriver, R_OK | W_OK) != 0)
    return fmt::format(" This user may not open {}; members of the groups render and video may.", kDriver);
  return fmt::format(" {} is there, but no card answers.", kDriver);
}

// With OMNIHIP_HSA_CHECK the functions of the checks come first.
Status check_calls(Library& library, void* handle) {
  RT_TRY_ASSIGN(const hsa_check::Mode mode, hsa_check::mode());
  if (mode == hsa_check::Mode::Off) return {};
  RT_TRY(hsa_check::start(mode, [handle](const char* name) { return ::dlsym(handle, name); }));
#define HSA_FUNCTION(name)                                                                                             \
  if (void* const checking = hsa_check::checking(#name)) library.name = reinterpret_cast<decltype(::name)*>(checking);
#include "runtime/backend/aql/hsa/functions.def"
  return {};
}

// Of a call, and of the work in a queue.
std::pair<ErrorCode, ErrorCode> errors_of(hsa_status_t status) noexcept {
  switch (static_cast<int>(status)) {
#define HSA_ERROR(name, of_call, of_work)                                                                              \
  case HSA_STATUS_ERROR##name:                                                                                         \
    return {ErrorCode::of_call, ErrorCode::of_work};
#include "runtime/backend/aql/hsa/errors.def"
#undef HSA_ERROR
  default:
    return {ErrorCode::Unknown, ErrorCode::LaunchFailure};
  }
}

// Where an allocation that is invalid is one that is asked for, too large; elsewhere it is one that is none.
bool makes_memory(std::string_view call) noexcept {
  return call == "hsa_amd_memory_pool_allocate" || call == "hsa_amd_vmem_handle_create";
}

Result<std::unique_ptr<Library>> open(const char* file) {
  auto library = std::make_unique<Library>();
  library->file = file;
  void* const handle = library->handle = ::dlopen(file, RTLD_NOW | RTLD_LOCAL);
  if (!handle) return error(ErrorCode::FileNotFound, "{}", ::dlerror());
  const auto find = [&](const char* name) -> Result<void*> {
    if (void* const function = ::dlsym(handle, name)) return function;
    return error(ErrorCode::InsufficientDriver, "{} has no function {}.", file, name);
  };
#define HSA_FUNCTION(name)                                                                                             \
  {                                                                                                                    \
    RT_TRY_ASSIGN(void* const function, find(#name));                                                                  \
    library->name = reinterpret_cast<decltype(::name)*>(function);                                                     \
  }
#define HSA_OPTIONAL(name) library->name = reinterpret_cast<decltype(::name)*>(::dlsym(handle, #name));
#include "runtime/backend/aql/hsa/functions.def"
  if (Status status = library->check(library->hsa_init(), "hsa_init"); !status.ok())
    return error(status.code(), "{}: {}{}", file, status.message(), hint_of_init());
  library->initialised = true;
  RT_TRY(library->check(library->hsa_system_get_major_extension_table(HSA_EXTENSION_AMD_LOADER, 1,
                                                                      sizeof library->loader, &library->loader),
                        "hsa_system_get_major_extension_table"));
  RT_TRY(check_calls(*library, handle));
  return library;
}

Result<const Library*> load_once() {
  const std::string named = std::string(env_text(Env::OMNIHIP_HSA_RUNTIME));
  if (!named.empty()) {
    if (named == "0") return error(ErrorCode::FileNotFound, "OMNIHIP_HSA_RUNTIME is 0.");
    RT_TRY_ASSIGN(std::unique_ptr<Library> library, open(named.c_str()));
    return static_cast<const Library*>(library.release()); // never destroyed
  }
  if (::access(kDriver, F_OK) != 0)
    return error(ErrorCode::FileNotFound, "There is no {}, so AMD's kernel driver is not loaded.", kDriver);
  std::string reasons;
  for (const char* const place : kPlaces) {
    if (::access(place, R_OK) != 0) continue;
    Result<std::unique_ptr<Library>> library = open(place);
    if (!library.ok())
      reasons += fmt::format(" {}", library.status().message());
    else if (is_ours(**library) || !(*library)->has_gpu())
      reasons += fmt::format(" {} has no card.", place);
    else
      return static_cast<const Library*>(library->release());
  }
  return error(ErrorCode::FileNotFound, "AMD's runtime was not found.{}", reasons);
}

} // namespace

Library::~Library() {
  if (inherited()) return;
  if (initialised) note(hsa_shut_down(), "hsa_shut_down");
  if (handle) ::dlclose(handle);
}

Result<const Library*> Library::load() {
  static const Result<const Library*> library = load_once();
  return library;
}

Status Library::usable() const {
  if (inherited()) [[unlikely]]
    return error(ErrorCode::NotInitialized,
                 "This process was forked from one that uses AMD's GPUs; it cannot use them. "
                 "Call HIP first in the child only, or start it with exec.");
  return Status();
}

bool Library::has_gpu() const {
  struct Search {
    const Library& hsa;
    bool found = false;
  } search{*this};
  note(hsa_iterate_agents(
           [](hsa_agent_t agent, void* data) {
             auto& wanted = *static_cast<Search*>(data);
             hsa_device_type_t type = HSA_DEVICE_TYPE_CPU;
             wanted.found = wanted.hsa.note(wanted.hsa.hsa_agent_get_info(agent, HSA_AGENT_INFO_DEVICE, &type),
                                            "hsa_agent_get_info") &&
                            type == HSA_DEVICE_TYPE_GPU;
             return wanted.found ? HSA_STATUS_INFO_BREAK : HSA_STATUS_SUCCESS;
           },
           &search),
       "hsa_iterate_agents");
  return search.found;
}

std::string Library::describe(hsa_status_t status, const char* call) const {
  const char* text = nullptr;
  if (!hsa_status_string || hsa_status_string(status, &text) != HSA_STATUS_SUCCESS || !text) text = "no text";
  return fmt::format("{} gives {:#x}: {}", call, static_cast<unsigned>(status), text);
}

Status Library::check(hsa_status_t status, const char* call) const {
  if (status == HSA_STATUS_SUCCESS || status == HSA_STATUS_INFO_BREAK) return Status();
  ErrorCode code = errors_of(status).first;
  if (status == HSA_STATUS_ERROR_INVALID_ALLOCATION && makes_memory(call)) code = ErrorCode::OutOfMemory;
  return Status(code, describe(status, call));
}

Status Library::queue_error(hsa_status_t status) const {
  return Status(errors_of(status).second, describe(status, "a queue"));
}

bool Library::note(hsa_status_t status, const char* call) const {
  const Status checked = check(status, call);
  if (!checked.ok()) log(LogLevel::Warning, "AMD's runtime: {}", checked.message());
  return checked.ok();
}

} // namespace hip::aql::hsa
