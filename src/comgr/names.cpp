#include "comgr/names.h"

#include "comgr/elf_view.h"

#include "runtime/codeobject/code_object.h"
#include "runtime/rtc/compiler_process.h"

namespace hip::comgr {
namespace {

constexpr const char* kExpressionPrefix = "__amdgcn_name_expr_";

// Collects the texts that a function of rtc::CodeTools gives.
struct Texts {
  std::vector<std::string> list;
  rtc::CodeListener listener() {
    rtc::CodeListener made;
    made.self = this;
    made.text = [](void* self, const char* text, size_t n) { static_cast<Texts*>(self)->list.emplace_back(text, n); };
    return made;
  }
};

Status no_bitcode() { return error(ErrorCode::InvalidImage, "The bytes are no LLVM bitcode that can be read."); }

// What a word of the image points at, as the relocations say that a loader fills it.
class Pointers {
public:
  explicit Pointers(const codeobject::CodeObject& object) : object_(object) {}

  // Nothing: no pointer. The address of a symbol is known by its name, too.
  struct Target {
    uint64_t address = 0;
    const codeobject::Symbol* symbol = nullptr;
  };
  std::optional<Target> at(uint64_t address) const {
    for (const codeobject::Relocation& relocation : object_.relocations()) {
      if (relocation.address != address) continue;
      if (relocation.type == codeobject::elf::kRelRelative64) return Target{uint64_t(relocation.addend)};
      if (relocation.type != codeobject::elf::kRelAbs64) return std::nullopt;
      const codeobject::Symbol& symbol = object_.symbols()[relocation.symbol];
      return Target{symbol.address + uint64_t(relocation.addend), &symbol};
    }
    return std::nullopt;
  }

  std::optional<std::string> text_at(uint64_t address) const {
    for (const codeobject::Segment& segment : object_.segments())
      if (address >= segment.address && address - segment.address < segment.contents.size())
        if (const auto text = codeobject::read_c_string(segment.contents, address - segment.address))
          return std::string(*text);
    return std::nullopt;
  }

  const codeobject::Symbol* symbol_at(uint64_t address) const {
    for (const codeobject::Symbol& symbol : object_.symbols())
      if (symbol.defined && symbol.address == address && symbol.kind != codeobject::SymbolKind::None) return &symbol;
    return nullptr;
  }

private:
  const codeobject::CodeObject& object_;
};

} // namespace

Result<std::vector<std::string>> mangled_names(const Data& data) {
  if (data.kind() == AMD_COMGR_DATA_KIND_BC) {
    const rtc::CodeTools* const tools = rtc::code_tools();
    Texts texts;
    const rtc::CodeListener listener = texts.listener();
    if (!tools || !tools->bitcode_names(data.bytes().data(), data.bytes().size(), &listener)) return no_bitcode();
    return std::move(texts.list);
  }
  RT_TRY_ASSIGN(const ElfView elf, ElfView::parse(data.span()));
  RT_TRY_ASSIGN(std::vector<Symbol> symbols, elf.symbols(ElfView::SymbolTable::Dynamic));
  std::vector<std::string> names;
  for (Symbol& symbol : symbols) names.push_back(std::move(symbol.name));
  return names;
}

Result<std::map<std::string, std::string>> name_expressions(const Data& data) {
  std::map<std::string, std::string> out;
  if (data.kind() == AMD_COMGR_DATA_KIND_BC) {
    const rtc::CodeTools* const tools = rtc::code_tools();
    Texts texts;
    const rtc::CodeListener listener = texts.listener();
    if (!tools || !tools->bitcode_name_pairs(data.bytes().data(), data.bytes().size(), kExpressionPrefix, &listener))
      return no_bitcode();
    for (size_t i = 0; i + 1 < texts.list.size(); i += 2) out[texts.list[i]] = texts.list[i + 1];
    return out;
  }
  RT_TRY_ASSIGN(const codeobject::CodeObject object, codeobject::CodeObject::parse(data.span()));
  const Pointers pointers(object);
  for (const codeobject::Symbol& symbol : object.symbols()) {
    if (!symbol.defined || symbol.name.find(kExpressionPrefix) == std::string_view::npos) continue;
    const auto text = pointers.at(symbol.address);
    const auto target = pointers.at(symbol.address + 8);
    if (!text || !target) continue;
    const auto expression = pointers.text_at(text->address);
    const codeobject::Symbol* const named = target->symbol ? target->symbol : pointers.symbol_at(target->address);
    if (expression && named) out[*expression] = named->name;
  }
  return out;
}

} // namespace hip::comgr
