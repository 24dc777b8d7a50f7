// Arguments -> Invocation.
#include "invocation.h"

#include "devices.h"
#include "nvidia.h"

#include <algorithm>
#include <charconv>
#include <string_view>

namespace hip::hipcc {
namespace {

struct Ending {
  std::string_view text;
  InputKind kind;
  const char* language;
};
// A C++ file given to hipcc is HIP, as with every hipcc before; a C file stays C.
constexpr Ending kEndings[] = {
    {".hip", InputKind::HipSource, "hip"}, {".cu", InputKind::HipSource, "hip"},  {".cpp", InputKind::HipSource, "hip"},
    {".cc", InputKind::HipSource, "hip"},  {".cxx", InputKind::HipSource, "hip"}, {".c++", InputKind::HipSource, "hip"},
    {".cp", InputKind::HipSource, "hip"},  {".C", InputKind::HipSource, "hip"},   {".CPP", InputKind::HipSource, "hip"},
    {".c", InputKind::CSource, "c"},       {".i", InputKind::OtherSource, ""},    {".ii", InputKind::OtherSource, ""},
    {".s", InputKind::OtherSource, ""},    {".S", InputKind::OtherSource, ""},    {".sx", InputKind::OtherSource, ""},
    {".ll", InputKind::OtherSource, ""},   {".bc", InputKind::OtherSource, ""},   {".m", InputKind::OtherSource, ""},
};
constexpr std::string_view kHeaderEndings[] = {".h", ".hh", ".H", ".hp", ".hpp", ".hxx", ".h++"}; // as clang has them

Input classify(const std::string& path, const std::string& language) {
  if (language == "hip" || language == "cuda") return {InputKind::HipSource, path, "hip", {path}};
  if (language == "c") return {InputKind::CSource, path, "c", {path}};
  if (!language.empty()) return {InputKind::OtherSource, path, language, {path}, language.ends_with("-header")};
  size_t dot = path.find_last_of("./");
  std::string_view ending = dot != std::string::npos && path[dot] == '.' ? std::string_view(path).substr(dot) : "";
  for (const Ending& row : kEndings) {
    if (row.text == ending) return {row.kind, path, row.language, {path}};
  }
  if (std::ranges::find(kHeaderEndings, ending) != std::end(kHeaderEndings))
    return {InputKind::OtherSource, path, "", {path}, true};
  return {InputKind::LinkerWord, path, "", {path}};
}

void add_arch(std::vector<std::string>& archs, const std::string& arch) {
  if (is_nvidia(arch)) static_cast<void>(nvidia_arch(arch));
  if (arch == "native") {
    for (const std::string& own : default_archs()) add_arch(archs, own);
  } else if (arch == "all") {
    for (const std::string& one : all_archs()) add_arch(archs, one);
  } else if (!arch.empty() && std::find(archs.begin(), archs.end(), arch) == archs.end()) {
    archs.push_back(arch);
  }
}

void remove_arch(std::vector<std::string>& archs, const std::string& arch) {
  if (arch == "all")
    archs.clear();
  else
    archs.erase(std::remove(archs.begin(), archs.end(), arch), archs.end());
}

template<class F> void each_of_list(const std::string& list, F f) {
  for (size_t at = 0; at <= list.size();) {
    size_t end = std::min(list.find(',', at), list.size());
    f(list.substr(at, end - at));
    at = end + 1;
  }
}

// Two forms of one processor, such as gfx90a and gfx90a:xnack+, conflict in ways that clang's driver explains best when
// it sees all of them.
bool names_a_processor_twice(const std::vector<std::string>& archs) {
  std::vector<std::string> processors;
  for (const std::string& arch : archs) processors.push_back(processor_of(arch));
  std::sort(processors.begin(), processors.end());
  return std::adjacent_find(processors.begin(), processors.end()) != processors.end();
}

// What clang's driver would have to do by itself cannot be asked for together with NVIDIA GPUs: it compiles for one
// vendor at a time.
void check_nvidia(const Invocation& inv) {
  const auto nvidia = std::find_if(inv.archs.begin(), inv.archs.end(), is_nvidia);
  if (nvidia == inv.archs.end() || !inv.has_sources()) return;
  if (inv.relocatable_device_code)
    throw DriverError(
        "-fgpu-rdc does not go with '" + *nvidia +
        "': device code for NVIDIA GPUs is not linked across files; compile it as one file per program, or "
        "without -fgpu-rdc");
  const bool one_ptx = inv.sides == Sides::DeviceOnly && inv.archs.size() == 1;
  if (inv.whole_driver || (inv.output_kind == OutputKind::Other && inv.sides != Sides::HostOnly && !one_ptx))
    throw DriverError("an option of this command leaves all of the work to clang's driver, which does not compile for "
                      "AMD and NVIDIA GPUs in one command ('" +
                      *nvidia +
                      "'); for its PTX alone give -S "
                      "--offload-device-only and one architecture, for the rest leave the NVIDIA ones out");
}

// Whether an option makes clang name another file after the object, or write the object's name into what it makes. An
// option without a row in options.def may do so.
bool follows_object_name(const Argument& argument) {
  constexpr std::string_view kFollowers[] = {
      "--coverage",    "-coverage",       "-ftest-coverage", "-fprofile-arcs", "-fsave-optimization-record",
      "-fstack-usage", "-fmodule-output", "-grecord-",       "-frecord-",      "-MJ",
      "-Wp,-M"};
  if (argument.id() == OptionId::Unknown) return true;
  if (argument.words[0].starts_with("-Xarch_") && argument.words.size() == 2) {
    try {
      const OptionId forwarded = parse_arguments({argument.words[1]})[0].id();
      if (forwarded == OptionId::Unknown || forwarded == OptionId::WholeDriver || forwarded == OptionId::DependencyFile)
        return true;
    } catch (const DriverError&) { // an option that wants a value: clang's to refuse
      return true;
    }
  }
  return std::ranges::any_of(argument.words, [&](const std::string& word) { // behind -Xarch_host, the second
    return std::ranges::any_of(kFollowers, [&](std::string_view follower) { return word.starts_with(follower); });
  });
}

unsigned parse_jobs(const Argument& argument) {
  if (argument.value == "jobserver") return 0; // make limits the number of jobs already
  unsigned jobs = 0;
  const char* end = argument.value.data() + argument.value.size();
  auto [rest, error] = std::from_chars(argument.value.data(), end, jobs);
  if (error != std::errc() || rest != end || jobs == 0)
    throw DriverError("invalid number of jobs '" + argument.value + "' in '" + argument.words[0] + "'");
  return jobs;
}

// Whether a command line names a source, and whether it links: what decides about the environment's options.
bool has_sources(const std::vector<Argument>& arguments) {
  std::string language;
  for (const Argument& argument : arguments) {
    if (argument.id() == OptionId::Language) language = argument.value == "none" ? "" : argument.value;
    if (argument.id() == OptionId::Input && classify(argument.value, language).kind != InputKind::LinkerWord)
      return true;
  }
  return false;
}
bool is_linked(const std::vector<Argument>& arguments) {
  bool has_inputs = false;
  for (const Argument& argument : arguments) {
    switch (argument.id()) {
    case OptionId::Input:
    case OptionId::LinkInput:
      has_inputs = true;
      break;
    case OptionId::CompileOnly:
    case OptionId::AssembleOnly:
    case OptionId::PreprocessOnly:
    case OptionId::SyntaxOnly:
    case OptionId::DependenciesOnly:
    case OptionId::Genco:
    case OptionId::GencoText:
      return false;
    default:
      break;
    }
  }
  return has_inputs;
}
// Appends options as a command line of their own, which begins without a language.
void append_afresh(std::vector<Argument>& arguments, const std::vector<Argument>& more) {
  if (more.empty()) return;
  arguments.push_back(parse_arguments({"-x", "none"})[0]);
  arguments.insert(arguments.end(), more.begin(), more.end());
}

} // namespace

std::string processor_of(const std::string& target_id) { return target_id.substr(0, target_id.find(':')); }

std::string Invocation::host_arch() const {
  const auto amd = std::find_if_not(archs.begin(), archs.end(), is_nvidia);
  return amd == archs.end() ? kSoftwareArch : *amd;
}
bool Invocation::has_sources() const {
  return std::any_of(inputs.begin(), inputs.end(), [](const Input& i) { return i.kind != InputKind::LinkerWord; });
}
bool Invocation::has_hip_sources() const {
  return std::any_of(inputs.begin(), inputs.end(), [](const Input& i) { return i.kind == InputKind::HipSource; });
}
bool Invocation::has_headers() const {
  return std::any_of(inputs.begin(), inputs.end(), [](const Input& i) { return i.is_header; });
}
bool Invocation::has_link_inputs() const {
  return std::any_of(inputs.begin(), inputs.end(), [](const Input& i) { return !i.is_header; });
}

std::vector<Argument> with_appended(std::vector<Argument> command, const std::vector<Argument>& compile,
                                    const std::vector<Argument>& link) {
  if (has_sources(command)) append_afresh(command, compile);
  if (is_linked(command)) append_afresh(command, link);
  return command;
}

Invocation make_invocation(const std::vector<Argument>& arguments, Platform platform) {
  Invocation inv;
  std::string language;
  bool compress = false;
  std::vector<std::string> compress_level;
  for (const Argument& argument : arguments) {
    switch (argument.id()) {
    case OptionId::Input:
      inv.inputs.push_back(classify(argument.value, language));
      if (argument.value == "-") inv.whole_driver = true; // standard input can be read once only
      break;
    case OptionId::LinkInput:
      inv.inputs.push_back({InputKind::LinkerWord, argument.value, "", argument.words});
      break;
    case OptionId::Language:
      language = argument.value == "none" ? "" : argument.value;
      break;
    case OptionId::CompileOnly:
      if (inv.output_kind != OutputKind::Other) inv.output_kind = OutputKind::Object;
      inv.mode.push_back(argument);
      break;
    case OptionId::AssembleOnly:
    case OptionId::PreprocessOnly:
    case OptionId::SyntaxOnly:
    case OptionId::DependenciesOnly:
      inv.output_kind = OutputKind::Other;
      inv.mode.push_back(argument);
      break;
    case OptionId::EmitLlvm:
      inv.whole_driver = true;
      inv.mode.push_back(argument);
      break;
    case OptionId::Output:
      inv.output = argument.value;
      break;
    case OptionId::Genco:
      inv.sides = Sides::DeviceOnly;
      break;
    case OptionId::GencoText:
      inv.sides = Sides::DeviceOnly;
      inv.text_code = true;
      break;
    case OptionId::HostOnly:
      inv.sides = Sides::HostOnly;
      break;
    case OptionId::OffloadArch:
      each_of_list(argument.value, [&](const std::string& arch) {
        if (platform == Platform::Amd)
          add_arch(inv.archs, arch);
        else if (!arch.empty())
          inv.archs.push_back(arch);
      });
      break;
    case OptionId::NoOffloadArch:
      each_of_list(argument.value, [&](const std::string& arch) { remove_arch(inv.archs, arch); });
      break;
    case OptionId::Compress:
      compress = true;
      break;
    case OptionId::NoCompress:
      compress = false;
      break;
    case OptionId::CompressLevel:
      compress_level = {"-compression-level=" + argument.value};
      break;
    case OptionId::Help:
    case OptionId::Version:
    case OptionId::ShortVersion:
    case OptionId::CxxFlags:
    case OptionId::LdFlags:
      inv.request = argument.id();
      break;
    case OptionId::Verbose:
      inv.verbose = true;
      break;
    case OptionId::DryRun:
      inv.dry_run = true;
      break;
    case OptionId::RocmPath:
      inv.sdk_option = argument.value;
      break;
    case OptionId::ParallelJobs:
      inv.jobs = parse_jobs(argument);
      break;
    case OptionId::HipPch:
      inv.use_pch = true;
      break;
    case OptionId::NoHipPch:
      inv.use_pch = false;
      break;
    case OptionId::Cuda:
      inv.cuda = true;
      break;
    case OptionId::SoftwareTextures:
      inv.software_textures = true;
      break;
    case OptionId::CudaShifts:
      inv.cuda_shifts = true;
      break;
    case OptionId::NoCudaShifts:
      inv.cuda_shifts = false;
      break;
    case OptionId::HipLink:
      break; // always on
    case OptionId::NoHipRt:
      inv.link_hip_runtime = false;
      break;
    default:
      if (argument.id() == OptionId::WholeDriver) inv.whole_driver = true;
      if (argument.id() == OptionId::Rdc) inv.relocatable_device_code = true;
      if (argument.id() == OptionId::NoRdc) inv.relocatable_device_code = false;
      if (argument.id() == OptionId::Optimise) inv.optimise_given = true;
      if (argument.id() == OptionId::Cuid) inv.cuid_given = true;
      if (argument.id() == OptionId::DependencyFile) inv.writes_dependencies = true;
      if (follows_object_name(argument)) inv.names_files_after_object = true;
      inv.options.push_back(argument);
    }
  }
  if (compress) {
    inv.compress = {"-compress"};
    inv.compress.insert(inv.compress.end(), compress_level.begin(), compress_level.end());
  }
  if (platform == Platform::Nvidia) {
    if (inv.cuda)
      throw DriverError("--cuda is not for HIP_PLATFORM=nvidia: there nvcc compiles CUDA sources by itself");
    return inv;
  }
  if (inv.archs.empty()) inv.archs = default_archs();
  if (names_a_processor_twice(inv.archs)) inv.whole_driver = true;
  check_nvidia(inv);
  return inv;
}

} // namespace hip::hipcc
