// Semaphores of other interfaces: eventfds, and files whose first word is a timeline's value. Waits are ended by the
// test, since the fake driver does the work of all streams one after the other.
#include "descriptors.h"

#include <climits>

namespace {

hipExternalSemaphore_t import(int descriptor, hipExternalSemaphoreHandleType type) {
  hipExternalSemaphoreHandleDesc desc{};
  desc.type = type;
  desc.handle.fd = descriptor;
  hipExternalSemaphore_t semaphore = nullptr;
  OK(hipImportExternalSemaphore(&semaphore, &desc));
  return semaphore;
}

hipExternalSemaphore_t import(const EventSemaphore& event) {
  return import(event.given, hipExternalSemaphoreHandleTypeOpaqueFd);
}
hipExternalSemaphore_t import(const TimelineSemaphore& timeline) {
  return import(timeline.given, hipExternalSemaphoreHandleTypeTimelineSemaphoreFd);
}

hipExternalSemaphoreSignalParams signal_of(unsigned long long value) {
  hipExternalSemaphoreSignalParams params{};
  params.params.fence.value = value;
  return params;
}
hipExternalSemaphoreWaitParams wait_of(unsigned long long value) {
  hipExternalSemaphoreWaitParams params{};
  params.params.fence.value = value;
  return params;
}

struct TestStream {
  TestStream() { OK(hipStreamCreateWithFlags(&stream, hipStreamNonBlocking)); }
  ~TestStream() { (void)hipStreamDestroy(stream); }
  operator hipStream_t() const { return stream; }
  hipStream_t stream = nullptr;
};

// A word of pinned memory that streams set.
struct Word {
  Word() {
    OK(hipHostMalloc(reinterpret_cast<void**>(&at), 64, hipHostMallocDefault));
    *at = 0;
  }
  ~Word() { (void)hipHostFree(at); }
  uint32_t read() const { return __atomic_load_n(at, __ATOMIC_ACQUIRE); }
  uint32_t* at = nullptr;
};

} // namespace

TEST_CASE("Opaque external semaphores") {
  if (!imports_files()) return;
  for (const int flags : {0, int{EFD_NONBLOCK}, int{EFD_SEMAPHORE}}) {
    CAPTURE(flags);
    const EventSemaphore event(flags);
    const hipExternalSemaphore_t semaphore = import(event);
    TestStream stream;
    Word word;
    const hipExternalSemaphoreSignalParams signal = signal_of(0);
    const hipExternalSemaphoreWaitParams wait = wait_of(0);
    OK(hipSignalExternalSemaphoresAsync(&semaphore, &signal, 1, stream));
    OK(hipStreamSynchronize(stream));
    CHECK(event.take() == 1);
    CHECK(event.take() == 0);
    // A wait holds what comes behind it, and takes the signal.
    OK(hipWaitExternalSemaphoresAsync(&semaphore, &wait, 1, stream));
    OK(hipMemsetD32Async(word.at, 7, 1, stream));
    CHECK(hipStreamQuery(stream) == hipErrorNotReady);
    CHECK(word.read() == 0);
    event.signal();
    OK(hipStreamSynchronize(stream));
    CHECK(word.read() == 7);
    CHECK(event.take() == 0);
    // Two signals end two waits of an eventfd that counts, and one wait takes both of one that does not.
    OK(hipSignalExternalSemaphoresAsync(&semaphore, &signal, 1, stream));
    OK(hipSignalExternalSemaphoresAsync(&semaphore, &signal, 1, stream));
    OK(hipWaitExternalSemaphoresAsync(&semaphore, &wait, 1, stream));
    OK(hipStreamSynchronize(stream));
    CHECK(event.take() == (flags == EFD_SEMAPHORE ? 1 : 0));
    OK(hipDestroyExternalSemaphore(semaphore));
    CHECK_FALSE(is_open(event.given));
    FAILS(hipDestroyExternalSemaphore(semaphore), hipErrorInvalidValue);
  }
}

