// Memory and events that processes share: the program starts itself as the other process. (fork alone would not do:
// HIP's state does not survive it.)
#include "e2e.h"

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

namespace {

constexpr int kThreads = 256;

__global__ void fill(int* out, int first) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = first + i;
}
__global__ void add(int* data, int value) { data[blockIdx.x * blockDim.x + threadIdx.x] += value; }

template<class T> std::string hexadecimal(const T& value) {
  std::string text;
  for (size_t i = 0; i < sizeof value; ++i) {
    char digits[3];
    std::snprintf(digits, sizeof digits, "%02x", reinterpret_cast<const unsigned char*>(&value)[i]);
    text += digits;
  }
  return text;
}
template<class T> T from_hexadecimal(const char* text) {
  T value{};
  for (size_t i = 0; i < sizeof value; ++i) {
    unsigned byte = 0;
    std::sscanf(text + 2 * i, "%2x", &byte);
    reinterpret_cast<unsigned char*>(&value)[i] = static_cast<unsigned char>(byte);
  }
  return value;
}

// This program's `child` with two arguments, as another process. Each side can tell the other that it is so far.
class Child {
public:
  Child(const char* child, const std::string& first, const std::string& second) {
    if (::pipe(to_) != 0 || ::pipe(from_) != 0) return;
    std::fflush(stdout);
    pid_ = ::fork();
    if (pid_ == 0) {
      ::dup2(to_[0], kRead);
      ::dup2(from_[1], kWrite);
      for (int end : {to_[0], to_[1], from_[0], from_[1]}) ::close(end);
      ::setenv("E2E_IPC_CHILD", child, 1);
      ::setenv("E2E_IPC_FIRST", first.c_str(), 1);
      ::setenv("E2E_IPC_SECOND", second.c_str(), 1);
      ::execl("/proc/self/exe", "ipc", "as_child", nullptr);
      ::_exit(99);
    }
    ::close(to_[0]);
    ::close(from_[1]);
  }
  ~Child() {
    ::close(to_[1]);
    ::close(from_[0]);
  }
  void tell() { (void)!::write(to_[1], "x", 1); }
  bool hear() { // false: the child has ended
    char letter;
    return ::read(from_[0], &letter, 1) == 1;
  }
  // Its exit status.
  int wait() {
    int status = 0;
    return ::waitpid(pid_, &status, 0) == pid_ && WIFEXITED(status) ? WEXITSTATUS(status) : 98;
  }
  static constexpr int kRead = 100, kWrite = 101; // the child's descriptors

private:
  pid_t pid_ = -1;
  int to_[2] = {-1, -1}, from_[2] = {-1, -1};
};

int run_child(const char* child, const std::string& first, const std::string& second) {
  return Child(child, first, second).wait();
}
void tell_parent() { (void)!::write(Child::kWrite, "x", 1); }
bool hear_parent() {
  char letter;
  return ::read(Child::kRead, &letter, 1) == 1;
}

// What the other process does; 0: all is well, else the line that is not.
#define WANT(condition)                                                                                                \
  if (!(condition)) return __LINE__ & 0x7f
int use_memory(const char* handle_text, const char* count_text) {
  const auto handle = from_hexadecimal<hipIpcMemHandle_t>(handle_text);
  const int count = std::atoi(count_text);
  int *data = nullptr, *again = nullptr;
  WANT(hipIpcOpenMemHandle(reinterpret_cast<void**>(&data), handle, hipIpcMemLazyEnablePeerAccess) == hipSuccess);
  WANT(hipIpcOpenMemHandle(reinterpret_cast<void**>(&again), handle, hipIpcMemLazyEnablePeerAccess) == hipSuccess);
  WANT(data == again);
  std::vector<int> host(count);
  WANT(hipMemcpy(host.data(), data, count * sizeof(int), hipMemcpyDeviceToHost) == hipSuccess);
  for (int i = 0; i < count; ++i) WANT(host[i] == 10 + i);
  add<<<count / kThreads, kThreads>>>(data, 1000);
  WANT(hipDeviceSynchronize() == hipSuccess);
  WANT(hipMemcpy(host.data(), data + count - 1, 2 * sizeof(int), hipMemcpyDeviceToHost) ==
       hipErrorInvalidValue); // its end
  WANT(hipFree(data) == hipErrorInvalidValue);
  WANT(hipIpcCloseMemHandle(data) == hipSuccess);
  add<<<count / kThreads, kThreads>>>(data, 1000); // still open once
  WANT(hipDeviceSynchronize() == hipSuccess);
  WANT(hipIpcCloseMemHandle(data) == hipSuccess);
  WANT(hipIpcCloseMemHandle(data) == hipErrorInvalidValue);
  return 0;
}

