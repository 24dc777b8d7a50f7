// Images, textures and surfaces: which calls they become and what the driver is told.
#include "bench.h"
#include "runtime/backend/cuda/driver_types.h"
#include "runtime/backend/images.h"

#include <array>
#include <numeric>

using namespace hip;
using namespace hip::test;
using backend::AddressMode;
using backend::ChannelKind;
using backend::FilterMode;

namespace {
constexpr backend::ElementFormat kFloat2{ChannelKind::Float, 32, 2}, kByte4{ChannelKind::Unsigned, 8, 4},
    kInt{ChannelKind::Signed, 32, 1};

struct Told {
  cuda::CUDA_RESOURCE_DESC resource{};
  cuda::CUDA_TEXTURE_DESC sampling{};
};
Told told_of(uint64_t texture) {
  Told told;
  REQUIRE(FAKE(fake_cuda_texture)(texture, &told.resource, &told.sampling) == 1);
  return told;
}
} // namespace

TEST_CASE("Images are the driver's arrays, and are given back", "[cuda][images]") {
  Bench t;
  backend::Images& images = *t.device().images();
  const int before = FAKE(fake_cuda_live)("array");
  {
    const auto flat = good(images.create({.width = 10, .height = 5, .format = kFloat2}));
    const auto cube = good(images.create(
        {.width = 8, .height = 8, .depth = 12, .format = kByte4, .layered = true, .cubemap = true, .surface = true}));
    const auto mipmapped = good(images.create({.width = 20, .height = 6, .depth = 9, .format = kInt, .levels = 4}));
    CHECK(FAKE(fake_cuda_calls)("cuArray3DCreate") == 2);
    CHECK(FAKE(fake_cuda_calls)("cuMipmappedArrayCreate") == 1);
    auto level = good(mipmapped->level(2));
    CHECK(level->shape().width == 5);
    CHECK(level->shape().height == 1);
    CHECK(level->shape().depth == 2);
    CHECK(level->shape().levels == 0);
  }
  CHECK(FAKE(fake_cuda_calls)("cuArrayDestroy") == 2); // a level is no array of its own
  CHECK(FAKE(fake_cuda_calls)("cuMipmappedArrayDestroy") == 1);
  CHECK(FAKE(fake_cuda_live)("array") == before);
}

TEST_CASE("A level keeps its mipmapped image", "[cuda][images]") {
  Bench t;
  auto mipmapped = good(t.device().images()->create({.width = 8, .height = 8, .format = kInt, .levels = 2}));
  auto level = good(mipmapped->level(0));
  mipmapped = {};
  CHECK(FAKE(fake_cuda_calls)("cuMipmappedArrayDestroy") == 0);
  level = {};
  CHECK(FAKE(fake_cuda_calls)("cuMipmappedArrayDestroy") == 1);
}

TEST_CASE("What a texture is told", "[cuda][images]") {
  Bench t;
  backend::Images& images = *t.device().images();
  const int objects = FAKE(fake_cuda_live)("object"); // of contexts that were lost
  backend::Sampling s;
  s.address = {AddressMode::Border, AddressMode::Mirror, AddressMode::Border};
  s.filter = FilterMode::Linear;
  s.normalized_coordinates = true;
  s.max_anisotropy = 4;
  s.greatest_level = 3;
  s.border = {1, 2, 3, 4};

  const auto volume = good(images.create({.width = 4, .height = 4, .depth = 4, .format = kFloat2}));
  const uint64_t of_volume = good(images.create_texture({.image = volume}, s, nullptr));
  Told told = told_of(of_volume);
  CHECK(told.resource.resType == cuda::kResourceArray);
  CHECK(told.sampling.addressMode[0] == 3);
  CHECK(told.sampling.addressMode[1] == 2);
  CHECK(told.sampling.addressMode[2] == 3);
  CHECK(told.sampling.filterMode == 1);
  CHECK(told.sampling.mipmapFilterMode == 0);
  CHECK(told.sampling.flags == cuda::kNormalizedCoordinates); // floats are no integers, whatever the read mode
  CHECK(told.sampling.maxAnisotropy == 4);
  CHECK(told.sampling.maxMipmapLevelClamp == 3);
  CHECK(told.sampling.borderColor[2] == 3);

  // Dimensions that are not there have no mode of their own.
  const auto row = good(images.create({.width = 4, .depth = 2, .format = kFloat2, .layered = true}));
  const uint64_t of_row = good(images.create_texture({.image = row}, s, nullptr));
  told = told_of(of_row);
  CHECK(told.sampling.addressMode[0] == 3);
  CHECK(told.sampling.addressMode[1] == 1);
  CHECK(told.sampling.addressMode[2] == 1);

  s.filter = FilterMode::Point;
  s.normalized_coordinates = false;
  const auto bytes = good(images.create({.width = 4, .height = 4, .format = kByte4, .levels = 2}));
  const uint64_t as_integers = good(images.create_texture({.image = bytes}, s, nullptr));
  told = told_of(as_integers);
  CHECK(told.resource.resType == cuda::kResourceMipmapped);
  CHECK(told.sampling.flags == cuda::kReadAsInteger);
  s.elements_as_they_are = false;
  s.srgb = true;
  const uint64_t as_floats = good(images.create_texture({.image = bytes}, s, nullptr));
  CHECK(told_of(as_floats).sampling.flags == cuda::kSrgb);

  void* const memory = good(t.device().allocate(4096, backend::MemoryKind::Device));
  backend::TextureSource line;
  line.memory = memory;
  line.format = kByte4;
  line.bytes = 400;
  const uint64_t of_line = good(images.create_texture(line, {}, nullptr));
  told = told_of(of_line);
  CHECK(told.resource.resType == cuda::kResourceLinear);
  CHECK(told.resource.res.linear.devPtr == cuda::to_cuda(memory));
  CHECK(told.resource.res.linear.format == cuda::kFormatUnsigned8);
  CHECK(told.resource.res.linear.numChannels == 4);
  CHECK(told.resource.res.linear.sizeInBytes == 400);
  backend::TextureSource rows = line;
  rows.width = 20;
  rows.height = 10;
  rows.pitch_bytes = 96;
  const uint64_t of_rows = good(images.create_texture(rows, {}, nullptr));
  told = told_of(of_rows);
  CHECK(told.resource.resType == cuda::kResourcePitch2D);
  CHECK(told.resource.res.pitch2D.width == 20);
  CHECK(told.resource.res.pitch2D.height == 10);
  CHECK(told.resource.res.pitch2D.pitchInBytes == 96);

  for (const uint64_t texture : {of_volume, of_row, as_integers, as_floats, of_line, of_rows})
    REQUIRE_OK(images.destroy_texture(texture));
  CHECK(images.destroy_texture(of_volume).code() == ErrorCode::InvalidValue);
  CHECK(FAKE(fake_cuda_live)("object") == objects);
  REQUIRE_OK(t.device().free(memory));
}

