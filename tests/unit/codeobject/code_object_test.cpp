#include "runtime/codeobject/code_object.h"

#include "runtime/codeobject/elf_format.h"
#include "test_data.h"

#include <catch2/catch.hpp>

using namespace hip;
using namespace hip::codeobject;
using test::ByteVector;
using test::get;
using test::put;

namespace {

constexpr size_t kProgramHeaders = 64, kProgramHeaderBytes = 56;

// Offset of the nth PT_LOAD's program header.
size_t load_header(const ByteVector& data, unsigned n) {
  for (unsigned i = 0; i < get<uint16_t>(data, 56); ++i) {
    const size_t at = kProgramHeaders + i * kProgramHeaderBytes;
    if (get<uint32_t>(data, at) == elf::kLoad && n-- == 0) return at;
  }
  FAIL("no such segment");
  return 0;
}

// Offset of a symbol's entry in the dynamic symbol table, which lies before the static one.
size_t symbol_entry(const ByteVector& data, std::string_view name) {
  const CodeObject code = CodeObject::parse(data).value();
  const Symbol* symbol = code.find_symbol(name);
  REQUIRE(symbol);
  for (size_t at = 0; at + sizeof(elf::SymbolEntry) <= data.size(); at += 8)
    if (get<uint64_t>(data, at + offsetof(elf::SymbolEntry, value)) == symbol->address &&
        get<uint64_t>(data, at + offsetof(elf::SymbolEntry, size)) == symbol->size)
      return at;
  FAIL("no such symbol");
  return 0;
}

Status parse_status(const ByteVector& data) { return CodeObject::parse(data).status(); }

} // namespace

TEST_CASE("code objects v4, v5 and v6", "[codeobject]") {
  const unsigned version = GENERATE(4u, 5u, 6u);
  const auto data = test::load_data("gfx942_v" + std::to_string(version) + ".co");
  const auto parsed = CodeObject::parse(data);
  INFO(parsed.status().to_string());
  REQUIRE(parsed.ok());
  const CodeObject& code = parsed.value();
  CHECK(code.version() == version);
  CHECK(code.target().to_string() == "gfx942");
  CHECK(code.kernels().size() == 4);
  CHECK(code.find_kernel("no_such_kernel") == nullptr);
  CHECK(code.image_end() > code.image_begin());

  const Kernel* kernel = code.find_kernel("explicit_only");
  REQUIRE(kernel);
  CHECK(kernel->info.symbol == "explicit_only.kd");
  CHECK(kernel->info.explicit_args == 4);
  REQUIRE(kernel->info.args.size() >= 4);
  const uint32_t offsets[] = {0, 8, 16, 24}, sizes[] = {8, 8, 4, 32};
  for (size_t i = 0; i < 4; ++i) {
    CHECK(kernel->info.args[i].offset == offsets[i]);
    CHECK(kernel->info.args[i].size == sizes[i]);
  }
  CHECK(kernel->info.args[0].kind == ArgKind::GlobalBuffer);
  CHECK(kernel->info.args[0].address_space == AddressSpace::Global);
  CHECK(kernel->info.args[3].kind == ArgKind::ByValue);
  CHECK(kernel->info.kernarg_segment_align == 8);
  CHECK(kernel->info.wavefront_size == 64);
  CHECK(kernel->info.max_flat_workgroup_size == 1024);
  CHECK(kernel->info.vgpr_count > 0);
  const FamilyFacts& family = code.target().processor->facts();
  CHECK(kernel->descriptor.kernarg_size == kernel->info.kernarg_segment_size);
  CHECK(kernel->descriptor.enable_sgpr_kernarg_segment_ptr());
  CHECK(kernel->descriptor.enable_sgpr_workgroup_id_x());
  CHECK(kernel->descriptor.property_user_sgprs() + kernel->descriptor.kernarg_preload_dwords() ==
        kernel->descriptor.user_sgpr_count(family));
  CHECK(kernel->descriptor.denorm_mode_32() == DenormMode::Keep);
  CHECK(kernel->descriptor.round_mode_32() == RoundMode::NearestEven);
  CHECK_FALSE(kernel->descriptor.enable_wavefront_size32());
  CHECK(kernel->descriptor.vgprs(family) >= kernel->info.vgpr_count);
  CHECK(kernel->descriptor_address % 64 == 0);
  CHECK(kernel->entry_address % 256 == 0);
  CHECK(kernel->code_size > 16);
}

