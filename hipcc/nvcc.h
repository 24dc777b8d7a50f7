// hipcc/nvcc.h - NVIDIA's compiler, for HIP_PLATFORM=nvidia: where it is, and what becomes of an option when it, and
// not clang, compiles.
#pragma once

#include "options.h"
#include "plan.h"

#include <string>
#include <vector>

namespace hip::hipcc {

// The path of nvcc: HIPCC_NVCC, CUDA_PATH's or CUDA_HOME's bin, /usr/local/cuda/bin, PATH. Throws DriverError that says
// so when there is none.
std::string find_nvcc();

// The root of the CUDA toolkit that an nvcc belongs to, links resolved.
std::string cuda_of(const std::string& nvcc);

// Folders of that toolkit that hold libcudart and libcuda's stub, those that exist.
std::vector<std::string> cuda_library_folders(const std::string& nvcc);

NvccToolchain find_nvcc_toolchain(const std::string& sdk_option);

// An option of the command line as nvcc has it: as it is, under another name, handed to the host's compiler or the
// linker, or left out because only clang has something to do for it. Empty for an option that is left out.
std::vector<std::string> nvcc_words(const Argument& option, InputKind kind);

} // namespace hip::hipcc
