// runtime/core/graph/graph.h - graphs of work: nodes, the edges between them, and what lives as long as a graph uses
// it. Users hold handles of graphs and nodes; a handle of something that was destroyed is told from a live one, and
// every function here answers it with InvalidValue. Thread safety: all functions may be called from any thread. One
// lock, graph_mutex(), guards the nodes, edges and operations of all graphs, because edits, clones and captures touch
// several of them. Members of Graph and GraphNode are used with it locked. Operations are destroyed without it, because
// what they own may block or call the user; only when memory runs out in the middle of an edit are they destroyed with
// it, and for that the lock is recursive.
#pragma once

#include "runtime/core/graph/operation.h"
#include "runtime/core/graph/user_object.h"

#include <functional>
#include <utility>

namespace hip::core {

class GraphExec;
class GraphNode;
using GraphPtr = std::shared_ptr<Graph>;
using NodePtr = std::shared_ptr<GraphNode>;

std::recursive_mutex& graph_mutex() noexcept;

class GraphNode {
public:
  explicit GraphNode(Operation operation) : operation(std::move(operation)) {}
  NodeKind kind() const noexcept { return kind_of(operation); }

  Handle handle = nullptr;
  Graph* graph = nullptr; // null once the node was removed
  uint64_t id = 0;        // unique in the process
  Operation operation;
  std::vector<GraphNode*> dependencies, dependents;
  Handle original = nullptr; // of the node that this one was cloned from
};

class Graph : public std::enable_shared_from_this<Graph> {
public:
  Graph();
  ~Graph();
  Graph(const Graph&) = delete;

  // Adds a node that depends on `dependencies`, which are different nodes of this graph.
  GraphNode& add(Operation operation, std::span<GraphNode* const> dependencies);
  // A copy of the graph and of the graphs in it. Error: NotSupported for a graph that allocates or frees memory.
  Result<GraphPtr> clone() const;
  bool uses_memory_nodes() const noexcept; // here or in a child graph

  Handle handle = nullptr;    // null until somebody asks for it: give_handle
  const uint64_t id;          // unique in the process
  std::vector<NodePtr> nodes; // in the order in which they were added
  GraphNode* owner = nullptr; // the child graph node that this graph is in
  UserObjectReferences user_objects;
  bool is_captured_into = false; // a capture adds nodes to it
  // Executables of a graph with memory nodes: there may be one at a time, since the addresses are the nodes'.
  std::weak_ptr<GraphExec> memory_user;
};

// What a table holds for a handle.
template<class T> struct SharedEntry {
  explicit SharedEntry(std::shared_ptr<T> object) : object(std::move(object)) {}
  void set_handle(Handle h) noexcept { object->handle = h; }
  std::shared_ptr<T> object;
};

// ---- looking up; with the lock -------------------------------------------------------------------------------------

Result<GraphPtr> find_graph(Handle graph);
Result<NodePtr> find_node(Handle node);
// The nodes of `graph` with these handles. Errors: InvalidValue for a list that is null, longer than the graph, has a
// node of another graph, or one twice.
Result<std::vector<GraphNode*>> find_nodes_of(const Graph& graph, const Handle* handles, size_t count);
// The handle of the graph, made when first asked for.
Handle give_handle(const GraphPtr& graph);
// Ends it, if there is one.
void end_handle(Graph& graph) noexcept;
// Error: NotSupported for memory nodes in a child graph.
Status check_can_take(const Graph& graph, const Operation& operation);

// ---- graphs --------------------------------------------------------------------------------------------------------

Handle create_graph();
// Errors: InvalidValue; IllegalState for a graph that a capture is adding to, and for a child graph, which its node
// owns.
Status destroy_graph(Handle graph);
Result<Handle> clone_graph(Handle graph);

Result<Handle> add_node(Handle graph, const Handle* dependencies, size_t count, Operation operation);
// Adds a copy of `child` as a node.
Result<Handle> add_child_node(Handle graph, const Handle* dependencies, size_t count, Handle child);
// Error: NotSupported for a memory node.
Status destroy_node(Handle node);

// Adds or removes the edges from from[i] to to[i]; all of them or, with an error, none. InvalidValue for an edge that
// is there already, or is not there; from a node to itself; NotSupported for removing edges of a graph with memory
// nodes.
Status add_edges(Handle graph, const Handle* from, const Handle* to, size_t count);
Status remove_edges(Handle graph, const Handle* from, const Handle* to, size_t count);

using Edge = std::pair<Handle, Handle>;
Result<std::vector<Handle>> nodes_of(Handle graph);
Result<std::vector<Handle>> root_nodes_of(Handle graph);
Result<std::vector<Edge>> edges_of(Handle graph);
Result<std::vector<Handle>> dependencies_of(Handle node);
Result<std::vector<Handle>> dependents_of(Handle node);
Result<NodeKind> kind_of_node(Handle node);
// Error: InvalidValue when `clone` has no copy of the node.
Result<Handle> find_in_clone(Handle node, Handle clone);
Result<Handle> child_graph_of(Handle node);

// References to a user object that the graph holds. Releasing more than those does nothing.
Status retain_user_object(Handle graph, Handle object, unsigned count, Move move);
Status release_user_object(Handle graph, Handle object, unsigned count);

// ---- operations of nodes -------------------------------------------------------------------------------------------

Status wrong_kind(NodeKind found, NodeKind wanted);

// Calls f(O&) with the operation of a node of that kind, with the lock. Error: InvalidValue for a node of another kind.
template<class O, class F> Status with_operation(Handle node, const F& f) {
  std::lock_guard lock(graph_mutex());
  RT_TRY_ASSIGN(const NodePtr found, find_node(node));
  if (O* const operation = std::get_if<O>(&found->operation)) return f(*operation);
  return wrong_kind(found->kind(), O::kKind);
}

// Replaces the operation of a node by one of the same kind. Error: InvalidValue.
Status set_operation(Handle node, Operation operation);

} // namespace hip::core
