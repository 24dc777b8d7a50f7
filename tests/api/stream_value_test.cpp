#include "testing.h"

namespace {

// Two words of pinned memory.
struct Words {
  Words() { OK(hipHostMalloc(reinterpret_cast<void**>(&at), 64, hipHostMallocDefault)); }
  ~Words() { (void)hipHostFree(at); }
  uint64_t* at = nullptr;
};

} // namespace

TEST_CASE("Values written in stream order") {
  Words words;
  int supported = 0;
  OK(hipDeviceGetAttribute(&supported, hipDeviceAttributeCanUseStreamWaitValue, 0));
  CHECK(supported == 1);
  hipStream_t stream;
  OK(hipStreamCreate(&stream));
  words.at[0] = ~uint64_t{0};
  words.at[1] = 0;
  OK(hipStreamWriteValue32(stream, words.at, 0x12345678, 0));
  OK(hipStreamWriteValue64(stream, words.at + 1, 0x123456789abcdef0, 0));
  OK(hipStreamWaitValue32(stream, words.at, 0x12345678, hipStreamWaitValueEq, 0xffffffff));
  OK(hipStreamWaitValue64(stream, words.at + 1, 0x123456789abcdef0, hipStreamWaitValueGte, ~uint64_t{0}));
  OK(hipStreamWaitValue64(stream, words.at + 1, 0x10, hipStreamWaitValueAnd, 0xff));
  OK(hipStreamSynchronize(stream));
  CHECK(words.at[0] == 0xffffffff12345678);
  CHECK(words.at[1] == 0x123456789abcdef0);
  OK(hipStreamDestroy(stream));
}

TEST_CASE("A batch of memory operations") {
  Words words;
  words.at[0] = words.at[1] = 0;
  hipStreamBatchMemOpParams batch[4] = {};
  batch[0].writeValue.operation = hipStreamMemOpWriteValue64;
  batch[0].writeValue.address = words.at;
  batch[0].writeValue.value64 = 77;
  batch[1].operation = hipStreamMemOpBarrier;
  batch[2].waitValue.operation = hipStreamMemOpWaitValue32;
  batch[2].waitValue.address = words.at;
  batch[2].waitValue.value = 70;
  batch[2].waitValue.flags = hipStreamWaitValueGte;
  batch[3].writeValue.operation = hipStreamMemOpWriteValue32;
  batch[3].writeValue.address = words.at + 1;
  batch[3].writeValue.value = 78;
  OK(hipStreamBatchMemOp(nullptr, 4, batch, 0));
  OK(hipStreamSynchronize(nullptr));
  CHECK(words.at[0] == 77);
  CHECK(words.at[1] == 78);
  FAILS(hipStreamBatchMemOp(nullptr, 0, batch, 0), hipErrorInvalidValue);
  FAILS(hipStreamBatchMemOp(nullptr, 257, batch, 0), hipErrorInvalidValue);
  FAILS(hipStreamBatchMemOp(nullptr, 4, nullptr, 0), hipErrorInvalidValue);
  FAILS(hipStreamBatchMemOp(nullptr, 4, batch, 1), hipErrorInvalidValue);
  batch[3].operation = static_cast<hipStreamBatchMemOpType>(99);
  batch[0].writeValue.value64 = 99;
  FAILS(hipStreamBatchMemOp(nullptr, 4, batch, 0), hipErrorInvalidValue);
  OK(hipStreamSynchronize(nullptr));
  CHECK(words.at[0] == 77); // none of them was done
}

TEST_CASE("Values that cannot be written or waited for") {
  Words words;
  hipStream_t stream;
  OK(hipStreamCreate(&stream));
  uint64_t local = 0;
  FAILS(hipStreamWriteValue32(stream, nullptr, 0, 0), hipErrorInvalidValue);
  FAILS(hipStreamWriteValue64(stream, nullptr, 0, 0), hipErrorInvalidValue);
  FAILS(hipStreamWaitValue32(stream, nullptr, 0, hipStreamWaitValueGte, 1), hipErrorInvalidValue);
  FAILS(hipStreamWaitValue64(stream, nullptr, 0, hipStreamWaitValueGte, 1), hipErrorInvalidValue);
  FAILS(hipStreamWriteValue32(stream, words.at, 0, 5), hipErrorInvalidValue);
  FAILS(hipStreamWriteValue64(stream, words.at, 0, 5), hipErrorInvalidValue);
  FAILS(hipStreamWaitValue32(stream, words.at, 0, 4, 1), hipErrorInvalidValue);
  FAILS(hipStreamWaitValue64(stream, words.at, 0, ~0u, 1), hipErrorInvalidValue);
  FAILS(hipStreamWriteValue64(stream, &local, 0, 0), hipErrorInvalidValue); // pageable memory
  FAILS(hipStreamWriteValue64(stream, reinterpret_cast<char*>(words.at) + 4, 0, 0), hipErrorInvalidValue);
  FAILS(hipStreamWaitValue32(stream, reinterpret_cast<char*>(words.at) + 2, 0, 0, 1), hipErrorInvalidValue);
  FAILS(hipStreamWriteValue64(garbage_handle<hipStream_t>(), words.at, 0, 0), hipErrorContextIsDestroyed);
  FAILS(hipStreamWaitValue64(garbage_handle<hipStream_t>(), words.at, 0, 0, 1), hipErrorContextIsDestroyed);
  OK(hipStreamDestroy(stream));
}

