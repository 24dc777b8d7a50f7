// amd-smi: its commands list, static, metric, monitor and version, as text or as JSON.
#include "names.h"
#include "report.h"
#include "smi_device.h"

#include <algorithm>
#include <cctype>
#include <cstdio>

namespace hip::tools {
namespace {

constexpr const char* kUsage = "Usage: amd-smi list|static|metric|monitor|version [-g GPU...] [--json]\n"
                               "  -g, --gpu   only these, by number, BDF or UUID as list shows them; or all\n"
                               "What a software GPU does not have is N/A.\n";

std::string mega_bytes(uint64_t bytes) { return std::to_string(bytes >> 20); }

std::string degrees(std::optional<int64_t> millidegrees) { return scaled(millidegrees, 1000, 0, " C"); }
std::string watts(std::optional<int64_t> microwatts) { return scaled(microwatts, 1'000'000, 0, " W"); }
std::string mega_hertz(std::optional<int64_t> hertz) { return scaled(hertz, 1'000'000, 0, " MHz"); }

std::string with_percent(const std::string& value) { return value == kNone ? value : value + " %"; }

std::string uuid_of(const SmiDevice& d) { return "GPU-" + digits16(d.unique_id); }

Fields listed(const SmiDevice& d) {
  return {text("bdf", d.place), text("uuid", uuid_of(d)), text("kfd_id", kNone), number("node_id", d.node),
          number("partition_id", 0)};
}

Fields lasting(const SmiDevice& d) {
  return {
      group("asic", {text("market_name", d.name), text("vendor_id", "0x1002"), text("vendor_name", d.vendor),
                     text("device_id", kNone), text("rev_id", kNone), text("asic_serial", "0x" + digits16(d.unique_id)),
                     text("target_graphics_version", d.processor)}),
      group("bus", {text("bdf", d.place)}), group("driver", {text("name", "OmniHIP")}),
      group("vram", {text("type", kNone), text("vendor", kNone), text("size", mega_bytes(d.memory_bytes) + " MB")})};
}

Fields measured(const SmiDevice& d) {
  return {group("usage", {text("gfx_activity", with_percent(d.busy_percent)), text("umc_activity", kNone)}),
          group("power", {text("socket_power", watts(d.power_microwatts))}),
          group("clock", {text("gfx", mega_hertz(d.core_hertz)), text("mem", mega_hertz(d.memory_hertz))}),
          group("temperature",
                {text("edge", degrees(d.edge_millidegrees)), text("hotspot", degrees(d.junction_millidegrees)),
                 text("mem", degrees(d.memory_millidegrees))}),
          group("mem_usage", {text("total_vram", mega_bytes(d.memory_bytes) + " MB"),
                              text("used_vram", mega_bytes(d.used_bytes) + " MB")})};
}

std::string upper(std::string text) {
  for (char& c : text) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  return text;
}

void print(const Fields& fields, int indent) {
  for (const Field& field : fields) {
    std::printf("%*s%s:", indent * 4, "", upper(field.name).c_str());
    std::printf(field.group.empty() ? " %s\n" : "\n", field.value.c_str());
    print(field.group, indent + 1);
  }
}

void print_monitor(const std::vector<SmiDevice>& devices) {
  std::printf("GPU  POWER   GPU_T   MEM_T    GFX_CLK   GFX%%   MEM%%   VRAM_USED   VRAM_TOTAL\n");
  for (const SmiDevice& d : devices)
    std::printf("%3u  %5s   %5s   %5s   %8s   %4s   %4s   %6s MB   %7s MB\n", d.index,
                watts(d.power_microwatts).c_str(), degrees(d.junction_millidegrees).c_str(),
                degrees(d.memory_millidegrees).c_str(), mega_hertz(d.core_hertz).c_str(), d.busy_percent.c_str(),
                kNone.c_str(), mega_bytes(d.used_bytes).c_str(), mega_bytes(d.memory_bytes).c_str());
}

int print_version(bool as_json) {
  const Fields fields = {text("tool", "AMDSMI Tool (OmniHIP)"), text("version", OMNIHIP_VERSION)};
  if (as_json)
    std::printf("[%s]\n", json(fields).c_str());
  else
    std::printf("AMDSMI Tool: OmniHIP %s\n", OMNIHIP_VERSION);
  return 0;
}

bool is_meant(const SmiDevice& d, std::string_view word) {
  return word == "all" || word == std::to_string(d.index) || word == d.place || word == uuid_of(d);
}

// Leaves the devices that a word means. False: a word means none, and it is said so.
bool choose(std::vector<SmiDevice>& devices, const std::vector<std::string_view>& words) {
  std::vector<SmiDevice> chosen;
  for (const SmiDevice& device : devices)
    if (std::any_of(words.begin(), words.end(), [&](std::string_view word) { return is_meant(device, word); }))
      chosen.push_back(device);
  for (const std::string_view word : words)
    if (std::none_of(chosen.begin(), chosen.end(), [&](const SmiDevice& device) { return is_meant(device, word); })) {
      std::fprintf(stderr, "amd-smi: error: there is no GPU '%s'\n", std::string(word).c_str());
      return false;
    }
  devices = std::move(chosen);
  return true;
}

} // namespace

int amd_smi(Arguments arguments) {
  std::string_view command;
  std::vector<std::string_view> only; // empty: all devices
  bool as_json = false;
  for (size_t i = 0; i < arguments.size(); ++i) {
    const std::string_view word = arguments[i];
    const auto has_value = [&] { return i + 1 < arguments.size() && !arguments[i + 1].starts_with("-"); };
    if (word == "-h" || word == "--help") return std::fputs(kUsage, stdout) < 0;
    if (!command.empty() && (word == "-g" || word == "--gpu")) {
      if (!has_value()) {
        std::fprintf(stderr, "amd-smi: error: %s needs a GPU\n", std::string(word).c_str());
        return 2;
      }
      for (; has_value(); ++i) only.push_back(arguments[i + 1]);
    } else if (word == "--json") {
      as_json = true;
    } else if (command.empty() && !word.starts_with("-")) {
      command = word;
    } else {
      std::fprintf(stderr, "amd-smi: error: the word '%s' is not known\n%s", std::string(word).c_str(), kUsage);
      return 2;
    }
  }
  if (command == "version") return print_version(as_json);
  Fields (*describe)(const SmiDevice&) = nullptr;
  if (command == "list") describe = listed;
  if (command == "static") describe = lasting;
  if (command == "metric") describe = measured;
  if (command == "monitor") describe = measured; // as JSON; as text it is a table
  if (!describe) {
    std::fprintf(stderr, "amd-smi: error: the command '%s' is not known\n%s", std::string(command).c_str(), kUsage);
    return 2;
  }
  std::vector<SmiDevice> devices = smi_devices("amd-smi");
  if (devices.empty() || (!only.empty() && !choose(devices, only))) return 1;
  if (command == "monitor" && !as_json) {
    print_monitor(devices);
    return 0;
  }
  std::string objects;
  for (const SmiDevice& device : devices) {
    Fields fields = describe(device);
    if (as_json) {
      fields.insert(fields.begin(), number("gpu", device.index));
      objects += (objects.empty() ? "" : ", ") + json(fields);
    } else {
      std::printf("GPU: %u\n", device.index);
      print(fields, 1);
      std::printf("\n");
    }
  }
  if (as_json) std::printf("[%s]\n", objects.c_str());
  return 0;
}

} // namespace hip::tools
