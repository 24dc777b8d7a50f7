#include "comgr/objects.h"

#include <algorithm>
#include <atomic>
#include <cstring>

namespace hip::comgr {

uint64_t new_handle() noexcept {
  static std::atomic<uint64_t> next{1};
  return next.fetch_add(1, std::memory_order_relaxed);
}

void Data::forget() {
  for (const auto& [name, handle] : symbols) Table<Symbol>::instance().remove(handle);
  symbols.clear();
  mangled_names.reset();
  name_expressions.reset();
}

DataTable& DataTable::instance() {
  static DataTable* const only = new DataTable;
  return *only;
}

uint64_t DataTable::add(std::shared_ptr<Data> data, Owner owner) {
  const uint64_t handle = new_handle();
  Entry entry{std::move(data)};
  entry.of(owner) = 1;
  std::lock_guard lock(mutex_);
  entries_.emplace(handle, std::move(entry));
  return handle;
}

std::shared_ptr<Data> DataTable::find(uint64_t handle) const {
  std::lock_guard lock(mutex_);
  const auto it = entries_.find(handle);
  return it == entries_.end() ? nullptr : it->second.data;
}

bool DataTable::retain(uint64_t handle, Owner owner) {
  std::lock_guard lock(mutex_);
  const auto it = entries_.find(handle);
  if (it == entries_.end()) return false;
  ++it->second.of(owner);
  return true;
}

bool DataTable::release(uint64_t handle, Owner owner) {
  std::shared_ptr<Data> last; // ends outside of the lock
  std::lock_guard lock(mutex_);
  const auto it = entries_.find(handle);
  if (it == entries_.end() || it->second.of(owner) == 0) return false;
  --it->second.of(owner);
  if (it->second.of(Owner::User) + it->second.of(Owner::Set) > 0) return true;
  last = std::move(it->second.data);
  entries_.erase(it);
  return true;
}

void DataSet::clear() noexcept {
  for (const uint64_t handle : members) DataTable::instance().release(handle, DataTable::Owner::Set);
  members.clear();
}

void DataSet::add_new(amd_comgr_data_kind_t kind, std::string name, std::string bytes) {
  auto data = std::make_shared<Data>(kind);
  data->name = std::move(name);
  data->set_bytes(std::move(bytes));
  members.reserve(members.size() + 1);
  members.push_back(DataTable::instance().add(std::move(data), DataTable::Owner::Set));
}

std::vector<std::shared_ptr<Data>> DataSet::of_kind(amd_comgr_data_kind_t kind) const {
  std::vector<std::shared_ptr<Data>> found;
  for (const uint64_t handle : members)
    if (auto data = DataTable::instance().find(handle); kind == AMD_COMGR_DATA_KIND_UNDEF || data->kind() == kind)
      found.push_back(std::move(data));
  return found;
}

amd_comgr_status_t copy_text(const std::string& text, size_t* size, char* to) noexcept {
  if (!to)
    *size = text.size() + 1;
  else
    std::memcpy(to, text.c_str(), std::min(*size, text.size() + 1));
  return AMD_COMGR_STATUS_SUCCESS;
}

} // namespace hip::comgr
