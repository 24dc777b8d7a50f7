// Cooperative groups: tiles of up to 1024 threads of a block, which CUDA has and AMD's HIP does not. In a CUDA source,
// and on NVIDIA GPUs, warps have 32 threads, and these tiles begin at 64, else at 128. Their members are several warps,
// so that their barrier counts arrivals in shared memory, and values of different warps pass through shared memory, too.
// Every kernel that uses a size has the memory for it; what the program offers with block_tile_memory is not needed.
#ifndef HIP_DETAIL_BLOCK_TILES_H
#define HIP_DETAIL_BLOCK_TILES_H

#include <hip/detail/cooperative_groups.h>

namespace cooperative_groups {

template<unsigned int MaxBlockSize = 1024> struct block_tile_memory {};

template<unsigned int MaxBlockSize> __CG_QUALIFIER__ thread_block this_thread_block(block_tile_memory<MaxBlockSize>&) {
  return this_thread_block();
}

namespace internal {

constexpr unsigned int kMostThreads = 1024, kWarp = 32;

// Threads that arrived at the barriers of each tile, ever.
template<unsigned int Size> __CG_STATIC_QUALIFIER__ unsigned int* tile_arrivals() {
  __shared__ unsigned int arrivals[kMostThreads / Size];
  return &arrivals[rank_in_block() / Size];
}
// A value of each warp of the block.
template<unsigned int Size, class T> __CG_STATIC_QUALIFIER__ T* warp_values() {
  __shared__ __attribute__((aligned(alignof(T)))) char values[kMostThreads / kWarp * sizeof(T)];
  return reinterpret_cast<T*>(values);
}

template<unsigned int Size, class Parent> class block_tile {
public:
  static constexpr unsigned int numThreads = Size;

  // Of all threads of the parent at a time. The parent's barriers part the counter's new life from an earlier one.
  __CG_QUALIFIER__ block_tile(unsigned int meta_rank, unsigned int meta_size)
      : meta_rank_(meta_rank), meta_size_(meta_size) {
    Parent::sync();
    if (thread_rank() == 0)
      __hip_atomic_store(tile_arrivals<Size>(), 0u, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_WORKGROUP);
    Parent::sync();
  }

  // The same tile with another notion of its parent.
  template<class Other> explicit __CG_QUALIFIER__ block_tile(const block_tile<Size, Other>& other)
      : meta_rank_(other.meta_group_rank()), meta_size_(other.meta_group_size()) {}

  __CG_STATIC_QUALIFIER__ unsigned int size() { return num_threads(); }
  // The last tile of a block has the threads that remain.
  __CG_STATIC_QUALIFIER__ unsigned int num_threads() {
    const unsigned int rest = block_threads() - rank_in_block() / Size * Size;
    return rest < Size ? rest : Size;
  }
  __CG_STATIC_QUALIFIER__ unsigned int thread_rank() { return rank_in_block() % Size; }
  __CG_STATIC_QUALIFIER__ bool is_valid() { return true; }
  __CG_QUALIFIER__ unsigned int meta_group_rank() const { return meta_rank_; }
  __CG_QUALIFIER__ unsigned int meta_group_size() const { return meta_size_; }

  // The first of the wave's threads counts all of them, then the wave waits for the other ones.
  __CG_STATIC_QUALIFIER__ void sync() {
    const lane_mask lanes = __hip_internal::active_lanes();
    const unsigned int all = num_threads();
    unsigned int* const arrivals = tile_arrivals<Size>();
    sync_lanes(lanes);
    if (lanes_below(lanes) == 0) {
      const unsigned int before =
          __hip_atomic_fetch_add(arrivals, static_cast<unsigned int>(__builtin_popcountll(lanes)), __ATOMIC_RELEASE,
                                 __HIP_MEMORY_SCOPE_WORKGROUP);
      const unsigned int goal = (before / all + 1) * all;
      while (static_cast<int>(__hip_atomic_load(arrivals, __ATOMIC_ACQUIRE, __HIP_MEMORY_SCOPE_WORKGROUP) - goal) < 0) {
      }
    }
    sync_lanes(lanes);
  }

  template<class T> __CG_QUALIFIER__ T shfl(T value, unsigned int rank) const {
    T* const one = &warp_values<Size, T>()[first_warp()];
    sync();
    if (thread_rank() == rank % num_threads()) *one = value;
    sync();
    return *one;
  }
  __CG_QUALIFIER__ int any(int predicate) const { return fold(predicate != 0, bit_or<int>()); }
  __CG_QUALIFIER__ int all(int predicate) const { return fold(predicate != 0, bit_and<int>()); }

  // Folds the values of all members in ascending order of ranks.
  template<class T, class Op> __CG_QUALIFIER__ T fold(T value, Op op) const {
    value = collective<thread_block_tile<kWarp, thread_block>>::reduce(warp(), value, op);
    T* const values = share(value);
    T result = values[0];
    for (unsigned int i = 1; i < warps(); ++i) result = op(result, values[i]);
    return result;
  }
  template<scan_kind kind, class T, class Op> __CG_QUALIFIER__ T scan(T value, Op op) const {
    typedef collective<thread_block_tile<kWarp, thread_block>> in_warp;
    const T total = in_warp::reduce(warp(), value, op);
    value = in_warp::template scan<kind>(warp(), value, op);
    T* const values = share(total);
    const unsigned int before = thread_rank() / kWarp;
    if (before == 0) return value;
    T first = values[0];
    for (unsigned int i = 1; i < before; ++i) first = op(first, values[i]);
    return kind == scan_kind::exclusive && thread_rank() % kWarp == 0 ? first : op(first, value);
  }

private:
  __CG_STATIC_QUALIFIER__ unsigned int first_warp() { return rank_in_block() / Size * (Size / kWarp); }
  __CG_STATIC_QUALIFIER__ unsigned int warps() { return (num_threads() + kWarp - 1) / kWarp; }
  __CG_STATIC_QUALIFIER__ thread_block_tile<kWarp, thread_block> warp() {
    return tiled_partition<kWarp>(this_thread_block());
  }
  // A value of each warp, the first warp's first.
  template<class T> __CG_STATIC_QUALIFIER__ T* share(T value) {
    T* const values = &warp_values<Size, T>()[first_warp()];
    sync(); // what was shared before was read
    if (thread_rank() % kWarp == 0) values[thread_rank() / kWarp] = value;
    sync();
    return values;
  }
  unsigned int meta_rank_, meta_size_;
};

template<unsigned int Size, class Parent> struct block_tile_collective {
  typedef block_tile<Size, Parent> tile;
  template<class T, class Op> __CG_STATIC_QUALIFIER__ T reduce(const tile& group, T value, Op op) {
    return group.fold(value, op);
  }
  template<scan_kind kind, class T, class Op> __CG_STATIC_QUALIFIER__ T scan(const tile& group, T value, Op op) {
    return group.template scan<kind>(value, op);
  }
};

} // namespace internal

#define __HIP_BLOCK_TILE(Size)                                                                                  \
  template<class Parent> class thread_block_tile<Size, Parent> : public internal::block_tile<Size, Parent> {           \
  public:                                                                                                              \
    using internal::block_tile<Size, Parent>::block_tile;                                                              \
    template<class Other> __CG_QUALIFIER__ thread_block_tile(const thread_block_tile<Size, Other>& other)              \
        : internal::block_tile<Size, Parent>(static_cast<const internal::block_tile<Size, Other>&>(other)) {}          \
  };                                                                                                                   \
  template<class Parent> struct internal::collective<thread_block_tile<Size, Parent>>                                  \
      : internal::block_tile_collective<Size, Parent> {};
#if defined(__OMNIHIP_CUDA__) || defined(__NVPTX__)
__HIP_BLOCK_TILE(64)
#endif
__HIP_BLOCK_TILE(128)
__HIP_BLOCK_TILE(256)
__HIP_BLOCK_TILE(512)
__HIP_BLOCK_TILE(1024)
#undef __HIP_BLOCK_TILE

} // namespace cooperative_groups

#endif
