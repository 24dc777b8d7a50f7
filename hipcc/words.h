// hipcc/words.h - a command line or a part of one, word by word.
#pragma once

#include <string>
#include <vector>

namespace hip::hipcc {

using Words = std::vector<std::string>;

inline void append(Words& words, const Words& more) { words.insert(words.end(), more.begin(), more.end()); }

} // namespace hip::hipcc
