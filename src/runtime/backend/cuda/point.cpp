#include "runtime/backend/cuda/point.h"

namespace hip::cuda {

Stream::Stream(Context& context, CUstream handle, Owned owned)
    : context_(context), handle_(handle), owned_(owned), log_(make_ref<LaunchLog>()) {
  context_.add_log(*log_);
}

Stream::~Stream() {
  context_.remove_log(*log_);
  if (owned_ == Owned::Yes && context_.enter().ok())
    static_cast<void>(context_.check(context_.driver().cuStreamDestroy(handle_), "cuStreamDestroy"));
}

Status Stream::synchronize() {
  const uint64_t launches = log_->launches();
  RT_TRY(context_.enter());
  RT_TRY(context_.check(context_.driver().cuStreamSynchronize(handle_), "cuStreamSynchronize"));
  log_->good_up_to(launches);
  return {};
}

bool Stream::idle() {
  const uint64_t launches = log_->launches();
  if (!context_.enter().ok()) return true; // a context that is lost does no more work
  const CUresult result = context_.driver().cuStreamQuery(handle_);
  if (result == kErrorNotReady) return false;
  if (context_.check(result, "cuStreamQuery").ok()) log_->good_up_to(launches);
  return true;
}

void Point::reached() const noexcept {
  log_->good_up_to(launches_);
  reached_.store(true, std::memory_order_release);
}

bool Point::done() const noexcept {
  if (reached_.load(std::memory_order_acquire)) return true;
  if (!context_.enter().ok()) return true; // it will not be reached any more
  const CUresult result = context_.driver().cuEventQuery(event_);
  if (result == kErrorNotReady) return false;
  if (context_.check(result, "cuEventQuery").ok()) reached();
  return true;
}

Status Point::wait() noexcept {
  if (reached_.load(std::memory_order_acquire)) return {};
  RT_TRY(context_.enter());
  RT_TRY(context_.check(context_.driver().cuEventSynchronize(event_), "cuEventSynchronize"));
  reached();
  return {};
}

Status Point::status() const noexcept { return reached_.load(std::memory_order_acquire) ? Status() : context_.fault(); }

uint64_t Point::timestamp_ns() const noexcept {
  if (!options_.timed || !done() || !reached_.load(std::memory_order_acquire)) return 0;
  if (!context_.enter().ok()) return 0;
  try {
    const Ref<Epoch> epoch = epoch_ ? epoch_ : context_.clock().epoch_for_earlier();
    return epoch ? epoch->time_of_ns(event_) : 0;
  } catch (const std::bad_alloc&) { // the host has no memory for an epoch
    return 0;
  }
}

Result<float> Point::elapsed_ms(const Completion& start) const {
  const auto* const begin = dynamic_cast<const Point*>(&start);
  if (!begin || &begin->context_ != &context_ || !begin->options_.timed || !options_.timed)
    return error(ErrorCode::InvalidHandle,
                 "Two points of {} have no time between them: they are not timed, or not both "
                 "this device's.",
                 context_.name());
  float ms = 0;
  RT_TRY(context_.enter());
  RT_TRY(context_.check(context_.driver().cuEventElapsedTime(&ms, begin->event_, event_), "cuEventElapsedTime"));
  return ms;
}

} // namespace hip::cuda
