// Actions, each judged by what comes out of it.
#include "fixture.h"

#include "environment_variable.h"
#include "runtime/codeobject/code_object.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <span>
#include <unistd.h>

using namespace comgr_test;
namespace codeobject = hip::codeobject;

namespace {

constexpr auto kSource = AMD_COMGR_DATA_KIND_SOURCE, kBitcode = AMD_COMGR_DATA_KIND_BC;
constexpr auto kRelocatable = AMD_COMGR_DATA_KIND_RELOCATABLE, kExecutable = AMD_COMGR_DATA_KIND_EXECUTABLE;

bool has_kernel(const std::string& file, const char* name) {
  const auto object = codeobject::CodeObject::parse(std::as_bytes(std::span(file)));
  INFO((object.ok() ? "" : object.status().message()));
  return object.ok() && object.value().find_kernel(name) && object.value().target().to_string().starts_with("gfx942");
}

Data bitcode_of(const char* source, const char* name = "part.hip") {
  Info info(AMD_COMGR_LANGUAGE_HIP);
  info.options({"-nogpuinc", "-fgpu-rdc"});
  const Data data(kSource, name, source);
  return make(AMD_COMGR_ACTION_COMPILE_SOURCE_TO_BC, info, {&data}, kBitcode);
}

} // namespace

TEST_CASE("HIP's headers are the SDK's own, whatever HIP_PATH names") {
  const hip::EnvironmentVariable other("HIP_PATH", "/nonexistent");
  const Info info(AMD_COMGR_LANGUAGE_HIP);
  const Data source(kSource, "a.hip",
                    "#include <hip/hip_runtime.h>\n__global__ void k(int* p) { *p = threadIdx.x; }\n");
  CHECK(make(AMD_COMGR_ACTION_COMPILE_SOURCE_TO_BC, info, {&source}, kBitcode).bytes().starts_with("BC\xc0\xde"));
}

TEST_CASE("HIP becomes preprocessed text, bitcode, a relocatable and an executable") {
  Info info(AMD_COMGR_LANGUAGE_HIP);
  info.options({"-nogpuinc", "-DVALUE=41"});
  const Data source(kSource, "value.hip", "#include \"more.h\"\nint answer = VALUE + ONE;\n" + std::string(kScale));
  const Data include(AMD_COMGR_DATA_KIND_INCLUDE, "more.h", "#define ONE 1\n");

  SECTION("preprocessed") {
    const Data text =
        make(AMD_COMGR_ACTION_SOURCE_TO_PREPROCESSOR, info, {&source, &include}, AMD_COMGR_DATA_KIND_SOURCE);
    CHECK(text.bytes().find("int answer = 41 + 1;") != std::string::npos);
    CHECK(text.name() == "value.i");
  }
  SECTION("bitcode") {
    const Data made = make(AMD_COMGR_ACTION_COMPILE_SOURCE_TO_BC, info, {&source, &include}, kBitcode);
    CHECK(made.bytes().starts_with("BC\xc0\xde"));
    CHECK(made.name() == "value.bc");
  }
  SECTION("relocatable") {
    const Data made = make(AMD_COMGR_ACTION_COMPILE_SOURCE_TO_RELOCATABLE, info, {&source, &include}, kRelocatable);
    CHECK(made.bytes().substr(1, 3) == "ELF");
    CHECK(made.bytes()[16] == 1); // a relocatable file
    CHECK(made.name() == "value.o");
  }
  SECTION("executable") {
    const Data made = make(AMD_COMGR_ACTION_COMPILE_SOURCE_TO_EXECUTABLE, info, {&source, &include}, kExecutable);
    CHECK(has_kernel(made.bytes(), "scale"));
    CHECK(made.name() == "value.so");
  }
  SECTION("several sources, in their order") {
    const Data other(kSource, "other.hip", "int other;");
    Set result;
    COMGR_OK(act(AMD_COMGR_ACTION_SOURCE_TO_PREPROCESSOR, info, {&source, &include, &other}, result).status);
    REQUIRE(result.count(kSource) == 2);
    CHECK(result.get(kSource, 0).name() == "value.i");
    CHECK(result.get(kSource, 1).name() == "other.i");
  }
}

