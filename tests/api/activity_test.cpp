// What ROCm's tracing tools see. The structures are written down here once more, as the tools have them.
#include "testing.h"

#include <dlfcn.h>
#include <set>

extern "C" {
void hipRegisterTracerCallback(int (*function)(int domain, uint32_t operation, void* data));
const char* hipGetCmdName(unsigned int op);
void __hipGetPCH(const char** pch, unsigned int* size);
}

namespace {

struct Data {
  uint64_t correlation_id;
  uint32_t phase;
  union {
    struct {
      void** ptr;
      void* ptr_value;
      size_t size;
    } malloc;
    struct {
      void* dst;
      const void* src;
      size_t bytes;
      hipMemcpyKind kind;
    } memcpy;
    struct {
      textureReference* reference;
      textureReference reference_value;
      hipMipmappedArray* array;
      hipMipmappedArray array_value;
      unsigned flags;
    } set_mipmapped;
    struct {
      hipArray_t* level;
      hipArray_t level_value;
      hipMipmappedArray_const_t array;
      unsigned number;
    } get_level;
    struct {
      int device;
    } set_device;
    char all[1496];
  } args;
  uint64_t* tool;
  uint64_t enter_ns, phase_data;
  void (*enter)(uint32_t operation, Data* data);
  void (*leave)(uint32_t operation, Data* data);
};
static_assert(sizeof(Data) == 1552);

struct Seen {
  std::string what; // "ask", "enter", "leave"
  uint32_t operation;
  uint64_t correlation;
  Data data{};
};
std::vector<Seen> seen;
uint64_t next_correlation = 100;
std::set<uint32_t> unwanted;

void enter(uint32_t operation, Data* data) {
  CHECK(data->phase == 0);
  CHECK(data->phase_data == 5);
  data->phase_data = 6;
  seen.push_back({"enter", operation, data->correlation_id, *data});
}
void leave(uint32_t operation, Data* data) {
  CHECK(data->phase == 1);
  CHECK(data->phase_data == 6);
  seen.push_back({"leave", operation, data->correlation_id, *data});
}
int ask(int domain, uint32_t operation, void* data) {
  CHECK(domain == 3); // HIP API
  if (unwanted.contains(operation)) return -1;
  auto* const to = static_cast<Data*>(data);
  to->correlation_id = next_correlation++;
  to->phase_data = 5;
  to->enter = enter;
  to->leave = leave;
  seen.push_back({"ask", operation, to->correlation_id});
  return 0;
}

struct Tracing {
  Tracing() {
    OK(hipInit(0));
    seen.clear();
    unwanted.clear();
    hipRegisterTracerCallback(ask);
  }
  ~Tracing() { hipRegisterTracerCallback(nullptr); }
};

// The three events of one call with this number, and no others.
const Data& only_call(uint32_t operation) {
  REQUIRE(seen.size() == 3);
  CHECK(seen[0].what == "ask");
  CHECK(seen[1].what == "enter");
  CHECK(seen[2].what == "leave");
  for (const Seen& each : seen) {
    CHECK(each.operation == operation);
    CHECK(each.correlation == seen[0].correlation);
  }
  return seen[1].data;
}

} // namespace

TEST_CASE("A tracer sees calls with their arguments") {
  Tracing tracing;
  void* memory = nullptr;
  OK(hipMalloc(&memory, 1234));
  {
    const Data& data = only_call(108);
    CHECK(data.args.malloc.ptr == &memory);
    CHECK(data.args.malloc.size == 1234);
    CHECK(std::string(hipApiName(108)) == "hipMalloc");
  }
  seen.clear();
  char host[16] = {};
  OK(hipMemcpy(memory, host, sizeof host, hipMemcpyHostToDevice));
  for (int form = 0; form < 2; ++form) { // the form for the thread's default stream has the same number
    const Data& data = only_call(125);
    CHECK(data.args.memcpy.dst == memory);
    CHECK(data.args.memcpy.src == host);
    CHECK(data.args.memcpy.bytes == sizeof host);
    CHECK(data.args.memcpy.kind == hipMemcpyHostToDevice);
    seen.clear();
    if (form == 0) OK(hipMemcpy_spt(memory, host, sizeof host, hipMemcpyHostToDevice));
  }
  CHECK(hipSetDevice(1000000) == hipErrorInvalidDevice); // calls that fail, too
  CHECK(only_call(186).args.set_device.device == 1000000);
  seen.clear();
  CHECK(hipGetLastError() == hipErrorInvalidDevice); // and those that are no calls of the device
  only_call(84);
  seen.clear();
  // Where the structure of a handle is known to the compiler, its parameter still is a handle.
  hipArray_t level = nullptr;
  CHECK(hipGetMipmappedArrayLevel(&level, nullptr, 9) != hipSuccess);
  CHECK(only_call(85).args.get_level.number == 9);
  (void)hipGetLastError();
  seen.clear();
  textureReference reference{};
  (void)hipTexRefSetMipmappedArray(&reference, nullptr, 13);
  CHECK(only_call(234).args.set_mipmapped.flags == 13);
  (void)hipGetLastError();
  seen.clear();
  CHECK(hipGetErrorName(hipSuccess) != nullptr); // has no number
  CHECK(seen.empty());
  OK(hipFree(memory));
}

TEST_CASE("A tracer wants some calls, or none") {
  Tracing tracing;
  unwanted = {198};
  CHECK(hipStreamQuery(nullptr) == hipSuccess);
  CHECK(seen.empty());
  int device = 0;
  OK(hipGetDevice(&device));
  CHECK(seen.size() == 3);
  hipRegisterTracerCallback(nullptr);
  OK(hipGetDevice(&device));
  CHECK(seen.size() == 3);
  hipRegisterTracerCallback(ask);
  OK(hipGetDevice(&device));
  CHECK(seen.size() == 6);
  // One that is asked and wants nothing.
  hipRegisterTracerCallback([](int, uint32_t, void*) { return 0; });
  OK(hipGetDevice(&device));
  CHECK(seen.size() == 6);
}

TEST_CASE("Names that tracing tools ask for") {
  CHECK(std::string(hipApiName(69)) == "hipFree");
  const char* const last[] = {"hipKernelGetLibrary", "hipLibraryEnumerateKernels", "hipKernelGetName",
                              "hipOccupancyAvailableDynamicSMemPerBlock"};
  for (uint32_t i = 0; i < 4; ++i) CHECK(std::string(hipApiName(446 + i)) == last[i]); // the list of 7.2 ends here
  CHECK(std::string(hipApiName(450)) == "unknown");
  CHECK(std::string(hipApiName(0)) == "unknown");
  CHECK(std::string(hipApiName(393)) == "unknown"); // was never given
  CHECK(std::string(hipGetCmdName(0x11f0)) == "KernelExecution");
  CHECK(std::string(hipGetCmdName(0x11f4)) == "CopyHostToDevice");
  CHECK(std::string(hipGetCmdName(0x1207)) == "FillBuffer");
  CHECK(std::string(hipGetCmdName(1)) == "Unknown command kind");
  const char* text = "";
  unsigned bytes = 1;
  __hipGetPCH(&text, &bytes); // there is none in this library
  CHECK(text == nullptr);
  CHECK(bytes == 0);
  __hipGetPCH(nullptr, nullptr);
  for (const char* name : {"hipRegisterTracerCallback", "hipGetCmdName", "__hipGetPCH"}) // as tools find them
    CHECK(dlsym(RTLD_DEFAULT, name) != nullptr);
}
