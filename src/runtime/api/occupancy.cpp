// Occupancy.
#include "runtime/core/occupancy.h"

#include "runtime/api/api.h"
#include "runtime/core/fat_binary.h"

#include <span>

namespace hip::api {
namespace {

Status active_blocks(int* count, const core::Function& function, int block, size_t dynamic_bytes) {
  const backend::DeviceProperties& p = function.device().properties();
  if (block <= 0) return error(ErrorCode::InvalidValue, "A block of {} work-items is asked for.", block);
  // None of a block that is too large fits: an answer, not an error.
  *count = dynamic_bytes > p.most_lds_bytes_per_group()
               ? 0
               : static_cast<int>(core::active_groups_per_cu(function, static_cast<uint32_t>(block),
                                                             static_cast<uint32_t>(dynamic_bytes)));
  return {};
}

Status potential_block(int* grid, int* block, const core::Function& function, size_t dynamic_bytes, int limit) {
  if (limit < 0) return error(ErrorCode::InvalidValue, "The block size limit is {}.", limit);
  const core::BestGroup best =
      dynamic_bytes > function.device().properties().most_lds_bytes_per_group()
          ? core::BestGroup{}
          : core::best_group(function, static_cast<uint32_t>(dynamic_bytes), static_cast<uint32_t>(limit));
  *grid = static_cast<int>(best.min_grid_groups);
  *block = static_cast<int>(best.group_items);
  return {};
}

Status check_flags(unsigned flags) {
  if (flags == hipOccupancyDefault || flags == hipOccupancyDisableCachingOverride) return {};
  return error(ErrorCode::InvalidValue, "The occupancy flags {:#x} are not known.", flags);
}

Result<core::Function*> find_symbol(const void* func) {
  RT_TRY_ASSIGN(core::Device * device, core::current_device());
  core::RegisteredFunction* registered = core::find_registered_function(func);
  if (!registered)
    return error(ErrorCode::InvalidDeviceFunction, "{} is not the address of a registered kernel.",
                 const_cast<void*>(func));
  return registered->on(*device);
}

Result<core::Pin<core::FunctionHandle>> find_function(hipFunction_t f) {
  auto pin = core::functions().pin(f);
  if (!pin)
    return error(ErrorCode::InvalidValue, "{} is not a function, or its module was unloaded.", static_cast<void*>(f));
  return pin;
}

} // namespace

Status hipOccupancyMaxActiveBlocksPerMultiprocessor(int* numBlocks, const void* f, int blockSize,
                                                    size_t dynSharedMemPerBlk) {
  RT_TRY_ASSIGN(core::Function * function, find_symbol(f));
  return active_blocks(numBlocks, *function, blockSize, dynSharedMemPerBlk);
}

Status hipOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int* numBlocks, const void* f, int blockSize,
                                                             size_t dynSharedMemPerBlk, unsigned int flags) {
  RT_TRY(check_flags(flags));
  return api::hipOccupancyMaxActiveBlocksPerMultiprocessor(numBlocks, f, blockSize, dynSharedMemPerBlk);
}

Status hipOccupancyMaxPotentialBlockSize(int* gridSize, int* blockSize, const void* f, size_t dynSharedMemPerBlk,
                                         int blockSizeLimit) {
  RT_TRY_ASSIGN(core::Function * function, find_symbol(f));
  return potential_block(gridSize, blockSize, *function, dynSharedMemPerBlk, blockSizeLimit);
}

Status hipOccupancyAvailableDynamicSMemPerBlock(size_t* dynamicSmemSize, const void* f, int numBlocks, int blockSize) {
  if (numBlocks <= 0 || blockSize <= 0)
    return error(ErrorCode::InvalidValue, "{} blocks of {} work-items are no launch.", numBlocks, blockSize);
  RT_TRY_ASSIGN(core::Function * function, find_symbol(f));
  *dynamicSmemSize =
      core::available_dynamic_lds(*function, static_cast<uint32_t>(numBlocks), static_cast<uint32_t>(blockSize));
  return {};
}

