// Handles, data objects, sets and action infos: what each call gives, and what it refuses.
#include "fixture.h"

#include <cstdio>
#include <cstring>
#include <dlfcn.h>
#include <unistd.h>

using namespace comgr_test;

TEST_CASE("The library has comgr 3's name and the nodes of its symbols") {
  void* const library = dlopen("libamd_comgr.so.3", RTLD_NOW | RTLD_NOLOAD);
  REQUIRE(library);
  const std::pair<const char*, const char*> symbols[] = {
      {"amd_comgr_do_action", "amd_comgr_1.8"},
      {"amd_comgr_get_isa_name", "amd_comgr_2.0"},
      {"amd_comgr_demangle_symbol_name", "amd_comgr_2.2"},
      {"amd_comgr_lookup_code_object", "amd_comgr_2.3"},
      {"amd_comgr_symbolize", "amd_comgr_2.4"},
      {"amd_comgr_get_mangled_name", "amd_comgr_2.5"},
      {"amd_comgr_populate_name_expression_map", "amd_comgr_2.6"},
      {"amd_comgr_map_elf_virtual_address_to_code_object_offset", "amd_comgr_2.7"},
      {"amd_comgr_action_info_set_bundle_entry_ids", "amd_comgr_2.8"},
      {"amd_comgr_action_info_set_device_lib_linking", "amd_comgr_2.9"},
      {"amd_comgr_action_info_set_vfs", "amd_comgr3.1"},
  };
  for (const auto& [name, node] : symbols) {
    CAPTURE(name, node);
    CHECK(dlvsym(library, name, node));
  }
  dlclose(library);
}

TEST_CASE("Version, states and ISA names") {
  size_t major = 0, minor = 99;
  amd_comgr_get_version(&major, &minor);
  CHECK(major == 3);
  CHECK(minor == 0);
  CHECK(major == AMD_COMGR_INTERFACE_VERSION_MAJOR); // the header is the library's
  CHECK(minor == AMD_COMGR_INTERFACE_VERSION_MINOR);

  const char* text = nullptr;
  COMGR_OK(amd_comgr_status_string(AMD_COMGR_STATUS_ERROR_INVALID_ARGUMENT, &text));
  CHECK(std::string(text) == "INVALID_ARGUMENT");
  COMGR_INVALID(amd_comgr_status_string(static_cast<amd_comgr_status_t>(77), &text));
  COMGR_INVALID(amd_comgr_status_string(AMD_COMGR_STATUS_SUCCESS, nullptr));

  size_t count = 0;
  COMGR_OK(amd_comgr_get_isa_count(&count));
  REQUIRE(count > 30);
  bool has_gfx942 = false;
  for (size_t i = 0; i < count; ++i) {
    COMGR_OK(amd_comgr_get_isa_name(i, &text));
    CHECK(std::string(text).starts_with("amdgcn-amd-amdhsa--gfx"));
    has_gfx942 = has_gfx942 || std::strcmp(text, kIsa) == 0;
  }
  CHECK(has_gfx942);
  COMGR_INVALID(amd_comgr_get_isa_name(count, &text));
  COMGR_INVALID(amd_comgr_get_isa_name(0, nullptr));
  COMGR_INVALID(amd_comgr_get_isa_count(nullptr));
}

