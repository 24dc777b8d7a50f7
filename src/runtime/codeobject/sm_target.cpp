#include "runtime/codeobject/sm_target.h"

#include <charconv>

namespace hip::codeobject {

namespace {
constexpr std::string_view kPrefix = "sm_";
// e_flags of cubins: up to ABI version 7 the low byte is the architecture and 0x800 marks "a"; from 8 on the second
// byte is, and 0x8 marks it.
constexpr uint8_t kSecondAbi = 8;
} // namespace

std::string SmTarget::to_string() const {
  std::string text(kPrefix);
  text += std::to_string(number());
  if (scope == Scope::Family) text += 'f';
  if (scope == Scope::Exact) text += 'a';
  return text;
}

std::optional<SmTarget> parse_sm_target(std::string_view text) noexcept {
  if (!text.starts_with(kPrefix)) return std::nullopt;
  text.remove_prefix(kPrefix.size());
  SmTarget target;
  if (text.ends_with('a')) target.scope = SmTarget::Scope::Exact;
  if (text.ends_with('f')) target.scope = SmTarget::Scope::Family;
  if (target.scope != SmTarget::Scope::Baseline) text.remove_suffix(1);
  uint32_t number = 0;
  const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (code != std::errc() || end != text.data() + text.size() || number < 10 || number > 9999) return std::nullopt;
  target.major = number / 10;
  target.minor = number % 10;
  return target;
}

SmTarget sm_target_from_elf(uint32_t e_flags, uint8_t abi_version) noexcept {
  const bool second = abi_version >= kSecondAbi;
  const uint32_t number = second ? (e_flags >> 8) & 0xff : e_flags & 0xff;
  SmTarget target;
  target.major = number / 10;
  target.minor = number % 10;
  if ((e_flags & (second ? 0x8u : 0x800u)) != 0) target.scope = SmTarget::Scope::Exact;
  return target;
}

std::optional<int> match_score(const SmTarget& code, SmForm form, const SmTarget& device) noexcept {
  const bool same = code.number() == device.number();
  const bool same_family = code.major == device.major && code.minor <= device.minor;
  if (code.scope == SmTarget::Scope::Exact && !same) return std::nullopt;
  if (code.scope == SmTarget::Scope::Family && !same_family) return std::nullopt;
  if (form == SmForm::Cubin ? !same_family : code.number() > device.number()) return std::nullopt;
  constexpr int kCubin = 1 << 20, kExactCubin = 1 << 21;
  int score = static_cast<int>(code.number()) * 4 + static_cast<int>(code.scope);
  if (form == SmForm::Cubin) score += same ? kExactCubin : kCubin;
  return score;
}

} // namespace hip::codeobject
