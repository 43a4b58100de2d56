// SPDX-License-Identifier: Apache-2.0
#include "tests/conformance/portable_result.h"

#include <memory>
#include <new>

#include "runtime/backends/portable/portable_op.h"

namespace linnet::conformance {

std::string PortableResult(const OpCase& test, const OpInstance& op,
                           std::vector<std::vector<uint8_t>>* outputs) {
  const portable::PortableOp& kernel = *portable::FindPortableOp(op.kind);
  std::vector<InputInfo> fed;
  for (const InputInfo& input : op.inputs) fed.push_back({input.type});
  OpInstance fed_op = op;
  fed_op.inputs = fed;
  constexpr std::align_val_t kAlignment{64};
  const int64_t scratch_bytes =
      kernel.scratch_bytes == nullptr ? 0 : kernel.scratch_bytes(fed_op, 1);
  const auto free = [](void* data) { ::operator delete(data, kAlignment); };
  const std::unique_ptr<void, decltype(free)> scratch(::operator new(scratch_bytes + 1, kAlignment),
                                                      free);
  std::vector<std::vector<uint8_t>> buffers;
  std::vector<TensorView> inputs, results;
  for (const CaseTensor& tensor : test.inputs) {
    buffers.push_back(tensor.bytes);
    buffers.back().resize(tensor.bytes.size() + 64);
  }
  for (size_t i = 0; i < buffers.size(); ++i)
    inputs.push_back({test.inputs[i].type, buffers[i].data()});
  outputs->clear();
  for (const TensorType& type : op.outputs)
    outputs->emplace_back(static_cast<size_t>(type.bytes()));
  for (size_t i = 0; i < outputs->size(); ++i)
    results.push_back({op.outputs[i], (*outputs)[i].data()});
  portable::KernelContext context;
  context.attrs = op.attrs;
  context.inputs = inputs;
  context.outputs = results;
  context.scratch = scratch.get();
  const Status status = portable::RunKernel(kernel, context);
  return status.ok() ? "" : std::string("the portable kernel: ") + status.what();
}

}  // namespace linnet::conformance
