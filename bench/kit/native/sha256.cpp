// SHA-256 of sixteen messages at a time, one in each lane of a vector.
#include "problems/sha256.h"

namespace {

constexpr int kLanes = 16;
using V = uint32_t __attribute__((vector_size(4 * kLanes)));

inline V rotate(V x, int n) { return x >> n | x << (32 - n); }

void compress(V state[8], V w[16], const uint32_t* constants) {
  V a = state[0], b = state[1], c = state[2], d = state[3], e = state[4], f = state[5], g = state[6], h = state[7];
  for (int first = 0; first < 64; first += 16) {
#pragma GCC unroll 16
    for (int i = 0; i < 16; ++i) {
      const V t1 =
          h + (rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25)) + (g ^ (e & (f ^ g))) + constants[first + i] + w[i];
      const V t2 = (rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22)) + ((a & b) | (c & (a | b)));
      h = g, g = f, f = e, e = d + t1, d = c, c = b, b = a, a = t1 + t2;
      const V w1 = w[(i + 1) & 15], w14 = w[(i + 14) & 15];
      w[i] += w[(i + 9) & 15] + (rotate(w1, 7) ^ rotate(w1, 18) ^ w1 >> 3) +
              (rotate(w14, 17) ^ rotate(w14, 19) ^ w14 >> 10);
    }
  }
  state[0] += a, state[1] += b, state[2] += c, state[3] += d;
  state[4] += e, state[5] += f, state[6] += g, state[7] += h;
}

} // namespace

KIT_CASE(sha256) {
  const problems::Sha256 problem(run.scale());
  kit::Array<uint32_t> digests(problem.messages * problem.kDigestWords);
  run.measure(problem.bytes(), "MB/s", 1e6, [&] {
#pragma omp parallel for schedule(static)
    for (size_t first = 0; first < problem.messages; first += kLanes) {
      V w[16] = {}, state[8];
      for (int l = 0; l < kLanes; ++l)
        for (int i = 0; i < 16; ++i) w[i][l] = __builtin_bswap32(problem.words[(first + l) * 16 + i]);
      for (int i = 0; i < 8; ++i) state[i] = V{} + problem.start[i];
      compress(state, w, problem.round);
      for (V& word : w) word = V{};
      w[0] += 0x80000000u, w[15] += 512u;
      compress(state, w, problem.round);
      for (int l = 0; l < kLanes; ++l)
        for (int i = 0; i < 8; ++i) digests[(first + l) * 8 + i] = state[i][l];
    }
  });
  KIT_CHECK(problem.right(digests));
}
