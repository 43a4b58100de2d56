// SPDX-License-Identifier: Apache-2.0
#include "runtime/kernels/gemm_split.h"

namespace linnet::kernels {

GemmSplit::GemmSplit(int64_t rows, int64_t cols, int64_t depth, int64_t max_block_rows,
                     int64_t slots)
    : rows_(rows),
      cols_(cols),
      blocks_(CeilDiv(rows, max_block_rows)),
      groups_(CeilDiv(NumPanels(cols), GroupPanels())),
      runs_(std::min<int64_t>(groups_, 1)) {
  if (kMaxGemmSlots == 1 || slots == 1) return;
  // Some more pieces than threads, so that threads that finish early can help the others.
  const int64_t enough = 4 * slots;
  // As many weights probably stay in the L2 cache from one block of rows to the next.
  constexpr int64_t kCachedWeightFloats = 4 * kGemmCacheFloats;
  const bool by_rows = IsByRows(slots, depth);
  // Rows whose columns are divided are pointed to twice. But each block reads all weights.
  const bool by_rows_alone = by_rows && SaturatingMul(depth, cols) <= kCachedWeightFloats;
  if (by_rows_alone) blocks_ = std::max(blocks_, std::min(rows / kMinGemmBlockRows, enough));
  if (by_rows) blocks_ = CeilDiv(blocks_, slots) * slots;
  int64_t wanted = by_rows_alone ? 1 : CeilDiv(enough, std::max<int64_t>(blocks_, 1));
  if (blocks_ % slots != 0) wanted = CeilDiv(wanted, slots) * slots;
  runs_ = std::min(wanted, groups_);
}

bool GemmSplit::IsByRows(int64_t slots, int64_t depth) const {
  if (rows_ < slots * 2 * kGemmTileRows) return false;
  const int64_t weights = SaturatingMul(depth, cols_);
  const int64_t image = SaturatingMul(rows_, SaturatingAdd(depth, cols_));
  return weights / 2 <= image || (blocks_ < slots && groups_ < 4 * slots);
}

}  // namespace linnet::kernels
