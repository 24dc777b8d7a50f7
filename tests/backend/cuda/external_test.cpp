// Memory and semaphores of other interfaces: what is forwarded, to which calls of the driver, and what they are given.
#include "bench.h"

#include "runtime/backend/external.h"

#include <sys/eventfd.h>
#include <sys/mman.h>
#include <unistd.h>

using namespace hip;
using namespace hip::test;

namespace {

int make_file(size_t bytes) {
  const int file = ::memfd_create("external", MFD_CLOEXEC);
  REQUIRE(::ftruncate(file, static_cast<off_t>(bytes)) == 0);
  return file;
}

} // namespace

TEST_CASE("External memory is the driver's", "[cuda]") {
  Bench t;
  backend::ExternalObjects& objects = *t.device().external_objects();
  const int before = FAKE(fake_cuda_live)("external"), blocks = FAKE(fake_cuda_live)("block"),
            arrays = FAKE(fake_cuda_live)("array");
  {
    const int file = make_file(1 << 16), own = ::dup(file); // the first one is the import's
    const auto memory = good(objects.import_memory({.descriptor = file, .bytes = 1 << 16, .dedicated = true}));
    CHECK(FAKE(fake_cuda_calls)("cuImportExternalMemory") == 1);
    CHECK(FAKE(fake_cuda_live)("external") == before + 1);
    auto* const part = static_cast<char*>(good(memory->map(4096, 100)));
    REQUIRE(::pwrite(own, "here", 4, 4096) == 4); // the fake driver's memory is the process's
    CHECK(std::string_view(part, 4) == "here");
    CHECK(::close(own) == 0);
    CHECK(::close(file) != 0);
    backend::ImageShape shape{.width = 64, .height = 16, .depth = 0, .format = {}, .levels = 2};
    shape.format = {backend::ChannelKind::Float, 32, 1};
    const auto image = good(memory->map_image(0, shape));
    CHECK(image->shape().levels == 2);
    CHECK(good(image->level(1))->shape().width == 32);
    FAKE(fake_cuda_fail)("cuExternalMemoryGetMappedBuffer", 1, 2); // out of memory
    CHECK(memory->map(0, 10).status().code() == ErrorCode::OutOfMemory);
    REQUIRE_OK(t.device().free(part, backend::MemoryKind::External));
    CHECK(FAKE(fake_cuda_calls)("cuMemFree") == 1);
  }
  CHECK(FAKE(fake_cuda_live)("external") == before);
  CHECK(FAKE(fake_cuda_live)("block") == blocks);
  CHECK(FAKE(fake_cuda_live)("array") == arrays);
  const int file = make_file(10);
  CHECK(objects.import_memory({.descriptor = file, .bytes = 11}).status().code() == ErrorCode::InvalidValue);
  FAKE(fake_cuda_fail)("cuImportExternalMemory", 1, 801); // not supported
  CHECK(objects.import_memory({.descriptor = file, .bytes = 10}).status().code() == ErrorCode::NotSupported);
  CHECK(objects.import_memory({.descriptor = 9999, .bytes = 10}).status().code() == ErrorCode::InvalidValue);
  CHECK(::close(file) == 0); // it is still ours, although the driver closes what it refuses
}

TEST_CASE("Signals and waits are one call of the driver each", "[cuda]") {
  Bench t;
  backend::ExternalObjects& objects = *t.device().external_objects();
  const int before = FAKE(fake_cuda_live)("external");
  {
    const auto queue = good(t.device().create_queue({}));
    std::vector<backend::ExternalStep> steps(2);
    const int event = ::eventfd(0, EFD_CLOEXEC), file = make_file(8), own = ::dup(file);
    steps[0].semaphore = good(objects.import_semaphore({event, backend::SemaphoreKind::Opaque}));
    steps[1].semaphore = good(objects.import_semaphore({file, backend::SemaphoreKind::Timeline}));
    steps[1].value = 40;
    REQUIRE_OK(queue->external(backend::ExternalAction::Signal, steps));
    REQUIRE_OK(queue->synchronize());
    uint64_t value = 0;
    CHECK(::pread(own, &value, sizeof value, 0) == sizeof value);
    CHECK(::close(own) == 0);
    CHECK(value == 40);
    REQUIRE_OK(queue->external(backend::ExternalAction::Wait, steps));
    REQUIRE_OK(queue->synchronize());
    CHECK(FAKE(fake_cuda_calls)("cuSignalExternalSemaphoresAsync") == 1);
    CHECK(FAKE(fake_cuda_calls)("cuWaitExternalSemaphoresAsync") == 1);
    REQUIRE_OK(queue->external(backend::ExternalAction::Wait, {})); // nothing to wait for
    CHECK(FAKE(fake_cuda_calls)("cuWaitExternalSemaphoresAsync") == 1);
    FAKE(fake_cuda_fail)("cuSignalExternalSemaphoresAsync", 1, 400);
    CHECK(queue->external(backend::ExternalAction::Signal, steps).code() == ErrorCode::InvalidHandle);
  }
  CHECK(FAKE(fake_cuda_live)("external") == before);
  const int event = ::eventfd(0, EFD_CLOEXEC);
  CHECK(objects.import_semaphore({event, backend::SemaphoreKind::Timeline}).status().code() == ErrorCode::InvalidValue);
  CHECK(::close(event) == 0);
}
