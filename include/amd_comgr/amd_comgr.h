// amd_comgr/amd_comgr.h - compiles, links, assembles and reads code objects: libamd_comgr.so.3, with the names, numbers
// and layouts of ROCm's code object manager 3, and the contract in short. Link with -lamd_comgr, or by
// find_package(amd_comgr). ("A size query" below: with a null destination *size gets the bytes needed, a text's final
// zero included; otherwise at most *size bytes are copied.)
//
// Handles are numbers of live objects and looked up at every call: an invalid one gives ERROR_INVALID_ARGUMENT.
// Thread safety: any thread, as long as no two use the same object.
#ifndef AMD_COMGR_AMD_COMGR_H
#define AMD_COMGR_AMD_COMGR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// What amd_comgr_get_version answers.
#define AMD_COMGR_INTERFACE_VERSION_MAJOR 3
#define AMD_COMGR_INTERFACE_VERSION_MINOR 0

// C++ programs may pass any number for an enumerator, too.
#ifdef __cplusplus
#define AMD_COMGR_INT : int
extern "C" {
#else
#define AMD_COMGR_INT
#endif

typedef enum amd_comgr_status_s AMD_COMGR_INT {
  AMD_COMGR_STATUS_SUCCESS = 0,
  AMD_COMGR_STATUS_ERROR = 1,
  AMD_COMGR_STATUS_ERROR_INVALID_ARGUMENT = 2,
  AMD_COMGR_STATUS_ERROR_OUT_OF_RESOURCES = 3,
} amd_comgr_status_t;

typedef enum amd_comgr_language_s AMD_COMGR_INT {
  AMD_COMGR_LANGUAGE_NONE = 0,
  AMD_COMGR_LANGUAGE_OPENCL_1_2 = 1,
  AMD_COMGR_LANGUAGE_OPENCL_2_0 = 2,
  AMD_COMGR_LANGUAGE_HIP = 3,
  AMD_COMGR_LANGUAGE_LLVM_IR = 4,
  AMD_COMGR_LANGUAGE_LAST = AMD_COMGR_LANGUAGE_LLVM_IR,
} amd_comgr_language_t;

typedef enum amd_comgr_data_kind_s AMD_COMGR_INT {
  AMD_COMGR_DATA_KIND_UNDEF = 0x0,
  AMD_COMGR_DATA_KIND_SOURCE = 0x1,
  AMD_COMGR_DATA_KIND_INCLUDE = 0x2,
  AMD_COMGR_DATA_KIND_PRECOMPILED_HEADER = 0x3,
  AMD_COMGR_DATA_KIND_DIAGNOSTIC = 0x4,
  AMD_COMGR_DATA_KIND_LOG = 0x5,
  AMD_COMGR_DATA_KIND_BC = 0x6,
  AMD_COMGR_DATA_KIND_RELOCATABLE = 0x7,
  AMD_COMGR_DATA_KIND_EXECUTABLE = 0x8,
  AMD_COMGR_DATA_KIND_BYTES = 0x9,
  AMD_COMGR_DATA_KIND_FATBIN = 0x10,
  AMD_COMGR_DATA_KIND_AR = 0x11,
  AMD_COMGR_DATA_KIND_BC_BUNDLE = 0x12,
  AMD_COMGR_DATA_KIND_AR_BUNDLE = 0x13,
  AMD_COMGR_DATA_KIND_OBJ_BUNDLE = 0x14,
  AMD_COMGR_DATA_KIND_SPIRV = 0x15,
  AMD_COMGR_DATA_KIND_LAST = AMD_COMGR_DATA_KIND_SPIRV,
} amd_comgr_data_kind_t;

typedef enum amd_comgr_action_kind_s AMD_COMGR_INT {
  AMD_COMGR_ACTION_SOURCE_TO_PREPROCESSOR = 0x0,
  AMD_COMGR_ACTION_ADD_PRECOMPILED_HEADERS = 0x1, // copies input to result
  AMD_COMGR_ACTION_COMPILE_SOURCE_TO_BC = 0x2,
  AMD_COMGR_ACTION_LINK_BC_TO_BC = 0x3,
  AMD_COMGR_ACTION_CODEGEN_BC_TO_RELOCATABLE = 0x4,
  AMD_COMGR_ACTION_CODEGEN_BC_TO_ASSEMBLY = 0x5,
  AMD_COMGR_ACTION_LINK_RELOCATABLE_TO_RELOCATABLE = 0x6,
  AMD_COMGR_ACTION_LINK_RELOCATABLE_TO_EXECUTABLE = 0x7,
  AMD_COMGR_ACTION_ASSEMBLE_SOURCE_TO_RELOCATABLE = 0x8,
  AMD_COMGR_ACTION_DISASSEMBLE_RELOCATABLE_TO_SOURCE = 0x9, // comgr 3 has none: ERROR_INVALID_ARGUMENT
  AMD_COMGR_ACTION_DISASSEMBLE_EXECUTABLE_TO_SOURCE = 0xa,  // likewise
  AMD_COMGR_ACTION_DISASSEMBLE_BYTES_TO_SOURCE = 0xb,       // likewise
  AMD_COMGR_ACTION_COMPILE_SOURCE_WITH_DEVICE_LIBS_TO_BC = 0xc,
  AMD_COMGR_ACTION_COMPILE_SOURCE_TO_RELOCATABLE = 0xd,
  AMD_COMGR_ACTION_COMPILE_SOURCE_TO_EXECUTABLE = 0xe,
  AMD_COMGR_ACTION_UNBUNDLE = 0xf,
  AMD_COMGR_ACTION_COMPILE_SPIRV_TO_RELOCATABLE = 0x10, // not done: ERROR, and the log says so
  AMD_COMGR_ACTION_TRANSLATE_SPIRV_TO_BC = 0x13,        // likewise
  AMD_COMGR_ACTION_LAST = AMD_COMGR_ACTION_TRANSLATE_SPIRV_TO_BC,
} amd_comgr_action_kind_t;

typedef enum amd_comgr_metadata_kind_s AMD_COMGR_INT {
  AMD_COMGR_METADATA_KIND_NULL = 0,
  AMD_COMGR_METADATA_KIND_STRING = 1,
  AMD_COMGR_METADATA_KIND_MAP = 2,
  AMD_COMGR_METADATA_KIND_LIST = 3,
  AMD_COMGR_METADATA_KIND_LAST = AMD_COMGR_METADATA_KIND_LIST,
} amd_comgr_metadata_kind_t;

typedef enum amd_comgr_symbol_type_s AMD_COMGR_INT {
  AMD_COMGR_SYMBOL_TYPE_UNKNOWN = -1,
  AMD_COMGR_SYMBOL_TYPE_NOTYPE = 0,
  AMD_COMGR_SYMBOL_TYPE_OBJECT = 1,
  AMD_COMGR_SYMBOL_TYPE_FUNC = 2,
  AMD_COMGR_SYMBOL_TYPE_SECTION = 3,
  AMD_COMGR_SYMBOL_TYPE_FILE = 4,
  AMD_COMGR_SYMBOL_TYPE_COMMON = 5,
  AMD_COMGR_SYMBOL_TYPE_AMDGPU_HSA_KERNEL = 10,
} amd_comgr_symbol_type_t;

typedef enum amd_comgr_symbol_info_s AMD_COMGR_INT {
  AMD_COMGR_SYMBOL_INFO_NAME_LENGTH = 0,  // uint64_t, without the final zero
  AMD_COMGR_SYMBOL_INFO_NAME = 1,         // that many characters and a zero
  AMD_COMGR_SYMBOL_INFO_TYPE = 2,         // amd_comgr_symbol_type_t
  AMD_COMGR_SYMBOL_INFO_SIZE = 3,         // uint64_t
  AMD_COMGR_SYMBOL_INFO_IS_UNDEFINED = 4, // bool
  AMD_COMGR_SYMBOL_INFO_VALUE = 5,        // uint64_t
  AMD_COMGR_SYMBOL_INFO_LAST = AMD_COMGR_SYMBOL_INFO_VALUE,
} amd_comgr_symbol_info_t;

// clang-format off
typedef struct amd_comgr_data_s { uint64_t handle; } amd_comgr_data_t;
typedef struct amd_comgr_data_set_s { uint64_t handle; } amd_comgr_data_set_t;
typedef struct amd_comgr_action_info_s { uint64_t handle; } amd_comgr_action_info_t;
typedef struct amd_comgr_metadata_node_s { uint64_t handle; } amd_comgr_metadata_node_t;
typedef struct amd_comgr_symbol_s { uint64_t handle; } amd_comgr_symbol_t;
typedef struct amd_comgr_disassembly_info_s { uint64_t handle; } amd_comgr_disassembly_info_t;
typedef struct amd_comgr_symbolizer_info_s { uint64_t handle; } amd_comgr_symbolizer_info_t;
// clang-format on

typedef struct amd_comgr_code_object_info_s {
  const char* isa; // given
  size_t size;     // 0: the bundle holds nothing for it
  uint64_t offset;
} amd_comgr_code_object_info_t;

// The library and the processors that it compiles for.
amd_comgr_status_t amd_comgr_status_string(amd_comgr_status_t status, const char** text);
void amd_comgr_get_version(size_t* major, size_t* minor);
amd_comgr_status_t amd_comgr_get_isa_count(size_t* count);
amd_comgr_status_t amd_comgr_get_isa_name(size_t index, const char** name);
amd_comgr_status_t amd_comgr_get_isa_metadata(const char* name, amd_comgr_metadata_node_t* metadata);

// Data objects, counted by reference. get_data, get_data_name and get_data_isa_name are size queries.
amd_comgr_status_t amd_comgr_create_data(amd_comgr_data_kind_t kind, amd_comgr_data_t* data);
amd_comgr_status_t amd_comgr_release_data(amd_comgr_data_t data);
amd_comgr_status_t amd_comgr_get_data_kind(amd_comgr_data_t data, amd_comgr_data_kind_t* kind);
amd_comgr_status_t amd_comgr_set_data(amd_comgr_data_t data, size_t size, const char* bytes);
amd_comgr_status_t amd_comgr_set_data_from_file_slice(amd_comgr_data_t data, int file, uint64_t offset, uint64_t size);
amd_comgr_status_t amd_comgr_set_data_name(amd_comgr_data_t data, const char* name);
amd_comgr_status_t amd_comgr_get_data(amd_comgr_data_t data, size_t* size, char* bytes);
amd_comgr_status_t amd_comgr_get_data_name(amd_comgr_data_t data, size_t* size, char* name);
amd_comgr_status_t amd_comgr_get_data_isa_name(amd_comgr_data_t data, size_t* size, char* name);
amd_comgr_status_t amd_comgr_get_data_metadata(amd_comgr_data_t data, amd_comgr_metadata_node_t* metadata);

// Sets of data objects, in the order in which they were added.
amd_comgr_status_t amd_comgr_create_data_set(amd_comgr_data_set_t* set);
amd_comgr_status_t amd_comgr_destroy_data_set(amd_comgr_data_set_t set);
amd_comgr_status_t amd_comgr_data_set_add(amd_comgr_data_set_t set, amd_comgr_data_t data);
amd_comgr_status_t amd_comgr_data_set_remove(amd_comgr_data_set_t set, amd_comgr_data_kind_t kind); // UNDEF: all
amd_comgr_status_t amd_comgr_action_data_count(amd_comgr_data_set_t set, amd_comgr_data_kind_t kind, size_t* count);
amd_comgr_status_t amd_comgr_action_data_get_data(amd_comgr_data_set_t set, amd_comgr_data_kind_t kind, size_t index,
                                                  amd_comgr_data_t* data);

// Actions. An action empties `result` before it adds what it makes.
amd_comgr_status_t amd_comgr_create_action_info(amd_comgr_action_info_t* info);
amd_comgr_status_t amd_comgr_destroy_action_info(amd_comgr_action_info_t info);
amd_comgr_status_t amd_comgr_action_info_set_isa_name(amd_comgr_action_info_t info, const char* name);
amd_comgr_status_t amd_comgr_action_info_get_isa_name(amd_comgr_action_info_t info, size_t* size, char* name);
amd_comgr_status_t amd_comgr_action_info_set_language(amd_comgr_action_info_t info, amd_comgr_language_t language);
amd_comgr_status_t amd_comgr_action_info_get_language(amd_comgr_action_info_t info, amd_comgr_language_t* language);
amd_comgr_status_t amd_comgr_action_info_set_option_list(amd_comgr_action_info_t info, const char* options[],
                                                         size_t count);
amd_comgr_status_t amd_comgr_action_info_get_option_list_count(amd_comgr_action_info_t info, size_t* count);
amd_comgr_status_t amd_comgr_action_info_get_option_list_item(amd_comgr_action_info_t info, size_t index, size_t* size,
                                                              char* option);
amd_comgr_status_t amd_comgr_action_info_set_bundle_entry_ids(amd_comgr_action_info_t info, const char* ids[],
                                                              size_t count);
amd_comgr_status_t amd_comgr_action_info_get_bundle_entry_id_count(amd_comgr_action_info_t info, size_t* count);
amd_comgr_status_t amd_comgr_action_info_get_bundle_entry_id(amd_comgr_action_info_t info, size_t index, size_t* size,
                                                             char* id);
amd_comgr_status_t amd_comgr_action_info_set_vfs(amd_comgr_action_info_t info, bool in_memory); // has no effect
amd_comgr_status_t amd_comgr_action_info_set_device_lib_linking(amd_comgr_action_info_t info, bool link);
amd_comgr_status_t amd_comgr_action_info_set_working_directory_path(amd_comgr_action_info_t info, const char* path);
amd_comgr_status_t amd_comgr_action_info_get_working_directory_path(amd_comgr_action_info_t info, size_t* size,
                                                                    char* path);
amd_comgr_status_t amd_comgr_action_info_set_logging(amd_comgr_action_info_t info, bool logging);
amd_comgr_status_t amd_comgr_action_info_get_logging(amd_comgr_action_info_t info, bool* logging);
amd_comgr_status_t amd_comgr_do_action(amd_comgr_action_kind_t kind, amd_comgr_action_info_t info,
                                       amd_comgr_data_set_t input, amd_comgr_data_set_t result);

// Metadata: a tree of texts, maps and lists. Each node that a function gives is the caller's to destroy; those that a
// callback gets end with the callback.
amd_comgr_status_t amd_comgr_destroy_metadata(amd_comgr_metadata_node_t node);
amd_comgr_status_t amd_comgr_get_metadata_kind(amd_comgr_metadata_node_t node, amd_comgr_metadata_kind_t* kind);
amd_comgr_status_t amd_comgr_get_metadata_string(amd_comgr_metadata_node_t node, size_t* size, char* text);
amd_comgr_status_t amd_comgr_get_metadata_map_size(amd_comgr_metadata_node_t node, size_t* size);
amd_comgr_status_t amd_comgr_iterate_map_metadata(amd_comgr_metadata_node_t node,
                                                  amd_comgr_status_t (*callback)(amd_comgr_metadata_node_t key,
                                                                                 amd_comgr_metadata_node_t value,
                                                                                 void* data),
                                                  void* data);
amd_comgr_status_t amd_comgr_metadata_lookup(amd_comgr_metadata_node_t node, const char* key,
                                             amd_comgr_metadata_node_t* value);
amd_comgr_status_t amd_comgr_get_metadata_list_size(amd_comgr_metadata_node_t node, size_t* size);
amd_comgr_status_t amd_comgr_index_list_metadata(amd_comgr_metadata_node_t node, size_t index,
                                                 amd_comgr_metadata_node_t* value);

// Symbols of machine code: of a relocatable those of .symtab, of an executable those of .dynsym. A symbol handle is
// valid as long as its data object; those that a callback gets end with the callback.
amd_comgr_status_t amd_comgr_iterate_symbols(amd_comgr_data_t data,
                                             amd_comgr_status_t (*callback)(amd_comgr_symbol_t symbol, void* data),
                                             void* user);
amd_comgr_status_t amd_comgr_symbol_lookup(amd_comgr_data_t data, const char* name, amd_comgr_symbol_t* symbol);
amd_comgr_status_t amd_comgr_symbol_get_info(amd_comgr_symbol_t symbol, amd_comgr_symbol_info_t attribute, void* value);

// One instruction at a time, from memory that the caller reads.
amd_comgr_status_t amd_comgr_create_disassembly_info(
    const char* isa_name, uint64_t (*read_memory)(uint64_t from, char* to, uint64_t size, void* data),
    void (*print_instruction)(const char* instruction, void* data), void (*print_address)(uint64_t address, void* data),
    amd_comgr_disassembly_info_t* info);
amd_comgr_status_t amd_comgr_destroy_disassembly_info(amd_comgr_disassembly_info_t info);
amd_comgr_status_t amd_comgr_disassemble_instruction(amd_comgr_disassembly_info_t info, uint64_t address, void* data,
                                                     uint64_t* size);

amd_comgr_status_t amd_comgr_create_symbolizer_info(amd_comgr_data_t code, void (*print)(const char* text, void* data),
                                                    amd_comgr_symbolizer_info_t* info);
amd_comgr_status_t amd_comgr_destroy_symbolizer_info(amd_comgr_symbolizer_info_t info);
amd_comgr_status_t amd_comgr_symbolize(amd_comgr_symbolizer_info_t info, uint64_t address, bool is_code, void* data);

// Names.
amd_comgr_status_t amd_comgr_demangle_symbol_name(amd_comgr_data_t mangled, amd_comgr_data_t* demangled);
amd_comgr_status_t amd_comgr_populate_mangled_names(amd_comgr_data_t data, size_t* count);
amd_comgr_status_t amd_comgr_get_mangled_name(amd_comgr_data_t data, size_t index, size_t* size, char* name);
amd_comgr_status_t amd_comgr_populate_name_expression_map(amd_comgr_data_t data, size_t* count);
amd_comgr_status_t amd_comgr_map_name_expression_to_symbol_name(amd_comgr_data_t data, size_t* size,
                                                                const char* expression, char* symbol);

// Bundles and executables as files.
amd_comgr_status_t amd_comgr_lookup_code_object(amd_comgr_data_t data, amd_comgr_code_object_info_t* list,
                                                size_t count);
amd_comgr_status_t amd_comgr_map_elf_virtual_address_to_code_object_offset(amd_comgr_data_t data, uint64_t address,
                                                                           uint64_t* offset, uint64_t* size,
                                                                           bool* no_bits);

#ifdef __cplusplus
}
#endif

#endif
