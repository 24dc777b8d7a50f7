// Reductions and scans of cooperative groups: tiles of every size, with all members and with some, coalesced groups of
// several branches at once, values of 2 to 16 bytes, operators that commute and one that does not.
#include "e2e.h"

#include <hip/hip_cooperative_groups.h>
#include <hip/hip_fp16.h>

#include <algorithm>

namespace {

namespace cg = cooperative_groups;

constexpr int kBlock = 256;

// Composition of x -> a * x + b modulo 2^32: associative, but it does not commute.
struct Affine {
  unsigned a, b;
  bool operator==(const Affine& other) const { return a == other.a && b == other.b; }
};
struct Compose {
  __host__ __device__ Affine operator()(const Affine& first, const Affine& second) const {
    return {first.a * second.a, first.b * second.a + second.b};
  }
};

template<class T> struct Results {
  T reduced, inclusive, exclusive;
};

template<class Group, class T, class Op> __device__ Results<T> all_of(const Group& group, T value, Op op) {
  return {cg::reduce(group, value, op), cg::inclusive_scan(group, value, op), cg::exclusive_scan(group, value, op)};
}

// active: which lanes take part.
template<unsigned Size, class T, class Op>
__global__ void tiles(const T* in, Results<T>* out, unsigned long long active) {
  const auto tile = cg::tiled_partition<Size>(cg::this_thread_block());
  if (active >> (threadIdx.x % warpSize) & 1) out[threadIdx.x] = all_of(tile, in[threadIdx.x], Op());
}
// Lanes whose number is congruent modulo `ways` meet in a branch of their own.
template<class T, class Op> __global__ void branches(const T* in, Results<T>* out, int ways) {
  for (int way = 0; way < ways; ++way)
    if (static_cast<int>(threadIdx.x) % ways == way) {
      const cg::coalesced_group group = cg::coalesced_threads();
      out[threadIdx.x] = all_of(group, in[threadIdx.x], Op());
    }
}
// Two halves of each wave call with groups of their own at once.
template<class T, class Op> __global__ void halves(const T* in, Results<T>* out) {
  const cg::coalesced_group group = cg::binary_partition(cg::coalesced_threads(), threadIdx.x % 5 < 2);
  out[threadIdx.x] = all_of(group, in[threadIdx.x], Op());
}

template<class T> bool same_value(const T& a, const T& b) { return a == b; }

// members(i): the threads of i's group in ascending order; those that take no part have none.
template<class T, class Op, class Members>
void check(const std::vector<T>& in, const e2e::Device<Results<T>>& out, T first, Members members) {
  const auto got = out.download();
  for (int i = 0; i < kBlock; ++i) {
    const std::vector<int> group = members(i);
    if (group.empty()) continue;
    T folded = in[group[0]], inclusive = folded, exclusive = first;
    for (size_t k = 0; k < group.size(); ++k) {
      const T next = k == 0 ? in[group[0]] : Op()(folded, in[group[k]]);
      if (group[k] == i) {
        inclusive = next;
        exclusive = k == 0 ? first : folded;
      }
      folded = next;
    }
    if (!same_value(got[i].reduced, folded))
      e2e::fail(__FILE__, __LINE__, "wrong reduction of thread " + std::to_string(i));
    if (!same_value(got[i].inclusive, inclusive))
      e2e::fail(__FILE__, __LINE__, "wrong inclusive scan of thread " + std::to_string(i));
    if (!same_value(got[i].exclusive, exclusive))
      e2e::fail(__FILE__, __LINE__, "wrong exclusive scan of thread " + std::to_string(i));
  }
}

int lanes() {
  int value = 0;
  (void)hipDeviceGetAttribute(&value, hipDeviceAttributeWarpSize, 0);
  return value;
}

// HostOp is Op for the host.
template<class T, class Op, class HostOp> void check_all(const std::vector<T>& in, T first) {
  const int wave = lanes();
  e2e::Device<T> device_in(in);
  e2e::Device<Results<T>> out(kBlock);
  const auto check_tiles = [&](auto kernel, int size) {
    for (const unsigned long long active : {~0ull, 0xf0f1ffff7fff0003ull}) {
      kernel<<<1, kBlock>>>(device_in.data(), out.data(), active);
      RUN_OK();
      check<T, HostOp>(in, out, first, [&](int i) {
        std::vector<int> group;
        if (active >> (i % wave) & 1)
          for (int k = i / size * size; k < (i / size + 1) * size; ++k)
            if (active >> (k % wave) & 1) group.push_back(k);
        return group;
      });
    }
  };
  check_tiles(tiles<1, T, Op>, 1);
  check_tiles(tiles<4, T, Op>, 4);
  check_tiles(tiles<16, T, Op>, 16);
  check_tiles(tiles<32, T, Op>, 32);
  for (const int ways : {1, 2, 3, 7}) {
    branches<T, Op><<<1, kBlock>>>(device_in.data(), out.data(), ways);
    RUN_OK();
    check<T, HostOp>(in, out, first, [&](int i) {
      std::vector<int> group;
      for (int k = i / wave * wave; k < (i / wave + 1) * wave; ++k)
        if (k % ways == i % ways) group.push_back(k);
      return group;
    });
  }
  halves<T, Op><<<1, kBlock>>>(device_in.data(), out.data());
  RUN_OK();
  check<T, HostOp>(in, out, first, [&](int i) {
    std::vector<int> group;
    for (int k = i / wave * wave; k < (i / wave + 1) * wave; ++k)
      if ((k % 5 < 2) == (i % 5 < 2)) group.push_back(k);
    return group;
  });
}

struct Sum {
  template<class T> T operator()(T a, T b) const { return static_cast<T>(a + b); }
};
struct Smaller {
  template<class T> T operator()(T a, T b) const { return b < a ? b : a; }
};
struct Greater {
  template<class T> T operator()(T a, T b) const { return a < b ? b : a; }
};
struct Both {
  template<class T> T operator()(T a, T b) const { return a & b; }
};
struct Different {
  template<class T> T operator()(T a, T b) const { return a ^ b; }
};

} // namespace

