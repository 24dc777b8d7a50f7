// Modules, functions and their attributes.
#include "runtime/core/module.h"

#include "runtime/api/api.h"
#include "runtime/core/fat_binary.h"

#include <algorithm>
#include <span>

namespace hip::api {
namespace {

Result<core::Pin<core::Module>> find_module(hipModule_t module) {
  auto pin = core::modules().pin(module);
  if (!pin)
    return error(ErrorCode::InvalidHandle, "{} is not a module, or it was unloaded.", static_cast<void*>(module));
  return pin;
}

Result<core::Pin<core::FunctionHandle>> find_function(hipFunction_t f) {
  auto pin = core::functions().pin(f);
  if (!pin)
    return error(ErrorCode::InvalidHandle, "{} is not a function, or its module was unloaded.", static_cast<void*>(f));
  return pin;
}

// A kernel on a device, kept while it is looked at.
class FoundKernel {
public:
  explicit FoundKernel(core::Function& function) noexcept : function_(&function) {}
  explicit FoundKernel(core::Pin<core::FunctionHandle> pin) noexcept
      : pin_(std::move(pin)), function_(&pin_->function()) {}
  core::Function& operator*() const noexcept { return *function_; }
  core::Function* operator->() const noexcept { return function_; }

private:
  core::Pin<core::FunctionHandle> pin_; // empty for a registered kernel, which lives as long as its program or library
  core::Function* function_;
};

// The kernel that `func` stands for on the current device: the address of its host function, or a hipFunction_t, which
// programs cast to one, as AMD's own code does.
Result<FoundKernel> find_symbol(const void* func) {
  RT_TRY_ASSIGN(core::Device * device, core::current_device());
  if (core::RegisteredFunction* const registered = core::find_registered_function(func)) {
    RT_TRY_ASSIGN(core::Function* const function, registered->on(*device));
    return FoundKernel(*function);
  }
  if (auto pin = core::functions().pin(func)) return FoundKernel(std::move(pin));
  return error(ErrorCode::InvalidDeviceFunction, "{} is not the address of a registered kernel, and no function.",
               const_cast<void*>(func));
}

Status load(hipModule_t* module, codeobject::Bytes image) {
  RT_TRY_ASSIGN(core::Device * device, core::current_device());
  RT_TRY_ASSIGN(const core::Handle handle, core::load_module(*device, image));
  *module = as_handle<hipModule_t>(handle);
  return {};
}

// Code that was not made from PTX has its own version here too: programs compare the two.
int ptx_version(const backend::KernelAttributes& k) { return k.ptx_version ? k.ptx_version : k.binary_version; }

uint32_t max_dynamic_lds(const core::Function& f) {
  const uint32_t all = f.device().properties().most_lds_bytes_per_group();
  const uint32_t used = f.kernel().attributes.static_lds_bytes;
  const uint32_t left = used < all ? all - used : 0;
  const uint32_t wanted = f.max_dynamic_lds_bytes.load(std::memory_order_relaxed);
  return wanted != 0 && wanted < left ? wanted : left;
}

Result<int> attribute_of(const core::Function& function, hipFunction_attribute attribute) {
  const backend::KernelAttributes& k = function.kernel().attributes;
  switch (attribute) {
  case HIP_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK:
    return static_cast<int>(k.max_group_items);
  case HIP_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES:
    return static_cast<int>(k.static_lds_bytes);
  case HIP_FUNC_ATTRIBUTE_CONST_SIZE_BYTES:
    return static_cast<int>(k.constant_bytes);
  case HIP_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES:
    return static_cast<int>(k.private_bytes);
  case HIP_FUNC_ATTRIBUTE_NUM_REGS:
    return static_cast<int>(k.vgprs);
  case HIP_FUNC_ATTRIBUTE_PTX_VERSION:
    return ptx_version(k);
  case HIP_FUNC_ATTRIBUTE_BINARY_VERSION:
    return k.binary_version;
  case HIP_FUNC_ATTRIBUTE_CACHE_MODE_CA:
    return 0;
  case HIP_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES:
    return static_cast<int>(max_dynamic_lds(function));
  case HIP_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT:
    return function.shared_memory_carveout.load(std::memory_order_relaxed);
  case HIP_FUNC_ATTRIBUTE_CLUSTER_DIM_MUST_BE_SET: // no kernel here is compiled for clusters
  case HIP_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_WIDTH:
  case HIP_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_HEIGHT:
  case HIP_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_DEPTH:
  case HIP_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED:
  case HIP_FUNC_ATTRIBUTE_CLUSTER_SCHEDULING_POLICY_PREFERENCE:
    return 0;
  default:
    return error(ErrorCode::InvalidValue, "{} is no function attribute.", static_cast<int>(attribute));
  }
}

Status set_max_dynamic_lds(core::Function& function, int bytes) {
  const uint32_t all = function.device().properties().most_lds_bytes_per_group();
  const uint32_t used = function.kernel().attributes.static_lds_bytes;
  if (bytes < 0 || static_cast<uint32_t>(bytes) > (used < all ? all - used : 0))
    return error(ErrorCode::InvalidValue,
                 "Kernel {} can have {} bytes of dynamic shared memory at most; {} are asked for.", function.name(),
                 used < all ? all - used : 0, bytes);
  function.max_dynamic_lds_bytes.store(static_cast<uint32_t>(bytes), std::memory_order_relaxed);
  return {};
}

Status set_carveout(core::Function& function, int percent) {
  if (percent < -1 || percent > 100)
    return error(ErrorCode::InvalidValue, "A carveout of {} % is asked for; it takes -1 to 100.", percent);
  function.shared_memory_carveout.store(percent, std::memory_order_relaxed);
  return {};
}

// What of the attributes can be set.
Status set_attribute(core::Function& function, hipFunction_attribute attribute, int value) {
  switch (attribute) {
  case HIP_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES:
    return set_max_dynamic_lds(function, value);
  case HIP_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT:
    return set_carveout(function, value);
  default:
    return error(ErrorCode::InvalidValue, "{} is no attribute that can be set.", static_cast<int>(attribute));
  }
}

// A kernel of a library, or of the program, on a device.
Result<core::Function*> find_kernel(hipKernel_t kernel, core::Device& device) {
  core::RegisteredFunction* const registered = core::find_registered_function(kernel);
  if (!registered)
    return error(ErrorCode::InvalidHandle, "{} is not a kernel, or its library was unloaded.",
                 static_cast<void*>(kernel));
  return registered->on(device);
}

} // namespace

Status hipModuleLoad(hipModule_t* module, const char* fname) {
  *module = nullptr;
  if (*fname == '\0') return error(ErrorCode::InvalidValue, "The name of the module file is empty.");
  RT_TRY_ASSIGN(const std::vector<std::byte> bytes, core::read_module_file(fname));
  Status status = load(module, bytes);
  if (status.code() != ErrorCode::NoBinaryForGpu) return status;
  return Status(status.code(), fmt::format("{} The file is {}.", status.message(), fname));
}

Status hipModuleLoadData(hipModule_t* module, const void* image) {
  *module = nullptr;
  RT_TRY_ASSIGN(const codeobject::Bytes bytes, core::image_extent(image));
  return load(module, bytes);
}

Status hipModuleLoadDataEx(hipModule_t* module, const void* image, unsigned int numOptions, hipJitOption* options,
                           void** optionValues) {
  // Options steer a compiler that code objects do not need. But programs print the texts that it would have written.
  const std::span<hipJitOption> named(options, options && optionValues ? numOptions : 0);
  for (const auto& [text, size] : {std::pair(hipJitOptionInfoLogBuffer, hipJitOptionInfoLogBufferSizeBytes),
                                   std::pair(hipJitOptionErrorLogBuffer, hipJitOptionErrorLogBufferSizeBytes)}) {
    const auto text_at = std::ranges::find(named, text), size_at = std::ranges::find(named, size);
    if (text_at == named.end() || size_at == named.end()) continue;
    auto* const buffer = static_cast<char*>(optionValues[text_at - named.begin()]);
    void*& bytes = optionValues[size_at - named.begin()]; // a number in a pointer: of the buffer, then of the text
    if (buffer && bytes) *buffer = '\0';
    bytes = nullptr;
  }
  return api::hipModuleLoadData(module, image);
}

Status hipModuleLoadFatBinary(hipModule_t* module, const void* fatbin) {
  return api::hipModuleLoadData(module, fatbin);
}

Status hipModuleUnload(hipModule_t module) {
  if (!module) return error(ErrorCode::InvalidHandle, "The module is null.");
  if (!core::modules().remove(module))
    return error(ErrorCode::NotFound, "{} is not a module, or it was unloaded before.", static_cast<void*>(module));
  return {};
}

Status hipModuleGetFunction(hipFunction_t* function, hipModule_t module, const char* kname) {
  *function = nullptr;
  if (*kname == '\0') return error(ErrorCode::InvalidValue, "The name of the kernel is empty.");
  RT_TRY_ASSIGN(auto pin, find_module(module));
  RT_TRY_ASSIGN(const core::Handle handle, pin->code().function_handle(kname));
  *function = as_handle<hipFunction_t>(handle);
  return {};
}

Status hipModuleGetFunctionCount(unsigned int* count, hipModule_t mod) {
  RT_TRY_ASSIGN(auto pin, find_module(mod));
  *count = static_cast<unsigned>(pin->code().function_count());
  return {};
}

Status hipModuleEnumerateFunctions(hipFunction_t* functions, unsigned int numFunctions, hipModule_t mod) {
  RT_TRY_ASSIGN(auto pin, find_module(mod));
  const std::vector<std::string> names = pin->code().function_names();
  for (size_t i = 0; i < std::min<size_t>(numFunctions, names.size()); ++i) {
    RT_TRY_ASSIGN(const core::Handle handle, pin->code().function_handle(names[i]));
    functions[i] = as_handle<hipFunction_t>(handle);
  }
  return {};
}

Status hipModuleGetLoadingMode(hipModuleLoadingMode_t* mode) {
  *mode = core::loads_eagerly() ? HIP_MODULE_EAGER_LOADING : HIP_MODULE_LAZY_LOADING;
  return {};
}

Status hipModuleGetGlobal(hipDeviceptr_t* dptr, size_t* bytes, hipModule_t hmod, const char* name) {
  if (!dptr && !bytes) return error(ErrorCode::InvalidValue, "Both outputs are null.");
  if (*name == '\0') return error(ErrorCode::InvalidValue, "The name of the variable is empty.");
  RT_TRY_ASSIGN(auto pin, find_module(hmod));
  RT_TRY_ASSIGN(const backend::Global global, pin->code().find_user_variable(name));
  if (dptr) *dptr = global.address;
  if (bytes) *bytes = global.bytes;
  return {};
}

Status hipGetFuncBySymbol(hipFunction_t* functionPtr, const void* symbolPtr) {
  *functionPtr = nullptr;
  RT_TRY_ASSIGN(const FoundKernel function, find_symbol(symbolPtr));
  RT_TRY_ASSIGN(const core::Handle handle, function->code().function_handle(function->name()));
  *functionPtr = as_handle<hipFunction_t>(handle);
  return {};
}

Status hipFuncGetAttributes(hipFuncAttributes* attr, const void* func) {
  RT_TRY_ASSIGN(const FoundKernel function, find_symbol(func));
  const backend::KernelAttributes& k = function->kernel().attributes;
  *attr = {};
  attr->binaryVersion = k.binary_version;
  attr->localSizeBytes = k.private_bytes;
  attr->maxDynamicSharedSizeBytes = static_cast<int>(max_dynamic_lds(*function));
  attr->maxThreadsPerBlock = static_cast<int>(k.max_group_items);
  attr->numRegs = static_cast<int>(k.vgprs);
  attr->preferredShmemCarveout = function->shared_memory_carveout.load(std::memory_order_relaxed);
  attr->ptxVersion = ptx_version(k);
  attr->constSizeBytes = k.constant_bytes;
  attr->sharedSizeBytes = k.static_lds_bytes;
  return {};
}

Status hipFuncGetAttribute(int* value, hipFunction_attribute attrib, hipFunction_t hfunc) {
  RT_TRY_ASSIGN(auto pin, find_function(hfunc));
  RT_TRY_ASSIGN(*value, attribute_of(pin->function(), attrib));
  return {};
}

Status hipFuncSetAttribute(const void* func, hipFuncAttribute attr, int value) {
  RT_TRY_ASSIGN(const FoundKernel function, find_symbol(func));
  return set_attribute(*function, static_cast<hipFunction_attribute>(attr), value); // with the same numbers
}

Status hipDrvFuncSetAttribute(hipFunction_t hfunc, hipFunction_attribute attrib, int value) {
  RT_TRY_ASSIGN(auto pin, find_function(hfunc));
  return set_attribute(pin->function(), attrib, value);
}

Status hipFuncSetCacheConfig(const void* func, hipFuncCache_t config) {
  if (config < hipFuncCachePreferNone || config > hipFuncCachePreferEqual)
    return error(ErrorCode::InvalidValue, "{} is no hipFuncCache_t.", static_cast<int>(config));
  return find_symbol(func).status(); // LDS and the L1 cache are separate: nothing to prefer
}

Status hipFuncSetSharedMemConfig(const void* func, hipSharedMemConfig config) {
  if (config < hipSharedMemBankSizeDefault || config > hipSharedMemBankSizeEightByte)
    return error(ErrorCode::InvalidValue, "{} is no hipSharedMemConfig.", static_cast<int>(config));
  return find_symbol(func).status(); // the banks have 4 bytes
}

Status hipKernelGetParamInfo(hipKernel_t kernel, size_t paramIndex, size_t* paramOffset, size_t* paramSize) {
  RT_TRY_ASSIGN(core::Device* const device, core::current_device());
  RT_TRY_ASSIGN(const core::Function* const function, find_kernel(kernel, *device));
  const std::vector<backend::KernelArgument>& arguments = function->kernel().arguments;
  if (paramIndex >= arguments.size())
    return error(ErrorCode::InvalidValue, "Parameter {} of kernel {} is asked for, which has {}.", paramIndex,
                 function->name(), arguments.size());
  *paramOffset = arguments[paramIndex].offset;
  if (paramSize) *paramSize = arguments[paramIndex].bytes;
  return {};
}

Status hipKernelGetAttribute(int* pi, hipFunction_attribute attrib, hipKernel_t kernel, hipDevice_t dev) {
  RT_TRY_ASSIGN(core::Device* const device, core::find_device(dev));
  RT_TRY_ASSIGN(const core::Function* const function, find_kernel(kernel, *device));
  RT_TRY_ASSIGN(*pi, attribute_of(*function, attrib));
  return {};
}

Status hipKernelSetAttribute(hipFunction_attribute attrib, int value, hipKernel_t kernel, hipDevice_t dev) {
  RT_TRY_ASSIGN(core::Device* const device, core::find_device(dev));
  RT_TRY_ASSIGN(core::Function* const function, find_kernel(kernel, *device));
  return set_attribute(*function, attrib, value);
}

Status hipKernelGetFunction(hipFunction_t* pFunc, hipKernel_t kernel) {
  *pFunc = nullptr;
  RT_TRY_ASSIGN(core::Device* const device, core::current_device());
  RT_TRY_ASSIGN(core::Function* const function, find_kernel(kernel, *device));
  RT_TRY_ASSIGN(const core::Handle handle, function->code().function_handle(function->name()));
  *pFunc = as_handle<hipFunction_t>(handle);
  return {};
}

const char* hipKernelNameRef(const hipFunction_t f) {
  auto pin = core::functions().pin(f);
  return pin ? pin->function().name().c_str() : nullptr;
}

const char* hipKernelNameRefByPtr(const void* hostFunction, hipStream_t stream) {
  const core::RegisteredFunction* registered = core::find_registered_function(hostFunction);
  return registered ? registered->name().c_str() : nullptr;
}

} // namespace hip::api
