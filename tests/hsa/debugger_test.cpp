// The list of loaded code that debuggers read (`_amdgpu_r_debug`): in this process, and as a debugger of another one
// does it, which stops the process where the list changes and reads its memory.
#include "testing.h"

#include <hsa/hsa_ven_amd_loader.h>

#include <csignal>
#include <cstdlib>
#include <dlfcn.h>
#include <fcntl.h>
#include <link.h>
#include <sstream>
#include <sys/ptrace.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace hip::test;

namespace {

struct Listed {
  uint64_t delta;
  std::string uri;
  bool operator==(const Listed&) const = default;
};

// The library's symbol, and how far it is from the library's beginning.
struct Symbol {
  const r_debug* here = nullptr;
  uint64_t offset = 0;
  Symbol() {
    void* const library = ::dlopen(OMNIHIP_HSA_LIBRARY, RTLD_NOW | RTLD_LOCAL);
    REQUIRE(library);
    here = static_cast<const r_debug*>(::dlvsym(library, "_amdgpu_r_debug", "ROCR_1"));
    REQUIRE(here);
    Dl_info info{};
    REQUIRE(::dladdr(here, &info) != 0);
    offset = reinterpret_cast<uint64_t>(here) - reinterpret_cast<uint64_t>(info.dli_fbase);
    ::dlclose(library); // the program is linked with it
  }
};

std::vector<Listed> read_list(const r_debug& list) {
  std::vector<Listed> all;
  const link_map* before = nullptr;
  for (const link_map* each = list.r_map; each; each = each->l_next) {
    CHECK(each->l_prev == before);
    all.push_back({each->l_addr, each->l_name});
    before = each;
  }
  return all;
}

// What AMD's loader extension says of the executable's one code object.
Listed as_loader_says(hsa_executable_t executable) {
  hsa_ven_amd_loader_1_03_pfn_t table{};
  REQUIRE_HSA(hsa_system_get_major_extension_table(HSA_EXTENSION_AMD_LOADER, 1, sizeof table, &table));
  hsa_loaded_code_object_t loaded{};
  REQUIRE_HSA(table.hsa_ven_amd_loader_executable_iterate_loaded_code_objects(
      executable,
      [](hsa_executable_t, hsa_loaded_code_object_t each, void* data) {
        *static_cast<hsa_loaded_code_object_t*>(data) = each;
        return HSA_STATUS_SUCCESS;
      },
      &loaded));
  const auto get = table.hsa_ven_amd_loader_loaded_code_object_get_info;
  Listed out{};
  REQUIRE_HSA(get(loaded, HSA_VEN_AMD_LOADER_LOADED_CODE_OBJECT_INFO_LOAD_DELTA, &out.delta));
  uint32_t length = 0;
  REQUIRE_HSA(get(loaded, HSA_VEN_AMD_LOADER_LOADED_CODE_OBJECT_INFO_URI_LENGTH, &length));
  out.uri.resize(length);
  REQUIRE_HSA(get(loaded, HSA_VEN_AMD_LOADER_LOADED_CODE_OBJECT_INFO_URI, out.uri.data()));
  return out;
}

// "memory://PID#offset=0xADDRESS&size=BYTES"
struct Place {
  uint64_t process = 0, address = 0, bytes = 0;
  explicit Place(const std::string& uri) {
    REQUIRE(std::sscanf(uri.c_str(), "memory://%lu#offset=0x%lx&size=%lu", &process, &address, &bytes) == 3);
  }
};

// The memory of a stopped process.
class Stopped {
public:
  explicit Stopped(pid_t process)
      : memory_(::open(("/proc/" + std::to_string(process) + "/mem").c_str(), O_RDWR | O_CLOEXEC)) {
    REQUIRE(memory_ >= 0);
  }
  ~Stopped() { ::close(memory_); }
  Stopped(const Stopped&) = delete;
  template<class T> T read(uint64_t address) const {
    T value{};
    REQUIRE(::pread(memory_, &value, sizeof value, static_cast<off_t>(address)) == sizeof value);
    return value;
  }
  std::string text(uint64_t address) const {
    std::string out;
    while (const char c = read<char>(address + out.size())) out += c;
    return out;
  }
  std::string bytes(uint64_t address, size_t count) const {
    std::string out(count, '\0');
    REQUIRE(::pread(memory_, out.data(), count, static_cast<off_t>(address)) == static_cast<ssize_t>(count));
    return out;
  }
  void write(uint64_t address, uint8_t byte) const {
    REQUIRE(::pwrite(memory_, &byte, 1, static_cast<off_t>(address)) == 1);
  }

private:
  int memory_;
};

uint64_t library_base(pid_t process) {
  std::ifstream maps("/proc/" + std::to_string(process) + "/maps");
  for (std::string line; std::getline(maps, line);)
    if (line.find("libhsa-runtime64.so.1") != line.npos) return std::stoull(line, nullptr, 16);
  return 0;
}

int wait_for_stop(pid_t process) {
  int status = 0;
  REQUIRE(::waitpid(process, &status, 0) == process);
  return status;
}

// Over the breakpoint at `address`, whose instruction was `instruction`, and on to the next stop.
int go_on(pid_t process, const Stopped& memory, uint64_t address, uint8_t instruction) {
  constexpr uint8_t kBreakpoint = 0xcc;
  user_regs_struct registers{};
  REQUIRE(::ptrace(PTRACE_GETREGS, process, nullptr, &registers) == 0);
  if (registers.rip == address + 1) {
    registers.rip = address;
    REQUIRE(::ptrace(PTRACE_SETREGS, process, nullptr, &registers) == 0);
    memory.write(address, instruction);
    REQUIRE(::ptrace(PTRACE_SINGLESTEP, process, nullptr, nullptr) == 0);
    REQUIRE(WIFSTOPPED(wait_for_stop(process)));
  }
  memory.write(address, kBreakpoint);
  REQUIRE(::ptrace(PTRACE_CONT, process, nullptr, nullptr) == 0);
  return wait_for_stop(process);
}

struct Seen {
  int state;
  std::vector<Listed> code;
};

Seen look(const Stopped& memory, uint64_t list_address) {
  const auto list = memory.read<r_debug>(list_address);
  Seen seen{list.r_state, {}};
  for (auto at = reinterpret_cast<uint64_t>(list.r_map); at != 0;) {
    const auto entry = memory.read<link_map>(at);
    seen.code.push_back({entry.l_addr, memory.text(reinterpret_cast<uint64_t>(entry.l_name))});
    at = reinterpret_cast<uint64_t>(entry.l_next);
  }
  return seen;
}

} // namespace