TEST_CASE("hidden arguments, LDS and launch bounds", "[codeobject]") {
  const auto data = test::load_data("gfx942_v5.co");
  const auto code = CodeObject::parse(data);
  REQUIRE(code.ok());
  const Kernel* kernel = code.value().find_kernel("with_hidden");
  REQUIRE(kernel);
  const KernelInfo& info = kernel->info;
  CHECK(info.explicit_args == 3);
  CHECK(info.group_segment_fixed_size == 512);
  CHECK(kernel->descriptor.group_segment_fixed_size == 512);
  CHECK(info.max_flat_workgroup_size == 128);
  CHECK(info.uses_dynamic_stack);
  CHECK(kernel->descriptor.uses_dynamic_stack());
  const uint32_t implicit = 16; // behind double*, short, char, aligned to 8
  const std::pair<ArgKind, uint32_t> hidden[] = {
      {ArgKind::HiddenBlockCountX, 0},     {ArgKind::HiddenBlockCountZ, 8},       {ArgKind::HiddenGroupSizeX, 12},
      {ArgKind::HiddenRemainderZ, 22},     {ArgKind::HiddenGlobalOffsetX, 40},    {ArgKind::HiddenGridDims, 64},
      {ArgKind::HiddenHostcallBuffer, 80}, {ArgKind::HiddenMultigridSyncArg, 88}, {ArgKind::HiddenHeapV1, 96},
      {ArgKind::HiddenDefaultQueue, 104},  {ArgKind::HiddenQueuePtr, 200}};
  for (const auto& [kind, offset] : hidden) {
    INFO(arg_kind_text(kind));
    REQUIRE(info.find_arg(kind));
    CHECK(info.find_arg(kind)->offset == implicit + offset);
  }
  CHECK(info.find_arg(ArgKind::HiddenPrintfBuffer) == nullptr);
  for (size_t i = 0; i < info.args.size(); ++i) CHECK(is_hidden(info.args[i].kind) == (i >= info.explicit_args));
}

TEST_CASE("OpenCL kernel: required shape, dynamic LDS argument, argument names", "[codeobject]") {
  const auto data = test::load_data("opencl.co");
  const auto code = CodeObject::parse(data);
  REQUIRE(code.ok());
  const Kernel* kernel = code.value().find_kernel("fixed_shape");
  REQUIRE(kernel);
  CHECK(kernel->info.reqd_workgroup_size == std::array<uint32_t, 3>{64, 2, 1});
  REQUIRE(kernel->info.explicit_args == 3);
  CHECK(kernel->info.args[0].name == "out");
  CHECK(kernel->info.args[0].type_name == "int*");
  CHECK(kernel->info.args[1].kind == ArgKind::DynamicSharedPointer);
  CHECK(kernel->info.args[1].address_space == AddressSpace::Local);
  CHECK(kernel->info.args[1].pointee_align == 4);
  CHECK(kernel->info.args[2].address_space == AddressSpace::Constant);
}

