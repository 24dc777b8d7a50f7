// tests/golden/host_code.cpp - see host_code.h. Instructions are counted by LLVM's disassembler.
#include "host_code.h"

#include "host_disassembler.h"

#include <llvm/Object/ELFObjectFile.h>

namespace golden {

using namespace hip;

namespace {

Result<uint64_t> count_instructions(const testing::HostDisassembler& disassembler, llvm::ArrayRef<uint8_t> code) {
  uint64_t instructions = 0;
  for (uint64_t at = 0; at < code.size(); ++instructions) {
    const auto read = disassembler.read(code.slice(at));
    if (!read) return error(ErrorCode::InvalidImage, "The code at offset {} of a function is no instruction.", at);
    at += read->bytes;
  }
  return instructions;
}

Status not_readable(llvm::Error why) {
  return error(ErrorCode::InvalidImage, "The object cannot be read: {}.", llvm::toString(std::move(why)));
}

} // namespace

Result<HostCode> HostCode::count(const std::vector<std::byte>& object) {
  const llvm::StringRef bytes(reinterpret_cast<const char*>(object.data()), object.size());
  auto file = llvm::object::ObjectFile::createELFObjectFile(llvm::MemoryBufferRef(bytes, "translation"));
  if (!file) return not_readable(file.takeError());
  // Instructions that the counted code does not have do no harm.
  const testing::HostDisassembler disassembler("x86-64-v4");
  if (!disassembler.works()) return error(ErrorCode::Unknown, "LLVM has no disassembler for x86-64.");
  HostCode out;
  for (const llvm::object::SymbolRef symbol : (*file)->symbols()) {
    auto type = symbol.getType();
    if (!type) return not_readable(type.takeError());
    const uint64_t size = llvm::object::ELFSymbolRef(symbol).getSize();
    if (*type != llvm::object::SymbolRef::ST_Function || size == 0) continue;
    auto section = symbol.getSection();
    if (!section) return not_readable(section.takeError());
    auto value = symbol.getValue();
    if (!value) return not_readable(value.takeError());
    auto contents = (*section)->getContents();
    if (!contents) return not_readable(contents.takeError());
    RT_TRY_ASSIGN(const uint64_t instructions,
                  count_instructions(disassembler, llvm::arrayRefFromStringRef(contents->substr(*value, size))));
    out.instructions += instructions;
    out.bytes += size;
  }
  return out;
}

} // namespace golden
