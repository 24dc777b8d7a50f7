// amd-smi: its commands list, static, metric, monitor and version, as text, as JSON or as CSV.
#include "names.h"
#include "option_words.h"
#include "report.h"
#include "smi_device.h"

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <cstdarg>
#include <cstdio>
#include <cstring>

namespace hip::tools {
namespace {

constexpr const char* kUsage =
    "Usage: amd-smi list|static|metric|monitor|version [-g GPU...] [--json|--csv] [--file PATH]\n"
    "  -g, --gpu   only these, by number, BDF or UUID as list shows them; or all\n"
    "  --file      what is written goes to this file\n"
    "Parts of static: -a, --asic  -b, --bus  -d, --driver  -v, --vram\n"
    "Parts of metric: -u, --usage  -p, --power  -c, --clock  -t, --temperature  -m, --mem-usage\n"
    "Options of one letter can stand together: -up. -g0, -g=0 and --gpu=0 are -g 0.\n"
    "What a software GPU does not have is N/A.\n";

// A part of what a command shows, which an option asks for.
struct Part {
  std::string_view command, letter, option, group;
};
constexpr Part kParts[] = {
    {"static", "-a", "--asic", "asic"},           {"static", "-b", "--bus", "bus"},
    {"static", "-d", "--driver", "driver"},       {"static", "-v", "--vram", "vram"},
    {"metric", "-u", "--usage", "usage"},         {"metric", "-p", "--power", "power"},
    {"metric", "-c", "--clock", "clock"},         {"metric", "-t", "--temperature", "temperature"},
    {"metric", "-m", "--mem-usage", "mem_usage"},
};

std::string mega_bytes(uint64_t bytes) { return std::to_string(bytes >> 20); }
std::string degrees(std::optional<int64_t> millidegrees) { return scaled(millidegrees, 1000, 0); }
std::string watts(std::optional<int64_t> microwatts) { return scaled(microwatts, 1'000'000, 0); }
std::string mega_hertz(std::optional<int64_t> hertz) { return scaled(hertz, 1'000'000, 0); }

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
      group("vram", {text("type", kNone), text("vendor", kNone), quantity("size", mega_bytes(d.memory_bytes), "MB")})};
}

Field clock(const char* name, std::optional<int64_t> hertz) {
  return group(name, {quantity("clk", mega_hertz(hertz), "MHz")});
}

Fields measured(const SmiDevice& d) {
  return {group("usage", {quantity("gfx_activity", d.busy_percent, "%"), text("umc_activity", kNone)}),
          group("power", {quantity("socket_power", watts(d.power_microwatts), "W")}),
          group("clock", {clock("gfx_0", d.core_hertz), clock("mem_0", d.memory_hertz)}),
          group("temperature", {quantity("edge", degrees(d.edge_millidegrees), "C"),
                                quantity("hotspot", degrees(d.junction_millidegrees), "C"),
                                quantity("mem", degrees(d.memory_millidegrees), "C")}),
          group("mem_usage", {quantity("total_vram", mega_bytes(d.memory_bytes), "MB"),
                              quantity("used_vram", mega_bytes(d.used_bytes), "MB")})};
}

// A row of monitor's table, for CSV.
Fields monitored(const SmiDevice& d) {
  return {text("power_usage", watts(d.power_microwatts)),
          text("hotspot_temperature", degrees(d.junction_millidegrees)),
          text("memory_temperature", degrees(d.memory_millidegrees)),
          text("gfx_clk", mega_hertz(d.core_hertz)),
          text("gfx", d.busy_percent),
          text("mem", kNone),
          text("vram_used", mega_bytes(d.used_bytes)),
          text("vram_total", mega_bytes(d.memory_bytes))};
}

std::string upper(std::string text) {
  for (char& c : text) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  return text;
}

std::string lines(const Fields& fields, size_t indent) {
  std::string out;
  for (const Field& field : fields) {
    out += std::string(indent * 4, ' ') + upper(field.name) + ":";
    out +=
        field.group.empty() ? " " + with_unit(field.value, field.unit) + "\n" : "\n" + lines(field.group, indent + 1);
  }
  return out;
}

std::string monitor_table(const std::vector<SmiDevice>& devices) {
  std::string out = "GPU  POWER   GPU_T   MEM_T    GFX_CLK   GFX%   MEM%   VRAM_USED   VRAM_TOTAL\n";
  for (const SmiDevice& d : devices) {
    char line[256];
    std::snprintf(
        line, sizeof line, "%3u  %5s   %5s   %5s   %8s   %4s   %4s   %6s MB   %7s MB\n", d.index,
        with_unit(watts(d.power_microwatts), "W").c_str(), with_unit(degrees(d.junction_millidegrees), "C").c_str(),
        with_unit(degrees(d.memory_millidegrees), "C").c_str(), with_unit(mega_hertz(d.core_hertz), "MHz").c_str(),
        d.busy_percent.c_str(), kNone.c_str(), mega_bytes(d.used_bytes).c_str(), mega_bytes(d.memory_bytes).c_str());
    out += line;
  }
  return out;
}

enum class Format { Text, Json, Csv };

struct Request {
  std::string command;
  std::vector<std::string> gpus;        // empty: all
  std::vector<std::string_view> groups; // of what the command shows; empty: all
  Format format = Format::Text;
  std::string file; // empty: standard output
};

std::string version_in(Format format) {
  const Fields fields = {text("tool", "AMDSMI Tool (OmniHIP)"), text("version", OMNIHIP_VERSION)};
  if (format == Format::Json) return "[" + json(fields) + "]\n";
  if (format == Format::Csv) return csv({&fields, 1});
  return "AMDSMI Tool: OmniHIP " OMNIHIP_VERSION "\n";
}

