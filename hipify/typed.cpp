// What only types tell, so it is the exact form's alone: functions for both kinds of errors, which are one type in HIP,
// and addresses of the driver's interface, which are numbers in CUDA and pointers to void in HIP.
#include "passes.h"

namespace hip::hipify {

void convert_by_type(ConversionState& state) {
  if (!state.options.knowledge) return;
  const Tokens& tokens = state.tokens;
  const auto rewritten = [&](size_t i, const char* message) {
    Finding& finding = state.add(Finding::Kind::Rewritten, i);
    finding.message = message;
  };
  for (size_t i = 0; i < tokens.size(); ++i) {
    if (tokens[i].kind == Token::Kind::Space || tokens[i].kind == Token::Kind::Newline ||
        tokens[i].kind == Token::Kind::Comment)
      continue;
    const TokenBits bits = state.known(i);
    if (bits & kSecondError) {
      state.edits.insert(tokens[i].begin, "template <class = void> ");
      rewritten(i, "begins a function that is there for cudaError_t as well, which is the same type in HIP: it is a "
                   "template now, and the other one is preferred");
    }
    if (bits & kAddressSum) {
      state.edits.insert(tokens[i].begin, "(char*)");
      rewritten(i, "is an address that is counted with; HIP's are pointers, so it is cast to one of bytes");
    }
    if (bits & kAddressValue) {
      state.edits.insert(tokens[i].begin, "(hipDeviceptr_t)");
      rewritten(i, "is a number that becomes an address, which is a pointer in HIP");
    }
  }
}

} // namespace hip::hipify
