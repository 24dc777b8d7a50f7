// runtime/engine/compile/quick/allocate.cpp - see allocate.h. An instruction reads at point 2n and writes at 2n + 1; a
// range includes both ends.
#include "runtime/engine/compile/quick/allocate.h"

#include <algorithm>
#include <numeric>
#include <utility>

namespace hip::engine::compile::quick {
namespace {

struct Range {
  uint32_t begin, end;
};

// Which points of a physical register, or of a slot, are taken.
class Occupied {
public:
  explicit Occupied(uint32_t points) : words_(points / 64 + 1) {}
  bool is_free(const std::vector<Range>& ranges) const {
    for (const Range& r : ranges) {
      const uint32_t first = r.begin / 64, last = r.end / 64;
      const uint64_t head = ~uint64_t{0} << (r.begin % 64), tail = ~uint64_t{0} >> (63 - r.end % 64);
      if (first == last) {
        if (words_[first] & head & tail) return false;
        continue;
      }
      if ((words_[first] & head) || (words_[last] & tail)) return false;
      for (uint32_t k = first + 1; k < last; ++k)
        if (words_[k]) return false;
    }
    return true;
  }
  void take(const std::vector<Range>& ranges) {
    for (const Range& r : ranges) {
      const uint32_t first = r.begin / 64, last = r.end / 64;
      const uint64_t head = ~uint64_t{0} << (r.begin % 64), tail = ~uint64_t{0} >> (63 - r.end % 64);
      if (first == last) {
        words_[first] |= head & tail;
        continue;
      }
      words_[first] |= head, words_[last] |= tail;
      for (uint32_t k = first + 1; k < last; ++k) words_[k] = ~uint64_t{0};
    }
  }

private:
  std::vector<uint64_t> words_;
};

bool meet(const std::vector<Range>& a, const std::vector<Range>& b) {
  auto x = a.begin(), y = b.begin();
  while (x != a.end() && y != b.end()) {
    if (x->end < y->begin)
      ++x;
    else if (y->end < x->begin)
      ++y;
    else
      return true;
  }
  return false;
}

class Allocator {
public:
  explicit Allocator(const Function& f)
      : f_(f), ranges_(f.classes.size()), worth_(f.classes.size(), 0.0f), merged_(f.classes.size()) {
    std::iota(merged_.begin(), merged_.end(), 0u);
  }

  Allocation run() {
    find_definitions();
    find_ranges();
    merge_copies();
    find_calls_across();
    assign();
    return finish();
  }

private:
  static constexpr uint32_t kNowhere = ~0u;

  template<class Use> void each_use(const Inst& inst, const Use& use) const {
    for (const Reg r : inst.source)
      if (r) use(r);
    if (inst.mask) use(inst.mask);
    if (inst.memory.base) use(inst.memory.base);
    if (inst.memory.index) use(inst.memory.index);
    if (inst.def && inst.is_tied()) use(inst.def);
    if (inst.op == Op::ParallelCopy)
      for (const Move& move : f_.moves[size_t(inst.imm)]) use(move.from);
    if (inst.op == Op::Call || inst.op == Op::TailCall || inst.op == Op::Return) {
      const CallInfo& call = f_.calls[size_t(inst.imm)];
      for (const auto& argument : call.arguments) use(argument.reg);
      if (call.target) use(call.target);
    }
  }
  template<class Def> void each_definition(const Inst& inst, const Def& def) const {
    if (inst.def) def(inst.def);
    if (inst.op == Op::ParallelCopy)
      for (const Move& move : f_.moves[size_t(inst.imm)]) def(move.to);
    if (inst.op == Op::Enter)
      for (const auto& argument : f_.calls[size_t(inst.imm)].arguments) def(argument.reg);
  }