TEST_CASE("Timeline external semaphores") {
  if (!imports_files()) return;
  const TimelineSemaphore timeline;
  const hipExternalSemaphore_t semaphore = import(timeline);
  TestStream stream;
  Word word;
  hipExternalSemaphoreSignalParams signal = signal_of(5);
  OK(hipSignalExternalSemaphoresAsync(&semaphore, &signal, 1, stream));
  OK(hipStreamSynchronize(stream));
  CHECK(timeline.value() == 5);
  hipExternalSemaphoreWaitParams wait = wait_of(5); // is reached, and stays so
  OK(hipWaitExternalSemaphoresAsync(&semaphore, &wait, 1, stream));
  OK(hipWaitExternalSemaphoresAsync(&semaphore, &wait, 1, stream));
  OK(hipStreamSynchronize(stream));
  CHECK(timeline.value() == 5);
  signal = signal_of(4); // a timeline does not go back
  OK(hipSignalExternalSemaphoresAsync(&semaphore, &signal, 1, stream));
  OK(hipStreamSynchronize(stream));
  CHECK(timeline.value() == 5);
  wait = wait_of(0x1'0000'0001); // all 64 bits count
  OK(hipWaitExternalSemaphoresAsync(&semaphore, &wait, 1, stream));
  OK(hipMemsetD32Async(word.at, 9, 1, stream));
  timeline.set(0x1'0000'0000);
  CHECK(hipStreamQuery(stream) == hipErrorNotReady);
  CHECK(word.read() == 0);
  timeline.set(0x1'0000'0002);
  OK(hipStreamSynchronize(stream));
  CHECK(word.read() == 9);
  OK(hipDestroyExternalSemaphore(semaphore));
}

TEST_CASE("Several external semaphores in one call") {
  if (!imports_files()) return;
  const EventSemaphore event;
  const TimelineSemaphore timeline;
  const hipExternalSemaphore_t both[] = {import(event), import(timeline)};
  TestStream stream;
  Word word;
  const hipExternalSemaphoreWaitParams waits[] = {wait_of(0), wait_of(3)};
  const hipExternalSemaphoreSignalParams signals[] = {signal_of(0), signal_of(8)};
  OK(hipWaitExternalSemaphoresAsync(both, waits, 2, stream));
  OK(hipMemsetD32Async(word.at, 1, 1, stream));
  OK(hipSignalExternalSemaphoresAsync(both, signals, 2, stream));
  event.signal();
  CHECK(hipStreamQuery(stream) == hipErrorNotReady); // the other one is not there
  CHECK(word.read() == 0);
  timeline.set(3);
  OK(hipStreamSynchronize(stream));
  CHECK(word.read() == 1);
  CHECK(event.take() == 1);
  CHECK(timeline.value() == 8);
  OK(hipSignalExternalSemaphoresAsync(both, signals, 0, stream)); // none of them
  OK(hipWaitExternalSemaphoresAsync(both, waits, 0, stream));
  OK(hipStreamSynchronize(stream));
  CHECK(event.take() == 0);
  for (const hipExternalSemaphore_t semaphore : both) OK(hipDestroyExternalSemaphore(semaphore));
}

TEST_CASE("Streams hand over by an external semaphore") {
  if (!imports_files() || on_nvidia()) return; // in the fake driver a wait holds all streams
  const EventSemaphore event;
  const hipExternalSemaphore_t semaphore = import(event);
  TestStream first, second;
  Word to;
  uint32_t* from = nullptr; // of the device: a copy between host memories would keep the caller waiting
  OK(hipMalloc(reinterpret_cast<void**>(&from), sizeof *from));
  const hipExternalSemaphoreSignalParams signal = signal_of(0);
  const hipExternalSemaphoreWaitParams wait = wait_of(0);
  for (uint32_t round = 1; round <= 20; ++round) {
    OK(hipWaitExternalSemaphoresAsync(&semaphore, &wait, 1, second));
    OK(hipMemcpyAsync(to.at, from, sizeof(uint32_t), hipMemcpyDeviceToHost, second));
    OK(hipMemsetD32Async(from, static_cast<int>(round), 1, first));
    OK(hipSignalExternalSemaphoresAsync(&semaphore, &signal, 1, first));
    OK(hipStreamSynchronize(second));
    CHECK(to.read() == round);
  }
  // Work that was given keeps the semaphore.
  OK(hipWaitExternalSemaphoresAsync(&semaphore, &wait, 1, second));
  OK(hipDestroyExternalSemaphore(semaphore));
  FAILS(hipWaitExternalSemaphoresAsync(&semaphore, &wait, 1, second), hipErrorInvalidValue);
  CHECK(hipStreamQuery(second) == hipErrorNotReady);
  event.signal();
  OK(hipStreamSynchronize(second));
  OK(hipFree(from));
}

