// Contexts on a part of a device's compute units, and the resources that they are made of.
#include "testing.h"

#include <atomic>
#include <thread>
#include <tuple>

namespace {

hipDevResource all_units() {
  hipDevResource resource{};
  OK(hipDeviceGetDevResource(0, &resource, hipDevResourceTypeSm));
  return resource;
}

// Parts of the device, and what is left: two parts where it has units for two.
struct Parts {
  Parts() {
    const hipDevResource all = all_units();
    count = all.sm.smCount >= 2 * all.sm.minSmPartitionSize ? 2 : 1;
    OK(hipDevSmResourceSplitByCount(groups, &count, &all, &rest, 0, all.sm.minSmPartitionSize));
  }
  hipDevResource groups[2]{}, rest{};
  unsigned count = 0;
};

hipError_t make_context(hipExecutionCtx_t* ctx, hipDevResource* resources, unsigned count = 1) {
  hipDevResourceDesc_t desc = nullptr;
  const hipError_t described = hipDevResourceGenerateDesc(&desc, resources, count);
  return described == hipSuccess ? hipGreenCtxCreate(ctx, desc, 0, 0) : described;
}

struct Context {
  explicit Context(hipDevResource resource) { OK(make_context(&handle, &resource)); }
  ~Context() {
    if (handle) (void)hipExecutionCtxDestroy(handle);
  }
  hipStream_t stream(unsigned flags = hipStreamNonBlocking) {
    hipStream_t made = nullptr;
    OK(hipExecutionCtxStreamCreate(&made, handle, flags, 0));
    return made;
  }
  hipExecutionCtx_t handle = nullptr;
};

// The device can keep kernels to a part of it; the tests of old drivers run on one that cannot.
bool divides() {
  Parts parts;
  hipExecutionCtx_t ctx = nullptr;
  if (make_context(&ctx, &parts.groups[0]) != hipSuccess) return false;
  OK(hipExecutionCtxDestroy(ctx));
  return true;
}

} // namespace

TEST_CASE("Compute units are divided evenly", "[execution]") {
  const hipDevResource all = all_units();
  hipDeviceProp_t properties;
  OK(hipGetDeviceProperties(&properties, 0));
  CHECK(all.type == hipDevResourceTypeSm);
  CHECK(all.sm.smCount == unsigned(properties.multiProcessorCount));
  CHECK(all.sm.minSmPartitionSize >= 1);
  CHECK(all.nextResource == nullptr);

  unsigned most = 0;
  OK(hipDevSmResourceSplitByCount(nullptr, &most, &all, nullptr, 0, 1));
  CHECK(most <= all.sm.smCount / all.sm.minSmPartitionSize);
  if (!on_nvidia()) CHECK(most == all.sm.smCount / all.sm.minSmPartitionSize); // whose clusters may be of several sizes
  std::vector<hipDevResource> parts(most + 3);
  unsigned count = most + 3; // more than there are
  hipDevResource rest{};
  OK(hipDevSmResourceSplitByCount(parts.data(), &count, &all, &rest, 0, 1));
  CHECK(count == most);
  unsigned sum = 0;
  for (unsigned i = 0; i < count; ++i) {
    CHECK(parts[i].type == hipDevResourceTypeSm);
    CHECK(parts[i].sm.smCount == all.sm.minSmPartitionSize);
    sum += parts[i].sm.smCount;
  }
  CHECK(rest.type == (sum == all.sm.smCount ? hipDevResourceTypeInvalid : hipDevResourceTypeSm));
  CHECK(rest.sm.smCount == all.sm.smCount - sum);
  for (unsigned i = count; i < parts.size(); ++i) CHECK(parts[i].type == hipDevResourceTypeInvalid);

  count = 1;
  const hipError_t too_large = hipDevSmResourceSplitByCount(
      parts.data(), &count, &all, nullptr, hipDevSmResourceSplitMaxPotentialClusterSize, all.sm.smCount + 1);
  CHECK(too_large == (on_nvidia() ? hipErrorInvalidResourceConfiguration : hipSuccess));
  if (too_large == hipSuccess) CHECK(count == 0);
}

