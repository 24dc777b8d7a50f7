// tests/golden/guest_kernels.h - the kernels of a code object as requests to the translator, as a launch would make
// them: for a work-group shape, with what the kernel's descriptor says of registers when a wave starts.
#pragma once

#include "runtime/codeobject/code_object.h"
#include "runtime/engine/compile/translator.h"

#include <array>
#include <string>
#include <vector>

namespace golden {

using Shape = std::array<uint32_t, 3>; // work-items of a work-group

class GuestKernels {
public:
  struct Kernel {
    std::string name; // demangled, without parameters
    std::string target;
    uint32_t wave_lanes = 64;
    std::vector<std::byte> code;
    uint32_t item_ids = 0, item_id_vgprs = 1; // as in compile::Start
    int kernarg_sgpr = -1;
    int32_t hidden_group_size_offset = -1; // in the kernarg segment; -1: it does not hold the work-group's size
    Shape most{1, 1, 1};                   // the largest work-group in one dimension that the kernel admits, up to 256

    // Valid as long as the kernel. For waves with all lanes.
    hip::engine::compile::Request request(const Shape& shape, const hip::engine::compile::HostCpu& host) const;
  };

  // Of a code object for gfx942 or gfx1100, or of a bundle's part for one of these.
  static hip::Result<GuestKernels> read(const std::string& path);
  const std::vector<Kernel>& kernels() const { return kernels_; } // by name

private:
  std::vector<Kernel> kernels_;
};

} // namespace golden
