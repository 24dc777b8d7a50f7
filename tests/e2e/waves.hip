// Functions of a wave: shuffles of every kind, width and type, votes, masks, lane ids, with all lanes and with some.
#include "e2e.h"

namespace {

int lanes() {
  int value = 0;
  (void)hipDeviceGetAttribute(&value, hipDeviceAttributeWarpSize, 0);
  return value;
}

template<class T> __global__ void shuffle_kernel(T* out, int width, int distance) {
  const int i = threadIdx.x;
  const T own = static_cast<T>(i * 3 + 1);
  out[i * 4 + 0] = __shfl(own, distance, width);
  out[i * 4 + 1] = __shfl_up(own, distance, width);
  out[i * 4 + 2] = __shfl_down(own, distance, width);
  out[i * 4 + 3] = __shfl_xor(own, distance, width);
}

template<class T> void check_shuffles() {
  const int wave = lanes(), count = wave * 2;
  for (int width = 2; width <= wave; width *= 2)
    for (const int distance : {0, 1, 2, 3, 5, 8, 31, 40}) {
      e2e::Device<T> out(count * 4);
      shuffle_kernel<T><<<1, count>>>(out, width, distance);
      RUN_OK();
      const auto got = out.download();
      for (int i = 0; i < count; ++i) {
        const int wave_base = i / wave * wave, lane = i % wave, base = lane / width * width;
        const auto value = [&](int source) { return static_cast<T>((wave_base + source) * 3 + 1); };
        const int up = lane - distance < base ? lane : lane - distance;
        const int down = lane - base + distance >= width ? lane : lane + distance;
        const int flipped = (lane ^ distance) >= base + width ? lane : lane ^ distance;
        CHECK_AT(i, got[i * 4 + 0], value(base + (distance & (width - 1))));
        CHECK_AT(i, got[i * 4 + 1], value(up));
        CHECK_AT(i, got[i * 4 + 2], value(down));
        CHECK_AT(i, got[i * 4 + 3], value(flipped));
      }
    }
}

__global__ void vote_kernel(unsigned long long* ballots, int* votes) {
  const int i = threadIdx.x;
  ballots[i * 4 + 0] = __ballot(i % 3 == 0);
  ballots[i * 4 + 1] = __activemask();
  ballots[i * 4 + 2] = __lane_id();
  ballots[i * 4 + 3] = 0;
  votes[i * 6 + 0] = __any(i == 5);
  votes[i * 6 + 1] = __all(i < 1000);
  votes[i * 6 + 2] = __all(i != 5);
  votes[i * 6 + 3] = __any(i > 1000);
  votes[i * 6 + 4] = votes[i * 6 + 5] = -1;
  if (i % 4 == 1) { // a part of the lanes
    ballots[i * 4 + 3] = __ballot(i % 8 == 1);
    votes[i * 6 + 4] = __all(i % 4 == 1);
    votes[i * 6 + 5] = __any(i % 4 != 1);
  }
}

__global__ void divergent_shuffle(int* out) {
  const int i = threadIdx.x;
  int r = -1;
  if (i % 2 == 0)
    r = __shfl(i * 10, i ^ 2); // the source is active too
  else
    r = __shfl_xor(i * 100, 4);
  out[i] = r;
}

__global__ void sync_forms(int* out, unsigned long long* ballots) {
  const int i = threadIdx.x;
  const unsigned long long all = __activemask();
  out[i * 4 + 0] = __shfl_sync(all, i, 3);
  out[i * 4 + 1] = __shfl_up_sync(all, i, 1);
  out[i * 4 + 2] = __shfl_down_sync(all, i, 1);
  out[i * 4 + 3] = __shfl_xor_sync(all, i, 1);
  ballots[i] = __ballot_sync(all, i & 1);
  __syncwarp();
}

// Every lane broadcasts in turn; the source lane is the same for all but known only at run time.
__global__ void rotating_broadcast(int* out, int waves_lanes) {
  int sum = 0;
  for (int source = 0; source < waves_lanes; ++source) sum = sum * 3 + __shfl(static_cast<int>(threadIdx.x), source);
  out[threadIdx.x] = sum;
}

__global__ void hardware_moves(int* out) {
#if defined(__AMDGCN__)
  const int i = threadIdx.x;
  out[i * 6 + 0] = __builtin_amdgcn_readfirstlane(i + 7);
  out[i * 6 + 1] = __builtin_amdgcn_readlane(i, 11);
  out[i * 6 + 2] = __builtin_amdgcn_ds_bpermute((63 - i) * 4, i * 2);
  out[i * 6 + 3] = __builtin_amdgcn_ds_permute(((i + 1) & 63) * 4, i);
  out[i * 6 + 4] = __builtin_amdgcn_update_dpp(-1, i, 0x111, 0xf, 0xf, false); // row_shr:1
  out[i * 6 + 5] = __builtin_amdgcn_mov_dpp(i, 0xb1, 0xf, 0xf, true);          // quad_perm:[1,0,3,2]
#else
  (void)out; // the test leaves other devices out
#endif
}

} // namespace

