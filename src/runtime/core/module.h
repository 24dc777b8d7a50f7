// runtime/core/module.h - loaded code: one code object on one device, with its functions and variables. A LoadedCode
// belongs to a user's module (hipModuleLoad) or to a registered fat binary, and frees what it holds when it goes.
// Thread safety: all functions may be called from any thread.
#pragma once

#include "runtime/codeobject/bundle.h"
#include "runtime/core/device.h"
#include "runtime/core/managed_storage.h"

#include <map>
#include <mutex>
#include <string>
#include <string_view>

namespace hip::core {

class LoadedCode;

// __managed__ variables that no program has registered, by name.
using ManagedVariables = std::map<std::string, ManagedStorage, std::less<>>;

// A kernel on a device: what hipFunction_t stands for.
class Function {
public:
  Function(LoadedCode& code, Device& device, backend::Kernel& kernel) noexcept
      : code_(code), device_(device), kernel_(kernel) {}
  LoadedCode& code() const noexcept { return code_; }
  Device& device() const noexcept { return device_; }
  backend::Kernel& kernel() const noexcept { return kernel_; }
  const std::string& name() const noexcept { return kernel_.name; }

  // hipFuncAttributeMaxDynamicSharedMemorySize; 0 until set.
  std::atomic<uint32_t> max_dynamic_lds_bytes{0};
  std::atomic<int> shared_memory_carveout{0};

private:
  LoadedCode& code_;
  Device& device_;
  backend::Kernel& kernel_;
};

// The handle of a function: keeps nothing alive, so that unloading the module ends it.
class FunctionHandle {
public:
  explicit FunctionHandle(Function& function, Ref<LoadedCode> code) noexcept;
  Function& function() const noexcept { return function_; }
  void set_handle(Handle handle) noexcept { handle_ = handle; }
  Handle handle() const noexcept { return handle_; }

private:
  Function& function_;
  Ref<LoadedCode> code_;
  Handle handle_ = nullptr;
};

using FunctionTable = HandleTable<FunctionHandle, HandleKind::Function>;
FunctionTable& functions() noexcept;

// Whether HIP_MODULE_LOADING said EAGER, in letters of any case, when this was first asked: HIP asks as it begins.
bool loads_eagerly() noexcept;

class LoadedCode final : public RefCounted {
public:
  // Chooses the code object for `device` in `image` (a bundle, a compressed bundle or a code object) and loads it.
  // Errors: InvalidImage, NoBinaryForGpu with what the image holds and what the device is. Its __managed__ variables
  // lie where `registered` says; those that are not there get storage of their own.
  // OnlyQuickly: null where that would take long, for it is PTX, which has to be compiled.
  enum class Effort { Any, OnlyQuickly };
  static Result<Ref<LoadedCode>> load(Device& device, codeobject::Bytes image,
                                      std::span<const NamedStorage> registered = {}, Effort effort = Effort::Any);
  // Puts the addresses of registered managed variables where kernels read them.
  Status place_registered(std::span<const NamedStorage> registered);

  Device& device() const noexcept { return device_; }
  // Error: NotFound, or what has happened to the device.
  Result<Function*> find_function(std::string_view name);
  // Looks at all kernels now, so that errors in their descriptions are told here and not by their first use.
  Status find_all_functions();
  // The handle of a function of this code; the same each time.
  Result<Handle> function_handle(std::string_view name);
  size_t function_count() { return executable_->kernels().size(); }
  std::vector<std::string> function_names();
  // The variable as the code object has it: for a __managed__ variable, the pointer that kernels read. It is entered
  // into the address map. Error: NotFound.
  Result<backend::Global> find_variable(std::string_view name);
  // The variable as users mean it: for a __managed__ variable, its storage.
  Result<backend::Global> find_user_variable(std::string_view name);
  // Gives the storage of managed variables that no program registered to who loads the code on other devices too; it
  // outlives this code. find_user_variable() does not know them any more.
  ManagedVariables give_managed() noexcept { return std::move(managed_); }
  // Makes handles of functions invalid; called when the module is unloaded.
  void end_handles() noexcept;

  LoadedCode(Device& device, std::unique_ptr<backend::Executable> executable) noexcept
      : device_(device), executable_(std::move(executable)) {}

private:
  ~LoadedCode() override;
  Result<Function*> find_function_locked(std::string_view name);
  Status place_managed_variables(std::span<const NamedStorage> registered);

  Device& device_;
  std::unique_ptr<backend::Executable> executable_;
  std::mutex mutex_;
  std::map<std::string, std::unique_ptr<Function>, std::less<>> functions_;
  std::map<std::string, Handle, std::less<>> handles_;
  std::map<std::string, backend::Global, std::less<>> variables_;
  ManagedVariables managed_; // of variables that no program registered; set by load()
};

// hipModule_t.
class Module {
public:
  explicit Module(Ref<LoadedCode> code) noexcept : code_(std::move(code)) {}
  ~Module();
  LoadedCode& code() const noexcept { return *code_; }
  void set_handle(Handle handle) noexcept { handle_ = handle; }

private:
  Ref<LoadedCode> code_;
  Handle handle_ = nullptr;
};

using ModuleTable = HandleTable<Module, HandleKind::Module>;
ModuleTable& modules() noexcept;

// Errors: FileNotFound, InvalidImage for an empty file.
Result<std::vector<std::byte>> read_module_file(const char* path);
// The extent of an image that the user gave as a bare address, from its own headers. Error: InvalidImage.
Result<codeobject::Bytes> image_extent(const void* image);
Result<Handle> load_module(Device& device, codeobject::Bytes image);

} // namespace hip::core
