#include "runtime/core/graph/graph.h"

#include "runtime/base/no_destroy.h"

#include <algorithm>
#include <unordered_map>
#include <unordered_set>

namespace hip::core {
namespace {

using GraphTable = HandleTable<SharedEntry<Graph>, HandleKind::Graph>;
using NodeTable = HandleTable<SharedEntry<GraphNode>, HandleKind::GraphNode>;
RT_NO_DESTROY constinit GraphTable graphs;
RT_NO_DESTROY constinit NodeTable graph_nodes;

uint64_t next_id() noexcept {
  static constinit std::atomic<uint64_t> next{1};
  return next.fetch_add(1, std::memory_order_relaxed);
}

template<class T> bool contains(const std::vector<T*>& list, const T* element) {
  return std::find(list.begin(), list.end(), element) != list.end();
}

bool has_edge(const GraphNode& from, const GraphNode& to) {
  return from.dependents.size() < to.dependencies.size() ? contains(from.dependents, &to)
                                                         : contains(to.dependencies, &from);
}

void connect(GraphNode& from, GraphNode& to) {
  from.dependents.push_back(&to);
  to.dependencies.push_back(&from);
}

void disconnect(GraphNode& from, GraphNode& to) noexcept {
  std::erase(from.dependents, &to);
  std::erase(to.dependencies, &from);
}

std::vector<Handle> handles_of(const std::vector<GraphNode*>& nodes) {
  std::vector<Handle> handles;
  for (const GraphNode* node : nodes) handles.push_back(node->handle);
  return handles;
}

bool is_memory_kind(NodeKind kind) noexcept {
  return kind == NodeKind::MemoryAllocation || kind == NodeKind::MemoryFree;
}
bool is_memory_node(const GraphNode& node) noexcept { return is_memory_kind(node.kind()); }

// The graph in a child graph node ends with the node, whoever has asked for its handle.
void end_child(GraphNode& node) noexcept {
  auto* const child = std::get_if<ChildOperation>(&node.operation);
  if (!child || child->graph->owner != &node) return;
  child->graph->owner = nullptr;
  end_handle(*child->graph);
}

Status memory_nodes_forbid(const char* what) {
  return error(ErrorCode::NotSupported, "A graph with memory allocation or free nodes cannot {}.", what);
}

} // namespace

std::recursive_mutex& graph_mutex() noexcept {
  RT_NO_DESTROY static std::recursive_mutex mutex;
  return mutex;
}

// ---- Graph ---------------------------------------------------------------------------------------------------------

Graph::Graph() : id(next_id()) {}

Graph::~Graph() {
  std::lock_guard lock(graph_mutex());
  for (const NodePtr& node : nodes) {
    node->graph = nullptr;
    end_child(*node);
    node->dependencies.clear();
    node->dependents.clear();
    graph_nodes.remove(node->handle); // the node itself goes with `nodes`, when the lock is free again
  }
}

GraphNode& Graph::add(Operation operation, std::span<GraphNode* const> dependencies) {
  nodes.reserve(nodes.size() + 1);
  auto node = std::make_shared<GraphNode>(std::move(operation));
  node->graph = this;
  node->id = next_id();
  graph_nodes.insert(std::make_unique<SharedEntry<GraphNode>>(node));
  if (auto* const child = std::get_if<ChildOperation>(&node->operation)) child->graph->owner = node.get();
  for (GraphNode* dependency : dependencies) connect(*dependency, *node);
  nodes.push_back(node);
  return *node;
}

bool Graph::uses_memory_nodes() const noexcept {
  return std::any_of(nodes.begin(), nodes.end(), [](const NodePtr& node) {
    const auto* const child = std::get_if<ChildOperation>(&node->operation);
    return is_memory_node(*node) || (child && child->graph->uses_memory_nodes());
  });
}

Result<GraphPtr> Graph::clone() const {
  if (uses_memory_nodes()) return memory_nodes_forbid("be copied");
  auto copy = std::make_shared<Graph>();
  std::unordered_map<const GraphNode*, GraphNode*> copies;
  for (const NodePtr& node : nodes) {
    Operation operation = node->operation;
    if (auto* const child = std::get_if<ChildOperation>(&operation)) {
      RT_TRY_ASSIGN(child->graph, child->graph->clone());
    }
    GraphNode& made = copy->add(std::move(operation), {});
    made.original = node->handle;
    copies[node.get()] = &made;
  }
  for (const NodePtr& node : nodes)
    for (const GraphNode* dependency : node->dependencies) connect(*copies[dependency], *copies[node.get()]);
  copy->user_objects = user_objects;
  return copy;
}

// ---- looking up ----------------------------------------------------------------------------------------------------

Result<GraphPtr> find_graph(Handle handle) {
  if (const auto pin = graphs.pin(handle)) return pin->object;
  if (!handle) return error(ErrorCode::InvalidValue, "The graph is null.");
  return error(ErrorCode::InvalidValue, "{} is not a graph, or it was destroyed.", const_cast<void*>(handle));
}

Result<NodePtr> find_node(Handle handle) {
  const auto pin = graph_nodes.pin(handle);
  if (pin && pin->object->graph) return pin->object;
  if (!handle) return error(ErrorCode::InvalidValue, "The node is null.");
  return error(ErrorCode::InvalidValue, "{} is not a graph node, or it was destroyed.", const_cast<void*>(handle));
}

Result<std::vector<GraphNode*>> find_nodes_of(const Graph& graph, const Handle* handles, size_t count) {
  std::vector<GraphNode*> found;
  if (count == 0) return found;
  if (!handles) return error(ErrorCode::InvalidValue, "{} nodes are announced, but their list is null.", count);
  if (count > graph.nodes.size())
    return error(ErrorCode::InvalidValue, "{} nodes are named; the graph has {}.", count, graph.nodes.size());
  std::unordered_set<const GraphNode*> seen;
  for (size_t i = 0; i < count; ++i) {
    RT_TRY_ASSIGN(const NodePtr node, find_node(handles[i]));
    if (node->graph != &graph)
      return error(ErrorCode::InvalidValue, "Node {} of {} belongs to another graph.", i, count);
    if (!seen.insert(node.get()).second)
      return error(ErrorCode::InvalidValue, "Node {} of {} is named twice.", i, count);
    found.push_back(node.get());
  }
  return found;
}

Handle give_handle(const GraphPtr& graph) {
  if (!graph->handle) graphs.insert(std::make_unique<SharedEntry<Graph>>(graph));
  return graph->handle;
}

void end_handle(Graph& graph) noexcept {
  if (const Handle handle = std::exchange(graph.handle, nullptr)) graphs.remove(handle);
}

Status check_can_take(const Graph& graph, const Operation& operation) {
  return graph.owner && is_memory_kind(kind_of(operation)) ? memory_nodes_forbid("be a child graph") : Status();
}

// ---- graphs --------------------------------------------------------------------------------------------------------

Handle create_graph() {
  const auto graph = std::make_shared<Graph>();
  std::lock_guard lock(graph_mutex());
  return give_handle(graph);
}

Status destroy_graph(Handle handle) {
  GraphPtr graph; // dropped after the lock
  std::lock_guard lock(graph_mutex());
  RT_TRY_ASSIGN(graph, find_graph(handle));
  if (graph->owner)
    return error(ErrorCode::IllegalState, "The graph belongs to a child graph node and is destroyed with it.");
  if (graph->is_captured_into)
    return error(ErrorCode::IllegalState, "A stream capture is adding nodes to the graph; end the capture first.");
  end_handle(*graph);
  return {};
}

Result<Handle> clone_graph(Handle handle) {
  GraphPtr copy; // dropped after the lock, when there is no handle to it
  std::lock_guard lock(graph_mutex());
  RT_TRY_ASSIGN(const GraphPtr graph, find_graph(handle));
  RT_TRY_ASSIGN(copy, graph->clone());
  return give_handle(copy);
}

Result<Handle> add_node(Handle handle, const Handle* dependencies, size_t count, Operation operation) {
  std::lock_guard lock(graph_mutex());
  RT_TRY_ASSIGN(const GraphPtr graph, find_graph(handle));
  RT_TRY_ASSIGN(const std::vector<GraphNode*> nodes, find_nodes_of(*graph, dependencies, count));
  RT_TRY(check_can_take(*graph, operation));
  return graph->add(std::move(operation), nodes).handle;
}

Result<Handle> add_child_node(Handle handle, const Handle* dependencies, size_t count, Handle child) {
  GraphPtr copy;
  std::lock_guard lock(graph_mutex());
  RT_TRY_ASSIGN(const GraphPtr graph, find_graph(handle));
  RT_TRY_ASSIGN(const GraphPtr inner, find_graph(child));
  RT_TRY_ASSIGN(const std::vector<GraphNode*> nodes, find_nodes_of(*graph, dependencies, count));
  if (inner->uses_memory_nodes()) return memory_nodes_forbid("be a child graph");
  RT_TRY_ASSIGN(copy, inner->clone());
  return graph->add(ChildOperation{copy}, nodes).handle;
}

Status destroy_node(Handle handle) {
  NodePtr node; // dropped after the lock
  std::lock_guard lock(graph_mutex());
  RT_TRY_ASSIGN(node, find_node(handle));
  if (is_memory_node(*node)) return memory_nodes_forbid("lose such a node");
  while (!node->dependencies.empty()) disconnect(*node->dependencies.back(), *node);
  while (!node->dependents.empty()) disconnect(*node, *node->dependents.back());
  Graph& graph = *std::exchange(node->graph, nullptr);
  std::erase(graph.nodes, node);
  end_child(*node);
  graph_nodes.remove(handle);
  return {};
}

namespace {

// The ends of edges, both of this graph.
Result<std::vector<std::pair<GraphNode*, GraphNode*>>> find_edges(const Graph& graph, const Handle* from,
                                                                  const Handle* to, size_t count) {
  std::vector<std::pair<GraphNode*, GraphNode*>> edges;
  if (count == 0) return edges;
  if (!from || !to)
    return error(ErrorCode::InvalidValue, "The list of {} nodes is null.", from ? "dependent" : "first");
  for (size_t i = 0; i < count; ++i) {
    RT_TRY_ASSIGN(const NodePtr first, find_node(from[i]));
    RT_TRY_ASSIGN(const NodePtr second, find_node(to[i]));
    if (first->graph != &graph || second->graph != &graph)
      return error(ErrorCode::InvalidValue, "Edge {} of {} has a node of another graph.", i, count);
    if (first == second) return error(ErrorCode::InvalidValue, "Edge {} of {} leads from a node to itself.", i, count);
    edges.emplace_back(first.get(), second.get());
  }
  return edges;
}

} // namespace

Status add_edges(Handle handle, const Handle* from, const Handle* to, size_t count) {
  std::lock_guard lock(graph_mutex());
  RT_TRY_ASSIGN(const GraphPtr graph, find_graph(handle));
  RT_TRY_ASSIGN(const auto edges, find_edges(*graph, from, to, count));
  for (size_t i = 0; i < edges.size(); ++i) {
    const auto& [first, second] = edges[i];
    if (!has_edge(*first, *second)) {
      connect(*first, *second);
      continue;
    }
    while (i-- > 0) disconnect(*edges[i].first, *edges[i].second);
    return error(ErrorCode::InvalidValue, "The graph has an edge between these two nodes already.");
  }
  return {};
}

Status remove_edges(Handle handle, const Handle* from, const Handle* to, size_t count) {
  std::lock_guard lock(graph_mutex());
  RT_TRY_ASSIGN(const GraphPtr graph, find_graph(handle));
  RT_TRY_ASSIGN(const auto edges, find_edges(*graph, from, to, count));
  if (count != 0 && graph->uses_memory_nodes()) return memory_nodes_forbid("lose edges");
  for (size_t i = 0; i < edges.size(); ++i) {
    const auto& [first, second] = edges[i];
    if (has_edge(*first, *second)) {
      disconnect(*first, *second);
      continue;
    }
    while (i-- > 0) connect(*edges[i].first, *edges[i].second);
    return error(ErrorCode::InvalidValue, "The graph has no edge between these two nodes.");
  }
  return {};
}

Result<std::vector<Handle>> nodes_of(Handle handle) {
  std::lock_guard lock(graph_mutex());
  RT_TRY_ASSIGN(const GraphPtr graph, find_graph(handle));
  std::vector<Handle> handles;
  for (const NodePtr& node : graph->nodes) handles.push_back(node->handle);
  return handles;
}

Result<std::vector<Handle>> root_nodes_of(Handle handle) {
  std::lock_guard lock(graph_mutex());
  RT_TRY_ASSIGN(const GraphPtr graph, find_graph(handle));
  std::vector<Handle> handles;
  for (const NodePtr& node : graph->nodes)
    if (node->dependencies.empty()) handles.push_back(node->handle);
  return handles;
}

Result<std::vector<Edge>> edges_of(Handle handle) {
  std::lock_guard lock(graph_mutex());
  RT_TRY_ASSIGN(const GraphPtr graph, find_graph(handle));
  std::vector<Edge> edges;
  for (const NodePtr& node : graph->nodes)
    for (const GraphNode* dependent : node->dependents) edges.emplace_back(node->handle, dependent->handle);
  return edges;
}

Result<std::vector<Handle>> dependencies_of(Handle handle) {
  std::lock_guard lock(graph_mutex());
  RT_TRY_ASSIGN(const NodePtr node, find_node(handle));
  return handles_of(node->dependencies);
}

Result<std::vector<Handle>> dependents_of(Handle handle) {
  std::lock_guard lock(graph_mutex());
  RT_TRY_ASSIGN(const NodePtr node, find_node(handle));
  return handles_of(node->dependents);
}

Result<NodeKind> kind_of_node(Handle handle) {
  std::lock_guard lock(graph_mutex());
  RT_TRY_ASSIGN(const NodePtr node, find_node(handle));
  return node->kind();
}

Result<Handle> find_in_clone(Handle handle, Handle clone) {
  std::lock_guard lock(graph_mutex());
  RT_TRY_ASSIGN(const NodePtr node, find_node(handle));
  RT_TRY_ASSIGN(const GraphPtr graph, find_graph(clone));
  for (const NodePtr& candidate : graph->nodes)
    if (candidate->original == handle) return candidate->handle;
  return error(ErrorCode::InvalidValue, "The graph has no copy of this node; it was not cloned from the node's graph.");
}

Result<Handle> child_graph_of(Handle node) {
  Handle child = nullptr;
  RT_TRY(with_operation<ChildOperation>(node, [&](ChildOperation& operation) -> Status {
    child = give_handle(operation.graph);
    return {};
  }));
  return child;
}

// ---- user objects of graphs ----------------------------------------------------------------------------------------

Status retain_user_object(Handle handle, Handle object, unsigned count, Move move) {
  RT_TRY_ASSIGN(const Ref<UserObject> found, find_user_object(object));
  std::lock_guard lock(graph_mutex());
  RT_TRY_ASSIGN(const GraphPtr graph, find_graph(handle));
  auto& [held, references] = graph->user_objects[object];
  held = found;
  references += count;
  give_to_graph(*found, count, move);
  return {};
}

Status release_user_object(Handle handle, Handle object, unsigned count) {
  if (!object) return error(ErrorCode::InvalidValue, "The user object is null.");
  Ref<UserObject> dropped; // after the lock
  std::lock_guard lock(graph_mutex());
  RT_TRY_ASSIGN(const GraphPtr graph, find_graph(handle));
  const auto found = graph->user_objects.find(object);
  if (found == graph->user_objects.end() || found->second.second < count) return {};
  take_from_graph(*found->second.first, count);
  found->second.second -= count;
  if (found->second.second != 0) return {};
  dropped = std::move(found->second.first);
  graph->user_objects.erase(found);
  return {};
}

// ---- operations ----------------------------------------------------------------------------------------------------

Status wrong_kind(NodeKind found, NodeKind wanted) {
  return error(ErrorCode::InvalidValue, "The node is of kind {} (hipGraphNodeType); {} is needed.",
               static_cast<int>(found), static_cast<int>(wanted));
}

Status set_operation(Handle handle, Operation operation) {
  std::unique_lock lock(graph_mutex());
  RT_TRY_ASSIGN(const NodePtr node, find_node(handle));
  if (node->operation.index() != operation.index()) {
    const NodeKind kind = node->kind();
    lock.unlock();
    return wrong_kind(kind, kind_of(operation));
  }
  std::swap(node->operation, operation);
  lock.unlock(); // the old operation is dropped without the lock
  return {};
}

} // namespace hip::core
