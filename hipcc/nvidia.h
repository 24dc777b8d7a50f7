// hipcc/nvidia.h - NVIDIA architectures (sm_*): which there are, and what clang needs to hear for them.
#pragma once

#include <string>
#include <vector>

namespace hip::hipcc {

struct NvidiaArch {
  const char* name; // "sm_90"
  int ptx;          // PTX version times ten
};

// Whether an architecture's name is in NVIDIA's form ("sm_", "compute_"), known or not.
bool is_nvidia(const std::string& arch);

// The row of nvidia.def for "sm_90". Throws DriverError for one that is not there, naming those that are.
const NvidiaArch& nvidia_arch(const std::string& name);

// The path of a program of NVIDIA's toolkit: the one that `variable` names, else the one in CUDA_PATH's or CUDA_HOME's
// bin, /usr/local/cuda/bin or PATH; empty when there is none. Throws DriverError when the variable names no program.
std::string find_cuda_program(const std::string& name, const char* variable);

// NVIDIA's assembler: that of HIPCC_PTXAS, CUDA_PATH's or CUDA_HOME's bin, /usr/local/cuda/bin, PATH; empty when there
// is none, or when HIPCC_PTXAS is "none".
std::string find_ptxas();

// Whether ptxas failed with these diagnostics because it does not know the architecture: newer ones leave old GPUs out,
// older ones lack new.
bool refuses_arch(const std::string& text, const std::string& arch);

// All architectures that hipcc compiles for, oldest first.
std::vector<std::string> nvidia_arch_names();

// Architectures of this machine's NVIDIA GPUs, each once, as its driver tells; empty without a driver.
std::vector<std::string> nvidia_gpus();

} // namespace hip::hipcc
