// Identifiers. Every use of a name is replaced, members and local variables that are called like a name of CUDA
// included: their declaration is replaced too, so the program stays what it was. Names of ordinary words (cub, curand,
// umin) are taken for CUDA's only where the tokens around say so.
#include "passes.h"

#include <algorithm>
#include <cctype>

namespace hip::hipify {
namespace {

constexpr size_t kNone = Tokens::kNone;

bool one_of(std::string_view text, std::initializer_list<std::string_view> list) {
  for (std::string_view one : list) {
    if (text == one) return true;
  }
  return false;
}

// A use of a namespace's name: cub::, using namespace cub, namespace x = cub.
bool is_namespace_name(const Tokens& tokens, size_t i) {
  if (is_member(tokens, i) || is_qualified(tokens, i)) return false;
  if (tokens.is(tokens.next(i), "::")) return true;
  const size_t before = tokens.previous(i);
  if (before == kNone) return false;
  if (tokens.is(before, "namespace")) return true;
  if (!tokens.is(before, "=")) return false;
  const size_t alias = tokens.previous(before);
  return alias != kNone && tokens.is(tokens.previous(alias), "namespace");
}

bool is_call(const Tokens& tokens, size_t i) { return tokens.is(tokens.next(i), "("); }

std::string no_counterpart(const Row& row) {
  const std::string_view advice = advice_for(row.cuda);
  std::string text = row.cuda_removed.empty()
                         ? std::string("has no counterpart in HIP")
                         : "has no counterpart in HIP, and CUDA dropped it in " + version_text(row.cuda_removed);
  if (!advice.empty()) text.append(": ").append(advice);
  return text;
}

struct NumberRow {
  std::string_view name, value, defined, message;
};
constexpr NumberRow kNumbers[] = {
#define HIPIFY_NUMBER(name, value, defined, message) {#name, value, defined, message},
#define HIPIFY_ENUMERATOR(name, text, message)
#include "numbers.def"
};

struct EnumeratorRow {
  std::string_view name, text, message;
};
constexpr EnumeratorRow kEnumerators[] = {
#define HIPIFY_NUMBER(name, value, defined, message)
#define HIPIFY_ENUMERATOR(name, text, message) {#name, text, message},
#include "numbers.def"
};

// CUDA's numbers of errors.
struct ErrorRow {
  std::string_view name;
  int number;
};
constexpr ErrorRow kErrors[] = {
#define OMNIHIP_CUDA_ERROR(number, name, text) {#name, number},
#define OMNIHIP_CU_ERROR(number, name) {#name, number},
#include "omnihip/errors.def"
#undef OMNIHIP_CUDA_ERROR
#undef OMNIHIP_CU_ERROR
    {"cudaErrorApiFailureBase", 10000}, // no error, but what errors of the driver were added to
};

class NamePass {
public:
  explicit NamePass(ConversionState& state) : state_(state), tokens_(state.tokens) {}

  void run() {
    for (size_t i = 0; i < tokens_.size(); ++i) {
      if (tokens_[i].kind == Token::Kind::Identifier) identifier(i);
      if (tokens_[i].kind == Token::Kind::String) string(i);
      if (tokens_[i].unterminated && tokens_[i].end == tokens_.source().size() && !tokens_[i].in_directive)
        warn(i, Finding::Kind::Look,
             "the literal or comment that begins here has no end; nothing behind it is converted")
            .name = std::string(tokens_.text(i).substr(0, 2));
    }
  }

private:
  Finding& warn(size_t i, Finding::Kind kind, std::string message) {
    Finding& finding = state_.add(kind, i);
    finding.message = std::move(message);
    return finding;
  }

  void identifier(size_t i) {
    const std::string name = tokens_[i].spliced ? tokens_.spelling(i) : std::string(tokens_.text(i));
    if (name[0] == '_' && one_of(name, {"__global__", "__device__", "__shared__", "__constant__"}))
      state_.uses_kernels = true;
    if (one_of(name, {"threadIdx", "blockIdx", "blockDim", "gridDim"})) state_.uses_kernels = true;
    Row row;
    if (state_.options.knowledge && state_.is_left_alone(i)) return;
    if (find_row(name, row)) {
      if (!state_.is_whitelisted(name)) table_name(i, name, row);
    } else if (is_assembly(name)) {
      inline_assembly(i);
    } else if (looks_like_cuda(name) && !state_.is_own(name) && !state_.is_whitelisted(name) &&
               !is_member(tokens_, i) && !is_qualified(tokens_, i)) {
      warn(i, Finding::Kind::Unknown,
           "looks like a name of CUDA and is not in the table: see whether it is the program's own, or new in CUDA");
    }
  }

