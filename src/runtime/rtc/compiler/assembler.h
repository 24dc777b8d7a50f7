// runtime/rtc/compiler/assembler.h - clang's assembler job (-cc1as) in this process: a text of AMD's assembly language
// becomes a relocatable ELF file.
#pragma once

#include "runtime/rtc/compiler/compiler.h"

#include <string>
#include <vector>

namespace hip::rtc {

// `words` behind -cc1as. Unsupported for options that are not known here, and for other targets than AMD's.
CompilerOutcome assemble(const std::vector<const char*>& words, std::string& log);

} // namespace hip::rtc
