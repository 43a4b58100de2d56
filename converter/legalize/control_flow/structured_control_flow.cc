// SPDX-License-Identifier: Apache-2.0
// Loops and branches that are not expanded: they become structured While and If nodes.
#include <algorithm>

#include "converter/graph/structured_node.h"
#include "converter/legalize/context/building_blocks.h"
#include "converter/legalize/control_flow/conditions.h"
#include "converter/legalize/control_flow/control_flow.h"
#include "converter/legalize/control_flow/region_builder.h"
#include "converter/legalize/extents/loop_bounds.h"
#include "converter/legalize/lists/dense_list.h"
#include "runtime/plan/file_header.h"

namespace linnet::converter {
namespace {

// The values that the regions of a structured node read besides the loop's variables: constants are
// copied into the regions, others become inputs of the node.
class Captures {
 public:
  // `inputs`: the inputs of the node before those added here. Argument 0 of the regions is input
  // `first`.
  Captures(std::vector<Output> inputs, size_t first) : inputs_(std::move(inputs)), first_(first) {}

  ArgumentValue Add(Output value) {
    if (value.node->IsConstant()) return {value, -1, {}};
    inputs_.push_back(value);
    return {value, static_cast<int>(inputs_.size() - 1 - first_), {}};
  }
  const std::vector<Output>& inputs() const { return inputs_; }

