// Executables: code objects from memory and files, symbols, the loader's table, and code that cannot be loaded.
#include "testing.h"

#include <hsa/hsa_ven_amd_loader.h>

#include <algorithm>
#include <elf.h>
#include <fcntl.h>
#include <set>
#include <unistd.h>

using namespace hip::test;

namespace {

template<class T> T info(hsa_executable_symbol_t symbol, hsa_executable_symbol_info_t attribute) {
  T value{};
  REQUIRE_HSA(hsa_executable_symbol_get_info(symbol, attribute, &value));
  return value;
}

std::string name_of(hsa_executable_symbol_t symbol) {
  std::string name(info<uint32_t>(symbol, HSA_EXECUTABLE_SYMBOL_INFO_NAME_LENGTH), '\0');
  REQUIRE_HSA(hsa_executable_symbol_get_info(symbol, HSA_EXECUTABLE_SYMBOL_INFO_NAME, name.data()));
  return name;
}

hsa_ven_amd_loader_1_03_pfn_t loader() {
  hsa_ven_amd_loader_1_03_pfn_t table{};
  REQUIRE_HSA(hsa_system_get_major_extension_table(HSA_EXTENSION_AMD_LOADER, 1, sizeof table, &table));
  return table;
}

} // namespace

TEST_CASE("Symbols tell what a launch needs", "[hsa][executable]") {
  Hsa hsa;
  Kernels kernels(hsa);
  const hsa_executable_symbol_t add = kernels.symbol("add.kd");
  CHECK(info<hsa_symbol_kind_t>(add, HSA_EXECUTABLE_SYMBOL_INFO_TYPE) == HSA_SYMBOL_KIND_KERNEL);
  CHECK(name_of(add) == "add.kd");
  CHECK(info<hsa_agent_t>(add, HSA_EXECUTABLE_SYMBOL_INFO_AGENT).handle == hsa.gpu.handle);
  CHECK(info<uint32_t>(add, HSA_EXECUTABLE_SYMBOL_INFO_KERNEL_KERNARG_SEGMENT_SIZE) >= sizeof(AddArguments) - 4);
  CHECK(info<uint32_t>(add, HSA_EXECUTABLE_SYMBOL_INFO_KERNEL_GROUP_SEGMENT_SIZE) == 0);
  CHECK(info<uint32_t>(add, HSA_EXECUTABLE_SYMBOL_INFO_KERNEL_PRIVATE_SEGMENT_SIZE) == 0);
  const hsa_executable_symbol_t counter = kernels.symbol("counter");
  CHECK(info<hsa_symbol_kind_t>(counter, HSA_EXECUTABLE_SYMBOL_INFO_TYPE) == HSA_SYMBOL_KIND_VARIABLE);
  CHECK(info<uint32_t>(counter, HSA_EXECUTABLE_SYMBOL_INFO_VARIABLE_SIZE) == 4);
  CHECK(*reinterpret_cast<uint32_t*>(info<uint64_t>(counter, HSA_EXECUTABLE_SYMBOL_INFO_VARIABLE_ADDRESS)) == 7);
  uint64_t word = 0;
  CHECK(hsa_executable_symbol_get_info(counter, HSA_EXECUTABLE_SYMBOL_INFO_KERNEL_OBJECT, &word) ==
        HSA_STATUS_ERROR_INVALID_ARGUMENT);
  CHECK(hsa_executable_symbol_get_info({1}, HSA_EXECUTABLE_SYMBOL_INFO_TYPE, &word) ==
        HSA_STATUS_ERROR_INVALID_EXECUTABLE_SYMBOL);
  hsa_executable_symbol_t none;
  CHECK(hsa_executable_get_symbol_by_name(kernels.executable, "nothing.kd", &hsa.gpu, &none) ==
        HSA_STATUS_ERROR_INVALID_SYMBOL_NAME);

  std::set<std::string> names;
  REQUIRE_HSA(hsa_executable_iterate_agent_symbols(
      kernels.executable, hsa.gpu,
      [](hsa_executable_t, hsa_agent_t, hsa_executable_symbol_t symbol, void* data) {
        static_cast<std::set<std::string>*>(data)->insert(name_of(symbol));
        return HSA_STATUS_SUCCESS;
      },
      &names));
  for (const char* const wanted :
       {"add.kd", "count.kd", "read_elsewhere.kd", "store_signal.kd", "wait_for.kd", "counter"})
    CHECK(names.contains(wanted));
}

