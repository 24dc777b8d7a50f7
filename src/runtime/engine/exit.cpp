// runtime/engine/exit.cpp - a shared object that is linked with this file destroys none of its static objects when the
// process ends. Threads may still translate or execute a kernel then, and use LLVM's tables. No static object owns anything that
// outlives the process, so destroying them would win nothing.

// The function with which static objects register their destructors (Itanium C++ ABI, section 3.3.6); this one does nothing.
extern "C" __attribute__((visibility("hidden"))) int __cxa_atexit(void (*)(void*), void*, void*) noexcept { return 0; }