E2E_CASE(shuffle_int) { check_shuffles<int>(); }
E2E_CASE(shuffle_unsigned) { check_shuffles<unsigned>(); }
E2E_CASE(shuffle_float) { check_shuffles<float>(); }
E2E_CASE(shuffle_long_long) { check_shuffles<long long>(); }
E2E_CASE(shuffle_double) { check_shuffles<double>(); }

E2E_CASE(votes) {
  const int wave = lanes();
  const int count = wave * 2 + wave / 2; // the last wave is half full
  e2e::Device<unsigned long long> ballots(count * 4);
  e2e::Device<int> votes(count * 6);
  vote_kernel<<<1, count>>>(ballots, votes);
  RUN_OK();
  const auto b = ballots.download();
  const auto v = votes.download();
  for (int i = 0; i < count; ++i) {
    const int base = i / wave * wave, end = std::min(count, base + wave);
    unsigned long long threes = 0, active = 0, part = 0;
    for (int k = base; k < end; ++k) {
      threes |= (k % 3 == 0 ? 1ull : 0) << (k - base);
      active |= 1ull << (k - base);
      part |= (k % 8 == 1 ? 1ull : 0) << (k - base);
    }
    CHECK_AT(i, b[i * 4 + 0], threes);
    CHECK_AT(i, b[i * 4 + 1], active);
    CHECK_AT(i, b[i * 4 + 2], static_cast<unsigned long long>(i - base));
    CHECK_AT(i, b[i * 4 + 3], i % 4 == 1 ? part : 0ull);
    CHECK_AT(i, v[i * 6 + 0], base == 0);
    CHECK_AT(i, v[i * 6 + 1], 1);
    CHECK_AT(i, v[i * 6 + 2], base != 0);
    CHECK_AT(i, v[i * 6 + 3], 0);
    CHECK_AT(i, v[i * 6 + 4], i % 4 == 1 ? 1 : -1);
    CHECK_AT(i, v[i * 6 + 5], i % 4 == 1 ? 0 : -1);
  }
}

E2E_CASE(shuffles_of_some_lanes) {
  const int wave = lanes();
  e2e::Device<int> out(wave);
  divergent_shuffle<<<1, wave>>>(out);
  RUN_OK();
  const auto got = out.download();
  for (int i = 0; i < wave; ++i) CHECK_AT(i, got[i], i % 2 == 0 ? (i ^ 2) * 10 : (i ^ 4) * 100);
}

E2E_CASE(functions_with_masks) {
  const int wave = lanes();
  e2e::Device<int> out(wave * 4);
  e2e::Device<unsigned long long> ballots(wave);
  sync_forms<<<1, wave>>>(out, ballots);
  RUN_OK();
  const auto got = out.download();
  const auto b = ballots.download();
  for (int i = 0; i < wave; ++i) {
    CHECK_AT(i, got[i * 4 + 0], 3);
    CHECK_AT(i, got[i * 4 + 1], std::max(i - 1, 0));
    CHECK_AT(i, got[i * 4 + 2], std::min(i + 1, wave - 1));
    CHECK_AT(i, got[i * 4 + 3], i ^ 1);
    CHECK_AT(i, b[i], 0xaaaaaaaaaaaaaaaaull & (~0ull >> (64 - wave)));
  }
}

E2E_CASE(broadcast_from_each_lane) {
  const int wave = lanes();
  e2e::Device<int> out(wave * 3);
  rotating_broadcast<<<1, wave * 3>>>(out, wave);
  RUN_OK();
  const auto got = out.download();
  for (int i = 0; i < wave * 3; ++i) {
    unsigned sum = 0;
    for (int source = 0; source < wave; ++source) sum = sum * 3 + static_cast<unsigned>(i / wave * wave + source);
    CHECK_AT(i, static_cast<unsigned>(got[i]), sum);
  }
}

E2E_CASE(moves_of_the_hardware) {
  hipDeviceProp_t properties{};
  HIP_OK(hipGetDeviceProperties(&properties, 0));
  if (properties.warpSize != 64 || std::strncmp(properties.gcnArchName, "gfx9", 4) != 0) return;
  e2e::Device<int> out(64 * 6);
  hardware_moves<<<1, 64>>>(out);
  RUN_OK();
  const auto got = out.download();
  for (int i = 0; i < 64; ++i) {
    CHECK_AT(i, got[i * 6 + 0], 7);
    CHECK_AT(i, got[i * 6 + 1], 11);
    CHECK_AT(i, got[i * 6 + 2], (63 - i) * 2);
    CHECK_AT(i, got[i * 6 + 3], (i + 63) & 63);
    CHECK_AT(i, got[i * 6 + 4], i % 16 == 0 ? -1 : i - 1);
    CHECK_AT(i, got[i * 6 + 5], i ^ 1);
  }
}
