// runtime/compat/compat.h - what the shims of libamdhip64.so.6 and libamdhip64.so.5 share. A shim is a function of its
// entry's name; inside it, RT_CORE(name) is the entry of that name in libamdhip64.so.7.
// Thread safety: as the core's entries; an entry is looked up once.
#pragma once

#include "runtime/api/older.h"

namespace hip::compat {

inline constexpr int kLibrary = OMNIHIP_OLDER; // 5 or 6
static_assert(kLibrary == 5 || kLibrary == 6);

// The address of an entry of libamdhip64.so.7 or libhiprtc.so.7, which this library needs. Ends the process with a
// message when there is none of that name: then the libraries are of different builds.
void* entry_of(const char* library, const char* name) noexcept;
inline void* core_entry(const char* name) noexcept { return entry_of("libamdhip64.so.7", name); }

// The types of the core's entries: nothing here has a body, and the names have none of the public headers' overloads.
namespace core {
#define HIP_API(name, node, area, params, args, ...) hipError_t name params;
#define HIP_API_BARE(name, node, area, params, args) hipError_t name params;
#define HIP_API_TODO(name, node, area, params, args) hipError_t name params;
#define HIP_API_RET(type, name, node, area, params, args) type name params;
#define HIP_API_RET_TODO(type, name, node, area, params, args, value) type name params;
#define HIP_COMPILER_API(type, name, node, params, args)
#define HIP_PRIVATE_API_TODO(type, name, node, params, args, value)
#define HIP_API_ALIAS(symbol, function, node)
#include "api/api.def"
#include "runtime/api/undefine_rows.h"
} // namespace core

// Calls the core's entry, whatever symbol of this name the caller's library has.
#define RT_CORE(name)                                                                                                  \
  ([]() noexcept {                                                                                                     \
    static void* const address = hip::compat::core_entry(#name);                                                       \
    return reinterpret_cast<decltype(&hip::compat::core::name)>(address);                                              \
  }())

// A shim's definition. Which ones a library exports is its version script's matter.
#define RT_SHIM extern "C" __attribute__((visibility("default")))
// The same under a C++ name of that time.
#define RT_SHIM_NAMED(symbol, name, params)                                                                            \
  __attribute__((visibility("default"))) hipError_t name params __asm__(symbol);                                       \
  hipError_t name params

} // namespace hip::compat
