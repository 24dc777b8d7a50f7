// runtime/core/fat_binary.h - what programs register before main(): fat binaries with their kernels and variables,
// known by the addresses that the host code uses. Registration only takes notes; a fat binary's code is loaded on a
// device when the first of its kernels or variables is used there. Thread safety: all functions may be called from any
// thread. Finding a kernel that was used before takes no lock.
#pragma once

#include "runtime/base/no_destroy.h"
#include "runtime/core/function_index.h"
#include "runtime/core/module.h"

#include <atomic>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace hip::core {

class FatBinary;

// A kernel, registered under the address of its host handle.
class RegisteredFunction {
public:
  RegisteredFunction(FatBinary& owner, const void* host, std::string name)
      : owner_(owner), host_(host), name_(std::move(name)) {}
  const std::string& name() const noexcept { return name_; }
  const void* host() const noexcept { return host_; }
  FatBinary& owner() const noexcept { return owner_; }
  // The kernel on this device; loads the code when needed. Errors: those of LoadedCode::load, InvalidDeviceFunction.
  Result<Function*> on(Device& device) {
    if (std::atomic<Function*>* const known = per_device_.load(std::memory_order_acquire)) [[likely]]
      if (Function* const function = known[device.ordinal()].load(std::memory_order_acquire)) [[likely]]
        return function;
    return load_on(device);
  }

private:
  Result<Function*> load_on(Device& device);
  std::atomic<std::atomic<Function*>*> per_device_{nullptr}; // array by ordinal; owned by owner_
  FatBinary& owner_;
  const void* const host_;
  const std::string name_;
  friend class FatBinary;
};

struct RegisteredVariable {
  FatBinary* owner = nullptr;
  void* host = nullptr; // address of the host shadow
  std::string name;
  size_t bytes = 0;
  std::optional<ManagedStorage> managed; // of a __managed__ variable, same on all devices
};

class FatBinary {
public:
  // `bundle` is the payload that the wrapper points at; it outlives the object.
  explicit FatBinary(const void* bundle);
  // An image whose size is known; it outlives the object.
  explicit FatBinary(codeobject::Bytes image) noexcept : bundle_(image.data()), image_(image) {}
  ~FatBinary();

  void add_function(const void* host, const char* name);
  void add_variable(void* host, const char* name, size_t bytes);
  // Makes the storage at once and puts its address where host code looks for it.
  void add_managed_variable(void** host_pointer, const void* initial, const char* name, size_t bytes, size_t align);

  // The code on this device, loaded and with its managed variables in their places.
  Result<LoadedCode*> on(Device& device);
  // For a library, which is an image: a variable on a device, as users mean it, and a __managed__ one, which all
  // devices share. Error: NotFound.
  Result<backend::Global> find_variable(Device& device, std::string_view name);
  Result<backend::Global> find_managed(Device& device, std::string_view name);
  // Loads the code now if it fits the device, and that is quickly done or loads_eagerly(). Errors are left to its first
  // use.
  void load_early(Device& device);

private:
  friend class RegisteredFunction;
  // Null: `effort` does not allow it (LoadedCode::load).
  Result<LoadedCode*> on_locked(Device& device, LoadedCode::Effort effort = LoadedCode::Effort::Any);

  const void* const bundle_;
  const codeobject::Bytes image_;       // empty: as large as the bundle says
  std::mutex mutex_;                    // all below
  std::vector<Ref<LoadedCode>> loaded_; // by ordinal; null: not yet
  std::vector<std::unique_ptr<RegisteredFunction>> functions_;
  std::vector<std::unique_ptr<RegisteredVariable>> variables_;
  std::vector<std::unique_ptr<std::atomic<Function*>[]>> per_device_arrays_;
  ManagedVariables managed_; // of an image: what the first device's code made, for the code on all others
};

namespace detail {
// Never destroyed: fat binaries of shared libraries are unregistered after static destructors have begun to run.
RT_NO_DESTROY extern constinit FunctionIndex<RegisteredFunction> registered_functions;
} // namespace detail

// Loads what programs have registered on a device whose properties say loading_waits, where it was not yet: a stream
// that waits for a kernel would otherwise wait for ever when the kernel's code is loaded by its launch. The same on all
// devices where HIP_MODULE_LOADING says EAGER. The API calls
// it, with no lock held, where programs make streams or allocate. What is not loaded here is loaded by its first use,
// which also tells why it fails.
void load_registered_code(Device& device);

// Null: this address was never registered as a kernel.
inline RegisteredFunction* find_registered_function(const void* host) noexcept {
  return detail::registered_functions.find(host);
}
// By the shadow's address, or by the storage of a managed variable.
RegisteredVariable* find_registered_variable(const void* host) noexcept;

// The address and size of a registered variable on a device. Error: InvalidSymbol.
Result<backend::Global> resolve_variable(const void* host, Device& device);

} // namespace hip::core