TEST_CASE("Divisions that cannot be", "[execution]") {
  const hipDevResource all = all_units();
  hipDevResource part{}, other = all;
  unsigned count = 1;
  FAILS(hipDeviceGetDevResource(0, nullptr, hipDevResourceTypeSm), hipErrorInvalidValue);
  FAILS(hipDeviceGetDevResource(99, &part, hipDevResourceTypeSm), hipErrorInvalidDevice);
  FAILS(hipDeviceGetDevResource(0, &part, hipDevResourceTypeWorkqueue), hipErrorInvalidResourceType);
  FAILS(hipDeviceGetDevResource(0, &part, hipDevResourceTypeInvalid), hipErrorInvalidResourceType);
  FAILS(hipDevSmResourceSplitByCount(&part, nullptr, &all, nullptr, 0, 1), hipErrorInvalidValue);
  FAILS(hipDevSmResourceSplitByCount(&part, &count, nullptr, nullptr, 0, 1), hipErrorInvalidValue);
  FAILS(hipDevSmResourceSplitByCount(&part, &count, &all, nullptr, 4, 1), hipErrorInvalidValue);
  if (!on_nvidia()) // whose driver can
    FAILS(hipDevSmResourceSplitByCount(&part, &count, &all, nullptr, hipDevSmResourceSplitIgnoreSmCoscheduling, 1),
          hipErrorNotSupported);
  other.type = hipDevResourceTypeWorkqueueConfig;
  FAILS(hipDevSmResourceSplitByCount(&part, &count, &other, nullptr, 0, 1), hipErrorInvalidResourceType);
  hipDevSmResourceGroupParams group{};
  FAILS(hipDevSmResourceSplit(&part, 1, &other, nullptr, 0, &group), hipErrorInvalidResourceType);
  hipDevResource made_up{};
  made_up.type = hipDevResourceTypeSm;
  made_up.sm = {1, 1, 1, 0};
  FAILS(hipDevSmResourceSplitByCount(&part, &count, &made_up, nullptr, 0, 1), hipErrorInvalidDevice);
  FAILS(hipDevSmResourceSplit(&part, 1, &made_up, nullptr, 0, &group), hipErrorInvalidDevice);
  FAILS(hipDevSmResourceSplit(&part, 1, nullptr, nullptr, 0, &group), hipErrorInvalidValue);
  FAILS(hipDevSmResourceSplit(&part, 1, &all, nullptr, 0, nullptr), hipErrorInvalidValue);
  FAILS(hipDevSmResourceSplit(&part, 1, &all, nullptr, 1, &group), hipErrorInvalidValue);
  FAILS(hipDevSmResourceSplit(&part, 0, &all, nullptr, 0, &group), hipErrorInvalidValue);
  group.flags = 2;
  FAILS(hipDevSmResourceSplit(&part, 1, &all, nullptr, 0, &group), hipErrorInvalidValue);
  group = {};
  std::vector<hipDevSmResourceGroupParams> many(all.sm.smCount + 1);
  std::vector<hipDevResource> results(many.size());
  FAILS(hipDevSmResourceSplit(results.data(), unsigned(many.size()), &all, nullptr, 0, many.data()),
        hipErrorInvalidResourceConfiguration);
  if (on_nvidia()) return; // the driver says what is wrong with the rest
  other = all;
  other.sm.smCount += 1; // more than the resource names
  FAILS(hipDevSmResourceSplit(&part, 1, &other, nullptr, 0, &group), hipErrorInvalidResourceConfiguration);
  for (const auto& [units, together] : {std::pair(all.sm.smCount + 1, 0u), std::pair(1u, 2u)}) {
    group = {};
    group.smCount = units, group.coscheduledSmCount = together;
    FAILS(hipDevSmResourceSplit(&part, 1, &all, nullptr, 0, &group), hipErrorInvalidResourceConfiguration);
    CHECK(group.preferredCoscheduledSmCount == 0); // nothing is written
  }
}

