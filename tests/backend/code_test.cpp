// Conformance: loading code objects, finding kernels and variables, refusing what is broken or foreign.
#include "conformance.h"
#include "runtime/codeobject/code_object.h"

using namespace hip;
using namespace hip::test;

TEST_CASE("Kernels and variables are found by name", "[backend]") {
  Subject& s = subject(EVERY_BACK_END);
  const auto executable = load(s.device(), kernels_for(s.device()));
  CHECK(executable->target().starts_with(s.is("cuda") ? "sm_70" : "gfx942"));
  backend::Kernel* const add = good(executable->find_kernel("vector_add"));
  REQUIRE(add);
  CHECK(add->name == "vector_add");
  REQUIRE(add->arguments.size() == 4);
  CHECK(add->arguments[1].offset == 8);
  CHECK(add->arguments[3].bytes == 4);
  CHECK(add->explicit_bytes == 28);
  CHECK(executable->find_kernel("no_such_kernel").status().code() == ErrorCode::NotFound);
  CHECK(executable->find_kernel("vector_add.kd").status().code() == ErrorCode::NotFound);
  CHECK(executable->kernels().size() >= 12);
  CHECK(good(executable->find_kernel("reverse_in_lds"))->attributes.static_lds_bytes == 1024);
  CHECK(good(executable->find_kernel("small_groups"))->attributes.max_group_items == 128);
  CHECK(good(executable->find_global("counter")).bytes == 4);
  CHECK(good(executable->find_global("table")).bytes == 16);
  if (!s.is("cuda")) { // not in kernels.cu
    const std::vector<backend::ManagedVariable> managed = good(executable->managed_variables());
    REQUIRE(managed.size() == 1);
    CHECK(managed[0].name == "shared_value");
    CHECK(managed[0].pointer.address == good(executable->find_global("shared_value")).address);
    CHECK(managed[0].pointer.bytes == sizeof(void*));
    CHECK(managed[0].initial.bytes == 4);
  }
  CHECK(executable->find_global("nothing").status().code() == ErrorCode::NotFound);
}

TEST_CASE("Code objects come and go", "[backend]") {
  Subject& s = subject(EVERY_BACK_END);
  backend::Device& device = s.device();
  const std::string kernels = kernels_for(device), other = s.is("cuda") ? kernels : "opencl.co";
  load(device, kernels);
  const uint64_t before = good(device.memory_info()).free_bytes;
  for (int i = 0; i < 50; ++i) {
    const auto first = load(device, kernels), second = load(device, other);
    CHECK(first->find_kernel("vector_add").ok());
    CHECK(second->find_kernel(s.is("cuda") ? "write_to" : "scale").ok());
  }
  if (!s.is("cuda")) CHECK(good(device.memory_info()).free_bytes == before); // NVIDIA's driver keeps some
}

TEST_CASE("What is no code object is refused", "[backend]") {
  backend::Device& device = subject(EVERY_BACK_END).device();
  std::vector<std::byte> image = read_data(kernels_for(device));
  CHECK(device.load({}).status().code() == ErrorCode::InvalidImage);
  CHECK(device.load(std::span(image).first(60)).status().code() == ErrorCode::InvalidImage);
  CHECK(device.load(std::span(image).first(image.size() / 2)).status().code() == ErrorCode::InvalidImage);
  image[0] = std::byte(0);
  CHECK(device.load(image).status().code() == ErrorCode::InvalidImage);
}

TEST_CASE("Absolute symbols are no variables", "[backend]") {
  backend::Device& device = subject(GENERATE("aql", "null")).device();
  std::vector<std::byte> image = read_data("hip.co");
  const auto word = [&image](size_t at) {
    uint64_t value;
    std::memcpy(&value, image.data() + at, sizeof value);
    return value;
  };
  // A symbol's entry ends with its section, address and size; the dynamic table lies before the static one.
  const codeobject::Symbol counter = *good(codeobject::CodeObject::parse(image)).find_symbol("counter");
  size_t at = 8;
  while (at + 16 < image.size() && (word(at) != counter.address || word(at + 8) != counter.size)) at += 8;
  REQUIRE(at + 16 < image.size());
  const uint16_t absolute = 0xfff1;
  const uint64_t bytes = uint64_t{1} << 62;
  std::memcpy(image.data() + at - 2, &absolute, sizeof absolute);
  std::memcpy(image.data() + at + 8, &bytes, sizeof bytes);
  const auto executable = good(device.load(image));
  CHECK(executable->find_global("counter").status().code() == ErrorCode::NotFound);
  CHECK(good(executable->find_global("table")).bytes == 16);
}

TEST_CASE("Code for another processor is refused with both names", "[backend]") {
  backend::Device& device = subject("aql").device(); // the null device runs nothing, so it takes everything
  const Status status = device.load(read_data("gfx90a.co")).status();
  CHECK(status.code() == ErrorCode::NoBinaryForGpu);
  CHECK(status.message().find("gfx90a") != std::string::npos);
  CHECK(status.message().find("gfx942") != std::string::npos);
}

TEST_CASE("Occupancy follows groups, registers and LDS", "[backend]") {
  backend::Device& device = subject("aql").device();
  const auto executable = load(device, "hip.co");
  backend::Kernel& kernel = *good(executable->find_kernel("vector_add"));
  CHECK(device.max_groups_per_cu(kernel, 256, 0) == 8); // 32 waves
  CHECK(device.max_groups_per_cu(kernel, 1024, 0) == 2);
  CHECK(device.max_groups_per_cu(kernel, 64, 0) == 32);
  CHECK(device.max_groups_per_cu(kernel, 65, 0) == 16);
  CHECK(device.max_groups_per_cu(kernel, 64, 32768) == 2);
  CHECK(device.max_groups_per_cu(kernel, 64, 65537) == 0);
  CHECK(device.max_groups_per_cu(kernel, 0, 0) == 0);
  CHECK(device.max_groups_per_cu(*good(executable->find_kernel("small_groups")), 129, 0) == 0);
}
