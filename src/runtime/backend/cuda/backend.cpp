// runtime/backend/cuda/backend.cpp - the CUDA back end: the GPUs that NVIDIA's driver shows, in its order. Without a
// driver, or with one that cannot be used, it has no devices and says why.
#include "runtime/backend/cuda/device.h"
#include "runtime/base/env.h"
#include "runtime/base/log.h"

namespace hip::cuda {
namespace {

class CudaBackend final : public backend::Backend {
public:
  explicit CudaBackend(Status absence) : absence_(std::move(absence)) {}
  explicit CudaBackend(std::unique_ptr<const Driver> driver) : driver_(std::move(driver)) {}

  // Error: what the driver says. A GPU that cannot be described is left out, with a warning.
  Status find_devices() {
    const CUresult initialised = driver_->cuInit(0);
    if (initialised != kErrorNoDevice) RT_TRY(driver_->status(initialised, "cuInit"));
    int count = 0;
    if (initialised == kSuccess) RT_TRY(driver_->status(driver_->cuDeviceGetCount(&count), "cuDeviceGetCount"));
    if (count == 0) return error(ErrorCode::NoDevice, "NVIDIA's driver shows no GPU.");
    Status last;
    for (int ordinal = 0; ordinal < count; ++ordinal) {
      auto device = Device::create(*driver_, ordinal);
      if (!device.ok()) {
        last = device.status();
        log(LogLevel::Warning, "CUDA device {} is left out: {}", ordinal, last.message());
        continue;
      }
      devices_.push_back(std::move(device).value());
      pointers_.push_back(devices_.back().get());
    }
    for (const auto& device : devices_) device->set_family(pointers_);
    return devices_.empty() ? last : Status();
  }
  void set_absence(Status why) { absence_ = std::move(why); }

  std::string_view name() const noexcept override { return "cuda"; }
  std::span<backend::Device* const> devices() noexcept override { return pointers_; }
  std::string_view absence() const noexcept override { return absence_.message(); }

private:
  std::unique_ptr<const Driver> driver_;
  std::vector<std::unique_ptr<Device>> devices_;
  std::vector<backend::Device*> pointers_;
  Status absence_;
};

} // namespace
} // namespace hip::cuda

namespace hip::backend {

Result<std::unique_ptr<Backend>> create_cuda_backend() {
  const std::string file(env_text(Env::OMNIHIP_CUDA_DRIVER));
  auto driver = cuda::Driver::load(file.c_str());
  if (!driver.ok()) {
    // Most machines have none: only one that is there and useless is worth a warning.
    const LogLevel level = driver.status().code() == ErrorCode::FileNotFound ? LogLevel::Debug : LogLevel::Warning;
    log(level, "No NVIDIA GPU is used: {}", driver.status().message());
    return std::unique_ptr<Backend>(std::make_unique<cuda::CudaBackend>(driver.status()));
  }
  auto made = std::make_unique<cuda::CudaBackend>(std::make_unique<const cuda::Driver>(*driver));
  if (Status status = made->find_devices(); !status.ok()) {
    log(LogLevel::Warning, "No NVIDIA GPU is used: {}", status.message());
    made->set_absence(std::move(status));
  }
  return std::unique_ptr<Backend>(std::move(made));
}

} // namespace hip::backend
