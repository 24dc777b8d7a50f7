// hip/detail/group_collectives.h - reductions and scans of cooperative groups within a wave: tiles and coalesced groups. Values
// are folded in ascending order of ranks, so that an operator need not commute; members that are not active take no part.
#ifndef HIP_DETAIL_GROUP_COLLECTIVES_H
#define HIP_DETAIL_GROUP_COLLECTIVES_H

#include <hip/detail/cooperative_groups.h>
#include <hip/detail/value_limits.h>

namespace cooperative_groups {

template <class T> struct plus {
  __CG_QUALIFIER__ T operator()(const T& a, const T& b) const { return a + b; }
};
// The smaller and the greater of two, as CUDA's function objects of these names.
template <class T> struct less {
  __CG_QUALIFIER__ T operator()(const T& a, const T& b) const { return b < a ? b : a; }
};
template <class T> struct greater {
  __CG_QUALIFIER__ T operator()(const T& a, const T& b) const { return a < b ? b : a; }
};
template <class T> struct bit_and {
  __CG_QUALIFIER__ T operator()(const T& a, const T& b) const { return a & b; }
};
template <class T> struct bit_or {
  __CG_QUALIFIER__ T operator()(const T& a, const T& b) const { return a | b; }
};
template <class T> struct bit_xor {
  __CG_QUALIFIER__ T operator()(const T& a, const T& b) const { return a ^ b; }
};

namespace internal {

using scan_kind = __hip_internal::scan_kind;

// What the first member gets of an exclusive scan: what changes nothing, or T() for operators that are not known.
template <class T, class Op> struct identity {
  __CG_STATIC_QUALIFIER__ T value() { return T(); }
};
template <class T> struct identity<T, less<T>> {
  __CG_STATIC_QUALIFIER__ T value() { return __hip_internal::value_limits<T>::greatest(); }
};
template <class T> struct identity<T, greater<T>> {
  __CG_STATIC_QUALIFIER__ T value() { return __hip_internal::value_limits<T>::least(); }
};
template <class T> struct identity<T, bit_and<T>> {
  __CG_STATIC_QUALIFIER__ T value() { return static_cast<T>(~T()); }
};

template <class T> struct plain { typedef T type; };
template <class T> struct plain<T&> : plain<T> {};
template <class T> struct plain<T&&> : plain<T> {};
template <class T> struct plain<const T> : plain<T> {};

// The lanes of a mask, by an instruction of the GPU where it has one for the type and the operator.
template <class T, class Op> struct lanes {
  enum { by_instruction = 0 };
  __CG_STATIC_QUALIFIER__ T reduce(unsigned long long mask, T value, Op op) {
    return __hip_internal::reduce_lanes(mask, value, op);
  }
};
#if defined(__NVPTX__) && __CUDA_ARCH__ >= 800
#define __CG_REDUX(T, Op, builtin) \
  template <> struct lanes<T, Op<T>> { \
    enum { by_instruction = 1 }; \
    __CG_STATIC_QUALIFIER__ T reduce(unsigned long long mask, T value, Op<T>) { \
      return static_cast<T>(builtin(value, static_cast<int>(mask))); \
    } \
  };
__CG_REDUX(int, plus, __nvvm_redux_sync_add)
__CG_REDUX(int, less, __nvvm_redux_sync_min)
__CG_REDUX(int, greater, __nvvm_redux_sync_max)
__CG_REDUX(int, bit_and, __nvvm_redux_sync_and)
__CG_REDUX(int, bit_or, __nvvm_redux_sync_or)
__CG_REDUX(int, bit_xor, __nvvm_redux_sync_xor)
__CG_REDUX(unsigned int, plus, __nvvm_redux_sync_add)
__CG_REDUX(unsigned int, less, __nvvm_redux_sync_umin)
__CG_REDUX(unsigned int, greater, __nvvm_redux_sync_umax)
__CG_REDUX(unsigned int, bit_and, __nvvm_redux_sync_and)
__CG_REDUX(unsigned int, bit_or, __nvvm_redux_sync_or)
__CG_REDUX(unsigned int, bit_xor, __nvvm_redux_sync_xor)
#undef __CG_REDUX
#endif

template <> struct collective<coalesced_group> {
  template <class T, class Op> __CG_STATIC_QUALIFIER__ T reduce(const coalesced_group& group, T value, Op op) {
    return lanes<T, Op>::reduce(group.mask_, value, op);
  }
  template <scan_kind kind, class T, class Op>
  __CG_STATIC_QUALIFIER__ T scan(const coalesced_group& group, T value, Op op) {
    return __hip_internal::scan_lanes<kind>(group.mask_, value, op, identity<T, Op>::value());
  }
};

// A tile whose members are all active takes a step for each power of two; no other tile's lanes are read.
template <unsigned int Size, class Parent> struct collective<thread_block_tile<Size, Parent>> {
  typedef thread_block_tile<Size, Parent> tile;

  template <class T, class Op> __CG_STATIC_QUALIFIER__ T reduce(const tile& group, T value, Op op) {
    if (lanes<T, Op>::by_instruction || group.active() != tile::members())
      return lanes<T, Op>::reduce(group.active(), value, op);
    const int self = static_cast<int>(__hip_internal::lane_id());
    for (unsigned int step = 1; step < Size; step *= 2) {
      const T other = __hip_internal::shfl_xor(tile::members(), value, static_cast<int>(step), Size);
      value = self & static_cast<int>(step) ? op(other, value) : op(value, other);
    }
    return value;
  }
  template <scan_kind kind, class T, class Op> __CG_STATIC_QUALIFIER__ T scan(const tile& group, T value, Op op) {
    const T first = identity<T, Op>::value();
    if (group.active() != tile::members()) return __hip_internal::scan_lanes<kind>(group.active(), value, op, first);
    const unsigned int rank = __hip_internal::lane_id() & (Size - 1);
    for (unsigned int step = 1; step < Size; step *= 2) {
      const T other = group.shfl_up(value, step);
      if (rank >= step) value = op(other, value);
    }
    if (kind == scan_kind::inclusive) return value;
    const T before = group.shfl_up(value, 1);
    return rank == 0 ? first : before;
  }
};

} // namespace internal

template <class Group, class Value, class Op>
__CG_QUALIFIER__ auto reduce(const Group& group, Value&& value, Op&& op) -> decltype(op(value, value)) {
  typedef typename internal::plain<Value>::type T;
  return internal::collective<Group>::template reduce<T>(group, value, op);
}

// Without an operator: sums.
template <class Group, class Value, class Op>
__CG_QUALIFIER__ auto inclusive_scan(const Group& group, Value&& value, Op&& op) -> decltype(op(value, value)) {
  typedef typename internal::plain<Value>::type T;
  typedef typename internal::plain<Op>::type F;
  return internal::collective<Group>::template scan<internal::scan_kind::inclusive, T, F>(group, value, op);
}
template <class Group, class Value, class Op>
__CG_QUALIFIER__ auto exclusive_scan(const Group& group, Value&& value, Op&& op) -> decltype(op(value, value)) {
  typedef typename internal::plain<Value>::type T;
  typedef typename internal::plain<Op>::type F;
  return internal::collective<Group>::template scan<internal::scan_kind::exclusive, T, F>(group, value, op);
}
template <class Group, class Value>
__CG_QUALIFIER__ auto inclusive_scan(const Group& group, Value&& value) -> typename internal::plain<Value>::type {
  return inclusive_scan(group, value, plus<typename internal::plain<Value>::type>());
}
template <class Group, class Value>
__CG_QUALIFIER__ auto exclusive_scan(const Group& group, Value&& value) -> typename internal::plain<Value>::type {
  return exclusive_scan(group, value, plus<typename internal::plain<Value>::type>());
}

} // namespace cooperative_groups

#endif
