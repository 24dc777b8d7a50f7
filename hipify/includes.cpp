// #include lines. A header of CUDA becomes HIP's; one that HIP's names a second time, and one that HIP does not need,
// go, and their line stays empty. Files that nvcc compiles as CUDA get the runtime's header without asking; under hipcc
// they need to include it, so one line is added in front of their first #include.
#include "passes.h"

#include <algorithm>
#include <map>

namespace hip::hipify {
namespace {

constexpr size_t kNone = Tokens::kNone;
constexpr std::string_view kRuntimeHeader = "hip/hip_runtime.h";
constexpr std::string_view kShiftsHeader = "hip/cuda_shifts.h";

class IncludePass {
public:
  explicit IncludePass(ConversionState& state) : state_(state), tokens_(state.tokens) {}

  void run() {
    for (size_t i = 0; i < tokens_.size(); ++i) {
      const Token& token = tokens_[i];
      if (!token.in_directive) {
        if (first_place_ == kNone && is_code(token)) first_place_ = outermost(i);
        continue;
      }
      if (token.kind == Token::Kind::Punctuator && tokens_.text(i) == "#" && tokens_.previous(i) == kNone) directive(i);
      if (token.kind == Token::Kind::HeaderName) header(i);
    }
    if (needs_runtime()) add_runtime();
    if (state_.unknown_shift != kNone && !seen_.contains(kShiftsHeader)) add_shifts();
  }

private:
  // Follows #if ... #endif: each branch has a number of its own.
  void directive(size_t hash) {
    const size_t name = tokens_.next(hash);
    if (name == kNone) return;
    const std::string_view text = tokens_.text(name);
    if (text == "if" || text == "ifdef" || text == "ifndef") {
      if (is_guard(hash, name))
        guard_depth_ = 1;
      else if (branches_.size() == guard_depth_)
        opening_ = hash;
      branches_.push_back(next_branch_++);
    } else if (text == "elif" || text == "else" || text == "elifdef" || text == "elifndef") {
      if (!branches_.empty()) branches_.back() = next_branch_++;
    } else if (text == "endif") {
      if (!branches_.empty()) branches_.pop_back();
    } else if (text == "include" && first_place_ == kNone) {
      first_place_ = outermost(hash);
    }
  }

  // `i`, or the '#' of the outermost #if that it is in; the guard of a header does not count.
  size_t outermost(size_t i) const { return branches_.size() <= guard_depth_ ? i : opening_; }

  // #ifndef NAME in front of everything else, with #define NAME as the next line that is not empty.
  bool is_guard(size_t hash, size_t ifndef) const {
    if (next_branch_ != 0 || first_place_ != kNone || tokens_.text(ifndef) != "ifndef") return false;
    const size_t name = tokens_.next(ifndef);
    if (name == kNone) return false;
    for (size_t i = name + 1; i < tokens_.size(); ++i) {
      if (tokens_[i].kind == Token::Kind::Newline || !is_code(tokens_[i])) continue;
      const size_t define = tokens_.next(i);
      if (!tokens_.is(i, "#") || define == kNone || !tokens_.is(define, "define")) return false;
      const size_t defined = tokens_.next(define);
      return defined != kNone && tokens_.text(defined) == tokens_.text(name);
    }
    return false;
  }

  void header(size_t i) {
    const size_t before = tokens_.previous(i);
    const bool is_include = before != kNone && !tokens_.is(before, "(");
    const std::string_view raw = tokens_.text(i);
    const std::string_view name = raw.substr(1, raw.size() - 2);
    quoted_ |= is_include && raw[0] == '"';
    if (state_.is_whitelisted(name)) return;
    if (state_.is_left_alone(i)) { // a header of the program, whatever it is called
      if (is_include && !is_repeated(name)) remember(name);
      return;
    }
    Row row;
    if (!find_row(name, row) || row.kind != Kind::Include) {
      other_header(i, name, is_include);
      return;
    }
    const Target target = target_of(row, state_.options);
    if (!target.usable) {
      const std::string_view advice = advice_for(name);
      Finding& finding = add(i, Finding::Kind::Unsupported, name, row);
      finding.message = "has no counterpart in HIP";
      if (!advice.empty()) finding.message.append(": ").append(advice);
      return;
    }
    convert(i, name, target.name, row, is_include);
  }

  // Headers by their folder.
  void other_header(size_t i, std::string_view name, bool is_include) {
    if (name.starts_with("cub/")) {
      Row row;
      if (find_row("cub/cub.cuh", row)) convert(i, name, row.hip, row, is_include);
    } else if (name.starts_with("cuda/")) {
      Finding& finding = state_.add(Finding::Kind::Unsupported, i);
      finding.name = name;
      finding.message = "is of libcu++, which has no counterpart in HIP: atomics and barriers are functions there";
    } else if (is_include && !is_repeated(name)) {
      remember(name);
    }
  }

