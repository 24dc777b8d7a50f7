#include "hsa_child.h"

#include "runtime/backend/aql/agent.h"
#include "runtime/backend/external.h"
#include "runtime/backend/virtual_memory.h"

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <dlfcn.h>
#include <execinfo.h>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <poll.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <utility>

namespace hip::test {

namespace {

constexpr int kFrames = 48, kStackMs = 250, kStackStepMs = 50;
constexpr std::chrono::milliseconds kLook(100), kLongestLook(500);

// Every thread takes this signal (blocked_signals.h), and says where it is.
void say_stack(int) {
  void* frames[kFrames];
  ::backtrace_symbols_fd(frames, ::backtrace(frames, kFrames), 2);
}

// What has come through the pipe within the time. False: nothing will any more.
bool read_some(int pipe, int timeout_ms, std::string& text) {
  pollfd poll{pipe, POLLIN, 0};
  const int ready = ::poll(&poll, 1, timeout_ms);
  if (ready <= 0) return ready == 0 || errno == EINTR;
  char buffer[4096];
  const ssize_t got = ::read(pipe, buffer, sizeof buffer);
  if (got > 0) text.append(buffer, static_cast<size_t>(got));
  return got > 0;
}

void ask_for_stacks(pid_t child, int pipe, std::string& text) {
  std::error_code error;
  for (const auto& task : std::filesystem::directory_iterator("/proc/" + std::to_string(child) + "/task", error)) {
    const std::string thread = task.path().filename();
    text += "\nThread " + thread + " is at\n";
    ::syscall(SYS_tgkill, child, std::atoi(thread.c_str()), SIGTRAP);
    size_t before = text.size();
    for (int silent_ms = 0; silent_ms < kStackMs && read_some(pipe, kStackStepMs, text); silent_ms += kStackStepMs)
      if (text.size() != std::exchange(before, text.size())) silent_ms = 0;
  }
}

} // namespace

Outcome in_child(const std::function<void()>& body, std::chrono::milliseconds patience) {
  int ends[2];
  if (::pipe(ends) != 0) std::abort();
  const pid_t child = ::fork();
  if (child < 0) std::abort();
  if (child == 0) {
    ::dup2(ends[1], 2);
    ::close(ends[0]);
    ::close(ends[1]);
    void* frame = nullptr;
    ::backtrace(&frame, 1); // loads what the handler must not load
    std::signal(SIGTRAP, say_stack);
    body();
    std::fflush(nullptr);
    ::_exit(0);
  }
  ::close(ends[1]);
  Outcome outcome;
  // Time in which this process, and so perhaps the child or the machine, stood still is not the child's.
  for (auto before = std::chrono::steady_clock::now(); read_some(ends[0], kLook.count(), outcome.text);) {
    const auto now = std::chrono::steady_clock::now();
    patience -= std::min(std::chrono::duration_cast<std::chrono::milliseconds>(now - before), kLongestLook);
    before = now;
    if (patience.count() > 0) continue;
    outcome.text += "\nThe child hangs.\n";
    ask_for_stacks(child, ends[0], outcome.text);
    ::kill(child, SIGKILL);
    break;
  }
  ::close(ends[0]);
  int status = 0;
  ::waitpid(child, &status, 0);
  outcome.ended = WIFEXITED(status) && WEXITSTATUS(status) == 0;
  if (WIFSIGNALED(status))
    outcome.text += "\nThe child was ended by signal " + std::to_string(WTERMSIG(status)) + ".\n";
  return outcome;
}

void say(const std::string& line) { static_cast<void>(!::write(2, line.data(), line.size())); }

bool good(const Status& status) {
  if (!status.ok()) say("error: " + status.message() + " (" + error_name(status.code()) + ")\n");
  return status.ok();
}

std::vector<std::byte> read_code(const char* file) {
  std::ifstream in(file, std::ios::binary);
  const std::string text{std::istreambuf_iterator<char>(in), {}};
  std::vector<std::byte> bytes(text.size());
  std::memcpy(bytes.data(), text.data(), text.size());
  return bytes;
}

Status launch_add(backend::Queue& queue, backend::Kernel* kernel, uint32_t* data, uint32_t count) {
  void* arguments[] = {&data, &count, nullptr};
  backend::Launch launch;
  launch.kernel = kernel;
  launch.grid_items = launch.group_items = {64, 1, 1};
  launch.groups = {1, 1, 1};
  launch.argument_pointers = arguments;
  return queue.launch(launch);
}

namespace {

// Memory of another interface.
void use_external(backend::Device& device) {
  const int file = ::memfd_create("test", MFD_CLOEXEC);
  if (file < 0 || ::ftruncate(file, 4096) != 0) std::abort();
  {
    auto memory = device.external_objects()->import_memory({.descriptor = file, .bytes = 4096});
    if (!good(memory)) { // the descriptor is still the caller's
      ::close(file);
      return;
    }
    auto address = (*memory)->map(64, 1024);
    if (good(address)) good(device.free(*address, backend::MemoryKind::External));
  }
  if (::fcntl(file, F_GETFD) >= 0) say("error: The descriptor is open.\n");
}

// Addresses and memory apart from each other.
void use_virtual_memory(backend::Device& device) {
  backend::VirtualMemory* const memory = device.virtual_memory();
  if (!memory) return; // the runtime said, or could not say, that it has none
  auto bytes = memory->granularity_bytes(backend::Granularity::Minimum);
  if (!good(bytes)) return;
  auto base = memory->reserve(*bytes, 0, nullptr);
  if (!good(base)) return;
  if (auto made = memory->create(*bytes, {.exportable = true}); good(made)) {
    if (auto descriptor = (*made)->export_descriptor(); good(descriptor)) {
      good(memory->import(*descriptor));
      ::close(*descriptor);
    }
    if (good(memory->map(*base, *bytes, 0, *made))) {
      good(memory->set_access(*base, *bytes, device, backend::PoolAccess::ReadWrite));
      good(memory->unmap(*base, *bytes));
    }
  }
  good(memory->release(*base, *bytes));
}

void share_memory(backend::Device& device) {
  backend::VirtualMemory* const memory = device.virtual_memory();
  if (!memory) return;
  constexpr size_t kBytes = 1 << 16;
  auto allocation = device.allocate(kBytes, backend::MemoryKind::Device);
  if (!good(allocation)) return;
  if (auto part = memory->export_part(*allocation, kBytes); good(part)) ::close(part->descriptor);
  if (auto handle = memory->share(*allocation); good(handle)) {
    size_t bytes = 0;
    auto opened = memory->open(*handle, bytes);
    if (good(opened)) {
      if (bytes != kBytes) say("error: The shared memory has another size.\n");
      good(memory->close(*opened));
    }
  }
  good(device.free(*allocation));
}

} // namespace

bool use(backend::Device& device) {
  constexpr uint32_t kCount = 64;
  good(device.memory_info());
  std::vector<uint32_t> host(kCount, 41), large(1 << 19, 5), little(64);
  auto memory = device.allocate(large.size() * 4, backend::MemoryKind::Device);
  auto pinned = device.allocate(4096, backend::MemoryKind::HostPinned);
  auto fine = device.allocate(4096, backend::MemoryKind::FineGrained);
  auto managed = device.allocate(4096, backend::MemoryKind::Managed);
  good(memory), good(pinned), good(fine), good(managed);
  const bool registered = good(device.register_host(host.data(), kCount * 4));
  bool right = false;
  {
    auto executable = device.load(read_code(OMNIHIP_TEST_DATA "/hip.co"));
    const std::vector<uint32_t> mask{0xff};
    std::atomic<bool> recorded{false}; // used until the queue is destroyed, when the device is lost
    auto queue = device.create_queue({.priority = -1, .compute_unit_mask = mask});
    if (good(executable) && good(queue) && memory.ok()) {
      auto* const data = static_cast<uint32_t*>(*memory);
      auto kernel = (*executable)->find_kernel("add_one");
      bool ok = good((*queue)->copy(data, host.data(), kCount * 4));
      // The kernel waits until its end is recorded.
      ok &= good((*queue)->host_function(
          [](void* flag, const Status&) {
            while (!static_cast<std::atomic<bool>*>(flag)->load()) std::this_thread::yield();
          },
          &recorded));
      if (good(kernel)) ok &= good(launch_add(**queue, *kernel, data, kCount));
      auto point = (*queue)->record();
      recorded.store(true);
      ok &= good((*queue)->copy(host.data(), data, kCount * 4));
      ok &= good((*queue)->synchronize());
      if (good(point)) {
        ok &= good((*point)->wait());
        static_cast<void>((*point)->timestamp_ns());
      }
      if (managed.ok()) {
        auto* const both = static_cast<uint32_t*>(*managed);
        std::fill_n(both, kCount, 6);
        good(device.advise(both, 4096, backend::Advice::Prefer, &device));
        good(device.advise(both, 4096, backend::Advice::AccessedBy, nullptr));
        good((*queue)->prefetch(both, 4096, &device));
        if (good(kernel)) ok &= good(launch_add(**queue, *kernel, both, kCount));
        good((*queue)->prefetch(both, 4096, nullptr));
        ok &= good((*queue)->synchronize()) && both[0] == 7 && both[kCount - 1] == 7;
      }
      right = ok && host[0] == 42 && host[kCount - 1] == 42;
      good((*queue)->copy(data, large.data(), large.size() * 4)); // is locked for the copy
      good((*queue)->fill_3d({data + 64, 256, 256 * 4}, 0x0505050505050505, 4, {64, 4, 1}));
      good((*queue)->copy_3d({little.data(), 32, 32 * 8}, {data, 256, 256 * 8}, {32, 8, 1})); // goes through a buffer
      good((*queue)->synchronize());
    }
  }
  use_external(device);
  use_virtual_memory(device);
  if (registered) good(device.unregister_host(host.data()));
  if (memory.ok()) good(device.free(*memory));
  if (pinned.ok()) good(device.free(*pinned, backend::MemoryKind::HostPinned));
  if (fine.ok()) good(device.free(*fine, backend::MemoryKind::FineGrained));
  if (managed.ok()) good(device.free(*managed, backend::MemoryKind::Managed));
  return right;
}

namespace {

// Code with a variable that the host defines, which no code of HIP has.
void load_with_variable() {
  auto agents = aql::create_hsa_agents();
  if (!good(agents) || agents->empty()) return;
  const std::vector<std::byte> file = read_code(OMNIHIP_TEST_HSA_KERNELS);
  auto code = codeobject::CodeObject::parse(file);
  if (!good(code)) return;
  static uint32_t elsewhere = 1;
  good((*agents)[0]->load_code(
      *code, [](std::string_view) -> Result<uint64_t> { return reinterpret_cast<uint64_t>(&elsewhere); }));
}

} // namespace

StandIn& stand_in() {
  void* const library = ::dlopen(OMNIHIP_TEST_STANDIN, RTLD_NOW | RTLD_LOCAL);
  if (!library) std::abort();
  return *reinterpret_cast<StandIn* (*)()>(::dlsym(library, "standin_state"))();
}

std::unique_ptr<backend::Backend> over_stand_in() {
  ::setenv("OMNIHIP_HSA_RUNTIME", OMNIHIP_TEST_STANDIN, 1);
  return taken(backend::create_hsa_backend());
}

namespace {

void say_calls(const StandIn& state, const std::string& prefix) {
  for (int call = 0; call < kStandInCalls; ++call)
    say("\n" + prefix + kStandInNames[call] + "=" + std::to_string(state.calls[call].load()));
}

} // namespace

void scenario(const std::function<void(StandIn&)>& steer) {
  ::setenv("OMNIHIP_HSA_RUNTIME", OMNIHIP_TEST_STANDIN, 1);
  ::setenv("OMNIHIP_LOG", "info", 1);
  StandIn& state = stand_in();
  steer(state);
  {
    auto hsa = backend::create_hsa_backend();
    if (good(hsa)) {
      say("absence: " + std::string((*hsa)->absence()) + "\n");
      say("\ndevices=" + std::to_string((*hsa)->devices().size()));
      for (backend::Device* const device : (*hsa)->devices()) {
        say("\nright=" + std::to_string(use(*device)) + "\n");
        share_memory(*device);
      }
      load_with_variable();
      say_calls(state, "first_");
      for (backend::Device* const device : (*hsa)->devices()) say("\nagain=" + std::to_string(use(*device)) + "\n");
      say_calls(state, "used_");
    }
  }
  for (int kind = 0; kind < kStandInKinds; ++kind)
    say("\nalive" + std::to_string(kind) + "=" + std::to_string(state.alive[kind].load()));
  say_calls(state, "");
  say("\nfailed=" + std::to_string(state.failed.load()) + "\n");
  auto software = backend::create_aql_backend();
  if (good(software)) say("\nsoftware=" + std::to_string(use(*(*software)->devices()[0])) + "\n");
}

} // namespace hip::test
