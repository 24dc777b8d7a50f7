// hip/detail/group_copy.h - memcpy_async of cooperative groups: the threads of a group copy a range together, 16, 4 or 1
// bytes at a time as its alignment allows. The copy is complete for the group after the group's sync, or wait; as a plain
// copy it does not outlive the call here. All threads of the group call with the same arguments.
#ifndef HIP_DETAIL_GROUP_COPY_H
#define HIP_DETAIL_GROUP_COPY_H

#include <hip/detail/cooperative_groups.h>

namespace cooperative_groups {

namespace internal {

template<class Word>
__CG_STATIC_QUALIFIER__ void copy_words(unsigned int rank, unsigned int threads, void* __restrict__ dst,
                                        const void* __restrict__ src, __SIZE_TYPE__ words) {
  for (__SIZE_TYPE__ i = rank; i < words; i += threads) static_cast<Word*>(dst)[i] = static_cast<const Word*>(src)[i];
}
template<class Group>
__CG_STATIC_QUALIFIER__ void copy_bytes(const Group& group, void* __restrict__ dst, const void* __restrict__ src,
                                        __SIZE_TYPE__ bytes) {
  typedef unsigned int four_words __attribute__((ext_vector_type(4), may_alias));
  typedef unsigned int word __attribute__((may_alias));
  const unsigned int rank = group.thread_rank(), threads = group.size();
  const __SIZE_TYPE__ bits = reinterpret_cast<__SIZE_TYPE__>(dst) | reinterpret_cast<__SIZE_TYPE__>(src) | bytes;
  if (bits % 16 == 0)
    copy_words<four_words>(rank, threads, dst, src, bytes / 16);
  else if (bits % 4 == 0)
    copy_words<word>(rank, threads, dst, src, bytes / 4);
  else
    copy_words<char>(rank, threads, dst, src, bytes);
}

} // namespace internal

// `bytes` bytes.
template<class Group, class T, class Bytes>
__CG_QUALIFIER__ void memcpy_async(const Group& group, T* __restrict__ dst, const T* __restrict__ src,
                                   const Bytes& bytes) {
  internal::copy_bytes(group, dst, src, static_cast<__SIZE_TYPE__>(bytes));
}
// As many elements as both ranges have.
template<class Group, class T, class DstCount, class SrcCount>
__CG_QUALIFIER__ void memcpy_async(const Group& group, T* __restrict__ dst, const DstCount& dst_count,
                                   const T* __restrict__ src, const SrcCount& src_count) {
  const __SIZE_TYPE__ to = static_cast<__SIZE_TYPE__>(dst_count), from = static_cast<__SIZE_TYPE__>(src_count);
  internal::copy_bytes(group, dst, src, (to < from ? to : from) * sizeof(T));
}

// Waits for the group's copies: all of them, or all but the latest `Stage`.
template<class Group> __CG_QUALIFIER__ void wait(const Group& group) { group.sync(); }
template<unsigned int Stage, class Group> __CG_QUALIFIER__ void wait_prior(const Group& group) { group.sync(); }

} // namespace cooperative_groups

#endif
