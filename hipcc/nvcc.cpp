// Invocation -> jobs for nvcc.
#include "nvcc.h"

#include "nvidia.h"
#include "toolchain.h"
#include "words.h"

#include <algorithm>
#include <filesystem>
#include <string_view>

namespace hip::hipcc {
namespace fs = std::filesystem;
namespace {

enum class Action { Same, Host, Linker, None };
struct NvccRow {
  std::string_view spelling;
  Action action;
};
constexpr NvccRow kRows[] = {
#define NVCC_OPTION(spelling, action) {spelling, Action::action},
#include "nvcc.def"
#undef NVCC_OPTION
};

Action action_of(std::string_view word) {
  const NvccRow* best = nullptr;
  for (const NvccRow& row : kRows)
    if (word.starts_with(row.spelling) && (!best || row.spelling.size() > best->spelling.size())) best = &row;
  return best ? best->action : Action::Same;
}

// Words for the host's compiler. nvcc cuts what stands behind -Xcompiler at commas, unless a backslash stands before
// them.
Words for_compiler(const Words& words) {
  Words result;
  for (const std::string& word : words) {
    std::string whole;
    for (char c : word) whole += c == ',' ? std::string("\\,") : std::string(1, c);
    append(result, {"-Xcompiler", whole});
  }
  return result;
}

// Words for the linker, by the host compiler's -Xlinker: nvcc's own cuts words at commas that have a backslash, too.
Words for_linker(const Words& words) {
  Words result;
  for (const std::string& word : words) append(result, for_compiler({"-Xlinker", word}));
  return result;
}

// nvcc has -O0 to -O3, clang more names for them.
Words optimisation(const std::string& level) {
  if (level.empty()) return {"-O1"};
  if (level == "fast") return {"-O3", "--use_fast_math"};
  if (level == "s" || level == "z") return {"-O2", "-Xcompiler", "-O" + level};
  if (level == "g") return {"-O1", "-Xcompiler", "-Og"};
  return {"-O" + std::string(1, std::min(level[0], '3'))};
}

class NvccPlanner {
public:
  NvccPlanner(const Invocation& inv, const NvccToolchain& toolchain, const std::string& scratch)
      : inv_(inv), toolchain_(toolchain), scratch_(scratch) {}

  JobGraph plan() {
    if (inv_.inputs.empty()) throw DriverError("no input files");
    check();
    if (!inv_.has_sources() || inv_.output_kind == OutputKind::Executable)
      inv_.sides == Sides::DeviceOnly ? each_source({"-fatbin"}, ".fatbin") : compile_and_link();
    else if (inv_.sides == Sides::DeviceOnly)
      each_source({has_mode(OptionId::AssembleOnly) ? "-ptx" : "-fatbin"},
                  has_mode(OptionId::AssembleOnly) ? ".ptx" : ".fatbin");
    else if (inv_.output_kind == OutputKind::Object)
      each_source({"-c"}, ".o");
    else
      each_source(mode_words(), "");
    return std::move(graph_);
  }

private:
  bool has_mode(OptionId id) const {
    return std::any_of(inv_.mode.begin(), inv_.mode.end(), [id](const Argument& a) { return a.id() == id; });
  }

  void check() const {
    for (const std::string& arch : inv_.archs)
      if (!is_nvidia(arch) && arch != "native" && arch != "all" && arch != "all-major")
        throw DriverError("'" + arch +
                          "' is no NVIDIA architecture; with HIP_PLATFORM=nvidia --offload-arch names "
                          "those, sm_90 for example, or 'native'");
    if (has_mode(OptionId::EmitLlvm))
      throw DriverError("-emit-llvm is clang's; HIP_PLATFORM=nvidia compiles with nvcc, which has no LLVM bitcode");
    if (has_mode(OptionId::AssembleOnly) && inv_.sides != Sides::DeviceOnly)
      throw DriverError("-S needs --offload-device-only with HIP_PLATFORM=nvidia: nvcc writes PTX, and no assembly of "
                        "the host");
    for (const Input& input : inv_.inputs)
      if (input.path == "-")
        throw DriverError(
            "nvcc, which HIP_PLATFORM=nvidia compiles with, does not read standard input; give it a file");
    size_t sources = 0;
    for (const Input& input : inv_.inputs) sources += input.kind != InputKind::LinkerWord;
    if (sources > 1 && !inv_.output.empty() && inv_.output_kind != OutputKind::Executable)
      throw DriverError("cannot specify -o when generating multiple output files");
  }

