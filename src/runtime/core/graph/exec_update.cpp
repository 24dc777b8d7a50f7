// runtime/core/graph/exec_update.cpp - a graph's operations in topological order, and taking those of another graph.
#include "runtime/core/graph/graph_exec.h"

#include <algorithm>

namespace hip::core {

Result<ExecGraph> copy_in_order(const Graph& graph, Handle& error_node) {
  std::unordered_map<const GraphNode*, size_t> missing; // how many dependencies have no place yet
  std::unordered_map<const GraphNode*, uint32_t> place;
  std::vector<const GraphNode*> order;
  for (const NodePtr& node : graph.nodes) {
    missing[node.get()] = node->dependencies.size();
    if (node->dependencies.empty()) order.push_back(node.get());
  }
  for (size_t i = 0; i < order.size(); ++i) {
    place[order[i]] = static_cast<uint32_t>(i);
    for (const GraphNode* dependent : order[i]->dependents)
      if (--missing[dependent] == 0) order.push_back(dependent);
  }
  if (order.size() != graph.nodes.size()) {
    for (const NodePtr& node : graph.nodes)
      if (missing[node.get()] != 0) {
        error_node = node->handle;
        break;
      }
    return error(ErrorCode::InvalidValue, "The edges of the graph make a cycle of some of its {} nodes.",
                 graph.nodes.size());
  }
  ExecGraph copy;
  copy.user_objects = graph.user_objects;
  for (const GraphNode* node : order) {
    ExecNode& made = copy.nodes.emplace_back();
    made.original = node->handle;
    if (const auto* const child = std::get_if<ChildOperation>(&node->operation)) {
      RT_TRY_ASSIGN(ExecGraph inner, copy_in_order(*child->graph, error_node));
      made.child = std::make_unique<ExecGraph>(std::move(inner));
    } else {
      made.operation = node->operation;
    }
    for (const GraphNode* dependency : node->dependencies) made.dependencies.push_back(place[dependency]);
    std::sort(made.dependencies.begin(), made.dependencies.end());
  }
  return copy;
}

namespace {

// What may not change is where and between what kinds of memory an operation works.
struct Compare {
  UpdateResult operator()(const KernelOperation& mine, const KernelOperation& theirs) const {
    return &mine.function->device() == &theirs.function->device() ? UpdateResult::Success
                                                                  : UpdateResult::FunctionChanged;
  }
  UpdateResult operator()(const CopyOperation& mine, const CopyOperation& theirs) const {
    const bool same_arrays = !mine.dst.array == !theirs.dst.array && !mine.src.array == !theirs.src.array;
    return mine.kind == theirs.kind && same_arrays ? UpdateResult::Success : UpdateResult::ParametersChanged;
  }
  UpdateResult operator()(const AllocationOperation& mine, const AllocationOperation& theirs) const {
    return mine.allocation.get() == theirs.allocation.get() ? UpdateResult::Success : UpdateResult::NotSupported;
  }
  UpdateResult operator()(const FreeOperation& mine, const FreeOperation& theirs) const {
    return mine.address == theirs.address ? UpdateResult::Success : UpdateResult::NotSupported;
  }
  template<class O> UpdateResult operator()(const O&, const O&) const { return UpdateResult::Success; }
  template<class A, class B> UpdateResult operator()(const A&, const B&) const { return UpdateResult::NodeTypeChanged; }
};

UpdateResult compare(const ExecGraph& mine, const ExecGraph& theirs, Handle& error_node) {
  if (mine.nodes.size() != theirs.nodes.size()) return UpdateResult::TopologyChanged;
  for (size_t i = 0; i < mine.nodes.size(); ++i) {
    const ExecNode& a = mine.nodes[i];
    const ExecNode& b = theirs.nodes[i];
    UpdateResult result = UpdateResult::Success;
    if (!a.child != !b.child)
      result = UpdateResult::NodeTypeChanged;
    else if (a.child)
      result = compare(*a.child, *b.child, error_node);
    else
      result = std::visit(Compare(), a.operation, b.operation);
    if (result == UpdateResult::Success && a.dependencies != b.dependencies) result = UpdateResult::TopologyChanged;
    if (result == UpdateResult::Success) continue;
    if (!error_node) error_node = b.original;
    return result;
  }
  return UpdateResult::Success;
}

void take(ExecGraph& mine, ExecGraph& theirs) noexcept {
  std::swap(mine.user_objects, theirs.user_objects);
  for (size_t i = 0; i < mine.nodes.size(); ++i) {
    if (mine.nodes[i].child)
      take(*mine.nodes[i].child, *theirs.nodes[i].child);
    else
      std::swap(mine.nodes[i].operation, theirs.nodes[i].operation);
  }
}

} // namespace

UpdateResult take_operations(ExecGraph& mine, ExecGraph& theirs, Handle& error_node) {
  const UpdateResult result = compare(mine, theirs, error_node);
  if (result == UpdateResult::Success) take(mine, theirs);
  return result;
}

} // namespace hip::core
