// runtime/base/processors.cpp - see processors.h.
#include "runtime/base/processors.h"

#include <algorithm>
#include <cstdint>
#include <fstream>
#include <sched.h>
#include <thread>

namespace hip {

unsigned usable_processors() {
  cpu_set_t set;
  CPU_ZERO(&set);
  if (::sched_getaffinity(0, sizeof(set), &set) != 0) return std::max(1u, std::thread::hardware_concurrency());
  unsigned count = static_cast<unsigned>(std::max(1, CPU_COUNT(&set)));
  // "quota period" in microseconds, or "max".
  std::ifstream file("/sys/fs/cgroup/cpu.max");
  uint64_t quota = 0, period = 0;
  if (file >> quota >> period && period > 0)
    count = std::min<unsigned>(count, static_cast<unsigned>(std::max<uint64_t>(1, (quota + period - 1) / period)));
  return count;
}

} // namespace hip
