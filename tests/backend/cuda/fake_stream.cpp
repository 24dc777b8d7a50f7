// The fake driver: streams, events, host functions.
#include "fake_state.h"

#include <chrono>
#include <cstring>
#include <thread>
#include <type_traits>

using namespace hip::cuda;
using namespace hip::test;

#define FAKE_EXPORT extern "C" __attribute__((visibility("default")))

namespace {

constexpr CUresult kErrorInvalidHandle = 400, kErrorUnsupportedInCapture = 900;

bool is_live(Fake& fake, CUstream stream) {
  return !stream || stream == kStreamLegacy || fake.streams.contains(stream);
}
bool is_null(CUstream stream) { return !stream || stream == kStreamLegacy; }
CUctx_st& context_of(CUstream stream, CUctx_st& current) { return is_null(stream) ? current : *stream->context; }

// Whether `value` satisfies the condition; the numbers are the driver's.
template<class T> bool holds(T word, T value, unsigned condition) {
  switch (condition) {
  case 0:
    return static_cast<std::make_signed_t<T>>(word - value) >= 0;
  case 1:
    return word == value;
  case 2:
    return (word & value) != 0;
  default:
    return static_cast<T>(~(word | value)) != 0;
  }
}

// A word that streams may write and wait for: aligned, and not in managed memory.
bool is_word(Fake& fake, CUdeviceptr address, size_t bytes) {
  const auto block = fake.block_of(address);
  return address % bytes == 0 && (block == fake.blocks.end() || block->second.from != From::Managed);
}

// One thread does the work of all streams, so only the host can end a wait.
template<class T> CUresult wait_value(Fake& fake, CUstream stream, CUdeviceptr address, T value, unsigned flags) {
  if (!is_word(fake, address, sizeof(T)) || flags > 3) return kErrorInvalidValue;
  return fake.submit(stream, [=] {
    while (!holds(__atomic_load_n(static_cast<T*>(from_cuda(address)), __ATOMIC_ACQUIRE), value, flags))
      std::this_thread::sleep_for(std::chrono::microseconds(100));
  });
}

template<class T> CUresult write_value(Fake& fake, CUstream stream, CUdeviceptr address, T value, unsigned flags) {
  if (!is_word(fake, address, sizeof(T)) || flags != 0) return kErrorInvalidValue;
  return fake.submit(stream, [=] { __atomic_store_n(static_cast<T*>(from_cuda(address)), value, __ATOMIC_RELEASE); });
}

} // namespace

FAKE_EXPORT CUresult cuStreamWaitValue32_v2(CUstream stream, CUdeviceptr address, uint32_t value, unsigned flags) {
  FAKE_ENTER_CONTEXT(cuStreamWaitValue32);
  return wait_value(fake, stream, address, value, flags);
}

FAKE_EXPORT CUresult cuStreamWaitValue64_v2(CUstream stream, CUdeviceptr address, uint64_t value, unsigned flags) {
  FAKE_ENTER_CONTEXT(cuStreamWaitValue64);
  return wait_value(fake, stream, address, value, flags);
}

FAKE_EXPORT CUresult cuStreamWriteValue32_v2(CUstream stream, CUdeviceptr address, uint32_t value, unsigned flags) {
  FAKE_ENTER_CONTEXT(cuStreamWriteValue32);
  return write_value(fake, stream, address, value, flags);
}

FAKE_EXPORT CUresult cuStreamWriteValue64_v2(CUstream stream, CUdeviceptr address, uint64_t value, unsigned flags) {
  FAKE_ENTER_CONTEXT(cuStreamWriteValue64);
  return write_value(fake, stream, address, value, flags);
}

FAKE_EXPORT CUresult cuStreamCreateWithPriority(CUstream* stream, unsigned flags, int priority) {
  FAKE_ENTER_CONTEXT(cuStreamCreateWithPriority);
  if (flags > kStreamNonBlocking || priority > 0 || priority < -5) return kErrorInvalidValue;
  *stream = new CUstream_st{context, flags == kStreamDefault};
  fake.streams.insert(*stream);
  return kSuccess;
}

FAKE_EXPORT CUresult cuStreamSetAttribute(CUstream stream, int attribute, const CUstreamAttrValue* value) {
  FAKE_ENTER_CONTEXT(cuStreamSetAttribute);
  if (!is_live(fake, stream)) return kErrorInvalidHandle;
  const CUaccessPolicyWindow& window = value->accessPolicyWindow;
  const bool good = attribute == kStreamAccessPolicyWindow && window.hitRatio >= 0 && window.hitRatio <= 1 &&
                    window.num_bytes <= 134213632 && window.hitProp >= 0 && window.hitProp <= 2 &&
                    window.missProp >= 0 && window.missProp <= 1;
  if (!good) return kErrorInvalidValue;
  fake.window = window;
  return kSuccess;
}

