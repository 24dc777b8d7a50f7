// Kernels in all forms of launch, and the program that registers them.
#include "api_calls.h"

#include "../api/registration.h"

#include <cstring>
#include <fstream>
#include <iterator>
#include <string>

namespace hip::fuzz {
namespace {

struct Wrapper {
  uint32_t magic = 0x48495046, version = 1;
  const void* bundle = nullptr;
  void* unused = nullptr;
};

// Shadows of what kernels.hip defines; the last kernel is in no code object.
constexpr const char* kKernels[] = {"scale", "bounded", "nothing", "wild_store", "no_such_kernel"};
char kernel_shadows[5], counter_shadow, factors_shadow;
int* shared_total = nullptr;
void** registration = nullptr;

dim3 size3(World& w) {
  if (w.in.byte() % 4) return dim3(static_cast<unsigned>(w.in.small()) + 1); // one that often fits
  return {w.in.word(), w.in.word(), w.in.word()};
}
size_t shared_bytes(World& w) { return w.in.byte() % 4 ? 0 : w.in.number(); }

// Arguments as pointers: enough of them, one that is missing, or none at all.
void** pointers(World& w) {
  static uint64_t value = 0;
  static void* all[8];
  for (void*& each : all) each = &value;
  switch (w.in.byte() % 8) {
  case 0:
    return nullptr;
  case 1:
    all[w.in.byte() % 8] = nullptr;
    [[fallthrough]];
  default:
    return all;
  }
}

// The list "extra": complete, or with a key or an entry that is wrong.
void** extra(World& w) {
  static char block[256];
  static size_t bytes;
  static void* list[7];
  bytes = w.in.byte();
  void* const good[7] = {HIP_LAUNCH_PARAM_BUFFER_POINTER,
                         block,
                         HIP_LAUNCH_PARAM_BUFFER_SIZE,
                         &bytes,
                         HIP_LAUNCH_PARAM_END,
                         HIP_LAUNCH_PARAM_END,
                         HIP_LAUNCH_PARAM_END};
  std::memcpy(list, good, sizeof list);
  const unsigned wrong = w.in.byte();
  if (wrong % 2)
    list[wrong / 2 % 5] = w.in.pick<void*>({nullptr, HIP_LAUNCH_PARAM_END, reinterpret_cast<void*>(uintptr_t{77})});
  // A key must not take the place of an address that is read.
  if (list[2] == HIP_LAUNCH_PARAM_BUFFER_SIZE && list[3] != &bytes && list[3] != nullptr) list[3] = &bytes;
  return list;
}

struct Arguments {
  void **params = nullptr, **extra = nullptr;
};
Arguments arguments(World& w) {
  const uint8_t which = w.in.byte() % 8;
  return {which < 5 ? pointers(w) : nullptr, which >= 4 ? extra(w) : nullptr}; // 4: both
}

hipLaunchAttribute* attributes(World& w, unsigned& count) {
  static hipLaunchAttribute all[3];
  std::memset(all, 0, sizeof all);
  for (hipLaunchAttribute& each : all) {
    each.id = static_cast<hipLaunchAttributeID>(w.in.byte() % 12);
    each.val.cooperative = w.in.byte() % 2;
  }
  count = w.in.byte() % 4;
  return w.in.byte() ? all : nullptr;
}

constexpr auto kInvalid = hipErrorInvalidHandle;
constexpr auto kGone = hipErrorContextIsDestroyed;
// Of every launch: the shape (core/launch_shape.h), the stream, the kernel.
std::vector<hipError_t> launch_errors(std::initializer_list<hipError_t> more) {
  std::vector<hipError_t> all{hipErrorInvalidConfiguration, hipErrorLaunchFailure, kGone};
  all.insert(all.end(), more);
  return all;
}

} // namespace

void register_program() {
  static const std::vector<char> code = [] {
    std::ifstream file(CODE_DIR "/kernels.hipfb", std::ios::binary);
    return std::vector<char>(std::istreambuf_iterator<char>(file), {});
  }();
  static Wrapper wrapper;
  wrapper.bundle = code.data();
  registration = __hipRegisterFatBinary(&wrapper);
  for (size_t i = 0; i < std::size(kKernels); ++i)
    __hipRegisterFunction(registration, &kernel_shadows[i], const_cast<char*>(kKernels[i]), kKernels[i], ~0u, nullptr,
                          nullptr, nullptr, nullptr, nullptr);
  const auto variable = [](char& shadow, const char* name, size_t bytes) {
    __hipRegisterVar(registration, &shadow, const_cast<char*>(name), const_cast<char*>(name), 0, bytes, 0, 0);
  };
  variable(counter_shadow, "counter", 4);
  variable(factors_shadow, "factors", 16);
  int initial = 5;
  __hipRegisterManagedVar(registration, reinterpret_cast<void**>(&shared_total), &initial, "shared_total", 4, 4);
}

void unregister_program() { __hipUnregisterFatBinary(registration); }

const void* kernel_address(World& w) {
  const uint8_t which = w.in.byte() % 8;
  if (which < std::size(kernel_shadows)) return &kernel_shadows[which];
  return which == 5 ? &counter_shadow : w.address();
}

const void* symbol_address(World& w) {
  switch (w.in.byte() % 6) {
  case 0:
    return &counter_shadow;
  case 1:
    return &factors_shadow;
  case 2:
    return shared_total;
  case 3:
    return &shared_total;
  case 4:
    return &kernel_shadows[0];
  default:
    return w.address();
  }
}

std::vector<Call> launch_calls() {
  const std::vector<hipError_t> by_handle = launch_errors({kInvalid}),
                                by_address = launch_errors({hipErrorInvalidDeviceFunction});
  const std::vector<hipError_t> cooperative =
      launch_errors({kInvalid, hipErrorInvalidDeviceFunction, hipErrorCooperativeLaunchTooLarge});
  return {
      {"hipLaunchKernel",
       [](World& w) {
         const dim3 grid = size3(w), block = size3(w);
         const void* const kernel = kernel_address(w);
         return hipLaunchKernel(kernel, grid, block, pointers(w), shared_bytes(w), w.stream());
       },
       by_address},
      {"hipLaunchKernelExC",
       [](World& w) {
         hipLaunchConfig_t config{};
         config.gridDim = size3(w);
         config.blockDim = size3(w);
         config.dynamicSmemBytes = shared_bytes(w);
         config.stream = w.stream();
         config.attrs = attributes(w, config.numAttrs);
         const void* const kernel = kernel_address(w);
         return hipLaunchKernelExC(w.in.byte() ? &config : nullptr, kernel, pointers(w));
       },
       cooperative},
      {"hipExtLaunchKernel",
       [](World& w) {
         const dim3 grid = size3(w), block = size3(w);
         const void* const kernel = kernel_address(w);
         return hipExtLaunchKernel(kernel, grid, block, pointers(w), shared_bytes(w), w.stream(), w.pick(w.events),
                                   w.pick(w.events), w.in.byte() % 3);
       },
       by_address},
      {"hipLaunchCooperativeKernel",
       [](World& w) {
         const dim3 grid = size3(w), block = size3(w);
         const void* const kernel = kernel_address(w);
         return hipLaunchCooperativeKernel(kernel, grid, block, pointers(w), w.in.word(), w.stream());
       },
       cooperative},
      {"hipModuleLaunchKernel",
       [](World& w) {
         const dim3 g = size3(w), b = size3(w);
         const Arguments a = arguments(w);
         return hipModuleLaunchKernel(w.pick(w.functions), g.x, g.y, g.z, b.x, b.y, b.z,
                                      static_cast<unsigned>(shared_bytes(w)), w.stream(), a.params, a.extra);
       },
       by_handle},
      {"hipExtModuleLaunchKernel",
       [](World& w) {
         const dim3 g = size3(w), b = size3(w);
         const Arguments a = arguments(w);
         return hipExtModuleLaunchKernel(w.pick(w.functions), g.x, g.y, g.z, b.x, b.y, b.z, shared_bytes(w), w.stream(),
                                         a.params, a.extra, w.pick(w.events), w.pick(w.events), w.in.byte() % 3);
       },
       by_handle},
      {"hipModuleLaunchCooperativeKernel",
       [](World& w) {
         const dim3 g = size3(w), b = size3(w);
         return hipModuleLaunchCooperativeKernel(w.pick(w.functions), g.x, g.y, g.z, b.x, b.y, b.z,
                                                 static_cast<unsigned>(shared_bytes(w)), w.stream(), pointers(w));
       },
       cooperative},
      {"hipDrvLaunchKernelEx",
       [](World& w) {
         const dim3 g = size3(w), b = size3(w);
         HIP_LAUNCH_CONFIG config{};
         config.gridDimX = g.x, config.gridDimY = g.y, config.gridDimZ = g.z;
         config.blockDimX = b.x, config.blockDimY = b.y, config.blockDimZ = b.z;
         config.sharedMemBytes = static_cast<unsigned>(shared_bytes(w));
         config.hStream = w.stream();
         config.attrs = attributes(w, config.numAttrs);
         const Arguments a = arguments(w);
         return hipDrvLaunchKernelEx(&config, w.pick(w.functions), a.params, a.extra);
       },
       cooperative},
      {"hipConfigureCall",
       [](World& w) {
         const dim3 grid = size3(w), block = size3(w);
         return hipConfigureCall(grid, block, shared_bytes(w), w.stream());
       },
       {}},
      {"hipSetupArgument",
       [](World& w) {
         static const char value[256] = {};
         return hipSetupArgument(w.in.byte() ? value : nullptr, w.in.pick<size_t>({1, 4, 8, 256, 0}), w.in.number());
       },
       {hipErrorMissingConfiguration}},
      {"hipLaunchByPtr", [](World& w) { return hipLaunchByPtr(kernel_address(w)); },
       launch_errors({hipErrorInvalidDeviceFunction, hipErrorMissingConfiguration})},
  };
}

} // namespace hip::fuzz
