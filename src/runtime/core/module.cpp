#include "runtime/core/module.h"

#include "runtime/base/no_destroy.h"

#include "runtime/base/env.h"
#include "runtime/base/log.h"
#include "runtime/codeobject/ptx.h"
#include "runtime/core/address_map.h"

#include <algorithm>
#include <cstdio>
#include <strings.h>

namespace hip::core {

FunctionTable& functions() noexcept {
  RT_NO_DESTROY static constinit FunctionTable table;
  return table;
}

ModuleTable& modules() noexcept {
  RT_NO_DESTROY static constinit ModuleTable table;
  return table;
}

bool loads_eagerly() noexcept {
  static const bool eager = [] {
    const std::string_view text = env_text(Env::HIP_MODULE_LOADING);
    const auto is = [text](std::string_view word) {
      return text.size() == word.size() && ::strncasecmp(text.data(), word.data(), word.size()) == 0;
    };
    if (is("EAGER")) return true;
    if (!is("LAZY"))
      log(LogLevel::Error, "HIP_MODULE_LOADING is \"{}\", neither EAGER nor LAZY; modules are loaded lazily.", text);
    return false;
  }();
  return eager;
}

FunctionHandle::FunctionHandle(Function& function, Ref<LoadedCode> code) noexcept
    : function_(function), code_(std::move(code)) {}

Result<Ref<LoadedCode>> LoadedCode::load(Device& device, codeobject::Bytes image,
                                         std::span<const NamedStorage> registered, Effort effort) {
  RT_TRY_ASSIGN(const codeobject::Bundle bundle, codeobject::parse_bundle(image, device.properties().target));
  RT_TRY_ASSIGN(const codeobject::BundleEntry* entry, codeobject::choose_entry(bundle, device.properties().target));
  if (effort == Effort::OnlyQuickly && codeobject::is_ptx(entry->image)) return Ref<LoadedCode>();
  RT_TRY_ASSIGN(auto executable, device.hal().load(entry->image));
  log(LogLevel::Info, "Loaded {} ({} bytes) on device {}.", entry->id, entry->image.size(), device.ordinal());
  auto code = make_ref<LoadedCode>(device, std::move(executable));
  RT_TRY(code->place_managed_variables(registered));
  if (loads_eagerly()) RT_TRY(code->find_all_functions());
  return code;
}

Status LoadedCode::place_registered(std::span<const NamedStorage> registered) {
  for (const NamedStorage& storage : registered) {
    const auto pointer = find_variable(storage.name);
    if (!pointer.ok() || pointer.value().bytes != sizeof storage.address) continue; // the device code never uses it
    RT_TRY(device_.copy_outside_streams(pointer.value().address, &storage.address, sizeof storage.address));
  }
  return {};
}

Status LoadedCode::place_managed_variables(std::span<const NamedStorage> registered) {
  RT_TRY(place_registered(registered));
  RT_TRY_ASSIGN(const std::vector<backend::ManagedVariable> variables, executable_->managed_variables());
  for (const backend::ManagedVariable& variable : variables) {
    const auto has_name = [&variable](const NamedStorage& storage) { return storage.name == variable.name; };
    if (std::any_of(registered.begin(), registered.end(), has_name)) continue;
    RT_TRY_ASSIGN(ManagedStorage made, ManagedStorage::allocate(&device_, variable.initial.bytes, 1));
    const ManagedStorage& storage = managed_.emplace(variable.name, std::move(made)).first->second;
    void* const address = storage.address();
    RT_TRY(device_.copy_outside_streams(address, variable.initial.address, variable.initial.bytes));
    RT_TRY(device_.copy_outside_streams(variable.pointer.address, &address, sizeof address));
  }
  return {};
}

LoadedCode::~LoadedCode() {
  for (const auto& [name, global] : variables_)
    addresses().take(global.address, [](const Allocation& a) { return a.kind == PointerKind::Variable; });
}

Result<Function*> LoadedCode::find_function_locked(std::string_view name) {
  const auto it = functions_.find(name);
  if (it != functions_.end()) return it->second.get();
  RT_TRY_ASSIGN(backend::Kernel* const kernel, executable_->find_kernel(name));
  return functions_.emplace(name, std::make_unique<Function>(*this, device_, *kernel)).first->second.get();
}

Result<Function*> LoadedCode::find_function(std::string_view name) {
  std::lock_guard lock(mutex_);
  return find_function_locked(name);
}

Status LoadedCode::find_all_functions() {
  std::lock_guard lock(mutex_);
  for (const backend::Kernel* const kernel : executable_->kernels())
    RT_TRY(find_function_locked(kernel->name).status());
  return {};
}

Result<Handle> LoadedCode::function_handle(std::string_view name) {
  std::lock_guard lock(mutex_);
  const auto it = handles_.find(name);
  if (it != handles_.end()) return it->second;
  RT_TRY_ASSIGN(Function* const function, find_function_locked(name));
  // A handle owns a reference: a launch that runs while another thread unloads the module keeps the code.
  // Nothing may fail between the handle's beginning and its note here, which ends it.
  const auto entry = handles_.emplace(name, Handle{}).first;
  try {
    return entry->second = functions().insert(std::make_unique<FunctionHandle>(*function, Ref<LoadedCode>(this)));
  } catch (...) {
    handles_.erase(entry);
    throw;
  }
}

void LoadedCode::end_handles() noexcept {
  std::map<std::string, Handle, std::less<>> handles;
  {
    std::lock_guard lock(mutex_);
    handles.swap(handles_);
  }
  for (const auto& [name, handle] : handles) functions().remove(handle);
}

Result<backend::Global> LoadedCode::find_variable(std::string_view name) {
  std::lock_guard lock(mutex_);
  const auto it = variables_.find(name);
  if (it != variables_.end()) return it->second;
  RT_TRY_ASSIGN(const backend::Global global, executable_->find_global(name));
  const auto entry = variables_.emplace(name, global).first; // by which the address is taken out again
  try {
    addresses().insert(
        {.base = global.address, .bytes = global.bytes, .kind = PointerKind::Variable, .device = &device_});
  } catch (...) {
    variables_.erase(entry);
    throw;
  }
  return global;
}

Result<backend::Global> LoadedCode::find_user_variable(std::string_view name) {
  const auto managed = managed_.find(name);
  if (managed != managed_.end()) return backend::Global{managed->second.address(), managed->second.bytes()};
  return find_variable(name);
}

Module::~Module() {
  // Kernels of the module may still run; their code goes with it.
  code_->device().finish();
  code_->end_handles();
}

Result<std::vector<std::byte>> read_module_file(const char* path) {
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::fopen(path, "rbe"), std::fclose);
  if (!file) return error(ErrorCode::FileNotFound, "The module file \"{}\" cannot be opened.", path);
  std::vector<std::byte> bytes;
  size_t used = 0;
  do {
    bytes.resize(used + (used < 65536 ? 65536 : used));
    used += std::fread(bytes.data() + used, 1, bytes.size() - used, file.get());
  } while (used == bytes.size());
  if (std::ferror(file.get())) return error(ErrorCode::FileNotFound, "The module file \"{}\" cannot be read.", path);
  bytes.resize(used);
  if (used == 0) return error(ErrorCode::InvalidImage, "The module file \"{}\" is empty.", path);
  return bytes;
}

std::vector<std::string> LoadedCode::function_names() {
  std::vector<std::string> names;
  for (const backend::Kernel* kernel : executable_->kernels()) names.push_back(kernel->name);
  return names;
}

Result<codeobject::Bytes> image_extent(const void* image) { return codeobject::bundle_extent(image); }

Result<Handle> load_module(Device& device, codeobject::Bytes image) {
  RT_TRY_ASSIGN(Ref<LoadedCode> code, LoadedCode::load(device, image));
  return modules().insert(std::make_unique<Module>(std::move(code)));
}

} // namespace hip::core
