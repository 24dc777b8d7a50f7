// runtime/engine/tiering/translated.h - a loaded translation of a guest function: the host code of its regions, and the elements
// (Inst) that link regions, the handlers of instructions that are not translated, and the rest of the program.
// Thread safety: immutable once loaded.
#pragma once

#include "runtime/engine/interpret/program.h"
#include "runtime/engine/store/code_image.h"

#include <atomic>
#include <deque>
#include <memory>
#include <vector>

namespace hip::engine {

namespace compile {
struct Translation;
}

class TranslatedFunction {
public:
  // `begin` is the address in `program` of the function, or the part of one, of whose `bytes` bytes the translation was made; the program, which is the one for the
  // usual MODE, must outlive the result.
  static Result<std::unique_ptr<TranslatedFunction>> load(Program& program, uint64_t begin, uint64_t bytes,
                                                          const compile::Translation& translation);

  // The element at the function's first instruction.
  const Inst* start() const noexcept { return elements_.data(); }
  uint64_t begin() const noexcept { return begin_; }
  // Where waves may enter it that come from anywhere (Translation::entries). The element's src[0] is the MODE that they have.
  struct Entry {
    uint64_t address = 0;
    const Inst* element = nullptr;
  };
  const std::vector<Entry>& entries() const noexcept { return entries_; }
  // From now on waves that leave it for tier 0, because a check has failed, are counted there.
  void count_side_exits(std::atomic<uint32_t>& count) noexcept;
  size_t code_bytes() const noexcept;
  bool holds(const void* pc) const noexcept;
  // The guest instruction that host code at `pc`, which it holds, belongs to; 0 when unknown.
  uint64_t guest_pc_of(const void* pc) const noexcept;
  // Pieces of host code with the guest instruction that each belongs to, in the order of their addresses; 0: to none.
  struct Piece {
    uint64_t begin = 0, end = 0, guest_pc = 0;
  };
  std::vector<Piece> pieces() const;

private:
  uint64_t guest_pc_of_line(uint32_t line) const noexcept;

  std::vector<std::unique_ptr<CodeImage>> images_; // one for each object of the translation
  std::vector<Inst> elements_;
  std::deque<Inst> bails_; // elements at which tier 0 goes on: of side exits, and outside of the function
  std::vector<std::vector<const Inst*>> exits_; // by region: the elements at which it can leave
  std::vector<std::vector<Inst>> calls_;        // by region: the handlers that it calls, each in front of an element that returns
  std::vector<Entry> entries_;
  uint64_t begin_ = 0;
  std::vector<uint64_t> lines_;
};

} // namespace hip::engine
