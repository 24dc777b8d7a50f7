#include "runtime/api/profiler.h"

#include "runtime/core/address_map.h"
#include "runtime/core/fat_binary.h"

#include <algorithm>
#include <atomic>
#include <bitset>
#include <chrono>
#include <cstdio>
#include <deque>
#include <mutex>
#include <set>
#include <string_view>
#include <unistd.h>

namespace hip::api {

namespace {

using std::string_view;
constexpr size_t kChunkRecords = 1024;
thread_local bool delivers = false; // the program's callback runs: calls of it are not recorded

int64_t clock_difference() noexcept { // what the clock of files and tools is ahead of the device's
  const auto real = std::chrono::system_clock::now().time_since_epoch();
  const auto steady = std::chrono::steady_clock::now().time_since_epoch();
  return std::chrono::duration_cast<std::chrono::nanoseconds>(real).count() -
         std::chrono::duration_cast<std::chrono::nanoseconds>(steady).count();
}

uint64_t steady_ns() noexcept { return trace_clock_ns(); }

// Points before and behind what a call gave its stream.
struct Pending {
  size_t place;
  Ref<backend::Completion> before, behind;
  uint64_t called_ns;
};

} // namespace

// All under the profiler's lock; but records that are complete are not written any more, and read without it.
struct RecordChunk {
  std::array<hipApiRecordExt, kChunkRecords> records{};
  std::bitset<kChunkRecords> ended, complete; // the call returned; and the device has done what it gave
  size_t used = 0;
  size_t readable = 0; // so many from the first on are complete
  bool delivered = false;
  std::vector<Pending> pending;
};

namespace {

class Profiler {
public:
  static Profiler& get() {
    static Profiler* const made = new Profiler; // never destroyed: calls of static destructors are recorded too
    return *made;
  }

  uint64_t enable() {
    std::lock_guard lock(mutex_);
    if (users_++ == 0) {
      difference_ns_.store(static_cast<uint64_t>(clock_difference()), std::memory_order_relaxed);
      delivery_ = registered_;
      trace_records(true);
    }
    return total_;
  }
  // Null when profiling goes on.
  bool disable(uint64_t& total) {
    std::lock_guard lock(mutex_);
    total = total_;
    if (users_ == 0 || --users_ != 0) return false;
    trace_records(false);
    return true;
  }
  // All devices are idle.
  void finish() {
    {
      std::lock_guard lock(mutex_);
      for (const auto& chunk : chunks_) resolve(*chunk);
    }
    deliver(true);
  }

  // Gives the record its number and its place, which until end() has what it says of a call that has begun.
  std::pair<std::shared_ptr<RecordChunk>, size_t> take(hipApiRecordExt& record) {
    std::lock_guard lock(mutex_);
    if (users_ == 0) return {};
    if (chunks_.empty() || chunks_.back()->used == kChunkRecords) chunks_.push_back(std::make_shared<RecordChunk>());
    RecordChunk& chunk = *chunks_.back();
    const size_t place = chunk.used++;
    record.chunk_id = static_cast<uint32_t>(total_++);
    chunk.records[place] = record;
    return {chunks_.back(), place};
  }
  void end(RecordChunk& chunk, size_t place, const hipApiRecordExt& record, std::optional<Pending> pending) {
    {
      std::lock_guard lock(mutex_);
      if (chunk.delivered) return; // with the rest, before the call ended: somebody may be reading
      if (pending) chunk.pending.push_back(std::move(*pending));
      chunk.records[place] = record;
      chunk.ended[place] = true;
      chunk.complete[place] = !pending;
    }
    deliver(false);
  }
  uint64_t real_ns() const noexcept { return steady_ns() + difference_ns_.load(std::memory_order_relaxed); }
  const char* intern(string_view name) {
    std::lock_guard lock(mutex_);
    return names_.emplace(name).first->c_str();
  }

