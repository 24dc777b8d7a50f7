// Entries about the library itself, data objects and sets of them.
#include "comgr/elf_view.h"
#include "comgr/isa.h"
#include "comgr/objects.h"

#include "runtime/codeobject/processor.h"

#include <algorithm>
#include <cstring>
#include <unistd.h>

using namespace hip::comgr;

namespace {

constexpr auto kSuccess = AMD_COMGR_STATUS_SUCCESS;
constexpr auto kError = AMD_COMGR_STATUS_ERROR;
constexpr auto kInvalid = AMD_COMGR_STATUS_ERROR_INVALID_ARGUMENT;

std::shared_ptr<Data> find(amd_comgr_data_t data) { return DataTable::instance().find(data.handle); }
std::shared_ptr<DataSet> find(amd_comgr_data_set_t set) { return Table<DataSet>::instance().find(set.handle); }

// Names live as long as the library: callers keep the pointers.
const std::vector<std::string>& isa_names() {
  static const auto& names = *[] {
    auto* const all = new std::vector<std::string>;
    for (const auto& processor : hip::codeobject::processors())
      all->push_back(std::string(kIsaPrefix) + processor.name);
    return all;
  }();
  return names;
}

bool is_machine_code(amd_comgr_data_kind_t kind) {
  return kind == AMD_COMGR_DATA_KIND_RELOCATABLE || kind == AMD_COMGR_DATA_KIND_EXECUTABLE;
}

} // namespace

COMGR_EXPORT amd_comgr_status_t amd_comgr_status_string(amd_comgr_status_t status, const char** text) {
  if (!text) return kInvalid;
  switch (status) {
  case AMD_COMGR_STATUS_SUCCESS:
    *text = "SUCCESS";
    return kSuccess;
  case AMD_COMGR_STATUS_ERROR:
    *text = "ERROR";
    return kSuccess;
  case AMD_COMGR_STATUS_ERROR_INVALID_ARGUMENT:
    *text = "INVALID_ARGUMENT";
    return kSuccess;
  case AMD_COMGR_STATUS_ERROR_OUT_OF_RESOURCES:
    *text = "OUT_OF_RESOURCES";
    return kSuccess;
  }
  return kInvalid;
}

COMGR_EXPORT void amd_comgr_get_version(size_t* major, size_t* minor) {
  if (major) *major = 3;
  if (minor) *minor = 0;
}

COMGR_EXPORT amd_comgr_status_t amd_comgr_get_isa_count(size_t* count) {
  return entry([&] {
    if (!count) return kInvalid;
    *count = isa_names().size();
    return kSuccess;
  });
}

COMGR_EXPORT amd_comgr_status_t amd_comgr_get_isa_name(size_t index, const char** name) {
  return entry([&] {
    if (!name || index >= isa_names().size()) return kInvalid;
    *name = isa_names()[index].c_str();
    return kSuccess;
  });
}

COMGR_EXPORT amd_comgr_status_t amd_comgr_get_isa_metadata(const char* name, amd_comgr_metadata_node_t* metadata) {
  return entry([&] {
    if (!name || !metadata) return kInvalid;
    const auto target = parse_isa_name(name);
    if (!target.ok()) return kInvalid;
    metadata->handle = Table<const MetadataNode>::instance().add(isa_metadata(target.value()));
    return kSuccess;
  });
}

COMGR_EXPORT amd_comgr_status_t amd_comgr_create_data(amd_comgr_data_kind_t kind, amd_comgr_data_t* data) {
  return entry([&] {
    if (!data || !is_kind(kind)) return kInvalid;
    data->handle = DataTable::instance().add(std::make_shared<Data>(kind), DataTable::Owner::User);
    return kSuccess;
  });
}

COMGR_EXPORT amd_comgr_status_t amd_comgr_release_data(amd_comgr_data_t data) {
  return entry(
      [&] { return DataTable::instance().release(data.handle, DataTable::Owner::User) ? kSuccess : kInvalid; });
}

COMGR_EXPORT amd_comgr_status_t amd_comgr_get_data_kind(amd_comgr_data_t data, amd_comgr_data_kind_t* kind) {
  return entry([&] {
    const auto found = find(data);
    if (!found || !kind) return kInvalid;
    *kind = found->kind();
    return kSuccess;
  });
}

COMGR_EXPORT amd_comgr_status_t amd_comgr_set_data(amd_comgr_data_t data, size_t size, const char* bytes) {
  return entry([&] {
    const auto found = find(data);
    if (!found || !size || !bytes) return kInvalid;
    found->set_bytes(std::string(bytes, size));
    return kSuccess;
  });
}

COMGR_EXPORT amd_comgr_status_t amd_comgr_set_data_from_file_slice(amd_comgr_data_t data, int file, uint64_t offset,
                                                                   uint64_t size) {
  return entry([&] {
    const auto found = find(data);
    constexpr uint64_t kMost = uint64_t{1} << 40;
    if (!found || file < 0 || !size || size > kMost || offset > kMost) return kInvalid;
    std::string bytes;
    // Read in parts: the size is the caller's word, and the file may be shorter.
    for (uint64_t done = 0; done < size;) {
      char part[65536];
      const ssize_t n =
          ::pread(file, part, std::min<uint64_t>(sizeof part, size - done), static_cast<off_t>(offset + done));
      if (n < 0 && errno == EINTR) continue;
      if (n <= 0) return kInvalid;
      bytes.append(part, static_cast<size_t>(n));
      done += static_cast<uint64_t>(n);
    }
    found->set_bytes(std::move(bytes));
    return kSuccess;
  });
}

