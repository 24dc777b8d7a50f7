// tests/tier1/block_values_test.cpp - registers of a block as values: what is left to read and write of allocas, and
// that the values are those of the order in which the block reads and writes them.
#include "runtime/engine/compile/codegen/block_values.h"
#include "test_seed.h"

#include <catch2/catch.hpp>

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/Verifier.h>
#include <llvm/Passes/PassBuilder.h>

#include <random>
#include <utility>
#include <vector>

namespace {

using namespace hip::engine::compile;

void run_pass(llvm::Function& function) {
  llvm::FunctionAnalysisManager analyses;
  llvm::PassBuilder().registerFunctionAnalyses(analyses);
  BlockValues().run(function, analyses);
}

// A function of one argument, a pointer, with allocas in its entry, and one block after it that is made by the test.
struct Subject {
  llvm::LLVMContext context;
  llvm::Module module{"test", context};
  llvm::IRBuilder<> builder{context};
  llvm::Function* function;
  std::vector<llvm::AllocaInst*> registers;
  llvm::BasicBlock* block;

  explicit Subject(unsigned count) {
    auto* type = llvm::FunctionType::get(builder.getVoidTy(), {builder.getPtrTy()}, false);
    function = llvm::Function::Create(type, llvm::Function::ExternalLinkage, "f", module);
    auto* entry = llvm::BasicBlock::Create(context, "entry", function);
    block = llvm::BasicBlock::Create(context, "block", function);
    builder.SetInsertPoint(entry);
    for (unsigned i = 0; i < count; ++i) registers.push_back(builder.CreateAlloca(builder.getInt32Ty()));
    builder.CreateBr(block);
    builder.SetInsertPoint(block);
  }
  llvm::Value* read(unsigned i) { return builder.CreateLoad(builder.getInt32Ty(), registers[i]); }
  void write(unsigned i, llvm::Value* value) { builder.CreateStore(value, registers[i]); }
  // Makes `value` visible, in order: a store beyond the function's own memory.
  void show(llvm::Value* value) { builder.CreateStore(value, function->getArg(0)); }
  std::vector<llvm::Value*> shown() const {
    std::vector<llvm::Value*> values;
    for (llvm::Instruction& i : *block)
      if (auto* store = llvm::dyn_cast<llvm::StoreInst>(&i); store && store->getPointerOperand() == function->getArg(0))
        values.push_back(store->getValueOperand());
    return values;
  }
};

// The reads of `block` that are left, in order.
std::vector<llvm::LoadInst*> reads_of(llvm::BasicBlock& block) {
  std::vector<llvm::LoadInst*> loads;
  for (llvm::Instruction& i : block)
    if (auto* load = llvm::dyn_cast<llvm::LoadInst>(&i)) loads.push_back(load);
  return loads;
}

} // namespace

TEST_CASE("A block reads a register once, at its start, and writes its last value") {
  Subject s(2);
  s.show(s.builder.getInt32(100));
  s.show(s.read(0));
  s.write(0, s.builder.getInt32(1));
  s.show(s.read(0));
  s.write(1, s.read(0));
  s.write(0, s.builder.getInt32(2));
  s.show(s.read(1));
  s.show(s.read(0));
  s.builder.CreateRetVoid();
  run_pass(*s.function);
  REQUIRE_FALSE(llvm::verifyFunction(*s.function, &llvm::errs()));

  const std::vector<llvm::LoadInst*> loads = reads_of(*s.block);
  REQUIRE(loads.size() == 1);
  CHECK(&s.block->front() == loads[0]);
  const std::vector<llvm::Value*> shown = s.shown();
  const std::vector<llvm::Value*> expected{s.builder.getInt32(100), loads[0], s.builder.getInt32(1),
                                           s.builder.getInt32(1), s.builder.getInt32(2)};
  CHECK(shown == expected);
  std::vector<std::pair<llvm::Value*, llvm::Value*>> stores;
  for (llvm::Instruction& i : *s.block)
    if (auto* store = llvm::dyn_cast<llvm::StoreInst>(&i); store && store->getPointerOperand() != s.function->getArg(0))
      stores.emplace_back(store->getPointerOperand(), store->getValueOperand());
  const std::vector<std::pair<llvm::Value*, llvm::Value*>> left{{s.registers[1], s.builder.getInt32(1)},
                                                                {s.registers[0], s.builder.getInt32(2)}};
  CHECK(stores == left);
}

TEST_CASE("Memory that is seen elsewhere, and accesses of another kind, stay as they are") {
  Subject s(2);
  s.builder.CreateStore(s.registers[0], s.function->getArg(0)); // its address is known elsewhere
  s.write(0, s.builder.getInt32(1));
  s.show(s.read(0));
  s.builder.CreateStore(s.builder.getInt32(3), s.registers[1], /*isVolatile=*/true);
  s.show(s.builder.CreateLoad(s.builder.getInt32Ty(), s.registers[1], /*isVolatile=*/true));
  s.builder.CreateRetVoid();
  std::vector<llvm::Instruction*> before, after;
  for (llvm::Instruction& i : *s.block) before.push_back(&i);
  run_pass(*s.function);
  for (llvm::Instruction& i : *s.block) after.push_back(&i);
  CHECK(before == after);
}

TEST_CASE("Random blocks show the values that they showed") {
  std::mt19937 random(hip::testing::seeded(20261127));
  for (int round = 0; round < 200; ++round) {
    const unsigned count = 1 + random() % 5;
    Subject s(count);
    // The values by hand: a constant that was written, or what the register held at the block's start.
    std::vector<llvm::ConstantInt*> held(count);
    std::vector<std::pair<unsigned, llvm::ConstantInt*>> expected;
    for (int step = 0; step < 40; ++step) {
      const unsigned i = random() % count, j = random() % count;
      switch (random() % 3) {
      case 0:
        s.write(i, held[i] = s.builder.getInt32(random()));
        break;
      case 1: // a copy, of what is known
        if (!held[j]) break;
        s.write(i, s.read(j));
        held[i] = held[j];
        break;
      default:
        s.show(s.read(i)), expected.emplace_back(i, held[i]);
      }
    }
    s.builder.CreateRetVoid();
    run_pass(*s.function);
    REQUIRE_FALSE(llvm::verifyFunction(*s.function, &llvm::errs()));
    const std::vector<llvm::Value*> shown = s.shown();
    REQUIRE(shown.size() == expected.size());
    for (size_t k = 0; k < shown.size(); ++k) {
      if (expected[k].second) {
        CHECK(shown[k] == expected[k].second);
      } else {
        const auto* load = llvm::dyn_cast<llvm::LoadInst>(shown[k]);
        REQUIRE(load);
        CHECK(load->getPointerOperand() == s.registers[expected[k].first]);
      }
    }
    for (const llvm::LoadInst* load : reads_of(*s.block))
      CHECK((!load->getPrevNode() || llvm::isa<llvm::LoadInst>(load->getPrevNode())));
  }
}