TEST_CASE("Semaphores that cannot be imported") {
  hipExternalSemaphore_t semaphore = nullptr;
  const int event = ::eventfd(0, EFD_CLOEXEC), file = make_file(8), small = make_file(7);
  hipExternalSemaphoreHandleDesc good{};
  good.type = hipExternalSemaphoreHandleTypeOpaqueFd;
  good.handle.fd = event;
  FAILS(hipImportExternalSemaphore(nullptr, &good), hipErrorInvalidValue);
  FAILS(hipImportExternalSemaphore(&semaphore, nullptr), hipErrorInvalidValue);
  hipExternalSemaphoreHandleDesc bad = good;
  bad.flags = 1;
  FAILS(hipImportExternalSemaphore(&semaphore, &bad), hipErrorInvalidValue);
  for (const int type : {-1, 0, 11, INT_MAX}) {
    bad = good;
    bad.type = static_cast<hipExternalSemaphoreHandleType>(type);
    FAILS(hipImportExternalSemaphore(&semaphore, &bad), hipErrorInvalidValue);
  }
  for (int type = 1; type <= 10; ++type) {
    bad = good;
    bad.type = static_cast<hipExternalSemaphoreHandleType>(type);
    if (type == hipExternalSemaphoreHandleTypeOpaqueFd || type == hipExternalSemaphoreHandleTypeTimelineSemaphoreFd)
      continue;
    FAILS(hipImportExternalSemaphore(&semaphore, &bad), hipErrorNotSupported);
  }
  const hipError_t wrong = imports_files() || on_nvidia() ? hipErrorInvalidValue : hipErrorNotSupported;
  const Pipe pipe;
  const int closed = ::dup(event);
  ::close(closed);
  for (const int descriptor : {-1, INT_MAX, closed, pipe.ends[0], file}) {
    bad.type = hipExternalSemaphoreHandleTypeOpaqueFd;
    bad.handle.fd = descriptor;
    FAILS(hipImportExternalSemaphore(&semaphore, &bad), wrong);
  }
  for (const int descriptor : {-1, INT_MAX, closed, pipe.ends[0], event, small}) {
    bad.type = hipExternalSemaphoreHandleTypeTimelineSemaphoreFd;
    bad.handle.fd = descriptor;
    FAILS(hipImportExternalSemaphore(&semaphore, &bad), wrong);
  }
  CHECK(semaphore == nullptr);
  for (const int descriptor : {event, file, small}) { // what failed stays the caller's
    CHECK(is_open(descriptor));
    ::close(descriptor);
  }
  FAILS(hipDestroyExternalSemaphore(nullptr), hipErrorInvalidValue);
  FAILS(hipDestroyExternalSemaphore(garbage_handle<hipExternalSemaphore_t>()), hipErrorInvalidValue);
}

