// comgr/objects.h - what comgr's handles stand for, and the tables that find it.
//
// A handle is a number that no other object of the process has or will have, so one of the wrong kind is found out.
// Thread safety: tables may be used by any thread, objects by one at a time.
#pragma once

#include "comgr/metadata.h"

#include "runtime/base/status.h"
#include "runtime/codeobject/bytes.h"

#include <amd_comgr/amd_comgr.h>

#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

namespace hip::comgr {

uint64_t new_handle() noexcept;

template<class T> class Table {
public:
  static Table& instance() { // never destroyed: programs call from destructors of their own
    static Table* const only = new Table;
    return *only;
  }
  uint64_t add(std::shared_ptr<T> object) {
    const uint64_t handle = new_handle();
    std::lock_guard lock(mutex_);
    objects_.emplace(handle, std::move(object));
    return handle;
  }
  std::shared_ptr<T> find(uint64_t handle) const {
    std::lock_guard lock(mutex_);
    const auto it = objects_.find(handle);
    return it == objects_.end() ? nullptr : it->second;
  }
  // What it was; null: there is no such object.
  std::shared_ptr<T> remove(uint64_t handle) {
    std::lock_guard lock(mutex_);
    const auto it = objects_.find(handle);
    if (it == objects_.end()) return nullptr;
    std::shared_ptr<T> object = std::move(it->second);
    objects_.erase(it);
    return object;
  }

private:
  mutable std::mutex mutex_;
  std::unordered_map<uint64_t, std::shared_ptr<T>> objects_;
};

struct Symbol {
  std::string name;
  amd_comgr_symbol_type_t type = AMD_COMGR_SYMBOL_TYPE_NOTYPE;
  uint64_t size = 0, value = 0;
  bool is_undefined = false;
};

class Data {
public:
  explicit Data(amd_comgr_data_kind_t kind) : kind_(kind) {}
  ~Data() { forget(); }
  Data(const Data&) = delete;

  amd_comgr_data_kind_t kind() const { return kind_; }
  const std::string& bytes() const { return bytes_; }
  codeobject::Bytes span() const { return std::as_bytes(std::span(bytes_)); }
  void set_bytes(std::string bytes) {
    forget();
    bytes_ = std::move(bytes);
  }

  std::string name;
  std::optional<std::vector<std::string>> mangled_names;              // once populated
  std::optional<std::map<std::string, std::string>> name_expressions; // likewise
  // Symbols that were looked up: their handles last as long as the bytes.
  std::map<std::string, uint64_t> symbols;

private:
  void forget();

  const amd_comgr_data_kind_t kind_;
  std::string bytes_;
};

// Data objects end with their last reference. Those of users and those of sets are counted apart: a user who releases
// an object once too often takes no set's reference away, so the members of a set are always in the table.
class DataTable {
public:
  enum class Owner : unsigned { User, Set };

  static DataTable& instance();
  uint64_t add(std::shared_ptr<Data> data, Owner owner); // with one reference of the owner's
  std::shared_ptr<Data> find(uint64_t handle) const;
  // False: there is no such object.
  bool retain(uint64_t handle, Owner owner = Owner::Set);
  // False: there is no such object, or none of its references is the owner's.
  bool release(uint64_t handle, Owner owner);

private:
  struct Entry {
    std::shared_ptr<Data> data;
    size_t references[2] = {}; // by owner
    size_t& of(Owner owner) noexcept { return references[static_cast<unsigned>(owner)]; }
  };
  mutable std::mutex mutex_;
  std::unordered_map<uint64_t, Entry> entries_;
};

struct DataSet {
  std::vector<uint64_t> members; // each with a reference of the set's

  DataSet() = default;
  ~DataSet() { clear(); }
  DataSet(const DataSet&) = delete;
  void clear() noexcept;
  // Adds an object that nobody else refers to.
  void add_new(amd_comgr_data_kind_t kind, std::string name, std::string bytes);
  std::vector<std::shared_ptr<Data>> of_kind(amd_comgr_data_kind_t kind) const; // UNDEF: all
};

struct ActionInfo {
  std::string isa_name; // empty: not set
  amd_comgr_language_t language = AMD_COMGR_LANGUAGE_NONE;
  std::vector<std::string> options, bundle_ids;
  bool options_are_set = false;
  std::string working_directory;
  bool logging = false;
  bool link_device_libraries = false;
};

// Runs the body of an entry; no exception leaves the library.
template<class F> amd_comgr_status_t entry(F f) noexcept {
  try {
    return f();
  } catch (const std::bad_alloc&) {
    return AMD_COMGR_STATUS_ERROR_OUT_OF_RESOURCES;
  } catch (...) {
    return AMD_COMGR_STATUS_ERROR;
  }
}

// The size query of amd_comgr.h, for a text.
amd_comgr_status_t copy_text(const std::string& text, size_t* size, char* to) noexcept;

constexpr bool is_kind(amd_comgr_data_kind_t kind) noexcept {
  return (kind >= AMD_COMGR_DATA_KIND_SOURCE && kind <= AMD_COMGR_DATA_KIND_BYTES) ||
         (kind >= AMD_COMGR_DATA_KIND_FATBIN && kind <= AMD_COMGR_DATA_KIND_SPIRV);
}

} // namespace hip::comgr

#define COMGR_EXPORT extern "C" __attribute__((visibility("default")))
