// Entries about metadata and the symbols of machine code.
#include "comgr/elf_view.h"
#include "comgr/objects.h"

#include <cstring>

using namespace hip::comgr;

namespace {

constexpr auto kSuccess = AMD_COMGR_STATUS_SUCCESS;
constexpr auto kError = AMD_COMGR_STATUS_ERROR;
constexpr auto kInvalid = AMD_COMGR_STATUS_ERROR_INVALID_ARGUMENT;
using Kind = MetadataNode::Kind;

Table<const MetadataNode>& nodes() { return Table<const MetadataNode>::instance(); }

// Calls f with the node when it is of the kind.
template<class F> amd_comgr_status_t with(amd_comgr_metadata_node_t node, Kind kind, F f) noexcept {
  return entry([&] {
    const Metadata found = nodes().find(node.handle);
    return found && found->kind == kind ? f(*found) : kInvalid;
  });
}

// A handle that lasts as long as this object.
template<class T> class Lent {
public:
  explicit Lent(std::shared_ptr<T> object) : handle(Table<T>::instance().add(std::move(object))) {}
  ~Lent() { Table<T>::instance().remove(handle); }
  Lent(const Lent&) = delete;
  const uint64_t handle;
};

// Nothing: not a data object that has symbols.
std::optional<ElfView::SymbolTable> table_of(const Data& data) {
  if (data.kind() == AMD_COMGR_DATA_KIND_RELOCATABLE) return ElfView::SymbolTable::Static;
  if (data.kind() == AMD_COMGR_DATA_KIND_EXECUTABLE) return ElfView::SymbolTable::Dynamic;
  return std::nullopt;
}

hip::Result<std::vector<Symbol>> symbols_of(const Data& data, ElfView::SymbolTable table) {
  RT_TRY_ASSIGN(const ElfView elf, ElfView::parse(data.span()));
  return elf.symbols(table);
}

} // namespace

COMGR_EXPORT amd_comgr_status_t amd_comgr_destroy_metadata(amd_comgr_metadata_node_t node) {
  return entry([&] { return nodes().remove(node.handle) ? kSuccess : kInvalid; });
}

COMGR_EXPORT amd_comgr_status_t amd_comgr_get_metadata_kind(amd_comgr_metadata_node_t node,
                                                            amd_comgr_metadata_kind_t* kind) {
  return entry([&] {
    const Metadata found = nodes().find(node.handle);
    if (!found || !kind) return kInvalid;
    *kind = static_cast<amd_comgr_metadata_kind_t>(found->kind);
    return kSuccess;
  });
}

COMGR_EXPORT amd_comgr_status_t amd_comgr_get_metadata_string(amd_comgr_metadata_node_t node, size_t* size,
                                                              char* text) {
  return with(node, Kind::Text,
              [&](const MetadataNode& found) { return size ? copy_text(found.text, size, text) : kInvalid; });
}

COMGR_EXPORT amd_comgr_status_t amd_comgr_get_metadata_map_size(amd_comgr_metadata_node_t node, size_t* size) {
  return with(node, Kind::Map, [&](const MetadataNode& found) {
    if (!size) return kInvalid;
    *size = found.map.size();
    return kSuccess;
  });
}

// What the callback of this and of amd_comgr_iterate_symbols returns is not looked at: AMD's library goes on, and
// succeeds, and AMD's OpenCL relies on it, whose callbacks return an error for each key that they do not know.
COMGR_EXPORT amd_comgr_status_t amd_comgr_iterate_map_metadata(
    amd_comgr_metadata_node_t node,
    amd_comgr_status_t (*callback)(amd_comgr_metadata_node_t key, amd_comgr_metadata_node_t value, void* data),
    void* data) {
  return with(node, Kind::Map, [&](const MetadataNode& found) {
    if (!callback) return kInvalid;
    for (const auto& [key, value] : found.map) {
      const Lent<const MetadataNode> lent_key(metadata_text(key)), lent_value(value);
      callback({lent_key.handle}, {lent_value.handle}, data);
    }
    return kSuccess;
  });
}

