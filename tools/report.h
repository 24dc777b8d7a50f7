// tools/report.h - what rocm-smi and amd-smi say of a device: names with values, in groups, as text or as JSON.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace hip::tools {

inline const std::string kNone = "N/A"; // what a device does not have

struct Field {
  std::string name, value;
  std::vector<Field> group = {}; // instead of the value
  enum class Kind { Text, Number } kind = Kind::Text;
};
using Fields = std::vector<Field>;

inline Field text(std::string name, std::string value) { return {std::move(name), std::move(value)}; }
inline Field number(std::string name, uint64_t value) {
  return {std::move(name), std::to_string(value), {}, Field::Kind::Number};
}
inline Field group(std::string name, Fields fields) { return {std::move(name), "", std::move(fields)}; }

// A number in a larger unit: scaled(45000, 1000, 1, "W") is "45.0W". N/A for none.
std::string scaled(std::optional<int64_t> value, int64_t unit, int decimals, const char* suffix = "");

std::string json_text(const std::string& text); // in quotation marks
std::string json(const Fields& fields);         // an object

} // namespace hip::tools
