// Invocation -> JobGraph.
#include "plan.h"

#include "bundle.h"
#include "cuda_advice.h"
#include "launch_spacing.h"
#include "nvidia.h"
#include "pch_cache.h"
#include "plan_words.h"
#include "ptx.h"
#include "words.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <optional>

namespace hip::hipcc {
namespace fs = std::filesystem;
namespace {

bool is_whole_command(const Invocation& inv) {
  std::error_code ec; // /dev/null, a pipe: nothing that can be patched, or removed after a failure
  bool no_plain_file = !inv.output.empty() && fs::exists(inv.output, ec) && !fs::is_regular_file(inv.output, ec);
  return inv.whole_driver || inv.inputs.empty() || no_plain_file || inv.output_kind == OutputKind::Other ||
         inv.has_headers() || (inv.output_kind == OutputKind::Object && !inv.has_sources()) ||
         (inv.writes_dependencies &&
          inv.output_kind == OutputKind::Executable) || // clang names the file after the program
         (inv.sides == Sides::HostOnly && inv.output_kind == OutputKind::Executable) ||
         (inv.sides == Sides::DeviceOnly && inv.relocatable_device_code);
}

class Planner {
public:
  Planner(const Invocation& inv, const Toolchain& toolchain, std::string scratch, Colour colour)
      : inv_(inv), toolchain_(toolchain), words_(inv, toolchain, colour), scratch_(std::move(scratch)),
        pch_(toolchain.clang_headers, toolchain.sdk) {}

  JobGraph plan() {
    check_output();
    if (wants_ptx())
      plan_ptx();
    else if (is_whole_command(inv_))
      add_command(words_.whole_command(), {});
    else if (inv_.sides == Sides::DeviceOnly && inv_.has_hip_sources())
      plan_code_objects();
    else if (!inv_.has_sources())
      add_command(words_.link_command({}), {});
    else
      plan_objects_and_link();
    check_device_passes();
    if (!graph_.empty()) graph_.front().warnings = std::move(warnings_);
    return std::move(graph_);
  }

private:
  size_t add(Job job) {
    graph_.push_back(std::move(job));
    return graph_.size() - 1;
  }

  void add_command(Words command, std::vector<size_t> needs) {
    Job job;
    job.command = std::move(command);
    job.needs = std::move(needs);
    add(std::move(job));
  }

  std::string scratch_file(const std::string& source, const std::string& ending) {
    return scratch_ + "/" + std::to_string(++scratch_files_) + "-" + fs::path(source).stem().string() + ending;
  }

  // --- what is refused

  // Throws where -o names one file and several sources make one each. Clang refuses this in the same words, but does
  // not compile for NVIDIA GPUs beside AMD's, and would complain of those first.
  void check_output() const {
    if (inv_.output.empty() || inv_.whole_driver) return;
    const bool device_only = inv_.sides == Sides::DeviceOnly && inv_.has_hip_sources();
    const bool separate = inv_.output_kind == OutputKind::Object || wants_ptx() ||
                          (device_only && inv_.output_kind != OutputKind::Other && !inv_.relocatable_device_code);
    const auto makes_output = [&](const Input& input) {
      return device_only ? input.kind == InputKind::HipSource : input.kind != InputKind::LinkerWord;
    };
    if (separate && std::ranges::count_if(inv_.inputs, makes_output) > 1)
      throw DriverError("cannot specify -o when generating multiple output files");
  }

  // Only HIP sources have a part in device code. Another source throws, because its output would be missing; a file for
  // the linker is a warning. Options of the linker are often among those that a build gives to every command.
  void check_device_inputs() {
    for (const Input& input : inv_.inputs) {
      const bool is_file = input.words[0] == input.path;
      if (input.kind == InputKind::HipSource || !is_file) continue;
      if (input.kind != InputKind::LinkerWord)
        throw DriverError("'" + input.path + "' is no HIP source, and device code alone (--genco) is made of nothing " +
                          "else; leave it out, or say what it is with -x hip");
      warn("'" + input.path + "' is not used: device code alone (--genco) is not linked");
    }
  }

  // --- CUDA sources