TEST_CASE("Bitcode is linked, and becomes assembly and machine code") {
  const Data first = bitcode_of("__attribute__((device)) int helper(int);\n"
                                "extern \"C\" __attribute__((global)) void kernel(int* p) { *p = helper(*p); }",
                                "first.hip");
  const Data second = bitcode_of("__attribute__((device)) int helper(int a) { return a + 1; }", "second.hip");
  const Info info;
  const Data linked = make(AMD_COMGR_ACTION_LINK_BC_TO_BC, info, {&first, &second}, kBitcode);
  CHECK(linked.name() == "linked.bc");

  const Data assembly = make(AMD_COMGR_ACTION_CODEGEN_BC_TO_ASSEMBLY, info, {&linked}, kSource);
  CHECK(assembly.bytes().find("s_endpgm") != std::string::npos);
  CHECK(assembly.name() == "linked.s");

  const Data relocatable = make(AMD_COMGR_ACTION_CODEGEN_BC_TO_RELOCATABLE, info, {&linked}, kRelocatable);
  const Data executable = make(AMD_COMGR_ACTION_LINK_RELOCATABLE_TO_EXECUTABLE, info, {&relocatable}, kExecutable);
  CHECK(executable.name() == "a.so");
  CHECK(has_kernel(executable.bytes(), "kernel"));

  SECTION("assembly that the code generator wrote can be assembled") {
    const Data assembled = make(AMD_COMGR_ACTION_ASSEMBLE_SOURCE_TO_RELOCATABLE, info, {&assembly}, kRelocatable);
    const Data again = make(AMD_COMGR_ACTION_LINK_RELOCATABLE_TO_EXECUTABLE, info, {&assembled}, kExecutable);
    CHECK(has_kernel(again.bytes(), "kernel"));
  }
  SECTION("relocatables become one") {
    const Data more(kSource, "more.s", ".text\n.globl more\nmore:\n  s_endpgm\n");
    const Data assembled = make(AMD_COMGR_ACTION_ASSEMBLE_SOURCE_TO_RELOCATABLE, info, {&more}, kRelocatable);
    const Data one =
        make(AMD_COMGR_ACTION_LINK_RELOCATABLE_TO_RELOCATABLE, info, {&relocatable, &assembled}, kRelocatable);
    CHECK(one.name() == "a.o");
    amd_comgr_symbol_t symbol{};
    COMGR_OK(amd_comgr_symbol_lookup(one, "more", &symbol));
    COMGR_OK(amd_comgr_symbol_lookup(one, "kernel", &symbol));
  }
  SECTION("nothing becomes an empty module") {
    CHECK(make(AMD_COMGR_ACTION_LINK_BC_TO_BC, info, {}, kBitcode).bytes().starts_with("BC\xc0\xde"));
  }
}

TEST_CASE("IR and OpenCL C compile") {
  const Data ir(kSource, "k.ll",
                "target triple = \"amdgcn-amd-amdhsa\"\n"
                "define amdgpu_kernel void @from_ir(ptr addrspace(1) %p) {\n"
                "  store i32 1, ptr addrspace(1) %p\n  ret void\n}\n");
  const Data executable =
      make(AMD_COMGR_ACTION_COMPILE_SOURCE_TO_EXECUTABLE, Info(AMD_COMGR_LANGUAGE_LLVM_IR), {&ir}, kExecutable);
  CHECK(has_kernel(executable.bytes(), "from_ir"));

  const Data cl(kSource, "k.cl", "kernel void from_cl(global int* p) { p[get_global_id(0)] = 1; }");
  for (const auto language : {AMD_COMGR_LANGUAGE_OPENCL_1_2, AMD_COMGR_LANGUAGE_OPENCL_2_0})
    CHECK(
        make(AMD_COMGR_ACTION_COMPILE_SOURCE_TO_BC, Info(language), {&cl}, kBitcode).bytes().starts_with("BC\xc0\xde"));
}