TEST_CASE("Batches of memory operations as nodes of graphs") {
  Words words;
  hipStreamBatchMemOpParams batch[3] = {};
  batch[0].writeValue.operation = hipStreamMemOpWriteValue64;
  batch[0].writeValue.address = words.at;
  batch[0].writeValue.value64 = 5;
  batch[1].waitValue.operation = hipStreamMemOpWaitValue64;
  batch[1].waitValue.address = words.at;
  batch[1].waitValue.value64 = 5;
  batch[1].waitValue.flags = hipStreamWaitValueEq;
  batch[2].writeValue.operation = hipStreamMemOpWriteValue32;
  batch[2].writeValue.address = words.at + 1;
  batch[2].writeValue.value = 6;
  hipBatchMemOpNodeParams params{}, got{};
  OK(hipCtxGetCurrent(&params.ctx));
  params.count = 3;
  params.paramArray = batch;
  hipGraph_t graph;
  OK(hipGraphCreate(&graph, 0));
  hipGraphNode_t node, empty;
  OK(hipGraphAddBatchMemOpNode(&node, graph, nullptr, 0, &params));
  OK(hipGraphAddEmptyNode(&empty, graph, &node, 1));
  hipGraphNodeType type{};
  OK(hipGraphNodeGetType(node, &type));
  CHECK(type == hipGraphNodeTypeBatchMemOp);
  OK(hipGraphBatchMemOpNodeGetParams(node, &got));
  REQUIRE(got.count == 3);
  CHECK(got.ctx == params.ctx);
  CHECK(got.paramArray != batch); // a copy
  CHECK(got.paramArray[0].writeValue.value64 == 5);
  CHECK(got.paramArray[2].writeValue.address == words.at + 1);
  hipGraphExec_t exec;
  OK(hipGraphInstantiateWithFlags(&exec, graph, 0));
  hipStream_t stream;
  OK(hipStreamCreate(&stream));
  const auto run = [&](uint64_t first, uint64_t second) {
    words.at[0] = words.at[1] = 0;
    OK(hipGraphLaunch(exec, stream));
    OK(hipStreamSynchronize(stream));
    CHECK(words.at[0] == first);
    CHECK(words.at[1] == second);
  };
  run(5, 6);
  batch[2].writeValue.value = 7;
  OK(hipGraphExecBatchMemOpNodeSetParams(exec, node, &params));
  run(5, 7);
  batch[2].writeValue.value = 8;
  OK(hipGraphBatchMemOpNodeSetParams(node, &params));
  OK(hipGraphBatchMemOpNodeGetParams(node, &got));
  CHECK(got.paramArray[2].writeValue.value == 8);
  run(5, 7); // the executable has its own
  hipGraphNode_t wrong = nullptr;
  hipGraphExecUpdateResult result{};
  OK(hipGraphExecUpdate(exec, graph, &wrong, &result));
  run(5, 8);

  FAILS(hipGraphAddBatchMemOpNode(nullptr, graph, nullptr, 0, &params), hipErrorInvalidValue);
  FAILS(hipGraphAddBatchMemOpNode(&node, nullptr, nullptr, 0, &params), hipErrorInvalidValue);
  FAILS(hipGraphAddBatchMemOpNode(&node, graph, nullptr, 0, nullptr), hipErrorInvalidValue);
  FAILS(hipGraphBatchMemOpNodeGetParams(empty, &got), hipErrorInvalidValue);
  FAILS(hipGraphBatchMemOpNodeGetParams(node, nullptr), hipErrorInvalidValue);
  FAILS(hipGraphBatchMemOpNodeSetParams(empty, &params), hipErrorInvalidValue);
  FAILS(hipGraphBatchMemOpNodeSetParams(node, nullptr), hipErrorInvalidValue);
  FAILS(hipGraphExecBatchMemOpNodeSetParams(exec, empty, &params), hipErrorInvalidValue);
  FAILS(hipGraphExecBatchMemOpNodeSetParams(exec, node, nullptr), hipErrorInvalidValue);
  FAILS(hipGraphExecBatchMemOpNodeSetParams(nullptr, node, &params), hipErrorInvalidValue);
  hipBatchMemOpNodeParams bad = params;
  bad.count = 0;
  FAILS(hipGraphAddBatchMemOpNode(&node, graph, nullptr, 0, &bad), hipErrorInvalidValue);
  bad = params;
  bad.paramArray = nullptr;
  FAILS(hipGraphAddBatchMemOpNode(&node, graph, nullptr, 0, &bad), hipErrorInvalidValue);
  bad = params;
  bad.flags = 1;
  FAILS(hipGraphAddBatchMemOpNode(&node, graph, nullptr, 0, &bad), hipErrorInvalidValue);
  bad = params;
  bad.ctx = garbage_handle<hipCtx_t>();
  FAILS(hipGraphAddBatchMemOpNode(&node, graph, nullptr, 0, &bad), hipErrorInvalidContext);
  batch[0].writeValue.address = nullptr;
  FAILS(hipGraphAddBatchMemOpNode(&node, graph, nullptr, 0, &params), hipErrorInvalidValue);
  OK(hipStreamDestroy(stream));
  OK(hipGraphExecDestroy(exec));
  OK(hipGraphDestroy(graph));
}