  // A CUDA source with launches that clang does not read is compiled from a copy that has them closed up, under its own
  // name: an overlay of the file system. Adds the words and what the job waits for.
  void use_closed_launches(Job& job, const Input& source) {
    if (!inv_.cuda || source.kind != InputKind::HipSource) return;
    auto found = overlays_.find(source.path);
    if (found == overlays_.end()) found = overlays_.emplace(source.path, make_overlay(source.path)).first;
    if (!found->second) return;
    append(job.command, {"-ivfsoverlay", found->second->first});
    job.needs.push_back(found->second->second);
  }

  using Overlay = std::pair<std::string, size_t>; // the description's path, and the job that writes it
  std::optional<Overlay> make_overlay(const std::string& source) {
    std::ifstream file(source, std::ios::binary);
    const std::string text{std::istreambuf_iterator<char>(file), {}};
    std::string closed = with_launches_closed_up(text);
    if (!file || closed == text) return {};
    std::error_code ec;
    const std::string real = fs::absolute(source, ec).lexically_normal().string();
    const std::string copy = scratch_file(source, ".cu"), description = scratch_file(source, ".yaml");
    Job job;
    job.shown = "(hipcc itself) close up the launches of " + source + " in a copy, " + copy;
    job.action = [=](const std::string&) {
      std::ofstream(copy, std::ios::binary) << closed;
      std::ofstream out(description, std::ios::binary);
      out << "{ 'version': 0, 'use-external-names': false, 'roots': [ { 'type': 'file', 'name': " << yaml(real)
          << ", 'external-contents': " << yaml(copy) << " } ] }\n";
      out.close();
      if (!out) throw DriverError("cannot write '" + description + "'");
    };
    return Overlay{description, add(std::move(job))};
  }
  static std::string yaml(const std::string& text) {
    std::string quoted = "'";
    for (const char c : text) quoted += c == '\'' ? std::string("''") : std::string(1, c);
    return quoted + "'";
  }

  void check_device_passes() {
    const bool compiles = inv_.has_hip_sources() && inv_.sides != Sides::HostOnly;
    if ((!compiles && !inv_.relocatable_device_code) || words_.has_device_passes()) return;
    warn(
        "'" + words_.device_passes() +
        "' is missing from this installation: device code is compiled without the SDK's own passes, is slower, and may "
        "not compile at all (printf and matrices on NVIDIA GPUs); install the SDK again");
  }

  void warn(const std::string& sentence) {
    if (std::find(warnings_.begin(), warnings_.end(), sentence) == warnings_.end()) warnings_.push_back(sentence);
  }

  // --- precompiled headers

  // Adds a cached header to a compilation for AMD GPUs or the host.
  void use_pch(Job& job, const std::string& source, const Words& side) {
    Words base = {toolchain_.clangxx};
    append(base, words_.sdk());
    append(base, side);
    use_pch(job, source, base, toolchain_.clang_headers + "/__clang_hip_runtime_wrapper.h");
  }

  // The job that builds the header when it is missing, and the option that uses it. `base` is what the command begins
  // with, as far as it can change the parse; `wrapper` is the header that comes before the program.
  void use_pch(Job& job, const std::string& source, const Words& base, const std::string& wrapper) {
    if (!inv_.use_pch || inv_.cuda || inv_.dry_run) return; // a dry run leaves no trace in the cache
    PchRequest request{source, base, {}, wrapper};
    if (!inv_.optimise_given) request.command.push_back("-O3");
    for (const Argument& option : inv_.options) {
      if (option.option->use == Use::Link || option.option->use == Use::Host) continue;
      switch (option.option->pch) {
      case Pch::Off:
        return;
      case Pch::None:
        break;
      case Pch::Dirs:
        request.include_dirs.push_back(option.value);
        break;
      case Pch::Key:
        if (option.id() != OptionId::Standard || option.value.find("++") != std::string::npos)
          append(request.command, option.words);
        break;
      }
    }
    PchUse use = pch_.prepare(request);
    if (use.path.empty()) return;
    if (use.build) job.needs.push_back(add(std::move(*use.build)));
    job.fallback = job.command;
    append(job.command, {"-Xclang", "-include-pch", "-Xclang", use.path});
  }

  // --- compilations

  struct CodeObjects {
    std::vector<BundleEntry> entries;
    std::vector<size_t> jobs;
  };

