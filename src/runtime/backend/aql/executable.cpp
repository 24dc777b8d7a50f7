#include "runtime/backend/aql/executable.h"

#include "runtime/backend/aql/device.h"

#include <atomic>

namespace hip::aql {

using codeobject::ArgKind;

namespace {

// 94 for gfx942, 120 for gfx1201.
int binary_version(const codeobject::Processor& processor) noexcept {
  const codeobject::GfxVersion version = processor.version();
  return int(version.major * 10 + version.minor);
}

} // namespace

Result<std::unique_ptr<backend::Executable>> Executable::load(Device& device, std::span<const std::byte> image) {
  RT_TRY_ASSIGN(const codeobject::CodeObject code, codeobject::CodeObject::parse(image));
  std::unique_ptr<Executable> executable(new Executable(device));
  RT_TRY(executable->place(code));
  return std::unique_ptr<backend::Executable>(std::move(executable));
}

Status Executable::place(const codeobject::CodeObject& code) {
  target_ = code.target().to_string();
  printf_formats_ = code.printf_formats();
  RT_TRY_ASSIGN(code_, PlacedCode::place(device_.agent(), code));
  const codeobject::LoadedImage& image = code_.image();
  const auto global_of = [&image](const codeobject::Symbol& symbol) {
    return backend::Global{reinterpret_cast<void*>(image.address_of(symbol)), static_cast<size_t>(symbol.size)};
  };
  for (const codeobject::Symbol& symbol : code.symbols())
    if (symbol.is_in_image() && symbol.kind == codeobject::SymbolKind::Object && !symbol.name.ends_with(".kd"))
      globals_[std::string(symbol.name)] = global_of(symbol);
  for (const codeobject::ManagedVariable& variable : code.managed_variables())
    managed_variables_.push_back(
        {std::string(variable.name), global_of(*variable.pointer), global_of(*variable.storage)});
  for (const codeobject::Kernel& kernel : code.kernels()) RT_TRY(add_kernel(code, kernel, image.kernel_object(kernel)));
  return Status();
}

Status Executable::add_kernel(const codeobject::CodeObject& code, const codeobject::Kernel& source,
                              uint64_t kernel_object) {
  const codeobject::KernelInfo& info = source.info;
  auto kernel = std::make_unique<AqlKernel>();
  kernel->name = info.name;
  kernel->device = &device_;
  kernel->kernel_object = kernel_object;
  static constinit std::atomic<uint64_t> loaded{0};
  kernel->id = loaded.fetch_add(1, std::memory_order_relaxed) + 1;
  kernel->preloads_arguments = source.descriptor.kernarg_preload_dwords() != 0;
  kernel->layout = ArgumentLayout(info);
  kernel->arguments = kernel->layout.explicit_arguments();
  kernel->explicit_bytes = kernel->layout.explicit_bytes();
  kernel->wants_printf = kernel->layout.wants(ArgKind::HiddenPrintfBuffer);
  kernel->wants_hostcall = kernel->layout.wants(ArgKind::HiddenHostcallBuffer);
  kernel->wants_heap = kernel->layout.wants(ArgKind::HiddenHeapV1);
  kernel->wants_grid_barrier = kernel->layout.wants(ArgKind::HiddenMultigridSyncArg);
  kernel->printf_formats = &printf_formats_;

  backend::KernelAttributes& attributes = kernel->attributes;
  attributes.static_lds_bytes = source.descriptor.group_segment_fixed_size;
  attributes.private_bytes = source.descriptor.private_segment_fixed_size;
  attributes.kernarg_bytes = info.kernarg_segment_size;
  attributes.vgprs = info.vgpr_count;
  attributes.agprs = info.agpr_count;
  attributes.sgprs = info.sgpr_count;
  attributes.wave_lanes = info.wavefront_size;
  const uint32_t device_limit = device_.properties().max_group_items;
  attributes.max_group_items =
      info.max_flat_workgroup_size ? std::min(info.max_flat_workgroup_size, device_limit) : device_limit;
  attributes.required_group = info.reqd_workgroup_size;
  attributes.uses_dynamic_stack = info.uses_dynamic_stack;
  attributes.binary_version = binary_version(*code.target().processor);
  kernels_[info.name] = std::move(kernel);
  return Status();
}

Result<backend::Kernel*> Executable::find_kernel(std::string_view name) {
  const auto found = kernels_.find(name);
  if (found == kernels_.end())
    return error(ErrorCode::NotFound, "The code object for {} has no kernel \"{}\".", target_, name);
  return found->second.get();
}

Result<backend::Global> Executable::find_global(std::string_view name) {
  const auto found = globals_.find(name);
  if (found == globals_.end())
    return error(ErrorCode::NotFound, "The code object for {} has no variable \"{}\".", target_, name);
  return found->second;
}

std::vector<backend::Kernel*> Executable::kernels() {
  std::vector<backend::Kernel*> all;
  for (const auto& [name, kernel] : kernels_) all.push_back(kernel.get());
  return all;
}

} // namespace hip::aql
