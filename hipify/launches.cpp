// Kernel launches. hipcc and nvcc both compile k<<<...>>>(), so it stays unless the options ask for hipLaunchKernelGGL.
#include "passes.h"
#include "syntax.h"

namespace hip::hipify {
namespace {

constexpr size_t kNone = Tokens::kNone;

std::string source_text(const Tokens& tokens, size_t first, size_t last) {
  return std::string(tokens.source().substr(tokens[first].begin, tokens[last].end - tokens[first].begin));
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
  const uint32_t kernel_end = tokens[launch.kernel_last].end;
  bool blank = true; // between the kernel and "<<<"
  for (char c : tokens.source().substr(kernel_end, tokens[chevrons].begin - kernel_end)) blank &= c == ' ' || c == '\t';
  std::string separator = named ? "), " : ", ";
  if (blank) {
    // k<<<1, 1>>> and k<<< 1, 1 >>> alike.
    uint32_t end = tokens[chevrons].end;
    if (tokens.is(chevrons + 1, Token::Kind::Space) && tokens.text(chevrons + 1)[0] != '\\')
      end = tokens[chevrons + 1].end;
    edits.replace(kernel_end, end, std::move(separator));
  } else {
    edits.replace(tokens[chevrons].begin, tokens[chevrons].end, std::move(separator));
  }
  for (const CallArgument& argument : launch.configuration) {
    if (!argument.comma) continue;
    edits.insert(tokens[argument.first].begin, "(");
    edits.insert(tokens[argument.last].end, ")");
  }
  std::string rest;
  for (size_t i = launch.configuration.size(); i < 4; ++i) rest += ", 0";
  edits.replace(tokens[launch.configuration.back().last].end, tokens[launch.configuration_close + 2].end,
                std::move(rest));
  const bool has_arguments = tokens.next(launch.open) != launch.close;
  edits.replace(tokens[launch.open].begin, tokens[launch.open].end, has_arguments ? ", " : "");
}

} // namespace

void convert_launches(ConversionState& state) {
  const Tokens& tokens = state.tokens;
  for (size_t i = 0; i < tokens.size(); ++i) {
    if (tokens[i].kind != Token::Kind::Punctuator || !is_launch(tokens, i)) continue;
    state.uses_kernels = true;
    const Launch launch = read_launch(tokens, i);
    const bool hip_syntax = state.options.launches == LaunchSyntax::Hip;
    const bool counted = launch.configuration.size() >= 2 && launch.configuration.size() <= 4;
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
    if (!hip_syntax) continue;
    finding.replacement = "hipLaunchKernelGGL";
    rewrite(state, launch, i);
  }
}

} // namespace hip::hipify
