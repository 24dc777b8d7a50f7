// hipcc/devices.h - which GPUs this machine has, without a runtime: AMD's from the kernel driver's topology files.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace hip::hipcc {

// Defaults of the runtime's environment variables, as their rows say.
namespace env_default {
#define RT_ENV(name, default_text, meaning) inline constexpr const char* name = default_text;
#include "runtime/base/env.def"
#undef RT_ENV
} // namespace env_default
// The target of software GPUs where the environment does not say another one.
inline constexpr const char* kSoftwareArch = env_default::OMNIHIP_SOFT_TARGET;

// Processor names in the order of the kernel's nodes, one per GPU, repeated when two are alike: "gfx942", "gfx1100".
// Empty without the kernel driver or without a GPU. topology is there for tests.
std::vector<std::string> kernel_driver_gpus(const std::string& topology = "/sys/class/kfd/kfd/topology/nodes");

// Processor names of this machine's software GPUs, one per GPU, as the runtime has them: there is one where the kernel
// driver has no GPU (has_cards), or as many as OMNIHIP_SOFT_DEVICES says, and OMNIHIP_SOFT_TARGET says what they are.
// devices and targets: the variables' values, empty where they are not set.
std::vector<std::string> software_gpus(std::string_view devices, std::string_view targets, bool has_cards);

// Both kinds, the kernel driver's first.
std::vector<std::string> amd_gpus();

// "gfx90a" from the kernel's gfx_target_version, e.g. 90010; empty for 0 (a CPU node).
std::string gfx_name(unsigned gfx_target_version);

// What a program is built for when nothing is said: each AMD processor of this machine's cards and software GPUs once
// (where there is neither, kSoftwareArch), and each architecture of its NVIDIA GPUs.
std::vector<std::string> default_archs();

// What --offload-arch=all stands for: the GPUs that most programs are shipped for.
std::vector<std::string> all_archs();

} // namespace hip::hipcc
