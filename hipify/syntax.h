// hipify/syntax.h - the little grammar that the quick form needs: brackets, arguments of a call, template arguments,
// what stands in front of a launch. All of it works on tokens and guesses where C++ would need declarations; a guess
// that fails says so (kNone), and the caller leaves the source as it is.
#pragma once

#include "lexer.h"

#include <vector>

namespace hip::hipify {

// The bracket ( [ { that closes the one at `open`, or kNone.
size_t closing_bracket(const Tokens& tokens, size_t open);
// The bracket that opens the one at `close`, or kNone.
size_t opening_bracket(const Tokens& tokens, size_t close);

// The '>' that ends the template arguments beginning with the '<' at `open`; kNone where it is more likely a
// comparison.
size_t closing_angle(const Tokens& tokens, size_t open);

// An argument: its first and last token that are not blank. `comma`: it has a comma of its own outside of parentheses,
// as template arguments have, which a macro would take for the end of the argument.
struct CallArgument {
  size_t first = Tokens::kNone;
  size_t last = Tokens::kNone;
  bool comma = false;

  bool empty() const { return first == Tokens::kNone; }
};

// The arguments between two tokens that enclose them, such as "(" and ")". `f()` has none.
std::vector<CallArgument> split_arguments(const Tokens& tokens, size_t open, size_t close);

// k<<<grid, block, bytes, stream>>>(arguments), by the "<<<".
struct Launch {
  size_t kernel_first = Tokens::kNone; // the expression that names the kernel
  size_t kernel_last = Tokens::kNone;
  bool has_template_arguments = false;
  std::vector<CallArgument> configuration;
  bool spaced = false;                  // "<< <" and ">> >", as some formatters write; nvcc takes it, clang does not
  size_t chevrons_last = Tokens::kNone; // the last token of "<<<"
  size_t configuration_close = Tokens::kNone;         // the first '>' of ">>>"
  size_t configuration_last = Tokens::kNone;          // the last one
  size_t open = Tokens::kNone, close = Tokens::kNone; // the parentheses of the arguments

  bool complete() const { return kernel_first != Tokens::kNone && close != Tokens::kNone; }
};

// True for a "<<<", or "<<" of "<< <", that can begin a launch: not that of operator<<<T>.
bool is_launch(const Tokens& tokens, size_t chevrons);
// Incomplete where a part is not found.
Launch read_launch(const Tokens& tokens, size_t chevrons);

} // namespace hip::hipify
