// runtime/backend/aql/printf/printf_format.h - printf of kernels, formatted on the host: a C format string and a stream
// of 64-bit argument slots become text. Neither is trusted: no slot outside the stream is read, no host pointer
// followed.
#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <string>
#include <string_view>

namespace hip::aql {

enum class PrintfStream { Stdout, Stderr };
// Takes one whole printf call's text. Called by one thread at a time per source.
using PrintfSink = std::function<void(PrintfStream stream, std::string_view text)>;

// All conversions of C17 with flags, width, precision and length. `arguments` holds one 8-byte slot per argument:
// integers extended to 64 bits, floating point as double, pointers as they are; the argument of %s is the text itself,
// zero terminated and padded to whole slots. %n takes its slot and writes nothing. A missing argument prints as
// "(missing)", a missing text as "(null)"; width and precision beyond 4095 are cut to it.
std::string format_printf(std::string_view format, std::span<const std::byte> arguments);

// Writes to stdout or stderr of the process and flushes, each call as a whole.
void write_printf_text(PrintfStream stream, std::string_view text) noexcept;

} // namespace hip::aql
