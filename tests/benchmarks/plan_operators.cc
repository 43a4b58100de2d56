// SPDX-License-Identifier: Apache-2.0
#include "tests/benchmarks/plan_operators.h"

#include <algorithm>
#include <cstring>

#include "runtime/tools/noise.h"

namespace linnet {
namespace {

constexpr Status kNoMemory{StatusCode::kNoMemory, "out of memory"};

}  // namespace

PlanOperators::~PlanOperators() {
  for (const Operator& op : operators_) op.runnable->Destroy();
}

Status PlanOperators::Open(const char* path, std::span<const Backend* const> backends,
                           const Threads& threads, Diagnostic* diagnostic) {
  LINNET_RETURN_IF_ERROR(file_.Map(path));
  LINNET_RETURN_IF_ERROR(VerifyPlan({file_.data(), static_cast<size_t>(file_.bytes())},
                                    plan_region_, &plan_, diagnostic));
  const auto varies = [](const VerifiedStep& step) { return step.varies; };
  if (program().regions.size() > 1 || program().spaces.size() > 1 || !program().updates.empty() ||
      std::ranges::any_of(verified().steps, varies))
    return {StatusCode::kUnsupported, "the plan has regions, devices, states or extents that vary"};
  LINNET_RETURN_IF_ERROR(weights_.Prepare(
      verified(), plan_.view, {file_.data(), file_.bytes(), nullptr}, backends, diagnostic));
  arena_ = static_cast<std::byte*>(region_.Allocate(program().arena().bytes + kWeightTail));
  if (arena_ == nullptr) return kNoMemory;
  std::memset(arena_, 0, static_cast<size_t>(program().arena().bytes + kWeightTail));
  for (const PlanTensor& tensor : program().tensors) {
    const int64_t bytes =
        tensor.storage == Storage::kStrips ? tensor.type.bytes() + kWeightTail : 0;
    wholes_.push_back(bytes == 0 ? nullptr : static_cast<std::byte*>(region_.Allocate(bytes)));
    if (bytes > 0 && wholes_.back() == nullptr) return kNoMemory;
  }
  MakeNoise();
  return MakeOperators(threads);
}

Status PlanOperators::MakeOperators(const Threads& threads) {
  const auto count = static_cast<int32_t>(verified().steps.size());
  for (int32_t i = 0; i < count; ++i) LINNET_RETURN_IF_ERROR(MakeOperator(i, threads).At(i));
  workspace_ = region_.Allocate(workspace_bytes_);
  if (workspace_ == nullptr) return kNoMemory;
  for (int32_t i = 0; i < count; ++i) LINNET_RETURN_IF_ERROR(Bind(i).At(i));
  return {};
}

Status PlanOperators::MakeOperator(int32_t index, const Threads& threads) {
  const VerifiedStep& step = verified().steps[index];
  const PreparedWeights::Step& prepared = weights_.steps()[index];
  const Backend* backend = weights_.backends()[prepared.backend];
  std::vector<InputInfo> inputs(step.inputs.size());
  std::vector<TensorType> outputs(step.outputs.size());
  RunnableStep* runnable = nullptr;
  int64_t workspace = 0;
  LINNET_RETURN_IF_ERROR(backend->Create({index, weights_.Instance(index, inputs, outputs)},
                                         weights_.packed_weights(prepared.backend), prepared.packed,
                                         threads, region_, &runnable, &workspace));
  operators_.push_back({runnable, backend, &step});
  workspace_bytes_ = std::max(workspace_bytes_, workspace);
  return {};
}

Status PlanOperators::Bind(int32_t index) {
  std::vector<void*> inputs, outputs;
  for (const int32_t tensor : verified().steps[index].inputs) inputs.push_back(Address(tensor));
  for (const int32_t tensor : verified().steps[index].outputs) outputs.push_back(Address(tensor));
  return operators_[static_cast<size_t>(index)].runnable->Setup({inputs, outputs, workspace_});
}

void PlanOperators::MakeNoise() {
  for (const PlanPort& port : program().inputs) {
    const TensorType& type = program().tensors[port.tensor].type;
    std::vector<std::byte>& noise = noise_.emplace_back(static_cast<size_t>(type.bytes()));
    linnet_tensor_info info{};
    info.dtype = static_cast<linnet_dtype>(type.dtype);
    info.bytes = type.bytes();
    tools::FillNoise(info, /*seed=*/0, /*stream=*/noise_.size() - 1, noise.data());
  }
}

void PlanOperators::Feed() {
  for (size_t i = 0; i < noise_.size(); ++i)
    std::memcpy(Address(program().inputs[i].tensor), noise_[i].data(), noise_[i].size());
}

void* PlanOperators::Address(int32_t tensor) const {
  const PlanTensor& info = program().tensors[tensor];
  if (info.storage == Storage::kWeight) return const_cast<void*>(weights_.constant(tensor));
  if (info.storage == Storage::kStrips) return wholes_[static_cast<size_t>(tensor)];
  return arena_ + info.offset;
}

}  // namespace linnet
