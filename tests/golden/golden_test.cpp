// tests/golden/golden_test.cpp - how much host code the translator makes of every kernel that is listed in
// tests/golden, compared with what is written there. A golden file says for one program and one level of host
// processors which kernels are translated for which work-groups, and what came out; README.md says how to read and
// renew it.
#include "guest_kernels.h"
#include "host_code.h"

#include "assembler/assembler.h"
#include "runtime/base/format.h"
#include "tier1/fixed_programs.h"

#include <catch2/catch.hpp>

#include <atomic>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>
#include <thread>

using namespace golden;
namespace compile = hip::engine::compile;
using hip::engine::HostIsa;

namespace {

// Fixed processors: nothing of the one that the test runs on may show.
struct Level {
  const char* name;
  compile::HostCpu host;
};
const Level kLevels[] = {
    {"avx512", {"znver4", "+avx512bf16,+avx512vnni", HostIsa::Avx512}},
    {"avx2", {"x86-64-v3", "", HostIsa::Avx2}},
};

struct Row {
  std::string kernel;
  Shape shape{};
  // What is found.
  uint32_t guest = 0; // instructions
  uint64_t regions = 0, instructions = 0, bytes = 0;

  std::string key() const { return fmt::format("{} {}x{}x{}", kernel, shape[0], shape[1], shape[2]); }
  std::string text() const {
    return fmt::format("{:<40} {:>9} {:>7} {:>8} {:>13} {:>8}\n", kernel,
                       fmt::format("{}x{}x{}", shape[0], shape[1], shape[2]), guest, regions, instructions, bytes);
  }
  // Rows of all but the found numbers; a line that is none gives nullopt.
  static std::optional<Row> parse(const std::string& line) {
    Row row;
    std::istringstream in(line);
    char x;
    if (line.starts_with('#') || !(in >> row.kernel >> row.shape[0] >> x >> row.shape[1] >> x >> row.shape[2]))
      return std::nullopt;
    return row;
  }
};

using Kernels = std::vector<GuestKernels::Kernel>;

struct Program {
  std::string name;
  Kernels kernels;
};

std::string header(const std::string& program, const Level& level) {
  return fmt::format("# {} as code for {}. Written by the target golden_update; see tests/golden/README.md.\n", program,
                     level.host.name) +
         fmt::format("# {:<38} {:>9} {:>7} {:>8} {:>13} {:>8}\n", "kernel", "items", "guest", "regions", "instructions",
                     "bytes");
}

std::filesystem::path file_of(const Program& program, const Level& level) {
  return std::filesystem::path(GOLDEN_FOLDER) / level.name / (program.name + ".txt");
}

std::string contents_of(const std::filesystem::path& path) {
  std::ifstream in(path);
  return {std::istreambuf_iterator<char>(in), {}};
}

// The rows that a golden file asks for: those that it has, as far as there are such kernels, and one for each new
// kernel.
std::vector<Row> wanted(const Program& program, const std::string& golden) {
  std::vector<Row> rows;
  for (const GuestKernels::Kernel& kernel : program.kernels) {
    bool any = false;
    std::istringstream in(golden);
    for (std::string line; std::getline(in, line);)
      if (const auto row = Row::parse(line); row && row->kernel == kernel.name) rows.push_back(*row), any = true;
    if (!any) rows.push_back({.kernel = kernel.name, .shape = kernel.most});
  }
  return rows;
}

hip::Status fill(Row& row, const GuestKernels::Kernel& kernel, const Level& level) {
  static compile::Translator* const translator = omnihip_translator_create(compile::kTranslatorAbiVersion);
  RT_TRY_ASSIGN(const compile::Translation translation, translator->translate(kernel.request(row.shape, level.host)));
  row.guest = uint32_t(translation.lines.size()), row.regions = translation.exits.size();
  row.instructions = 0, row.bytes = 0;
  for (const auto& object : translation.objects) {
    RT_TRY_ASSIGN(const HostCode code, HostCode::count(object));
    row.instructions += code.instructions, row.bytes += code.bytes;
  }
  return {};
}

// The code objects of the build, and the programs of tests/tier1 that are fixed.
std::vector<Program> all_programs() {
  std::vector<Program> programs;
  std::istringstream list(GOLDEN_CODE_OBJECTS);
  for (std::string path; std::getline(list, path, ':');) {
    auto read = GuestKernels::read(path);
    if (!read.ok()) FAIL(read.status().to_string());
    programs.push_back({std::filesystem::path(path).stem(), read.value().kernels()});
  }
  const hip::testing::Assembler assembler("gfx942");
  Program fixed{"tier1", {}};
  for (const tier1_test::FixedProgram& program : tier1_test::fixed_programs()) {
    GuestKernels::Kernel kernel;
    kernel.name = program.name, kernel.target = "gfx942", kernel.item_ids = 0x3ff;
    kernel.most = {hip::engine::kMaxLanes, 1, 1};
    for (const uint8_t byte : assembler.assemble(program.text + "s_endpgm\n")) kernel.code.push_back(std::byte(byte));
    fixed.kernels.push_back(std::move(kernel));
  }
  programs.push_back(std::move(fixed));
  return programs;
}

// Lines that only one of two texts has, those of the first with "-" and those of the second with "+".
std::string difference(const std::string& golden, const std::string& found) {
  const auto keyed = [](const std::string& text) {
    std::map<std::string, std::string> lines;
    std::istringstream in(text);
    for (std::string line; std::getline(in, line);) {
      const auto row = Row::parse(line);
      lines[row ? row->key() : line] = line;
    }
    return lines;
  };
  const auto before = keyed(golden), after = keyed(found);
  std::string out;
  for (const auto& [key, line] : before) {
    const auto it = after.find(key);
    if (it == after.end())
      out += "-" + line + "\n";
    else if (it->second != line)
      out += "-" + line + "\n+" + it->second + "\n";
  }
  for (const auto& [key, line] : after)
    if (!before.contains(key)) out += "+" + line + "\n";
  return out;
}

} // namespace

