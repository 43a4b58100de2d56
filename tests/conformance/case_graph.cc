// SPDX-License-Identifier: Apache-2.0
#include "tests/conformance/case_graph.h"

#include <cstring>

#include "converter/graph/graph.h"
#include "converter/graph/tensorflow/op_registry.h"
#include "tests/plans/graph_plan.h"

namespace linnet::conformance {
namespace {

using converter::Constant;
using converter::Graph;
using converter::OpAttrs;
using converter::Output;

Constant Value(const CaseTensor& tensor) {
  void* data;
  Constant value = Constant::Allocate(tensor.type, &data);
  if (!tensor.bytes.empty()) std::memcpy(data, tensor.bytes.data(), tensor.bytes.size());
  return value;
}

}  // namespace

std::vector<std::byte> CasePlan(const OpCase& test, std::string* error) {
  OpAttrs attrs = OpAttrs::Room(test.kind);
  if (const Status status = FindOp(test.kind)->decode(test.attrs, attrs.data()); !status.ok()) {
    *error = status.what();
    return {};
  }
  Graph graph(converter::OpRegistry::Global());
  std::vector<Output> inputs;
  int args = 0;
  for (const CaseTensor& tensor : test.inputs) {
    const std::string index = std::to_string(tensor.constant ? inputs.size() : args);
    inputs.push_back({tensor.constant ? graph.AddConstant("constant" + index, Value(tensor))
                                      : graph.AddArg("arg" + index, args++, tensor.type),
                      0});
  }
  const auto node = graph.AddOp("op", attrs, inputs);
  if (!node.ok()) {
    *error = std::string(node.status().message());
    return {};
  }
  for (int i = 0; i < (*node)->num_outputs(); ++i)
    graph.AddRetval("ret" + std::to_string(i), i, {*node, i});
  return GraphPlan(graph);
}

}  // namespace linnet::conformance
