// hipinfo: prints every device and its properties through the public HIP API, as any program would see them. Called by
// a name of ROCm's tools (names.h), it prints what that tool prints.
#include "names.h"
#include "output.h"
#include "smi/rocm_smi.h"

#include <hip/hip_runtime_api.h>

#include <cstdio>
#include <fstream>
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

std::string first_line(const std::string& file) {
  std::ifstream in(file);
  std::string line;
  std::getline(in, line);
  return line;
}

// What the machine says of a real card: its PCI link, and what librocm_smi64 knows of AMD's. A software GPU has none.
void print_sensors(const hipDeviceProp_t& p) {
  char place[32];
  std::snprintf(place, sizeof place, "%04x:%02x:%02x.0", static_cast<unsigned>(p.pciDomainID),
                static_cast<unsigned>(p.pciBusID), static_cast<unsigned>(p.pciDeviceID));
  const std::string folder = std::string("/sys/bus/pci/devices/") + place + "/";
  const std::string speed = first_line(folder + "current_link_speed"),
                    lanes = first_line(folder + "current_link_width");
  if (!speed.empty() && !lanes.empty()) print_row("PCI link", speed + ", " + lanes + " lanes");
  if (rsmi_init(0) != RSMI_STATUS_SUCCESS) return;
  uint32_t count = 0;
  static_cast<void>(rsmi_num_monitor_devices(&count));
  const uint64_t wanted =
      uint64_t(static_cast<uint32_t>(p.pciDomainID)) << 32 | uint64_t(p.pciBusID) << 8 | uint64_t(p.pciDeviceID) << 3;
  for (uint32_t i = 0; i < count; ++i) {
    uint64_t bdf = 0, power = 0;
    int64_t millidegrees = 0;
    if (rsmi_dev_pci_id_get(i, &bdf) != RSMI_STATUS_SUCCESS || bdf != wanted) continue;
    if (rsmi_dev_temp_metric_get(i, RSMI_TEMP_TYPE_EDGE, RSMI_TEMP_CURRENT, &millidegrees) == RSMI_STATUS_SUCCESS ||
        rsmi_dev_temp_metric_get(i, RSMI_TEMP_TYPE_JUNCTION, RSMI_TEMP_CURRENT, &millidegrees) == RSMI_STATUS_SUCCESS)
      print_row("temperature", text(static_cast<int>(millidegrees / 1000)) + " C");
    constexpr std::pair<rsmi_clk_type_t, const char*> kClocks[] = {{RSMI_CLK_TYPE_SYS, "clock now"},
                                                                   {RSMI_CLK_TYPE_MEM, "memory clock now"}};
    for (const auto& [type, label] : kClocks)
      if (rsmi_frequencies_t levels{};
          rsmi_dev_gpu_clk_freq_get(i, type, &levels) == RSMI_STATUS_SUCCESS && levels.current < levels.num_supported)
        print_row(label, text(static_cast<int>(levels.frequency[levels.current] / 1'000'000)) + " MHz");
    if (rsmi_dev_power_ave_get(i, 0, &power) == RSMI_STATUS_SUCCESS)
      print_row("power", text(static_cast<int>(power / 1'000'000)) + " W");
  }
  static_cast<void>(rsmi_shut_down());
}

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

  print_sensors(properties);

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
  hip::tools::reserve_standard_streams();
  const std::vector<std::string_view> words(argv, argv + argc);
  const std::string_view path = words.empty() ? std::string_view() : words[0];
  const std::string_view name = path.substr(path.rfind('/') + 1);
  const auto arguments = hip::tools::Arguments(words).subspan(words.empty() ? 0 : 1);
  if (name == "rocminfo") return hip::tools::finish_output("rocminfo", hip::tools::rocminfo(arguments));
  if (name == "rocm-smi") return hip::tools::finish_output("rocm-smi", hip::tools::rocm_smi(arguments));
  if (name == "amd-smi") return hip::tools::finish_output("amd-smi", hip::tools::amd_smi(arguments));
  return hip::tools::finish_output("hipinfo", print_devices());
}
