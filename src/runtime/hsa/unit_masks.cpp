#include "runtime/hsa/unit_masks.h"

#include "runtime/base/status.h"

#include <algorithm>
#include <charconv>
#include <optional>

namespace hip::hsa {
namespace {

constexpr size_t kBits = 32; // of a word

// The part of `text` before the separator, which is taken out of it.
std::string_view take_until(std::string_view& text, char separator) {
  const size_t at = text.find(separator);
  const std::string_view part = text.substr(0, at);
  text = at == std::string_view::npos ? std::string_view() : text.substr(at + 1);
  return part;
}

std::optional<size_t> number(std::string_view text) {
  size_t value = 0;
  const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (code != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

// "0,2-4,7" as bits, of which there are `count`; larger numbers are left out.
Result<std::vector<bool>> parse_list(std::string_view text, size_t count, std::string_view what) {
  std::vector<bool> listed(count);
  for (bool more = true; more;) {
    more = text.find(',') != std::string_view::npos;
    std::string_view range = take_until(text, ',');
    const bool has_end = range.find('-') != std::string_view::npos;
    const std::string whole(range);
    const std::optional<size_t> first = number(take_until(range, '-'));
    const std::optional<size_t> last = has_end ? number(range) : first;
    if (!first || !last) return error(ErrorCode::InvalidValue, "\"{}\" is no number or range of {}s", whole, what);
    if (*last < *first) return error(ErrorCode::InvalidValue, "the range \"{}\" ends before it begins", whole);
    for (size_t i = *first; i <= *last && i < count; ++i) {
      if (listed[i]) return error(ErrorCode::InvalidValue, "{} {} is named twice", what, i);
      listed[i] = true;
    }
  }
  return listed;
}

// Hexadecimal digits, the last of which has units 0 to 3.
Result<std::vector<bool>> parse_digits(std::string_view digits, size_t count) {
  std::vector<bool> listed(count);
  if (digits.empty()) return error(ErrorCode::InvalidValue, "\"0x\" has no digits");
  for (size_t place = 0; place < digits.size(); ++place) {
    unsigned digit = 0;
    const char* const at = digits.data() + digits.size() - 1 - place;
    if (std::from_chars(at, at + 1, digit, 16).ec != std::errc())
      return error(ErrorCode::InvalidValue, "'{}' is no hexadecimal digit", *at);
    for (size_t bit = 0; bit < 4; ++bit)
      if (digit >> bit & 1 && place * 4 + bit < count) listed[place * 4 + bit] = true;
  }
  return listed;
}

bool any(const std::vector<bool>& bits) { return std::find(bits.begin(), bits.end(), true) != bits.end(); }

Status take_set(std::string_view set, size_t most_units, std::vector<UnitMask>& of_gpu) {
  if (std::count(set.begin(), set.end(), ':') != 1)
    return error(ErrorCode::InvalidValue, "GPUs, a colon and compute units are wanted");
  const std::string_view gpus = take_until(set, ':');
  const bool digits = set.starts_with("0x") || set.starts_with("0X");
  RT_TRY_ASSIGN(const std::vector<bool> units,
                digits ? parse_digits(set.substr(2), most_units) : parse_list(set, most_units, "compute unit"));
  if (!any(units)) return error(ErrorCode::InvalidValue, "it names none of the {} compute units", most_units);
  RT_TRY_ASSIGN(const std::vector<bool> chosen, parse_list(gpus, of_gpu.size(), "GPU"));
  if (!any(chosen)) return error(ErrorCode::InvalidValue, "it names none of the {} GPUs", of_gpu.size());
  UnitMask mask((most_units + kBits - 1) / kBits);
  for (size_t unit = 0; unit < most_units; ++unit)
    if (units[unit]) mask[unit / kBits] |= uint32_t{1} << unit % kBits;
  for (size_t gpu = 0; gpu < of_gpu.size(); ++gpu)
    if (chosen[gpu] && !of_gpu[gpu].empty()) return error(ErrorCode::InvalidValue, "GPU {} is named twice", gpu);
  for (size_t gpu = 0; gpu < of_gpu.size(); ++gpu)
    if (chosen[gpu]) of_gpu[gpu] = mask;
  return Status();
}

} // namespace

UnitMasks parse_unit_masks(std::string_view text, size_t gpus, size_t most_units) {
  UnitMasks masks{std::vector<UnitMask>(gpus), {}};
  std::string without_spaces(text);
  std::erase_if(without_spaces, [](char c) { return c == ' ' || (c >= '\t' && c <= '\r'); });
  for (std::string_view rest = without_spaces; !rest.empty();) {
    const std::string_view set = take_until(rest, ';');
    const Status status = take_set(set, most_units, masks.of_gpu);
    if (status.ok()) continue;
    masks.problem =
        fmt::format("The set \"{}\" is wrong: {}. It and what follows it count for nothing.", set, status.message());
    break;
  }
  return masks;
}

UnitMask limited(const UnitMask& wanted, const UnitMask& limit, bool& reduced) {
  reduced = false;
  if (limit.empty()) return wanted;
  if (wanted.empty()) return limit;
  UnitMask both(std::min(wanted.size(), limit.size()));
  for (size_t word = 0; word < wanted.size(); ++word) {
    const uint32_t allowed = word < limit.size() ? limit[word] : 0;
    if (word < both.size()) both[word] = wanted[word] & allowed;
    reduced |= (wanted[word] & ~allowed) != 0;
  }
  return both;
}

bool takes_whole_pairs(const UnitMask& mask, size_t units) noexcept {
  for (size_t unit = 0; unit + 1 < std::min(units, mask.size() * kBits); unit += 2) {
    const uint32_t pair = mask[unit / kBits] >> unit % kBits & 3;
    if (pair != 0 && pair != 3) return false;
  }
  return true;
}

} // namespace hip::hsa