TEST_CASE("symbols and globals", "[codeobject]") {
  const auto data = test::load_data("gfx942_v6.co");
  const auto code = CodeObject::parse(data);
  REQUIRE(code.ok());
  const std::pair<const char*, uint64_t> globals[] = {
      {"table", 64}, {"scale", 4}, {"numbers", 400}, {"pointer_into_numbers", 8}, {"callback", 8}};
  for (const auto& [name, size] : globals) {
    INFO(name);
    const Symbol* symbol = code.value().find_symbol(name);
    REQUIRE(symbol);
    CHECK(symbol->size == size);
    CHECK(symbol->kind == SymbolKind::Object);
  }
  CHECK(code.value().find_symbol("explicit_only")->kind == SymbolKind::Function);
  CHECK(code.value().find_symbol("missing") == nullptr);
  CHECK(code.value().find_symbol("") == nullptr);
}

TEST_CASE("managed variables are a pointer and its storage", "[codeobject]") {
  const auto data = test::load_data("gfx942_v6.co");
  const auto code = CodeObject::parse(data);
  REQUIRE(code.ok());
  const auto managed = code.value().managed_variables();
  REQUIRE(managed.size() == 1);
  CHECK(managed[0].name == "managed_number");
  CHECK(managed[0].pointer->size == 8);
  CHECK(managed[0].storage->size == 4);
}

TEST_CASE("both symbols of a managed variable must be objects in the image", "[codeobject]") {
  auto data = test::load_data("gfx942_v6.co");
  const std::string name = GENERATE("managed_number", "managed_number.managed");
  const size_t entry = symbol_entry(data, name);
  const size_t info = entry + offsetof(elf::SymbolEntry, info), section = entry + offsetof(elf::SymbolEntry, section);
  REQUIRE(data[info] == std::byte{1 << 4 | elf::kSymObject});
  SECTION("absolute") {
    put<uint16_t>(data, section, elf::kSectionAbsolute);
    put<uint64_t>(data, entry + offsetof(elf::SymbolEntry, value), 0x12345678);
  }
  SECTION("absolute, with an address of the image") { put<uint16_t>(data, section, elf::kSectionAbsolute); }
  SECTION("untyped") { data[info] = std::byte{1 << 4}; }
  SECTION("a function") { data[info] = std::byte{1 << 4 | elf::kSymFunction}; }
  const Status status = parse_status(data);
  INFO(status.to_string());
  CHECK(status.code() == ErrorCode::InvalidImage);
  CHECK(status.message().find("'" + name + "'") != std::string::npos);
}

TEST_CASE("the first symbol lies in the image where a file defines it", "[codeobject]") {
  auto data = test::load_data("gfx942_v6.co");
  const CodeObject code = CodeObject::parse(data).value();
  const auto index = static_cast<size_t>(code.find_symbol("table") - code.symbols().data());
  const size_t first = symbol_entry(data, "table") - index * sizeof(elf::SymbolEntry);
  std::memcpy(data.data() + first, data.data() + symbol_entry(data, "table"), sizeof(elf::SymbolEntry));
  REQUIRE(parse_status(data).ok());
  put<uint64_t>(data, first + offsetof(elf::SymbolEntry, value), 0x12345678);
  const Status status = parse_status(data);
  INFO(status.to_string());
  CHECK(status.code() == ErrorCode::InvalidImage);
  CHECK(status.message().find("outside its image") != std::string::npos);
}

TEST_CASE("wave32 code object", "[codeobject]") {
  const auto data = test::load_data("gfx1100.co");
  const auto code = CodeObject::parse(data);
  REQUIRE(code.ok());
  CHECK(code.value().target().to_string() == "gfx1100");
  CHECK(code.value().find_kernel("explicit_only")->info.wavefront_size == 32);
  CHECK(code.value().find_kernel("explicit_only")->descriptor.enable_wavefront_size32());
}

TEST_CASE("printf formats of the buffered lowering", "[codeobject]") {
  const auto data = test::load_data("gfx942_printf.co");
  const auto code = CodeObject::parse(data);
  REQUIRE(code.ok());
  REQUIRE(code.value().printf_formats().size() == 2);
  CHECK(code.value().printf_formats()[0].format == "value %d, \"%f\"\n");
  CHECK(code.value().printf_formats()[1].format == "100%%: a,b:c\n");
  CHECK(code.value().printf_formats()[0].hash != 0);
  CHECK(code.value().find_kernel("printing")->info.find_arg(ArgKind::HiddenPrintfBuffer) != nullptr);
}

