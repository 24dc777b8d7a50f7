// runtime/backend/aql/printf/printf_buffer.h - the buffered printf lowering (clang -mprintf-kind=buffered): kernels
// append records to a buffer (hidden_printf_buffer) and the host prints them when the kernel is done. Buffer: u32 bytes
// used by records, u32 capacity for them in bytes, then the records. Record: u32 control (bit 0: stderr; bit 1: the
// format is constant; bits 2..31: bytes of the record with this word); then the u64 hash of a constant format or the
// format's text padded to 8 bytes; then the arguments as format_printf takes them.
#pragma once

#include "runtime/backend/aql/printf/printf_format.h"
#include "runtime/codeobject/metadata.h"

#include <cstdint>

namespace hip::aql {

inline constexpr size_t kPrintfBufferHeaderBytes = 8;

// Makes `buffer` (at least 8 bytes) an empty printf buffer.
void reset_printf_buffer(std::span<std::byte> buffer) noexcept;
// Kernels have left something in it. A cheap look, for after every kernel that has a printf buffer.
bool printf_buffer_used(std::span<const std::byte> buffer) noexcept;
// Gives the text of every complete record to `sink`, in the order of the buffer. Formats come from the code object's
// metadata. Stops at the first record that cannot be one, and says so through the Status; records that did not fit are
// reported the same way after all complete ones are printed.
Status print_printf_buffer(std::span<const std::byte> buffer, std::span<const codeobject::PrintfFormat> formats,
                           const PrintfSink& sink);

} // namespace hip::aql
