// runtime/rtc/compiler/code_tools.h - what else libomnihip_compiler.so has of LLVM: reading machine code and bitcode,
// for libamd_comgr and hiprtc. One exported function gives the table.
//
// After a crash of the compiler every function fails. Thread safety: any thread; one object at a time.
#pragma once

#include <cstddef>
#include <cstdint>

namespace hip::rtc {

// Told what a function finds; both are called before the function returns, on its caller's thread.
struct CodeListener {
  void (*text)(void* self, const char* text, size_t bytes) = nullptr;
  void (*number)(void* self, uint64_t number) = nullptr;
  void* self = nullptr;
};

struct CodeTools {
  // For a target id ("gfx942:xnack-"). Null: there is no such processor, or no memory.
  void* (*open_disassembler)(const char* target);
  void (*close_disassembler)(void* disassembler);
  // The instruction at the beginning of `bytes`, which lies at `address`: its text, and the address that it branches
  // to, if it is a branch. Returns how many bytes it has, and those that are none when `valid` is false.
  size_t (*disassemble)(void* disassembler, uint64_t address, const uint8_t* bytes, size_t count, bool* valid,
                        const CodeListener* listener);
  // For a linked or relocatable ELF file, which is copied. Null: it is none.
  void* (*open_symbolizer)(const void* file, size_t bytes);
  void (*close_symbolizer)(void* symbolizer);
  // Function, file and line of code, or symbol, address and size of data, as llvm-symbolizer prints them.
  bool (*symbolize)(void* symbolizer, uint64_t address, bool is_code, const CodeListener* listener);
  // The names of a module's symbols. False: no LLVM bitcode.
  bool (*bitcode_names)(const void* bitcode, size_t bytes, const CodeListener* listener);
  // For each variable whose name contains `prefix` and that is a pair of pointers, to a text and to a symbol: the text,
  // then the symbol's name.
  bool (*bitcode_name_pairs)(const void* bitcode, size_t bytes, const char* prefix, const CodeListener* listener);
  // For each variable whose name begins with `prefix` and that is a pointer to a symbol: its name, then the symbol's.
  bool (*bitcode_pointers)(const void* bitcode, size_t bytes, const char* prefix, const CodeListener* listener);
};

using CodeToolsFunction = const CodeTools*();
inline constexpr const char* kCodeToolsFunctionName = "omnihip_code_tools";

} // namespace hip::rtc
