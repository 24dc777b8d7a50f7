// runtime/rtc/compiler/linker.h - lld in this process.
#pragma once

#include <string>
#include <vector>

namespace hip::rtc {

// Runs lld's ELF linker with the words that follow its name. What it says is added to `log`. Links run one at a time,
// and alone (llvm_options.h). False: the link failed.
bool link_elf(const std::vector<const char*>& words, std::string& log);

} // namespace hip::rtc
