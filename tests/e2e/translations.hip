// Kernels that run translated, over several processes: what one process has translated the next one finds on disk, what
// is damaged there is translated anew, code that changes or moves is never mistaken for another, and a process may end
// while a kernel is being translated. Every process is this program again, running only its case "child".
#include "e2e.h"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <sys/wait.h>
#include <unistd.h>

namespace {

namespace fs = std::filesystem;

constexpr int kGroups = 64, kItems = 128;

// Enough work-groups for a translation, and enough code for it to take a while.
__global__ void long_kernel(float* p) {
  float v = p[threadIdx.x];
#pragma unroll
  for (int k = 0; k < 5; ++k) v = sinf(v * k) + sqrtf(v + k);
  p[blockIdx.x * blockDim.x + threadIdx.x] = v;
}

// Loads a module, whose kernel `fill` writes `value` + 3 * index, and runs it.
bool module_fills(const std::string& file, int value) {
  hipModule_t module = nullptr;
  hipFunction_t fill = nullptr;
  int* p = nullptr;
  int n = kGroups * kItems - 5;
  std::vector<int> host(n + 5, -1);
  bool ok = hipModuleLoad(&module, file.c_str()) == hipSuccess &&
            hipModuleGetFunction(&fill, module, "fill") == hipSuccess &&
            hipMalloc(&p, host.size() * sizeof(int)) == hipSuccess &&
            hipMemset(p, 0xff, host.size() * sizeof(int)) == hipSuccess;
  void* arguments[] = {&p, &n};
  ok = ok && hipModuleLaunchKernel(fill, kGroups, 1, 1, kItems, 1, 1, 0, nullptr, arguments, nullptr) == hipSuccess &&
       hipMemcpy(host.data(), p, host.size() * sizeof(int), hipMemcpyDeviceToHost) == hipSuccess;
  for (int i = 0; ok && i < int(host.size()); ++i) ok = host[i] == (i < n ? value + 3 * i : -1);
  ok &= hipFree(p) == hipSuccess;
  return hipModuleUnload(module) == hipSuccess && ok;
}

bool maps_translator() {
  std::ifstream maps("/proc/self/maps");
  for (std::string line; std::getline(maps, line);)
    if (line.find("libomnihip_translator") != std::string::npos) return true;
  return false;
}

// "fill <file> <value> [<file> <value> ...]": says whether all was right, and whether the translator was loaded.
void child_fill(std::istream& words) {
  bool ok = true;
  std::string file;
  for (int value; words >> file >> value;) ok &= module_fills(file, value);
  std::fprintf(stderr, "%s, %s translator\n", ok ? "right" : "wrong", maps_translator() ? "with" : "without");
}

bool forked = false;

// "end <how> <milliseconds> [<work-groups>]": runs the kernel, by default for long enough that its translation starts, and ends that
// long after it.
void child_end(std::istream& words) {
  std::string how;
  int milliseconds = 0, groups = 0;
  words >> how >> milliseconds;
  if (!(words >> groups)) groups = 16384;
  float* p = nullptr;
  HIP_OK(hipMalloc(&p, size_t(groups) * 64 * sizeof(float)));
  long_kernel<<<groups, 64>>>(p);
  HIP_OK(hipDeviceSynchronize());
  usleep(useconds_t(milliseconds) * 1000);
  if (e2e::failures || how == "return") return;
  if (how == "exit") std::exit(0);
  if (how == "quick_exit") std::quick_exit(0);
  const pid_t child = fork();
  if (child == 0) {
    forked = true;
    std::exit(0);
  }
  int status = 1;
  CHECK(waitpid(child, &status, 0) == child && status == 0);
}

struct Outcome {
  int status;
  std::string log;
  int count(const char* what) const {
    int n = 0;
    for (size_t at = log.find(what); at != std::string::npos; at = log.find(what, at + 1)) ++n;
    return n;
  }
  bool right() const { return status == 0 && count("right") == 1; }
};
// The child's exit status and what it says on standard error.
Outcome run(const std::string& environment, const std::string& work) {
  const std::string self = fs::read_symlink("/proc/self/exe").string();
  const std::string command =
      environment + " OMNIHIP_TIER_LOG=1 E2E_CHILD=\"" + work + "\" timeout 100 '" + self + "' child 2>&1 >/dev/null";
  FILE* pipe = popen(command.c_str(), "r");
  if (!pipe) return {1, ""};
  std::string log;
  char text[512];
  while (std::fgets(text, sizeof text, pipe)) log += text;
  return {pclose(pipe), log};
}

struct Folder {
  std::string path = (fs::temp_directory_path() / "omnihip-e2e-XXXXXX").string();
  Folder() {
    if (!mkdtemp(path.data())) std::abort();
  }
  ~Folder() { fs::remove_all(path); }
  std::string environment() const { return "OMNIHIP_CACHE_DIR='" + path + "'"; }
  std::vector<fs::path> files() const {
    std::vector<fs::path> out;
    if (fs::exists(path + "/code"))
      for (const auto& entry : fs::directory_iterator(path + "/code")) out.push_back(entry.path());
    return out;
  }
};

const std::string kOne = E2E_MODULES "/fill_1.co 1", kTwo = E2E_MODULES "/fill_2.co 2";

// Whether kernels are translated on this processor.
bool translated_here() { return __builtin_cpu_supports("x86-64-v3"); }

} // namespace

