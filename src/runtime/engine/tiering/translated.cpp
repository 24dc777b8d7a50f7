// runtime/engine/tiering/translated.cpp - see translated.h.
#include "runtime/engine/tiering/translated.h"

#include "runtime/base/format.h"
#include "runtime/engine/compile/library/support.h"
#include "runtime/engine/compile/translator.h"
#include "runtime/engine/tiering/precompiled.h"

#include <algorithm>
#include <string_view>

// The linker's, of kPrecompiledSection.
extern "C" __attribute__((visibility("hidden"))) const char __start_omnihip_precompiled[], __stop_omnihip_precompiled[];

namespace hip::engine {
namespace {

// The element behind a handler that a region calls: it returns to the region.
void RT_HANDLER_CC run_return(Wave*, const Inst*) {}

// A side exit: a check has failed, and tier 0 goes on at the address in imm[1]. imm[0]: who counts it, or null.
void RT_HANDLER_CC run_side_exit(Wave* w, const Inst* i) {
  if (auto* count = reinterpret_cast<std::atomic<uint32_t>*>(i->imm[0])) count->fetch_add(1, std::memory_order_relaxed);
  RT_JUMP(w, w->program->resolve(i->imm[1]));
}

// The address of a function that translated code calls; null when there is none of that name.
const void* support_function(std::string_view name) {
#define OMNIHIP_SUPPORT_NAME(type, function, parameters)                                                               \
  if (name == #function) return reinterpret_cast<const void*>(&function);
  OMNIHIP_SUPPORT(OMNIHIP_SUPPORT_NAME)
#undef OMNIHIP_SUPPORT_NAME
  const auto functions = precompiled_functions();
  const auto it = std::lower_bound(functions.begin(), functions.end(), name,
                                   [](const PrecompiledFunction& f, std::string_view n) { return f.name < n; });
  return it != functions.end() && it->name == name ? it->address : nullptr;
}

} // namespace

Result<std::unique_ptr<TranslatedFunction>> TranslatedFunction::load(Program& program, uint64_t begin, uint64_t bytes,
                                                                     const compile::Translation& translation) {
  auto function = std::make_unique<TranslatedFunction>();
  for (const auto& object : translation.objects) {
    RT_TRY_ASSIGN(function->images_.emplace_back(), CodeImage::load(object, support_function));
  }
  function->begin_ = begin;
  function->lines_ = translation.lines;
  const auto& elements = translation.elements;
  // An instruction that tier 0 executes has its observer in front of it in an instrumented program.
  const bool instrumented = program.form() == CodeForm::Instrumented;
  // Whose handlers execute what is not translated: those of the other program look at MODE.
  Program& handlers = program.for_mode(translation.usual_mode ? kUsualFloatMode : 0);
  std::vector<size_t> place; // of each element's first Inst
  size_t count = 0;
  for (const auto& element : elements) {
    place.push_back(count);
    count += instrumented && element.region == compile::Translation::kNoRegion ? 2 : 1;
  }
  function->elements_.resize(count + 1);
  function->exits_.resize(translation.exits.size());
  auto element_at = [&](uint64_t offset) -> const Inst* {
    auto it = std::lower_bound(elements.begin(), elements.end(), offset,
                               [](const auto& e, uint64_t o) { return e.offset < o; });
    if (it != elements.end() && it->offset == offset) return &function->elements_[place[size_t(it - elements.begin())]];
    return &function->bails_.emplace_back(Program::enter_at(begin + offset)); // outside
  };
  for (size_t r = 0; r < translation.exits.size(); ++r)
    for (uint64_t offset : translation.exits[r]) {
      const bool tier_zero = offset & compile::Translation::kTierZero;
      if (!tier_zero) {
        function->exits_[r].push_back(element_at(offset));
        continue;
      }
      Inst& bail = function->bails_.emplace_back(Program::continue_at(begin + (offset & ~compile::Translation::kTierZero)));
      bail.run = run_side_exit;
      function->exits_[r].push_back(&bail);
    }
  function->calls_.resize(translation.calls.size());
  for (size_t r = 0; r < translation.calls.size(); ++r)
    for (uint64_t offset : translation.calls[r]) {
      const uint64_t address = begin + (offset & ~compile::Translation::kOffers);
      if (offset & compile::Translation::kOffers) {
        function->calls_[r].push_back(handlers.observer_of(address));
        function->calls_[r].back().run = run_offer;
      } else {
        function->calls_[r].push_back(handlers.lift_alone(address));
      }
      Inst& behind = function->calls_[r].emplace_back(function->calls_[r].back());
      behind.run = run_return;
    }
  for (size_t k = 0; k < elements.size(); ++k) {
    Inst& inst = function->elements_[place[k]];
    if (elements[k].region == compile::Translation::kNoRegion) {
      const uint64_t address = begin + elements[k].offset;
      if (instrumented) inst = handlers.observer_of(address);
      Inst& own = instrumented ? (&inst)[1] : inst;
      own = handlers.lift_alone(address);
      if (const auto target = handlers.branch_target(address)) // which lies outside
        own.imm[0] = reinterpret_cast<uint64_t>(&function->bails_.emplace_back(Program::enter_at(*target)));
      continue;
    }
    const std::string name = fmt::format("r{}", elements[k].region);
    void* run = nullptr;
    for (const auto& image : function->images_)
      if (!run) run = image->symbol(name);
    if (!run) return error(ErrorCode::Unknown, "The translation lacks its region {}.", elements[k].region);
    inst.run = reinterpret_cast<Handler>(run);
    const uint64_t batch = translation.batches[elements[k].region];
    inst.flags = (batch != compile::Translation::kAlone ? kRunsBatch : 0) | (batch == compile::Translation::kStartingBatch ? kStartsBatch : 0);
    inst.imm[0] = reinterpret_cast<uint64_t>(function->exits_[elements[k].region].data());
    inst.imm[1] = begin;
    inst.imm[2] = reinterpret_cast<uint64_t>(function->calls_[elements[k].region].data());
    inst.pc = begin + elements[k].offset;
  }
  for (const compile::Translation::Entry& entry : translation.entries) {
    const auto at = std::ranges::lower_bound(elements, entry.offset, {}, &compile::Translation::Element::offset);
    Inst& element = function->elements_[place[size_t(at - elements.begin())]];
    element.src[0] = entry.float_mode;
    function->entries_.push_back({begin + entry.offset, &element});
  }
  function->elements_.back() = Program::enter_at(begin + bytes);
  return function;
}

void TranslatedFunction::count_side_exits(std::atomic<uint32_t>& count) noexcept {
  for (Inst& bail : bails_)
    if (bail.run == run_side_exit) bail.imm[0] = reinterpret_cast<uint64_t>(&count);
}

bool is_precompiled_code(const void* pc) noexcept {
  return pc >= __start_omnihip_precompiled && pc < __stop_omnihip_precompiled;
}

size_t TranslatedFunction::code_bytes() const noexcept {
  size_t bytes = 0;
  for (const auto& image : images_) bytes += image->text().size();
  return bytes;
}

bool TranslatedFunction::holds(const void* pc) const noexcept {
  return std::ranges::any_of(images_, [pc](const auto& image) { return image->holds(pc); });
}

uint64_t TranslatedFunction::guest_pc_of(const void* pc) const noexcept {
  uint32_t line = 0; // of no instruction
  for (const auto& image : images_)
    if (image->holds(pc)) line = image->line_of(pc);
  return guest_pc_of_line(line);
}

uint64_t TranslatedFunction::guest_pc_of_line(uint32_t line) const noexcept {
  return line && line <= lines_.size() ? begin_ + lines_[line - 1] : 0;
}

std::vector<TranslatedFunction::Piece> TranslatedFunction::pieces() const {
  std::vector<Piece> pieces;
  for (const auto& image : images_)
    for (const codeobject::LineRange& range : image->lines()) {
      const uint64_t guest_pc = guest_pc_of_line(range.line);
      if (!pieces.empty() && pieces.back().end == range.begin && pieces.back().guest_pc == guest_pc)
        pieces.back().end = range.end;
      else
        pieces.push_back({range.begin, range.end, guest_pc});
    }
  std::ranges::sort(pieces, {}, &Piece::begin);
  return pieces;
}

} // namespace hip::engine
