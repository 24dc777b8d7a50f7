// hipcc/bundle.h - offload bundles, and their place in a host object. clang compiles the host side with a small
// placeholder bundle while the devices are still being compiled; the real one is put in its place afterwards.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace hip::hipcc {

struct BundleEntry {
  std::string target_id; // "gfx942", "gfx90a:xnack+", "sm_90"
  std::string path;      // the code object: an AMD ELF file, PTX text, or for is_cubin a CUDA binary
  bool is_cubin = false;
};

// The id of an entry, for AMD as clang's own driver writes it: "hipv4-amdgcn-amd-amdhsa--gfx942". For NVIDIA
// "hip-nvptx64-nvidia-cuda--sm_90" is PTX, and "hip-nvptx64-nvidia-cuda-cubin-sm_90" a CUDA binary.
std::string bundle_id(const BundleEntry& entry);

// Writes an uncompressed bundle: an empty host entry, then the code objects, each on a 4 KiB boundary as the loader may
// map them. A CUDA binary whose file is not there is left out. Throws DriverError.
void write_bundle(const std::vector<BundleEntry>& entries, const std::string& bundle_path);

// Writes the bundle as text (src/runtime/codeobject/text_bundle.h has the format), and behind it the PTX in `ptx_path`,
// if that is not empty. Throws DriverError.
void write_text_bundle(const std::string& bundle_path, const std::string& ptx_path, const std::string& text_path);

// What clang is given in place of the bundle.
inline constexpr std::string_view kPlaceholder = "This text stands where hipcc puts the offload bundle.";

// Writes to output_path, which may be object_path, the relocatable x86-64 object with the file bundle_path as the
// contents of its section .hip_fatbin. An object without that section has no device code to register and stays as it
// is. The output appears whole or not at all. Throws DriverError when the object is malformed.
void embed_bundle(const std::string& bundle_path, const std::string& object_path, const std::string& output_path);

} // namespace hip::hipcc
