// runtime/engine/compile/library/library.cpp - see library.h.
#include "runtime/engine/compile/library/library.h"

#include "runtime/engine/compile/library/function_types.h"

#include <llvm/Bitcode/BitcodeReader.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>
#include <llvm/Support/MemoryBuffer.h>
#include <map>
#include <vector>

// The bitcode of the libraries for hosts of either level, embedded by library_data.S.
extern "C" const char omnihip_library_avx2[], omnihip_library_avx2_end[], omnihip_library_avx512[],
    omnihip_library_avx512_end[];

namespace hip::engine::compile {
namespace {

llvm::StringRef bitcode_of(HostIsa isa) {
  const auto between = [](const char* begin, const char* end) { return llvm::StringRef(begin, size_t(end - begin)); };
  return isa == HostIsa::Avx512 ? between(omnihip_library_avx512, omnihip_library_avx512_end)
                                : between(omnihip_library_avx2, omnihip_library_avx2_end);
}

// Tables that the library for a HostIsa has under names of its own.
struct HostTables {
  const char *memory[3], *scratch[2], *buffer[2], *lanes, *dots;
};
#define HOST_TABLES(level)                                                                                             \
  {{"omnihip_memory_loads_" level, "omnihip_memory_stores_" level, "omnihip_memory_atomics_" level},                   \
   {"omnihip_scratch_loads_" level, "omnihip_scratch_stores_" level},                                                  \
   {"omnihip_buffer_loads_" level, "omnihip_buffer_stores_" level},                                                    \
   "omnihip_lanes_" level,                                                                                             \
   "omnihip_dots_" level}
constexpr HostTables kAvx2Tables = HOST_TABLES("avx2"), kAvx512Tables = HOST_TABLES("avx512");
#undef HOST_TABLES
// All tables of either library.
std::vector<const char*> table_names() {
  std::vector<const char*> names = {"omnihip_valu_strip",  "omnihip_valu_lane",  "omnihip_salu",
                                    "omnihip_matrix",      "omnihip_matrix_dot", "omnihip_halves_any",
                                    "omnihip_halves_fp16", "omnihip_dots_vnni"};
  for (const HostTables* host : {&kAvx2Tables, &kAvx512Tables}) {
    names.insert(names.end(), std::begin(host->memory), std::end(host->memory));
    names.insert(names.end(), std::begin(host->scratch), std::end(host->scratch));
    names.insert(names.end(), std::begin(host->buffer), std::end(host->buffer));
    names.insert(names.end(), {host->lanes, host->dots});
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

Result<std::unique_ptr<Library>> Library::load(llvm::LLVMContext& context, HostIsa isa, uint32_t lanes) {
  auto module =
      llvm::getOwningLazyBitcodeModule(llvm::MemoryBuffer::getMemBuffer(bitcode_of(isa), "library", false), context);
  if (!module) return bad_library(text(module.takeError()));
  auto out = std::make_unique<Library>();
  out->module_ = std::move(*module);
  RT_TRY(out->read_tables(isa, lanes));
#ifndef NDEBUG
  RT_TRY(out->check_signatures());
#endif
  return out;
}

void Library::use_features(std::string_view features) {
  read_matrix("omnihip_matrix_dot", features);
  const auto prefer = [&](const char* feature, const char* table) {
    if (features.find(feature) == features.npos) return;
    for (llvm::Constant* row : rows_of(*module_, table)) choose(string(row, 0), function(row, 1));
  };
  prefer("+avx512fp16", "omnihip_halves_fp16");
  prefer("+avx512vnni", "omnihip_dots_vnni");
}

// Makes `chosen` what isa/helpers.inl leaves to the host by that name; false: nothing is left by this name, or with another type.
bool Library::choose(const std::string& name, llvm::Function* chosen) {
  llvm::Function* declared = module_->getFunction("omnihip_host_" + name);
  if (!declared || !chosen || declared->getFunctionType() != chosen->getFunctionType()) return false;
  declared->deleteBody(); // of another choice
  llvm::IRBuilder<> builder(llvm::BasicBlock::Create(module_->getContext(), "", declared));
  std::vector<llvm::Value*> arguments;
  for (llvm::Argument& argument : declared->args()) arguments.push_back(&argument);
  builder.CreateRet(builder.CreateCall(chosen, arguments));
  return true;
}

void Library::read_matrix(const char* table, std::string_view features) {
  for (llvm::Constant* row : rows_of(*module_, table)) {
    const bool always = field(row, 1)->isNullValue();
    if (!always && features.find(string(row, 1)) == features.npos) continue;
    MatrixOp& op = matrix_[Opcode(number(row, 0))];
    static_cast<MatrixShape&>(op) = *matrix_shape_of(Opcode(number(row, 0)));
    op.prepare_a = function(row, 2), op.prepare_b = function(row, 3), op.multiply = function(row, 4);
    op.unit_bytes_a = number(row, 5), op.unit_bytes_b = number(row, 6), op.in_place = number(row, 7),
    op.as_is = number(row, 8);
    op.coarse = !always;
  }
}

Status Library::read_tables(HostIsa isa, uint32_t lanes) {
  const auto& [memory, scratch, buffer, across_lanes, dots] = isa == HostIsa::Avx512 ? kAvx512Tables : kAvx2Tables;
  for (llvm::Constant* row : rows_of(*module_, "omnihip_valu_strip"))
    valu_[Opcode(number(row, 0))] = {*shape_of(Opcode(number(row, 0))), function(row, 1), nullptr};
  for (llvm::Constant* row : rows_of(*module_, "omnihip_valu_lane")) valu_[Opcode(number(row, 0))].lane = function(row, 1);
  for (llvm::Constant* row : rows_of(*module_, "omnihip_salu"))
    salu_[Opcode(number(row, 0))] = {*shape_of(Opcode(number(row, 0))), function(row, 1)};
  for (const char* table : memory)
    for (llvm::Constant* row : rows_of(*module_, table)) {
      MemoryOp& op = memory_[Opcode(number(row, 0))];
      op.linear = function(row, 1), op.load_uniform = function(row, 2), op.store_uniform = function(row, 3);
      op.any = function(row, 4), op.strided = function(row, 6);
      const bool whole = lanes == kMaxLanes;
      op.wave = function(row, whole ? 5 : 15), op.pattern = function(row, whole ? 7 : 16);
      op.pattern_two = function(row, whole ? 8 : 17), op.atomic_wave = function(row, whole ? 18 : 19);
      op.atomic_places = function(row, whole ? 20 : 21), op.near = function(row, whole ? 22 : 23),
      op.looks_near = function(row, 24);
      op.space = library::Space(number(row, 9));
      op.bytes = number(row, 10), op.dwords = number(row, 11);
      op.stores = number(row, 12), op.merges = number(row, 13), op.returns = number(row, 14);
    }
  for (const char* table : scratch)
    for (llvm::Constant* row : rows_of(*module_, table)) {
      ScratchOp& op = scratch_[Opcode(number(row, 0))];
      op.slot = function(row, 1), op.any = function(row, 2);
      op.bytes = number(row, 3), op.dwords = number(row, 4);
      op.stores = number(row, 5), op.merges = number(row, 6);
    }
  for (const char* table : buffer)
    for (llvm::Constant* row : rows_of(*module_, table)) buffer_[Opcode(number(row, 0))] = function(row, 1);
  std::map<std::string, llvm::Function*> by_name;
  for (const char* table : {across_lanes, dots, "omnihip_halves_any"})
    for (llvm::Constant* row : rows_of(*module_, table)) by_name[string(row, 0)] = function(row, 1);
  crossbar_ = by_name["bpermute"], odd_fma_to_nearest_ = by_name[library::kOddFmaToNearest];
  for (const char* name : {"fma_to_odd", "ldexp", "scaled", "rsqrt", "min_f32", "max_f32", "min_f64", "max_f64",
                           "permute_bytes", "fma_half", "fma_halves", "dot2_i16", "dot4_i8", "dot4_u8", "dot4_i8_u8"})
    if (!choose(name, by_name[name])) return bad_library(std::string("it has no ") + name + " of the type that is declared");
  read_matrix("omnihip_matrix", {});
  if (valu_.empty() || salu_.empty() || memory_.empty() || scratch_.empty() || buffer_.empty() || !crossbar_ || matrix_.empty()) return bad_library("its tables are missing");
  for (const auto& [opcode, op] : valu_)
    if (!op.strip || !op.lane) return bad_library("'" + std::string(name_of(opcode)) + "' has no function");
  return {};
}

namespace {

// Parameters of a VALU function (entries.h): flags, dwords, masks; a result in memory comes in front of them.
bool has_valu_type(const ValuOp& op, llvm::Function* function, llvm::Type* dword) {
  llvm::LLVMContext& context = function->getContext();
  llvm::Type* mask = llvm::Type::getInt16Ty(context);
  std::vector<llvm::Type*> parameters;
  llvm::Type* result = function->getReturnType();
  if (op.rows() + op.mask() > 1) {
    if (result->isVoidTy()) parameters.push_back(llvm::PointerType::getUnqual(context));
  } else if (result != (op.rows() ? dword : mask)) {
    return false;
  }
  parameters.push_back(llvm::Type::getInt32Ty(context));
  uint32_t masks = 0;
  for (uint32_t k = 0; k < op.parameters(); ++k) {
    masks += op.kind(k) == kKindMask;
    parameters.insert(parameters.end(), op.dwords(k), dword);
  }
  parameters.insert(parameters.end(), masks, mask);
  return function->getFunctionType()->params() == llvm::ArrayRef(parameters);
}

bool has_salu_type(const SaluOp& op, llvm::LLVMContext& context) {
  std::vector<llvm::Type*> parameters(op.parameters(), llvm::Type::getInt64Ty(context));
  parameters.insert(parameters.begin(), llvm::PointerType::getUnqual(context));
  return op.function->getFunctionType() == llvm::FunctionType::get(llvm::Type::getVoidTy(context), parameters, false);
}

} // namespace

Status Library::check_signatures() const {
  const auto wrong = [](Opcode opcode) {
    return bad_library("'" + std::string(name_of(opcode)) + "' has a function of another type than its entry says");
  };
  llvm::LLVMContext& context = module_->getContext();
  llvm::Type *dword = llvm::Type::getInt32Ty(context), *strip = llvm_type<library::Strip>(context);
  for (const auto& [opcode, op] : valu_)
    if (!has_valu_type(op, op.strip, strip) || !has_valu_type(op, op.lane, dword)) return wrong(opcode);
  for (const auto& [opcode, op] : salu_)
    if (!has_salu_type(op, context)) return wrong(opcode);
  for (const auto& [opcode, op] : memory_)
    if (!has_signature(op.linear) || !has_signature(op.load_uniform) || !has_signature(op.store_uniform) ||
        !has_signature(op.any) || !has_signature(op.wave) || !has_signature(op.strided) || !has_signature(op.pattern) ||
        !has_signature(op.pattern_two) || !has_signature(op.atomic_wave) || !has_signature(op.atomic_places) ||
        !has_signature(op.near) || !has_signature(op.looks_near))
      return wrong(opcode);
  for (const auto& [opcode, op] : scratch_)
    if (!has_signature(op.slot) || !has_signature(op.any)) return wrong(opcode);
  for (const auto& [opcode, access] : buffer_)
    if (!has_signature(access)) return wrong(opcode);
  for (const auto& [opcode, op] : matrix_)
    if (!has_signature(op.prepare_a) || !has_signature(op.prepare_b) || !has_signature(op.multiply)) return wrong(opcode);
  return has_signature(crossbar_) ? Status() : bad_library("the crossbar's function has another type than its entry says");
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
  if (llvm::Error e = materialize_used(*module_)) return bad_library(text(std::move(e)));
  return {};
}

llvm::Error materialize_used(llvm::Module& module) {
  for (bool changed = true; changed;) {
    changed = false;
    for (llvm::Function& f : module) {
      if (!f.isMaterializable() || f.use_empty()) continue;
      if (llvm::Error e = f.materialize()) return e;
      changed = true;
    }
  }
  for (llvm::Function& f : llvm::make_early_inc_range(module))
    if (f.isMaterializable()) {
      f.deleteBody();
      if (f.use_empty()) f.eraseFromParent();
    }
  return module.materializeMetadata();
}

} // namespace hip::engine::compile