// LeakSanitizer asks: to a child that was forked, what its parent's other threads hold looks lost.
extern "C" int __lsan_is_turned_off() { return forked; }

E2E_CASE(child) {
  const char* work = std::getenv("E2E_CHILD");
  if (!work) return;
  std::istringstream words(work);
  std::string what;
  words >> what;
  what == "fill" ? child_fill(words) : child_end(words);
}

E2E_CASE(second_run_starts_translated) {
  E2E_LEAVE_OUT_IF(e2e::on_nvidia(), "translations are the software GPU\'s");
  if (!translated_here()) return;
  Folder folder;
  const std::string at_once = folder.environment() + " OMNIHIP_TIER=1 ";
  const Outcome first = run(at_once, "fill " + kOne);
  CHECK(first.right());
  CHECK_EQ(first.count(", translated"), 1);
  CHECK_EQ(first.count("with translator"), 1);
  CHECK_EQ(folder.files().size(), size_t(1));
  // However kernels are chosen for translation, what is on disk is used, and no code generator is loaded.
  for (const std::string& environment : {at_once, folder.environment() + " OMNIHIP_TIER= "}) {
    const Outcome next = run(environment, "fill " + kOne);
    CHECK(next.right());
    CHECK_EQ(next.count(", from the cache"), 1);
    CHECK_EQ(next.count(", translated"), 0);
    CHECK_EQ(next.count("without translator"), 1);
  }
  const Outcome interpreted = run(folder.environment() + " OMNIHIP_TIER=0 ", "fill " + kOne);
  CHECK(interpreted.right());
  CHECK_EQ(interpreted.count("tier 1"), 0);
}

E2E_CASE(no_cache_when_it_is_not_wanted) {
  E2E_LEAVE_OUT_IF(e2e::on_nvidia(), "translations are the software GPU\'s");
  if (!translated_here()) return;
  Folder folder;
  for (int k = 0; k < 2; ++k) {
    const Outcome outcome = run(folder.environment() + " OMNIHIP_CACHE=0 OMNIHIP_TIER=1 ", "fill " + kOne);
    CHECK(outcome.right());
    CHECK_EQ(outcome.count(", translated"), 1);
  }
  CHECK(folder.files().empty());
}

E2E_CASE(damaged_file_is_translated_anew) {
  E2E_LEAVE_OUT_IF(e2e::on_nvidia(), "translations are the software GPU\'s");
  if (!translated_here()) return;
  Folder folder;
  const std::string at_once = folder.environment() + " OMNIHIP_TIER=1 ";
  CHECK(run(at_once, "fill " + kOne).right());
  for (int way = 0; way < 3; ++way) {
    const std::vector<fs::path> files = folder.files();
    CHECK_EQ(files.size(), size_t(1));
    if (files.size() != 1) return;
    const uint64_t bytes = fs::file_size(files[0]);
    if (way == 0) {
      fs::resize_file(files[0], bytes / 2);
    } else {
      std::fstream file(files[0], std::ios::in | std::ios::out | std::ios::binary);
      const uint64_t at = way == 1 ? bytes / 2 : 40; // in the code; in the file's header
      file.seekg(std::streamoff(at));
      const char byte = char(file.get() ^ 0x10);
      file.seekp(std::streamoff(at));
      file.put(byte);
    }
    const Outcome repaired = run(at_once, "fill " + kOne);
    CHECK(repaired.right());
    CHECK_EQ(repaired.count(", translated"), 1);
    const Outcome next = run(at_once, "fill " + kOne);
    CHECK(next.right());
    CHECK_EQ(next.count(", from the cache"), 1);
  }
}

E2E_CASE(changed_kernel_of_the_same_name_is_another) {
  E2E_LEAVE_OUT_IF(e2e::on_nvidia(), "translations are the software GPU\'s");
  if (!translated_here()) return;
  Folder folder;
  const std::string at_once = folder.environment() + " OMNIHIP_TIER=1 ";
  CHECK(run(at_once, "fill " + kOne).right());
  const Outcome changed = run(at_once, "fill " + kTwo);
  CHECK(changed.right());
  CHECK_EQ(changed.count(", translated"), 1);
  CHECK_EQ(folder.files().size(), size_t(2));
  const Outcome both = run(at_once, "fill " + kOne + " " + kTwo);
  CHECK(both.right());
  CHECK_EQ(both.count(", from the cache"), 2);
}