  Words mode_words() const {
    Words words;
    for (const Argument& mode : inv_.mode) {
      if (mode.id() == OptionId::SyntaxOnly)
        append(words, {"-c", "-o", "/dev/null"});
      else if (mode.id() != OptionId::CompileOnly)
        append(words, mode.words);
    }
    return words;
  }

  // Every architecture in machine code and in PTX, as the AMD side of hipcc compiles for it; without one, this
  // machine's.
  Words arch_words() const {
    for (const Argument& option : inv_.options)
      if (option.id() == OptionId::NvccTarget) return {};
    if (inv_.archs.empty()) return {"-arch=native"};
    Words words;
    for (const std::string& arch : inv_.archs) {
      if (!is_nvidia(arch)) return {"-arch=" + arch};
      const std::string number = arch.substr(arch.find('_') + 1);
      words.push_back("-gencode=arch=compute_" + number + ",code=[sm_" + number + ",compute_" + number + "]");
    }
    return words;
  }

  Words common_words(InputKind kind, Use unwanted) const {
    Words words = {toolchain_.nvcc};
    if (inv_.verbose) words.push_back("-v");
    if (kind == InputKind::HipSource) append(words, arch_words());
    if (kind == InputKind::HipSource && inv_.relocatable_device_code) words.push_back("-rdc=true");
    // Some systems' gcc fortifies; the C library's headers then define memmove for the host, and kernels have none.
    if (kind == InputKind::HipSource) words.push_back("-U_FORTIFY_SOURCE");
    if (!inv_.optimise_given) words.push_back("-O3"); // as hipcc always has
    for (const Argument& option : inv_.options)
      if (option.option->use != unwanted) append(words, nvcc_words(option, kind));
    return words;
  }

  Words compile_command(const Input& source, const Words& mode, const std::string& output) const {
    Words words = common_words(source.kind, Use::Link);
    append(words, {"-D__HIP_PLATFORM_NVIDIA__=1", "-isystem", toolchain_.sdk + "/include"});
    append(words, mode);
    if (source.kind == InputKind::HipSource)
      append(words, {"-x", "cu"});
    else if (!source.language.empty())
      append(words, {"-x", source.language});
    words.push_back(source.path);
    if (!output.empty()) append(words, {"-o", output});
    return words;
  }

  size_t add(Words command, Words outputs, std::vector<size_t> needs) {
    Job job;
    job.command = std::move(command);
    job.response_file = ResponseFile::Nvcc;
    job.outputs = std::move(outputs);
    job.needs = std::move(needs);
    graph_.push_back(std::move(job));
    return graph_.size() - 1;
  }

  // What stands among the objects of a link. HIP's runtime is in the headers here, and NVRTC is its compiler.
  static Words linker_words(const Input& input) {
    const std::string& word = input.words[0];
    if (word.starts_with("-Wl,") || word == "-Xlinker") return for_compiler(input.words);
    if (word == "-z") return for_linker(input.words); // nvcc has no such option
    if (word == "-lamdhip64") return {};
    if (word == "-lhiprtc") return {"-lnvrtc"};
    return input.words;
  }

  // One command per source whose result is the user's. No ending: the result goes where nvcc puts it.
  void each_source(const Words& mode, const std::string& ending) {
    for (const Input& source : inv_.inputs) {
      if (source.kind == InputKind::LinkerWord) continue;
      std::string output = inv_.output;
      if (output.empty() && !ending.empty()) output = fs::path(source.path).stem().string() + ending;
      add(compile_command(source, mode, output), output.empty() ? Words{} : Words{output}, {});
    }
  }

  void compile_and_link() {
    Words objects;
    std::vector<size_t> jobs;
    for (const Input& source : inv_.inputs) {
      if (source.kind == InputKind::LinkerWord) continue;
      objects.push_back(scratch_ + "/" + std::to_string(objects.size() + 1) + "-" +
                        fs::path(source.path).stem().string() + ".o");
      jobs.push_back(add(compile_command(source, {"-c"}, objects.back()), {}, {}));
    }
    // The link compiles nothing unless device code is linked across files.
    Words link =
        common_words(inv_.relocatable_device_code ? InputKind::HipSource : InputKind::OtherSource, Use::Compile);
    size_t next = 0;
    for (const Input& input : inv_.inputs) {
      if (input.kind != InputKind::LinkerWord)
        link.push_back(objects[next++]);
      else
        append(link, linker_words(input));
    }
    for (const std::string& folder : toolchain_.library_folders) link.push_back("-L" + folder);
    append(link, {"-lcuda", "-o", inv_.output.empty() ? "a.out" : inv_.output});
    add(std::move(link), {}, jobs);
  }

