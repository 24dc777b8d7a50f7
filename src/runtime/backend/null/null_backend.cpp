// runtime/backend/null/null_backend.cpp - the back end to clone when writing a new one, and the one over which the API
// layer is fuzzed: a device with real memory and immediate copies whose kernels do nothing, as its name says. Code
// objects are read for their kernels and variables, by which core checks launches. Gaps: kernels have no effect;
// everything completes at once, so nothing ever overlaps; no peer access.
#include "runtime/backend/null/null_device.h"

namespace hip::backend {
namespace null {
namespace {

class NullBackend final : public Backend {
public:
  std::string_view name() const noexcept override { return "null"; }
  std::span<Device* const> devices() noexcept override { return pointers_; }

private:
  NullDevice device_;
  Device* pointers_[1] = {&device_};
};

} // namespace
} // namespace null

Result<std::unique_ptr<Backend>> create_null_backend() {
  return std::unique_ptr<Backend>(std::make_unique<null::NullBackend>());
}

} // namespace hip::backend
