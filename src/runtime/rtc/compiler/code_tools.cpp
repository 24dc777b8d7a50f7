#include "runtime/rtc/compiler/code_tools.h"

#include "runtime/rtc/compiler/code_reading.h"
#include "runtime/rtc/compiler/crash_guard.h"
#include "runtime/rtc/compiler/crashed.h"

namespace hip::rtc {
namespace {

// Runs f where a crash of LLVM leaves the process alive; false when it has crashed.
template<class F> bool guarded(F f) noexcept {
  if (compiler_has_crashed.load()) return false;
  try {
    bool done = false;
    std::string reason;
    const GuardResult result = run_guarded(
        [&] {
          try {
            f();
            done = true;
          } catch (...) { // memory
          }
        },
        reason);
    if (result == GuardResult::Crashed) compiler_has_crashed.store(true);
    return result == GuardResult::Returned && done;
  } catch (...) { // memory
    return false;
  }
}

void* open_disassembler(const char* target) {
  std::unique_ptr<Disassembler> made;
  guarded([&] { made = Disassembler::open(target); });
  return made.release();
}
void close_disassembler(void* disassembler) {
  guarded([&] { delete static_cast<Disassembler*>(disassembler); });
}
size_t disassemble(void* disassembler, uint64_t address, const uint8_t* bytes, size_t count, bool* valid,
                   const CodeListener* listener) {
  Instruction found;
  *valid = false;
  if (!guarded([&] { found = static_cast<Disassembler*>(disassembler)->at(address, bytes, count); })) return 0;
  *valid = found.valid;
  if (found.valid) {
    listener->text(listener->self, found.text.data(), found.text.size());
    if (found.target) listener->number(listener->self, *found.target);
  }
  return found.bytes;
}

void* open_symbolizer(const void* file, size_t bytes) {
  std::unique_ptr<Symbolizer> made;
  guarded([&] { made = Symbolizer::open(std::string(static_cast<const char*>(file), bytes)); });
  return made.release();
}
void close_symbolizer(void* symbolizer) {
  guarded([&] { delete static_cast<Symbolizer*>(symbolizer); });
}
bool symbolize(void* symbolizer, uint64_t address, bool is_code, const CodeListener* listener) {
  std::string text;
  if (!guarded([&] { text = static_cast<Symbolizer*>(symbolizer)->text_of(address, is_code); })) return false;
  listener->text(listener->self, text.data(), text.size());
  return true;
}

bool names(const void* bitcode, size_t bytes, const CodeListener* listener) {
  std::optional<std::vector<std::string>> found;
  guarded([&] { found = bitcode_names({static_cast<const char*>(bitcode), bytes}); });
  if (!found) return false;
  for (const std::string& name : *found) listener->text(listener->self, name.data(), name.size());
  return true;
}
template<auto read> bool pairs(const void* bitcode, size_t bytes, const char* prefix, const CodeListener* listener) {
  std::optional<std::vector<std::pair<std::string, std::string>>> found;
  guarded([&] { found = read({static_cast<const char*>(bitcode), bytes}, prefix); });
  if (!found) return false;
  for (const auto& [first, second] : *found) {
    listener->text(listener->self, first.data(), first.size());
    listener->text(listener->self, second.data(), second.size());
  }
  return true;
}

constexpr CodeTools kTools = {open_disassembler,      close_disassembler, disassemble, open_symbolizer,
                              close_symbolizer,       symbolize,          names,       pairs<bitcode_name_pairs>,
                              pairs<bitcode_pointers>};

} // namespace
} // namespace hip::rtc

extern "C" __attribute__((visibility("default"))) const hip::rtc::CodeTools* omnihip_code_tools() {
  return &hip::rtc::kTools;
}