TEST_CASE("Variables that the host defines are the code's", "[hsa][executable]") {
  Hsa hsa;
  Kernels kernels(hsa);
  auto* const out = hsa.allocate<uint32_t>(hsa.fine, 1);
  auto* const arguments = hsa.allocate<uint32_t*>(hsa.kernarg, 1);
  *arguments = out;
  const hsa_signal_t done = hsa.signal(1);
  hsa_queue_t* const queue = hsa.queue();
  dispatch(queue, kernels.kernel("read_elsewhere"), arguments, 1, done);
  REQUIRE(wait_below(done, 1) == 0);
  CHECK(*out == Kernels::elsewhere);
  REQUIRE_HSA(hsa_queue_destroy(queue));
  CHECK(hsa_executable_agent_global_variable_define(kernels.executable, hsa.gpu, "more", out) ==
        HSA_STATUS_ERROR_FROZEN_EXECUTABLE);
}

TEST_CASE("Code is read from a file, or from a part of one", "[hsa][executable]") {
  Hsa hsa;
  const std::vector<char> code = read_file(OMNIHIP_TEST_DATA "/hsa_kernels.co");
  char path[] = "/tmp/omnihip-hsa-XXXXXX";
  const int file = ::mkstemp(path);
  REQUIRE(file >= 0);
  ::unlink(path);
  const std::string front(1000, 'x');
  REQUIRE(::write(file, front.data(), front.size()) == 1000);
  REQUIRE(::write(file, code.data(), code.size()) == static_cast<ssize_t>(code.size()));
  const auto load = [&](hsa_code_object_reader_t reader) {
    hsa_executable_t executable;
    REQUIRE_HSA(
        hsa_executable_create_alt(HSA_PROFILE_BASE, HSA_DEFAULT_FLOAT_ROUNDING_MODE_DEFAULT, nullptr, &executable));
    auto* const variable = hsa.allocate<uint32_t>(hsa.fine, 1);
    REQUIRE_HSA(hsa_executable_global_variable_define(executable, "elsewhere", variable));
    const hsa_status_t status = hsa_executable_load_agent_code_object(executable, hsa.gpu, reader, nullptr, nullptr);
    REQUIRE_HSA(hsa_executable_destroy(executable));
    REQUIRE_HSA(hsa_code_object_reader_destroy(reader));
    return status;
  };
  hsa_code_object_reader_t reader;
  REQUIRE_HSA(hsa_code_object_reader_create_from_file(file, &reader));
  CHECK(load(reader) == HSA_STATUS_ERROR_INVALID_CODE_OBJECT); // begins with something else
  REQUIRE_HSA(loader().hsa_ven_amd_loader_code_object_reader_create_from_file_with_offset_size(file, 1000, code.size(),
                                                                                               &reader));
  CHECK(load(reader) == HSA_STATUS_SUCCESS);
  CHECK(loader().hsa_ven_amd_loader_code_object_reader_create_from_file_with_offset_size(
            file, 1001, code.size(), &reader) == HSA_STATUS_ERROR_INVALID_FILE);
  ::close(file);
  CHECK(hsa_code_object_reader_create_from_file(-1, &reader) == HSA_STATUS_ERROR_INVALID_FILE);
  CHECK(hsa_code_object_reader_destroy({1}) == HSA_STATUS_ERROR_INVALID_CODE_OBJECT_READER);
}

