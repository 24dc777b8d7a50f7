// CRC-32, a record per thread, tables for four bytes at a time in LDS.
#include "device.h"
#include "problems/crc32.h"

namespace {

__global__ void checksum(const uint32_t* words, const uint32_t* table, uint32_t* crc, int records) {
  __shared__ uint32_t slice[4][256];
  for (int i = threadIdx.x; i < 1024; i += blockDim.x) slice[i / 256][i % 256] = table[i];
  __syncthreads();
  const int record = blockIdx.x * blockDim.x + threadIdx.x;
  if (record >= records) return;
  uint32_t value = ~0u;
  for (uint32_t i = 0; i < problems::Crc32::kRecordWords; ++i) {
    value ^= words[record * problems::Crc32::kRecordWords + i];
    value = slice[3][value & 255] ^ slice[2][value >> 8 & 255] ^ slice[1][value >> 16 & 255] ^ slice[0][value >> 24];
  }
  crc[record] = ~value;
}

} // namespace

KIT_CASE(crc32) {
  const problems::Crc32 problem(run.scale());
  const kit::Device<uint32_t> words(problem.words), table(problem.table), crc(problem.records);
  run.measure(problem.bytes(), "GB/s", 1e9, [&] {
    checksum<<<kit::groups(problem.records, 256), 256>>>(words, table, crc, static_cast<int>(problem.records));
    kit::wait();
  });
  KIT_CHECK(problem.right(crc.download()));
}
