// SPDX-License-Identifier: Apache-2.0
#include "tests/conformance/chain_net.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>

#include "runtime/backends/vulkan/backend.h"
#include "runtime/backends/vulkan/memory.h"
#include "runtime/ops/binary.h"
#include "runtime/ops/clamp.h"
#include "runtime/ops/conv2d.h"
#include "runtime/ops/depthwise_conv2d.h"
#include "runtime/ops/fully_connected.h"
#include "runtime/ops/prelu.h"
#include "runtime/ops/unary.h"
#include "tests/conformance/portable_result.h"

namespace linnet::conformance {
namespace {

using schema::BinaryKind;
using schema::UnaryKind;

// The flat ones first.
constexpr BinaryKind kOperations[] = {
    BinaryKind::Add,     BinaryKind::Sub, BinaryKind::Mul, BinaryKind::Maximum,
    BinaryKind::Minimum, BinaryKind::Div, BinaryKind::Pow, BinaryKind::SquaredDifference};
constexpr int kFlatOperations = 5;

constexpr int64_t kGuardBytes = 256;
constexpr uint8_t kGuardByte = 0xc5;
constexpr uint32_t kNan = 0xffffffff;

}  // namespace

ChainNet::ChainNet(int producer, UnaryKind function) : random_(0), flat_(false) {
  const int x = Producer(AddValue({1, 5, 6, 20}, false), producer);
  values_[AddStep(UnaryAttrs{.kind = function, .alpha = 0.25f}, {x})].fetched = true;
}

std::vector<std::vector<uint8_t>> ChainNet::Expected() const {
  std::vector<std::vector<uint8_t>> outputs;
  for (const Value& value : values_)
    if (value.fetched) outputs.push_back(value.tensor.bytes);
  return outputs;
}

std::string ChainNet::Text() const {
  std::string text;
  for (const Step& step : steps_) {
    text += std::string(FindOp(step.kind)->name) + "(";
    for (const int input : step.inputs) text += " " + std::to_string(input);
    text += " ) = " + std::to_string(step.output) + " at " +
            std::to_string(values_[step.output].offset) + "\n";
  }
  return text;
}

int ChainNet::AddValue(const Shape& shape, bool constant) {
  Value value;
  value.tensor = {{DType::kFloat32, shape}, {}, constant};
  value.tensor.bytes.resize(value.tensor.type.bytes());
  std::uniform_real_distribution<float> uniform(-1.0f, 1.0f);
  for (size_t at = 0; at < value.tensor.bytes.size(); at += sizeof(float)) {
    const float element = uniform(random_);
    std::memcpy(value.tensor.bytes.data() + at, &element, sizeof(float));
  }
  values_.push_back(value);
  return static_cast<int>(values_.size()) - 1;
}

void ChainNet::Make() {
  constexpr int64_t kChannels[] = {1, 3, 4, 6, 8, 17, 36};
  const Shape shape = {1 + Pick(2), 1 + Pick(5), 1 + Pick(9), kChannels[Pick(7)]};
  int last = Producer(AddValue(shape, false), Pick(kProducers + 1));
  for (int length = 1 + Pick(5); length > 0; --length) {
    last = Elementwise(last);
    values_[last].fetched = Pick(8) == 0;
  }
  values_[last].fetched = true;
}

int ChainNet::Producer(int x, int which) {
  const Shape in = values_[x].tensor.type.shape;
  const int64_t channels = 1 + Pick(40);
  const OutputRange range = Pick(2) == 0 ? OutputRange{} : OutputRange{.min = 0, .max = 6};
  switch (which) {
    case 0:
      return AddStep(
          Conv2DAttrs{.pad_top = 1, .pad_bottom = 1, .pad_left = 1, .pad_right = 1, .range = range},
          {x, AddValue({channels, 3, 3, in[3]}, true), AddValue({channels}, true)});
    case 1:
      return AddStep(Conv2DAttrs{.range = range}, {x, AddValue({channels, 1, 1, in[3]}, true)});
    case 2:
      return AddStep(
          DepthwiseConv2DAttrs{
              .pad_top = 1, .pad_bottom = 1, .pad_left = 1, .pad_right = 1, .range = range},
          {x, AddValue({3, 3, in[3]}, true)});
    case 3:
      return AddStep(FullyConnectedAttrs{.range = range},
                     {x, AddValue({channels, in[3]}, true), AddValue({channels}, true)});
    default:
      return x;
  }
}

// The second operand of an operation with `value`.
int ChainNet::Other(int value) {
  const Shape shape = values_[value].tensor.type.shape;
  switch (Pick(5)) {
    case 0:
      return AddValue({shape[3]}, true);
    case 1:
      return AddValue({}, true);
    case 2:
      return AddValue({1, 1, 1, shape[3]}, false);
    case 3:
      for (int i = static_cast<int>(values_.size()) - 1; i >= 0; --i)
        if (Pick(2) == 0 && values_[i].writer >= 0 && values_[i].tensor.type.shape.rank() == 4)
          return i;
      [[fallthrough]];
    default:
      return AddValue(shape, false);
  }
}

int ChainNet::Elementwise(int value) {
  const OutputRange range = Pick(2) == 0 ? OutputRange{} : OutputRange{.min = -0.5f, .max = 0.75f};
  switch (Pick(5)) {
    case 0:
      return AddStep(ClampAttrs{.range = {.min = -0.25f, .max = 0.5f}}, {value});
    case 1:
      return AddStep(PreluAttrs(), {value, AddValue({values_[value].tensor.type.shape[3]}, true)});
    case 2:
      return AddStep(
          UnaryAttrs{.kind = kFunctions[Pick(flat_ ? kFlatFunctions
                                                   : static_cast<int>(std::size(kFunctions)))],
                     .alpha = 0.25f},
          {value});
    default: {
      int other = Other(value);
      const int kind = Pick(flat_ ? kFlatOperations : static_cast<int>(std::size(kOperations)));
      std::vector<int> inputs = {value, other};
      if (Pick(2) == 0) std::swap(inputs[0], inputs[1]);
      return AddStep(BinaryAttrs{.kind = kOperations[kind], .range = range}, inputs);
    }
  }
}

// Appends the step with its output, which the portable kernel computes.
void ChainNet::Compute(Step* step) {
  const int number = static_cast<int>(steps_.size());
  OpCase test;
  for (const int input : step->inputs) {
    test.inputs.push_back(values_[input].tensor);
    ++values_[input].reads;
    values_[input].last_reader = number;
  }
  std::vector<InputInfo> inputs;
  OpInstance op = Instance(*step, &inputs);
  TensorType types[kMaxOpOutputs];
  const Status status = InferTypes(op, types);
  ASSERT_TRUE(status.ok()) << status.what();
  op.outputs = {types, 1};
  std::vector<std::vector<uint8_t>> outputs;
  ASSERT_EQ(PortableResult(test, op, &outputs), "");
  Value value;
  value.tensor = {types[0], outputs[0]};
  value.writer = number;
  step->output = static_cast<int>(values_.size());
  values_.push_back(value);
  steps_.push_back(*step);
}

OpInstance ChainNet::Instance(const Step& step, std::vector<InputInfo>* inputs) const {
  for (const int input : step.inputs) {
    const CaseTensor& tensor = values_[input].tensor;
    inputs->push_back({.type = tensor.type,
                       .value = tensor.constant ? tensor.bytes.data() : nullptr,
                       .is_constant = tensor.constant});
  }
  return {.kind = step.kind, .attrs = step.attrs, .inputs = *inputs, .outputs = {}};
}

// Half of the steps that may do so write over an input that nobody reads later.
void ChainNet::PlaceAll(Layout layout) {
  std::mt19937 random(static_cast<uint32_t>(values_.size()));
  arena_bytes_ = kGuardBytes;
  for (Value& value : values_) {
    if (value.tensor.constant) continue;
    value.bytes = BytesIn(layout, value.tensor.type);
    value.offset = arena_bytes_;
    if (value.writer >= 0 && random() % 2 == 0 &&
        (FindOp(steps_[value.writer].kind)->traits & kMayRunInPlace) != 0) {
      for (const int input : steps_[value.writer].inputs) {
        const Value& over = values_[input];
        if (over.offset >= 0 && over.last_reader == value.writer && !over.fetched &&
            over.tensor.type == value.tensor.type)
          value.offset = over.offset;
      }
    }
    if (value.offset == arena_bytes_)
      arena_bytes_ = AlignUp(value.offset + value.bytes + kGuardBytes, kGuardBytes);
  }
}

Status ChainNet::Build(Layout layout, vulkan::Segment& segment, PackedWeights* weights,
                       Region& region) {
  for (const Value& value : values_)
    if (value.writer < 0 && !value.tensor.constant)
      LINNET_RETURN_IF_ERROR(segment.AddInput(value.tensor.type, value.offset));
  for (const Step& step : steps_) {
    const Value& output = values_[step.output];
    StepContext context = {.layout = layout, .output_reads = output.fetched ? -1 : output.reads};
    std::vector<InputInfo> inputs;
    context.op = Instance(step, &inputs);
    context.op.outputs = {&output.tensor.type, 1};
    void* packed = nullptr;
    LINNET_RETURN_IF_ERROR(vulkan::GetBackend().Pack(context, weights, region, &packed));
    // Sessions no longer have the values of constants.
    for (InputInfo& input : inputs) input.value = nullptr;
    std::vector<int64_t> from;
    for (const int input : step.inputs) from.push_back(values_[input].offset);
    LINNET_RETURN_IF_ERROR(segment.AddStep(context, packed, from, {&output.offset, 1}));
  }
  LINNET_RETURN_IF_ERROR(weights->Finalize());
  for (const Value& value : values_)
    if (value.fetched) LINNET_RETURN_IF_ERROR(segment.AddOutput(value.tensor.type, value.offset));
  return segment.Finish();
}

// Whether a guard has changed, or padding of an output is not 0.
std::string ChainNet::WhyWrong(DeviceMemory* memory, Layout layout) const {
  std::vector<uint8_t> arena(arena_bytes_);
  const Status status = vulkan::ReadArena(memory, 0, arena.data(), arena_bytes_);
  if (!status.ok()) return status.what();
  for (const Value& value : values_) {
    if (value.tensor.constant) continue;
    const auto* behind = arena.data() + value.offset + value.bytes;
    if (std::any_of(behind, behind + kGuardBytes, [](uint8_t b) { return b != kGuardByte; }))
      return "writes behind a tensor";
    if (!value.fetched) continue;
    const vulkan::Rows rows = vulkan::RowsOf(value.tensor.type);
    const int64_t element = ElementBytes(layout, DType::kFloat32);
    for (int64_t row = 0; row < rows.count; ++row) {
      const auto* at = arena.data() + value.offset + row * rows.quads * 4 * element;
      if (std::any_of(at + rows.columns * element, at + rows.quads * 4 * element,
                      [](uint8_t b) { return b != 0; }))
        return "padding is not 0";
    }
  }
  return "";
}

std::vector<std::vector<uint8_t>> ChainNet::Run(Layout layout, bool fuses, uint32_t* dispatches,
                                                std::string* error) {
  vulkan::Device* device = nullptr;
  Status status = vulkan::SharedDevice(&device);
  device->set_fuses(fuses);
  PlaceAll(layout);
  Region region;
  PackedWeights* weights = nullptr;
  DeviceMemory* memory = nullptr;
  RunnableSegment* runnable = nullptr;
  const DeviceBackend& backend = *vulkan::GetBackend().as_device();
  if (status.ok()) status = backend.NewPackedWeights(1 << 20, region, &weights);
  if (status.ok()) status = backend.NewMemory(arena_bytes_, 0, region, &memory);
  if (status.ok()) status = backend.NewSegment(memory, layout, weights, region, &runnable);
  if (status.ok())
    status = Build(layout, static_cast<vulkan::Segment&>(*runnable), weights, region);
  int number = 0;
  for (const Value& value : values_)
    if (value.writer < 0 && !value.tensor.constant && status.ok())
      status = runnable->BindInput(number++, value.tensor.bytes.data());
  std::vector<std::vector<uint8_t>> outputs = Expected();
  for (std::vector<uint8_t>& output : outputs) std::fill(output.begin(), output.end(), 0xff);
  for (size_t i = 0; i < outputs.size() && status.ok(); ++i)
    status = runnable->BindOutput(static_cast<int>(i), outputs[i].data());
  if (status.ok()) status = vulkan::FillArena(memory, kNan);
  const std::vector<uint8_t> guard(kGuardBytes, kGuardByte);
  for (const Value& value : values_)
    if (value.offset >= 0 && status.ok())
      status = vulkan::WriteArena(memory, value.offset + value.bytes, guard.data(), kGuardBytes);
  if (status.ok()) status = runnable->Run();
  for (size_t i = 0; i < outputs.size() && status.ok(); ++i)
    status = runnable->Fetch(static_cast<int>(i));
  *error = status.ok() ? WhyWrong(memory, layout) : status.what();
  if (runnable != nullptr) *dispatches += static_cast<vulkan::Segment*>(runnable)->num_dispatches();
  if (runnable != nullptr) runnable->Destroy();
  if (memory != nullptr) memory->Destroy();
  if (weights != nullptr) weights->Destroy();
  device->set_fuses(true);
  return outputs;
}

}  // namespace linnet::conformance
