// Kernel launches. hipcc and nvcc both compile k<<<...>>>(), so it stays unless the options ask for hipLaunchKernelGGL.
#include "passes.h"
#include "syntax.h"

#include <algorithm>
#include <optional>

namespace hip::hipify {
namespace {

constexpr size_t kNone = Tokens::kNone;

std::string source_text(const Tokens& tokens, size_t first, size_t last) {
  return std::string(tokens.source().substr(tokens[first].begin, tokens[last].end - tokens[first].begin));
}

// Nothing but blanks is between two tokens: no newline, no comment, no line continuation.
bool is_blank_between(const Tokens& tokens, size_t first, size_t second) {
  for (char c : tokens.source().substr(tokens[first].end, tokens[second].begin - tokens[first].end)) {
    if (c != ' ' && c != '\t') return false;
  }
  return true;
}

// The end of a token, or of the blanks behind it.
uint32_t end_with_blanks(const Tokens& tokens, size_t i) {
  const bool blanks = tokens.is(i + 1, Token::Kind::Space) && tokens.text(i + 1)[0] != '\\';
  return tokens[blanks ? i + 1 : i].end;
}

// Writes hipLaunchKernelGGL(kernel, grid, block, bytes, stream, arguments...) around the parts, which stay where they
// are with the comments and newlines between them.
void rewrite(ConversionState& state, const Launch& launch, size_t chevrons) {
  const Tokens& tokens = state.tokens;
  Edits& edits = state.edits;
  // Template arguments have commas, which the macro would take for the end of its argument.
  const bool named = launch.has_template_arguments;
  edits.insert(tokens[launch.kernel_first].begin,
               named ? "hipLaunchKernelGGL(HIP_KERNEL_NAME(" : "hipLaunchKernelGGL(");
  std::string separator = named ? "), " : ", ";
  if (is_blank_between(tokens, launch.kernel_last, chevrons))
    edits.replace(tokens[launch.kernel_last].end, end_with_blanks(tokens, launch.chevrons_last), std::move(separator));
  else
    edits.replace(tokens[chevrons].begin, tokens[launch.chevrons_last].end, std::move(separator));
  for (const CallArgument& argument : launch.configuration) {
    if (!argument.comma) continue;
    edits.insert(tokens[argument.first].begin, "(");
    edits.insert(tokens[argument.last].end, ")");
  }
  std::string rest;
  for (size_t i = launch.configuration.size(); i < 4; ++i) rest += ", 0";
  const bool has_arguments = tokens.next(launch.open) != launch.close;
  const std::string comma = has_arguments ? ", " : "";
  const uint32_t configuration_end = tokens[launch.configuration.back().last].end;
  const size_t chevrons_end = launch.configuration_last;
  if (is_blank_between(tokens, chevrons_end, launch.open)) {
    edits.replace(configuration_end, end_with_blanks(tokens, launch.open), rest + comma);
  } else {
    edits.replace(configuration_end, tokens[chevrons_end].end, std::move(rest));
    edits.replace(tokens[launch.open].begin, tokens[launch.open].end, comma);
  }
}

// "<< <" and ">> >" to "<<<" and ">>>".
void close_up(ConversionState& state, const Launch& launch, size_t chevrons) {
  const Tokens& tokens = state.tokens;
  state.edits.replace(tokens[chevrons].begin, tokens[launch.chevrons_last].end, "<<<");
  state.edits.replace(tokens[launch.configuration_close].begin, tokens[launch.configuration_last].end, ">>>");
  state.add(Finding::Kind::Rewritten, chevrons).message =
      "the blanks in << < and >> > are gone, which clang does not take";
}

// The bodies of functions for the device, outermost braces.
class DeviceBodies {
public:
  explicit DeviceBodies(const Tokens& tokens) {
    for (size_t i = 0; i < tokens.size(); ++i) {
      if (tokens[i].kind != Token::Kind::Identifier || tokens[i].in_directive) continue;
      const std::string_view text = tokens.text(i);
      if (text != "__global__" && text != "__device__") continue;
      const size_t open = body(tokens, i);
      const size_t close = open == kNone ? kNone : closing_bracket(tokens, open);
      if (close != kNone) bodies_.emplace_back(open, close);
    }
  }
  bool contain(size_t i) const {
    for (const auto& [open, close] : bodies_) {
      if (open < i && i < close) return true;
    }
    return false;
  }

private:
  // The '{' of the function that is declared at i; kNone for a variable, or a function without body.
  static size_t body(const Tokens& tokens, size_t i) {
    bool parameters = false;
    for (i = tokens.next(i); i != kNone; i = tokens.next(i)) {
      if (tokens[i].kind != Token::Kind::Punctuator) continue;
      const std::string_view text = tokens.text(i);
      if (text == "(") {
        i = closing_bracket(tokens, i);
        if (i == kNone) return kNone;
        parameters = true;
      } else if (text == "{") {
        return parameters ? i : kNone;
      } else if (text == ";" || text == "=" || text == "}") {
        return kNone;
      }
    }
    return kNone;
  }

