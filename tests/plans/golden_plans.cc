// SPDX-License-Identifier: Apache-2.0
#include "tests/plans/golden_plans.h"

#include <cstdlib>

#include "converter/graph/graph.h"
#include "converter/graph/session_state.h"
#include "converter/graph/structured_node.h"
#include "converter/graph/tensorflow/op_registry.h"
#include "runtime/core/half.h"
#include "runtime/ops/all_attrs.h"
#include "tests/plans/graph_plan.h"

namespace linnet {
namespace {

using converter::Constant;
using converter::Graph;
using converter::Output;

std::vector<float> Ramp(int64_t count, float scale) {
  std::vector<float> values;
  for (int64_t i = 0; i < count; ++i)
    values.push_back(scale * static_cast<float>((i * 37) % 23 - 11));
  return values;
}

Output Floats(Graph& graph, const char* name, const Shape& shape, float scale) {
  return {graph.AddConstant(name, Constant::Of<float>(shape, Ramp(shape.num_elements(), scale))),
          0};
}

// The same values stored as binary16, as in tfjs models.
Output Halves(Graph& graph, const char* name, const Shape& shape, float scale) {
  std::vector<uint16_t> bits;
  for (float value : Ramp(shape.num_elements(), scale)) bits.push_back(FloatToHalf(value));
  Constant constant = Constant::Of<uint16_t>(shape, std::move(bits));
  constant.type.dtype = DType::kFloat32;
  constant.encoding = schema::Encoding::Float16;
  return {graph.AddConstant(name, std::move(constant)), 0};
}

Output Op(Graph& graph, const char* name, const converter::OpAttrs& attrs,
          std::initializer_list<Output> inputs) {
  auto node = graph.AddOp(name, attrs, inputs);
  if (!node.ok()) std::abort();  // an invalid graph is a mistake in this file
  return {*node, 0};
}

// A convolution that keeps the picture's size and clamps at zero, with a filter of halves.
Output Convolution(Graph& graph, const char* name, Output x, const Shape& filter) {
  Conv2DAttrs attrs;
  attrs.pad_top = attrs.pad_bottom = attrs.pad_left = attrs.pad_right = 1;
  attrs.range.min = 0.0f;
  return Op(graph, name, attrs,
            {x, Halves(graph, "filter", filter, 0.03f), Floats(graph, "bias", {filter[0]}, 0.1f)});
}

void BuildGraph(Graph& graph) {
  const Output x{graph.AddArg("x", 0, {DType::kFloat32, {1, 6, 6, 3}}), 0};
  const Output index{graph.AddArg("index", 1, {DType::kInt32, {2}}), 0};
  const Output features = Convolution(graph, "conv", x, {4, 3, 3, 3});
  Pool2DAttrs pool;
  pool.kind = schema::PoolKind::Max;
  pool.window_h = pool.window_w = pool.stride_h = pool.stride_w = 2;
  const Output pooled = Op(graph, "pool", pool, {features});
  ReshapeAttrs flat;
  flat.shape = {1, 36};
  const Output row = Op(graph, "flatten", flat, {pooled});
  const Output logits =
      Op(graph, "dense", FullyConnectedAttrs{},
         {row, Floats(graph, "weights", {5, 36}, 0.02f), Floats(graph, "offsets", {5}, 0.2f)});
  const Output probabilities = Op(graph, "softmax", SoftmaxAttrs{}, {logits});
  ReshapeAttrs table;
  table.shape = {9, 4};
  const Output rows = Op(graph, "table", table, {pooled});
  const Output picked = Op(graph, "picked", GatherAttrs{}, {rows, index});
  graph.AddRetval("ret0", 0, probabilities);
  graph.AddRetval("ret1", 1, picked);
  // This state is kept from run to run, but is in no output, so that runs give equal outputs.
  const TensorType sum{DType::kFloat32, {2, 4}};
  const Output before{converter::AddState(&graph, "sum", sum), 0};
  BinaryAttrs add;
  add.kind = schema::BinaryKind::Add;
  converter::AddNextState(&graph, "sum", Op(graph, "sum", add, {before, picked}));
}

std::vector<std::byte> Small() {
  Graph graph(converter::OpRegistry::Global());
  BuildGraph(graph);
  const converter::PortName inputs[] = {{"x", "x:0"}, {"index", "index:0"}};
  const converter::PortName outputs[] = {{"probabilities", "softmax:0"}, {"picked", "picked:0"}};
  return GraphPlan(graph, inputs, outputs, {{"sum", Constant::Of<float>({2, 4}, Ramp(8, 1.0f))}});
}

std::vector<std::byte> Sum() {
  Graph graph(converter::OpRegistry::Global());
  const Output x{graph.AddArg("x", 0, {DType::kFloat32, {3}}), 0};
  const Output index{graph.AddArg("index", 1, {DType::kInt32, {1}}), 0};
  const Output before{converter::AddState(&graph, "sum", {DType::kFloat32, {3}}), 0};
  BinaryAttrs add;
  add.kind = schema::BinaryKind::Add;
  const Output sum = Op(graph, "sum", add, {before, x});
  const Output picked = Op(graph, "picked", GatherAttrs{}, {sum, index});
  converter::AddNextState(&graph, "sum", sum);
  converter::AddNextState(&graph, "last", x);
  const Output last{converter::AddState(&graph, "last", {DType::kFloat32, {3}}), 0};
  ReshapeAttrs same;
  same.shape = {3};
  graph.AddRetval("ret0", 0, sum);
  graph.AddRetval("ret1", 1, Op(graph, "copy", same, {last}));
  graph.AddRetval("ret2", 2, picked);
  const converter::PortName inputs[] = {{"x", "x:0"}, {"index", "index:0"}};
  const converter::PortName outputs[] = {
      {"sum", "sum:0"}, {"last", "last:0"}, {"picked", "picked:0"}};
  return GraphPlan(graph, inputs, outputs,
                   {{"sum", Constant::Of<float>({3}, {1, 2, 3})},
                    {"last", Constant::Of<float>({3}, {0, 0, 0})}});
}

std::vector<std::byte> Varying() {
  using converter::Extent;
  Graph graph(converter::OpRegistry::Global());
  const Output x{graph.AddArg("x", 0, {DType::kFloat32, {8, 3}}), 0};
  const Output keep{graph.AddArg("keep", 1, {DType::kBool, {8}}), 0};
  const Extent n = Extent::OfSymbol(graph.shapes().AddSymbol("n", 1, 8, {}));
  graph.SetExtents(x, {n, 3});
  BinaryAttrs add;
  add.kind = schema::BinaryKind::Add;
  const Output sum = Op(graph, "sum", add, {x, Floats(graph, "ramp", {3}, 1.0f)});
  PadAttrs pad;
  pad.before = {0, 0};
  pad.after = {8, 0};
  converter::OpAttrs padding = pad;
  padding.Vary(PadAttrs::kAfterSlot, Extent(8) - n);
  const Output where = Op(graph, "where", WhereAttrs{}, {keep});
  const Extent m = Extent::OfSymbol(graph.shapes().AddSymbol("m", 0, 8, {where.node, 1, 0}));
  SliceAttrs first;
  first.begin = {0, 0};
  first.size = {8, 1};
  first.stride = {1, 1};
  converter::OpAttrs found = first;
  found.Vary(0, m);
  graph.AddRetval("ret0", 0, sum);
  graph.AddRetval("ret1", 1, Op(graph, "padded", padding, {x}));
  graph.AddRetval("ret2", 2, Op(graph, "found", found, {where}));
  graph.AddRetval("ret3", 3, Op(graph, "rows", ShapeOfAttrs{}, {sum}));
  const converter::PortName inputs[] = {{"x", "x:0"}, {"keep", "keep:0"}};
  const converter::PortName outputs[] = {
      {"sum", "sum:0"}, {"padded", "padded:0"}, {"found", "found:0"}, {"rows", "rows:0"}};
  return GraphPlan(graph, inputs, outputs, {});
}

std::vector<std::byte> Pictures() {
  using converter::Extent;
  Graph graph(converter::OpRegistry::Global());
  const Output x{graph.AddArg("x", 0, {DType::kFloat32, {1, 9, 12, 2}}), 0};
  const Extent height = Extent::OfSymbol(graph.shapes().AddSymbol("height", 1, 9, {}));
  const Extent width = Extent::OfSymbol(graph.shapes().AddSymbol("width", 1, 12, {}));
  graph.SetExtents(x, {1, height, width, 2});
  Conv2DAttrs half;
  half.stride_h = half.stride_w = 2;
  half.same = true;
  half.range.min = 0.0f;
  const Output features =
      Op(graph, "features", half,
         {x, Floats(graph, "filter", {4, 3, 3, 2}, 0.03f), Floats(graph, "bias", {4}, 0.1f)});
  Pool2DAttrs most;
  most.kind = schema::PoolKind::Max;
  most.window_h = most.window_w = 3;
  most.stride_h = most.stride_w = 2;
  most.same = true;
  ConcatAttrs channels;
  channels.axis = 3;
  const Output joined = Op(graph, "joined", channels, {features, Op(graph, "most", most, {x})});
  DepthwiseConv2DAttrs each;
  each.stride_h = each.stride_w = 3;
  each.same = true;
  graph.AddRetval("ret0", 0, joined);
  graph.AddRetval("ret1", 1,
                  Op(graph, "each", each, {joined, Floats(graph, "taps", {2, 3, 6}, 0.05f)}));
  const converter::PortName inputs[] = {{"x", "x:0"}};
  const converter::PortName outputs[] = {{"joined", "joined:0"}, {"each", "each:0"}};
  return GraphPlan(graph, inputs, outputs, {});
}

std::vector<std::byte> Loop() {
  return TextPlan(R"(
    y = arg f32[3]
    limit = arg f32[]
    loop = While(const i32[] 0, y, limit) [
      n = arg i32[]
      y = arg f32[3]
      limit = arg f32[]
      sum = Reduce(y) {kind: Sum, axes: [0], keep_dims: false}
      less = Compare(sum, limit) {kind: Less}
      goes_on = ret(less)
    ] [
      n = arg i32[]
      y = arg f32[3]
      more = Binary(n, const i32[] 1) {kind: Add}
      twice = Binary(y, const f32[] 2) {kind: Mul}
      ret0 = ret(more)
      ret1 = ret(twice)
    ]
    n = ret(loop)
    z = ret(loop:1))");
}

std::vector<std::byte> Large() {
  return TextPlan(R"(
    x = arg f32[1,40,40,24]
    wide = Conv2D(x, const f32[96,1,1,24] seed=1, const f32[96] seed=2) {range: {min: 0, max: 6}}
    window = Conv2D(wide, const f32[40,3,3,96] seed=3, const f32[40] seed=4)
             {pad_top: 1, pad_bottom: 1, pad_left: 1, pad_right: 1}
    each = DepthwiseConv2D(window, const f32[5,5,40] seed=5, const f32[40] seed=6)
           {stride_h: 2, stride_w: 2, pad_top: 1, pad_bottom: 2, pad_left: 1, pad_right: 2}
    curve = Unary(each) {kind: Sigmoid}
    sum = Binary(curve, each) {kind: Add}
    out = ret(sum))");
}

// A block of a MobileNet, whose steps run together in strips.
std::vector<std::byte> Strips() {
  Graph graph(converter::OpRegistry::Global());
  const Output x{graph.AddArg("x", 0, {DType::kFloat32, {1, 16, 24, 2}}), 0};
  const Output wide = Convolution(graph, "wide", x, {96, 3, 3, 2});
  DepthwiseConv2DAttrs each;
  each.pad_top = each.pad_bottom = each.pad_left = each.pad_right = 1;
  each.range = {0.0f, 6.0f};
  const Output windows =
      Op(graph, "windows", each,
         {wide, Floats(graph, "taps", {3, 3, 96}, 0.05f), Floats(graph, "offsets", {96}, 0.02f)});
  const Output narrow =
      Op(graph, "narrow", Conv2DAttrs{}, {windows, Floats(graph, "matrix", {2, 1, 1, 96}, 0.01f)});
  BinaryAttrs add;
  add.kind = schema::BinaryKind::Add;
  graph.AddRetval("ret0", 0, Op(graph, "y", add, {narrow, x}));
  const converter::PortName inputs[] = {{"x", "x:0"}}, outputs[] = {{"y", "y:0"}};
  return GraphPlan(graph, inputs, outputs, {}, {}, converter::DeviceSet({}),
                   {.strips = converter::StripUse::kMemory});
}

// Filters that the plan has in panels, of floats and of halves.
std::vector<std::byte> Panels() {
  Graph graph(converter::OpRegistry::Global());
  const Output x{graph.AddArg("x", 0, {DType::kFloat32, {1, 4, 5, 16}}), 0};
  const Output features = Convolution(graph, "features", x, {24, 3, 3, 16});
  graph.AddRetval(
      "ret0", 0,
      Op(graph, "y", FullyConnectedAttrs{}, {features, Floats(graph, "matrix", {48, 24}, 0.05f)}));
  const converter::PortName inputs[] = {{"x", "x:0"}}, outputs[] = {{"y", "y:0"}};
  return GraphPlan(graph, inputs, outputs, {});
}

constexpr GoldenPlanSource kSources[] = {
    {"small", Small}, {"sum", Sum},     {"varying", Varying}, {"pictures", Pictures},
    {"loop", Loop},   {"large", Large}, {"panels", Panels},   {"strips", Strips}};

}  // namespace

std::span<const GoldenPlanSource> GoldenPlanSources() { return kSources; }

}  // namespace linnet
