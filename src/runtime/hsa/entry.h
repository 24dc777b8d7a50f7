// runtime/hsa/entry.h - what every function of the interface does first and last: it asks whether the runtime is
// initialised, and lets no exception out. Thread safety: any thread.
#pragma once

#include "runtime/hsa/implementation_names.h"
#include "runtime/hsa/runtime.h"

#include <cstring>
#include <new>

namespace hip::hsa {

// body(runtime) -> hsa_status_t. What is not a success stands in the log (OMNIHIP_LOG=debug) with the function's name.
template<class Body> hsa_status_t entry(const Body& body, const char* function = __builtin_FUNCTION()) noexcept {
  Runtime* const runtime = Runtime::current();
  if (!runtime) return HSA_STATUS_ERROR_NOT_INITIALIZED;
  try {
    const hsa_status_t status = body(*runtime);
    if (status != HSA_STATUS_SUCCESS) [[unlikely]]
      log(LogLevel::Debug, "{} gives {:#x}.", function, static_cast<unsigned>(status));
    return status;
  } catch (const std::bad_alloc&) {
    return HSA_STATUS_ERROR_OUT_OF_RESOURCES;
  } catch (...) {
    return HSA_STATUS_ERROR;
  }
}

// The value of an attribute, of the type that the specification says.
template<class T> hsa_status_t answer(void* out, const T& value) noexcept {
  std::memcpy(out, &value, sizeof value);
  return HSA_STATUS_SUCCESS;
}

// A text in a field of `bytes`, filled up with zeros.
inline hsa_status_t answer_text(void* out, std::string_view text, size_t bytes) noexcept {
  std::memset(out, 0, bytes);
  std::memcpy(out, text.data(), std::min(text.size(), bytes - 1));
  return HSA_STATUS_SUCCESS;
}

// A text without a terminator, whose length is another attribute.
inline hsa_status_t answer_characters(void* out, std::string_view text) noexcept {
  std::memcpy(out, text.data(), text.size());
  return HSA_STATUS_SUCCESS;
}

} // namespace hip::hsa