TEST_CASE("Compute units are divided by a list", "[execution]") {
  const hipDevResource all = all_units();
  hipDevResource parts[2]{}, rest{};
  hipDevSmResourceGroupParams groups[2]{};
  groups[0].smCount = all.sm.smCoscheduledAlignment;
  if (on_nvidia()) { // drivers before CUDA 13.1 cannot; without driver's help the groups are counted here
    const hipError_t result = hipDevSmResourceSplit(parts, 2, &all, &rest, 0, groups);
    CHECK((result == hipErrorNotSupported || result == hipSuccess));
    return;
  }
  OK(hipDevSmResourceSplit(nullptr, 1, &all, &rest, 0, groups)); // only asks
  CHECK(groups[0].coscheduledSmCount == all.sm.smCoscheduledAlignment);
  CHECK(groups[0].preferredCoscheduledSmCount == all.sm.smCoscheduledAlignment);
  CHECK(rest.sm.smCount == all.sm.smCount - groups[0].smCount);
  groups[1].flags = hipDevSmResourceGroupBackfill; // and what is left
  if (all.sm.smCount < 2) {
    FAILS(hipDevSmResourceSplit(parts, 2, &all, &rest, 0, groups), hipErrorInvalidResourceConfiguration);
    return;
  }
  OK(hipDevSmResourceSplit(parts, 2, &all, &rest, 0, groups));
  CHECK(parts[0].sm.smCount == all.sm.smCoscheduledAlignment);
  CHECK(parts[1].sm.smCount == all.sm.smCount - parts[0].sm.smCount);
  CHECK(groups[1].smCount == parts[1].sm.smCount);
  CHECK(parts[1].sm.flags == hipDevSmResourceGroupBackfill);
  CHECK(rest.type == hipDevResourceTypeInvalid);
}

TEST_CASE("Descriptors of resources", "[execution]") {
  Parts parts, others;
  hipDevResourceDesc_t desc = nullptr;
  OK(hipDevResourceGenerateDesc(&desc, &parts.groups[0], 1));
  CHECK(desc != nullptr);
  FAILS(hipDevResourceGenerateDesc(nullptr, &parts.groups[0], 1), hipErrorInvalidValue);
  FAILS(hipDevResourceGenerateDesc(&desc, nullptr, 1), hipErrorInvalidValue);
  FAILS(hipDevResourceGenerateDesc(&desc, &parts.groups[0], 0), hipErrorInvalidValue);
  hipDevResource bad[2] = {parts.groups[0], {}};
  bad[1].type = hipDevResourceTypeWorkqueue;
  FAILS(hipDevResourceGenerateDesc(&desc, bad, 2), hipErrorInvalidResourceType);
  bad[1] = {};
  bad[1].type = hipDevResourceTypeSm;
  bad[1].sm = parts.groups[0].sm;
  FAILS(hipDevResourceGenerateDesc(&desc, bad, 2), hipErrorInvalidDevice); // made up
  if (!on_nvidia()) {
    bad[1] = others.groups[0]; // of another division
    FAILS(hipDevResourceGenerateDesc(&desc, bad, 2), hipErrorInvalidResourceConfiguration);
  }
  hipDevResource queues{};
  queues.type = hipDevResourceTypeWorkqueueConfig;
  queues.wqConfig = {0, 4, hipDevWorkqueueConfigScopeGreenCtxBalanced};
  FAILS(hipDevResourceGenerateDesc(&desc, &queues, 1), hipErrorInvalidResourceConfiguration); // no units
  hipDevResource two[3] = {parts.groups[0], queues, queues};
  FAILS(hipDevResourceGenerateDesc(&desc, two, 3), hipErrorInvalidResourceConfiguration);
  two[1].wqConfig.device = 7;
  FAILS(hipDevResourceGenerateDesc(&desc, two, 2), hipErrorInvalidResourceConfiguration);
  CHECK(desc == nullptr);
  two[1] = queues;
  hipExecutionCtx_t ctx = nullptr;
  hipDevResource whole = all_units();
  two[0] = whole;
  OK(make_context(&ctx, two, 2));
  hipDevResource kept{};
  OK(hipExecutionCtxGetDevResource(ctx, &kept, hipDevResourceTypeWorkqueueConfig));
  CHECK(kept.type == hipDevResourceTypeWorkqueueConfig);
  CHECK(kept.wqConfig.wqConcurrencyLimit == 4);
  CHECK(kept.wqConfig.sharingScope == hipDevWorkqueueConfigScopeGreenCtxBalanced);
  OK(hipExecutionCtxDestroy(ctx));
}

