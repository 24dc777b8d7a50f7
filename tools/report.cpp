#include "report.h"

#include <algorithm>
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
      out += field.kind == Field::Kind::Number ? field.value : json_text(with_unit(field.value, field.unit));
  }
  return out + "}";
}

std::string with_unit(const std::string& value, const std::string& unit) {
  return unit.empty() || value == kNone ? value : value + " " + unit;
}

namespace {

std::string csv_text(const std::string& text) {
  if (text.find_first_of(",\"\r\n") == text.npos) return text;
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"') out += '"';
    out += c;
  }
  return out + '"';
}

const Field* find(const Fields& fields, const std::string& name) {
  const auto found = std::find_if(fields.begin(), fields.end(), [&](const Field& field) { return field.name == name; });
  return found == fields.end() ? nullptr : &*found;
}

} // namespace

std::string csv(std::span<const Fields> rows) {
  Fields columns;
  for (const Fields& row : rows)
    for (const Field& field : row)
      if (!find(columns, field.name)) columns.push_back(text(field.name, ""));
  std::string out;
  const auto add_line = [&](const auto& value_of) {
    for (size_t i = 0; i < columns.size(); ++i) out += (i ? "," : "") + csv_text(value_of(columns[i].name));
    out += '\n';
  };
  add_line([](const std::string& name) { return name; });
  for (const Fields& row : rows)
    add_line([&](const std::string& name) {
      const Field* const field = find(row, name);
      return field ? field->value : kNone;
    });
  return out;
}

Fields flattened(const Fields& fields) {
  Fields flat;
  for (const Field& field : fields) {
    if (field.group.empty()) {
      flat.push_back(field);
      continue;
    }
    for (const Field& inner : field.group) {
      if (inner.group.empty()) flat.push_back(inner);
      for (Field& each : flattened(inner.group)) {
        each.name = inner.name + "_" + each.name;
        flat.push_back(std::move(each));
      }
    }
  }
  return flat;
}

} // namespace hip::tools
