// Hashes of strings of different lengths, a thread per string, a byte at a time.
#include "device.h"
#include "problems/string_hash.h"

namespace {

__global__ void hash_strings(const char* text, const uint32_t* begins, uint32_t* hashes, unsigned count) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count) return;
  uint32_t h = 0;
  for (uint32_t at = begins[i]; at < begins[i + 1]; ++at) {
    h += static_cast<unsigned char>(text[at]);
    h += h << 10;
    h ^= h >> 6;
  }
  h += h << 3;
  h ^= h >> 11;
  hashes[i] = h + (h << 15);
}

} // namespace

KIT_CASE(string_hash) {
  const problems::StringHash problem(run.scale());
  const kit::Device<char> text(problem.text);
  const kit::Device<uint32_t> begins(problem.begins);
  const unsigned count = static_cast<unsigned>(problem.strings());
  kit::Device<uint32_t> hashes(count);
  run.measure(static_cast<double>(problem.text.size()), "GB/s", 1e9, [&] {
    hash_strings<<<kit::groups(count, 256), 256>>>(text, begins, hashes, count);
    kit::wait();
  });
  KIT_CHECK(problem.right(hashes.download()));
}
