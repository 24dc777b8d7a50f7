#include "runtime/rtc/compiler/linker.h"

#include "runtime/rtc/compiler/llvm_options.h"

#include <lld/Common/CommonLinkerContext.h>
#include <lld/Common/Driver.h>

LLD_HAS_DRIVER(elf)

namespace hip::rtc {

bool link_elf(const std::vector<const char*>& words, std::string& log) {
  const LlvmOptions alone{LlvmOptions::Exclusive{}};
  std::vector<const char*> argv = {"ld.lld"};
  argv.insert(argv.end(), words.begin(), words.end());
  argv.push_back("--threads=1"); // the objects are small
  llvm::raw_string_ostream text(log);
  const bool ok = lld::elf::link(argv, text, text, /*exitEarly=*/false, /*disableOutput=*/false);
  lld::CommonLinkerContext::destroy();
  return ok;
}

} // namespace hip::rtc
