// runtime/engine/store/code_image.h - host code that the translator made (an x86-64 relocatable object in memory),
// placed and ready to run. A loader of our own, so that code from the disk cache starts without any code generator.
//
// One block of memory holds first the text, then the global offset table and the read-only data. It is written, then
// protected: never writable and executable at once. Generated code has no data of its own and never throws, so writable
// sections are refused and unwind tables ignored.
// Thread safety: immutable once loaded; every method may be called from any thread.
#pragma once

#include "runtime/base/status.h"
#include "runtime/codeobject/line_table.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace hip::engine {

class CodeImage {
public:
  // The address of a function of the engine that generated code may call; nullptr when there is none of that name.
  using Resolver = std::function<const void*(std::string_view name)>;

  // Loads `object`, which is not needed afterwards. Whatever its bytes are, they give an image or an error:
  // hipErrorInvalidImage (damaged, or an undefined symbol, which the message names), hipErrorNotSupported (a section or
  // relocation that generated code does not have) or hipErrorOutOfMemory. Nothing is checked about the code itself: the caller
  // decides whether to trust it. Calls to the resolver's functions work over any distance.
  static Result<std::unique_ptr<CodeImage>> load(std::span<const std::byte> object, const Resolver& resolve = {});
  ~CodeImage();
  CodeImage(const CodeImage&) = delete;
  CodeImage& operator=(const CodeImage&) = delete;

  // The address of a global symbol that the object defines; nullptr when it defines none of that name.
  void* symbol(std::string_view name) const noexcept;
  // All executable bytes, with the padding between sections and the stubs for distant functions.
  std::span<const std::byte> text() const noexcept { return {block_, text_bytes_}; }
  bool holds(const void* pc) const noexcept;
  // The source line of the instruction at `pc` (for a return address: of the one after the call), from .debug_line; 0
  // when unknown. Neither allocates nor locks.
  uint32_t line_of(const void* pc) const noexcept;
  // The same for all of the text, as addresses of the host.
  std::vector<codeobject::LineRange> lines() const { return codeobject::line_ranges(debug_line_); }

private:
  friend class ImageBuilder;
  struct Symbol {
    std::string_view name; // in names_
    std::byte* address;
  };
  CodeImage() = default;

  std::byte* block_ = nullptr;
  size_t block_bytes_ = 0, text_bytes_ = 0;
  std::vector<Symbol> symbols_; // by name
  std::string names_;
  std::vector<std::byte> debug_line_; // with relocated addresses
};

} // namespace hip::engine
