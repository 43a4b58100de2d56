// SPDX-License-Identifier: Apache-2.0
#include "runtime/session/device_segments.h"

#include <algorithm>
#include <new>
#include <numeric>

#include "runtime/session/device_backend.h"

namespace linnet {
namespace {

constexpr Status kNoMemory{StatusCode::kNoMemory, "the session's memory is too small"};

class Segments final : public DeviceSegments {
 public:
  Segments(const PreparedWeights& weights, bool precise) : weights_(&weights), precise_(precise) {}

  Status Create(const SessionMemory& memory, Region& region, Diagnostic* diagnostic);

  Status Bind(int32_t step, std::span<void* const> inputs, std::span<void* const> outputs) override;
  Status Fetch(int32_t step) override;
  int64_t device_bytes() const override;
  void EnableProfile(bool on) override;
  void AddTimes(const DeviceSegment& segment, int64_t run_ns, int64_t* step_ns) override;
  int64_t WaitNs() const override;
  void Destroy() override;

 private:
  // An output of a segment.
  struct Fetched {
    int32_t segment = -1, output = -1;
  };

  // How a tensor that an op of a segment writes is read.
  struct Reads {
    int32_t segment = -1;  // that writes it
    int32_t count = 0;     // by its ops; -1: something else reads it too
  };

  const PlanProgram& plan() const { return *weights_->program().plan; }
  bool IsCopy(int32_t step) const { return plan().steps[step].control == schema::Control::Copy; }
  Status Allocate(Region& region);
  void FindSegments();
  Status Build(int32_t index, const SessionMemory& memory, Region& region, Diagnostic* diagnostic);
  Status AddSteps(const DeviceSegment& segment);
  Status AddInputs(const DeviceSegment& segment, int32_t step, int32_t* count);
  Status AddStep(const DeviceSegment& segment, int32_t step);
  Status AddOutputs(int32_t index);
  void CountReads();

