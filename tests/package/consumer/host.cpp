// Calls the API from plain C++.
#include <hip/hip_runtime_api.h>

#include <cstdio>

int main() {
  int count = 0;
  if (hipGetDeviceCount(&count) != hipSuccess || count < 1) return 1;
  std::puts("right");
}
