// Conformance: kernels compute what their source says, with both argument forms, LDS, variables, partial groups.
#include "conformance.h"

#include <numeric>

using namespace hip;
using namespace hip::test;

namespace {
struct Bench {
  explicit Bench(const std::string& name) : subject(hip::test::subject(name)) {}
  Subject& subject;
  backend::Device& device = subject.device();
  std::unique_ptr<backend::Queue> queue = good(device.create_queue({}));
  std::unique_ptr<backend::Executable> code = load(device, kernels_for(device));

  // As core does it: `shared_value`, which kernels for NVIDIA GPUs do not have, lies at `storage` from now on.
  void place_managed_variables(uint32_t* storage) {
    for (const backend::ManagedVariable& variable : good(code->managed_variables())) {
      REQUIRE(variable.name == "shared_value");
      REQUIRE(variable.initial.bytes == sizeof *storage);
      REQUIRE(variable.pointer.bytes == sizeof storage);
      REQUIRE_OK(queue->copy(storage, variable.initial.address, sizeof *storage));
      REQUIRE_OK(queue->copy(variable.pointer.address, &storage, sizeof storage));
      REQUIRE_OK(queue->synchronize());
    }
  }
};
} // namespace

TEST_CASE("Vector add", "[backend]") {
  Bench t(EXECUTING);
  const uint32_t n = GENERATE(1u, 64u, 1000u, 100000u);
  std::vector<float> a(n), b(n);
  for (uint32_t i = 0; i < n; ++i) a[i] = static_cast<float>(i), b[i] = 0.5f * static_cast<float>(i) + 1;
  Buffer<float> da(t.device, n), db(t.device, n), dc(t.device, n);
  da.write(*t.queue, a);
  db.write(*t.queue, b);
  REQUIRE_OK(launch(*t.queue, good(t.code->find_kernel("vector_add")), {{(n + 255) / 256 * 256, 1, 1}, {256, 1, 1}, 0},
                    da.get(), db.get(), dc.get(), n));
  const std::vector<float> c = dc.read(*t.queue);
  size_t wrong = 0;
  for (uint32_t i = 0; i < n; ++i) wrong += c[i] != a[i] + b[i];
  CHECK(wrong == 0);
}

TEST_CASE("Packed arguments", "[backend]") {
  Bench t(EXECUTING);
  struct {
    const float *a, *b;
    float* c;
    uint32_t n, pad = 0xdeadbeef;
  } arguments{};
  Buffer<float> a(t.device, 64), b(t.device, 64), c(t.device, 64);
  a.write(*t.queue, std::vector<float>(64, 2));
  b.write(*t.queue, std::vector<float>(64, 3));
  arguments.a = a.get();
  arguments.b = b.get();
  arguments.c = c.get();
  arguments.n = 64;
  backend::Launch launch;
  launch.kernel = good(t.code->find_kernel("vector_add"));
  launch.grid_items = launch.group_items = {64, 1, 1};
  launch.packed_arguments = std::as_bytes(std::span(&arguments, 1));
  REQUIRE_OK(t.queue->launch(launch));
  CHECK(c.read(*t.queue) == std::vector<float>(64, 5));
}

TEST_CASE("Hidden arguments describe the launch", "[backend]") {
  Bench t(EXECUTING);
  const Shape shape{{40, 6, 8}, {8, 3, 2}, 0};
  constexpr uint32_t kGroups = 5 * 2 * 4;
  Buffer<uint32_t> out(t.device, kGroups * 8);
  REQUIRE_OK(launch(*t.queue, good(t.code->find_kernel("describe_launch")), shape, out.get()));
  const std::vector<uint32_t> words = out.read(*t.queue);
  for (uint32_t group = 0; group < kGroups; ++group) {
    const std::vector<uint32_t> mine(words.begin() + group * 8, words.begin() + group * 8 + 8);
    CHECK(mine == std::vector<uint32_t>{5, 2, 4, 8, 3, 2, 3, group});
  }
}