  Finding& add(size_t i, Finding::Kind kind, std::string_view name, const Row& row) {
    Finding& finding = state_.add(kind, i);
    finding.name = name;
    finding.set_row(row);
    return finding;
  }

  void convert(size_t i, std::string_view name, std::string_view target, const Row& row, bool is_include) {
    Finding& finding = add(i, Finding::Kind::Converted, name, row);
    if (!is_include) { // __has_include: something has to stand there
      finding.replacement = target.empty() ? kRuntimeHeader : target;
      replace_name(i, finding.replacement);
      return;
    }
    if (!target.empty() && !is_repeated(target)) {
      remember(target);
      finding.replacement = target;
      replace_name(i, finding.replacement);
      return;
    }
    finding.message = target.empty() ? "HIP needs no header for this; the line is empty"
                                     : std::string(target) + " is included above; the line is empty";
    size_t hash = i;
    while (hash > 0 && !(tokens_.is(hash, "#") && tokens_.previous(hash) == kNone)) --hash;
    state_.edits.erase(tokens_[hash].begin, tokens_[i].end);
  }

  void replace_name(size_t i, const std::string& name) {
    state_.edits.replace(tokens_[i].begin + 1, tokens_[i].end - 1, name);
  }

  // Included before, in a place that is compiled whenever this one is.
  bool is_repeated(std::string_view name) const {
    const auto [begin, end] = seen_.equal_range(name);
    for (auto it = begin; it != end; ++it) {
      const std::vector<unsigned>& place = it->second;
      if (place.size() > branches_.size()) continue;
      if (std::equal(place.begin(), place.end(), branches_.begin())) return true;
    }
    return false;
  }

  void remember(std::string_view name) { seen_.emplace(std::string(name), branches_); }

  bool needs_runtime() const {
    if (seen_.contains(kRuntimeHeader)) return false;
    switch (state_.options.runtime_header) {
    case RuntimeHeader::IfUsed: // a header of the program may be what uses it
      return state_.uses_kernels || state_.uses_runtime || quoted_;
    case RuntimeHeader::IfKernels:
    case RuntimeHeader::IfKernelsForHipOnly:
      return state_.uses_kernels;
    case RuntimeHeader::Never:
      return false;
    }
    return false;
  }

  static bool is_code(const Token& token) {
    return token.kind != Token::Kind::Space && token.kind != Token::Kind::Newline && token.kind != Token::Kind::Comment;
  }

  void add_runtime() {
    std::string line = "#include <" + std::string(kRuntimeHeader) + ">\n";
    if (state_.options.runtime_header == RuntimeHeader::IfKernelsForHipOnly)
      line = "#ifdef __HIPCC__\n" + line + "#endif\n";
    add_lines(line);
    Finding& finding = state_.findings.emplace_back();
    finding.kind = Finding::Kind::Rewritten;
    finding.line = 1;
    finding.column = 1;
    finding.name = kRuntimeHeader;
    finding.message = "is included now, which nvcc does by itself";
  }

  // AMD's HIP does not have this header.
  void add_shifts() {
    const std::string header = "<" + std::string(kShiftsHeader) + ">";
    add_lines("#if __has_include(" + header + ")\n#include " + header +
              " // shifts by the width or more, as CUDA has them\n#endif\n");
    Finding& finding = state_.add(Finding::Kind::Rewritten, state_.unknown_shift);
    finding.message = "by an amount that may be too large: " + std::string(kShiftsHeader) +
                      " is included now, with which the result is CUDA's";
  }

  // They go in front of the first #include and of the #if around it, or of what stands before that: an #include may be
  // inside of extern "C" { }.
  void add_lines(const std::string& lines) {
    const std::string_view source = tokens_.source();
    size_t at = 0;
    if (first_place_ != kNone) at = tokens_[first_place_].begin;
    while (at > 0 && source[at - 1] != '\n' && source[at - 1] != '\r') --at;
    if (at == 0 && source.starts_with("\xef\xbb\xbf")) at = 3; // a byte order mark stays first
    const size_t newline = source.find('\n');
    const bool dos = newline != std::string_view::npos && newline > 0 && source[newline - 1] == '\r';
    std::string text;
    for (const char c : lines) text += c == '\n' && dos ? std::string("\r\n") : std::string(1, c);
    state_.edits.insert(static_cast<uint32_t>(at), std::move(text));
  }

  ConversionState& state_;
  const Tokens& tokens_;
  std::vector<unsigned> branches_; // the conditional blocks that the place is in, outermost first
  unsigned next_branch_ = 0;
  size_t guard_depth_ = 0;     // 1: the outermost block is the guard of a header
  size_t opening_ = kNone;     // the '#' of the outermost #if that the place is in
  size_t first_place_ = kNone; // the first #include or token of code, or the #if around it
  bool quoted_ = false;        // "..." is included
  std::multimap<std::string, std::vector<unsigned>, std::less<>> seen_;
};

} // namespace

void convert_includes(ConversionState& state) { IncludePass(state).run(); }

} // namespace hip::hipify
