// SPDX-License-Identifier: Apache-2.0
#include "runtime/ops/layer_norm.h"

#include "runtime/backends/vulkan/abi/layer_norm.h"
#include "runtime/backends/vulkan/lowering.h"
#include "runtime/backends/vulkan/row_group.h"

namespace linnet::vulkan {
namespace {

const char* WhyUnsupported(const OpInstance&) { return nullptr; }

void Lower(const OpInstance& op, Dispatches& dispatches) {
  const Rows rows = RowsOf(op.output(0));
  const int64_t threads = ThreadsFor(rows.quads);
  Dispatch& dispatch = dispatches.Add(Shader::k_layer_norm, GroupThreads(rows.count, threads));
  dispatch.Bind(Input(0));
  dispatch.Bind(Input(1));
  dispatch.Bind(Input(2));
  dispatch.Bind(Output(0));
  dispatch.Specialise(static_cast<uint32_t>(threads));
  dispatch.Push(LayerNormPush{.rows = static_cast<uint>(rows.count),
                              .quads = static_cast<uint>(rows.quads),
                              .columns = static_cast<uint>(rows.columns),
                              .epsilon = op.as<LayerNormAttrs>().epsilon});
}

}  // namespace

const OpLowering kLayerNormLowering = {.why_unsupported = WhyUnsupported, .lower = Lower};

}  // namespace linnet::vulkan
