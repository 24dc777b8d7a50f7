// Memory of the host that runs out inside calls for libraries, green contexts, batches, and records of calls.
#include "allocation_faults.h"

#include <hip/amd_detail/hip_profiler_ext.h>

TEST_CASE("Allocations that fail inside libraries and kernels") {
  const std::string path = std::string(CODE_DIR) + "/kernels.hipfb";
  const std::vector<char> image = read_file("kernels.hipfb");
  hipLibrary_t library = nullptr, of_kernel = nullptr;
  hipKernel_t kernel = nullptr;
  hipFunction_t function = nullptr;
  void* address = nullptr;
  size_t bytes = 0, offset = 0;
  unsigned count = 0;
  int value = 0;
  const char* name = nullptr;
  const auto load = [&] {
    return hipLibraryLoadData(&library, image.data(), nullptr, nullptr, 0, nullptr, nullptr, 0);
  };
  check({"hipLibraryLoadFromFile",
         [&] { return hipLibraryLoadFromFile(&library, path.c_str(), nullptr, nullptr, 0, nullptr, nullptr, 0); },
         [&] { return hipLibraryUnload(library); }});
  // Of a library that is loaded anew each time: what it has is looked up once.
  const auto fresh = [&](const std::function<hipError_t()>& call) {
    return [&load, &library, call] {
      {
        const Spared spared;
        OK(load());
      }
      const hipError_t result = call();
      const Spared spared; // the end must be possible
      OK(hipLibraryUnload(library));
      return result;
    };
  };
  const auto get_kernel = [&] { return hipLibraryGetKernel(&kernel, library, "count_up"); };
  const auto with_kernel = [&](const std::function<hipError_t()>& call) {
    return fresh([&get_kernel, call] { return in_turn({get_kernel(), call()}); });
  };
  std::vector<hipKernel_t> kernels(32);
  const Step steps[] = {
      {"hipLibraryGetKernel", fresh(get_kernel)},
      {"hipLibraryGetKernelCount", fresh([&] { return hipLibraryGetKernelCount(&count, library); })},
      {"hipLibraryEnumerateKernels", fresh([&] { return hipLibraryEnumerateKernels(kernels.data(), 32, library); })},
      {"hipLibraryGetGlobal", fresh([&] { return hipLibraryGetGlobal(&address, &bytes, library, "counter"); })},
      {"hipKernelGetLibrary", with_kernel([&] { return hipKernelGetLibrary(&of_kernel, kernel); })},
      {"hipKernelGetName", with_kernel([&] { return hipKernelGetName(&name, kernel); })},
      {"hipKernelGetFunction", with_kernel([&] { return hipKernelGetFunction(&function, kernel); })},
      {"hipKernelGetParamInfo", with_kernel([&] { return hipKernelGetParamInfo(kernel, 0, &offset, &bytes); })},
      {"hipKernelGetAttribute",
       with_kernel([&] { return hipKernelGetAttribute(&value, HIP_FUNC_ATTRIBUTE_NUM_REGS, kernel, 0); })},
      {"hipKernelSetAttribute", with_kernel([&] {
         return hipKernelSetAttribute(HIP_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, 1024, kernel, 0);
       })},
  };
  for (const Step& step : steps) check(step);
}

TEST_CASE("Allocations that fail inside green contexts") {
  hipDevResource all{}, groups[2]{}, rest{};
  OK(hipDeviceGetDevResource(0, &all, hipDevResourceTypeSm));
  unsigned count = 2;
  OK(hipDevSmResourceSplitByCount(groups, &count, &all, &rest, 0, all.sm.minSmPartitionSize));
  hipDevSmResourceGroupParams params{};
  hipDevResourceDesc_t desc = nullptr;
  hipExecutionCtx_t context = nullptr, made = nullptr;
  hipStream_t stream = nullptr;
  hipEvent_t event = nullptr;
  const auto describe = [&] { return hipDevResourceGenerateDesc(&desc, groups, 1); };
  const auto create = [&](hipExecutionCtx_t* to) { return hipGreenCtxCreate(to, desc, 0, 0); };
  const auto destroy = [&](hipExecutionCtx_t& which) { return hipExecutionCtxDestroy(which); };
  // A descriptor ends with the context that is made of it.
  const auto use_descriptor = [&] { return in_turn({create(&made), destroy(made)}); };
  OK(describe());
  if (create(&context) == hipErrorNotSupported) {
    WARN("left out: the device cannot be divided");
    return;
  }
  OK(hipEventCreate(&event));
  const auto synchronize = [&] { return hipExecutionCtxSynchronize(context); };
  const Step steps[] = {
      {"hipDeviceGetDevResource", [&] { return hipDeviceGetDevResource(0, &all, hipDevResourceTypeSm); }},
      {"hipDevSmResourceSplitByCount",
       [&] {
         count = 2;
         return hipDevSmResourceSplitByCount(groups, &count, &all, &rest, 0, all.sm.minSmPartitionSize);
       }},
      {"hipDevSmResourceSplit",
       [&] {
         params = {};
         const hipError_t result = hipDevSmResourceSplit(groups, 1, &all, &rest, 0, &params);
         return result == hipErrorNotSupported ? hipSuccess : result; // by older drivers
       }},
      {"hipDevResourceGenerateDesc", describe, use_descriptor},
      {"hipGreenCtxCreate",
       [&] {
         {
           const Spared spared;
           OK(describe());
         }
         const hipError_t result = create(&made);
         const Spared spared;
         if (result != hipSuccess) OK(create(&made));
         OK(destroy(made));
         return result;
       }},
      {"hipDeviceGetExecutionCtx", [&] { return hipDeviceGetExecutionCtx(&made, 0); }},
      {"hipExecutionCtxStreamCreate",
       [&] { return hipExecutionCtxStreamCreate(&stream, context, hipStreamNonBlocking, 0); },
       [&] { return hipStreamDestroy(stream); }},
      {"hipExecutionCtxRecordEvent", [&] { return hipExecutionCtxRecordEvent(context, event); }, synchronize},
      {"hipExecutionCtxWaitEvent", [&] { return hipExecutionCtxWaitEvent(context, event); }, synchronize},
      {"hipExecutionCtxSynchronize", synchronize},
      // Streams that are left are detached, which must not need memory.
      {"hipExecutionCtxDestroy",
       [&] {
         {
           const Spared spared;
           OK(describe());
           OK(create(&made));
           OK(hipExecutionCtxStreamCreate(&stream, made, hipStreamNonBlocking, 0));
         }
         const hipError_t result = destroy(made);
         const Spared spared;
         CHECK(hipStreamQuery(stream) == hipErrorStreamDetached);
         OK(hipStreamDestroy(stream));
         return result;
       }},
  };
  OK(hipExecutionCtxStreamCreate(&stream, context, hipStreamNonBlocking, 0)); // that events are recorded behind
  for (const Step& step : steps) check(step);
  OK(hipEventDestroy(event));
  OK(destroy(context));
}