TEST_CASE("OpenCL C has its device library, and a line in the log for what that lacks") {
  const auto build = [](amd_comgr_language_t language, const char* source, Set& result) {
    const Data text(kSource, "k.cl", source);
    const Data bitcode =
        make(AMD_COMGR_ACTION_COMPILE_SOURCE_WITH_DEVICE_LIBS_TO_BC, Info(language), {&text}, kBitcode);
    const Data object = make(AMD_COMGR_ACTION_CODEGEN_BC_TO_RELOCATABLE, Info(), {&bitcode}, kRelocatable);
    return act(AMD_COMGR_ACTION_LINK_RELOCATABLE_TO_EXECUTABLE, Info(), {&object}, result);
  };
  for (const char* source :
       {"kernel void from_cl(global float* p) { p[get_global_id(0)] = sin(p[0]) + native_exp(p[1]); }",
        "kernel void from_cl(global float* p) { if (get_global_id(0) == 3) printf(\"%d %f\\n\", 1, p[0]); }"})
    for (const auto language : {AMD_COMGR_LANGUAGE_OPENCL_1_2, AMD_COMGR_LANGUAGE_OPENCL_2_0}) {
      Set result;
      const Outcome outcome = build(language, source, result);
      CHECK(outcome.log == "");
      REQUIRE(outcome.status == AMD_COMGR_STATUS_SUCCESS);
      CHECK(has_kernel(result.get(kExecutable).bytes(), "from_cl"));
    }
  for (const char* source : {"kernel void k(read_only image2d_t i, global int* p) { *p = get_image_width(i); }",
                             "kernel void k(read_only pipe int i, global int* p) { read_pipe(i, p); }",
                             "kernel void k(global int* p) { *p = enqueue_marker(get_default_queue(), 0, 0, 0); }"}) {
    Set result;
    const Outcome outcome = build(AMD_COMGR_LANGUAGE_OPENCL_2_0, source, result);
    CHECK(outcome.status == AMD_COMGR_STATUS_ERROR);
    CHECK(outcome.log.find("undefined") != std::string::npos);
    CHECK(outcome.log.find("has no images, pipes or queues") != std::string::npos);
  }
}

TEST_CASE("Device libraries are linked where they are asked for") {
  const Data source(kSource, "sine.hip",
                    "extern \"C\" __attribute__((device)) float __ocml_sin_f32(float);\n"
                    "extern \"C\" __attribute__((global)) void sine(float* p) { *p = __ocml_sin_f32(*p); }");
  Info info(AMD_COMGR_LANGUAGE_HIP);
  info.options({"-nogpuinc"});
  const Data with = make(AMD_COMGR_ACTION_COMPILE_SOURCE_WITH_DEVICE_LIBS_TO_BC, info, {&source}, kBitcode);
  const Data without = make(AMD_COMGR_ACTION_COMPILE_SOURCE_TO_BC, info, {&source}, kBitcode);
  const auto names = [](const Data& data) {
    size_t count = 0;
    COMGR_OK(amd_comgr_populate_mangled_names(data, &count));
    std::string all;
    for (size_t i = 0; i < count; ++i) {
      char name[256];
      size_t size = sizeof name;
      COMGR_OK(amd_comgr_get_mangled_name(data, i, &size, name));
      all += std::string(name) + "\n";
    }
    return all;
  };
  CHECK(names(without).find("__ocml_sin_f32\n") != std::string::npos);
  CHECK(names(with).find("__ocml_sin_f32\n") == std::string::npos); // inlined
  COMGR_OK(amd_comgr_action_info_set_device_lib_linking(info, true));
  const Data asked = make(AMD_COMGR_ACTION_COMPILE_SOURCE_TO_BC, info, {&source}, kBitcode);
  CHECK(names(asked).find("__ocml_sin_f32\n") == std::string::npos);
}

TEST_CASE("What the compiler refuses is an error with its words in the log") {
  Info info(AMD_COMGR_LANGUAGE_HIP);
  info.options({"-nogpuinc"});
  const Data source(kSource, "wrong.hip", "int f() { return nothing; }");
  Set result;
  const Outcome outcome = act(AMD_COMGR_ACTION_COMPILE_SOURCE_TO_BC, info, {&source}, result);
  CHECK(outcome.status == AMD_COMGR_STATUS_ERROR);
  CHECK(outcome.log.find("undeclared identifier 'nothing'") != std::string::npos);
  CHECK(outcome.log.find("wrong.hip") != std::string::npos);
  CHECK(result.count(kBitcode) == 0);

  const Data assembly(kSource, "wrong.s", "no_such_instruction v0\n");
  const Outcome assembled = act(AMD_COMGR_ACTION_ASSEMBLE_SOURCE_TO_RELOCATABLE, Info(), {&assembly}, result);
  CHECK(assembled.status == AMD_COMGR_STATUS_ERROR);
  CHECK(assembled.log.find("invalid instruction") != std::string::npos);

  const Data garbage(kBitcode, "garbage.bc", "no bitcode");
  CHECK(act(AMD_COMGR_ACTION_CODEGEN_BC_TO_RELOCATABLE, Info(), {&garbage}, result).status == AMD_COMGR_STATUS_ERROR);
  CHECK(act(AMD_COMGR_ACTION_LINK_BC_TO_BC, Info(), {&garbage}, result).status == AMD_COMGR_STATUS_ERROR);
}

