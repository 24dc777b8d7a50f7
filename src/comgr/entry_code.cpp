// Entries about instructions, source lines, names and bundles.
#include "comgr/elf_view.h"
#include "comgr/isa.h"
#include "comgr/names.h"
#include "comgr/objects.h"
#include "comgr/unbundle.h"

#include "runtime/codeobject/bundle.h"
#include "runtime/rtc/compiler_process.h"

#include <cxxabi.h>

using namespace hip::comgr;

namespace {

constexpr auto kSuccess = AMD_COMGR_STATUS_SUCCESS;
constexpr auto kError = AMD_COMGR_STATUS_ERROR;
constexpr auto kInvalid = AMD_COMGR_STATUS_ERROR_INVALID_ARGUMENT;

struct Disassembly {
  uint64_t (*read)(uint64_t from, char* to, uint64_t size, void* data) = nullptr;
  void (*print)(const char* instruction, void* data) = nullptr;
  void (*print_address)(uint64_t address, void* data) = nullptr;
  const hip::rtc::CodeTools* tools = nullptr;
  void* disassembler = nullptr;
  ~Disassembly() {
    if (disassembler) tools->close_disassembler(disassembler);
  }
};

struct Symbolization {
  void (*print)(const char* text, void* data) = nullptr;
  const hip::rtc::CodeTools* tools = nullptr;
  void* symbolizer = nullptr;
  ~Symbolization() {
    if (symbolizer) tools->close_symbolizer(symbolizer);
  }
};

constexpr uint64_t kLongestInstruction = 20;

std::shared_ptr<Data> find(amd_comgr_data_t data) { return DataTable::instance().find(data.handle); }

// A code object for itself is in its place as a whole, for the ISAs that it runs on.
amd_comgr_status_t place_in_executable(const Data& data, amd_comgr_code_object_info_t* list, size_t count) {
  const auto whole = hip::codeobject::parse_bundle(data.span());
  if (!whole.ok() || whole.value().was_compressed()) return kError;
  for (size_t i = 0; i < count; ++i) {
    const auto target = parse_isa_name(list[i].isa);
    const bool runs = target.ok() && hip::codeobject::choose_entry(whole.value(), target.value()).ok();
    list[i].size = runs ? data.span().size() : 0;
    list[i].offset = 0;
  }
  return kSuccess;
}

bool has_names(const Data& data) {
  return data.kind() == AMD_COMGR_DATA_KIND_EXECUTABLE || data.kind() == AMD_COMGR_DATA_KIND_BC;
}

} // namespace

COMGR_EXPORT amd_comgr_status_t amd_comgr_create_disassembly_info(
    const char* isa_name, uint64_t (*read_memory)(uint64_t from, char* to, uint64_t size, void* data),
    void (*print_instruction)(const char* instruction, void* data), void (*print_address)(uint64_t address, void* data),
    amd_comgr_disassembly_info_t* info) {
  return entry([&] {
    if (!isa_name || !read_memory || !print_instruction || !print_address || !info) return kInvalid;
    const auto target = parse_isa_name(isa_name);
    if (!target.ok()) return kInvalid;
    auto made = std::make_shared<Disassembly>();
    made->tools = hip::rtc::code_tools();
    if (!made->tools) return kError;
    made->disassembler = made->tools->open_disassembler(target.value().to_string().c_str());
    if (!made->disassembler) return kError;
    made->read = read_memory;
    made->print = print_instruction;
    made->print_address = print_address;
    info->handle = Table<Disassembly>::instance().add(std::move(made));
    return kSuccess;
  });
}

COMGR_EXPORT amd_comgr_status_t amd_comgr_destroy_disassembly_info(amd_comgr_disassembly_info_t info) {
  return entry([&] { return Table<Disassembly>::instance().remove(info.handle) ? kSuccess : kInvalid; });
}

