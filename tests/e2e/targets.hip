// Which code object of a program runs on which processor. The program holds code for some processors and for some
// generic ones; its argument is the processor for which OMNIHIP_SOFT_TARGET has made the device, the code that must be
// chosen there, and what becomes of a launch: "runs", "refused" (the engine does not execute the processor's code yet),
// "none" (the program has no code for it; the log says so, of the program and of a library, once of each) or
// "no_engine" (OMNIHIP_ENGINE names a file that is not there; the log says so once).
#include <hip/hip_runtime.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <string>
#include <unistd.h>

__global__ void who_am_i(char* name, int* lanes) {
  const char own[] =
#if defined(__gfx90a__)
      "gfx90a";
#elif defined(__gfx942__)
      "gfx942";
#elif defined(__gfx9_4_generic__)
      "gfx9-4-generic";
#elif defined(__gfx9_generic__)
      "gfx9-generic";
#elif defined(__gfx1030__)
      "gfx1030";
#elif defined(__gfx1100__)
      "gfx1100";
#elif defined(__gfx1102__)
      "gfx1102";
#elif defined(__gfx11_generic__)
      "gfx11-generic";
#else
      "";
#endif
  const unsigned i = threadIdx.x;
  if (i < sizeof own) name[i] = own[i];
  if (i == 0) *lanes = warpSize;
}

static int failures = 0;
static void expect(bool holds, const char* what) {
  if (holds) return;
  std::printf("FAILED: %s\n", what);
  ++failures;
}

// What programs read of a device, by processor.
struct Device {
  const char* processor;
  int major, minor, lanes, registers;
  size_t lds_bytes;
};
static constexpr Device kDevices[] = {
    {"gfx906", 9, 0, 64, 65536, 65536},    {"gfx90a", 9, 0, 64, 131072, 65536},   {"gfx90c", 9, 0, 64, 65536, 65536},
    {"gfx942", 9, 4, 64, 131072, 65536},   {"gfx950", 9, 5, 64, 131072, 163840},  {"gfx1030", 10, 3, 32, 131072, 65536},
    {"gfx1100", 11, 0, 32, 196608, 65536}, {"gfx1102", 11, 0, 32, 131072, 65536}, {"gfx1151", 11, 5, 32, 196608, 65536},
    {"gfx1201", 12, 0, 32, 196608, 65536},
};

// What `run` writes to standard error.
template<class F> static std::string errors_of(const F& run) {
  std::FILE* const file = std::tmpfile();
  const int before = dup(STDERR_FILENO);
  if (!file || before < 0 || dup2(fileno(file), STDERR_FILENO) < 0) return "no file";
  run();
  dup2(before, STDERR_FILENO);
  close(before);
  std::string text;
  std::rewind(file);
  for (int c; (c = std::fgetc(file)) != EOF;) text += static_cast<char>(c);
  std::fclose(file);
  return text;
}

static size_t lines_of(const std::string& text) {
  return static_cast<size_t>(std::count(text.begin(), text.end(), '\n'));
}

static void holds(const std::string& text, const std::string& what) {
  if (text.find(what) == std::string::npos)
    std::printf("FAILED: '%s' is not in: %s\n", what.c_str(), text.c_str()), ++failures;
}

// Three launches where the engine cannot be loaded.
static void launch_without_engine(char* name, int* lanes) {
  const std::string text = errors_of([&] {
    for (int i = 0; i < 3; ++i) {
      who_am_i<<<1, 64>>>(name, lanes);
      expect(hipGetLastError() == hipErrorSharedObjectInitFailed, "a launch without an engine gets an error");
    }
  });
  expect(lines_of(text) == 1, "the log has one line about the engine");
  holds(text, "engine cannot be loaded");
  holds(text, std::getenv("OMNIHIP_ENGINE"));
}

