#include "runtime/backend/null/null_device.h"

#include "runtime/codeobject/loader.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <memory>

namespace hip::backend::null {

namespace {
constexpr size_t kAlignment = 256;
constexpr uint64_t kMemoryBytes = uint64_t(1) << 32;
constexpr uint64_t kMostImageBytes = uint64_t(1) << 30; // of one code object, which tells its size itself
} // namespace

NullCompletion::NullCompletion() noexcept
    : timestamp_ns_(
          static_cast<uint64_t>(std::chrono::steady_clock::now().time_since_epoch() / std::chrono::nanoseconds(1))) {}

// ---- code objects ------------------------------------------------------------------------------------------------

Result<std::unique_ptr<Executable>> NullExecutable::load(std::span<const std::byte> image) {
  RT_TRY_ASSIGN(const codeobject::CodeObject code, codeobject::CodeObject::parse(image));
  auto executable = std::make_unique<NullExecutable>();
  executable->target_ = code.target().to_string();
  RT_TRY_ASSIGN(const codeobject::LoadedImage loaded,
                codeobject::load_image(code, [&](uint64_t bytes, uint64_t align) -> Result<codeobject::ImageMemory> {
                  if (bytes > kMostImageBytes || align > kMostImageBytes)
                    return error(ErrorCode::OutOfMemory, "A code object asks for {} bytes aligned to {}; it gets {}.",
                                 bytes, align, kMostImageBytes);
                  executable->memory_.reset(static_cast<std::byte*>(std::calloc(bytes + align, 1)));
                  if (!executable->memory_) return error(ErrorCode::OutOfMemory, "The host has no {} bytes.", bytes);
                  const uint64_t begin = reinterpret_cast<uint64_t>(executable->memory_.get());
                  const uint64_t base = (begin + align - 1) / align * align;
                  return codeobject::ImageMemory{{executable->memory_.get() + (base - begin), bytes}, base};
                }));
  const auto global_of = [&loaded](const codeobject::Symbol& symbol) {
    return Global{reinterpret_cast<void*>(loaded.address_of(symbol)), static_cast<size_t>(symbol.size)};
  };
  for (const codeobject::Symbol& symbol : code.symbols())
    if (symbol.is_in_image() && symbol.kind == codeobject::SymbolKind::Object && !symbol.name.ends_with(".kd"))
      executable->globals_[std::string(symbol.name)] = global_of(symbol);
  for (const codeobject::ManagedVariable& variable : code.managed_variables())
    executable->managed_variables_.push_back(
        {std::string(variable.name), global_of(*variable.pointer), global_of(*variable.storage)});
  for (const codeobject::Kernel& source : code.kernels()) {
    Kernel& kernel = executable->kernels_[source.info.name];
    kernel.name = source.info.name;
    for (uint32_t i = 0; i < source.info.explicit_args; ++i) {
      const codeobject::KernelArg& arg = source.info.args[i];
      kernel.arguments.push_back({arg.offset, arg.size});
      kernel.explicit_bytes = std::max(kernel.explicit_bytes, arg.offset + arg.size);
    }
    kernel.attributes.static_lds_bytes = source.descriptor.group_segment_fixed_size;
    kernel.attributes.private_bytes = source.descriptor.private_segment_fixed_size;
    kernel.attributes.kernarg_bytes = source.info.kernarg_segment_size;
    kernel.attributes.vgprs = source.info.vgpr_count;
    kernel.attributes.agprs = source.info.agpr_count;
    kernel.attributes.sgprs = source.info.sgpr_count;
    if (source.info.max_flat_workgroup_size) kernel.attributes.max_group_items = source.info.max_flat_workgroup_size;
    kernel.attributes.required_group = source.info.reqd_workgroup_size;
  }
  return std::unique_ptr<Executable>(std::move(executable));
}

Result<Kernel*> NullExecutable::find_kernel(std::string_view name) {
  const auto found = kernels_.find(name);
  if (found == kernels_.end()) return error(ErrorCode::NotFound, "The code object has no kernel \"{}\".", name);
  return &found->second;
}

Result<Global> NullExecutable::find_global(std::string_view name) {
  const auto found = globals_.find(name);
  if (found == globals_.end()) return error(ErrorCode::NotFound, "The code object has no variable \"{}\".", name);
  return found->second;
}

std::vector<Kernel*> NullExecutable::kernels() {
  std::vector<Kernel*> all;
  for (auto& [name, kernel] : kernels_) all.push_back(&kernel);
  return all;
}

// ---- queues ------------------------------------------------------------------------------------------------------

Status NullQueue::copy(void* dst, const void* src, size_t bytes) {
  if (bytes != 0) std::memmove(dst, src, bytes); // else either may be null: a managed variable without an initial value
  return Status();
}

namespace {
template<class F> void for_each_row(const Extent3& extent, F row) {
  for (size_t z = 0; z < extent.depth; ++z)
    for (size_t y = 0; y < extent.height; ++y) row(z, y);
}
std::byte* row_address(const Region& region, size_t z, size_t y) noexcept {
  return static_cast<std::byte*>(region.base) + z * region.slice_bytes + y * region.pitch_bytes;
}
} // namespace

Status NullQueue::copy_3d(const Region& dst, const Region& src, const Extent3& extent) {
  for_each_row(extent, [&](size_t z, size_t y) {
    std::memmove(row_address(dst, z, y), row_address(src, z, y), extent.width_bytes);
  });
  return Status();
}

Status NullQueue::fill_3d(const Region& dst, uint64_t pattern, uint32_t pattern_bytes, const Extent3& extent) {
  if (pattern_bytes == 0 || pattern_bytes > 8 || extent.width_bytes % pattern_bytes != 0)
    return error(ErrorCode::InvalidValue, "A fill of {} bytes cannot have a pattern of {} bytes.", extent.width_bytes,
                 pattern_bytes);
  for_each_row(extent, [&](size_t z, size_t y) {
    std::byte* const row = row_address(dst, z, y);
    for (size_t x = 0; x < extent.width_bytes; x += pattern_bytes) std::memcpy(row + x, &pattern, pattern_bytes);
  });
  return Status();
}

Result<Ref<Completion>> NullQueue::record(const PointOptions&) { return Ref<Completion>(make_ref<NullCompletion>()); }

Status NullQueue::wait(const Ref<Completion>& completion) { return completion->wait(); }

Status NullQueue::host_function(HostFunction fn, void* user_data) {
  fn(user_data, Status());
  return Status();
}

Status NullQueue::wait_value(const ValueWait& wait) {
  if (wait.holds()) return Status();
  return error(ErrorCode::NotSupported,
               "The null device does its work at once; the word at {} does not have its value.",
               const_cast<void*>(wait.address));
}

// ---- the device --------------------------------------------------------------------------------------------------

NullDevice::NullDevice() {
  properties_.name = "Null device (executes nothing)";
  properties_.target = "gfx942";
  properties_.is_software = true;
  properties_.memory_bytes = kMemoryBytes;
  properties_.compute_units = 1;
  properties_.max_waves_per_cu = 32;
  properties_.memory_is_host_memory = true;
  properties_.takes_short_arguments = true;
  properties_.host_native_atomics = properties_.direct_managed_access_from_host = true;
}

NullDevice::~NullDevice() {
  for (const auto& [base, bytes] : allocations_) std::free(base);
}

Result<MemoryInfo> NullDevice::memory_info() {
  std::lock_guard guard(mutex_);
  return MemoryInfo{kMemoryBytes - used_bytes_, kMemoryBytes};
}

Result<void*> NullDevice::allocate(size_t bytes, MemoryKind) {
  std::lock_guard guard(mutex_);
  if (bytes > kMemoryBytes - used_bytes_)
    return error(ErrorCode::OutOfMemory, "Allocating {} bytes fails: {} of {} are in use.", bytes, used_bytes_,
                 kMemoryBytes);
  struct Free {
    void operator()(void* base) const noexcept { std::free(base); }
  };
  std::unique_ptr<void, Free> base( // until it is known, for which the host may have no memory
      std::aligned_alloc(kAlignment, (std::max<size_t>(bytes, 1) + kAlignment - 1) / kAlignment * kAlignment));
  if (!base) return error(ErrorCode::OutOfMemory, "The host has no {} bytes.", bytes);
  allocations_[base.get()] = bytes;
  used_bytes_ += bytes;
  return base.release();
}

Status NullDevice::free(void* base, MemoryKind) {
  std::lock_guard guard(mutex_);
  const auto found = allocations_.find(base);
  if (found == allocations_.end())
    return error(ErrorCode::InvalidValue, "{} is no allocation, or has been freed already.", base);
  used_bytes_ -= found->second;
  allocations_.erase(found);
  std::free(base);
  return Status();
}

Status NullDevice::register_host(void* base, size_t bytes) {
  std::lock_guard guard(mutex_);
  auto after = registered_.upper_bound(base);
  const bool overlaps_next = after != registered_.end() && static_cast<std::byte*>(base) + bytes > after->first;
  if (after != registered_.begin()) {
    const auto before = std::prev(after);
    if (overlaps_next || static_cast<std::byte*>(before->first) + before->second > base)
      return error(ErrorCode::HostMemoryAlreadyRegistered, "Host memory at {} overlaps registered memory.", base);
  } else if (overlaps_next) {
    return error(ErrorCode::HostMemoryAlreadyRegistered, "Host memory at {} overlaps registered memory.", base);
  }
  registered_[base] = bytes;
  return Status();
}

Status NullDevice::unregister_host(void* base) {
  std::lock_guard guard(mutex_);
  if (registered_.erase(base) == 0)
    return error(ErrorCode::HostMemoryNotRegistered, "{} is not the start of registered host memory.", base);
  return Status();
}

Result<std::unique_ptr<Executable>> NullDevice::load(std::span<const std::byte> image) {
  return NullExecutable::load(image);
}

Result<std::unique_ptr<Queue>> NullDevice::create_queue(const QueueOptions&) {
  return std::unique_ptr<Queue>(std::make_unique<NullQueue>());
}

Status NullDevice::enable_peer(Device&) {
  return error(ErrorCode::PeerAccessUnsupported, "The null device has no peers.");
}

Status NullDevice::disable_peer(Device&) {
  return error(ErrorCode::PeerAccessNotEnabled, "The null device has no peers.");
}

uint32_t NullDevice::max_groups_per_cu(const Kernel& kernel, uint32_t group_items, uint32_t dynamic_lds_bytes) {
  if (group_items == 0 || group_items > properties_.max_group_items) return 0;
  const uint32_t by_waves = properties_.max_waves_per_cu * properties_.wave_lanes / group_items;
  const uint64_t lds_bytes = uint64_t{kernel.attributes.static_lds_bytes} + dynamic_lds_bytes;
  return lds_bytes == 0 ? by_waves
                        : static_cast<uint32_t>(std::min<uint64_t>(by_waves, properties_.lds_bytes_per_cu / lds_bytes));
}

} // namespace hip::backend::null
