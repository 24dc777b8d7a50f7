// The calls by which clang's generated code registers a fat binary and its symbols with the runtime.
#pragma once

#include <hip/hip_runtime_api.h>

#include <cstddef>

extern "C" {
void** __hipRegisterFatBinary(const void* wrapper);
void __hipUnregisterFatBinary(void** modules);
void __hipRegisterFunction(void** modules, const void* host, char* device_function, const char* device_name,
                           unsigned thread_limit, void* tid, void* bid, dim3* block, dim3* grid, int* size);
void __hipRegisterVar(void** modules, void* var, char* host_var, char* device_var, int ext, size_t size, int constant,
                      int global);
void __hipRegisterTexture(void** modules, void* var, char* host_var, char* device_var, int type, int norm, int ext);
void __hipRegisterSurface(void** modules, void* var, char* host_var, char* device_var, int type, int ext);
void __hipRegisterManagedVar(void* modules, void** pointer, void* init, const char* name, size_t size, unsigned align);
}
