// Host code that knows of the kernels by a header alone.
#include "blur.cuh"
#include "run.h"

#include <cstdio>
#include <vector>

int main() {
  const int n = 200;
  std::vector<float> in(n), out(n);
  for (int i = 0; i < n; ++i) in[i] = float(i * i % 17);
  if (!run_blur(in.data(), out.data(), n)) return 1;
  for (int i = 0; i < n; ++i) {
    const float expected = (in[clamp(i - 1, n)] + in[i] + in[clamp(i + 1, n)]) / 3;
    if (out[i] > expected + 1e-5f || out[i] < expected - 1e-5f) {
      std::printf("element %d is %f, not %f\n", i, out[i], expected);
      return 1;
    }
  }
  return 0;
}
