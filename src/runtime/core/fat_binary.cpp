#include "runtime/core/fat_binary.h"

#include "runtime/base/log.h"
#include "runtime/core/runtime.h"

#include <cstring>
#include <dlfcn.h>

namespace hip::core {
namespace detail {
RT_NO_DESTROY constinit FunctionIndex<RegisteredFunction> registered_functions;
} // namespace detail

namespace {
RT_NO_DESTROY constinit FunctionIndex<RegisteredVariable> registered_variables;

// The fat binaries that programs have registered.
struct Registered {
  std::mutex mutex; // held while any of them is loaded early, so that none ends meanwhile
  std::vector<FatBinary*> binaries;
  std::atomic<uint32_t> count{0}; // of registrations ever
};
Registered& registered() {
  static Registered* const all = new Registered; // never destroyed
  return *all;
}
} // namespace

FatBinary::FatBinary(const void* bundle) : bundle_(bundle) {
  std::lock_guard lock(registered().mutex);
  registered().binaries.push_back(this);
  registered().count.fetch_add(1, std::memory_order_release);
}

void load_registered_code(Device& device) {
  if (!device.properties().loading_waits && !loads_eagerly()) [[likely]]
    return;
  const uint32_t count = registered().count.load(std::memory_order_acquire);
  if (device.registrations_seen.load(std::memory_order_relaxed) == count) return;
  std::lock_guard lock(registered().mutex);
  device.registrations_seen.store(count, std::memory_order_relaxed);
  for (FatBinary* binary : registered().binaries) binary->load_early(device);
}

RegisteredVariable* find_registered_variable(const void* host) noexcept { return registered_variables.find(host); }

FatBinary::~FatBinary() {
  if (image_.empty()) {
    std::lock_guard lock(registered().mutex);
    std::erase(registered().binaries, this);
  }
  for (const auto& function : functions_) detail::registered_functions.remove(function->host(), function.get());
  for (const auto& variable : variables_) {
    registered_variables.remove(variable->host, variable.get());
    if (variable->managed) registered_variables.remove(variable->managed->address(), variable.get());
  }
  for (const auto& code : loaded_) {
    if (!code) continue;
    code->device().finish();
    code->end_handles();
  }
  loaded_.clear(); // before the storage of its managed variables
}

void FatBinary::add_function(const void* host, const char* name) {
  auto function = std::make_unique<RegisteredFunction>(*this, host, name);
  std::lock_guard lock(mutex_);
  functions_.push_back(std::move(function));
  detail::registered_functions.insert(host, functions_.back().get());
}

void FatBinary::add_variable(void* host, const char* name, size_t bytes) {
  auto variable = std::make_unique<RegisteredVariable>(RegisteredVariable{this, host, name, bytes, std::nullopt});
  std::lock_guard lock(mutex_);
  variables_.push_back(std::move(variable));
  registered_variables.insert(host, variables_.back().get());
}

void FatBinary::add_managed_variable(void** host_pointer, const void* initial, const char* name, size_t bytes,
                                     size_t align) {
  // Where no device gives managed memory, the host part of the program still needs its variable.
  Device* const device = initialise().ok() && !devices().empty() ? devices()[0] : nullptr;
  auto made = ManagedStorage::allocate(device, bytes, align);
  if (!made.ok()) made = ManagedStorage::allocate(nullptr, bytes, align);
  if (!made.ok()) throw std::bad_alloc();
  void* const address = made.value().address();
  std::memcpy(address, initial, bytes);
  *host_pointer = address;
  auto variable = std::make_unique<RegisteredVariable>(
      RegisteredVariable{this, host_pointer, name, bytes, std::move(made).value()});
  std::lock_guard lock(mutex_);
  variables_.push_back(std::move(variable));
  registered_variables.insert(host_pointer, variables_.back().get());
  registered_variables.insert(address, variables_.back().get());
  // Another thread may have loaded the code since the fat binary was registered (load_registered_code).
  const NamedStorage storage[] = {{name, address}};
  for (const auto& code : loaded_)
    if (const Status placed = code ? code->place_registered(storage) : Status(); !placed.ok())
      log(LogLevel::Error, "Kernels do not find the managed variable {}: {}", name, placed.message());
}

void FatBinary::load_early(Device& device) {
  std::lock_guard lock(mutex_);
  const auto effort = loads_eagerly() ? LoadedCode::Effort::Any : LoadedCode::Effort::OnlyQuickly;
  static_cast<void>(on_locked(device, effort));
}

namespace {

// Who has registered the bundle is said where it does not suit the device.
Status name_file(Status status, const void* bundle) {
  Dl_info info;
  if (status.code() != ErrorCode::NoBinaryForGpu || !::dladdr(bundle, &info) || !info.dli_fname) return status;
  return Status(status.code(), fmt::format("{} The file is {}.", status.message(), info.dli_fname));
}

} // namespace

Result<LoadedCode*> FatBinary::on_locked(Device& device, LoadedCode::Effort effort) {
  const size_t ordinal = static_cast<size_t>(device.ordinal());
  if (loaded_.size() <= ordinal) loaded_.resize(ordinal + 1);
  if (loaded_[ordinal]) return loaded_[ordinal].get();
  codeobject::Bytes image = image_;
  if (image.empty()) {
    RT_TRY_ASSIGN(image, codeobject::bundle_extent(bundle_));
  }
  std::vector<NamedStorage> managed;
  for (const auto& variable : variables_)
    if (variable->managed) managed.push_back({variable->name, variable->managed->address()});
  for (const auto& [name, storage] : managed_) managed.push_back({name, storage.address()});
  Result<Ref<LoadedCode>> code = LoadedCode::load(device, image, managed, effort);
  if (!code.ok()) return name_file(code.status(), bundle_);
  loaded_[ordinal] = std::move(code).value();
  if (!image_.empty()) managed_.merge(loaded_[ordinal]->give_managed());
  return loaded_[ordinal].get();
}

Result<LoadedCode*> FatBinary::on(Device& device) {
  std::lock_guard lock(mutex_);
  return on_locked(device);
}

Result<backend::Global> FatBinary::find_variable(Device& device, std::string_view name) {
  std::lock_guard lock(mutex_);
  RT_TRY_ASSIGN(LoadedCode* const code, on_locked(device));
  const auto managed = managed_.find(name);
  if (managed != managed_.end()) return backend::Global{managed->second.address(), managed->second.bytes()};
  return code->find_variable(name);
}

Result<backend::Global> FatBinary::find_managed(Device& device, std::string_view name) {
  std::lock_guard lock(mutex_);
  RT_TRY(on_locked(device).status());
  const auto managed = managed_.find(name);
  if (managed == managed_.end()) return error(ErrorCode::NotFound, "There is no managed variable \"{}\".", name);
  return backend::Global{managed->second.address(), managed->second.bytes()};
}

Result<Function*> RegisteredFunction::load_on(Device& device) {
  const size_t ordinal = static_cast<size_t>(device.ordinal());
  std::lock_guard lock(owner_.mutex_);
  if (!per_device_.load(std::memory_order_relaxed)) {
    owner_.per_device_arrays_.push_back(std::make_unique<std::atomic<Function*>[]>(devices().size()));
    per_device_.store(owner_.per_device_arrays_.back().get(), std::memory_order_release);
  }
  RT_TRY_ASSIGN(LoadedCode * code, owner_.on_locked(device));
  auto found = code->find_function(name_);
  if (!found.ok()) {
    if (found.status().code() != ErrorCode::NotFound) return found.status();
    return error(ErrorCode::InvalidDeviceFunction, "The code object that was loaded on device {} has no kernel \"{}\".",
                 device.ordinal(), name_);
  }
  Function* const function = found.value();
  per_device_.load(std::memory_order_relaxed)[ordinal].store(function, std::memory_order_release);
  return function;
}

Result<backend::Global> resolve_variable(const void* host, Device& device) {
  const RegisteredVariable* variable = find_registered_variable(host);
  if (!variable)
    return error(ErrorCode::InvalidSymbol, "{} is not the address of a registered device variable.",
                 const_cast<void*>(host));
  if (variable->managed) return backend::Global{variable->managed->address(), variable->bytes};
  RT_TRY_ASSIGN(LoadedCode * code, variable->owner->on(device));
  auto global = code->find_variable(variable->name);
  if (!global.ok())
    return error(ErrorCode::InvalidSymbol, "The code object that was loaded on device {} has no variable \"{}\".",
                 device.ordinal(), variable->name);
  return global;
}

} // namespace hip::core