  // Where each register is written first: of a block parameter, the block's begin.
  void find_definitions() {
    definition_.assign(f_.classes.size(), kNowhere);
    block_of_.assign(f_.classes.size(), kNowhere);
    std::vector<bool> is_parameter(f_.classes.size());
    for (const auto& [reg, block] : f_.parameters) {
      definition_[reg] = 2 * f_.blocks[block].first, block_of_[reg] = block;
      is_parameter[reg] = true;
    }
    for (uint32_t b = 0; b < f_.blocks.size(); ++b)
      for (uint32_t n = f_.blocks[b].first; n < f_.blocks[b].end; ++n)
        each_definition(f_.insts[n], [&](Reg r) {
          worth_[r] += f_.blocks[b].runs;
          if (is_parameter[r]) {
            // It lives from the copy to the end of the block that jumps to its own.
            ranges_[r].push_back({2 * n + 1, 2 * f_.blocks[b].end - 1});
          } else if (definition_[r] == kNowhere) {
            definition_[r] = 2 * n + 1, block_of_[r] = b;
          }
        });
  }

  // A use reaches back to the definition, through all blocks on the way.
  void find_ranges() {
    const size_t words = f_.classes.size() / 64 + 1;
    std::vector<uint64_t> lives_out(f_.blocks.size() * words); // at the block's end
    std::vector<uint32_t> seen(f_.classes.size(), kNowhere);   // the block in which a use was met last
    std::vector<uint32_t> wait;
    const auto reach = [&](Reg r, uint32_t block, uint32_t point) {
      if (block_of_[r] == block) return ranges_[r].push_back({std::min(definition_[r], point), point});
      ranges_[r].push_back({2 * f_.blocks[block].first, point});
      wait.insert(wait.end(), f_.blocks[block].from.begin(), f_.blocks[block].from.end());
      while (!wait.empty()) {
        const uint32_t from = wait.back();
        wait.pop_back();
        uint64_t& word = lives_out[from * words + r / 64];
        if (word >> (r % 64) & 1) continue;
        word |= uint64_t{1} << (r % 64);
        const Block& b = f_.blocks[from];
        if (block_of_[r] == from) {
          ranges_[r].push_back({definition_[r], 2 * b.end - 1});
          continue;
        }
        ranges_[r].push_back({2 * b.first, 2 * b.end - 1});
        wait.insert(wait.end(), b.from.begin(), b.from.end());
      }
    };
    for (uint32_t b = 0; b < f_.blocks.size(); ++b)
      for (uint32_t n = f_.blocks[b].end; n-- > f_.blocks[b].first;) {
        each_use(f_.insts[n], [&](Reg r) {
          worth_[r] += f_.blocks[b].runs;
          if (seen[r] == b) return; // a later use has reached further
          seen[r] = b;
          reach(r, b, 2 * n);
        });
        each_definition(f_.insts[n], [&](Reg r) {
          // Written and never read.
          if (definition_[r] == 2 * n + 1 && ranges_[r].empty()) ranges_[r].push_back({2 * n + 1, 2 * n + 1});
        });
      }
    for (auto& ranges : ranges_) normalise(ranges);
  }

  // Ranges that end where an instruction reads and begin where it writes stay two: a call may be in between.
  static void normalise(std::vector<Range>& ranges) {
    std::ranges::sort(ranges, {}, &Range::begin);
    size_t kept = 0;
    for (const Range& r : ranges) {
      if (kept && (r.begin <= ranges[kept - 1].end || (r.begin == ranges[kept - 1].end + 1 && r.begin % 2 == 0)))
        ranges[kept - 1].end = std::max(ranges[kept - 1].end, r.end);
      else
        ranges[kept++] = r;
    }
    ranges.resize(kept);
  }

  Reg find(Reg r) {
    while (merged_[r] != r) r = merged_[r] = merged_[merged_[r]];
    return r;
  }

  void merge_copies() {
    struct Copy {
      float runs;
      Reg to, from;
    };
    std::vector<Copy> copies;
    for (const Block& b : f_.blocks)
      for (uint32_t n = b.first; n < b.end; ++n) {
        const Inst& inst = f_.insts[n];
        if (inst.op == Op::Copy) copies.push_back({b.runs, inst.def, inst.source[0]});
        if (inst.op == Op::ParallelCopy)
          for (const Move& move : f_.moves[size_t(inst.imm)]) copies.push_back({b.runs, move.to, move.from});
      }
    std::ranges::sort(copies, [](const Copy& a, const Copy& b) {
      return a.runs != b.runs ? a.runs > b.runs : a.to != b.to ? a.to < b.to : a.from < b.from;
    });
    for (const Copy& copy : copies) {
      const Reg a = find(copy.to), b = find(copy.from);
      if (a == b || f_.classes[a] != f_.classes[b]) continue;
      if (meet(ranges_[a], ranges_[b])) {
        hints_.push_back({a, b});
        continue;
      }
      auto& all = ranges_[a];
      all.insert(all.end(), ranges_[b].begin(), ranges_[b].end());
      normalise(all);
      ranges_[b].clear();
      worth_[a] += worth_[b] - 2 * copy.runs;
      merged_[b] = a;
    }
  }

