// hipcc/launch_spacing.h - launches that are written "kernel << <grid, block>> >(...)", as formatters leave them. nvcc
// takes them, clang knows "<<<" and ">>>" alone.
#pragma once

#include <string>

namespace hip::hipcc {

// The text with such launches closed up. Its length and lines stay: what was between the characters stands behind them.
std::string with_launches_closed_up(const std::string& text);

} // namespace hip::hipcc
