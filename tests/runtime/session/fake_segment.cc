// SPDX-License-Identifier: Apache-2.0
#include "tests/runtime/session/fake_segment.h"

#include <algorithm>
#include <cstring>

#include "runtime/backends/portable/backend.h"

namespace linnet::fake {
namespace {

constexpr Status kElsewhere{StatusCode::kInternal, "a tensor of the device lies elsewhere"};
constexpr Status kOutOfOrder{StatusCode::kInternal, "a call of a segment comes too early or late"};

}  // namespace

Status Segment::Append(Action::Kind kind, Action** out) {
  if (finished_) return kOutOfOrder;
  if (!device_.MayCall()) return kNoMemory;
  auto* action = region_.New<Action>();
  if (action == nullptr) return kNoMemory;
  action->kind = kind;
  (last_ == nullptr ? first_ : last_->next) = action;
  last_ = action;
  *out = action;
  return {};
}

Status Segment::AppendCopy(Action::Kind kind, const TensorType& type, int64_t offset,
                           Action** out) {
  LINNET_RETURN_IF_ERROR(Append(kind, out));
  (*out)->offset = offset;
  (*out)->bytes = type.bytes();
  return memory_.pages.Holds(offset, type.bytes()) ? Status() : kElsewhere;
}

void Segment::SetPrecise() {
  precise_ = true;
  ++device_.counts().precise;
}

Status Segment::AddInput(const TensorType& type, int64_t offset) {
  Action* action = nullptr;
  return AppendCopy(Action::Kind::kInput, type, offset, &action);
}

Status Segment::AddOutput(const TensorType& type, int64_t offset) {
  Action* action = nullptr;
  LINNET_RETURN_IF_ERROR(AppendCopy(Action::Kind::kOutput, type, offset, &action));
  action->staged = static_cast<std::byte*>(region_.Allocate(action->bytes));
  return action->staged == nullptr ? kNoMemory : Status();
}

Status Segment::AddStep(const StepContext& step, void* packed, std::span<const int64_t> inputs,
                        std::span<const int64_t> outputs) {
  Action* action = nullptr;
  LINNET_RETURN_IF_ERROR(Append(Action::Kind::kStep, &action));
  device_.counts().AddReads(step.output_reads);
  int64_t workspace_bytes = 0;
  LINNET_RETURN_IF_ERROR(portable::GetBackend().Create(step, nullptr, nullptr, {}, region_,
                                                       &action->portable, &workspace_bytes));
  if (workspace_bytes != 0) return {StatusCode::kInternal, "the workspace is the host's memory"};
  action->offset = step.scratch_offset;
  action->bytes = step.scratch_bytes;
  if (!memory_.pages.Holds(action->offset, action->bytes)) return kElsewhere;
  return SetUp(*action->portable, step.op, *static_cast<Packed*>(packed), inputs, outputs);
}

Status Segment::SetUp(RunnableStep& portable, const OpInstance& op, const Packed& packed,
                      std::span<const int64_t> inputs, std::span<const int64_t> outputs) {
  void* from[Packed::kMaxInputs] = {};
  void* to[kMaxOpOutputs] = {};
  for (size_t i = 0; i < inputs.size(); ++i) {
    const bool is_constant = packed.inputs[i] != nullptr;
    if (is_constant != (inputs[i] == -1) ||
        !(is_constant || memory_.pages.Holds(inputs[i], op.inputs[i].type.bytes())))
      return kElsewhere;
    from[i] = is_constant ? packed.inputs[i] : memory_.pages.data() + inputs[i];
  }
  for (size_t i = 0; i < outputs.size(); ++i) {
    if (!memory_.pages.Holds(outputs[i], op.outputs[i].bytes())) return kElsewhere;
    to[i] = memory_.pages.data() + outputs[i];
  }
  return portable.Setup({{from, inputs.size()}, {to, outputs.size()}, nullptr});
}

Status Segment::Finish() {
  if (finished_) return kOutOfOrder;
  if (!device_.MayCall()) return kNoMemory;
  finished_ = true;
  return {};
}

Segment::Action* Segment::Find(Action::Kind kind, int index) const {
  for (Action* action = first_; action != nullptr; action = action->next)
    if (action->kind == kind && index-- == 0) return action;
  return nullptr;
}

Status Segment::BindInput(int input, const void* data) {
  Action* action = Find(Action::Kind::kInput, input);
  if (!finished_ || action == nullptr || data == nullptr) return kOutOfOrder;
  if (!device_.MayCall()) return kNoMemory;
  action->from = data;
  return {};
}

Status Segment::BindOutput(int output, void* data) {
  Action* action = Find(Action::Kind::kOutput, output);
  if (!finished_ || action == nullptr || data == nullptr) return kOutOfOrder;
  if (!device_.MayCall()) return kNoMemory;
  action->to = data;
  return {};
}

Status Segment::Run() {
  device_.OnRun();
  if (device_.lost()) return {StatusCode::kDeviceLost, "the fake device is lost"};
  device_.set_is_precise(precise_);
  const OpenScope memory(memory_.pages), weights(weights_.pages);
  for (const Action* action = first_; action != nullptr; action = action->next)
    LINNET_RETURN_IF_ERROR(RunAction(*action));
  ++device_.counts().runs;
  ran_ = true;
  measured_ |= profile_;
  return device_.run_status();
}

Status Segment::RunAction(const Action& action) {
  FakeDevice::Counts& counts = device_.counts();
  std::byte* here = memory_.pages.data() + action.offset;
  const auto bytes = static_cast<size_t>(action.bytes);
  if (action.kind == Action::Kind::kStep) {
    ++counts.steps;
    // A device may use its scratch memory as it likes while the step runs.
    if (bytes > 0) std::memset(here, 0xc5, bytes);
    LINNET_RETURN_IF_ERROR(action.portable->Run());
    if (bytes > 0) std::memset(here, 0x5c, bytes);
    return {};
  }
  if (action.kind == Action::Kind::kInput) {
    if (action.from == nullptr) return kOutOfOrder;
    std::memcpy(here, action.from, bytes);
    ++counts.inputs;
    counts.bytes_in += action.bytes;
    return {};
  }
  if (action.to == nullptr) return kOutOfOrder;
  const bool early = memory_.IsHosts(action.to);
  void* const to = early ? action.to : action.staged;
  std::memcpy(to, here, bytes);
  device_.OnOutput(to, action.bytes);
  counts.early_outputs += early ? 1 : 0;
  ++counts.outputs;
  counts.bytes_out += action.bytes;
  return {};
}

Status Segment::Fetch(int output) {
  const Action* action = Find(Action::Kind::kOutput, output);
  if (!ran_ || action == nullptr) return kOutOfOrder;
  ++device_.counts().fetches;
  if (!memory_.IsHosts(action->to))
    std::memcpy(action->to, action->staged, static_cast<size_t>(action->bytes));
  return {};
}

void Segment::StepTimes(std::span<int64_t> ns) const {
  std::ranges::fill(ns, measured_ ? device_.step_ns() : 0);
}

void Segment::Destroy() {
  for (const Action* action = first_; action != nullptr; action = action->next)
    if (action->portable != nullptr) action->portable->Destroy();
  --device_.counts().alive;
}

}  // namespace linnet::fake
