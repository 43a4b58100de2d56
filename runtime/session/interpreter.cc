// SPDX-License-Identifier: Apache-2.0
#include "runtime/session/interpreter.h"

#include <algorithm>
#include <cstring>

#include "runtime/core/denormals.h"
#include "runtime/session/device_backend.h"
#include "runtime/threads/clock.h"

namespace linnet {
namespace {

constexpr Status kNoMemory{StatusCode::kNoMemory, "the session's memory is too small"};

}  // namespace

Interpreter::~Interpreter() {
  for (const Step& step : steps_)
    if (step.runnable != nullptr) step.runnable->Destroy();
  if (segments_ != nullptr) segments_->Destroy();
}

Status Interpreter::Create(const Threads& threads, Diagnostic* diagnostic) {
  LINNET_RETURN_IF_ERROR(AllocateTables());
  const int64_t before_operators = region_->used();
  LINNET_RETURN_IF_ERROR(CreateSteps(threads, diagnostic));
  bytes_.operators = region_->used() - before_operators;
  workspace_ = region_->Allocate(workspace_bytes_);
  if (workspace_ == nullptr) return kNoMemory;
  bytes_.workspace = workspace_bytes_;
  LINNET_RETURN_IF_ERROR(SetupSteps());
  bytes_.devices = memory_.device_bytes();
  if (segments_ != nullptr) bytes_.devices += segments_->device_bytes();
  bytes_.total = region_->peak();
  bytes_.state = bytes_.total - bytes_.arena - bytes_.operators - bytes_.workspace;
  return {};
}

Status Interpreter::AllocateTables() {
  const PlanProgram& plan = program();
  LINNET_RETURN_IF_ERROR(memory_.Create(*weights_, *region_));
  bytes_.arena = plan.arena().bytes;
  const auto num_steps = static_cast<int64_t>(plan.steps.size());
  const auto num_ports = static_cast<int64_t>(plan.inputs.size() + plan.outputs.size());
  const auto num_buffers = static_cast<int64_t>(plan.buffers.size());
  int64_t num_addresses = 0;
  for (const PlanStep& step : plan.steps)
    num_addresses += static_cast<int64_t>(step.inputs.size() + step.outputs.size());
  auto* steps = region_->New<Step>(num_steps);
  auto* ports = region_->New<Port>(num_ports);
  auto** addresses = region_->New<void*>(num_addresses);
  buffers_ = region_->New<void*>(num_buffers);
  step_ns_ = region_->New<int64_t>(num_steps);
  if (steps == nullptr || ports == nullptr || addresses == nullptr || buffers_ == nullptr ||
      step_ns_ == nullptr)
    return kNoMemory;
  for (int64_t i = 0; i < num_buffers; ++i) buffers_[i] = memory_.home(static_cast<int32_t>(i));
  for (int64_t i = 0; i < num_steps; ++i) {
    const PlanStep& step = plan.steps[i];
    steps[i] = {nullptr, addresses, static_cast<int32_t>(step.inputs.size()),
                static_cast<int32_t>(step.outputs.size()),
                weights_->program().steps[i].varies || !step.sets.empty()};
    addresses += step.inputs.size() + step.outputs.size();
  }
  steps_ = {steps, static_cast<size_t>(num_steps)};
  ports_ = {ports, static_cast<size_t>(num_ports)};
  FillPorts();
  LINNET_RETURN_IF_ERROR(varying_.Create(*weights_, *region_));
  return AllocateStates();
}

Status Interpreter::AllocateStates() {
  states_ = region_->New<void*>(weights_->num_states());
  if (states_ == nullptr) return kNoMemory;
  for (const PlanTensor& tensor : program().tensors) {
    if (tensor.storage != Storage::kState || states_[tensor.index] != nullptr) continue;
    // Kernels may read past the end, as they may with weights.
    states_[tensor.index] = region_->Allocate(tensor.type.bytes() + kWeightTail);
    if (states_[tensor.index] == nullptr) return kNoMemory;
  }
  Reset();
  return {};
}

void Interpreter::Reset() {
  for (int32_t i = 0; i < weights_->num_states(); ++i)
    if (states_[i] != nullptr) weights_->InitialState(i, states_[i]);
}

void Interpreter::Restart() {
  Reset();
  const auto num_symbols = static_cast<int32_t>(weights_->symbols().size());
  for (int32_t i = 0; i < num_symbols; ++i)
    if (weights_->symbols()[i].is_free()) varying_.extents().SetToMaximum(i);
  varying_.ExtentsChanged();
  for (const Port& port : ports_) {
    const PlanTensor& tensor = program().tensors[port.tensor];
    if (tensor.storage == Storage::kArena)
      std::memset(port.own, 0, static_cast<size_t>(tensor.type.bytes()));
  }
}

void Interpreter::FillPorts() {
  const PlanProgram& plan = program();
  for (size_t i = 0; i < ports_.size(); ++i) {
    const int32_t tensor = i < plan.inputs.size() ? plan.inputs[i].tensor
                                                  : plan.outputs[i - plan.inputs.size()].tensor;
    void* address = Address(tensor);
    ports_[i] = {.tensor = tensor, .data = address, .own = address};
  }
}

void* Interpreter::Address(int32_t tensor) const {
  const PlanTensor& info = program().tensors[tensor];
  if (info.storage == Storage::kWeight) return const_cast<void*>(weights_->constant(tensor));
  if (info.storage == Storage::kState) return states_[info.index];
  if (info.space != 0) return nullptr;
  if (kLinkedStrips && info.storage == Storage::kStrips)
    return wholes_ == nullptr ? nullptr : wholes_[tensor];
  const PlanBuffer& buffer = program().buffers[info.index];
  return static_cast<std::byte*>(buffers_[info.index]) + (info.offset - buffer.offset);
}

Status Interpreter::CreateSteps(const Threads& shared, Diagnostic* diagnostic) {
  Threads threads = shared;
  threads.parallel.stop = [](void* session) {
    return static_cast<Interpreter*>(session)->cancelled();
  };
  threads.parallel.stop_context = this;
  size_t most_inputs = 1;
  for (const Step& step : steps_)
    most_inputs = std::max(most_inputs, static_cast<size_t>(step.num_inputs));
  auto* inputs = region_->New<InputInfo>(static_cast<int64_t>(most_inputs));
  if (inputs == nullptr) return kNoMemory;
  if (kLinkedStrips) LINNET_RETURN_IF_ERROR(CreateStrips(threads, diagnostic));
  for (int32_t i = 0; i < static_cast<int32_t>(steps_.size()); i += steps_[i].parts) {
    const PlanStep& step = program().steps[i];
    if (step.control == schema::Control::None && step.space == 0 && steps_[i].parts == 1)
      LINNET_RETURN_IF_ERROR(CreateStep(i, {inputs, most_inputs}, threads, diagnostic));
  }
  if (!program().has_devices()) return {};
  const Backend& device = *weights_->backends()[weights_->FindDevice(1)];
  return device.as_device()->CreateSegments(*weights_, memory_, precise_, *region_, &segments_,
                                            diagnostic);
}

Status Interpreter::CreateStep(int32_t index, std::span<InputInfo> inputs, const Threads& threads,
                               Diagnostic* diagnostic) {
  TensorType outputs[kMaxOpOutputs];
  OpInstance op = weights_->LargestInstance(index, inputs, outputs);
  op.attrs = varying_.attrs(index);
  const PreparedWeights::Step& prepared = weights_->steps()[index];
  const Backend& backend = *weights_->backends()[prepared.backend];
  int64_t workspace = 0;
  const Status status =
      backend.Create({index, op}, weights_->packed_weights(prepared.backend), prepared.packed,
                     threads, *region_, &steps_[index].runnable, &workspace);
  if (!status.ok()) {
    if (diagnostic != nullptr && status.code() != StatusCode::kNoMemory)
      diagnostic->Format("step %d '%s' (%s on %s): %s", static_cast<int>(index),
                         program().steps[index].source, weights_->program().steps[index].def->name,
                         backend.name(), status.what());
    return status.At(index);
  }
  workspace_bytes_ = std::max(workspace_bytes_, workspace);
  return {};
}

Status Interpreter::SetupSteps() {
  const PlanProgram& plan = program();
  for (int32_t i = 0; i < static_cast<int32_t>(steps_.size()); ++i) {
    Step& step = steps_[i];
    for (int32_t k = 0; k < step.num_inputs; ++k)
      step.addresses[k] = Address(plan.steps[i].inputs[k]);
    for (int32_t k = 0; k < step.num_outputs; ++k)
      step.addresses[step.num_inputs + k] = Address(plan.steps[i].outputs[k]);
    if (kLinkedStrips && step.parts > 1) continue;
    const StepBuffers buffers{
        {step.addresses, static_cast<size_t>(step.num_inputs)},
        {step.addresses + step.num_inputs, static_cast<size_t>(step.num_outputs)},
        workspace_};
    if (step.runnable != nullptr) LINNET_RETURN_IF_ERROR(step.runnable->Setup(buffers).At(i));
    if (plan.steps[i].control == schema::Control::Copy)
      LINNET_RETURN_IF_ERROR(segments_->Bind(i, buffers.inputs, buffers.outputs).At(i));
  }
  for (int32_t i = 0; kLinkedStrips && i < static_cast<int32_t>(steps_.size());
       i += steps_[i].parts)
    if (steps_[i].parts > 1) LINNET_RETURN_IF_ERROR(SetupStrips(i).At(i));
  return {};
}

Status Interpreter::Run() {
  const FlushDenormals flush;
  CopyInputs();
  iterations_ = 0;
  if (profile_) std::fill_n(step_ns_, steps_.size(), 0);
  LINNET_RETURN_IF_ERROR(RunRegion(0));
  for (const PlanUpdate& update : program().updates)
    std::memcpy(Address(update.state), Address(update.next),
                static_cast<size_t>(program().tensors[update.state].type.bytes()));
  CopyOutputs();
  return {};
}

Status Interpreter::CheckCancelled() {
  // The plain load avoids a read-modify-write in the common case.
  if (cancelled() && cancelled_->exchange(false)) return {StatusCode::kCancelled, "cancelled"};
  return {};
}

Status Interpreter::RunSteps(int32_t first, int32_t count) {
  int64_t before = profile_ ? NowNs() : 0;
  for (int32_t i = first; i < first + count;) {
    LINNET_RETURN_IF_ERROR(CheckCancelled().At(i));
    const DeviceSegment* segment = FindSegment(i);
    const int64_t inside = inside_ns_;
    const Status status =
        segment != nullptr ? RunSegment(*segment).At(segment->first_op) : RunStep(i).At(i);
    if (status.code() == StatusCode::kCancelled)
      cancelled_->store(false);  // one request cancels one run
    if (!status.ok()) return status;
    if (profile_) {
      const int64_t after = NowNs();
      // inside_ns_ grew by the time of the steps inside this one.
      AddTime(i, after - before - (inside_ns_ - inside));
      before = after;
    }
    i = segment != nullptr ? segment->end : i + (kLinkedStrips ? steps_[i].parts : 1);
  }
  return {};
}

Status Interpreter::RunSegment(const DeviceSegment& segment) {
  const ArenaGuard guard(memory_.arena(), memory_.arena_bytes());
  for (int32_t i = segment.first; ArenaGuard::kWatches && i < segment.end; ++i)
    for (int32_t k = 0; k < steps_[i].num_inputs; ++k)
      guard.Allow(steps_[i].addresses[k],
                  program().tensors[program().steps[i].inputs[k]].type.bytes());
  return segment.runnable->Run();
}

void Interpreter::AddTime(int32_t index, int64_t ns) {
  const DeviceSegment* segment = FindSegment(index);
  if (segment != nullptr)
    segments_->AddTimes(*segment, ns, step_ns_);
  else if (kLinkedStrips && steps_[index].parts > 1)
    AddStripTimes(index, ns);
  else
    step_ns_[index] += ns;
  inside_ns_ += ns;
}

Status Interpreter::RunStep(int32_t index) {
  const Step& step = steps_[index];
  if (step.runnable == nullptr) return RunControl(index);
  return step.varies ? RunVarying(index) : RunGuarded(index);
}

Status Interpreter::RunGuarded(int32_t index) {
  const ArenaGuard guard(memory_.arena(), memory_.arena_bytes());
  if constexpr (ArenaGuard::kWatches) {
    if (kLinkedStrips && steps_[index].parts > 1) {
      AllowStrips(guard, index);
      return steps_[index].runnable->Run();
    }
    const Step& step = steps_[index];
    const PlanStep& plan = program().steps[index];
    const auto allow = [&](int32_t tensor, const void* address, bool is_set) {
      const PlanTensor& info = program().tensors[tensor];
      // The step itself may compute how large an output is: allow the largest.
      guard.Allow(address, (is_set ? info.type : varying_.extents().TypeOrLargest(info)).bytes());
    };
    for (int32_t i = 0; i < step.num_inputs; ++i) allow(plan.inputs[i], step.addresses[i], false);
    for (int32_t i = 0; i < step.num_outputs; ++i)
      allow(plan.outputs[i], step.addresses[step.num_inputs + i], !plan.sets.empty());
  }
  return steps_[index].runnable->Run();
}

Status Interpreter::RunVarying(int32_t index) {
  const Step& step = steps_[index];
  if (varying_.varies(index)) LINNET_RETURN_IF_ERROR(varying_.Resize(index, *step.runnable));
  LINNET_RETURN_IF_ERROR(RunGuarded(index).At(index));
  return varying_.ReadExtents(
      index, {step.addresses + step.num_inputs, static_cast<size_t>(step.num_outputs)});
}

TensorType Interpreter::TypeOf(const Port& port) const {
  // After a run that failed, extents of an output may be invalid.
  return varying_.extents().TypeOrLargest(program().tensors[port.tensor]);
}

Status Interpreter::SetInputShape(int index, std::span<const int64_t> dims) {
  const PlanTensor& tensor = program().tensors[ports_[index].tensor];
  if (dims.size() != static_cast<size_t>(tensor.type.shape.rank()))
    return {StatusCode::kInvalidArgument, "the input has a different number of dimensions"};
  for (size_t i = 0; i < dims.size(); ++i) {
    const int32_t symbol = tensor.varies() ? tensor.symbols[i] : -1;
    if (symbol < 0) {
      if (dims[i] == tensor.type.shape[static_cast<int>(i)]) continue;
      return {StatusCode::kInvalidArgument, "a fixed dimension differs"};
    }
    const PlanSymbol& bounds = varying_.extents().symbol(symbol);
    if (dims[i] < bounds.min || dims[i] > bounds.max)
      return {StatusCode::kInvalidArgument, "a dimension is outside its bounds"};
    for (size_t k = 0; k < i; ++k)
      if (tensor.symbols[k] == symbol && dims[k] != dims[i])
        return {StatusCode::kInvalidArgument, "two dimensions that must be equal differ"};
  }
  for (size_t i = 0; i < dims.size(); ++i)
    if (tensor.varies() && tensor.symbols[i] >= 0 &&
        !varying_.extents().Set(tensor.symbols[i], dims[i]))
      return {StatusCode::kInternal, "a dimension is outside its bounds"};
  varying_.ExtentsChanged();
  return {};
}

}  // namespace linnet
