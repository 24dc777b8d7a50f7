// runtime/engine/code_ranges.h - which program holds an address. Waves ask when they jump, so lookups take no lock.
//
// Thread safety: at() from any thread at any time; changes by one thread at a time. A program that is found lives until
// its range is removed, which its user has nothing execute before. Memory ordering: a sequence lock. A lookup that
// meets a change begins again; what a program was before it was put in is seen by who finds it (release/acquire on the
// pointer).
#pragma once

#include "runtime/engine/interpret/program.h"

#include <atomic>
#include <cstdint>
#include <memory>
#include <vector>

namespace hip::engine {

class CodeRanges {
public:
  CodeRanges();
  CodeRanges(const CodeRanges&) = delete;
  CodeRanges& operator=(const CodeRanges&) = delete;

  struct Found {
    Program* program = nullptr;      // null: no range holds the address
    Program* instrumented = nullptr; // the same code in its other form, when a launch has asked for it
  };
  Found at(uint64_t address) const noexcept;

  // The program whose range has a byte in common with this one; null: none.
  const Program* overlapping(uint64_t base, uint64_t bytes) const noexcept;
  // The program's range must overlap none. When std::bad_alloc is thrown nothing has changed.
  void insert(std::shared_ptr<Program> program);
  void set_instrumented(uint64_t base, std::shared_ptr<Program> program) noexcept;
  // Nothing happens when no range begins there.
  void erase(uint64_t base) noexcept;

private:
  struct Slot {
    std::atomic<uint64_t> base{0}, end{0};
    std::atomic<Program*> program{nullptr}, instrumented{nullptr};
  };
  struct Table {
    explicit Table(size_t capacity) : capacity(capacity), slots(std::make_unique<Slot[]>(capacity)) {}
    const size_t capacity;
    const std::unique_ptr<Slot[]> slots;
  };
  struct Owned {
    std::shared_ptr<Program> program, instrumented;
  };
  // Copies owned_ to the current table.
  void publish() noexcept;

  std::vector<Owned> owned_; // by ascending base
  // The current one last. Smaller ones stay, because a lookup may still be in them; together they are as large as the
  // last.
  std::vector<std::unique_ptr<Table>> tables_;
  std::atomic<const Table*> table_{nullptr};
  std::atomic<size_t> count_{0};
  std::atomic<uint64_t> sequence_{0}; // odd while the table is being changed
};

} // namespace hip::engine
