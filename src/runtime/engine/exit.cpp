// runtime/engine/exit.cpp - a shared object that is linked with this file destroys none of its static objects when the
// process ends. Threads may still be in the midst of a translation or a kernel then, with LLVM's tables in their hands;
// nothing here owns anything that outlives the process, so they are left alone and go with it.

// Itanium C++ ABI, section 3.3.6: what static objects are registered with after their construction.
extern "C" __attribute__((visibility("hidden"))) int __cxa_atexit(void (*)(void*), void*, void*) noexcept { return 0; }
