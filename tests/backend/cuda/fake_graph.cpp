// The fake driver: stream capture and graphs. A graph runs its nodes in the order that is the least like the one in
// which they were captured, so that a dependency that is missing shows.
#include "fake_state.h"

#include <algorithm>

using namespace hip::cuda;
using namespace hip::test;

#define FAKE_EXPORT extern "C" __attribute__((visibility("default")))

namespace {

constexpr CUresult kErrorInvalidHandle = 400, kErrorIllegalState = 401;

void run_all(const CUgraphExec_st& exec) {
  const CUgraph_st& graph = *exec.graph;
  std::set<const CUgraphNode_st*> done;
  while (done.size() < graph.nodes.size())
    for (auto it = graph.nodes.rbegin(); it != graph.nodes.rend(); ++it) {
      const CUgraphNode_st& node = **it;
      const bool ready = std::all_of(node.dependencies.begin(), node.dependencies.end(),
                                     [&](const CUgraphNode_st* before) { return done.contains(before); });
      if (!ready || done.contains(&node)) continue;
      const auto changed = exec.changed.find(&node);
      changed == exec.changed.end() ? node.run() : changed->second();
      done.insert(&node);
      break;
    }
}

} // namespace

FAKE_EXPORT CUresult cuStreamBeginCapture_v2(CUstream stream, int mode) {
  FAKE_ENTER_CONTEXT(cuStreamBeginCapture);
  if (mode < 0 || mode > kCaptureRelaxed) return kErrorInvalidValue;
  if (!stream || stream == kStreamLegacy || !fake.streams.contains(stream)) return kErrorInvalidHandle;
  if (stream->capture) return kErrorIllegalState;
  stream->capture = std::make_shared<CUgraph_st>();
  return kSuccess;
}

FAKE_EXPORT CUresult cuStreamEndCapture(CUstream stream, CUgraph* graph) {
  FAKE_ENTER_CONTEXT(cuStreamEndCapture);
  if (!fake.captures(stream)) return kErrorIllegalState;
  const std::shared_ptr<CUgraph_st> made = std::move(stream->capture);
  stream->capture_dependencies.clear();
  *graph = made.get();
  fake.graphs[made.get()] = made;
  return kSuccess;
}

FAKE_EXPORT CUresult cuStreamGetCaptureInfo_v2(CUstream stream, int* status, unsigned long long* id, CUgraph* graph,
                                               const CUgraphNode** dependencies, size_t* count) {
  FAKE_ENTER_CONTEXT(cuStreamGetCaptureInfo);
  *status = fake.captures(stream) ? 1 : 0;
  if (*status == 0) return kSuccess;
  if (id) *id = 1;
  if (graph) *graph = stream->capture.get();
  if (dependencies) *dependencies = stream->capture_dependencies.data();
  if (count) *count = stream->capture_dependencies.size();
  return kSuccess;
}

FAKE_EXPORT CUresult cuStreamUpdateCaptureDependencies(CUstream stream, CUgraphNode* nodes, size_t count,
                                                       unsigned flags) {
  FAKE_ENTER_CONTEXT(cuStreamUpdateCaptureDependencies);
  if (!fake.captures(stream)) return kErrorIllegalState;
  if (flags > kSetCaptureDependencies) return kErrorInvalidValue;
  std::vector<CUgraphNode>& dependencies = stream->capture_dependencies;
  if (flags == kSetCaptureDependencies) dependencies.clear();
  for (size_t i = 0; i < count; ++i) {
    const auto is_it = [&](const auto& node) { return node.get() == nodes[i]; };
    if (std::none_of(stream->capture->nodes.begin(), stream->capture->nodes.end(), is_it)) return kErrorInvalidValue;
    dependencies.push_back(nodes[i]);
  }
  return kSuccess;
}

FAKE_EXPORT CUresult cuGraphInstantiateWithFlags(CUgraphExec* exec, CUgraph graph, unsigned long long flags) {
  FAKE_ENTER_CONTEXT(cuGraphInstantiateWithFlags);
  const auto found = fake.graphs.find(graph);
  if (found == fake.graphs.end() || flags > 15) return kErrorInvalidValue;
  *exec = new CUgraphExec_st{found->second};
  fake.graph_execs.insert(*exec);
  return kSuccess;
}

FAKE_EXPORT CUresult cuGraphLaunch(CUgraphExec exec, CUstream stream) {
  FAKE_ENTER_CONTEXT(cuGraphLaunch);
  if (!fake.graph_execs.contains(exec)) return kErrorInvalidValue;
  return fake.submit(stream, [as_it_is = *exec] { run_all(as_it_is); });
}

FAKE_EXPORT CUresult cuGraphDestroy(CUgraph graph) {
  FAKE_ENTER_CONTEXT(cuGraphDestroy);
  return fake.graphs.erase(graph) ? kSuccess : kErrorInvalidValue;
}

FAKE_EXPORT CUresult cuGraphExecDestroy(CUgraphExec exec) {
  FAKE_ENTER_CONTEXT(cuGraphExecDestroy);
  if (!fake.graph_execs.erase(exec)) return kErrorInvalidValue;
  delete exec;
  return kSuccess;
}
