// hipinfo: prints every device and its properties through the public HIP API, as any program would see them. Called by
// a name of ROCm's tools (names.h), it prints what that tool prints.
#include "names.h"

#include <hip/hip_runtime_api.h>

#include <cstdio>
#include <string>
#include <string_view>
#include <vector>

namespace {

// Prints the fault and returns false when a call did not succeed.
bool succeeded(hipError_t error, const char* call) {
  if (error == hipSuccess) return true;
  std::fprintf(stderr, "hipinfo: error: %s fails with %s: %s\n", call, hipGetErrorName(error),
               hipGetErrorString(error));
  return false;
}

std::string text(int value) { return std::to_string(value); }
std::string yes_no(int value) { return value ? "yes" : "no"; }
std::string triple(const int* value) { return text(value[0]) + " x " + text(value[1]) + " x " + text(value[2]); }
std::string mega_hertz(int kilo_hertz) { return text(kilo_hertz / 1000) + " MHz"; }

std::string bytes(size_t value) {
  constexpr const char* kUnits[] = {"B", "KiB", "MiB", "GiB", "TiB"};
  double scaled = static_cast<double>(value);
  size_t unit = 0;
  for (; scaled >= 1024 && unit + 1 < std::size(kUnits); ++unit) scaled /= 1024;
  char line[64];
  std::snprintf(line, sizeof line,
                unit && scaled != static_cast<double>(static_cast<size_t>(scaled)) ? "%.2f %s" : "%.0f %s", scaled,
                kUnits[unit]);
  return line;
}

struct Row {
  const char* label;
  std::string (*value)(const hipDeviceProp_t&);
};

// clang-format off
constexpr Row kRows[] = {
    {"Name",                          [](const hipDeviceProp_t& p) { return std::string(p.name); }},
    {"gcnArchName",                   [](const hipDeviceProp_t& p) { return std::string(p.gcnArchName); }},
    {"major.minor",                   [](const hipDeviceProp_t& p) { return text(p.major) + "." + text(p.minor); }},
    {"multiProcessorCount",           [](const hipDeviceProp_t& p) { return text(p.multiProcessorCount); }},
    {"warpSize",                      [](const hipDeviceProp_t& p) { return text(p.warpSize); }},
    {"clockRate",                     [](const hipDeviceProp_t& p) { return mega_hertz(p.clockRate); }},
    {"clockInstructionRate",          [](const hipDeviceProp_t& p) { return mega_hertz(p.clockInstructionRate); }},
    {"memoryClockRate",               [](const hipDeviceProp_t& p) { return mega_hertz(p.memoryClockRate); }},
    {"memoryBusWidth",                [](const hipDeviceProp_t& p) { return text(p.memoryBusWidth) + " bits"; }},
    {"totalGlobalMem",                [](const hipDeviceProp_t& p) { return bytes(p.totalGlobalMem); }},
    {"totalConstMem",                 [](const hipDeviceProp_t& p) { return bytes(p.totalConstMem); }},
    {"sharedMemPerBlock",             [](const hipDeviceProp_t& p) { return bytes(p.sharedMemPerBlock); }},
    {"sharedMemPerMultiprocessor",    [](const hipDeviceProp_t& p) { return bytes(p.sharedMemPerMultiprocessor); }},
    {"l2CacheSize",                   [](const hipDeviceProp_t& p) { return bytes(static_cast<size_t>(p.l2CacheSize)); }},
    {"regsPerBlock",                  [](const hipDeviceProp_t& p) { return text(p.regsPerBlock); }},
    {"maxThreadsPerBlock",            [](const hipDeviceProp_t& p) { return text(p.maxThreadsPerBlock); }},
    {"maxThreadsPerMultiProcessor",   [](const hipDeviceProp_t& p) { return text(p.maxThreadsPerMultiProcessor); }},
    {"maxThreadsDim",                 [](const hipDeviceProp_t& p) { return triple(p.maxThreadsDim); }},
    {"maxGridSize",                   [](const hipDeviceProp_t& p) { return triple(p.maxGridSize); }},
    {"pciDomainID:BusID.DeviceID",    [](const hipDeviceProp_t& p) {
       return text(p.pciDomainID) + ":" + text(p.pciBusID) + "." + text(p.pciDeviceID); }},
    {"asyncEngineCount",              [](const hipDeviceProp_t& p) { return text(p.asyncEngineCount); }},
    {"concurrentKernels",             [](const hipDeviceProp_t& p) { return yes_no(p.concurrentKernels); }},
    {"cooperativeLaunch",             [](const hipDeviceProp_t& p) { return yes_no(p.cooperativeLaunch); }},
    {"managedMemory",                 [](const hipDeviceProp_t& p) { return yes_no(p.managedMemory); }},
    {"memoryPoolsSupported",          [](const hipDeviceProp_t& p) { return yes_no(p.memoryPoolsSupported); }},
    {"unifiedAddressing",             [](const hipDeviceProp_t& p) { return yes_no(p.unifiedAddressing); }},
    {"canMapHostMemory",              [](const hipDeviceProp_t& p) { return yes_no(p.canMapHostMemory); }},
    {"integrated",                    [](const hipDeviceProp_t& p) { return yes_no(p.integrated); }},
    {"isMultiGpuBoard",               [](const hipDeviceProp_t& p) { return yes_no(p.isMultiGpuBoard); }},
    {"isLargeBar",                    [](const hipDeviceProp_t& p) { return yes_no(p.isLargeBar); }},
    {"ECCEnabled",                    [](const hipDeviceProp_t& p) { return yes_no(p.ECCEnabled); }},
    {"arch.hasGlobalInt32Atomics",    [](const hipDeviceProp_t& p) { return yes_no(p.arch.hasGlobalInt32Atomics); }},
    {"arch.hasGlobalInt64Atomics",    [](const hipDeviceProp_t& p) { return yes_no(p.arch.hasGlobalInt64Atomics); }},
    {"arch.hasSharedInt32Atomics",    [](const hipDeviceProp_t& p) { return yes_no(p.arch.hasSharedInt32Atomics); }},
    {"arch.hasSharedInt64Atomics",    [](const hipDeviceProp_t& p) { return yes_no(p.arch.hasSharedInt64Atomics); }},
    {"arch.hasDoubles",               [](const hipDeviceProp_t& p) { return yes_no(p.arch.hasDoubles); }},
    {"arch.hasWarpVote",              [](const hipDeviceProp_t& p) { return yes_no(p.arch.hasWarpVote); }},
    {"arch.hasWarpBallot",            [](const hipDeviceProp_t& p) { return yes_no(p.arch.hasWarpBallot); }},
    {"arch.hasWarpShuffle",           [](const hipDeviceProp_t& p) { return yes_no(p.arch.hasWarpShuffle); }},
    {"arch.has3dGrid",                [](const hipDeviceProp_t& p) { return yes_no(p.arch.has3dGrid); }},
};
// clang-format on

void print_row(const char* label, const std::string& value) { std::printf("%-34s%s\n", label, value.c_str()); }

bool print_device(int device, int count) {
  hipDeviceProp_t properties;
  if (!succeeded(hipGetDeviceProperties(&properties, device), "hipGetDeviceProperties")) return false;
  std::printf("%s\n", std::string(80, '-').c_str());
  print_row("device", text(device));
  for (const Row& row : kRows) print_row(row.label, row.value(properties));

  size_t free_bytes = 0, total_bytes = 0;
  if (!succeeded(hipSetDevice(device), "hipSetDevice")) return false;
  if (!succeeded(hipMemGetInfo(&free_bytes, &total_bytes), "hipMemGetInfo")) return false;
  print_row("memory free", bytes(free_bytes) + " of " + bytes(total_bytes));

  std::string peers;
  for (int other = 0; other < count; ++other) {
    int can = 0;
    if (other == device) continue;
    if (!succeeded(hipDeviceCanAccessPeer(&can, device, other), "hipDeviceCanAccessPeer")) return false;
    if (can) peers += (peers.empty() ? "" : ", ") + text(other);
  }
  print_row("peers", peers.empty() ? "none" : peers);
  return true;
}

int print_devices() {
  int runtime = 0, driver = 0, count = 0;
  if (!succeeded(hipRuntimeGetVersion(&runtime), "hipRuntimeGetVersion")) return 1;
  if (!succeeded(hipDriverGetVersion(&driver), "hipDriverGetVersion")) return 1;
  if (!succeeded(hipGetDeviceCount(&count), "hipGetDeviceCount")) return 1;
  std::printf("HIP runtime %d, driver %d, %d device%s\n", runtime, driver, count, count == 1 ? "" : "s");
  for (int device = 0; device < count; ++device) {
    if (!print_device(device, count)) return 1;
  }
  return 0;
}

} // namespace

int main(int argc, char** argv) {
  const std::vector<std::string_view> words(argv, argv + argc);
  const std::string_view path = words.empty() ? std::string_view() : words[0];
  const std::string_view name = path.substr(path.rfind('/') + 1);
  const auto arguments = hip::tools::Arguments(words).subspan(words.empty() ? 0 : 1);
  if (name == "rocminfo") return hip::tools::rocminfo(arguments);
  if (name == "rocm-smi") return hip::tools::rocm_smi(arguments);
  if (name == "amd-smi") return hip::tools::amd_smi(arguments);
  return print_devices();
}
