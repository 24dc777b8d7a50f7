// tests/backend/conformance.h - the back ends under test and what their tests share.
#pragma once

#include "good.h"
#include "runtime/backend/backend.h"

#include <catch2/catch.hpp>

#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>

namespace hip::test {

// A back end for the whole process: devices are stable for its life.
struct Subject {
  std::string name;
  std::unique_ptr<backend::Backend> backend;
  backend::Device& device() { return *backend->devices()[0]; }
  bool is(std::string_view other) const { return name == other; }
  // Gap of null and of the fake CUDA driver: kernels have no effect.
  bool executes() { return device().properties().name.find("executes nothing") == std::string::npos; }
};

// Those that have a device here. CUDA's is NVIDIA's driver, or the fake one that OMNIHIP_CUDA_DRIVER names.
inline std::vector<std::unique_ptr<Subject>>& all_subjects() {
  static auto* const all = [] {
    auto* made = new std::vector<std::unique_ptr<Subject>>;
    const auto add = [&](const char* name, Result<std::unique_ptr<backend::Backend>> result) {
      REQUIRE(result.ok());
      if (!(*result)->devices().empty()) made->push_back(std::make_unique<Subject>(Subject{name, std::move(*result)}));
    };
    add("aql", backend::create_aql_backend());
    add("hsa", backend::create_hsa_backend());
    add("cuda", backend::create_cuda_backend());
    add("null", backend::create_null_backend());
    return made;
  }();
  return *all;
}
inline Subject& subject(std::string_view name) {
  for (const auto& each : all_subjects())
    if (each->is(name)) return *each;
  FAIL("There is no back end " << std::string(name));
  std::abort();
}
// For GENERATE(from_range(...)): every back end; those whose kernels have effects.
inline std::vector<std::string> every_back_end() {
  std::vector<std::string> names;
  for (const auto& each : all_subjects()) names.push_back(each->name);
  return names;
}
inline std::vector<std::string> executing() {
  std::vector<std::string> names;
  for (const auto& each : all_subjects())
    if (each->executes()) names.push_back(each->name);
  return names;
}
#define EVERY_BACK_END GENERATE(from_range(::hip::test::every_back_end()))
#define EXECUTING GENERATE(from_range(::hip::test::executing()))

// OMNIHIP_TEST_DATA in the environment is where the files lie on a machine that did not build them.
inline std::vector<std::byte> read_data(const std::string& file) {
  const char* folder = std::getenv("OMNIHIP_TEST_DATA");
  std::ifstream in(std::string(folder ? folder : OMNIHIP_TEST_DATA) + "/" + file, std::ios::binary);
  REQUIRE(in.good());
  const std::string text{std::istreambuf_iterator<char>(in), {}};
  std::vector<std::byte> bytes(text.size());
  std::memcpy(bytes.data(), text.data(), text.size());
  return bytes;
}

inline std::unique_ptr<backend::Executable> load(backend::Device& device, const std::string& file) {
  const std::vector<std::byte> image = read_data(file);
  return good(device.load(image));
}

// The file with the suite's kernels for this device.
inline const char* kernels_for(backend::Device& device) {
  return device.properties().target.starts_with("sm_") ? "cuda/kernels.ptx" : "hip.co";
}

// Device memory that frees itself.
template<class T> class Buffer {
public:
  Buffer(backend::Device& device, size_t count, backend::MemoryKind kind = backend::MemoryKind::Device)
      : device_(device), data_(static_cast<T*>(good(device.allocate(count * sizeof(T), kind)))), count_(count),
        kind_(kind) {}
  ~Buffer() { CHECK(device_.free(data_, kind_).ok()); }
  Buffer(const Buffer&) = delete;
  Buffer& operator=(const Buffer&) = delete;
  T* get() const { return data_; }
  void write(backend::Queue& queue, const std::vector<T>& values) {
    REQUIRE_OK(queue.copy(data_, values.data(), values.size() * sizeof(T)));
    REQUIRE_OK(queue.synchronize());
  }
  std::vector<T> read(backend::Queue& queue) const {
    std::vector<T> values(count_);
    REQUIRE_OK(queue.copy(values.data(), data_, count_ * sizeof(T)));
    REQUIRE_OK(queue.synchronize());
    return values;
  }

private:
  backend::Device& device_;
  T* data_;
  size_t count_;
  backend::MemoryKind kind_;
};

struct Shape {
  std::array<uint32_t, 3> grid_items{1, 1, 1}, group_items{1, 1, 1};
  uint32_t dynamic_lds_bytes = 0;
};

// Launches with each argument by pointer, as <<<>>> does.
template<class... A> Status launch(backend::Queue& queue, backend::Kernel* kernel, const Shape& shape, A... arguments) {
  REQUIRE(kernel);
  void* pointers[sizeof...(A) + 1] = {&arguments..., nullptr};
  backend::Launch launch;
  launch.kernel = kernel;
  launch.grid_items = shape.grid_items;
  launch.group_items = shape.group_items;
  for (size_t d = 0; d < 3; ++d)
    launch.groups[d] = (shape.grid_items[d] + shape.group_items[d] - 1) / shape.group_items[d];
  launch.dynamic_lds_bytes = shape.dynamic_lds_bytes;
  launch.argument_pointers = pointers;
  return queue.launch(launch);
}

} // namespace hip::test