TEST_CASE("A graph's values in memory that was freed since the nodes were made") {
  Words words;
  hipStream_t stream;
  OK(hipStreamCreate(&stream));
  for (const bool waits : {false, true}) {
    INFO("waits " << waits);
    uint64_t* freed = nullptr;
    OK(hipHostMalloc(reinterpret_cast<void**>(&freed), sizeof *freed, hipHostMallocDefault));
    *freed = 0;
    OK(hipStreamBeginCapture(stream, hipStreamCaptureModeGlobal));
    OK(hipStreamWriteValue64(stream, words.at, 5, 0));
    if (waits)
      OK(hipStreamWaitValue64(stream, freed, 0, hipStreamWaitValueEq, ~uint64_t{0}));
    else
      OK(hipStreamWriteValue64(stream, freed, 0, 0));
    hipGraph_t graph;
    OK(hipStreamEndCapture(stream, &graph));
    hipGraphExec_t exec;
    OK(hipGraphInstantiateWithFlags(&exec, graph, 0));
    words.at[0] = 0;
    OK(hipGraphLaunch(exec, stream));
    OK(hipStreamSynchronize(stream));
    CHECK(words.at[0] == 5);
    OK(hipHostFree(freed));
    words.at[0] = 7;
    FAILS(hipGraphLaunch(exec, stream), hipErrorInvalidValue);
    OK(hipStreamSynchronize(stream));
    CHECK(words.at[0] == 7); // nothing of the graph is done
    OK(hipGraphExecDestroy(exec));
    OK(hipGraphDestroy(graph));
  }
  OK(hipStreamDestroy(stream));
}

TEST_CASE("Captured writes of values and waits for values") {
  Words words;
  words.at[0] = words.at[1] = 0;
  hipStream_t stream;
  OK(hipStreamCreate(&stream));
  OK(hipStreamBeginCapture(stream, hipStreamCaptureModeGlobal));
  OK(hipStreamWriteValue64(stream, words.at, 0x12345, 0));
  OK(hipStreamWaitValue32(stream, words.at, 0x45, hipStreamWaitValueAnd, 0xff));
  OK(hipStreamWriteValue32(stream, words.at + 1, 9, 0));
  hipGraph_t graph;
  OK(hipStreamEndCapture(stream, &graph));
  CHECK(words.at[1] == 0);
  size_t count = 3;
  hipGraphNode_t nodes[3] = {};
  OK(hipGraphGetNodes(graph, nodes, &count));
  REQUIRE(count == 3);
  hipBatchMemOpNodeParams got{};
  OK(hipGraphBatchMemOpNodeGetParams(nodes[0], &got));
  REQUIRE(got.count == 1);
  CHECK(got.paramArray[0].operation == hipStreamMemOpWriteValue64);
  CHECK(got.paramArray[0].writeValue.value64 == 0x12345);
  OK(hipGraphBatchMemOpNodeGetParams(nodes[1], &got));
  CHECK(got.paramArray[0].operation == hipStreamMemOpWaitValue32);
  CHECK(got.paramArray[0].waitValue.flags == hipStreamWaitValueAnd);
  hipGraphExec_t exec;
  OK(hipGraphInstantiateWithFlags(&exec, graph, 0));
  OK(hipGraphLaunch(exec, stream));
  OK(hipStreamSynchronize(stream));
  CHECK(words.at[0] == 0x12345);
  CHECK(words.at[1] == 9);
  OK(hipGraphExecDestroy(exec));
  OK(hipGraphDestroy(graph));
  OK(hipStreamDestroy(stream));
}
