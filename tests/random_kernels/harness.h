// harness.h - the frame of generated programs: what a lane and a block have, how a block is simulated on the host, and
// how a program runs its kernels and compares. A kernel is a sequence of phases, which a lane executes by itself, and
// of steps between lanes; on the host a phase is run for one lane after the other, and a step works on the array of
// lanes.
#pragma once

#include "values.h"

#include <cstdio>
#include <memory>
#include <vector>

constexpr u32 kInputWords = 256, kMineWords = 8, kSlotWords = 4, kBoardWords = 64, kCells = 16;

/// Places of atomic operations. Sums of floating-point numbers are of small integers, so their order does not matter.
struct Cells {
  u32 words[kCells];
  unsigned long long longs[kCells];
  f32 singles[kCells];
  f64 doubles[kCells];
};
struct Arguments {
  const u32* in; // kInputWords
  u32* mine;     // kMineWords for every lane of the grid
  Cells* cells;  // one for every block, and one for all
  u64* out;      // the fields of every lane of the grid
};
/// What a lane sees besides its own state. In phases it writes only `mine` and `slots`, which are its own.
struct Context {
  u32 lane, block, lanes, turn;
  const u32* in;
  u32* mine;
  u32* slots;
  const u32* board;
};
template<u32 kLanes> struct Shared {
  u32 board[kBoardWords];
  u32 slots[kLanes * kSlotWords];
  u8 x8[kLanes];
  u16 x16[kLanes];
  u32 x32[kLanes];
  u64 x64[kLanes];
  f32 xf32[kLanes];
  f64 xf64[kLanes];
  Cells cells;
  u32 list[kLanes], count;
  u32 control[8]; // trip counts and branches of the block, one by depth of nesting
};
template<class State> struct Lane {
  State s;
  Context c;
  u64 value; // what the lane offers to others
  u32 from;  // the lane that it takes from
  bool active, vote;
};

template<u32 kLanes>
__host__ __device__ inline Context context_of(const Arguments& a, Shared<kLanes>& sh, u32 block, u32 lane) {
  const u32 place = block * kLanes + lane;
  return {lane, block, kLanes, 0, a.in, a.mine + place * kMineWords, sh.slots + lane * kSlotWords, sh.board};
}
template<u32 kLanes> __host__ __device__ inline void clear_own(Shared<kLanes>& sh, u32 lane) {
  for (u32 i = 0; i < kSlotWords; ++i) sh.slots[lane * kSlotWords + i] = 0;
  for (u32 i = lane; i < kBoardWords; i += kLanes) sh.board[i] = i * 0x9e3779b9u;
}

/// Adds by compare and swap.
template<class T> __device__ void add_by_exchange(T* cell, T value) {
  T seen = 0, before;
  do {
    before = seen;
    seen = atomicCAS(cell, before, T(before + value));
  } while (seen != before);
}

// Steps between the lanes of a wave, on the host: `at` is the lane's place in its block.
template<class State> u32 wave_end(const std::vector<Lane<State>>& lanes, u32 at) {
  const u32 end = (at & ~63u) + 64;
  return end < lanes.size() ? end : u32(lanes.size());
}
template<class State> u64 ballot_of(const std::vector<Lane<State>>& lanes, u32 at) {
  u64 mask = 0;
  for (u32 i = at & ~63u; i < wave_end(lanes, at); ++i)
    if (lanes[i].active && lanes[i].vote) mask |= 1ull << (i & 63);
  return mask;
}
template<class State> u32 first_active(const std::vector<Lane<State>>& lanes, u32 at) {
  u32 i = at & ~63u;
  while (i < at && !lanes[i].active) ++i;
  return i;
}
template<class State> u32 votes_of_block(const std::vector<Lane<State>>& lanes) {
  u32 sum = 0;
  for (const Lane<State>& lane : lanes) sum += lane.vote;
  return sum;
}

struct Case {
  const char* name;
  u32 lanes, blocks, fields;
  const char* const* field_names;
  void (*launch)(const Arguments& arguments);
  void (*expect)(const Arguments& arguments, u32 block);
};

inline bool succeeded(hipError_t error, const char* what) {
  if (error != hipSuccess) std::printf("%s: %s\n", what, hipGetErrorName(error));
  return error == hipSuccess;
}

