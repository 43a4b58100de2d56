// SPDX-License-Identifier: Apache-2.0
#include "runtime/ops/clamp.h"

#include "runtime/backends/vulkan/abi/clamp.h"
#include "runtime/backends/vulkan/lowering.h"

namespace linnet::vulkan {
namespace {

const char* WhyUnsupported(const OpInstance&) { return nullptr; }

void Lower(const OpInstance& op, Dispatches& dispatches) {
  const OutputRange& range = op.as<ClampAttrs>().range;
  const Rows rows = RowsOf(op.output(0));
  Dispatch& dispatch = dispatches.Add(Shader::k_clamp, rows.count * rows.quads);
  dispatch.Bind(Input(0));
  dispatch.Bind(Output(0));
  dispatch.Push(ClampPush{.quads = static_cast<uint>(rows.count * rows.quads),
                          .row_quads = static_cast<uint>(rows.quads),
                          .columns = static_cast<uint>(rows.columns),
                          .min = range.min,
                          .max = range.max});
}

}  // namespace

const OpLowering kClampLowering = {.why_unsupported = WhyUnsupported, .lower = Lower};

}  // namespace linnet::vulkan
