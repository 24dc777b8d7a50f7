// runtime/backend/aql/backend.cpp - the AQL back ends: software GPUs ("aql") and cards through AMD's runtime ("hsa"),
// which share no address space. Every agent is one device.
#include "runtime/backend/aql/device.h"
#include "runtime/backend/aql/soft/shared_system.h"

namespace hip::aql {
namespace {

class AqlBackend final : public backend::Backend {
public:
  AqlBackend(std::string_view name, std::vector<std::unique_ptr<Agent>> agents, std::string absence = {})
      : name_(name), absence_(std::move(absence)) {
    for (std::unique_ptr<Agent>& agent : agents) {
      devices_.push_back(std::make_unique<Device>(std::move(agent)));
      pointers_.push_back(devices_.back().get());
    }
  }
  std::string_view name() const noexcept override { return name_; }
  std::string_view absence() const noexcept override { return absence_; }
  std::span<backend::Device* const> devices() noexcept override { return pointers_; }

private:
  const std::string_view name_;
  const std::string absence_;
  std::vector<std::unique_ptr<Device>> devices_;
  std::vector<backend::Device*> pointers_;
};

} // namespace

std::unique_ptr<backend::Backend> make_backend(std::vector<std::unique_ptr<Agent>> agents) {
  return std::make_unique<AqlBackend>("aql", std::move(agents));
}

std::unique_ptr<backend::Backend> make_hsa_backend() {
  Result<std::vector<std::unique_ptr<Agent>>> agents = create_hsa_agents();
  if (!agents.ok())
    return std::make_unique<AqlBackend>("hsa", std::vector<std::unique_ptr<Agent>>(), agents.status().message());
  return std::make_unique<AqlBackend>("hsa", std::move(*agents));
}

} // namespace hip::aql

namespace hip::backend {

const void* software_gpus() noexcept { return &aql::soft::own_offer(); }

Result<std::unique_ptr<Backend>> create_hsa_backend() { return aql::make_hsa_backend(); }

Result<std::unique_ptr<Backend>> create_aql_backend(SoftwareDevices software) {
  if (software == SoftwareDevices::Leave) return aql::make_backend({});
  RT_TRY_ASSIGN(auto agents, aql::create_soft_agents());
  return aql::make_backend(std::move(agents));
}

} // namespace hip::backend
