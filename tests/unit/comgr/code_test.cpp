// Reading what compilers make: metadata, symbols, names, instructions, source lines.
#include "fixture.h"

#include <algorithm>
#include <cstring>
#include <map>
#include <optional>

using namespace comgr_test;

namespace {

constexpr auto kExecutable = AMD_COMGR_DATA_KIND_EXECUTABLE;

const char* const kSource = R"(
__attribute__((device)) int counter[4] = {1};
__attribute__((device)) int zeros[1000];
__attribute__((device, noinline)) int helper(int a) { return a * counter[a & 3]; }
extern "C" __attribute__((global)) void plain(int* p, float) { p[0] = helper(p[1]) + zeros[p[2]]; }
template <class T> __attribute__((global)) void tmpl(T* p) { *p = 1; }
template __attribute__((global)) void tmpl<int>(int*);
extern "C" __attribute__((device, used)) const void* __amdgcn_name_expr_0[] = {"tmpl<int>", (const void*)&tmpl<int>};
)";

Data compiled(amd_comgr_action_kind_t action, amd_comgr_data_kind_t kind, const char* isa = kIsa) {
  Info info(AMD_COMGR_LANGUAGE_HIP, isa);
  info.options({"-nogpuinc", "-g", "-O1"});
  const Data source(AMD_COMGR_DATA_KIND_SOURCE, "code.hip", kSource);
  return make(action, info, {&source}, kind);
}
Data executable() { return compiled(AMD_COMGR_ACTION_COMPILE_SOURCE_TO_EXECUTABLE, kExecutable); }

std::string text_of(amd_comgr_metadata_node_t node) {
  size_t size = 0;
  COMGR_OK(amd_comgr_get_metadata_string(node, &size, nullptr));
  std::string text(size, '\0');
  COMGR_OK(amd_comgr_get_metadata_string(node, &size, text.data()));
  text.pop_back();
  return text;
}

// The node at a path of keys and indices.
class Node {
public:
  explicit Node(amd_comgr_metadata_node_t node) : node_(node) {}
  ~Node() { CHECK(amd_comgr_destroy_metadata(node_) == AMD_COMGR_STATUS_SUCCESS); }
  Node(const Node&) = delete;
  Node operator[](const char* key) const {
    amd_comgr_metadata_node_t value{};
    INFO(key);
    COMGR_OK(amd_comgr_metadata_lookup(node_, key, &value));
    return Node(value);
  }
  Node operator[](size_t index) const {
    amd_comgr_metadata_node_t value{};
    COMGR_OK(amd_comgr_index_list_metadata(node_, index, &value));
    return Node(value);
  }
  std::string text() const { return text_of(node_); }
  operator amd_comgr_metadata_node_t() const { return node_; }

private:
  const amd_comgr_metadata_node_t node_;
};

amd_comgr_metadata_node_t metadata_of(const Data& data) {
  amd_comgr_metadata_node_t node{};
  COMGR_OK(amd_comgr_get_data_metadata(data, &node));
  return node;
}

struct SymbolFacts {
  amd_comgr_symbol_type_t type;
  uint64_t size, value;
  bool is_undefined;
};
SymbolFacts facts_of(amd_comgr_symbol_t symbol) {
  SymbolFacts facts{};
  COMGR_OK(amd_comgr_symbol_get_info(symbol, AMD_COMGR_SYMBOL_INFO_TYPE, &facts.type));
  COMGR_OK(amd_comgr_symbol_get_info(symbol, AMD_COMGR_SYMBOL_INFO_SIZE, &facts.size));
  COMGR_OK(amd_comgr_symbol_get_info(symbol, AMD_COMGR_SYMBOL_INFO_VALUE, &facts.value));
  COMGR_OK(amd_comgr_symbol_get_info(symbol, AMD_COMGR_SYMBOL_INFO_IS_UNDEFINED, &facts.is_undefined));
  return facts;
}
SymbolFacts symbol_in(const Data& data, const char* name) {
  amd_comgr_symbol_t symbol{};
  COMGR_OK(amd_comgr_symbol_lookup(data, name, &symbol));
  return facts_of(symbol);
}

