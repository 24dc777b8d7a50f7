// Numbers with a pattern (compile/analysis/patterns.h): which registers the translator knows to be lane 0 of their strip plus what all
// strips have in common. Results do not depend on it, so only this sees when it is lost.
#include "read_code.h"

#include "runtime/engine/compile/analysis/facts.h"

#include <string>

using namespace tier1_test;
using compile::Fact;

namespace {

// Of a kernel with work-groups of 256: v0 is the item's id, s9 the same in all lanes. The fact of v`number` at the end.
Fact fact_behind(const Assembler& assembler, const std::string& text, uint32_t number) {
  return with_code(assembler, text + "s_branch .Lend\n.Lend:\n", [&](compile::Code& code, const compile::Library&) {
    compile::Start start;
    start.item_ids = 0x3ff;
    start.items = {256, 1, 1};
    const compile::Facts facts(code, start);
    const uint32_t last = uint32_t(code.nodes.size() - 1);
    REQUIRE(facts.at({last, compile::Version::Full}).reached);
    return facts.at({last, compile::Version::Full}).v[number];
  });
}

} // namespace

TEST_CASE("The id's bits below a number that only running code knows have a pattern") {
  const Assembler assembler("gfx942");
  const Fact other = fact_behind(assembler, "v_and_b32 v1, s9, v0\n", 1);
  CHECK(other.has_pattern());
  CHECK((other.mixed() & ~15u) == 0); // within a strip ids differ in four bits
  SECTION("also when the result takes the operand's place") {
    const Fact same = fact_behind(assembler, "v_and_b32 v0, s9, v0\n", 0);
    CHECK(same.has_pattern());
    CHECK(same.mixed() == other.mixed());
  }
  SECTION("but not where two such numbers may carry") {
    CHECK(fact_behind(assembler, "v_mul_lo_u32 v0, v0, v0\n", 0).pattern() == 0);
  }
}

TEST_CASE("A widened index with a pattern makes an address with one, whichever registers it goes through") {
  const Assembler assembler("gfx942");
  const std::string index = "v_mov_b32 v7, 0\nv_lshlrev_b32 v1, 1, v0\n";
  const std::string address = "v_lshl_add_u64 v[2:3], v[6:7], 2, s[4:5]\n";
  for (const char* bits : {"v_and_b32 v8, s9, v0\nv_sub_u32 v6, v1, v8\n", "v_and_b32 v0, s9, v0\nv_sub_u32 v6, v1, v0\n",
                           "v_and_b32 v6, s9, v0\nv_sub_u32 v6, v1, v6\n"}) {
    INFO(bits);
    const Fact low = fact_behind(assembler, index + bits + address, 2);
    CHECK(low.has_pattern());
    CHECK(low.is_wide_pattern());
  }
  // Shifted by one instruction, added by two: an offset first, the base then.
  const std::string shifted = index + "v_and_b32 v6, s9, v0\nv_lshlrev_b64 v[2:3], 2, v[6:7]\n";
  const std::string sum = "v_add_co_u32 v4, vcc, s4, v2\nv_addc_co_u32 v5, vcc, v9, v3, vcc\n",
                    high = "v_mov_b32 v9, s5\n";
  CHECK(fact_behind(assembler, shifted, 2).is_wide_pattern());
  CHECK(fact_behind(assembler, shifted + high + sum, 4).is_wide_pattern());
  CHECK(fact_behind(assembler, shifted + high + sum, 4).pattern() == fact_behind(assembler, shifted, 2).pattern());
  SECTION("of two instructions, with the sum in an operand's place") {
    CHECK(fact_behind(assembler,
                      shifted + high + sum + "v_add_co_u32 v4, vcc, 16, v4\nv_addc_co_u32 v5, vcc, 0, v5, vcc\n", 4)
              .is_wide_pattern());
  }
  SECTION("but not without the carries, with another upper half, or with an operand that differs from lane to lane") {
    CHECK_FALSE(
        fact_behind(assembler,
                    shifted + high +
                        "v_add_co_u32 v4, vcc, s4, v2\nv_cmp_eq_u32 vcc, v0, v1\nv_addc_co_u32 v5, vcc, v9, v3, vcc\n",
                    4)
            .is_wide_pattern());
    CHECK_FALSE(
        fact_behind(assembler, shifted + high + "v_add_co_u32 v4, vcc, s4, v2\nv_addc_co_u32 v5, vcc, v9, v7, vcc\n", 4)
            .is_wide_pattern());
    CHECK_FALSE(fact_behind(assembler,
                            shifted + high +
                                "v_add_co_u32 v4, vcc, s4, v2\nv_mov_b32 v3, v8\nv_addc_co_u32 v5, vcc, v9, v3, vcc\n",
                            4)
                    .is_wide_pattern());
    CHECK_FALSE(
        fact_behind(assembler, shifted + "v_add_co_u32 v4, vcc, s4, v2\nv_addc_co_u32 v5, vcc, v0, v3, vcc\n", 4)
            .is_wide_pattern());
    CHECK_FALSE(
        fact_behind(assembler, shifted + high + "v_add_co_u32 v4, vcc, s4, v2\nv_addc_co_u32 v6, vcc, v9, v3, vcc\n", 4)
            .is_wide_pattern());
  }
  // An index in its address's place.
  const Fact low = fact_behind(assembler, index + "v_and_b32 v6, s9, v0\nv_lshl_add_u64 v[6:7], v[6:7], 2, s[4:5]\n", 6);
  CHECK(low.is_wide_pattern());
}
