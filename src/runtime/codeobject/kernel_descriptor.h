// runtime/codeobject/kernel_descriptor.h - the 64-byte kernel descriptor NAME.kd that a dispatch packet points at, and
// the meaning of its bits (AMDGPUUsage, "Kernel Descriptor"). Fields whose place or meaning depends on the processor
// take its family's facts. Plain data: it is read from device memory by the packet processor.
#pragma once

#include "runtime/codeobject/processor.h"

#include <cstddef>
#include <cstdint>

namespace hip::codeobject {

// Rounding and denormal fields as the MODE register takes them.
enum class RoundMode : uint8_t { NearestEven, PlusInfinity, MinusInfinity, Zero };
enum class DenormMode : uint8_t { FlushSrcDst, FlushDst, FlushSrc, Keep };

struct KernelDescriptor {
  uint32_t group_segment_fixed_size;   // LDS bytes
  uint32_t private_segment_fixed_size; // scratch bytes per work-item
  uint32_t kernarg_size;               // bytes; 0 = unknown
  uint32_t reserved0;
  int64_t kernel_code_entry_byte_offset; // from this descriptor to the first instruction
  uint8_t reserved1[20];
  uint32_t compute_pgm_rsrc3;
  uint32_t compute_pgm_rsrc1;
  uint32_t compute_pgm_rsrc2;
  uint16_t kernel_code_properties;
  uint16_t kernarg_preload;
  uint32_t reserved3;

  static constexpr uint32_t bits(uint32_t word, unsigned shift, unsigned width) noexcept {
    return (word >> shift) & ((1u << width) - 1);
  }

  // compute_pgm_rsrc1
  uint32_t granulated_vgpr_count() const noexcept { return bits(compute_pgm_rsrc1, 0, 6); }
  uint32_t granulated_sgpr_count() const noexcept { return bits(compute_pgm_rsrc1, 6, 4); }
  uint32_t priority() const noexcept { return bits(compute_pgm_rsrc1, 10, 2); }
  RoundMode round_mode_32() const noexcept { return RoundMode(bits(compute_pgm_rsrc1, 12, 2)); }
  RoundMode round_mode_16_64() const noexcept { return RoundMode(bits(compute_pgm_rsrc1, 14, 2)); }
  DenormMode denorm_mode_32() const noexcept { return DenormMode(bits(compute_pgm_rsrc1, 16, 2)); }
  DenormMode denorm_mode_16_64() const noexcept { return DenormMode(bits(compute_pgm_rsrc1, 18, 2)); }
  // FLOAT_MODE as in MODE[7:0]: round 32, round 16/64, denorm 32, denorm 16/64.
  uint32_t float_mode() const noexcept { return bits(compute_pgm_rsrc1, 12, 8); }
  bool fp16_ovfl() const noexcept { return bits(compute_pgm_rsrc1, 26, 1) != 0; }
  // gfx10 and later; zero before.
  bool wgp_mode() const noexcept { return bits(compute_pgm_rsrc1, 29, 1) != 0; }
  bool mem_ordered() const noexcept { return bits(compute_pgm_rsrc1, 30, 1) != 0; }
  bool forward_progress() const noexcept { return bits(compute_pgm_rsrc1, 31, 1) != 0; }
  // The MODE register as a wave starts with it: FLOAT_MODE in bits 7:0, DX10_CLAMP in 8 and IEEE in 9 (until gfx11),
  // FP16_OVFL in 23.
  uint32_t initial_mode(const FamilyFacts& family) const noexcept;

