// What a graph saves: many small kernels replayed as a graph, against launching them in a stream, one after the other
// and as branches that may run beside each other. One line per case: name, microseconds per kernel from the first call
// until the device is done, microseconds per kernel that the calling thread spends. Medians of 15 rounds. Then 100
// kernels launched and waited for, and replayed and waited for, in turn: microseconds per kernel, launched and
// replayed, and how many times less that is; medians of 6000 rounds. Then the same where one of the kernels, ten of
// them, or all are given other arguments before each replay (hipGraphExecKernelNodeSetParams). Threads and tiers of a
// software GPU are the environment's (OMNIHIP_SOFT_THREADS, OMNIHIP_TIER).
#include <hip/hip_runtime.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <vector>

namespace {

__global__ void add(float* y, const float* x, float a, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] += a * x[i];
}

// One block that computes for a while; different blocks of memory have nothing to do with each other.
__global__ void work(unsigned* data, int rounds) {
  unsigned x = data[threadIdx.x];
  for (int k = 0; k < rounds; ++k) x = x * 1664525u + 1013904223u;
  data[threadIdx.x] = x;
}

void check(hipError_t e) {
  if (e == hipSuccess) return;
  std::fprintf(stderr, "%s\n", hipGetErrorString(e));
  std::exit(1);
}

// Prints the medians of what `submit` costs until it returns and until the stream is idle.
void measure(const char* name, int kernels, hipStream_t stream, const std::function<void()>& submit) {
  std::vector<double> calls, all;
  for (int round = 0; round < 18; ++round) {
    const auto start = std::chrono::steady_clock::now();
    const auto since_start = [&] {
      return std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - start).count() / kernels;
    };
    submit();
    const double call = since_start();
    check(hipStreamSynchronize(stream));
    if (round < 3) continue; // translation, first use
    calls.push_back(call);
    all.push_back(since_start());
  }
  std::nth_element(calls.begin(), calls.begin() + 7, calls.end());
  std::nth_element(all.begin(), all.begin() + 7, all.end());
  std::printf("%s,%.3f,%.3f\n", name, all[7], calls[7]);
}

// Runs `submit` as it is, and what it captures as a graph.
void compare(const char* in_stream, const char* as_graph, int kernels, hipStream_t stream,
             const std::function<void()>& submit) {
  measure(in_stream, kernels, stream, submit);
  hipGraph_t graph;
  hipGraphExec_t exec;
  check(hipStreamBeginCapture(stream, hipStreamCaptureModeRelaxed));
  submit();
  check(hipStreamEndCapture(stream, &graph));
  check(hipGraphInstantiate(&exec, graph, nullptr, nullptr, 0));
  measure(as_graph, kernels, stream, [&] { check(hipGraphLaunch(exec, stream)); });
  check(hipGraphExecDestroy(exec));
  check(hipGraphDestroy(graph));
}

// Launches and replays `kernels` small kernels in turn. `change` is called before each replay.
void in_turn(
    const char* name, int kernels, hipStream_t stream, const std::function<void()>& submit,
    const std::function<void(hipGraphExec_t, const std::vector<hipGraphNode_t>&)>& change = [](auto, const auto&) {}) {
  hipGraph_t graph;
  hipGraphExec_t exec;
  check(hipStreamBeginCapture(stream, hipStreamCaptureModeRelaxed));
  submit();
  check(hipStreamEndCapture(stream, &graph));
  check(hipGraphInstantiate(&exec, graph, nullptr, nullptr, 0));
  size_t count = 0;
  check(hipGraphGetNodes(graph, nullptr, &count));
  std::vector<hipGraphNode_t> nodes(count);
  check(hipGraphGetNodes(graph, nodes.data(), &count));
  std::vector<double> launched, replayed;
  const auto time = [&](std::vector<double>& times, const std::function<void()>& run) {
    const auto start = std::chrono::steady_clock::now();
    run();
    check(hipStreamSynchronize(stream));
    times.push_back(std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - start).count() /
                    kernels);
  };
  for (int round = 0; round < 6000; ++round) {
    time(launched, submit);
    time(replayed, [&] {
      change(exec, nodes);
      check(hipGraphLaunch(exec, stream));
    });
  }
  std::nth_element(launched.begin(), launched.begin() + 3000, launched.end());
  std::nth_element(replayed.begin(), replayed.begin() + 3000, replayed.end());
  std::printf("%s,%.3f,%.3f,%.1f\n", name, launched[3000], replayed[3000], launched[3000] / replayed[3000]);
  check(hipGraphExecDestroy(exec));
  check(hipGraphDestroy(graph));
}

} // namespace

