// runtime/engine/decode/decoder.cpp - see decoder.h. Per opcode work (roles of operands, our opcode) is done when the opcode
// is first seen; after that an instruction costs LLVM's table walk and one pass over its operands.
#include "runtime/engine/decode/decoder.h"

#include "runtime/engine/decode/layout.h"
#include "runtime/engine/decode/llvm_memory.h"
#include "runtime/engine/decode/registers.h"
#include "runtime/engine/decode/encodings.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cstring>
#include <llvm/MC/MCAsmInfo.h>
#include <llvm/MC/MCContext.h>
#include <llvm/MC/MCDisassembler/MCDisassembler.h>
#include <llvm/MC/MCInst.h>
#include <llvm/MC/MCInstPrinter.h>
#include <llvm/MC/MCInstrInfo.h>
#include <llvm/MC/MCRegisterInfo.h>
#include <llvm/MC/MCSubtargetInfo.h>
#include <llvm/MC/MCTargetOptions.h>
#include <llvm/MC/TargetRegistry.h>
#include <llvm/Support/raw_ostream.h>
#include <mutex>
#include <utility>

// Exported by libLLVM; their headers declare all targets of the build.
extern "C" {
void LLVMInitializeAMDGPUTargetInfo();
void LLVMInitializeAMDGPUTargetMC();
void LLVMInitializeAMDGPUDisassembler();
}

namespace hip::engine {
namespace {

constexpr unsigned kModNeg = 1, kModAbs = 2, kModOpSel0 = 4, kModOpSel1 = 8, kModSext = 16; // SISrcMods
constexpr uint16_t kVcc = 106;
// The longest instruction that LLVM looks for: 16 bytes (scaled MFMA of gfx950) and a literal.
constexpr size_t kLongestBytes = 20;

int32_t sign_extended(int64_t value, unsigned bits) {
  return int32_t(uint32_t(uint64_t(value)) << (32 - bits)) >> (32 - bits);
}

void initialize_llvm() {
  static std::once_flag once;
  std::call_once(once, [] {
    let_llvm_throw();
    LLVMInitializeAMDGPUTargetInfo();
    LLVMInitializeAMDGPUTargetMC();
    LLVMInitializeAMDGPUDisassembler();
  });
}

} // namespace

struct Decoder::Impl {
  llvm::Triple triple{"amdgcn-amd-amdhsa"};
  llvm::MCTargetOptions options;
  std::unique_ptr<llvm::MCRegisterInfo> registers;
  std::unique_ptr<llvm::MCAsmInfo> asm_info;
  std::unique_ptr<llvm::MCInstrInfo> instructions;
  std::unique_ptr<llvm::MCSubtargetInfo> subtarget;
  std::unique_ptr<llvm::MCSubtargetInfo> window; // the disassembler's: subtarget, and kLongestBytes for an instruction
  std::unique_ptr<llvm::MCContext> context;
  std::unique_ptr<llvm::MCDisassembler> disassembler;
  std::unique_ptr<llvm::MCInstPrinter> printer;
  std::vector<Operand> register_table;
  std::vector<std::unique_ptr<Layout>> layouts; // by opcode
  const Target* target = nullptr;
  uint32_t lanes = 64;
  unsigned generation = 0; // 9 for gfx9.., 10 for gfx10..
  bool ocp_floats = false; // 8-bit floats are OCP's
  llvm::MCInst inst;
  uint64_t expressions = 0; // operands that LLVM has made expressions for

