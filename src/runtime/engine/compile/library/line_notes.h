// runtime/engine/compile/library/line_notes.h - where in a wave's block translated code notes lines of memory that are
// to be fetched: in the last rows of registers, which hardly any operand reaches. They are hints: what is overwritten
// is fetched in vain.
#pragma once

#include "runtime/engine/wave/wave.h"

namespace hip::engine {

inline constexpr uint32_t kLineRows = 4, kFirstLineRow = kFirstHintRow - kLineRows,
                          kMostLines = kLineRows * kRowBytes / sizeof(uint64_t);
// Loads from buffers note their lines from the first row on, and the last place, which is below kMostLines, is how many
// there are.
inline constexpr uint32_t kLineCountPlace = kMostLines - 1;
// Beside the number in the `instruction` of an access to a buffer: its BufferGeneration.
inline constexpr uint32_t kBufferGenerationShift = 61;
// With the `instruction` of a load from a buffer: it notes what it will load when the buffer has moved on, and others
// fetch that.
inline constexpr uint64_t kNotesLines = 1ull << 63;

} // namespace hip::engine