// Launches of kernels without code for the device: three of them, by the program and by a library.
static void launch_without_code(const char* program, const char* processor, char* name, int* lanes) {
  const std::string own = errors_of([&] {
    for (int i = 0; i < 3; ++i) {
      who_am_i<<<1, 64>>>(name, lanes);
      expect(hipGetLastError() == hipErrorNoBinaryForGpu, "a program without code for the device gets an error");
    }
  });
  expect(lines_of(own) == 1, "the log has one line about the program's code");
  holds(own, std::string("which is ") + processor);
  holds(own, "gfx90a, gfx942, ");
  holds(own, std::string("The file is ") + program);

  const std::string file =
      std::string(program).substr(0, std::string(program).rfind('/') + 1) + "libregistered_library.so";
  void* const library = dlopen(file.c_str(), RTLD_NOW);
  if (!library) return expect(false, dlerror());
  const auto launch = reinterpret_cast<hipError_t (*)(int*, int)>(dlsym(library, "launch_add"));
  const std::string of_library = errors_of([&] {
    for (int i = 0; i < 3; ++i)
      expect(launch(lanes, 1) == hipErrorNoBinaryForGpu, "a library without code for the device gets an error");
  });
  expect(lines_of(of_library) == 1, "the log has one line about the library's code");
  holds(of_library, "The file holds: gfx942");
  holds(of_library, std::string("The file is ") + file);
}

int main(int argc, char** argv) {
  if (argc != 4) return 2;
  unsetenv("OMNIHIP_LOG"), unsetenv("AMD_LOG_LEVEL");
  const char *processor = argv[1], *code = argv[2], *outcome = argv[3];
  hipDeviceProp_t p;
  if (hipGetDeviceProperties(&p, 0) != hipSuccess) return std::printf("FAILED: there is no device\n"), 1;
  const size_t length = std::strlen(processor);
  expect(std::strncmp(p.gcnArchName, processor, length) == 0 &&
             (p.gcnArchName[length] == 0 || p.gcnArchName[length] == ':'),
         "the device's name is the processor's");
  for (const Device& device : kDevices) {
    if (std::strcmp(device.processor, processor) != 0) continue;
    expect(p.major == device.major && p.minor == device.minor, "major and minor version");
    expect(p.warpSize == device.lanes && warpSize == device.lanes, "the wave size");
    expect(p.regsPerBlock == device.registers, "registers of a block");
    expect(p.sharedMemPerBlock == device.lds_bytes, "LDS of a block");
    expect(p.maxThreadsPerMultiProcessor >= 1024 && p.maxThreadsPerMultiProcessor % p.warpSize == 0, "threads");
  }

  // Memory works whatever the engine executes.
  char* name = nullptr;
  int* lanes = nullptr;
  expect(hipMalloc(&name, 32) == hipSuccess && hipMalloc(&lanes, sizeof *lanes) == hipSuccess, "memory");
  expect(hipMemset(name, 0, 32) == hipSuccess, "filling memory");
  if (std::strcmp(outcome, "no_engine") == 0) {
    launch_without_engine(name, lanes);
    if (failures == 0) std::printf("PASSED\n");
    return failures != 0;
  }
  const bool has_code = std::strcmp(outcome, "none") != 0;
  if (has_code) who_am_i<<<1, 64>>>(name, lanes);
  const hipError_t launched = hipGetLastError();
  if (!has_code) {
    launch_without_code(argv[0], processor, name, lanes);
  } else if (std::strcmp(outcome, "refused") == 0) {
    expect(launched == hipErrorNotSupported, "code that is not executed yet is refused");
  } else {
    expect(launched == hipSuccess, "the kernel is launched");
    char found[32] = "";
    int wave = 0;
    expect(hipMemcpy(found, name, sizeof found, hipMemcpyDeviceToHost) == hipSuccess, "copying the name");
    expect(hipMemcpy(&wave, lanes, sizeof wave, hipMemcpyDeviceToHost) == hipSuccess, "copying the wave size");
    if (std::strcmp(found, code) != 0) std::printf("FAILED: the code of '%s' has run\n", found), ++failures;
    expect(wave == p.warpSize, "warpSize on the device");
  }
  if (failures == 0) std::printf("PASSED\n");
  return failures != 0;
}
