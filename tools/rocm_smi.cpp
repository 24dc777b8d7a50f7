// rocm-smi: the options that scripts use, with the words of ROCm's tool, as lines or as JSON.
#include "names.h"
#include "report.h"
#include "smi_device.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>

namespace hip::tools {
namespace {

constexpr const char* kUsage = "Usage: rocm-smi [-d DEVICE] [--json] [OPTION...]\n"
                               "  -i, --showid            name, unique id and processor\n"
                               "      --showproductname   name, vendor, processor\n"
                               "      --showuniqueid      the unique id\n"
                               "      --showbus           where the device is on the PCI bus\n"
                               "      --showmeminfo TYPE  memory: vram (all says the same)\n"
                               "  -u, --showuse           how busy the device is\n"
                               "      --showmemuse        how much of its memory is in use\n"
                               "      --showtemp --showpower --showclocks --showfan --showperflevel --showvbios\n"
                               "                          what a software GPU does not have: N/A\n"
                               "Without an option: one line for each device.\n";

using Show = Fields (*)(const SmiDevice&);

Fields show_id(const SmiDevice& d) {
  return {text("Device Name", d.name), text("Device ID", kNone), text("Device Rev", kNone), text("Subsystem ID", kNone),
          text("GUID", kNone)};
}
Fields show_product(const SmiDevice& d) {
  return {text("Card Series", d.name),
          text("Card Model", kNone),
          text("Card Vendor", d.vendor),
          text("Card SKU", kNone),
          text("Subsystem ID", kNone),
          text("Device Rev", kNone),
          text("Node ID", std::to_string(d.node)),
          text("GUID", kNone),
          text("GFX Version", d.processor)};
}
Fields show_unique_id(const SmiDevice& d) { return {text("Unique ID", hexadecimal(d.unique_id))}; }
Fields show_bus(const SmiDevice& d) { return {text("PCI Bus", d.place)}; }
Fields show_memory(const SmiDevice& d) {
  return {text("VRAM Total Memory (B)", std::to_string(d.memory_bytes)),
          text("VRAM Total Used Memory (B)", std::to_string(d.used_bytes))};
}
Fields show_use(const SmiDevice& d) { return {text("GPU use (%)", d.busy_percent)}; }
std::string memory_percent(const SmiDevice& d) {
  return std::to_string(d.memory_bytes ? d.used_bytes * 100 / d.memory_bytes : 0);
}
Fields show_memory_use(const SmiDevice& d) { return {text("GPU Memory Allocated (VRAM%)", memory_percent(d))}; }

struct Option {
  const char* name;
  const char* title;
  Show show;
};
constexpr Option kOptions[] = {
    {"--showid", "ID", show_id},
    {"-i", "ID", show_id},
    {"--showproductname", "Product Info", show_product},
    {"--showuniqueid", "Unique ID", show_unique_id},
    {"--showbus", "PCI Bus ID", show_bus},
    {"--showuse", "% time GPU is busy", show_use},
    {"-u", "% time GPU is busy", show_use},
    {"--showmemuse", "Current Memory Use", show_memory_use},
    {"--showtemp", "Temperature", [](const SmiDevice&) { return Fields{text("Temperature (C)", kNone)}; }},
    {"--showpower", "Power Consumption",
     [](const SmiDevice&) { return Fields{text("Average Graphics Package Power (W)", kNone)}; }},
    {"--showclocks", "Current clock frequencies",
     [](const SmiDevice&) { return Fields{text("sclk", kNone), text("mclk", kNone)}; }},
    {"--showfan", "Current Fan Metric", [](const SmiDevice&) { return Fields{text("Fan speed (%)", kNone)}; }},
    {"--showperflevel", "Show Performance Level",
     [](const SmiDevice&) { return Fields{text("Performance Level", kNone)}; }},
    {"--showvbios", "VBIOS", [](const SmiDevice&) { return Fields{text("VBIOS version", kNone)}; }},
};
constexpr Option kMemory = {"--showmeminfo", "Memory Usage (Bytes)", show_memory};

void spacer(const std::string& title) {
  const std::string shown = title.empty() ? "" : " " + title + " ";
  const size_t left = (80 - std::min<size_t>(80, shown.size())) / 2;
  const std::string line = std::string(left, '=') + shown;
  std::printf("%s%s\n", line.c_str(), std::string(80 - std::min<size_t>(80, line.size()), '=').c_str());
}

void print_concise(const std::vector<SmiDevice>& devices) {
  spacer("ROCm System Management Interface");
  spacer("Concise Info");
  std::printf("%-8s%-6s%-8s%-8s%-7s%-6s%s\n", "Device", "Node", "Temp", "Power", "VRAM%", "GPU%", "Name");
  spacer("");
  for (const SmiDevice& d : devices)
    std::printf("%-8u%-6u%-8s%-8s%-7s%-6s%s\n", d.index, d.node, kNone.c_str(), kNone.c_str(),
                (memory_percent(d) + "%").c_str(), (d.busy_percent + "%").c_str(), d.name.c_str());
  spacer("");
  spacer("End of ROCm SMI Log");
}

struct Request {
  std::vector<Option> options;
  std::vector<unsigned long> only; // empty: all devices
  bool as_json = false;
};

// False: wrong, and said so.
bool read_arguments(Arguments arguments, Request& request) {
  for (size_t i = 0; i < arguments.size(); ++i) {
    const std::string word(arguments[i]);
    const auto has_value = [&] { return i + 1 < arguments.size() && !arguments[i + 1].starts_with("-"); };
    if (word == "--json") {
      request.as_json = true;
    } else if (word == "--showmeminfo") {
      if (!has_value()) {
        std::fprintf(stderr, "rocm-smi: error: --showmeminfo needs a type of memory: vram\n");
        return false;
      }
      for (; has_value(); ++i)
        if (arguments[i + 1] != "vram" && arguments[i + 1] != "vis_vram" && arguments[i + 1] != "all") {
          std::fprintf(stderr, "rocm-smi: error: memory of the type '%s' is not known of a software GPU\n",
                       std::string(arguments[i + 1]).c_str());
          return false;
        }
      request.options.push_back(kMemory);
    } else if (word == "-d" || word == "--device") {
      for (; has_value(); ++i) {
        char* end = nullptr;
        const std::string value(arguments[i + 1]);
        request.only.push_back(std::strtoul(value.c_str(), &end, 10));
        if (*end != '\0') {
          std::fprintf(stderr, "rocm-smi: error: '%s' is no device's number\n", value.c_str());
          return false;
        }
      }
    } else {
      const size_t before = request.options.size();
      for (const Option& option : kOptions)
        if (word == option.name) request.options.push_back(option);
      if (request.options.size() == before) {
        std::fprintf(stderr, "rocm-smi: error: the option '%s' is not known\n%s", word.c_str(), kUsage);
        return false;
      }
    }
  }
  return true;
}

} // namespace

int rocm_smi(Arguments arguments) {
  for (const std::string_view word : arguments)
    if (word == "-h" || word == "--help") return std::fputs(kUsage, stdout) < 0;
  Request request;
  if (!read_arguments(arguments, request)) return 2;
  std::vector<SmiDevice> devices = smi_devices("rocm-smi");
  if (devices.empty()) return 1;
  for (const unsigned long wanted : request.only)
    if (wanted >= devices.size()) {
      std::fprintf(stderr, "rocm-smi: error: there is no device %lu\n", wanted);
      return 1;
    }
  if (!request.only.empty())
    std::erase_if(devices, [&](const SmiDevice& device) {
      return std::find(request.only.begin(), request.only.end(), device.index) == request.only.end();
    });
  if (request.options.empty() && !request.as_json) {
    print_concise(devices);
    return 0;
  }
  if (request.as_json) {
    Fields cards;
    for (const SmiDevice& device : devices) {
      Fields fields;
      for (const Option& option : request.options)
        for (Field& field : option.show(device)) fields.push_back(std::move(field));
      if (fields.empty()) fields = show_product(device);
      cards.push_back(group("card" + std::to_string(device.index), std::move(fields)));
    }
    std::printf("%s\n", json(cards).c_str());
    return 0;
  }
  spacer("ROCm System Management Interface");
  for (const Option& option : request.options) {
    spacer(option.title);
    for (const SmiDevice& device : devices)
      for (const Field& field : option.show(device))
        std::printf("GPU[%u]\t\t: %s: %s\n", device.index, field.name.c_str(), field.value.c_str());
    spacer("");
  }
  spacer("End of ROCm SMI Log");
  return 0;
}

} // namespace hip::tools
