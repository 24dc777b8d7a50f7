#include "runtime/backend/aql/placed_code.h"

#include "runtime/base/log.h"
#include "runtime/codeobject/line_table.h"

namespace hip::aql {

namespace {

// The offset of the work-group's size (x in 16 bits, then y) in the kernel's arguments; -1 when the arguments do not
// hold x and y side by side.
int32_t hidden_group_size_offset(const codeobject::Kernel& kernel) {
  const codeobject::KernelArg* x = kernel.info.find_arg(codeobject::ArgKind::HiddenGroupSizeX);
  const codeobject::KernelArg* y = kernel.info.find_arg(codeobject::ArgKind::HiddenGroupSizeY);
  return x && y && x->offset % 4 == 0 && y->offset == x->offset + 2 ? int32_t(x->offset) : -1;
}

CodeSymbol function_symbol(const codeobject::CodeObject& code, const codeobject::LoadedImage& image,
                           const codeobject::Symbol& function) {
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

Result<PlacedCode> PlacedCode::place(Agent& agent, const codeobject::CodeObject& code,
                                     const codeobject::ResolveSymbol& resolve) {
  RT_TRY_ASSIGN(const codeobject::TargetId target, codeobject::parse_target_id(agent.properties().target));
  if (!match_score(code.target(), target))
    return error(ErrorCode::NoBinaryForGpu, "The code object is for {}; the device is {}.", code.target().to_string(),
                 agent.properties().target);
  PlacedCode placed;
  placed.agent_ = &agent;
  RT_TRY_ASSIGN(std::optional<LoadedCode> loaded, agent.load_code(code, resolve));
  if (loaded) {
    placed.image_ = loaded->image;
    placed.keeper_ = std::move(loaded->keeper);
    return placed;
  }
  const auto allocate = [&](uint64_t bytes, uint64_t align) -> Result<codeobject::ImageMemory> {
    RT_TRY_ASSIGN(placed.memory_, agent.allocate(bytes, align, AgentMemory::Code));
    return codeobject::ImageMemory{{static_cast<std::byte*>(placed.memory_), bytes},
                                   reinterpret_cast<uint64_t>(placed.memory_)};
  };
  RT_TRY_ASSIGN(placed.image_, codeobject::load_image(code, allocate, resolve));

  std::vector<CodeSymbol> functions;
  for (const codeobject::Symbol& symbol : code.symbols())
    if (symbol.is_in_image() && symbol.kind == codeobject::SymbolKind::Function)
      functions.push_back(function_symbol(code, placed.image_, symbol));
  const auto lines = codeobject::LineSections::of(code.file());
  for (const codeobject::Segment& segment : code.segments()) {
    if (!segment.executable) continue;
    placed.mapped_.reserve(placed.mapped_.size() + 1); // what is mapped must be known as such
    void* const base = reinterpret_cast<void*>(placed.image_.address_of(segment.address));
    RT_TRY(
        agent.map_code({base, segment.memory_size, segment.address}, code.target().processor->name, functions, lines));
    placed.mapped_.push_back(base);
  }
  return placed;
}

PlacedCode& PlacedCode::operator=(PlacedCode&& o) noexcept {
  std::swap(agent_, o.agent_);
  std::swap(keeper_, o.keeper_);
  std::swap(memory_, o.memory_);
  std::swap(image_, o.image_);
  std::swap(mapped_, o.mapped_);
  return *this;
}

PlacedCode::~PlacedCode() {
  const auto report = [](const Status& status) {
    if (!status.ok()) log(LogLevel::Warning, "Unloading a code object: {}", status.message());
  };
  for (void* const base : mapped_) report(agent_->unmap_code(base));
  if (memory_) report(agent_->free(memory_));
}

} // namespace hip::aql
