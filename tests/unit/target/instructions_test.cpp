// What rows say about instructions against LLVM's assembler: special registers, ranges of offsets, hardware registers.
// Each is assembled for a processor of every family and decoded by the engine.
#include "assembler/assembler.h"
#include "runtime/engine/decode/decoder.h"
#include "runtime/engine/wave/wave.h"

#include <catch2/catch.hpp>
#include <map>

using namespace hip;
using namespace hip::engine;
using codeobject::Family;

namespace {

// One processor of each family.
constexpr const char* kProcessors[] = {"gfx906",  "gfx908",  "gfx90a",  "gfx942",  "gfx950", "gfx1012",
                                       "gfx1030", "gfx1100", "gfx1151", "gfx1201", "gfx1250"};

struct Machine {
  testing::Assembler assembler;
  std::unique_ptr<Decoder> decoder;
  const Target& target;

  explicit Machine(const char* processor)
      : assembler(processor), decoder(make_decoder(processor)), target(decoder->target()) {}
  static std::unique_ptr<Decoder> make_decoder(const char* processor) {
    auto made = Decoder::create(processor);
    REQUIRE(made.ok());
    return std::move(made).value();
  }
  RawInst decoded(const std::string& text) {
    INFO(text);
    const std::vector<uint8_t> code = assembler.assemble(text);
    RawInst raw;
    decoder->decode(code, 0, raw);
    REQUIRE(raw.format != Format::Invalid);
    return raw;
  }
};

} // namespace

TEST_CASE("there is a processor of every family", "[target]") {
  size_t next = 0;
#define AMDGPU_FAMILY(name, ...) CHECK(find_target(kProcessors[next++])->processor->family == Family::name);
#include "runtime/codeobject/families.def"
#undef AMDGPU_FAMILY
  CHECK(next == std::size(kProcessors));
}

TEST_CASE("special registers have one place in a wave's block, whatever their numbers", "[target]") {
  const std::string processor = GENERATE(from_range(std::begin(kProcessors), std::end(kProcessors)));
  INFO(processor);
  Machine machine(processor.c_str());
  const IsaFacts& isa = *machine.target.isa;
  const auto source = [&](const char* name) {
    return machine.decoded(std::string("s_mov_b32 s0, ") + name + "\n").src[0].index;
  };
  CHECK(source("m0") == kM0);
  CHECK(source("vcc_lo") == kVccLo);
  CHECK(source("exec_hi") == kExecHi);
  CHECK(source("ttmp0") == kTtmp0);
  CHECK(machine.assembler.accepts("s_mov_b32 s0, null\n") == (isa.null != kNoRegister));
  if (isa.null != kNoRegister) {
    CHECK(source("null") == kNull);
    CHECK(machine.decoded("s_mov_b32 null, s0\n").sdst.index == kNull);
  }
  // The number in operand encoding is the word's low byte.
  const auto number = [&](const char* name) {
    return machine.assembler.assemble(std::string("s_mov_b32 s0, ") + name + "\n").at(0);
  };
  CHECK(number("m0") == isa.m0);
  if (isa.null != kNoRegister) CHECK(number("null") == isa.null);
  const bool has_flat_scratch = machine.target.family->private_memory == codeobject::PrivateMemory::Buffer ||
                                machine.target.processor->family == Family::Gfx94 ||
                                machine.target.processor->family == Family::Gfx950;
  if (isa.flat_scratch != kNoRegister && has_flat_scratch) CHECK(number("flat_scratch_lo") == isa.flat_scratch);
  CHECK(machine.assembler.accepts("s_mov_b32 s0, xnack_mask_lo\n") == (isa.xnack_mask != kNoRegister));
  // SGPRs that code can name end where the special registers begin.
  const uint32_t sgprs = machine.target.family->sgprs;
  CHECK(machine.assembler.accepts("s_mov_b32 s0, s" + std::to_string(sgprs - 1) + "\n"));
  CHECK_FALSE(machine.assembler.accepts("s_mov_b32 s0, s" + std::to_string(sgprs) + "\n"));
}

