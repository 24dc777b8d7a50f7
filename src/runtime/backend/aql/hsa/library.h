// runtime/backend/aql/hsa/library.h - AMD's runtime (libhsa-runtime64.so.1) as a table of functions, loaded when first
// asked for. Each is called by the name of its documentation: hsa.hsa_init(). Thread safety: immutable once loaded.
#pragma once

#include "runtime/backend/aql/fork_generation.h"
#include "runtime/base/status.h"

#include <hsa/hsa_ext_amd.h>
#include <hsa/hsa_ven_amd_loader.h>

#include <string>

namespace hip::aql::hsa {

struct Library {
#define HSA_FUNCTION(name) decltype(::name)* name = nullptr;
#define HSA_OPTIONAL(name) HSA_FUNCTION(name) // null where the runtime is older
#include "runtime/backend/aql/hsa/functions.def"
  hsa_ven_amd_loader_1_03_pfn_t loader{};
  std::string file;
  void* handle = nullptr;   // of dlopen
  bool initialised = false; // by hsa_init
  const Generation generation{};

  Library() = default;
  Library(const Library&) = delete;
  // One that is not used is closed again: others of the process that need a library of this name get their own.
  ~Library();

  // The runtime that OMNIHIP_HSA_RUNTIME names, else the first of the usual places' that is AMD's and has a GPU;
  // initialised, and never unloaded. Errors: FileNotFound when there is none, with where was looked and why each was
  // not taken.
  static Result<const Library*> load();

  // AMD's runtime does not survive fork: neither its threads nor what the driver knows of the process. No function of
  // it may be called then, those that give something back included.
  bool inherited() const noexcept { return generation.inherited(); }
  // Error: NotInitialized in such a child.
  Status usable() const;
  // Whether there is an agent that is a GPU. The host is an agent, too.
  bool has_gpu() const;

  // Success, or HIP's error for `status` of `call` (errors.def).
  Status check(hsa_status_t status, const char* call) const;
  // The error of a queue's work, which has failed with `status`.
  Status queue_error(hsa_status_t status) const;
  // "hsa_init gives 0x1008: ..."
  std::string describe(hsa_status_t status, const char* call) const;
  // Says so in the log, where an error is nobody's who called. True: success.
  bool note(hsa_status_t status, const char* call) const;
};

} // namespace hip::aql::hsa