TEST_CASE("The debuggers' list holds the code of frozen executables, in their order", "[hsa][debugger]") {
  const Symbol symbol;
  const r_debug& list = *symbol.here;
  Hsa hsa;
  CHECK(list.r_version == 11); // ROCr 7.2's
  CHECK(list.r_brk != 0);
  CHECK(list.r_state == r_debug::RT_CONSISTENT);
  REQUIRE(read_list(list).empty());
  auto first = std::make_unique<Kernels>(hsa);
  auto second = std::make_unique<Kernels>(hsa);
  auto third = std::make_unique<Kernels>(hsa);
  const Listed a = as_loader_says(first->executable), b = as_loader_says(second->executable),
               c = as_loader_says(third->executable);
  CHECK(a.delta != b.delta);
  CHECK(read_list(list) == std::vector{a, b, c});
  const Place place(a.uri);
  CHECK(place.process == static_cast<uint64_t>(::getpid()));
  REQUIRE(place.bytes == first->file.size());
  CHECK(std::memcmp(reinterpret_cast<const void*>(place.address), first->file.data(), place.bytes) == 0);
  second.reset();
  CHECK(read_list(list) == std::vector{a, c});
  second = std::make_unique<Kernels>(hsa);
  const Listed d = as_loader_says(second->executable);
  CHECK(read_list(list) == std::vector{a, c, d});
  second.reset();
  first.reset();
  CHECK(read_list(list) == std::vector{c});
  third.reset();
  CHECK(read_list(list).empty());

  // Not frozen, not listed.
  hsa_executable_t empty;
  REQUIRE_HSA(hsa_executable_create_alt(HSA_PROFILE_BASE, HSA_DEFAULT_FLOAT_ROUNDING_MODE_DEFAULT, nullptr, &empty));
  CHECK(read_list(list).empty());
  REQUIRE_HSA(hsa_executable_destroy(empty));
}