TEST_CASE("Data objects keep bytes and names, and end with the last reference") {
  amd_comgr_data_t data{};
  COMGR_INVALID(amd_comgr_create_data(AMD_COMGR_DATA_KIND_UNDEF, &data));
  COMGR_INVALID(amd_comgr_create_data(static_cast<amd_comgr_data_kind_t>(0xa), &data));
  COMGR_INVALID(amd_comgr_create_data(static_cast<amd_comgr_data_kind_t>(0x70), &data));
  COMGR_INVALID(amd_comgr_create_data(AMD_COMGR_DATA_KIND_BC, nullptr));
  COMGR_OK(amd_comgr_create_data(AMD_COMGR_DATA_KIND_BYTES, &data));
  amd_comgr_data_kind_t kind{};
  COMGR_OK(amd_comgr_get_data_kind(data, &kind));
  CHECK(kind == AMD_COMGR_DATA_KIND_BYTES);

  size_t size = 77;
  COMGR_OK(amd_comgr_get_data(data, &size, nullptr));
  CHECK(size == 0);
  COMGR_OK(amd_comgr_set_data(data, 5, "ab\0de"));
  COMGR_OK(amd_comgr_get_data(data, &size, nullptr));
  CHECK(size == 5);
  char buffer[8] = "zzzzzzz";
  size = 3;
  COMGR_OK(amd_comgr_get_data(data, &size, buffer));
  CHECK(std::memcmp(buffer, "ab\0zzzz", 8) == 0);
  COMGR_INVALID(amd_comgr_set_data(data, 5, nullptr));
  COMGR_INVALID(amd_comgr_get_data(data, nullptr, nullptr));

  COMGR_OK(amd_comgr_set_data_name(data, "name"));
  COMGR_OK(amd_comgr_get_data_name(data, &size, nullptr));
  CHECK(size == 5);
  COMGR_OK(amd_comgr_get_data_name(data, &size, buffer));
  CHECK(std::string(buffer) == "name");
  COMGR_OK(amd_comgr_set_data_name(data, nullptr));
  COMGR_OK(amd_comgr_get_data_name(data, &size, nullptr));
  CHECK(size == 1);

  Set set;
  COMGR_OK(amd_comgr_data_set_add(set, data));
  COMGR_OK(amd_comgr_data_set_add(set, data)); // once only
  CHECK(set.count(AMD_COMGR_DATA_KIND_BYTES) == 1);
  COMGR_OK(amd_comgr_release_data(data));
  CHECK(set.get(AMD_COMGR_DATA_KIND_BYTES).bytes() == std::string("ab\0de", 5));
  COMGR_OK(amd_comgr_data_set_remove(set, AMD_COMGR_DATA_KIND_BYTES));
  CHECK(set.count(AMD_COMGR_DATA_KIND_BYTES) == 0);
}

TEST_CASE("A release too many is refused, and takes nothing from sets") {
  amd_comgr_data_t data{}, same{};
  COMGR_OK(amd_comgr_create_data(AMD_COMGR_DATA_KIND_SPIRV, &data));
  COMGR_OK(amd_comgr_set_data(data, 4, "\x03\x02\x23\x07"));
  Set set, result;
  COMGR_OK(amd_comgr_data_set_add(set, data));
  COMGR_OK(amd_comgr_release_data(data));
  COMGR_INVALID(amd_comgr_release_data(data));
  CHECK(set.count(AMD_COMGR_DATA_KIND_SPIRV) == 1);
  CHECK(amd_comgr_do_action(AMD_COMGR_ACTION_TRANSLATE_SPIRV_TO_BC, Info(), set, result) == AMD_COMGR_STATUS_ERROR);

  // What a set gives out is released as often as it was given out.
  COMGR_OK(amd_comgr_action_data_get_data(set, AMD_COMGR_DATA_KIND_SPIRV, 0, &same));
  CHECK(same.handle == data.handle);
  COMGR_OK(amd_comgr_action_data_get_data(set, AMD_COMGR_DATA_KIND_SPIRV, 0, &same));
  COMGR_OK(amd_comgr_release_data(same));
  COMGR_OK(amd_comgr_release_data(same));
  COMGR_INVALID(amd_comgr_release_data(same));
  COMGR_INVALID(amd_comgr_action_data_get_data(set, AMD_COMGR_DATA_KIND_SPIRV, 1, &same));

  // Each set has a reference of its own.
  Set other;
  COMGR_OK(amd_comgr_data_set_add(other, data));
  COMGR_OK(amd_comgr_data_set_remove(set, AMD_COMGR_DATA_KIND_SPIRV));
  CHECK(set.count(AMD_COMGR_DATA_KIND_SPIRV) == 0);
  CHECK(other.get(AMD_COMGR_DATA_KIND_SPIRV).bytes() == "\x03\x02\x23\x07");
  COMGR_OK(amd_comgr_data_set_remove(other, AMD_COMGR_DATA_KIND_UNDEF));
  size_t size = 0;
  COMGR_INVALID(amd_comgr_get_data(data, &size, nullptr));
}

