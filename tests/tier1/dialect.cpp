// tests/tier1/dialect.cpp - see dialect.h.
#include "dialect.h"

#include "runtime/base/format.h"
#include "runtime/engine/interpret/program.h"

#include <cctype>
#include <vector>

namespace tier1_test {
namespace {

// The name's part in front of an encoding's suffix.
size_t length_without_suffix(const std::string& mnemonic) {
  for (const char* suffix : {"_e64_dpp", "_e32", "_e64", "_sdwa", "_dpp"})
    if (mnemonic.ends_with(suffix)) return mnemonic.size() - std::string_view(suffix).size();
  return mnemonic.size();
}

std::vector<std::string> names_of(const hip::engine::OpcodeRow& row) {
  std::vector<std::string> names{std::string(row.name)};
  for (std::string_view rest = row.aliases; !rest.empty();) {
    const size_t length = std::min(rest.find(' '), rest.size());
    names.emplace_back(rest.substr(0, length));
    rest.remove_prefix(std::min(length + 1, rest.size()));
  }
  return names;
}

// Whether the engine has a handler for it. Dual instructions have none of their own.
bool is_executed(const std::string& mnemonic) {
  using namespace hip::engine;
  static const OpTable table(*host_levels().front());
  const Opcode opcode = find_opcode(mnemonic.substr(0, length_without_suffix(mnemonic)));
  return table.find(opcode) || table.find(body_of(opcode)) || mnemonic.starts_with("v_dual_");
}

// `word` wherever it stands alone.
void replace_word(std::string& text, std::string_view word, std::string_view by) {
  auto joins = [&](size_t at) { return at < text.size() && (std::isalnum(uint8_t(text[at])) || text[at] == '_'); };
  for (size_t at = text.find(word); at != text.npos; at = text.find(word, at + 1))
    if (!(at > 0 && joins(at - 1)) && !joins(at + word.size())) text.replace(at, word.size(), by);
}

} // namespace

Dialect::Dialect(const std::string& processor, uint32_t lanes)
    : processor_(processor), lanes_(lanes), assembler_(processor, lanes),
      cmpx_writes_exec_alone_(assembler_.accepts("v_cmpx_eq_u32 v0, v1\n")) {
  auto first_accepted = [&](const std::string& line, std::initializer_list<const char*> ends) {
    for (const char* end : ends)
      if (const std::string here = respelled(line + end); assembler_.accepts(here)) return std::string(end);
    return std::string();
  };
  coherent_ = first_accepted("global_load_dword v0, v[2:3], off", {" sc0", " glc", " scope:SCOPE_SE"});
  returning_ = first_accepted("global_atomic_add v0, v[2:3], v1, off", {" sc0", " glc", " th:TH_ATOMIC_RETURN"});
}

std::string Dialect::spelled(const std::string& mnemonic) const {
  const auto known = spellings_.find(mnemonic);
  if (known != spellings_.end()) return known->second;
  const std::string name = mnemonic.substr(0, length_without_suffix(mnemonic)), suffix = mnemonic.substr(name.size());
  std::vector<std::string> candidates{name};
  if (const auto opcode = hip::engine::find_opcode(name); opcode != hip::engine::Opcode::unknown)
    for (const std::string& other : names_of(row_of(opcode))) candidates.push_back(other);
  std::string& out = spellings_[mnemonic];
  for (const std::string& candidate : candidates)
    if (out.empty() && assembler_.knows(candidate + suffix)) out = candidate + suffix;
  return out;
}

std::string Dialect::mask(uint32_t first) const {
  return lanes_ == 32 ? fmt::format("s{}", first) : fmt::format("s[{}:{}]", first, first + 1);
}

std::string Dialect::wide_sum(uint32_t to, uint32_t from, uint32_t by, uint32_t base) const {
  auto pair = [](char file, uint32_t first) { return fmt::format("{}[{}:{}]", file, first, first + 1); };
  if (has("v_lshl_add_u64")) return fmt::format("v_lshl_add_u64 {}, {}, {}, {}\n", pair('v', to), pair('v', from), by, pair('s', base));
  return respelled(fmt::format("v_lshlrev_b64 {}, {}, {}\n", pair('v', to), by, pair('v', from)) +
                   fmt::format("v_add_co_u32 v{0}, vcc, s{2}, v{0}\nv_addc_co_u32 v{1}, vcc, s{3}, v{1}, vcc\n", to, to + 1, base, base + 1));
}

std::string Dialect::respelled(const std::string& lines) const {
  std::string out;
  for (size_t at = 0; at < lines.size();) {
    const size_t end = std::min(lines.find('\n', at), lines.size());
    std::string line = lines.substr(at, end - at);
    at = end + 1;
    if (line.empty()) continue;
    const bool is_label = line.back() == ':';
    if (!is_label) {
      const std::string mnemonic = line.substr(0, line.find(' '));
      const std::string here = spelled(mnemonic);
      if (mnemonic == "s_barrier" && here.empty()) {
        line = "s_barrier_signal -1\ns_barrier_wait -1";
      } else if (here.empty()) {
        continue;
      } else {
        line.replace(0, mnemonic.size(), here);
      }
      if (lanes_ == 32) replace_word(line, "vcc", "vcc_lo"), replace_word(line, "exec", "exec_lo");
    }
    out += line + "\n";
  }
  return out;
}

std::string Dialect::respelled_form(const std::string& line) const {
  const std::string out = respelled(line);
  return !out.empty() && is_executed(out.substr(0, out.find(' '))) && assembler_.accepts(out) ? out : std::string();
}

} // namespace tier1_test