E2E_CASE(integers) {
  const auto ints = e2e::interesting<int>(kBlock);
  const auto longs = e2e::interesting<unsigned long long>(kBlock);
  check_all<unsigned long long, cg::plus<unsigned long long>, Sum>(longs, 0);
  check_all<int, cg::less<int>, Smaller>(ints, std::numeric_limits<int>::max());
  check_all<int, cg::greater<int>, Greater>(ints, std::numeric_limits<int>::min());
  check_all<unsigned long long, cg::bit_and<unsigned long long>, Both>(longs, ~0ull);
  check_all<int, cg::bit_xor<int>, Different>(ints, 0);
}

// Small whole numbers, whose sums are exact in any order.
E2E_CASE(floating_point) {
  std::vector<double> doubles(kBlock);
  std::vector<__half> halves(kBlock);
  for (int i = 0; i < kBlock; ++i) {
    doubles[i] = i * 37 % 101 - 50;
    halves[i] = __half(static_cast<float>(i * 29 % 17 - 8));
  }
  check_all<double, cg::plus<double>, Sum>(doubles, 0);
  check_all<double, cg::less<double>, Smaller>(doubles, std::numeric_limits<double>::infinity());
  check_all<__half, cg::plus<__half>, Sum>(halves, __half(0));
  check_all<__half, cg::greater<__half>, Greater>(halves, __half(-std::numeric_limits<float>::infinity()));
}

E2E_CASE(operators_that_do_not_commute) {
  std::vector<Affine> in(kBlock);
  e2e::Random random;
  for (Affine& value : in) value = {static_cast<unsigned>(random.bits()), static_cast<unsigned>(random.bits())};
  check_all<Affine, Compose, Compose>(in, Affine{});
}
