#include "runtime/backend/aql/printf/printf_buffer.h"

#include "runtime/codeobject/bytes.h"

#include <algorithm>

namespace hip::aql {
namespace {

using codeobject::Bytes;
using codeobject::PrintfFormat;
using codeobject::read;

// The format of one record; `rest` becomes its arguments. Nothing when there is no such format.
std::optional<std::string_view> record_format(uint32_t control, Bytes& rest, std::span<const PrintfFormat> formats) {
  if (control & kPrintfRecordConstantFormat) {
    const auto hash = read<uint64_t>(rest, 0);
    if (!hash) return std::nullopt;
    rest = rest.subspan(8);
    const auto it =
        std::find_if(formats.begin(), formats.end(), [&](const PrintfFormat& f) { return f.hash == *hash; });
    if (it == formats.end()) return std::nullopt;
    return it->format;
  }
  const auto text = codeobject::read_c_string(rest, 0);
  if (!text) return std::nullopt;
  rest = rest.subspan(std::min(rest.size(), (text->size() + 1 + 7) / 8 * 8));
  return text;
}

} // namespace

void reset_printf_buffer(std::span<std::byte> buffer) noexcept {
  RT_CHECK(buffer.size() >= sizeof(PrintfBufferHeader), "a printf buffer has a header");
  const size_t capacity = std::min<size_t>(buffer.size() - sizeof(PrintfBufferHeader), UINT32_MAX & ~7u);
  const PrintfBufferHeader header{.used_bytes = 0, .capacity_bytes = static_cast<uint32_t>(capacity)};
  std::memcpy(buffer.data(), &header, sizeof(header));
}

bool printf_buffer_used(std::span<const std::byte> buffer) noexcept {
  const auto header = read<PrintfBufferHeader>(buffer, 0);
  return header && header->used_bytes != 0;
}

Status print_printf_buffer(std::span<const std::byte> buffer, std::span<const PrintfFormat> formats,
                           const PrintfSink& sink) {
  const auto header = read<PrintfBufferHeader>(buffer, 0);
  if (!header) return error(ErrorCode::InvalidValue, "The printf buffer has only {} bytes.", buffer.size());
  const uint32_t used = header->used_bytes;
  Bytes records = buffer.subspan(sizeof(PrintfBufferHeader));
  // A kernel that found no room may have raised the count beyond the capacity all the same.
  const bool overflow = used > records.size();
  records = records.first(std::min<size_t>(used, records.size()));
  const size_t total = records.size();
  while (records.size() >= sizeof(uint32_t)) {
    const uint32_t control = *read<uint32_t>(records, 0);
    const size_t size = control >> kPrintfRecordSizeShift;
    const size_t at = total - records.size();
    if (size < sizeof(uint32_t) || size > records.size()) {
      if (overflow) break; // room that a kernel asked for and did not get
      return error(ErrorCode::InvalidValue, "The printf record at byte {} claims {} bytes of {} that are left.", at,
                   size, records.size());
    }
    Bytes rest = records.subspan(sizeof(uint32_t), size - sizeof(uint32_t));
    const auto format = record_format(control, rest, formats);
    if (!format)
      return error(ErrorCode::InvalidValue,
                   "The printf record at byte {} names a format that the code object does not have.", at);
    sink(control & kPrintfRecordToStderr ? PrintfStream::Stderr : PrintfStream::Stdout, format_printf(*format, rest));
    records = records.subspan(size);
  }
  if (overflow)
    return error(ErrorCode::OutOfMemory, "Kernels printed {} bytes into a printf buffer of {}; the rest is lost.", used,
                 total);
  return {};
}

} // namespace hip::aql
