// hipcc/plan_words.h - what stands in the command lines of a plan: the words of clang that follow from an invocation
// and a toolchain alone. Which jobs there are, and what they hand to each other, is the planner's (plan.cpp).
#pragma once

#include "invocation.h"
#include "nvidia.h"
#include "plan.h"
#include "toolchain.h"
#include "words.h"

#include <string>

namespace hip::hipcc {

// Holds references to both, which outlive it.
class PlanWords {
public:
  PlanWords(const Invocation& invocation, const Toolchain& toolchain, Colour colour)
      : inv_(invocation), toolchain_(toolchain), colour_(colour) {}

  // --- parts of commands

  Words common() const; // how clang reports
  Words archs() const;  // every device
  // The SDK's folders, passes and macros, for device code of AMD GPUs and for the host.
  Words sdk() const;
  // What a HIP source gets beside sdk(). The keyword register, which C++17 has no more, is a warning: programs
  // converted from CUDA have it, and nvcc with g++ warns of it in C++17, its default as well as clang's.
  Words hip() const;
  // What nvcc and g++ warn of in C++ of older programs, and clang refuses: "..."MACRO is the last.
  static Words older_cxx();
  // The options that a compilation gets. C sources are spared a C++ standard, and C++ a C one.
  Words compile(InputKind kind, bool host) const;
  // The same name for the static variables of a source in all its compilations.
  Words cuid(const std::string& source) const;
  // What -MD takes from the object's name, for a compilation that writes the object elsewhere.
  Words dependencies(const std::string& object) const;

  // Clang's pipeline for one NVIDIA GPU, up to the PTX. It runs without a CUDA toolkit: what clang's own wrapper and
  // NVIDIA's library would bring, our wrapper and device library do.
  Words nvidia(const NvidiaArch& arch) const;
  Words nvptx_tuning() const;

  // Our passes for device code (src/device/codegen); host code is not touched by them. No words where an installation
  // lacks them.
  std::string device_passes() const;
  bool has_device_passes() const;
  Words passes() const;

  // --- whole commands

  // The link; objects: what became of each source, in the order of the inputs.
  Words link_command(const Words& objects) const;
  // All of the invocation in one command.
  Words whole_command() const;

private:
  Words sdk_paths() const;
  Words cuda() const;
  Words shifts() const;
  Words no_shifts() const;
  Words waves() const;
  Words link() const;

  const Invocation& inv_;
  const Toolchain& toolchain_;
  Colour colour_;
};

} // namespace hip::hipcc