/// Says where the first difference is; an element of what lanes have is named by its place and field.
template<class T> bool equal(u64 seed, const Case& kernel, const char* what, const std::vector<T>& found,
                             const std::vector<T>& expected, u32 per_lane) {
  for (u32 i = 0; i < found.size(); ++i) {
    if (found[i] == expected[i]) continue;
    const u32 lane = i / per_lane, at = i % per_lane;
    const char* name = per_lane == kernel.fields ? kernel.field_names[at] : "";
    std::printf("seed %llu, kernel %s, block %u, lane %u: %s[%u] %s: expected %#llx, found %#llx\n",
                (unsigned long long)seed, kernel.name, lane / kernel.lanes, lane % kernel.lanes, what, at, name,
                (unsigned long long)expected[i], (unsigned long long)found[i]);
    return false;
  }
  return true;
}

inline bool run(u64 seed, const Case& kernel) {
  std::vector<u32> in(kInputWords), mine(size_t(kernel.blocks) * kernel.lanes * kMineWords);
  u64 word = seed * 0x9e3779b97f4a7c15ull + kernel.lanes;
  const auto next = [&] { return word = mixed<u64>(word + 0x1234567), u32(word >> 20); };
  for (u32& each : in) {
    const u32 kind = next() % 8;
    each = kind == 0   ? next() % 16
           : kind == 1 ? 1u << next() % 32
           : kind == 2 ? 0u - next() % 4
           : kind == 3 ? 0x3f800000u + next() % 0x1000000u
                       : next();
  }
  for (u32& each : mine) each = next();
  std::vector<Cells> cells(kernel.blocks + 1, Cells{});
  std::vector<u64> out(size_t(kernel.blocks) * kernel.lanes * kernel.fields, 0);

  Arguments device = {};
  u32* device_in = nullptr;
  const size_t mine_bytes = mine.size() * 4, cells_bytes = cells.size() * sizeof(Cells), out_bytes = out.size() * 8;
  if (!succeeded(hipMalloc(&device_in, kInputWords * 4), "hipMalloc") ||
      !succeeded(hipMalloc(&device.mine, mine_bytes), "hipMalloc") ||
      !succeeded(hipMalloc(&device.cells, cells_bytes), "hipMalloc") ||
      !succeeded(hipMalloc(&device.out, out_bytes), "hipMalloc") ||
      !succeeded(hipMemcpy(device_in, in.data(), kInputWords * 4, hipMemcpyHostToDevice), "hipMemcpy") ||
      !succeeded(hipMemcpy(device.mine, mine.data(), mine_bytes, hipMemcpyHostToDevice), "hipMemcpy") ||
      !succeeded(hipMemcpy(device.cells, cells.data(), cells_bytes, hipMemcpyHostToDevice), "hipMemcpy") ||
      !succeeded(hipMemset(device.out, 0, out_bytes), "hipMemset"))
    return false;
  device.in = device_in;
  kernel.launch(device);
  if (!succeeded(hipGetLastError(), kernel.name) || !succeeded(hipDeviceSynchronize(), kernel.name)) return false;

  std::vector<u32> mine_found(mine.size());
  std::vector<Cells> cells_found(cells.size());
  std::vector<u64> out_found(out.size());
  if (!succeeded(hipMemcpy(mine_found.data(), device.mine, mine_bytes, hipMemcpyDeviceToHost), "hipMemcpy") ||
      !succeeded(hipMemcpy(cells_found.data(), device.cells, cells_bytes, hipMemcpyDeviceToHost), "hipMemcpy") ||
      !succeeded(hipMemcpy(out_found.data(), device.out, out_bytes, hipMemcpyDeviceToHost), "hipMemcpy") ||
      !succeeded(hipFree(device_in), "hipFree") || !succeeded(hipFree(device.mine), "hipFree") ||
      !succeeded(hipFree(device.cells), "hipFree") || !succeeded(hipFree(device.out), "hipFree"))
    return false;

  const Arguments host = {in.data(), mine.data(), cells.data(), out.data()};
  for (u32 block = 0; block < kernel.blocks; ++block) kernel.expect(host, block);
  const auto words_of = [](const std::vector<Cells>& all) {
    std::vector<u64> words;
    for (const Cells& each : all)
      for (u32 i = 0; i < kCells; ++i)
        for (const u64 word : {u64(each.words[i]), u64(each.longs[i]), bits(each.singles[i]), bits(each.doubles[i])})
          words.push_back(word);
    return words;
  };
  return equal(seed, kernel, "out", out_found, out, kernel.fields) &&
         equal(seed, kernel, "mine", mine_found, mine, kMineWords) &&
         equal(seed, kernel, "cells", words_of(cells_found), words_of(cells), 1);
}

/// The program: exit code 0 when every kernel wrote what the host expects.
template<u32 kCount> int run_all(u64 seed, const Case (&kernels)[kCount]) {
  bool good = true;
  for (const Case& kernel : kernels) good = run(seed, kernel) && good;
  std::printf("%s\n", good ? "passed" : "FAILED");
  return good ? 0 : 1;
}
