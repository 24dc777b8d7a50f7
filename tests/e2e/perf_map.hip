// What the profiler perf is told of translated kernels (OMNIHIP_PERF_MAP).
#include "e2e.h"

#include <fstream>
#include <unistd.h>

namespace {

// The runtime reads its environment with the first call of HIP.
const bool environment_is_set = [] {
  setenv("OMNIHIP_BACKEND", "aql", 1);
  setenv("OMNIHIP_PERF_MAP", "1", 1);
  setenv("OMNIHIP_TIER", "1", 1);
  setenv("OMNIHIP_CACHE", "0", 1);
  return true;
}();

extern "C" __global__ void kernel_of_the_map(float* data, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) data[i] = data[i] * 3.0f + 1.0f;
}

struct Symbol {
  unsigned long begin, bytes;
  std::string name;
};

std::vector<Symbol> symbols_of(const std::string& path) {
  std::vector<Symbol> symbols;
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) {
    Symbol s;
    int name = 0;
    CHECK(std::sscanf(line.c_str(), "%lx %lx %n", &s.begin, &s.bytes, &name) == 2 && name > 0);
    s.name = line.substr(name);
    symbols.push_back(s);
  }
  return symbols;
}

} // namespace

E2E_CASE(instructions_of_a_kernel_are_symbols) {
  CHECK(environment_is_set);
  constexpr int kCount = 1000;
  e2e::Device<float> data(std::vector<float>(kCount, 2.0f));
  kernel_of_the_map<<<(kCount + 255) / 256, 256>>>(data, kCount);
  RUN_OK();
  CHECK(data.download()[kCount - 1] == 7.0f);

  const std::string path = "/tmp/perf-" + std::to_string(getpid()) + ".map";
  std::vector<Symbol> symbols = symbols_of(path);
  CHECK(unlink(path.c_str()) == 0);
  unsigned loads = 0, stores = 0;
  for (const Symbol& s : symbols) {
    CHECK(s.begin > 0 && s.bytes > 0);
    CHECK(s.name.find("kernel_of_the_map") == 0);
    loads += s.name.find("load_dword") != std::string::npos;
    stores += s.name.find("store_dword") != std::string::npos;
  }
  CHECK(loads > 0);
  CHECK(stores > 0);
  // No byte of host code belongs to two instructions.
  std::sort(symbols.begin(), symbols.end(), [](const Symbol& a, const Symbol& b) { return a.begin < b.begin; });
  for (size_t i = 0; i + 1 < symbols.size(); ++i) CHECK(symbols[i].begin + symbols[i].bytes <= symbols[i + 1].begin);
}