  Job ptx_job(const Input& source, const NvidiaArch& arch, const std::string& output) {
    const std::string wrapper = toolchain_.sdk + "/include/hip/detail/nvptx_wrapper.h";
    Job job;
    job.command = words_.nvidia(arch);
    append(job.command, words_.common());
    append(job.command, {"-include", wrapper});
    append(job.command, words_.hip());
    append(job.command, {"-Xclang", "-mlink-builtin-bitcode", "-Xclang", toolchain_.sdk + "/nvptx/bitcode/omnihip.bc"});
    append(job.command, words_.passes());
    append(job.command, words_.cuid(source.path));
    append(job.command, words_.nvptx_tuning());
    Words chosen = words_.compile(source.kind, false);
    // OpenMP is the host's; with a target's name clang would take it for offloading.
    std::erase_if(chosen, [](const std::string& word) { return word.starts_with("-fopenmp"); });
    append(job.command, chosen);
    use_closed_launches(job, source);
    append(job.command, {"-S", "-x", source.language, source.path, "-o", output});
    use_pch(job, source.path, words_.nvidia(arch), wrapper);
    job.action = [output](const std::string&) { mend_ptx(output); };
    if (inv_.cuda) job.advice = cuda_advice;
    return job;
  }

  void compile_nvidia(const Input& source, const std::string& name, CodeObjects& made) {
    const NvidiaArch& arch = nvidia_arch(name);
    const std::string output = scratch_file(source.path, "-" + name + ".ptx");
    made.entries.push_back({name, output});
    Job job = ptx_job(source, arch, output); // it may have added one before itself
    made.jobs.push_back(add(std::move(job)));
    if (ptxas().empty()) return;
    const std::string cubin = scratch_file(source.path, "-" + name + ".cubin");
    Job assemble;
    assemble.command = {ptxas(), "-arch=" + name, "-O3", output, "-o", cubin};
    assemble.excuse = [=, program = ptxas()](const std::string& text) {
      if (!refuses_arch(text, name)) return std::string();
      return "hipcc: warning: '" + program + "' does not know " + name +
             ": its machine code is left out, and the driver compiles the PTX when the program first uses it; " +
             "HIPCC_PTXAS names another ptxas, \"none\" does without\n";
    };
    assemble.needs = {made.jobs.back()};
    made.entries.push_back({name, cubin, true});
    made.jobs.push_back(add(std::move(assemble)));
  }

  // Searched for once, and only by a plan that has something for it; empty when there is none.
  const std::string& ptxas() {
    if (!ptxas_) ptxas_ = find_ptxas();
    return *ptxas_;
  }

  CodeObjects compile_devices(const Input& source) {
    CodeObjects made;
    for (const std::string& arch : inv_.archs) {
      if (is_nvidia(arch)) {
        compile_nvidia(source, arch, made);
        continue;
      }
      Words side = {"--offload-arch=" + arch, "--offload-device-only"};
      std::string output = scratch_file(source.path, "-" + processor_of(arch) + ".co");
      Job job;
      job.command = {toolchain_.clangxx};
      append(job.command, words_.common());
      append(job.command, words_.sdk());
      append(job.command, words_.hip());
      append(job.command, side);
      append(job.command, {"--no-gpu-bundle-output", "-Wno-unused-command-line-argument"});
      append(job.command, words_.cuid(source.path));
      append(job.command, words_.compile(source.kind, false));
      use_closed_launches(job, source);
      append(job.command, {"-c", "-x", source.language, source.path, "-o", output});
      use_pch(job, source.path, side);
      if (inv_.cuda) job.advice = cuda_advice;
      made.entries.push_back({arch, output});
      made.jobs.push_back(add(std::move(job)));
    }
    return made;
  }

  size_t bundle(const CodeObjects& made, const std::string& bundle_path, const Words& outputs) {
    Job job;
    job.needs = made.jobs;
    job.outputs = outputs;
    const Words command = bundler_words(made.entries, bundle_path);
    if (inv_.compress.empty()) {
      job.shown = "(hipcc itself, as) " + quoted_tail(command);
      job.action = [entries = made.entries, bundle_path](const std::string&) { write_bundle(entries, bundle_path); };
    } else {
      job.command = command;
      // The bundler wants all of its files: without what ptxas refused to make, there is no machine code at all.
      std::vector<BundleEntry> sure = made.entries;
      std::erase_if(sure, [](const BundleEntry& entry) { return entry.is_cubin; });
      if (sure.size() < made.entries.size()) job.fallback = bundler_words(sure, bundle_path);
    }
    return add(std::move(job));
  }

