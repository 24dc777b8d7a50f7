// runtime/api/dispatch.h - the tables of functions that a profiler may change (rocprofiler-register): every call of a
// function that has a slot goes through it from the moment at which they have been offered. The slots hold functions
// that trace, check and run the call and do not look at the tables, so what a profiler puts there calls what it found
// there. Off, a call pays for none of it (trace.h).
//
// Thread safety: offer_tables() is called once, by the thread that reads trace_state first. Calls that other threads
// make meanwhile, and those that the profiler makes itself, do not go through the tables yet.
#pragma once

#include "runtime/api/trace.h"

namespace hip::api {

// The type of each row's function; C++ has templates of some names besides.
namespace type_of {
#define HIP_API(name, node, area, params, args, ...) using name = hipError_t params;
#define HIP_API_BARE(name, node, area, params, args) using name = hipError_t params;
#define HIP_API_TODO(name, node, area, params, args) using name = hipError_t params;
#define HIP_API_RET(type, name, node, area, params, args) using name = type params;
#define HIP_API_RET_TODO(type, name, node, area, params, args, value) using name = type params;
#define HIP_COMPILER_API(type, name, node, params, args) using name = type params;
#define HIP_PRIVATE_API_TODO(type, name, node, params, args, value) using name = type params;
#define HIP_API_ALIAS(symbol, function, node)
#include "api/api.def"
#include "runtime/api/undefine_rows.h"
} // namespace type_of

struct RuntimeTable {
  size_t size;
#define HIP_DISPATCH(name) type_of::name* name;
#define HIP_COMPILER_DISPATCH(name)
#include "api/dispatch.def"
#undef HIP_DISPATCH
#undef HIP_COMPILER_DISPATCH
};

struct CompilerTable {
  size_t size;
#define HIP_DISPATCH(name)
#define HIP_COMPILER_DISPATCH(name) type_of::name* name;
#include "api/dispatch.def"
#undef HIP_DISPATCH
#undef HIP_COMPILER_DISPATCH
};

static_assert(sizeof(RuntimeTable) == 8 + 506 * 8 && sizeof(CompilerTable) == 8 + 9 * 8, "HIP 7.2's tables");

// Filled from the start (entry.cpp).
extern RuntimeTable runtime_table;
extern CompilerTable compiler_table;

// Hands the tables to librocprofiler-register where somebody wants them or may want them later. False: nobody does.
bool offer_tables() noexcept;

// The slot of a function; a function without one has no `get`.
template<ApiId id> struct Slot {};
#define HIP_DISPATCH(name)                                                                                             \
  template<> struct Slot<ApiId::name> {                                                                                \
    static auto get() noexcept { return runtime_table.name; }                                                          \
  };
#define HIP_COMPILER_DISPATCH(name)                                                                                    \
  template<> struct Slot<ApiId::name> {                                                                                \
    static auto get() noexcept { return compiler_table.name; }                                                         \
  };
#include "api/dispatch.def"
#undef HIP_DISPATCH
#undef HIP_COMPILER_DISPATCH

// What a call that somebody may want to see goes to: `direct`, unless its slot is a profiler's to change.
template<ApiId id, class F> F* dispatched(F* direct) noexcept {
  if constexpr (requires { Slot<id>::get(); }) {
    if (tables_are_offered()) return Slot<id>::get();
  }
  return direct;
}

} // namespace hip::api
