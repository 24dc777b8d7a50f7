// runtime/engine/interpret/rows.h - the spans of rows that are compiled once for all host levels.
#pragma once

#include "runtime/engine/interpret/op_row.h"

namespace hip::engine {

std::span<const OpRow> salu_rows() noexcept; // scalar arithmetic and logic
std::span<const OpRow> flow_rows() noexcept; // branches, calls, waits, messages, hardware registers
std::span<const OpRow> lane_rows() noexcept; // instructions that cross lanes
std::span<const OpRow> block_rows() noexcept; // conversions of 32 elements

} // namespace hip::engine
