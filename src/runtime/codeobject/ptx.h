// runtime/codeobject/ptx.h - what the text of a PTX module says about itself: target, kernels with the layout of their
// parameters, variables (PTX ISA, "Directives"). Bodies are skipped. Used where the driver does not tell, and to choose
// code.
#pragma once

#include "runtime/base/status.h"
#include "runtime/codeobject/bytes.h"
#include "runtime/codeobject/sm_target.h"

#include <array>
#include <string>
#include <vector>

namespace hip::codeobject {

struct PtxParameter {
  uint32_t offset = 0, bytes = 0; // in the packed parameter block
};

struct PtxKernel {
  std::string name;
  std::vector<PtxParameter> parameters;
  std::array<uint32_t, 3> required_group{0, 0, 0}; // .reqntid; 0: any
};

struct PtxVariable {
  std::string name;
  uint64_t bytes = 0; // of an incomplete array 0
};

struct PtxModule {
  std::string version; // "8.0"
  SmTarget target;
  std::vector<PtxKernel> kernels;
  std::vector<PtxVariable> variables; // .global and .const of module scope
};

// The bytes begin as PTX does: white space and comments, then ".version".
bool is_ptx(Bytes data) noexcept;
// The text of the module, without what follows its first zero byte. Errors: InvalidImage, with the line.
Result<PtxModule> parse_ptx(Bytes data);

} // namespace hip::codeobject