  // Whether a name of the table is meant, where the name is an ordinary word.
  bool is_meant(size_t i, const std::string& name, const Row& row) const {
    if (row.kind == Kind::Include) return false;
    if (state_.is_known_cuda(i)) return true;
    if (name == "cub") return is_namespace_name(tokens_, i);
    if (name == "texture")
      return tokens_.is(tokens_.next(i), "<") && !is_member(tokens_, i) && !is_qualified(tokens_, i);
    const bool changes = row.hip != row.cuda;
    if (row.kind == Kind::DeviceFunction && (!changes || !row.has_hip()))
      return is_call(tokens_, i) && !is_member(tokens_, i) && !is_qualified(tokens_, i) && !state_.is_own(name);
    if (name == "curand") return is_call(tokens_, i) && !is_member(tokens_, i);
    return true;
  }

  void table_name(size_t i, const std::string& name, const Row& row) {
    for (const NumberRow& one : kNumbers)
      if (name == one.name) return number(i, one, row);
    if (!is_meant(i, name, row)) return;
    if (name == "texture") {
      texture_reference(i, row);
      return;
    }
    Target target = target_of(row, state_.options);
    if (const auto other = state_.call_names.find(i); other != state_.call_names.end())
      target = {other->second, true, false};
    if (!target.usable) {
      if (is_member(tokens_, i) || state_.is_own(name)) return;
      if (!target.experimental && enumerator_number(i, name, row)) return;
      Finding& finding =
          warn(i, target.experimental ? Finding::Kind::Experimental : Finding::Kind::Unsupported,
               target.experimental ? "has a counterpart whose interface may change: -experimental uses it"
                                   : no_counterpart(row));
      finding.set_row(row);
      return;
    }
    // A macro that HIP does without goes, but where the program has its own, or asks whether there is one.
    if (target.name.empty() && (state_.is_own(name) || is_definedness_test(i))) return;
    Finding& finding = state_.add(target.name == name ? Finding::Kind::Same : Finding::Kind::Converted, i);
    finding.replacement = target.name;
    finding.set_row(row);
    if (!row.hip_deprecated.empty()) finding.message = "HIP deprecates it since " + version_text(row.hip_deprecated);
    if (row.api == Api::Runtime || row.api == Api::Driver) {
      if (row.kind != Kind::DeviceFunction && row.kind != Kind::DeviceType) state_.uses_runtime = true;
    }
    if (target.name == name) return;
    if (target.name.empty()) {
      const bool blank = tokens_.is(i + 1, Token::Kind::Space) && tokens_.text(i + 1)[0] != '\\';
      state_.edits.erase(tokens_[i].begin, tokens_[blank ? i + 1 : i].end);
      return;
    }
    std::string text(target.name);
    if (tokens_[i].spliced) text += line_continuations(tokens_.text(i)); // lines keep their numbers
    state_.replace_token(i, std::move(text));
  }

  // An error that HIP's functions do not return is compared with in vain. CUDA's number for it keeps such a comparison,
  // and stands for other enumerators that HIP's functions refuse as they should.
  bool enumerator_number(size_t i, const std::string& name, const Row& row) {
    constexpr int kMost = 2047; // what the bits of hipError_t's enumerators hold, and no error
    if (row.kind != Kind::EnumValue) return false;
    for (const ErrorRow& error : kErrors) {
      if (error.name != name) continue;
      state_.replace_token(i, "(hipError_t)" + std::to_string(std::min(error.number, kMost)));
      warn(i, Finding::Kind::Rewritten, "is an error that HIP does not have: its number in CUDA stands for it")
          .set_row(row);
      return true;
    }
    for (const EnumeratorRow& enumerator : kEnumerators) {
      if (enumerator.name != name) continue;
      state_.replace_token(i, std::string(enumerator.text));
      warn(i, Finding::Kind::Rewritten, std::string(enumerator.message)).set_row(row);
      return true;
    }
    return false;
  }

  static std::string line_continuations(std::string_view raw) {
    std::string text;
    for (size_t at = 0; (at = raw.find('\\', at)) != std::string_view::npos;) {
      const size_t end = raw.find('\n', at);
      text += raw.substr(at, end == std::string_view::npos ? end : end + 1 - at);
      if (end == std::string_view::npos) break;
      at = end;
    }
    return text;
  }

  // References to textures are types that HIP declares for the host's side of an old interface only.
  void texture_reference(size_t i, const Row& row) {
    if (state_.is_own("texture")) return;
    Finding& finding =
        warn(i, Finding::Kind::Look,
             "texture references are deprecated, and AMD GPUs without image instructions have none: compile "
             "with hipcc -fsoftware-textures, or create a texture object (hipCreateTextureObject) and "
             "pass it to the kernel");
    finding.set_row(row);
  }

