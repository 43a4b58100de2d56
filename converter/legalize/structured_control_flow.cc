// SPDX-License-Identifier: Apache-2.0
// Loops and branches that stay such.
#include "converter/graph/structured_node.h"
#include "converter/legalize/building_blocks.h"
#include "converter/legalize/control_flow.h"
#include "converter/legalize/region_builder.h"
#include "runtime/plan/file_header.h"

namespace linnet::converter {
namespace {

// The values that regions read beside variables: constants are copied into them, others become
// inputs of the node.
class Captures {
 public:
  // `inputs` holds what comes first; arguments begin at `first` of it.
  Captures(std::vector<Output> inputs, size_t first) : inputs_(std::move(inputs)), first_(first) {}

  ArgumentValue Add(Output value) {
    if (value.node->IsConstant()) return {value, -1};
    inputs_.push_back(value);
    return {value, static_cast<int>(inputs_.size() - 1 - first_)};
  }
  const std::vector<Output>& inputs() const { return inputs_; }

 private:
  std::vector<Output> inputs_;
  size_t first_;
};

absl::Status WantTensors(const LegalizeContext& context, int first, const absl::Status& why) {
  for (int i = first; i < context.num_inputs(); ++i) {
    const bool is_table = IsTable(*context.input(i).node);
    if (!is_table && context.FindList(context.input(i)) == nullptr) continue;
    const auto text = why.message();
    return Unsupported("{}{}it cannot stay in the plan, as its input {} is a {}",
                       std::string_view(text.data(), text.size()), why.ok() ? "" : "; ", i,
                       is_table ? "hash table" : "list of tensors");
  }
  return absl::OkStatus();
}

// `variables`: the inputs that the results of the loop's body replace.
absl::Status CheckVariables(const LegalizeContext& context, const std::vector<int>& variables,
                            const Graph& body) {
  const std::vector<Output> results = RegionResults(body);
  for (size_t k = 0; k < variables.size(); ++k) {
    const TensorType& before = context.type(variables[k]);
    const TensorType& after = results[k].node->type(results[k].index);
    if (before != after)
      return Unsupported(
          "how often it runs is not known, and its variable {} changes from {}{} to {}{}",
          variables[k], DTypeName(before.dtype), ShapeText(before.shape), DTypeName(after.dtype),
          ShapeText(after.shape));
  }
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<std::unique_ptr<Graph>> ControlFlow::Region(const FunctionBody& body,
                                                           std::span<const ArgumentValue> arguments,
                                                           std::span<Node* const> rets,
                                                           const std::string& prefix) {
  if (depth_ >= kMaxRegionDepth)
    return Unsupported("loops and branches are nested more than {} deep", kMaxRegionDepth);
  if (body.args.size() != arguments.size())
    return Invalid("a function of {} arguments is given {}", body.args.size(), arguments.size());
  LINNET_ASSIGN_OR_RETURN(std::unique_ptr<Graph> region,
                          BuildRegion(body, arguments, rets, prefix, &graph_.registry()));
  if (!walk_.visit_region(*region)) region.reset();
  return region;
}

absl::StatusOr<std::vector<Output>> ControlFlow::AddStructured(
    LegalizeContext& context, NodeClass node_class, std::span<const Output> inputs,
    std::vector<std::unique_ptr<Graph>> regions) {
  const std::string& name = context.node().name();
  const char* suffix = node_class == NodeClass::kLoop ? "While" : "If";
  LINNET_ASSIGN_OR_RETURN(
      Node* const node, graph_.AddStructured(graph_.UniqueName(fmt::format("{}/{}", name, suffix)),
                                             node_class, inputs, std::move(regions)));
  node->set_sources({name});
  ++num_structured_;
  std::vector<Output> outputs;
  for (int i = 0; i < node->num_outputs(); ++i) outputs.push_back({node, i});
  return outputs;
}

absl::Status ControlFlow::BuildWhile(LegalizeContext& context, const FunctionBody& condition,
                                     const FunctionBody& body, const absl::Status& why) {
  LINNET_RETURN_IF_ERROR(WantTensors(context, 0, why));
  const std::string& name = context.node().name();
  Results results = context.inputs(0, context.num_inputs());
  std::vector<int> variables;  // inputs that the body changes
  for (int i = 0; i < context.num_inputs(); ++i)
    if (!PassesThrough(body, static_cast<size_t>(i))) variables.push_back(i);
  std::vector<Node*> rets;
  Results initial;
  std::vector<ArgumentValue> arguments(results.size());
  for (const int i : variables) {
    arguments[static_cast<size_t>(i)] = {context.input(i), static_cast<int>(initial.size())};
    initial.push_back(context.input(i));
    rets.push_back(body.rets[static_cast<size_t>(i)]);
  }
  Captures captures(initial, 0);
  for (ArgumentValue& argument : arguments)
    if (!argument.value)
      argument = captures.Add(context.input(static_cast<int>(&argument - arguments.data())));

  std::vector<std::unique_ptr<Graph>> regions(2);
  LINNET_ASSIGN_OR_RETURN(regions[0], Region(condition, arguments, condition.rets, name + "/cond"));
  if (regions[0] == nullptr) return absl::OkStatus();
  LINNET_ASSIGN_OR_RETURN(const std::optional<bool> known, MakeTruth(*regions[0]));
  if (known == false) return context.Replace(results);
  if (known == true || variables.empty()) return Unsupported("it never ends once it has begun");
  LINNET_ASSIGN_OR_RETURN(regions[1], Region(body, arguments, rets, name + "/body"));
  if (regions[1] == nullptr) return absl::OkStatus();
  LINNET_RETURN_IF_ERROR(CheckVariables(context, variables, *regions[1]));
  LINNET_ASSIGN_OR_RETURN(const auto outputs, AddStructured(context, NodeClass::kLoop,
                                                            captures.inputs(), std::move(regions)));
  for (size_t k = 0; k < variables.size(); ++k)
    results[static_cast<size_t>(variables[k])] = outputs[k];
  return context.Replace(results);
}

absl::Status ControlFlow::BuildIf(LegalizeContext& context, Output condition,
                                  const FunctionBody& then, const FunctionBody& otherwise) {
  LINNET_RETURN_IF_ERROR(WantTensors(context, 1, absl::OkStatus()));
  Captures captures({condition}, 1);
  std::vector<ArgumentValue> arguments;
  for (int i = 1; i < context.num_inputs(); ++i)
    arguments.push_back(captures.Add(context.input(i)));
  std::vector<std::unique_ptr<Graph>> regions;
  for (const FunctionBody* arm : {&then, &otherwise}) {
    const std::string prefix =
        fmt::format("{}/{}", context.node().name(), arm == &then ? "then" : "else");
    LINNET_ASSIGN_OR_RETURN(auto region, Region(*arm, arguments, arm->rets, prefix));
    if (region == nullptr) return absl::OkStatus();
    regions.push_back(std::move(region));
  }
  LINNET_ASSIGN_OR_RETURN(const auto outputs, AddStructured(context, NodeClass::kBranch,
                                                            captures.inputs(), std::move(regions)));
  return context.Replace(outputs);
}

}  // namespace linnet::converter
