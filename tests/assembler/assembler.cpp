// tests/assembler/assembler.cpp - see assembler.h. LLVM's assembler writes an ELF object; the code is its section
// .text.
#include "assembler.h"

#include <catch2/catch.hpp>

#include <cstring>
#include <elf.h>
#include <llvm/MC/MCAsmBackend.h>
#include <llvm/MC/MCAsmInfo.h>
#include <llvm/MC/MCCodeEmitter.h>
#include <llvm/MC/MCContext.h>
#include <llvm/MC/MCInstrInfo.h>
#include <llvm/MC/MCObjectFileInfo.h>
#include <llvm/MC/MCObjectWriter.h>
#include <llvm/MC/MCParser/MCAsmParser.h>
#include <llvm/MC/MCParser/MCTargetAsmParser.h>
#include <llvm/MC/MCRegisterInfo.h>
#include <llvm/MC/MCStreamer.h>
#include <llvm/MC/MCSubtargetInfo.h>
#include <llvm/MC/TargetRegistry.h>
#include <llvm/Support/MemoryBuffer.h>
#include <llvm/Support/SourceMgr.h>
#include <llvm/Support/raw_ostream.h>

extern "C" { // declared by headers of all targets of LLVM's build
void LLVMInitializeAMDGPUTargetInfo();
void LLVMInitializeAMDGPUTargetMC();
void LLVMInitializeAMDGPUAsmParser();
}