int open_what_is_gone(const char* handle_text, const char*) {
  const auto handle = from_hexadecimal<hipIpcMemHandle_t>(handle_text);
  void* data = nullptr;
  WANT(hipIpcOpenMemHandle(&data, handle, hipIpcMemLazyEnablePeerAccess) == hipErrorInvalidDevicePointer);
  hipIpcMemHandle_t garbage;
  std::memset(&garbage, 0x5a, sizeof garbage);
  WANT(hipIpcOpenMemHandle(&data, garbage, hipIpcMemLazyEnablePeerAccess) == hipErrorInvalidDevicePointer);
  WANT(hipIpcOpenMemHandle(&data, hipIpcMemHandle_t{}, hipIpcMemLazyEnablePeerAccess) == hipErrorInvalidValue);
  return 0;
}

// The parent's record is not reached when this begins, and it lets the stream go on when this has said so.
int use_event(const char* event_text, const char* memory_text) {
  int* data = nullptr;
  WANT(hipIpcOpenMemHandle(reinterpret_cast<void**>(&data), from_hexadecimal<hipIpcMemHandle_t>(memory_text),
                           hipIpcMemLazyEnablePeerAccess) == hipSuccess);
  hipEvent_t event = nullptr;
  WANT(hipIpcOpenEventHandle(&event, from_hexadecimal<hipIpcEventHandle_t>(event_text)) == hipSuccess);
  WANT(hipEventQuery(event) == hipErrorNotReady);
  hipStream_t stream;
  WANT(hipStreamCreateWithFlags(&stream, hipStreamNonBlocking) == hipSuccess);
  WANT(hipStreamWaitEvent(stream, event, 0) == hipSuccess);
  add<<<1, kThreads, 0, stream>>>(data, 1000);
  WANT(hipGetLastError() == hipSuccess);
  WANT(hipStreamQuery(stream) == hipErrorNotReady);
  tell_parent();
  WANT(hipEventSynchronize(event) == hipSuccess);
  WANT(hipEventQuery(event) == hipSuccess);
  WANT(hipEventRecord(event, stream) == hipSuccess); // behind the kernel; the parent waits for it
  tell_parent();
  WANT(hear_parent());
  WANT(hipStreamSynchronize(stream) == hipSuccess);
  float time = 0;
  WANT(hipEventElapsedTime(&time, event, event) == hipErrorInvalidHandle);
  WANT(hipEventDestroy(event) == hipSuccess);
  WANT(hipIpcCloseMemHandle(data) == hipSuccess);
  WANT(hipStreamDestroy(stream) == hipSuccess);
  return 0;
}

int open_event_that_is_gone(const char* event_text, const char*) {
  hipEvent_t event = nullptr;
  WANT(hipIpcOpenEventHandle(&event, from_hexadecimal<hipIpcEventHandle_t>(event_text)) != hipSuccess);
  return 0;
}

int use_pool(const char* descriptor_text, const char* data_text) {
  hipMemPool_t pool = nullptr;
  const int descriptor = std::atoi(descriptor_text);
  WANT(hipMemPoolImportFromShareableHandle(&pool, reinterpret_cast<void*>(intptr_t{descriptor}),
                                           hipMemHandleTypePosixFileDescriptor, 0) == hipSuccess);
  ::close(descriptor);
  auto exported = from_hexadecimal<hipMemPoolPtrExportData>(data_text);
  int *data = nullptr, *more = nullptr;
  WANT(hipMemPoolImportPointer(reinterpret_cast<void**>(&data), pool, &exported) == hipSuccess);
  hipPointerAttribute_t attributes{};
  WANT(hipPointerGetAttributes(&attributes, data + kThreads - 1) == hipSuccess);
  WANT(attributes.type == hipMemoryTypeDevice);
  add<<<1, kThreads>>>(data, 1000);
  WANT(hipDeviceSynchronize() == hipSuccess);
  int host[kThreads];
  WANT(hipMemcpy(host, data, sizeof host, hipMemcpyDeviceToHost) == hipSuccess);
  for (int i = 0; i < kThreads; ++i) WANT(host[i] == 1010 + i);
  WANT(hipMallocFromPoolAsync(reinterpret_cast<void**>(&more), 100, pool, nullptr) != hipSuccess);
  std::memset(&exported, 0x5a, sizeof exported);
  if (!e2e::on_nvidia()) // whose driver trusts its caller
    WANT(hipMemPoolImportPointer(reinterpret_cast<void**>(&more), pool, &exported) == hipErrorInvalidValue);
  WANT(hipFreeAsync(data, nullptr) == hipSuccess);
  WANT(hipStreamSynchronize(nullptr) == hipSuccess);
  WANT(hipMemPoolDestroy(pool) == hipSuccess);
  return 0;
}

