// hip/detail/cooperative_groups.h - cooperative groups of the HIP kernel language: thread_block, tiles of a wave,
// coalesced groups, grid and multi-grid. Tiles and coalesced groups lie within one wave, so their barrier is a memory
// fence plus a wave barrier; a grid's barrier needs a cooperative launch (hipLaunchCooperativeKernel).
// Masks have one bit per lane of the wave, 64 on every target.
#ifndef HIP_DETAIL_COOPERATIVE_GROUPS_H
#define HIP_DETAIL_COOPERATIVE_GROUPS_H

#include <hip/detail/sync.h>
#include <hip/detail/warp_sync.h>

extern "C" __device__ __attribute__((convergent)) void __ockl_grid_sync(void);
extern "C" __device__ __attribute__((convergent)) void __ockl_multi_grid_sync(void);
extern "C" __device__ int __ockl_grid_is_valid(void);
extern "C" __device__ int __ockl_multi_grid_is_valid(void);
// Meaningful only in a valid multi-grid.
extern "C" __device__ unsigned int __ockl_multi_grid_num_grids(void);
extern "C" __device__ unsigned int __ockl_multi_grid_grid_rank(void);
extern "C" __device__ unsigned int __ockl_multi_grid_size(void);
extern "C" __device__ unsigned int __ockl_multi_grid_thread_rank(void);

#define __CG_QUALIFIER__ __device__ __forceinline__
#define __CG_STATIC_QUALIFIER__ __device__ static __forceinline__

