// runtime/hsa_check/report.h - findings, and the functions that calls are passed on to. Thread safety: any thread.
#pragma once

#include "runtime/base/format.h"

#include <hsa/hsa_ext_amd.h>

#include <string_view>

namespace hip::hsa_check {

enum class Rule {
#define HSA_RULE(identifier, name, advice) identifier,
#include "runtime/hsa_check/rules.def"
#undef HSA_RULE
};

// "HSA check [name] where: what advice"; ends the process when the mode is Stop.
void write_finding(Rule rule, std::string_view where, std::string_view what);
template<class... A> void report(Rule rule, std::string_view where, fmt::format_string<A...> what, A&&... args) {
  write_finding(rule, where, fmt::vformat(what, fmt::make_format_args(args...)));
}

// The runtime's own functions. Those that it lacks are null, and no program can call them.
struct Functions {
#define HSA_ASKED(name) decltype(::name)* name = nullptr;
#define HSA_CHECKED(name) HSA_ASKED(name)
#include "runtime/hsa_check/functions.def"
#undef HSA_ASKED
#undef HSA_CHECKED
};
extern Functions next;

} // namespace hip::hsa_check

// The functions that are called in their place, with the same names.
namespace hip::hsa_check::calls {
#define HSA_ASKED(name)
#define HSA_CHECKED(name) decltype(::name) name;
#include "runtime/hsa_check/functions.def"
#undef HSA_ASKED
#undef HSA_CHECKED
} // namespace hip::hsa_check::calls