  const PreparedWeights* weights_;
  bool precise_;
  Fetched* fetched_ = nullptr;   // of all Copy steps of the host
  int64_t* numbers_ = nullptr;   // scratch for the offsets or times of one step's tensors
  InputInfo* inputs_ = nullptr;  // scratch for one step
  Reads* reads_ = nullptr;       // by tensor
};

void Segments::Destroy() {
  for (DeviceSegment& segment : segments_)
    if (segment.runnable != nullptr) segment.runnable->Destroy();
}

Status Segments::Create(const SessionMemory& memory, Region& region, Diagnostic* diagnostic) {
  LINNET_RETURN_IF_ERROR(Allocate(region));
  FindSegments();
  CountReads();
  for (size_t i = 0; i < segments_.size(); ++i)
    LINNET_RETURN_IF_ERROR(Build(static_cast<int32_t>(i), memory, region, diagnostic));
  return {};
}

// Makes tables of the right size.
Status Segments::Allocate(Region& region) {
  const auto count = static_cast<int64_t>(plan().regions[0].count);
  int64_t segments = 0, fetched = 0, most = kMaxOpOutputs;
  size_t most_inputs = 0;
  for (int64_t i = 0; i < count; ++i) {
    const PlanStep& step = plan().steps[i];
    if (step.space == 0) {
      if (step.control == schema::Control::Copy) fetched += std::ssize(step.inputs);
      continue;
    }
    if (i == 0 || plan().steps[i - 1].space != step.space) ++segments;
    most_inputs = std::max(most_inputs, step.inputs.size());
  }
  places_ = region.New<Place>(std::ssize(plan().steps));
  auto* all = region.New<DeviceSegment>(segments);
  fetched_ = region.New<Fetched>(fetched);
  // A segment has at most `count` ops.
  numbers_ = region.New<int64_t>(std::max(most + static_cast<int64_t>(most_inputs), count));
  inputs_ = region.New<InputInfo>(static_cast<int64_t>(most_inputs));
  reads_ = region.New<Reads>(std::ssize(plan().tensors));
  if (places_ == nullptr || all == nullptr || fetched_ == nullptr || numbers_ == nullptr ||
      inputs_ == nullptr || reads_ == nullptr)
    return kNoMemory;
  segments_ = {all, static_cast<size_t>(segments)};
  return {};
}

void Segments::FindSegments() {
  int32_t index = -1, fetched = 0;
  for (int32_t i = 0; i < plan().regions[0].count; ++i) {
    const PlanStep& step = plan().steps[i];
    if (step.space == 0) {
      places_[i].copy = fetched;
      if (IsCopy(i)) fetched += static_cast<int32_t>(step.inputs.size());
      continue;
    }
    if (i == 0 || plan().steps[i - 1].space != step.space)
      segments_[++index] = {.first = i, .first_op = i};
    DeviceSegment& segment = segments_[index];
    segment.end = i + 1;
    if (!IsCopy(i) && segment.num_ops++ == 0) segment.first_op = i;
    places_[i].segment = index;
  }
}

void Segments::CountReads() {
  for (int32_t i = 0; i < std::ssize(plan().steps); ++i) {
    const int32_t segment = IsCopy(i) ? -1 : places_[i].segment;
    for (const int32_t input : plan().steps[i].inputs) {
      Reads& reads = reads_[input];
      reads.count =
          segment < 0 || reads.segment != segment || reads.count < 0 ? -1 : reads.count + 1;
    }
    for (const int32_t output : plan().steps[i].outputs) {
      Reads& reads = reads_[output];
      if (segment < 0 || reads.segment >= 0) reads.count = -1;
      reads.segment = segment;
    }
  }
  for (const PlanPort& output : plan().outputs) reads_[output.tensor].count = -1;
  for (const PlanUpdate& update : plan().updates) reads_[update.next].count = -1;
}

// Each segment is complete before the next one begins, so that a backend can use the end of the
// region for what grows with each call.
Status Segments::Build(int32_t index, const SessionMemory& memory, Region& region,
                       Diagnostic* diagnostic) {
  DeviceSegment& segment = segments_[index];
  const int space = plan().steps[segment.first].space;
  const int device = weights_->FindDevice(space);
  const DeviceBackend& backend = *weights_->backends()[device]->as_device();
  Status status = backend.NewSegment(memory.device(space), plan().spaces[space].layout,
                                     weights_->packed_weights(device), region, &segment.runnable);
  if (status.ok() && precise_) segment.runnable->SetPrecise();
  if (status.ok()) status = AddSteps(segment);
  if (status.ok()) status = AddOutputs(index);
  if (status.ok()) status = segment.runnable->Finish();
  status = status.At(segment.first_op);
  if (!status.ok() && diagnostic != nullptr && status.code() != StatusCode::kNoMemory)
    diagnostic->Format("step %d '%s' (%s on %s): %s", static_cast<int>(status.step()),
                       plan().steps[status.step()].source,
                       weights_->program().steps[status.step()].def->name, backend.name(),
                       status.what());
  return status;
}

Status Segments::AddSteps(const DeviceSegment& segment) {
  int32_t num_inputs = 0;
  for (int32_t i = segment.first; i < segment.end; ++i)
    LINNET_RETURN_IF_ERROR(
        (IsCopy(i) ? AddInputs(segment, i, &num_inputs) : AddStep(segment, i)).At(i));
  return {};
}

Status Segments::AddInputs(const DeviceSegment& segment, int32_t step, int32_t* count) {
  places_[step].copy = *count;
  for (const int32_t output : plan().steps[step].outputs) {
    const PlanTensor& tensor = plan().tensors[output];
    LINNET_RETURN_IF_ERROR(segment.runnable->AddInput(tensor.type, tensor.offset));
    ++*count;
  }
  return {};
}

Status Segments::AddStep(const DeviceSegment& segment, int32_t step) {
  const VerifiedStep& verified = weights_->program().steps[step];
  const size_t num_inputs = verified.inputs.size(), num_outputs = verified.outputs.size();
  TensorType outputs[kMaxOpOutputs];
  const OpInstance op = weights_->LargestInstance(step, {inputs_, num_inputs}, outputs);
  int64_t* offset = numbers_;
  for (const std::span<const int32_t> tensors : {verified.inputs, verified.outputs})
    for (const int32_t tensor : tensors) {
      const PlanTensor& info = plan().tensors[tensor];
      *offset++ = info.storage == Storage::kWeight ? -1 : info.offset;
    }
  StepContext context = weights_->Context(step, op);
  if (num_outputs > 0) context.output_reads = reads_[verified.outputs[0]].count;
  return segment.runnable->AddStep(context, weights_->steps()[step].packed, {numbers_, num_inputs},
                                   {numbers_ + num_inputs, num_outputs});
}

// What the host copies from the segment's device before a later segment of the same device runs.
Status Segments::AddOutputs(int32_t index) {
  const DeviceSegment& segment = segments_[index];
  const uint8_t space = plan().steps[segment.first].space;
  int32_t count = 0;
  for (int32_t i = segment.end; i < plan().regions[0].count; ++i) {
    const PlanStep& step = plan().steps[i];
    if (step.space == space) break;
    if (step.space != 0 || !IsCopy(i)) continue;
    for (size_t k = 0; k < step.inputs.size(); ++k) {
      const PlanTensor& tensor = plan().tensors[step.inputs[k]];
      if (tensor.space != space) continue;
      LINNET_RETURN_IF_ERROR(segment.runnable->AddOutput(tensor.type, tensor.offset).At(i));
      fetched_[places_[i].copy + static_cast<int32_t>(k)] = {index, count++};
    }
  }
  return {};
}

Status Segments::Bind(int32_t step, std::span<void* const> inputs, std::span<void* const> outputs) {
  const Place& place = places_[step];
  for (int32_t i = 0; i < std::ssize(inputs); ++i) {
    if (place.segment >= 0) {
      RunnableSegment* segment = segments_[place.segment].runnable;
      LINNET_RETURN_IF_ERROR(segment->BindInput(place.copy + i, inputs[i]));
    } else {
      const Fetched& from = fetched_[place.copy + i];
      LINNET_RETURN_IF_ERROR(segments_[from.segment].runnable->BindOutput(from.output, outputs[i]));
    }
  }
  return {};
}

Status Segments::Fetch(int32_t step) {
  const Fetched* from = fetched_ + places_[step].copy;
  for (size_t i = 0; i < plan().steps[step].inputs.size(); ++i)
    LINNET_RETURN_IF_ERROR(segments_[from[i].segment].runnable->Fetch(from[i].output));
  return {};
}

int64_t Segments::device_bytes() const {
  int64_t sum = 0;
  for (const DeviceSegment& segment : segments_) sum += segment.runnable->device_bytes();
  return sum;
}

void Segments::EnableProfile(bool on) {
  for (const DeviceSegment& segment : segments_) segment.runnable->EnableProfile(on);
}

void Segments::AddTimes(const DeviceSegment& segment, int64_t run_ns, int64_t* step_ns) {
  const std::span<int64_t> times{numbers_, static_cast<size_t>(segment.num_ops)};
  segment.runnable->StepTimes(times);
  const int64_t sum = std::accumulate(times.begin(), times.end(), int64_t{0});
  // The device's clock may be faster than the host's.
  const double scale = sum > run_ns ? static_cast<double>(run_ns) / static_cast<double>(sum) : 1.0;
  int64_t rest = run_ns;
  const int64_t* time = times.data();
  for (int32_t i = segment.first; i < segment.end; ++i) {
    if (IsCopy(i)) continue;
    const auto ns = static_cast<int64_t>(static_cast<double>(*time++) * scale);
    step_ns[i] += ns;
    rest -= ns;
  }
  step_ns[segment.first] += rest;
}

int64_t Segments::WaitNs() const {
  int64_t sum = 0;
  for (const DeviceSegment& segment : segments_) sum += segment.runnable->WaitNs();
  return sum;
}

}  // namespace

Status NewDeviceSegments(const PreparedWeights& weights, const SessionMemory& memory, bool precise,
                         Region& region, DeviceSegments** out, Diagnostic* diagnostic) {
  void* place = region.Allocate(sizeof(Segments));
  if (place == nullptr) return kNoMemory;
  auto* segments = new (place) Segments(weights, precise);
  *out = segments;
  return segments->Create(memory, region, diagnostic);
}

}  // namespace linnet