TEST_CASE("Signals and waits that cannot be given") {
  const hipExternalSemaphoreSignalParams signal = signal_of(1);
  const hipExternalSemaphoreWaitParams wait = wait_of(1);
  hipExternalSemaphore_t wild[] = {nullptr, garbage_handle<hipExternalSemaphore_t>()};
  FAILS(hipSignalExternalSemaphoresAsync(nullptr, &signal, 1, nullptr), hipErrorInvalidValue);
  FAILS(hipWaitExternalSemaphoresAsync(nullptr, &wait, 1, nullptr), hipErrorInvalidValue);
  for (const hipExternalSemaphore_t& each : wild) {
    FAILS(hipSignalExternalSemaphoresAsync(&each, nullptr, 1, nullptr), hipErrorInvalidValue);
    FAILS(hipSignalExternalSemaphoresAsync(&each, &signal, 1, nullptr), hipErrorInvalidValue);
    FAILS(hipWaitExternalSemaphoresAsync(&each, nullptr, 1, nullptr), hipErrorInvalidValue);
    FAILS(hipWaitExternalSemaphoresAsync(&each, &wait, 1, nullptr), hipErrorInvalidValue);
  }
  if (!imports_files()) return;
  const EventSemaphore event;
  hipExternalSemaphore_t list[] = {import(event), garbage_handle<hipExternalSemaphore_t>()};
  hipExternalSemaphoreSignalParams signals[] = {signal_of(0), signal_of(0)};
  hipExternalSemaphoreWaitParams waits[] = {wait_of(0), wait_of(0)};
  FAILS(hipSignalExternalSemaphoresAsync(list, signals, 2, nullptr), hipErrorInvalidValue);
  FAILS(hipWaitExternalSemaphoresAsync(list, waits, 2, nullptr), hipErrorInvalidValue);
  signals[0].flags = waits[0].flags = 1;
  FAILS(hipSignalExternalSemaphoresAsync(list, signals, 1, nullptr), hipErrorInvalidValue);
  FAILS(hipWaitExternalSemaphoresAsync(list, waits, 1, nullptr), hipErrorInvalidValue);
  signals[0].flags = waits[0].flags = 0;
  FAILS(hipSignalExternalSemaphoresAsync(list, signals, 1, garbage_handle<hipStream_t>()), hipErrorInvalidValue);
  FAILS(hipWaitExternalSemaphoresAsync(list, waits, 1, garbage_handle<hipStream_t>()), hipErrorInvalidValue);
  FAILS(hipDestroyExternalMemory(list[0]), hipErrorInvalidValue);
  OK(hipDeviceSynchronize());
  CHECK(event.take() == 0); // none of them was done
  OK(hipDestroyExternalSemaphore(list[0]));
}

TEST_CASE("Nodes of external semaphores") {
  if (!imports_files()) return;
  const EventSemaphore begin, end;
  const TimelineSemaphore timeline;
  hipExternalSemaphore_t waited[] = {import(begin)}, signalled[] = {import(end), import(timeline)};
  hipExternalSemaphoreWaitParams waits[] = {wait_of(0)};
  hipExternalSemaphoreSignalParams signals[] = {signal_of(0), signal_of(11)};
  hipExternalSemaphoreWaitNodeParams wait{waited, waits, 1}, got_wait{};
  hipExternalSemaphoreSignalNodeParams signal{signalled, signals, 2}, got_signal{};
  Word word;
  hipGraph_t graph;
  OK(hipGraphCreate(&graph, 0));
  hipGraphNode_t wait_node, set, signal_node, empty;
  OK(hipGraphAddExternalSemaphoresWaitNode(&wait_node, graph, nullptr, 0, &wait));
  hipMemsetParams fill{};
  fill.dst = word.at;
  fill.elementSize = 4;
  fill.value = 21;
  fill.width = fill.height = 1;
  OK(hipGraphAddMemsetNode(&set, graph, &wait_node, 1, &fill));
  OK(hipGraphAddExternalSemaphoresSignalNode(&signal_node, graph, &set, 1, &signal));
  OK(hipGraphAddEmptyNode(&empty, graph, &signal_node, 1));
  hipGraphNodeType type{};
  OK(hipGraphNodeGetType(wait_node, &type));
  CHECK(type == hipGraphNodeTypeExtSemaphoreWait);
  OK(hipGraphNodeGetType(signal_node, &type));
  CHECK(type == hipGraphNodeTypeExtSemaphoreSignal);
  OK(hipGraphExternalSemaphoresWaitNodeGetParams(wait_node, &got_wait));
  REQUIRE(got_wait.numExtSems == 1);
  CHECK(got_wait.extSemArray != waited); // a copy
  CHECK(got_wait.extSemArray[0] == waited[0]);
  OK(hipGraphExternalSemaphoresSignalNodeGetParams(signal_node, &got_signal));
  REQUIRE(got_signal.numExtSems == 2);
  CHECK(got_signal.extSemArray[1] == signalled[1]);
  CHECK(got_signal.paramsArray[1].params.fence.value == 11);

  hipGraphExec_t exec;
  OK(hipGraphInstantiateWithFlags(&exec, graph, 0));
  TestStream stream;
  const auto run = [&](uint64_t reached, uint64_t signals_of_end) {
    *word.at = 0;
    timeline.set(0);
    OK(hipGraphLaunch(exec, stream));
    CHECK(hipStreamQuery(stream) == hipErrorNotReady);
    CHECK(word.read() == 0);
    begin.signal();
    OK(hipStreamSynchronize(stream));
    CHECK(word.read() == 21);
    CHECK(end.take() == signals_of_end);
    CHECK(timeline.value() == reached);
    CHECK(begin.take() == 0);
  };
  run(11, 1);
  run(11, 1);
  signals[1] = signal_of(12);
  OK(hipGraphExecExternalSemaphoresSignalNodeSetParams(exec, signal_node, &signal));
  run(12, 1);
  signals[1] = signal_of(13);
  OK(hipGraphExternalSemaphoresSignalNodeSetParams(signal_node, &signal));
  OK(hipGraphExternalSemaphoresSignalNodeGetParams(signal_node, &got_signal));
  CHECK(got_signal.paramsArray[1].params.fence.value == 13);
  run(12, 1); // the executable has its own
  hipGraphNode_t wrong = nullptr;
  hipGraphExecUpdateResult result{};
  OK(hipGraphExecUpdate(exec, graph, &wrong, &result));
  run(13, 1);
  // Through the forms for every kind of node; without the first semaphore.
  hipGraphNodeParams any{};
  any.type = hipGraphNodeTypeExtSemaphoreSignal;
  signals[1] = signal_of(14);
  any.extSemSignal = {signalled + 1, signals + 1, 1};
  OK(hipGraphExecNodeSetParams(exec, signal_node, &any));
  run(14, 0);
  OK(hipGraphNodeSetParams(signal_node, &any));
  hipGraphNode_t another = nullptr;
  OK(hipGraphAddNode(&another, graph, nullptr, 0, &any));
  OK(hipGraphNodeGetType(another, &type));
  CHECK(type == hipGraphNodeTypeExtSemaphoreSignal);
  any.type = hipGraphNodeTypeExtSemaphoreWait;
  any.extSemWait = wait;
  OK(hipGraphNodeSetParams(wait_node, &any));
  OK(hipGraphExecNodeSetParams(exec, wait_node, &any));
  OK(hipGraphAddNode(&another, graph, nullptr, 0, &any));
  OK(hipGraphExternalSemaphoresWaitNodeSetParams(wait_node, &wait));
  OK(hipGraphExecExternalSemaphoresWaitNodeSetParams(exec, wait_node, &wait));
  run(14, 0);
  if (!on_nvidia()) { // a node keeps its semaphores
    OK(hipDestroyExternalSemaphore(waited[0]));
    run(14, 0);
    FAILS(hipGraphExternalSemaphoresWaitNodeSetParams(wait_node, &wait), hipErrorInvalidValue);
  }
  OK(hipGraphExecDestroy(exec));
  OK(hipGraphDestroy(graph));
  if (on_nvidia()) OK(hipDestroyExternalSemaphore(waited[0]));
  for (const hipExternalSemaphore_t semaphore : signalled) OK(hipDestroyExternalSemaphore(semaphore));
}

