// runtime/rtc/name_expressions.h - from what a user writes ("kernel<int>") to the mangled symbol. The source gets one
// variable per expression that holds the address of what the expression names; in the finished code object the
// variable's relocation tells the symbol.
#pragma once

#include "runtime/base/status.h"
#include "runtime/codeobject/bytes.h"

#include <map>
#include <string>
#include <vector>

namespace hip::rtc {

// Text to append to the source.
std::string name_expression_source(const std::vector<std::string>& expressions);

// expression -> mangled name, for those that the code object answers. Error: InvalidImage.
Result<std::map<std::string, std::string>> resolve_name_expressions(codeobject::Bytes code,
                                                                    const std::vector<std::string>& expressions);

// The same of PTX, from which the variables are taken out again: NVIDIA's driver is not to load them.
std::map<std::string, std::string> take_name_expressions(std::string& ptx, const std::vector<std::string>& expressions);

} // namespace hip::rtc