COMGR_EXPORT amd_comgr_status_t amd_comgr_set_data_name(amd_comgr_data_t data, const char* name) {
  return entry([&] {
    const auto found = find(data);
    if (!found) return kInvalid;
    found->name = name ? name : "";
    return kSuccess;
  });
}

COMGR_EXPORT amd_comgr_status_t amd_comgr_get_data(amd_comgr_data_t data, size_t* size, char* bytes) {
  return entry([&] {
    const auto found = find(data);
    if (!found || !size) return kInvalid;
    if (bytes)
      std::memcpy(bytes, found->bytes().data(), std::min(*size, found->bytes().size()));
    else
      *size = found->bytes().size();
    return kSuccess;
  });
}

COMGR_EXPORT amd_comgr_status_t amd_comgr_get_data_name(amd_comgr_data_t data, size_t* size, char* name) {
  return entry([&] {
    const auto found = find(data);
    if (!found || !size) return kInvalid;
    return copy_text(found->name, size, name);
  });
}

COMGR_EXPORT amd_comgr_status_t amd_comgr_get_data_isa_name(amd_comgr_data_t data, size_t* size, char* name) {
  return entry([&] {
    const auto found = find(data);
    if (!found || !size || !is_machine_code(found->kind())) return kInvalid;
    const auto elf = ElfView::parse(found->span());
    if (!elf.ok()) return kInvalid;
    const auto target = hip::codeobject::target_id_from_elf_flags(elf.value().flags(), elf.value().version());
    if (!target.ok()) return kError;
    const std::string text = isa_name(target.value());
    if (name) copy_text(text, size, name);
    *size = text.size() + 1; // in both cases
    return kSuccess;
  });
}

COMGR_EXPORT amd_comgr_status_t amd_comgr_get_data_metadata(amd_comgr_data_t data,
                                                            amd_comgr_metadata_node_t* metadata) {
  return entry([&] {
    const auto found = find(data);
    if (!found || !metadata || (!is_machine_code(found->kind()) && found->kind() != AMD_COMGR_DATA_KIND_BYTES))
      return kInvalid;
    const auto elf = ElfView::parse(found->span());
    if (!elf.ok()) return kInvalid;
    Metadata node = std::make_shared<MetadataNode>();
    const auto notes = elf.value().metadata_notes();
    if (!notes.ok()) return kError;
    if (!notes.value().empty()) {
      auto read = metadata_from_notes(notes.value());
      if (!read.ok()) return kError;
      node = std::move(read).value();
    }
    metadata->handle = Table<const MetadataNode>::instance().add(std::move(node));
    return kSuccess;
  });
}

COMGR_EXPORT amd_comgr_status_t amd_comgr_create_data_set(amd_comgr_data_set_t* set) {
  return entry([&] {
    if (!set) return kInvalid;
    set->handle = Table<DataSet>::instance().add(std::make_shared<DataSet>());
    return kSuccess;
  });
}

COMGR_EXPORT amd_comgr_status_t amd_comgr_destroy_data_set(amd_comgr_data_set_t set) {
  return entry([&] { return Table<DataSet>::instance().remove(set.handle) ? kSuccess : kInvalid; });
}

COMGR_EXPORT amd_comgr_status_t amd_comgr_data_set_add(amd_comgr_data_set_t set, amd_comgr_data_t data) {
  return entry([&] {
    const auto found_set = find(set);
    const auto found = find(data);
    if (!found_set || !found || (found->kind() == AMD_COMGR_DATA_KIND_INCLUDE && found->name.empty())) return kInvalid;
    std::vector<uint64_t>& members = found_set->members;
    if (std::find(members.begin(), members.end(), data.handle) != members.end()) return kSuccess;
    members.reserve(members.size() + 1);
    if (!DataTable::instance().retain(data.handle, DataTable::Owner::Set)) return kInvalid;
    members.push_back(data.handle);
    return kSuccess;
  });
}

COMGR_EXPORT amd_comgr_status_t amd_comgr_data_set_remove(amd_comgr_data_set_t set, amd_comgr_data_kind_t kind) {
  return entry([&] {
    const auto found = find(set);
    if (!found || (kind != AMD_COMGR_DATA_KIND_UNDEF && !is_kind(kind))) return kInvalid;
    std::erase_if(found->members, [&](uint64_t handle) {
      const auto data = DataTable::instance().find(handle);
      const bool gone = kind == AMD_COMGR_DATA_KIND_UNDEF || data->kind() == kind;
      if (gone) DataTable::instance().release(handle, DataTable::Owner::Set);
      return gone;
    });
    return kSuccess;
  });
}

COMGR_EXPORT amd_comgr_status_t amd_comgr_action_data_count(amd_comgr_data_set_t set, amd_comgr_data_kind_t kind,
                                                            size_t* count) {
  return entry([&] {
    const auto found = find(set);
    if (!found || !is_kind(kind) || !count) return kInvalid;
    *count = found->of_kind(kind).size();
    return kSuccess;
  });
}

COMGR_EXPORT amd_comgr_status_t amd_comgr_action_data_get_data(amd_comgr_data_set_t set, amd_comgr_data_kind_t kind,
                                                               size_t index, amd_comgr_data_t* data) {
  return entry([&] {
    const auto found = find(set);
    if (!found || !is_kind(kind) || !data) return kInvalid;
    for (const uint64_t handle : found->members)
      if (DataTable::instance().find(handle)->kind() == kind && index-- == 0) {
        DataTable::instance().retain(handle, DataTable::Owner::User);
        data->handle = handle;
        return kSuccess;
      }
    return kInvalid;
  });
}