TEST_CASE("Nodes of external semaphores that cannot be") {
  hipGraph_t graph;
  OK(hipGraphCreate(&graph, 0));
  hipGraphNode_t node = nullptr, empty, wait_node = nullptr, signal_node = nullptr;
  OK(hipGraphAddEmptyNode(&empty, graph, nullptr, 0));
  hipExternalSemaphore_t wild = garbage_handle<hipExternalSemaphore_t>();
  hipExternalSemaphoreWaitParams wait_value = wait_of(0);
  hipExternalSemaphoreSignalParams signal_value = signal_of(0);
  hipExternalSemaphoreWaitNodeParams wait{&wild, &wait_value, 1}, got_wait{};
  hipExternalSemaphoreSignalNodeParams signal{&wild, &signal_value, 1}, got_signal{};
  FAILS(hipGraphAddExternalSemaphoresWaitNode(&node, graph, nullptr, 0, &wait), hipErrorInvalidValue);
  FAILS(hipGraphAddExternalSemaphoresSignalNode(&node, graph, nullptr, 0, &signal), hipErrorInvalidValue);
  FAILS(hipGraphExternalSemaphoresWaitNodeGetParams(empty, &got_wait), hipErrorInvalidValue);
  FAILS(hipGraphExternalSemaphoresSignalNodeGetParams(empty, &got_signal), hipErrorInvalidValue);
  FAILS(hipGraphExternalSemaphoresWaitNodeGetParams(nullptr, &got_wait), hipErrorInvalidValue);
  FAILS(hipGraphExternalSemaphoresSignalNodeGetParams(nullptr, &got_signal), hipErrorInvalidValue);
  if (!imports_files()) {
    OK(hipGraphDestroy(graph));
    return;
  }
  const EventSemaphore event;
  hipExternalSemaphore_t semaphore = import(event);
  wait.extSemArray = signal.extSemArray = &semaphore;
  OK(hipGraphAddExternalSemaphoresWaitNode(&wait_node, graph, nullptr, 0, &wait));
  OK(hipGraphAddExternalSemaphoresSignalNode(&signal_node, graph, nullptr, 0, &signal));
  FAILS(hipGraphAddExternalSemaphoresWaitNode(nullptr, graph, nullptr, 0, &wait), hipErrorInvalidValue);
  FAILS(hipGraphAddExternalSemaphoresSignalNode(nullptr, graph, nullptr, 0, &signal), hipErrorInvalidValue);
  FAILS(hipGraphAddExternalSemaphoresWaitNode(&node, nullptr, nullptr, 0, &wait), hipErrorInvalidValue);
  FAILS(hipGraphAddExternalSemaphoresSignalNode(&node, nullptr, nullptr, 0, &signal), hipErrorInvalidValue);
  FAILS(hipGraphAddExternalSemaphoresWaitNode(&node, graph, nullptr, 1, &wait), hipErrorInvalidValue);
  FAILS(hipGraphAddExternalSemaphoresSignalNode(&node, graph, nullptr, 1, &signal), hipErrorInvalidValue);
  FAILS(hipGraphAddExternalSemaphoresWaitNode(&node, graph, nullptr, 0, nullptr), hipErrorInvalidValue);
  FAILS(hipGraphAddExternalSemaphoresSignalNode(&node, graph, nullptr, 0, nullptr), hipErrorInvalidValue);
  FAILS(hipGraphExternalSemaphoresWaitNodeGetParams(wait_node, nullptr), hipErrorInvalidValue);
  FAILS(hipGraphExternalSemaphoresSignalNodeGetParams(signal_node, nullptr), hipErrorInvalidValue);
  FAILS(hipGraphExternalSemaphoresWaitNodeGetParams(signal_node, &got_wait), hipErrorInvalidValue);
  FAILS(hipGraphExternalSemaphoresSignalNodeGetParams(wait_node, &got_signal), hipErrorInvalidValue);
  FAILS(hipGraphExternalSemaphoresWaitNodeSetParams(signal_node, &wait), hipErrorInvalidValue);
  FAILS(hipGraphExternalSemaphoresSignalNodeSetParams(wait_node, &signal), hipErrorInvalidValue);
  FAILS(hipGraphExternalSemaphoresWaitNodeSetParams(nullptr, &wait), hipErrorInvalidValue);
  FAILS(hipGraphExternalSemaphoresSignalNodeSetParams(nullptr, &signal), hipErrorInvalidValue);
  FAILS(hipGraphExternalSemaphoresWaitNodeSetParams(wait_node, nullptr), hipErrorInvalidValue);
  FAILS(hipGraphExternalSemaphoresSignalNodeSetParams(signal_node, nullptr), hipErrorInvalidValue);
  hipGraphExec_t exec;
  OK(hipGraphInstantiateWithFlags(&exec, graph, 0));
  FAILS(hipGraphExecExternalSemaphoresWaitNodeSetParams(nullptr, wait_node, &wait), hipErrorInvalidValue);
  FAILS(hipGraphExecExternalSemaphoresSignalNodeSetParams(nullptr, signal_node, &signal), hipErrorInvalidValue);
  FAILS(hipGraphExecExternalSemaphoresWaitNodeSetParams(exec, nullptr, &wait), hipErrorInvalidValue);
  FAILS(hipGraphExecExternalSemaphoresSignalNodeSetParams(exec, nullptr, &signal), hipErrorInvalidValue);
  FAILS(hipGraphExecExternalSemaphoresWaitNodeSetParams(exec, wait_node, nullptr), hipErrorInvalidValue);
  FAILS(hipGraphExecExternalSemaphoresSignalNodeSetParams(exec, signal_node, nullptr), hipErrorInvalidValue);
  FAILS(hipGraphExecExternalSemaphoresWaitNodeSetParams(exec, signal_node, &wait), hipErrorInvalidValue);
  FAILS(hipGraphExecExternalSemaphoresSignalNodeSetParams(exec, wait_node, &signal), hipErrorInvalidValue);
  const auto refused = [&] {
    FAILS(hipGraphAddExternalSemaphoresWaitNode(&node, graph, nullptr, 0, &wait), hipErrorInvalidValue);
    FAILS(hipGraphAddExternalSemaphoresSignalNode(&node, graph, nullptr, 0, &signal), hipErrorInvalidValue);
    FAILS(hipGraphExternalSemaphoresWaitNodeSetParams(wait_node, &wait), hipErrorInvalidValue);
    FAILS(hipGraphExternalSemaphoresSignalNodeSetParams(signal_node, &signal), hipErrorInvalidValue);
    FAILS(hipGraphExecExternalSemaphoresWaitNodeSetParams(exec, wait_node, &wait), hipErrorInvalidValue);
    FAILS(hipGraphExecExternalSemaphoresSignalNodeSetParams(exec, signal_node, &signal), hipErrorInvalidValue);
  };
  wait.numExtSems = signal.numExtSems = 0;
  refused();
  wait = {nullptr, &wait_value, 1};
  signal = {nullptr, &signal_value, 1};
  refused();
  wait = {&semaphore, nullptr, 1};
  signal = {&semaphore, nullptr, 1};
  refused();
  wait = {&semaphore, &wait_value, 1};
  signal = {&semaphore, &signal_value, 1};
  wait_value.flags = signal_value.flags = 1;
  refused();
  wait_value.flags = signal_value.flags = 0;
  OK(hipDestroyExternalSemaphore(semaphore));
  refused();
  OK(hipGraphExecDestroy(exec));
  OK(hipGraphDestroy(graph));
}

