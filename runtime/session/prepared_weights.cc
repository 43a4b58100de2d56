// SPDX-License-Identifier: Apache-2.0
#include "runtime/session/prepared_weights.h"

#include <algorithm>
#include <cstring>

#include "runtime/core/checked.h"
#include "runtime/core/encoding.h"
#include "runtime/core/instruction_set.h"
#include "runtime/session/device_backend.h"

namespace linnet {
namespace {

constexpr Status kNoMemory{StatusCode::kNoMemory, "out of memory while preparing weights"};

void Decode(const PlanWeight& weight, const TensorType& type, const void* raw, void* plain) {
  if (weight.encoding == schema::Encoding::Plain)
    std::memcpy(plain, raw, static_cast<size_t>(weight.bytes));
  else
    DecodeTensor(weight.encoding, {weight.scale, weight.minimum}, type.shape, raw,
                 static_cast<float*>(plain));
}

// Of any step, and at least one.
size_t MostInputs(const VerifiedProgram& program) {
  size_t most = 1;
  for (const VerifiedStep& step : program.steps) most = std::max(most, step.inputs.size());
  return most;
}

bool IsAligned(const void* pointer) {
  return (reinterpret_cast<uintptr_t>(pointer) & (kHostAlignment - 1)) == 0;
}

}  // namespace

PreparedWeights::~PreparedWeights() {
  for (PackedWeights* weights : packed_weights_)
    if (weights != nullptr) weights->Destroy();
}

OpInstance PreparedWeights::LargestInstance(int32_t index, std::span<InputInfo> inputs,
                                            std::span<TensorType> outputs) const {
  const VerifiedStep& step = program_->steps[index];
  for (size_t i = 0; i < step.inputs.size(); ++i) {
    const PlanTensor& tensor = program_->plan->tensors[step.inputs[i]];
    const bool is_constant = tensor.storage == Storage::kWeight;
    inputs[i] = {tensor.type, is_constant ? constants_[step.inputs[i]] : nullptr, is_constant};
    if (kLinkedPanels && IsInPanels(step.inputs[i]))
      DescribePanels(index, static_cast<int>(i), &inputs[i]);
  }
  for (size_t i = 0; i < step.outputs.size(); ++i)
    outputs[i] = program_->plan->tensors[step.outputs[i]].type;
  return {step.kind, step.attrs, inputs.first(step.inputs.size()),
          outputs.first(step.outputs.size())};
}

StepContext PreparedWeights::Context(int32_t index, const OpInstance& op) const {
  const PlanProgram& plan = *program_->plan;
  const PlanStep& step = plan.steps[index];
  StepContext context{.index = index, .op = op, .layout = plan.spaces[step.space].layout};
  if (step.scratch >= 0) {
    context.scratch_offset = plan.buffers[step.scratch].offset;
    context.scratch_bytes = plan.buffers[step.scratch].bytes;
  }
  return context;
}

OpInstance PreparedWeights::Instance(int32_t index, std::span<InputInfo> inputs,
                                     std::span<TensorType> outputs) const {
  const VerifiedStep& step = program_->steps[index];
  const OpInstance op = LargestInstance(index, inputs, outputs);
  if (!step.varies) return op;
  const std::span<const PlanTensor> tensors = program_->plan->tensors;
  for (size_t i = 0; i < step.inputs.size(); ++i)
    inputs[i].type = maxima_.TypeOrLargest(tensors[step.inputs[i]]);
  for (size_t i = 0; i < step.outputs.size(); ++i)
    outputs[i] = maxima_.TypeOrLargest(tensors[step.outputs[i]]);
  return op;
}

Status PreparedWeights::Prepare(const VerifiedProgram& program, const PlanView& plan,
                                const PlanFile& file, std::span<const Backend* const> backends,
                                Diagnostic* diagnostic, const KernelProfile* kernels) {
  // Checked first: a run must not use other instructions than LINNET_ISA says.
  LINNET_RETURN_IF_ERROR(ChosenInstructionSet().status);
  program_ = &program;
  plan_ = &plan;
  file_ = file;
  const auto num_steps = static_cast<int64_t>(program.steps.size());
  const auto num_tensors = static_cast<int64_t>(program.plan->tensors.size());
  auto* steps = region_->New<Step>(num_steps);
  constants_ = region_->New<const void*>(num_tensors);
  kept_ = region_->New<bool>(num_tensors);
  const size_t most_inputs = MostInputs(program);
  inputs_ = {region_->New<InputInfo>(static_cast<int64_t>(most_inputs)), most_inputs};
  if (steps == nullptr || constants_ == nullptr || kept_ == nullptr || inputs_.data() == nullptr)
    return kNoMemory;
  if (kLinkedPanels && (panels_ = region_->New<const void*>(num_tensors)) == nullptr)
    return kNoMemory;
  LINNET_RETURN_IF_ERROR(maxima_.Create(plan.symbols, *region_));
  steps_ = {steps, static_cast<size_t>(num_steps)};
  tables_bytes_ = region_->peak();
  for (const Backend* backend : backends) LINNET_RETURN_IF_ERROR(AddBackend(*backend));
  LINNET_RETURN_IF_ERROR(CheckDevices(diagnostic));
  for (int32_t i = 0; i < num_steps; ++i)
    LINNET_RETURN_IF_ERROR(PrepareStep(i, kernels, diagnostic).At(i));
  for (PackedWeights* weights : packed_weights_)
    if (weights != nullptr) LINNET_RETURN_IF_ERROR(weights->Finalize());
  LINNET_RETURN_IF_ERROR(KeepConstantOutputs());
  DropPackedPages();
  return {};
}

Status PreparedWeights::AddBackend(const Backend& backend) {
  const int space = SpaceOf(backend);
  // The segments of a device share its memory, so they all need one backend.
  if (space < 0 || (space > 0 && FindDevice(space) >= 0)) return {};
  if (num_backends_ == kMaxBackends)
    return {StatusCode::kUnsupported, "this build has more than 4 backends"};
  const DeviceBackend* device = space == 0 ? nullptr : backend.as_device();
  // Where it does not run on this machine, the plan's steps need others.
  if (device != nullptr && !backend.Initialize().ok()) return {};
  spaces_[num_backends_] = space;
  // An untrusted plan may let any number of steps read a weight.
  const int64_t bytes = device == nullptr ? 0 : device->AllPackedBytes(*this, space, inputs_);
  if (bytes > kMaxSpaceBytes) return kNoMemory;
  LINNET_RETURN_IF_ERROR(
      backend.NewPackedWeights(bytes, *region_, &packed_weights_[num_backends_]));
  backends_[num_backends_++] = &backend;
  return {};
}

int64_t PreparedWeights::device_bytes() const {
  int64_t sum = 0;
  for (const PackedWeights* weights : packed_weights_)
    if (weights != nullptr) sum += weights->device_bytes();
  return sum;
}

// -1 when the plan does not use the backend's device.
int PreparedWeights::SpaceOf(const Backend& backend) const {
  const std::span<const PlanSpace> spaces = program_->plan->spaces;
  for (size_t i = 0; i < spaces.size(); ++i)
    if (std::strcmp(backend.device(), spaces[i].device) == 0) return static_cast<int>(i);
  return -1;
}

int PreparedWeights::FindDevice(int space) const {
  for (size_t i = 0; i < num_backends_; ++i)
    if (spaces_[i] == space) return static_cast<int>(i);
  return -1;
}

Status PreparedWeights::CheckDevices(Diagnostic* diagnostic) const {
  if (!program_->plan->has_devices()) return {};
  const std::span<const PlanSpace> spaces = program_->plan->spaces;
  for (size_t i = 1; i < spaces.size(); ++i) {
    const int device = FindDevice(static_cast<int>(i));
    if (device >= 0 && !backends_[device]->as_device()->HasLayout(spaces[i].layout)) {
      if (diagnostic != nullptr)
        diagnostic->Format(
            "the plan's tensors on the device '%s' have a layout that this device does not use: "
            "convert the model again",
            spaces[i].device);
      return {StatusCode::kUnsupported, "a device of the plan has tensors of another layout"};
    }
    if (device >= 0) continue;
    if (diagnostic != nullptr)
      diagnostic->Format(
          "the plan has steps for the device '%s', which is not available: convert the model with "
          "--place cpu",
          spaces[i].device);
    return {StatusCode::kUnsupported, "the plan has steps for a device that is not available"};
  }
  return {};
}

Status PreparedWeights::PrepareStep(int32_t index, const KernelProfile* kernels,
                                    Diagnostic* diagnostic) {
  if (program_->steps[index].control != schema::Control::None)
    return KeepConstants(program_->steps[index].inputs);
  Status status = LoadConstants(index);
  const size_t num_inputs = program_->steps[index].inputs.size();
  TensorType outputs[kMaxOpOutputs];
  const OpInstance op = Instance(index, inputs_.first(num_inputs), outputs);
  if (status.ok()) status = ChooseBackend(index, op, kernels, diagnostic);
  if (kLinkedPanels && status.ok()) status = LoadOrDecodePanels(index, op);
  if (status.ok()) {
    Step& step = steps_[index];
    const Cost cost = program_->steps[index].def->cost(op);
    step.macs = cost.macs;
    step.flops = cost.flops;
    status = backends_[step.backend]->Pack(Context(index, op), packed_weights_[step.backend],
                                           *region_, &step.packed);
  }
  if (status.ok()) status = KeepOrFreeConstants(index, op);
  if (!status.ok()) FreeTemporaries(index);
  return status;
}

// Provides the plain value of a weight tensor: the file's own bytes when they can be used directly,
// else decoded into temporary memory, which KeepOrFreeConstants keeps or frees.
Status PreparedWeights::LoadConstant(int32_t tensor) {
  const PlanTensor& info = program_->plan->tensors[tensor];
  if (info.storage != Storage::kWeight || constants_[tensor] != nullptr) return {};
  const PlanWeight& weight = plan_->weights[info.index];
  const std::byte* raw = file_.data + weight.offset;
  if (weight.encoding == schema::Encoding::Plain && IsAligned(raw)) {
    constants_[tensor] = raw;
    kept_[tensor] = true;  // costs nothing: it is in the file
    return {};
  }
  void* plain = temporaries_.Allocate(info.type.bytes() + kWeightTail);
  if (plain == nullptr) return kNoMemory;
  Decode(weight, info.type, raw, plain);
  constants_[tensor] = plain;
  return {};
}

void PreparedWeights::InitialState(int32_t state, void* to) const {
  const PlanState& info = plan_->states[state];
  if (info.initial < 0) {
    std::memset(to, 0, static_cast<size_t>(info.type.bytes()));
    return;
  }
  const PlanWeight& weight = plan_->weights[info.initial];
  Decode(weight, info.type, file_.data + weight.offset, to);
}

// Those in panels come later, because only some backends want their plain values.
Status PreparedWeights::LoadConstants(int32_t index) {
  for (int32_t tensor : program_->steps[index].inputs)
    if (!IsInPanels(tensor)) LINNET_RETURN_IF_ERROR(LoadConstant(tensor));
  return {};
}

bool PreparedWeights::IsInPanels(int32_t tensor) const {
  const PlanTensor& info = program_->plan->tensors[tensor];
  return kLinkedPanels && info.storage == Storage::kWeight &&
         IsPanels(plan_->weights[info.index].encoding);
}

void PreparedWeights::DescribePanels(int32_t index, int input, InputInfo* info) const {
  const int32_t tensor = program_->steps[index].inputs[static_cast<size_t>(input)];
  const PlanWeight& weight = plan_->weights[program_->plan->tensors[tensor].index];
  info->in_panels.encoding = weight.encoding;
  if (kLinkedEncodedPanels)
    info->in_panels = {file_.data + weight.offset, weight.encoding, weight.scale, weight.minimum};
  const Step& step = steps_[static_cast<size_t>(index)];
  if (step.panel_input != input) return;
  info->form = step.panel_form;
  if (info->form == PanelForm::kFloats) info->panels = panels_[tensor];
}

// Provides f32 panels of a weight tensor: those of the file when their elements are floats, else
// decoded ones, which stay.
Status PreparedWeights::LoadPanels(int32_t tensor) {
  if (panels_[tensor] != nullptr) return {};
  const PlanTensor& info = program_->plan->tensors[tensor];
  const PlanWeight& weight = plan_->weights[info.index];
  const std::byte* raw = file_.data + weight.offset;
  if (weight.encoding == schema::Encoding::Panels16 && IsAligned(raw)) {
    panels_[tensor] = raw;
    return {};
  }
  const FilterMatrix matrix(info.type.shape);
  const int64_t floats = PanelElements(matrix.depth, matrix.cols);
  void* decoded = region_->Allocate(AlignedBytes<float>(floats));
  if (decoded == nullptr) return kNoMemory;
  DecodeElements(weight.encoding, {weight.scale, weight.minimum}, raw, floats,
                 static_cast<float*>(decoded));
  panels_[tensor] = decoded;
  return {};
}

// In the form that the step's backend wants, all constants that the plan has in panels. `op` has
// the step's inputs_, which change with them.
Status PreparedWeights::LoadOrDecodePanels(int32_t index, const OpInstance& op) {
  const std::span<const int32_t> inputs = program_->steps[index].inputs;
  const Backend& backend = *backends_[steps_[index].backend];
  for (size_t i = 0; i < inputs.size(); ++i) {
    if (!IsInPanels(inputs[i])) continue;
    const PanelForm form = backend.ReadsPanels(op, static_cast<int>(i));
    if (form == PanelForm::kNone) {
      LINNET_RETURN_IF_ERROR(LoadConstant(inputs[i]));
      inputs_[i].value = constants_[inputs[i]];
      continue;
    }
    if (form == PanelForm::kFloats) LINNET_RETURN_IF_ERROR(LoadPanels(inputs[i]));
    steps_[index].panel_form = form;
    steps_[index].panel_input = static_cast<int16_t>(i);
    DescribePanels(index, static_cast<int>(i), &inputs_[i]);
  }
  return {};
}

// Moves a temporary plain value into the region, because runs read it.
Status PreparedWeights::Keep(int32_t tensor) {
  if (kept_[tensor]) return {};
  const int64_t bytes = program_->plan->tensors[tensor].type.bytes();
  void* copy = region_->Allocate(bytes + kWeightTail);
  if (copy == nullptr) return kNoMemory;
  std::memcpy(copy, constants_[tensor], static_cast<size_t>(bytes));
  FreeTemporary(tensor);
  constants_[tensor] = copy;
  kept_[tensor] = true;
  return {};
}

Status PreparedWeights::KeepOrFreeConstants(int32_t index, const OpInstance& op) {
  const VerifiedStep& step = program_->steps[index];
  const Backend* backend = backends_[steps_[index].backend];
  for (size_t i = 0; i < step.inputs.size(); ++i)
    if (op.inputs[i].is_constant && !backend->PacksInput(op, static_cast<int>(i)))
      LINNET_RETURN_IF_ERROR(Keep(step.inputs[i]));
  FreeTemporaries(index);
  return {};
}

void PreparedWeights::FreeTemporary(int32_t tensor) {
  if (constants_[tensor] == nullptr || kept_[tensor]) return;
  temporaries_.Free(const_cast<void*>(constants_[tensor]));
  constants_[tensor] = nullptr;
}

void PreparedWeights::FreeTemporaries(int32_t index) {
  for (int32_t tensor : program_->steps[index].inputs) FreeTemporary(tensor);
}

// Keeps the plain value of a tensor that is not read by a backend's step. Does nothing for other
// tensors than constants.
Status PreparedWeights::KeepConstant(int32_t tensor) {
  if (program_->plan->tensors[tensor].storage != Storage::kWeight) return {};
  LINNET_RETURN_IF_ERROR(LoadConstant(tensor));
  const Status status = Keep(tensor);
  FreeTemporary(tensor);
  return status;
}

Status PreparedWeights::KeepConstants(std::span<const int32_t> tensors) {
  for (int32_t tensor : tensors) LINNET_RETURN_IF_ERROR(KeepConstant(tensor));
  return {};
}

// Outputs of the program, results of regions and next values of states may be constants, when
// everything before them was folded.
Status PreparedWeights::KeepConstantOutputs() {
  for (const PlanPort& port : program_->plan->outputs)
    LINNET_RETURN_IF_ERROR(KeepConstant(port.tensor));
  for (const PlanUpdate& update : program_->plan->updates)
    LINNET_RETURN_IF_ERROR(KeepConstant(update.next));
  for (const PlanRegion& region : program_->plan->regions)
    LINNET_RETURN_IF_ERROR(KeepConstants(region.results));
  return {};
}

}  // namespace linnet