TEST_CASE("symbols are found without DT_HASH and without any hash table", "[codeobject]") {
  auto data = test::load_data("gfx942_v6.co");
  const size_t all = CodeObject::parse(data).value().symbols().size();
  const auto hide_tag = [&data](int64_t tag) {
    for (size_t i = 0; i < get<uint16_t>(data, 56); ++i) {
      const size_t ph = kProgramHeaders + i * kProgramHeaderBytes;
      if (get<uint32_t>(data, ph) != elf::kDynamic) continue;
      for (size_t at = get<uint64_t>(data, ph + 8); get<int64_t>(data, at) != 0; at += 16)
        if (get<int64_t>(data, at) == tag) put<int64_t>(data, at, 0x6ffffef0); // a tag that nobody reads
    }
  };
  hide_tag(elf::kDtHash);
  REQUIRE(CodeObject::parse(data).ok());
  CHECK(CodeObject::parse(data).value().symbols().size() == all);
  hide_tag(elf::kDtGnuHash);
  REQUIRE(CodeObject::parse(data).ok());
  CHECK(CodeObject::parse(data).value().symbols().size() == all);
}

TEST_CASE("code objects v3 name features by one bit each", "[codeobject]") {
  auto data = test::load_data("gfx90a.co");
  data[8] = std::byte{1};
  constexpr uint32_t kGfx90a = 0x3f, kXnack = 0x100, kSramecc = 0x200;
  const auto target_of = [&data](uint32_t flags) {
    put<uint32_t>(data, 48, flags);
    const auto parsed = CodeObject::parse(data);
    INFO(parsed.status().to_string());
    REQUIRE(parsed.ok());
    CHECK(parsed.value().version() == 3);
    CHECK(parsed.value().find_kernel("explicit_only"));
    return parsed.value().target().to_string();
  };
  CHECK(target_of(kGfx90a | kXnack | kSramecc) == "gfx90a:sramecc+");
  CHECK(target_of(kGfx90a | kSramecc) == "gfx90a:sramecc+:xnack-");
  CHECK(target_of(kGfx90a) == "gfx90a:sramecc-:xnack-");
  put<uint32_t>(data, 48, kSramecc | 0x11);
  CHECK(parse_status(data).code() == ErrorCode::InvalidImage);
  auto none = test::load_data("gfx1030.co"); // has neither feature
  none[8] = std::byte{1};
  put<uint32_t>(none, 48, get<uint32_t>(none, 48) & 0xff);
  const auto parsed = CodeObject::parse(none);
  REQUIRE(parsed.ok());
  CHECK(parsed.value().target().to_string() == "gfx1030");
}