FAKE_EXPORT void fake_cuda_window(void* window) {
  Fake& fake = Fake::get();
  std::lock_guard lock(fake.mutex);
  std::memcpy(window, &fake.window, sizeof fake.window);
}

FAKE_EXPORT CUresult cuStreamDestroy_v2(CUstream stream) {
  FAKE_ENTER_CONTEXT(cuStreamDestroy);
  if (!fake.streams.erase(stream)) return kErrorInvalidHandle;
  delete stream; // operations do not hold it
  return kSuccess;
}

FAKE_EXPORT CUresult cuStreamQuery(CUstream stream) {
  FAKE_ENTER_CONTEXT(cuStreamQuery);
  if (!is_live(fake, stream)) return kErrorInvalidHandle;
  return fake.completed >= fake.last_of(stream, context_of(stream, *context)) ? kSuccess : kErrorNotReady;
}

FAKE_EXPORT CUresult cuStreamSynchronize(CUstream stream) {
  FAKE_ENTER_CONTEXT(cuStreamSynchronize);
  if (!is_live(fake, stream)) return kErrorInvalidHandle;
  if (fake.captures(stream)) return kErrorUnsupportedInCapture;
  CUctx_st& waited = context_of(stream, *context);
  return fake.wait_for(lock, waited, fake.last_of(stream, waited));
}

FAKE_EXPORT CUresult cuStreamWaitEvent(CUstream stream, CUevent event, unsigned flags) {
  FAKE_ENTER_CONTEXT(cuStreamWaitEvent);
  if (!is_live(fake, stream) || !fake.events.contains(event)) return kErrorInvalidHandle;
  if (flags > 1) return kErrorInvalidValue;
  return fake.submit(stream, [] {}); // what the event stands for was submitted before
}

FAKE_EXPORT CUresult cuLaunchHostFunc(CUstream stream, CUhostFn function, void* user_data) {
  FAKE_ENTER_CONTEXT(cuLaunchHostFunc);
  if (!function) return kErrorInvalidValue;
  return fake.submit(stream, [=] { function(user_data); }, true);
}

FAKE_EXPORT CUresult cuEventCreate(CUevent* event, unsigned flags) {
  FAKE_ENTER_CONTEXT(cuEventCreate);
  if (flags > 7) return kErrorInvalidValue;
  *event = new CUevent_st{context, flags, nullptr};
  fake.events.insert(*event);
  return kSuccess;
}

FAKE_EXPORT CUresult cuEventDestroy_v2(CUevent event) {
  FAKE_ENTER_CONTEXT(cuEventDestroy);
  if (!fake.events.erase(event)) return kErrorInvalidHandle;
  delete event;
  return kSuccess;
}

FAKE_EXPORT CUresult cuEventRecord(CUevent event, CUstream stream) {
  FAKE_ENTER_CONTEXT(cuEventRecord);
  if (!fake.events.contains(event) || !is_live(fake, stream) || &context_of(stream, *context) != event->context)
    return kErrorInvalidHandle;
  if (fake.captures(stream)) return kErrorUnsupportedInCapture; // CUDA can; nobody here does
  auto record = std::make_shared<EventRecord>();
  const CUresult result = fake.submit(
      stream,
      [&fake, record] {
        std::lock_guard reaching(fake.mutex);
        const auto steady = std::chrono::steady_clock::now().time_since_epoch() / std::chrono::nanoseconds(1);
        record->time_ns = fake.clock_ns.value_or(static_cast<uint64_t>(steady));
      },
      false, &record->operation);
  if (result == kSuccess) event->record = std::move(record);
  return result;
}

FAKE_EXPORT CUresult cuEventQuery(CUevent event) {
  FAKE_ENTER_CONTEXT(cuEventQuery);
  if (!fake.events.contains(event)) return kErrorInvalidHandle;
  return !event->record || fake.completed >= event->record->operation ? kSuccess : kErrorNotReady;
}

FAKE_EXPORT CUresult cuEventSynchronize(CUevent event) {
  FAKE_ENTER_CONTEXT(cuEventSynchronize);
  if (!fake.events.contains(event)) return kErrorInvalidHandle;
  return event->record ? fake.wait_for(lock, *event->context, event->record->operation) : kSuccess;
}

FAKE_EXPORT CUresult cuEventElapsedTime(float* milliseconds, CUevent start, CUevent end) {
  FAKE_ENTER_CONTEXT(cuEventElapsedTime);
  for (CUevent event : {start, end}) {
    if (!fake.events.contains(event) || !event->record || (event->flags & kEventDisableTiming) != 0)
      return kErrorInvalidHandle;
    if (fake.completed < event->record->operation) return kErrorNotReady;
  }
  const double ns = static_cast<double>(end->record->time_ns) - static_cast<double>(start->record->time_ns);
  *milliseconds = static_cast<float>(ns * 1e-6);
  return kSuccess;
}