  const Invocation& inv_;
  const NvccToolchain& toolchain_;
  const std::string& scratch_;
  JobGraph graph_;
};

} // namespace

std::string find_nvcc() {
  const std::string nvcc = find_cuda_program("nvcc", "HIPCC_NVCC");
  if (nvcc.empty())
    throw DriverError("nvcc was not found, which HIP_PLATFORM=nvidia compiles with: neither in CUDA_PATH's or "
                      "CUDA_HOME's bin nor in /usr/local/cuda/bin nor on PATH; install the CUDA toolkit, version 12 or "
                      "later, or set HIPCC_NVCC to the path of nvcc");
  return nvcc;
}

std::string cuda_of(const std::string& nvcc) {
  std::error_code ec;
  const fs::path path = fs::canonical(nvcc, ec);
  return (ec ? fs::path(nvcc) : path).parent_path().parent_path().string();
}

std::vector<std::string> cuda_library_folders(const std::string& nvcc) {
  const fs::path cuda = cuda_of(nvcc);
  std::vector<std::string> folders;
  for (const char* folder : {"lib64", "lib64/stubs", "targets/x86_64-linux/lib", "targets/x86_64-linux/lib/stubs"}) {
    std::error_code ec;
    if (fs::is_directory(cuda / folder, ec)) folders.push_back((cuda / folder).string());
  }
  return folders;
}

NvccToolchain find_nvcc_toolchain(const std::string& sdk_option) {
  NvccToolchain toolchain;
  toolchain.sdk = find_sdk(sdk_option);
  toolchain.nvcc = find_nvcc();
  toolchain.library_folders = cuda_library_folders(toolchain.nvcc);
  return toolchain;
}

Words nvcc_words(const Argument& option, InputKind kind) {
  const std::string& word = option.words[0];
  switch (option.id()) {
  case OptionId::Rdc: // said by -rdc=true
  case OptionId::NoRdc:
  case OptionId::Cuid:
    return {};
  case OptionId::Optimise:
    return optimisation(word == "--optimize" ? "" : option.value);
  case OptionId::Standard: {
    // C sources are spared a C++ standard and C++ a C one; nvcc has the C++ ones under their ISO names.
    const bool cxx = option.value.find("++") != std::string::npos;
    if (cxx == (kind == InputKind::CSource)) return {};
    if (!cxx) return {"-Xcompiler", "-std=" + option.value};
    return {"-std=" + (option.value.starts_with("gnu++") ? "c" + option.value.substr(3) : option.value)};
  }
  default:
    break;
  }
  if (word == "-g" || word == "-w") return option.words;
  // nvcc includes CUDA's headers before the program's first line, so the macro alone comes too late for them.
  if (option.id() == OptionId::Define && word != "-U" && !word.starts_with("-U") &&
      option.value.substr(0, option.value.find('=')) == "HIP_API_PER_THREAD_DEFAULT_STREAM")
    return {"--default-stream=per-thread", "-DHIP_API_PER_THREAD_DEFAULT_STREAM"};
  if (word == "-fgpu-default-stream=per-thread") return {"--default-stream=per-thread"};
  if (word == "-ffast-math") return {"--use_fast_math", "-Xcompiler", word};
  if (word.starts_with("-ffp-contract=")) return {option.value.ends_with("off") ? "-fmad=false" : "-fmad=true"};
  if (word == "-save-temps" || word == "--save-temps" || word.starts_with("-save-temps=") ||
      word.starts_with("--save-temps="))
    return {"--keep"};
  switch (action_of(word)) {
  case Action::None:
    return {};
  case Action::Host:
    return for_compiler(option.words);
  case Action::Linker:
    return for_linker(option.words);
  case Action::Same:
    break;
  }
  return option.words;
}

JobGraph make_nvcc_plan(const Invocation& invocation, const NvccToolchain& toolchain, const std::string& scratch) {
  return NvccPlanner(invocation, toolchain, scratch).plan();
}

} // namespace hip::hipcc
