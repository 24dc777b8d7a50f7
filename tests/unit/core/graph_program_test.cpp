// From a graph's nodes to the steps of its program: levels, lists, and transfers that become one.
#include "runtime/core/graph/program.h"

#include <catch2/catch.hpp>

using namespace hip;
using namespace hip::core;

namespace {

std::byte* at(uintptr_t address) { return reinterpret_cast<std::byte*>(address); }

// A node that fills bytes of an allocation.
ExecNode fill(uintptr_t address, size_t bytes, uint64_t allocation, std::vector<uint32_t> dependencies = {},
              uint32_t value = 1) {
  PreparedTransfer transfer;
  transfer.dst.memory = {at(address), bytes, bytes};
  transfer.extent = {bytes, 1, 1};
  transfer.pattern = value;
  transfer.pattern_bytes = 1;
  transfer.dst_allocation = transfer.src_allocation = allocation;
  FillOperation operation;
  operation.transfers.push_back(transfer);
  ExecNode node;
  node.operation = std::move(operation);
  node.dependencies = std::move(dependencies);
  return node;
}

ExecNode copy(uintptr_t to, uintptr_t from, size_t bytes, std::vector<uint32_t> dependencies) {
  PreparedTransfer transfer;
  transfer.dst.memory = {at(to), bytes, bytes};
  transfer.src.memory = {at(from), bytes, bytes};
  transfer.extent = {bytes, 1, 1};
  transfer.dst_allocation = transfer.src_allocation = 1;
  CopyOperation operation;
  operation.transfers.push_back(transfer);
  ExecNode node;
  node.operation = std::move(operation);
  node.dependencies = std::move(dependencies);
  return node;
}

ExecNode host(std::vector<uint32_t> dependencies) {
  ExecNode node;
  node.operation = HostOperation{};
  node.dependencies = std::move(dependencies);
  return node;
}

ExecGraph graph_of(std::vector<ExecNode> nodes) {
  ExecGraph graph;
  graph.nodes = std::move(nodes);
  return graph;
}

template<class... N> std::vector<ExecNode> list(N... nodes) {
  std::vector<ExecNode> made;
  (made.push_back(std::move(nodes)), ...);
  return made;
}

// "8@100 | 4@200": the bytes and the places of a step's commands; '|' where a new step of the device begins.
std::string text_of(const ProgramStep& step) {
  if (step.node) return "node";
  std::string text;
  for (const backend::Command& command : step.commands) {
    if (!text.empty()) text += command.starts_step ? " | " : " ";
    text += fmt::format("{}@{}", command.extent.width_bytes, reinterpret_cast<uintptr_t>(command.dst.base));
  }
  return text;
}
std::vector<std::string> texts_of(ExecGraph&& graph) {
  std::vector<std::string> texts;
  for (const ProgramStep& step : make_steps(graph)) texts.push_back(text_of(step));
  return texts;
}
using Texts = std::vector<std::string>;

} // namespace

TEST_CASE("Nodes of one level may run beside each other", "[graph]") {
  // 0 and 1 are roots, 2 follows 0, 3 follows both; 4 is alone.
  ExecGraph graph = graph_of(
      list(fill(1000, 8, 1), fill(2000, 8, 1), fill(3000, 8, 1, {0}), fill(4000, 8, 1, {0, 1}), fill(5000, 8, 1)));
  CHECK(texts_of(std::move(graph)) == Texts{"8@1000 8@2000 8@5000 | 8@3000 8@4000"});
}

TEST_CASE("Host functions part lists", "[graph]") {
  ExecGraph graph = graph_of(list(fill(1000, 8, 1), host({0}), fill(2000, 8, 1, {1})));
  CHECK(texts_of(std::move(graph)) == Texts{"8@1000", "node", "8@2000"});
}

TEST_CASE("Disabled and empty nodes vanish, what depends on them keeps its order", "[graph]") {
  ExecGraph graph = graph_of(list(fill(1000, 8, 1), fill(2000, 8, 1, {0}), ExecNode(), fill(3000, 8, 1, {2})));
  graph.nodes[1].enabled = false;
  graph.nodes[2].dependencies = {1}; // empty
  CHECK(texts_of(std::move(graph)) == Texts{"8@1000 | 8@3000"});
}

TEST_CASE("The nodes of a child graph come between those around it", "[graph]") {
  ExecGraph graph = graph_of(list(fill(1000, 8, 1), ExecNode(), fill(4000, 8, 1, {1})));
  graph.nodes[1].dependencies = {0};
  graph.nodes[1].child = std::make_unique<ExecGraph>(graph_of(list(fill(2000, 8, 1), fill(3000, 8, 1, {0}))));
  CHECK(texts_of(std::move(graph)) == Texts{"8@1000 | 8@2000 | 8@3000 | 8@4000"});
}

TEST_CASE("Transfers that continue each other become one, inside an allocation", "[graph]") {
  CHECK(texts_of(graph_of(list(fill(1000, 8, 1), fill(1008, 8, 1, {0})))) == Texts{"16@1000"});
  CHECK(texts_of(graph_of(list(fill(1000, 8, 1), fill(1008, 8, 1)))) == Texts{"16@1000"});
  CHECK(texts_of(graph_of(list(fill(1000, 8, 1), fill(1008, 8, 2, {0})))) == Texts{"8@1000 | 8@1008"});
  CHECK(texts_of(graph_of(list(fill(1000, 8, 1), fill(1008, 8, 1, {0}, 2)))) == Texts{"8@1000 | 8@1008"});
  CHECK(texts_of(graph_of(list(fill(1000, 8, 1), fill(1016, 8, 1, {0})))) == Texts{"8@1000 | 8@1016"});
  // The second continues one of two that may run in any order: it has to wait for both.
  CHECK(texts_of(graph_of(list(fill(5000, 8, 1), fill(1000, 8, 1), fill(1008, 8, 1, {0, 1})))) ==
        Texts{"8@5000 8@1000 | 8@1008"});
  CHECK(texts_of(graph_of(list(copy(1000, 2000, 8, {}), copy(1008, 2008, 8, {0})))) == Texts{"16@1000"});
  // The second reads what the first has written.
  CHECK(texts_of(graph_of(list(copy(1000, 996, 8, {}), copy(1008, 1004, 8, {0})))) == Texts{"8@1000 | 8@1008"});
  // The second writes what the first has read: one copy of both would overlap itself.
  CHECK(texts_of(graph_of(list(copy(1000, 1008, 8, {}), copy(1008, 1016, 8, {0})))) == Texts{"8@1000 | 8@1008"});
}

TEST_CASE("Copies with images name the device that does them", "[graph]") {
  auto* const device = reinterpret_cast<Device*>(uintptr_t{64}); // only named
  PreparedTransfer transfer;
  transfer.dst.image = reinterpret_cast<backend::Image*>(uintptr_t{64});
  transfer.owner = device;
  CopyOperation operation;
  operation.transfers.push_back(transfer);
  ExecNode node;
  node.operation = std::move(operation);
  ExecGraph graph = graph_of(list(std::move(node)));
  const std::vector<ProgramStep> steps = make_steps(graph);
  REQUIRE(steps.size() == 1);
  CHECK(steps[0].node == &graph.nodes[0]);
  CHECK(steps[0].device == device);
}
