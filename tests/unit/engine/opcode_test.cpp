// Unit tests of isa/opcodes.def: the table is consistent, and names lead to rows.
#include "runtime/engine/isa/opcode.h"

#include <catch2/catch.hpp>
#include <map>
#include <sstream>
#include <string>

using namespace hip::engine;

TEST_CASE("every spelling leads to one row", "[opcode]") {
  std::map<std::string, size_t> seen;
  for (size_t k = 1; k < kOpcodeCount; ++k) {
    const OpcodeRow& row = kOpcodeRows[k];
    INFO(row.name);
    REQUIRE(seen.emplace(row.name, k).second);
    CHECK(find_opcode(row.name) == Opcode(k));
    std::istringstream aliases{std::string(row.aliases)};
    for (std::string alias; aliases >> alias;) {
      INFO(alias);
      REQUIRE(seen.emplace(alias, k).second);
      CHECK(find_opcode(alias) == Opcode(k));
    }
  }
  CHECK(find_opcode("") == Opcode::unknown);
  CHECK(find_opcode("v_no_such_instruction") == Opcode::unknown);
}

TEST_CASE("one operation has one opcode however a generation spells it", "[opcode]") {
  CHECK(find_opcode("v_add_nc_u32") == Opcode::v_add_u32);
  CHECK(find_opcode("v_add_co_ci_u32") == Opcode::v_addc_co_u32);
  CHECK(find_opcode("ds_load_b32") == Opcode::ds_read_b32);
  CHECK(find_opcode("ds_store_2addr_stride64_b64") == Opcode::ds_write2st64_b64);
  CHECK(find_opcode("global_load_b128") == Opcode::global_load_dwordx4);
  CHECK(find_opcode("s_and_not1_saveexec_b64") == Opcode::s_andn2_saveexec_b64);
  CHECK(find_opcode("v_mfma_f32_32x32x2f32") == Opcode::v_mfma_f32_32x32x2_f32);
  // Not where a signalling NaN makes a difference.
  CHECK(find_opcode("v_max_num_f32") != Opcode::v_max_f32);
  // The operands of these two lie the other way round.
  CHECK(find_opcode("ds_cmpstore_b32") != Opcode::ds_cmpst_b32);
}

TEST_CASE("columns that name opcodes name rows of the same unit", "[opcode]") {
  for (size_t k = 1; k < kOpcodeCount; ++k) {
    const OpcodeRow& row = kOpcodeRows[k];
    INFO(row.name);
    CHECK(row.unit != Unit::Unknown);
    for (Opcode other : {row.body, row.saturating, row.without_ieee, row.element, row.ocp, row.to_lds, row.signed_bodies[0], row.signed_bodies[1], row.signed_bodies[2]})
      if (other != Opcode::unknown) {
        CHECK(row_of(other).unit == row.unit);
        CHECK(other != Opcode(k));
      }
    CHECK((row.memory.elements == 2) == (row.element != Opcode::unknown));
    CHECK((row.condition != BranchCondition::None) == (row.unit == Unit::ConditionalBranch));
    CHECK((row.compare.relation == Relation::None || row.unit == Unit::VectorAlu));
    for (const Step& step : row.steps) {
      CHECK(step.a >= kExec);
      CHECK((step.a != kPrevious || &step != row.steps.begin())); // nothing is before the first step
      CHECK((step.b != kPrevious || &step != row.steps.begin()));
    }
  }
}

TEST_CASE("rows say what memory instructions move", "[opcode]") {
  CHECK(row_of(Opcode::global_load_dwordx3).memory.bytes == 12);
  CHECK(row_of(Opcode::global_load_dwordx3).memory.dwords() == 3);
  CHECK(row_of(Opcode::flat_load_short_d16_hi).memory.extend == Extend::High16);
  CHECK(row_of(Opcode::flat_load_short_d16_hi).memory.merges());
  CHECK_FALSE(row_of(Opcode::ds_read_i8).memory.merges());
  CHECK(row_of(Opcode::scratch_store_byte_d16_hi).memory.from_high_half);
  CHECK(row_of(Opcode::ds_read2st64_b64).memory.unit_bytes == 512);
  CHECK(row_of(Opcode::ds_read2st64_b64).memory.elements == 2);
  CHECK(row_of(Opcode::ds_add_rtn_u64).memory.returns);
  CHECK(row_of(Opcode::global_atomic_umax_x2).memory.atomic == AtomicOp::MaxUnsigned);
  CHECK(row_of(Opcode::s_load_dwordx16).memory.bytes == 64);
}
