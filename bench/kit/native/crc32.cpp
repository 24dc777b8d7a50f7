// CRC-32, eight bytes at a time, two records side by side so that their chains of loads overlap.
#include "problems/crc32.h"

namespace {

uint32_t advance(const uint32_t* table, uint32_t crc, uint32_t low, uint32_t high) {
  low ^= crc;
  return table[7 * 256 + (low & 255)] ^ table[6 * 256 + (low >> 8 & 255)] ^ table[5 * 256 + (low >> 16 & 255)] ^
         table[4 * 256 + (low >> 24)] ^ table[3 * 256 + (high & 255)] ^ table[2 * 256 + (high >> 8 & 255)] ^
         table[256 + (high >> 16 & 255)] ^ table[high >> 24];
}

} // namespace

KIT_CASE(crc32) {
  using P = problems::Crc32;
  const P problem(run.scale());
  kit::Array<uint32_t> crc(problem.records);
  const uint32_t* table = problem.table.data();
  run.measure(problem.bytes(), "GB/s", 1e9, [&] {
#pragma omp parallel for schedule(static)
    for (size_t r = 0; r < problem.records; r += 2) {
      const uint32_t *a = &problem.words[r * P::kRecordWords], *b = a + P::kRecordWords;
      uint32_t value_a = ~0u, value_b = ~0u;
      for (uint32_t i = 0; i < P::kRecordWords; i += 2) {
        value_a = advance(table, value_a, a[i], a[i + 1]);
        value_b = advance(table, value_b, b[i], b[i + 1]);
      }
      crc[r] = ~value_a, crc[r + 1] = ~value_b;
    }
  });
  KIT_CHECK(problem.right(crc));
}
