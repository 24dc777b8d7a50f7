// FFT of 1024 points as 32 x 32: transforms of 32 points down the columns, vectors across them, twice, with a product
// by roots and a transpose between. Everything stays in the first-level cache.
#include "problems/fft.h"

namespace {

constexpr int kSide = 32;
struct Matrix {
  alignas(64) float re[kSide][kSide], im[kSide][kSide];
};

// One step of Stockham's algorithm down the columns, radix R; `span` points are transformed already.
template<int R> void step(const Matrix& in, Matrix& out, int span, const float* root) {
  for (int j = 0; j < kSide / R; ++j) {
    const int k = j % span, to = (j / span) * span * R + k;
    float wr[R], wi[R];
    for (int r = 0; r < R; ++r) {
      const int turn = k * r * (problems::Fft::kPoints / (R * span));
      wr[r] = root[2 * turn], wi[r] = root[2 * turn + 1];
    }
#pragma omp simd
    for (int c = 0; c < kSide; ++c) {
      float vr[R], vi[R];
      for (int r = 0; r < R; ++r) {
        const float x = in.re[j + r * (kSide / R)][c], y = in.im[j + r * (kSide / R)][c];
        vr[r] = x * wr[r] - y * wi[r], vi[r] = x * wi[r] + y * wr[r];
      }
      if constexpr (R == 2) {
        out.re[to][c] = vr[0] + vr[1], out.im[to][c] = vi[0] + vi[1];
        out.re[to + span][c] = vr[0] - vr[1], out.im[to + span][c] = vi[0] - vi[1];
      } else {
        const float er = vr[0] + vr[2], ei = vi[0] + vi[2], fr = vr[0] - vr[2], fi = vi[0] - vi[2];
        const float gr = vr[1] + vr[3], gi = vi[1] + vi[3], hr = vi[1] - vi[3], hi = vr[3] - vr[1];
        out.re[to][c] = er + gr, out.im[to][c] = ei + gi;
        out.re[to + span][c] = fr + hr, out.im[to + span][c] = fi + hi;
        out.re[to + 2 * span][c] = er - gr, out.im[to + 2 * span][c] = ei - gi;
        out.re[to + 3 * span][c] = fr - hr, out.im[to + 3 * span][c] = fi - hi;
      }
    }
  }
}
void columns(Matrix& a, Matrix& b, const float* root) { // from a to b
  step<4>(a, b, 1, root);
  step<4>(b, a, 4, root);
  step<2>(a, b, 16, root);
}

void transform(const float* in, float* out, const Matrix& turns, const float* root) {
  Matrix a, b;
  for (int r = 0; r < kSide; ++r)
    for (int c = 0; c < kSide; ++c) a.re[r][c] = in[2 * (r * kSide + c)], a.im[r][c] = in[2 * (r * kSide + c) + 1];
  columns(a, b, root);
  for (int r = 0; r < kSide; ++r)
    for (int c = 0; c < kSide; ++c) {
      a.re[c][r] = b.re[r][c] * turns.re[r][c] - b.im[r][c] * turns.im[r][c];
      a.im[c][r] = b.re[r][c] * turns.im[r][c] + b.im[r][c] * turns.re[r][c];
    }
  columns(a, b, root);
  for (int r = 0; r < kSide; ++r)
    for (int c = 0; c < kSide; ++c) out[2 * (r * kSide + c)] = b.re[r][c], out[2 * (r * kSide + c) + 1] = b.im[r][c];
}

} // namespace

KIT_CASE(fft) {
  const problems::Fft problem(run.scale());
  kit::Array<float> out(problem.in.size());
  const float* root = problem.root.data();
  Matrix turns;
  for (int r = 0; r < kSide; ++r)
    for (int c = 0; c < kSide; ++c) turns.re[r][c] = root[2 * r * c], turns.im[r][c] = root[2 * r * c + 1];
  run.measure(problem.flops(), "GFLOP/s", 1e9, [&] {
#pragma omp parallel for schedule(static)
    for (size_t b = 0; b < problem.batch; ++b)
      transform(&problem.in[2 * b * problem.kPoints], &out[2 * b * problem.kPoints], turns, root);
  });
  KIT_CHECK(problem.right(out));
}
