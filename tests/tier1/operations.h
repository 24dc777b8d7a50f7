// tests/tier1/operations.h - a text of the assembler as the operations that searches over machine code look at.
#pragma once

#include "assembler/assembler.h"

#include "runtime/engine/decode/decoder.h"
#include "runtime/engine/decode/resolve.h"

#include <catch2/catch.hpp>
#include <span>
#include <string>
#include <vector>

namespace tier1_test {

inline std::vector<hip::engine::ResolvedInst> operations_of(const std::string& processor, const std::string& text) {
  using namespace hip::engine;
  const std::vector<uint8_t> code = hip::testing::Assembler(processor).assemble(text);
  auto decoder = Decoder::create(processor);
  REQUIRE(decoder.ok());
  std::vector<ResolvedInst> operations;
  for (size_t at = 0; at < code.size();) {
    RawInst raw;
    (*decoder)->decode(std::span(code).subspan(at), at, raw);
    REQUIRE(raw.format != Format::Invalid);
    for (ResolvedInst& inst : resolve_all(**decoder, raw)) operations.push_back(std::move(inst));
    at += raw.size_bytes;
  }
  return operations;
}

} // namespace tier1_test