  // The size of the instruction at the start of `bytes`, which goes to `inst`; 0 when there is none.
  uint32_t disassemble(std::span<const uint8_t> bytes, uint64_t address);
  const Layout& layout(const llvm::MCInst& inst);
  Operand operand(const llvm::MCOperand& op, uint8_t const_dwords) const;
  void fill(const Layout& layout, RawInst& out) const;
  void fill_dual(const Layout& layout, RawInst& out);
  RawInst second; // of a VOPD
};

const Layout& Decoder::Impl::layout(const llvm::MCInst& mc) {
  std::unique_ptr<Layout>& slot = layouts[mc.getOpcode()];
  if (!slot) {
    const llvm::MCInstrDesc& desc = instructions->get(mc.getOpcode());
    const char* mnemonic = printer->getMnemonic(mc).first;
    llvm::StringRef name = instructions->getName(mc.getOpcode());
    slot = std::make_unique<Layout>(make_layout(desc, {name.data(), name.size()}, mnemonic ? mnemonic : ""));
    const std::string_view spelling = mnemonic ? mnemonic : "";
    if (ocp_floats && (spelling.find("fp8") != spelling.npos || spelling.find("bf8") != spelling.npos)) {
      const Opcode ocp = row_of(slot->opcode).ocp; // the table's instructions are those of gfx942's formats (ERRATA 20)
      if (ocp != Opcode::unknown) slot->opcode = ocp;
    }
    if (slot->format == Format::Vopc || slot->format == Format::Vop2) {
      for (llvm::MCPhysReg reg : desc.implicit_defs()) slot->implicit_sdst |= register_table[reg].index == kVcc;
      for (llvm::MCPhysReg reg : desc.implicit_uses()) slot->implicit_carry_in |= register_table[reg].index == kVcc;
    }
  }
  return *slot;
}

// The destination of a v_cmpx in VOP3 from gfx10 on, as LLVM 22 writes it.
constexpr uint32_t kEncodedExec = 0x7e;

// Whether the word may begin a v_cmpx whose destination is 0, as older assemblers wrote it: VOP3 with an opcode of VOPC.
bool is_comparison_without_destination(uint32_t word, unsigned generation) noexcept {
  return generation >= 10 && word >> 26 == 0x35 && (word >> 16 & 0x3ff) < 0x100 && (word & 0xff) == 0;
}

// LLVM's disassembler crashes on an instruction whose literal would lie behind the last byte that it reads (ERRATA 1). So it
// gets a window into which every literal fits. An instruction that ends behind the passed bytes, or that has a literal although
// its encoding has none, is refused afterwards.
uint32_t Decoder::Impl::disassemble(std::span<const uint8_t> bytes, uint64_t address) {
  std::array<uint32_t, kLongestBytes / 4> words{};
  std::memcpy(words.data(), bytes.data(), std::min(bytes.size(), kLongestBytes));
  inst.clear();
  if (has_reserved_operand(words, generation)) return 0;
  // LLVM takes a mandatory literal below 256 for an operand code (ERRATA 4): it gets another one in its place.
  constexpr uint32_t kStandIn = 0x12345600;
  uint32_t* const literal = &words[mandatory_literal_dword(words, generation)];
  const bool stands_in = literal != words.data() && *literal < 256;
  const uint32_t value = stands_in ? std::exchange(*literal, kStandIn) : 0;
  uint64_t size = 0;
  const auto get = [&] {
    return disassembler->getInstruction(inst, size, {reinterpret_cast<const uint8_t*>(words.data()), kLongestBytes}, address,
                                        llvm::nulls());
  };
  auto status = get();
  if (status != llvm::MCDisassembler::Success && is_comparison_without_destination(words[0], generation)) { // ERRATA 60
    words[0] |= kEncodedExec;
    inst.clear();
    status = get();
  }
  if (status != llvm::MCDisassembler::Success || size == 0 || size > bytes.size()) return 0;
  if (stands_in)
    for (llvm::MCOperand& op : inst)
      if (op.isImm() && op.getImm() == kStandIn) op.setImm(value);
  if (has_reserved_field(inst, instructions->get(inst.getOpcode()), layout(inst), uint32_t(size), generation)) return 0;
  return uint32_t(size);
}

Operand Decoder::Impl::operand(const llvm::MCOperand& op, uint8_t const_dwords) const {
  if (op.isReg()) return op.getReg() ? register_table[op.getReg().id()] : Operand{};
  Operand out;
  out.dwords = const_dwords;
  out.imm = uint64_t(op.getImm());
  out.bank = is_inline_constant(op.getImm()) ? Bank::Imm : Bank::Literal;
  return out;
}

void Decoder::Impl::fill(const Layout& layout, RawInst& out) const {
  unsigned modifiers = 0, scales = 0;
  if (out.format != Format::Vop3p && !layout.is_scaled) out.op_sel_hi = 7; // packed math without the field (v_pk_fmac_f16, v_dot2c_f32_f16)
  for (unsigned k = 0, count = inst.getNumOperands(); k < count && k < layout.roles.size(); ++k) {
    const llvm::MCOperand& op = inst.getOperand(k);
    int64_t imm = op.isImm() ? op.getImm() : 0;
    switch (layout.roles[k]) {
    case Role::Ignore:
      break;
    case Role::Def: {
      Operand def = operand(op, 1);
      if (def.bank == Bank::Vgpr || def.bank == Bank::Agpr) {
        if (def.high_half) out.op_sel |= out.vdst ? 1u << out.source_count : 8;
        if (out.vdst)
          out.src[out.source_count++] = def; // swap: the second destination is the other operand
        else
          out.vdst = def;
      } else {
        out.sdst = def;
      }
      break;
    }
    case Role::Mods:
      modifiers = unsigned(imm);
      if (modifiers) {
        unsigned bit = 1u << out.source_count;
        if (modifiers & kModNeg) out.neg |= bit;
        if (modifiers & kModAbs) (layout.has_neg_hi ? out.neg_hi : out.abs) |= bit;
        if (modifiers & kModOpSel0) out.op_sel |= bit;
        if (modifiers & kModOpSel1) {
          if (out.format == Format::Vop3p)
            out.op_sel_hi |= bit;
          else
            out.op_sel |= 8; // the destination's, carried by the first source
        }
        if (modifiers & kModSext) out.sext |= bit;
      }
      break;
    case Role::Source:
      if (out.source_count < kMaxSources) {
        Operand& source = out.src[out.source_count++];
        source = operand(op, layout.const_dwords[k]);
        if (source.high_half) out.op_sel |= 1u << (out.source_count - 1);
        if (layout.signed_literals && source.bank == Bank::Literal && source.dwords == 2)
          source.imm = uint64_t(int64_t(int32_t(source.imm)));
      }
      break;
    case Role::Literal:
      out.src[0] = operand(op, 1);
      out.src[0].bank = Bank::Literal;
      out.source_count = 1;
      break;
    case Role::Clamp: out.clamp = imm != 0; break;
    case Role::Omod: out.omod = uint8_t(imm); break;
    case Role::OpSel: break; // already in the sources' modifiers
    case Role::ByteSel: out.op_sel = uint8_t(imm | imm << 2); break; // of the operand, or of the destination
    case Role::Bitop3: out.bitop3 = uint8_t(imm); break;
    case Role::DppCtrl: out.dpp_ctrl = uint16_t(imm); break;
    case Role::RowMask: out.row_mask = uint8_t(imm); break;
    case Role::BankMask: out.bank_mask = uint8_t(imm); break;
    case Role::BoundCtrl: out.bound_ctrl = imm != 0; break;
    case Role::FetchInactive: out.fetch_inactive = imm != 0; break;
    case Role::Dpp8:
      out.has_dpp8 = true;
      out.dpp8 = uint32_t(imm);
      break;
    case Role::DstSel: out.dst_sel = uint8_t(imm); break;
    case Role::DstUnused: out.dst_unused = uint8_t(imm); break;
    case Role::Src0Sel: out.src0_sel = uint8_t(imm); break;
    case Role::Src1Sel: out.src1_sel = uint8_t(imm); break;
    case Role::ScaleByte: // of the scale of A, then of B
      out.op_sel |= uint8_t((imm & kModOpSel0 ? 1u : 0u) << scales);
      out.op_sel_hi |= uint8_t((imm & kModOpSel1 ? 1u : 0u) << scales);
      ++scales;
      break;
    case Role::Cbsz: out.cbsz = uint8_t(imm); break;
    case Role::Abid: out.abid = uint8_t(imm); break;
    case Role::Blgp: out.blgp = uint8_t(imm); break;
    case Role::Simm16: out.simm16 = int16_t(imm); break;
    case Role::Offset:
      out.offset = int32_t(imm);
      if (out.format == Format::Global || out.format == Format::Scratch ||
          (out.format == Format::Flat && target->isa->flat_offset == FlatOffset::Signed))
        out.offset = sign_extended(imm, target->isa->global_offset_bits);
      else if (out.format == Format::Smem)
        out.offset = sign_extended(imm, target->isa->scalar_offset_bits);
      break;
    case Role::Offset0: out.offset0 = uint8_t(imm); break;
    case Role::Offset1: out.offset1 = uint8_t(imm); break;
    case Role::Gds: out.gds = imm != 0; break;
    case Role::BufferFormat: out.buffer_format = uint8_t(imm); break;
    case Role::Cpol: out.cpol = uint8_t(imm); break;
    case Role::Vaddr: out.vaddr = operand(op, 1); break;
    case Role::Saddr: out.saddr = operand(op, 1); break;
    case Role::Data: out.vdata = operand(op, 1); break;
    case Role::Data1: out.data1 = operand(op, 1); break;
    case Role::Sbase: out.sbase = operand(op, 1); break;
    case Role::Soffset: out.soffset = operand(op, 1); break;
    case Role::Sdata: out.sdata = operand(op, 1); break;
    }
  }
}

// Operands of a VOPD: both destinations, then the sources of the first operation and of the second one. Accumulators are tied
// to destinations, and v_cndmask's mask is VCC.
void Decoder::Impl::fill_dual(const Layout& layout, RawInst& out) {
  out.is_dual = true;
  out.op_sel_hi = 7;
  second = out;
  second.opcode = layout.second;
  unsigned next = 0, count = inst.getNumOperands();
  const auto take = [&]() -> Operand {
    while (next < count && layout.roles[next] == Role::Ignore) ++next;
    return next < count ? operand(inst.getOperand(next++), 1) : Operand{};
  };
  out.vdst = take();
  second.vdst = take();
  for (RawInst* part : {&out, &second}) {
    const bool has_constant = part->opcode == Opcode::v_fmaak_f32 || part->opcode == Opcode::v_fmamk_f32;
    const unsigned named = part->opcode == Opcode::v_mov_b32 ? 1 : has_constant ? 3 : 2;
    for (unsigned k = 0; k < named; ++k) part->src[part->source_count++] = take();
    if (part->opcode == Opcode::v_cndmask_b32) part->src[part->source_count++] = {Bank::Sgpr, uint8_t(lanes / 32), kVcc, 0};
  }
}

// What decoders that are gone leave for the next ones. It is never destroyed: decoders go when the process ends, too.
class Decoder::Idle {
public:
  static Idle& get() {
    static Idle& idle = *new Idle;
    return idle;
  }
  // Null: there is none.
  std::unique_ptr<Impl> take(const Target* target, uint32_t lanes) {
    std::lock_guard lock(mutex_);
    for (std::unique_ptr<Impl>& slot : slots_)
      if (slot && slot->target == target && slot->lanes == lanes) return std::move(slot);
    return nullptr;
  }
  void keep(std::unique_ptr<Impl> impl) noexcept {
    if (impl->expressions > kMostExpressions) return;
    std::lock_guard lock(mutex_);
    for (std::unique_ptr<Impl>& slot : slots_)
      if (!slot) {
        slot = std::move(impl);
        return;
      }
  }

private:
  // LLVM's context keeps each until it goes itself: some 32 bytes.
  static constexpr uint64_t kMostExpressions = 20'000;
  std::mutex mutex_;
  std::array<std::unique_ptr<Impl>, 8> slots_; // some 0.3 MB each
};

Decoder::Decoder(std::unique_ptr<Impl> impl) noexcept : impl_(std::move(impl)) {}
Decoder::~Decoder() {
  if (impl_) Idle::get().keep(std::move(impl_));
}

const Target& Decoder::target() const noexcept { return *impl_->target; }
const RawInst& Decoder::second() const noexcept { return impl_->second; }
uint32_t Decoder::lanes() const noexcept { return impl_->lanes; }

Result<std::unique_ptr<Decoder>> Decoder::create(std::string_view target, uint32_t lanes) {
  const Target* const row = find_target(target);
  if (!row) return error(ErrorCode::InvalidValue, "'{}' is not a processor that the engine knows.", target);
  if (lanes == 0) lanes = row->family->wave_lanes;
  std::unique_ptr<Decoder> decoder(new Decoder(nullptr));
  if ((decoder->impl_ = Idle::get().take(row, lanes))) return decoder;
  initialize_llvm();
  auto impl = std::make_unique<Impl>();
  impl->target = row;
  impl->generation = row->processor->version().major;
  std::string why;
  const llvm::Target* llvm_target = llvm::TargetRegistry::lookupTarget(impl->triple, why);
  if (!llvm_target) return error(ErrorCode::NotInitialized, "LLVM has no AMDGPU target: {}", why);
  std::string cpu(target);
  impl->ocp_floats = row->has(IsaFeature::OcpFloats);
  impl->registers.reset(llvm_target->createMCRegInfo(impl->triple));
  impl->instructions.reset(llvm_target->createMCInstrInfo());
  impl->asm_info.reset(llvm_target->createMCAsmInfo(*impl->registers, impl->triple, impl->options));
  // (Asked without a processor first: LLVM prints a warning for one that it does not know.)
  impl->subtarget.reset(llvm_target->createMCSubtargetInfo(impl->triple, "", ""));
  if (!impl->subtarget || !impl->subtarget->isCPUStringValid(cpu))
    return error(ErrorCode::InvalidValue, "'{}' is not a processor that LLVM's AMDGPU target knows.", target);
  if (!row->family->has_waves_of(lanes))
    return error(ErrorCode::InvalidValue, "'{}' has no waves of {} lanes.", target, lanes);
  impl->lanes = lanes;
  const std::string wave_size = lanes == 32 ? "+wavefrontsize32,-wavefrontsize64" : "-wavefrontsize32,+wavefrontsize64";
  impl->subtarget.reset(llvm_target->createMCSubtargetInfo(impl->triple, cpu, wave_size));
  impl->context = std::make_unique<llvm::MCContext>(impl->triple, impl->asm_info.get(), impl->registers.get(),
                                                    impl->subtarget.get());
  // The feature says how long instructions can be, and nothing else about targets without it.
  impl->window.reset(llvm_target->createMCSubtargetInfo(impl->triple, cpu, wave_size + ",+nsa-encoding"));
  impl->disassembler.reset(llvm_target->createMCDisassembler(*impl->window, *impl->context));
  impl->printer.reset(
      llvm_target->createMCInstPrinter(impl->triple, 0, *impl->asm_info, *impl->instructions, *impl->registers));
  if (!impl->disassembler || !impl->printer)
    return error(ErrorCode::NotInitialized, "LLVM has no disassembler for '{}'.", target);
  impl->register_table = make_register_table(*impl->registers, *row);
  impl->layouts.resize(impl->instructions->getNumOpcodes());
  decoder->impl_ = std::move(impl);
  return decoder;
}

void Decoder::decode(std::span<const uint8_t> bytes, uint64_t address, RawInst& out) {
  out = RawInst{};
  out.address = address;
  out.size_bytes = 4;
  const uint32_t size = impl_->disassemble(bytes, address);
  if (size == 0) return;
  const Layout& layout = impl_->layout(impl_->inst);
  out.size_bytes = uint8_t(size);
  out.opcode = layout.opcode;
  out.format = layout.format;
  out.variant = layout.variant;
  out.offen = layout.offen, out.idxen = layout.idxen, out.lds = layout.lds;
  // A literal that an inline constant could have held comes as an expression, lit(0x0), so that it assembles to the same
  // bytes again. The literal is the instruction's last dword.
  for (unsigned k = 0, count = impl_->inst.getNumOperands(); k < count; ++k) {
    llvm::MCOperand& op = impl_->inst.getOperand(k);
    if (!op.isExpr()) continue;
    ++impl_->expressions;
    uint32_t literal = 0;
    std::memcpy(&literal, bytes.data() + size - sizeof literal, sizeof literal);
    op = llvm::MCOperand::createImm(literal);
  }
  if (layout.second != Opcode::unknown) return impl_->fill_dual(layout, out);
  impl_->fill(layout, out);
  if (row_of(out.opcode).op_sel_is_number &&
      std::ranges::find(layout.roles, Role::ByteSel) ==
          layout.roles.end()) { // LLVM spreads its bits over the sources' modifiers
    uint32_t word = 0;
    std::memcpy(&word, bytes.data(), sizeof word);
    const bool is_vop3 = word >> 26 == 0x34 || word >> 26 == 0x35; // before gfx10, and from there on
    out.op_sel = is_vop3 ? word >> 11 & 15 : 0;
  }
  if (layout.data_is_vdst) out.vdata = out.vdst;
  if (out.format == Format::Smem && row_of(out.opcode).memory.kind == MemoryKind::Atomic && !out.sdata) out.sdata = out.sdst;
  if (layout.implicit_sdst && !out.sdst) out.sdst = {Bank::Sgpr, uint8_t(impl_->lanes / 32), kVcc, 0};
  if (layout.implicit_carry_in && out.source_count < 3) {
    out.source_count = 3;
    out.src[2] = {Bank::Sgpr, uint8_t(impl_->lanes / 32), kVcc, 0};
  }
}

std::string Decoder::text(std::span<const uint8_t> bytes, uint64_t address) {
  std::string out;
  if (impl_->disassemble(bytes, address) == 0) {
    uint32_t word = 0;
    for (size_t k = 0; k < 4 && k < bytes.size(); ++k) word |= uint32_t(bytes[k]) << (8 * k);
    return fmt::format(".long {:#010x}", word);
  }
  std::string printed;
  llvm::raw_string_ostream stream(printed);
  impl_->printer->printInst(&impl_->inst, address, "", *impl_->subtarget, stream);
  for (char c : printed) {
    bool space = std::isspace(static_cast<unsigned char>(c)) != 0;
    if (space && (out.empty() || out.back() == ' ')) continue;
    out.push_back(space ? ' ' : c);
  }
  while (!out.empty() && out.back() == ' ') out.pop_back();
  return out;
}

const char* format_name(Format format) noexcept {
  switch (format) {
  case Format::Invalid: return "invalid";
  case Format::Sop1: return "SOP1";
  case Format::Sop2: return "SOP2";
  case Format::Sopc: return "SOPC";
  case Format::Sopk: return "SOPK";
  case Format::Sopp: return "SOPP";
  case Format::Smem: return "SMEM";
  case Format::Vop1: return "VOP1";
  case Format::Vop2: return "VOP2";
  case Format::Vopc: return "VOPC";
  case Format::Vop3: return "VOP3";
  case Format::Vop3p: return "VOP3P";
  case Format::Mai: return "MAI";
  case Format::Ds: return "DS";
  case Format::Flat: return "FLAT";
  case Format::Global: return "GLOBAL";
  case Format::Scratch: return "SCRATCH";
  case Format::Mubuf: return "MUBUF";
  case Format::Mtbuf: return "MTBUF";
  case Format::Other: return "other";
  }
  return "?";
}

} // namespace hip::engine