  Words bundler_words(const std::vector<BundleEntry>& entries, const std::string& bundle_path) const {
    Words command = {toolchain_.tool("clang-offload-bundler"), "-type=o", "-bundle-align=4096"};
    std::string targets = "-targets=host-x86_64-unknown-linux-gnu";
    Words inputs = {"-input=/dev/null"};
    for (const BundleEntry& entry : entries) {
      targets += "," + bundle_id(entry);
      inputs.push_back("-input=" + entry.path);
    }
    command.push_back(targets);
    append(command, inputs);
    command.push_back("-output=" + bundle_path);
    append(command, inv_.compress);
    return command;
  }

  static std::string quoted_tail(const Words& command) {
    std::string line;
    for (const std::string& word : command) line += (line.empty() ? "" : " ") + word;
    return line;
  }

  // Where the host's compilation of a source writes: not under the user's name, because an object without its device
  // code would stand there if hipcc were killed, and make would take it for the finished one. With options whose files
  // clang names after the object, it has its name at once.
  std::string host_object(const Input& source, const std::string& object, const Words& outputs) {
    const bool users_own = !outputs.empty();
    return users_own && !inv_.names_files_after_object ? scratch_file(source.path, ".o") : object;
  }

  // One HIP source to one object with its device code in it. Returns the last job.
  size_t compile_hip(const Input& source, const std::string& object, const Words& outputs) {
    if (inv_.relocatable_device_code) return compile_whole(source, object, outputs);
    CodeObjects made;
    if (inv_.sides == Sides::Both) made = compile_devices(source);

    Words side = {"--offload-arch=" + inv_.host_arch(), "--offload-host-only"};
    const std::string written = inv_.sides == Sides::Both ? host_object(source, object, outputs) : object;
    Job host;
    host.outputs = outputs;
    host.command = {toolchain_.clangxx};
    append(host.command, words_.common());
    append(host.command, words_.sdk());
    append(host.command, words_.hip());
    append(host.command, side);
    host.command.push_back("-Wno-unused-command-line-argument");
    append(host.command, words_.cuid(source.path));
    append(host.command, words_.compile(source.kind, true));
    std::string placeholder = scratch_ + "/placeholder";
    if (inv_.sides == Sides::Both)
      append(host.command, {"-Xclang", "-fcuda-include-gpubinary", "-Xclang", placeholder});
    use_closed_launches(host, source);
    if (written != object) append(host.command, words_.dependencies(object));
    append(host.command, {"-c", "-x", source.language, source.path, "-o", written});
    use_pch(host, source.path, side);
    size_t host_job = add(std::move(host));
    if (inv_.sides != Sides::Both) return host_job;

    std::string bundle_path = scratch_file(source.path, ".hipfb");
    size_t bundle_job = bundle(made, bundle_path, {});
    Job embed;
    embed.needs = {host_job, bundle_job};
    embed.outputs = outputs;
    embed.shown = "(hipcc itself) put " + bundle_path + " into section .hip_fatbin of " + written;
    if (written != object) embed.shown += ", and write it to " + object;
    embed.action = [=](const std::string&) { embed_bundle(bundle_path, written, object); };
    return add(std::move(embed));
  }

  // One source to one object by clang's own driver.
  size_t compile_whole(const Input& source, const std::string& object, const Words& outputs) {
    Job job;
    job.outputs = outputs;
    job.command = {toolchain_.clangxx};
    append(job.command, words_.common());
    append(job.command, words_.sdk());
    if (source.kind == InputKind::HipSource) {
      append(job.command, words_.hip());
      append(job.command, words_.archs());
      append(job.command, words_.cuid(source.path));
      if (inv_.cuda) job.advice = cuda_advice;
    } else if (inv_.cuda && source.kind == InputKind::CSource) {
      // Errors of clang's that are warnings of the compilers which CUDA's programs were written for.
      append(job.command,
             {"-isystem", toolchain_.sdk + "/include/cuda", "-Wno-error=implicit-int", "-Wno-error=int-conversion",
              "-Wno-error=implicit-function-declaration", "-Wno-error=incompatible-pointer-types"});
    } else if (inv_.cuda) {
      append(job.command, {"-isystem", toolchain_.sdk + "/include/cuda"}); // host code names CUDA's runtime, too
      append(job.command, PlanWords::older_cxx());
    }
    job.command.push_back("-Wno-unused-command-line-argument");
    append(job.command, words_.compile(source.kind, true));
    use_closed_launches(job, source);
    job.command.push_back("-c");
    if (!source.language.empty()) append(job.command, {"-x", source.language});
    append(job.command, {source.path, "-o", object});
    return add(std::move(job));
  }

