// runtime/engine/compile/library/formats.h - how elements (mem.h) are told to the functions of support.h.
#pragma once

#include "runtime/engine/interpret/memory/mem.h"
#include "runtime/engine/interpret/memory/elements.h"
#include "runtime/engine/compile/library/support.h"

namespace hip::engine::OMNIHIP_LEVEL {

template <class E> constexpr uint32_t format_of() {
  if constexpr (requires { E::kShift; })
    return E::kBytes | (E::kShift ? kFormatHigh : 0);
  else
    return E::kBytes | (E::kSigned ? kFormatSigned : 0);
}
template <class E> inline constexpr uint32_t kFormatOf = format_of<E>();

} // namespace hip::engine::OMNIHIP_LEVEL
