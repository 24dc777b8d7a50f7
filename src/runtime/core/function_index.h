// runtime/core/function_index.h - a hash table from host addresses to registered objects, made for lookups on the launch
// path: no lock, one probe in the common case.
// Thread safety: find() at any time; changes under the table's own lock.
// Memory ordering: entries and tables are published with release and read with acquire. Replaced tables are kept until the
// process ends, because a reader may still be in one; their sizes double, so together they are no larger than the last.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

namespace hip::core {

template <class T> class FunctionIndex {
  struct Entry {
    std::atomic<const void*> key{nullptr}; // null: never used; probing ends here
    std::atomic<T*> value{nullptr};        // null: removed
  };
  struct Table {
    explicit Table(size_t size) : mask(size - 1), entries(new Entry[size]) {}
    size_t mask;
    std::unique_ptr<Entry[]> entries;
  };

public:
  constexpr FunctionIndex() noexcept = default;

  T* find(const void* key) const noexcept {
    const Table* table = table_.load(std::memory_order_acquire);
    if (!table || !key) return nullptr;
    for (size_t i = hash(key);; ++i) {
      const Entry& entry = table->entries[i & table->mask];
      const void* there = entry.key.load(std::memory_order_acquire);
      if (there == key) return entry.value.load(std::memory_order_acquire);
      if (!there) return nullptr;
    }
  }

  void insert(const void* key, T* value) {
    std::lock_guard lock(mutex_);
    Table* table = table_.load(std::memory_order_relaxed);
    if (!table || (used_ + 1) * 2 > table->mask + 1) table = grow(table);
    put(*table, key, value);
  }

  // Removes the key when it still means `value`.
  void remove(const void* key, const T* value) noexcept {
    std::lock_guard lock(mutex_);
    Table* table = table_.load(std::memory_order_relaxed);
    if (!table) return;
    for (size_t i = hash(key);; ++i) {
      Entry& entry = table->entries[i & table->mask];
      const void* there = entry.key.load(std::memory_order_relaxed);
      if (!there) return;
      if (there != key) continue;
      if (entry.value.load(std::memory_order_relaxed) == value) entry.value.store(nullptr, std::memory_order_release);
      return;
    }
  }

private:
  static size_t hash(const void* key) noexcept {
    return static_cast<size_t>((reinterpret_cast<uintptr_t>(key) >> 3) * 0x9e3779b97f4a7c15ull >> 20);
  }
  void put(Table& table, const void* key, T* value) noexcept {
    for (size_t i = hash(key);; ++i) {
      Entry& entry = table.entries[i & table.mask];
      const void* there = entry.key.load(std::memory_order_relaxed);
      if (there && there != key) continue;
      entry.value.store(value, std::memory_order_release);
      if (!there) {
        ++used_;
        entry.key.store(key, std::memory_order_release);
      }
      return;
    }
  }
  Table* grow(const Table* old) {
    auto table = std::make_unique<Table>(old ? (old->mask + 1) * 2 : 64);
    tables_.reserve(tables_.size() + 1);
    used_ = 0;
    if (old)
      for (size_t i = 0; i <= old->mask; ++i)
        if (T* value = old->entries[i].value.load(std::memory_order_relaxed))
          put(*table, old->entries[i].key.load(std::memory_order_relaxed), value);
    tables_.push_back(std::move(table));
    table_.store(tables_.back().get(), std::memory_order_release);
    return tables_.back().get();
  }

  std::atomic<Table*> table_{nullptr};
  std::mutex mutex_; // all below
  size_t used_ = 0;
  std::vector<std::unique_ptr<Table>> tables_;
};

} // namespace hip::core
