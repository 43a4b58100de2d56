// SPDX-License-Identifier: Apache-2.0
#include "runtime/ops/pad.h"

#include "runtime/backends/xnnpack/lowering.h"

namespace linnet::xnnpack {
namespace {

xnn::ConstantPad Describe(const OpInstance& op) {
  const auto& attrs = op.as<PadAttrs>();
  xnn::ConstantPad pad = {.input = DimsOf(op.input(0).shape),
                          .before = {},
                          .after = {},
                          .value = static_cast<float>(attrs.value)};
  for (int i = 0; i < attrs.before.rank(); ++i) {
    pad.before[i] = static_cast<size_t>(attrs.before[i]);
    pad.after[i] = static_cast<size_t>(attrs.after[i]);
  }
  return pad;
}

}  // namespace

const Lowering kPadLowering = MakeLowering<Describe>();

}  // namespace linnet::xnnpack
