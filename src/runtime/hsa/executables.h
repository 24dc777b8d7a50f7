// runtime/hsa/executables.h - code objects: readers, executables, and what was loaded from which. Thread safety: an
// executable is used by one thread at a time while it is not frozen, and by any afterwards; the list of all executables
// by any.
#pragma once

#include "runtime/hsa/agents.h"
#include "runtime/hsa/status.h"

#include "runtime/backend/aql/placed_code.h"

#include <functional>
#include <link.h>
#include <map>
#include <mutex>

namespace hip::hsa {

// hsa_code_object_reader_t: bytes of the caller, or a part of a file that is mapped.
class Reader {
public:
  explicit Reader(std::span<const std::byte> memory) noexcept : bytes_(memory) {}
  // `bytes` 0: to the file's end. Error: InvalidValue for no file or a part outside of it.
  static Result<std::unique_ptr<Reader>> of_file(int descriptor, uint64_t offset, uint64_t bytes);
  ~Reader();
  Reader(const Reader&) = delete;

  std::span<const std::byte> bytes() const noexcept { return bytes_; }
  const std::string& uri() const noexcept { return uri_; } // "memory://..." where it is not a file

private:
  std::span<const std::byte> bytes_;
  std::string uri_;
  void* mapping_ = nullptr;
  size_t mapped_bytes_ = 0;
};

class Executable;

// hsa_loaded_code_object_t
struct LoadedCode {
  Executable* executable = nullptr;
  Agent* agent = nullptr;
  std::vector<std::byte> file; // a copy: the reader's memory may go once the executable is frozen
  std::string uri;             // of the reader's file, or of the copy
  link_map listed{};           // the debuggers' entry
  aql::PlacedCode code;
  struct Segment {
    uint64_t address, bytes; // in memory
    uint64_t offset;         // in `file`, of what its first bytes are copied from
  };
  std::vector<Segment> segments;
  // From addresses of the file to those in memory.
  int64_t delta() const noexcept { return static_cast<int64_t>(code.image().device_base - code.image().image_begin); }
  bool holds(uint64_t address) const noexcept { return address - code.image().device_base < code.image().size_bytes; }
};

// hsa_executable_symbol_t
struct Symbol {
  Agent* agent = nullptr;
  std::string name; // of a kernel: "NAME.kd"
  bool is_kernel = false;
  uint64_t address = 0; // of a variable, or of a kernel's descriptor
  uint64_t bytes = 0;   // of a variable
  uint32_t kernarg_bytes = 0, kernarg_alignment = 16, group_bytes = 0, private_bytes = 0;
  bool dynamic_stack = false;
};

class Executable { // hsa_executable_t
public:
  Executable(hsa_profile_t profile, hsa_default_float_rounding_mode_t rounding) noexcept
      : profile_(profile), rounding_(rounding) {}
  ~Executable();
  Executable(const Executable&) = delete;

  hsa_status_t define(Agent* agent, std::string name, void* address); // null: for all agents
  hsa_status_t load(Agent& agent, const Reader& reader, LoadedCode** loaded);
  hsa_status_t freeze();
  bool frozen() const noexcept { return frozen_; }
  hsa_profile_t profile() const noexcept { return profile_; }
  hsa_default_float_rounding_mode_t rounding() const noexcept { return rounding_; }

  const Symbol* find(std::string_view name, const Agent* agent) const noexcept;
  const std::vector<std::unique_ptr<Symbol>>& symbols() const noexcept { return symbols_; }
  const std::vector<std::unique_ptr<LoadedCode>>& loaded() const noexcept { return loaded_; }

  hsa_executable_t handle() const noexcept { return {reinterpret_cast<uint64_t>(this)}; }

private:
  void add_symbols(const LoadedCode& loaded, const codeobject::CodeObject& code);
  const void* defined(const Agent& agent, std::string_view name) const noexcept;

  const hsa_profile_t profile_;
  const hsa_default_float_rounding_mode_t rounding_;
  bool frozen_ = false;
  std::map<std::pair<const Agent*, std::string>, void*> variables_; // that the user defined
  std::vector<std::unique_ptr<LoadedCode>> loaded_;
  std::vector<std::unique_ptr<Symbol>> symbols_;
  std::map<std::pair<const Agent*, std::string_view>, const Symbol*> by_name_;
};

} // namespace hip::hsa
