// hipify/exact/visitor.h - what clang's index does not tell: names in templates that are not looked up yet, and the
// masks of warp functions.
#pragma once

#include "exact/places.h"

#include <clang/AST/ASTConsumer.h>
#include <memory>

namespace hip::hipify {

std::unique_ptr<clang::ASTConsumer> make_visitor(Places& places);

} // namespace hip::hipify