TEST_CASE("Code that cannot be loaded is refused with its reason's number", "[hsa][executable][misuse]") {
  Hsa hsa;
  std::vector<char> code = read_file(OMNIHIP_TEST_DATA "/hsa_kernels.co");
  hsa_executable_t executable;
  REQUIRE_HSA(
      hsa_executable_create_alt(HSA_PROFILE_BASE, HSA_DEFAULT_FLOAT_ROUNDING_MODE_DEFAULT, nullptr, &executable));
  const auto load = [&](const std::vector<char>& bytes) {
    hsa_code_object_reader_t reader;
    REQUIRE_HSA(hsa_code_object_reader_create_from_memory(bytes.data(), bytes.size(), &reader));
    const hsa_status_t status = hsa_executable_load_agent_code_object(executable, hsa.gpu, reader, nullptr, nullptr);
    REQUIRE_HSA(hsa_code_object_reader_destroy(reader));
    return status;
  };
  CHECK(load(code) == HSA_STATUS_ERROR_VARIABLE_UNDEFINED); // `elsewhere` was not defined
  CHECK(load({code.begin(), code.begin() + static_cast<std::ptrdiff_t>(code.size() / 2)}) ==
        HSA_STATUS_ERROR_INVALID_CODE_OBJECT);
  CHECK(load(std::vector<char>(64, 0)) == HSA_STATUS_ERROR_INVALID_CODE_OBJECT);
  std::vector<char> other = code;
  other[0x30] = 0x3f; // e_flags: gfx90a
  CHECK(load(other) != HSA_STATUS_SUCCESS);
  REQUIRE_HSA(hsa_executable_freeze(executable, nullptr));
  CHECK(load(code) == HSA_STATUS_ERROR_FROZEN_EXECUTABLE);
  CHECK(hsa_executable_freeze(executable, nullptr) == HSA_STATUS_ERROR_FROZEN_EXECUTABLE);
  REQUIRE_HSA(hsa_executable_destroy(executable));
  CHECK(hsa_executable_destroy(executable) == HSA_STATUS_ERROR_INVALID_EXECUTABLE);
  CHECK(hsa_executable_freeze(executable, nullptr) == HSA_STATUS_ERROR_INVALID_EXECUTABLE);
}

TEST_CASE("The loader's table says what lies where", "[hsa][executable]") {
  Hsa hsa;
  Kernels kernels(hsa);
  const hsa_ven_amd_loader_1_03_pfn_t table = loader();
  const auto* const kernel = reinterpret_cast<const void*>(kernels.kernel("add"));
  const void* on_host = nullptr;
  REQUIRE_HSA(table.hsa_ven_amd_loader_query_host_address(kernel, &on_host));
  CHECK(on_host == kernel);
  hsa_executable_t executable{};
  REQUIRE_HSA(table.hsa_ven_amd_loader_query_executable(kernel, &executable));
  CHECK(executable.handle == kernels.executable.handle);
  int nothing = 0;
  CHECK(table.hsa_ven_amd_loader_query_executable(&nothing, &executable) == HSA_STATUS_ERROR_INVALID_ARGUMENT);

  hsa_loaded_code_object_t loaded{};
  REQUIRE_HSA(table.hsa_ven_amd_loader_executable_iterate_loaded_code_objects(
      kernels.executable,
      [](hsa_executable_t, hsa_loaded_code_object_t each, void* data) {
        *static_cast<hsa_loaded_code_object_t*>(data) = each;
        return HSA_STATUS_SUCCESS;
      },
      &loaded));
  REQUIRE(loaded.handle != 0);
  uint64_t base = 0, bytes = 0, storage = 0;
  int64_t delta = 0;
  const auto get = table.hsa_ven_amd_loader_loaded_code_object_get_info;
  REQUIRE_HSA(get(loaded, HSA_VEN_AMD_LOADER_LOADED_CODE_OBJECT_INFO_LOAD_BASE, &base));
  REQUIRE_HSA(get(loaded, HSA_VEN_AMD_LOADER_LOADED_CODE_OBJECT_INFO_LOAD_SIZE, &bytes));
  REQUIRE_HSA(get(loaded, HSA_VEN_AMD_LOADER_LOADED_CODE_OBJECT_INFO_LOAD_DELTA, &delta));
  REQUIRE_HSA(get(loaded, HSA_VEN_AMD_LOADER_LOADED_CODE_OBJECT_INFO_CODE_OBJECT_STORAGE_MEMORY_SIZE, &storage));
  CHECK(kernels.kernel("add") - base < bytes);
  CHECK(static_cast<uint64_t>(delta) == base); // the file's addresses begin at 0
  CHECK(storage == kernels.file.size());
  uint32_t length = 0;
  REQUIRE_HSA(get(loaded, HSA_VEN_AMD_LOADER_LOADED_CODE_OBJECT_INFO_URI_LENGTH, &length));
  std::string uri(length, '\0');
  REQUIRE_HSA(get(loaded, HSA_VEN_AMD_LOADER_LOADED_CODE_OBJECT_INFO_URI, uri.data()));
  CHECK(uri.starts_with("memory://"));

  size_t count = 0;
  REQUIRE_HSA(table.hsa_ven_amd_loader_query_segment_descriptors(nullptr, &count));
  REQUIRE(count >= 2);
  std::vector<hsa_ven_amd_loader_segment_descriptor_t> segments(count);
  REQUIRE_HSA(table.hsa_ven_amd_loader_query_segment_descriptors(segments.data(), &count));
  CHECK(std::any_of(segments.begin(), segments.end(), [&](const auto& each) {
    return kernels.kernel("add") - reinterpret_cast<uint64_t>(each.segment_base) < each.segment_size &&
           each.executable.handle == kernels.executable.handle;
  }));
  size_t wrong = count + 1;
  CHECK(table.hsa_ven_amd_loader_query_segment_descriptors(segments.data(), &wrong) ==
        HSA_STATUS_ERROR_INCOMPATIBLE_ARGUMENTS);
}

