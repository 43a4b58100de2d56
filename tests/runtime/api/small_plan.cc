// SPDX-License-Identifier: Apache-2.0
#include "tests/runtime/api/small_plan.h"

#include <cstdlib>
#include <cstring>
#include <map>
#include <span>

#include "converter/graph/graph.h"
#include "converter/graph/session_state.h"
#include "converter/graph/structured_node.h"
#include "converter/graph/tensorflow/op_registry.h"
#include "converter/graph/text/text.h"
#include "converter/plan/plan_writer.h"
#include "converter/plan/program.h"
#include "runtime/core/half.h"
#include "runtime/ops/all_attrs.h"
#include "tests/scratch_folder.h"

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

// The same values stored as binary16, as tfjs models keep them.
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
  if (!node.ok()) std::abort();  // a mistake in this file
  return {*node, 0};
}

void BuildGraph(Graph& graph) {
  const Output x{graph.AddArg("x", 0, {DType::kFloat32, {1, 6, 6, 3}}), 0};
  const Output index{graph.AddArg("index", 1, {DType::kInt32, {2}}), 0};
  Conv2DAttrs conv;
  conv.pad_top = conv.pad_bottom = conv.pad_left = conv.pad_right = 1;
  conv.range.min = 0.0f;
  const Output features =
      Op(graph, "conv", conv,
         {x, Halves(graph, "filter", {4, 3, 3, 3}, 0.03f), Floats(graph, "bias", {4}, 0.1f)});
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
  // Kept from run to run, but in no output: runs repeat.
  const TensorType sum{DType::kFloat32, {2, 4}};
  const Output before{converter::AddState(&graph, "sum", sum), 0};
  BinaryAttrs add;
  add.kind = schema::BinaryKind::Add;
  converter::AddNextState(&graph, "sum", Op(graph, "sum", add, {before, picked}));
}

using States = std::map<std::string, Constant>;

std::vector<std::byte> Write(const Graph& graph, std::span<const converter::PortName> inputs,
                             std::span<const converter::PortName> outputs, const States& states,
                             const converter::Partition& partition = {},
                             const converter::DeviceSet& devices = converter::DeviceSet({})) {
  auto program = converter::BuildProgram(graph, "serving_default", inputs, outputs, states,
                                         partition, devices);
  const ScratchFolder folder;
  const std::string path = folder / "plan.linnet";
  if (!program.ok() || !WritePlan(*program, path, converter::WrittenCheck::kNone).ok())
    std::abort();
  const std::string text = ReadAll(path);
  const auto* bytes = reinterpret_cast<const std::byte*>(text.data());
  return {bytes, bytes + text.size()};
}

std::vector<std::byte> Build() {
  Graph graph(converter::OpRegistry::Global());
  BuildGraph(graph);
  const converter::PortName inputs[] = {{"x", "x:0"}, {"index", "index:0"}};
  const converter::PortName outputs[] = {{"probabilities", "softmax:0"}, {"picked", "picked:0"}};
  return Write(graph, inputs, outputs, {{"sum", Constant::Of<float>({2, 4}, Ramp(8, 1.0f))}});
}

}  // namespace

const std::vector<std::byte>& SmallPlan() {
  static const auto* const kPlan = new std::vector<std::byte>(Build());
  return *kPlan;
}

std::vector<std::byte> SumPlan() {
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
  return Write(graph, inputs, outputs,
               {{"sum", Constant::Of<float>({3}, {1, 2, 3})},
                {"last", Constant::Of<float>({3}, {0, 0, 0})}});
}

namespace {

std::vector<std::byte> BuildVarying() {
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
  return Write(graph, inputs, outputs, {});
}

}  // namespace

const std::vector<std::byte>& VaryingPlan() {
  static const auto* const kPlan = new std::vector<std::byte>(BuildVarying());
  return *kPlan;
}

std::vector<std::byte> TextPlan(std::string_view text) {
  const auto graph = converter::ParseGraph(text);
  if (!graph.ok()) {
    std::fprintf(stderr, "%s\n", std::string(graph.status().message()).c_str());
    std::abort();
  }
  return GraphPlan(**graph);
}

std::vector<std::byte> GraphPlan(const Graph& graph) {
  return GraphPlan(graph, {}, converter::DeviceSet({}));
}

std::vector<std::byte> GraphPlan(const Graph& graph, const converter::Partition& partition,
                                 const converter::DeviceSet& devices) {
  std::vector<converter::PortName> inputs, outputs;
  for (size_t i = 0; i < converter::RegionArguments(graph).size(); ++i)
    inputs.push_back({"in" + std::to_string(i), ""});
  for (size_t i = 0; i < converter::RegionResults(graph).size(); ++i)
    outputs.push_back({"out" + std::to_string(i), ""});
  States states;  // zeros at first
  for (const converter::Node* node : graph.op_nodes())
    if (node->node_class() == converter::NodeClass::kArg && converter::IsState(*node))
      states[converter::StateName(*node)] = Constant::Of<float>(
          node->type().shape,
          std::vector<float>(static_cast<size_t>(node->type().shape.num_elements())));
  return Write(graph, inputs, outputs, states, partition, devices);
}

std::vector<std::byte> LoopPlan() {
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

}  // namespace linnet