TEST_CASE("Allocations that fail inside batches, discards and records of calls") {
  constexpr size_t kBytes = 1 << 16;
  hipStream_t stream = nullptr;
  OK(hipStreamCreate(&stream));
  void *a = nullptr, *b = nullptr, *managed = nullptr;
  OK(hipMalloc(&a, kBytes));
  OK(hipMalloc(&b, kBytes));
  OK(hipMallocManaged(&managed, kBytes, hipMemAttachGlobal));
  void *to[] = {a, b}, *from[] = {b, a}, *discarded[] = {managed};
  size_t sizes[] = {100, 200}, whole[] = {kBytes}, starts[] = {0};
  hipMemLocation where[] = {{hipMemLocationTypeDevice, 0}};
  hipExtMemcpyOp swap[] = {hipExtMemcpyOpSwap};
  hipMemcpy3DBatchOp box{};
  box.src.type = box.dst.type = hipMemcpyOperandTypePointer;
  box.src.op.ptr.ptr = a, box.dst.op.ptr.ptr = b;
  box.extent = {16, 8, 4};
  box.srcAccessOrder = hipMemcpySrcAccessOrderStream;
  const auto synchronize = [&] { return hipStreamSynchronize(stream); };
  const Step steps[] = {
      {"hipMemcpyBatchAsync",
       [&] { return hipMemcpyBatchAsync(to, from, sizes, 2, nullptr, nullptr, 0, nullptr, stream); }, synchronize},
      {"hipExtMemcpyBatchAsync, a swap",
       [&] {
         return hipExtMemcpyBatchAsync(to, from, sizes, nullptr, nullptr, nullptr, swap, 1, nullptr, nullptr, 0,
                                       nullptr, stream);
       },
       synchronize},
      {"hipMemcpy3DBatchAsync", [&] { return hipMemcpy3DBatchAsync(1, &box, nullptr, 0, stream); }, synchronize},
      {"hipMemDiscardBatchAsync", [&] { return hipMemDiscardBatchAsync(discarded, whole, 1, 0, stream); }, synchronize},
      {"hipMemDiscardAndPrefetchBatchAsync",
       [&] { return hipMemDiscardAndPrefetchBatchAsync(discarded, whole, 1, where, starts, 1, 0, stream); },
       synchronize},
      // A call matters more than its record: it succeeds, or fails by itself.
      {"a call that is recorded",
       [&] {
         OK(hipProfilerEnableExt(nullptr, 0));
         const hipError_t result = hipMemsetAsync(a, 1, kBytes, stream);
         const Spared spared; // the end must be possible
         OK(hipProfilerDisableExt(nullptr));
         OK(hipProfilerResetExt());
         return result;
       }},
      {"hipProfilerEnableExt", [&] { return hipProfilerEnableExt(nullptr, 0); },
       [&] { return in_turn({hipProfilerDisableExt(nullptr), hipProfilerResetExt()}); }},
      {"hipProfilerGetRecordsExt",
       [&] {
         {
           const Spared spared;
           OK(hipProfilerEnableExt(nullptr, 0));
           OK(hipMemsetAsync(a, 1, kBytes, stream));
           OK(hipProfilerDisableExt(nullptr));
         }
         const hipApiRecordExt* const* chunks = nullptr;
         size_t chunk_count = 0, chunk_size = 0, total = 0;
         hipError_t result = hipProfilerGetRecordsExt(&chunks, &chunk_count, &chunk_size, &total);
         if (result == hipSuccess) result = hipProfilerWriteJsonExt("/dev/null");
         const Spared spared;
         OK(hipProfilerResetExt());
         return result;
       }},
  };
  for (const Step& step : steps) check(step);
  OK(hipFree(a));
  OK(hipFree(b));
  OK(hipFree(managed));
  OK(hipStreamDestroy(stream));
}
