// What libamdhip64.so.6 and libamdhip64.so.5 need of the core (runtime/compat), and libhsa-runtime64 of the process.
#include "runtime/api/api.h"
#include "runtime/backend/backend.h"
#include "runtime/core/address_map.h"
#include "runtime/core/graph/capture.h"
#include "runtime/core/software_images.h"

namespace hip::api {

hipError_t __omnihipLastResult() { return to_hip(core::this_thread().last_result); }

hipError_t __omnihipAnswer(const char* entry, hipError_t code, const char* message) {
  if (code == hipSuccess) return answer(entry, {});
  return answer(entry, Status(static_cast<ErrorCode>(static_cast<int>(code)), message));
}

void __omnihipFinishPoolMemory(void* memory) {
  if (!core::initialise().ok() || !core::check_call_allowed().ok()) return;
  const auto found = core::addresses().find(memory);
  if (!found || found->memory != backend::MemoryKind::StreamOrdered) return;
  found->device->finish();
}

void __omnihipLaunchInAnyStream(bool any) { core::this_thread().launches_in_any_stream = any; }

const void* __omnihipSoftwareGpus() { return backend::software_gpus(); }

void __omnihipUseSoftwareTextures() { core::use_software_textures(); }

hipError_t __omnihipResetPersistingLines() {
  auto device = core::current_device();
  return answer("hipCtxResetPersistingL2Cache",
                device.ok() ? (*device)->hal().reset_persisting_lines() : device.status());
}

} // namespace hip::api