TEST_CASE("offsets of memory instructions reach as far as rows say, and decode to what was written", "[target]") {
  const std::string processor = GENERATE(from_range(std::begin(kProcessors), std::end(kProcessors)));
  INFO(processor);
  Machine machine(processor.c_str());
  const IsaFacts& isa = *machine.target.isa;
  const auto check_range = [&](const std::string& before, unsigned bits) {
    const int64_t lowest = -(int64_t(1) << (bits - 1)), highest = -lowest - 1;
    for (const int64_t offset : {lowest, int64_t(-1), int64_t(8), highest}) {
      INFO(before << offset);
      CHECK(machine.decoded(before + std::to_string(offset) + "\n").offset == offset);
    }
    INFO(before << bits);
    CHECK_FALSE(machine.assembler.accepts(before + std::to_string(lowest - 1) + "\n"));
    CHECK_FALSE(machine.assembler.accepts(before + std::to_string(highest + 1) + "\n"));
  };
  check_range("global_load_dword v0, v[2:3], off offset:", isa.global_offset_bits);
  check_range("scratch_load_dword v0, v2, off offset:", isa.global_offset_bits);
  if (isa.flat_offset == FlatOffset::Signed)
    check_range("flat_load_dword v0, v[2:3] offset:", isa.global_offset_bits);
  else
    CHECK_FALSE(machine.assembler.accepts("flat_load_dword v0, v[2:3] offset:-1\n"));
  check_range("s_load_dword s0, s[2:3], ", isa.scalar_offset_bits);
}

TEST_CASE("hardware registers have the meaning that their names have", "[target]") {
  const std::pair<const char*, HardwareRegister> names[] = {
      {"HW_REG_MODE", HardwareRegister::Mode},
      {"HW_REG_STATUS", HardwareRegister::Status},
      {"HW_REG_HW_ID", HardwareRegister::HardwareId},
      {"HW_REG_HW_ID1", HardwareRegister::HardwareId},
      {"HW_REG_GPR_ALLOC", HardwareRegister::Allocation},
      {"HW_REG_WAVE_GPR_ALLOC", HardwareRegister::Allocation},
      {"HW_REG_LDS_ALLOC", HardwareRegister::Allocation},
      {"HW_REG_WAVE_LDS_ALLOC", HardwareRegister::Allocation},
      {"HW_REG_SH_MEM_BASES", HardwareRegister::MemoryBases},
      {"HW_REG_FLAT_SCR_LO", HardwareRegister::FlatScratchLo},
      {"HW_REG_FLAT_SCR_HI", HardwareRegister::FlatScratchHi},
      {"HW_REG_WAVE_SCRATCH_BASE_LO", HardwareRegister::FlatScratchLo},
      {"HW_REG_WAVE_SCRATCH_BASE_HI", HardwareRegister::FlatScratchHi},
      {"HW_REG_SHADER_CYCLES", HardwareRegister::ShaderCyclesLo},
      {"HW_REG_SHADER_CYCLES_LO", HardwareRegister::ShaderCyclesLo},
      {"HW_REG_SHADER_CYCLES_HI", HardwareRegister::ShaderCyclesHi},
  };
  const std::string processor = GENERATE(from_range(std::begin(kProcessors), std::end(kProcessors)));
  INFO(processor);
  Machine machine(processor.c_str());
  std::map<uint32_t, HardwareRegister> expected;
  for (const auto& [name, meaning] : names) {
    const std::string text = std::string("s_getreg_b32 s0, hwreg(") + name + ")\n";
    if (machine.assembler.accepts(text)) expected[uint32_t(machine.decoded(text).simm16) & 63] = meaning;
  }
  for (uint32_t number = 0; number < kHardwareRegisters; ++number) {
    INFO(number);
    const auto found = expected.find(number);
    CHECK(machine.target.hardware_register(number) ==
          (found == expected.end() ? HardwareRegister::None : found->second));
  }
}
