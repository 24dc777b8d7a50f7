#include "runtime/core/fat_binary.h"

#include "runtime/core/runtime.h"

#include <cstring>

namespace hip::core {
namespace detail {
RT_NO_DESTROY constinit FunctionIndex<RegisteredFunction> registered_functions;
} // namespace detail

namespace {
RT_NO_DESTROY constinit FunctionIndex<RegisteredVariable> registered_variables;
} // namespace

RegisteredVariable* find_registered_variable(const void* host) noexcept { return registered_variables.find(host); }

FatBinary::~FatBinary() {
  for (const auto& function : functions_) detail::registered_functions.remove(function->host(), function.get());
  for (const auto& variable : variables_) {
    registered_variables.remove(variable->host, variable.get());
    if (variable->managed) registered_variables.remove(variable->managed->address(), variable.get());
  }
  for (const auto& code : loaded_) {
    if (!code) continue;
    static_cast<void>(code->device().synchronize());
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
}

Result<LoadedCode*> FatBinary::on_locked(Device& device) {
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
  RT_TRY_ASSIGN(Ref<LoadedCode> code, LoadedCode::load(device, image, managed));
  loaded_[ordinal] = std::move(code);
  return loaded_[ordinal].get();
}

Result<LoadedCode*> FatBinary::on(Device& device) {
  std::lock_guard lock(mutex_);
  return on_locked(device);
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