  // Which registers live across calls.
  void find_calls_across() {
    crosses_.assign(f_.classes.size(), 0.0f);
    for (const Block& b : f_.blocks)
      for (uint32_t n = b.first; n < b.end; ++n)
        if (f_.insts[n].op == Op::Call) {
          calls_.push_back({n, b.runs});
          calls_that_preserve_none_ |= f_.calls[size_t(f_.insts[n].imm)].preserves_none;
        }
    for (Reg r = 1; r < f_.classes.size(); ++r)
      for (const Range& range : ranges_[r]) {
        auto at = std::ranges::lower_bound(calls_, range.begin / 2, {}, [](const auto& call) { return call.first; });
        for (; at != calls_.end() && 2 * at->first < range.end; ++at)
          if (range.begin < 2 * at->first + 1) crosses_[r] += at->second;
      }
  }

  static bool survives_calls(RegClass c, uint32_t number) { return c == RegClass::General && is_callee_saved(number); }

  void assign() {
    const auto points = uint32_t(2 * f_.insts.size() + 2);
    std::array<std::vector<uint32_t>, kRegClasses> numbers;
    if (f_.saves_registers) // its caller's registers come last
      numbers[0] = {phys::rax, phys::rcx, phys::rdx, phys::rsi, phys::rdi, phys::r8, phys::r9,
                    phys::rbx, phys::rbp, phys::r12, phys::r13, phys::r14, phys::r15};
    else
      numbers[0] = {phys::rax, phys::rcx, phys::rdx, phys::rsi, phys::rdi, phys::r8,
                    phys::r9,  phys::rbx, phys::r14, phys::r15, phys::r12, phys::r13}; // preserve_none preserves rbp
    for (uint32_t k = 0; k < kScratchVector[0]; ++k) numbers[1].push_back(k);
    for (uint32_t k = 1; k < kScratchMask[1]; ++k) numbers[2].push_back(k);
    std::array<std::vector<Occupied>, kRegClasses> occupied;
    occupied[0].assign(16, Occupied(points)), occupied[1].assign(32, Occupied(points)),
        occupied[2].assign(8, Occupied(points));

    std::vector<std::vector<Reg>> relatives(f_.classes.size());
    for (const auto& [a, b] : hints_) {
      const Reg x = find(a), y = find(b);
      if (x != y) relatives[x].push_back(y), relatives[y].push_back(x);
    }
    std::vector<int8_t> fixed(f_.classes.size(), -1); // where an argument arrives or leaves
    for (const CallInfo& call : f_.calls) {
      for (const auto& argument : call.arguments)
        if (!argument.on_stack) fixed[find(argument.reg)] = int8_t(argument.number);
      if (call.result.reg) fixed[find(call.result.reg)] = int8_t(call.result.number);
    }

    struct Wish {
      float worth;
      Reg reg;
    };
    std::vector<Wish> order;
    for (Reg r = 1; r < f_.classes.size(); ++r) {
      if (find(r) != r || ranges_[r].empty()) continue;
      uint32_t length = 0;
      for (const Range& range : ranges_[r]) length += range.end - range.begin + 1;
      order.push_back({worth_[r] / float(length + 8), r});
    }
    std::ranges::sort(
        order, [](const Wish& a, const Wish& b) { return a.worth != b.worth ? a.worth > b.worth : a.reg < b.reg; });
    places_.resize(f_.classes.size());
    for (const Wish& wish : order) {
      const Reg r = wish.reg;
      const auto c = size_t(f_.classes[r]);
      int chosen = -1;
      const auto consider = [&](uint32_t number) {
        if (chosen < 0 && occupied[c][number].is_free(ranges_[r])) chosen = int(number);
      };
      const bool crosses = crosses_[r] > 0;
      const auto is_allowed = [&](uint32_t number) {
        return std::ranges::find(numbers[c], number) != numbers[c].end();
      };
      for (const Reg relative : relatives[r])
        if (places_[relative].in_register && (!crosses || c != 0 || is_callee_saved(places_[relative].number)))
          consider(places_[relative].number);
      if (fixed[r] >= 0 && is_allowed(uint32_t(fixed[r])) &&
          (!crosses || survives_calls(RegClass(c), uint32_t(fixed[r]))))
        consider(uint32_t(fixed[r]));
      if (crosses && c == 0)
        for (auto at = numbers[c].rbegin(); at != numbers[c].rend(); ++at)
          if (is_callee_saved(*at)) consider(*at);
      for (const uint32_t number : numbers[c]) consider(number);
      // Saving it around calls costs more than each of its uses from memory would.
      if (chosen >= 0 && crosses && !survives_calls(RegClass(c), uint32_t(chosen)) && 2 * crosses_[r] > worth_[r])
        chosen = -1;
      if (chosen < 0) {
        give_slot(r);
        continue;
      }
      occupied[c][size_t(chosen)].take(ranges_[r]);
      places_[r].in_register = true, places_[r].number = uint16_t(chosen);
    }
  }

