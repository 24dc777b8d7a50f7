// Occupancy.
#include "runtime/core/occupancy.h"

#include "runtime/api/api.h"
#include "runtime/core/fat_binary.h"

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
  if (!pin) return error(ErrorCode::InvalidValue, "{} is not a function, or its module was unloaded.", static_cast<void*>(f));
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

Status hipModuleOccupancyMaxPotentialBlockSize(int* gridSize, int* blockSize, hipFunction_t f, size_t dynSharedMemPerBlk,
                                               int blockSizeLimit) {
  RT_TRY_ASSIGN(auto pin, find_function(f));
  return potential_block(gridSize, blockSize, pin->function(), dynSharedMemPerBlk, blockSizeLimit);
}

Status hipModuleOccupancyMaxPotentialBlockSizeWithFlags(int* gridSize, int* blockSize, hipFunction_t f,
                                                        size_t dynSharedMemPerBlk, int blockSizeLimit,
                                                        unsigned int flags) {
  RT_TRY(check_flags(flags));
  return api::hipModuleOccupancyMaxPotentialBlockSize(gridSize, blockSize, f, dynSharedMemPerBlk, blockSizeLimit);
}

} // namespace hip::api