TEST_CASE("Contexts that cannot be", "[execution]") {
  Parts parts;
  hipDevResourceDesc_t desc = nullptr;
  hipExecutionCtx_t ctx = garbage_handle<hipExecutionCtx_t>(), whole = nullptr;
  hipStream_t stream = garbage_handle<hipStream_t>();
  hipDevResource resource{};
  unsigned long long id = 0;
  int device = -1;
  hipDevResource all = all_units();
  OK(hipDevResourceGenerateDesc(&desc, &all, 1));
  FAILS(hipGreenCtxCreate(nullptr, desc, 0, 0), hipErrorInvalidValue);
  FAILS(hipGreenCtxCreate(&ctx, desc, 0, 1), hipErrorInvalidValue);
  FAILS(hipGreenCtxCreate(&ctx, desc, 99, 0), hipErrorInvalidDevice);
  FAILS(hipGreenCtxCreate(&ctx, nullptr, 0, 0), hipErrorInvalidValue);
  FAILS(hipGreenCtxCreate(&ctx, garbage_handle<hipDevResourceDesc_t>(), 0, 0), hipErrorInvalidValue);
  CHECK(ctx == nullptr);
  OK(hipGreenCtxCreate(&ctx, desc, 0, 0));
  OK(hipExecutionCtxDestroy(ctx));
  FAILS(hipGreenCtxCreate(&ctx, desc, 0, 0), hipErrorInvalidValue); // the descriptor went with its context
  if (!divides() && parts.count == 2) {
    OK(hipDevResourceGenerateDesc(&desc, &parts.groups[0], 1));
    FAILS(hipGreenCtxCreate(&ctx, desc, 0, 0), hipErrorNotSupported);
  }

  OK(hipDeviceGetExecutionCtx(&whole, 0));
  FAILS(hipDeviceGetExecutionCtx(nullptr, 0), hipErrorInvalidValue);
  FAILS(hipDeviceGetExecutionCtx(&ctx, 99), hipErrorInvalidDevice);
  FAILS(hipExecutionCtxDestroy(whole), hipErrorInvalidValue);
  for (const auto bad : {hipExecutionCtx_t(nullptr), garbage_handle<hipExecutionCtx_t>()}) {
    FAILS(hipExecutionCtxDestroy(bad), hipErrorInvalidValue);
    FAILS(hipExecutionCtxStreamCreate(&stream, bad, 0, 0), hipErrorInvalidValue);
    FAILS(hipExecutionCtxGetDevResource(bad, &resource, hipDevResourceTypeSm), hipErrorInvalidValue);
    FAILS(hipExecutionCtxGetDevice(&device, bad), hipErrorInvalidValue);
    FAILS(hipExecutionCtxGetId(bad, &id), hipErrorInvalidValue);
    FAILS(hipExecutionCtxSynchronize(bad), hipErrorInvalidValue);
    FAILS(hipExecutionCtxRecordEvent(bad, nullptr), hipErrorInvalidValue);
    FAILS(hipExecutionCtxWaitEvent(bad, nullptr), hipErrorInvalidValue);
  }
  CHECK(stream == nullptr);
  FAILS(hipExecutionCtxStreamCreate(nullptr, whole, 0, 0), hipErrorInvalidValue);
  FAILS(hipExecutionCtxStreamCreate(&stream, whole, 8, 0), hipErrorInvalidValue);
  FAILS(hipExecutionCtxGetDevResource(whole, nullptr, hipDevResourceTypeSm), hipErrorInvalidValue);
  FAILS(hipExecutionCtxGetDevResource(whole, &resource, hipDevResourceTypeWorkqueueConfig),
        hipErrorInvalidResourceType);
  FAILS(hipExecutionCtxGetDevice(nullptr, whole), hipErrorInvalidValue);
  FAILS(hipExecutionCtxGetId(whole, nullptr), hipErrorInvalidValue);
  hipEvent_t gone = nullptr;
  OK(hipEventCreate(&gone));
  OK(hipEventDestroy(gone));
  for (const hipEvent_t bad : {hipEvent_t(nullptr), gone}) {
    FAILS(hipExecutionCtxRecordEvent(whole, bad), hipErrorInvalidHandle);
    FAILS(hipExecutionCtxWaitEvent(whole, bad), hipErrorInvalidHandle);
  }
  FAILS(hipStreamGetDevResource(nullptr, nullptr, hipDevResourceTypeSm), hipErrorInvalidValue);
  FAILS(hipStreamGetDevResource(nullptr, &resource, hipDevResourceTypeWorkqueue), hipErrorInvalidResourceType);
  FAILS(hipStreamGetDevResource(garbage_handle<hipStream_t>(), &resource, hipDevResourceTypeSm),
        hipErrorContextIsDestroyed);
}

