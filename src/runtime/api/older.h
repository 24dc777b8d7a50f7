// runtime/api/older.h - what libamdhip64.so.6 and libamdhip64.so.5 (runtime/compat) call in this library beside the
// public interface. These symbols have a version node of their own, so that an older library that meets AMD's
// libamdhip64.so.7 is refused when it is loaded.
#pragma once

#include "runtime/api/public_headers.h"

extern "C" {

// The result of the calling thread's last call, success included: hipExtGetLastError without its side effect.
hipError_t __omnihipLastResult(void);

// Ends a call that an older library answers by itself: the code becomes the thread's last result and, unless it is a
// success, its last error; the message is logged as the entry's. Returns the code.
hipError_t __omnihipAnswer(const char* entry, hipError_t code, const char* message);

// Waits for the device of memory that a pool gave; returns at once for all other memory, for what is none, and while a
// capture of the thread forbids it.
void __omnihipFinishPoolMemory(void* memory);

// From now on the calling thread's launches take streams of other devices than its own, as before HIP 7.1, or not.
void __omnihipLaunchInAnyStream(bool any);

// Not of an older library: what another library of the process that has software GPUs finds (backend.h).
const void* __omnihipSoftwareGpus(void);

// Not of an older library either: from now on devices without image instructions have textures in software.
void __omnihipUseSoftwareTextures(void);

// Not of an older library either: makes the lines of the current device's cache that persist normal ones.
hipError_t __omnihipResetPersistingLines(void);

} // extern "C"
