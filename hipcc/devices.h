// hipcc/devices.h - which GPUs this machine has, without a runtime: AMD's from the kernel driver's topology files.
#pragma once

#include <string>
#include <vector>

namespace hip::hipcc {

// Defaults of the runtime's environment variables, as their rows say.
namespace env_default {
#define RT_ENV(name, default_text, meaning) inline constexpr const char* name = default_text;
#include "runtime/base/env.def"
#undef RT_ENV
} // namespace env_default
// The target that programs are built for, and run on, where there is no GPU: the software GPU's.
inline constexpr const char* kSoftwareArch = env_default::OMNIHIP_SOFT_TARGET;

// Processor names in the order of the kernel's nodes, one per GPU, repeated when two are alike: "gfx942", "gfx1100".
// Empty without the kernel driver or without a GPU. topology is there for tests.
std::vector<std::string> kernel_driver_gpus(const std::string& topology = "/sys/class/kfd/kfd/topology/nodes");

// "gfx90a" from the kernel's gfx_target_version, e.g. 90010; empty for 0 (a CPU node).
std::string gfx_name(unsigned gfx_target_version);

// What a program is built for when nothing is said: each AMD processor of this machine once, else the software GPU's,
// and each architecture of its NVIDIA GPUs.
std::vector<std::string> default_archs();

// What --offload-arch=all stands for: the GPUs that most programs are shipped for.
std::vector<std::string> all_archs();

} // namespace hip::hipcc
