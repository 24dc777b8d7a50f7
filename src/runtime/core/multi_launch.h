// runtime/core/multi_launch.h - one launch on several devices: grids that start together and, when they are
// cooperative, may wait for one another (multi_grid_group of the kernel language). Thread safety: all functions may be
// called from any thread.
#pragma once

#include "runtime/core/launch.h"

#include <span>

namespace hip::core {

struct GridLaunch {
  Function* function = nullptr; // of the stream's device
  Pin<Stream> stream;
  LaunchRequest request;
};

// What the streams of a launch wait for. All: each grid starts when the work that all the streams were given before is
// done; what they are given later starts when all grids are done.
enum class StreamOrder { Own, All };

// Launches all grids or, when one of them cannot be launched, none. Cooperative grids (request.shape.kind) get a
// barrier of all grids; grid i has index i. Errors: InvalidValue when two streams are of one device, NotSupported for
// cooperative grids on several devices that have no common barrier, and those of launch().
Status launch_grids(std::span<GridLaunch> grids, StreamOrder before, StreamOrder after);

} // namespace hip::core