TEST_CASE("The debuggers' list ends with the runtime", "[hsa][debugger]") {
  const Symbol symbol;
  const r_debug& list = *symbol.here;
  {
    Hsa hsa;
    hsa_executable_t executable;
    const std::vector<char> file = read_file(OMNIHIP_TEST_DATA "/hsa_kernels.co");
    REQUIRE_HSA(
        hsa_executable_create_alt(HSA_PROFILE_BASE, HSA_DEFAULT_FLOAT_ROUNDING_MODE_DEFAULT, nullptr, &executable));
    auto* const variable = hsa.allocate<uint32_t>(hsa.fine, 1);
    REQUIRE_HSA(hsa_executable_agent_global_variable_define(executable, hsa.gpu, "elsewhere", variable));
    hsa_code_object_reader_t reader;
    REQUIRE_HSA(hsa_code_object_reader_create_from_memory(file.data(), file.size(), &reader));
    REQUIRE_HSA(hsa_executable_load_agent_code_object(executable, hsa.gpu, reader, nullptr, nullptr));
    CHECK(read_list(list).empty());
    REQUIRE_HSA(hsa_executable_freeze(executable, nullptr));
    CHECK(read_list(list).size() == 1);
  }
  CHECK(read_list(list).empty());
  CHECK(list.r_state == r_debug::RT_CONSISTENT);
}

TEST_CASE("What the debugger of the next case looks at", "[.][debuggee]") {
  Hsa hsa;
  ::raise(SIGSTOP);
  {
    Kernels first(hsa);
    Kernels second(hsa);
  }
}

TEST_CASE("A debugger is stopped where the list changes, and reads the code that it names", "[hsa][debugger]") {
  const Symbol symbol;
  const pid_t process = ::fork();
  REQUIRE(process >= 0);
  if (process == 0) {
    ::setenv("LSAN_OPTIONS", "detect_leaks=0", 1); // LeakSanitizer traces its own process, which has a tracer
    ::ptrace(PTRACE_TRACEME, 0, nullptr, nullptr);
    ::execl("/proc/self/exe", "hsa_runtime", "[debuggee]", nullptr);
    ::_exit(127);
  }
  REQUIRE(WIFSTOPPED(wait_for_stop(process))); // at its beginning
  REQUIRE(::ptrace(PTRACE_SETOPTIONS, process, nullptr, PTRACE_O_EXITKILL) == 0);
  REQUIRE(::ptrace(PTRACE_CONT, process, nullptr, nullptr) == 0);
  int status = wait_for_stop(process);
  REQUIRE(WIFSTOPPED(status));
  REQUIRE(WSTOPSIG(status) == SIGSTOP); // the runtime has begun
  const Stopped memory(process);
  const uint64_t base = library_base(process);
  REQUIRE(base != 0);
  const uint64_t list = base + symbol.offset, place = memory.read<r_debug>(list).r_brk;
  const auto instruction = memory.read<uint8_t>(place);
  std::vector<Seen> seen;
  const std::vector<char> file = read_file(OMNIHIP_TEST_DATA "/hsa_kernels.co");
  while (WIFSTOPPED(status = go_on(process, memory, place, instruction))) {
    REQUIRE(WSTOPSIG(status) == SIGTRAP);
    seen.push_back(look(memory, list));
    for (const Listed& each : seen.back().code) {
      const Place code(each.uri);
      CHECK(code.process == static_cast<uint64_t>(process));
      REQUIRE(code.bytes == file.size());
      CHECK(memory.bytes(code.address, code.bytes) == std::string(file.begin(), file.end()));
      // The code lies where the list says: the program's bytes are in memory at their addresses.
      CHECK(memory.bytes(each.delta, 4) == "\177ELF");
    }
  }
  CHECK(WIFEXITED(status));
  CHECK(WEXITSTATUS(status) == 0);
  constexpr int kAdd = r_debug::RT_ADD, kDelete = r_debug::RT_DELETE, kConsistent = r_debug::RT_CONSISTENT;
  const std::pair<int, size_t> expected[] = {{kAdd, 0},    {kConsistent, 1}, {kAdd, 1},    {kConsistent, 2},
                                             {kDelete, 2}, {kConsistent, 1}, {kDelete, 1}, {kConsistent, 0}};
  REQUIRE(seen.size() == std::size(expected));
  for (size_t i = 0; i < seen.size(); ++i) {
    INFO(i);
    CHECK(seen[i].state == expected[i].first);
    CHECK(seen[i].code.size() == expected[i].second);
  }
}
