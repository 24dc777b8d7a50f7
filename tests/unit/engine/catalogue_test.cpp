// Every instruction that LLVM knows on gfx90a, gfx942 and gfx950 has a row in isa/opcodes.def, and is executed or
// refused with a reason; of RDNA processors' the gaps are known.
#include "runtime/engine/catalogue/catalogue.h"
#include "runtime/engine/interpret/program.h"

#include <catch2/catch.hpp>

#include <algorithm>
#include <functional>
#include <set>
#include <string>

using namespace hip::engine;

namespace {

std::vector<CatalogueEntry> catalogue(const char* target) {
  const OpTable table(*host_levels().front());
  auto found = catalogue_of(target, table);
  REQUIRE(found.ok());
  return std::move(found).value();
}

} // namespace

TEST_CASE("every instruction that LLVM knows on a CDNA processor has a row") {
  for (const char* target : {"gfx90a", "gfx942", "gfx950"})
    for (const CatalogueEntry& entry : catalogue(target)) {
      INFO(target << ": " << entry.sample);
      CHECK(entry.opcode != Opcode::unknown);
    }
}

TEST_CASE("every instruction of CDNA processors is executed, or refused with a reason") {
  for (const char* target : {"gfx90a", "gfx942", "gfx950"})
    for (const CatalogueEntry& entry : catalogue(target)) {
      INFO(target << ": " << entry.sample << ": " << entry.reason);
      CHECK(entry.support != Support::Missing);
      CHECK((entry.support == Support::Executed) == entry.reason.empty());
    }
}

TEST_CASE("every instruction that LLVM knows on an RDNA processor has a row, and its arithmetic is executed") {
  // Registers chosen by M0, barriers with names, graphics, and modes of the sequencer.
  const std::set<std::string, std::less<>> gaps = {
      "s_alloc_vgpr",     "s_barrier_init",           "s_barrier_join",       "s_barrier_leave",
      "s_barrier_signal", "s_barrier_signal_isfirst", "s_barrier_wait",       "s_get_barrier_state",
      "s_sleep_var",      "s_subvector_loop_begin",   "s_subvector_loop_end", "v_movreld_b32",
      "v_movrels_b32",    "v_movrelsd_2_b32",         "v_movrelsd_b32",       "v_swaprel_b32"};
  const std::set<Format> arithmetic = {Format::Sop1, Format::Sop2, Format::Sopc, Format::Sopk, Format::Sopp,
                                       Format::Vop1, Format::Vop2, Format::Vopc, Format::Vop3, Format::Vop3p};
  for (const char* target : {"gfx1010", "gfx1012", "gfx1030", "gfx1100", "gfx1151", "gfx1201"})
    for (const CatalogueEntry& entry : catalogue(target)) {
      INFO(target << ": " << entry.sample << ": " << entry.reason);
      CHECK(entry.opcode != Opcode::unknown);
      if (entry.support != Support::Missing) continue;
      CHECK(!entry.reason.empty());
      CHECK((!arithmetic.contains(entry.format) || gaps.contains(entry.mnemonic)));
    }
}

TEST_CASE("the catalogue finds instructions of every encoding") {
  const std::vector<CatalogueEntry> all = catalogue("gfx950");
  std::set<Format> formats;
  for (const CatalogueEntry& entry : all) formats.insert(entry.format);
  for (Format format : {Format::Sop1, Format::Sop2, Format::Sopc, Format::Sopk, Format::Sopp, Format::Smem, Format::Vop1, Format::Vop2,
                        Format::Vopc, Format::Vop3, Format::Vop3p, Format::Mai, Format::Ds, Format::Flat, Format::Global, Format::Scratch,
                        Format::Mubuf, Format::Mtbuf}) {
    INFO(format_name(format));
    CHECK(formats.contains(format));
  }
  const auto has = [&](std::string_view mnemonic, Variant variant) {
    return std::ranges::any_of(all, [&](const CatalogueEntry& e) { return e.mnemonic == mnemonic && e.variant == variant; });
  };
  CHECK(has("v_add_f32", Variant::Sdwa));
  CHECK(has("v_add_f32", Variant::Dpp));
  CHECK(has("v_mfma_scale_f32_16x16x128_f8f6f4", Variant::Base));
  CHECK(has("v_addc_co_u32", Variant::E64));
  CHECK_FALSE(has("v_dual_add_f32", Variant::Base));
  CHECK_FALSE(catalogue_of("gfx803", OpTable(*host_levels().front())).ok()); // it knows the encodings of gfx9 and later
}
