// runtime/backend/aql/backend.cpp - the AQL back end: every agent of every provider is one device.
#include "runtime/backend/aql/device.h"

namespace hip::aql {
namespace {

class AqlBackend final : public backend::Backend {
public:
  explicit AqlBackend(std::vector<std::unique_ptr<Agent>> agents) {
    for (std::unique_ptr<Agent>& agent : agents) {
      devices_.push_back(std::make_unique<Device>(std::move(agent)));
      pointers_.push_back(devices_.back().get());
    }
  }
  std::string_view name() const noexcept override { return "aql"; }
  std::span<backend::Device* const> devices() noexcept override { return pointers_; }

private:
  std::vector<std::unique_ptr<Device>> devices_;
  std::vector<backend::Device*> pointers_;
};

} // namespace

std::unique_ptr<backend::Backend> make_backend(std::vector<std::unique_ptr<Agent>> agents) {
  return std::make_unique<AqlBackend>(std::move(agents));
}

} // namespace hip::aql

namespace hip::backend {

Result<std::unique_ptr<Backend>> create_aql_backend(SoftwareDevices software) {
  if (software == SoftwareDevices::Leave) return aql::make_backend({});
  RT_TRY_ASSIGN(auto agents, aql::create_soft_agents());
  return aql::make_backend(std::move(agents));
}

} // namespace hip::backend
