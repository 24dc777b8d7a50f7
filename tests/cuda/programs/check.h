// check.h - the small frame of the CUDA test programs: CHECK(condition) prints what does not hold, checks_failed() counts.
#pragma once

#include <cstdio>

inline int& checks_failed() {
  static int failed = 0;
  return failed;
}
#define CHECK(...) \
  do { \
    if (!(__VA_ARGS__)) { \
      if (++checks_failed() <= 20) std::printf("%s:%d: %s\n", __FILE__, __LINE__, #__VA_ARGS__); \
    } \
  } while (0)
#define CHECK_CUDA(call) \
  do { \
    const cudaError_t check_error = (call); \
    if (check_error != cudaSuccess && ++checks_failed() <= 20) \
      std::printf("%s:%d: %s: %s\n", __FILE__, __LINE__, #call, cudaGetErrorName(check_error)); \
  } while (0)
