#include "runtime/core/memory_pool.h"

#include "runtime/core/pool_list.h"
#include "runtime/core/runtime.h"

#include <algorithm>
#include <bit>
#include <new>

namespace hip::core {

// ---- sizes ---------------------------------------------------------------------------------------------------------

MemoryPool::SizeClass MemoryPool::size_class(size_t bytes) noexcept {
  constexpr size_t kGranule = 256, kSmall = 4096;
  if (bytes <= kSmall) {
    const size_t granules = (bytes + kGranule - 1) / kGranule;
    return {static_cast<uint32_t>(granules), granules * kGranule};
  }
  // Eight steps from each power of two to the next.
  const unsigned power = static_cast<unsigned>(std::bit_width(bytes - 1)) - 1, step_bits = power - 3;
  const size_t steps = ((bytes - 1) >> step_bits) + 1; // 9 to 16
  constexpr unsigned kSmallPower = 12, kFirst = kSmall / kGranule + 1;
  return {static_cast<uint32_t>(kFirst + (power - kSmallPower) * 8 + (steps - 9)), steps << step_bits};
}

size_t MemoryPool::class_bytes(uint32_t index) noexcept {
  constexpr uint32_t kSmallClasses = 16;
  if (index <= kSmallClasses) return size_t{index} * 256;
  const uint32_t large = index - kSmallClasses - 1;
  return size_t{large % 8 + 9} << (large / 8 + 9); // steps of 2^(power - 3), from power 12 on
}

// ---- allocation ----------------------------------------------------------------------------------------------------

MemoryPool::MemoryPool(Device& device, const PoolProperties& properties, std::unique_ptr<backend::MemoryPool> native,
                       std::unique_ptr<SharedBlocks> shared)
    : device_(device), properties_(properties), native_(std::move(native)), shared_(std::move(shared)) {}

Result<void*> MemoryPool::take_memory(size_t bytes) {
  return shared_ ? shared_->allocate(bytes) : device_.hal().allocate(bytes, backend::MemoryKind::Device);
}

Status MemoryPool::give_memory(void* base) {
  return shared_ ? shared_->free(base) : device_.hal().free(base, backend::MemoryKind::Device);
}

// Takes the block that was freed last among those that the stream may use now.
bool MemoryPool::take_idle(uint32_t index, uint64_t stream, const std::vector<StreamProgress>& seen, Search search,
                           Block& taken) {
  std::vector<Block>& blocks = idle_[index];
  const auto take = [&](size_t i) {
    taken = std::move(blocks[i]);
    if (i + 1 != blocks.size())
      blocks.erase(blocks.begin() + static_cast<ptrdiff_t>(i));
    else
      blocks.pop_back();
    --idle_blocks_;
    return true;
  };
  for (size_t i = blocks.size(); i-- > 0;)
    if (blocks[i].stream == stream) return take(i);
  const auto waited_for = [&](const Block& block) {
    return std::any_of(seen.begin(), seen.end(), [&](const StreamProgress& progress) {
      return progress.stream == block.stream && progress.frees >= block.frees;
    });
  };
  for (size_t i = blocks.size(); i-- > 0;) {
    const Block& block = blocks[i];
    if (search == Search::AnyStream || (follow_events_ && waited_for(block)) ||
        (opportunistic_ && (!block.point || block.point->done())))
      return take(i);
  }
  return false;
}

void MemoryPool::put_back(uint32_t index, const Block& block) {
  {
    std::lock_guard lock(mutex_);
    try {
      idle_[index].push_back(block); // blocks that were freed meanwhile may have taken the room
      ++idle_blocks_;
      note_surplus(); // a wait that came meanwhile has not seen the block
      return;
    } catch (const std::bad_alloc&) {
      reserved_ -= block.bytes;
    }
  }
  if (block.point) block.point->finish();
  static_cast<void>(give_memory(block.base));
}

void MemoryPool::forget_use(size_t bytes) noexcept {
  used_ -= bytes;
  --live_blocks_;
}

Result<void*> MemoryPool::allocate_native(size_t bytes, Stream& stream) {
  void* base = nullptr;
  RT_TRY(stream.submit([&](backend::Queue& queue) -> Status {
    RT_TRY_ASSIGN(base, native_->allocate(queue, bytes));
    return {};
  }));
  return base;
}

Result<void*> MemoryPool::allocate_fresh(size_t bytes, Stream& stream) {
  const SizeClass size = size_class(bytes);
  size_t taken_bytes = size.bytes;
  Result<void*> memory = take_memory(size.bytes);
  if (!memory.ok() && memory.status().code() == ErrorCode::OutOfMemory) {
    Block block{};
    bool found = false;
    {
      std::lock_guard lock(mutex_);
      found = internal_dependencies_ && take_idle(size.index, stream.id(), {}, Search::AnyStream, block);
    }
    if (found) {
      Status waits = Status::no_memory();
      try {
        waits = block.point ? stream.wait_now(block.point, *block.origin) : Status();
      } catch (const std::bad_alloc&) {
      }
      if (waits.ok()) return block.base;
      put_back(size.index, block); // it stays the pool's
      return waits;
    }
    memory = allocate_from_kept(device_, [&] {
      Result<void*> whole = take_memory(taken_bytes = size.bytes);
      if (whole.ok() || bytes == size.bytes || whole.status().code() != ErrorCode::OutOfMemory) return whole;
      return take_memory(taken_bytes = bytes);
    });
  }
  if (!memory.ok()) return memory;
  std::lock_guard lock(mutex_);
  if (taken_bytes != size.bytes) {
    try {
      without_class_.push_back(*memory);
    } catch (const std::bad_alloc&) {
      static_cast<void>(give_memory(*memory));
      throw;
    }
  }
  reserved_ += taken_bytes;
  reserved_high_ = std::max(reserved_high_, reserved_);
  return memory;
}

MemoryPool::SizeClass MemoryPool::class_of(const Allocation& allocation) const noexcept {
  const std::vector<const void*>& without = without_class_; // empty unless the device ran out of memory
  if (std::find(without.begin(), without.end(), allocation.base) != without.end()) [[unlikely]]
    return {kNoClass, allocation.bytes};
  return size_class(allocation.bytes);
}

void MemoryPool::forget_class(const Allocation& allocation) noexcept { std::erase(without_class_, allocation.base); }

// A pool of the back end's counts its blocks, too: with the last of them it goes, when it was destroyed before.
void MemoryPool::count_native() {
  std::lock_guard lock(mutex_);
  ++live_blocks_;
}
void MemoryPool::forget_native() {
  bool ended;
  {
    std::lock_guard lock(mutex_);
    --live_blocks_;
    ended = ended_;
  }
  PoolList::memory_was_freed(ended);
}

Result<void*> MemoryPool::allocate(size_t bytes, Stream& stream) {
  if (shared_ && shared_->is_imported())
    return error(ErrorCode::InvalidValue, "The pool is of another process, which alone allocates from it.");
  const uint64_t most = device_.properties().memory_bytes;
  if (bytes > most)
    return error(ErrorCode::OutOfMemory, "{} bytes are more than the {} that device {} has.", bytes, most,
                 device_.ordinal());
  void* base = nullptr;
  if (native_) {
    RT_TRY_ASSIGN(base, allocate_native(bytes, stream));
    count_native();
  } else {
    const std::vector<StreamProgress> seen = stream.seen();
    // What is given to blocking streams from now on waits for the null stream's work, and so for a free in it.
    if (stream.kind() == Stream::Kind::Null) RT_TRY(stream.submit([](backend::Queue&) { return Status(); }));
    Block block{};
    bool found;
    {
      std::lock_guard lock(mutex_);
      if (properties_.max_bytes != 0 && bytes > properties_.max_bytes - used_)
        return error(ErrorCode::OutOfMemory, "The pool may have {} bytes, {} are used, and {} are asked for.",
                     properties_.max_bytes, used_, bytes);
      found = take_idle(size_class(bytes).index, stream.id(), seen, Search::SameStreamOrDone, block);
      used_ += bytes;
      used_high_ = std::max(used_high_, used_);
      ++live_blocks_;
    }
    base = block.base;
    if (!found) {
      Result<void*> fresh = Status::no_memory();
      try {
        fresh = allocate_fresh(bytes, stream);
      } catch (const std::bad_alloc&) {
      }
      if (!fresh.ok()) {
        std::lock_guard lock(mutex_);
        forget_use(bytes);
        return fresh;
      }
      base = *fresh;
    }
  }
  return enter(base, bytes);
}

Result<void*> MemoryPool::enter(void* base, size_t bytes) {
  const Allocation allocation{
      .base = base, .bytes = bytes, .memory = backend::MemoryKind::StreamOrdered, .device = &device_, .pool = this};
  try {
    if (addresses().insert(allocation)) [[likely]]
      return base;
  } catch (const std::bad_alloc&) {
    static_cast<void>(free_now(allocation));
    throw;
  }
  RT_TRY(free_now(allocation));
  return error(ErrorCode::OutOfMemory, "The {} bytes at {} overlap host memory that is still registered.", bytes, base);
}

Status MemoryPool::free(const Allocation& allocation, Stream& stream) {
  if (native_) { // only queues of the memory's device release it
    Stream& own = &stream.device() == &device_ ? stream : device_.null_stream();
    if (&own != &stream) {
      RT_TRY_ASSIGN(const Ref<backend::Completion> before, stream.record());
      RT_TRY(own.wait_now(before, stream.device()));
    }
    RT_TRY(own.submit_now([&](backend::Queue& queue) {
      return queue.release(device_.hal(), allocation.base, backend::MemoryKind::StreamOrdered);
    }));
    forget_native();
    return {};
  }
  if (shared_ && shared_->is_imported()) {   // the mapping goes now, so nothing may use it any more
    stream.finish();
    return free_now(allocation);
  }
  Block block{.base = allocation.base, .stream = stream.id(), .origin = &stream.device()};
  const Status recorded = stream.submit_now([&](backend::Queue& queue) -> Status {
    RT_TRY_ASSIGN(block.point, queue.record({.timed = false}));
    block.frees = stream.count_free();
    return {};
  });
  if (!recorded.ok()) { // without a point nobody can tell when the memory may be used again
    stream.finish();
    block.point = {};
  }
  if (block.point && block.point->done()) block.point = {};
  bool ended;
  {
    std::lock_guard lock(mutex_);
    const SizeClass size = class_of(allocation);
    block.bytes = size.bytes;
    idle_[size.index].push_back(std::move(block)); // first: it may find no memory
    if (size.index == kNoClass) forget_class(allocation);
    forget_use(allocation.bytes);
    ++idle_blocks_;
    ended = ended_;
    note_surplus();
  }
  PoolList::memory_was_freed(ended);
  return recorded;
}

Status MemoryPool::free_now(const Allocation& allocation) {
  // In a stream: memory that the driver frees without one stays in what it says that the pool's users have.
  if (native_) return free(allocation, device_.null_stream());
  Block block{.base = allocation.base};
  {
    std::lock_guard lock(mutex_);
    block.bytes = class_of(allocation).bytes;
    forget_class(allocation); // before the address can be given again
    reserved_ -= block.bytes;
  }
  Status status = give_back(block);
  bool ended;
  {
    std::lock_guard lock(mutex_);
    forget_use(allocation.bytes); // last: a pool that has ended goes with its last allocation
    ended = ended_;
  }
  PoolList::memory_was_freed(ended);
  return status;
}

// ---- what is not used ----------------------------------------------------------------------------------------------

// Removes blocks that nothing can use any more, large ones first, until at most `keep_bytes` are reserved. When the
// host has no memory for the list of them, all stay as they are.
std::vector<MemoryPool::Block> MemoryPool::take_surplus(uint64_t keep_bytes) {
  std::vector<Block> taken;
  if (reserved_ > keep_bytes) taken.reserve(idle_blocks_); // nothing that follows allocates
  for (size_t index = kClasses; index-- > 0 && idle_blocks_ != 0 && reserved_ > keep_bytes;) {
    std::vector<Block>& blocks = idle_[index];
    if (blocks.empty()) continue;
    std::erase_if(blocks, [&](Block& block) {
      if (reserved_ <= keep_bytes || (block.point && !block.point->done())) return false;
      reserved_ -= block.bytes;
      --idle_blocks_;
      taken.push_back(std::move(block));
      return true;
    });
  }
  return taken;
}

Status MemoryPool::give_back(const Block& block) noexcept {
  try {
    return give_memory(block.base);
  } catch (const std::bad_alloc&) {
    keep(block);
    return Status::no_memory();
  }
}

Status MemoryPool::give_back(const std::vector<Block>& blocks) noexcept {
  Status first;
  for (const Block& block : blocks)
    if (Status status = give_back(block); first.ok()) first = std::move(status);
  return first;
}

void MemoryPool::keep(const Block& block) noexcept {
  const SizeClass size = size_class(block.bytes);
  std::lock_guard lock(mutex_);
  try {
    idle_[size.bytes == block.bytes ? size.index : kNoClass].push_back(block);
  } catch (const std::bad_alloc&) { // the list has no room for it: the device keeps it until the process ends
    return;
  }
  ++idle_blocks_;
  reserved_ += block.bytes;
  note_surplus();
}

void MemoryPool::note_surplus() noexcept {
  if (surplus_ || idle_blocks_ == 0 || reserved_ <= threshold_) return;
  surplus_ = true;
  detail::pools_with_surplus.fetch_add(1, std::memory_order_relaxed);
}

Status MemoryPool::trim(uint64_t min_bytes_to_hold) {
  if (native_) return native_->trim(min_bytes_to_hold);
  std::vector<Block> surplus;
  {
    std::lock_guard lock(mutex_);
    surplus = take_surplus(min_bytes_to_hold);
  }
  return give_back(surplus);
}

void MemoryPool::trim_to_threshold() noexcept {
  std::vector<Block> surplus;
  {
    std::lock_guard lock(mutex_);
    if (!surplus_) return;
    try {
      surplus = take_surplus(threshold_);
    } catch (const std::bad_alloc&) { // the pool has all of it still, and counts as one with surplus
      return;
    }
    surplus_ = reserved_ > threshold_ && idle_blocks_ != 0;
    if (!surplus_) detail::pools_with_surplus.fetch_sub(1, std::memory_order_relaxed);
  }
  static_cast<void>(give_back(surplus)); // the memory was the pool's, and nobody waits for it
}

KeptMemory MemoryPool::release_idle() {
  std::vector<Block> all;
  bool any_in_use;
  {
    std::lock_guard lock(mutex_);
    all = take_surplus(0);
    any_in_use = idle_blocks_ != 0;
  }
  bool any_given = false; // what could not be given back is nothing to try again for
  for (const Block& block : all) any_given |= give_back(block).ok();
  return any_given ? KeptMemory::GivenBack : any_in_use ? KeptMemory::InUse : KeptMemory::None;
}

} // namespace hip::core
