// Any bytes as a printf record buffer, and as a format with its arguments.
#include "runtime/backend/aql/printf/message.h"
#include "runtime/backend/aql/printf/printf_buffer.h"

#include <algorithm>

using namespace hip::aql;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::span<const std::byte> bytes(reinterpret_cast<const std::byte*>(data), size);
  const hip::codeobject::PrintfFormat formats[] = {{.hash = 0, .arg_sizes = {}, .format = "%d %s %*.*f\n"}};
  (void)print_printf_buffer(bytes, formats, [](PrintfStream, std::string_view) {}).ok();
  const size_t split = std::min<size_t>(size, 32);
  (void)format_printf({reinterpret_cast<const char*>(data), split}, bytes.subspan(split));
  return 0;
}
