#include "runtime/backend/aql/executable.h"

#include "runtime/backend/aql/device.h"
#include "runtime/base/log.h"
#include "runtime/codeobject/line_table.h"
#include "runtime/codeobject/loader.h"

#include <cstring>

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
  RT_TRY_ASSIGN(const codeobject::TargetId device_target, codeobject::parse_target_id(device.properties().target));
  if (!match_score(code.target(), device_target))
    return error(ErrorCode::NoBinaryForGpu, "The code object is for {}; the device is {}.", code.target().to_string(),
                 device.properties().target);
  std::unique_ptr<Executable> executable(new Executable(device));
  RT_TRY(executable->place(code));
  return std::unique_ptr<backend::Executable>(std::move(executable));
}

namespace {

// The offset of the work-group's size (x in 16 bits, then y) in the kernel's arguments; -1 when the arguments do not
// hold x and y side by side.
int32_t hidden_group_size_offset(const codeobject::Kernel& kernel) {
  const codeobject::KernelArg* x = kernel.info.find_arg(codeobject::ArgKind::HiddenGroupSizeX);
  const codeobject::KernelArg* y = kernel.info.find_arg(codeobject::ArgKind::HiddenGroupSizeY);
  return x && y && x->offset % 4 == 0 && y->offset == x->offset + 2 ? int32_t(x->offset) : -1;
}

CodeSymbol function_symbol(const codeobject::CodeObject& code, const codeobject::LoadedImage& image, const codeobject::Symbol& function) {
  CodeSymbol out{image.address_of(function), function.size, std::string(function.name)};
  for (const codeobject::Kernel& kernel : code.kernels()) {
    if (kernel.info.name != function.name) continue;
    out.hidden_group_size_offset = hidden_group_size_offset(kernel);
    out.wave_lanes = kernel.info.wavefront_size;
    out.kernel_object = image.kernel_object(kernel);
    break;
  }
  return out;
}

} // namespace

Status Executable::place(const codeobject::CodeObject& code) {
  Agent& agent = device_.agent();
  target_ = code.target().to_string();
  printf_formats_ = code.printf_formats();
  RT_TRY_ASSIGN(const codeobject::LoadedImage image,
                codeobject::load_image(code, [&](uint64_t bytes, uint64_t align) -> Result<codeobject::ImageMemory> {
                  RT_TRY_ASSIGN(void* const base, agent.allocate(bytes, align, AgentMemory::Code));
                  memory_ = static_cast<std::byte*>(base);
                  return codeobject::ImageMemory{{memory_, bytes}, reinterpret_cast<uint64_t>(base)};
                }));

  std::vector<CodeSymbol> functions;
  for (const codeobject::Symbol& symbol : code.symbols()) {
    if (!symbol.defined) continue;
    if (symbol.kind == codeobject::SymbolKind::Function)
      functions.push_back(function_symbol(code, image, symbol));
    else if (symbol.kind == codeobject::SymbolKind::Object && !symbol.name.ends_with(".kd"))
      globals_[std::string(symbol.name)] = {reinterpret_cast<void*>(image.address_of(symbol)), static_cast<size_t>(symbol.size)};
  }
  for (const codeobject::ManagedVariable& variable : code.managed_variables())
    managed_variables_.push_back({std::string(variable.name), globals_[std::string(variable.pointer->name)],
                                  globals_[std::string(variable.storage->name)]});

  const std::string processor = code.target().processor->name;
  const auto lines = codeobject::LineSections::of(code.file());
  for (const codeobject::Segment& segment : code.segments()) {
    if (!segment.executable) continue;
    void* const base = reinterpret_cast<void*>(image.address_of(segment.address));
    RT_TRY(agent.map_code({base, segment.memory_size, segment.address}, processor, functions, lines));
    mapped_code_.push_back(base);
  }
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

Executable::~Executable() {
  Agent& agent = device_.agent();
  const auto report = [](const Status& status) {
    if (!status.ok()) log(LogLevel::Warning, "Unloading a code object: {}", status.message());
  };
  for (void* base : mapped_code_) report(agent.unmap_code(base));
  if (memory_) report(agent.free(memory_));
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
