// hipcc/invocation.h - what a parsed command line asks for: outputs, inputs with their languages, devices, and the
// options to pass on. Decides nothing about how the work is cut into jobs.
#pragma once

#include "options.h"
#include "toolchain.h"

#include <optional>
#include <string>
#include <vector>

namespace hip::hipcc {

enum class OutputKind { Executable, Object, Other }; // Other: assembly, preprocessed text, dependencies, nothing
enum class Sides { Both, DeviceOnly, HostOnly };
enum class InputKind { HipSource, CSource, OtherSource, LinkerWord };

struct Input {
  InputKind kind;
  std::string path;               // a source's path
  std::string language;           // for clang's -x; empty lets clang go by the file's ending
  std::vector<std::string> words; // what a linker word says: an object's path, "-lm", "-Xlinker" and its value
  bool is_header = false;         // a source of which clang makes a precompiled header, and nothing to link
};

struct Invocation {
  OutputKind output_kind = OutputKind::Executable;
  Sides sides = Sides::Both;
  std::string output;                // -o; empty when not given
  std::vector<std::string> archs;    // target ids, each once, in the order given; never empty on Platform::Amd
  std::vector<Input> inputs;         // sources and linker words in order
  std::vector<Argument> options;     // everything to pass on, in order, without inputs and hipcc's own
  std::vector<Argument> mode;        // -c, -S, -E, ... as written, for a command that clang runs as a whole
  std::vector<std::string> compress; // words for the bundler; empty when the bundle is not compressed

  bool relocatable_device_code = false; // -fgpu-rdc
  bool whole_driver = false;            // some option needs clang's driver to see the whole command
  bool text_code = false;               // --genco-text: what --genco writes, as text
  bool optimise_given = false;
  bool cuid_given = false;
  bool writes_dependencies = false;      // -MD, -MMD
  bool names_files_after_object = false; // --coverage and the like: clang takes -o's name for more than the object
  bool link_hip_runtime = true;          // false with -no-hip-rt
  bool verbose = false;
  bool dry_run = false;
  bool use_pch = true;
  bool cuda = false;               // --cuda: sources are CUDA as it is, and see the SDK's headers of CUDA's names
  bool software_textures = false;  // -fsoftware-textures: also on GPUs without image instructions
  std::optional<bool> cuda_shifts; // -fcuda-shifts, -fno-cuda-shifts: shifts by the width and more are defined
  unsigned jobs = 0;               // 0: as many as the machine has cores
  std::string sdk_option;
  OptionId request = OptionId::Unknown; // Help, Version, ShortVersion, CxxFlags or LdFlags when one was given

  std::string host_arch() const; // the AMD target whose macros the host's compilation sees

  bool has_sources() const;
  bool has_hip_sources() const;
  bool has_headers() const;
  bool has_link_inputs() const; // something that is linked: all but headers
};

// Throws DriverError for a number that is none or an architecture that this SDK has no back end for. On
// Platform::Nvidia the architectures stay as given, none when none were: nvcc knows its own.
Invocation make_invocation(const std::vector<Argument>& arguments, Platform platform = Platform::Amd);

// The command line's arguments, and behind them those of the environment: `compile` where there are sources, `link`
// where the whole is linked. Neither the command line's "--" nor its -x reaches them.
std::vector<Argument> with_appended(std::vector<Argument> command, const std::vector<Argument>& compile,
                                    const std::vector<Argument>& link);

// The processor of a target id: "gfx90a" of "gfx90a:sramecc+:xnack-".
std::string processor_of(const std::string& target_id);

} // namespace hip::hipcc
