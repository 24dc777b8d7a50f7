#include "runtime/core/runtime.h"

#include "runtime/base/env.h"
#include "runtime/base/log.h"
#include "runtime/core/thread_state.h"
#include "runtime/core/visible_devices.h"

#include <string>

namespace hip::core {
namespace {

struct Runtime {
  std::vector<std::unique_ptr<backend::Backend>> backends;
  std::vector<Device*> devices;
  Status no_device; // why `devices` is empty
};

constinit std::atomic<Runtime*> ready{nullptr};
constinit std::mutex initialise_mutex;

std::string uuid_text(const std::array<uint8_t, 16>& uuid) {
  // A UUID as tools print it: its 16 bytes are hexadecimal digits already.
  return "GPU-" + std::string(reinterpret_cast<const char*>(uuid.data()), uuid.size());
}

using Hals = std::vector<backend::Device*>;

Hals filter(const Hals& all, Env variable) {
  if (!env_is_set(variable)) return all;
  std::vector<std::string> texts;
  for (backend::Device* hal : all)
    texts.push_back(uuid_text(hal->properties().uuid));
  const std::vector<std::string_view> uuids(texts.begin(), texts.end());
  Hals chosen;
  for (size_t index : select_devices(env_text(variable), uuids))
    chosen.push_back(all[index]);
  return chosen;
}

struct Provider {
  std::string_view name;
  Result<std::unique_ptr<backend::Backend>> (*create)();
  bool only_by_name;
};
constexpr Provider kProviders[] = {
    {"aql", backend::create_aql_backend, false},
    {"null", backend::create_null_backend, true},
};

std::unique_ptr<Runtime> create() {
  auto runtime = std::make_unique<Runtime>();
  const std::string_view wanted = env_text(Env::OMNIHIP_BACKEND);
  std::string reasons;
  bool known = wanted.empty();
  Hals hals;
  for (const Provider& provider : kProviders) {
    if (wanted.empty() ? provider.only_by_name : wanted != provider.name) continue;
    known = true;
    auto backend = provider.create();
    if (!backend.ok()) {
      reasons += fmt::format(" Back end {}: {}", provider.name, backend.status().message());
      continue;
    }
    Hals found((*backend)->devices().begin(), (*backend)->devices().end());
    if (provider.name == "aql") found = filter(found, Env::ROCR_VISIBLE_DEVICES);
    hals.insert(hals.end(), found.begin(), found.end());
    runtime->backends.push_back(std::move(*backend));
  }
  if (!known) reasons += fmt::format(" OMNIHIP_BACKEND names \"{}\", which is no back end of this build.", wanted);
  hals = filter(hals, env_is_set(Env::HIP_VISIBLE_DEVICES) ? Env::HIP_VISIBLE_DEVICES : Env::CUDA_VISIBLE_DEVICES);
  if (hals.empty()) runtime->no_device = error(ErrorCode::NoDevice, "No device is visible to this process.{}", reasons);
  for (backend::Device* hal : hals) {
    runtime->devices.push_back(new Device(static_cast<int>(runtime->devices.size()), *hal));
    log(LogLevel::Info, "Device {} is {} ({}).", runtime->devices.back()->ordinal(), hal->properties().name,
        hal->properties().target);
  }
  return runtime;
}

} // namespace

namespace detail {
constinit std::atomic<bool> initialised{false};

void initialise_slowly() {
  std::lock_guard lock(initialise_mutex);
  if (initialised.load(std::memory_order_relaxed)) return;
  ready.store(create().release(), std::memory_order_release); // never destroyed
  initialised.store(true, std::memory_order_release);
}
} // namespace detail

std::span<Device* const> devices() noexcept {
  Runtime* runtime = ready.load(std::memory_order_acquire);
  if (!runtime) return {};
  return runtime->devices;
}

Result<Device*> find_device(int ordinal) {
  const auto all = devices();
  if (all.empty()) return current_device();
  if (ordinal < 0 || static_cast<size_t>(ordinal) >= all.size())
    return error(ErrorCode::InvalidDevice, "Device {} does not exist; this process sees {}.", ordinal, all.size());
  return all[static_cast<size_t>(ordinal)];
}

Result<Device*> current_device() {
  Runtime* runtime = ready.load(std::memory_order_acquire);
  RT_CHECK(runtime, "every API call initialises first");
  const size_t ordinal = static_cast<size_t>(this_thread().device);
  if (ordinal >= runtime->devices.size()) [[unlikely]] // hipSetDevice takes only devices that exist
    return runtime->no_device;
  return runtime->devices[ordinal];
}

} // namespace hip::core