  void set_callback(hipProfilerChunkCallback callback, void* user_data) {
    std::lock_guard lock(mutex_);
    registered_ = {callback, user_data};
  }
  bool reset() {
    std::lock_guard lock(mutex_);
    if (users_ != 0) return false;
    chunks_.clear();
    directories_.clear();
    total_ = 0;
    return true;
  }
  // The chunks as a program walks them, as far as records are complete.
  const hipApiRecordExt* const* directory(size_t& count, size_t& total) {
    std::lock_guard lock(mutex_);
    std::vector<const hipApiRecordExt*> list;
    total = 0;
    for (const auto& chunk : chunks_) {
      resolve(*chunk);
      while (chunk->readable < chunk->used && chunk->complete[chunk->readable]) ++chunk->readable;
      if (chunk->readable == 0) break;
      list.push_back(chunk->records.data());
      total += chunk->readable;
      if (chunk->readable < kChunkRecords) break;
    }
    count = list.size();
    if (directories_.empty() || directories_.back() != list) directories_.push_back(std::move(list));
    return directories_.back().data();
  }
  // Copies of what calls that have ended left, in order.
  template<class F> void each_ended(const F& visit) {
    std::vector<std::shared_ptr<RecordChunk>> all;
    {
      std::lock_guard lock(mutex_);
      all.assign(chunks_.begin(), chunks_.end());
    }
    std::vector<hipApiRecordExt> ended;
    ended.reserve(kChunkRecords);
    for (const auto& chunk : all) {
      {
        std::lock_guard lock(mutex_);
        resolve(*chunk);
        for (size_t i = 0; i < chunk->used; ++i)
          if (chunk->ended[i]) ended.push_back(chunk->records[i]);
      }
      for (const hipApiRecordExt& record : ended) visit(record);
      ended.clear();
    }
  }

private:
  struct Delivery {
    hipProfilerChunkCallback callback = nullptr;
    void* user_data = nullptr;
  };

  // Fills in the device's times of what is done; locked.
  void resolve(RecordChunk& chunk) {
    std::erase_if(chunk.pending, [&](const Pending& each) {
      if (!each.behind->done()) return false;
      hipGpuActivityExt& gpu = chunk.records[each.place].gpu;
      const uint64_t end = each.behind->timestamp_ns();
      // What waits for nothing begins when it is given.
      const uint64_t begin = std::min(std::max(each.before->timestamp_ns(), each.called_ns), end);
      const uint64_t difference = difference_ns_.load(std::memory_order_relaxed);
      gpu.begin_ns = begin + difference;
      gpu.end_ns = end + difference;
      gpu.gpu_op_count = 1;
      chunk.records[each.place].has_gpu_activity = end != 0;
      chunk.complete[each.place] = true;
      return true;
    });
  }

  // Hands out chunks that are complete, the oldest first; at the end of profiling what there is.
  void deliver(bool all) {
    if (delivers) return; // the callback itself ended profiling: the call that delivers goes on with the rest
    std::unique_lock order(delivery_mutex_, std::defer_lock);
    for (;;) {
      std::shared_ptr<RecordChunk> chunk;
      Delivery to;
      uint32_t count = 0;
      {
        std::lock_guard lock(mutex_);
        if (!delivery_.callback || chunks_.empty()) return;
      }
      // One thread delivers, others need not wait for it.
      if (!order.owns_lock() && !(all ? (order.lock(), true) : order.try_lock())) return;
      {
        std::lock_guard lock(mutex_);
        if (chunks_.empty()) return;
        resolve(*chunks_.front());
        if (!chunks_.front()->complete.all() && !all) return;
        chunk = chunks_.front();
        chunk->delivered = true;
        chunks_.pop_front();
        to = delivery_;
        count = static_cast<uint32_t>(chunk->used);
      }
      delivers = true;
      to.callback(chunk->records.data(), count, chunk->records[0].chunk_id, to.user_data);
      delivers = false;
    }
  }