TEST_CASE("Every work-item of every shape runs once", "[backend]") {
  Bench t(EXECUTING);
  const Shape shape = GENERATE(Shape{{1, 1, 1}, {1, 1, 1}, 0}, Shape{{1024, 1, 1}, {1024, 1, 1}, 0},
                               Shape{{7 * 33, 5 * 3, 2 * 2}, {33, 3, 2}, 0}, Shape{{64 * 500, 1, 1}, {64, 1, 1}, 0},
                               Shape{{100, 7, 1}, {64, 4, 1}, 0} /* partial groups */,
                               Shape{{40, 2, 1}, {64, 4, 1}, 0} /* one, and partial */);
  Buffer<uint32_t> total(t.device, 1);
  REQUIRE_OK(t.queue->fill_3d({total.get(), 0, 0}, 0, 4, {4, 1, 1}));
  const bool partial = shape.grid_items[0] % shape.group_items[0] != 0;
  if (partial && !t.device.properties().partial_groups) return;
  REQUIRE_OK(launch(*t.queue, good(t.code->find_kernel("count_items")), shape, total.get()));
  CHECK(total.read(*t.queue)[0] == shape.grid_items[0] * shape.grid_items[1] * shape.grid_items[2]);
}

TEST_CASE("LDS, static and dynamic", "[backend]") {
  Bench t(EXECUTING);
  std::vector<uint32_t> values(256);
  std::iota(values.begin(), values.end(), 0);
  Buffer<uint32_t> data(t.device, 256);
  data.write(*t.queue, values);
  REQUIRE_OK(launch(*t.queue, good(t.code->find_kernel("reverse_in_lds")), {{256, 1, 1}, {256, 1, 1}, 0}, data.get()));
  std::reverse(values.begin(), values.end());
  CHECK(data.read(*t.queue) == values);
  REQUIRE_OK(launch(*t.queue, good(t.code->find_kernel("rotate_in_dynamic_lds")), {{256, 1, 1}, {256, 1, 1}, 1024},
                    data.get(), 256u));
  std::rotate(values.begin(), values.begin() + 1, values.end());
  CHECK(data.read(*t.queue) == values);
}

TEST_CASE("Private memory grows with what kernels need", "[backend]") {
  Bench t(EXECUTING);
  const bool in_two_queues = GENERATE(false, true);
  const auto other = good(t.device.create_queue({}));
  constexpr uint32_t kItems = 192, kStep = 5;
  // More and more, then little and much in turn.
  const std::vector<uint32_t> sizes{16, 512, 8192, 30000, 16, 30000, 512, 8192};
  Buffer<uint32_t> out(t.device, sizes.size() * kItems);
  for (size_t k = 0; k < sizes.size(); ++k) {
    backend::Queue& queue = in_two_queues && k % 2 != 0 ? *other : *t.queue;
    backend::Kernel* const kernel = good(t.code->find_kernel("private_" + std::to_string(sizes[k])));
    REQUIRE_OK(launch(queue, kernel, {{kItems, 1, 1}, {64, 1, 1}, 0}, out.get() + k * kItems, kStep));
  }
  REQUIRE_OK(other->synchronize());
  const std::vector<uint32_t> sums = out.read(*t.queue);
  for (size_t k = 0; k < sizes.size(); ++k)
    for (uint32_t i = 0; i < kItems; ++i) {
      uint32_t sum = 0;
      for (uint32_t w = 0; w < sizes[k]; ++w) sum = sum * 3 + i * 7 + (w * kStep + i) % sizes[k] * kStep;
      INFO("private_" << sizes[k] << ", work-item " << i);
      REQUIRE(sums[k * kItems + i] == sum);
    }
}

