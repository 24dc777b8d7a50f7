// runtime/engine/compile/library/library.cpp - see library.h.
#include "runtime/engine/compile/library/library.h"

#include <llvm/Bitcode/BitcodeReader.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>
#include <llvm/Support/MemoryBuffer.h>
#include <vector>

// The library's bitcode, embedded by library_data.S.
extern "C" const char omnihip_translate_library[], omnihip_translate_library_end[];

namespace hip::engine::compile {
namespace {

// Tables that are there for each HostIsa.
struct HostTables {
  const char *memory[3], *scratch[2], *lanes;
};
#define HOST_TABLES(level)                                                                                             \
  {{"omnihip_memory_loads_" level, "omnihip_memory_stores_" level, "omnihip_memory_atomics_" level},                  \
   {"omnihip_scratch_loads_" level, "omnihip_scratch_stores_" level},                                                 \
   "omnihip_lanes_" level}
constexpr HostTables kAvx2Tables = HOST_TABLES("avx2"), kAvx512Tables = HOST_TABLES("avx512");
#undef HOST_TABLES
// All of them.
std::vector<const char*> table_names() {
  std::vector<const char*> names = {"omnihip_valu_strip", "omnihip_valu_lane", "omnihip_salu", "omnihip_matrix", "omnihip_matrix_dot"};
  for (const HostTables* host : {&kAvx2Tables, &kAvx512Tables}) {
    names.insert(names.end(), std::begin(host->memory), std::end(host->memory));
    names.insert(names.end(), std::begin(host->scratch), std::end(host->scratch));
    names.push_back(host->lanes);
  }
  return names;
}

Status bad_library(const std::string& what) {
  return error(ErrorCode::Unknown, "The translator's library cannot be used: {}.", what);
}
std::string text(llvm::Error e) { return llvm::toString(std::move(e)); }

// The rows of a table: an array of structures, itself perhaps inside a std::array.
std::vector<llvm::Constant*> rows_of(llvm::Module& module, const char* name) {
  std::vector<llvm::Constant*> rows;
  llvm::GlobalVariable* table = module.getNamedGlobal(name);
  if (!table || !table->hasInitializer()) return rows;
  llvm::Constant* all = table->getInitializer();
  if (llvm::isa<llvm::StructType>(all->getType())) all = all->getAggregateElement(0u);
  for (unsigned k = 0; llvm::Constant* row = all->getAggregateElement(k); ++k) rows.push_back(row);
  return rows;
}
llvm::Constant* field(llvm::Constant* row, unsigned k) { return row->getAggregateElement(k); }
uint32_t number(llvm::Constant* row, unsigned k) {
  return uint32_t(llvm::cast<llvm::ConstantInt>(field(row, k))->getZExtValue());
}
llvm::Function* function(llvm::Constant* row, unsigned k) {
  return llvm::dyn_cast<llvm::Function>(field(row, k)->stripPointerCasts()); // null for a null pointer
}
std::string string(llvm::Constant* row, unsigned k) {
  auto* global = llvm::cast<llvm::GlobalVariable>(field(row, k)->stripPointerCasts());
  return std::string(llvm::cast<llvm::ConstantDataArray>(global->getInitializer())->getAsCString());
}

} // namespace

Library::~Library() = default;

Result<std::unique_ptr<Library>> Library::load(llvm::LLVMContext& context, HostIsa isa) {
  llvm::StringRef bytes(omnihip_translate_library, size_t(omnihip_translate_library_end - omnihip_translate_library));
  auto module = llvm::getOwningLazyBitcodeModule(llvm::MemoryBuffer::getMemBuffer(bytes, "library", false), context);
  if (!module) return bad_library(text(module.takeError()));
  auto out = std::make_unique<Library>();
  out->module_ = std::move(*module);
  RT_TRY(out->read_tables(isa));
  return out;
}

void Library::use_features(std::string_view features) { read_matrix("omnihip_matrix_dot", features); }

void Library::read_matrix(const char* table, std::string_view features) {
  for (llvm::Constant* row : rows_of(*module_, table)) {
    const bool always = field(row, 1)->isNullValue();
    if (!always && features.find(string(row, 1)) == features.npos) continue;
    const Opcode opcode = Opcode(number(row, 0));
    matrix_[opcode] = {*matrix_shape_of(opcode), function(row, 2), function(row, 3), function(row, 4), number(row, 5),
                       number(row, 6), number(row, 7) != 0, !always};
  }
}

Status Library::read_tables(HostIsa isa) {
  const auto& [memory, scratch, lanes] = isa == HostIsa::Avx512 ? kAvx512Tables : kAvx2Tables;
  for (llvm::Constant* row : rows_of(*module_, "omnihip_valu_strip"))
    valu_[Opcode(number(row, 0))] = {*shape_of(Opcode(number(row, 0))), function(row, 1), nullptr};
  for (llvm::Constant* row : rows_of(*module_, "omnihip_valu_lane")) valu_[Opcode(number(row, 0))].lane = function(row, 1);
  for (llvm::Constant* row : rows_of(*module_, "omnihip_salu"))
    salu_[Opcode(number(row, 0))] = {*shape_of(Opcode(number(row, 0))), function(row, 1)};
  for (const char* table : memory)
    for (llvm::Constant* row : rows_of(*module_, table))
      memory_[Opcode(number(row, 0))] = {function(row, 1), function(row, 2), function(row, 3), function(row, 4), function(row, 5),
                                    library::Space(number(row, 6)), number(row, 7), number(row, 8), number(row, 9) != 0, number(row, 10) != 0,
                                    number(row, 11) != 0, function(row, 12), function(row, 13)};
  for (const char* table : scratch)
    for (llvm::Constant* row : rows_of(*module_, table))
      scratch_[Opcode(number(row, 0))] = {function(row, 1), function(row, 2), number(row, 3), number(row, 4), number(row, 5) != 0,
                                     number(row, 6) != 0};
  for (llvm::Constant* row : rows_of(*module_, lanes)) lanes_[string(row, 0)] = function(row, 1);
  for (const char* name : {"fma_to_odd", "ldexp", "scaled", "rsqrt"}) {
    llvm::Function *declared = module_->getFunction(std::string("omnihip_host_") + name), *chosen = lanes_[name];
    if (!declared || !chosen) return bad_library(std::string("it has no ") + name);
    llvm::IRBuilder<> builder(llvm::BasicBlock::Create(module_->getContext(), "", declared));
    std::vector<llvm::Value*> arguments;
    for (llvm::Argument& argument : declared->args()) arguments.push_back(&argument);
    builder.CreateRet(builder.CreateCall(chosen, arguments));
  }
  read_matrix("omnihip_matrix", {});
  if (valu_.empty() || salu_.empty() || memory_.empty() || scratch_.empty() || lanes_.empty() || matrix_.empty()) return bad_library("its tables are missing");
  for (const auto& [opcode, op] : valu_)
    if (!op.strip || !op.lane) return bad_library("'" + std::string(name_of(opcode)) + "' has no function");
  return {};
}

bool Library::is_precompiled(const llvm::Function& f) {
  const llvm::StringRef name = f.getName();
  return f.hasFnAttribute(llvm::Attribute::NoInline) &&
         (name.contains("6engine6avx512") || name.contains("6engine4avx2")); // hip::engine::<level>
}

std::string Library::precompiled_name(const llvm::Function& f) { return "omnihip_t1_lib" + f.getName().str(); }

// A declaration is left of it.
void Library::leave_outside(llvm::Function& f) {
  f.deleteBody();
  f.setComdat(nullptr);
  f.setLinkage(llvm::GlobalValue::ExternalLinkage);
  f.setName(precompiled_name(f));
}

Status Library::materialize_called(OutOfLine out_of_line) {
  // The tables name every function; without them only calls do.
  std::vector<const char*> tables = table_names();
  tables.insert(tables.begin(), {"llvm.used", "llvm.compiler.used"});
  for (const char* name : tables) {
    llvm::GlobalVariable* table = module_->getNamedGlobal(name);
    if (!table) continue;
    table->setInitializer(nullptr); // what it was made of goes with its last user
    table->removeDeadConstantUsers();
    if (table->use_empty()) table->eraseFromParent();
  }
  for (llvm::Function& f : *module_) f.removeDeadConstantUsers();
  if (out_of_line == OutOfLine::Precompiled)
    for (llvm::Function& f : *module_)
      if (is_precompiled(f)) leave_outside(f);
  for (bool changed = true; changed;) {
    changed = false;
    for (llvm::Function& f : *module_) {
      if (!f.isMaterializable() || f.use_empty()) continue;
      if (llvm::Error e = f.materialize()) return bad_library(text(std::move(e)));
      changed = true;
    }
  }
  for (llvm::Function& f : llvm::make_early_inc_range(*module_))
    if (f.isMaterializable()) {
      f.deleteBody();
      if (f.use_empty()) f.eraseFromParent();
    }
  if (llvm::Error e = module_->materializeMetadata()) return bad_library(text(std::move(e)));
  return {};
}

} // namespace hip::engine::compile
