// runtime/engine/compile/codegen/keep_order.cpp - see keep_order.h.
#include "runtime/engine/compile/codegen/keep_order.h"

#include <llvm/CodeGen/MachineScheduler.h>
#include <llvm/CodeGen/RegisterClassInfo.h>
#include <llvm/Support/CommandLine.h>
#include <llvm/Target/TargetMachine.h>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <vector>

namespace hip::engine::compile {
namespace {

using llvm::MachineBasicBlock;
using llvm::MachineInstr;

// LLVM's scheduler, whose result is dropped where it is worse than what was there.
class KeepOrder : public llvm::ScheduleDAGInstrs {
public:
  KeepOrder(const llvm::MachineSchedContext& context, std::unique_ptr<llvm::ScheduleDAGMILive> scheduler)
      : ScheduleDAGInstrs(*context.MF, context.MLI), registers_(*context.RegClassInfo),
        scheduler_(std::move(scheduler)) {}

  bool doMBBSchedRegionsTopDown() const override { return scheduler_->doMBBSchedRegionsTopDown(); }
  void startBlock(MachineBasicBlock* block) override { scheduler_->startBlock(block); }
  void finishBlock() override { scheduler_->finishBlock(); }
  void enterRegion(MachineBasicBlock* block, MachineBasicBlock::iterator begin, MachineBasicBlock::iterator end,
                   unsigned instructions) override {
    scheduler_->enterRegion(block, begin, end, instructions);
  }
  void exitRegion() override { scheduler_->exitRegion(); }
  void finalizeSchedule() override { scheduler_->finalizeSchedule(); }

  void schedule() override {
    if (!scheduler_->isTrackingPressure()) return scheduler_->schedule(); // a short block
    const std::vector<MachineInstr*> before = order();
    scheduler_->schedule();
    const auto& was = scheduler_->getRegPressure().MaxSetPressure;
    const auto &top = scheduler_->getTopPressure().MaxSetPressure,
               &bottom = scheduler_->getBotPressure().MaxSetPressure;
    uint64_t most_before = 0, most_after = 0;
    for (unsigned set = 0; set < was.size(); ++set)
      most_before += excess(set, was[set]), most_after += excess(set, std::max(top[set], bottom[set]));
    if (most_after > most_before) return put_back(before);
    if (most_before == 0) return;
    const std::vector<MachineInstr*> after = order();
    const uint64_t sum_after = sum_of_excess();
    put_back(before);
    if (sum_after <= sum_of_excess()) put_back(after);
  }

private:
  std::vector<MachineInstr*> order() const {
    std::vector<MachineInstr*> out;
    for (MachineInstr& i : llvm::make_range(scheduler_->begin(), scheduler_->end()))
      if (!i.isDebugInstr()) out.push_back(&i);
    return out;
  }
  void put_back(const std::vector<MachineInstr*>& order) {
    MachineBasicBlock::iterator place = scheduler_->begin();
    for (MachineInstr* i : order) {
      while (place->isDebugInstr()) ++place;
      if (&*place == i)
        ++place;
      else
        scheduler_->moveInstruction(i, place);
    }
  }
  // How many of `live` registers of one kind are more than there are.
  uint64_t excess(unsigned set, unsigned live) const {
    const unsigned limit = registers_.getRegPressureSetLimit(set);
    return live > limit ? live - limit : 0;
  }
  // Of all kinds, summed up over the block's instructions in the order that they have.
  uint64_t sum_of_excess() const {
    llvm::IntervalPressure pressure;
    llvm::RegPressureTracker tracker(pressure);
    const MachineBasicBlock::const_iterator begin = scheduler_->begin();
    tracker.init(&MF, &registers_, scheduler_->getLIS(), begin->getParent(), scheduler_->end(), false, false);
    tracker.addLiveRegs(scheduler_->getRegPressure().LiveOutRegs);
    uint64_t sum = 0;
    while (tracker.getPos() != begin) {
      tracker.recede();
      const std::vector<unsigned>& live = tracker.getRegSetPressureAtPos();
      for (unsigned set = 0; set < live.size(); ++set) sum += excess(set, live[set]);
    }
    return sum;
  }

  const llvm::RegisterClassInfo& registers_;
  std::unique_ptr<llvm::ScheduleDAGMILive> scheduler_;
};

llvm::ScheduleDAGInstrs* create(llvm::MachineSchedContext* context) {
  // (X86's scheduler is of this class.)
  auto* scheduler = static_cast<llvm::ScheduleDAGMILive*>(context->TM->createMachineScheduler(context));
  return new KeepOrder(*context, std::unique_ptr<llvm::ScheduleDAGMILive>(scheduler));
}

} // namespace

void keep_order_under_pressure() {
  constexpr const char* kName = "keep-order";
  new llvm::MachineSchedRegistry(kName, "LLVM's scheduler, but for what it makes worse", create); // for good
  llvm::cl::getRegisteredOptions()["misched"]->addOccurrence(0, "misched", kName);
}

} // namespace hip::engine::compile
