// A profiler that writes down which tables it is given, and changes an entry of each. It registers tables itself: from
// its function, from a thread that its function waits for, and, where the environment asks for it, from its
// constructor.
#include "profiler_register/register.h"

#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <string>
#include <thread>

namespace {

std::string seen;
int answer() { return 42; }
int original() { return 7; }
struct Table {
  int (*function)();
} own_tables[2] = {{original}, {original}};

int add(const char* name, uint32_t version, void* table) {
  rocprofiler_register_library_indentifier_t id{77};
  return rocprofiler_register_library_api_table(name, nullptr, version, &table, 1, &id);
}

// On this thread and on one that it waits for, while the library is being loaded.
struct Constructor {
  Constructor() {
    if (!std::getenv("UNIT_PROFILER_TOOL_CONSTRUCTOR")) return;
    here = add("roctx", 8, &own_tables[0]);
    std::thread([this] { there = add("rocattach", 9, &own_tables[1]); }).join();
  }
  int here = -1, there = -1;
} constructor;

} // namespace

extern "C" __attribute__((visibility("default"))) int
rocprofiler_set_api_table(const char* name, uint64_t version, uint64_t instance, void** tables, uint64_t count) {
  seen += std::string(name) + " " + std::to_string(version) + " " + std::to_string(instance) + " " +
          std::to_string(count) + "\n";
  if (std::strcmp(name, "rccl") == 0) { // a tool that registers from inside of its own function
    seen += std::to_string(add("hsa", 1, tables[0])) + "\n";
  }
  if (std::strcmp(name, "rocdecode") == 0) { // one that waits for a thread that registers
    int result = -1;
    std::thread([&] { result = add("hsa", 1, tables[0]); }).join();
    seen += std::to_string(result) + "\n";
  }
  if (std::strcmp(name, "rocjpeg") == 0) return 1; // refuses
  *static_cast<int (**)()>(tables[0]) = answer;
  return 0;
}

extern "C" __attribute__((visibility("default"))) const char* unit_profiler_tool_seen() { return seen.c_str(); }
// What the constructor's calls gave, and what its tables' functions give now.
extern "C" __attribute__((visibility("default"))) void unit_profiler_tool_constructed(int (&results)[4]) {
  results[0] = constructor.here;
  results[1] = constructor.there;
  results[2] = own_tables[0].function();
  results[3] = own_tables[1].function();
}
