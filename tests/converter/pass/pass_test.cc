// SPDX-License-Identifier: Apache-2.0
#include "tests/converter/pass/pass_test.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <random>
#include <set>

#include "converter/graph/algorithm.h"
#include "converter/graph/tensorflow/op_registry.h"
#include "converter/graph/text/text.h"
#include "converter/graph/verifier.h"
#include "converter/pass/evaluate_op.h"

namespace linnet::converter {
namespace {

std::string Message(const absl::Status& status) {
  return std::string(status.message().data(), status.message().size());
}

std::vector<Node*> NodesOfClass(const Graph& graph, NodeClass node_class) {
  std::vector<Node*> found;
  for (Node* node : graph.op_nodes())
    if (node->node_class() == node_class) found.push_back(node);
  std::sort(found.begin(), found.end(), [](const Node* a, const Node* b) {
    return a->FindAttr("index")->i() < b->FindAttr("index")->i();
  });
  return found;
}

void Visit(Node* node, std::set<const Node*>* seen, std::vector<Node*>* order) {
  if (!node->IsOp() || !seen->insert(node).second) return;
  for (int slot = 0; slot < node->num_inputs(); ++slot) Visit(node->input(slot).node, seen, order);
  for (const Edge* edge : node->in_edges())
    if (edge->IsControlEdge()) Visit(edge->src, seen, order);
  order->push_back(node);
}

Constant RandomValue(const TensorType& type, std::mt19937* random) {
  const auto count = static_cast<size_t>(type.shape.num_elements());
  if (type.dtype == DType::kFloat32) {
    std::vector<float> values(count);
    for (float& v : values) v = static_cast<float>((*random)() % 8192) / 1024.0f - 4.0f;
    return Constant::Of<float>(type.shape, std::move(values));
  }
  void* data = nullptr;
  Constant value = Constant::Allocate(type, &data);
  for (size_t i = 0; i < count; ++i)
    static_cast<char*>(data)[i * static_cast<size_t>(DTypeBytes(type.dtype))] =
        static_cast<char>((*random)() % 2);
  return value;
}

void ExpectClose(const Constant& got, const Constant& want, double tolerance) {
  ASSERT_EQ(got.type, want.type);
  if (got.type.dtype != DType::kFloat32 || tolerance == 0.0) {
    EXPECT_TRUE(std::equal(got.bytes.begin(), got.bytes.end(), want.bytes.begin()));
    return;
  }
  const auto a = got.as<float>(), b = want.as<float>();
  double largest = 1e-30;
  for (float v : b)
    if (std::isfinite(v)) largest = std::max(largest, std::abs(static_cast<double>(v)));
  for (size_t i = 0; i < a.size(); ++i) {
    if (std::isnan(a[i]) && std::isnan(b[i])) continue;
    if (a[i] != b[i]) {
      EXPECT_NEAR(a[i], b[i], tolerance * largest) << "element " << i;
    }
  }
}

void ExpectSameResults(const Graph& before, const Graph& after, double tolerance) {
  const std::vector<Constant> want = Evaluate(before), got = Evaluate(after);
  ASSERT_EQ(got.size(), want.size());
  for (size_t i = 0; i < got.size(); ++i) ExpectClose(got[i], want[i], tolerance);
}

bool IsLinnetGraph(const Graph& graph) {
  for (const Node* node : graph.op_nodes())
    if (node->node_class() > NodeClass::kOp) return false;
  return true;
}

int RunChecked(PassFunction pass, Graph& graph, const PassContext& context) {
  absl::StatusOr<int> rewrites = pass(graph, context);
  if (!rewrites.ok()) {
    ADD_FAILURE() << Message(rewrites.status());
    return -1;
  }
  const absl::Status valid = VerifyGraph(graph);
  EXPECT_TRUE(valid.ok()) << Message(valid);
  return *rewrites;
}

}  // namespace

std::unique_ptr<Graph> Parse(std::string_view text) {
  absl::StatusOr<std::unique_ptr<Graph>> graph = ParseGraph(text);
  if (graph.ok()) return *std::move(graph);
  ADD_FAILURE() << Message(graph.status()) << "\nin\n" << text;
  return std::make_unique<Graph>(OpRegistry::Global());
}

std::string Canonical(Graph& graph) {
  std::set<const Node*> seen;
  std::vector<Node*> order;
  for (Node* arg : NodesOfClass(graph, NodeClass::kArg)) Visit(arg, &seen, &order);
  for (Node* retval : NodesOfClass(graph, NodeClass::kRetval)) Visit(retval, &seen, &order);
  for (size_t i = 0; i < order.size(); ++i) {
    std::string name = "n";
    name += std::to_string(i);
    graph.Rename(order[i], name);
  }
  PrintOptions options;
  options.max_values = 64;
  std::string text;
  for (const Node* node : order) text += PrintNode(*node, options) + "\n";
  return text;
}

std::vector<Constant> Evaluate(const Graph& graph) {
  std::mt19937 random(1);
  std::map<std::pair<const Node*, int>, Constant> values;
  for (const Node* arg : NodesOfClass(graph, NodeClass::kArg))
    values[{arg, 0}] = RandomValue(arg->type(), &random);
  for (const Node* node : TopologicalOrder(graph)) {
    if (node->IsConstant()) values[{node, 0}] = node->constant().Plain();
    if (node->node_class() != NodeClass::kOp) continue;
    std::vector<Constant> inputs;
    for (int i = 0; i < node->num_inputs(); ++i)
      inputs.push_back(values[{node->input(i).node, node->input(i).index}]);
    absl::StatusOr<std::vector<Constant>> outputs = EvaluateOp(node->attrs(), inputs);
    if (!outputs.ok()) {
      ADD_FAILURE() << node->Describe() << ": " << Message(outputs.status());
      return {};
    }
    for (size_t i = 0; i < outputs->size(); ++i)
      values[{node, static_cast<int>(i)}] = (*outputs)[i];
  }
  std::vector<Constant> results;
  for (const Node* retval : NodesOfClass(graph, NodeClass::kRetval))
    results.push_back(values[{retval->input(0).node, retval->input(0).index}]);
  return results;
}

void ExpectRewritten(PassFunction pass, std::string_view before, std::string_view after,
                     const Expectation& expectation) {
  const std::unique_ptr<Graph> original = Parse(before), graph = Parse(before), want = Parse(after);
  EXPECT_GT(RunChecked(pass, *graph, expectation.context), 0) << "nothing rewritten in\n" << before;
  if (IsLinnetGraph(*original) && IsLinnetGraph(*graph))
    ExpectSameResults(*original, *graph, expectation.tolerance);
  EXPECT_EQ(RunChecked(pass, *graph, expectation.context), 0) << "not idempotent on\n" << before;
  EXPECT_EQ(Canonical(*graph), Canonical(*want));
}

void ExpectUnchanged(PassFunction pass, std::string_view text, const PassContext& context) {
  const std::unique_ptr<Graph> graph = Parse(text), want = Parse(text);
  EXPECT_EQ(RunChecked(pass, *graph, context), 0) << text;
  EXPECT_EQ(Canonical(*graph), Canonical(*want));
}

std::string ErrorOf(PassFunction pass, std::string_view text) {
  return Message(pass(*Parse(text), {}).status());
}

}  // namespace linnet::converter