namespace hip::testing {

struct Assembler::Parts {
  llvm::Triple triple{"amdgcn-amd-amdhsa"};
  llvm::MCTargetOptions options;
  const llvm::Target* target = nullptr;
  std::unique_ptr<llvm::MCRegisterInfo> registers;
  std::unique_ptr<llvm::MCAsmInfo> asm_info;
  std::unique_ptr<llvm::MCInstrInfo> instructions;
  std::unique_ptr<llvm::MCSubtargetInfo> subtarget;
};

Assembler::Assembler(const std::string& processor, uint32_t lanes) : parts_(std::make_unique<Parts>()) {
  LLVMInitializeAMDGPUTargetInfo();
  LLVMInitializeAMDGPUTargetMC();
  LLVMInitializeAMDGPUAsmParser();
  std::string why;
  Parts& p = *parts_;
  p.target = llvm::TargetRegistry::lookupTarget(p.triple, why);
  REQUIRE(p.target);
  p.registers.reset(p.target->createMCRegInfo(p.triple));
  p.asm_info.reset(p.target->createMCAsmInfo(*p.registers, p.triple, p.options));
  p.instructions.reset(p.target->createMCInstrInfo());
  const char* const features = lanes == 0 ? "" : lanes == 32 ? "+wavefrontsize32,-wavefrontsize64" : "-wavefrontsize32,+wavefrontsize64";
  p.subtarget.reset(p.target->createMCSubtargetInfo(p.triple, processor, features));
  REQUIRE((p.registers && p.asm_info && p.instructions && p.subtarget));
}
Assembler::~Assembler() = default;

namespace {

std::vector<uint8_t> text_section(llvm::StringRef object) {
  Elf64_Ehdr header;
  REQUIRE(object.size() > sizeof header);
  std::memcpy(&header, object.data(), sizeof header);
  std::vector<Elf64_Shdr> sections(header.e_shnum);
  std::memcpy(sections.data(), object.data() + header.e_shoff, sections.size() * sizeof(Elf64_Shdr));
  const char* names = object.data() + sections.at(header.e_shstrndx).sh_offset;
  for (const Elf64_Shdr& s : sections)
    if (std::strcmp(names + s.sh_name, ".text") == 0) {
      const auto* begin = reinterpret_cast<const uint8_t*>(object.data() + s.sh_offset);
      return {begin, begin + s.sh_size};
    }
  return {};
}

struct Complaints {
  std::vector<size_t> lines;
  std::string text;
};
void complain(const llvm::SMDiagnostic& d, void* to) {
  if (d.getKind() != llvm::SourceMgr::DK_Error) return;
  auto& complaints = *static_cast<Complaints*>(to);
  complaints.lines.push_back(d.getLineNo() > 0 ? size_t(d.getLineNo()) - 1 : 0);
  complaints.text += "line " + std::to_string(d.getLineNo()) + ": " + d.getMessage().str() + ": " + d.getLineContents().str() + "\n";
}

} // namespace

struct Assembler::Outcome {
  std::vector<uint8_t> code; // empty when there are complaints
  Complaints complaints;
};

Assembler::Outcome Assembler::run(const std::string& text) const {
  const Parts& p = *parts_;
  Complaints complaints;
  llvm::SourceMgr sources;
  sources.setDiagHandler(complain, &complaints);
  sources.AddNewSourceBuffer(llvm::MemoryBuffer::getMemBuffer(text, "program"), llvm::SMLoc());
  llvm::MCContext context(p.triple, p.asm_info.get(), p.registers.get(), p.subtarget.get(), &sources, &p.options);
  std::unique_ptr<llvm::MCObjectFileInfo> files(p.target->createMCObjectFileInfo(context, false));
  context.setObjectFileInfo(files.get());
  context.setDiagnosticHandler([&](const llvm::SMDiagnostic& d, bool, const llvm::SourceMgr&, std::vector<const llvm::MDNode*>&) {
    complain(d, &complaints);
  });
  llvm::SmallVector<char, 0> object;
  llvm::raw_svector_ostream stream(object);
  std::unique_ptr<llvm::MCAsmBackend> backend(p.target->createMCAsmBackend(*p.subtarget, *p.registers, p.options));
  std::unique_ptr<llvm::MCObjectWriter> writer = backend->createObjectWriter(stream);
  std::unique_ptr<llvm::MCCodeEmitter> emitter(p.target->createMCCodeEmitter(*p.instructions, context));
  std::unique_ptr<llvm::MCStreamer> streamer(p.target->createMCObjectStreamer(
      p.triple, context, std::move(backend), std::move(writer), std::move(emitter), *p.subtarget));
  std::unique_ptr<llvm::MCAsmParser> parser(llvm::createMCAsmParser(sources, context, *streamer, *p.asm_info));
  std::unique_ptr<llvm::MCTargetAsmParser> target(
      p.target->createMCAsmParser(*p.subtarget, *parser, *p.instructions, p.options));
  REQUIRE(target);
  parser->setTargetParser(*target);
  Outcome out;
  const bool failed = parser->Run(false);
  out.complaints = std::move(complaints);
  if (!failed) out.code = text_section({object.data(), object.size()});
  return out;
}

std::vector<uint8_t> Assembler::assemble(const std::string& text) const {
  Outcome out = run(text);
  INFO("The assembler does not take\n" << text << out.complaints.text);
  REQUIRE_FALSE(out.code.empty());
  return out.code;
}

bool Assembler::accepts(const std::string& text) const { return !run(text).code.empty(); }

// Without operands: what the assembler knows it misses operands of.
bool Assembler::knows(const std::string& mnemonic) const {
  const Outcome out = run(mnemonic + "\n");
  return out.complaints.lines.empty() || out.complaints.text.find("too few operands") != std::string::npos;
}

std::vector<bool> Assembler::accepted(const std::vector<std::string>& lines) const {
  std::string text;
  for (const std::string& line : lines) text += line + "\n";
  std::vector<bool> good(lines.size(), true);
  for (size_t line : run(text).complaints.lines) good.at(line) = false;
  return good;
}

std::string range(char file, uint32_t first, uint32_t count) {
  const std::string name(1, file);
  if (count == 1) return name + std::to_string(first);
  return name + "[" + std::to_string(first) + ":" + std::to_string(first + count - 1) + "]";
}

} // namespace hip::testing