TEST_CASE("code objects that are refused", "[codeobject]") {
  auto data = test::load_data("gfx942_v6.co");
  ErrorCode expected = ErrorCode::InvalidImage;
  std::string says;
  SECTION("no bytes") { data.clear(), says = "magic"; }
  SECTION("wrong magic") { data[1] = std::byte{'e'}, says = "magic"; }
  SECTION("only a header's beginning") { data.resize(40), says = "ends inside"; }
  SECTION("32-bit class") { data[4] = std::byte{1}, says = "64-bit"; }
  SECTION("big endian") { data[5] = std::byte{2}, says = "little-endian"; }
  SECTION("other OS ABI") { data[7] = std::byte{65}, says = "OS ABI is 65"; }
  SECTION("code object v2") { data[8] = std::byte{0}, says = "version 2", expected = ErrorCode::NotSupported; }
  SECTION("code object of the future") { data[8] = std::byte{5}, says = "ABI version 5"; }
  SECTION("x86") { put<uint16_t>(data, 18, 62), says = "machine 62"; }
  SECTION("relocatable object") { put<uint16_t>(data, 16, 1), says = "type 1"; }
  SECTION("unknown processor") { data[48] = std::byte{0x11}, says = "0x11"; }
  SECTION("program headers beyond the end") { put<uint64_t>(data, 32, data.size()), says = "program headers"; }
  SECTION("program header offset that overflows") {
    put<uint64_t>(data, 32, UINT64_MAX - 10), says = "program headers";
  }
  SECTION("odd program header size") { put<uint16_t>(data, 54, 55), says = "55"; }
  SECTION("no segments") { put<uint16_t>(data, 56, 0), says = "no segment"; }
  SECTION("segment beyond the end") { put<uint64_t>(data, load_header(data, 1) + 8, data.size()), says = "outside"; }
  SECTION("segment offset that overflows") {
    put<uint64_t>(data, load_header(data, 1) + 8, UINT64_MAX - 16), says = "outside";
  }
  SECTION("more file than memory") { put<uint64_t>(data, load_header(data, 1) + 40, 8), says = "in memory"; }
  SECTION("memory size beyond the address space") {
    put<uint64_t>(data, load_header(data, 3) + 40, UINT64_MAX / 2), says = "47 bits";
  }
  SECTION("overlapping segments") {
    put<uint64_t>(data, load_header(data, 1) + 16, get<uint64_t>(data, load_header(data, 0) + 16)), says = "overlap";
  }
  SECTION("alignment that is no power of two") {
    put<uint64_t>(data, load_header(data, 1) + 48, 48), says = "power of two";
  }
  SECTION("note segments that overlap") {
    const size_t headers_end = kProgramHeaders + get<uint16_t>(data, 56) * kProgramHeaderBytes;
    size_t end = 0, note = 0, note_bytes = 0;
    for (size_t at = kProgramHeaders; at < headers_end; at += kProgramHeaderBytes) {
      if (get<uint32_t>(data, at) == elf::kLoad) end = get<uint64_t>(data, at + 8) + get<uint64_t>(data, at + 32);
      if (get<uint32_t>(data, at) == elf::kNote) note = at;
    }
    data.resize(end); // sections, which nothing needs, lie behind
    for (size_t at = kProgramHeaders; at < headers_end; at += kProgramHeaderBytes) {
      const auto type = get<uint32_t>(data, at);
      if (type == elf::kLoad || type == elf::kDynamic) continue;
      std::memmove(data.data() + at, data.data() + note, kProgramHeaderBytes);
      note_bytes += get<uint64_t>(data, at + 32);
    }
    REQUIRE(note_bytes > data.size());
    says = "note segments overlap";
  }
  const Status status = parse_status(data);
  INFO(status.to_string());
  REQUIRE_FALSE(status.ok());
  CHECK(status.code() == expected);
  CHECK(status.message().find(says) != std::string::npos);
}

TEST_CASE("a kernel's entry must be code", "[codeobject]") {
  auto data = test::load_data("gfx942_v6.co");
  const Kernel kernel = *CodeObject::parse(data).value().find_kernel("tiny");
  // .rodata lies in the first segment, where addresses are file offsets.
  const size_t entry_field = kernel.descriptor_address + offsetof(KernelDescriptor, kernel_code_entry_byte_offset);
  REQUIRE(get<int64_t>(data, entry_field) == kernel.descriptor.kernel_code_entry_byte_offset);
  const int64_t offset =
      GENERATE_COPY(int64_t{0}, INT64_MIN, INT64_MAX, kernel.descriptor.kernel_code_entry_byte_offset + 2);
  put<int64_t>(data, entry_field, offset);
  const Status status = parse_status(data);
  INFO(status.to_string());
  CHECK(status.code() == ErrorCode::InvalidImage);
  CHECK(status.message().find("tiny") != std::string::npos);
}