E2E_CASE(as_child) {
  const char* const child = std::getenv("E2E_IPC_CHILD");
  if (!child) return;
  const char *first = std::getenv("E2E_IPC_FIRST"), *second = std::getenv("E2E_IPC_SECOND");
  const std::string name = child;
  std::_Exit(name == "use_memory"   ? use_memory(first, second)
             : name == "gone"       ? open_what_is_gone(first, second)
             : name == "event"      ? use_event(first, second)
             : name == "event_gone" ? open_event_that_is_gone(first, second)
             : name == "pool"       ? use_pool(first, second)
                                    : 97);
}

// Memory in the middle of others of its kind, which the child must leave alone.
static void share_with_child(hipError_t (*allocate)(int**, size_t)) {
  for (const int count : {kThreads, 1 << 14, 1 << 21}) { // a block of a slab, pages, huge pages
    int *before = nullptr, *data = nullptr, *behind = nullptr;
    CHECK_EQ(allocate(&before, count * sizeof(int)), hipSuccess);
    CHECK_EQ(allocate(&data, count * sizeof(int)), hipSuccess);
    CHECK_EQ(allocate(&behind, count * sizeof(int)), hipSuccess);
    fill<<<count / kThreads, kThreads>>>(before, 7);
    fill<<<count / kThreads, kThreads>>>(data, 10);
    fill<<<count / kThreads, kThreads>>>(behind, 8);
    hipIpcMemHandle_t handle, same;
    CHECK_EQ(hipIpcGetMemHandle(&handle, data), hipSuccess);
    CHECK_EQ(hipIpcGetMemHandle(&same, data), hipSuccess);
    CHECK_EQ(run_child("use_memory", hexadecimal(handle), std::to_string(count)), 0);
    std::vector<int> host(count);
    for (const auto& [memory, first] : {std::pair(before, 7), std::pair(data, 2010), std::pair(behind, 8)}) {
      CHECK_EQ(hipMemcpy(host.data(), memory, count * sizeof(int), hipMemcpyDeviceToHost), hipSuccess);
      for (int i = 0; i < count; ++i) CHECK_AT(i, host[i], first + i);
    }
    for (int* memory : {before, data, behind}) CHECK_EQ(hipFree(memory), hipSuccess);
    if (!e2e::on_nvidia() && count > kThreads) CHECK_EQ(run_child("gone", hexadecimal(handle), ""), 0);
  }
}

E2E_CASE(memory) {
  share_with_child([](int** at, size_t bytes) { return hipMalloc(at, bytes); });
}
E2E_CASE(fine_grained_memory) {
  if (e2e::on_nvidia()) return; // it is managed memory there
  share_with_child([](int** at, size_t bytes) {
    return hipExtMallocWithFlags(reinterpret_cast<void**>(at), bytes, hipDeviceMallocUncached);
  });
}

