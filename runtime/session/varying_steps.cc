// SPDX-License-Identifier: Apache-2.0
#include "runtime/session/varying_steps.h"

#include <algorithm>
#include <cstring>

namespace linnet {
namespace {

constexpr Status kNoMemory{StatusCode::kNoMemory, "the session's memory is too small"};
constexpr char kTooLarge[] = "an extent computed from data is above its maximum in the plan";

}  // namespace

Status VaryingSteps::Create(const PreparedWeights& weights, Region& region) {
  weights_ = &weights;
  const std::span<const VerifiedStep> steps = weights.program().steps;
  const auto count = static_cast<int64_t>(steps.size());
  LINNET_RETURN_IF_ERROR(extents_.Create(weights.symbols(), region));
  attrs_ = region.New<void*>(count);
  resized_at_ = region.New<uint64_t>(count);
  if (attrs_ == nullptr || resized_at_ == nullptr) return kNoMemory;
  size_t most_inputs = 0;
  for (int64_t i = 0; i < count; ++i) {
    if (!steps[i].varies) continue;
    most_inputs = std::max(most_inputs, steps[i].inputs.size());
    if (weights.program().plan->steps[i].attr_extents.empty()) continue;
    attrs_[i] = region.Allocate(steps[i].def->attrs_bytes);
    if (attrs_[i] == nullptr) return kNoMemory;
    std::memcpy(attrs_[i], steps[i].attrs, static_cast<size_t>(steps[i].def->attrs_bytes));
  }
  auto* inputs = region.New<InputInfo>(static_cast<int64_t>(most_inputs));
  if (inputs == nullptr) return kNoMemory;
  inputs_ = {inputs, most_inputs};
  return {};
}

Status VaryingSteps::SetAttributes(int32_t step) {
  const OpDef& def = *weights_->program().steps[step].def;
  for (const schema::AttrExtent& extent : weights_->program().plan->steps[step].attr_extents)
    if (!def.set_extent(attrs_[step], extent.slot(), extents_.value(extent.symbol())))
      return {StatusCode::kBadIndex, "an extent computed from data is negative or too large", step};
  return {};
}

Status VaryingSteps::FillInputTypes(int32_t step) {
  const VerifiedStep& verified = weights_->program().steps[step];
  const std::span<const PlanTensor> tensors = weights_->program().plan->tensors;
  for (size_t i = 0; i < verified.inputs.size(); ++i)
    if (!extents_.TypeOf(tensors[verified.inputs[i]], &inputs_[i].type))
      return {StatusCode::kBadIndex, kTooLarge, step};
  return {};
}

// The types that the shape rule inferred must be those for which the plan has memory.
Status VaryingSteps::CheckOutputTypes(int32_t step, const TensorType* inferred) {
  const VerifiedStep& verified = weights_->program().steps[step];
  const PlanProgram& plan = *weights_->program().plan;
  for (const schema::SetSymbol& set : plan.steps[step].sets)
    if (set.element() < 0)
      LINNET_RETURN_IF_ERROR(Set(set, inferred[set.output()].shape[-1 - set.element()]).At(step));
  for (size_t i = 0; i < verified.outputs.size(); ++i) {
    TensorType wanted;
    if (!extents_.TypeOf(plan.tensors[verified.outputs[i]], &wanted))
      return {StatusCode::kBadIndex, kTooLarge, step};
    if (wanted != inferred[i])
      return {StatusCode::kBadIndex, "extents computed from data do not agree", step};
  }
  return {};
}

Status VaryingSteps::Set(const schema::SetSymbol& set, int64_t value) {
  if (extents_.value(set.symbol()) == value) return {};
  if (!extents_.Set(set.symbol(), value)) return {StatusCode::kBadIndex, kTooLarge};
  ++version_;
  return {};
}

Status VaryingSteps::Resize(int32_t step, RunnableStep& runnable) {
  if (resized_at_[step] == version_) return {};
  LINNET_RETURN_IF_ERROR(SetAttributes(step));
  TensorType outputs[kMaxOpOutputs];
  OpInstance op = weights_->LargestInstance(step, inputs_, outputs);  // for the constants
  op.attrs = attrs(step);
  op.outputs = {};
  LINNET_RETURN_IF_ERROR(FillInputTypes(step));
  const Status rule = InferTypes(op, outputs);
  if (!rule.ok()) return {StatusCode::kBadIndex, rule.what(), step};
  LINNET_RETURN_IF_ERROR(CheckOutputTypes(step, outputs));
  op.outputs = {outputs, weights_->program().steps[step].outputs.size()};
  LINNET_RETURN_IF_ERROR(runnable.Resize(op).At(step));
  resized_at_[step] = version_;
  return {};
}

Status VaryingSteps::ReadExtents(int32_t step, std::span<void* const> outputs) {
  const PlanProgram& plan = *weights_->program().plan;
  for (const schema::SetSymbol& set : plan.steps[step].sets) {
    if (set.element() < 0) continue;
    const TensorType& type = plan.tensors[plan.steps[step].outputs[set.output()]].type;
    const void* data = outputs[set.output()];
    const int64_t value = type.dtype == DType::kInt32
                              ? static_cast<const int32_t*>(data)[set.element()]
                              : static_cast<const int64_t*>(data)[set.element()];
    LINNET_RETURN_IF_ERROR(Set(set, value).At(step));
  }
  return {};
}

}  // namespace linnet