Status hipModuleOccupancyMaxActiveBlocksPerMultiprocessor(int* numBlocks, hipFunction_t f, int blockSize,
                                                          size_t dynSharedMemPerBlk) {
  RT_TRY_ASSIGN(auto pin, find_function(f));
  return active_blocks(numBlocks, pin->function(), blockSize, dynSharedMemPerBlk);
}

Status hipModuleOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int* numBlocks, hipFunction_t f, int blockSize,
                                                                   size_t dynSharedMemPerBlk, unsigned int flags) {
  RT_TRY(check_flags(flags));
  return api::hipModuleOccupancyMaxActiveBlocksPerMultiprocessor(numBlocks, f, blockSize, dynSharedMemPerBlk);
}

Status hipModuleOccupancyMaxPotentialBlockSize(int* gridSize, int* blockSize, hipFunction_t f,
                                               size_t dynSharedMemPerBlk, int blockSizeLimit) {
  RT_TRY_ASSIGN(auto pin, find_function(f));
  return potential_block(gridSize, blockSize, pin->function(), dynSharedMemPerBlk, blockSizeLimit);
}

Status hipModuleOccupancyMaxPotentialBlockSizeWithFlags(int* gridSize, int* blockSize, hipFunction_t f,
                                                        size_t dynSharedMemPerBlk, int blockSizeLimit,
                                                        unsigned int flags) {
  RT_TRY(check_flags(flags));
  return api::hipModuleOccupancyMaxPotentialBlockSize(gridSize, blockSize, f, dynSharedMemPerBlk, blockSizeLimit);
}

namespace {

// The launch of a configuration; the cluster is one block where it says nothing of clusters.
Result<backend::ClusterShape> cluster_shape(const core::Function& function, const hipLaunchConfig_t& config) {
  if (config.numAttrs != 0 && !config.attrs)
    return error(ErrorCode::InvalidValue, "{} launch attributes are announced, but their list is null.",
                 config.numAttrs);
  const dim3 &grid = config.gridDim, &block = config.blockDim;
  backend::ClusterShape shape{.groups = {grid.x, grid.y, grid.z}, .group_items = {block.x, block.y, block.z}};
  const uint64_t items = uint64_t{block.x} * block.y * block.z;
  if (items == 0 || items > function.kernel().attributes.max_group_items || config.dynamicSmemBytes > UINT32_MAX)
    return error(ErrorCode::InvalidValue, "Kernel {} has no blocks of {} work-items and {} bytes.", function.name(),
                 items, config.dynamicSmemBytes);
  shape.dynamic_lds_bytes = static_cast<uint32_t>(config.dynamicSmemBytes);
  for (const hipLaunchAttribute& attribute : std::span(config.attrs, config.numAttrs)) {
    if (attribute.id != hipLaunchAttributeClusterDimension) continue;
    const auto& cluster = attribute.val.clusterDim;
    if (cluster.x == 0 || cluster.y == 0 || cluster.z == 0)
      return error(ErrorCode::InvalidValue, "A cluster of {} x {} x {} blocks is asked for.", cluster.x, cluster.y,
                   cluster.z);
    shape.cluster = {cluster.x, cluster.y, cluster.z};
  }
  return shape;
}

} // namespace

Status hipOccupancyMaxPotentialClusterSize(int* clusterSize, const void* f, const hipLaunchConfig_t* config) {
  RT_TRY_ASSIGN(core::Function* const function, find_symbol(f));
  RT_TRY_ASSIGN(const backend::ClusterShape shape, cluster_shape(*function, *config));
  RT_TRY_ASSIGN(const uint32_t blocks, function->device().hal().largest_cluster(function->kernel(), shape));
  *clusterSize = static_cast<int>(blocks);
  return {};
}

Status hipOccupancyMaxActiveClusters(int* numClusters, const void* f, const hipLaunchConfig_t* config) {
  RT_TRY_ASSIGN(core::Function* const function, find_symbol(f));
  RT_TRY_ASSIGN(const backend::ClusterShape shape, cluster_shape(*function, *config));
  RT_TRY_ASSIGN(const uint32_t clusters, function->device().hal().active_clusters(function->kernel(), shape));
  *numClusters = static_cast<int>(clusters);
  return {};
}

} // namespace hip::api
