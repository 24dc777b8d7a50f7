// No driver, no GPU, a driver that is too old or too broken: no devices, and a sentence that says why.
#include "bench.h"

using namespace hip;
using namespace hip::test;

namespace {

std::string absence() {
  const auto backend = good(backend::create_cuda_backend());
  CHECK(backend->devices().empty());
  return std::string(backend->absence());
}

bool says(const std::string& text, std::string_view part) {
  INFO(text);
  return text.find(part) != std::string::npos;
}

} // namespace

TEST_CASE("Without a driver there are no devices", "[cuda]") {
  const std::string kept = std::getenv("OMNIHIP_CUDA_DRIVER");
  ::setenv("OMNIHIP_CUDA_DRIVER", "/nowhere/libcuda.so.1", 1);
  CHECK(says(absence(), "/nowhere/libcuda.so.1"));
  ::setenv("OMNIHIP_CUDA_DRIVER", "libm.so.6", 1); // loads, but is no driver
  CHECK(says(absence(), "libm.so.6"));
  ::setenv("OMNIHIP_CUDA_DRIVER", kept.c_str(), 1);
}

TEST_CASE("An old driver is named with what it takes", "[cuda]") {
  const Setting version("FAKE_CUDA_VERSION", "10010");
  const std::string text = absence();
  CHECK(says(text, "supports CUDA 10.1"));
  CHECK(says(text, "CUDA 11.4"));
}

TEST_CASE("A driver without a GPU", "[cuda]") {
  const Setting devices("FAKE_CUDA_DEVICES", "0");
  CHECK(says(absence(), "shows no GPU"));
}

TEST_CASE("A driver that does not start", "[cuda]") {
  const Setting init("FAKE_CUDA_INIT", "803");
  const std::string text = absence();
  CHECK(says(text, "cuInit"));
  CHECK(says(text, "CUDA_ERROR_SYSTEM_DRIVER_MISMATCH (803)"));
}

TEST_CASE("Functions are found without cuGetProcAddress too", "[cuda]") {
  const Setting lookup("FAKE_CUDA_PROC_ADDRESS", "0");
  Bench t;
  REQUIRE(t.backend->devices().size() == 1);
  void* const block = good(t.device().allocate(100, backend::MemoryKind::Device));
  REQUIRE_OK(t.device().free(block));
}

TEST_CASE("A GPU that cannot be described is left out", "[cuda]") {
  const Setting devices("FAKE_CUDA_DEVICES", "2");
  FAKE(fake_cuda_reset)();
  FAKE(fake_cuda_fail)("cuDeviceTotalMem", 1, 999);
  const auto backend = good(backend::create_cuda_backend());
  REQUIRE(backend->devices().size() == 1);
  CHECK(backend->devices()[0]->properties().name == "Fake GPU 1 (executes nothing)");
}
