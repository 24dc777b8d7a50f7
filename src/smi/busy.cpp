#include "smi/busy.h"

#include "runtime/base/thread_names.h"

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <mutex>
#include <string>
#include <thread>
#include <unistd.h>

namespace hip::smi {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;
constexpr auto kShortest = std::chrono::milliseconds(20);

struct Sample {
  Clock::time_point at;
  std::map<std::string, uint64_t> threads; // processor time in ns, by the thread's number
};

Sample take_sample() {
  Sample sample;
  std::error_code ignored;
  for (const auto& process : fs::directory_iterator("/proc", ignored)) {
    if (!std::isdigit(static_cast<unsigned char>(process.path().filename().c_str()[0]))) continue;
    // Threads and processes come and go meanwhile: what cannot be read is left out.
    for (fs::directory_iterator thread(process.path() / "task", ignored), end; thread != end;
         thread.increment(ignored)) {
      std::string name;
      std::ifstream(thread->path() / "comm") >> name;
      if (name != kWorkerThreadName) continue;
      uint64_t cpu_ns = 0;
      if (std::ifstream(thread->path() / "schedstat") >> cpu_ns) sample.threads[thread->path().filename()] = cpu_ns;
    }
  }
  sample.at = Clock::now();
  return sample;
}

} // namespace

uint32_t busy_percent() {
  static std::mutex mutex;
  static Sample& last = *new Sample;
  std::lock_guard lock(mutex);
  if (last.at == Clock::time_point()) last = take_sample();
  const auto age = Clock::now() - last.at;
  if (age < kShortest) std::this_thread::sleep_for(kShortest - age);
  Sample now = take_sample();
  uint64_t cpu_ns = 0;
  for (const auto& [thread, ns] : now.threads)
    if (const auto before = last.threads.find(thread); before != last.threads.end() && ns > before->second)
      cpu_ns += ns - before->second;
  const auto wall_ns = static_cast<uint64_t>(std::chrono::nanoseconds(now.at - last.at).count());
  const auto processors = static_cast<uint64_t>(std::max(1L, sysconf(_SC_NPROCESSORS_ONLN)));
  last = std::move(now);
  return static_cast<uint32_t>(std::min<uint64_t>(100, cpu_ns * 100 / std::max<uint64_t>(1, wall_ns * processors)));
}

} // namespace hip::smi
