// What hiprtc takes to compile a small kernel: the first of a process, later ones, and the same ones from the cache on
// disk, where another process has left them. Milliseconds, by the wall's clock and of processor time, medians of 15
// processes with 8 later programs each. Caches lie in a folder of this program's own.
#include <hip/hiprtc.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <string>
#include <unistd.h>
#include <vector>

namespace {

constexpr int kProcesses = 15, kPrograms = 9;

void check(hiprtcResult result) {
  if (result == HIPRTC_SUCCESS) return;
  std::fprintf(stderr, "%s\n", hiprtcGetErrorString(result));
  std::exit(1);
}

struct Times {
  std::vector<double> wall_ms, processor_ms;
  void add(const Times& o, size_t begin, size_t end) {
    wall_ms.insert(wall_ms.end(), o.wall_ms.begin() + long(begin), o.wall_ms.begin() + long(end));
    processor_ms.insert(processor_ms.end(), o.processor_ms.begin() + long(begin), o.processor_ms.begin() + long(end));
  }
};

// Makes program number `number`, gets its code, and prints how long both took.
void compile(int number) {
  const std::string source = "extern \"C\" __global__ void saxpy(float a, const float* x, float* y, int n) {\n"
                             "  const int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
                             "  if (i < n) y[i] = a * x[i] + y[i] + " +
                             std::to_string(number) + ";\n}\n";
  const auto start = std::chrono::steady_clock::now();
  const std::clock_t processor_start = std::clock(); // of all threads
  hiprtcProgram program;
  check(hiprtcCreateProgram(&program, source.c_str(), "saxpy.hip", 0, nullptr, nullptr));
  const char* const option = "--offload-arch=gfx942";
  check(hiprtcCompileProgram(program, 1, &option));
  size_t bytes = 0;
  check(hiprtcGetCodeSize(program, &bytes));
  std::vector<char> code(bytes);
  check(hiprtcGetCode(program, code.data()));
  check(hiprtcDestroyProgram(&program));
  std::printf("%.3f %.3f\n",
              std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count(),
              double(std::clock() - processor_start) * 1000 / CLOCKS_PER_SEC);
}

double median(std::vector<double> times) {
  std::nth_element(times.begin(), times.begin() + long(times.size() / 2), times.end());
  return times[times.size() / 2];
}

// This program again, as a process that compiles all programs and prints their times.
Times times_of_process(const std::string& self) {
  std::FILE* const out = popen((self + " compile").c_str(), "re");
  Times times;
  for (double wall, processor; out && std::fscanf(out, "%lf %lf", &wall, &processor) == 2;) {
    times.wall_ms.push_back(wall);
    times.processor_ms.push_back(processor);
  }
  if (!out || pclose(out) != 0 || times.wall_ms.size() != kPrograms) std::exit(1);
  return times;
}

} // namespace

int main(int argc, char**) {
  if (argc > 1) {
    for (int number = 0; number < kPrograms; ++number) compile(number);
    return 0;
  }
  std::string folder = (std::filesystem::temp_directory_path() / "rtc-times-XXXXXX").string();
  if (!mkdtemp(folder.data())) return 1;
  setenv("OMNIHIP_CACHE", "1", 1);
  setenv("OMNIHIP_CACHE_DIR", folder.c_str(), 1);
  const std::string self = std::filesystem::read_symlink("/proc/self/exe").string();
  Times first, later, first_cached, cached;
  for (int process = 0; process < kProcesses; ++process) {
    for (const bool warm : {false, true}) {
      const Times times = times_of_process(self);
      (warm ? first_cached : first).add(times, 0, 1);
      (warm ? cached : later).add(times, 1, kPrograms);
    }
    for (const auto& entry : std::filesystem::directory_iterator(folder)) std::filesystem::remove_all(entry);
  }
  std::filesystem::remove_all(folder);
  const auto print = [](const char* name, const Times& times) {
    std::printf("%s,%.2f,%.2f\n", name, median(times.wall_ms), median(times.processor_ms));
  };
  print("first of a process", first);
  print("later", later);
  print("first of a process, from the cache", first_cached);
  print("later, from the cache", cached);
}
