// tools/report.h - what rocm-smi and amd-smi say of a device: names with values, in groups, as text, as JSON or as CSV.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace hip::tools {

inline const std::string kNone = "N/A"; // what a device does not have

struct Field {
  std::string name, value;
  std::vector<Field> group = {}; // instead of the value
  enum class Kind { Text, Number } kind = Kind::Text;
  std::string unit = {}; // CSV leaves it out
};
using Fields = std::vector<Field>;

inline Field text(std::string name, std::string value) { return {std::move(name), std::move(value)}; }
inline Field number(std::string name, uint64_t value) {
  return {std::move(name), std::to_string(value), {}, Field::Kind::Number};
}
// N/A has no unit.
inline Field quantity(std::string name, std::string value, std::string unit) {
  return {std::move(name), std::move(value), {}, Field::Kind::Text, std::move(unit)};
}
inline Field group(std::string name, Fields fields) { return {std::move(name), "", std::move(fields)}; }

// A number in a larger unit: scaled(45000, 1000, 1, "W") is "45.0W". N/A for none.
std::string scaled(std::optional<int64_t> value, int64_t unit, int decimals, const char* suffix = "");

std::string json_text(const std::string& text); // in quotation marks
std::string json(const Fields& fields);         // an object
std::string with_unit(const std::string& value, const std::string& unit);
// As RFC 4180 has it, with newlines for ends of lines: a line of names, and one for each row. A row that does not have
// a name of another one has N/A there. Rows have no groups.
std::string csv(std::span<const Fields> rows);
// Without groups: fields of a group keep their names, those of a group in a group begin with that one's.
Fields flattened(const Fields& fields);

} // namespace hip::tools
