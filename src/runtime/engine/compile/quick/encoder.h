// runtime/engine/compile/quick/encoder.h - bytes of host instructions whose registers are physical ones.
#pragma once

#include "runtime/engine/compile/quick/machine.h"

#include <cstdint>
#include <vector>

namespace hip::engine::compile::quick {

// The registers of an Inst as numbers: 0 to 15 of general registers, 0 to 31 of vectors, 0 to 7 of masks.
struct PhysicalOperands {
  uint32_t def = 0, a = 0, b = 0, mask = 0, base = 0, index = 0;
};

class Encoder {
public:
  // Distances to constants and blocks are not known yet when their users are encoded: 4 bytes each, relative to their
  // end.
  struct Distance {
    uint32_t at = 0;  // where its 4 bytes lie
    uint32_t end = 0; // where the instruction ends
    bool to_block = false;
    uint32_t target = 0; // a block, or an offset into the pool of constants
  };

  // A machine instruction. `frame` is where allocas begin, in bytes above rsp.
  void encode(const Inst& inst, const PhysicalOperands& at, uint32_t frame);

  // What pseudo instructions consist of.
  void address(uint32_t to, const Memory& memory, uint32_t base, uint32_t index); // lea; a slot's from rsp
  void jump(uint32_t block);
  void jump_if(Condition condition, uint32_t block);
  void move_general(uint32_t to, uint32_t from);
  void exchange_general(uint32_t a, uint32_t b);
  void move_vector(uint32_t to, uint32_t from);
  void move_mask(uint32_t to, uint32_t from);
  void load_general(uint32_t to, uint32_t base, int32_t displacement);
  void store_general(uint32_t base, int32_t displacement, uint32_t from);
  void load_vector(uint32_t to, uint32_t base, int32_t displacement);
  void store_vector(uint32_t base, int32_t displacement, uint32_t from);
  void load_mask(uint32_t to, uint32_t base, int32_t displacement);
  void store_mask(uint32_t base, int32_t displacement, uint32_t from);
  void add_to_general(uint32_t to, int32_t number);
  void align_general(uint32_t reg, int8_t mask); // and reg, mask
  void push(uint32_t reg);
  void pop(uint32_t reg);
  void ret() { byte(0xc3); }
  void trap() { byte(0x0f), byte(0x0b); }
  uint32_t call(); // to a symbol: returns where the 4 bytes of the distance lie
  void call_general(uint32_t reg);
  void jump_general(uint32_t reg);

  void byte(uint32_t value) { code.push_back(std::byte(value)); }
  uint32_t size() const noexcept { return uint32_t(code.size()); }
  void patch(uint32_t at, uint32_t value);

  std::vector<std::byte> code;
  std::vector<Distance> distances;

private:
  struct Rm {                       // what ModRM.rm and SIB name
    const Memory* memory = nullptr; // null: the register
    uint32_t reg = 0, base = 0, index = 0;
    int32_t frame = 0;
  };
  void dword(uint32_t value);
  void legacy(const OpRow& row, uint32_t bytes, uint32_t reg, const Rm& rm, bool byte_registers, uint32_t imm_bytes);
  void vex(const OpRow& row, bool wide, uint32_t l, uint32_t reg, uint32_t vvvv, const Rm& rm, uint32_t imm_bytes);
  void evex(const Inst& inst, uint32_t reg, uint32_t vvvv, const Rm& rm, uint32_t mask, uint32_t imm_bytes);
  void modrm(uint32_t reg, const Rm& rm, uint32_t scale_of_byte, uint32_t imm_bytes);
};

} // namespace hip::engine::compile::quick