  // A place in memory, which others may share that live at other times.
  void give_slot(Reg r) {
    const bool is_vector = f_.classes[r] == RegClass::Vector;
    auto& slots = is_vector ? vector_slots_ : small_slots_;
    size_t k = 0;
    while (k < slots.size() && !slots[k].is_free(ranges_[r])) ++k;
    if (k == slots.size()) slots.emplace_back(uint32_t(2 * f_.insts.size() + 2));
    slots[k].take(ranges_[r]);
    places_[r].slot = int32_t(k);
  }

  Allocation finish() {
    Allocation out;
    out.saved.resize(f_.calls.size());
    for (Reg r = 1; r < f_.classes.size(); ++r) {
      if (find(r) != r || !places_[r].in_register || crosses_[r] == 0) continue;
      const RegClass c = f_.classes[r];
      const bool survives = survives_calls(c, places_[r].number);
      if (survives && !calls_that_preserve_none_) continue;
      bool is_saved = false;
      for (const Range& range : ranges_[r]) {
        auto at = std::ranges::lower_bound(calls_, range.begin / 2, {}, [](const auto& call) { return call.first; });
        for (; at != calls_.end() && 2 * at->first < range.end; ++at)
          if (const auto call = size_t(f_.insts[at->first].imm);
              range.begin < 2 * at->first + 1 && (!survives || f_.calls[call].preserves_none)) {
            if (!std::exchange(is_saved, true)) give_slot(r);
            out.saved[call].push_back(r);
          }
      }
    }
    const auto vectors = uint32_t(64 * vector_slots_.size());
    out.slot_bytes = vectors + uint32_t(8 * small_slots_.size());
    out.places.resize(f_.classes.size());
    for (Reg r = 1; r < f_.classes.size(); ++r) {
      Place place = places_[find(r)];
      if (place.slot >= 0)
        place.slot = f_.classes[r] == RegClass::Vector ? 64 * place.slot : int32_t(vectors) + 8 * place.slot;
      if (place.in_register && f_.classes[r] == RegClass::General) out.general_used |= 1u << place.number;
      out.places[r] = place;
    }
    return out;
  }

  const Function& f_;
  std::vector<std::vector<Range>> ranges_; // by register, ascending; of merged ones, all in the first's
  std::vector<float> worth_;               // uses and definitions, as often as they run
  std::vector<Reg> merged_;
  std::vector<uint32_t> definition_, block_of_;
  std::vector<std::pair<Reg, Reg>> hints_;        // copies that remain
  std::vector<std::pair<uint32_t, float>> calls_; // instructions, and how often they run
  bool calls_that_preserve_none_ = false;
  std::vector<float> crosses_;
  std::vector<Place> places_; // slots as numbers
  std::vector<Occupied> vector_slots_, small_slots_;
};

} // namespace

Allocation allocate(const Function& function) { return Allocator(function).run(); }

} // namespace hip::engine::compile::quick