  std::mutex delivery_mutex_; // before mutex_
  std::mutex mutex_;          // a leaf
  unsigned users_ = 0;
  uint64_t total_ = 0;
  std::atomic<uint64_t> difference_ns_ = 0;
  std::deque<std::shared_ptr<RecordChunk>> chunks_;
  std::deque<std::vector<const hipApiRecordExt*>> directories_; // that programs may still walk
  std::set<std::string, std::less<>> names_;
  Delivery registered_, delivery_;
};

// ---- what a call says of itself
// --------------------------------------------------------------------------------------

// The argument with one of these names; null when there is none.
class Arguments {
public:
  Arguments(string_view names, std::span<const TraceArgument> values) : names_(names), values_(values) {}
  const TraceArgument* find(std::initializer_list<string_view> wanted) const {
    string_view rest = names_.substr(1);
    for (const TraceArgument& value : values_) {
      const size_t end = rest.find_first_of(",)");
      if (std::ranges::find(wanted, rest.substr(0, end)) != wanted.end()) return &value;
      rest.remove_prefix(std::min(rest.find_first_not_of(", ", end), rest.size()));
    }
    return nullptr;
  }
  uint64_t bits(std::initializer_list<string_view> wanted, uint64_t otherwise = 0) const {
    const TraceArgument* const found = find(wanted);
    return found ? found->bits : otherwise;
  }

private:
  string_view names_;
  std::span<const TraceArgument> values_;
};

enum class Gives { Nothing, Launch, Copy, Fill, Graph };

Gives gives(string_view name) {
  const auto begins = [name](string_view with) { return name.starts_with(with); };
  if (begins("hipGraphLaunch")) return Gives::Graph;
  if (name.find("MultiDevice") != name.npos || name.find("Batch") != name.npos)
    return Gives::Nothing; // several streams
  if (begins("hipMemcpy") || begins("hipDrvMemcpy")) return Gives::Copy;
  if (begins("hipMemset")) return Gives::Fill;
  if (begins("hipLaunchHostFunc")) return Gives::Nothing;
  if (begins("hipLaunch") || begins("hipModuleLaunch") || begins("hipExtLaunch") || begins("hipExtModuleLaunch") ||
      begins("hipHccModuleLaunch") || begins("hipDrvLaunch"))
    return Gives::Launch;
  return Gives::Nothing;
}

bool on_device(const void* address) {
  const auto found = core::addresses().find(address);
  return found && (found->kind == core::PointerKind::Device || found->kind == core::PointerKind::Variable);
}

void describe_launch(hipGpuActivityExt& gpu, const Arguments& arguments) {
  gpu.op = HIP_OP_DISPATCH_EXT;
  const auto* const function = reinterpret_cast<const void*>(arguments.bits({"f", "function_address", "fPtr", "func"}));
  if (const core::RegisteredFunction* const registered = core::find_registered_function(function))
    gpu.kernel_name = Profiler::get().intern(registered->name());
  else if (const auto pin = core::functions().pin(function))
    gpu.kernel_name = Profiler::get().intern(pin->function().name());
  const auto shape = [&](std::initializer_list<string_view> names, uint32_t& x, uint32_t& y, uint32_t& z) {
    const TraceArgument* const found = arguments.find(names);
    if (!found || found->kind != TraceArgument::Kind::Shape) return;
    x = static_cast<uint32_t>(found->bits >> 32), y = static_cast<uint32_t>(found->bits);
    z = static_cast<uint32_t>(found->more);
  };
  const auto one = [&](std::initializer_list<string_view> names, uint32_t& to) {
    if (const TraceArgument* const found = arguments.find(names)) to = static_cast<uint32_t>(found->bits);
  };
  shape({"numBlocks", "gridDim"}, gpu.grid_x, gpu.grid_y, gpu.grid_z);
  shape({"dimBlocks", "blockDim", "blockDimX"}, gpu.block_x, gpu.block_y, gpu.block_z);
  one({"gridDimX"}, gpu.grid_x), one({"gridDimY"}, gpu.grid_y), one({"gridDimZ"}, gpu.grid_z);
  if (arguments.find({"blockDimY"}))
    one({"blockDimX"}, gpu.block_x), one({"blockDimY"}, gpu.block_y), one({"blockDimZ"}, gpu.block_z);
  const auto* const config = reinterpret_cast<const hipLaunchConfig_t*>(arguments.bits({"config"}));
  if (!config) return;
  if (!arguments.find({"fPtr"})) return; // the driver's structure, whose numbers are not dim3
  gpu.grid_x = config->gridDim.x, gpu.grid_y = config->gridDim.y, gpu.grid_z = config->gridDim.z;
  gpu.block_x = config->blockDim.x, gpu.block_y = config->blockDim.y, gpu.block_z = config->blockDim.z;
}

void describe_transfer(hipApiRecordExt& record, string_view name, Gives what, const Arguments& arguments) {
  hipGpuActivityExt& gpu = record.gpu;
  gpu.op = HIP_OP_COPY_EXT;
  gpu.bytes = record.size;
  gpu.dst = record.memory1;
  gpu.src = record.memory2;
  if (what == Gives::Fill) {
    gpu.copy_kind = HIP_COPY_KIND_FILL_EXT;
    return;
  }
  const bool rectangle = name.find("2D") != name.npos || name.find("3D") != name.npos;
  uint64_t kind = arguments.bits({"kind"}, hipMemcpyDefault);
  if (name.find("HtoD") != name.npos) kind = hipMemcpyHostToDevice;
  if (name.find("DtoH") != name.npos) kind = hipMemcpyDeviceToHost;
  if (name.find("DtoD") != name.npos || name.find("Peer") != name.npos) kind = hipMemcpyDeviceToDevice;
  if (kind == hipMemcpyDefault && gpu.dst && gpu.src) {
    const bool to = on_device(gpu.dst), from = on_device(gpu.src);
    kind = to && from ? hipMemcpyDeviceToDevice : to ? hipMemcpyHostToDevice : from ? hipMemcpyDeviceToHost : kind;
  }
  const unsigned direction = kind == hipMemcpyHostToDevice     ? HIP_COPY_KIND_H2D_EXT
                             : kind == hipMemcpyDeviceToHost   ? HIP_COPY_KIND_D2H_EXT
                             : kind == hipMemcpyDeviceToDevice ? HIP_COPY_KIND_D2D_EXT
                                                               : HIP_COPY_KIND_UNKNOWN_EXT;
  gpu.copy_kind = (direction == HIP_COPY_KIND_UNKNOWN_EXT ? direction : direction + (rectangle ? 1 : 0)) & 15;
}

} // namespace

struct CallRecord::Call {
  hipApiRecordExt record{};
  std::shared_ptr<RecordChunk> chunk; // and the record's place there
  size_t place = 0;
  core::Pin<core::Stream> stream; // and a point of it before the call; null: the call gives no stream work
  Ref<backend::Completion> before;
  uint64_t called_ns = 0;
};
void CallRecord::Release::operator()(Call* call) const noexcept { delete call; }

void CallRecord::begin(ApiId id, const char* names, std::span<const TraceArgument> values) noexcept {
  const string_view name = api_name(static_cast<uint32_t>(id));
  if ((name.starts_with("hipProfiler") && name.ends_with("Ext")) || id == ApiId::__hipOnError || delivers) return;
  try {
    std::unique_ptr<Call, Release> call(new Call);
    hipApiRecordExt& record = call->record;
    record.api_name = name.data();
    record.thread_id = static_cast<uint64_t>(::gettid());
    record.start_ns = Profiler::get().real_ns();
    const Arguments arguments(names, values);
    record.stream = reinterpret_cast<hipStream_t>(arguments.bits({"stream", "hStream"}));
    const auto address = [&](std::initializer_list<string_view> wanted) {
      const TraceArgument* const found = arguments.find(wanted);
      return found && found->kind == TraceArgument::Kind::Pointer ? reinterpret_cast<void*>(found->bits) : nullptr;
    };
    record.memory1 = address({"dst", "dest", "ptr", "dev_ptr", "devPtr", "graphExec"});
    record.memory2 = address({"src"});
    record.size = arguments.bits({"sizeBytes", "size", "count", "byteCount", "width"});
    if (const TraceArgument* const height = arguments.find({"height"})) record.size *= height->bits;
    if (name.find("D16") != name.npos) record.size *= 2;
    if (name.find("D32") != name.npos) record.size *= 4;
    std::tie(call->chunk, call->place) = Profiler::get().take(record);
    if (!call->chunk) return;
    call_ = std::move(call); // is recorded from here on

    const Gives what = gives(name);
    if (what == Gives::Nothing || !core::initialise().ok()) return;
    core::Handle handle = record.stream;
    if (!handle && name.ends_with("_spt")) handle = hipStreamPerThread;
    if (const auto* const config = reinterpret_cast<const hipLaunchConfig_t*>(arguments.bits({"config"})))
      if (arguments.find({"fPtr"})) handle = record.stream = config->stream;
    auto stream = core::find_stream(handle);
    if (!stream.ok() || stream.value()->captures()) return;
    auto before = stream.value()->record({.timed = true, .dated = true});
    if (!before.ok()) return;
    call_->stream = std::move(stream).value();
    call_->before = std::move(before).value();
    call_->called_ns = steady_ns();
    if (what == Gives::Launch) describe_launch(record.gpu, arguments);
    if (what == Gives::Copy || what == Gives::Fill) describe_transfer(record, name, what, arguments);
    if (what == Gives::Graph) record.gpu.op = HIP_OP_DISPATCH_EXT, record.gpu.is_graph = 1;
    record.gpu.device_id = static_cast<uint64_t>(call_->stream->device().ordinal()) & 0xffff;
    record.gpu.queue_id = call_->stream->id() & 0xffff;
  } catch (...) { // out of memory: the call matters more than its record
  }
}

void CallRecord::end(bool succeeded) noexcept {
  if (!call_) return;
  hipApiRecordExt& record = call_->record;
  // Where a call says where it has allocated.
  const string_view name = record.api_name;
  if (succeeded && record.memory1 && name.starts_with("hip") && name.find("Malloc") != name.npos)
    record.memory1 = *static_cast<void**>(record.memory1);
  try {
    std::optional<Pending> pending;
    if (call_->before && succeeded && !call_->stream->captures()) {
      auto behind = call_->stream->record({.timed = true, .dated = true});
      if (behind.ok())
        pending = Pending{call_->place, std::move(call_->before), std::move(behind).value(), call_->called_ns};
    }
    call_->stream = {};
    record.end_ns = Profiler::get().real_ns();
    Profiler::get().end(*call_->chunk, call_->place, record, std::move(pending));
  } catch (...) { // out of memory: without what the device did
    Profiler::get().end(*call_->chunk, call_->place, record, std::nullopt);
  }
}

// ---- the interface
// ---------------------------------------------------------------------------------------------------

Status hipProfilerEnableExt(uint64_t* start_record_id, uint64_t) {
  const uint64_t total = Profiler::get().enable();
  if (start_record_id) *start_record_id = total;
  return {};
}

Status hipProfilerDisableExt(uint64_t* end_record_id) {
  uint64_t total = 0;
  if (Profiler::get().disable(total)) {
    for (core::Device* const device : core::devices()) device->finish();
    Profiler::get().finish();
  }
  if (end_record_id) *end_record_id = total;
  return {};
}

Status hipProfilerGetRecordsExt(const hipApiRecordExt* const** chunks, size_t* chunk_count, size_t* chunk_size,
                                size_t* total_count) {
  *chunks = Profiler::get().directory(*chunk_count, *total_count);
  *chunk_size = kChunkRecords;
  return {};
}

Status hipProfilerRegisterChunkCallbackExt(hipProfilerChunkCallback callback, void* user_data) {
  Profiler::get().set_callback(callback, user_data);
  return {};
}

Status hipProfilerResetExt() {
  if (Profiler::get().reset()) return {};
  return error(ErrorCode::IllegalState, "Calls are being recorded.");
}

namespace {

// One event of a trace; times in microseconds.
void put_event(std::string& out, const char* name, const char* what, uint64_t thread, uint64_t begin_ns,
               uint64_t end_ns) {
  std::string escaped;
  for (const char c : string_view(name)) {
    if (c == '"' || c == '\\') escaped += '\\';
    escaped += c;
  }
  out += fmt::format(
      "{}{{\"name\":\"{}\",\"cat\":\"{}\",\"ph\":\"X\",\"pid\":{},\"tid\":{},\"ts\":{}.{:03},\"dur\":{}.{:03}}}",
      out.ends_with('[') ? "\n" : ",\n", escaped, what, ::getpid(), thread, begin_ns / 1000, begin_ns % 1000,
      (end_ns - begin_ns) / 1000, (end_ns - begin_ns) % 1000);
}

} // namespace

Status hipProfilerWriteJsonExt(const char* filepath) {
  const char* const path = filepath ? filepath : "hip_clr_trace.json";
  std::string out = "{\"traceEvents\":[";
  Profiler::get().each_ended([&](const hipApiRecordExt& record) {
    put_event(out, record.api_name, "hip", record.thread_id, record.start_ns, record.end_ns);
    if (!record.has_gpu_activity) return;
    const hipGpuActivityExt& gpu = record.gpu;
    const char* const name = gpu.op == HIP_OP_COPY_EXT ? "copy" : gpu.kernel_name ? gpu.kernel_name : "graph";
    put_event(out, name, "device", gpu.queue_id, gpu.begin_ns, gpu.end_ns);
  });
  out += "\n]}\n";
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::fopen(path, "we"), std::fclose);
  if (!file || std::fwrite(out.data(), 1, out.size(), file.get()) != out.size() || std::fflush(file.get()) != 0)
    return error(ErrorCode::FileNotFound, "The trace \"{}\" cannot be written.", path);
  return {};
}

} // namespace hip::api