COMGR_EXPORT amd_comgr_status_t amd_comgr_disassemble_instruction(amd_comgr_disassembly_info_t info, uint64_t address,
                                                                  void* data, uint64_t* size) {
  return entry([&] {
    const auto found = Table<Disassembly>::instance().find(info.handle);
    if (!found || !size) return kInvalid;
    char bytes[kLongestInstruction] = {};
    const uint64_t count = std::min(found->read(address, bytes, sizeof bytes, data), kLongestInstruction);
    struct Said {
      std::string text;
      std::optional<uint64_t> address;
    } said;
    hip::rtc::CodeListener listener;
    listener.self = &said;
    listener.text = [](void* self, const char* text, size_t n) { static_cast<Said*>(self)->text.assign(text, n); };
    listener.number = [](void* self, uint64_t number) { static_cast<Said*>(self)->address = number; };
    bool valid = false;
    *size = found->tools->disassemble(found->disassembler, address, reinterpret_cast<const uint8_t*>(bytes),
                                      static_cast<size_t>(count), &valid, &listener);
    if (!valid) return kError;
    found->print(said.text.c_str(), data);
    if (said.address) found->print_address(*said.address, data);
    return kSuccess;
  });
}

COMGR_EXPORT amd_comgr_status_t amd_comgr_create_symbolizer_info(amd_comgr_data_t code,
                                                                 void (*print)(const char* text, void* data),
                                                                 amd_comgr_symbolizer_info_t* info) {
  return entry([&] {
    const auto data = find(code);
    if (!data || !print || !info ||
        (data->kind() != AMD_COMGR_DATA_KIND_RELOCATABLE && data->kind() != AMD_COMGR_DATA_KIND_EXECUTABLE &&
         data->kind() != AMD_COMGR_DATA_KIND_BYTES))
      return kInvalid;
    auto made = std::make_shared<Symbolization>();
    made->tools = hip::rtc::code_tools();
    if (!made->tools) return kError;
    made->symbolizer = made->tools->open_symbolizer(data->bytes().data(), data->bytes().size());
    if (!made->symbolizer) return kInvalid;
    made->print = print;
    info->handle = Table<Symbolization>::instance().add(std::move(made));
    return kSuccess;
  });
}

COMGR_EXPORT amd_comgr_status_t amd_comgr_destroy_symbolizer_info(amd_comgr_symbolizer_info_t info) {
  return entry([&] { return Table<Symbolization>::instance().remove(info.handle) ? kSuccess : kInvalid; });
}

COMGR_EXPORT amd_comgr_status_t amd_comgr_symbolize(amd_comgr_symbolizer_info_t info, uint64_t address, bool is_code,
                                                    void* data) {
  return entry([&] {
    const auto found = Table<Symbolization>::instance().find(info.handle);
    if (!found) return kInvalid;
    std::string text;
    hip::rtc::CodeListener listener;
    listener.self = &text;
    listener.text = [](void* self, const char* part, size_t n) { static_cast<std::string*>(self)->assign(part, n); };
    if (!found->tools->symbolize(found->symbolizer, address, is_code, &listener)) return kError;
    found->print(text.c_str(), data);
    return kSuccess;
  });
}

COMGR_EXPORT amd_comgr_status_t amd_comgr_demangle_symbol_name(amd_comgr_data_t mangled, amd_comgr_data_t* demangled) {
  return entry([&] {
    const auto data = find(mangled);
    if (!data || data->kind() != AMD_COMGR_DATA_KIND_BYTES || !demangled) return kInvalid;
    int status = 0;
    const std::unique_ptr<char, decltype(&std::free)> text(
        abi::__cxa_demangle(data->bytes().c_str(), nullptr, nullptr, &status), &std::free);
    // Names of functions and variables begin with _Z; the demangler would take "i" for the type int.
    const bool is_mangled = status == 0 && text && data->bytes().starts_with("_Z");
    auto made = std::make_shared<Data>(AMD_COMGR_DATA_KIND_BYTES);
    made->set_bytes(is_mangled ? text.get() : data->bytes());
    demangled->handle = DataTable::instance().add(std::move(made), DataTable::Owner::User);
    return kSuccess;
  });
}

