#include "runtime/core/runtime.h"

#include "runtime/base/env.h"
#include "runtime/base/log.h"
#include "runtime/base/visible_devices.h"
#include "runtime/core/module.h"
#include "runtime/core/thread_state.h"

#include <algorithm>
#include <pthread.h>
#include <string>

namespace hip::core {
namespace {

struct Runtime {
  std::vector<std::unique_ptr<backend::Backend>> backends;
  std::vector<FoundDevice> found;
  std::vector<Device*> devices;
  Status no_device; // why `devices` is empty
};

constinit Runtime* runtime = nullptr; // written once, before detail::initialised
constinit std::mutex initialise_mutex;
constinit std::atomic<size_t> first_choice{0}; // the device of threads that have not chosen one

// A UUID as tools print it. AMD's 16 bytes are hexadecimal digits already; others are grouped as RFC 4122 says.
std::string uuid_text(const std::array<uint8_t, 16>& uuid) {
  const std::string text(reinterpret_cast<const char*>(uuid.data()), uuid.size());
  const bool printable = std::all_of(text.begin(), text.end(), [](char c) { return c > ' ' && c < 0x7f; });
  if (printable) return "GPU-" + text;
  std::string grouped = "GPU";
  for (size_t i = 0; i < uuid.size(); ++i)
    grouped += fmt::format("{}{:02x}", i == 0 || i == 4 || i == 6 || i == 8 || i == 10 ? "-" : "", uuid[i]);
  return grouped;
}

using Hals = std::vector<FoundDevice>;

Hals filter(const Hals& all, Env variable) {
  if (!env_is_set(variable)) return all;
  std::vector<std::string> texts;
  for (const FoundDevice& found : all) texts.push_back(uuid_text(found.hal->properties().uuid));
  const std::vector<std::string_view> uuids(texts.begin(), texts.end());
  Hals chosen;
  for (size_t index : select_devices(env_text(variable), uuids)) chosen.push_back(all[index]);
  return chosen;
}

// Real GPUs, then software ones; each in the order in which they were added.
class OrderedHals {
public:
  void add(const Hals& hals) {
    for (const FoundDevice& each : hals) (each.hal->properties().is_software ? software_ : real_).push_back(each);
  }
  Hals list() const {
    Hals all = real_;
    all.insert(all.end(), software_.begin(), software_.end());
    return all;
  }

private:
  Hals real_, software_;
};

// Collects the devices of one back end after another.
class Finder {
public:
  explicit Finder(Runtime& runtime) noexcept : runtime_(runtime) {}

