// What holds for every function, generated from the rows of api.def: a null argument that its row forbids is
// hipErrorInvalidValue, a handle that never was one has an error by its kind, a device that is not there is
// hipErrorInvalidDevice, and in a child that was forked after the first call everything is hipErrorNotInitialized.
#include "testing.h"

#include <hip/amd_detail/hip_profiler_ext.h>
#include <hip/hip_deprecated.h>
#include <hip/hip_gl_interop.h>

#include <array>
#include <set>
#include <span>
#include <string_view>
#include <sys/wait.h>
#include <type_traits>
#include <unistd.h>
#include <utility>

namespace {

// Memory that stands for whatever a function may want to read or write: long enough for every structure, all zero.
alignas(64) char scratch[1 << 16];

template<class T> struct Callback;
template<class R, class... A> struct Callback<R (*)(A...)> {
  static R call(A...) { return R(); }
};

template<class T> consteval bool is_function_pointer() {
  return std::is_pointer_v<T> && std::is_function_v<std::remove_pointer_t<T>>;
}
// Handles are the pointers to structures that no header defines.
template<class T> consteval bool is_handle() {
  if constexpr (!std::is_pointer_v<T>) {
    return false;
  } else {
    using Target = std::remove_pointer_t<T>;
    return !std::is_void_v<Target> && !std::is_function_v<Target> && !requires { sizeof(Target); };
  }
}

enum class Bad { Null, Handle, Device };

// What a function is given in one place: something harmless, or what is wrong.
template<class T> T argument(bool bad, Bad how) {
  if constexpr (is_function_pointer<T>()) {
    return bad ? nullptr : &Callback<T>::call;
  } else if constexpr (is_handle<T>()) {
    return bad && how == Bad::Handle ? garbage_handle<T>() : nullptr;
  } else if constexpr (std::is_pointer_v<T>) {
    return bad ? nullptr : reinterpret_cast<T>(scratch);
  } else if constexpr (std::is_same_v<T, size_t>) {
    return 1; // of no bytes there would be nothing to do, and nothing wrong
  } else if constexpr (std::is_same_v<T, int>) {
    return bad ? 1'000'000 : 0;
  } else {
    return T{};
  }
}

// What a handle that never was one is answered with, unless another argument is hipErrorInvalidValue or the table below
// says otherwise.
template<class T> std::set<hipError_t> errors_of_handle() {
  if constexpr (std::is_same_v<T, hipStream_t> || std::is_same_v<T, hipEvent_t>)
    return {hipErrorContextIsDestroyed};
  else if constexpr (std::is_same_v<T, hipCtx_t>)
    return {hipErrorInvalidContext};
  else if constexpr (std::is_same_v<T, hipLibrary_t> || std::is_same_v<T, hipKernel_t> ||
                     std::is_same_v<T, hipLinkState_t> || std::is_same_v<T, hipModule_t> ||
                     std::is_same_v<T, hipFunction_t>)
    return {hipErrorInvalidHandle};
  else if constexpr (std::is_same_v<T, hipArray_t> || std::is_same_v<T, hipArray_const_t> ||
                     std::is_same_v<T, hipTextureObject_t> || std::is_same_v<T, hipSurfaceObject_t> ||
                     std::is_same_v<T, hipMemGenericAllocationHandle_t> ||
                     std::is_same_v<T, hipGraphicsResource_t>) // kinds that not every device has
    return {hipErrorNotSupported, hipErrorInvalidHandle, hipErrorInvalidValue, hipErrorContextIsDestroyed};
  else // graphs, nodes, executables, user objects, memory pools
    return {hipErrorInvalidValue};
}

// Functions that look at another argument first, which is wrong here too, or that have an error of their own.
const std::pair<hipError_t, std::vector<std::string_view>> kOtherErrors[] = {
    {hipErrorInvalidMemcpyDirection,
     {"hipMemcpyFromSymbolAsync", "hipMemcpyFromSymbolAsync_spt", "hipMemcpyToSymbolAsync",
      "hipMemcpyToSymbolAsync_spt"}},
    {hipErrorInvalidHandle, // a null event beside the stream; and launches of HIP 7
     {"hipEventElapsedTime", "hipEventRecord", "hipEventRecordWithFlags", "hipEventRecord_spt", "hipStreamWaitEvent",
      "hipStreamWaitEvent_spt", "hipFreeAsync", "hipMallocAsync", "hipLaunchCooperativeKernel",
      "hipLaunchCooperativeKernel_spt", "hipModuleLaunchCooperativeKernel"}},
    {hipErrorInvalidDeviceFunction,
     {"hipExtLaunchKernel", "hipLaunchKernel", "hipLaunchKernelBundledArgs", "hipLaunchKernel_spt",
      "hipGraphAddKernelNode", "hipGraphAddNode"}},
    {hipErrorInvalidSymbol, {"hipGraphAddMemcpyNodeFromSymbol", "hipGraphAddMemcpyNodeToSymbol"}},
    {hipErrorNotFound, {"hipModuleUnload"}},
    {hipErrorStreamCaptureUnsupported, {"hipStreamBeginCaptureToGraph"}}, // of the legacy stream
};

// Plain tables and one thunk for each list of types: several hundred functions with containers of their own take the
// compiler half a minute.
struct Parameter {
  bool is_handle, is_integer;
  std::set<hipError_t> (*errors)(); // were it a handle that never was one
};
template<class... A> constexpr std::array<Parameter, sizeof...(A)> kParameters{
    Parameter{is_handle<A>(), std::is_same_v<A, int>, errors_of_handle<A>}...};

using AnyFunction = void (*)();
template<class... A> struct Thunk {
  static hipError_t call(AnyFunction f, size_t bad, Bad how) {
    return call(f, bad, how, std::index_sequence_for<A...>());
  }
  template<size_t... I> static hipError_t call(AnyFunction f, size_t bad, Bad how, std::index_sequence<I...>) {
    return reinterpret_cast<hipError_t (*)(A...)>(f)(argument<A>(I == bad, how)...);
  }
};

struct Function {
  const char* name;
  std::string_view arguments; // "(ptr, size)"
  std::string_view nonnull;   // "ptr "
  std::span<const Parameter> parameters;
  AnyFunction function;
  hipError_t (*thunk)(AnyFunction, size_t, Bad);