TEST_CASE("Boxes between images and memory", "[cuda][images]") {
  Bench t;
  const auto queue = good(t.device().create_queue({}));
  const auto image = good(t.device().images()->create({.width = 8, .height = 6, .depth = 4, .format = kInt}));
  std::vector<int> host(1000), back(8 * 6 * 4, -1);
  std::iota(host.begin(), host.end(), 0);
  backend::BoxEnd memory, place;
  place.image = image.get();
  // Slices that are no whole number of rows apart are copied one by one.
  memory.memory = {host.data(), 40, 250 * 4 - 4};
  REQUIRE_OK(queue->copy_box(place, memory, {32, 6, 4}));
  CHECK(FAKE(fake_cuda_calls)("cuMemcpy3DAsync") == 4);
  memory.memory = {back.data(), 32, 32 * 6};
  REQUIRE_OK(queue->copy_box(memory, place, {32, 6, 4}));
  CHECK(FAKE(fake_cuda_calls)("cuMemcpy3DAsync") == 5);
  for (size_t z = 0; z < 4; ++z)
    for (size_t y = 0; y < 6; ++y)
      for (size_t x = 0; x < 8; ++x) REQUIRE(back[(z * 6 + y) * 8 + x] == host[z * 249 + y * 10 + x]);
  // A corner, and from image to image.
  const auto other = good(t.device().images()->create({.width = 3, .height = 2, .format = kInt}));
  backend::BoxEnd corner = place, whole;
  corner.x_bytes = 20;
  corner.y = 4;
  corner.z = 3;
  whole.image = other.get();
  REQUIRE_OK(queue->copy_box(whole, corner, {12, 2, 1}));
  std::array<int, 6> got{};
  memory.memory = {got.data(), 12, 0};
  REQUIRE_OK(queue->copy_box(memory, whole, {12, 2, 1}));
  REQUIRE_OK(queue->synchronize());
  for (size_t i = 0; i < 6; ++i) CHECK(got[i] == back[(3 * 6 + 4 + i / 3) * 8 + 5 + i % 3]);
  FAKE(fake_cuda_fail)("cuMemcpy3DAsync", 1, 1);
  CHECK(queue->copy_box(memory, whole, {12, 2, 1}).code() == ErrorCode::InvalidValue);
}

TEST_CASE("Images of two GPUs", "[cuda][images]") {
  const Setting devices("FAKE_CUDA_DEVICES", "2");
  Bench t;
  const auto queue = good(t.device(0).create_queue({}));
  const auto near = good(t.device(0).images()->create({.width = 4, .height = 2, .format = kInt}));
  const auto far = good(t.device(1).images()->create({.width = 4, .height = 2, .format = kInt}));
  auto* const far_memory = static_cast<int*>(good(t.device(1).allocate(4096, backend::MemoryKind::Device)));
  std::array<int, 8> host{1, 2, 3, 4, 5, 6, 7, 8};
  backend::BoxEnd from, here, there, there_memory;
  from.memory = {host.data(), 16, 0};
  here.image = near.get();
  there.image = far.get();
  there_memory.memory = {far_memory, 64, 0};
  const backend::Extent3 box{16, 2, 1};
  REQUIRE_OK(queue->copy_box(here, from, box));
  CHECK(FAKE(fake_cuda_calls)("cuMemcpy3DPeerAsync") == 0);
  REQUIRE_OK(queue->copy_box(there, here, box));        // array to array
  REQUIRE_OK(queue->copy_box(there_memory, here, box)); // array to the other GPU's memory
  REQUIRE_OK(queue->copy_box(there, from, box));        // host to the other GPU's array
  CHECK(FAKE(fake_cuda_calls)("cuMemcpy3DPeerAsync") == 3);
  REQUIRE_OK(queue->synchronize());
  CHECK(far_memory[0] == 1);
  CHECK(far_memory[16] == 5);
  REQUIRE_OK(t.device(1).free(far_memory));
}
