// runtime/backend/aql/hsa/hsa_code.cpp - code objects of cards, which HSA's loader places.
#include "runtime/backend/aql/hsa/hsa_agent.h"

namespace hip::aql::hsa {

Status HsaAgent::map_code(const CodeSegment&, const std::string&, std::span<const CodeSymbol>,
                          std::shared_ptr<const codeobject::LineSections>) {
  return error(ErrorCode::NotSupported, "Code for {} is loaded by HSA.", properties_.name);
}

Status HsaAgent::unmap_code(void*) {
  return error(ErrorCode::NotSupported, "Code for {} is unloaded by HSA.", properties_.name);
}

namespace {

// An executable with the one code object that it was made for, whose bytes it keeps.
struct LoadedExecutable {
  const Library& hsa;
  std::vector<std::byte> file;
  hsa_code_object_reader_t reader{0};
  hsa_executable_t executable{0};
  HsaAgent* agent = nullptr; // that knows `kernels` by their descriptors
  std::vector<uint64_t> kernels;
  ~LoadedExecutable() {
    if (hsa.inherited()) return;
    if (agent) agent->forget_kernels(kernels);
    // The code stays where its kernels may still execute: the process is ending, or the card is lost.
    if (end_of_waits_ns() != UINT64_MAX || (agent && agent->lost())) return;
    if (executable.handle) hsa.note(hsa.hsa_executable_destroy(executable), "hsa_executable_destroy");
    if (reader.handle) hsa.note(hsa.hsa_code_object_reader_destroy(reader), "hsa_code_object_reader_destroy");
  }
};

} // namespace

Result<std::optional<LoadedCode>> HsaAgent::load_code(const codeobject::CodeObject& code,
                                                      const codeobject::ResolveSymbol& resolve) {
  RT_TRY(usable());
  auto loaded = std::make_shared<LoadedExecutable>(hsa(), std::vector(code.file().begin(), code.file().end()));
  RT_TRY(hsa().check(hsa().hsa_executable_create_alt(HSA_PROFILE_FULL, HSA_DEFAULT_FLOAT_ROUNDING_MODE_DEFAULT, nullptr,
                                                     &loaded->executable),
                     "hsa_executable_create_alt"));
  for (const codeobject::Symbol& symbol : code.symbols()) {
    if (symbol.defined || symbol.name.empty() || !resolve) continue;
    Result<uint64_t> address = resolve(symbol.name);
    if (!address.ok() && symbol.weak) continue;
    RT_TRY_ASSIGN(const uint64_t known, std::move(address));
    RT_TRY(hsa().check(hsa().hsa_executable_agent_global_variable_define(
                           loaded->executable, gpu_, std::string(symbol.name).c_str(), reinterpret_cast<void*>(known)),
                       "hsa_executable_agent_global_variable_define"));
  }
  RT_TRY(hsa().check(
      hsa().hsa_code_object_reader_create_from_memory(loaded->file.data(), loaded->file.size(), &loaded->reader),
      "hsa_code_object_reader_create_from_memory"));
  hsa_loaded_code_object_t object{0};
  RT_TRY(hsa().check(
      hsa().hsa_executable_load_agent_code_object(loaded->executable, gpu_, loaded->reader, nullptr, &object),
      "hsa_executable_load_agent_code_object"));
  RT_TRY(hsa().check(hsa().hsa_executable_freeze(loaded->executable, nullptr), "hsa_executable_freeze"));
  int64_t delta = 0;
  RT_TRY(hsa().check(hsa().loader.hsa_ven_amd_loader_loaded_code_object_get_info(
                         object, HSA_VEN_AMD_LOADER_LOADED_CODE_OBJECT_INFO_LOAD_DELTA, &delta),
                     "hsa_ven_amd_loader_loaded_code_object_get_info"));
  LoadedCode out;
  out.image.image_begin = code.image_begin();
  out.image.device_base = code.image_begin() + static_cast<uint64_t>(delta);
  out.image.size_bytes = code.image_end() - code.image_begin();
  loaded->agent = this;
  {
    std::lock_guard guard(mutex_);
    for (const codeobject::Kernel& kernel : code.kernels()) {
      loaded->kernels.push_back(out.image.kernel_object(kernel));
      kernels_[loaded->kernels.back()] = kernel.info.name;
    }
  }
  out.keeper = std::move(loaded);
  return std::optional<LoadedCode>(std::move(out));
}

void HsaAgent::forget_kernels(std::span<const uint64_t> kernel_objects) {
  std::lock_guard guard(mutex_);
  for (const uint64_t object : kernel_objects) kernels_.erase(object);
}

std::string HsaAgent::kernel_at_fault(const QueueBlock& block) const {
  std::lock_guard guard(mutex_);
  return kernel_at_fault_locked(block);
}

std::string HsaAgent::kernel_at_fault_locked(const QueueBlock& block) const {
  const uint64_t read = block.read_dispatch_id.load(std::memory_order_acquire);
  const uint64_t write = block.write_dispatch_id.load(std::memory_order_acquire);
  const auto* const ring = reinterpret_cast<const Packet*>(block.base_address);
  for (uint64_t index = read == 0 ? 0 : read - 1; index < write; ++index) { // may be past the one that failed
    const KernelDispatchPacket& packet = ring[index & (block.size - 1)].dispatch;
    const Signal* const signal = to_signal(packet.completion_signal);
    if (signal && signal->value.load(std::memory_order_acquire) < 1) continue;
    if (const auto found = kernels_.find(packet.kernel_object); found != kernels_.end()) return found->second;
  }
  return {};
}

} // namespace hip::aql::hsa
