// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "runtime/kernels/gemm.h"

namespace linnet::kernels {

// What Gemm does, for a block whose right operand is not packed (GemmBlock::plain). Slower, because
// the columns are far from each other in memory; it needs no other memory. Programs that are linked
// without packing have no other product, so it takes panels too: those of plans.
void PlainProduct(const GemmBlock& block);

}  // namespace linnet::kernels
