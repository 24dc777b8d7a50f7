// tests/backend/conformance.h - the back ends under test and what their tests share.
#pragma once

#include "runtime/backend/backend.h"

#include <catch2/catch.hpp>

#include <cstring>
#include <fstream>
#include <iterator>

namespace hip::test {

// A back end for the whole process: devices are stable for its life.
struct Subject {
  const char* name;
  bool executes; // gap of null: kernels have no effect
  std::unique_ptr<backend::Backend> backend;
  backend::Device& device() { return *backend->devices()[0]; }
};

inline Subject& subject(std::string_view name) {
  const auto take = [](Result<std::unique_ptr<backend::Backend>> result) {
    REQUIRE(result.ok());
    REQUIRE_FALSE((*result)->devices().empty());
    return std::move(result).value();
  };
  static Subject* const aql = new Subject{"aql", true, take(backend::create_aql_backend())};
  static Subject* const null = new Subject{"null", false, take(backend::create_null_backend())};
  return name == "aql" ? *aql : *null;
}

template<class T> T good(Result<T> result) {
  INFO((result.ok() ? std::string() : result.status().to_string()));
  REQUIRE(result.ok());
  return std::move(result).value();
}
#define REQUIRE_OK(...)                                                                                                \
  do {                                                                                                                 \
    const ::hip::Status require_ok_status = (__VA_ARGS__);                                                             \
    INFO(require_ok_status.to_string());                                                                               \
    REQUIRE(require_ok_status.ok());                                                                                   \
  } while (0)

inline std::vector<std::byte> read_data(const char* file) {
  std::ifstream in(std::string(OMNIHIP_TEST_DATA "/") + file, std::ios::binary);
  REQUIRE(in.good());
  const std::string text{std::istreambuf_iterator<char>(in), {}};
  std::vector<std::byte> bytes(text.size());
  std::memcpy(bytes.data(), text.data(), text.size());
  return bytes;
}

inline std::unique_ptr<backend::Executable> load(backend::Device& device, const char* file) {
  const std::vector<std::byte> image = read_data(file);
  return good(device.load(image));
}

// Device memory that frees itself.
template<class T> class Buffer {
public:
  Buffer(backend::Device& device, size_t count, backend::MemoryKind kind = backend::MemoryKind::Device)
      : device_(device), data_(static_cast<T*>(good(device.allocate(count * sizeof(T), kind)))), count_(count) {}
  ~Buffer() { CHECK(device_.free(data_).ok()); }
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
  launch.dynamic_lds_bytes = shape.dynamic_lds_bytes;
  launch.argument_pointers = pointers;
  return queue.launch(launch);
}

} // namespace hip::test
