// tests/isa/code.h - assembled instructions as a mapped code range, and a wave to run them on.
#pragma once

#include "assembly.h"

#include "runtime/engine/interpret/program.h"
#include "runtime/engine/wave/turn.h"

#include <catch2/catch.hpp>

#include <cstdlib>
#include <cstring>
#include <memory>
#include <vector>

namespace isa_test {

using namespace hip::engine;

constexpr uint32_t kRows = 16;

struct WaveDeleter {
  void operator()(Wave* w) const {
    w->~Wave();
    std::free(w);
  }
};
inline std::unique_ptr<Wave, WaveDeleter> make_wave(uint32_t rows = kRows) {
  void* block = std::aligned_alloc(64, kWaveBytes);
  std::memset(block, 0, Wave::bytes_for(rows));
  std::unique_ptr<Wave, WaveDeleter> wave(new (block) Wave);
  wave->vgpr_rows = rows;
  return wave;
}

class OneRange : public ProgramDirectory {
public:
  Program* program = nullptr;
  Program* program_at(uint64_t address) noexcept override {
    return program && program->holds(address) ? program : nullptr;
  }
};

// The rows as one mapped code range.
class Code {
public:
  // `lanes`: of the waves; 0: the processor's default.
  Code(const std::vector<Row>& rows, const HostLevel& level, const char* target = "gfx942", uint32_t lanes = 0)
      : bytes_(assemble(rows, target, lanes)), ops_(level) {
    CodeRange range;
    range.base = reinterpret_cast<uint64_t>(bytes_.data());
    range.bytes = bytes_.size();
    range.target = target;
    range.wave_lanes = lanes;
    for (size_t i = 0; i < rows.size(); ++i)
      range.symbols.push_back({range.base + i * kSlotBytes, kSlotBytes, rows[i].text});
    auto decoder = Decoder::create(target, lanes);
    REQUIRE(decoder.ok());
    program_ = std::make_unique<Program>(std::move(range), std::move(decoder).value(), ops_, directory_);
    directory_.program = program_.get();
  }
  Program& program() { return *program_; }
  const Inst* entry(size_t row) {
    return program_->resolve(reinterpret_cast<uint64_t>(bytes_.data()) + row * kSlotBytes);
  }

private:
  std::vector<uint8_t> bytes_;
  OpTable ops_;
  OneRange directory_;
  std::unique_ptr<Program> program_;
};

inline void start(Wave& w, Code& code, size_t row) {
  w.program = &code.program();
  w.pc = code.entry(row);
  w.stop = Stop::None;
  w.fault = FaultKind::None;
  w.budget = {1 << 20, kTimeSliceBranches};
  w.waits = Waits::No;
  w.mode = kModeDx10Clamp | kModeIeee | 0xf0; // as the kernel descriptors of HIP kernels ask: all denormals on
}

} // namespace isa_test