COMGR_EXPORT amd_comgr_status_t amd_comgr_populate_mangled_names(amd_comgr_data_t data, size_t* count) {
  return entry([&] {
    const auto found = find(data);
    if (!found || !has_names(*found) || !count) return kInvalid;
    auto names = mangled_names(*found);
    if (!names.ok()) return kError;
    *count = names.value().size();
    found->mangled_names = std::move(names).value();
    return kSuccess;
  });
}

COMGR_EXPORT amd_comgr_status_t amd_comgr_get_mangled_name(amd_comgr_data_t data, size_t index, size_t* size,
                                                           char* name) {
  return entry([&] {
    const auto found = find(data);
    if (!found || !size || !found->mangled_names || index >= found->mangled_names->size()) return kInvalid;
    return copy_text((*found->mangled_names)[index], size, name);
  });
}

COMGR_EXPORT amd_comgr_status_t amd_comgr_populate_name_expression_map(amd_comgr_data_t data, size_t* count) {
  return entry([&] {
    const auto found = find(data);
    if (!found || !has_names(*found) || !count) return kInvalid;
    auto names = name_expressions(*found);
    if (!names.ok()) return kError;
    *count = names.value().size();
    found->name_expressions = std::move(names).value();
    return kSuccess;
  });
}

COMGR_EXPORT amd_comgr_status_t amd_comgr_map_name_expression_to_symbol_name(amd_comgr_data_t data, size_t* size,
                                                                             const char* expression, char* symbol) {
  return entry([&] {
    const auto found = find(data);
    if (!found || !has_names(*found) || !size || !expression || !found->name_expressions) return kInvalid;
    const auto it = found->name_expressions->find(expression);
    return it == found->name_expressions->end() ? kInvalid : copy_text(it->second, size, symbol);
  });
}

COMGR_EXPORT amd_comgr_status_t amd_comgr_lookup_code_object(amd_comgr_data_t data, amd_comgr_code_object_info_t* list,
                                                             size_t count) {
  return entry([&] {
    const auto found = find(data);
    if (!found || !list || count == 0) return kInvalid;
    std::vector<std::string_view> isas;
    for (size_t i = 0; i < count; ++i) {
      if (!list[i].isa) return kInvalid;
      isas.emplace_back(list[i].isa);
    }
    if (found->kind() == AMD_COMGR_DATA_KIND_EXECUTABLE) return place_in_executable(*found, list, count);
    if (found->kind() != AMD_COMGR_DATA_KIND_FATBIN && found->kind() != AMD_COMGR_DATA_KIND_BYTES) return kInvalid;
    // AMD's HIP gives the first 4096 bytes of a bundle of any size, and asks for ISAs that need not be known here.
    const auto places = hip::comgr::find_entries(hip::codeobject::as_text(found->span()), isas);
    if (!places.ok()) return places.status().code() == hip::ErrorCode::InvalidValue ? kInvalid : kError;
    for (size_t i = 0; i < count; ++i) {
      const auto place = places.value()[i].value_or(hip::comgr::EntryPlace{});
      list[i].size = place.bytes;
      list[i].offset = place.offset;
    }
    return kSuccess;
  });
}

COMGR_EXPORT amd_comgr_status_t amd_comgr_map_elf_virtual_address_to_code_object_offset(amd_comgr_data_t data,
                                                                                        uint64_t address,
                                                                                        uint64_t* offset,
                                                                                        uint64_t* size, bool* no_bits) {
  return entry([&] {
    const auto found = find(data);
    if (!found || found->kind() != AMD_COMGR_DATA_KIND_EXECUTABLE || !offset || !size || !no_bits) return kInvalid;
    const auto elf = ElfView::parse(found->span());
    if (!elf.ok()) return kError;
    const auto place = elf.value().place_of(address);
    if (!place) return kInvalid;
    *offset = place->offset;
    *size = place->bytes;
    *no_bits = place->no_bits;
    return kSuccess;
  });
}
