// runtime/backend/aql/hsa/hsa_copy.cpp - copies and fills of cards. Engines reach memory of HSA and locked host memory;
// other host memory is locked for the copy where it is large, and goes through a buffer of locked memory where it is
// small or cannot be locked (constants of the program).
#include "runtime/backend/aql/hsa/hsa_agent.h"
#include "runtime/backend/aql/transfer_forms.h"

#include "runtime/base/log.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <cstring>
#include <thread>

namespace hip::aql::hsa {

namespace {

constexpr size_t kStageBytes = 256 * 1024;
constexpr uint64_t kCopyLimitNs = 120'000'000'000; // nothing is waited for by a copy: it is a matter of its bytes
constexpr size_t kRowsUnderWay = 16;               // of one box; each has a signal
constexpr size_t kLockBytes = 1024 * 1024;         // locking costs some microseconds and more for each page

Transfer part_of(const backend::Region& dst, const backend::Region& src, size_t width_bytes, size_t height) noexcept {
  Transfer part;
  part.dst = dst;
  part.src = src;
  part.extent = {width_bytes, height, 1};
  return part;
}

std::string name_of(const Transfer& t) {
  return fmt::format("A copy of {} bytes from {} to {}", t.extent.width_bytes * t.extent.height * t.extent.depth,
                     t.src.base, t.dst.base);
}

// How engines copy a region.
enum class Form {
  Line, // one range of bytes, at any address
  Box,  // hsa_amd_memory_async_copy_rect
  Rows, // a line for each row, several at a time
};

bool is_dense(const backend::Region& region, const backend::Extent3& extent) noexcept {
  return (extent.height == 1 || region.pitch_bytes == extent.width_bytes) &&
         (extent.depth == 1 || region.slice_bytes == extent.width_bytes * extent.height);
}

// AMD's runtime has its engines copy boxes of whole words only: with HSA_STATUS_ERROR_INVALID_ARGUMENT it refuses
// others, and those whose rows or slices overlap. Lengths of boxes are 32 bits wide.
bool is_box(const backend::Region& region, const backend::Extent3& extent) noexcept {
  constexpr size_t kWord = 4;
  const size_t slice = extent.depth == 1 ? 0 : region.slice_bytes; // which nobody looks at in one slice
  if ((reinterpret_cast<uintptr_t>(region.base) | region.pitch_bytes | slice) % kWord != 0) return false;
  if (region.pitch_bytes < extent.width_bytes) return false;
  return extent.depth == 1 || slice / region.pitch_bytes >= extent.height;
}

Form form_of(const Transfer& t) noexcept {
  const backend::Extent3& extent = t.extent;
  if (is_dense(t.dst, extent) && is_dense(t.src, extent)) return Form::Line;
  const bool fits = std::max({extent.width_bytes, extent.height, extent.depth}) <= UINT32_MAX;
  return fits && is_box(t.dst, extent) && is_box(t.src, extent) ? Form::Box : Form::Rows;
}

// Whether rows, or slices, share bytes.
bool overlaps_itself(const backend::Region& region, const backend::Extent3& extent) noexcept {
  if (extent.height > 1 && region.pitch_bytes < extent.width_bytes) return true;
  return extent.depth > 1 && region.slice_bytes < region.pitch_bytes * (extent.height - 1) + extent.width_bytes;
}

Status failure_of(const std::string& what) { return error(ErrorCode::IllegalAddress, "{} failed.", what); }

uint64_t now_ns() noexcept {
  return static_cast<uint64_t>(std::chrono::steady_clock::now().time_since_epoch() / std::chrono::nanoseconds(1));
}

} // namespace

class HsaAgent::Transferring {
public:
  explicit Transferring(CopiesUnderWay& copies) noexcept : copies_(copies) {
    std::lock_guard guard(copies_.mutex);
    ++copies_.count;
  }
  ~Transferring() {
    std::lock_guard guard(copies_.mutex);
    --copies_.count;
  }
  Transferring(const Transferring&) = delete;

private:
  CopiesUnderWay& copies_;
};

Status HsaAgent::transfer(const Transfer& t) {
  const Transferring counted(*under_way_);
  RT_TRY(loss());
  return t.pattern_bytes != 0 ? fill_region(t) : copy_region(t);
}

Result<PacketHead> HsaAgent::encode_transfer(const Transfer&, void*, Packet&) {
  return error(ErrorCode::NotSupported, "{} does not copy by packets.", properties_.name);
}

HsaAgent::Side HsaAgent::side_of(const void* base, size_t bytes) const {
  if (hsa().inherited()) return {};
  hsa_amd_pointer_info_t info{};
  info.size = sizeof info;
  if (!hsa().note(hsa().hsa_amd_pointer_info(base, &info, nullptr, nullptr, nullptr), "hsa_amd_pointer_info"))
    return {};
  if (info.type == HSA_EXT_POINTER_TYPE_UNKNOWN) return {};
  // Locked memory that the program has not registered is locked by another copy, at whose end it is not any more.
  const bool is_locked = info.type == HSA_EXT_POINTER_TYPE_LOCKED;
  const size_t registered_bytes = is_locked ? cards_->registered->bytes_from(base) : 0;
  if (is_locked && registered_bytes == 0) return {};
  const auto begin = reinterpret_cast<uint64_t>(info.agentBaseAddress), at = reinterpret_cast<uint64_t>(base);
  if (at - begin >= info.sizeInBytes) return {};
  const bool of_gpu = std::any_of(cards_->gpus.begin(), cards_->gpus.end(),
                                  [&](hsa_agent_t gpu) { return gpu.handle == info.agentOwner.handle; });
  Side side;
  side.known_bytes = info.sizeInBytes - (at - begin);
  if (is_locked) side.known_bytes = std::min(side.known_bytes, registered_bytes);
  side.reachable = bytes <= side.known_bytes;
  side.agent = of_gpu ? info.agentOwner : cards_->host;
  side.of_host = !of_gpu || (host_reaches_ && side.agent.handle == gpu_.handle);
  return side;
}

bool HsaAgent::host_reaches(const void* address) const noexcept { return host_reaches_ || side_of(address, 1).of_host; }

Result<hsa_signal_t> HsaAgent::take_copy_signal() {
  std::lock_guard guard(mutex_);
  if (!copy_signals_.empty()) {
    const hsa_signal_t signal = copy_signals_.back();
    copy_signals_.pop_back();
    hsa().hsa_signal_store_screlease(signal, 1);
    return signal;
  }
  hsa_signal_t made{0};
  RT_TRY(hsa().check(hsa().hsa_signal_create(1, 0, nullptr, &made), "hsa_signal_create"));
  return made;
}

void HsaAgent::give_copy_signal(hsa_signal_t signal) {
  std::lock_guard guard(mutex_);
  copy_signals_.push_back(signal);
}

Result<void*> HsaAgent::take_stage() {
  std::lock_guard guard(mutex_);
  if (!stages_.empty()) {
    void* const stage = stages_.back();
    stages_.pop_back();
    return stage;
  }
  void* made = nullptr;
  RT_TRY(hsa().check(hsa().hsa_amd_memory_pool_allocate(cards_->host_memory, kStageBytes, 0, &made),
                     "hsa_amd_memory_pool_allocate"));
  if (Status status = hsa().check(hsa().hsa_amd_agents_allow_access(static_cast<uint32_t>(cards_->gpus.size()),
                                                                    cards_->gpus.data(), nullptr, made),
                                  "hsa_amd_agents_allow_access");
      !status.ok()) {
    hsa().note(hsa().hsa_amd_memory_pool_free(made), "hsa_amd_memory_pool_free");
    return status;
  }
  return made;
}

Status HsaAgent::copy_region(const Transfer& t) {
  const Side dst = side_of(t.dst.base, span_bytes(t.dst, t.extent));
  const Side src = side_of(t.src.base, span_bytes(t.src, t.extent));
  if (dst.reachable && src.reachable) return copy_reachable(t, dst.agent, src.agent);
  if (dst.known_bytes != 0 && !dst.reachable) return copy_parts(t, dst, src);
  if (src.known_bytes != 0 && !src.reachable) return copy_parts(t, dst, src);
  if (!dst.reachable && !host_may_access(t.dst, t.extent, HostAccess::Write))
    return no_host_access(t, HostAccess::Write);
  if (!src.reachable && !host_may_access(t.src, t.extent, HostAccess::Read)) return no_host_access(t, HostAccess::Read);
  if (dst.reachable != src.reachable)
    return span_bytes(dst.reachable ? t.src : t.dst, t.extent) < kLockBytes ? copy_staged(t, dst, src)
                                                                            : copy_locked(t, dst, src);
  for (size_t z = 0; z < t.extent.depth; ++z)
    for (size_t y = 0; y < t.extent.height; ++y) std::memmove(row(t.dst, y, z), row(t.src, y, z), t.extent.width_bytes);
  return Status();
}

// A side goes from one allocation or mapping into the next: rows, and parts of rows, are copied one by one.
Status HsaAgent::copy_parts(const Transfer& t, const Side& dst, const Side& src) {
  if (t.extent.height > 1 || t.extent.depth > 1) {
    for (size_t z = 0; z < t.extent.depth; ++z)
      for (size_t y = 0; y < t.extent.height; ++y)
        RT_TRY(copy_region(part_of({row(t.dst, y, z)}, {row(t.src, y, z)}, t.extent.width_bytes, 1)));
    return Status();
  }
  size_t bytes = t.extent.width_bytes;
  for (const Side* const side : {&dst, &src})
    if (side->known_bytes != 0) bytes = std::min(bytes, side->known_bytes);
  RT_TRY(copy_region(part_of(t.dst, t.src, bytes, 1)));
  return copy_region(part_of({row(t.dst, 0, 0) + bytes}, {row(t.src, 0, 0) + bytes}, t.extent.width_bytes - bytes, 1));
}

// Not of Form::Rows.
Status HsaAgent::begin_copy(const Transfer& t, hsa_agent_t dst_agent, hsa_agent_t src_agent, hsa_signal_t done) {
  if (form_of(t) == Form::Line)
    return hsa().check(hsa().hsa_amd_memory_async_copy(t.dst.base, dst_agent, t.src.base, src_agent,
                                                       t.extent.width_bytes * t.extent.height * t.extent.depth, 0,
                                                       nullptr, done),
                       "hsa_amd_memory_async_copy");
  const bool one_slice = t.extent.depth == 1;
  const hsa_pitched_ptr_t dst{t.dst.base, t.dst.pitch_bytes, one_slice ? 0 : t.dst.slice_bytes};
  const hsa_pitched_ptr_t src{t.src.base, t.src.pitch_bytes, one_slice ? 0 : t.src.slice_bytes};
  const hsa_dim3_t from{0, 0, 0}, range{static_cast<uint32_t>(t.extent.width_bytes),
                                        static_cast<uint32_t>(t.extent.height), static_cast<uint32_t>(t.extent.depth)};
  const bool to_host = dst_agent.handle == cards_->host.handle, from_host = src_agent.handle == cards_->host.handle;
  const hsa_amd_copy_direction_t direction = to_host     ? (from_host ? hsaHostToHost : hsaDeviceToHost)
                                             : from_host ? hsaHostToDevice
                                                         : hsaDeviceToDevice;
  return hsa().check(
      hsa().hsa_amd_memory_async_copy_rect(&dst, &from, &src, &from, &range, gpu_, direction, 0, nullptr, done),
      "hsa_amd_memory_async_copy_rect");
}

// Both ends are memory that engines reach. Boxes that AMD's runtime does not take, as it takes none where its engines
// are turned off (HSA_ENABLE_SDMA=0) and on old cards, are copied row by row.
Status HsaAgent::copy_reachable(const Transfer& t, hsa_agent_t dst_agent, hsa_agent_t src_agent) {
  if (form_of(t) == Form::Rows) return copy_rows(t, dst_agent, src_agent);
  RT_TRY_ASSIGN(const hsa_signal_t done, take_copy_signal());
  const Status begun = begin_copy(t, dst_agent, src_agent, done);
  if (begun.ok()) return end_copy(t, done);
  give_copy_signal(done);
  if (form_of(t) != Form::Box) return begun;
  log(LogLevel::Info, "A copy goes row by row: {}", begun.message());
  return copy_rows(t, dst_agent, src_agent);
}

// Waits for what begin_copy() has begun.
Status HsaAgent::end_copy(const Transfer& t, hsa_signal_t done) {
  Signal& signal = *to_signal(done.handle);
  const bool has_ended = signal.value.load(std::memory_order_acquire) < 1 || wait_for_work(signal, name_of(t));
  if (!has_ended) return loss(); // the engine may still have the signal
  const int64_t left = signal.value.load(std::memory_order_acquire);
  give_copy_signal(done);
  return left < 0 ? failure_of(name_of(t)) : Status();
}

// Rows are begun without waiting for those before them, a few at a time. Each has a signal of its own: one signal for
// all would be negative as soon as one row has failed, and could not tell when the others have ended, whose memory the
// caller uses again. Where AMD's runtime makes no further signal, a row waits for those under way and takes one of
// theirs. Rows of a destination that overlap have an order, in which each waits for the one before.
Status HsaAgent::copy_rows(const Transfer& t, hsa_agent_t dst_agent, hsa_agent_t src_agent) {
  const size_t rows = t.extent.height * t.extent.depth;
  const size_t most = overlaps_itself(t.dst, t.extent) ? 1 : std::min(rows, kRowsUnderWay);
  const auto line = [&](size_t n) {
    const size_t y = n % t.extent.height, z = n / t.extent.height;
    return part_of({row(t.dst, y, z)}, {row(t.src, y, z)}, t.extent.width_bytes, 1);
  };
  std::array<hsa_signal_t, kRowsUnderWay> signals{};
  size_t begun = 0, ended = 0;
  Status status;
  const auto end_oldest = [&] {
    Status end = end_copy(line(ended), signals[ended % most]);
    ++ended;
    if (status.ok()) status = std::move(end);
  };
  const auto begin_next = [&]() -> Status {
    Result<hsa_signal_t> signal = take_copy_signal();
    while (!signal.ok() && ended < begun) {
      end_oldest();
      RT_TRY(status);
      signal = take_copy_signal();
    }
    RT_TRY_ASSIGN(const hsa_signal_t done, std::move(signal));
    Status result = begin_copy(line(begun), dst_agent, src_agent, done);
    if (!result.ok()) {
      give_copy_signal(done);
      return result;
    }
    signals[begun++ % most] = done;
    return result;
  };
  while (begun < rows && status.ok()) {
    if (begun - ended == most) end_oldest();
    if (status.ok()) status = begin_next();
  }
  while (ended < begun) end_oldest();
  return status;
}

// Waits for the end of a copy or prefetch that has begun, also when the device is lost meanwhile, but then no longer
// than settle(). False: it is still under way.
bool HsaAgent::wait_for_work(Signal& done, const std::string& what) noexcept {
  if (wait_signal(done, 1, kCopyLimitNs)) return true;
  if (loss().ok())
    lose(error(ErrorCode::LaunchTimeOut, "{} has not ended after {} s.", what, kCopyLimitNs / 1'000'000'000));
  while (done.value.load(std::memory_order_acquire) >= 1) {
    if (now_ns() >= deadline_ns_.load(std::memory_order_relaxed)) return false;
    std::this_thread::sleep_for(std::chrono::microseconds(100));
  }
  return true;
}

namespace {

struct Begun {
  const Library& hsa;
  std::shared_ptr<CopiesUnderWay> copies;
  hsa_signal_t done;
  Status failure; // what to say if it fails
  std::function<void(const Status&)> ended;
};

// Called by HSA when the signal has fallen below 1. What fails leaves a negative value, which packets do not take for
// an end.
bool work_ended(hsa_signal_value_t value, void* data) {
  std::unique_ptr<Begun> begun(static_cast<Begun*>(data));
  const std::shared_ptr<CopiesUnderWay> copies = begun->copies;
  {
    std::lock_guard guard(copies->mutex);
    copies->ends.erase(to_signal(begun->done.handle));
    if (copies->given_up) { // what it would be told to may be gone
      static_cast<void>(begun.release());
      return false;
    }
    ++copies->telling;
  }
  begun->ended(value < 0 ? begun->failure : Status());
  if (value < 0) begun->hsa.hsa_signal_store_screlease(begun->done, 0);
  begun.reset();
  std::lock_guard guard(copies->mutex);
  --copies->telling;
  --copies->count;
  return false;
}

} // namespace

// Engines take their copies in turn, so one that waits for a signal holds up all behind it, among them those that have
// to end before the signal falls: copies and fills by threads of the host (copy_staged), and what a kernel or a host
// function waits for. So engines get no copy that has to wait.
Result<bool> HsaAgent::begin_transfer(const Transfer& t, Signal* after, Signal& done,
                                      std::function<void(const Status&)> ended) {
  if (after || t.pattern_bytes != 0) return false; // HSA's fill waits for its end
  const Side dst = side_of(t.dst.base, span_bytes(t.dst, t.extent));
  const Side src = side_of(t.src.base, span_bytes(t.src, t.extent));
  if (!dst.reachable || !src.reachable) return false;
  const Form form = form_of(t);
  if (form == Form::Rows) return false; // each row needs a signal of its own, and `done` is one
  const hsa_signal_t gate{to_handle(&done)};
  Status begun =
      begin_work(name_of(t), done, std::move(ended), [&] { return begin_copy(t, dst.agent, src.agent, gate); });
  if (begun.ok()) return true;
  RT_TRY(loss());
  if (form != Form::Box) return begun;
  log(LogLevel::Info, "A copy is left to a thread of the host: {}", begun.message()); // copy_reachable() finds a way
  return false;
}

Status HsaAgent::begin_work(const std::string& what, Signal& done, std::function<void(const Status&)> ended,
                            const std::function<Status()>& begin) {
  const hsa_signal_t gate{to_handle(&done)};
  auto begun = std::make_unique<Begun>(Begun{hsa(), under_way_, gate, failure_of(what), std::move(ended)});
  {
    std::lock_guard guard(under_way_->mutex);
    under_way_->ends.insert(&done);
    ++under_way_->count;
  }
  Status status = loss(); // from here on lose() leaves the gate to the engine
  if (status.ok()) status = begin();
  if (!status.ok()) {
    std::lock_guard guard(under_way_->mutex);
    under_way_->ends.erase(&done);
    --under_way_->count;
    return status;
  }
  Begun* const told = begun.get();
  const hsa_status_t watched = hsa().hsa_amd_signal_async_handler(gate, HSA_SIGNAL_CONDITION_LT, 1, work_ended, told);
  if (watched == HSA_STATUS_SUCCESS) {
    static_cast<void>(begun.release()); // work_ended's
    return Status();
  }
  // The work is under way, and nobody tells of its end: it is waited for here.
  Status why = hsa().check(watched, "hsa_amd_signal_async_handler");
  log(LogLevel::Warning, "AMD's runtime: {}", why.message());
  if (wait_for_work(done, what))
    work_ended(done.value.load(std::memory_order_acquire), begun.release());
  else
    static_cast<void>(begun.release()); // nobody will tell of it
  return Status();
}

// One end is host memory that engines do not reach: rows go through a buffer, as many at a time as it holds. There they
// are as far apart as engines want them: as at the other end where that is dense, else whole words.
Status HsaAgent::copy_staged(const Transfer& t, const Side& dst, const Side& src) {
  RT_TRY_ASSIGN(void* const stage, take_stage());
  const size_t width = std::min(t.extent.width_bytes, kStageBytes);
  const backend::Region& of_engine = src.reachable ? t.src : t.dst;
  const size_t pitch = of_engine.pitch_bytes == width ? width : (width + 3) & ~size_t{3};
  const auto copy_part = [&](size_t x, size_t y, size_t z, size_t bytes, size_t height) -> Status {
    const backend::Region to{row(t.dst, y, z) + x, t.dst.pitch_bytes, t.dst.slice_bytes};
    const backend::Region from{row(t.src, y, z) + x, t.src.pitch_bytes, t.src.slice_bytes};
    const backend::Region between{stage, pitch, pitch * height};
    if (src.reachable) RT_TRY(copy_reachable(part_of(between, from, bytes, height), cards_->host, src.agent));
    for (size_t i = 0; i < height; ++i) {
      if (src.reachable)
        std::memcpy(row(to, i, 0), row(between, i, 0), bytes);
      else
        std::memcpy(row(between, i, 0), row(from, i, 0), bytes);
    }
    return src.reachable ? Status() : copy_reachable(part_of(to, between, bytes, height), dst.agent, cards_->host);
  };
  const size_t rows = kStageBytes / pitch;
  Status status;
  for (size_t z = 0; z < t.extent.depth && status.ok(); ++z)
    for (size_t y = 0; y < t.extent.height && status.ok(); y += rows)
      for (size_t x = 0; x < t.extent.width_bytes && status.ok(); x += width)
        status = copy_part(x, y, z, std::min(width, t.extent.width_bytes - x), std::min(rows, t.extent.height - y));
  if (!loss().ok()) return status; // the engine may still have the buffer
  std::lock_guard guard(mutex_);
  stages_.push_back(stage);
  return status;
}

// The same for much memory, which is locked meanwhile.
Status HsaAgent::copy_locked(const Transfer& t, const Side& dst, const Side& src) {
  const backend::Region& host = dst.reachable ? t.src : t.dst;
  std::vector<hsa_agent_t> gpus = cards_->gpus;
  void* on_gpu = nullptr;
  if (Status status = hsa().check(hsa().hsa_amd_memory_lock(host.base, span_bytes(host, t.extent), gpus.data(),
                                                            static_cast<int>(gpus.size()), &on_gpu),
                                  "hsa_amd_memory_lock");
      !status.ok()) { // memory that is only read, or locked in part
    log(LogLevel::Info, "A copy goes through a buffer: {}", status.message());
    return copy_staged(t, dst, src);
  }
  Transfer locked = t;
  (dst.reachable ? locked.src : locked.dst).base = on_gpu;
  Status status =
      copy_reachable(locked, dst.reachable ? dst.agent : cards_->host, src.reachable ? src.agent : cards_->host);
  if (!loss().ok()) return status; // the engine may still have the memory
  RT_TRY(hsa().check(hsa().hsa_amd_memory_unlock(host.base), "hsa_amd_memory_unlock"));
  return status;
}

// HSA fills words of 32 bits; other patterns, rows that are no words, and memory that engines do not reach are written
// by the host where it reaches them. So are words alone, which somebody may poll.
Status HsaAgent::fill_region(const Transfer& t) {
  const auto word = static_cast<uint32_t>(t.pattern);
  const Side dst = side_of(t.dst.base, span_bytes(t.dst, t.extent));
  if (!dst.reachable && !host_may_access(t.dst, t.extent, HostAccess::Write))
    return no_host_access(t, HostAccess::Write);
  const size_t bytes = t.extent.width_bytes;
  const auto is_words = [&](const std::byte* begin) {
    if (dst.of_host && bytes <= sizeof(uint64_t)) return false;
    return dst.reachable && (t.pattern >> 32) == word && bytes % 4 == 0 && reinterpret_cast<uintptr_t>(begin) % 4 == 0;
  };
  for (size_t z = 0; z < t.extent.depth; ++z)
    for (size_t y = 0; y < t.extent.height; ++y) {
      std::byte* const begin = row(t.dst, y, z);
      if (is_words(begin)) {
        RT_TRY(hsa().check(hsa().hsa_amd_memory_fill(begin, word, bytes / 4), "hsa_amd_memory_fill"));
        continue;
      }
      if (!dst.of_host) {
        RT_TRY(fill_staged(begin, t, dst.agent));
        continue;
      }
      fill_bytes(begin, t.pattern, bytes);
    }
  return Status();
}

// A row of memory that the host does not reach, from a buffer with the pattern.
Status HsaAgent::fill_staged(std::byte* begin, const Transfer& t, hsa_agent_t agent) {
  RT_TRY_ASSIGN(void* const stage, take_stage());
  const size_t bytes = t.extent.width_bytes;
  fill_bytes(static_cast<std::byte*>(stage), t.pattern, std::min(bytes, kStageBytes));
  Status status;
  for (size_t i = 0; i < bytes && status.ok(); i += kStageBytes)
    status = copy_reachable(part_of({begin + i}, {stage}, std::min(kStageBytes, bytes - i), 1), agent, cards_->host);
  if (!loss().ok()) return status; // the engine may still have the buffer
  std::lock_guard guard(mutex_);
  stages_.push_back(stage);
  return status;
}

} // namespace hip::aql::hsa