std::string mangled_names(const Data& data) {
  size_t count = 0;
  COMGR_OK(amd_comgr_populate_mangled_names(data, &count));
  std::string all;
  for (size_t i = 0; i < count; ++i) {
    size_t size = 0;
    COMGR_OK(amd_comgr_get_mangled_name(data, i, &size, nullptr));
    std::string name(size, '\0');
    COMGR_OK(amd_comgr_get_mangled_name(data, i, &size, name.data()));
    name.pop_back();
    all += name + "\n";
  }
  return all;
}

} // namespace

TEST_CASE("Metadata of ISAs") {
  amd_comgr_metadata_node_t node{};
  COMGR_OK(amd_comgr_get_isa_metadata("amdgcn-amd-amdhsa--gfx942:xnack-", &node));
  const Node isa(node);
  CHECK(isa["Processor"].text() == "gfx942");
  CHECK(isa["Architecture"].text() == "amdgcn");
  CHECK(isa["LocalMemorySize"].text() == "65536");
  CHECK(isa["AddressableNumVGPRs"].text() == "512");
  CHECK(isa["AddressableNumSGPRs"].text() == "102");
  CHECK(isa["VGPRAllocGranule"].text() == "8");
  CHECK(isa["Features"]["xnack"].text() == "off");
  CHECK(isa["Features"]["sramecc"].text() == "any");
  COMGR_INVALID(amd_comgr_get_isa_metadata("gfx942", &node));
  COMGR_INVALID(amd_comgr_get_isa_metadata(nullptr, &node));
  COMGR_INVALID(amd_comgr_get_isa_metadata(kIsa, nullptr));
}

TEST_CASE("Metadata of code objects is a tree") {
  const Data file =
      compiled(AMD_COMGR_ACTION_COMPILE_SOURCE_TO_EXECUTABLE, kExecutable, "amdgcn-amd-amdhsa--gfx942:sramecc+:xnack-");
  const Node root(metadata_of(file));
  amd_comgr_metadata_kind_t kind{};
  COMGR_OK(amd_comgr_get_metadata_kind(root, &kind));
  CHECK(kind == AMD_COMGR_METADATA_KIND_MAP);
  CHECK(root["amdhsa.target"].text() == "amdgcn-amd-amdhsa--gfx942:sramecc+:xnack-");
  const Node kernels = root["amdhsa.kernels"];
  size_t count = 0;
  COMGR_OK(amd_comgr_get_metadata_list_size(kernels, &count));
  REQUIRE(count == 2);
  const Node kernel = kernels[size_t{0}];
  CHECK(kernel[".name"].text() == "plain");
  CHECK(kernel[".symbol"].text() == "plain.kd");
  CHECK(kernel[".wavefront_size"].text() == "64");
  CHECK(kernel[".uses_dynamic_stack"].text() == "0");
  CHECK(kernel[".args"][size_t{1}][".offset"].text() == "8");

  size_t size = 0;
  COMGR_OK(amd_comgr_get_metadata_map_size(root, &size));
  std::map<std::string, int> keys;
  const auto remember = [](amd_comgr_metadata_node_t key, amd_comgr_metadata_node_t, void* data) {
    ++(*static_cast<std::map<std::string, int>*>(data))[text_of(key)];
    return AMD_COMGR_STATUS_SUCCESS;
  };
  COMGR_OK(amd_comgr_iterate_map_metadata(root, remember, &keys));
  CHECK(keys.size() == size);
  CHECK(keys["amdhsa.version"] == 1);
  const auto fail = [](amd_comgr_metadata_node_t key, amd_comgr_metadata_node_t, void* data) {
    (*static_cast<std::map<std::string, int>*>(data))[text_of(key)] = 2;
    return AMD_COMGR_STATUS_ERROR;
  };
  COMGR_OK(amd_comgr_iterate_map_metadata(root, fail, &keys)); // as AMD's, which does not look at it
  for (const auto& [key, times] : keys) CHECK(times == 2);

  amd_comgr_metadata_node_t none{};
  CHECK(amd_comgr_metadata_lookup(root, "none", &none) == AMD_COMGR_STATUS_ERROR);
  COMGR_INVALID(amd_comgr_metadata_lookup(kernels, "none", &none));
  COMGR_INVALID(amd_comgr_index_list_metadata(kernels, 2, &none));
  COMGR_INVALID(amd_comgr_index_list_metadata(root, 0, &none));
  COMGR_INVALID(amd_comgr_get_metadata_string(root, &size, nullptr));
  COMGR_INVALID(amd_comgr_iterate_map_metadata(root, nullptr, nullptr));
  const Data text(AMD_COMGR_DATA_KIND_SOURCE, "s", "text"), garbage(kExecutable, "e", "garbage");
  COMGR_INVALID(amd_comgr_get_data_metadata(text, &none));
  COMGR_INVALID(amd_comgr_get_data_metadata(garbage, &none));

  // A handle outlives the data.
  amd_comgr_metadata_node_t kept{};
  {
    const Data other = executable();
    kept = metadata_of(other);
  }
  CHECK(Node(kept)["amdhsa.target"].text() == kIsa);
}

