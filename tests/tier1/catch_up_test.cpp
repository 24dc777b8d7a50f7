// tests/tier1/catch_up_test.cpp - behind which operations a wave lets the others of its group catch up.
#include "operations.h"

#include "runtime/engine/decode/catch_up.h"

#include <catch2/catch.hpp>
#include <vector>

using namespace hip;
using namespace hip::engine;

namespace {

using Places = std::vector<uint32_t>;

Places places_of(const std::string& processor, const std::string& text) {
  CatchUpSearch search;
  for (const ResolvedInst& inst : tier1_test::operations_of(processor, text)) search.add(inst);
  return search.places();
}

constexpr const char* kRead = "v_mov_b32 v1, 0\ns_barrier\nds_read_b32 v2, v1\n";

} // namespace

TEST_CASE("a word that all lanes read behind a barrier and that a store may change", "[catch-up]") {
  const std::string read = kRead;
  CHECK(places_of("gfx942", read + "ds_write_b32 v3, v4\n") == Places{2});
  CHECK(places_of("gfx942", read + "s_cbranch_scc1 0\nds_write_b64 v3, v[4:5]\n") == Places{2});
  CHECK(places_of("gfx942", read + "ds_read_b32 v5, v1 offset:4\nds_write_b32 v3, v4\n") == Places{3});
  CHECK(places_of("gfx942", "v_mov_b32 v1, s3\ns_barrier\nds_read_b64 v[2:3], v1\nds_write_b32 v3, v4\n") == Places{2});
  CHECK(places_of("gfx942", read + "ds_write_b32 v3, v4\n" + read + "ds_write_b32 v3, v4\n") == Places{2, 6});
  // A loop whose next round stores before its barrier, and one whose next round begins with a barrier.
  CHECK(
      places_of("gfx942",
                "v_mov_b32 v1, 0\nloop:\nds_write_b32 v3, v4\ns_barrier\nds_read_b32 v2, v1\ns_cbranch_scc1 loop\n") ==
      Places{3});
  CHECK(places_of("gfx942", "v_mov_b32 v1, 0\nloop:\ns_barrier\nds_write_b32 v3, v4\ns_barrier\nds_read_b32 v2, "
                            "v1\ns_cbranch_scc1 loop\n")
            .empty());
  CHECK(places_of("gfx1100", "v_mov_b32 v1, 0\ns_barrier\nds_load_b32 v2, v1\nds_store_b32 v3, v4\n") == Places{2});
}

TEST_CASE("words that all lanes read behind a branch, and a store behind another", "[catch-up]") {
  // A pivot that one lane writes over, in a loop as compilers write it.
  CHECK(places_of("gfx942", "loop:\ns_barrier\ns_cbranch_vccz end\nv_mov_b32 v0, s38\nds_read_b64 v[0:1], v0\n"
                            "s_cbranch_vccnz end\nv_mov_b32 v10, s38\nds_write_b64 v10, v[0:1]\ns_barrier\n"
                            "ds_write_b64 v11, v[12:13]\ns_branch loop\nend:\ns_endpgm\n") == Places{5});
  // A loop sums up words, and the next round stores over them before it comes to a barrier.
  CHECK(places_of("gfx942",
                  "round:\nv_mul_f32 v4, v4, v4\nds_write_b32 v3, v4\ns_barrier\ns_cbranch_execz round\nsum:\n"
                  "v_mov_b32 v1, s3\nds_read_b32 v2, v1\ns_add_i32 s3, s3, 4\ns_cbranch_scc1 sum\n"
                  "s_cbranch_vccz round\ns_endpgm\n") == Places{0});
  // Of several stores the first one is enough.
  CHECK(places_of("gfx942",
                  "s_barrier\ns_cbranch_scc1 0\nv_mov_b32 v1, 0\nds_read_b32 v2, v1\ns_cbranch_scc1 0\ns_nop 0\n"
                  "ds_write_b32 v3, v4\nds_write_b32 v5, v4\n") == Places{5});
  CHECK(
      places_of("gfx942", "v_mov_b32 v1, 0\ns_barrier\ns_cbranch_scc1 0\nds_read_b32 v2, v1\nds_write_b32 v3, v4\n") ==
      Places{3});
  // Nothing to stop behind on the way to the store.
  CHECK(places_of("gfx942", "s_barrier\ns_cbranch_scc1 0\nv_mov_b32 v1, 0\nds_read_b32 v2, v1\ns_cbranch_scc1 0\n"
                            "ds_write_b32 v3, v4\n")
            .empty());
  // In a loop without a barrier a wave would stop in each round.
  CHECK(places_of("gfx942", "s_barrier\ns_cbranch_scc1 0\nloop:\nv_mov_b32 v1, s3\nds_read_b32 v2, v1\ns_nop 0\n"
                            "ds_write_b32 v3, v2\ns_cbranch_scc1 loop\ns_endpgm\n")
            .empty());
  // A barrier on every way, or no barrier before the read.
  CHECK(places_of("gfx942", "s_barrier\ns_cbranch_scc1 other\nv_mov_b32 v1, 0\nds_read_b32 v2, v1\ns_barrier\nother:\n"
                            "s_nop 0\nds_write_b32 v3, v4\n")
            .empty());
  CHECK(places_of("gfx942", "v_mov_b32 v1, 0\nds_read_b32 v2, v1\ns_cbranch_scc1 0\ns_nop 0\nds_write_b32 v3, v4\n")
            .empty());
}

TEST_CASE("what is ordered by barriers or read by each lane for itself needs no stop", "[catch-up]") {
  const std::string read = kRead;
  CHECK(places_of("gfx942", read).empty());
  CHECK(places_of("gfx942", read + "s_barrier\nds_write_b32 v3, v4\n").empty());
  CHECK(places_of("gfx942", "v_mov_b32 v1, 0\nds_read_b32 v2, v1\nds_write_b32 v3, v4\n").empty());
  CHECK(places_of("gfx942", "v_mov_b32 v1, v7\ns_barrier\nds_read_b32 v2, v1\nds_write_b32 v3, v4\n").empty());
  CHECK(
      places_of("gfx942", "v_mov_b32 v1, 0\nv_add_u32 v1, v1, v7\ns_barrier\nds_read_b32 v2, v1\nds_write_b32 v3, v4\n")
          .empty());
  CHECK(places_of("gfx942", "v_mov_b32 v1, 0\ns_barrier\ns_set_gpr_idx_on s0, gpr_idx(SRC0)\nds_read_b32 v2, v1\n"
                            "s_set_gpr_idx_off\nds_write_b32 v3, v4\n")
            .empty());
}
