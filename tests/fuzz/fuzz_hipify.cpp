// The porting tool on any bytes: every byte is in one token, conversions of all kinds end, and so does the reading of a
// compilation database.
#include "compile_commands.h"
#include "convert.h"
#include "lexer.h"
#include "options.h"

#include <cstdint>
#include <cstdlib>
#include <string_view>

using namespace hip::hipify;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const Tokens tokens(text);
  uint32_t at = 0;
  for (size_t i = 0; i < tokens.size(); ++i) {
    if (tokens[i].begin != at || tokens[i].end <= at) std::abort();
    at = tokens[i].end;
  }
  if (at != size) std::abort();

  ConvertOptions options;
  options.runtime_header = RuntimeHeader::IfUsed;
  const Conversion kept = convert(text, options);
  if (!kept.changed && kept.text != text) std::abort();
  options.launches = LaunchSyntax::Hip;
  options.libraries = Libraries::Roc;
  options.runtime_header = RuntimeHeader::IfKernelsForHipOnly;
  convert(text, options);

  try {
    read_compile_commands(text, "input");
  } catch (const HipifyError&) {
    // Most inputs are none.
  }
  return 0;
}
