// runtime/engine/compile/library/library.h - the bitcode library in one LLVM module: which function computes which instruction.
// The module is read lazily: only what a translation calls is ever parsed. One per translation.
#pragma once

#include "runtime/base/status.h"
#include "runtime/engine/interpret/host_isa.h"
#include "runtime/engine/compile/library/entries.h"
#include "runtime/engine/isa/body_shape.h"
#include "runtime/engine/isa/matrix_shape.h"
#include "runtime/engine/isa/opcode.h"
#include "runtime/engine/wave/wave.h"

#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>

namespace llvm {
class Error;
class Function;
class LLVMContext;
class Module;
} // namespace llvm

namespace hip::engine::compile {

// A function of the library with one of the types of signatures.h; null: there is none.
template <class Signature> class LibraryFunction {
public:
  LibraryFunction(llvm::Function* function = nullptr) : function_(function) {}
  llvm::Function* function() const { return function_; }
  explicit operator bool() const { return function_; }

private:
  llvm::Function* function_;
};

struct ValuOp : BodyShape { // ValuEntry
  llvm::Function* strip = nullptr; // 16 lanes
  llvm::Function* lane = nullptr;  // one
};
struct SaluOp : BodyShape { // SaluEntry
  llvm::Function* function = nullptr;
};
struct MemoryOp { // MemoryEntry
  LibraryFunction<library::AccessLinear> linear;
  LibraryFunction<library::LoadUniform> load_uniform;
  LibraryFunction<library::StoreUniform> store_uniform;
  LibraryFunction<library::AccessAny> any;
  LibraryFunction<library::AccessWave> wave;
  LibraryFunction<library::AccessStrided> strided;
  LibraryFunction<library::AccessPattern> pattern;
  LibraryFunction<library::AccessPatternTwo> pattern_two;
  LibraryFunction<library::AtomicWave> atomic_wave;
  LibraryFunction<library::AtomicPlaces> atomic_places;
  LibraryFunction<library::LoadNear> near;
  LibraryFunction<library::LooksNear> looks_near;
  library::Space space = library::Space::Global;
  uint32_t bytes = 0, dwords = 0;
  bool stores = false, merges = false;
  bool returns = false; // an atomic with a result; atomics have no other access than `atomic_*`
  bool loads() const { return !stores || returns; }
  bool atomic() const { return !linear; }
  bool dword() const { return bytes == 4 && !merges; }
};

struct MatrixOp : MatrixShape { // MatrixEntry
  LibraryFunction<library::PrepareA> prepare_a;
  LibraryFunction<library::PrepareB> prepare_b;
  LibraryFunction<library::Multiply> multiply;
  uint32_t unit_bytes_a = 0, unit_bytes_b = 0;
  bool in_place = false, as_is = false;
  bool coarse = false; // `multiply` gains from knowing that sums are coarse
};

struct ScratchOp { // ScratchEntry
  LibraryFunction<library::ScratchSlot> slot;
  LibraryFunction<library::ScratchAny> any;
  uint32_t bytes = 0, dwords = 0;
  bool stores = false, merges = false;
};

using BufferOp = LibraryFunction<library::BufferAccess>; // BufferEntry

// Reads the bodies of all functions that something in a lazily read module uses, and removes those that nothing uses.
llvm::Error materialize_used(llvm::Module& module);

class Library {
public:
  // For a host of `isa`, Avx2 or Avx512, and waves of `lanes`, 32 or 64.
  static Result<std::unique_ptr<Library>> load(llvm::LLVMContext& context, HostIsa isa, uint32_t lanes = kMaxLanes);
  ~Library();

  llvm::Module& module() { return *module_; }
  // Prefers what needs some of the host's features (HostCpu::features).
  void use_features(std::string_view features);
  // Prefers what is right only while the host's control word says that it rounds to nearest.
  void round_to_nearest() { choose("fma_to_odd", odd_fma_to_nearest_); }
  // What computes the body of an opcode (ResolvedInst::body), null: the library has nothing for it. Accesses of two elements
  // are two of one.
  const ValuOp* valu(Opcode opcode) const { return find(valu_, opcode); }
  const SaluOp* salu(Opcode opcode) const { return find(salu_, opcode); }
  const MemoryOp* memory(Opcode opcode) const {
    const Opcode element = row_of(opcode).element;
    return find(memory_, element == Opcode::unknown ? opcode : element);
  }
  const ScratchOp* scratch(Opcode opcode) const { return find(scratch_, opcode); }
  const BufferOp* buffer(Opcode opcode) const { return find(buffer_, opcode); }
  const MatrixOp* matrix(Opcode opcode) const { return find(matrix_, opcode); }
  LibraryFunction<library::Crossbar> crossbar() const { return crossbar_; }
  // All of them, for tests.
  template <class T> using Table = std::unordered_map<Opcode, T>;
  const Table<ValuOp>& valu_ops() const { return valu_; }
  const Table<SaluOp>& salu_ops() const { return salu_; }
  const Table<MemoryOp>& memory_ops() const { return memory_; }
  const Table<MatrixOp>& matrix_ops() const { return matrix_; }
  // Whether every function has the type that entries.h and signatures.h give it. Debug builds ask when they load the library.
  Status check_signatures() const;
  // Functions that are not inlined and compiled once for each level are part of the engine, as host code (library_code.cpp);
  // translations call them by these names.
  static bool is_precompiled(const llvm::Function& f);
  static std::string precompiled_name(const llvm::Function& f);
  // Reads the bodies of all functions that are called so far and drops everything else.
  enum class OutOfLine { Precompiled, Here }; // where those functions are
  Status materialize_called(OutOfLine out_of_line);

private:
  template <class T> static const T* find(const Table<T>& table, Opcode opcode) {
    auto it = table.find(opcode);
    return it == table.end() ? nullptr : &it->second;
  }
  static void leave_outside(llvm::Function& f);
  Status read_tables(HostIsa isa, uint32_t lanes);
  bool choose(const std::string& name, llvm::Function* chosen);
  void read_matrix(const char* table, std::string_view features);

  std::unique_ptr<llvm::Module> module_;
  Table<ValuOp> valu_;
  Table<SaluOp> salu_;
  Table<MemoryOp> memory_;
  Table<ScratchOp> scratch_;
  Table<BufferOp> buffer_;
  LibraryFunction<library::Crossbar> crossbar_;
  Table<MatrixOp> matrix_;
  llvm::Function* odd_fma_to_nearest_ = nullptr;
};

} // namespace hip::engine::compile