TEST_CASE("Device, constant and managed variables", "[backend]") {
  Bench t("aql");
  Buffer<uint32_t> out(t.device, 3);
  backend::Kernel* const kernel = good(t.code->find_kernel("read_variables"));
  Buffer<uint32_t> storage(t.device, 1, backend::MemoryKind::Managed);
  uint32_t* const managed = storage.get();
  t.place_managed_variables(managed);
  REQUIRE_OK(launch(*t.queue, kernel, {}, out.get()));
  CHECK(out.read(*t.queue) == std::vector<uint32_t>{7, 30, 5});
  CHECK(*managed == 6); // the host sees it at the same address
  *managed = 100;
  const uint32_t value = 1000;
  REQUIRE_OK(t.queue->copy(good(t.code->find_global("counter")).address, &value, 4));
  REQUIRE_OK(launch(*t.queue, kernel, {}, out.get()));
  CHECK(out.read(*t.queue) == std::vector<uint32_t>{1000, 30, 100});
}

TEST_CASE("Device and constant variables", "[backend]") {
  Bench t(EXECUTING);
  Buffer<uint32_t> out(t.device, 3);
  backend::Kernel* const kernel = good(t.code->find_kernel("read_variables"));
  Buffer<uint32_t> storage(t.device, 1, backend::MemoryKind::Managed);
  t.place_managed_variables(storage.get());
  REQUIRE_OK(launch(*t.queue, kernel, {}, out.get()));
  CHECK(out.read(*t.queue)[0] == 7);
  CHECK(out.read(*t.queue)[1] == 30);
  const uint32_t value = 1000;
  REQUIRE_OK(t.queue->copy(good(t.code->find_global("counter")).address, &value, 4));
  REQUIRE_OK(launch(*t.queue, kernel, {}, out.get()));
  CHECK(out.read(*t.queue)[0] == 1000);
}

TEST_CASE("Large arguments", "[backend]") {
  Bench t(EXECUTING);
  struct Block {
    uint32_t words[750];
  } block;
  std::iota(std::begin(block.words), std::end(block.words), 0u);
  Buffer<uint32_t> out(t.device, 1);
  for (int i = 0; i < 300; ++i) // through the argument ring more than once
    REQUIRE_OK(launch(*t.queue, good(t.code->find_kernel("sum_block")), {}, out.get(), block));
  CHECK(out.read(*t.queue)[0] == 750 * 749 / 2);
}

TEST_CASE("Kernels of OpenCL and of the assembler", "[backend]") {
  Bench t("aql");
  Buffer<uint32_t> data(t.device, 64);
  std::vector<uint32_t> values(64);
  std::iota(values.begin(), values.end(), 0u);
  data.write(*t.queue, values);
  const auto opencl = load(t.device, "opencl.co"), assembler = load(t.device, "assembler.co");
  REQUIRE_OK(launch(*t.queue, good(opencl->find_kernel("scale")), {{64, 1, 1}, {64, 1, 1}, 0}, data.get(), 3u));
  for (uint32_t& value : values) value *= 3;
  CHECK(data.read(*t.queue) == values);
  REQUIRE_OK(launch(*t.queue, good(assembler->find_kernel("lanes")), {{64, 1, 1}, {64, 1, 1}, 0}, data.get()));
  std::iota(values.begin(), values.end(), 0x1234u);
  CHECK(data.read(*t.queue) == values);
  CHECK(good(opencl->find_kernel("needs_64"))->attributes.required_group == std::array<uint32_t, 3>{64, 1, 1});
}

TEST_CASE("Registered host memory is used in place", "[backend]") {
  Bench t(EXECUTING);
  std::vector<float> a(64, 1), b(64, 2), c(64);
  for (auto* v : {&a, &b, &c}) REQUIRE_OK(t.device.register_host(v->data(), 256));
  REQUIRE_OK(launch(*t.queue, good(t.code->find_kernel("vector_add")), {{64, 1, 1}, {64, 1, 1}, 0}, a.data(), b.data(),
                    c.data(), 64u));
  REQUIRE_OK(t.queue->synchronize());
  CHECK(c == std::vector<float>(64, 3));
  for (auto* v : {&a, &b, &c}) REQUIRE_OK(t.device.unregister_host(v->data()));
}
