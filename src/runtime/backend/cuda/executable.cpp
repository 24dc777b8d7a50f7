#include "runtime/backend/cuda/executable.h"

#include "runtime/base/log.h"
#include "runtime/codeobject/elf_format.h"

#include <algorithm>
#include <cstring>

namespace hip::cuda {

namespace {

constexpr size_t kLogBytes = 16384;
// PTX has no '.' inside names, so hipcc names the storage of a managed variable "NAME$managed" instead of
// "NAME.managed".
constexpr std::string_view kManaged = "$managed";

std::string_view trim(std::string_view text) noexcept {
  while (!text.empty() && (text.back() == '\n' || text.back() == ' ')) text.remove_suffix(1);
  return text;
}

} // namespace

Status Kernel::allow_dynamic(Context& context, uint32_t bytes, const backend::DeviceProperties& properties) {
  if (uint64_t{bytes} + attributes.static_lds_bytes <= properties.lds_bytes_per_group ||
      bytes <= allowed_dynamic_bytes.load(std::memory_order_acquire))
    return {};
  // Another thread may be asking for more: the driver keeps what it was asked for last.
  std::lock_guard lock(dynamic_bytes_mutex);
  if (bytes <= allowed_dynamic_bytes.load(std::memory_order_relaxed)) return {};
  RT_TRY(
      context.check(context.driver().cuFuncSetAttribute(function, kFunctionMaxDynamicShared, static_cast<int>(bytes)),
                    "cuFuncSetAttribute"));
  allowed_dynamic_bytes.store(bytes, std::memory_order_release);
  return {};
}

Result<std::unique_ptr<backend::Executable>>
Executable::load(Context& context, const backend::DeviceProperties& properties, std::span<const std::byte> image) {
  RT_TRY(context.enter());
  std::unique_ptr<Executable> executable(new Executable(context, properties.wave_lanes));
  const auto header = codeobject::read<codeobject::elf::FileHeader>(image, 0);
  if (codeobject::is_ptx(image)) {
    RT_TRY_ASSIGN(executable->ptx_, codeobject::parse_ptx(image));
    executable->target_ = executable->ptx_.target.to_string();
    const std::string text(codeobject::as_text(image)); // the driver reads up to a zero byte
    RT_TRY(executable->load_module(text.c_str(), "PTX"));
  } else if (header && codeobject::as_text(image).starts_with(codeobject::elf::kMagic) &&
             header->machine == codeobject::elf::kMachineCuda) {
    const auto target = codeobject::sm_target_from_elf(header->flags, header->ident[8]);
    executable->target_ = target.to_string();
    // The driver is given an address without a size: a file that is cut off must not reach it.
    const uint64_t tables = header->sh_offset + uint64_t{header->sh_count} * sizeof(codeobject::elf::SectionHeader);
    if (header->sh_offset > image.size() || tables > image.size())
      return error(ErrorCode::InvalidImage, "The cubin for {} ends before its section table: it has {} bytes of {}.",
                   executable->target_, image.size(), tables);
    RT_TRY(executable->load_module(reinterpret_cast<const char*>(image.data()), "cubin"));
  } else {
    return error(ErrorCode::InvalidImage, "The {} bytes for {} ({}) are neither PTX nor a cubin.", image.size(),
                 context.name(), properties.target);
  }
  return std::unique_ptr<backend::Executable>(std::move(executable));
}

Status Executable::load_module(const char* image, std::string_view form) {
  std::string info(kLogBytes, '\0'), errors(kLogBytes, '\0');
  CUjit_option keys[] = {kJitInfoLog, kJitInfoLogBytes, kJitErrorLog, kJitErrorLogBytes};
  void* values[] = {info.data(), reinterpret_cast<void*>(kLogBytes), errors.data(), reinterpret_cast<void*>(kLogBytes)};
  const CUresult result = context_.driver().cuModuleLoadDataEx(&module_, image, 4, keys, values);
  if (result == kSuccess) return {};
  module_ = nullptr;
  const Status plain = context_.check(result, "cuModuleLoadDataEx");
  std::string_view text = trim(errors.c_str());
  if (text.empty()) text = trim(info.c_str());
  return error(plain.code(), "{} does not take the {} for {}: {}{}{}", context_.name(), form, target_, plain.message(),
               text.empty() ? "" : " The driver's compiler says: ", text);
}

Executable::~Executable() {
  if (!context_.enter().ok()) return; // the module went with its context
  if (module_) static_cast<void>(context_.check(context_.driver().cuModuleUnload(module_), "cuModuleUnload"));
}

// ---- kernels -------------------------------------------------------------------------------------------------------

Result<backend::Kernel*> Executable::find_kernel(std::string_view name) {
  std::lock_guard lock(mutex_);
  const auto known = kernels_.find(name);
  if (known != kernels_.end()) return known->second.get();
  RT_TRY_ASSIGN(Kernel* const kernel, make_kernel(std::string(name)));
  return kernel;
}

Result<Kernel*> Executable::make_kernel(const std::string& name) {
  RT_TRY(context_.enter());
  auto kernel = std::make_unique<Kernel>();
  RT_TRY(context_.check(context_.driver().cuModuleGetFunction(&kernel->function, module_, name.c_str()),
                        "cuModuleGetFunction"));
  kernel->name = name;
  kernel->log_name = context_.intern(name);
  RT_TRY(describe(*kernel));
  return kernels_.emplace(name, std::move(kernel)).first->second.get();
}

Status Executable::describe(Kernel& kernel) {
  const auto attribute = [&](CUfunction_attribute which, auto& value) -> Status {
    int number = 0;
    RT_TRY(context_.check(context_.driver().cuFuncGetAttribute(&number, which, kernel.function), "cuFuncGetAttribute"));
    value = static_cast<std::remove_reference_t<decltype(value)>>(number);
    return {};
  };
  backend::KernelAttributes& a = kernel.attributes;
  RT_TRY(attribute(kFunctionMaxThreads, a.max_group_items));
  RT_TRY(attribute(kFunctionSharedBytes, a.static_lds_bytes));
  RT_TRY(attribute(kFunctionConstBytes, a.constant_bytes));
  RT_TRY(attribute(kFunctionLocalBytes, a.private_bytes));
  RT_TRY(attribute(kFunctionRegisters, a.vgprs));
  RT_TRY(attribute(kFunctionPtxVersion, a.ptx_version));
  RT_TRY(attribute(kFunctionBinaryVersion, a.binary_version));
  a.wave_lanes = wave_lanes_;
  take_parameters(kernel);
  a.kernarg_bytes = kernel.explicit_bytes;
  return {};
}

// Takes the parameters from the driver where it tells them (CUDA 12.4), else from the PTX. For a cubin under an older
// driver they stay unknown: its launches are not checked, and the driver finds the arguments.
void Executable::take_parameters(Kernel& kernel) {
  const Driver& driver = context_.driver();
  const auto in_ptx = std::find_if(ptx_.kernels.begin(), ptx_.kernels.end(),
                                   [&](const codeobject::PtxKernel& k) { return k.name == kernel.name; });
  if (in_ptx != ptx_.kernels.end()) kernel.attributes.required_group = in_ptx->required_group;
  const auto add = [&](size_t offset, size_t bytes) {
    kernel.arguments.push_back({static_cast<uint32_t>(offset), static_cast<uint32_t>(bytes)});
    kernel.explicit_bytes = std::max(kernel.explicit_bytes, static_cast<uint32_t>(offset + bytes));
  };
  kernel.parameters_known = driver.cuFuncGetParamInfo || in_ptx != ptx_.kernels.end();
  if (driver.cuFuncGetParamInfo) {
    size_t offset = 0, bytes = 0;
    for (size_t i = 0; driver.cuFuncGetParamInfo(kernel.function, i, &offset, &bytes) == kSuccess; ++i)
      add(offset, bytes);
  } else if (in_ptx != ptx_.kernels.end()) {
    for (const codeobject::PtxParameter& parameter : in_ptx->parameters) add(parameter.offset, parameter.bytes);
  }
}

std::vector<std::string> Executable::kernel_names() {
  std::vector<std::string> names;
  for (const codeobject::PtxKernel& kernel : ptx_.kernels) names.push_back(kernel.name);
  const Driver& driver = context_.driver();
  if (!names.empty() || !driver.cuModuleGetFunctionCount || !driver.cuModuleEnumerateFunctions || !driver.cuFuncGetName)
    return names;
  unsigned count = 0;
  if (!context_.enter().ok() || driver.cuModuleGetFunctionCount(&count, module_) != kSuccess) return names;
  std::vector<CUfunction> functions(count);
  if (driver.cuModuleEnumerateFunctions(functions.data(), count, module_) != kSuccess) return names;
  for (CUfunction function : functions) {
    const char* name = nullptr;
    if (driver.cuFuncGetName(&name, function) == kSuccess && name) names.emplace_back(name);
  }
  return names;
}

std::vector<backend::Kernel*> Executable::kernels() {
  std::vector<backend::Kernel*> all;
  for (const std::string& name : kernel_names()) {
    const auto found = find_kernel(name);
    if (found.ok())
      all.push_back(found.value());
    else
      log(LogLevel::Error, "Kernel {} cannot be had from its module: {}", name, found.status().message());
  }
  return all;
}

// ---- variables -----------------------------------------------------------------------------------------------------

Result<backend::Global> Executable::find_global(std::string_view name) {
  RT_TRY(context_.enter());
  CUdeviceptr address = 0;
  size_t bytes = 0;
  const CUresult result = context_.driver().cuModuleGetGlobal(&address, &bytes, module_, std::string(name).c_str());
  if (result == kErrorNotFound) return error(ErrorCode::NotFound, "The module has no variable \"{}\".", name);
  RT_TRY(context_.check(result, "cuModuleGetGlobal"));
  return backend::Global{from_cuda(address), bytes};
}

// Finds none in a cubin, which has no list of variables.
Result<std::vector<backend::ManagedVariable>> Executable::managed_variables() {
  std::vector<backend::ManagedVariable> found;
  for (const codeobject::PtxVariable& variable : ptx_.variables) {
    if (!variable.name.ends_with(kManaged) || variable.bytes == 0) continue;
    const std::string name = variable.name.substr(0, variable.name.size() - kManaged.size());
    const auto initial = find_global(variable.name), pointer = find_global(name);
    if (!initial.ok() || !pointer.ok() || pointer.value().bytes != sizeof(CUdeviceptr)) continue; // not a pair
    found.push_back({name, pointer.value(), initial.value()});
  }
  return found;
}

} // namespace hip::cuda
