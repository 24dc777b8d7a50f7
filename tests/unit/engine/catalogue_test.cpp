// Every instruction that LLVM knows on gfx90a, gfx942 and gfx950 has a row in isa/opcodes.def, and is executed or refused with a
// reason.
#include "runtime/engine/catalogue/catalogue.h"
#include "runtime/engine/interpret/program.h"

#include <catch2/catch.hpp>

#include <algorithm>
#include <set>

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
  CHECK_FALSE(catalogue_of("gfx1100", OpTable(*host_levels().front())).ok()); // it knows the encodings of gfx9 alone
}
