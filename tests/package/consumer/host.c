/* Calls the API from C. */
#include <hip/hip_runtime_api.h>

#include <stdio.h>

int main(void) {
  void* memory = NULL;
  if (hipMalloc(&memory, 100) != hipSuccess || memory == NULL) return 1;
  if (hipFree(memory) != hipSuccess) return 2;
  puts("right");
  return 0;
}
