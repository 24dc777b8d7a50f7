// Any bytes as machine code of any processor that the engine may meet: decoded, printed and lifted for tier 0, and read as a
// function by the translator. Nothing is executed. The first byte chooses the processor, the second where the code starts.
#include "runtime/base/status.h"
#include "runtime/engine/compile/read/code.h"
#include "runtime/engine/compile/read/renames.h"
#include "runtime/engine/interpret/program.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <llvm/IR/LLVMContext.h>

using namespace hip::engine;

namespace {

constexpr const char* kTargets[] = {"gfx90a",  "gfx942",  "gfx950",  "gfx1010",
                                    "gfx1030", "gfx1100", "gfx1151", "gfx1201"};
constexpr size_t kLongestCode = 256; // the rest of a longer input is left out
// What a decoder allocates for literals it keeps as long as it lives.
constexpr unsigned kRunsPerDecoder = 10'000;

std::unique_ptr<Decoder> new_decoder(const char* target) {
  auto decoder = Decoder::create(target);
  RT_CHECK(decoder.ok(), "LLVM knows the processor");
  return std::move(decoder.value());
}

Decoder& decoder_for(size_t target) {
  struct Slot {
    std::unique_ptr<Decoder> decoder;
    unsigned runs = 0;
  };
  static Slot slots[std::size(kTargets)];
  Slot& slot = slots[target];
  if (slot.runs++ % kRunsPerDecoder == 0) slot.decoder = new_decoder(kTargets[target]);
  return *slot.decoder;
}

const OpTable& ops() {
  static const OpTable table(*host_levels().back()); // the level that every host has
  return table;
}

const compile::Library& instruction_library() {
  static llvm::LLVMContext context;
  static const auto loaded = compile::Library::load(context, HostIsa::Avx2);
  RT_CHECK(loaded.ok(), "the library of instructions is part of this program");
  return *loaded.value();
}

class OneProgram final : public ProgramDirectory {
public:
  Program* program_at(uint64_t address) noexcept override { return program && program->holds(address) ? program : nullptr; }
  Program* program = nullptr;
};

void decode_everywhere(Decoder& decoder, std::span<const uint8_t> code) {
  for (size_t at = 0; at < code.size(); ++at) {
    const std::span<const uint8_t> rest = code.subspan(at);
    RawInst raw;
    decoder.decode(rest, at, raw);
    RT_CHECK(raw.source_count <= kMaxSources, "an instruction has a bounded number of sources");
    RT_CHECK(raw.size_bytes >= 4 && raw.size_bytes % 4 == 0, "instructions are dwords");
    RT_CHECK(raw.format == Format::Invalid || raw.size_bytes <= rest.size(), "an instruction ends where its bytes end");
    const std::string text = decoder.text(rest, at);
    RT_CHECK((raw.format == Format::Invalid) == text.starts_with(".long"), "what decodes has a text, and nothing else has");
  }
}

// One program for many inputs, for it takes long to make one: each input is a function of its own in a large range of code.
class Lifter {
public:
  explicit Lifter(const char* target) : code_(kFunctions * kLongestCode) {
    CodeRange range;
    range.base = reinterpret_cast<uint64_t>(code_.data());
    range.bytes = code_.size();
    range.target = target;
    for (size_t k = 0; k < kFunctions; ++k) range.symbols.push_back({range.base + k * kLongestCode, kLongestCode, "fuzzed"});
    program_ = std::make_unique<Program>(range, new_decoder(target), ops(), directory_);
    directory_.program = program_.get();
  }
  bool full() const { return next_ == kFunctions; }

  void lift(std::span<const uint8_t> code, size_t start) {
    uint8_t* const function = code_.data() + next_++ * kLongestCode;
    std::memcpy(function, code.data(), code.size());
    for (size_t at = 0; at <= code.size(); ++at) {
      const uint64_t address = reinterpret_cast<uint64_t>(function) + (start + at) % (code.size() + 1);
      (void)program_->lift_alone(address);
      RT_CHECK(program_->resolve(address)->run != nullptr, "every address has an element");
      (void)program_->unsupported_reason(address);
      if (at % 4 == 0) (void)program_->describe(address);
    }
  }

private:
  static constexpr size_t kFunctions = 4096;
  std::vector<uint8_t> code_;
  OneProgram directory_;
  std::unique_ptr<Program> program_;
  size_t next_ = 0;
};

void lift(size_t target, std::span<const uint8_t> code, size_t start) {
  static std::unique_ptr<Lifter> lifters[std::size(kTargets)];
  std::unique_ptr<Lifter>& lifter = lifters[target];
  if (!lifter || lifter->full()) lifter = std::make_unique<Lifter>(kTargets[target]);
  lifter->lift(code, start);
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size < 6) return 0;
  const size_t target = data[0] % std::size(kTargets);
  // A copy of exactly this size, aligned as code is: what is read behind it is noticed.
  const size_t bytes = std::min(size - 2, kLongestCode);
  std::unique_ptr<uint8_t, decltype(&std::free)> copy(static_cast<uint8_t*>(std::malloc(bytes)), &std::free);
  std::memcpy(copy.get(), data + 2, bytes);
  const std::span<const uint8_t> code(copy.get(), bytes);
  const size_t start = data[1] % (bytes / 4) * 4;

  Decoder& decoder = decoder_for(target);
  decode_everywhere(decoder, code);
  lift(target, code, start);
  const uint64_t begin = reinterpret_cast<uint64_t>(code.data());
  compile::Code read = compile::read_code(decoder, instruction_library(), begin + start, begin + bytes / 4 * 4);
  compile::rename_temporaries(read);
  return 0;
}