E2E_CASE(events) {
  int* data = nullptr;
  uint64_t* gate = nullptr;
  CHECK_EQ(hipMalloc(&data, kThreads * sizeof(int)), hipSuccess);
  CHECK_EQ(hipHostMalloc(reinterpret_cast<void**>(&gate), sizeof *gate, hipHostMallocDefault), hipSuccess);
  *gate = 0;
  hipStream_t stream;
  CHECK_EQ(hipStreamCreateWithFlags(&stream, hipStreamNonBlocking), hipSuccess);
  hipEvent_t event, plain;
  CHECK_EQ(hipEventCreateWithFlags(&event, hipEventInterprocess), hipErrorInvalidValue); // it would have timing
  CHECK_EQ(hipEventCreateWithFlags(&event, hipEventInterprocess | hipEventDisableTiming), hipSuccess);
  CHECK_EQ(hipEventCreate(&plain), hipSuccess);
  hipIpcEventHandle_t handle;
  hipIpcMemHandle_t memory;
  CHECK_EQ(hipIpcGetEventHandle(&handle, plain), hipErrorInvalidConfiguration);
  CHECK_EQ(hipIpcGetEventHandle(&handle, event), hipSuccess);
  CHECK_EQ(hipIpcGetMemHandle(&memory, data), hipSuccess);
  CHECK_EQ(hipEventQuery(event), hipSuccess); // never recorded

  CHECK_EQ(hipStreamWaitValue64(stream, gate, 1, hipStreamWaitValueGte, ~uint64_t{0}), hipSuccess);
  fill<<<1, kThreads, 0, stream>>>(data, 10);
  CHECK_EQ(hipEventRecord(event, stream), hipSuccess);
  CHECK_EQ(hipEventQuery(event), hipErrorNotReady);
  Child child("event", hexadecimal(handle), hexadecimal(memory));
  CHECK(child.hear()); // its kernel waits for the record
  __atomic_store_n(gate, 1, __ATOMIC_RELEASE);
  CHECK(child.hear()); // it has recorded the event behind its kernel
  CHECK_EQ(hipStreamWaitEvent(stream, event, 0), hipSuccess);
  add<<<1, kThreads, 0, stream>>>(data, 100000);
  CHECK_EQ(hipStreamSynchronize(stream), hipSuccess);
  CHECK_EQ(hipEventSynchronize(event), hipSuccess);
  std::vector<int> host(kThreads);
  CHECK_EQ(hipMemcpy(host.data(), data, kThreads * sizeof(int), hipMemcpyDeviceToHost), hipSuccess);
  for (int i = 0; i < kThreads; ++i) CHECK_AT(i, host[i], 101010 + i);
  child.tell();
  CHECK_EQ(child.wait(), 0);

  CHECK_EQ(hipEventRecord(event, stream), hipSuccess); // its words outlive the process that used them too
  CHECK_EQ(hipEventDestroy(event), hipSuccess);
  CHECK_EQ(hipStreamSynchronize(stream), hipSuccess);
  CHECK_EQ(run_child("event_gone", hexadecimal(handle), ""), 0);
  CHECK_EQ(hipEventDestroy(plain), hipSuccess);
  CHECK_EQ(hipStreamDestroy(stream), hipSuccess);
  CHECK_EQ(hipHostFree(gate), hipSuccess);
  CHECK_EQ(hipFree(data), hipSuccess);
}

E2E_CASE(pools) {
  hipMemPoolProps props{};
  props.allocType = hipMemAllocationTypePinned;
  props.handleTypes = hipMemHandleTypePosixFileDescriptor;
  props.location.type = hipMemLocationTypeDevice;
  hipMemPool_t pool = nullptr;
  CHECK_EQ(hipMemPoolCreate(&pool, &props), hipSuccess);
  int *before = nullptr, *data = nullptr;
  CHECK_EQ(hipMallocFromPoolAsync(reinterpret_cast<void**>(&before), kThreads * sizeof(int), pool, nullptr),
           hipSuccess);
  CHECK_EQ(hipMallocFromPoolAsync(reinterpret_cast<void**>(&data), kThreads * sizeof(int), pool, nullptr), hipSuccess);
  fill<<<1, kThreads>>>(before, 7);
  fill<<<1, kThreads>>>(data, 10);
  CHECK_EQ(hipDeviceSynchronize(), hipSuccess);
  int descriptor = -1;
  CHECK_EQ(hipMemPoolExportToShareableHandle(&descriptor, pool, hipMemHandleTypePosixFileDescriptor, 0), hipSuccess);
  CHECK_EQ(::fcntl(descriptor, F_SETFD, 0), 0); // for the child
  hipMemPoolPtrExportData exported;
  CHECK_EQ(hipMemPoolExportPointer(&exported, data), hipSuccess);
  CHECK_EQ(run_child("pool", std::to_string(descriptor), hexadecimal(exported)), 0);
  ::close(descriptor);
  std::vector<int> host(kThreads);
  for (const auto& [memory, first] : {std::pair(before, 7), std::pair(data, 1010)}) {
    CHECK_EQ(hipMemcpy(host.data(), memory, kThreads * sizeof(int), hipMemcpyDeviceToHost), hipSuccess);
    for (int i = 0; i < kThreads; ++i) CHECK_AT(i, host[i], first + i);
    CHECK_EQ(hipFreeAsync(memory, nullptr), hipSuccess);
  }
  CHECK_EQ(hipDeviceSynchronize(), hipSuccess);
  CHECK_EQ(hipMemPoolDestroy(pool), hipSuccess);
}

} // namespace
