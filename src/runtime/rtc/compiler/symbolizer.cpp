#include "runtime/rtc/compiler/code_reading.h"

#include <llvm/DebugInfo/Symbolize/DIPrinter.h>
#include <llvm/DebugInfo/Symbolize/Symbolize.h>
#include <llvm/Object/ObjectFile.h>
#include <llvm/Support/MemoryBuffer.h>
#include <llvm/Support/raw_ostream.h>

namespace hip::rtc {
namespace {

class LlvmSymbolizer : public Symbolizer {
public:
  bool make(std::string file) {
    file_ = std::move(file);
    auto object =
        llvm::object::ObjectFile::createObjectFile(llvm::MemoryBufferRef(file_, ""), llvm::file_magic::unknown);
    if (!object) {
      llvm::consumeError(object.takeError());
      return false;
    }
    object_ = std::move(*object);
    return true;
  }

  std::string text_of(uint64_t address, bool is_code) override {
    std::string text;
    llvm::raw_string_ostream stream(text);
    llvm::symbolize::PrinterConfig config{};
    config.PrintFunctions = true;
    config.Pretty = is_code;
    llvm::symbolize::LLVMPrinter printer(stream, [](const llvm::ErrorInfoBase&, llvm::StringRef) {}, config);
    const llvm::object::SectionedAddress place{address, llvm::object::SectionedAddress::UndefSection};
    const llvm::symbolize::Request request{"", address, ""};
    const auto print = [&](auto found) {
      if (found)
        printer.print(request, *found);
      else
        llvm::consumeError(found.takeError());
    };
    if (is_code)
      print(symbolizer_.symbolizeInlinedCode(*object_, place));
    else
      print(symbolizer_.symbolizeData(*object_, place));
    return text.empty() ? "??" : text;
  }

private:
  std::string file_; // what object_ reads
  std::unique_ptr<llvm::object::ObjectFile> object_;
  llvm::symbolize::LLVMSymbolizer symbolizer_;
};

} // namespace

Symbolizer::~Symbolizer() = default;

std::unique_ptr<Symbolizer> Symbolizer::open(std::string file) {
  initialise_llvm();
  auto made = std::make_unique<LlvmSymbolizer>();
  if (!made->make(std::move(file))) return nullptr;
  return made;
}

} // namespace hip::rtc
