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

std::string names_of_kernels(const Node& root) {
  const Node kernels = root["amdhsa.kernels"];
  size_t count = 0;
  COMGR_OK(amd_comgr_get_metadata_list_size(kernels, &count));
  std::string names;
  for (size_t i = 0; i < count; ++i) names += kernels[i][".name"].text() + " ";
  return names;
}

// As in ELF files: the lengths of name and descriptor, the type, and both at multiples of 4.
std::string note(const std::string& name, uint32_t type, const std::string& descriptor) {
  const uint32_t numbers[] = {static_cast<uint32_t>(name.size() + 1), static_cast<uint32_t>(descriptor.size()), type};
  const auto padded = [](std::string text) { return text.append((4 - text.size() % 4) % 4, '\0'); };
  return std::string(reinterpret_cast<const char*>(numbers), sizeof numbers) + padded(name + '\0') + padded(descriptor);
}
std::string metadata_note(const std::string& msgpack) { return note("AMDGPU", 32, msgpack); }

constexpr size_t kElfHeaderBytes = 64, kProgramHeaderBytes = 56;

// An ELF file for AMDGPU that has nothing but note segments.
std::string elf_with_notes(const std::vector<std::string>& segments) {
  std::string header(kElfHeaderBytes, '\0'), table, body;
  const auto put = [](std::string& to, size_t at, uint64_t value, size_t bytes) {
    std::memcpy(to.data() + at, &value, bytes);
  };
  header.replace(0, 7,
                 "\x7f"
                 "ELF\x02\x01\x01");
  put(header, 16, 3, 2);   // a shared object
  put(header, 18, 224, 2); // AMDGPU
  put(header, 32, kElfHeaderBytes, 8);
  put(header, 54, kProgramHeaderBytes, 2);
  put(header, 56, segments.size(), 2);
  for (const std::string& segment : segments) {
    std::string entry(kProgramHeaderBytes, '\0');
    put(entry, 0, 4, 4); // PT_NOTE
    put(entry, 8, kElfHeaderBytes + segments.size() * kProgramHeaderBytes + body.size(), 8);
    put(entry, 32, segment.size(), 8);
    put(entry, 40, segment.size(), 8);
    put(entry, 48, 4, 8);
    table += entry;
    body += segment;
  }
  return header + table + body;
}

amd_comgr_status_t metadata_status(const std::string& elf) {
  const Data file(kExecutable, "e", elf);
  amd_comgr_metadata_node_t node{};
  const amd_comgr_status_t status = amd_comgr_get_data_metadata(file, &node);
  if (status == AMD_COMGR_STATUS_SUCCESS) COMGR_OK(amd_comgr_destroy_metadata(node));
  return status;
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

TEST_CASE("Metadata of linked code has the kernels of all its parts") {
  const auto relocatable = [](const char* name, const char* kernel) {
    Info info(AMD_COMGR_LANGUAGE_HIP);
    info.options({"-nogpuinc", "-fgpu-rdc"});
    const Data source(AMD_COMGR_DATA_KIND_SOURCE, name, kernel);
    const Data bitcode = make(AMD_COMGR_ACTION_COMPILE_SOURCE_TO_BC, info, {&source}, AMD_COMGR_DATA_KIND_BC);
    return make(AMD_COMGR_ACTION_CODEGEN_BC_TO_RELOCATABLE, Info(), {&bitcode}, AMD_COMGR_DATA_KIND_RELOCATABLE);
  };
  const Data a = relocatable("a.hip", "extern \"C\" __attribute__((global)) void a(int* p) { *p = 1; }");
  const Data b = relocatable("b.hip", "extern \"C\" __attribute__((global)) void b(int* p, int n) { *p = n; }");
  const Data executable = make(AMD_COMGR_ACTION_LINK_RELOCATABLE_TO_EXECUTABLE, Info(), {&a, &b}, kExecutable);
  const Data one =
      make(AMD_COMGR_ACTION_LINK_RELOCATABLE_TO_RELOCATABLE, Info(), {&a, &b}, AMD_COMGR_DATA_KIND_RELOCATABLE);
  for (const Data* file : {&executable, &one}) {
    const Node root(metadata_of(*file));
    CHECK(root["amdhsa.target"].text() == kIsa);
    CHECK(names_of_kernels(root) == "a b ");
  }
}

TEST_CASE("Metadata notes are read together") {
  // Pairs of a map in MessagePack. Names of kernels have one letter, formats have four.
  const auto version = [](char minor) {
    return "\xae"
           "amdhsa.version"
           "\x92\x01" +
           std::string(1, minor);
  };
  const auto kernels = [](const std::string& names) {
    std::string list = "\xae"
                       "amdhsa.kernels" +
                       std::string(1, static_cast<char>(0x90 + names.size()));
    for (const char name : names) list += "\x81\xa5.name\xa1" + std::string(1, name);
    return list;
  };
  const auto formats = [](const std::string& a, const std::string& b) {
    return "\xad"
           "amdhsa.printf"
           "\x92\xa4" +
           a + "\xa4" + b;
  };
  const std::string first = metadata_note("\x82" + kernels("ab") + version(2)),
                    second = metadata_note("\x83" + kernels("c") + formats("1::x", "2::y") + version(2)),
                    third = metadata_note("\x83" + kernels("d") + formats("2::y", "3::z") + version(2)),
                    other = note("GNU", 3, std::string(1000, 'x'));

  const Data file(kExecutable, "e", elf_with_notes({other + first + second, third}));
  const Node root(metadata_of(file));
  CHECK(names_of_kernels(root) == "a b c d ");
  const Node printf = root["amdhsa.printf"];
  size_t count = 0;
  COMGR_OK(amd_comgr_get_metadata_list_size(printf, &count));
  REQUIRE(count == 3);
  CHECK(printf[size_t{0}].text() == "1::x");
  CHECK(printf[size_t{1}].text() == "2::y");
  CHECK(printf[size_t{2}].text() == "3::z");
  COMGR_OK(amd_comgr_get_metadata_list_size(root["amdhsa.version"], &count));
  CHECK(count == 2);

  COMGR_OK(metadata_status(elf_with_notes({first, other})));
  COMGR_OK(metadata_status(elf_with_notes({other})));
  COMGR_OK(metadata_status(elf_with_notes({})));
  for (const std::string& bad : {metadata_note("\x82" + kernels("c") + version(3)), // another version
                                 metadata_note("\x90"),                             // no map
                                 second.substr(0, second.size() - 8), second.substr(0, 8)})
    CHECK(metadata_status(elf_with_notes({first + bad})) == AMD_COMGR_STATUS_ERROR);

  // Three headers of the same bytes, more than the file has.
  std::string overlapping = elf_with_notes({first + other, "", ""});
  COMGR_OK(metadata_status(overlapping));
  const std::string header = overlapping.substr(kElfHeaderBytes, kProgramHeaderBytes);
  overlapping.replace(kElfHeaderBytes + kProgramHeaderBytes, 2 * kProgramHeaderBytes, header + header);
  CHECK(metadata_status(overlapping) == AMD_COMGR_STATUS_ERROR);
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
