// runtime/engine/interpret/observe.cpp - see observe.h.
#include "runtime/engine/interpret/observe.h"

#include "runtime/engine/interpret/memory/describe.h"
#include "runtime/engine/tools/tool.h"
#include "runtime/engine/wave/group.h"

#include <bit>

namespace hip::engine {
namespace {

const ObservedInst& observed(const Inst* i) noexcept { return *reinterpret_cast<const ObservedInst*>(i->imm[0]); }

} // namespace

void RT_HANDLER_CC run_observer(Wave* w, const Inst* i) {
  w->group->probe->executed.add(observed(i).instruction_class, 1, uint64_t(std::popcount(w->exec())));
  [[clang::musttail]] return run_offer(w, i);
}

void RT_HANDLER_CC run_offer(Wave* w, const Inst* i) {
  const ObservedInst& what = observed(i);
  if (what.accesses && !offer_accesses(w, what.inst, *what.accesses)) return;
  RT_NEXT(w, i);
}

} // namespace hip::engine
