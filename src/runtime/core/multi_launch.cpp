#include "runtime/core/multi_launch.h"

#include "device/abi/grid_sync.h"
#include "runtime/base/no_destroy.h"

#include <algorithm>
#include <cstring>
#include <mutex>
#include <vector>

namespace hip::core {
namespace {

using Points = std::vector<Ref<backend::Completion>>;

// The words of a barrier of several grids, and the points after its last users. A barrier is left as it was found, so
// words serve launches one after the other and are never freed.
struct Barrier {
  void* words = nullptr;
  Points users;
};
struct Barriers {
  std::mutex mutex;
  std::vector<Barrier> all;
};
RT_NO_DESTROY constinit Barriers barriers;

// A barrier that nobody uses, of memory that all devices see. Called with the lock.
Result<Barrier*> free_barrier(Device& device) {
  const auto done = [](const Ref<backend::Completion>& point) { return point->done(); };
  for (Barrier& barrier : barriers.all)
    if (std::all_of(barrier.users.begin(), barrier.users.end(), done)) return &barrier;
  barriers.all.reserve(barriers.all.size() + 1); // before there is something to give back
  RT_TRY_ASSIGN(void* const words, device.hal().allocate(sizeof(GridBarrierWords), backend::MemoryKind::HostPinned));
  std::memset(words, 0, sizeof(GridBarrierWords));
  barriers.all.push_back({words, {}});
  return &barriers.all.back();
}

Result<Points> record_all(std::span<GridLaunch> grids) {
  Points points;
  for (GridLaunch& grid : grids) {
    RT_TRY_ASSIGN(Ref<backend::Completion> point, grid.stream->record({.timed = false}));
    points.push_back(std::move(point));
  }
  return points;
}

// Later work of each stream waits for what the others have been given.
Status join(std::span<GridLaunch> grids) {
  if (grids.size() < 2) return {};
  RT_TRY_ASSIGN(const Points points, record_all(grids));
  for (size_t i = 0; i < grids.size(); ++i)
    for (size_t k = 0; k < grids.size(); ++k)
      if (i != k) RT_TRY(grids[i].stream->wait(points[k], grids[k].stream->device()));
  return {};
}

bool cooperative(const GridLaunch& grid) { return grid.request.shape.kind == LaunchKind::Cooperative; }

Status check_devices(std::span<GridLaunch> grids) {
  for (size_t i = 0; i < grids.size(); ++i) {
    const Device& device = grids[i].stream->device();
    for (size_t k = 0; k < i; ++k)
      if (&grids[k].stream->device() == &device)
        return error(ErrorCode::InvalidValue, "The streams of grids {} and {} are both of device {}.", k, i,
                     device.ordinal());
    if (cooperative(grids[i]) && grids.size() > 1 && !device.properties().multi_grid_barrier)
      return error(ErrorCode::NotSupported, "Device {} has no barrier in common with other devices.", device.ordinal());
  }
  return {};
}

} // namespace

Status launch_grids(std::span<GridLaunch> grids, StreamOrder before, StreamOrder after) {
  RT_TRY(check_devices(grids));
  for (GridLaunch& grid : grids)
    if (grid.stream->captures()) return grid.stream->refuse_work();
  std::vector<backend::Launch> launches(grids.size());
  std::vector<backend::MultiGrid> shares(grids.size());
  uint64_t items = 0;
  for (size_t i = 0; i < grids.size(); ++i) {
    RT_TRY(prepare_launch(*grids[i].function, grids[i].stream->device(), grids[i].request, launches[i]));
    shares[i] = {
        .index = static_cast<uint32_t>(i), .count = static_cast<uint32_t>(grids.size()), .items_before = items};
    const auto& size = launches[i].grid_items;
    items += uint64_t{size[0]} * size[1] * size[2];
  }
  if (before == StreamOrder::All) RT_TRY(join(grids));
  if (grids.size() > 1 && cooperative(grids[0])) {
    std::lock_guard lock(barriers.mutex);
    RT_TRY_ASSIGN(Barrier* const barrier, free_barrier(grids[0].stream->device()));
    for (size_t i = 0; i < grids.size(); ++i) {
      shares[i].barrier = barrier->words;
      shares[i].items_of_all = items;
      launches[i].multi_grid = &shares[i];
    }
    for (size_t i = 0; i < grids.size(); ++i) RT_TRY(submit_launch(*grids[i].stream, launches[i]));
    RT_TRY_ASSIGN(barrier->users, record_all(grids));
  } else {
    for (size_t i = 0; i < grids.size(); ++i) RT_TRY(submit_launch(*grids[i].stream, launches[i]));
  }
  if (after == StreamOrder::All) RT_TRY(join(grids));
  if (launch_blocking())
    for (GridLaunch& grid : grids) RT_TRY(grid.stream->synchronize());
  return {};
}

} // namespace hip::core
