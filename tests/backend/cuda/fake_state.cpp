#include "fake_state.h"

#include <chrono>
#include <cstdlib>
#include <cstring>
#include <sys/mman.h>
#include <thread>

namespace hip::test {

namespace {
constexpr CUresult kErrorNotPermitted = 800;
constexpr int kMostDevices = 8;
} // namespace

int environment_number(const char* name, int otherwise) {
  const char* text = std::getenv(name);
  return text && *text ? std::atoi(text) : otherwise;
}

bool& in_host_function() noexcept {
  static thread_local bool inside = false;
  return inside;
}

CUcontext& current_context() noexcept {
  static thread_local CUcontext context = nullptr;
  return context;
}

Fake& Fake::get() {
  static Fake* const made = new Fake; // never destroyed: its thread is not joined
  return *made;
}

Fake::Fake() {
  for (int i = 0; i < kMostDevices; ++i) {
    contexts.push_back(std::make_unique<CUctx_st>());
    contexts.back()->device = i;
  }
  std::thread([this] { work(); }).detach();
}

void Fake::work() {
  std::unique_lock lock(mutex);
  while (true) {
    changed.wait(lock, [&] { return !operations_.empty() && !held; });
    Operation operation = std::move(operations_.front());
    operations_.pop_front();
    const bool lost = operation.context->lost != kSuccess;
    lock.unlock();
    if (!lost) {
      in_host_function() = operation.is_host_function;
      operation.run();
      in_host_function() = false;
    }
    operation.run = nullptr;
    lock.lock();
    completed = operation.number;
    changed.notify_all();
  }
}

CUresult Fake::enter(const char* name) {
  if (in_host_function()) return kErrorNotPermitted; // CUDA forbids it
  std::lock_guard lock(mutex);
  calls.push_back(name);
  for (auto it = injections.begin(); it != injections.end(); ++it) {
    if (it->name != name && it->name != "*") continue;
    if (--it->countdown > 0) continue;
    const CUresult result = it->result;
    injections.erase(it);
    return result;
  }
  return kSuccess;
}

CUresult Fake::current(CUctx_st*& context) {
  context = current_context();
  if (!context || context->users == 0) return kErrorInvalidContext;
  return context->lost;
}

CUresult Fake::submit(CUstream stream, std::function<void()> run, bool is_host_function, uint64_t* number) {
  CUctx_st* context = nullptr;
  if (const CUresult lost = current(context); lost != kSuccess) return lost;
  const bool is_null = stream == nullptr || stream == kStreamLegacy;
  if (!is_null && !streams.contains(stream)) return 400; // CUDA_ERROR_INVALID_HANDLE
  if (!is_null) context = stream->context;
  if (context->lost != kSuccess) return context->lost;
  if (!is_null && stream->capture) {
    if (is_host_function) return 900; // CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED: not done here
    auto node = std::make_unique<CUgraphNode_st>(CUgraphNode_st{std::move(run), stream->capture_dependencies});
    stream->capture_dependencies = {node.get()};
    stream->capture->nodes.push_back(std::move(node));
    return kSuccess;
  }
  operations_.push_back({++submitted_, context, is_host_function, std::move(run)});
  (is_null ? context->null_stream_last : stream->last) = submitted_;
  if (number) *number = submitted_;
  changed.notify_all();
  return kSuccess;
}

CUresult Fake::wait_for(std::unique_lock<std::mutex>& lock, CUctx_st& context, uint64_t number) {
  changed.wait(lock, [&] { return completed >= number; });
  return context.lost;
}

uint64_t Fake::last_of(CUstream stream, CUctx_st& context) {
  uint64_t last = stream && stream != kStreamLegacy ? stream->last : context.null_stream_last;
  if (stream && stream != kStreamLegacy && !stream->blocking) return last;
  last = std::max(last, context.null_stream_last);
  if (!stream || stream == kStreamLegacy)
    for (CUstream other : streams)
      if (other->blocking && other->context == &context) last = std::max(last, other->last);
  return last;
}

uint64_t Fake::last_of_all(const CUctx_st& context) const {
  uint64_t last = context.null_stream_last;
  for (CUstream stream : streams)
    if (stream->context == &context) last = std::max(last, stream->last);
  return last;
}

std::map<uintptr_t, Block>::iterator Fake::block_of(uintptr_t address) {
  auto after = blocks.upper_bound(address);
  if (after == blocks.begin()) return blocks.end();
  const auto block = std::prev(after);
  return address < block->first + block->second.mapped ? block : blocks.end();
}

bool Fake::leaves_block(uintptr_t address, size_t bytes) {
  const auto block = block_of(address);
  return block != blocks.end() && address + bytes > block->first + block->second.bytes;
}

CUresult Fake::allocate(CUctx_st& context, size_t bytes, From from, void*& base) {
  if (bytes == 0) return kErrorInvalidValue;
  if (bytes > kMemoryBytes || (from != From::Host && bytes > kMemoryBytes - used_bytes)) return kErrorOutOfMemory;
  const size_t mapped = (bytes + 4095) / 4096 * 4096;
  base = ::mmap(nullptr, mapped, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (base == MAP_FAILED) return kErrorOutOfMemory;
  blocks[reinterpret_cast<uintptr_t>(base)] = {bytes, mapped, from, &context};
  if (from != From::Host) used_bytes += bytes;
  return kSuccess;
}

void Fake::drop_block(std::map<uintptr_t, Block>::iterator block) {
  if (block->second.from != From::Host) used_bytes -= block->second.bytes;
  constexpr uintptr_t kPage = 4096;
  ::munmap(reinterpret_cast<void*>(block->first / kPage * kPage), block->second.mapped);
  blocks.erase(block);
}

} // namespace hip::test

using hip::test::Fake;

#define FAKE_EXPORT extern "C" __attribute__((visibility("default")))

FAKE_EXPORT void fake_cuda_reset() {
  Fake& fake = Fake::get();
  std::lock_guard lock(fake.mutex);
  fake.injections.clear();
  fake.calls.clear();
  fake.faults.clear();
  fake.registered.clear();
  fake.held = false;
  fake.clock_ns.reset();
  for (auto& context : fake.contexts) context->lost = hip::cuda::kSuccess;
  fake.changed.notify_all();
}

FAKE_EXPORT void fake_cuda_fail(const char* name, int nth, int result) {
  Fake& fake = Fake::get();
  std::lock_guard lock(fake.mutex);
  fake.injections.push_back({name, nth, result});
}

FAKE_EXPORT void fake_cuda_fault(const char* name, int result) {
  Fake& fake = Fake::get();
  std::lock_guard lock(fake.mutex);
  fake.faults[name] = result;
}

FAKE_EXPORT int fake_cuda_calls(const char* name) {
  Fake& fake = Fake::get();
  std::lock_guard lock(fake.mutex);
  int count = 0;
  for (const char* call : fake.calls) count += std::strcmp(name, "*") == 0 || std::strcmp(name, call) == 0;
  return count;
}

FAKE_EXPORT const char* fake_cuda_call(int nth) {
  Fake& fake = Fake::get();
  std::lock_guard lock(fake.mutex);
  return static_cast<size_t>(nth) < fake.calls.size() ? fake.calls[static_cast<size_t>(nth)] : nullptr;
}

FAKE_EXPORT void fake_cuda_hold(bool hold) {
  Fake& fake = Fake::get();
  std::lock_guard lock(fake.mutex);
  fake.held = hold;
  fake.changed.notify_all();
}

FAKE_EXPORT void fake_cuda_clock(unsigned long long ns) {
  Fake& fake = Fake::get();
  std::lock_guard lock(fake.mutex);
  fake.clock_ns = ns;
}

FAKE_EXPORT int fake_cuda_live(const char* kind) {
  Fake& fake = Fake::get();
  std::lock_guard lock(fake.mutex);
  const std::string_view text(kind);
  const size_t count = text == "stream"     ? fake.streams.size()
                       : text == "event"    ? fake.events.size()
                       : text == "module"   ? fake.modules.size()
                       : text == "array"    ? fake.arrays.size() + fake.mipmapped_arrays.size()
                       : text == "graph"    ? fake.graphs.size() + fake.graph_execs.size()
                       : text == "object"   ? fake.textures.size() + fake.surfaces.size()
                       : text == "external" ? fake.external_memories.size() + fake.semaphores.size()
                                            : fake.blocks.size();
  return static_cast<int>(count);
}