TEST_CASE("A context and its streams", "[execution]") {
  if (!divides()) return;
  Parts parts;
  Context first(parts.groups[0]), second(parts.groups[parts.count - 1]);
  unsigned long long ids[2] = {0, 0};
  OK(hipExecutionCtxGetId(first.handle, &ids[0]));
  OK(hipExecutionCtxGetId(second.handle, &ids[1]));
  CHECK(ids[0] != ids[1]);
  int device = -1;
  OK(hipExecutionCtxGetDevice(&device, first.handle));
  CHECK(device == 0);
  hipDevResource resource{};
  OK(hipExecutionCtxGetDevResource(first.handle, &resource, hipDevResourceTypeSm));
  CHECK(resource.sm.smCount == parts.groups[0].sm.smCount);

  hipStream_t stream = first.stream(hipStreamDefault), other = second.stream();
  OK(hipStreamGetDevResource(stream, &resource, hipDevResourceTypeSm));
  CHECK(resource.sm.smCount == parts.groups[0].sm.smCount);
  OK(hipStreamGetDevResource(nullptr, &resource, hipDevResourceTypeSm));
  CHECK(resource.sm.smCount == all_units().sm.smCount);
  hipDevice_t of = -1;
  OK(hipStreamGetDevice(stream, &of));
  CHECK(of == 0);

  TestModule module;
  int *in = nullptr, *out = nullptr, factor = 3;
  unsigned count = 256;
  OK(hipMalloc(reinterpret_cast<void**>(&in), 1024));
  OK(hipMalloc(reinterpret_cast<void**>(&out), 1024));
  std::vector<int> numbers(256), results(256, -1);
  for (int i = 0; i < 256; ++i) numbers[size_t(i)] = i;
  OK(hipMemcpyAsync(in, numbers.data(), 1024, hipMemcpyHostToDevice, stream));
  void* args[] = {&out, &in, &factor, &count};
  OK(hipModuleLaunchKernel(module.function("scale"), 4, 1, 1, 64, 1, 1, 0, stream, args, nullptr));
  // The other context goes on when this one has come here.
  hipEvent_t event = nullptr;
  OK(hipEventCreate(&event));
  OK(hipExecutionCtxRecordEvent(first.handle, event));
  OK(hipExecutionCtxWaitEvent(second.handle, event));
  OK(hipMemcpyAsync(results.data(), out, 1024, hipMemcpyDeviceToHost, other));
  OK(hipExecutionCtxSynchronize(second.handle));
  CHECK(hipEventQuery(event) == hipSuccess);
  if (kernels_run() && !on_nvidia())
    for (int i = 0; i < 256; ++i) CHECK(results[size_t(i)] == 3 * i);
  OK(hipStreamDestroy(other));
  OK(hipStreamDestroy(stream));
  OK(hipEventDestroy(event));
  OK(hipFree(in));
  OK(hipFree(out));
}

