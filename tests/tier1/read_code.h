// tests/tier1/read_code.h - what the translator reads of a program, for tests of what it recognises.
#pragma once

#include "machine.h"

#include "runtime/engine/decode/decoder.h"
#include "runtime/engine/compile/read/code.h"
#include "runtime/engine/compile/read/renames.h"

#include <catch2/catch.hpp>
#include <llvm/IR/LLVMContext.h>

namespace tier1_test {

// Calls f(code, library) for the text, with s_endpgm behind it, as the host's translator reads it.
template <class F> auto with_code(const Assembler& assembler, const std::string& text, F f) {
  const std::vector<uint8_t> bytes = assembler.assemble(text + "s_endpgm\n");
  llvm::LLVMContext context;
  auto library = compile::Library::load(context, host_level().isa);
  REQUIRE(library.ok());
  auto decoder = Decoder::create("gfx942");
  REQUIRE(decoder.ok());
  const uint64_t begin = reinterpret_cast<uint64_t>(bytes.data());
  compile::Code code = compile::read_code(*decoder.value(), *library.value(), begin, begin + bytes.size());
  compile::rename_temporaries(code);
  return f(code, *library.value());
}

} // namespace tier1_test
