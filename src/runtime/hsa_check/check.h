// runtime/hsa_check/check.h - OMNIHIP_HSA_CHECK: a layer that looks at every call of HSA's interface and at every
// packet, and says on standard error what breaks the interface's rules (rules.def), where, and what to do. It lies
// between the program and a runtime: in libhsa-runtime64 between its exported functions and their bodies, in
// libamdhip64 between the back end for AMD's cards and the runtime that this has opened. It uses public functions
// alone. A call is passed on as it is, but where the runtime would follow a handle that is none: then it gets the error
// that it deserves. Thread safety: any thread, once started.
#pragma once

#include "runtime/base/status.h"

#include <functional>

namespace hip::hsa_check {

// OMNIHIP_HSA_CHECK: nothing; a message for each finding; the process ends (abort) after the first.
enum class Mode { Off, Report, Stop };
Result<Mode> mode();

// `lookup` gives the functions to pass calls on to, by their names; null for those that the runtime has not. Forgets
// what a start before has noted. Not while other threads call.
Status start(Mode mode, const std::function<void*(const char*)>& lookup);

// What is to be called in place of the function; null: it is not checked.
void* checking(const char* function) noexcept;

} // namespace hip::hsa_check
