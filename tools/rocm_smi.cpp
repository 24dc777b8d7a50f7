// rocm-smi: the options that scripts use, with the words of ROCm's tool, as lines, as JSON or as CSV.
#include "smi/rocm_smi.h"
#include "names.h"
#include "option_words.h"
#include "report.h"
#include "smi_device.h"

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <span>

namespace hip::tools {
namespace {

constexpr const char* kUsage = "Usage: rocm-smi [-d DEVICE...] [--json|--csv] [OPTION...]\n"
                               "  -a, --showallinfo       all of the following but for --showmeminfo\n"
                               "  -i, --showid            name, unique id and processor\n"
                               "      --showproductname   name, vendor, processor\n"
                               "      --showuniqueid      the unique id\n"
                               "      --showbus           where the device is on the PCI bus\n"
                               "      --showmeminfo TYPE  memory: vram, vis_vram, gtt or all\n"
                               "  -u, --showuse           how busy the device is\n"
                               "      --showmemuse        how much of its memory is in use\n"
                               "  -t, --showtemp   -P, --showpower   -c, --showclocks   -g, --showgpuclocks\n"
                               "                          of a card; a software GPU has none: N/A\n"
                               "  -f, --showfan   -p, --showperflevel   -v, --showvbios\n"
                               "                          not known of any device: N/A\n"
                               "  -V, --version           this tool's version and librocm_smi64's\n"
                               "Options of one letter can stand together: -tu. -d0, -d=0 and --device=0 are -d 0.\n"
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
Fields memory_fields(const std::string& kind, const SmiDevice::Memory& memory) {
  const auto shown = [](std::optional<uint64_t> bytes) { return bytes ? std::to_string(*bytes) : kNone; };
  return {text(kind + " Total Memory (B)", shown(memory.total_bytes)),
          text(kind + " Total Used Memory (B)", shown(memory.used_bytes))};
}
Fields show_vram(const SmiDevice& d) { return memory_fields("VRAM", {d.memory_bytes, d.used_bytes}); }
Fields show_visible_vram(const SmiDevice& d) { return memory_fields("VIS_VRAM", d.visible); }
Fields show_gtt(const SmiDevice& d) { return memory_fields("GTT", d.gtt); }
Fields show_use(const SmiDevice& d) { return {text("GPU use (%)", d.busy_percent)}; }
std::string memory_percent(const SmiDevice& d) {
  return std::to_string(d.memory_bytes ? d.used_bytes * 100 / d.memory_bytes : 0);
}
Fields show_memory_use(const SmiDevice& d) { return {text("GPU Memory Allocated (VRAM%)", memory_percent(d))}; }

Fields show_temperature(const SmiDevice& d) {
  Fields fields;
  const auto add = [&](const char* name, std::optional<int64_t> millidegrees) {
    if (millidegrees) fields.push_back(text(name, scaled(millidegrees, 1000, 1)));
  };
  add("Temperature (Sensor edge) (C)", d.edge_millidegrees);
  add("Temperature (Sensor junction) (C)", d.junction_millidegrees);
  add("Temperature (Sensor memory) (C)", d.memory_millidegrees);
  return fields.empty() ? Fields{text("Temperature (C)", kNone)} : fields;
}
Fields show_power(const SmiDevice& d) {
  return {text("Average Graphics Package Power (W)", scaled(d.power_microwatts, 1'000'000, 1))};
}
Fields show_clocks(const SmiDevice& d) {
  return {text("sclk", scaled(d.core_hertz, 1'000'000, 0, "Mhz")),
          text("mclk", scaled(d.memory_hertz, 1'000'000, 0, "Mhz"))};
}

Fields show_gpu_clock(const SmiDevice& d) { return {text("sclk", scaled(d.core_hertz, 1'000'000, 0, "Mhz"))}; }

struct Option {
  const char* name;
  const char* title;
  Show show;
  const char* letter = ""; // the same in one letter
};
constexpr Option kOptions[] = {
    {"--showid", "ID", show_id, "-i"},
    {"--showproductname", "Product Info", show_product},
    {"--showuniqueid", "Unique ID", show_unique_id},
    {"--showbus", "PCI Bus ID", show_bus},
    {"--showuse", "% time GPU is busy", show_use, "-u"},
    {"--showmemuse", "Current Memory Use", show_memory_use},
    {"--showtemp", "Temperature", show_temperature, "-t"},
    {"--showpower", "Power Consumption", show_power, "-P"},
    {"--showclocks", "Current clock frequencies", show_clocks, "-c"},
    {"--showgpuclocks", "Current clock frequencies", show_gpu_clock, "-g"},
    {"--showfan", "Current Fan Metric", [](const SmiDevice&) { return Fields{text("Fan speed (%)", kNone)}; }, "-f"},
    {"--showperflevel", "Show Performance Level",
     [](const SmiDevice&) { return Fields{text("Performance Level", kNone)}; }, "-p"},
    {"--showvbios", "VBIOS", [](const SmiDevice&) { return Fields{text("VBIOS version", kNone)}; }, "-v"},
};
constexpr Option kMemories[] = {{"vram", "Memory Usage (Bytes)", show_vram},
                                {"vis_vram", "Memory Usage (Bytes)", show_visible_vram},
                                {"gtt", "Memory Usage (Bytes)", show_gtt}}; // values of --showmeminfo

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
  for (const SmiDevice& d : devices) {
    const auto temperature = d.edge_millidegrees ? d.edge_millidegrees : d.junction_millidegrees;
    std::printf("%-8u%-6u%-8s%-8s%-7s%-6s%s\n", d.index, d.node, scaled(temperature, 1000, 1, "C").c_str(),
                scaled(d.power_microwatts, 1'000'000, 1, "W").c_str(), (memory_percent(d) + "%").c_str(),
                (d.busy_percent == kNone ? kNone : d.busy_percent + "%").c_str(), d.name.c_str());
  }
  spacer("");
  spacer("End of ROCm SMI Log");
}

struct Request {
  std::vector<Option> options;
  std::vector<unsigned long> only;      // empty: all devices
  bool as_json = false, as_csv = false; // CSV where both are asked for
  bool version = false;
};

// What is asked for twice, by one name or by two, is shown once.
void ask_for(const Option& option, Request& request) {
  for (const Option& earlier : request.options)
    if (earlier.show == option.show) return;
  request.options.push_back(option);
}

// False: wrong, and said so.
bool read_device(std::string_view word, Request& request) {
  unsigned long index = 0;
  const auto [end, failure] = std::from_chars(word.data(), word.data() + word.size(), index);
  if (failure != std::errc() || end != word.data() + word.size()) {
    std::fprintf(stderr, "rocm-smi: error: '%s' is no device's number\n", std::string(word).c_str());
    return false;
  }
  request.only.push_back(index);
  return true;
}

// False: wrong, and said so.
bool read_memory(std::string_view word, Request& request) {
  bool found = false;
  for (const Option& memory : kMemories)
    if (word == memory.name || word == "all") {
      ask_for(memory, request);
      found = true;
    }
  if (!found)
    std::fprintf(stderr, "rocm-smi: error: memory of the type '%s' is not known\n", std::string(word).c_str());
  return found;
}

// False: wrong, and said so.
bool read_values(const std::vector<OptionWord>& words, size_t& at, Request& request,
                 bool (*read)(std::string_view, Request&), const char* wanted) {
  const std::string option = words[at].text;
  const std::vector<std::string> values = take_values(words, at);
  if (values.empty()) std::fprintf(stderr, "rocm-smi: error: %s needs %s\n", option.c_str(), wanted);
  return !values.empty() &&
         std::all_of(values.begin(), values.end(), [&](const std::string& value) { return read(value, request); });
}

// An option that takes no value. False: there is none of this name.
bool read_option(const std::string& word, Request& request) {
  if (word == "--json") return request.as_json = true;
  if (word == "--csv") return request.as_csv = true;
  if (word == "-V" || word == "--version") return request.version = true;
  const bool all = word == "-a" || word == "--showallinfo";
  bool found = false;
  for (const Option& option : kOptions)
    if (all || word == option.name || word == option.letter) {
      ask_for(option, request);
      found = true;
    }
  return found;
}

// False: wrong, and said so.
bool read_arguments(const std::vector<OptionWord>& words, Request& request) {
  for (size_t i = 0; i < words.size(); ++i) {
    const OptionWord& word = words[i];
    if (word.text == "--showmeminfo") {
      if (!read_values(words, i, request, read_memory, "a type of memory: vram, vis_vram, gtt or all")) return false;
    } else if (word.text == "-d" || word.text == "--device") {
      if (!read_values(words, i, request, read_device, "the number of a device")) return false;
    } else if (word.text.empty() || !read_option(word.text, request)) { // the empty word is no option's letter
      std::fprintf(stderr, "rocm-smi: error: the option '%s' is not known\n%s", word.text.c_str(), kUsage);
      return false;
    } else if (word.value) {
      std::fprintf(stderr, "rocm-smi: error: the option %s takes no value\n", word.text.c_str());
      return false;
    }
  }
  return true;
}

// Options share some fields; a name twice in an object is no JSON that every reader takes.
Fields fields_of(const SmiDevice& device, std::span<const Option> options) {
  Fields fields;
  for (const Option& option : options)
    for (Field& field : option.show(device))
      if (std::none_of(fields.begin(), fields.end(), [&](const Field& other) { return other.name == field.name; }))
        fields.push_back(std::move(field));
  return fields;
}

// One row for each device, or one object in an object of all.
void print_data(const std::vector<SmiDevice>& devices, const Request& request) {
  Fields cards;
  std::vector<Fields> rows;
  for (const SmiDevice& device : devices) {
    Fields fields = fields_of(device, request.options);
    if (fields.empty()) fields = show_product(device);
    const std::string card = "card" + std::to_string(device.index);
    if (request.as_csv) {
      fields.insert(fields.begin(), text("device", card));
      rows.push_back(std::move(fields));
    } else {
      cards.push_back(group(card, std::move(fields)));
    }
  }
  if (request.as_csv)
    std::fputs(csv(rows).c_str(), stdout);
  else
    std::printf("%s\n", json(cards).c_str());
}

int print_version(const Request& request) {
  rsmi_version_t library{};
  static_cast<void>(rsmi_version_get(&library)); // fails for a null pointer alone
  const Fields versions = {
      text("ROCM-SMI version", "OmniHIP " OMNIHIP_VERSION),
      text("ROCM-SMI-LIB version",
           std::to_string(library.major) + "." + std::to_string(library.minor) + "." + std::to_string(library.patch))};
  if (request.as_csv) {
    std::vector<Fields> rows;
    for (const Field& version : versions) rows.push_back({text("name", version.name), text("value", version.value)});
    std::fputs(csv(rows).c_str(), stdout);
  } else if (request.as_json) {
    std::printf("%s\n", json(versions).c_str());
  } else {
    for (const Field& version : versions) std::printf("%s: %s\n", version.name.c_str(), version.value.c_str());
  }
  return 0;
}

} // namespace

int rocm_smi(Arguments arguments) {
  const std::vector<OptionWord> words = option_words(arguments, "d");
  for (const OptionWord& word : words)
    if (word.text == "-h" || word.text == "--help") return std::fputs(kUsage, stdout) < 0;
  Request request;
  if (!read_arguments(words, request)) return 2;
  if (request.version) return print_version(request);
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
  if (request.as_json || request.as_csv) {
    print_data(devices, request);
    return 0;
  }
  if (request.options.empty()) {
    print_concise(devices);
    return 0;
  }
  spacer("ROCm System Management Interface");
  const std::vector<Option>& options = request.options;
  for (auto first = options.begin(); first != options.end();) { // options of one title are a section
    const std::string_view title = first->title;
    const auto last = std::find_if(first, options.end(), [&](const Option& option) { return title != option.title; });
    spacer(first->title);
    for (const SmiDevice& device : devices)
      for (const Field& field : fields_of(device, {first, last}))
        std::printf("GPU[%u]\t\t: %s: %s\n", device.index, field.name.c_str(), field.value.c_str());
    spacer("");
    first = last;
  }
  spacer("End of ROCm SMI Log");
  return 0;
}

} // namespace hip::tools
