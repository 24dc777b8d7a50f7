// A profiler that writes down which tables it is given, and changes an entry of each.
#include "profiler_register/register.h"

#include <cstdint>
#include <cstdio>
#include <cstring>
#include <string>

namespace {

std::string seen;
int answer() { return 42; }

} // namespace

extern "C" __attribute__((visibility("default"))) int
rocprofiler_set_api_table(const char* name, uint64_t version, uint64_t instance, void** tables, uint64_t count) {
  seen += std::string(name) + " " + std::to_string(version) + " " + std::to_string(instance) + " " +
          std::to_string(count) + "\n";
  if (std::strcmp(name, "rccl") == 0) { // a tool that registers from inside of its own function
    rocprofiler_register_library_indentifier_t id{77};
    seen += std::to_string(rocprofiler_register_library_api_table("hsa", nullptr, 1, tables, count, &id)) + "\n";
  }
  if (std::strcmp(name, "rocjpeg") == 0) return 1; // refuses
  *static_cast<int (**)()>(tables[0]) = answer;
  return 0;
}

extern "C" __attribute__((visibility("default"))) const char* unit_profiler_tool_seen() { return seen.c_str(); }