  // Error: what kept the back end from being made. None for a back end that has no devices.
  Result<size_t> take(Result<std::unique_ptr<backend::Backend>> created, std::string_view name) {
    if (!created.ok()) {
      reasons_ += fmt::format(" Back end {}: {}", name, created.status().message());
      return created.status();
    }
    backend::Backend& backend = **created;
    if (!backend.absence().empty()) {
      log(LogLevel::Info, "Back end {}: {}", name, backend.absence());
      reasons_ += fmt::format(" Back end {}: {}", name, backend.absence());
    }
    Hals found;
    for (backend::Device* hal : backend.devices()) found.push_back({hal, &backend});
    all_.add(found);
    if (name == "aql") found = filter(found, Env::ROCR_VISIBLE_DEVICES);
    offered_.add(found);
    runtime_.backends.push_back(std::move(*created));
    return found.size();
  }
  const std::string& reasons() const noexcept { return reasons_; }
  Hals all() const { return all_.list(); }
  Hals offered() const { return offered_.list(); } // what ROCR_VISIBLE_DEVICES leaves, in its order

private:
  Runtime& runtime_;
  OrderedHals all_, offered_;
  std::string reasons_;
};

struct Provider {
  std::string_view name;
  Result<std::unique_ptr<backend::Backend>> (*create)();
};
constexpr Provider kProviders[] = {
    {"aql", [] { return backend::create_aql_backend(); }},
    {"hsa", backend::create_hsa_backend},
    {"cuda", backend::create_cuda_backend},
    {"null", backend::create_null_backend},
};

// Takes only the back end that OMNIHIP_BACKEND names. Returns the reason when there is none of that name, else nothing.
std::string find_named(Finder& finder, std::string_view wanted) {
  for (const Provider& provider : kProviders) {
    if (provider.name != wanted) continue;
    static_cast<void>(finder.take(provider.create(), wanted)); // the finder keeps the reason
    return {};
  }
  return fmt::format(" OMNIHIP_BACKEND names \"{}\", which is no back end of this build.", wanted);
}

// Every real GPU; software GPUs when there is none, or when OMNIHIP_SOFT_DEVICES asks for them.
void find_all(Finder& finder) {
  const auto hsa = finder.take(backend::create_hsa_backend(), "hsa");
  const auto cuda = finder.take(backend::create_cuda_backend(), "cuda");
  const bool real = (hsa.ok() && hsa.value() != 0) || (cuda.ok() && cuda.value() != 0);
  const bool soft = !real || env_is_set(Env::OMNIHIP_SOFT_DEVICES);
  static_cast<void>(finder.take(
      backend::create_aql_backend(soft ? backend::SoftwareDevices::Offer : backend::SoftwareDevices::Leave), "aql"));
}

// CUDA's driver applies CUDA_VISIBLE_DEVICES to its own devices before we see them. Without NVIDIA devices the variable
// is read as HIP_VISIBLE_DEVICES, as programs for AMD GPUs expect.
void choose_visible(Hals& hals) {
  const auto is_nvidia = [](const FoundDevice& found) { return found.group->name() == "cuda"; };
  if (env_is_set(Env::HIP_VISIBLE_DEVICES))
    hals = filter(hals, Env::HIP_VISIBLE_DEVICES);
  else if (std::none_of(hals.begin(), hals.end(), is_nvidia))
    hals = filter(hals, Env::CUDA_VISIBLE_DEVICES);
}

std::unique_ptr<Runtime> create() {
  auto runtime = std::make_unique<Runtime>();
  const std::string_view wanted = env_text(Env::OMNIHIP_BACKEND);
  Finder finder(*runtime);
  std::string reasons;
  if (wanted.empty())
    find_all(finder);
  else
    reasons = find_named(finder, wanted);
  reasons += finder.reasons();
  runtime->found = finder.all();
  Hals hals = finder.offered();
  choose_visible(hals);
  if (hals.empty()) runtime->no_device = error(ErrorCode::NoDevice, "No device is visible to this process.{}", reasons);
  for (const FoundDevice& found : hals) {
    runtime->devices.push_back(new Device(static_cast<int>(runtime->devices.size()), *found.hal, *found.group));
    log(LogLevel::Info, "Device {} is {} ({}).", runtime->devices.back()->ordinal(), found.hal->properties().name,
        found.hal->properties().target);
  }
  return runtime;
}

Status error_of_forked_child() {
  return error(ErrorCode::NotInitialized,
               "This process was forked from one that uses HIP, whose devices it cannot use. "
               "Call HIP first in the child only, or start it with exec.");
}

// Runs in the child, whose only thread is the one that called fork().
void end_in_child() noexcept {
  detail::forked.store(true, std::memory_order_relaxed);
  detail::initialised.store(false, std::memory_order_relaxed); // each entry point looks at it before all else
}

} // namespace

namespace detail {
constinit std::atomic<bool> initialised{false};
constinit std::atomic<bool> forked{false};
constinit std::span<Device* const> visible_devices;

Status initialise_slowly() {
  if (is_forked_child()) return error_of_forked_child();
  std::lock_guard lock(initialise_mutex);
  if (initialised.load(std::memory_order_relaxed)) return {};
  static_cast<void>(::pthread_atfork(nullptr, nullptr, end_in_child)); // fails without memory only
  static_cast<void>(loads_eagerly());                                  // as the variable is now, for good
  runtime = create().release();                                        // never destroyed
  visible_devices = runtime->devices;
  initialised.store(true, std::memory_order_release);
  return {};
}

Result<Device*> first_current_device() {
  if (is_forked_child()) return error_of_forked_child();
  RT_CHECK(initialised.load(std::memory_order_acquire), "every API call initialises first");
  if (runtime->devices.empty()) return runtime->no_device;
  Device* const first = runtime->devices[first_choice.load(std::memory_order_relaxed)];
  this_thread().device = first->ordinal();
  return first;
}
} // namespace detail

Status set_device_order(std::span<const int> ordinals) {
  for (const int ordinal : ordinals) RT_TRY(find_device(ordinal).status());
  first_choice.store(ordinals.empty() ? 0 : static_cast<size_t>(ordinals.front()), std::memory_order_relaxed);
  if (!this_thread().device_is_chosen) this_thread().device = ThreadState::kNoDevice;
  return {};
}

std::span<const FoundDevice> found_devices() noexcept {
  return detail::initialised.load(std::memory_order_acquire) ? std::span<const FoundDevice>(runtime->found)
                                                             : std::span<const FoundDevice>();
}

Result<Device*> find_device(int ordinal) {
  const auto all = devices();
  if (all.empty()) return current_device();
  if (ordinal < 0 || static_cast<size_t>(ordinal) >= all.size())
    return error(ErrorCode::InvalidDevice, "Device {} does not exist; this process sees {}.", ordinal, all.size());
  return all[static_cast<size_t>(ordinal)];
}

} // namespace hip::core
