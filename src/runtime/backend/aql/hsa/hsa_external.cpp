// runtime/backend/aql/hsa/hsa_external.cpp - memory of other interfaces (dma-bufs), which AMD's runtime maps as a
// whole.
#include "runtime/backend/aql/hsa/hsa_agent.h"

#include <unistd.h>

namespace hip::aql::hsa {

namespace {

// The whole of what a descriptor means, at an address of its own.
struct Mapped {
  const HsaAgent& agent;
  void* base = nullptr;
  size_t bytes = 0;
  explicit Mapped(const HsaAgent& of) noexcept : agent(of) {}
  Mapped(const Mapped&) = delete;
  ~Mapped() {
    const Library& hsa = agent.hsa();
    if (!base || hsa.inherited() || agent.lost()) return; // kernels of a lost card may still use it
    hsa.note(hsa.hsa_amd_interop_unmap_buffer(base), "hsa_amd_interop_unmap_buffer");
  }
  Status map(std::vector<hsa_agent_t> gpus, int descriptor) {
    const Library& hsa = agent.hsa();
    return hsa.check(hsa.hsa_amd_interop_map_buffer(static_cast<uint32_t>(gpus.size()), gpus.data(), descriptor, 0,
                                                    &bytes, &base, nullptr, nullptr),
                     "hsa_amd_interop_map_buffer");
  }
};

class External final : public backend::ExternalMemory {
public:
  External(HsaAgent& agent, uint64_t bytes) noexcept : ExternalMemory(bytes), agent_(agent) {}
  ~External() override {
    if (descriptor_ >= 0) ::close(descriptor_);
  }
  void own(int descriptor) noexcept { descriptor_ = descriptor; }
  Result<void*> map(uint64_t offset, uint64_t) override {
    RT_TRY(agent_.usable());
    auto mapped = std::make_shared<Mapped>(agent_);
    RT_TRY(mapped->map(agent_.cards().gpus, descriptor_));
    void* const address = static_cast<std::byte*>(mapped->base) + offset;
    agent_.keep_external(address, std::move(mapped));
    return address;
  }

private:
  HsaAgent& agent_;
  int descriptor_ = -1;
};

} // namespace

Result<Ref<backend::ExternalMemory>> HsaAgent::import_memory(const backend::ExternalMemorySource& source) {
  RT_TRY(usable());
  Mapped probe(*this);
  RT_TRY(probe.map(cards_->gpus, source.descriptor));
  if (source.bytes > probe.bytes)
    return error(ErrorCode::InvalidValue, "File descriptor {} has {} bytes; {} are to be imported.", source.descriptor,
                 probe.bytes, source.bytes);
  auto made = make_ref<External>(*this, source.bytes);
  made->own(source.descriptor);
  return Ref<backend::ExternalMemory>(std::move(made));
}

void HsaAgent::keep_external(void* address, std::shared_ptr<void> memory) {
  std::lock_guard guard(mutex_);
  external_.emplace(address, std::move(memory));
}

Status HsaAgent::unmap_external(void* base) {
  RT_TRY(usable());
  decltype(external_)::node_type last; // goes after the lock
  std::lock_guard guard(mutex_);
  const auto found = external_.find(base);
  if (found == external_.end()) return error(ErrorCode::InvalidValue, "{} is no memory of another interface.", base);
  last = external_.extract(found);
  return Status();
}

} // namespace hip::aql::hsa