TEST_CASE("Logs go where AMD_COMGR_REDIRECT_LOGS says") {
  const std::string path =
      (std::filesystem::temp_directory_path() / ("comgr-log-" + std::to_string(getpid()))).string();
  setenv("AMD_COMGR_REDIRECT_LOGS", path.c_str(), 1);
  const Data source(kSource, "wrong.hip", "int f() { return nothing; }");
  Info info(AMD_COMGR_LANGUAGE_HIP);
  info.options({"-nogpuinc"});
  Set result;
  act(AMD_COMGR_ACTION_COMPILE_SOURCE_TO_BC, info, {&source}, result);
  unsetenv("AMD_COMGR_REDIRECT_LOGS");
  std::ifstream file(path);
  const std::string log{std::istreambuf_iterator<char>(file), {}};
  CHECK(log.find("undeclared identifier 'nothing'") != std::string::npos);
  std::filesystem::remove(path);
}

TEST_CASE("Actions without what they need, and those that are none") {
  const Data source = scale_source();
  Set result;
  CHECK(act(AMD_COMGR_ACTION_COMPILE_SOURCE_TO_BC, Info(), {&source}, result).status ==
        AMD_COMGR_STATUS_ERROR_INVALID_ARGUMENT); // no language
  CHECK(
      act(AMD_COMGR_ACTION_COMPILE_SOURCE_TO_RELOCATABLE, Info(AMD_COMGR_LANGUAGE_LLVM_IR), {&source}, result).status ==
      AMD_COMGR_STATUS_ERROR_INVALID_ARGUMENT); // HIP only
  for (const int kind : {0x9, 0xa, 0xb, 0x11, 0x12, 0x14, 0x1000, -1}) {
    CAPTURE(kind);
    CHECK(act(static_cast<amd_comgr_action_kind_t>(kind), Info(), {}, result).status ==
          AMD_COMGR_STATUS_ERROR_INVALID_ARGUMENT);
  }
  const Data spirv(AMD_COMGR_DATA_KIND_SPIRV, "k.spv", "\x03\x02\x23\x07");
  for (const auto kind : {AMD_COMGR_ACTION_COMPILE_SPIRV_TO_RELOCATABLE, AMD_COMGR_ACTION_TRANSLATE_SPIRV_TO_BC}) {
    const Outcome outcome = act(kind, Info(), {&spirv}, result);
    CHECK(outcome.status == AMD_COMGR_STATUS_ERROR);
    CHECK(act(kind, Info(), {&source}, result).status == AMD_COMGR_STATUS_ERROR_INVALID_ARGUMENT);
  }
  Set input;
  COMGR_INVALID(amd_comgr_do_action(AMD_COMGR_ACTION_LINK_BC_TO_BC, Info(), input, {12345678}));
  COMGR_INVALID(amd_comgr_do_action(AMD_COMGR_ACTION_LINK_BC_TO_BC, {12345678}, input, result));

  Info hip(AMD_COMGR_LANGUAGE_HIP);
  const Data escape(AMD_COMGR_DATA_KIND_INCLUDE, "../../escape.h", "x");
  CHECK(act(AMD_COMGR_ACTION_SOURCE_TO_PREPROCESSOR, hip, {&source, &escape}, result).status ==
        AMD_COMGR_STATUS_ERROR_INVALID_ARGUMENT);
}

TEST_CASE("Data objects are handed on by the action for precompiled headers") {
  const Data source = scale_source();
  Set result;
  COMGR_OK(act(AMD_COMGR_ACTION_ADD_PRECOMPILED_HEADERS, Info(), {&source}, result).status);
  REQUIRE(result.count(kSource) == 1);
  CHECK(result.get(kSource).bytes() == kScale);
}

