// runtime/engine/tools/code_form.h - in which form code is executed: as it is, or with tools watching it.
#pragma once

#include <cstdint>

namespace hip::engine {

enum class CodeForm : uint8_t {
  Plain,
  Instrumented, // every instruction is counted, and every access is offered to a tool before it happens (tools/tool.h)
};

} // namespace hip::engine
