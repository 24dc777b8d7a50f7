// Memory and events that processes share: the program starts itself as the other process. (fork alone would not do: HIP's
// state does not survive it.)
#include "e2e.h"

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

// Runs this program's `child` with two arguments; its exit status.
int run_child(const char* child, const std::string& first, const std::string& second) {
  std::fflush(stdout);
  const pid_t pid = ::fork();
  if (pid == 0) {
    ::setenv("E2E_IPC_CHILD", child, 1);
    ::setenv("E2E_IPC_FIRST", first.c_str(), 1);
    ::setenv("E2E_IPC_SECOND", second.c_str(), 1);
    ::execl("/proc/self/exe", "ipc", "as_child", nullptr);
    ::_exit(99);
  }
  int status = 0;
  return ::waitpid(pid, &status, 0) == pid && WIFEXITED(status) ? WEXITSTATUS(status) : 98;
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
  WANT(hipMemcpy(host.data(), data + count - 1, 2 * sizeof(int), hipMemcpyDeviceToHost) == hipErrorInvalidValue); // its end
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
  WANT(hipIpcOpenMemHandle(&data, handle, hipIpcMemLazyEnablePeerAccess) == hipErrorInvalidValue);
  hipIpcMemHandle_t garbage{};
  WANT(hipIpcOpenMemHandle(&data, garbage, hipIpcMemLazyEnablePeerAccess) == hipErrorInvalidValue);
  return 0;
}

E2E_CASE(as_child) {
  const char* const child = std::getenv("E2E_IPC_CHILD");
  if (!child) return;
  const char *first = std::getenv("E2E_IPC_FIRST"), *second = std::getenv("E2E_IPC_SECOND");
  const std::string name = child;
  std::_Exit(name == "use_memory" ? use_memory(first, second)
             : name == "gone"     ? open_what_is_gone(first, second)
                                  : 97);
}

E2E_CASE(memory) {
  for (const int count : {kThreads, 1 << 14, 1 << 21}) { // a block of a slab, pages, huge pages
    int *before = nullptr, *data = nullptr, *behind = nullptr;
    CHECK_EQ(hipMalloc(&before, count * sizeof(int)), hipSuccess);
    CHECK_EQ(hipMalloc(&data, count * sizeof(int)), hipSuccess);
    CHECK_EQ(hipMalloc(&behind, count * sizeof(int)), hipSuccess);
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

} // namespace