TEST_CASE("Events of a context come after all of its streams", "[execution]") {
  if (!kernels_run() || on_nvidia()) return;
  Context context(all_units());
  hipExecutionCtx_t whole = nullptr;
  OK(hipDeviceGetExecutionCtx(&whole, 0));
  hipStream_t one = context.stream(), two = context.stream();
  TestModule module;
  int *flag = nullptr, *seen = nullptr;
  OK(hipHostMalloc(reinterpret_cast<void**>(&flag), 4096, 0));
  OK(hipMalloc(reinterpret_cast<void**>(&seen), 4));
  *flag = 0;
  void* args[] = {&flag};
  OK(hipModuleLaunchKernel(module.function("wait_for"), 1, 1, 1, 1, 1, 1, 0, two, args, nullptr));
  hipEvent_t of_context = nullptr, of_device = nullptr, later = nullptr;
  OK(hipEventCreate(&of_context));
  OK(hipEventCreate(&of_device));
  OK(hipEventCreate(&later));
  OK(hipExecutionCtxRecordEvent(context.handle, of_context));
  OK(hipExecutionCtxRecordEvent(whole, of_device));
  CHECK(hipEventQuery(of_context) == hipErrorNotReady);
  CHECK(hipEventQuery(of_device) == hipErrorNotReady);
  // Recording keeps no stream waiting: this one has nothing to wait for.
  OK(hipMemsetAsync(seen, 1, 4, one));
  OK(hipStreamSynchronize(one));
  // What waits does so in streams that are made later, too.
  OK(hipExecutionCtxWaitEvent(context.handle, of_context));
  hipStream_t three = context.stream(), outside = nullptr;
  OK(hipMemsetAsync(seen, 2, 4, three));
  OK(hipEventRecord(later, three));
  CHECK(hipEventQuery(later) == hipErrorNotReady);
  OK(hipExecutionCtxWaitEvent(whole, of_device));
  OK(hipStreamCreateWithFlags(&outside, hipStreamNonBlocking));
  OK(hipMemsetAsync(seen, 3, 4, outside));
  CHECK(hipStreamQuery(outside) == hipErrorNotReady);
  *flag = 1;
  OK(hipExecutionCtxSynchronize(whole));
  for (const hipEvent_t event : {of_context, of_device, later}) {
    OK(hipEventQuery(event));
    OK(hipEventDestroy(event));
  }
  OK(hipStreamQuery(outside));
  for (const hipStream_t stream : {one, two, three, outside}) OK(hipStreamDestroy(stream));
  OK(hipHostFree(flag));
  OK(hipFree(seen));
}

TEST_CASE("Streams of a context that is captured, or destroyed", "[execution]") {
  hipExecutionCtx_t ctx = nullptr;
  hipDevResource all = all_units();
  OK(make_context(&ctx, &all));
  hipStream_t stream = nullptr, kept = nullptr;
  OK(hipExecutionCtxStreamCreate(&stream, ctx, hipStreamNonBlocking, 0));
  OK(hipExecutionCtxStreamCreate(&kept, ctx, hipStreamNonBlocking, 0));
  hipEvent_t event = nullptr;
  OK(hipEventCreate(&event));
  OK(hipStreamBeginCapture(stream, hipStreamCaptureModeThreadLocal));
  FAILS(hipExecutionCtxRecordEvent(ctx, event), hipErrorStreamCaptureUnsupported);
  FAILS(hipExecutionCtxWaitEvent(ctx, event), hipErrorStreamCaptureUnsupported);
  hipGraph_t graph = nullptr;
  OK(hipStreamEndCapture(stream, &graph));
  OK(hipGraphDestroy(graph));
  OK(hipStreamDestroy(stream));

  void* memory = nullptr;
  OK(hipMalloc(&memory, 64));
  OK(hipMemsetAsync(memory, 1, 64, kept));
  OK(hipExecutionCtxDestroy(ctx));
  FAILS(hipMemsetAsync(memory, 1, 64, kept), hipErrorStreamDetached);
  FAILS(hipStreamSynchronize(kept), hipErrorStreamDetached);
  FAILS(hipStreamWaitEvent(kept, event, 0), hipErrorStreamDetached);
  hipDevResource resource{};
  FAILS(hipStreamGetDevResource(kept, &resource, hipDevResourceTypeSm), hipErrorStreamDetached);
  FAILS(hipExecutionCtxSynchronize(ctx), hipErrorInvalidValue);
  OK(hipStreamDestroy(kept));
  FAILS(hipStreamDestroy(kept), hipErrorContextIsDestroyed);
  OK(hipFree(memory));
  OK(hipEventDestroy(event));
}