bool is_meant(const SmiDevice& d, std::string_view word) {
  return word == "all" || word == std::to_string(d.index) || word == d.place || word == uuid_of(d);
}

// Says what is wrong, on a line of standard error. False.
[[gnu::format(printf, 1, 2)]] bool complain(const char* format, ...) {
  std::fputs("amd-smi: error: ", stderr);
  va_list values;
  va_start(values, format);
  std::vfprintf(stderr, format, values);
  va_end(values);
  std::fputc('\n', stderr);
  return false;
}

// Leaves the devices that a word means. False: a word means none, and it is said so.
bool choose(std::vector<SmiDevice>& devices, const std::vector<std::string>& words) {
  std::vector<SmiDevice> chosen;
  for (const SmiDevice& device : devices)
    if (std::any_of(words.begin(), words.end(), [&](const std::string& word) { return is_meant(device, word); }))
      chosen.push_back(device);
  for (const std::string& word : words)
    if (std::none_of(chosen.begin(), chosen.end(), [&](const SmiDevice& device) { return is_meant(device, word); }))
      return complain("there is no GPU '%s'", word.c_str());
  devices = std::move(chosen);
  return true;
}

// False: a word of the command is not known, or has a value that it does not take.
bool read_word(const OptionWord& word, Request& request) {
  if (word.value) return false;
  if (word.text == "--json" || word.text == "--csv") {
    request.format = word.text == "--json" ? Format::Json : Format::Csv;
    return true;
  }
  if (request.command.empty() && !word.is_option()) {
    request.command = word.text;
    return true;
  }
  for (const Part& part : kParts)
    if (part.command == request.command && (word.text == part.letter || word.text == part.option)) {
      request.groups.push_back(part.group);
      return true;
    }
  return false;
}

// False: wrong, and said so.
bool read_arguments(const std::vector<OptionWord>& words, Request& request) {
  std::optional<Format> earlier;
  for (size_t i = 0; i < words.size(); ++i) {
    const OptionWord& word = words[i];
    if (!request.command.empty() && (word.text == "-g" || word.text == "--gpu")) {
      const std::vector<std::string> gpus = take_values(words, i);
      if (gpus.empty()) return complain("%s needs a GPU", word.text.c_str());
      request.gpus.insert(request.gpus.end(), gpus.begin(), gpus.end());
    } else if (!request.command.empty() && word.text == "--file") {
      const std::vector<std::string> files = take_values(words, i);
      if (files.size() != 1 || files[0].empty()) return complain("--file needs the path of a file");
      request.file = files[0];
    } else if (!read_word(word, request)) {
      const std::string whole = word.text + (word.value ? "=" + *word.value : "");
      complain("the word '%s' is not known", whole.c_str());
      std::fputs(kUsage, stderr);
      return false;
    }
    if (request.format == Format::Text) continue;
    if (earlier && *earlier != request.format) return complain("--json and --csv exclude each other");
    earlier = request.format;
  }
  return true;
}

// The exit code. Of standard output the caller learns whether it could be written (output.h).
int deliver(const std::string& text, const std::string& file) {
  if (file.empty()) {
    std::fputs(text.c_str(), stdout);
    return 0;
  }
  std::FILE* const out = std::fopen(file.c_str(), "w");
  const bool written = out && std::fputs(text.c_str(), out) >= 0;
  const bool closed = out && std::fclose(out) == 0;
  if (written && closed) return 0;
  complain("the file %s cannot be written: %s", file.c_str(), std::strerror(errno));
  return 1;
}

// What a command says of the devices, each as `describe` has it.
std::string report(const std::vector<SmiDevice>& devices, Fields (*describe)(const SmiDevice&),
                   const Request& request) {
  std::string texts, objects;
  std::vector<Fields> rows;
  for (const SmiDevice& device : devices) {
    Fields fields = describe(device);
    if (!request.groups.empty())
      std::erase_if(fields, [&](const Field& field) {
        return std::find(request.groups.begin(), request.groups.end(), field.name) == request.groups.end();
      });
    texts += "GPU: " + std::to_string(device.index) + "\n" + lines(fields, 1) + "\n";
    fields.insert(fields.begin(), number("gpu", device.index));
    objects += (objects.empty() ? "" : ", ") + json(fields);
    rows.push_back(flattened(fields));
  }
  if (request.format == Format::Json) return "[" + objects + "]\n";
  return request.format == Format::Csv ? csv(rows) : texts;
}

} // namespace

int amd_smi(Arguments arguments) {
  const std::vector<OptionWord> words = option_words(arguments, "g");
  Request request;
  for (const OptionWord& word : words)
    if (word.text == "-h" || word.text == "--help") return std::fputs(kUsage, stdout) < 0;
  if (!read_arguments(words, request)) return 2;
  const std::string& command = request.command;
  if (command == "version") return deliver(version_in(request.format), request.file);
  const bool is_monitor = command == "monitor";
  Fields (*describe)(const SmiDevice&) = nullptr;
  if (command == "list") describe = listed;
  if (command == "static") describe = lasting;
  if (command == "metric") describe = measured;
  if (is_monitor) describe = request.format == Format::Csv ? monitored : measured; // as text it is a table
  if (!describe) {
    complain("the command '%s' is not known", command.c_str());
    std::fputs(kUsage, stderr);
    return 2;
  }
  std::vector<SmiDevice> devices = smi_devices("amd-smi");
  if (devices.empty() || (!request.gpus.empty() && !choose(devices, request.gpus))) return 1;
  const bool as_table = is_monitor && request.format == Format::Text;
  return deliver(as_table ? monitor_table(devices) : report(devices, describe, request), request.file);
}

} // namespace hip::tools