  void plan_objects_and_link() {
    Words objects; // per source, in the order of the inputs
    std::vector<size_t> jobs;
    for (const Input& source : inv_.inputs) {
      if (source.kind == InputKind::LinkerWord) continue;
      bool link = inv_.output_kind == OutputKind::Executable;
      std::string object = link                  ? scratch_file(source.path, ".o")
                           : inv_.output.empty() ? fs::path(source.path).filename().replace_extension(".o").string()
                                                 : inv_.output;
      Words outputs = link ? Words{} : Words{object};
      jobs.push_back(source.kind == InputKind::HipSource ? compile_hip(source, object, outputs)
                                                         : compile_whole(source, object, outputs));
      objects.push_back(object);
    }
    if (inv_.output_kind == OutputKind::Executable) add_command(words_.link_command(objects), jobs);
  }

  // -S --offload-device-only for one NVIDIA GPU: its PTX as text.
  bool wants_ptx() const {
    return inv_.output_kind == OutputKind::Other && inv_.sides == Sides::DeviceOnly && inv_.archs.size() == 1 &&
           is_nvidia(inv_.archs[0]) && inv_.mode.size() == 1 && inv_.mode[0].id() == OptionId::AssembleOnly;
  }
  void plan_ptx() {
    check_device_inputs();
    for (const Input& source : inv_.inputs) {
      if (source.kind != InputKind::HipSource) continue;
      const std::string output =
          inv_.output.empty() ? fs::path(source.path).stem().string() + "-" + inv_.archs[0] + ".ptx" : inv_.output;
      Job job = ptx_job(source, nvidia_arch(inv_.archs[0]), output);
      job.outputs = {output};
      add(std::move(job));
    }
  }

  // --genco: a bundle of code objects per source, or the one that -o names.
  void plan_code_objects() {
    check_device_inputs();
    for (const Input& source : inv_.inputs) {
      if (source.kind != InputKind::HipSource) continue;
      std::string output = inv_.output;
      if (output.empty()) output = fs::path(source.path).stem().string() + "-hip-amdgcn-amd-amdhsa.hipfb";
      const CodeObjects made = compile_devices(source);
      if (inv_.text_code)
        write_as_text(made, source.path, output);
      else
        bundle(made, output, {output});
    }
  }

  // --genco-text: the bundle as text, with the first NVIDIA GPU's PTX behind it.
  void write_as_text(const CodeObjects& made, const std::string& source, const std::string& output) {
    const std::string plain = scratch_file(source, ".hipfb");
    const auto is_ptx = [](const BundleEntry& entry) { return is_nvidia(entry.target_id) && !entry.is_cubin; };
    const auto ptx = std::ranges::find_if(made.entries, is_ptx);
    const std::string ptx_path = ptx == made.entries.end() ? "" : ptx->path;
    Job job;
    job.needs = {bundle(made, plain, {})};
    job.outputs = {output};
    job.shown = "(hipcc itself) write " + plain + " as text to " + output;
    job.action = [plain, ptx_path, output](const std::string&) { write_text_bundle(plain, ptx_path, output); };
    add(std::move(job));
  }

  const Invocation& inv_;
  const Toolchain& toolchain_;
  const PlanWords words_;
  std::string scratch_;
  PchCache pch_;
  std::optional<std::string> ptxas_;
  std::vector<std::string> warnings_;
  std::map<std::string, std::optional<Overlay>> overlays_; // by source
  JobGraph graph_;
  int scratch_files_ = 0;
};

} // namespace

bool is_single_command(const JobGraph& graph) {
  return graph.size() == 1 && !graph[0].command.empty() && graph[0].fallback.empty() && !graph[0].action &&
         !graph[0].advice;
}

JobGraph make_plan(const Invocation& invocation, const Toolchain& toolchain, const std::string& scratch,
                   Colour colour) {
  return Planner(invocation, toolchain, scratch, colour).plan();
}

} // namespace hip::hipcc
