// runtime/core/handle_table.h - the handles that users hold: checked numbers, never addresses. A handle names a slot
// and the slot's generation, so garbage and destroyed handles are told from live ones without touching memory they
// point at. Thread safety: all functions may be called from any thread. Looking a handle up takes no lock: it pins the
// slot with one compare-and-swap, and the object lives until its handle is removed and the last pin is gone. Memory
// ordering: insert releases the object, pin acquires it; the last unpin acquires all uses before it destroys.
#pragma once

#include <array>
#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

namespace hip::core {

enum class HandleKind : uint8_t {
  Stream = 1,
  Event,
  Module,
  Function,
  Context,
  MemoryPool,
  Array,
  MipmappedArray,
  PhysicalMemory,
  Graph,
  GraphNode,
  GraphExec,
  UserObject,
  Library,
  ExternalMemory,
  ExternalSemaphore,
  ResourceDescriptor,
  ExecutionContext
};

// What a user's opaque pointer (hipStream_t, ...) is to core. Null and small values have meanings of their own.
using Handle = const void*;

template<class T> class Pin;

// What a pin knows of the slot that it holds.
struct PinnedSlot {
  std::atomic<uint64_t> word{uint64_t{1} << 32};   // generation << 32 | alive << 31 | pins
  void (*destroy)(PinnedSlot&) noexcept = nullptr; // destroys the object once the handle has ended and no pin is left
};

template<class T, HandleKind kKind> class HandleTable {
  struct Slot : PinnedSlot {
    T* object = nullptr;
    HandleTable* table = nullptr;
    uint32_t index = 0;
  };

public:
  using Object = T;
  constexpr HandleTable() noexcept = default;
  HandleTable(const HandleTable&) = delete;
  // The caller ensures that nobody uses the table or its handles any more. Tables that live as long as the process are
  // never destroyed.
  ~HandleTable() {
    for (unsigned chunk = 0; chunk < kChunks; ++chunk) {
      Slot* const base = chunks_[chunk].load(std::memory_order_relaxed);
      if (!base) return;
      for (size_t k = 0; k < size_t{1} << (chunk + kFirstChunkBits); ++k) delete base[k].object;
      delete[] base;
    }
  }

  // Takes the object over; the handle is valid until remove().
  Handle insert(std::unique_ptr<T> object) {
    Slot& slot = take_free_slot();
    const uint64_t generation = slot.word.load(std::memory_order_relaxed) >> 32;
    const Handle handle = encode(slot.index, generation);
    object->set_handle(handle);
    slot.object = object.release();
    slot.word.store(generation << 32 | kAlive, std::memory_order_release);
    return handle;
  }

  // The object, kept alive while the pin exists; an empty pin for anything that is no live handle of this table.
  Pin<T> pin(Handle handle) noexcept;

  // Ends the handle. The object is destroyed by the last pin's holder, or here when nobody pins it. False: no such
  // handle.
  bool remove(Handle handle) noexcept {
    Slot* slot = find_slot(handle);
    if (!slot) return false;
    uint64_t word = slot->word.load(std::memory_order_relaxed);
    do {
      if (!matches(word, handle)) return false;
    } while (
        !slot->word.compare_exchange_weak(word, word & ~kAlive, std::memory_order_acq_rel, std::memory_order_relaxed));
    if ((word & kPins) == 0) destroy(*slot);
    return true;
  }

private:
  friend class Pin<T>;
  static constexpr uint64_t kAlive = 1ull << 31;
  static constexpr uint64_t kPins = kAlive - 1;
  static constexpr unsigned kIndexBits = 24, kGenerationBits = 16, kFirstChunkBits = 6;
  static constexpr unsigned kChunks = kIndexBits - kFirstChunkBits;

  // Odd, so no address of an object; below 2^48; never 0, 1 or 2.
  static Handle encode(uint32_t index, uint64_t generation) noexcept {
    const uint64_t tag = static_cast<uint64_t>(kKind) << 1 | 1;
    return reinterpret_cast<Handle>((generation & ((1u << kGenerationBits) - 1)) << 32 | uint64_t{index} << 8 | tag);
  }
  static bool matches(uint64_t word, Handle handle) noexcept {
    const uint64_t generation = reinterpret_cast<uint64_t>(handle) >> 32;
    return (word & kAlive) != 0 && (word >> 32 & ((1u << kGenerationBits) - 1)) == generation;
  }
  // Chunk k holds 64 << k slots, so a slot never moves.
  static std::pair<unsigned, uint32_t> place(uint32_t index) noexcept {
    const uint32_t biased = index + (1u << kFirstChunkBits);
    const unsigned chunk = static_cast<unsigned>(std::bit_width(biased)) - 1 - kFirstChunkBits;
    return {chunk, biased - (1u << (chunk + kFirstChunkBits))};
  }
  Slot* find_slot(Handle handle) noexcept {
    const uint64_t value = reinterpret_cast<uint64_t>(handle);
    if ((value & 0xff) != (static_cast<uint64_t>(kKind) << 1 | 1)) return nullptr;
    const uint32_t index = static_cast<uint32_t>(value) >> 8;
    if (index >= slots_.load(std::memory_order_acquire)) return nullptr;
    const auto [chunk, offset] = place(index);
    return &chunks_[chunk].load(std::memory_order_acquire)[offset];
  }
  Slot& take_free_slot() {
    std::lock_guard lock(mutex_);
    if (!free_.empty()) {
      Slot* slot = free_.back();
      free_.pop_back();
      return *slot;
    }
    const uint32_t index = slots_.load(std::memory_order_relaxed);
    if (index >= (1u << kIndexBits) - (1u << kFirstChunkBits)) throw std::bad_alloc();
    const auto [chunk, offset] = place(index);
    Slot* base = chunks_[chunk].load(std::memory_order_relaxed);
    if (!base) {
      base = new Slot[size_t{1} << (chunk + kFirstChunkBits)]; // stays: handles may be looked up at any time
      chunks_[chunk].store(base, std::memory_order_release);
    }
    if (free_.capacity() <= index) free_.reserve(std::bit_ceil(size_t{index} + 1)); // so that destroy() cannot fail
    base[offset].index = index;
    base[offset].table = this;
    base[offset].destroy = [](PinnedSlot& slot) noexcept {
      Slot& mine = static_cast<Slot&>(slot);
      mine.table->destroy(mine);
    };
    slots_.store(index + 1, std::memory_order_release);
    return base[offset];
  }
  void destroy(Slot& slot) noexcept {
    T* object = std::exchange(slot.object, nullptr);
    const uint64_t generation = (slot.word.load(std::memory_order_relaxed) >> 32) + 1;
    // Generation 0 would let a handle of slot 0 look like a small number.
    slot.word.store(((generation & ((1u << kGenerationBits) - 1)) == 0 ? generation + 1 : generation) << 32,
                    std::memory_order_release);
    delete object; // may block: a stream finishes its work
    std::lock_guard lock(mutex_);
    free_.push_back(&slot);
  }
  std::atomic<uint32_t> slots_{0}; // beside the first chunks, for lookups
  std::array<std::atomic<Slot*>, kChunks> chunks_{};
  std::mutex mutex_; // free_, and growth
  std::vector<Slot*> free_;
};

// Keeps an object of a HandleTable alive; empty when the handle was not valid. Also wraps an object that needs no
// pinning (a device's default stream lives as long as the device).
template<class T> class Pin {
public:
  Pin() noexcept = default;
  static Pin unowned(T* object) noexcept {
    Pin pin;
    pin.object_ = object;
    return pin;
  }
  Pin(Pin&& o) noexcept : object_(std::exchange(o.object_, nullptr)), slot_(std::exchange(o.slot_, nullptr)) {}
  Pin& operator=(Pin&& o) noexcept {
    std::swap(object_, o.object_);
    std::swap(slot_, o.slot_);
    return *this;
  }
  ~Pin() {
    if (!slot_) return;
    const uint64_t before = slot_->word.fetch_sub(1, std::memory_order_acq_rel);
    if (static_cast<uint32_t>(before) == 1) [[unlikely]] // the last one, and the handle has ended
      slot_->destroy(*slot_);
  }
  explicit operator bool() const noexcept { return object_ != nullptr; }
  T* operator->() const noexcept { return object_; }
  T& operator*() const noexcept { return *object_; }
  T* get() const noexcept { return object_; }

private:
  template<class U, HandleKind k> friend class HandleTable;
  T* object_ = nullptr;
  PinnedSlot* slot_ = nullptr;
};

template<class T, HandleKind kKind> Pin<T> HandleTable<T, kKind>::pin(Handle handle) noexcept {
  Pin<T> pin;
  Slot* slot = find_slot(handle);
  if (!slot) return pin;
  uint64_t word = slot->word.load(std::memory_order_relaxed);
  do {
    if (!matches(word, handle)) return pin;
  } while (!slot->word.compare_exchange_weak(word, word + 1, std::memory_order_acq_rel, std::memory_order_relaxed));
  pin.object_ = slot->object;
  pin.slot_ = slot;
  return pin;
}

} // namespace hip::core
