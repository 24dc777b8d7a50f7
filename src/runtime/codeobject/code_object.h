// runtime/codeobject/code_object.h - an AMDGPU code object (ELF64, AMDGPUUsage "Code Object") parsed and checked: once
// parse() accepted the bytes, everything it hands out is consistent and inside them.
#pragma once

#include "runtime/base/status.h"
#include "runtime/codeobject/bytes.h"
#include "runtime/codeobject/kernel_descriptor.h"
#include "runtime/codeobject/metadata.h"
#include "runtime/codeobject/target_id.h"

#include <string_view>
#include <vector>

namespace hip::codeobject {

// Addresses below are ELF virtual addresses: relative to the image, before it is placed anywhere.

struct Segment { // one PT_LOAD
  uint64_t address = 0;
  uint64_t memory_size = 0;
  uint64_t align = 1;
  Bytes contents; // first bytes of it, in the file's bytes even when there are none; the rest is zero
  bool readable = false, writable = false, executable = false;
};

enum class SymbolKind : uint8_t { None, Object, Function };

struct Symbol {
  std::string_view name; // in the file's bytes
  uint64_t address = 0;
  uint64_t size = 0;
  SymbolKind kind = SymbolKind::None;
  bool defined = false;
  bool absolute = false; // `address` is a plain value that does not move with the image
  bool weak = false;

  // All of it lies in the image, as parse() has checked. Address and size of other symbols are what the file says.
  bool is_in_image() const noexcept { return defined && !absolute; }
};

struct Relocation {
  uint64_t address = 0; // of the place to patch; that whole place lies in a segment
  int64_t addend = 0;
  uint32_t type = 0;   // R_AMDGPU_*
  uint32_t symbol = 0; // index into symbols()
};

struct Kernel {
  KernelInfo info;
  KernelDescriptor descriptor{};
  uint64_t descriptor_address = 0; // 64-byte aligned
  uint64_t entry_address = 0;      // in an executable segment
  uint64_t code_size = 0;          // of the function's symbol; 0 when the file does not tell
};

// A __managed__ variable: `pointer` (symbol NAME, 8 bytes) must be patched with the address of the managed storage;
// `storage` (symbol NAME.managed) is the initial value. Both are objects in the image.
struct ManagedVariable {
  std::string_view name;
  const Symbol* pointer = nullptr;
  const Symbol* storage = nullptr;
};

class CodeObject {
public:
  // Borrows `file`, which must outlive the object. Errors: InvalidImage, or NotSupported for a code object before v3.
  static Result<CodeObject> parse(Bytes file);

  Bytes file() const noexcept { return file_; }
  const TargetId& target() const noexcept { return target_; }
  unsigned version() const noexcept { return version_; }                      // 4, 5 or 6
  const std::vector<Segment>& segments() const noexcept { return segments_; } // by ascending address, disjoint
  const std::vector<Symbol>& symbols() const noexcept { return symbols_; }    // dynamic symbols; [0] is the empty one
  const std::vector<Relocation>& relocations() const noexcept { return relocations_; }
  const std::vector<Kernel>& kernels() const noexcept { return kernels_; }
  const std::vector<PrintfFormat>& printf_formats() const noexcept { return printf_formats_; }

  // The image spans [image_begin, image_end); its base must be a multiple of image_align.
  uint64_t image_begin() const noexcept { return image_begin_; }
  uint64_t image_end() const noexcept { return image_end_; }
  uint64_t image_align() const noexcept { return image_align_; }

  // By exact name; nullptr when there is none. Only defined symbols are found.
  const Symbol* find_symbol(std::string_view name) const noexcept;
  const Kernel* find_kernel(std::string_view name) const noexcept;
  std::vector<ManagedVariable> managed_variables() const;

private:
  CodeObject() = default;
  Bytes file_;
  TargetId target_;
  unsigned version_ = 0;
  std::vector<Segment> segments_;
  std::vector<Symbol> symbols_;
  std::vector<uint32_t> symbols_by_name_; // indices of defined symbols, sorted by name
  std::vector<Relocation> relocations_;
  std::vector<Kernel> kernels_; // by name
  std::vector<PrintfFormat> printf_formats_;
  uint64_t image_begin_ = 0, image_end_ = 0, image_align_ = 1;
  friend class CodeObjectParser;
};

} // namespace hip::codeobject
