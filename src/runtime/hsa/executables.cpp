#include "runtime/hsa/executables.h"

#include "runtime/hsa/debugger.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

namespace hip::hsa {

namespace {

std::string path_of(int descriptor) {
  std::string path(4096, '\0');
  const ssize_t length = ::readlink(fmt::format("/proc/self/fd/{}", descriptor).c_str(), path.data(), path.size());
  path.resize(length > 0 ? static_cast<size_t>(length) : 0);
  return path;
}

// What is neither a letter nor a digit nor one of a few signs is written as a number.
std::string as_uri(std::string_view path) {
  std::string uri;
  for (const char c : path)
    if (std::isalnum(static_cast<unsigned char>(c)) || std::string_view("/-_.~").find(c) != std::string_view::npos)
      uri += c;
    else
      uri += fmt::format("%{:02X}", static_cast<unsigned char>(c));
  return uri;
}

} // namespace

Result<std::unique_ptr<Reader>> Reader::of_file(int descriptor, uint64_t offset, uint64_t bytes) {
  struct stat facts{};
  if (::fstat(descriptor, &facts) != 0) return error(ErrorCode::InvalidValue, "{} is no open file.", descriptor);
  const auto file_bytes = static_cast<uint64_t>(facts.st_size);
  if (offset > file_bytes || bytes > file_bytes - offset)
    return error(ErrorCode::InvalidValue, "{} bytes at {} are not in the file, which has {}.", bytes, offset,
                 file_bytes);
  if (bytes == 0) bytes = file_bytes - offset;
  if (bytes == 0) return error(ErrorCode::InvalidValue, "The file is empty.");
  const auto page = static_cast<uint64_t>(::sysconf(_SC_PAGESIZE));
  const uint64_t begin = offset / page * page;
  auto reader = std::make_unique<Reader>(std::span<const std::byte>());
  reader->mapped_bytes_ = bytes + (offset - begin);
  void* const mapping =
      ::mmap(nullptr, reader->mapped_bytes_, PROT_READ, MAP_PRIVATE, descriptor, static_cast<off_t>(begin));
  if (mapping == MAP_FAILED) return error(ErrorCode::InvalidValue, "The file cannot be mapped.");
  reader->mapping_ = mapping;
  reader->bytes_ = {static_cast<const std::byte*>(mapping) + (offset - begin), bytes};
  reader->uri_ = fmt::format("file://{}", as_uri(path_of(descriptor)));
  if (offset != 0 || bytes != file_bytes) reader->uri_ += fmt::format("#offset={}&size={}", offset, bytes);
  return reader;
}

Reader::~Reader() {
  if (mapping_) ::munmap(mapping_, mapped_bytes_);
}

hsa_status_t Executable::define(Agent* agent, std::string name, void* address) {
  if (frozen_) return HSA_STATUS_ERROR_FROZEN_EXECUTABLE;
  if (find(name, agent)) return HSA_STATUS_ERROR_VARIABLE_ALREADY_DEFINED;
  const bool fresh = variables_.emplace(std::pair{agent, std::move(name)}, address).second;
  return fresh ? HSA_STATUS_SUCCESS : HSA_STATUS_ERROR_VARIABLE_ALREADY_DEFINED;
}

const void* Executable::defined(const Agent& agent, std::string_view name) const noexcept {
  for (const Agent* const owner : {&agent, static_cast<const Agent*>(nullptr)})
    if (const auto found = variables_.find({owner, std::string(name)}); found != variables_.end()) return found->second;
  return nullptr;
}

hsa_status_t Executable::load(Agent& agent, const Reader& reader, LoadedCode** out) {
  if (frozen_) return HSA_STATUS_ERROR_FROZEN_EXECUTABLE;
  auto loaded = std::make_unique<LoadedCode>();
  loaded->executable = this;
  loaded->agent = &agent;
  loaded->file.assign(reader.bytes().begin(), reader.bytes().end());
  loaded->uri = !reader.uri().empty()
                    ? reader.uri()
                    : fmt::format("memory://{}#offset={:#x}&size={}", ::getpid(),
                                  reinterpret_cast<uint64_t>(loaded->file.data()), loaded->file.size());
  Result<codeobject::CodeObject> code = codeobject::CodeObject::parse(loaded->file);
  if (!code.ok()) return to_hsa(code.status());
  const auto resolve = [&](std::string_view name) -> Result<uint64_t> {
    if (const void* const address = defined(agent, name)) return reinterpret_cast<uint64_t>(address);
    return error(ErrorCode::SharedObjectSymbolNotFound, "The variable \"{}\" is not defined.", name);
  };
  Result<aql::PlacedCode> placed = aql::PlacedCode::place(agent.gpu(), *code, resolve);
  if (!placed.ok()) return to_hsa(placed.status());
  loaded->code = std::move(*placed);
  for (const codeobject::Segment& segment : code->segments())
    loaded->segments.push_back({loaded->code.image().address_of(segment.address), segment.memory_size,
                                static_cast<uint64_t>(segment.contents.data() - loaded->file.data())});
  add_symbols(*loaded, *code);
  if (out) *out = loaded.get();
  loaded_.push_back(std::move(loaded));
  return HSA_STATUS_SUCCESS;
}

void Executable::add_symbols(const LoadedCode& loaded, const codeobject::CodeObject& code) {
  const codeobject::LoadedImage& image = loaded.code.image();
  const auto add = [&](std::unique_ptr<Symbol> symbol) {
    symbol->agent = loaded.agent;
    if (by_name_.emplace(std::pair{symbol->agent, std::string_view(symbol->name)}, symbol.get()).second)
      symbols_.push_back(std::move(symbol));
  };
  for (const codeobject::Kernel& kernel : code.kernels()) {
    auto symbol = std::make_unique<Symbol>();
    symbol->name = kernel.info.symbol;
    symbol->is_kernel = true;
    symbol->address = image.kernel_object(kernel);
    symbol->kernarg_bytes = kernel.info.kernarg_segment_size;
    symbol->kernarg_alignment = std::max(kernel.info.kernarg_segment_align, symbol->kernarg_alignment);
    symbol->group_bytes = kernel.descriptor.group_segment_fixed_size;
    symbol->private_bytes = kernel.descriptor.private_segment_fixed_size;
    symbol->dynamic_stack = kernel.info.uses_dynamic_stack;
    add(std::move(symbol));
  }
  for (const codeobject::Symbol& variable : code.symbols()) {
    if (!variable.defined || variable.kind != codeobject::SymbolKind::Object || variable.name.ends_with(".kd"))
      continue;
    auto symbol = std::make_unique<Symbol>();
    symbol->name = variable.name;
    symbol->address = image.address_of(variable);
    symbol->bytes = variable.size;
    add(std::move(symbol));
  }
}

hsa_status_t Executable::freeze() {
  if (frozen_) return HSA_STATUS_ERROR_FROZEN_EXECUTABLE;
  frozen_ = true;
  show_to_debuggers(loaded_);
  return HSA_STATUS_SUCCESS;
}

Executable::~Executable() {
  if (frozen_) hide_from_debuggers(loaded_);
}

const Symbol* Executable::find(std::string_view name, const Agent* agent) const noexcept {
  const auto found = by_name_.find({agent, name});
  return found == by_name_.end() ? nullptr : found->second;
}

} // namespace hip::hsa
