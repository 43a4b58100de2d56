// SPDX-License-Identifier: Apache-2.0
#include "runtime/ops/softmax.h"

#include "runtime/backends/vulkan/abi/softmax.h"
#include "runtime/backends/vulkan/lowering.h"
#include "runtime/backends/vulkan/row_group.h"

namespace linnet::vulkan {
namespace {

const char* WhyUnsupported(const OpInstance&) { return nullptr; }

void Lower(const OpInstance& op, Dispatches& dispatches) {
  const Rows rows = RowsOf(op.output(0));
  const int64_t threads = ThreadsFor(rows.quads);
  Dispatch& dispatch = dispatches.Add(Shader::k_softmax, GroupThreads(rows.count, threads));
  dispatch.Bind(Input(0));
  dispatch.Bind(Output(0));
  dispatch.Specialise(static_cast<uint32_t>(threads));
  dispatch.Specialise(op.as<SoftmaxAttrs>().log ? 1 : 0);
  dispatch.Push(SoftmaxPush{.rows = static_cast<uint>(rows.count),
                            .quads = static_cast<uint>(rows.quads),
                            .columns = static_cast<uint>(rows.columns)});
}

}  // namespace

const OpLowering kSoftmaxLowering = {.why_unsupported = WhyUnsupported, .lower = Lower};

}  // namespace linnet::vulkan
