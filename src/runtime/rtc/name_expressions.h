// runtime/rtc/name_expressions.h - from what a user writes ("kernel<int>") to the mangled symbol. The source gets one
// variable per expression that holds the address of what the expression names; in the finished code object the
// variable's relocation tells the symbol, in bitcode its initial value.
//
// `unique` distinguishes a program's variables from those of others that are linked with it.
#pragma once

#include "runtime/base/status.h"
#include "runtime/codeobject/bytes.h"

#include <map>
#include <string>
#include <vector>

namespace hip::rtc {

// Text to append to the source.
std::string name_expression_source(const std::vector<std::string>& expressions, const std::string& unique);

// expression -> mangled name, for those that the code object answers. Error: InvalidImage.
Result<std::map<std::string, std::string>> resolve_name_expressions(codeobject::Bytes code,
                                                                    const std::vector<std::string>& expressions,
                                                                    const std::string& unique);

// The same of LLVM bitcode, which the compiler in this process reads. Error: InvalidImage, also when there is no such
// compiler.
Result<std::map<std::string, std::string>> name_expressions_of_bitcode(const std::string& bitcode,
                                                                       const std::vector<std::string>& expressions,
                                                                       const std::string& unique);

// The same of PTX, from which the variables are taken out again: NVIDIA's driver is not to load them.
std::map<std::string, std::string> take_name_expressions(std::string& ptx, const std::vector<std::string>& expressions,
                                                         const std::string& unique);

} // namespace hip::rtc
