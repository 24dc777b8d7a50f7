// runtime/engine/compile/read/loops.cpp - see loops.h. A node is in a loop if it is in a strongly connected component of several
// nodes, or follows itself. Components are found by Tarjan's algorithm ("Depth-first search and linear graph algorithms", 1972).
#include "runtime/engine/compile/read/loops.h"

#include <algorithm>

namespace hip::engine::compile {
namespace {

class Components {
public:
  explicit Components(Code& code) : nodes_(code.nodes), order_(code.nodes.size(), 0), low_(code.nodes.size(), 0), open_(code.nodes.size(), false) {}

  void visit(uint32_t root) {
    if (order_[root]) return;
    enter(root);
    while (!path_.empty()) {
      Step& step = path_.back();
      const Node& node = nodes_[step.node];
      if (step.successor == 2) {
        const uint32_t n = step.node;
        path_.pop_back();
        if (!path_.empty()) low_[path_.back().node] = std::min(low_[path_.back().node], low_[n]);
        if (low_[n] == order_[n]) close(n);
        continue;
      }
      const uint32_t to = step.successor++ == 0 ? node.next : node.taken;
      if (to == kNoNode) continue;
      if (!order_[to])
        enter(to);
      else if (open_[to])
        low_[step.node] = std::min(low_[step.node], order_[to]);
    }
  }

private:
  struct Step {
    uint32_t node, successor;
  };
  void enter(uint32_t n) {
    order_[n] = low_[n] = ++count_;
    open_[n] = true;
    stack_.push_back(n);
    path_.push_back({n, 0});
  }
  // `n` is the first node of a component, of which all nodes lie behind it on the stack.
  void close(uint32_t n) {
    const bool several = stack_.back() != n, itself = nodes_[n].next == n || nodes_[n].taken == n;
    for (uint32_t member = kNoNode; member != n;) {
      member = stack_.back();
      stack_.pop_back();
      open_[member] = false;
      nodes_[member].comes_back = several || itself;
      if (nodes_[member].comes_back) nodes_[member].loop = n;
    }
  }

  std::vector<Node>& nodes_;
  std::vector<uint32_t> order_, low_; // when a node was reached, from 1 on; and the first one that it leads back to
  std::vector<bool> open_;            // its component is not complete
  std::vector<uint32_t> stack_;
  std::vector<Step> path_;
  uint32_t count_ = 0;
};

} // namespace

void find_loops(Code& code) {
  Components components(code);
  for (uint32_t n = 0; n < code.nodes.size(); ++n) components.visit(n);
}

} // namespace hip::engine::compile