TEST_CASE("ISA names of machine code") {
  for (const char* isa : {kIsa, "amdgcn-amd-amdhsa--gfx90a:sramecc+:xnack-", "amdgcn-amd-amdhsa--gfx1100"}) {
    const Data file = compiled(AMD_COMGR_ACTION_COMPILE_SOURCE_TO_EXECUTABLE, kExecutable, isa);
    size_t size = 0;
    COMGR_OK(amd_comgr_get_data_isa_name(file, &size, nullptr));
    std::string name(size, '\0');
    COMGR_OK(amd_comgr_get_data_isa_name(file, &size, name.data()));
    name.pop_back();
    CHECK(name == isa);
  }
  size_t size = 0;
  const Data bytes(AMD_COMGR_DATA_KIND_BYTES, "", "x"), garbage(kExecutable, "", "x");
  COMGR_INVALID(amd_comgr_get_data_isa_name(bytes, &size, nullptr));
  COMGR_INVALID(amd_comgr_get_data_isa_name(garbage, &size, nullptr));
}

TEST_CASE("Symbols of executables and relocatables") {
  const Data file = executable();
  const SymbolFacts kernel = symbol_in(file, "plain"), variable = symbol_in(file, "counter");
  CHECK(kernel.type == AMD_COMGR_SYMBOL_TYPE_FUNC);
  CHECK(kernel.size > 0);
  CHECK_FALSE(kernel.is_undefined);
  CHECK(variable.type == AMD_COMGR_SYMBOL_TYPE_OBJECT);
  CHECK(variable.size == 16);
  amd_comgr_symbol_t symbol{}, again{};
  COMGR_OK(amd_comgr_symbol_lookup(file, "plain.kd", &symbol));
  COMGR_OK(amd_comgr_symbol_lookup(file, "plain.kd", &again));
  uint64_t length = 0;
  COMGR_OK(amd_comgr_symbol_get_info(symbol, AMD_COMGR_SYMBOL_INFO_NAME_LENGTH, &length));
  CHECK(length == 8);
  char name[16];
  COMGR_OK(amd_comgr_symbol_get_info(symbol, AMD_COMGR_SYMBOL_INFO_NAME, name));
  CHECK(std::string(name) == "plain.kd");
  CHECK(facts_of(again).size == 64);
  CHECK(amd_comgr_symbol_lookup(file, "none", &symbol) == AMD_COMGR_STATUS_ERROR);
  COMGR_INVALID(amd_comgr_symbol_get_info(again, static_cast<amd_comgr_symbol_info_t>(6), &length));
  COMGR_INVALID(amd_comgr_symbol_get_info(again, AMD_COMGR_SYMBOL_INFO_SIZE, nullptr));

  size_t count = 0;
  const auto tally = [](amd_comgr_symbol_t, void* data) {
    return ++*static_cast<size_t*>(data) == 3 ? AMD_COMGR_STATUS_ERROR_OUT_OF_RESOURCES : AMD_COMGR_STATUS_SUCCESS;
  };
  COMGR_OK(amd_comgr_iterate_symbols(file, tally, &count)); // as AMD's, which does not look at it
  CHECK(count > 3);

  const Data assembly(AMD_COMGR_DATA_KIND_SOURCE, "a.s",
                      ".text\n.globl here\n.type here,@function\nhere:\n  s_endpgm\n.size here, 4\n"
                      ".data\n.quad there\n");
  const Data relocatable =
      make(AMD_COMGR_ACTION_ASSEMBLE_SOURCE_TO_RELOCATABLE, Info(), {&assembly}, AMD_COMGR_DATA_KIND_RELOCATABLE);
  CHECK(symbol_in(relocatable, "here").size == 4);
  CHECK(symbol_in(relocatable, "there").is_undefined);
  COMGR_INVALID(amd_comgr_iterate_symbols(assembly, tally, &count));
  COMGR_INVALID(amd_comgr_iterate_symbols(file, nullptr, nullptr));
}

