// SPDX-License-Identifier: Apache-2.0
#include "runtime/ops/transpose.h"

#include "runtime/backends/xnnpack/lowering.h"

namespace linnet::xnnpack {
namespace {

xnn::Transpose Describe(const OpInstance& op) {
  const auto& attrs = op.as<TransposeAttrs>();
  xnn::Transpose transpose = {.input = DimsOf(op.input(0).shape), .perm = {}};
  for (int i = 0; i < attrs.perm.rank(); ++i)
    transpose.perm[i] = static_cast<size_t>(attrs.perm[i]);
  return transpose;
}

}  // namespace

const Lowering kTransposeLowering = MakeLowering<Describe>();

}  // namespace linnet::xnnpack
