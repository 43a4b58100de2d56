// SPDX-License-Identifier: Apache-2.0
// How a segment is built: from steps to dispatches with windows. segment.cc runs it.
#include <algorithm>
#include <cstring>
#include <new>

#include "runtime/backends/vulkan/abi/pack_in.h"
#include "runtime/backends/vulkan/abi/unpack_out.h"
#include "runtime/backends/vulkan/lowering.h"
#include "runtime/backends/vulkan/segment.h"
#include "runtime/backends/vulkan/support.h"
#include "runtime/core/checked.h"

namespace linnet::vulkan {
namespace {

constexpr Status kNoMemory{StatusCode::kNoMemory, "out of memory"};
constexpr Status kOutside{StatusCode::kInternal, "a tensor lies outside of the GPU's memory"};
constexpr Status kLowering{StatusCode::kInternal, "a lowering names bytes that do not exist"};
constexpr Status kTooLarge{StatusCode::kUnsupported, "a tensor of more than 128 MiB"};
constexpr int64_t kMaxThreads = int64_t{1} << 31;
constexpr int64_t kQuadBytes = 16;
// Works are numbered by 32-bit integers, bindings too.
constexpr uint32_t kMaxWorks = 1u << 24;

// A window of a buffer; one without bytes becomes a quad, which Vulkan can bind and nobody reads.
Access Window(int buffer, int64_t begin, int64_t bytes, bool written) {
  return {buffer, begin, begin + (bytes == 0 ? kQuadBytes : bytes), written};
}

// Bytes that a dispatch reads or writes. A binding that a shader has but does not need names the
// window of another.
int64_t BytesOf(std::span<const Access> windows) {
  int64_t bytes = 0;
  for (size_t i = 0; i < windows.size(); ++i) {
    const bool again = std::any_of(windows.begin(), windows.begin() + i, [&](const Access& other) {
      return other.buffer == windows[i].buffer && other.begin == windows[i].begin;
    });
    if (!again) bytes += windows[i].end - windows[i].begin;
  }
  return bytes;
}

Status CheckTensor(const SessionMemory& memory, int64_t offset, int64_t bytes) {
  if (bytes > kMaxWindowBytes) return kTooLarge;
  if (offset < 0 || offset % kWindowAlignment != 0 || bytes > memory.bytes() ||
      offset > memory.bytes() - bytes)
    return kOutside;
  return {};
}

}  // namespace

// Native halves in the place of packed ones where the device is to use them and the shader can.
ShaderMode Segment::ModeOf(const Dispatch& dispatch) const {
  const bool native = dispatch.mode == ShaderMode::k_f16p && device_.native_halves() && !precise_ &&
                      !PackedSpirvOf(dispatch.shader, ShaderMode::k_f16a).empty();
  return native ? ShaderMode::k_f16a : dispatch.mode;
}

Status Segment::AddWork(const Dispatch& dispatch, const Access* windows, int step, int pipeline,
                        Work** out) {
  // The push constants lie behind the object.
  void* memory = region_.Allocate(static_cast<int64_t>(sizeof(Work)) + dispatch.push_bytes);
  if (memory == nullptr) return kNoMemory;
  auto* work = new (memory) Work();
  auto* push = reinterpret_cast<std::byte*>(work + 1);
  std::memcpy(push, dispatch.push, static_cast<size_t>(dispatch.push_bytes));
  work->step = step;
  work->num_bindings = dispatch.num_operands;
  for (int i = 0; i < dispatch.num_operands; ++i) work->bindings[i] = windows[i];
  work->push_bytes = static_cast<uint32_t>(dispatch.push_bytes);
  work->push = push;
  work->pipeline = pipeline;
  *out = work;
  return {};
}

Status Segment::AddDispatch(const Dispatch& dispatch, const Access* windows, int64_t flops,
                            WorkList& works, int step) {
  constexpr Status kTooMuch{StatusCode::kUnsupported, "too much work for one dispatch"};
  if (dispatch.threads < 1 || dispatch.threads > kMaxThreads || works.count >= kMaxWorks)
    return kTooMuch;
  const VkPhysicalDeviceLimits& limits = device_.facts().limits;
  const uint32_t most_rows = limits.maxComputeWorkGroupCount[1];
  const int64_t ns = SlowNs(flops, BytesOf({windows, static_cast<size_t>(dispatch.num_operands)}));
  slow_ns_ = SaturatingAdd(slow_ns_, ns);
  // A copy of an input or output is short, and bound to one window.
  const int64_t pieces = step < 0 ? 1 : std::min<int64_t>(PiecesOf(ns, device_.pace()), most_rows);
  uint32_t groups[2];
  FoldGroups(dispatch.threads, limits.maxComputeWorkGroupCount[0], pieces, groups);
  if (groups[1] > most_rows) return kTooMuch;
  int pipeline = 0;
  LINNET_RETURN_IF_ERROR(pipelines_.Add(dispatch, region_, &pipeline));
  const auto rows = static_cast<uint32_t>(CeilDiv(groups[1], pieces));
  if (rows < groups[1]) pipelines_.AllowParts(pipeline);
  for (uint32_t row = 0; row < groups[1]; row += rows) {
    Work* work = nullptr;
    LINNET_RETURN_IF_ERROR(AddWork(dispatch, windows, step, pipeline, &work));
    work->groups[0] = groups[0];
    work->groups[1] = std::min(rows, groups[1] - row);
    work->first_row = row;
    work->slow_ns = ns / CeilDiv(groups[1], rows);
    works.Append(work);
  }
  return {};
}

Status Segment::AddPort(const TensorType& type, int64_t offset, Shader shader, Ports& ports,
                        WorkList& works) {
  if (!HasDeviceForm(type.dtype)) return {StatusCode::kUnsupported, "no form for this dtype"};
  auto* port = region_.New<Port>();
  if (port == nullptr) return kNoMemory;
  (ports.last == nullptr ? ports.first : ports.last->next) = port;
  ports.last = port;
  ++ports.count;
  const int64_t device_bytes = BytesIn(layout_, type);
  if (type.bytes() > kMaxWindowBytes) return kTooLarge;
  LINNET_RETURN_IF_ERROR(CheckTensor(memory_, offset, device_bytes));
  if (device_bytes == 0) return {};
  port->bytes = type.bytes();
  port->slot = slot_bytes_;
  slot_bytes_ += AlignUp(port->bytes, kWindowAlignment);

  const Rows rows = RowsOf(type);
  const auto row_quads = static_cast<uint>(rows.quads), columns = static_cast<uint>(rows.columns);
  const bool is_input = shader == Shader::k_pack_in;
  Dispatch dispatch;
  dispatch.shader = shader;
  if (layout_ == Layout::kRows4Half && type.dtype == DType::kFloat32)
    dispatch.mode = ShaderMode::k_f16p;
  dispatch.num_operands = 2;
  dispatch.Specialise(static_cast<uint32_t>(DTypeBytes(type.dtype)));
  if (is_input) {
    dispatch.threads = rows.count * rows.quads;
    dispatch.Push(PackInPush{static_cast<uint>(dispatch.threads), row_quads, columns});
  } else {
    const int64_t elements = rows.count * rows.columns;
    dispatch.threads = CeilDiv(elements, 4);
    dispatch.Push(UnpackOutPush{static_cast<uint>(elements), row_quads, columns});
  }
  // Shaders access the dense side by words.
  const Access dense = Window(kSlotsBuffer, port->slot, AlignUp(port->bytes, 4), !is_input);
  const Access rows4 = Window(kArenaBuffer, offset, device_bytes, is_input);
  const Access windows[] = {is_input ? dense : rows4, is_input ? rows4 : dense};
  LINNET_RETURN_IF_ERROR(AddDispatch(dispatch, windows, /*flops=*/0, works, /*step=*/-1));
  port->window = &works.last->bindings[is_input ? 0 : 1];
  return {};
}

Status Segment::AddInput(const TensorType& type, int64_t offset) {
  LINNET_RETURN_IF_ERROR(AddWaiting());
  return AddPort(type, offset, Shader::k_pack_in, inputs_, works_);
}

Status Segment::AddOutput(const TensorType& type, int64_t offset) {
  return AddPort(type, offset, Shader::k_unpack_out, outputs_, fetches_);
}

Status Segment::Resolve(const Operand& operand, const StepContext& step, const StepWeights* packed,
                        std::span<const int64_t> inputs, std::span<const int64_t> outputs,
                        Access* out) const {
  int64_t begin = -1, total = 0;
  int buffer = kArenaBuffer;
  const size_t index = operand.index;
  if (operand.kind == Operand::Kind::kPacked) {
    if (packed == nullptr || !packed->own_form) return kLowering;
    buffer = kWeightsBuffer;
    begin = packed->offset;
    total = packed->bytes;
  } else if (operand.kind == Operand::Kind::kScratch) {
    begin = step.scratch_offset;
    total = step.scratch_bytes;
    // More of it than a window can show is no error.
    LINNET_RETURN_IF_ERROR(CheckTensor(memory_, begin, std::min(total, kMaxWindowBytes)));
  } else {
    const bool is_input = operand.kind == Operand::Kind::kInput;
    const std::span<const int64_t> offsets = is_input ? inputs : outputs;
    if (index >= offsets.size()) return kLowering;
    const TensorType& type = is_input ? step.op.inputs[index].type : step.op.outputs[index];
    begin = offsets[index];
    total = BytesIn(layout_, type);
    if (is_input && begin < 0 && packed != nullptr &&
        static_cast<int>(index) < packed->num_inputs) {
      buffer = kWeightsBuffer;
      begin = packed->inputs[index];
      if (begin < 0) return kLowering;
    } else {
      LINNET_RETURN_IF_ERROR(CheckTensor(memory_, begin, total));
    }
  }
  const int64_t bytes = operand.bytes < 0 ? total - operand.offset : operand.bytes;
  if (operand.offset < 0 || operand.offset % kWindowAlignment != 0 || operand.offset > total ||
      bytes < 0 || bytes > total - operand.offset || (operand.written && buffer == kWeightsBuffer))
    return kLowering;
  if (bytes > kMaxWindowBytes) return kTooLarge;
  *out = Window(buffer, begin + operand.offset, bytes, operand.written);
  return {};
}

Status Segment::AddStep(const StepContext& step, void* packed, std::span<const int64_t> inputs,
                        std::span<const int64_t> outputs) {
  if (WhyUnsupported(step.op) != nullptr || inputs.size() != step.op.inputs.size() ||
      outputs.size() != step.op.outputs.size())
    return {StatusCode::kInternal, "a step that Vulkan cannot run", step.index};
  const int number = num_steps_++;
  for (const TensorType& output : step.op.outputs)
    if (output.shape.num_elements() == 0) return {};
  Dispatches dispatches(device_.tiles());
  LowerStep(step.op, layout_, step.scratch_bytes, dispatches);
  int64_t threads = 1;
  for (int i = 0; i < dispatches.size(); ++i) threads += dispatches[i].threads;
  const int64_t flops_per_thread = FindOp(step.op.kind)->cost(step.op).flops / threads;
  for (int i = 0; i < dispatches.size(); ++i) {
    // What the step has computed is complete with its last dispatch.
    const Dispatch& dispatch = dispatches[i];
    FusionStep placed;
    const bool may_fuse =
        Describe(step.op, dispatch, i + 1 == dispatches.size() ? step.output_reads : -1, &placed);
    placed.flops = SaturatingMul(flops_per_thread, dispatch.threads);
    for (int k = 0; k < dispatch.num_operands; ++k) {
      Access* window = &placed.placed.windows[k];
      const Status status =
          dispatch.operands[k].kind == Operand::Kind::kStatus
              ? status_words_.Add(step.index, dispatch.bad_index, kStatusBuffer, region_, window)
              : Resolve(dispatch.operands[k], step, static_cast<const StepWeights*>(packed), inputs,
                        outputs, window);
      if (!status.ok()) return status.At(step.index);
    }
    LINNET_RETURN_IF_ERROR(AddPlaced(placed, may_fuse && device_.fuses(), number).At(step.index));
  }
  return {};
}

Status Segment::AddPlaced(const FusionStep& step, bool may_fuse, int number) {
  const bool follows = may_fuse && num_waiting_ > 0 && num_waiting_ < kMostFused &&
                       MayFollow(waiting_[num_waiting_ - 1], step);
  if (!follows) LINNET_RETURN_IF_ERROR(AddWaiting());
  waiting_numbers_[num_waiting_] = number;
  waiting_[num_waiting_++] = step;
  return may_fuse ? Status() : AddWaiting();
}

Status Segment::AddWaiting() {
  for (int begin = 0, count = 0; begin < num_waiting_; begin += count) {
    PlacedDispatch merged;
    count = Merge({waiting_ + begin, static_cast<size_t>(num_waiting_ - begin)}, &merged);
    int64_t flops = 0;
    for (int i = begin; i < begin + count; ++i) flops = SaturatingAdd(flops, waiting_[i].flops);
    merged.dispatch.mode = ModeOf(merged.dispatch);
    LINNET_RETURN_IF_ERROR(
        AddDispatch(merged.dispatch, merged.windows, flops, works_, waiting_numbers_[begin]));
  }
  num_waiting_ = 0;
  return {};
}

Status Segment::NumberPorts(Ports& ports) {
  ports.all = region_.New<Port*>(ports.count);
  if (ports.all == nullptr) return kNoMemory;
  int number = 0;
  for (Port* port = ports.first; port != nullptr; port = port->next) ports.all[number++] = port;
  return {};
}

// A part is a step, or the copies between two steps.
void Segment::NumberParts() {
  const Work* before = nullptr;
  for (Work* work = works_.first; work != nullptr; before = work, work = work->next) {
    if (before == nullptr || before->step != work->step) ++num_parts_;
    work->part = num_parts_ - 1;
  }
}

Status Segment::AllocateTimes() {
  times_ns_ = region_.New<int64_t>(num_steps_);
  ticks_ = region_.New<uint64_t>(num_parts_ + 1);
  return times_ns_ == nullptr || ticks_ == nullptr ? kNoMemory : Status();
}

Status Segment::CreateAll() {
  VkPipelineCache cache = weights_ == nullptr ? VK_NULL_HANDLE : weights_->pipeline_cache();
  LINNET_RETURN_IF_ERROR(status_words_.Allocate());
  LINNET_RETURN_IF_ERROR(pipelines_.Create(cache, region_));
  return commands_.Create(works_, pipelines_, region_);
}

Status Segment::Finish() {
  LINNET_RETURN_IF_ERROR(device_.CheckAlive());
  LINNET_RETURN_IF_ERROR(AddWaiting());
  for (Work *work = fetches_.first, *next; work != nullptr; work = next) {
    next = work->next;
    work->next = nullptr;
    works_.Append(work);
  }
  fetches_ = {};
  LINNET_RETURN_IF_ERROR(NumberPorts(inputs_));
  LINNET_RETURN_IF_ERROR(NumberPorts(outputs_));
  NumberParts();
  LINNET_RETURN_IF_ERROR(AllocateTimes());
  const Status status = CreateAll();
  if (!status.ok()) Free();
  return status;
}

}  // namespace linnet::vulkan
