// runtime/rtc/compiler/crash_guard.h - code that may crash, run so that the process survives: on a thread with a large
// stack, from which a fault leaves by siglongjmp.
//
// After a crash, locks that the code held stay locked and its memory is lost: the caller never enters that code again.
// Signal handlers are installed once and stay; faults of other threads, and signals that are sent to them, do what they
// did before: call the handlers that were there, be ignored or end the process.
// Thread safety: any thread.
#pragma once

#include <functional>
#include <string>

namespace hip::rtc {

enum class GuardResult { Returned, Crashed, NotStarted }; // NotStarted: there is no thread to be had

// `f` throws nothing. After a crash `reason` tells the signal, or what abandon() was given.
GuardResult run_guarded(const std::function<void()>& f, std::string& reason);

// Ends the guarded code that runs on this thread as a crash does. Returns when there is none.
void abandon(const char* reason) noexcept;

} // namespace hip::rtc
