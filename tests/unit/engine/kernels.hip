// Kernels for the engine's unit tests, compiled without any SDK: only clang's builtins.
#define KERNEL extern "C" __attribute__((global))
#define DEVICE __attribute__((device))
typedef unsigned u32;
typedef unsigned long u64;
typedef float float4 __attribute__((ext_vector_type(4)));
#define TID __builtin_amdgcn_workitem_id_x()
#define TIDY __builtin_amdgcn_workitem_id_y()
#define GID __builtin_amdgcn_workgroup_id_x()
#define GIDY __builtin_amdgcn_workgroup_id_y()
#define BARRIER() __builtin_amdgcn_fence(__ATOMIC_RELEASE, "workgroup"), __builtin_amdgcn_s_barrier(), __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "workgroup")
#define SHARED __attribute__((shared))

KERNEL void vector_add(const float* a, const float* b, float* c, u32 n) {
  u32 i = GID * 256 + TID;
  if (i < n) c[i] = a[i] + b[i];
}
KERNEL void saxpy(float a, const float* x, float* y, u32 n) {
  u32 i = GID * 256 + TID;
  if (i < n) y[i] = a * x[i] + y[i];
}
KERNEL void copy4(const float4* a, float4* b, u32 n) {
  u32 i = GID * 256 + TID;
  if (i < n) b[i] = a[i];
}
KERNEL void matmul(const float* a, const float* b, float* c, u32 n) {
  SHARED static float as[16][16], bs[16][16];
  u32 x = TID, y = TIDY, col = GID * 16 + x, row = GIDY * 16 + y;
  float sum = 0;
  for (u32 t = 0; t < n; t += 16) {
    as[y][x] = a[row * n + t + x];
    bs[y][x] = b[(t + y) * n + col];
    BARRIER();
    for (u32 k = 0; k < 16; ++k) sum += as[y][k] * bs[k][x];
    BARRIER();
  }
  c[row * n + col] = sum;
}
// Each group reverses its 256 values through LDS.
KERNEL void reverse(const u32* in, u32* out) {
  SHARED static u32 tile[256];
  tile[TID] = in[GID * 256 + TID];
  BARRIER();
  out[GID * 256 + TID] = tile[255 - TID];
}
// Bytes, shorts, 64-bit and 3-dword elements, indexed through a table so that no address is consecutive.
struct Mixed { unsigned char b; signed char sb; unsigned short s; short ss; u64 q; u32 t[3]; };
KERNEL void gather_mixed(const Mixed* in, const u32* index, Mixed* out, u32 n) {
  u32 i = GID * 256 + TID;
  if (i >= n) return;
  Mixed m = in[index[i]];
  m.ss = m.ss + m.sb;
  m.s = m.s + m.b;
  m.q = m.q * 3 + m.t[2];
  out[i] = m;
}
// A private array that stays in memory, and a generic pointer to it.
DEVICE __attribute__((noinline)) void fill(u32* p, u32 n, u32 seed) {
  for (u32 k = 0; k < n; ++k) p[k] = seed * (k + 1);
}
KERNEL void private_array(u32* out, const u32* pick) {
  u32 a[40];
  fill(a, 40, TID + 1);
  out[GID * 256 + TID] = a[pick[TID] % 40];
}
// Generic pointers into LDS and global memory in one wave.
DEVICE __attribute__((noinline)) u32 read_generic(volatile u32* p) { return *p; }
KERNEL void generic_mix(u32* global, u32* out) {
  SHARED static u32 tile[256];
  tile[TID] = TID * 7;
  BARRIER();
  u32* p = (TID & 1) ? (u32*)&tile[TID ^ 3] : &global[TID];
  out[TID] = read_generic(p);
}
KERNEL void fault_read(const u32* p, u32* out, u64 stride) { out[TID] = *(const u32*)((const char*)p + TID * stride); }
KERNEL void fault_write(u32* p) { p[TID] = 1; }
KERNEL void undecodable() { asm volatile(".long 0xffffffff"); }
KERNEL void trap() { __builtin_trap(); }
// Has no instruction of its own, so that the next kernel begins where it does.
KERNEL void without_end(u32* out, u32 index) { __builtin_unreachable(); }
// Far outside of an array in private memory.
KERNEL void private_far(u32* out, u32 index) {
  volatile u32 a[16];
  a[index] = TID;
  out[TID] = a[index & 15];
}
// Wave 1 waits for a flag that wave 0 sets after it has waited for wave 1's.
KERNEL void spin_waves(u32* flags) {
  u32 wave = TID / 64;
  if (wave == 0) {
    while (__atomic_load_n(&flags[1], __ATOMIC_ACQUIRE) == 0) {}
    __atomic_store_n(&flags[0], 1, __ATOMIC_RELEASE);
  } else {
    __atomic_store_n(&flags[1], 1, __ATOMIC_RELEASE);
    while (__atomic_load_n(&flags[0], __ATOMIC_ACQUIRE) == 0) {}
  }
}
// --- fault_test.cpp: kernels that never end
KERNEL void endless(u32* out) {
  for (u32 x = TID;; x = x * 5 + 3) {
    asm volatile("" : "+v"(x));
    if (x == 0xffffffff && out == 0) out[0] = x;
  }
}
// Lane 5 of each wave alone.
KERNEL void endless_lane(u32* out) {
  if (TID % 64 == 5)
    for (;;) asm volatile("");
  out[TID] = 1;
}
KERNEL void endless_barriers(u32* out) {
  SHARED static u32 tile[256];
  for (u32 n = 0;; ++n) {
    tile[TID] = n;
    BARRIER();
    if (tile[TID ^ 64] != n) out[TID] = n;
    BARRIER();
  }
}
// Wave 0 waits for memory that nobody writes, the others at a barrier.
KERNEL void endless_wait(u32* flag) {
  if (TID < 64)
    while (__atomic_load_n(flag, __ATOMIC_ACQUIRE) == 0) {}
  BARRIER();
  flag[TID] = 1;
}
KERNEL void endless_sleep(u32* flag) {
  while (__atomic_load_n(flag, __ATOMIC_ACQUIRE) == 0) __builtin_amdgcn_s_sleep(1);
}
// --- misaligned atomics, `by` bytes behind lane 3's and lane 40's element
KERNEL void misaligned_global(char* p, u64 by) {
  u64 at = TID * 8 + (TID == 3 || TID == 40 ? by : 0);
  __atomic_fetch_add((u32*)(p + at), 1, __ATOMIC_RELAXED);
}
KERNEL void misaligned_wide(char* p, u64 by) {
  u64 at = TID * 8 + (TID == 3 || TID == 40 ? by : 0);
  __atomic_fetch_max((u64*)(p + at), (u64)TID << 33, __ATOMIC_RELAXED);
}
KERNEL void misaligned_one(char* p, u64 by) {
  if (TID == 3) __atomic_fetch_add((u32*)(p + by), 1, __ATOMIC_RELAXED);
}
KERNEL void misaligned_swap(char* p, u64 by) {
  u32 expected = 0;
  u64 at = TID * 8 + (TID == 3 ? by : 0);
  __atomic_compare_exchange_n((u32*)(p + at), &expected, TID, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
}
KERNEL void misaligned_lds(u32* out, u64 by) {
  SHARED static u64 slots[64];
  slots[TID] = 0;
  BARRIER();
  char* p = (char*)slots + TID * 8 + (TID == 3 || TID == 40 ? by : 0);
  __scoped_atomic_fetch_add((u32*)p, TID + 1, __ATOMIC_RELAXED, __MEMORY_SCOPE_WRKGRP);
  BARRIER();
  out[TID] = slots[TID];
}
KERNEL void misaligned_lds_wide(u32* out, u64 by) {
  SHARED static u64 slots[64];
  slots[TID] = 0;
  BARRIER();
  char* p = (char*)slots + TID * 8 + (TID == 3 || TID == 40 ? by : 0);
  __scoped_atomic_fetch_add((u64*)p, TID + 1, __ATOMIC_RELAXED, __MEMORY_SCOPE_WRKGRP);
  BARRIER();
  out[TID] = slots[TID];
}
// Any element of LDS, by its number.
KERNEL void lds_anywhere(u32* out, u32 index) {
  SHARED static volatile u32 tile[64];
  tile[TID] = TID + 1;
  BARRIER();
  tile[index + TID] = 7;
  BARRIER();
  out[TID] = tile[index + TID] + tile[TID] * 100;
}
// --- control that goes astray
DEVICE __attribute__((noinline)) u32 recurse(u32 depth, volatile u32* frame_before) {
  volatile u32 frame[64];
  frame[depth % 64] = depth + frame_before[depth % 64];
  u32 below = depth == 0 ? 0 : recurse(depth - 1, frame);
  return below + frame[(depth + below) % 64];
}
KERNEL void recursion(u32* out, u32 depth) { out[TID] = recurse(depth, out); }
KERNEL void call_at(void (*f)()) { f(); }
KERNEL void branch_outside() { asm volatile("s_branch 0x7000"); }

// Every group waits until all groups have arrived.
KERNEL void spin_groups(u32* arrived, u32 groups) {
  if (TID == 0) {
    __atomic_fetch_add(arrived, 1, __ATOMIC_ACQ_REL);
    while (__atomic_load_n(arrived, __ATOMIC_ACQUIRE) < groups) __builtin_amdgcn_s_sleep(1);
  }
}
// Each barrier must see what the other waves wrote before it; half the waves leave early.
KERNEL void leave_early(u32* out) {
  SHARED static u32 tile[256];
  tile[TID] = TID;
  BARRIER();
  if (TID >= 128) return;
  u32 v = tile[TID + 128];
  BARRIER();
  tile[TID] = v + 1;
  BARRIER();
  out[TID] = tile[127 - TID];
}
KERNEL void atomics(u32* sum, u32* slots, float* fsum, u64* wide, u32* old) {
  old[GID * 256 + TID] = __atomic_fetch_add(sum, 1, __ATOMIC_RELAXED);
  __atomic_fetch_add(&slots[TID % 7], TID, __ATOMIC_RELAXED);
  __scoped_atomic_fetch_add(fsum, 0.5f, __ATOMIC_RELAXED, __MEMORY_SCOPE_DEVICE);
  __atomic_fetch_max(wide, (u64)TID << 33, __ATOMIC_RELAXED);
  u32 expected = GID * 256 + TID;
  __atomic_compare_exchange_n(&slots[8], &expected, expected + 1, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
}
KERNEL void lds_atomics(u32* out) {
  SHARED static u32 bins[16];
  if (TID < 16) bins[TID] = 0;
  BARRIER();
  __scoped_atomic_fetch_add(&bins[(TID * 5) % 16], 1, __ATOMIC_RELAXED, __MEMORY_SCOPE_WRKGRP);
  BARRIER();
  if (TID < 16) out[GID * 16 + TID] = bins[TID];
}

// --- tier_test.cpp
KERNEL void put_number(u32* out) { out[GID * 64 + TID] = 0x5ca1ab1e; }