E2E_CASE(modules_come_and_go) {
  E2E_LEAVE_OUT_IF(e2e::on_nvidia(), "translations are the software GPU\'s");
  if (!translated_here()) return;
  std::string many;
  for (int k = 0; k < 20; ++k) many += kOne + " " + kTwo + " " + kTwo + " ";
  Folder folder;
  for (const char* tier : {" OMNIHIP_TIER=1 ", " OMNIHIP_TIER=1 ", " OMNIHIP_TIER= "}) {
    const Outcome outcome = run(folder.environment() + tier, "fill " + many);
    CHECK(outcome.right());
    CHECK_EQ(outcome.count("omnihip: tier 1: fill"), 60);
  }
}

E2E_CASE(process_ends_while_a_kernel_is_translated) {
  E2E_LEAVE_OUT_IF(e2e::on_nvidia(), "translations are the software GPU\'s");
  if (!translated_here()) return;
  Folder folder;
  for (const std::string code : {"best", ""})
    for (const char* how : {"return", "exit", "quick_exit", "fork"})
      for (int milliseconds : {0, 1, 3, 10, 30, 100, 300}) {
        const Outcome outcome = run("OMNIHIP_CACHE=0 OMNIHIP_TIER= OMNIHIP_TIER_CODE=" + code + " ", std::string("end ") + how + " " + std::to_string(milliseconds));
        CHECK_EQ(outcome.status, 0);
        // A translation may have been ready in time; else nobody hears of it.
        if (outcome.count(", translated") == 0 && outcome.count(", quick code") == 0) CHECK_EQ(outcome.log, std::string());
      }
}

E2E_CASE(what_a_process_left_unfinished_is_translated_after_it) {
  E2E_LEAVE_OUT_IF(e2e::on_nvidia(), "translations are the software GPU\'s");
  if (!translated_here()) return;
  for (const bool wanted : {true, false}) {
    Folder folder;
    const std::string environment =
        folder.environment() + (wanted ? " OMNIHIP_TIER= OMNIHIP_TIER_FINISH=1 " : " OMNIHIP_TIER= OMNIHIP_TIER_FINISH=0 ");
    const Outcome first = run(environment, "end return 0");
    CHECK_EQ(first.status, 0);
    const auto translated = [&] {
      for (const fs::path& file : folder.files())
        if (file.extension() == ".code") return true;
      return false;
    };
    // It was in time, and there is nothing to see; the process may have ended before it could say so.
    if (first.count(", translated") || first.count(", quick code") || (!wanted && translated())) continue;
    for (int tenths = 0; tenths < (wanted ? 1200 : 10) && !translated(); ++tenths) usleep(100'000);
    CHECK_EQ(translated(), wanted);
    const Outcome next = run(folder.environment() + " OMNIHIP_TIER= OMNIHIP_TIER_FINISH=0 ", "end return 0");
    CHECK_EQ(next.status, 0);
    CHECK_EQ(next.count(", from the cache") > 0, wanted); // without optimisation the kernel calls functions, which are translated too
  }
}

// It did more than a short kernel's translation would take, but less than its own.
E2E_CASE(a_long_kernel_that_ran_shortly_is_translated_after_the_process) {
  E2E_LEAVE_OUT_IF(e2e::on_nvidia(), "translations are the software GPU\'s");
  if (!translated_here()) return;
  Folder folder;
  const Outcome first = run(folder.environment() + " OMNIHIP_TIER= OMNIHIP_TIER_FINISH=1 ", "end return 0 2500");
  CHECK_EQ(first.status, 0);
  if (first.count("long_kernel")) return; // on a busy machine it may have taken long enough
  bool is_there = false;
  for (int tenths = 0; tenths < 1200 && !is_there; ++tenths) {
    usleep(100'000);
    is_there = run(folder.environment() + " OMNIHIP_TIER= OMNIHIP_TIER_FINISH=0 ", "end return 0 1").count("long_kernel") > 0;
  }
  CHECK(is_there);
}

E2E_CASE(quick_code_is_kept_until_there_is_better) {
  E2E_LEAVE_OUT_IF(e2e::on_nvidia(), "translations are the software GPU\'s");
  if (!translated_here()) return;
  Folder folder;
  const std::string environment = folder.environment() + " OMNIHIP_TIER= OMNIHIP_TIER_FINISH=0 ";
  const Outcome first = run(environment, "end return 2000");
  CHECK_EQ(first.status, 0);
  const int made = first.count(", quick code\n"); // 0 where there is no quick code, or no time for it
  if (made == 0 || first.count(", translated") != 0) return;
  const Outcome next = run(environment, "end return 0");
  CHECK_EQ(next.status, 0);
  CHECK_EQ(next.count(", quick code from the cache"), made);
  CHECK_EQ(next.count(", quick code\n"), 0);
  // The best code takes its place.
  CHECK_EQ(run(folder.environment() + " OMNIHIP_TIER=1 ", "end return 0").status, 0);
  const Outcome last = run(environment, "end return 0");
  CHECK_EQ(last.status, 0);
  CHECK(last.count(", from the cache") > 0);
  CHECK_EQ(last.count(", quick code"), 0);
}
