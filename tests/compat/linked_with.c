// A library to link with, never loaded: symbols of libamdhip64 in the version nodes that AMD's had (linked_with.map).
void hipDriverGetVersion(void) {}
void hipFree(void) {}
void hipGetLastError(void) {}
void hipMalloc(void) {}
void hipMallocAsync(void) {}
void hipMemcpy(void) {}
void hipMemset(void) {}
void hipModuleLoad(void) {}
void hipPointerGetAttributes(void) {}
void hipSetDevice(void) {}
void hiprtcGetErrorString(void) {}
void hiprtcVersion(void) {}
