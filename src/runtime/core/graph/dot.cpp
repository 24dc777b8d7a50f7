#include "runtime/core/graph/dot.h"

#include <cstdio>
#include <memory>

namespace hip::core {
namespace {

enum Flags : unsigned {
  kVerbose = 1 << 0,
  kKernels = 1 << 2,
  kCopies = 1 << 3,
  kFills = 1 << 4,
  kHosts = 1 << 5,
  kEvents = 1 << 6,
  kAttributes = 1 << 9,
  kHandles = 1 << 10,
};

const char* kind_name(NodeKind kind) noexcept {
  switch (kind) {
  case NodeKind::Kernel:
    return "KERNEL";
  case NodeKind::Copy:
    return "MEMCPY";
  case NodeKind::Fill:
    return "MEMSET";
  case NodeKind::Host:
    return "HOST";
  case NodeKind::ChildGraph:
    return "GRAPH";
  case NodeKind::Empty:
    return "EMPTY";
  case NodeKind::EventWait:
    return "EVENT_WAIT";
  case NodeKind::EventRecord:
    return "EVENT_RECORD";
  case NodeKind::ExternalSignal:
    return "EXT_SEM_SIGNAL";
  case NodeKind::ExternalWait:
    return "EXT_SEM_WAIT";
  case NodeKind::MemoryAllocation:
    return "MEM_ALLOC";
  case NodeKind::MemoryFree:
    return "MEM_FREE";
  case NodeKind::BatchMemoryOperation:
    return "BATCH_MEM_OP";
  }
  return "?";
}

struct Describe {
  unsigned flags;
  bool wants(unsigned what) const noexcept { return (flags & (what | kVerbose)) != 0; }

  std::string operator()(const KernelOperation& k) const {
    std::string text = "\\n" + k.function->name();
    if (wants(kKernels))
      text += fmt::format("\\ngrid {} x {} x {}, block {} x {} x {}, {} bytes of shared memory", k.shape.grid[0],
                          k.shape.grid[1], k.shape.grid[2], k.shape.group[0], k.shape.group[1], k.shape.group[2],
                          k.shape.dynamic_lds_bytes);
    if (wants(kAttributes)) text += fmt::format("\\ncooperative {}", k.launch.cooperative ? 1 : 0);
    return text;
  }
  std::string operator()(const CopyOperation& c) const {
    if (!wants(kCopies)) return {};
    return fmt::format("\\nkind {}, {} x {} x {}\\nfrom {} to {}", static_cast<int>(c.kind), c.extent[0], c.extent[1],
                       c.extent[2], c.src.array ? c.src.array : c.src.memory, c.dst.array ? c.dst.array : c.dst.memory);
  }
  std::string operator()(const FillOperation& f) const {
    if (!wants(kFills)) return {};
    return fmt::format("\\n{} rows of {} elements of {} bytes, pitch {}\\nvalue {} at {}", f.height, f.width,
                       f.element_bytes, f.pitch_bytes, f.value, f.memory);
  }
  std::string operator()(const HostOperation& h) const {
    if (!wants(kHosts)) return {};
    return fmt::format("\\nfunction {}, data {}", reinterpret_cast<void*>(h.function), h.user_data);
  }
  std::string operator()(const EventWaitOperation& e) const { return event(e.event); }
  std::string operator()(const EventRecordOperation& e) const { return event(e.event); }
  std::string operator()(const AllocationOperation& a) const {
    return fmt::format("\\n{} bytes at {}", a.allocation->bytes(), a.allocation->address());
  }
  std::string operator()(const FreeOperation& f) const { return fmt::format("\\n{}", f.address); }
  std::string operator()(const BatchOperation& b) const { return fmt::format("\\n{} operations", b.operations.size()); }
  std::string operator()(const ExternalSignalOperation& s) const {
    return fmt::format("\\n{} semaphores", s.steps.list.size());
  }
  std::string operator()(const ExternalWaitOperation& w) const {
    return fmt::format("\\n{} semaphores", w.steps.list.size());
  }
  template<class O> std::string operator()(const O&) const { return {}; }

private:
  std::string event(Handle handle) const { return wants(kEvents) ? fmt::format("\\nevent {}", handle) : std::string(); }
};

std::string name_of(const GraphNode& node) { return fmt::format("node_{}", node.id); }

void print(const Graph& graph, unsigned flags, const std::string& indent, std::string& out) {
  for (const NodePtr& node : graph.nodes) {
    std::string label = kind_name(node->kind()) + std::visit(Describe{flags}, node->operation);
    if (flags & (kHandles | kVerbose)) label += fmt::format("\\nhandle {}", node->handle);
    out += fmt::format("{}\"{}\" [shape=box, label=\"{}\"];\n", indent, name_of(*node), label);
    if (const auto* const child = std::get_if<ChildOperation>(&node->operation)) {
      out += fmt::format("{}subgraph cluster_{} {{\n{}  label=\"graph {}\";\n", indent, child->graph->id, indent,
                         child->graph->id);
      print(*child->graph, flags, indent + "  ", out);
      out += indent + "}\n";
    }
  }
  for (const NodePtr& node : graph.nodes)
    for (const GraphNode* dependent : node->dependents)
      out += fmt::format("{}\"{}\" -> \"{}\";\n", indent, name_of(*node), name_of(*dependent));
}

} // namespace

Status print_dot(Handle handle, const char* path, unsigned flags) {
  std::string text;
  {
    std::lock_guard lock(graph_mutex());
    RT_TRY_ASSIGN(const GraphPtr graph, find_graph(handle));
    text = fmt::format("digraph \"graph {}\" {{\n", graph->id);
    print(*graph, flags, "  ", text);
    text += "}\n";
  }
  std::FILE* const file = std::fopen(path, "we");
  const bool written = file && std::fwrite(text.data(), 1, text.size(), file) == text.size();
  if (file && std::fclose(file) == 0 && written) return {};
  return error(ErrorCode::OperatingSystem, "The file \"{}\" cannot be written.", path);
}

} // namespace hip::core
