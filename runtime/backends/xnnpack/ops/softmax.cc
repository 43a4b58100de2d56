// SPDX-License-Identifier: Apache-2.0
#include "runtime/ops/softmax.h"

#include "runtime/backends/xnnpack/lowering.h"

namespace linnet::xnnpack {
namespace {

xnn::Softmax Describe(const OpInstance& op) {
  const Shape& x = op.input(0).shape;
  return {.rows = static_cast<size_t>(x.Product(0, x.rank() - 1)),
          .channels = static_cast<size_t>(x.back())};
}

}  // namespace

const Lowering kSoftmaxLowering = MakeLowering<Describe>();

}  // namespace linnet::xnnpack
