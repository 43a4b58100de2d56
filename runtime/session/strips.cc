// SPDX-License-Identifier: Apache-2.0
// The part of Interpreter for steps that run together, strip by strip.
#include <algorithm>

#include "runtime/session/interpreter.h"

namespace linnet {
namespace {

constexpr Status kNoMemory{StatusCode::kNoMemory, "the session's memory is too small"};

}  // namespace

Status Interpreter::CreateStrips(const Threads& threads, Diagnostic* diagnostic) {
  for (const schema::Strips& strips : program().strips) {
    if (RunInStrips(strips))
      LINNET_RETURN_IF_ERROR(CreateStripsFrom(strips, threads, diagnostic));
    else
      LINNET_RETURN_IF_ERROR(AllocateWholes(strips));
  }
  return {};
}

// All steps must be of one backend; PreparedWeights prefers one that runs strips.
bool Interpreter::RunInStrips(const schema::Strips& strips) const {
  const auto steps = weights_->steps().subspan(strips.first(), strips.count());
  return std::all_of(
             steps.begin(), steps.end(),
             [&](const PreparedWeights::Step& step) { return step.backend == steps[0].backend; }) &&
         weights_->backends()[steps[0].backend]->runs_strips();
}

Status Interpreter::AllocateWholes(const schema::Strips& strips) {
  const PlanProgram& plan = program();
  if (wholes_ == nullptr) wholes_ = region_->New<void*>(static_cast<int64_t>(plan.tensors.size()));
  if (wholes_ == nullptr) return kNoMemory;
  for (const PlanStep& step : plan.steps.subspan(strips.first(), strips.count())) {
    const int32_t tensor = step.outputs[0];
    if (plan.tensors[tensor].storage != Storage::kStrips || wholes_[tensor] != nullptr) continue;
    wholes_[tensor] = region_->Allocate(plan.tensors[tensor].type.bytes() + kWeightTail);
    if (wholes_[tensor] == nullptr) return kNoMemory;
  }
  return {};
}

Status Interpreter::CreateStripsFrom(const schema::Strips& strips, const Threads& threads,
                                     Diagnostic* diagnostic) {
  const auto first = static_cast<int32_t>(strips.first());
  const auto count = static_cast<int32_t>(strips.count());
  int64_t num_inputs = 0;
  for (int32_t i = first; i < first + count; ++i) num_inputs += steps_[i].num_inputs;
  auto* inputs = region_->New<InputInfo>(num_inputs);
  auto* outputs = region_->New<TensorType>(count);
  auto* contexts = region_->New<StepContext>(count);
  auto** packed = region_->New<void*>(count);
  auto* parts = region_->New<StripPart>(count);
  auto* chain = region_->New<StripChain>();
  if (inputs == nullptr || outputs == nullptr || contexts == nullptr || packed == nullptr ||
      parts == nullptr || chain == nullptr)
    return kNoMemory;
  const auto size = static_cast<size_t>(count);
  *chain = StripChain({parts, size});
  for (int32_t i = 0; i < count; ++i) {
    const auto own_inputs = static_cast<size_t>(steps_[first + i].num_inputs);
    OpInstance op = weights_->LargestInstance(first + i, {inputs, own_inputs}, {outputs + i, 1});
    inputs += own_inputs;
    op.attrs = varying_.attrs(first + i);
    contexts[i] = {.index = first + i, .op = op};
    packed[i] = weights_->steps()[first + i].packed;
    // The verifier has built the same chain, so nothing can be wrong.
    if (const char* problem = chain->Add(op, program().steps[first + i].inputs,
                                         program().steps[first + i].outputs[0]))
      return {StatusCode::kInternal, problem, first + i};
  }
  if (const char* problem = chain->Finish(strips.rows()))
    return {StatusCode::kInternal, problem, first};
  const Backend& backend = *weights_->backends()[weights_->steps()[first].backend];
  int64_t workspace = 0;
  const Status status = backend.CreateStrips({*chain, {contexts, size}, {packed, size}}, threads,
                                             *region_, &steps_[first].runnable, &workspace);
  if (!status.ok()) {
    if (diagnostic != nullptr && status.code() != StatusCode::kNoMemory)
      diagnostic->Format("strips from step %d '%s' on (%s): %s", static_cast<int>(first),
                         program().steps[first].source, backend.name(), status.what());
    return status.At(first);
  }
  steps_[first].parts = count;
  workspace_bytes_ = std::max(workspace_bytes_, workspace);
  return {};
}

Status Interpreter::SetupStrips(int32_t first) {
  const Step& step = steps_[first];
  int64_t num_addresses = 0;
  for (int32_t i = first; i < first + step.parts; ++i)
    num_addresses += steps_[i].num_inputs + steps_[i].num_outputs;
  void* last = steps_[first + step.parts - 1].addresses[steps_[first + step.parts - 1].num_inputs];
  // The addresses of all steps follow each other (AllocateTables).
  return step.runnable->Setup({.inputs = {step.addresses, static_cast<size_t>(num_addresses)},
                               .outputs = {&last, 1},
                               .workspace = workspace_,
                               .strip_rows = buffers_[program().steps[first].scratch]});
}

void Interpreter::AllowStrips(const ArenaGuard& guard, int32_t first) const {
  const PlanBuffer& rows = program().buffers[program().steps[first].scratch];
  guard.Allow(buffers_[program().steps[first].scratch], rows.bytes);
  for (int32_t i = first; i < first + steps_[first].parts; ++i) {
    const Step& step = steps_[i];
    const PlanStep& plan = program().steps[i];
    for (int32_t k = 0; k < step.num_inputs; ++k)
      if (step.addresses[k] != nullptr)
        guard.Allow(step.addresses[k], program().tensors[plan.inputs[k]].type.bytes());
    if (void* out = step.addresses[step.num_inputs]; out != nullptr)
      guard.Allow(out, program().tensors[plan.outputs[0]].type.bytes());
  }
}

// Divides the time of the strips among their steps as their sums over all threads are.
void Interpreter::AddStripTimes(int32_t first, int64_t ns) {
  int64_t times[kMaxStripParts] = {}, sum = 0;
  const int32_t parts = steps_[first].parts;
  steps_[first].runnable->PartTimes({times, static_cast<size_t>(parts)});
  for (int32_t i = 0; i < parts; ++i) sum += times[i];
  int64_t left = ns;
  for (int32_t i = 1; i < parts && sum > 0; ++i) {
    const auto share = static_cast<int64_t>(
        static_cast<double>(ns) * static_cast<double>(times[i]) / static_cast<double>(sum));
    step_ns_[first + i] += share;
    left -= share;
  }
  step_ns_[first] += left;
}

}  // namespace linnet
