// The state in which waves start, for processors of several families: made from kernel descriptors by hand, for nothing
// is executed here.
#include "runtime/codeobject/kernel_descriptor.h"
#include "runtime/engine/wave/group.h"

#include <catch2/catch.hpp>

using namespace hip;
using namespace hip::engine;

namespace {

class NoMemory final : public AddressSpace {
public:
  bool accessible(uint64_t, uint64_t, Access) const noexcept override { return false; }
  std::string describe(uint64_t) const override { return ""; }
};

// A kernel that wants all three ids of its work-group and work-items, and the kernarg segment's address.
struct Kernel {
  alignas(64) codeobject::KernelDescriptor kd{};
  Dispatch dispatch;

  Kernel() {
    kd.compute_pgm_rsrc1 = 0xc0 << 12 | 3; // denormals of 16 and 64 bits; four granules of VGPRs
    kd.compute_pgm_rsrc2 = 2u << 1 | 7u << 7 | 2u << 11;
    kd.kernel_code_properties = 1u << 3;
    dispatch.kernel_object = reinterpret_cast<uint64_t>(&kd);
    dispatch.kernarg_address = 0x1234'5678'9abcu;
    dispatch.group_items = {10, 4, 3};
    dispatch.grid_items = {40, 12, 6};
  }
  Status shape(const char* processor, GridShape& out) {
    return make_grid_shape(dispatch, *find_target(processor), 64, out);
  }
};

// Work-group (3, 1, 1) of the kernel's grid, started.
struct Started {
  Kernel kernel;
  GridShape shape;
  ItemIds ids;
  NoMemory memory;
  WorkGroup group;

  explicit Started(const char* processor) {
    REQUIRE(kernel.shape(processor, shape).ok());
    set_item_ids(ids, shape.items, shape.item_id_mask, shape.item_id_vgprs, 64);
    shape.ids = &ids;
    REQUIRE(group.start(shape, {3, 1, 1}, memory));
    REQUIRE(group.wave_count == 2);
  }
  // Work-item (x, y, z) is lane `lane` of wave `wave`.
  struct Item {
    uint32_t x, y, z, wave, lane;
  };
  static Item item(uint32_t x, uint32_t y, uint32_t z) {
    const uint32_t number = x + 10 * (y + 4 * z);
    return {x, y, z, number / 64, number % 64};
  }
};

} // namespace

TEST_CASE("work-group ids are in system SGPRs before gfx12, in trap temporaries after", "[engine][target]") {
  for (const char* processor : {"gfx942", "gfx1030", "gfx1100"}) {
    INFO(processor);
    Started started(processor);
    const Wave& wave = *started.group.waves[1];
    CHECK(wave.sgpr64(0) == 0x1234'5678'9abcu);
    CHECK(wave.sgpr[2] == 3);
    CHECK(wave.sgpr[3] == 1);
    CHECK(wave.sgpr[4] == 1);
  }
  Started started("gfx1201");
  for (const Wave* wave : {started.group.waves[0], started.group.waves[1]}) {
    CHECK(wave->sgpr64(0) == 0x1234'5678'9abcu);
    CHECK(wave->sgpr[kTtmp0 + 9] == 3);
    CHECK(wave->sgpr[kTtmp0 + 7] == 0x10001);
  }
  CHECK(started.shape.initial_sgprs == 2);
}

TEST_CASE("work-item ids are packed into v0, or in v0, v1 and v2", "[engine][target]") {
  const Started::Item items[] = {Started::item(0, 0, 0), Started::item(9, 3, 2), Started::item(7, 2, 1),
                                 Started::item(3, 2, 1)};
  for (const char* processor : {"gfx90a", "gfx942", "gfx1100", "gfx1201"}) {
    INFO(processor);
    Started started(processor);
    for (const Started::Item& i : items)
      CHECK(started.group.waves[i.wave]->row(0)[i.lane] == (i.x | i.y << 10 | i.z << 20));
  }
  for (const char* processor : {"gfx906", "gfx1030"}) {
    INFO(processor);
    Started started(processor);
    for (const Started::Item& i : items) {
      const Wave& wave = *started.group.waves[i.wave];
      CHECK(wave.row(0)[i.lane] == i.x);
      CHECK(wave.row(1)[i.lane] == i.y);
      CHECK(wave.row(2)[i.lane] == i.z);
    }
  }
}

