// runtime/backend/cuda/executable.h - a module on one NVIDIA GPU: PTX, which the driver compiles at load, or a cubin.
// Thread safety: any thread.
#pragma once

#include "runtime/backend/cuda/context.h"
#include "runtime/codeobject/ptx.h"

#include <map>
#include <span>

namespace hip::cuda {

class Kernel final : public backend::Kernel {
public:
  CUfunction function = nullptr;
  const char* log_name = nullptr; // lives as long as the process
  // Dynamic shared memory that the driver was last asked for, which only grows: a kernel that uses more than every
  // kernel may must ask.
  std::atomic<uint32_t> allowed_dynamic_bytes{0};
  std::mutex dynamic_bytes_mutex; // held while the driver is asked
  bool parameters_known = false; // `arguments` and `explicit_bytes` are what the kernel takes, nothing included

  // So much of a packed block the driver is given: a block of another size than the kernel's own is an error to it
  // (LaunchOutOfResources).
  size_t block_bytes(std::span<const std::byte> packed) const noexcept {
    return parameters_known ? explicit_bytes : packed.size();
  }

  // Makes a launch with this much dynamic shared memory possible.
  Status allow_dynamic(Context& context, uint32_t bytes, const backend::DeviceProperties& properties);
};

class Executable final : public backend::Executable {
public:
  // Errors: InvalidImage for what is neither PTX nor a cubin; what the driver says of it, with its compiler's log.
  static Result<std::unique_ptr<backend::Executable>>
  load(Context& context, const backend::DeviceProperties& properties, std::span<const std::byte> image);
  ~Executable() override;
  Result<backend::Kernel*> find_kernel(std::string_view name) override;
  Result<backend::Global> find_global(std::string_view name) override;
  std::vector<backend::Kernel*> kernels() override;
  Result<std::vector<backend::ManagedVariable>> managed_variables() override;
  const std::string& target() const noexcept override { return target_; }

private:
  Executable(Context& context, uint32_t wave_lanes) noexcept : context_(context), wave_lanes_(wave_lanes) {}
  Status load_module(const char* image, std::string_view form);
  Result<Kernel*> make_kernel(const std::string& name);
  Status describe(Kernel& kernel);
  void take_parameters(Kernel& kernel);
  std::vector<std::string> kernel_names();

  Context& context_;
  const uint32_t wave_lanes_;
  CUmodule module_ = nullptr;
  std::string target_;
  codeobject::PtxModule ptx_; // empty for a cubin
  std::mutex mutex_;          // kernels_
  std::map<std::string, std::unique_ptr<Kernel>, std::less<>> kernels_;
};

} // namespace hip::cuda
