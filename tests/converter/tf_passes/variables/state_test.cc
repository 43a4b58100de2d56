// SPDX-License-Identifier: Apache-2.0
#include "tests/converter/tf_passes/variables/state_test.h"

#include "converter/graph/region_function.h"
#include "converter/graph/session_state.h"
#include "converter/graph/tensorflow/function_library.h"
#include "converter/graph/tensorflow/op_registry.h"
#include "converter/graph/text/text.h"
#include "converter/pipeline.h"
#include "converter/resources/variables.h"
#include "fmt/format.h"
#include "tests/conformance/evaluate_graph.h"

namespace linnet::converter {
namespace {

class Checkpoint : public Variables {
 public:
  absl::StatusOr<Constant> Read(const std::string& name) const override {
    if (name == "a") return Constant::Of<float>(Shape{}, {10});
    if (name == "b") return Constant::Of<float>(Shape{}, {-3});
    if (name.starts_with("v")) return Constant::Of<float>(Shape{}, {0});
    if (name == "n") return Constant::Of<int32_t>(Shape{}, {0});
    return absl::NotFoundError("the checkpoint has no value for it");
  }
};

constexpr char kEnds[] = R"(
    x = arg 0 f32[]
    p = arg 1 bool[]
    k = arg 2 i32[]
    a = tf.VarHandleOp() {dtype: DT_FLOAT, shape: shape[]}
    b = tf.VarHandleOp() {dtype: DT_FLOAT, shape: shape[]}
)";

}  // namespace

void StateTest::AddFunction(const TextFunction& text, Graph* graph) {
  Graph body(&graph->registry());
  ASSERT_TRUE(body.functions().AddLibrary(graph->functions().ToProto()).ok());
  const absl::Status parsed = ParseGraph(text.body, &body);
  ASSERT_TRUE(parsed.ok()) << parsed << text.body;
  Region region;
  std::map<const Node*, int> arguments;
  for (const Node* node : body.op_nodes()) {
    const bool is_handle = node->op_name() == "VarHandleOp" && node->name().starts_with("arg");
    if (node->node_class() == NodeClass::kRetval) {
      region.results.push_back(node->input(0));
    } else if (is_handle || node->node_class() == NodeClass::kArg) {
      arguments.emplace(node, static_cast<int>(arguments.size()));
      region.arg_types.push_back(is_handle ? tf::DT_RESOURCE : node->tf_output_types()[0]);
    } else {
      region.nodes.push_back(node);
    }
  }
  region.resolve = [&](Output read) -> Output {
    const auto argument = arguments.find(read.node);
    return argument == arguments.end() ? read : Output{nullptr, argument->second};
  };
  const absl::Status added = graph->functions().Add(ToFunctionDef(text.name, region));
  ASSERT_TRUE(added.ok()) << added;
}

std::string StateTest::Convert(const std::string& text) {
  graph_ = std::make_unique<Graph>(OpRegistry::Global());
  for (const TextFunction& function : functions_) AddFunction(function, graph_.get());
  const absl::Status parsed = ParseGraph(text, graph_.get());
  EXPECT_TRUE(parsed.ok()) << parsed << text;
  PassContext context;
  const Checkpoint checkpoint;
  context.variables = &checkpoint;
  const absl::Status status = RunPipeline(*graph_, context);
  states_.clear();
  return std::string(status.message().data(), status.message().size());
}

std::vector<float> StateTest::Run(const std::map<std::string, float>& fed) {
  const auto argument = [&](const Node& arg) {
    if (IsState(arg)) {
      const auto kept = states_.find(StateName(arg));
      return kept != states_.end() ? kept->second : *Checkpoint().Read(StateName(arg));
    }
    const float value = fed.contains(arg.name()) ? fed.at(arg.name()) : 0.0f;
    if (arg.type().dtype == DType::kFloat32) return Constant::Of<float>(Shape{}, {value});
    if (arg.type().dtype == DType::kInt32)
      return Constant::Of<int32_t>(Shape{}, {static_cast<int32_t>(value)});
    void* data = nullptr;
    Constant flag = Constant::Allocate({DType::kBool, Shape{}}, &data);
    *static_cast<uint8_t*>(data) = value != 0 ? 1 : 0;
    return flag;
  };
  const auto results = conformance::EvaluateGraph(*graph_, argument);
  EXPECT_TRUE(results.ok()) << results.status();
  std::map<int64_t, float> outputs;
  if (!results.ok()) return {};
  for (const auto& [ret, value] : *results) {
    if (IsState(*ret))
      states_[StateName(*ret)] = value;
    else
      outputs[ret->FindAttr("index")->i()] = static_cast<float>(value.ScalarValue());
  }
  std::vector<float> values;
  for (const auto& [index, value] : outputs) values.push_back(value);
  return values;
}

float StateTest::State(const std::string& name) const {
  return states_.contains(name) ? static_cast<float>(states_.at(name).ScalarValue()) : -1e9f;
}

std::string Model(std::string_view nodes) { return std::string(kEnds) + std::string(nodes); }

std::string ReadsA() {
  return std::string(kArgA) + R"(
    r = tf.ReadVariableOp(arg_a) {dtype: DT_FLOAT}
    out = ret(r))";
}

std::string AddsToA(int added) {
  return fmt::format(R"({}
    s = tf.AssignAddVariableOp(arg_a, const f32[] {}) {{dtype: DT_FLOAT}}
    r = tf.ReadVariableOp(arg_a, ^s) {{dtype: DT_FLOAT}}
    out = ret(r))",
                     kArgA, added);
}

}  // namespace linnet::converter
