// runtime/engine/interpret/memory/rows.h - the parts of a level's memory rows.
#pragma once

#include "runtime/engine/interpret/op_row.h"

namespace hip::engine {

// One for all levels.
std::span<const OpRow> scalar_memory_rows() noexcept; // SMEM loads and stores, and cache control
std::span<const OpRow> scalar_atomic_rows() noexcept; // SMEM atomics
std::span<const OpRow> to_lds_rows() noexcept;        // between memory and LDS
std::span<const OpRow> typed_rows() noexcept;         // buffers with a format
std::span<const OpRow> transposed_rows() noexcept;    // loads that transpose

namespace OMNIHIP_LEVEL {
std::span<const OpRow> global_rows() noexcept;  // GLOBAL and FLAT loads and stores
std::span<const OpRow> private_rows() noexcept; // SCRATCH and MUBUF
std::span<const OpRow> atomic_rows() noexcept;  // GLOBAL, FLAT and MUBUF atomics
std::span<const OpRow> lds_rows() noexcept;     // DS
std::span<const OpRow> memory_rows() noexcept;  // all of these
} // namespace OMNIHIP_LEVEL

} // namespace hip::engine
