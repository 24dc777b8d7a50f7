// runtime/engine/catalogue/catalogue.cpp - see catalogue.h. Encodings: AMD's CDNA3, RDNA2, RDNA3 and RDNA4 ISA
// documents, chapter "Microcode formats".
#include "runtime/engine/catalogue/catalogue.h"

#include "runtime/engine/decode/decoder.h"
#include "runtime/engine/decode/resolve.h"
#include "runtime/engine/interpret/program.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <iterator>
#include <map>
#include <span>
#include <tuple>

namespace hip::engine {
namespace {

// An encoding: its constant bits, the place of its opcode, and operands for the first word and for what follows. All
// combinations are decoded, so that one of them suits every opcode.
struct Encoding {
  const char* name;
  uint32_t bits, opcode_shift, opcode_bits;
  std::vector<uint32_t> first;                  // the other bits of the first word
  std::vector<std::array<uint32_t, 3>> further; // words behind it
};

// Operands: v4, v8, v12, v16 as sources and v20 as destination; SGPRs likewise.
constexpr uint32_t kVgprSource = 0x104, kSgprSource = 4;
constexpr uint32_t kSdwaSource = 0xf9, kDppSource = 0xfa;
constexpr uint32_t kSdwaWord = 0x06060604, kDppWord = 0xff00e404;
constexpr uint32_t kVop3Vgprs = 0x104 | 0x108u << 9 | 0x10cu << 18, kVop3Sgprs = 4 | 8u << 9 | 12u << 18;
constexpr uint32_t kVop3LaneSelect = 0x104 | 8u << 9, kVop3Mask = 0x104 | 0x108u << 9 | 12u << 18;
constexpr uint32_t kScales = 0x104 | 0x108u << 9;
constexpr uint32_t kAllHighHalves = 3u << 27;

// The same on all processors.
const std::vector<Encoding>& scalar_encodings() {
  static const std::vector<Encoding> all = {
      {"SOP2", 0x80000000, 23, 7, {20u << 16 | 8u << 8 | 4}, {{}}},
      {"SOPK", 0xb0000000, 23, 5, {20u << 16 | 4, 20u << 16 | 0xf801, 1}, {{}}},
      {"SOP1", 0xbe800000, 8, 8, {20u << 16 | 4, 20u << 16 | 0x80}, {{}}},
      {"SOPC", 0xbf000000, 16, 7, {8u << 8 | 4}, {{}}},
      {"SOPP", 0xbf800000, 16, 7, {1, 0}, {{}}},
  };
  return all;
}

const std::vector<Encoding>& gfx9_encodings() {
  static const std::vector<Encoding> all = {
      {"SMEM", 0xc0000000, 18, 8, {20u << 6 | 4 | 1u << 17, 20u << 6 | 4}, {{0x10}, {0}}},
      {"VOP2",
       0x00000000,
       25,
       6,
       {20u << 17 | 8u << 9 | kVgprSource, 20u << 17 | 8u << 9 | kSgprSource, 20u << 17 | 8u << 9 | kSdwaSource,
        20u << 17 | 8u << 9 | kDppSource},
       {{0x12345678}, {kSdwaWord}, {kDppWord}}},
      {"VOP1",
       0x7e000000,
       9,
       8,
       {20u << 17 | kVgprSource, 20u << 17 | kSgprSource, 20u << 17 | kSdwaSource, 20u << 17 | kDppSource},
       {{kSdwaWord}, {kDppWord}}},
      {"VOPC",
       0x7c000000,
       17,
       8,
       {8u << 9 | kVgprSource, 8u << 9 | kSdwaSource, 8u << 9 | kDppSource},
       {{kSdwaWord}, {kDppWord}}},
      {"VOP3", 0xd0000000, 16, 10, {20}, {{kVop3Vgprs}, {kVop3Sgprs}, {kVop3LaneSelect}, {kVop3Mask}, {0x104}}},
      {"VOP3 with a carry", 0xd0000000, 16, 10, {20 | 30u << 8}, {{kVop3Vgprs}, {kVop3Mask}}},
      {"VOP3P", 0xd3800000, 16, 7, {20 | 1u << 14, 20}, {{kVop3Vgprs | kAllHighHalves}, {kVop3Vgprs}}},
      {"scaled VOP3P", 0xd3ac0000, 16, 0, {0}, {{kScales, 0xd3ad0814, kVop3Vgprs}, {kScales, 0xd3ae0814, kVop3Vgprs}}},
      {"DS",
       0xd8000000,
       17,
       8,
       {0, 1u << 16},
       {{0x140c0804}, {0x14000004}, {0x14000000}, {0x00000804}, {0}, {0x14000800}}},
      {"FLAT",
       0xdc000000,
       18,
       7,
       {0, 1u << 15, 1u << 14, 1u << 16, 1u << 16 | 1u << 15, 1u << 13, 1u << 13 | 1u << 15},
       {{0x147f0804},
        {0x14080804},
        {0x007f0804},
        {0x147f0004},
        {0x007f0004},
        {0x14000804},
        {0x14000004},
        {0x00000804}}},
      {"MUBUF",
       0xe0000000,
       18,
       7,
       {0, 1u << 12, 1u << 13, 1u << 14, 1u << 16, 1u << 12 | 1u << 16},
       {{0x80020804}, {0x08020804}, {0}}},
      {"MTBUF", 0xe8000000, 15, 4, {1u << 19 | 4u << 23, 4u << 19 | 7u << 23 | 1u << 12}, {{0x80020804}}},
      {"MIMG", 0xf0000000, 18, 7, {0xf00, 0xf01}, {{0x00020804}}},
      {"EXP", 0xc4000000, 4, 6, {0xf}, {{0x03020100}}},
  };
  return all;
}

// From gfx10 on: DPP in groups of eight lanes and, from gfx11 on, behind VOP3; no SDWA from gfx11 on.
constexpr uint32_t kDpp8Source = 0xe9, kDpp8Word = 0xfac68804;
constexpr uint32_t kVop3Dpp = kDppSource | 0x108u << 9 | 0x10cu << 18,
                   kVop3Dpp8 = kDpp8Source | 0x108u << 9 | 0x10cu << 18;
constexpr uint32_t kVop3MaskDpp = kDppSource | 0x108u << 9 | 12u << 18,
                   kVop3MaskDpp8 = kDpp8Source | 0x108u << 9 | 12u << 18;

// What gfx10, gfx11 and gfx12 have in common; `null` is the number of the null register.
std::vector<Encoding> later_encodings(uint32_t null) {
  const uint32_t no_offset = null << 25, no_saddr = null << 16;
  const std::vector<std::array<uint32_t, 3>> flat = {
      {0x14000804 | no_saddr}, {0x14080804}, {0x00000804 | no_saddr}, {0x14000004 | no_saddr}, {0x00000004 | no_saddr}};
  return {
      {"VOP2",
       0x00000000,
       25,
       6,
       {20u << 17 | 8u << 9 | kVgprSource, 20u << 17 | 8u << 9 | kSgprSource, 20u << 17 | 8u << 9 | kSdwaSource,
        20u << 17 | 8u << 9 | kDppSource, 20u << 17 | 8u << 9 | kDpp8Source},
       {{0x12345678}, {kSdwaWord}, {kDppWord}, {kDpp8Word}}},
      {"VOP1",
       0x7e000000,
       9,
       8,
       {20u << 17 | kVgprSource, 20u << 17 | kSgprSource, 20u << 17 | kSdwaSource, 20u << 17 | kDppSource,
        20u << 17 | kDpp8Source},
       {{kSdwaWord}, {kDppWord}, {kDpp8Word}}},
      {"VOPC",
       0x7c000000,
       17,
       8,
       {8u << 9 | kVgprSource, 8u << 9 | kSdwaSource, 8u << 9 | kDppSource, 8u << 9 | kDpp8Source},
       {{kSdwaWord}, {kDppWord}, {kDpp8Word}}},
      {"VOP3",
       0xd4000000,
       16,
       10,
       {20},
       {{kVop3Vgprs},
        {kVop3Sgprs},
        {kVop3LaneSelect},
        {kVop3Mask},
        {0x104},
        {kVop3Dpp, kDppWord},
        {kVop3Dpp8, kDpp8Word},
        {kVop3MaskDpp, kDppWord},
        {kVop3MaskDpp8, kDpp8Word}}},
      {"VOP3 with a carry", 0xd4000000, 16, 10, {20 | 30u << 8}, {{kVop3Vgprs}, {kVop3Mask}}},
      {"VOP3P",
       0xcc000000,
       16,
       7,
       {20 | 1u << 14, 20},
       {{kVop3Vgprs | kAllHighHalves}, {kVop3Vgprs}, {kVop3Dpp, kDppWord}, {kVop3Dpp8, kDpp8Word}}},
      {"DS",
       0xd8000000,
       18,
       8,
       {0, 1u << 17},
       {{0x140c0804}, {0x14000004}, {0x14000000}, {0x00000804}, {0}, {0x14000800}}},
      {"SMEM", 0xf4000000, 18, 8, {20u << 6 | 4}, {{no_offset | 0x10}, {no_offset}}},
      {"FLAT of gfx10",
       0xdc000000,
       18,
       7,
       {0, 1u << 15, 1u << 14, 1u << 16, 1u << 16 | 1u << 15, 1u << 16 | 1u << 14},
       flat},
      {"FLAT of gfx11",
       0xdc000000,
       18,
       7,
       {0, 1u << 17, 1u << 16, 1u << 14, 1u << 14 | 1u << 17, 1u << 14 | 1u << 16},
       flat},
      {"MUBUF of gfx10",
       0xe0000000,
       18,
       8,
       {0, 1u << 12, 1u << 13, 1u << 14, 1u << 16},
       {{0x80020804}, {0x08020804}, {0}}},
      {"MUBUF of gfx11", 0xe0000000, 18, 8, {0, 1u << 14}, {{0x80020804}, {0x08020804}, {0x80820804}, {0}}},
      {"MTBUF of gfx10", 0xe8000000, 16, 3, {4u << 19, 4u << 19 | 1u << 12}, {{0x80020804}, {0x80220804}}},
      {"MTBUF of gfx11", 0xe8000000, 15, 4, {4u << 19}, {{0x80020804}}},
      {"MIMG", 0xf0000000, 18, 7, {0xf00, 0xf01}, {{0x00020804}}},
      {"MIMG of gfx11", 0xf0000000, 18, 8, {0xf00, 0xf04}, {{0x00020804}}},
      {"LDSDIR", 0xce000000, 20, 2, {20}, {{}}},
      {"VINTERP", 0xcd000000, 16, 7, {20}, {{kVop3Vgprs}}},
      {"EXP", 0xf8000000, 4, 6, {0xf}, {{0x03020100}}},
      {"SMEM of gfx12", 0xf4000000, 13, 6, {20u << 6 | 4}, {{no_offset | 0x10}, {no_offset}}},
      {"FLAT of gfx12", 0xec000000, 14, 8, {null, 8}, {{4u << 23 | 20, 8}, {20, 8}, {4u << 23, 8}, {0, 8}, {0, 0}}},
      {"SCRATCH of gfx12", 0xed000000, 14, 8, {null, 8}, {{4u << 23 | 20, 8}, {4u << 23 | 20 | 1u << 17, 8}, {0, 0}}},
      {"GLOBAL of gfx12", 0xee000000, 14, 8, {null, 8}, {{4u << 23 | 20, 8}, {20, 8}, {4u << 23, 8}, {0, 8}, {0, 0}}},
      {"VBUFFER",
       0xc4000000,
       14,
       8,
       {null},
       {{8u << 9 | 20 | 1u << 23, 8}, {8u << 9 | 20 | 1u << 30 | 1u << 23, 8}, {0, 0}}},
      {"VIMAGE", 0xd0000000, 14, 8, {0xfu << 22, 0xfu << 22 | 1}, {{8u << 9 | 20, 8}}},
      {"VSAMPLE", 0xe4000000, 14, 8, {0xfu << 22, 0xfu << 22 | 1}, {{8u << 9 | 20, 8}}},
  };
}

std::string_view without_suffix(std::string_view word) {
  for (bool again = true; again;) {
    again = false;
    for (std::string_view suffix : {"_e32", "_e64", "_dpp", "_sdwa"})
      if (word.ends_with(suffix)) word.remove_suffix(suffix.size()), again = true;
  }
  return word;
}

// What the engine does with the instruction that `decoder` has just decoded.
std::pair<Support, std::string> support_of(const Decoder& decoder, const RawInst& raw, const OpTable& ops) {
  if (raw.opcode == Opcode::unknown) return {Support::Missing, "the table has no row for it"};
  if (const std::string_view refusal = refusal_of(raw.opcode); !refusal.empty()) return {Support::Refused, std::string(refusal)};
  const ResolvedInst inst = resolve_all(decoder, raw).front();
  if (row_of(inst.opcode).unit == Unit::NoEffect) return {Support::Executed, {}};
  if (raw.format == Format::Other) return {Support::Missing, "its operands are not known"};
  const OpRow* const handler = ops.find(inst.body);
  if (!handler) return {Support::Missing, "it has no body"};
  if (raw.lds && !inst.problem.empty()) return {Support::Refused, inst.problem};
  if (!inst.problem.empty()) return {Support::Missing, inst.problem};
  Inst out{};
  std::string reason = handler->lift(*handler, inst, out);
  return {reason.empty() ? Support::Executed : Support::Missing, std::move(reason)};
}

} // namespace

Result<std::vector<CatalogueEntry>> catalogue_of(std::string_view target, const OpTable& ops) {
  auto created = Decoder::create(target);
  if (!created.ok()) return created.status();
  Decoder& decoder = *created.value();
  const uint32_t generation = decoder.target().processor->version().major;
  if (generation < 9 || generation > 12)
    return error(ErrorCode::InvalidValue, "The catalogue knows the encodings of gfx9 to gfx12, and not those of '{}'.",
                 target);
  std::vector<Encoding> encodings = scalar_encodings();
  std::ranges::copy(generation == 9 ? gfx9_encodings() : later_encodings(decoder.target().isa->null),
                    std::back_inserter(encodings));
  std::map<std::tuple<std::string, Format, Variant, bool>, CatalogueEntry> found;
  for (const Encoding& encoding : encodings)
    for (uint32_t opcode = 0; opcode < 1u << encoding.opcode_bits; ++opcode)
      for (uint32_t first : encoding.first)
        for (const std::array<uint32_t, 3>& further : encoding.further) {
          const uint32_t words[] = {encoding.bits | opcode << encoding.opcode_shift | first, further[0], further[1], further[2]};
          uint8_t bytes[sizeof words];
          std::memcpy(bytes, words, sizeof words);
          RawInst raw;
          decoder.decode(bytes, 0, raw);
          if (raw.format == Format::Invalid) continue;
          std::string text = decoder.text(bytes, 0);
          std::string mnemonic(without_suffix(std::string_view(text).substr(0, text.find(' '))));
          auto [support, reason] = support_of(decoder, raw, ops);
          CatalogueEntry entry{mnemonic, raw.opcode, raw.format, raw.variant, raw.lds, support, std::move(reason), std::move(text)};
          const auto [at, is_new] = found.try_emplace({mnemonic, raw.format, raw.variant, raw.lds}, entry);
          if (!is_new && entry.support < at->second.support) at->second = std::move(entry);
        }
  std::vector<CatalogueEntry> out;
  for (auto& [key, entry] : found) out.push_back(std::move(entry));
  return out;
}

} // namespace hip::engine
