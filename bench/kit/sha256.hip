// SHA-256, a message per thread, the message schedule in sixteen registers.
#include "device.h"
#include "problems/sha256.h"

namespace {

__constant__ uint32_t round_constants[64];

__device__ uint32_t rotate(uint32_t x, int n) { return x >> n | x << (32 - n); }

__device__ void compress(uint32_t state[8], uint32_t w[16]) {
  uint32_t a = state[0], b = state[1], c = state[2], d = state[3];
  uint32_t e = state[4], f = state[5], g = state[6], h = state[7];
#pragma unroll 1
  for (int first = 0; first < 64; first += 16) {
#pragma unroll
    for (int i = 0; i < 16; ++i) {
      const uint32_t t1 =
          h + (rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25)) + (g ^ (e & (f ^ g))) + round_constants[first + i] + w[i];
      const uint32_t t2 = (rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22)) + ((a & b) | (c & (a | b)));
      h = g, g = f, f = e, e = d + t1, d = c, c = b, b = a, a = t1 + t2;
      const uint32_t w1 = w[(i + 1) & 15], w14 = w[(i + 14) & 15];
      w[i] += w[(i + 9) & 15] + (rotate(w1, 7) ^ rotate(w1, 18) ^ w1 >> 3) +
              (rotate(w14, 17) ^ rotate(w14, 19) ^ w14 >> 10);
    }
  }
  state[0] += a, state[1] += b, state[2] += c, state[3] += d;
  state[4] += e, state[5] += f, state[6] += g, state[7] += h;
}

struct Start {
  uint32_t state[8];
};

__global__ void hash(const uint4* messages, uint4* digests, Start start, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  uint32_t w[16], state[8];
  for (int j = 0; j < 4; ++j) {
    const uint4 part = messages[i * 4 + j];
    w[4 * j] = __builtin_bswap32(part.x), w[4 * j + 1] = __builtin_bswap32(part.y);
    w[4 * j + 2] = __builtin_bswap32(part.z), w[4 * j + 3] = __builtin_bswap32(part.w);
  }
  for (int j = 0; j < 8; ++j) state[j] = start.state[j];
  compress(state, w);
  for (uint32_t& word : w) word = 0;
  w[0] = 0x80000000, w[15] = 512;
  compress(state, w);
  digests[i * 2] = make_uint4(state[0], state[1], state[2], state[3]);
  digests[i * 2 + 1] = make_uint4(state[4], state[5], state[6], state[7]);
}

} // namespace

KIT_CASE(sha256) {
  const problems::Sha256 problem(run.scale());
  const kit::Device<uint32_t> words(problem.words), digests(problem.messages * problem.kDigestWords);
  HIP_OK(hipMemcpyToSymbol(HIP_SYMBOL(round_constants), problem.round, sizeof(problem.round)));
  Start start;
  std::copy_n(problem.start, 8, start.state);
  run.measure(problem.bytes(), "MB/s", 1e6, [&] {
    hash<<<kit::groups(problem.messages, 256), 256>>>(reinterpret_cast<const uint4*>(static_cast<uint32_t*>(words)),
                                                      reinterpret_cast<uint4*>(static_cast<uint32_t*>(digests)), start,
                                                      static_cast<int>(problem.messages));
    kit::wait();
  });
  KIT_CHECK(problem.right(digests.download()));
}
