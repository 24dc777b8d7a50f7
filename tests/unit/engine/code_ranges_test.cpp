// The engine's table of code ranges: what is found while it changes, and that nothing is kept of what goes.
#include "runtime/engine/code_ranges.h"

#include "good.h"

#include <atomic>
#include <catch2/catch.hpp>
#include <thread>

using namespace hip::engine;
using hip::test::good;

namespace {

// Nothing of it is executed.
alignas(64) constexpr uint32_t kCode[64] = {};

class NoDirectory final : public ProgramDirectory {
public:
  Program* program_at(uint64_t) noexcept override { return nullptr; }
};

struct Programs {
  std::string why;
  const OpTable ops{*choose_host_level(why)};
  NoDirectory directory;

  // Of the k-th 16 bytes of the code.
  std::shared_ptr<Program> make(size_t k) {
    CodeRange range;
    range.base = base(k), range.bytes = 16, range.target = "gfx942";
    return std::make_shared<Program>(range, good(Decoder::create("gfx942")), ops, directory);
  }
  static uint64_t base(size_t k) { return reinterpret_cast<uint64_t>(kCode) + 16 * k; }
};

} // namespace

TEST_CASE("A range is found at each of its bytes, and nowhere else") {
  Programs programs;
  CodeRanges ranges;
  CHECK(ranges.at(Programs::base(0)).program == nullptr);
  for (const size_t k : {5u, 1u, 3u}) ranges.insert(programs.make(k));
  for (size_t k = 0; k < 7; ++k)
    for (const uint64_t byte : {0u, 4u, 15u}) {
      const Program* const found = ranges.at(Programs::base(k) + byte).program;
      INFO(k << " " << byte);
      CHECK((found != nullptr) == (k % 2 == 1));
      if (found) CHECK(found->base() == Programs::base(k));
    }
  CHECK(ranges.overlapping(Programs::base(2), 16) == nullptr);
  CHECK(ranges.overlapping(Programs::base(2), 17)->base() == Programs::base(3));
  CHECK(ranges.overlapping(Programs::base(1) + 15, 1)->base() == Programs::base(1));

  const std::shared_ptr<Program> other = programs.make(3);
  ranges.set_instrumented(Programs::base(3), other);
  CHECK(ranges.at(Programs::base(3)).instrumented == other.get());
  CHECK(ranges.at(Programs::base(1)).instrumented == nullptr);
  ranges.erase(Programs::base(3) + 4); // no range begins there
  CHECK(ranges.at(Programs::base(3)).program != nullptr);
  ranges.erase(Programs::base(3));
  CHECK(ranges.at(Programs::base(3)).program == nullptr);
  CHECK(ranges.at(Programs::base(5)).program->base() == Programs::base(5));
}

TEST_CASE("A program goes with its range") {
  Programs programs;
  CodeRanges ranges;
  std::vector<std::weak_ptr<Program>> gone;
  for (int round = 0; round < 3; ++round) {
    for (size_t k = 0; k < 16; ++k) {
      std::shared_ptr<Program> program = programs.make(k);
      gone.push_back(program);
      ranges.insert(std::move(program));
    }
    for (size_t k = 0; k < 16; ++k) ranges.erase(Programs::base(k));
  }
  for (const auto& program : gone) CHECK(program.expired());
}

TEST_CASE("What stays mapped is found while others come and go") {
  Programs programs;
  CodeRanges ranges;
  ranges.insert(programs.make(7));
  std::atomic<bool> done{false};
  std::atomic<size_t> wrong{0}, looked{0};
  std::vector<std::thread> threads;
  for (int t = 0; t < 2; ++t)
    threads.emplace_back([&] {
      while (!done.load()) {
        const Program* const found = ranges.at(Programs::base(7) + 8).program;
        wrong += !found || found->base() != Programs::base(7);
        wrong += ranges.at(Programs::base(15)).program != nullptr;
        ++looked;
      }
    });
  for (int round = 0; round < 200 || looked < 1000; ++round)
    for (const size_t k : {2u, 9u, 11u, 4u}) {
      if (round % 2 == 0)
        ranges.insert(programs.make(k));
      else
        ranges.erase(Programs::base(k));
    }
  done = true;
  for (std::thread& thread : threads) thread.join();
  CHECK(wrong == 0);
}
