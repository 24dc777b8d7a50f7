// runtime/backend/aql/executable.h - a code object loaded on one agent: image in Code memory, relocated, executable
// ranges announced to the agent, kernels with their argument layouts. Thread safety: immutable after load().
#pragma once

#include "runtime/backend/aql/agent.h"
#include "runtime/backend/aql/kernel_arguments.h"
#include "runtime/backend/aql/placed_code.h"
#include "runtime/codeobject/code_object.h"

#include <map>
#include <memory>

namespace hip::aql {

class Device;

struct AqlKernel final : backend::Kernel {
  Device* device = nullptr;
  uint64_t kernel_object = 0;      // address of the kernel descriptor
  uint64_t id = 0;                 // of no other kernel, also of none that was unloaded
  bool preloads_arguments = false; // waves begin with some of them in SGPRs
  ArgumentLayout layout;
  // What a launch must set up, because the kernel has a hidden argument for it.
  bool wants_printf = false, wants_hostcall = false, wants_heap = false, wants_grid_barrier = false;
  const std::vector<codeobject::PrintfFormat>* printf_formats = nullptr;
};

class Executable final : public backend::Executable {
public:
  static Result<std::unique_ptr<backend::Executable>> load(Device& device, std::span<const std::byte> image);

  Result<backend::Kernel*> find_kernel(std::string_view name) override;
  Result<backend::Global> find_global(std::string_view name) override;
  std::vector<backend::Kernel*> kernels() override;
  Result<std::vector<backend::ManagedVariable>> managed_variables() override { return managed_variables_; }
  const std::string& target() const noexcept override { return target_; }

private:
  explicit Executable(Device& device) noexcept : device_(device) {}
  Status place(const codeobject::CodeObject& code);
  Status add_kernel(const codeobject::CodeObject& code, const codeobject::Kernel& kernel, uint64_t kernel_object);

  Device& device_;
  std::string target_;
  PlacedCode code_;
  std::vector<backend::ManagedVariable> managed_variables_;
  std::map<std::string, std::unique_ptr<AqlKernel>, std::less<>> kernels_;
  std::map<std::string, backend::Global, std::less<>> globals_;
  std::vector<codeobject::PrintfFormat> printf_formats_;
};

} // namespace hip::aql