namespace {

// An offload bundle as clang writes it: the magic, the number of entries, and of each its place and id.
std::string bundle(std::initializer_list<std::pair<const char*, std::string>> entries) {
  const auto number = [](uint64_t value) { return std::string(reinterpret_cast<const char*>(&value), sizeof value); };
  size_t header = 24 + 8;
  for (const auto& [id, image] : entries) header += 24 + std::strlen(id);
  std::string head = "__CLANG_OFFLOAD_BUNDLE__" + number(entries.size()), body;
  for (const auto& [id, image] : entries) {
    head += number(header + body.size()) + number(image.size()) + number(std::strlen(id)) + id;
    body += image;
  }
  return head + body;
}

std::string archive(const std::string& file) {
  char header[61];
  std::snprintf(header, sizeof header, "%-16s%-12d%-6d%-6d%-8d%-10zu`\n", "a.bc/", 0, 0, 0, 644, file.size());
  return "!<arch>\n" + std::string(header) + file + (file.size() % 2 ? "\n" : "");
}

} // namespace

TEST_CASE("Bundles and archives of bundles are taken apart, and linked") {
  const Data helper = bitcode_of("__attribute__((device)) int helper(int a) { return a + 1; }");
  const std::string in_bundle = bundle({{"host-x86_64-unknown-linux-gnu-", ""},
                                        {"hip-amdgcn-amd-amdhsa-unknown-gfx90a", "BC\xc0\xde other"},
                                        {"hip-amdgcn-amd-amdhsa-unknown-gfx942", helper.bytes()}});
  const Data bitcode_bundle(AMD_COMGR_DATA_KIND_BC_BUNDLE, "b.bc", in_bundle);
  const Data archive_bundle(AMD_COMGR_DATA_KIND_AR_BUNDLE, "b.a", archive(in_bundle));
  Info info;
  const char* ids[] = {"hip-amdgcn-amd-amdhsa-unknown-gfx942"};
  COMGR_OK(amd_comgr_action_info_set_bundle_entry_ids(info, ids, 1));

  const Data bitcode = make(AMD_COMGR_ACTION_UNBUNDLE, info, {&bitcode_bundle}, kBitcode);
  CHECK(bitcode.bytes() == helper.bytes());
  CHECK(bitcode.name() == "b-hip-amdgcn-amd-amdhsa-unknown-gfx942.bc");
  const Data in_archive = make(AMD_COMGR_ACTION_UNBUNDLE, info, {&archive_bundle}, AMD_COMGR_DATA_KIND_AR);
  CHECK(in_archive.bytes().starts_with("!<arch>\n"));
  CHECK(in_archive.bytes().find(helper.bytes()) != std::string::npos);
  CHECK(in_archive.bytes().find("BC\xc0\xde other") == std::string::npos);

  for (const Data* data : {&bitcode_bundle, &archive_bundle})
    CHECK(make(AMD_COMGR_ACTION_LINK_BC_TO_BC, info, {data}, kBitcode).bytes().starts_with("BC\xc0\xde"));
  Set result;
  CHECK(act(AMD_COMGR_ACTION_LINK_BC_TO_BC, Info(AMD_COMGR_LANGUAGE_NONE, nullptr), {&bitcode_bundle}, result).status ==
        AMD_COMGR_STATUS_ERROR_INVALID_ARGUMENT);
  CHECK(act(AMD_COMGR_ACTION_UNBUNDLE, info, {&helper}, result).status == AMD_COMGR_STATUS_ERROR_INVALID_ARGUMENT);
}

TEST_CASE("Code objects are found in a bundle by their ISA names") {
  Info info(AMD_COMGR_LANGUAGE_HIP);
  info.options({"-nogpuinc"});
  const Data source = scale_source();
  const Data executable = make(AMD_COMGR_ACTION_COMPILE_SOURCE_TO_EXECUTABLE, info, {&source}, kExecutable);
  const std::string image = executable.bytes();
  const std::string file = bundle({{"hipv4-amdgcn-amd-amdhsa--gfx942", image}});
  const Data fat(AMD_COMGR_DATA_KIND_FATBIN, "f", file);
  amd_comgr_code_object_info_t list[] = {{kIsa, 77, 77}, {"amdgcn-amd-amdhsa--gfx1100", 77, 77}};
  COMGR_OK(amd_comgr_lookup_code_object(fat, list, 2));
  CHECK(list[0].size == image.size());
  CHECK(file.substr(list[0].offset, list[0].size) == image);
  CHECK(list[1].size == 0);
  CHECK(list[1].offset == 0);
  COMGR_INVALID(amd_comgr_lookup_code_object(source, list, 2));
  COMGR_INVALID(amd_comgr_lookup_code_object(fat, nullptr, 2));
}