TEST_CASE("Descriptors of segments say where in the file their bytes are", "[hsa][executable]") {
  Hsa hsa;
  Kernels kernels(hsa);
  const hsa_ven_amd_loader_1_03_pfn_t table = loader();
  size_t count = 0;
  REQUIRE_HSA(table.hsa_ven_amd_loader_query_segment_descriptors(nullptr, &count));
  std::vector<hsa_ven_amd_loader_segment_descriptor_t> segments(count);
  REQUIRE_HSA(table.hsa_ven_amd_loader_query_segment_descriptors(segments.data(), &count));
  std::erase_if(segments, [&](const auto& each) { return each.executable.handle != kernels.executable.handle; });
  std::sort(segments.begin(), segments.end(),
            [](const auto& a, const auto& b) { return std::less<>()(a.segment_base, b.segment_base); });

  // The file's own list, by ascending address.
  Elf64_Ehdr header;
  std::memcpy(&header, kernels.file.data(), sizeof header);
  std::vector<Elf64_Phdr> loads;
  for (size_t i = 0; i < header.e_phnum; ++i) {
    Elf64_Phdr each;
    std::memcpy(&each, kernels.file.data() + header.e_phoff + i * header.e_phentsize, sizeof each);
    if (each.p_type == PT_LOAD) loads.push_back(each);
  }
  REQUIRE(segments.size() == loads.size());
  bool code = false, moved = false;
  for (size_t i = 0; i < loads.size(); ++i) {
    CAPTURE(i);
    const auto* const storage = static_cast<const char*>(segments[i].code_object_storage_base);
    const size_t offset = segments[i].code_object_storage_offset;
    CHECK(segments[i].code_object_storage_size == kernels.file.size());
    CHECK(segments[i].segment_size == loads[i].p_memsz);
    CHECK(offset == loads[i].p_offset);
    moved |= loads[i].p_offset != loads[i].p_vaddr;
    if ((loads[i].p_flags & PF_X) == 0) continue; // data has been relocated
    code = true;
    REQUIRE(offset + loads[i].p_filesz <= kernels.file.size());
    CHECK(std::memcmp(storage + offset, segments[i].segment_base, loads[i].p_filesz) == 0);
  }
  CHECK(code);
  CHECK(moved); // or else offsets and addresses could be mistaken for each other
}

TEST_CASE("A table is copied as far as the caller's reaches", "[hsa][executable]") {
  Hsa hsa;
  void* table[8];
  for (void*& each : table) each = table;
  REQUIRE_HSA(hsa_system_get_major_extension_table(HSA_EXTENSION_AMD_LOADER, 1, 3 * sizeof(void*), table));
  CHECK(table[2] != table);
  CHECK(table[3] == table);
  REQUIRE_HSA(hsa_system_get_extension_table(HSA_EXTENSION_AMD_LOADER, 1, 1, table));
  CHECK(table[4] != table);
  CHECK(table[5] == table);
  CHECK(hsa_system_get_extension_table(HSA_EXTENSION_AMD_LOADER, 1, 4, table) == HSA_STATUS_ERROR_INVALID_ARGUMENT);
  CHECK(hsa_system_get_major_extension_table(HSA_EXTENSION_FINALIZER, 1, sizeof table, table) == HSA_STATUS_ERROR);
}
