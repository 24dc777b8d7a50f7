// comgr/names.h - the names in bitcode and in executables: those of symbols, and those that hiprtc's clients ask for by
// an expression of their source.
#pragma once

#include "comgr/objects.h"

namespace hip::comgr {

// Of bitcode all symbols, of an executable the dynamic ones. Error: InvalidImage.
Result<std::vector<std::string>> mangled_names(const Data& data);

// Expressions and the symbols that they mean. For each the compiler was given a variable whose name contains
// "__amdgcn_name_expr_", two pointers: to the expression's text, and to the function or variable. Error: InvalidImage.
Result<std::map<std::string, std::string>> name_expressions(const Data& data);

} // namespace hip::comgr
