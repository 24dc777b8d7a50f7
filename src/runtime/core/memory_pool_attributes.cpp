// What a program sets and asks of a pool, and what it gives to other processes.
#include "runtime/core/memory_pool.h"

#include <algorithm>

namespace hip::core {

namespace {

constexpr uint64_t bit_of(const Device& device) noexcept { return uint64_t{1} << (device.ordinal() & 63); }

} // namespace

Result<uint64_t> MemoryPool::attribute(Attribute attribute) const {
  if (native_) return native_->attribute(attribute);
  std::lock_guard lock(mutex_);
  switch (attribute) {
  case Attribute::FollowEventDependencies:
    return uint64_t{follow_events_};
  case Attribute::AllowOpportunistic:
    return uint64_t{opportunistic_};
  case Attribute::AllowInternalDependencies:
    return uint64_t{internal_dependencies_};
  case Attribute::ReleaseThreshold:
    return threshold_;
  case Attribute::ReservedCurrent:
    return reserved_;
  case Attribute::ReservedHigh:
    return reserved_high_;
  case Attribute::UsedCurrent:
    return used_;
  case Attribute::UsedHigh:
    return used_high_;
  }
  return error(ErrorCode::InvalidValue, "{} is no attribute of a memory pool.", static_cast<uint32_t>(attribute));
}

Status MemoryPool::set_attribute(Attribute attribute, uint64_t value) {
  const bool is_mark = attribute == Attribute::ReservedHigh || attribute == Attribute::UsedHigh;
  if (is_mark && value != 0)
    return error(ErrorCode::InvalidValue, "A high-water mark is set to {}; only 0, which resets it, can be set.",
                 value);
  if (attribute == Attribute::ReservedCurrent || attribute == Attribute::UsedCurrent)
    return error(ErrorCode::InvalidValue, "What a pool holds ({}) can be asked for, not set.",
                 attribute == Attribute::UsedCurrent ? "hipMemPoolAttrUsedMemCurrent"
                                                     : "hipMemPoolAttrReservedMemCurrent");
  if (native_) return native_->set_attribute(attribute, value);
  std::lock_guard lock(mutex_);
  switch (attribute) {
  case Attribute::FollowEventDependencies:
    follow_events_ = value != 0;
    return {};
  case Attribute::AllowOpportunistic:
    opportunistic_ = value != 0;
    return {};
  case Attribute::AllowInternalDependencies:
    internal_dependencies_ = value != 0;
    return {};
  case Attribute::ReservedHigh:
    reserved_high_ = reserved_;
    return {};
  case Attribute::UsedHigh:
    used_high_ = used_;
    return {};
  case Attribute::ReleaseThreshold:
    threshold_ = value;
    note_surplus();
    return {};
  case Attribute::ReservedCurrent:
  case Attribute::UsedCurrent:
    break;
  }
  return error(ErrorCode::InvalidValue, "{} is no attribute of a memory pool.", static_cast<uint32_t>(attribute));
}

Result<MemoryPool::Access> MemoryPool::access(Device& device) const {
  if (native_ && device.same_backend(device_)) return native_->access(device.hal());
  if (&device == &device_) return Access::ReadWrite;
  std::lock_guard lock(mutex_);
  const SharedBlocks::Access& access = accessors();
  if ((access.writers.load() & bit_of(device)) != 0) return Access::ReadWrite;
  return (access.readers.load() & bit_of(device)) != 0 ? Access::Read : Access::None;
}

Status MemoryPool::set_access(Device& device, Access access) {
  if (&device == &device_) {
    if (access == Access::ReadWrite) return {};
    return error(ErrorCode::InvalidDevice, "Device {} owns the pool and keeps its access.", device_.ordinal());
  }
  if (access != Access::None && (!device.same_backend(device_) || !device.hal().peer_link(device_.hal()).access))
    return error(ErrorCode::InvalidDevice, "Device {} cannot access the memory of device {}.", device.ordinal(),
                 device_.ordinal());
  if (native_) return device.same_backend(device_) ? native_->set_access(device.hal(), access) : Status();
  std::lock_guard lock(mutex_);
  const auto put = [&](std::atomic<uint64_t>& devices, bool has) {
    has ? devices.fetch_or(bit_of(device)) : devices.fetch_and(~bit_of(device));
  };
  put(accessors().readers, access == Access::Read);
  put(accessors().writers, access == Access::ReadWrite);
  return {};
}

// ---- other processes -----------------------------------------------------------------------------------------------

Result<int> MemoryPool::export_descriptor() {
  if (properties_.handle_types == 0)
    return error(ErrorCode::InvalidValue, "The pool was made without a type of handle for other processes.");
  return native_ ? native_->export_descriptor() : shared_->export_pool();
}

Result<backend::PoolPointerData> MemoryPool::export_pointer(const Allocation& allocation) {
  if (properties_.handle_types == 0)
    return error(ErrorCode::InvalidValue, "{} is of a pool that was made without a type of handle for other processes.",
                 allocation.base);
  return native_ ? native_->export_pointer(allocation.base) : shared_->export_block(allocation.base, allocation.bytes);
}

Result<void*> MemoryPool::import_pointer(const backend::PoolPointerData& data) {
  size_t bytes = 0;
  void* base = nullptr;
  if (native_) {
    RT_TRY_ASSIGN(base, native_->import_pointer(data, bytes));
    count_native();
  } else {
    if (!shared_) return error(ErrorCode::InvalidValue, "The pool is not imported from another process.");
    RT_TRY_ASSIGN(base, shared_->open(data, bytes));
    std::lock_guard lock(mutex_);
    used_ += bytes;
    used_high_ = std::max(used_high_, used_);
    reserved_ += size_class(bytes).bytes;
    reserved_high_ = std::max(reserved_high_, reserved_);
    ++live_blocks_;
  }
  return enter(base, bytes);
}

} // namespace hip::core