int main() {
  constexpr int kChain = 1000, kItems = 64, kMostItems = 1024, kBranches = 16, kDepth = 4, kRounds = 20000;
  hipStream_t stream;
  check(hipStreamCreateWithFlags(&stream, hipStreamNonBlocking));
  float *x, *y;
  unsigned* data;
  check(hipMalloc(&x, kMostItems * sizeof *x));
  check(hipMalloc(&y, kMostItems * sizeof *y));
  check(hipMalloc(&data, kBranches * 64 * sizeof *data));
  check(hipMemset(x, 0, kMostItems * sizeof *x));
  check(hipMemset(y, 0, kMostItems * sizeof *y));
  check(hipMemset(data, 1, kBranches * 64 * sizeof *data));
  compare("1000 kernels in a row - stream", "1000 kernels in a row - graph", kChain, stream, [&] {
    for (int i = 0; i < kChain; ++i) add<<<1, kItems, 0, stream>>>(y, x, 1.0f, kItems);
  });

  // 16 branches of 4 kernels with one block each, forked from the stream and joined again.
  std::vector<hipStream_t> branches(kBranches);
  std::vector<hipEvent_t> ends(kBranches);
  hipEvent_t fork;
  check(hipEventCreateWithFlags(&fork, hipEventDisableTiming));
  for (hipStream_t& branch : branches) check(hipStreamCreateWithFlags(&branch, hipStreamNonBlocking));
  for (hipEvent_t& end : ends) check(hipEventCreateWithFlags(&end, hipEventDisableTiming));
  measure("64 longer kernels in a row - stream", kBranches * kDepth, stream, [&] {
    for (int i = 0; i < kBranches * kDepth; ++i) work<<<1, 64, 0, stream>>>(data + i % kBranches * 64, kRounds);
  });
  compare("16 branches of 4 longer kernels - streams", "16 branches of 4 longer kernels - graph", kBranches * kDepth,
          stream, [&] {
            check(hipEventRecord(fork, stream));
            for (int b = 0; b < kBranches; ++b) {
              check(hipStreamWaitEvent(branches[b], fork, 0));
              for (int i = 0; i < kDepth; ++i) work<<<1, 64, 0, branches[b]>>>(data + b * 64, kRounds);
              check(hipEventRecord(ends[b], branches[b]));
              check(hipStreamWaitEvent(stream, ends[b], 0));
            }
          });
  const struct {
    const char* name;
    int blocks, items;
  } shapes[] = {{"100 kernels of 64 items", 1, 64},
                {"100 kernels of 256 items", 1, 256},
                {"100 kernels of 4 blocks of 256 items", 4, 256}};
  for (const auto& [name, blocks, items] : shapes)
    in_turn(name, 100, stream, [&, blocks = blocks, items = items] {
      for (int i = 0; i < 100; ++i) add<<<blocks, items, 0, stream>>>(y, x, 1.0f, blocks * items);
    });

  const struct {
    const char* name;
    size_t changes;
  } rows[] = {{"100 kernels of 64 items, 1 changed", 1},
              {"100 kernels of 64 items, 10 changed", 10},
              {"100 kernels of 64 items, all changed", 100}};
  for (const auto& [name, changes] : rows)
    in_turn(
        name, 100, stream,
        [&] {
          for (int i = 0; i < 100; ++i) add<<<1, 64, 0, stream>>>(y, x, 1.0f, 64);
        },
        [&, changes = changes, factor = 0.0f](hipGraphExec_t exec, const std::vector<hipGraphNode_t>& nodes) mutable {
          int items = 64;
          factor += 0.5f;
          void* arguments[] = {&y, &x, &factor, &items};
          hipKernelNodeParams params{};
          params.func = reinterpret_cast<void*>(add);
          params.gridDim = dim3(1);
          params.blockDim = dim3(64);
          params.kernelParams = arguments;
          for (size_t i = 0; i < changes; ++i)
            check(hipGraphExecKernelNodeSetParams(exec, nodes[i * (100 / changes)], &params));
        });

  for (hipEvent_t end : ends) check(hipEventDestroy(end));
  check(hipEventDestroy(fork));
  for (hipStream_t branch : branches) check(hipStreamDestroy(branch));
  check(hipStreamDestroy(stream));
  for (void* memory : {static_cast<void*>(x), static_cast<void*>(y), static_cast<void*>(data)}) check(hipFree(memory));
}
