// What hiprtc takes to compile a small kernel: the first of a process, later ones, and the same ones from the cache on
// disk, where another process has left them. Wall-clock milliseconds, medians of 15 processes with 8 later programs
// each. Caches lie in a folder of this program's own.
#include <hip/hiprtc.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
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

// Milliseconds to make program number `number` and to get its code.
double compile(int number) {
  const std::string source = "extern \"C\" __global__ void saxpy(float a, const float* x, float* y, int n) {\n"
                             "  const int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
                             "  if (i < n) y[i] = a * x[i] + y[i] + " +
                             std::to_string(number) + ";\n}\n";
  const auto start = std::chrono::steady_clock::now();
  hiprtcProgram program;
  check(hiprtcCreateProgram(&program, source.c_str(), "saxpy.hip", 0, nullptr, nullptr));
  const char* const option = "--offload-arch=gfx942";
  check(hiprtcCompileProgram(program, 1, &option));
  size_t bytes = 0;
  check(hiprtcGetCodeSize(program, &bytes));
  std::vector<char> code(bytes);
  check(hiprtcGetCode(program, code.data()));
  check(hiprtcDestroyProgram(&program));
  return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
}

double median(std::vector<double> times) {
  std::nth_element(times.begin(), times.begin() + long(times.size() / 2), times.end());
  return times[times.size() / 2];
}

// This program again, as a process that compiles all programs and prints their times.
std::vector<double> times_of_process(const std::string& self) {
  std::FILE* const out = popen((self + " compile").c_str(), "re");
  std::vector<double> times;
  for (double ms; out && std::fscanf(out, "%lf", &ms) == 1;) times.push_back(ms);
  if (!out || pclose(out) != 0 || times.size() != kPrograms) std::exit(1);
  return times;
}

} // namespace

int main(int argc, char**) {
  if (argc > 1) {
    for (int number = 0; number < kPrograms; ++number) std::printf("%.3f\n", compile(number));
    return 0;
  }
  std::string folder = (std::filesystem::temp_directory_path() / "rtc-times-XXXXXX").string();
  if (!mkdtemp(folder.data())) return 1;
  setenv("OMNIHIP_CACHE", "1", 1);
  setenv("OMNIHIP_CACHE_DIR", folder.c_str(), 1);
  const std::string self = std::filesystem::read_symlink("/proc/self/exe").string();
  std::vector<double> first, later, first_cached, cached;
  for (int process = 0; process < kProcesses; ++process) {
    for (const bool warm : {false, true}) {
      const std::vector<double> times = times_of_process(self);
      (warm ? first_cached : first).push_back(times[0]);
      std::vector<double>& others = warm ? cached : later;
      others.insert(others.end(), times.begin() + 1, times.end());
    }
    for (const auto& entry : std::filesystem::directory_iterator(folder)) std::filesystem::remove_all(entry);
  }
  std::filesystem::remove_all(folder);
  std::printf(
      "first of a process,%.1f\nlater,%.1f\nfrom the cache, first of a process,%.2f\nfrom the cache, later,%.2f\n",
      median(first), median(later), median(first_cached), median(cached));
}