TEST_CASE("Code objects are found by the beginning of a bundle, as far as its header is needed") {
  const std::string first(9000, 'a'), second(70000, 'b'), third(500, 'c');
  const std::string file = bundle({{"hipv4-amdgcn-amd-amdhsa--gfx1100", first},
                                   {"hip-amdgcn-amd-amdhsa--gfx942", second},
                                   {"hip-spirv64-amd-amdhsa-unknown-amdgcnspirv", third}});
  const auto look_up = [&](size_t bytes, const char* isa, amd_comgr_code_object_info_t& found) {
    const Data beginning(AMD_COMGR_DATA_KIND_FATBIN, "f", file.substr(0, bytes));
    found = {isa, 77, 77};
    return amd_comgr_lookup_code_object(beginning, &found, 1);
  };
  amd_comgr_code_object_info_t found{};
  size_t enough = 1; // the shortest beginning that tells of gfx942
  while (enough < file.size() && look_up(enough, kIsa, found) == AMD_COMGR_STATUS_ERROR) ++enough;
  CHECK(enough == file.find("gfx942") + 6);
  for (const size_t bytes : {enough, size_t{4096}, enough + first.size(), file.size()}) {
    INFO(bytes);
    COMGR_OK(look_up(bytes, kIsa, found));
    CHECK(found.size == second.size());
    CHECK(file.substr(found.offset, found.size) == second);
  }
  // AMD's HIP asks for intermediate code, too.
  COMGR_OK(look_up(4096, "spirv64-amd-amdhsa--amdgcnspirv", found));
  CHECK(file.substr(found.offset, found.size) == third);
  CHECK(look_up(enough, "spirv64-amd-amdhsa--amdgcnspirv", found) == AMD_COMGR_STATUS_ERROR);
}

TEST_CASE("An ISA that a bundle has no code for, known or not, is no error") {
  const std::string code(50, 'a');
  const Data fat(AMD_COMGR_DATA_KIND_FATBIN, "f",
                 bundle({{"host-x86_64-unknown-linux-gnu-", ""},
                         {"hipv4-amdgcn-amd-amdhsa--gfx942:xnack-", code},
                         {"hipv4-amdgcn-amd-amdhsa--gfx90a", code + code}}));
  const auto bytes_of = [&](const char* isa) {
    amd_comgr_code_object_info_t found{isa, 77, 77};
    COMGR_OK(amd_comgr_lookup_code_object(fat, &found, 1));
    CHECK((found.offset != 0) == (found.size != 0));
    return found.size;
  };
  CHECK(bytes_of("amdgcn-amd-amdhsa--gfx942:sramecc+:xnack-") == code.size());
  CHECK(bytes_of("amdgcn-amd-amdhsa--gfx942:sramecc+:xnack+") == 0);
  CHECK(bytes_of("amdgcn-amd-amdhsa--gfx942") == 0); // the code is for devices that say xnack-
  CHECK(bytes_of("amdgcn-amd-amdhsa--gfx90a:sramecc+:xnack+") == 2 * code.size());
  for (const char* const none : {"amdgcn-amd-amdhsa--gfx77", "amdgcn-amd-amdhsa--gfx9-4-generic", "gfx942", "host", "",
                                 "spirv64-amd-amdhsa--amdgcnspirv"})
    CHECK(bytes_of(none) == 0);
  const Data other(AMD_COMGR_DATA_KIND_FATBIN, "o", "These are 24 bytes at least.");
  amd_comgr_code_object_info_t found{kIsa, 77, 77};
  COMGR_INVALID(amd_comgr_lookup_code_object(other, &found, 1));
  COMGR_INVALID(amd_comgr_lookup_code_object(fat, &found, 0));
}
