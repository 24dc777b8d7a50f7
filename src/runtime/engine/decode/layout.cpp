// runtime/engine/decode/layout.cpp - see layout.h. Flag and operand-type numbers are facts of LLVM 22's AMDGPU back end
// (SIDefines.h), which installs no header for them; the decoder's test compares every decoded object with llvm-objdump.
#include "runtime/engine/decode/layout.h"

#include <algorithm>
#include <cctype>
#include <llvm/MC/MCInstrDesc.h>
#include <span>
#include <string>

namespace hip::engine {
namespace {

// TSFlags bits.
enum Flag : unsigned {
  kSop1 = 2, kSop2, kSopc, kSopk, kSopp, kVop1, kVop2, kVopc, kVop3,
  kVop3p = 12,
  kSdwa = 14, kDpp = 15,
  kMubuf = 17, kMtbuf = 18, kSmrd = 19,
  kFlat = 24, kDs = 25,
  kOpSel = 42,
  kClampLo = 47, kClampHi = 48,
  kFlatGlobal = 51, kMai = 54, kFlatScratch = 56,
};

// MCOperandInfo::OperandType.
enum Type : unsigned {
  kUnknown = 0, kImmediate = 1, kPcRelative = 4,
  kRegImmInt64 = 14, kRegImmFp64 = 17, kRegImmV2Int32 = 25, kRegImmV2Fp32 = 26,
  kInlineInt64 = 29, kInlineFp64 = 33,
  kKimm32 = 38, kKimm16 = 39, kKimm64 = 40,
  kInlineAccFp64 = 43,
  kInputMods = 45,
};

Format format_of(uint64_t flags) {
  auto has = [flags](Flag f) { return (flags >> f & 1) != 0; };
  if (has(kSop1)) return Format::Sop1;
  if (has(kSop2)) return Format::Sop2;
  if (has(kSopc)) return Format::Sopc;
  if (has(kSopk)) return Format::Sopk;
  if (has(kSopp)) return Format::Sopp;
  if (has(kSmrd)) return Format::Smem;
  if (has(kMai)) return Format::Mai;
  if (has(kVop3p)) return Format::Vop3p;
  if (has(kVop3)) return Format::Vop3;
  if (has(kVop1)) return Format::Vop1;
  if (has(kVop2)) return Format::Vop2;
  if (has(kVopc)) return Format::Vopc;
  if (has(kFlatGlobal)) return Format::Global;
  if (has(kFlatScratch)) return Format::Scratch;
  if (has(kFlat)) return Format::Flat;
  if (has(kDs)) return Format::Ds;
  if (has(kMubuf)) return Format::Mubuf;
  if (has(kMtbuf)) return Format::Mtbuf;
  return Format::Other;
}

bool is_valu(Format f) {
  return f == Format::Vop1 || f == Format::Vop2 || f == Format::Vopc || f == Format::Vop3 || f == Format::Vop3p ||
         f == Format::Mai;
}
bool is_salu(Format f) {
  return f == Format::Sop1 || f == Format::Sop2 || f == Format::Sopc || f == Format::Sopk || f == Format::Sopp;
}

uint8_t constant_dwords(unsigned type) {
  switch (type) {
  case kRegImmInt64: case kRegImmFp64: case kRegImmV2Int32: case kRegImmV2Fp32:
  case kInlineInt64: case kInlineFp64: case kKimm64: case kInlineAccFp64:
    return 2;
  default:
    return 1;
  }
}

std::string_view without_suffix(std::string_view mnemonic) {
  mnemonic = mnemonic.substr(0, mnemonic.find(' ')); // "scratch_store_dword off, "
  for (bool again = true; again;) {
    again = false;
    for (std::string_view suffix : {"_e32", "_e64", "_dpp", "_sdwa"})
      if (mnemonic.ends_with(suffix)) mnemonic.remove_suffix(suffix.size()), again = true;
  }
  return mnemonic;
}

struct Builder {
  const llvm::MCInstrDesc& desc;
  Layout& out;
  std::vector<unsigned> immediates; // operands without a role that are immediates, in order