COMGR_EXPORT amd_comgr_status_t amd_comgr_metadata_lookup(amd_comgr_metadata_node_t node, const char* key,
                                                          amd_comgr_metadata_node_t* value) {
  return with(node, Kind::Map, [&](const MetadataNode& found) {
    if (!key || !value) return kInvalid;
    const auto it = found.map.find(key);
    if (it == found.map.end()) return kError;
    value->handle = nodes().add(it->second);
    return kSuccess;
  });
}

COMGR_EXPORT amd_comgr_status_t amd_comgr_get_metadata_list_size(amd_comgr_metadata_node_t node, size_t* size) {
  return with(node, Kind::List, [&](const MetadataNode& found) {
    if (!size) return kInvalid;
    *size = found.list.size();
    return kSuccess;
  });
}

COMGR_EXPORT amd_comgr_status_t amd_comgr_index_list_metadata(amd_comgr_metadata_node_t node, size_t index,
                                                              amd_comgr_metadata_node_t* value) {
  return with(node, Kind::List, [&](const MetadataNode& found) {
    if (!value || index >= found.list.size()) return kInvalid;
    value->handle = nodes().add(found.list[index]);
    return kSuccess;
  });
}

COMGR_EXPORT amd_comgr_status_t amd_comgr_iterate_symbols(
    amd_comgr_data_t data, amd_comgr_status_t (*callback)(amd_comgr_symbol_t symbol, void* data), void* user) {
  return entry([&] {
    const auto found = DataTable::instance().find(data.handle);
    const auto table = found ? table_of(*found) : std::nullopt;
    if (!table || !callback) return kInvalid;
    auto symbols = symbols_of(*found, *table);
    if (!symbols.ok()) return kError;
    for (Symbol& symbol : symbols.value()) {
      const Lent<Symbol> lent(std::make_shared<Symbol>(std::move(symbol)));
      callback({lent.handle}, user);
    }
    return kSuccess;
  });
}

COMGR_EXPORT amd_comgr_status_t amd_comgr_symbol_lookup(amd_comgr_data_t data, const char* name,
                                                        amd_comgr_symbol_t* symbol) {
  return entry([&] {
    const auto found = DataTable::instance().find(data.handle);
    const auto table = found ? table_of(*found) : std::nullopt;
    if (!table || !name || !symbol) return kInvalid;
    if (const auto known = found->symbols.find(name); known != found->symbols.end()) {
      symbol->handle = known->second;
      return kSuccess;
    }
    auto symbols = symbols_of(*found, *table);
    if (!symbols.ok()) return kError;
    for (Symbol& each : symbols.value())
      if (each.name == name) {
        const auto [place, is_new] = found->symbols.try_emplace(name, 0);
        place->second = Table<Symbol>::instance().add(std::make_shared<Symbol>(std::move(each)));
        symbol->handle = place->second;
        return kSuccess;
      }
    return kError;
  });
}

COMGR_EXPORT amd_comgr_status_t amd_comgr_symbol_get_info(amd_comgr_symbol_t symbol, amd_comgr_symbol_info_t attribute,
                                                          void* value) {
  return entry([&] {
    const auto found = Table<Symbol>::instance().find(symbol.handle);
    if (!found || !value) return kInvalid;
    const auto give = [&](const auto& what) {
      std::memcpy(value, &what, sizeof what);
      return kSuccess;
    };
    switch (attribute) {
    case AMD_COMGR_SYMBOL_INFO_NAME_LENGTH:
      return give(uint64_t{found->name.size()});
    case AMD_COMGR_SYMBOL_INFO_NAME:
      std::memcpy(value, found->name.c_str(), found->name.size() + 1);
      return kSuccess;
    case AMD_COMGR_SYMBOL_INFO_TYPE:
      return give(found->type);
    case AMD_COMGR_SYMBOL_INFO_SIZE:
      return give(found->size);
    case AMD_COMGR_SYMBOL_INFO_IS_UNDEFINED:
      return give(found->is_undefined);
    case AMD_COMGR_SYMBOL_INFO_VALUE:
      return give(found->value);
    }
    return kInvalid;
  });
}