namespace cooperative_groups {

using lane_mask = unsigned long long;

namespace internal {

enum group_type { cg_invalid, cg_multi_grid, cg_grid, cg_workgroup, cg_tiled_group, cg_coalesced_group };

__CG_STATIC_QUALIFIER__ unsigned int block_threads() { return blockDim.x * blockDim.y * blockDim.z; }
__CG_STATIC_QUALIFIER__ unsigned int rank_in_block() {
  return (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
}
__CG_STATIC_QUALIFIER__ unsigned int rank_of_block() {
  return (blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
}
__CG_STATIC_QUALIFIER__ unsigned int grid_threads() { return gridDim.x * gridDim.y * gridDim.z * block_threads(); }
__CG_STATIC_QUALIFIER__ unsigned int rank_in_grid() { return rank_of_block() * block_threads() + rank_in_block(); }

// Number of lanes of `mask` below this lane.
__CG_STATIC_QUALIFIER__ unsigned int lanes_below(lane_mask mask) {
  return static_cast<unsigned int>(__builtin_popcountll(mask & __hip_internal::lanes_below()));
}
__CG_STATIC_QUALIFIER__ void sync_lanes(lane_mask lanes) {
#if defined(__NVPTX__)
  __nvvm_bar_warp_sync(static_cast<unsigned int>(lanes));
#else
  (void)lanes;
  __builtin_amdgcn_fence(__ATOMIC_ACQ_REL, "workgroup");
  __builtin_amdgcn_wave_barrier();
#endif
}
// The lane that holds rank `rank` of `mask`; this lane when there is no such rank.
__CG_STATIC_QUALIFIER__ int nth_lane(lane_mask mask, unsigned int rank) {
  for (; mask; mask &= mask - 1, --rank)
    if (rank == 0) return __builtin_ctzll(mask);
  return static_cast<int>(__hip_internal::lane_id());
}
// The lanes of `mask` whose value equals this lane's.
template <class T> __CG_STATIC_QUALIFIER__ lane_mask equal_lanes(lane_mask mask, T value) {
  lane_mask result = 0;
  for (lane_mask rest = mask; rest; rest &= rest - 1) {
    int lane = __builtin_ctzll(rest);
    T other = __hip_internal::lane_read(mask, value, lane);
    if (__builtin_memcmp(&other, &value, sizeof(T)) == 0) result |= 1ull << lane;
  }
  return result;
}

// Reductions and scans of a group (group_collectives.h).
template <class Group> struct collective;

} // namespace internal

// What barrier_arrive gives to barrier_wait.
struct arrival_token {};

class thread_block;
class tiled_group;
class coalesced_group;
class grid_group;
class multi_grid_group;
template <unsigned int Size, class Parent = void> class thread_block_tile;

// Any group, its kind known at run time.
class thread_group {
public:
  __CG_QUALIFIER__ unsigned int size() const { return size_; }
  __CG_QUALIFIER__ unsigned int num_threads() const { return size_; }
  __CG_QUALIFIER__ unsigned int cg_type() const { return type_; }
  __CG_QUALIFIER__ unsigned int thread_rank() const {
    switch (type_) {
    case internal::cg_multi_grid:
      return __ockl_multi_grid_is_valid() ? __ockl_multi_grid_thread_rank() : internal::rank_in_grid();
    case internal::cg_grid: return internal::rank_in_grid();
    case internal::cg_workgroup: return internal::rank_in_block();
    case internal::cg_tiled_group:
    case internal::cg_coalesced_group: return internal::lanes_below(mask_);
    default: return 0;
    }
  }
  __CG_QUALIFIER__ bool is_valid() const {
    switch (type_) {
    case internal::cg_multi_grid: return __ockl_multi_grid_is_valid() != 0;
    case internal::cg_grid: return __ockl_grid_is_valid() != 0;
    case internal::cg_invalid: return false;
    default: return true;
    }
  }
  __CG_QUALIFIER__ void sync() const {
    switch (type_) {
    case internal::cg_multi_grid: __ockl_multi_grid_sync(); break;
    case internal::cg_grid: __ockl_grid_sync(); break;
    case internal::cg_workgroup: __syncthreads(); break;
    case internal::cg_tiled_group:
    case internal::cg_coalesced_group: internal::sync_lanes(mask_); break;
    default: break;
    }
  }

protected:
  __CG_QUALIFIER__ thread_group(internal::group_type type, unsigned int size, lane_mask mask = 0)
      : type_(type), size_(size), mask_(mask) {}
  internal::group_type type_;
  unsigned int size_;
  lane_mask mask_; // tiles and coalesced groups: their lanes
  unsigned int meta_rank_ = 0, meta_size_ = 1;

  friend __CG_QUALIFIER__ thread_group this_thread();
  friend __CG_QUALIFIER__ thread_group tiled_partition(const thread_group& parent, unsigned int tile_size);
};

// All grids of a multi-device cooperative launch.
class multi_grid_group : public thread_group {
public:
  __CG_QUALIFIER__ unsigned int num_grids() const { return is_valid() ? __ockl_multi_grid_num_grids() : 1; }
  __CG_QUALIFIER__ unsigned int grid_rank() const { return is_valid() ? __ockl_multi_grid_grid_rank() : 0; }

private:
  explicit __CG_QUALIFIER__ multi_grid_group(unsigned int size) : thread_group(internal::cg_multi_grid, size) {}
  friend __CG_QUALIFIER__ multi_grid_group this_multi_grid();
};
__CG_QUALIFIER__ multi_grid_group this_multi_grid() {
  return multi_grid_group(__ockl_multi_grid_is_valid() ? __ockl_multi_grid_size() : internal::grid_threads());
}

// All threads of the grid.
class grid_group : public thread_group {
public:
  __CG_QUALIFIER__ dim3 group_dim() const { return dim3(gridDim.x, gridDim.y, gridDim.z); }
  __CG_QUALIFIER__ dim3 dim_blocks() const { return group_dim(); }
  __CG_QUALIFIER__ unsigned long long num_blocks() const { return 1ull * gridDim.x * gridDim.y * gridDim.z; }
  __CG_QUALIFIER__ dim3 block_index() const { return dim3(blockIdx.x, blockIdx.y, blockIdx.z); }
  __CG_QUALIFIER__ unsigned long long block_rank() const { return internal::rank_of_block(); }
  __CG_QUALIFIER__ arrival_token barrier_arrive() const { return {}; }
  __CG_QUALIFIER__ void barrier_wait(arrival_token&&) const { sync(); }

private:
  explicit __CG_QUALIFIER__ grid_group(unsigned int size) : thread_group(internal::cg_grid, size) {}
  friend __CG_QUALIFIER__ grid_group this_grid();
};
__CG_QUALIFIER__ grid_group this_grid() { return grid_group(internal::grid_threads()); }

// All threads of the block.
class thread_block : public thread_group {
public:
  __CG_STATIC_QUALIFIER__ dim3 group_index() { return dim3(blockIdx.x, blockIdx.y, blockIdx.z); }
  __CG_STATIC_QUALIFIER__ dim3 thread_index() { return dim3(threadIdx.x, threadIdx.y, threadIdx.z); }
  __CG_STATIC_QUALIFIER__ dim3 group_dim() { return dim3(blockDim.x, blockDim.y, blockDim.z); }
  __CG_STATIC_QUALIFIER__ dim3 dim_threads() { return group_dim(); }
  __CG_STATIC_QUALIFIER__ unsigned int thread_rank() { return internal::rank_in_block(); }
  __CG_STATIC_QUALIFIER__ unsigned int size() { return internal::block_threads(); }
  __CG_STATIC_QUALIFIER__ unsigned int num_threads() { return internal::block_threads(); }
  __CG_STATIC_QUALIFIER__ bool is_valid() { return true; }
  __CG_STATIC_QUALIFIER__ void sync() { __syncthreads(); }
  // A barrier in two steps. These processors have one step alone, so that threads that arrived wait in barrier_wait.
  __CG_STATIC_QUALIFIER__ arrival_token barrier_arrive() { return {}; }
  __CG_STATIC_QUALIFIER__ void barrier_wait(arrival_token&&) { __syncthreads(); }

private:
  explicit __CG_QUALIFIER__ thread_block(unsigned int size) : thread_group(internal::cg_workgroup, size) {}
  friend __CG_QUALIFIER__ thread_block this_thread_block();
  friend __CG_QUALIFIER__ thread_group tiled_partition(const thread_group& parent, unsigned int tile_size);
};
__CG_QUALIFIER__ thread_block this_thread_block() { return thread_block(internal::block_threads()); }

// A tile whose size is a run-time value: a power of two, at most a wave, aligned within the wave. The last tile of a parent
// has the threads that remain.
class tiled_group : public thread_group {
public:
  __CG_QUALIFIER__ unsigned int meta_group_rank() const { return meta_rank_; }
  __CG_QUALIFIER__ unsigned int meta_group_size() const { return meta_size_; }

private:
  // `rank` and `threads` are the parent's.
  __CG_QUALIFIER__ tiled_group(unsigned int tile_size, unsigned int rank, unsigned int threads)
      : tiled_group(tile_size, members(tile_size, rank, threads)) {
    meta_rank_ = rank / tile_size;
    meta_size_ = (threads + tile_size - 1) / tile_size;
  }
  __CG_QUALIFIER__ tiled_group(unsigned int tile_size, unsigned int count)
      : thread_group(internal::cg_tiled_group, count,
                     (count >= 64 ? ~0ull : (1ull << count) - 1) << (__hip_internal::lane_id() & ~(tile_size - 1))) {}
  __CG_STATIC_QUALIFIER__ unsigned int members(unsigned int tile_size, unsigned int rank, unsigned int threads) {
    const unsigned int rest = threads - (rank & ~(tile_size - 1));
    return rest < tile_size ? rest : tile_size;
  }
  friend __CG_QUALIFIER__ thread_group tiled_partition(const thread_group& parent, unsigned int tile_size);
  friend __CG_QUALIFIER__ tiled_group tiled_partition(const tiled_group& parent, unsigned int tile_size);
};

// Any set of lanes of one wave, e.g. those that run the current branch.
class coalesced_group : public thread_group {
public:
  __CG_QUALIFIER__ unsigned int meta_group_rank() const { return meta_rank_; }
  __CG_QUALIFIER__ unsigned int meta_group_size() const { return meta_size_; }

  template <class T> __CG_QUALIFIER__ T shfl(T value, int rank) const {
    return __hip_internal::lane_read(mask_, value, internal::nth_lane(mask_, static_cast<unsigned int>(rank) % size_));
  }
  template <class T> __CG_QUALIFIER__ T shfl_down(T value, unsigned int delta) const {
    unsigned int rank = thread_rank() + delta;
    return __hip_internal::lane_read(mask_, value,
                               rank < size_ ? internal::nth_lane(mask_, rank) : static_cast<int>(__hip_internal::lane_id()));
  }
  template <class T> __CG_QUALIFIER__ T shfl_up(T value, unsigned int delta) const {
    unsigned int rank = thread_rank();
    return __hip_internal::lane_read(
        mask_, value, rank >= delta ? internal::nth_lane(mask_, rank - delta) : static_cast<int>(__hip_internal::lane_id()));
  }
  // Bit r of the result belongs to the member of rank r.
  __CG_QUALIFIER__ unsigned long long ballot(int predicate) const { return compress(yes(predicate)); }
  __CG_QUALIFIER__ int any(int predicate) const { return yes(predicate) != 0; }
  __CG_QUALIFIER__ int all(int predicate) const { return yes(predicate) == mask_; }
  template <class T> __CG_QUALIFIER__ unsigned long long match_any(T value) const {
    return compress(internal::equal_lanes(mask_, value));
  }
  template <class T> __CG_QUALIFIER__ unsigned long long match_all(T value, int& predicate) const {
    predicate = internal::equal_lanes(mask_, value) == mask_;
    return predicate ? compress(mask_) : 0;
  }

private:
  explicit __CG_QUALIFIER__ coalesced_group(lane_mask mask, unsigned int meta_rank = 0, unsigned int meta_size = 1)
      : thread_group(internal::cg_coalesced_group, static_cast<unsigned int>(__builtin_popcountll(mask)), mask) {
    meta_rank_ = meta_rank;
    meta_size_ = meta_size;
  }
  __CG_QUALIFIER__ lane_mask yes(int predicate) const { return __hip_internal::vote(mask_, predicate); }
  // Gathers the bits of this group's lanes into the low bits.
  __CG_QUALIFIER__ unsigned long long compress(lane_mask bits) const {
    unsigned long long result = 0;
    unsigned int rank = 0;
    for (lane_mask rest = mask_; rest; rest &= rest - 1, ++rank)
      result |= (bits >> __builtin_ctzll(rest) & 1) << rank;
    return result;
  }
  friend __CG_QUALIFIER__ coalesced_group coalesced_threads();
  friend __CG_QUALIFIER__ coalesced_group tiled_partition(const coalesced_group& parent, unsigned int tile_size);
  friend __CG_QUALIFIER__ coalesced_group binary_partition(const coalesced_group& group, bool predicate);
  template <unsigned int Size, class Parent> friend class thread_block_tile;
  friend struct internal::collective<coalesced_group>;
  template <unsigned int Size, class Parent>
  friend __CG_QUALIFIER__ coalesced_group binary_partition(const thread_block_tile<Size, Parent>& tile, bool predicate);
};
__CG_QUALIFIER__ coalesced_group coalesced_threads() {
#if defined(__OMNIHIP_CUDA__) // the active threads of a warp of 32
  return coalesced_group(__hip_internal::active_lanes() & 0xffffffffull << (__hip_internal::lane_id() & 32));
#else
  return coalesced_group(__hip_internal::active_lanes());
#endif
}

// The calling thread alone.
__CG_QUALIFIER__ thread_group this_thread() {
  thread_group group(internal::cg_coalesced_group, 1, 1ull << __hip_internal::lane_id());
  return group;
}

// A tile whose size is known when compiling.
template <unsigned int Size, class Parent> class thread_block_tile : public thread_group {
#if defined(__NVPTX__)
  static constexpr unsigned int kLargest = 32;
#else
  static constexpr unsigned int kLargest = 64;
#endif
  static_assert(Size != 0 && (Size & (Size - 1)) == 0 && Size <= kLargest,
                "A tile's size is a power of two, at most the size of a wave.");

public:
  static constexpr unsigned int numThreads = Size;

  // From the same tile with another notion of its parent.
  template <class Other>
  __CG_QUALIFIER__ thread_block_tile(const thread_block_tile<Size, Other>& other)
      : thread_block_tile(other.meta_group_rank(), other.meta_group_size()) {}

  __CG_STATIC_QUALIFIER__ unsigned int size() { return Size; }
  __CG_STATIC_QUALIFIER__ unsigned int num_threads() { return Size; }
  __CG_STATIC_QUALIFIER__ unsigned int thread_rank() { return internal::rank_in_block() & (Size - 1); }
  __CG_STATIC_QUALIFIER__ void sync() { internal::sync_lanes(members()); }
  __CG_STATIC_QUALIFIER__ bool is_valid() { return true; }
  __CG_QUALIFIER__ unsigned int meta_group_rank() const { return meta_rank_; }
  __CG_QUALIFIER__ unsigned int meta_group_size() const { return meta_size_; }

  template <class T> __CG_QUALIFIER__ T shfl(T value, int rank) const {
    return __hip_internal::shfl(members(), value, rank, Size);
  }
  template <class T> __CG_QUALIFIER__ T shfl_down(T value, unsigned int delta) const {
    return __hip_internal::shfl_down(members(), value, delta, Size);
  }
  template <class T> __CG_QUALIFIER__ T shfl_up(T value, unsigned int delta) const {
    return __hip_internal::shfl_up(members(), value, delta, Size);
  }
  template <class T> __CG_QUALIFIER__ T shfl_xor(T value, unsigned int mask) const {
    return __hip_internal::shfl_xor(members(), value, static_cast<int>(mask), Size);
  }
  __CG_QUALIFIER__ unsigned long long ballot(int predicate) const { return relative(__hip_internal::vote(members(), predicate)); }
  __CG_QUALIFIER__ int any(int predicate) const { return relative(__hip_internal::vote(members(), predicate)) != 0; }
  __CG_QUALIFIER__ int all(int predicate) const { return relative(__hip_internal::vote(members(), predicate == 0)) == 0; }
  template <class T> __CG_QUALIFIER__ unsigned long long match_any(T value) const {
    return relative(internal::equal_lanes(active(), value));
  }
  template <class T> __CG_QUALIFIER__ unsigned long long match_all(T value, int& predicate) const {
    predicate = internal::equal_lanes(active(), value) == active();
    return predicate ? relative(active()) : 0;
  }

private:
  __CG_QUALIFIER__ thread_block_tile(unsigned int meta_rank, unsigned int meta_size)
      : thread_group(internal::cg_tiled_group, Size, kOnes << (__hip_internal::lane_id() & ~(Size - 1))) {
    meta_rank_ = meta_rank;
    meta_size_ = meta_size;
  }
  static constexpr lane_mask kOnes = Size == 64 ? ~0ull : (1ull << (Size & 63)) - 1;
  __CG_STATIC_QUALIFIER__ lane_mask members() { return kOnes << (__hip_internal::lane_id() & ~(Size - 1)); }
  __CG_QUALIFIER__ lane_mask active() const { return mask_ & __hip_internal::active_lanes(); }
  __CG_QUALIFIER__ unsigned long long relative(lane_mask lanes) const {
    return lanes >> (__hip_internal::lane_id() & ~(Size - 1)) & kOnes;
  }
  template <unsigned int S, class P> friend class thread_block_tile;
  friend struct internal::collective<thread_block_tile>;
  template <unsigned int S, class P> friend __CG_QUALIFIER__ thread_block_tile<S, P> tiled_partition(const P& parent);
  template <unsigned int S, class P>
  friend __CG_QUALIFIER__ coalesced_group binary_partition(const thread_block_tile<S, P>& tile, bool predicate);
};

// --- partitions: `tile_size` is a power of two, at most the wave's size

template <unsigned int Size, class Parent>
__CG_QUALIFIER__ thread_block_tile<Size, Parent> tiled_partition(const Parent& parent) {
  return thread_block_tile<Size, Parent>(parent.thread_rank() / Size, (parent.size() + Size - 1) / Size);
}
__CG_QUALIFIER__ tiled_group tiled_partition(const tiled_group& parent, unsigned int tile_size) {
  return tiled_group(tile_size, parent.thread_rank(), parent.size());
}
// Consecutive ranks of the parent form the new groups.
__CG_QUALIFIER__ coalesced_group tiled_partition(const coalesced_group& parent, unsigned int tile_size) {
  unsigned int tile = parent.thread_rank() / tile_size, rank = 0;
  lane_mask mask = 0;
  for (lane_mask rest = parent.mask_; rest; rest &= rest - 1, ++rank)
    if (rank / tile_size == tile) mask |= rest & -rest;
  return coalesced_group(mask, tile, (parent.size() + tile_size - 1) / tile_size);
}
__CG_QUALIFIER__ thread_group tiled_partition(const thread_group& parent, unsigned int tile_size) {
  if (parent.cg_type() == internal::cg_coalesced_group)
    return tiled_partition(static_cast<const coalesced_group&>(parent), tile_size);
  return tiled_group(tile_size, parent.thread_rank(), parent.size());
}
__CG_QUALIFIER__ thread_group tiled_partition(const thread_block& parent, unsigned int tile_size) {
  return tiled_partition(static_cast<const thread_group&>(parent), tile_size);
}
// Splits a group in two by a predicate; each thread gets the half it belongs to.
__CG_QUALIFIER__ coalesced_group binary_partition(const coalesced_group& group, bool predicate) {
  lane_mask yes = group.yes(predicate);
  return coalesced_group(predicate ? yes : group.mask_ & ~yes, predicate ? 1 : 0, 2);
}
template <unsigned int Size, class Parent>
__CG_QUALIFIER__ coalesced_group binary_partition(const thread_block_tile<Size, Parent>& tile, bool predicate) {
  lane_mask members = tile.active(), yes = __hip_internal::vote(members, predicate);
  return coalesced_group(predicate ? yes : members & ~yes, predicate ? 1 : 0, 2);
}
// Splits a group by a label; each thread gets the threads with its own. (CUDA has it; AMD's HIP does not.) The label that
// the first of the rest has parts them from it, until it is the caller's.
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

// --- free functions over any group

template <class Group> __CG_QUALIFIER__ unsigned int group_size(const Group& group) { return group.size(); }
template <class Group> __CG_QUALIFIER__ unsigned int thread_rank(const Group& group) { return group.thread_rank(); }
template <class Group> __CG_QUALIFIER__ bool is_valid(const Group& group) { return group.is_valid(); }
template <class Group> __CG_QUALIFIER__ void sync(const Group& group) { group.sync(); }

} // namespace cooperative_groups

#include <hip/detail/group_collectives.h>
#include <hip/detail/group_copy.h>

#endif // HIP_DETAIL_COOPERATIVE_GROUPS_H
