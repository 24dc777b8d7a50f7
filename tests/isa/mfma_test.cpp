// Matrix instructions: the layouts of A, B and D, spelled out per shape after AMD's CDNA3 manual (section "Matrix
// arithmetic"), on small integers that every element type holds exactly.
#include "code.h"

#include <bit>
#include <random>

using namespace isa_test;

namespace {

enum class Elem { F32, F64, F16, Bf16, I8 };
struct Shape {
  const char* name;
  Elem elem;
  uint32_t m, k, blocks;
};
constexpr Shape kShapes[] = {
    {"v_mfma_f32_32x32x1_2b_f32", Elem::F32, 32, 1, 2},   {"v_mfma_f32_16x16x1_4b_f32", Elem::F32, 16, 1, 4},
    {"v_mfma_f32_4x4x1_16b_f32", Elem::F32, 4, 1, 16},    {"v_mfma_f32_32x32x2_f32", Elem::F32, 32, 2, 1},
    {"v_mfma_f32_16x16x4_f32", Elem::F32, 16, 4, 1},      {"v_mfma_f32_32x32x4_2b_f16", Elem::F16, 32, 4, 2},
    {"v_mfma_f32_16x16x4_4b_f16", Elem::F16, 16, 4, 4},   {"v_mfma_f32_4x4x4_16b_f16", Elem::F16, 4, 4, 16},
    {"v_mfma_f32_32x32x8_f16", Elem::F16, 32, 8, 1},      {"v_mfma_f32_16x16x16_f16", Elem::F16, 16, 16, 1},
    {"v_mfma_f32_32x32x4_2b_bf16", Elem::Bf16, 32, 4, 2}, {"v_mfma_f32_16x16x4_4b_bf16", Elem::Bf16, 16, 4, 4},
    {"v_mfma_f32_4x4x4_16b_bf16", Elem::Bf16, 4, 4, 16},  {"v_mfma_f32_32x32x8_bf16", Elem::Bf16, 32, 8, 1},
    {"v_mfma_f32_16x16x16_bf16", Elem::Bf16, 16, 16, 1},  {"v_mfma_i32_32x32x4_2b_i8", Elem::I8, 32, 4, 2},
    {"v_mfma_i32_16x16x4_4b_i8", Elem::I8, 16, 4, 4},     {"v_mfma_i32_4x4x4_16b_i8", Elem::I8, 4, 4, 16},
    {"v_mfma_i32_32x32x16_i8", Elem::I8, 32, 16, 1},      {"v_mfma_i32_16x16x32_i8", Elem::I8, 16, 32, 1},
    {"v_mfma_f64_16x16x4_f64", Elem::F64, 16, 4, 1},      {"v_mfma_f64_4x4x4_4b_f64", Elem::F64, 4, 4, 4},
};

uint32_t elem_bits(Elem e) { return e == Elem::F64 ? 64 : e == Elem::F32 ? 32 : e == Elem::I8 ? 8 : 16; }
uint64_t encode(Elem e, int v) {
  switch (e) {
  case Elem::F32: return std::bit_cast<uint32_t>(float(v));
  case Elem::F64: return std::bit_cast<uint64_t>(double(v));
  case Elem::F16: return std::bit_cast<uint16_t>(static_cast<_Float16>(v));
  case Elem::Bf16: return std::bit_cast<uint32_t>(float(v)) >> 16;
  case Elem::I8: return uint8_t(v);
  }
  return 0;
}
uint64_t encode_sum(Elem e, int v) {
  return e == Elem::I8 ? uint32_t(v) : e == Elem::F64 ? encode(e, v) : std::bit_cast<uint32_t>(float(v));
}
uint32_t registers(uint32_t bits) { return (bits + 31) / 32; }
std::string span(uint32_t first, uint32_t count) {
  return count == 1 ? "v" + std::to_string(first) : "v[" + std::to_string(first) + ":" + std::to_string(first + count - 1) + "]";
}

// Lane and element of A[block][row][k]; B[block][k][column] lies the same way with its column for the row.
void place_ab(const Shape& s, uint32_t block, uint32_t row, uint32_t k, uint32_t& lane, uint32_t& e) {
  const uint32_t per_lane = s.m * s.k * s.blocks / 64;
  if (s.elem == Elem::F64 && s.m == 4)
    lane = row + 4 * block + 16 * k, e = 0;
  else if (s.blocks > 1)
    lane = row + s.m * block, e = k;
  else
    lane = row + s.m * (k / per_lane), e = k % per_lane;
}
// Block, row and column of result `reg` (a pair for f64) of a lane.
void place_d(const Shape& s, uint32_t lane, uint32_t reg, uint32_t& block, uint32_t& row, uint32_t& column) {
  column = lane % s.m;
  if (s.elem == Elem::F64 && s.m == 16)
    block = 0, row = 4 * reg + lane / 16;
  else if (s.elem == Elem::F64)
    block = lane / 4 % 4, row = lane / 16;
  else if (s.m == 32)
    block = reg / 16, row = 8 * (reg % 16 / 4) + 4 * (lane / 32) + reg % 4;
  else if (s.m == 16)
    block = reg / 4, row = 4 * (lane / 16) + reg % 4;
  else
    block = lane / 4, row = reg;
}

} // namespace