  // A test whether the macro is defined asks for what HIP defines. In conditions that choose between PTX and other code
  // the number stays, and with it the 0 that keeps PTX out.
  void number(size_t i, const NumberRow& number, const Row& row) {
    if (state_.is_own(number.name)) return;
    if (is_definedness_test(i)) {
      Finding& finding = state_.add(Finding::Kind::Converted, i);
      finding.replacement = number.defined;
      finding.set_row(row);
      state_.replace_token(i, std::string(number.defined));
      return;
    }
    const bool is_architecture = number.name == "__CUDA_ARCH__";
    if (is_architecture && tokens_[i].in_directive && condition_has_ptx(i)) {
      warn(i, Finding::Kind::Look, std::string(advice_for(row.cuda))).set_row(row);
      return;
    }
    // What an architecture stands for is the user's to see; a version is not.
    Finding& finding =
        warn(i, is_architecture ? Finding::Kind::Look : Finding::Kind::Rewritten, std::string(number.message));
    finding.set_row(row);
    state_.replace_token(i, std::string(number.value));
  }

  // From the directive's line to its #endif, all branches.
  bool condition_has_ptx(size_t i) const {
    size_t depth = 0;
    for (; i < tokens_.size(); ++i) {
      if (tokens_.is(i, "#") && tokens_[i].in_directive && tokens_.previous(i) == kNone) {
        const size_t name = tokens_.next(i);
        if (name == kNone) continue;
        const std::string_view text = tokens_.text(name);
        if (text == "if" || text == "ifdef" || text == "ifndef") ++depth;
        if (text == "endif" && depth-- == 0) return false;
      }
      if (tokens_[i].kind == Token::Kind::Identifier && is_assembly(tokens_.text(i)) && holds_ptx(i)) return true;
    }
    return false;
  }

  bool is_definedness_test(size_t i) const {
    if (!tokens_[i].in_directive) return false;
    size_t before = tokens_.previous(i);
    if (before != kNone && tokens_.is(before, "(")) before = tokens_.previous(before);
    return before != kNone && one_of(tokens_.text(before), {"defined", "ifdef", "ifndef", "undef"});
  }

  static bool is_assembly(std::string_view name) { return one_of(name, {"asm", "__asm__", "__asm"}); }

  void inline_assembly(size_t i) {
    if (holds_ptx(i))
      warn(i, Finding::Kind::Look,
           "holds PTX, which NVIDIA GPUs alone execute: write it in C++ or with builtins, or keep it under "
           "#if defined(__NVPTX__)");
  }

  bool holds_ptx(size_t i) const {
    size_t at = tokens_.next(i);
    while (at != kNone && one_of(tokens_.text(at), {"volatile", "__volatile__", "goto", "inline"}))
      at = tokens_.next(at);
    if (at == kNone || !tokens_.is(at, "(")) return false;
    const size_t text = tokens_.next(at);
    return text != kNone && tokens_[text].kind == Token::Kind::String && is_ptx(tokens_.text(text));
  }

  // Instructions of PTX have a type or a modifier behind a dot: mov.u32, bar.sync. Those of x86 have no dots.
  static bool is_ptx(std::string_view text) {
    for (size_t i = 1; i + 1 < text.size(); ++i) {
      if (text[i] != '.') continue;
      const auto lower = [](char c) { return c >= 'a' && c <= 'z'; };
      if ((lower(text[i - 1]) || std::isdigit(static_cast<unsigned char>(text[i - 1]))) && lower(text[i + 1]))
        return true;
    }
    return false;
  }

  // Strings stay. One that is a function's name is likely handed to dlsym or cuGetProcAddress.
  void string(size_t i) {
    std::string_view text = tokens_.text(i);
    if (text.size() < 4 || text.front() != '"' || text.back() != '"') return;
    text = text.substr(1, text.size() - 2);
    if (!text.starts_with("cu") && !text.starts_with("nvrtc")) return;
    Row row;
    if (!find_row(text, row) || state_.is_whitelisted(text)) return;
    const bool function = row.kind == Kind::RuntimeFunction || row.kind == Kind::DriverFunction ||
                          row.kind == Kind::RtcFunction || row.kind == Kind::LibraryFunction;
    if (!function && row.kind != Kind::Include) return;
    const Target target = target_of(row, state_.options);
    std::string message = "strings are not converted";
    if (target.usable && !target.name.empty()) message.append("; HIP's name is ").append(target.name);
    Finding& finding = warn(i, Finding::Kind::Look, std::move(message));
    finding.set_row(row);
  }

  ConversionState& state_;
  const Tokens& tokens_;
};

} // namespace

bool looks_like_cuda(std::string_view name) {
  for (std::string_view prefix : {"cuda", "cublas", "cublasLt", "cudnn", "cufft", "cufftXt", "curand", "cusolver",
                                  "cusolverDn", "cusolverSp", "cusparse", "cutensor", "nvrtc"}) {
    if (name.size() > prefix.size() && name.starts_with(prefix) && name[prefix.size()] >= 'A' &&
        name[prefix.size()] <= 'Z')
      return true;
  }
  return false;
}

void convert_names(ConversionState& state) { NamePass(state).run(); }

} // namespace hip::hipify