TEST_CASE("What a stream is can be asked when its context has ended", "[execution]") {
  if (!divides()) return;
  Parts parts;
  hipExecutionCtx_t ctx = nullptr;
  OK(make_context(&ctx, &parts.groups[0]));
  hipStream_t stream = nullptr, other = nullptr;
  OK(hipExecutionCtxStreamCreate(&stream, ctx, hipStreamNonBlocking, 0));
  OK(hipStreamCreate(&other));
  const auto facts = [stream] {
    struct {
      unsigned flags = 0;
      int priority = 77, device = -1;
      unsigned long long id = 0;
      std::vector<uint32_t> mask = std::vector<uint32_t>(64);
    } all;
    OK(hipStreamGetFlags(stream, &all.flags));
    OK(hipStreamGetPriority(stream, &all.priority));
    OK(hipStreamGetDevice(stream, &all.device));
    OK(hipStreamGetId(stream, &all.id));
    OK(hipExtStreamGetCUMask(stream, 64, all.mask.data()));
    return std::tuple(all.flags, all.priority, all.device, all.id, all.mask);
  };
  const auto before = facts();
  hipLaunchAttributeValue value{}, found{};
  value.syncPolicy = hipSyncPolicyYield;
  OK(hipStreamSetAttribute(stream, hipLaunchAttributeSynchronizationPolicy, &value));
  OK(hipExecutionCtxDestroy(ctx));
  CHECK(facts() == before);
  CHECK(hipGetStreamDeviceId(stream) == 0);
  OK(hipStreamGetAttribute(stream, hipLaunchAttributeSynchronizationPolicy, &found));
  CHECK(found.syncPolicy == hipSyncPolicyYield);
  OK(hipStreamSetAttribute(stream, hipLaunchAttributeSynchronizationPolicy, &value));
  OK(hipStreamCopyAttributes(other, stream));
  hipStreamCaptureStatus status;
  OK(hipStreamIsCapturing(stream, &status));
  CHECK(status == hipStreamCaptureStatusNone);

  // Work, waits and captures are refused, whatever else is wrong with them.
  TestModule module;
  const hipFunction_t function = module.function("count_up");
  hipGraph_t graph = nullptr;
  int by = 1;
  void *memory = nullptr, *arguments[] = {&by};
  hipEvent_t event = nullptr;
  OK(hipEventCreate(&event));
  FAILS(hipStreamQuery(stream), hipErrorStreamDetached);
  FAILS(hipEventRecord(event, stream), hipErrorStreamDetached);
  FAILS(hipMallocAsync(&memory, 64, stream), hipErrorStreamDetached);
  FAILS(hipModuleLaunchKernel(function, 1, 1, 1, 1, 1, 1, 0, stream, arguments, nullptr), hipErrorStreamDetached);
  FAILS(hipLaunchHostFunc(stream, [](void*) {}, nullptr), hipErrorStreamDetached);
  FAILS(hipStreamBeginCapture(stream, hipStreamCaptureModeRelaxed), hipErrorStreamDetached);
  FAILS(hipStreamEndCapture(stream, &graph), hipErrorStreamDetached);
  OK(hipStreamDestroy(stream));
  unsigned long long id = 0;
  FAILS(hipStreamGetId(stream, &id), hipErrorContextIsDestroyed);
  OK(hipEventDestroy(event));
  OK(hipStreamDestroy(other));
}

