// cooperative_groups.h - CUDA's cooperative groups: HIP's, whose tiles and coalesced groups lie within a warp of 32.
#ifndef OMNIHIP_CUDA_COOPERATIVE_GROUPS_H
#define OMNIHIP_CUDA_COOPERATIVE_GROUPS_H

#include <cuda_runtime.h>

#include <hip/hip_cooperative_groups.h>

#if defined(__cplusplus) && defined(__clang__) && defined(__HIP__)
namespace cooperative_groups {

// The members of a group with the same label as the caller. The label that the first of the rest has parts them from it,
// until it is the caller's.
template <class T> __CG_QUALIFIER__ coalesced_group labeled_partition(const coalesced_group& group, T label) {
  coalesced_group rest = group;
  for (;;) {
    const bool same = rest.shfl(label, 0) == label;
    const coalesced_group part = binary_partition(rest, same);
    if (same) return part;
    rest = part;
  }
}
template <unsigned int Size, class Parent, class T>
__CG_QUALIFIER__ coalesced_group labeled_partition(const thread_block_tile<Size, Parent>& tile, T label) {
  return labeled_partition(binary_partition(tile, true), label);
}

} // namespace cooperative_groups
#endif

#endif
