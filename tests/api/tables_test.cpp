// A profiler that the program brings: librocprofiler-register finds it by the names of its two functions, and it gets
// HIP's tables with the program's first call. What it puts into them is called from then on.
#include "testing.h"

#include <hip/amd_detail/hip_profiler_ext.h>

#include <algorithm>
#include <array>
#include <dlfcn.h>
#include <string>
#include <utility>
#include <vector>

namespace {

constexpr const char* kRuntimeNames[] = {
#define HIP_DISPATCH(name) #name,
#define HIP_COMPILER_DISPATCH(name)
#include "api/dispatch.def"
#undef HIP_DISPATCH
#undef HIP_COMPILER_DISPATCH
};
constexpr const char* kCompilerNames[] = {
#define HIP_DISPATCH(name)
#define HIP_COMPILER_DISPATCH(name) #name,
#include "api/dispatch.def"
#undef HIP_DISPATCH
#undef HIP_COMPILER_DISPATCH
};

// A table: its size in bytes, then pointers.
struct Table {
  void** words = nullptr;
  size_t size_bytes() const { return reinterpret_cast<size_t>(words[0]); }
};
Table runtime, compiler;
std::vector<std::string> offers;
int version_inside = 0;
hipError_t result_inside = hipErrorUnknown;

// Puts a function into a slot, until the end of its scope.
class Replaced {
public:
  Replaced(Table table, size_t slot, void* function)
      : place_(&table.words[slot + 1]), there_(std::exchange(*place_, function)) {}
  ~Replaced() { *place_ = there_; }
  Replaced(const Replaced&) = delete;
  void* there() const { return there_; }

private:
  void** place_;
  void* there_;
};

size_t slot_of(const std::string& name) {
  return static_cast<size_t>(std::find(std::begin(kRuntimeNames), std::end(kRuntimeNames), name) - kRuntimeNames);
}

void make_first_call() {
  int count = 0;
  OK(hipGetDeviceCount(&count));
  REQUIRE(runtime.words);
  REQUIRE(compiler.words);
}

hipError_t (*malloc_there)(void**, size_t) = nullptr;
std::vector<size_t> mallocs;
hipError_t watched_malloc(void** memory, size_t bytes) {
  mallocs.push_back(bytes);
  return bytes == 77 ? hipErrorOutOfMemory : malloc_there(memory, bytes);
}

// One function for each slot, which says which it is.
size_t called = 0;
template<size_t I> uint64_t stub() {
  called = I;
  return 0;
}
template<size_t... I> std::array<void*, sizeof...(I)> stubs(std::index_sequence<I...>) {
  return {reinterpret_cast<void*>(&stub<I>)...};
}

// With zeros for whatever arguments the function has, in registers and on the stack.
void call_with_zeros(void* function) {
  using Any = uint64_t(uint64_t, uint64_t, uint64_t, uint64_t, uint64_t, uint64_t, uint64_t, uint64_t, uint64_t,
                       uint64_t, uint64_t, uint64_t, uint64_t, uint64_t, uint64_t, uint64_t, uint64_t, uint64_t);
  reinterpret_cast<Any*>(function)(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0);
}

template<size_t N> void check_slots(Table table, const char* const (&names)[N]) {
  static const auto all = stubs(std::make_index_sequence<N>());
  for (size_t slot = 0; slot < N; ++slot) {
    INFO(names[slot]);
    void* const function = dlsym(RTLD_DEFAULT, names[slot]);
    REQUIRE(function);
    const Replaced replaced(table, slot, all[slot]);
    called = N;
    call_with_zeros(function);
    CHECK(called == slot);
  }
}

} // namespace

extern "C" __attribute__((visibility("default"))) void* rocprofiler_configure(uint32_t, const char*, uint32_t, void*) {
  return nullptr;
}

extern "C" __attribute__((visibility("default"))) int
rocprofiler_set_api_table(const char* name, uint64_t version, uint64_t instance, void** tables, uint64_t count) {
  offers.push_back(std::string(name) + " " + std::to_string(version) + " " + std::to_string(instance) + " " +
                   std::to_string(count));
  (std::string(name) == "hip" ? runtime : compiler).words = static_cast<void**>(tables[0]);
  result_inside = hipRuntimeGetVersion(&version_inside); // a profiler may call HIP
  return 0;
}

TEST_CASE("A profiler gets HIP's tables with the first call") {
  make_first_call();
  CHECK(offers == std::vector<std::string>{"hip 70200 0 1", "hip_compiler 70200 0 1"});
  CHECK((result_inside == hipSuccess && version_inside > 0));
  REQUIRE(runtime.size_bytes() == 8 * (1 + std::size(kRuntimeNames)));
  REQUIRE(compiler.size_bytes() == 8 * (1 + std::size(kCompilerNames)));
  // As profilers know them that were compiled with HIP 7.2's header.
  CHECK(slot_of("hipApiName") == 0);
  CHECK(slot_of("hipExtGetLastError") == 439);
  CHECK(slot_of("hipTexRefGetArray") == 441);
  CHECK(slot_of("hipGetProcAddress") == 442);
  CHECK(slot_of("hipStreamBeginCaptureToGraph") == 443);
  CHECK(slot_of("hipOccupancyAvailableDynamicSMemPerBlock") == 505);
  std::vector<void*> functions(runtime.words + 1, runtime.words + 1 + std::size(kRuntimeNames));
  functions.insert(functions.end(), compiler.words + 1, compiler.words + 1 + std::size(kCompilerNames));
  std::sort(functions.begin(), functions.end());
  CHECK(functions.front() != nullptr);
  CHECK(std::unique(functions.begin(), functions.end()) == functions.end());
}

TEST_CASE("What a profiler puts into a slot is called, and calls what was there") {
  make_first_call();
  void* memory = nullptr;
  {
    const Replaced replaced(runtime, slot_of("hipMalloc"), reinterpret_cast<void*>(&watched_malloc));
    malloc_there = reinterpret_cast<decltype(malloc_there)>(replaced.there());
    OK(hipMalloc(&memory, 1000));
    OK(hipFree(memory));
    CHECK(hipMalloc(&memory, 77) == hipErrorOutOfMemory); // the profiler's own answer
    CHECK(hipMalloc(nullptr, 1) == hipErrorInvalidValue); // HIP's
    CHECK(hipGetLastError() == hipErrorInvalidValue);
    CHECK(mallocs == std::vector<size_t>{1000, 77, 1});
  }
  OK(hipMalloc(&memory, 1000));
  OK(hipFree(memory));
  CHECK(mallocs.size() == 3);
}

TEST_CASE("Calls that come through a table are recorded like others") {
  make_first_call();
  OK(hipProfilerEnableExt(nullptr, 0));
  void* memory = nullptr;
  OK(hipMalloc(&memory, 1000));
  OK(hipFree(memory));
  OK(hipProfilerDisableExt(nullptr));
  const hipApiRecordExt* const* chunks = nullptr;
  size_t chunk_count = 0, chunk_size = 0, total = 0;
  OK(hipProfilerGetRecordsExt(&chunks, &chunk_count, &chunk_size, &total));
  CHECK(total >= 2);
  OK(hipProfilerResetExt());
}

TEST_CASE("Every function of the tables goes through its slot") {
  make_first_call();
  check_slots(runtime, kRuntimeNames);
  check_slots(compiler, kCompilerNames);
}
