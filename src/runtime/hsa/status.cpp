#include "runtime/hsa/status.h"

#include "runtime/hsa/entry.h"

namespace hip::hsa {

namespace {

struct StatusText {
  int status;
  const char* text;
};

constexpr StatusText kTexts[] = {
#define HSA_STATUS_TEXT(name, sentence) {name, #name ": " sentence},
#include "runtime/hsa/statuses.def"
#undef HSA_STATUS_TEXT
};

} // namespace

hsa_status_t to_hsa(const Status& error) {
  if (error.ok()) return HSA_STATUS_SUCCESS;
  log(LogLevel::Info, "{}", error.message());
  switch (error.code()) {
  case ErrorCode::OutOfMemory:
    return HSA_STATUS_ERROR_OUT_OF_RESOURCES;
  case ErrorCode::NotSupported:
    return kNotSupported;
  case ErrorCode::InvalidValue:
  case ErrorCode::InvalidHandle:
    return HSA_STATUS_ERROR_INVALID_ARGUMENT;
  case ErrorCode::InvalidImage:
    return HSA_STATUS_ERROR_INVALID_CODE_OBJECT;
  case ErrorCode::NoBinaryForGpu:
    return HSA_STATUS_ERROR_INCOMPATIBLE_ARGUMENTS;
  case ErrorCode::SharedObjectSymbolNotFound:
    return HSA_STATUS_ERROR_VARIABLE_UNDEFINED;
  case ErrorCode::NotInitialized:
  case ErrorCode::Deinitialized:
    return HSA_STATUS_ERROR_NOT_INITIALIZED;
  default:
    return HSA_STATUS_ERROR;
  }
}

hsa_status_t fault_status(const Status& fault) noexcept {
  switch (fault.code()) {
  case ErrorCode::IllegalAddress:
    return amd_status(HSA_STATUS_ERROR_MEMORY_FAULT);
  case ErrorCode::InvalidKernelFile: // what the engine says of an instruction that it does not execute
  case ErrorCode::NotSupported:
    return amd_status(HSA_STATUS_ERROR_ILLEGAL_INSTRUCTION);
  case ErrorCode::OutOfMemory:
    return HSA_STATUS_ERROR_OUT_OF_RESOURCES;
  case ErrorCode::LaunchOutOfResources: // more LDS than there is
    return HSA_STATUS_ERROR_INVALID_ALLOCATION;
  case ErrorCode::InvalidDeviceFunction:
    return HSA_STATUS_ERROR_INVALID_CODE_OBJECT;
  case ErrorCode::InvalidConfiguration: // of the grid or the work-group
    return HSA_STATUS_ERROR_INVALID_ARGUMENT;
  case ErrorCode::InvalidValue:
    return HSA_STATUS_ERROR_INVALID_PACKET_FORMAT;
  default:
    return HSA_STATUS_ERROR_EXCEPTION;
  }
}

} // namespace hip::hsa

hsa_status_t hsa_status_string(hsa_status_t status, const char** text) {
  using namespace hip::hsa;
  if (!text) return HSA_STATUS_ERROR_INVALID_ARGUMENT;
  for (const StatusText& each : kTexts)
    if (each.status == static_cast<int>(status)) {
      *text = each.text;
      return HSA_STATUS_SUCCESS;
    }
  return HSA_STATUS_ERROR_INVALID_ARGUMENT;
}
