// SPDX-License-Identifier: Apache-2.0
// Single steps on XNNPACK and on our portable kernels, one thread, in the shapes of MobileNetV2 and
// of some cases about which support.cc decides. Names end with the backend.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <cstring>
#include <deque>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include "runtime/backends/portable/backend.h"
#include "runtime/backends/xnnpack/backend.h"
#include "runtime/backends/xnnpack/support.h"
#include "runtime/ops/all_attrs.h"
#include "runtime/ops/op_codec.h"

namespace linnet {
namespace {

class Floats {
 public:
  explicit Floats(int64_t count) : data_(static_cast<float*>(region_.Allocate(count * 4 + 128))) {
    std::minstd_rand generator(1);
    std::uniform_real_distribution<float> uniform(-1, 1);
    for (int64_t i = 0; i < count + 32; ++i) data_[i] = uniform(generator);
  }
  float* data() const { return data_; }

 private:
  Region region_;
  float* data_;
};

struct Case {
  std::string name;
  OpKind kind;
  std::vector<uint8_t> attrs;
  std::vector<Shape> inputs;
  size_t num_constants;  // the last inputs
};

template <typename Attrs>
Case Make(const char* name, const Attrs& attrs, std::vector<Shape> inputs, size_t constants = 0) {
  std::vector<uint8_t> bytes(kMaxAttrsBytes);
  std::memcpy(bytes.data(), &attrs, sizeof(attrs));
  return {name, KindOf<Attrs>::value, bytes, std::move(inputs), constants};
}

void Run(benchmark::State& state, const Case& c, const Backend& backend) {
  alignas(8) uint8_t attrs[kMaxAttrsBytes];
  std::copy(c.attrs.begin(), c.attrs.end(), attrs);
  std::deque<Floats> data;
  std::vector<InputInfo> inputs;
  for (const Shape& shape : c.inputs) data.emplace_back(shape.num_elements());
  for (size_t i = 0; i < c.inputs.size(); ++i) {
    const bool constant = i >= c.inputs.size() - c.num_constants;
    inputs.push_back({{DType::kFloat32, c.inputs[i]}, constant ? data[i].data() : nullptr});
  }
  StepContext step = {0, {.kind = c.kind, .attrs = attrs, .inputs = inputs}};
  TensorType types[kMaxOpOutputs];
  Status status = InferTypes(step.op, types);
  if (!status.ok()) return state.SkipWithError(status.what());
  step.op.outputs = {types, 1};
  const char* reason = &backend == &xnnpack::GetBackend()
                           ? xnnpack::WhyUnable(step.op, xnnpack::DeviceFeatures())
                           : backend.WhyUnsupported(step.op);
  if (reason != nullptr) return state.SkipWithError(reason);
  Region prepared, session;
  PackedWeights* weights = nullptr;
  void* packed = nullptr;
  RunnableStep* runnable = nullptr;
  int64_t workspace_bytes = 0;
  status = backend.Initialize();
  if (status.ok()) status = backend.NewPackedWeights(0, prepared, &weights);
  if (status.ok()) status = backend.Pack(step, weights, prepared, &packed);
  if (status.ok() && weights != nullptr) status = weights->Finalize();
  if (status.ok())
    status = backend.Create(step, weights, packed, Threads(), session, &runnable, &workspace_bytes);
  if (!status.ok()) return state.SkipWithError(status.what());
  const Floats output(types[0].shape.num_elements()), workspace(workspace_bytes / 4 + 1);
  std::vector<void*> in;
  for (const Floats& input : data) in.push_back(input.data());
  void* out[] = {output.data()};
  status = runnable->Setup({in, out, workspace.data()});
  for (auto _ : state) {
    status = runnable->Run();
    if (!status.ok()) return state.SkipWithError(status.what());
  }
  runnable->Destroy();
  const double flops = static_cast<double>(FindOp(c.kind)->cost(step.op).flops);
  state.counters["GFLOP/s"] =
      benchmark::Counter(1e-9 * flops, benchmark::Counter::kIsIterationInvariantRate);
}

constexpr OutputRange kRelu6 = {0, 6};
constexpr OutputRange kRelu = {0, std::numeric_limits<float>::infinity()};

Conv2DAttrs Conv(int stride, int pad) {
  Conv2DAttrs attrs;
  attrs.stride_h = attrs.stride_w = stride;
  attrs.pad_top = attrs.pad_left = stride == 2 ? 0 : pad;
  attrs.pad_bottom = attrs.pad_right = pad;
  attrs.range = kRelu6;
  return attrs;
}

DepthwiseConv2DAttrs Depthwise(int stride) {
  DepthwiseConv2DAttrs attrs;
  attrs.stride_h = attrs.stride_w = stride;
  attrs.pad_top = attrs.pad_left = stride == 2 ? 0 : 1;
  attrs.pad_bottom = attrs.pad_right = 1;
  attrs.range = kRelu6;
  return attrs;
}

BinaryAttrs Binary(schema::BinaryKind kind, OutputRange range = {}) {
  BinaryAttrs attrs;
  attrs.kind = kind;
  attrs.range = range;
  return attrs;
}

UnaryAttrs Unary(schema::UnaryKind kind) {
  UnaryAttrs attrs;
  attrs.kind = kind;
  return attrs;
}

Pool2DAttrs Pool(schema::PoolKind kind, int window, int stride) {
  Pool2DAttrs attrs;
  attrs.kind = kind;
  attrs.window_h = attrs.window_w = window;
  attrs.stride_h = attrs.stride_w = stride;
  return attrs;
}

ReduceAttrs Mean(Shape axes) {
  ReduceAttrs attrs;
  attrs.kind = schema::ReduceKind::Mean;
  attrs.axes = axes;
  return attrs;
}

ResizeAttrs Bilinear(int size) {
  ResizeAttrs attrs;
  attrs.mode = schema::ResizeMode::Bilinear;
  attrs.sampling = schema::Sampling::HalfPixel;
  attrs.output_h = attrs.output_w = size;
  return attrs;
}

TransposeConv2DAttrs Up(int in) {
  TransposeConv2DAttrs attrs;
  attrs.stride_h = attrs.stride_w = 2;
  attrs.output_h = attrs.output_w = in * 2;
  attrs.pad_bottom = attrs.pad_right = 1;
  return attrs;
}

TransposeAttrs Perm(Shape perm) {
  TransposeAttrs attrs;
  attrs.perm = perm;
  return attrs;
}

PadAttrs Pad() {
  PadAttrs attrs;
  attrs.before = {0, 1, 1, 0};
  attrs.after = {0, 1, 1, 0};
  return attrs;
}

std::vector<Case> Cases() {
  using schema::BinaryKind;
  using schema::PoolKind;
  using schema::UnaryKind;
  const Shape map = {1, 56, 56, 24};
  DepthToSpaceAttrs d2s;
  d2s.block = 2;
  SpaceToDepthAttrs s2d;
  s2d.block = 2;
  return {
      Make("conv3x3s2_224x3_32", Conv(2, 1), {{1, 224, 224, 3}, {32, 3, 3, 3}, {32}}, 2),
      Make("conv3x3_28x64_64", Conv(1, 1), {{1, 28, 28, 64}, {64, 3, 3, 64}, {64}}, 2),
      Make("conv1x1_112x32_16", Conv(1, 0), {{1, 112, 112, 32}, {16, 1, 1, 32}, {16}}, 2),
      Make("conv1x1_56x24_144", Conv(1, 0), {{1, 56, 56, 24}, {144, 1, 1, 24}, {144}}, 2),
      Make("conv1x1_14x64_384", Conv(1, 0), {{1, 14, 14, 64}, {384, 1, 1, 64}, {384}}, 2),
      Make("conv1x1_7x320_1280", Conv(1, 0), {{1, 7, 7, 320}, {1280, 1, 1, 320}, {1280}}, 2),
      Make("depthwise3x3_56x144", Depthwise(1), {{1, 56, 56, 144}, {3, 3, 144}, {144}}, 2),
      Make("depthwise3x3s2_112x96", Depthwise(2), {{1, 112, 112, 96}, {3, 3, 96}, {96}}, 2),
      Make("depthwise3x3_7x960", Depthwise(1), {{1, 7, 7, 960}, {3, 3, 960}, {960}}, 2),
      Make("depthwise7x7_56x96", Depthwise(1), {{1, 56, 56, 96}, {7, 7, 96}, {96}}, 2),
      Make("depthwise7x7_7x768", Depthwise(1), {{1, 9, 9, 768}, {7, 7, 768}, {768}}, 2),
      Make("depthwise3x3_28x32_multiplier2", Depthwise(1), {{1, 28, 28, 32}, {3, 3, 64}, {64}}, 2),
      Make("depthwise3x3_28x32_multiplier8", Depthwise(1), {{1, 28, 28, 32}, {3, 3, 256}, {256}},
           2),
      Make("depthwise3x3_56x1_multiplier32", Depthwise(1), {{1, 56, 56, 1}, {3, 3, 32}, {32}}, 2),
      Make("transpose_conv3x3s2_28x64_32", Up(28), {{1, 28, 28, 64}, {32, 3, 3, 64}, {32}}, 2),
      Make("fully_connected_1280_1000", FullyConnectedAttrs(), {{1, 1280}, {1000, 1280}, {1000}},
           2),
      Make("fully_connected_128x768_768", FullyConnectedAttrs(), {{128, 768}, {768, 768}, {768}},
           2),
      Make("max_pool2x2s2_112x64", Pool(PoolKind::Max, 2, 2), {{1, 112, 112, 64}}),
      Make("max_pool3x3s2_112x64", Pool(PoolKind::Max, 3, 2), {{1, 112, 112, 64}}),
      Make("max_pool3x3_128x80", Pool(PoolKind::Max, 3, 1), {{1, 128, 128, 80}}),
      Make("average_pool7x7_7x1280", Pool(PoolKind::Average, 7, 1), {{1, 7, 7, 1280}}),
      Make("average_pool2x2s2_56x64", Pool(PoolKind::Average, 2, 2), {{1, 56, 56, 64}}),
      Make("mean_hw_7x1280", Mean({1, 2}), {{1, 7, 7, 1280}}),
      Make("mean_hw_128x128", Mean({1, 2}), {{1, 128, 128, 128}}),
      Make("mean_last_128x768", Mean({1}), {{128, 768}}),
      Make("add", Binary(BinaryKind::Add), {map, map}),
      Make("add_relu", Binary(BinaryKind::Add, kRelu), {map, map}),
      Make("add_channel", Binary(BinaryKind::Add), {map, {24}}, 1),
      Make("add_64_channels", Binary(BinaryKind::Add), {{1, 28, 28, 64}, {64}}, 1),
      Make("add_128_channels", Binary(BinaryKind::Add), {{1, 28, 28, 128}, {128}}, 1),
      Make("mul_scalar", Binary(BinaryKind::Mul), {map, {}}, 1),
      Make("mul_rows", Binary(BinaryKind::Mul), {map, {1, 1, 1, 24}}),
      Make("maximum", Binary(BinaryKind::Maximum), {map, map}),
      Make("clamp", ClampAttrs{kRelu6}, {map}),
      Make("sigmoid", Unary(UnaryKind::Sigmoid), {map}),
      Make("hard_swish", Unary(UnaryKind::HardSwish), {map}),
      Make("elu", Unary(UnaryKind::Elu), {map}),
      Make("exp", Unary(UnaryKind::Exp), {map}),
      Make("tanh", Unary(UnaryKind::Tanh), {map}),
      Make("gelu_erf", Unary(UnaryKind::GeluErf), {map}),
      Make("abs", Unary(UnaryKind::Abs), {map}),
      Make("square", Unary(UnaryKind::Square), {map}),
      Make("floor", Unary(UnaryKind::Floor), {map}),
      Make("prelu", PreluAttrs(), {map, {24}}, 1),
      Make("softmax_1x1000", SoftmaxAttrs(), {{1, 1000}}),
      Make("softmax_1536x128", SoftmaxAttrs(), {{1536, 128}}),
      Make("softmax_4096x40", SoftmaxAttrs(), {{4096, 40}}),
      Make("softmax_8732x21", SoftmaxAttrs(), {{8732, 21}}),
      Make("resize_33_to_65x256", Bilinear(65), {{1, 33, 33, 256}}),
      Make("resize_64_to_128x64", Bilinear(128), {{1, 64, 64, 64}}),
      Make("resize_65_to_513x21", Bilinear(513), {{1, 65, 65, 21}}),
      Make("pad_56x24", Pad(), {map}),
      Make("depth_to_space_56x24", d2s, {map}),
      Make("space_to_depth_56x24", s2d, {map}),
      Make("transpose_0213_128x12x64", Perm({0, 2, 1, 3}), {{1, 128, 12, 64}}),
      Make("transpose_nhwc_nchw_56x24", Perm({0, 3, 1, 2}), {map}),
      Make("transpose_10_768x768", Perm({1, 0}), {{768, 768}}),
      Make("batch_matmul_12x128x64x128", BatchMatMulAttrs(), {{12, 128, 64}, {12, 64, 128}}),
      Make("batch_matmul_12x128x64x128_tb", BatchMatMulAttrs{false, true},
           {{12, 128, 64}, {12, 128, 64}}),
  };
}

}  // namespace
}  // namespace linnet

int main(int argc, char** argv) {
  const std::vector<linnet::Case> cases = linnet::Cases();
  for (const linnet::Case& c : cases) {
    for (const linnet::Backend* backend :
         {&linnet::portable::GetBackend(), &linnet::xnnpack::GetBackend()}) {
      benchmark::RegisterBenchmark(
          (c.name + "/" + backend->name()).c_str(),
          [&c, backend](benchmark::State& state) { linnet::Run(state, c, *backend); });
    }
  }
  benchmark::Initialize(&argc, argv);
  benchmark::RunSpecifiedBenchmarks();
}