TEST_CASE("Mangled names, their demangling, and names by expression") {
  const Data file = executable();
  const std::string names = mangled_names(file);
  CHECK(names.find("_Z4tmplIiEvPT_\n") != std::string::npos);
  CHECK(names.find("counter\n") != std::string::npos);
  size_t size = 0, count = 0;
  COMGR_INVALID(amd_comgr_get_mangled_name(file, 1000, &size, nullptr));

  Info rdc(AMD_COMGR_LANGUAGE_HIP);
  rdc.options({"-nogpuinc", "-fgpu-rdc"});
  const Data source(AMD_COMGR_DATA_KIND_SOURCE, "code.hip", kSource);
  const Data bitcode = make(AMD_COMGR_ACTION_COMPILE_SOURCE_TO_BC, rdc, {&source}, AMD_COMGR_DATA_KIND_BC);
  CHECK(mangled_names(bitcode).find("_Z4tmplIiEvPT_\n") != std::string::npos);

  for (const Data* data : {&file, &bitcode}) {
    char name[64];
    size = sizeof name;
    COMGR_INVALID(amd_comgr_map_name_expression_to_symbol_name(*data, &size, "none", name));
    COMGR_OK(amd_comgr_populate_name_expression_map(*data, &count));
    CHECK(count == 1);
    COMGR_OK(amd_comgr_map_name_expression_to_symbol_name(*data, &size, "tmpl<int>", name));
    CHECK(std::string(name) == "_Z4tmplIiEvPT_");
    COMGR_INVALID(amd_comgr_map_name_expression_to_symbol_name(*data, &size, "none", name));
  }
  COMGR_INVALID(amd_comgr_populate_mangled_names(source, &count));
  const Data garbage(AMD_COMGR_DATA_KIND_BC, "", "garbage");
  CHECK(amd_comgr_populate_mangled_names(garbage, &count) == AMD_COMGR_STATUS_ERROR);
  CHECK(amd_comgr_populate_name_expression_map(garbage, &count) == AMD_COMGR_STATUS_ERROR);

  const std::pair<const char*, const char*> demangled[] = {
      {"_Z4tmplIiEvPT_", "void tmpl<int>(int*)"}, {"plain", "plain"}, {"i", "i"}, {"_Zwrong", "_Zwrong"}};
  for (const auto& [mangled, expected] : demangled) {
    const Data name(AMD_COMGR_DATA_KIND_BYTES, "", mangled);
    amd_comgr_data_t text{};
    COMGR_OK(amd_comgr_demangle_symbol_name(name, &text));
    CHECK(Data(text).bytes() == expected);
  }
  amd_comgr_data_t text{};
  COMGR_INVALID(amd_comgr_demangle_symbol_name(file, &text));
}

namespace {

struct Memory {
  std::string bytes;
  std::vector<std::string> lines;
  std::vector<uint64_t> targets;
};
uint64_t read_memory(uint64_t from, char* to, uint64_t size, void* data) {
  const std::string& bytes = static_cast<Memory*>(data)->bytes;
  const uint64_t at = from - 0x1000;
  const uint64_t n = at < bytes.size() ? std::min<uint64_t>(size, bytes.size() - at) : 0;
  std::memcpy(to, bytes.data() + at, n);
  return n;
}
void print_instruction(const char* text, void* data) { static_cast<Memory*>(data)->lines.emplace_back(text); }
void print_address(uint64_t address, void* data) { static_cast<Memory*>(data)->targets.push_back(address); }

} // namespace