TEST_CASE("A slice of a file becomes data") {
  FILE* const file = tmpfile();
  REQUIRE(file);
  const std::string text(100000, 'x');
  std::fputs(("head" + text).c_str(), file);
  std::fflush(file);
  const Data data(AMD_COMGR_DATA_KIND_BYTES, "", "old");
  COMGR_OK(amd_comgr_set_data_from_file_slice(data, fileno(file), 4, text.size()));
  CHECK(data.bytes() == text);
  COMGR_INVALID(amd_comgr_set_data_from_file_slice(data, -1, 0, 4));
  std::fclose(file);
}

TEST_CASE("Sets keep the order of objects of a kind") {
  const Data a(AMD_COMGR_DATA_KIND_SOURCE, "a", "1"), b(AMD_COMGR_DATA_KIND_BC, "b", "2"),
      c(AMD_COMGR_DATA_KIND_SOURCE, "c", "3");
  Set set;
  for (const Data* data : {&a, &b, &c}) COMGR_OK(amd_comgr_data_set_add(set, *data));
  CHECK(set.count(AMD_COMGR_DATA_KIND_SOURCE) == 2);
  CHECK(set.get(AMD_COMGR_DATA_KIND_SOURCE, 0).name() == "a");
  CHECK(set.get(AMD_COMGR_DATA_KIND_SOURCE, 1).name() == "c");
  amd_comgr_data_t none{};
  COMGR_INVALID(amd_comgr_action_data_get_data(set, AMD_COMGR_DATA_KIND_SOURCE, 2, &none));
  COMGR_INVALID(amd_comgr_action_data_get_data(set, AMD_COMGR_DATA_KIND_UNDEF, 0, &none));
  size_t count = 0;
  COMGR_INVALID(amd_comgr_action_data_count(set, AMD_COMGR_DATA_KIND_UNDEF, &count));
  COMGR_INVALID(amd_comgr_action_data_count(set, AMD_COMGR_DATA_KIND_BC, nullptr));
  COMGR_OK(amd_comgr_data_set_remove(set, AMD_COMGR_DATA_KIND_UNDEF)); // all
  CHECK(set.count(AMD_COMGR_DATA_KIND_BC) == 0);

  const Data include(AMD_COMGR_DATA_KIND_INCLUDE, "", "x");
  COMGR_INVALID(amd_comgr_data_set_add(set, include)); // has no name
}