  std::vector<std::pair<size_t, size_t>> bodies_;
};

} // namespace

std::string close_up_launches(std::string_view source) {
  const Tokens tokens(source);
  std::string text;
  const auto close = [&](size_t first, size_t last, char angle) {
    if (text.empty()) text = source;
    const uint32_t begin = tokens[first].begin, end = tokens[last].end;
    const std::string between = text.substr(begin, end - begin);
    const size_t newlines = static_cast<size_t>(std::count(between.begin(), between.end(), '\n'));
    text.replace(begin, end - begin,
                 std::string(3, angle) + std::string(newlines, '\n') + std::string(end - begin - 3 - newlines, ' '));
  };
  for (size_t i = 0; i < tokens.size(); ++i) {
    if (tokens[i].kind != Token::Kind::Punctuator || !is_launch(tokens, i)) continue;
    const Launch launch = read_launch(tokens, i);
    if (!launch.spaced || launch.configuration_close == kNone) continue;
    close(i, launch.chevrons_last, '<');
    close(launch.configuration_close, launch.configuration_last, '>');
  }
  return text;
}

void convert_launches(ConversionState& state) {
  const Tokens& tokens = state.tokens;
  std::optional<DeviceBodies> bodies; // found when there is a launch
  for (size_t i = 0; i < tokens.size(); ++i) {
    if (tokens[i].kind != Token::Kind::Punctuator || !is_launch(tokens, i)) continue;
    state.uses_kernels = true;
    if (!bodies) bodies.emplace(tokens);
    if (bodies->contain(i))
      state.add(Finding::Kind::Look, i).message =
          "a kernel launches a kernel, which HIP does not have: launch from the host";
    const Launch launch = read_launch(tokens, i);
    const bool hip_syntax = state.options.launches == LaunchSyntax::Hip;
    bool counted = launch.configuration.size() >= 2 && launch.configuration.size() <= 4;
    for (const CallArgument& argument : launch.configuration) counted &= !argument.empty();
    if (hip_syntax && (!launch.complete() || !counted)) {
      Finding& finding = state.add(Finding::Kind::Look, i);
      finding.message =
          counted || launch.configuration_close == kNone
              ? "the parts of this launch are not found; it stays as it is, and hipcc compiles it if it is right"
              : "a launch has two to four values in <<< >>>; it stays as it is, and is hipcc's to judge";
      continue;
    }
    Finding& finding = state.add(Finding::Kind::Launch, i);
    if (launch.kernel_first != kNone) finding.name = source_text(tokens, launch.kernel_first, launch.kernel_last);
    if (!hip_syntax) {
      if (launch.spaced && launch.configuration_close != kNone) close_up(state, launch, i);
      continue;
    }
    finding.replacement = "hipLaunchKernelGGL";
    rewrite(state, launch, i);
  }
}

} // namespace hip::hipify
