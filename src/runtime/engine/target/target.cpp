// runtime/engine/target/target.cpp - see target.h.
#include "runtime/engine/target/target.h"

#include "runtime/engine/wave/wave.h"

#include <initializer_list>
#include <vector>

namespace hip::engine {
namespace {

using codeobject::Family;

constexpr uint8_t None = kNoRegister; // as isa.def spells it

constexpr std::array<HardwareRegister, kHardwareRegisters> hardware_registers_of(Family family) {
  std::array<HardwareRegister, kHardwareRegisters> registers{};
#define HARDWARE_REGISTER(number, first, last, meaning)                                                                \
  if (family >= Family::first && family <= Family::last) registers[number] = HardwareRegister::meaning;
#include "runtime/engine/target/hardware_registers.def"
#undef HARDWARE_REGISTER
  return registers;
}

constexpr uint32_t feature_set(std::initializer_list<IsaFeature> features) {
  uint32_t set = 0;
  for (IsaFeature feature : features) set |= 1u << unsigned(feature);
  return set;
}

using enum IsaFeature;
struct IsaRow {
  Family family;
  IsaFacts facts;
};
constexpr IsaRow kIsaRows[] = {
#define ISA_FAMILY(family, m0, null, flat_scratch, xnack_mask, global_bits, flat, scalar_bits, counters, buffers, ...) \
  {Family::family,                                                                                                     \
   {m0, null, flat_scratch, xnack_mask, global_bits, FlatOffset::flat, scalar_bits, WaitCounters::counters,            \
    BufferGeneration::buffers, feature_set({__VA_ARGS__}), hardware_registers_of(Family::family)}},
#include "runtime/engine/target/isa.def"
#undef ISA_FAMILY
};

constexpr bool one_row_for_each_family() {
  size_t next = 0;
#define AMDGPU_FAMILY(name, ...)                                                                                       \
  if (next >= std::size(kIsaRows) || kIsaRows[next++].family != Family::name) return false;
#include "runtime/codeobject/families.def"
#undef AMDGPU_FAMILY
  return next == std::size(kIsaRows);
}
static_assert(one_row_for_each_family(), "isa.def has the families of families.def, in the same order");

std::vector<Target> make_targets() {
  std::vector<Target> targets;
  for (const codeobject::Processor& processor : codeobject::processors())
    targets.push_back({&processor, &processor.facts(), &kIsaRows[size_t(processor.family)].facts});
  return targets;
}

const std::vector<Target>& targets() {
  static const std::vector<Target>& all = *new std::vector<Target>(make_targets()); // never destroyed: see exit.cpp
  return all;
}

} // namespace

uint32_t Target::sgpr_index(uint32_t number) const noexcept {
  if (number == isa->m0) return kM0;
  if (number == isa->null) return kNull;
  return number;
}

const Target* find_target(std::string_view name) noexcept {
  for (const Target& target : targets())
    if (name == target.name()) return &target;
  return nullptr;
}

std::string executed_targets() {
  std::string names;
  for (const Target& target : targets())
    if (target.executes()) names.append(names.empty() ? "" : ", ").append(target.name());
  return names;
}

} // namespace hip::engine