  // compute_pgm_rsrc2
  bool enable_private_segment() const noexcept { return bits(compute_pgm_rsrc2, 0, 1) != 0; }
  uint32_t user_sgpr_count(const FamilyFacts& family) const noexcept;
  bool enable_sgpr_workgroup_id_x() const noexcept { return bits(compute_pgm_rsrc2, 7, 1) != 0; }
  bool enable_sgpr_workgroup_id_y() const noexcept { return bits(compute_pgm_rsrc2, 8, 1) != 0; }
  bool enable_sgpr_workgroup_id_z() const noexcept { return bits(compute_pgm_rsrc2, 9, 1) != 0; }
  bool enable_sgpr_workgroup_info() const noexcept { return bits(compute_pgm_rsrc2, 10, 1) != 0; }
  // Highest work-item id dimension that the kernel wants in VGPRs: 0 = x, 1 = x and y, 2 = x, y and z.
  uint32_t vgpr_workitem_id_dims() const noexcept { return bits(compute_pgm_rsrc2, 11, 2); }
  // Floating point exceptions that the kernel wants to trap on: invalid, denormal, div by zero, overflow, underflow,
  // inexact, integer division by zero.
  uint32_t exception_mask() const noexcept { return bits(compute_pgm_rsrc2, 24, 7); }

  // compute_pgm_rsrc3
  bool tg_split() const noexcept { return bits(compute_pgm_rsrc3, 16, 1) != 0; } // gfx90a, gfx94x
  // The wave allocates and frees VGPRs itself, with s_alloc_vgpr (gfx12 and later).
  bool dynamic_vgprs(const FamilyFacts& family) const noexcept;

  // kernel_code_properties: which user SGPRs are set up, in this order.
  bool enable_sgpr_private_segment_buffer() const noexcept {
    return bits(kernel_code_properties, 0, 1) != 0;
  } // 4 SGPRs
  bool enable_sgpr_dispatch_ptr() const noexcept { return bits(kernel_code_properties, 1, 1) != 0; }         // 2
  bool enable_sgpr_queue_ptr() const noexcept { return bits(kernel_code_properties, 2, 1) != 0; }            // 2
  bool enable_sgpr_kernarg_segment_ptr() const noexcept { return bits(kernel_code_properties, 3, 1) != 0; }  // 2
  bool enable_sgpr_dispatch_id() const noexcept { return bits(kernel_code_properties, 4, 1) != 0; }          // 2
  bool enable_sgpr_flat_scratch_init() const noexcept { return bits(kernel_code_properties, 5, 1) != 0; }    // 2
  bool enable_sgpr_private_segment_size() const noexcept { return bits(kernel_code_properties, 6, 1) != 0; } // 1
  bool enable_wavefront_size32() const noexcept { return bits(kernel_code_properties, 10, 1) != 0; }
  bool uses_dynamic_stack() const noexcept { return bits(kernel_code_properties, 11, 1) != 0; }
  uint32_t wave_lanes() const noexcept { return enable_wavefront_size32() ? 32 : 64; }

  // kernarg_preload: kernel arguments in SGPRs behind the other user SGPRs, both in dwords.
  uint32_t kernarg_preload_dwords() const noexcept { return bits(kernarg_preload, 0, 7); }
  uint32_t kernarg_preload_offset_dwords() const noexcept { return bits(kernarg_preload, 7, 9); }

  // VGPRs that each lane of the wave owns, accumulation VGPRs included.
  uint32_t vgprs(const FamilyFacts& family) const noexcept;
  // Those of them that are accumulation VGPRs.
  uint32_t accumulation_vgprs(const FamilyFacts& family) const noexcept;
  // VGPRs behind them that both halves of a wave of 64 lanes share (gfx10 and gfx11).
  uint32_t shared_vgprs(const FamilyFacts& family) const noexcept;
  // SGPRs implied by kernel_code_properties, without preloaded kernel arguments.
  uint32_t property_user_sgprs() const noexcept;
};
static_assert(sizeof(KernelDescriptor) == 64);
static_assert(offsetof(KernelDescriptor, kernarg_size) == 8);
static_assert(offsetof(KernelDescriptor, kernel_code_entry_byte_offset) == 16);
static_assert(offsetof(KernelDescriptor, compute_pgm_rsrc3) == 44);
static_assert(offsetof(KernelDescriptor, compute_pgm_rsrc1) == 48);
static_assert(offsetof(KernelDescriptor, compute_pgm_rsrc2) == 52);
static_assert(offsetof(KernelDescriptor, kernel_code_properties) == 56);
static_assert(offsetof(KernelDescriptor, kernarg_preload) == 58);

} // namespace hip::codeobject