TEST_CASE("Captured signals and waits of external semaphores") {
  if (!imports_files()) return;
  const EventSemaphore begin;
  const TimelineSemaphore timeline;
  const hipExternalSemaphore_t waited = import(begin), signalled = import(timeline);
  const hipExternalSemaphoreWaitParams wait = wait_of(0);
  const hipExternalSemaphoreSignalParams signal = signal_of(6);
  TestStream stream;
  Word word;
  OK(hipStreamBeginCapture(stream, hipStreamCaptureModeGlobal));
  OK(hipWaitExternalSemaphoresAsync(&waited, &wait, 1, stream));
  OK(hipMemsetD32Async(word.at, 4, 1, stream));
  OK(hipSignalExternalSemaphoresAsync(&signalled, &signal, 1, stream));
  hipGraph_t graph;
  OK(hipStreamEndCapture(stream, &graph));
  CHECK(timeline.value() == 0);
  hipGraphNode_t nodes[3] = {};
  size_t count = 3;
  OK(hipGraphGetNodes(graph, nodes, &count));
  REQUIRE(count == 3);
  hipExternalSemaphoreWaitNodeParams got_wait{};
  hipExternalSemaphoreSignalNodeParams got_signal{};
  OK(hipGraphExternalSemaphoresWaitNodeGetParams(nodes[0], &got_wait));
  REQUIRE(got_wait.numExtSems == 1);
  CHECK(got_wait.extSemArray[0] == waited);
  OK(hipGraphExternalSemaphoresSignalNodeGetParams(nodes[2], &got_signal));
  REQUIRE(got_signal.numExtSems == 1);
  CHECK(got_signal.extSemArray[0] == signalled);
  CHECK(got_signal.paramsArray[0].params.fence.value == 6);
  hipGraph_t clone;
  OK(hipGraphClone(&clone, graph));
  for (const hipGraph_t each : {graph, clone}) {
    *word.at = 0;
    timeline.set(0);
    hipGraphExec_t exec;
    OK(hipGraphInstantiateWithFlags(&exec, each, 0));
    OK(hipGraphLaunch(exec, stream));
    CHECK(hipStreamQuery(stream) == hipErrorNotReady);
    begin.signal();
    OK(hipStreamSynchronize(stream));
    CHECK(word.read() == 4);
    CHECK(timeline.value() == 6);
    OK(hipGraphExecDestroy(exec));
    OK(hipGraphDestroy(each));
  }
  OK(hipDestroyExternalSemaphore(waited));
  OK(hipDestroyExternalSemaphore(signalled));
}