TEST_CASE("Matrix instructions multiply the matrices that the manual lays out") {
  constexpr uint32_t kA = 0, kB = 4, kC = 8;
  std::vector<Row> rows;
  for (const Shape& s : kShapes) {
    const uint32_t ab = registers(s.m * s.k * s.blocks / 64 * elem_bits(s.elem));
    const uint32_t d = s.m * s.m * s.blocks / 64 * (s.elem == Elem::F64 ? 2 : 1);
    rows.push_back({nullptr, std::string(s.name) + " " + span(kC, d) + ", " + span(kA, ab) + ", " + span(kB, ab) + ", " + span(kC, d)});
  }
  for (const HostLevel* level : host_levels()) {
    Code code(rows, *level);
    for (size_t n = 0; n < std::size(kShapes); ++n) {
      const Shape& s = kShapes[n];
      INFO(level->name << ": " << rows[n].text);
      std::mt19937 random(unsigned(n) + 3);
      auto wave = make_wave(48);
      Wave& w = *wave;
      auto small = [&] { return int(random() % 9) - 4; };
      std::vector<int> a(s.blocks * s.m * s.k), b(a.size()), c(s.blocks * s.m * s.m);
      auto put = [&](uint32_t first, uint32_t lane, uint32_t e, uint64_t v) {
        const uint32_t bit = e * elem_bits(s.elem), row = first + bit / 32;
        w.row(row)[lane] |= uint32_t(v << (bit % 32));
        if (s.elem == Elem::F64) w.row(row + 1)[lane] |= uint32_t(v >> 32);
      };
      uint32_t lane, e;
      for (uint32_t block = 0; block < s.blocks; ++block)
        for (uint32_t i = 0; i < s.m; ++i)
          for (uint32_t k = 0; k < s.k; ++k) {
            place_ab(s, block, i, k, lane, e);
            put(kA, lane, e, encode(s.elem, a[(block * s.m + i) * s.k + k] = small()));
            put(kB, lane, e, encode(s.elem, b[(block * s.m + i) * s.k + k] = small()));
          }
      const uint32_t results = s.m * s.m * s.blocks / 64, width = s.elem == Elem::F64 ? 2 : 1;
      uint32_t block, row, column;
      for (uint32_t reg = 0; reg < results; ++reg)
        for (lane = 0; lane < 64; ++lane) {
          place_d(s, lane, reg, block, row, column);
          const uint64_t v = encode_sum(s.elem, c[(block * s.m + row) * s.m + column] = small());
          w.row(kC + reg * width)[lane] = uint32_t(v);
          if (width == 2) w.row(kC + reg * 2 + 1)[lane] = uint32_t(v >> 32);
        }
      w.set_sgpr64(kExecLo, n % 2 ? ~0ull : 0x5); // EXEC does not matter
      start(w, code.entry(n));
      level->run(w);
      REQUIRE(w.stop == Stop::Ended);
      for (uint32_t reg = 0; reg < results; ++reg)
        for (lane = 0; lane < 64; ++lane) {
          place_d(s, lane, reg, block, row, column);
          int sum = c[(block * s.m + row) * s.m + column];
          for (uint32_t k = 0; k < s.k; ++k)
            sum += a[(block * s.m + row) * s.k + k] * b[(block * s.m + column) * s.k + k];
          uint64_t got = w.row(kC + reg * width)[lane];
          if (width == 2) got |= uint64_t(w.row(kC + reg * 2 + 1)[lane]) << 32;
          if (got != encode_sum(s.elem, sum)) {
            INFO("lane " << lane << ", result " << reg);
            REQUIRE(got == encode_sum(s.elem, sum));
          }
        }
    }
  }
}
