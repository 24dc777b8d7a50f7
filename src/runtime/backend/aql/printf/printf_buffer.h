// runtime/backend/aql/printf/printf_buffer.h - the buffered printf lowering (clang -mprintf-kind=buffered): kernels
// append records to a buffer (hidden_printf_buffer; layout in device/abi/printf_buffer.h) and the host prints them when
// the kernel is done. A record's arguments are as format_printf takes them.
#pragma once

#include "device/abi/printf_buffer.h"
#include "runtime/backend/aql/printf/printf_format.h"
#include "runtime/codeobject/metadata.h"

#include <cstdint>

namespace hip::aql {

// Makes `buffer`, which has room for a PrintfBufferHeader, an empty printf buffer.
void reset_printf_buffer(std::span<std::byte> buffer) noexcept;
// Kernels have left something in it. A cheap look, for after every kernel that has a printf buffer.
bool printf_buffer_used(std::span<const std::byte> buffer) noexcept;
// Gives the text of every complete record to `sink`, in the order of the buffer. Formats come from the code object's
// metadata. Stops at the first record that cannot be one, and says so through the Status; records that did not fit are
// reported the same way after all complete ones are printed.
Status print_printf_buffer(std::span<const std::byte> buffer, std::span<const codeobject::PrintfFormat> formats,
                           const PrintfSink& sink);

} // namespace hip::aql
