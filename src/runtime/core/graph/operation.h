// runtime/core/graph/operation.h - what a node of a graph does: the parameters of each kind of node, as the user gave
// them (getters return them again) and as queues take them. An Operation is a plain value: nodes, clones and
// executables have one each. Thread safety: none of its own; graph.h says which lock guards a node's operation.
#pragma once

#include "runtime/core/copy.h"
#include "runtime/core/external.h"
#include "runtime/core/graph/graph_memory.h"
#include "runtime/core/launch_attributes.h"
#include "runtime/core/launch_shape.h"
#include "runtime/core/module.h"
#include "runtime/core/stream_value.h"

#include <array>
#include <memory>
#include <optional>
#include <span>
#include <variant>
#include <vector>

namespace hip::core {

class Graph;

// hipGraphNodeType's numbers.
enum class NodeKind : int {
  Kernel = 0,
  Copy = 1,
  Fill = 2,
  Host = 3,
  ChildGraph = 4,
  Empty = 5,
  EventWait = 6,
  EventRecord = 7,
  ExternalSignal = 8,
  ExternalWait = 9,
  MemoryAllocation = 10,
  MemoryFree = 11,
  BatchMemoryOperation = 14,
};

// A copy of a kernel's arguments, laid out as the kernel has them.
class KernelArguments {
public:
  enum class Form { Pointers, Packed }; // how the user gave them

  KernelArguments() = default;
  // One of the two is given, unless the kernel has no arguments. What they point at has been checked.
  KernelArguments(const backend::Kernel& kernel, void* const* pointers, std::span<const std::byte> packed);
  KernelArguments(const KernelArguments& o) : form_(o.form_), block_(o.block_), offsets_(o.offsets_) {}
  KernelArguments(KernelArguments&&) noexcept = default;
  KernelArguments& operator=(KernelArguments o) noexcept;

  Form form() const noexcept { return form_; }
  std::span<const std::byte> block() const noexcept { return block_; }
  // One pointer per argument into this object's block; null when the kernel has none. Valid as long as this object.
  void** pointers();
  // The block as the list that module launches take as `extra`. Valid as long as this object.
  void** packed_list(void* pointer_key, void* size_key, void* end_key);

private:
  Form form_ = Form::Pointers;
  std::vector<std::byte> block_;
  std::vector<uint32_t> offsets_;
  std::vector<void*> pointers_; // made when asked for
  size_t size_ = 0;
};

struct KernelOperation {
  static constexpr NodeKind kKind = NodeKind::Kernel;
  const void* named = nullptr; // what the user named the kernel by: its host function, or its hipFunction_t
  Function* function = nullptr;
  Ref<LoadedCode> code; // keeps the function
  LaunchShape shape{};
  backend::Launch launch{}; // without arguments
  KernelArguments arguments;
  LaunchAttributes attributes{};
};

// One end of a copy as hipMemcpy3D describes it. Positions in arrays, and the width of a copy with one, are elements.
struct CopyPlace {
  Handle array = nullptr;
  size_t x = 0, y = 0, z = 0;
  void* memory = nullptr;
  size_t pitch_bytes = 0, width = 0, height = 0; // of the memory; only for getters
};

struct CopyOperation {
  static constexpr NodeKind kKind = NodeKind::Copy;
  CopyPlace dst, src; // as given
  std::array<size_t, 3> extent{};
  CopyKind kind = CopyKind::Default;
  std::vector<PreparedTransfer> transfers; // usually one; none for an empty copy
};

struct FillOperation {
  static constexpr NodeKind kKind = NodeKind::Fill;
  void* memory = nullptr; // as given
  size_t pitch_bytes = 0, width = 0, height = 0;
  uint32_t value = 0, element_bytes = 1;
  std::vector<PreparedTransfer> transfers;
};

struct HostOperation {
  static constexpr NodeKind kKind = NodeKind::Host;
  void (*function)(void* user_data) = nullptr;
  void* user_data = nullptr;
};

struct EmptyOperation {
  static constexpr NodeKind kKind = NodeKind::Empty;
};

// The node owns the graph; a copy of the operation shares it until cloning replaces it.
struct ChildOperation {
  static constexpr NodeKind kKind = NodeKind::ChildGraph;
  std::shared_ptr<Graph> graph;
};

struct EventWaitOperation {
  static constexpr NodeKind kKind = NodeKind::EventWait;
  Handle event = nullptr;
};

struct EventRecordOperation {
  static constexpr NodeKind kKind = NodeKind::EventRecord;
  Handle event = nullptr;
};

struct AllocationOperation {
  static constexpr NodeKind kKind = NodeKind::MemoryAllocation;
  Ref<GraphAllocation> allocation;
  std::shared_ptr<const void> given; // the user's parameters, which api/ keeps here for its getter
};

struct FreeOperation {
  static constexpr NodeKind kKind = NodeKind::MemoryFree;
  void* address = nullptr;
};

// Writes of words and waits for words, one after the other.
struct BatchOperation {
  static constexpr NodeKind kKind = NodeKind::BatchMemoryOperation;
  std::vector<ValueOperation> operations;
  std::shared_ptr<void> given; // the user's parameters, which api/ keeps here for its getter; null: captured
};

struct ExternalSignalOperation {
  static constexpr NodeKind kKind = NodeKind::ExternalSignal;
  static constexpr backend::ExternalAction kAction = backend::ExternalAction::Signal;
  ExternalSteps steps;
  std::shared_ptr<const void> given; // the user's parameters, which api/ keeps here for its getter
};

struct ExternalWaitOperation {
  static constexpr NodeKind kKind = NodeKind::ExternalWait;
  static constexpr backend::ExternalAction kAction = backend::ExternalAction::Wait;
  ExternalSteps steps;
  std::shared_ptr<const void> given;
};

using Operation = std::variant<EmptyOperation, KernelOperation, CopyOperation, FillOperation, HostOperation,
                               ChildOperation, EventWaitOperation, EventRecordOperation, AllocationOperation,
                               FreeOperation, BatchOperation, ExternalSignalOperation, ExternalWaitOperation>;

inline NodeKind kind_of(const Operation& operation) noexcept {
  return std::visit([](const auto& o) { return std::decay_t<decltype(o)>::kKind; }, operation);
}

} // namespace hip::core