TEST_CASE("Action infos give back what they were given") {
  amd_comgr_action_info_t info{};
  COMGR_OK(amd_comgr_create_action_info(&info));
  size_t size = 0, count = 77;
  COMGR_OK(amd_comgr_action_info_get_isa_name(info, &size, nullptr));
  CHECK(size == 1);
  const char* const isa = "amdgcn-amd-amdhsa--gfx90a:sramecc+:xnack-";
  COMGR_OK(amd_comgr_action_info_set_isa_name(info, isa));
  COMGR_OK(amd_comgr_action_info_get_isa_name(info, &size, nullptr));
  CHECK(size == std::strlen(isa) + 1);
  char text[64];
  COMGR_OK(amd_comgr_action_info_get_isa_name(info, &size, text));
  CHECK(std::string(text) == isa);
  for (const char* bad : {"gfx942", "amdgcn-amd-amdhsa--gfx9999", "amdgcn-amd-amdhsa--gfx1100:xnack+", "x"})
    COMGR_INVALID(amd_comgr_action_info_set_isa_name(info, bad));
  COMGR_OK(amd_comgr_action_info_set_isa_name(info, nullptr));

  amd_comgr_language_t language{};
  COMGR_OK(amd_comgr_action_info_get_language(info, &language));
  CHECK(language == AMD_COMGR_LANGUAGE_NONE);
  COMGR_OK(amd_comgr_action_info_set_language(info, AMD_COMGR_LANGUAGE_HIP));
  COMGR_OK(amd_comgr_action_info_get_language(info, &language));
  CHECK(language == AMD_COMGR_LANGUAGE_HIP);
  COMGR_INVALID(amd_comgr_action_info_set_language(info, static_cast<amd_comgr_language_t>(5)));

  CHECK(amd_comgr_action_info_get_option_list_count(info, &count) == AMD_COMGR_STATUS_ERROR); // never set
  const char* options[] = {"-O3", "-DX=1"};
  COMGR_OK(amd_comgr_action_info_set_option_list(info, options, 2));
  COMGR_OK(amd_comgr_action_info_get_option_list_count(info, &count));
  CHECK(count == 2);
  COMGR_OK(amd_comgr_action_info_get_option_list_item(info, 1, &size, nullptr));
  CHECK(size == 6);
  COMGR_OK(amd_comgr_action_info_get_option_list_item(info, 1, &size, text));
  CHECK(std::string(text) == "-DX=1");
  COMGR_INVALID(amd_comgr_action_info_get_option_list_item(info, 2, &size, text));
  COMGR_INVALID(amd_comgr_action_info_set_option_list(info, nullptr, 1));
  COMGR_OK(amd_comgr_action_info_set_option_list(info, nullptr, 0));

  const char* ids[] = {"host-x86_64-unknown-linux--", "hip-amdgcn-amd-amdhsa--gfx942"};
  COMGR_OK(amd_comgr_action_info_set_bundle_entry_ids(info, ids, 2));
  COMGR_OK(amd_comgr_action_info_get_bundle_entry_id_count(info, &count));
  CHECK(count == 2);
  COMGR_OK(amd_comgr_action_info_get_bundle_entry_id(info, 1, &size, nullptr));
  COMGR_OK(amd_comgr_action_info_get_bundle_entry_id(info, 1, &size, text));
  CHECK(std::string(text) == ids[1]);

  COMGR_OK(amd_comgr_action_info_set_working_directory_path(info, "/tmp"));
  COMGR_OK(amd_comgr_action_info_get_working_directory_path(info, &size, nullptr));
  CHECK(size == 5);
  bool logging = true;
  COMGR_OK(amd_comgr_action_info_get_logging(info, &logging));
  CHECK_FALSE(logging);
  COMGR_OK(amd_comgr_action_info_set_vfs(info, true));
  COMGR_OK(amd_comgr_action_info_set_device_lib_linking(info, true));
  COMGR_OK(amd_comgr_destroy_action_info(info));
}

// The handle of AMD's library is an address, so that only ours can refuse what is no object.
TEST_CASE("Handles of ended objects, and of other kinds, are refused") {
  amd_comgr_data_t data{};
  COMGR_OK(amd_comgr_create_data(AMD_COMGR_DATA_KIND_BYTES, &data));
  COMGR_OK(amd_comgr_release_data(data));
  size_t size = 0;
  COMGR_INVALID(amd_comgr_release_data(data));
  COMGR_INVALID(amd_comgr_get_data(data, &size, nullptr));
  Set set;
  COMGR_INVALID(amd_comgr_get_data({amd_comgr_data_set_t(set).handle}, &size, nullptr));
  COMGR_INVALID(amd_comgr_data_set_add(set, data));
  COMGR_INVALID(amd_comgr_destroy_action_info({amd_comgr_data_set_t(set).handle}));
  COMGR_INVALID(amd_comgr_destroy_metadata({12345678}));
  COMGR_INVALID(amd_comgr_destroy_disassembly_info({12345678}));
  COMGR_INVALID(amd_comgr_destroy_symbolizer_info({12345678}));
  COMGR_INVALID(amd_comgr_symbol_get_info({12345678}, AMD_COMGR_SYMBOL_INFO_SIZE, &size));
}