TEST_CASE("Translations have as many host instructions as the golden files say") {
  const std::vector<Program> programs = all_programs();
  struct Job {
    const Level* level;
    const GuestKernels::Kernel* kernel;
    Row row;
    hip::Status status;
  };
  struct File {
    const Program* program;
    const Level* level;
    std::string golden;
    size_t first_job, jobs;
  };
  std::vector<Job> jobs;
  std::vector<File> files;
  for (const Level& level : kLevels)
    for (const Program& program : programs) {
      File file{&program, &level, contents_of(file_of(program, level)), jobs.size(), 0};
      for (const Row& row : wanted(program, file.golden))
        for (const GuestKernels::Kernel& kernel : program.kernels)
          if (kernel.name == row.kernel) jobs.push_back({&level, &kernel, row, {}});
      file.jobs = jobs.size() - file.first_job;
      files.push_back(std::move(file));
    }

  std::atomic<size_t> next{0};
  std::vector<std::thread> threads;
  for (uint32_t k = 0; k < std::max(1u, std::thread::hardware_concurrency()); ++k)
    threads.emplace_back([&] {
      for (size_t j; (j = next.fetch_add(1)) < jobs.size();)
        jobs[j].status = fill(jobs[j].row, *jobs[j].kernel, *jobs[j].level);
    });
  for (std::thread& thread : threads) thread.join();

  const bool update = std::getenv("OMNIHIP_GOLDEN_UPDATE");
  for (const File& file : files) {
    std::string found = header(file.program->name, *file.level);
    for (size_t j = file.first_job; j < file.first_job + file.jobs; ++j) {
      INFO(jobs[j].row.key() << ": " << jobs[j].status.message());
      CHECK(jobs[j].status.ok());
      found += jobs[j].row.text();
    }
    const std::filesystem::path path = file_of(*file.program, *file.level);
    if (update) {
      std::filesystem::create_directories(path.parent_path());
      std::ofstream(path) << found;
    } else if (found != file.golden) {
      std::fprintf(stderr, "%s:\n%s\n", path.c_str(),
                   difference(file.golden, found).c_str()); // Catch would break its lines
      FAIL_CHECK(path.string() << " differs. When that is what you want: cmake --build <build> --target golden_update");
    }
  }
}
