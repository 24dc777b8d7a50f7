// rocminfo: lines as ROCm's tool prints them, since scripts look for "Name: gfx942", "Marketing Name:", "Compute Unit:"
// or "amdgcn-amd-amdhsa--". What HIP does not say of a device has no line.
#include "names.h"

#include <hip/hip_runtime_api.h>

#include <algorithm>
#include <cstdio>
#include <fstream>
#include <string>
#include <thread>

namespace hip::tools {
namespace {

void line(int indent, const char* label, const std::string& value) {
  std::printf("%*s%-25s%-35s\n", indent * 2, "", label, value.c_str());
}
void line(int indent, const char* label, uint64_t value) { line(indent, label, std::to_string(value)); }
// With the value in hexadecimal digits, too.
void sized(int indent, const char* label, uint64_t value) {
  char text[64];
  std::snprintf(text, sizeof text, "%llu(0x%llx)", static_cast<unsigned long long>(value),
                static_cast<unsigned long long>(value));
  line(indent, label, text);
}
void heading(const char* stars, const std::string& text) { std::printf("%s\n%s\n%s\n", stars, text.c_str(), stars); }

std::string host_name() {
  std::ifstream file("/proc/cpuinfo");
  for (std::string text; std::getline(file, text);)
    if (text.starts_with("model name")) return text.substr(std::min(text.find(':') + 2, text.size()));
  return "CPU";
}

void print_host() {
  heading("*******", "Agent 1");
  const std::string name = host_name();
  line(1, "Name:", name);
  line(1, "Uuid:", "CPU-XX");
  line(1, "Marketing Name:", name);
  line(1, "Vendor Name:", "CPU");
  line(1, "Node:", uint64_t{0});
  line(1, "Device Type:", "CPU");
  line(1, "Compute Unit:", std::thread::hardware_concurrency());
  std::printf("  ISA Info:\n");
  line(2, "N/A", "");
}

void print_device(int index, const hipDeviceProp_t& p) {
  const std::string target(p.gcnArchName);
  heading("*******", "Agent " + std::to_string(index + 2));
  line(1, "Name:", target.substr(0, target.find(':')));
  line(1, "Uuid:", "GPU-" + std::string(p.uuid.bytes, sizeof p.uuid.bytes)); // 16 hexadecimal digits
  line(1, "Marketing Name:", p.name);
  line(1, "Vendor Name:", "AMD");
  line(1, "Feature:", "KERNEL_DISPATCH");
  line(1, "Node:", static_cast<uint64_t>(index) + 1);
  line(1, "Device Type:", "GPU");
  std::printf("  Cache Info:\n");
  sized(2, "L2:", static_cast<uint64_t>(p.l2CacheSize) / 1024);
  line(1, "Max Clock Freq. (MHz):", static_cast<uint64_t>(p.clockRate) / 1000);
  line(1, "BDFID:", static_cast<uint64_t>(p.pciBusID) << 8 | static_cast<uint64_t>(p.pciDeviceID) << 3);
  line(1, "Compute Unit:", static_cast<uint64_t>(p.multiProcessorCount));
  line(1, "Features:", "KERNEL_DISPATCH");
  sized(1, "Wavefront Size:", static_cast<uint64_t>(p.warpSize));
  sized(1, "Workgroup Max Size:", static_cast<uint64_t>(p.maxThreadsPerBlock));
  std::printf("  Workgroup Max Size per Dimension:\n");
  for (int i = 0; i < 3; ++i) sized(2, std::string(1, "xyz"[i]).c_str(), static_cast<uint64_t>(p.maxThreadsDim[i]));
  sized(1, "Max Waves Per CU:", static_cast<uint64_t>(p.maxThreadsPerMultiProcessor / p.warpSize));
  sized(1, "Max Work-item Per CU:", static_cast<uint64_t>(p.maxThreadsPerMultiProcessor));
  std::printf("  Pool Info:\n    Pool 1\n");
  line(3, "Segment:", "GLOBAL; FLAGS: COARSE GRAINED");
  char size[64];
  const auto kilobytes = static_cast<unsigned long long>(p.totalGlobalMem / 1024);
  std::snprintf(size, sizeof size, "%llu(0x%llx) KB", kilobytes, kilobytes);
  line(3, "Size:", size);
  std::printf("    Pool 2\n");
  line(3, "Segment:", "GROUP");
  std::snprintf(size, sizeof size, "%zu(0x%zx) KB", p.sharedMemPerBlock / 1024, p.sharedMemPerBlock / 1024);
  line(3, "Size:", size);
  std::printf("  ISA Info:\n    ISA 1\n");
  line(3, "Name:", "amdgcn-amd-amdhsa--" + target);
}

} // namespace

int rocminfo(Arguments arguments) {
  if (!arguments.empty()) {
    const bool help = arguments[0] == "-h" || arguments[0] == "--help";
    std::fprintf(help ? stdout : stderr, "Usage: rocminfo\n");
    return help ? 0 : 1;
  }
  heading("=====================", "HSA System Attributes");
  int version = 0;
  static_cast<void>(hipRuntimeGetVersion(&version));
  line(0, "Runtime Version:",
       std::to_string(version / 10000000) + "." + std::to_string(version / 100000 % 100) + " (HIP)");
  std::printf("\n");
  heading("==========", "HSA Agents");
  print_host();
  int count = 0;
  if (hipGetDeviceCount(&count) != hipSuccess) count = 0;
  int shown = 0;
  for (int device = 0; device < count; ++device) {
    hipDeviceProp_t properties;
    if (hipGetDeviceProperties(&properties, device) != hipSuccess) {
      std::fprintf(stderr, "rocminfo: error: device %d does not tell its properties\n", device);
      return 1;
    }
    if (std::string_view(properties.gcnArchName).starts_with("gfx")) print_device(shown++, properties);
  }
  std::printf("*** Done ***\n");
  return 0;
}

} // namespace hip::tools