 private:
  std::vector<Output> inputs_;
  size_t first_;
};

using Lists = std::vector<std::optional<TensorList>>;

std::string_view Text(const absl::Status& status) {
  const auto text = status.message();
  return {text.data(), text.size()};
}

absl::Status WantNoTable(const LegalizeContext& context, int i) {
  if (!IsTable(*context.input(i).node)) return absl::OkStatus();
  return Unsupported("it cannot stay in the plan, as its input {} is a hash table", i);
}

absl::Status WantTensors(const LegalizeContext& context, int first) {
  for (int i = first; i < context.num_inputs(); ++i) {
    LINNET_RETURN_IF_ERROR(WantNoTable(context, i));
    if (context.FindList(context.input(i)) != nullptr)
      return Unsupported("it cannot stay in the plan, as its input {} is a list of tensors", i);
  }
  return absl::OkStatus();
}

// The regions of a plan have tensors of fixed extents.
absl::Status WantFixedInputs(const LegalizeContext& context) {
  for (int i = 0; i < context.num_inputs(); ++i)
    if (context.Varies(i))
      return Unsupported("it wants fixed extents, but input {} has {}", i,
                         context.symbols().Text(context.extents(i)));
  return absl::OkStatus();
}

// The inputs that are lists, as dense lists, which have rows if the shape of their elements is
// known; nullopt for the other inputs.
absl::StatusOr<Lists> DenseInputs(LegalizeContext& context) {
  Lists lists;
  for (int i = 0; i < context.num_inputs(); ++i) {
    lists.emplace_back();
    LINNET_RETURN_IF_ERROR(WantNoTable(context, i));
    const TensorList* list = context.FindList(context.input(i));
    if (list == nullptr) continue;
    if (list->may_grow) return Unsupported("it cannot stay in the plan, as a list grows in it");
    LINNET_ASSIGN_OR_RETURN(lists.back(), MakeDense(context, *list, fmt::format("list_{}", i)));
    if (lists.back()->rows && context.Varies(lists.back()->rows))
      return Unsupported("it wants fixed extents, but its input {} is a list of {}", i,
                         context.symbols().Text(context.extents(lists.back()->rows)));
  }
  return lists;
}

// The inputs of a While as its regions see them.
struct LoopInputs {
  std::vector<int> variables;            // the inputs that the body changes
  std::vector<ArgumentValue> arguments;  // by input
  std::vector<Output> inputs;            // of the structured node
};

LoopInputs ArrangeInputs(LegalizeContext& context, const FunctionBody& body, const Lists& lists) {
  LoopInputs loop;
  const auto count = static_cast<size_t>(context.num_inputs());
  std::vector<Output> values;
  for (size_t i = 0; i < count; ++i) {
    const bool is_unwritten = lists[i] && !lists[i]->rows;
    values.push_back(is_unwritten ? context.AddScalar(DType::kInt32, 0, fmt::format("list_{}", i))
                     : lists[i]   ? lists[i]->rows
                                  : context.input(static_cast<int>(i)));
    if (PassesThrough(body, i)) continue;
    loop.variables.push_back(static_cast<int>(i));
    if (!is_unwritten) loop.inputs.push_back(values[i]);
  }
  loop.arguments.resize(count);
  int index = 0;
  for (const int i : loop.variables) {
    const auto at = static_cast<size_t>(i);
    const bool is_unwritten = lists[at] && !lists[at]->rows;
    loop.arguments[at] = {values[at], is_unwritten ? -1 : index++, {}};
  }
  Captures captures(std::move(loop.inputs), 0);
  for (size_t i = 0; i < count; ++i) {
    if (!loop.arguments[i].value) loop.arguments[i] = captures.Add(values[i]);
    loop.arguments[i].list = lists[i];
  }
  loop.inputs = captures.inputs();
  return loop;
}

// Sets the bounds of the body's arguments that follow from the condition.
void SetBounds(const Graph& condition, std::span<ArgumentValue> arguments) {
  const auto bounds = BoundsInBody(condition);
  for (ArgumentValue& argument : arguments)
    if (const auto known = bounds.find(argument.index); known != bounds.end())
      argument.bounds = known->second;
}

absl::Status CheckVariables(const LegalizeContext& context, const LoopInputs& loop,
                            const Graph& body) {
  const std::vector<Output> results = RegionResults(body);
  for (size_t k = 0; k < loop.variables.size(); ++k) {
    const int variable = loop.variables[k];
    const TensorType& before = context.type(loop.arguments[static_cast<size_t>(variable)].value);
    const TensorType& after = results[k].node->type(results[k].index);
    if (before != after)
      return Unsupported(
          "how often it runs is not known, and its variable {} changes from {}{} to {}{}", variable,
          DTypeName(before.dtype), ShapeText(before.shape), DTypeName(after.dtype),
          ShapeText(after.shape));
  }
  return absl::OkStatus();
}

// Replaces the node. `results`: by input of the While; `list_results`: by variable, nullopt for
// tensors.
absl::Status ReplaceByResults(LegalizeContext& context, const LoopInputs& loop, const Lists& before,
                              const std::vector<Output>& results, Lists* list_results) {
  std::vector<bool> is_kept(results.size(), false);
  for (size_t k = 0; k < loop.variables.size(); ++k) {
    const auto i = static_cast<size_t>(loop.variables[k]);
    if ((*list_results)[k].has_value() != before[i].has_value())
      return Invalid("its variable {} becomes another kind of value", i);
    if (!before[i]) continue;
    TensorList list = *std::move((*list_results)[k]);
    list.rows = results[i];
    list.length_is_here = before[i]->length_is_here;
    LINNET_RETURN_IF_ERROR(context.KeepAsList(static_cast<int>(i), std::move(list)));
    is_kept[i] = true;
  }
  if (std::ranges::find(is_kept, true) == is_kept.end()) return context.Replace(results);
  for (size_t i = 0; i < results.size(); ++i)
    if (!is_kept[i]) context.ReplaceOutput(static_cast<int>(i), results[i]);
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<std::unique_ptr<Graph>> ControlFlow::Region(const FunctionBody& body,
                                                           std::span<const ArgumentValue> arguments,
                                                           std::span<Node* const> rets,
                                                           const std::string& prefix,
                                                           Lists* results) {
  if (depth_ >= kMaxRegionDepth)
    return Unsupported("loops and branches are nested more than {} deep", kMaxRegionDepth);
  if (body.args.size() != arguments.size())
    return Invalid("a function of {} arguments is given {}", body.args.size(), arguments.size());
  LINNET_RETURN_IF_ERROR(TakeNamesOf(NeededNodes(body), prefix, state_->constant_room));
  RegionValues values;
  LINNET_ASSIGN_OR_RETURN(std::unique_ptr<Graph> region,
                          BuildRegion(body, arguments, rets, prefix, &graph_.registry(), &values));
  if (!walk_.visit_region(*region, &values)) return nullptr;
  if (results == nullptr) return region;
  results->assign(rets.size(), std::nullopt);
  for (Node* node : region->op_nodes())
    if (node->node_class() == NodeClass::kRetval)
      if (const TensorList* list = values.lists.Find({node, 0}); list != nullptr)
        (*results)[static_cast<size_t>(node->FindAttr("index")->i())] = *list;
  return region;
}

absl::StatusOr<std::vector<Output>> ControlFlow::AddStructured(
    LegalizeContext& context, NodeClass node_class, std::span<const Output> inputs,
    std::vector<std::unique_ptr<Graph>> regions) {
  const std::string& name = context.node().name();
  const char* suffix = node_class == NodeClass::kLinnetWhile ? "While" : "If";
  LINNET_ASSIGN_OR_RETURN(
      Node* const node, graph_.AddStructured(graph_.UniqueName(fmt::format("{}/{}", name, suffix)),
                                             node_class, inputs, std::move(regions)));
  node->set_sources({name});
  ++num_structured_;
  std::vector<Output> outputs;
  outputs.reserve(static_cast<size_t>(node->num_outputs()));
  for (int i = 0; i < node->num_outputs(); ++i) outputs.push_back({node, i});
  return outputs;
}

absl::StatusOr<bool> ControlFlow::LearnElementShapes(LegalizeContext& context,
                                                     const FunctionBody& condition,
                                                     const FunctionBody& body, Lists* lists) {
  std::vector<size_t> unknown;
  std::vector<Node*> rets;
  for (size_t i = 0; i < lists->size(); ++i) {
    if (!(*lists)[i] || (*lists)[i]->rows || PassesThrough(body, i)) continue;
    unknown.push_back(i);
    rets.push_back(body.rets[i]);
  }
  if (unknown.empty()) return true;
  LoopInputs loop = ArrangeInputs(context, body, *lists);
  const std::string name = context.node().name() + "/first";
  LINNET_ASSIGN_OR_RETURN(const auto first_condition,
                          Region(condition, loop.arguments, condition.rets, name + "/cond"));
  if (first_condition == nullptr) return false;
  SetBounds(*first_condition, loop.arguments);
  Lists results;
  LINNET_ASSIGN_OR_RETURN(const auto region, Region(body, loop.arguments, rets, name, &results));
  if (region == nullptr) return false;
  for (size_t k = 0; k < unknown.size(); ++k) {
    TensorList& list = *(*lists)[unknown[k]];
    if (!results[k]) return Invalid("its variable {} becomes another kind of value", unknown[k]);
    list.element_shape = results[k]->element_shape;
    LINNET_ASSIGN_OR_RETURN(
        list, MakeDense(context, std::move(list), fmt::format("list_{}", unknown[k])));
  }
  return true;
}

absl::Status ControlFlow::BuildWhile(LegalizeContext& context, const FunctionBody& condition,
                                     const FunctionBody& body, const absl::Status& why) {
  const std::string& name = context.node().name();
  absl::StatusOr<Lists> lists = DenseInputs(context);
  absl::Status unfit = lists.ok() ? WantFixedInputs(context) : lists.status();
  if (!unfit.ok() && !why.ok()) return Unsupported("{}; {}", Text(why), Text(unfit));
  if (!unfit.ok()) return unfit;
  LINNET_ASSIGN_OR_RETURN(const bool fine, LearnElementShapes(context, condition, body, &*lists));
  if (!fine) return absl::OkStatus();
  LoopInputs loop = ArrangeInputs(context, body, *lists);

  std::vector<std::unique_ptr<Graph>> regions(2);
  LINNET_ASSIGN_OR_RETURN(regions[0],
                          Region(condition, loop.arguments, condition.rets, name + "/cond"));
  if (regions[0] == nullptr) return absl::OkStatus();
  const Output truth = RegionResults(*regions[0])[0];
  LINNET_RETURN_IF_ERROR(CheckCondition(context.node(), truth.node->type(truth.index)));
  LINNET_ASSIGN_OR_RETURN(const std::optional<bool> known, MakeTruth(*regions[0]));
  Results results = context.inputs(0, context.num_inputs());
  if (known == false) return context.Replace(results);
  if (known == true || loop.variables.empty())
    return Unsupported("it never ends once it has begun");
  SetBounds(*regions[0], loop.arguments);
  std::vector<Node*> rets;
  for (const int i : loop.variables) rets.push_back(body.rets[static_cast<size_t>(i)]);
  Lists list_results;
  LINNET_ASSIGN_OR_RETURN(regions[1],
                          Region(body, loop.arguments, rets, name + "/body", &list_results));
  if (regions[1] == nullptr) return absl::OkStatus();
  LINNET_RETURN_IF_ERROR(CheckVariables(context, loop, *regions[1]));
  LINNET_ASSIGN_OR_RETURN(const auto outputs, AddStructured(context, NodeClass::kLinnetWhile,
                                                            loop.inputs, std::move(regions)));
  for (size_t k = 0; k < loop.variables.size(); ++k)
    results[static_cast<size_t>(loop.variables[k])] = outputs[k];
  return ReplaceByResults(context, loop, *lists, results, &list_results);
}

absl::Status ControlFlow::BuildIf(LegalizeContext& context, Output condition,
                                  const FunctionBody& then, const FunctionBody& otherwise) {
  LINNET_RETURN_IF_ERROR(WantTensors(context, 1));
  LINNET_RETURN_IF_ERROR(WantFixedInputs(context));
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
  LINNET_ASSIGN_OR_RETURN(const auto outputs, AddStructured(context, NodeClass::kLinnetIf,
                                                            captures.inputs(), std::move(regions)));
  return context.Replace(outputs);
}

}  // namespace linnet::converter
