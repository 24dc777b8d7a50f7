/* What the hidden argument hidden_multigrid_sync_arg points to in a cooperative launch; it is null in any other. Host
 * and device share it; the layout is that of the HIP ABI. The barrier words are zero when the kernel starts. */
#ifndef HIP_DEVICE_ABI_GRID_SYNC_H
#define HIP_DEVICE_ABI_GRID_SYNC_H

#include <stddef.h>
#include <stdint.h>

/* A barrier that is left ready for its next use. */
typedef struct GridBarrierWords {
  uint32_t arrived;    /* arrivals of the current generation */
  uint32_t generation; /* counts completed barriers */
} GridBarrierWords;

typedef struct GridSyncArgument {
  GridBarrierWords* all_grids; /* shared by the grids of one multi-device launch; null for a single grid */
  uint32_t grid_index;
  uint32_t grid_count;
  uint64_t work_items_before; /* in the grids with a lower index */
  uint64_t work_items_of_all; /* in all grids */
  GridBarrierWords grid;      /* of this grid's groups */
  uint32_t group_count;       /* of this grid */
  uint32_t reserved;
} GridSyncArgument;

#ifdef __cplusplus
static_assert(sizeof(GridBarrierWords) == 8 && offsetof(GridBarrierWords, generation) == 4, "Part of the ABI.");
static_assert(sizeof(GridSyncArgument) == 48 && offsetof(GridSyncArgument, grid_index) == 8 &&
                  offsetof(GridSyncArgument, grid_count) == 12 && offsetof(GridSyncArgument, work_items_before) == 16 &&
                  offsetof(GridSyncArgument, work_items_of_all) == 24 && offsetof(GridSyncArgument, grid) == 32 &&
                  offsetof(GridSyncArgument, group_count) == 40,
              "The layout is part of the ABI.");
#endif

#endif