TEST_CASE("A capture is invalid when a context of its streams ends", "[execution]") {
  if (!divides()) return;
  Parts parts;
  hipExecutionCtx_t ctx = nullptr;
  OK(make_context(&ctx, &parts.groups[0]));
  hipStream_t origin = nullptr, fork = nullptr, regular = nullptr;
  OK(hipExecutionCtxStreamCreate(&origin, ctx, hipStreamNonBlocking, 0));
  OK(hipExecutionCtxStreamCreate(&fork, ctx, hipStreamNonBlocking, 0));
  OK(hipStreamCreateWithFlags(&regular, hipStreamNonBlocking));
  hipEvent_t event = nullptr;
  OK(hipEventCreateWithFlags(&event, hipEventDisableTiming));
  OK(hipStreamBeginCapture(origin, hipStreamCaptureModeRelaxed));
  OK(hipEventRecord(event, origin));
  OK(hipStreamWaitEvent(fork, event, 0));
  OK(hipStreamBeginCapture(regular, hipStreamCaptureModeRelaxed));
  OK(hipExecutionCtxDestroy(ctx));
  hipStreamCaptureStatus status;
  unsigned long long id = 0;
  hipGraph_t graph = nullptr;
  for (const hipStream_t stream : {origin, fork}) {
    OK(hipStreamGetCaptureInfo(stream, &status, &id));
    CHECK(status == hipStreamCaptureStatusInvalidated);
    FAILS(hipStreamEndCapture(stream, &graph), hipErrorStreamDetached);
  }
  OK(hipStreamDestroy(fork));
  OK(hipStreamDestroy(origin));
  OK(hipStreamEndCapture(regular, &graph)); // another capture goes on
  OK(hipGraphDestroy(graph));
  OK(hipStreamDestroy(regular));
  OK(hipEventDestroy(event));
  void* memory = nullptr;
  OK(hipMalloc(&memory, 64)); // no capture is under way
  OK(hipFree(memory));
}

TEST_CASE("Contexts are made and used by several threads", "[execution]") {
  if (!divides()) return;
  void* memory = nullptr;
  OK(hipMalloc(&memory, 4096));
  std::atomic<int> wrong{0};
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([&, t] {
      for (int i = 0; i < 20; ++i) {
        hipDevResource all{}, part{};
        unsigned one = 1;
        hipExecutionCtx_t ctx = nullptr, whole = nullptr;
        hipStream_t stream = nullptr;
        hipEvent_t event = nullptr;
        const bool ok = hipDeviceGetDevResource(0, &all, hipDevResourceTypeSm) == hipSuccess &&
                        hipDevSmResourceSplitByCount(&part, &one, &all, nullptr, 0, 1) == hipSuccess &&
                        make_context(&ctx, &part) == hipSuccess && hipDeviceGetExecutionCtx(&whole, 0) == hipSuccess &&
                        hipExecutionCtxStreamCreate(&stream, ctx, hipStreamNonBlocking, 0) == hipSuccess &&
                        hipMemsetAsync(static_cast<char*>(memory) + 1024 * t, i, 1024, stream) == hipSuccess &&
                        hipEventCreate(&event) == hipSuccess &&
                        hipExecutionCtxRecordEvent(i % 2 ? ctx : whole, event) == hipSuccess &&
                        hipExecutionCtxWaitEvent(i % 2 ? whole : ctx, event) == hipSuccess &&
                        hipExecutionCtxSynchronize(ctx) == hipSuccess && hipStreamDestroy(stream) == hipSuccess &&
                        hipEventDestroy(event) == hipSuccess && hipExecutionCtxDestroy(ctx) == hipSuccess;
        wrong += !ok;
      }
    });
  for (std::thread& thread : threads) thread.join();
  CHECK(wrong == 0);
  OK(hipFree(memory));
}
