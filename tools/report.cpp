#include "report.h"

#include <cstdio>

namespace hip::tools {

std::string scaled(std::optional<int64_t> value, int64_t unit, int decimals, const char* suffix) {
  if (!value) return kNone;
  char out[64];
  std::snprintf(out, sizeof out, "%.*f%s", decimals, static_cast<double>(*value) / static_cast<double>(unit), suffix);
  return out;
}

std::string json_text(const std::string& text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') {
      out += '\\';
      out += c;
    } else if (static_cast<unsigned char>(c) < 0x20) {
      char code[8];
      std::snprintf(code, sizeof code, "\\u%04x", static_cast<unsigned>(c));
      out += code;
    } else {
      out += c;
    }
  }
  return out + '"';
}

std::string json(const Fields& fields) {
  std::string out = "{";
  for (const Field& field : fields) {
    if (out.size() > 1) out += ", ";
    out += json_text(field.name) + ": ";
    if (!field.group.empty())
      out += json(field.group);
    else
      out += field.kind == Field::Kind::Number ? field.value : json_text(field.value);
  }
  return out + "}";
}

} // namespace hip::tools