  hipError_t call(size_t bad, Bad how) const {
    std::memset(scratch, 0, sizeof scratch);
    return thunk(function, bad, how);
  }
};

template<class... A>
Function function(const char* name, hipError_t (*f)(A...), std::string_view arguments, std::string_view nonnull) {
  return {name, arguments, nonnull, kParameters<A...>, reinterpret_cast<AnyFunction>(f), Thunk<A...>::call};
}

const Function kFunctions[] = {
#define NONNULL(parameter) #parameter " "
#define HIP_API(name, node, area, params, args, ...)                                                                   \
  function(#name, static_cast<hipError_t(*) params>(&::name), #args, "" __VA_ARGS__),
#define HIP_API_BARE(name, node, area, params, args)
#define HIP_API_TODO(name, node, area, params, args)
#define HIP_API_RET(type, name, node, area, params, args)
#define HIP_API_RET_TODO(type, name, node, area, params, args, value)
#define HIP_COMPILER_API(type, name, node, params, args)
#define HIP_PRIVATE_API_TODO(type, name, node, params, args, value)
#define HIP_API_ALIAS(symbol, function, node)
#include "api/api.def"
};

std::vector<std::string> words(std::string_view text) {
  std::vector<std::string> all;
  std::string word;
  for (const char c : text) {
    if (std::isalnum(static_cast<unsigned char>(c)) || c == '_')
      word += c;
    else if (!word.empty())
      all.push_back(std::move(word)), word.clear();
  }
  if (!word.empty()) all.push_back(word);
  return all;
}

} // namespace

TEST_CASE("A null argument that a row forbids") {
  size_t tried = 0;
  for (const Function& f : kFunctions) {
    const std::vector<std::string> parameters = words(f.arguments);
    REQUIRE(parameters.size() == f.parameters.size());
    for (const std::string& name : words(f.nonnull)) {
      const size_t place = std::find(parameters.begin(), parameters.end(), name) - parameters.begin();
      INFO(f.name << ": " << name);
      REQUIRE(place < parameters.size());
      FAILS(f.call(place, Bad::Null), hipErrorInvalidValue);
      ++tried;
    }
  }
  CHECK(tried > 250);
}

TEST_CASE("A handle that never was one") {
  size_t tried = 0;
  for (const Function& f : kFunctions) {
    if (f.name == std::string_view("hipConfigureCall")) continue; // keeps the stream, which hipLaunchByPtr checks
    for (size_t place = 0; place < f.parameters.size(); ++place) {
      if (!f.parameters[place].is_handle) continue;
      std::set<hipError_t> expected = f.parameters[place].errors();
      expected.insert(hipErrorInvalidValue);
      for (const auto& [error, functions] : kOtherErrors)
        if (std::find(functions.begin(), functions.end(), f.name) != functions.end()) expected.insert(error);
      (void)hipGetLastError();
      const hipError_t result = f.call(place, Bad::Handle);
      INFO(f.name << ": " << words(f.arguments)[place] << ": " << hipGetErrorName(result));
      CHECK(expected.contains(result));
      CHECK(hipGetLastError() == result);
      ++tried;
    }
  }
  CHECK(tried > 250);
}

TEST_CASE("A device that is not there") {
  // What lies at the address decides first, and here that is nothing that was allocated.
  const std::set<std::string_view> kMemoryFirst{"hipMemPrefetchAsync", "hipMemAdvise"};
  const std::set<std::string_view> kInvalidValue{"hipDeviceGetMemPool", "hipDeviceSetMemPool"};
  size_t tried = 0;
  for (const Function& f : kFunctions) {
    const std::vector<std::string> parameters = words(f.arguments);
    for (size_t place = 0; place < parameters.size(); ++place) {
      const std::string& name = parameters[place];
      if (!f.parameters[place].is_integer || (name.find("evice") == name.npos && name != "dev" && name != "ordinal"))
        continue;
      if (name == "numDevices" || kMemoryFirst.contains(f.name)) continue;
      INFO(f.name << ": " << name);
      FAILS(f.call(place, Bad::Device), kInvalidValue.contains(f.name) ? hipErrorInvalidValue : hipErrorInvalidDevice);
      ++tried;
    }
  }
  CHECK(tried > 25);
}

namespace {

// Calls every function with harmless arguments and says which ones were not refused as in a forked child.
int not_refused() {
  constexpr size_t kNone = ~size_t(0);
  int wrong = 0;
  for (const Function& f : kFunctions) {
    const hipError_t result = f.call(kNone, Bad::Null);
    if (result == hipErrorNotInitialized && hipPeekAtLastError() == result) continue;
    std::fprintf(stderr, "%s in a forked child: %s\n", f.name, hipGetErrorName(result));
    ++wrong;
  }
  // What stands before a kernel's launch in compiled code, which leaves it out then.
  dim3 grid, block;
  size_t bytes = 0;
  hipStream_t stream = nullptr;
  (void)hipGetLastError();
  for (const hipError_t result : {__hipPushCallConfiguration(dim3(1), dim3(64), 0, nullptr), hipGetLastError(),
                                  __hipPopCallConfiguration(&grid, &block, &bytes, &stream), hipGetLastError()})
    wrong += result != hipErrorNotInitialized;
  return wrong;
}

} // namespace

TEST_CASE("Every function in a forked child") {
  int count = 0;
  (void)hipGetDeviceCount(&count); // the parent's first call, if there was none
  const pid_t child = fork();
  REQUIRE(child >= 0);
  if (child == 0) {
    alarm(60); // for one that waits for what only the parent has
    _exit(not_refused() != 0);
  }
  int status = 0;
  REQUIRE(waitpid(child, &status, 0) == child);
  REQUIRE(WIFEXITED(status));
  CHECK(WEXITSTATUS(status) == 0);
}
