// SPDX-License-Identifier: Apache-2.0
#include "tests/runtime/api/small_plan.h"

#include <unistd.h>

#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>

#include "converter/graph/graph.h"
#include "converter/graph/op_registry.h"
#include "converter/plan/plan_writer.h"
#include "converter/plan/program.h"
#include "runtime/core/half.h"
#include "runtime/ops/all_attrs.h"

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
  return {graph.AddConstant(name, Constant::Of<float>(shape, Ramp(shape.num_elements(), scale))), 0};
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
  const Output features = Op(graph, "conv", conv,
                             {x, Halves(graph, "filter", {4, 3, 3, 3}, 0.03f), Floats(graph, "bias", {4}, 0.1f)});
  Pool2DAttrs pool;
  pool.kind = schema::PoolKind::Max;
  pool.window_h = pool.window_w = pool.stride_h = pool.stride_w = 2;
  const Output pooled = Op(graph, "pool", pool, {features});
  ReshapeAttrs flat;
  flat.shape = {1, 36};
  const Output row = Op(graph, "flatten", flat, {pooled});
  const Output logits = Op(graph, "dense", FullyConnectedAttrs{},
                           {row, Floats(graph, "weights", {5, 36}, 0.02f), Floats(graph, "offsets", {5}, 0.2f)});
  const Output probabilities = Op(graph, "softmax", SoftmaxAttrs{}, {logits});
  ReshapeAttrs table;
  table.shape = {9, 4};
  const Output rows = Op(graph, "table", table, {pooled});
  const Output picked = Op(graph, "picked", GatherAttrs{}, {rows, index});
  graph.AddRetval("ret0", 0, probabilities);
  graph.AddRetval("ret1", 1, picked);
}

std::vector<std::byte> Build() {
  Graph graph(converter::OpRegistry::Global());
  BuildGraph(graph);
  const converter::PortName inputs[] = {{"x", "x:0"}, {"index", "index:0"}};
  const converter::PortName outputs[] = {{"probabilities", "softmax:0"}, {"picked", "picked:0"}};
  auto program = converter::BuildProgram(graph, "serving_default", inputs, outputs);
  const std::string path = "/tmp/linnet_small_plan_" + std::to_string(getpid()) + ".linnet";
  if (!program.ok() || !converter::WritePlan(*program, path).ok()) std::abort();
  std::ifstream file(path, std::ios::binary);
  const std::string text((std::istreambuf_iterator<char>(file)), {});
  std::remove(path.c_str());
  const auto* bytes = reinterpret_cast<const std::byte*>(text.data());
  return {bytes, bytes + text.size()};
}

}  // namespace

const std::vector<std::byte>& SmallPlan() {
  static const auto* const kPlan = new std::vector<std::byte>(Build());
  return *kPlan;
}

PlacedBytes::PlacedBytes(const std::vector<std::byte>& bytes, size_t misalignment)
    : size_(bytes.size()) {
  if (posix_memalign(&block_, 64, bytes.size() + misalignment) != 0) std::abort();
  data_ = static_cast<std::byte*>(block_) + misalignment;
  if (!bytes.empty()) std::memcpy(data_, bytes.data(), bytes.size());
}

PlacedBytes::~PlacedBytes() { std::free(block_); }

}  // namespace linnet