TEST_CASE("Instructions one at a time") {
  // s_mov_b32 s0, 0x12345678; s_branch to two words behind itself; s_endpgm; no instruction.
  const uint32_t words[] = {0xbe8000ff, 0x12345678, 0xbf820001, 0xbf810000, 0xffffffff};
  Memory memory{std::string(reinterpret_cast<const char*>(words), sizeof words), {}, {}};
  amd_comgr_disassembly_info_t info{};
  COMGR_OK(amd_comgr_create_disassembly_info(kIsa, read_memory, print_instruction, print_address, &info));
  uint64_t size = 0;
  COMGR_OK(amd_comgr_disassemble_instruction(info, 0x1000, &memory, &size));
  CHECK(size == 8);
  COMGR_OK(amd_comgr_disassemble_instruction(info, 0x1008, &memory, &size));
  CHECK(size == 4);
  COMGR_OK(amd_comgr_disassemble_instruction(info, 0x100c, &memory, &size));
  CHECK(amd_comgr_disassemble_instruction(info, 0x1010, &memory, &size) == AMD_COMGR_STATUS_ERROR);
  CHECK(amd_comgr_disassemble_instruction(info, 0x2000, &memory, &size) == AMD_COMGR_STATUS_ERROR); // nothing to read
  REQUIRE(memory.lines.size() == 3);
  CHECK(memory.lines[0].find("s_mov_b32 s0, 0x12345678") != std::string::npos);
  CHECK(memory.lines[1].find("s_branch") != std::string::npos);
  CHECK(memory.lines[2].find("s_endpgm") != std::string::npos);
  CHECK(memory.targets == std::vector<uint64_t>{0x1010});
  COMGR_INVALID(amd_comgr_disassemble_instruction(info, 0x1000, &memory, nullptr));
  COMGR_OK(amd_comgr_destroy_disassembly_info(info));
  COMGR_INVALID(amd_comgr_create_disassembly_info("gfx942", read_memory, print_instruction, print_address, &info));
  COMGR_INVALID(amd_comgr_create_disassembly_info(kIsa, nullptr, print_instruction, print_address, &info));
}

TEST_CASE("Addresses have lines, symbols and places in the file") {
  const Data file = executable();
  const uint64_t kernel = symbol_in(file, "plain").value, variable = symbol_in(file, "counter").value;
  const SymbolFacts zeros = symbol_in(file, "zeros");
  const auto remember = [](const char* text, void* data) { *static_cast<std::string*>(data) = text; };
  amd_comgr_symbolizer_info_t info{};
  COMGR_OK(amd_comgr_create_symbolizer_info(file, remember, &info));
  std::string text;
  COMGR_OK(amd_comgr_symbolize(info, kernel + 4, true, &text));
  CHECK(text.starts_with("plain"));
  CHECK(text.find("code.hip:5:") != std::string::npos);
  COMGR_OK(amd_comgr_symbolize(info, variable + 4, false, &text));
  CHECK(text.starts_with("counter\n" + std::to_string(variable) + " 16\n"));
  COMGR_OK(amd_comgr_symbolize(info, 0xffffffff, true, &text));
  CHECK(text.find("??") != std::string::npos);
  COMGR_OK(amd_comgr_destroy_symbolizer_info(info));
  const Data source(AMD_COMGR_DATA_KIND_SOURCE, "s", "x"), garbage(kExecutable, "e", "garbage");
  COMGR_INVALID(amd_comgr_create_symbolizer_info(source, remember, &info));
  COMGR_INVALID(amd_comgr_create_symbolizer_info(garbage, remember, &info));
  COMGR_INVALID(amd_comgr_create_symbolizer_info(file, nullptr, &info));

  uint64_t offset = 0, size = 0;
  bool no_bits = true;
  const std::string bytes = file.bytes();
  COMGR_OK(amd_comgr_map_elf_virtual_address_to_code_object_offset(file, variable, &offset, &size, &no_bits));
  CHECK_FALSE(no_bits);
  CHECK(size >= 16);
  CHECK(bytes.substr(offset, 4) == std::string("\1\0\0\0", 4)); // counter[0]
  COMGR_OK(amd_comgr_map_elf_virtual_address_to_code_object_offset(file, zeros.value + 64, &offset, &size, &no_bits));
  CHECK(no_bits);
  COMGR_INVALID(amd_comgr_map_elf_virtual_address_to_code_object_offset(file, 0xffffffffff, &offset, &size, &no_bits));
  COMGR_INVALID(amd_comgr_map_elf_virtual_address_to_code_object_offset(source, 0, &offset, &size, &no_bits));
}
