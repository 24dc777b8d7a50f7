// runtime/codeobject/metadata.h - the NT_AMDGPU_METADATA note: what the compiler says about each kernel (AMDGPUUsage,
// "Code Object Metadata"). Texts are copied, so a Metadata stands alone.
#pragma once

#include "runtime/base/status.h"
#include "runtime/codeobject/bytes.h"

#include <array>
#include <string>
#include <vector>

namespace hip::codeobject {

enum class ArgKind : uint8_t {
#define KERNEL_ARG_KIND(name, text) name,
#include "runtime/codeobject/value_kinds.def"
#undef KERNEL_ARG_KIND
};
constexpr bool is_hidden(ArgKind kind) noexcept { return kind >= ArgKind::HiddenNone; }
const char* arg_kind_text(ArgKind kind) noexcept;

enum class AddressSpace : uint8_t { None, Private, Global, Constant, Local, Generic, Region };

struct KernelArg {
  uint32_t offset = 0; // in the kernarg segment; offset + size lies within kernarg_segment_size
  uint32_t size = 0;   // bytes
  ArgKind kind = ArgKind::ByValue;
  AddressSpace address_space = AddressSpace::None;
  uint32_t pointee_align = 0; // bytes, of a dynamic_shared_pointer; 0 when not given
  std::string name;           // empty unless compiled with argument names
  std::string type_name;
};

struct KernelInfo {
  std::string name;            // as launched, mangled
  std::string symbol;          // of its descriptor: NAME.kd
  std::vector<KernelArg> args; // by ascending offset; explicit ones first
  uint32_t explicit_args = 0;  // how many of `args` are not hidden: args[0 .. explicit_args)
  uint32_t kernarg_segment_size = 0;
  uint32_t kernarg_segment_align = 0;
  uint32_t group_segment_fixed_size = 0;
  uint32_t private_segment_fixed_size = 0;
  uint32_t wavefront_size = 64;
  uint32_t sgpr_count = 0;
  uint32_t vgpr_count = 0;
  uint32_t agpr_count = 0;
  uint32_t sgpr_spill_count = 0;
  uint32_t vgpr_spill_count = 0;
  uint32_t max_flat_workgroup_size = 0;
  std::array<uint32_t, 3> reqd_workgroup_size{}; // all zero when the kernel does not require one
  bool uses_dynamic_stack = false;
  bool uniform_work_group_size = false;

  // The first argument of this kind; nullptr when the kernel has none.
  const KernelArg* find_arg(ArgKind kind) const noexcept;
};

// One format of amdhsa.printf, for the buffered printf lowering: "id:argument count:sizes...,format".
struct PrintfFormat {
  uint64_t hash = 0; // low 64 bits of the format's MD5: what a record with a constant format holds; 0 when not given
  uint32_t id = 0;
  std::vector<uint32_t> arg_sizes;
  std::string format; // escapes resolved
};

struct Metadata {
  std::array<uint32_t, 2> version{}; // 1.0 = code object v3, 1.1 = v4, 1.2 = v5 and v6
  std::string target;                // "amdgcn-amd-amdhsa--gfx942"
  std::vector<KernelInfo> kernels;
  std::vector<PrintfFormat> printf_formats;
};

// `note` is the note's descriptor (MessagePack). Errors: InvalidImage, naming the key and the kernel at fault.
Result<Metadata> parse_metadata(Bytes note);

} // namespace hip::codeobject
