#include "runtime/base/visible_devices.h"

#include <algorithm>
#include <charconv>
#include <optional>

namespace hip {
namespace {

std::string_view trim(std::string_view text) {
  while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
  while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
  return text;
}

std::optional<size_t> find(std::string_view entry, std::span<const std::string_view> uuids) {
  if (entry.starts_with("GPU-")) {
    const auto it = std::find(uuids.begin(), uuids.end(), entry);
    if (it == uuids.end()) return std::nullopt;
    return static_cast<size_t>(it - uuids.begin());
  }
  size_t index = 0;
  const auto [end, code] = std::from_chars(entry.data(), entry.data() + entry.size(), index);
  if (code != std::errc() || end != entry.data() + entry.size() || index >= uuids.size()) return std::nullopt;
  return index;
}

} // namespace

std::vector<size_t> select_devices(std::string_view list, std::span<const std::string_view> uuids) {
  std::vector<size_t> chosen;
  while (true) {
    const size_t comma = list.find(',');
    const std::optional<size_t> index = find(trim(list.substr(0, comma)), uuids);
    if (!index) break;
    if (std::find(chosen.begin(), chosen.end(), *index) == chosen.end()) chosen.push_back(*index);
    if (comma == std::string_view::npos) break;
    list.remove_prefix(comma + 1);
  }
  return chosen;
}

} // namespace hip