  bool flag(Flag f) const { return (desc.TSFlags >> f & 1) != 0; }
  void assign(std::span<const Role> roles) { // trailing immediates may be fewer than roles
    size_t k = 0;
    for (Role role : roles)
      if (k < immediates.size()) out.roles[immediates[k++]] = role;
    out.known = immediates.size() <= roles.size();
  }
  void assign(std::initializer_list<Role> roles) { assign(std::span(roles.begin(), roles.size())); }
  bool name_registers(std::span<const Role> order);
  void valu(std::string_view name);
  void vector_memory(std::string_view name);
  void scalar_memory();
};

void Builder::valu(std::string_view name) {
  size_t count = immediates.size();
  auto sources = std::count(out.roles.begin(), out.roles.end(), Role::Source);
  bool clamps = flag(kClampLo) || flag(kClampHi);
  bool compares = row_of(out.opcode).compare.relation != Relation::None;
  // gfx12's conversions from and to one 8-bit float name a byte by a number, in their long forms.
  const bool has_byte_sel = name.find("_gfx12") != name.npos && name.find("_e64") != name.npos &&
                            (out.opcode == Opcode::v_cvt_f32_fp8 || out.opcode == Opcode::v_cvt_f32_bf8 ||
                             out.opcode == Opcode::v_cvt_sr_fp8_f32 || out.opcode == Opcode::v_cvt_sr_bf8_f32);
  if (out.variant == Variant::Dpp) {
    const bool packed = out.format == Format::Vop3p;
    if (!packed) out.format = compares ? Format::Vopc : sources <= 1 ? Format::Vop1 : Format::Vop2;
    // In their long form (gfx11) the modifiers of VOP3 come first; clamp is there whatever the flags say where it has a
    // place.
    std::vector<Role> roles;
    if (has_byte_sel) roles.push_back(Role::ByteSel);
    const bool eight = name.find("_dpp8") != name.npos;
    const size_t tail = eight ? 2 : count % 5 == 4 && count < 5 ? 4 : 5;
    if (packed) {
      roles.push_back(Role::Clamp);
      roles.resize(std::max(count, tail) - tail, Role::Ignore); // as below
    }
    if (count > tail + roles.size() && (clamps || count == tail + roles.size() + 3)) roles.push_back(Role::Clamp);
    if (count > tail + roles.size() && !(flag(kOpSel) && count == tail + roles.size() + 1)) roles.push_back(Role::Omod);
    if (count > tail + roles.size()) roles.push_back(Role::OpSel);
    if (eight)
      roles.insert(roles.end(), {Role::Dpp8, Role::FetchInactive});
    else
      roles.insert(roles.end(), {Role::DppCtrl, Role::RowMask, Role::BankMask, Role::BoundCtrl, Role::FetchInactive});
    assign(roles);
  } else if (out.variant == Variant::Sdwa) {
    out.format = compares ? Format::Vopc : sources <= 1 ? Format::Vop1 : Format::Vop2;
    if (compares && count == 2) // v_cmpx of gfx10
      assign({Role::Src0Sel, Role::Src1Sel});
    else if (compares)
      assign({Role::Clamp, Role::Src0Sel, Role::Src1Sel});
    else if (sources == 1 && count == 3) // v_cvt_f32_fp8 and its like have no destination select
      assign({Role::Clamp, Role::Omod, Role::Src0Sel});
    else if (sources == 1 && count == 4)
      assign({Role::Clamp, Role::DstSel, Role::DstUnused, Role::Src0Sel});
    else if (sources == 1)
      assign({Role::Clamp, Role::Omod, Role::DstSel, Role::DstUnused, Role::Src0Sel});
    else if (count == 5)
      assign({Role::Clamp, Role::DstSel, Role::DstUnused, Role::Src0Sel, Role::Src1Sel});
    else
      assign({Role::Clamp, Role::Omod, Role::DstSel, Role::DstUnused, Role::Src0Sel, Role::Src1Sel});
  } else if (out.format == Format::Mai) {
    const bool chooses_formats = name.find("F8F6F4") != name.npos; // cbsz and blgp are those of A and B
    out.is_scaled = name.starts_with("V_MFMA_SCALE");
    std::ranges::replace(out.roles, Role::Mods, Role::ScaleByte);
    if (chooses_formats)
      assign({Role::Cbsz, Role::Blgp, Role::ScaleByte, Role::ScaleByte});
    else
      assign({Role::Cbsz, Role::Abid, Role::Blgp});
  } else if (out.format == Format::Vop3p && name.find("SWMMAC") != name.npos) {
    const bool has_index_key = name.find("16X16X64_IU4_w32") == name.npos; // its index is a whole register
    std::vector<Role> roles;
    if (has_index_key) roles.push_back(Role::Abid);
    if (clamps) roles.push_back(Role::Clamp);
    roles.insert(roles.end(), {Role::Ignore, Role::Ignore}); // as below
    assign(roles);
  } else if (out.format == Format::Vop3p) {
    // op_sel, op_sel_hi, neg_lo and neg_hi come with each source's modifiers.
    if (clamps)
      assign({Role::Clamp, Role::Ignore, Role::Ignore, Role::Ignore, Role::Ignore});
    else
      assign({Role::Ignore, Role::Ignore, Role::Ignore, Role::Ignore});
  } else if (has_byte_sel) {
    assign({Role::ByteSel});
  } else if (out.opcode == Opcode::v_bitop3_b32 || out.opcode == Opcode::v_bitop3_b16) {
    assign({Role::Bitop3, Role::OpSel});
  } else if (flag(kOpSel)) {
    if (clamps && count == 3)
      assign({Role::Clamp, Role::Omod, Role::OpSel});
    else if (clamps)
      assign({Role::Clamp, Role::OpSel});
    else
      assign({Role::OpSel});
  } else if (row_of(out.opcode).unit == Unit::ExchangeLanes) {
    assign({Role::OpSel, Role::BoundCtrl});
  } else if (clamps) {
    assign({Role::Clamp, Role::Omod});
  } else {
    assign({});
  }
}

// Gives the register operands after the destinations their roles, in order.
bool Builder::name_registers(std::span<const Role> order) {
  size_t next = 0;
  for (Role& role : out.roles) {
    if (role != Role::Source) continue;
    if (next == order.size()) return false;
    role = order[next++];
  }
  return next == order.size();
}

void Builder::vector_memory(std::string_view name) {
  auto named = [name](std::string_view part) { return name.find(part) != std::string_view::npos; };
  bool returns = desc.getNumDefs() != 0;
  // A register behind the immediates is the old destination of a 16-bit load, tied to vdst.
  if (!immediates.empty()) std::replace(out.roles.begin() + immediates[0], out.roles.end(), Role::Source, Role::Ignore);
  auto registers = size_t(std::count(out.roles.begin(), out.roles.end(), Role::Source));
  out.offen = named("_OFFEN") || named("_BOTHEN");
  out.idxen = named("_IDXEN") || named("_BOTHEN");
  out.lds = named("_LDS_");
  std::vector<Role> order;
  if (out.format == Format::Ds) {
    const bool no_address = out.opcode == Opcode::ds_read_addtid_b32 || out.opcode == Opcode::ds_write_addtid_b32 ||
                            bypasses_lds(out.opcode);
    if (!no_address) order.push_back(Role::Vaddr);
    order.push_back(Role::Data);
    order.push_back(Role::Data1);
    if (order.size() > registers) order.resize(registers);
    if (immediates.size() == 3 || row_of(out.opcode).memory.elements == 2)
      assign({Role::Offset0, Role::Offset1, Role::Gds});
    else
      assign({Role::Offset, Role::Gds});
  } else if (out.format == Format::Scratch) { // data first
    if (!returns && !out.lds) order.push_back(Role::Data);
    bool no_address = named("_ST_") || name.ends_with("_ST");
    if (!named("_SADDR") && !no_address) order.push_back(Role::Vaddr);
    if (named("_SADDR") || named("_SVS")) order.push_back(Role::Saddr);
    assign({Role::Offset, Role::Cpol});
  } else if (row_of(out.opcode).unit == Unit::CacheControl && registers == 0) { // global_inv, global_wb
    assign({Role::Cpol});
  } else if (out.format == Format::Flat || out.format == Format::Global) {
    bool saddr = named("_SADDR");
    bool data = registers == (saddr ? 3u : 2u);
    if (saddr && !data) order = {Role::Saddr, Role::Vaddr};
    else if (saddr) order = {Role::Vaddr, Role::Data, Role::Saddr};
    else if (data) order = {Role::Vaddr, Role::Data};
    else order = {Role::Vaddr};
    assign({Role::Offset, Role::Cpol});
  } else { // MUBUF, MTBUF
    bool whole_cache = registers == 0; // buffer_inv, buffer_wbl2
    if (!whole_cache) {
      if (!returns && !out.lds) order.push_back(Role::Data);
      if (out.offen || out.idxen) order.push_back(Role::Vaddr);
      order.push_back(Role::Sbase);
      order.push_back(Role::Soffset);
    }
    out.data_is_vdst = returns && desc.mayStore();
    if (whole_cache)
      assign({Role::Cpol});
    else if (out.format == Format::Mubuf)
      assign({Role::Offset, Role::Cpol, Role::Ignore});
    else
      assign({Role::Offset, Role::BufferFormat, Role::Cpol, Role::Ignore});
  }
  out.known = name_registers(order) && out.known;
}

void Builder::scalar_memory() {
  std::vector<Role> order;
  const MemoryKind kind = row_of(out.opcode).memory.kind; // an atomic's old value takes the place of its data
  const bool stores = kind == MemoryKind::Store || (kind == MemoryKind::Atomic && desc.getNumDefs() == 0);
  auto registers = size_t(std::count(out.roles.begin(), out.roles.end(), Role::Source));
  if (stores) order.push_back(Role::Sdata);
  if (order.size() < registers) order.push_back(Role::Sbase);
  if (order.size() < registers) order.push_back(Role::Soffset);
  if (immediates.size() == 2)
    assign({Role::Offset, Role::Cpol});
  else
    assign({Role::Cpol});
  const bool loads_or_stores = row_of(out.opcode).memory || (row_of(out.opcode).unit != Unit::ScalarMemory && row_of(out.opcode).unit != Unit::ScalarBuffer);
  out.known = name_registers(order) && out.known && loads_or_stores; // the roles of other instructions' operands are not known
}

} // namespace

Layout make_layout(const llvm::MCInstrDesc& desc, std::string_view name, std::string_view mnemonic) {
  Layout out;
  Builder b{desc, out, {}};
  out.format = format_of(desc.TSFlags);
  out.variant = b.flag(kSdwa) ? Variant::Sdwa : b.flag(kDpp) ? Variant::Dpp
                : b.flag(kVop3) && !b.flag(kVop3p) && !b.flag(kMai) ? Variant::E64 : Variant::Base;
  if (out.format == Format::Other && (out.variant == Variant::Sdwa || out.variant == Variant::Dpp))
    out.format = Format::Vop2; // refined below
  out.opcode = find_opcode(without_suffix(mnemonic));
  out.signed_literals = row_of(out.opcode).sign_extends_literal;
  out.has_neg_hi = out.format == Format::Vop3p && !row_of(out.opcode).mixes_widths;

  // "V_DUAL_ADD_F32_X_MUL_F32_gfx11" is v_add_f32 and v_mul_f32.
  constexpr std::string_view kDual = "V_DUAL_", kAnd = "_X_";
  if (const size_t and_at = name.find(kAnd); name.starts_with(kDual) && and_at != name.npos) {
    // LLVM's names say MAX_F32 on gfx12, too, where the instruction is v_dual_max_num_f32.
    const bool numbers_win = name.find("_gfx12") != name.npos;
    const auto component = [numbers_win](std::string_view part) { // of LLVM's name
      if (part.ends_with("_e32")) part.remove_suffix(4);
      std::string spelling = "v_";
      for (char c : part) spelling.push_back(char(std::tolower(static_cast<unsigned char>(c))));
      const Opcode opcode = find_opcode(spelling);
      if (numbers_win && opcode == Opcode::v_max_f32) return Opcode::v_max_num_f32;
      if (numbers_win && opcode == Opcode::v_min_f32) return Opcode::v_min_num_f32;
      return opcode;
    };
    const std::string_view rest = name.substr(and_at + kAnd.size());
    out.opcode = component(name.substr(kDual.size(), and_at - kDual.size()));
    out.second = component(rest.substr(0, std::min(rest.find("_e96"), rest.find("_gfx"))));
    out.format = Format::Vop2;
    for (unsigned k = 0; k < desc.getNumOperands(); ++k)
      out.roles.push_back(desc.getOperandConstraint(k, llvm::MCOI::TIED_TO) >= 0 ? Role::Ignore : Role::Source);
    out.const_dwords.assign(desc.getNumOperands(), 1);
    out.known = out.opcode != Opcode::unknown && out.second != Opcode::unknown;
    if (!out.known) out.format = Format::Other;
    return out;
  }

  unsigned count = desc.getNumOperands();
  out.roles.assign(count, Role::Ignore);
  out.const_dwords.assign(count, 1);
  for (unsigned k = 0; k < count; ++k) {
    unsigned type = desc.operands()[k].OperandType;
    bool is_register = desc.operands()[k].RegClass >= 0;
    out.const_dwords[k] = constant_dwords(type);
    if (k < desc.getNumDefs())
      out.roles[k] = Role::Def;
    else if (desc.getOperandConstraint(k, llvm::MCOI::TIED_TO) >= 0)
      out.roles[k] = Role::Ignore;
    else if (type == kInputMods)
      out.roles[k] = Role::Mods;
    else if (is_register || type >= kKimm32)
      out.roles[k] = Role::Source;
    else if (type == kPcRelative)
      out.roles[k] = Role::Simm16;
    else
      b.immediates.push_back(k);
  }

  if (is_valu(out.format)) {
    b.valu(name);
  } else if (is_salu(out.format)) {
    if (out.opcode == Opcode::s_setreg_imm32_b32)
      b.assign({Role::Literal, Role::Simm16});
    else
      b.assign({Role::Simm16});
  } else if (out.format == Format::Smem) {
    b.scalar_memory();
  } else if (out.format != Format::Other) {
    b.vector_memory(name);
  }
  if (!out.known) out.format = Format::Other;
  return out;
}

} // namespace hip::engine