TEST_CASE("a group that the grid's edge cuts has ids of its own shape", "[engine][target]") {
  for (const char* processor : {"gfx942", "gfx1030"}) {
    INFO(processor);
    Kernel kernel;
    kernel.dispatch.grid_items = {37, 12, 6}; // the last group in x has 7 columns
    GridShape shape;
    REQUIRE(kernel.shape(processor, shape).ok());
    ItemIds ids;
    set_item_ids(ids, shape.items, shape.item_id_mask, shape.item_id_vgprs, 64);
    shape.ids = &ids;
    NoMemory memory;
    WorkGroup group;
    REQUIRE(group.start(shape, {3, 0, 0}, memory));
    const uint32_t number = 5 + 7 * (2 + 4 * 2), x = 5, y = 2, z = 2;
    const Wave& wave = *group.waves[number / 64];
    const bool packed = shape.item_id_vgprs == 1;
    CHECK(wave.row(0)[number % 64] == (packed ? x | y << 10 | z << 20 : x));
    if (!packed) CHECK(wave.row(2)[number % 64] == z);
    CHECK(group.waves[1]->exec() == (1ull << (7 * 4 * 3 - 64)) - 1);
  }
}

TEST_CASE("what a processor has not is refused with its name", "[engine][target]") {
  const auto refusal = [](Kernel& kernel, const char* processor) {
    GridShape shape;
    const Status status = kernel.shape(processor, shape);
    REQUIRE_FALSE(status.ok());
    return status;
  };
  Kernel wave32;
  wave32.kd.kernel_code_properties |= 1u << 10;
  CHECK(refusal(wave32, "gfx942").code() == ErrorCode::InvalidKernelFile);
  CHECK(refusal(wave32, "gfx942").message().find("gfx942") != std::string::npos);
  Kernel wave64;
  CHECK(refusal(wave64, "gfx1250").message().find("waves of 64 lanes") != std::string::npos);
  Kernel large;
  large.kd.group_segment_fixed_size = 100 * 1024 + 4;
  CHECK(refusal(large, "gfx942").code() == ErrorCode::LaunchOutOfResources);
  GridShape shape;
  REQUIRE(large.shape("gfx950", shape).ok());
  CHECK(shape.lds_bytes == 81 * 1280); // granules
  Kernel dynamic;
  dynamic.kd.compute_pgm_rsrc2 |= 1u << 6;
  CHECK(refusal(dynamic, "gfx1201").message().find("dynamically") != std::string::npos);
  CHECK(dynamic.shape("gfx1100", shape).ok()); // there the bit enables a trap handler
}

TEST_CASE("MODE and the number of VGPRs are the family's", "[engine][target]") {
  Kernel kernel;
  struct Row {
    const char* processor;
    uint32_t mode, vgprs;
  };
  // DX10_CLAMP and IEEE, which gfx12 lacks, count as set there.
  for (const bool asked : {true, false})
    for (const Row& row : {Row{"gfx906", asked ? 0x3c0u : 0x0c0u, 16}, Row{"gfx1100", asked ? 0x3c0u : 0x0c0u, 16},
                           Row{"gfx1201", 0x3c0, 16}}) {
      INFO(row.processor);
      kernel.kd.compute_pgm_rsrc1 =
          (kernel.kd.compute_pgm_rsrc1 & ~(1u << 21 | 1u << 23)) | (asked ? 1u << 21 | 1u << 23 : 0);
      GridShape shape;
      REQUIRE(kernel.shape(row.processor, shape).ok());
      CHECK(shape.initial.mode == row.mode);
      CHECK(shape.initial.vgpr_rows == row.vgprs);
    }
  GridShape shape;
  kernel.kd.compute_pgm_rsrc3 = 2; // a0 behind 12 VGPRs, of 32
  REQUIRE(kernel.shape("gfx942", shape).ok());
  CHECK(shape.initial.vgpr_rows == kFirstAccVgpr + 20);
}
