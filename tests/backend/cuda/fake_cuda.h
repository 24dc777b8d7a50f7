// tests/backend/cuda/fake_cuda.h - what tests tell the fake driver (libfake_cuda.so): which call fails how, which
// kernel faults; and what it tells them: which calls came. The environment steers what must hold before the first call:
//   FAKE_CUDA_DEVICES       number of GPUs (1)
//   FAKE_CUDA_VERSION       what cuDriverGetVersion says (13000)
//   FAKE_CUDA_INIT          what cuInit gives (0)
//   FAKE_CUDA_PROC_ADDRESS  0: cuGetProcAddress finds nothing, as in drivers before CUDA 12
//   FAKE_CUDA_PTX_LOG       the compiler refuses all PTX, and this is its log
#pragma once

extern "C" {
// Forgets calls, injected errors, lost contexts and registered memory; allocations stay.
void fake_cuda_reset();
// The nth call from now of `name` (as in driver.def, or "*" for any) gives `result` and does nothing.
void fake_cuda_fail(const char* name, int nth, int result);
// Every run of the kernel `name` ends its context with `result`.
void fake_cuda_fault(const char* name, int result);
// How many calls of `name` (or "*") came since the reset.
int fake_cuda_calls(const char* name);
// The name of the nth call since the reset, from 0 on; null when there were fewer.
const char* fake_cuda_call(int nth);
// Work is not begun until it is allowed again.
void fake_cuda_hold(bool hold);
// The time of events that are reached from now on, until the reset; else it is steady_clock's.
void fake_cuda_clock(unsigned long long ns);
// What cuTexObjectCreate was given for `texture` of the first GPU: a CUDA_RESOURCE_DESC and a CUDA_TEXTURE_DESC. 0: no
// such.
int fake_cuda_texture(unsigned long long texture, void* resource, void* sampling);
// The last CUaccessPolicyWindow that cuStreamSetAttribute was given.
void fake_cuda_window(void* window);
// A handle of memory for other processes, from now on one of another process's memory: cuIpcOpenMemHandle gives new
// memory for it, where those of this process are refused.
void fake_cuda_make_foreign(void* handle);
// Allocations, streams, events, modules, arrays, objects (textures and surfaces) and externals (imported memory and
// semaphores) that are alive.
int fake_cuda_live(const char* kind);
}
