// SPDX-License-Identifier: Apache-2.0
#include "converter/legalize/context/legalize_context.h"

#include <algorithm>

#include "converter/graph/name_cost.h"
#include "converter/graph/placement_wish.h"
#include "converter/graph/tensorflow/dtypes.h"
#include "converter/pass/evaluate_op.h"
#include "runtime/core/tensor_name.h"
#include "runtime/ops/all_attrs.h"

namespace linnet::converter {
namespace {

constexpr char kKnownOnlyAtRunTime[] = "is computed from fed data, but must be known at conversion";

// What each op that the conversion makes takes from the room for constants: there may be a million
// of them.
constexpr int64_t kNodeCost = 256;

// A TensorFlow op on a list becomes a few ops per element at most.
constexpr int kMostOpsOfOne = 1 << 18;

// Inferring the extents of one op takes time in proportion to all symbols of the model.
constexpr int kMostSymbols = 1 << 13;

// `node`, which is new, stands for the TensorFlow node in reports and inherits its placement.
void ComesFrom(const Node& tf_node, Node* node) {
  node->set_sources({tf_node.name()});
  Inherit(WishOf(tf_node), node);
}

// The bytes of the constants that nothing but `node` reads, and that are freed with it.
int64_t FreedBytes(const Node& node, std::span<const Output> inputs) {
  int64_t bytes = 0;
  for (size_t i = 0; i < inputs.size(); ++i) {
    const Node& input = *inputs[i].node;
    const auto is_its = [&](const Edge* use) { return use->dst == &node; };
    const auto may_go = [&](const Edge* use) { return is_its(use) || use->dst->IsSink(); };
    const bool again = std::ranges::find(inputs.first(i), inputs[i]) != inputs.first(i).end();
    // In this order, the search ends at the first other reader of a constant that has thousands.
    if (!again && std::ranges::all_of(input.out_edges(), may_go) &&
        std::ranges::any_of(input.out_edges(), is_its))
      bytes += input.type(inputs[i].index).bytes();
  }
  return bytes;
}

}  // namespace

DType LegalDType(tf::DataType type) {
  const DType stored = ToDType(type);
  return IsFloat(stored) ? DType::kFloat32 : stored;
}

std::string ShapeText(const Shape& shape) {
  return fmt::format("[{}]", fmt::join(shape.begin(), shape.end(), ","));
}

std::vector<Output> LegalizeContext::inputs(int first, int last) const {
  std::vector<Output> result;
  for (int i = first; i < last; ++i) result.push_back(input(i));
  return result;
}

absl::Status LegalizeContext::WantRank(int i, int rank) const {
  if (shape(i).rank() == rank) return absl::OkStatus();
  return Invalid("input {} has shape {}, want rank {}", i, ShapeText(shape(i)), rank);
}

absl::Status LegalizeContext::WantFloats(int i) const {
  if (type(i).dtype == DType::kFloat32) return absl::OkStatus();
  return Unsupported("input {} is {}, want float32", i, DTypeName(type(i).dtype));
}

absl::Status LegalizeContext::WantInputs(int min, int max) const {
  if (num_inputs() >= min && num_inputs() <= max) return absl::OkStatus();
  if (min == max) return Invalid("has {} inputs, want {}", num_inputs(), min);
  return Invalid("has {} inputs, want {} to {}", num_inputs(), min, max);
}

absl::StatusOr<std::vector<int64_t>> LegalizeContext::ConstantInts(int i, const char* what) const {
  const Constant* constant = FindConstant(i);
  if (constant == nullptr) return Unsupported("'{}' (input {}) {}", what, i, kKnownOnlyAtRunTime);
  if (!IsInteger(constant->type.dtype) && constant->type.dtype != DType::kBool)
    return Invalid("'{}' (input {}) is {}, want integers", what, i,
                   DTypeName(constant->type.dtype));
  return constant->ToInt64();
}

std::string LegalizeContext::UserName(Output value) {
  const std::vector<std::string>& sources = value.node->sources();
  return TensorName(sources.empty() ? value.node->name() : sources[0], value.index);
}

absl::StatusOr<Extents> LegalizeContext::ExtentValues(int i, const char* what) {
  if (FindConstant(i) == nullptr && IsInteger(type(i).dtype))
    return ExtentValues(input(i), fmt::format("'{}' (input {})", what, i));
  LINNET_ASSIGN_OR_RETURN(const std::vector<int64_t> numbers, ConstantInts(i, what));
  return Extents(numbers.begin(), numbers.end());
}

absl::StatusOr<Extents> LegalizeContext::ExtentValues(Output value, std::string_view what) {
  if (const std::optional<int64_t> most = MostOf(value))
    state_.integers.bounds().Set(value, {0, *most});
  if (std::optional<std::vector<Extent>> extents = state_.integers.Read(graph_, value))
    return *std::move(extents);
  return Unsupported("{} {}; --max {}=N gives the largest that it can be", what,
                     kKnownOnlyAtRunTime, UserName(value));
}

bool LegalizeContext::FollowsFromExtents(Output value) const {
  const IntegerValues::Elements* elements = state_.integers.Find(value);
  if (elements == nullptr) return false;
  const auto varies = [](const std::optional<Extent>& element) {
    return element && !element->is_constant();
  };
  return std::ranges::all_of(*elements, [](const auto& element) { return element.has_value(); }) &&
         std::ranges::any_of(*elements, varies);
}

std::optional<int64_t> LegalizeContext::MostOf(Output value) const {
  if (state_.most == nullptr || state_.most->empty()) return std::nullopt;
  for (const std::string& name : {UserName(value), TensorName(value)})
    for (const auto& [given, most] : *state_.most)
      if (SameTensor(given, name)) return most;
  return std::nullopt;
}

absl::StatusOr<int64_t> LegalizeContext::ConstantInt(int i, const char* what) const {
  LINNET_ASSIGN_OR_RETURN(const std::vector<int64_t> values, ConstantInts(i, what));
  if (values.size() != 1)
    return Invalid("'{}' (input {}) has {} elements, want one", what, i, values.size());
  return values[0];
}

absl::StatusOr<double> LegalizeContext::ConstantScalar(int i, const char* what) const {
  const Constant* constant = FindConstant(i);
  if (constant == nullptr) return Unsupported("'{}' (input {}) {}", what, i, kKnownOnlyAtRunTime);
  if (constant->type.shape.num_elements() != 1)
    return Invalid("'{}' (input {}) has shape {}, want a scalar", what, i,
                   ShapeText(constant->type.shape));
  return constant->ScalarValue();
}

absl::StatusOr<int> LegalizeContext::Axis(int64_t axis, int rank, const char* what) {
  if (axis < -rank || axis >= rank)
    return Invalid("'{}' is {}, want [{}, {})", what, axis, -rank, rank);
  return static_cast<int>(axis < 0 ? axis + rank : axis);
}

absl::StatusOr<int> LegalizeContext::ConstantAxis(int i, int rank, const char* what) const {
  LINNET_ASSIGN_OR_RETURN(const int64_t axis, ConstantInt(i, what));
  return Axis(axis, rank, what);
}

absl::StatusOr<const tf::AttrValue*> LegalizeContext::Attr(const char* name,
                                                           tf::AttrValue::ValueCase want,
                                                           const char* type_name) const {
  const tf::AttrValue* attr = node_.FindAttr(name);
  if (attr == nullptr || attr->value_case() == tf::AttrValue::VALUE_NOT_SET) return nullptr;
  if (attr->value_case() != want) return Invalid("attr '{}' is not of type {}", name, type_name);
  return attr;
}

absl::StatusOr<int64_t> LegalizeContext::Int(const char* name, int64_t fallback) const {
  LINNET_ASSIGN_OR_RETURN(const auto* attr, Attr(name, tf::AttrValue::kI, "int"));
  return attr == nullptr ? fallback : attr->i();
}

absl::StatusOr<bool> LegalizeContext::Bool(const char* name, bool fallback) const {
  LINNET_ASSIGN_OR_RETURN(const auto* attr, Attr(name, tf::AttrValue::kB, "bool"));
  return attr == nullptr ? fallback : attr->b();
}

absl::StatusOr<float> LegalizeContext::Float(const char* name, float fallback) const {
  LINNET_ASSIGN_OR_RETURN(const auto* attr, Attr(name, tf::AttrValue::kF, "float"));
  return attr == nullptr ? fallback : attr->f();
}

absl::StatusOr<std::string> LegalizeContext::String(const char* name, const char* fallback) const {
  LINNET_ASSIGN_OR_RETURN(const auto* attr, Attr(name, tf::AttrValue::kS, "string"));
  return attr == nullptr ? std::string(fallback) : attr->s();
}

absl::StatusOr<int> LegalizeContext::AxisAttr(const char* name, int64_t fallback, int rank) const {
  LINNET_ASSIGN_OR_RETURN(const int64_t axis, Int(name, fallback));
  return Axis(axis, rank, name);
}

absl::StatusOr<std::vector<int64_t>> LegalizeContext::Ints(const char* name) const {
  LINNET_ASSIGN_OR_RETURN(const auto* attr, Attr(name, tf::AttrValue::kList, "list(int)"));
  if (attr == nullptr) return std::vector<int64_t>();
  return std::vector<int64_t>(attr->list().i().begin(), attr->list().i().end());
}

absl::StatusOr<std::vector<float>> LegalizeContext::Floats(const char* name) const {
  LINNET_ASSIGN_OR_RETURN(const auto* attr, Attr(name, tf::AttrValue::kList, "list(float)"));
  if (attr == nullptr) return std::vector<float>();
  return std::vector<float>(attr->list().f().begin(), attr->list().f().end());
}

absl::StatusOr<std::vector<std::string>> LegalizeContext::Strings(const char* name) const {
  LINNET_ASSIGN_OR_RETURN(const auto* attr, Attr(name, tf::AttrValue::kList, "list(string)"));
  if (attr == nullptr) return std::vector<std::string>();
  return std::vector<std::string>(attr->list().s().begin(), attr->list().s().end());
}

absl::StatusOr<DType> LegalizeContext::Type(const char* name, DType fallback) const {
  LINNET_ASSIGN_OR_RETURN(const auto* attr, Attr(name, tf::AttrValue::kType, "type"));
  if (attr == nullptr) return fallback;
  const DType dtype = LegalDType(attr->type());
  if (dtype == DType::kInvalid)
    return Unsupported("attr '{}': dtype {} is not supported", name, DataTypeString(attr->type()));
  return dtype;
}

std::string LegalizeContext::NameOf(std::string_view suffix) const {
  // The TensorFlow node has the same name until Replace removes it.
  if (suffix.empty()) return node_.name();
  // One op may become thousands. Once the room is used up they get short names, until the walk
  // checks the room.
  if (state_.constant_room != nullptr) {
    *state_.constant_room -= NameCost(std::ssize(node_.name()) + std::ssize(suffix));
    if (*state_.constant_room < 0) return graph_.UniqueName(suffix);
  }
  return graph_.UniqueName(fmt::format("{}/{}", node_.name(), suffix));
}

bool LegalizeContext::TryFold(const OpAttrs& attrs, std::span<const Output> inputs,
                              std::string_view suffix, std::vector<Output>* outputs) {
  if (!attrs.varying().empty()) return false;
  std::vector<Constant> constants;
  for (const Output input : inputs) {
    const Constant* constant = FindConstant(input);
    if (constant == nullptr) return false;
    constants.push_back(*constant);
  }
  if (state_.is_unrolling) {
    if (const auto* known = state_.folded.Find(attrs, inputs); known != nullptr) {
      *outputs = *known;
      return true;
    }
  }
  const auto types = InferOutputTypes(attrs, constants);
  const int64_t freed = state_.is_unrolling ? 0 : FreedBytes(node_, inputs);
  if (!types.ok() || !MayFold(constants, *types, freed, state_.constant_room)) return false;
  // An op that fails on these values (division by zero) stays in the plan and fails when it runs,
  // as in TensorFlow.
  auto values = EvaluateOp(attrs, constants, state_.folding_work);
  if (!values.ok()) return false;
  for (Constant& value : *values) outputs->push_back(AddConstantNode(std::move(value), suffix));
  if (state_.is_unrolling) state_.folded.Add(attrs, inputs, *outputs);
  return true;
}

absl::StatusOr<std::vector<Output>> LegalizeContext::EmitAll(const OpAttrs& attrs,
                                                             const Operands& operands,
                                                             std::string_view suffix) {
  LINNET_RETURN_IF_ERROR(operands.status());
  const auto is_complex = [&](Output input) { return FindNumbers(input) != nullptr; };
  if (!numbers_.empty() && std::ranges::any_of(operands.outputs(), is_complex))
    return EmitOnPairs(attrs, operands.outputs(), suffix);
  return EmitOnTensors(attrs, operands.outputs(), suffix);
}

absl::StatusOr<std::vector<Output>> LegalizeContext::EmitOnTensors(
    const OpAttrs& attrs, const std::vector<Output>& inputs, std::string_view suffix) {
  std::vector<Output> outputs;
  if (TryFold(attrs, inputs, suffix, &outputs)) return outputs;
  if (++num_ops_ > kMostOpsOfOne) return Unsupported("it becomes more than {} ops", kMostOpsOfOne);
  if (!TakeRoom(kNodeCost)) return absl::ResourceExhaustedError("the model becomes too many ops");
  if (symbols().size() > kMostSymbols)
    return Unsupported("more than {} extents of the model vary", kMostSymbols);
  LINNET_ASSIGN_OR_RETURN(Node* const node, graph_.AddOp(NameOf(suffix), attrs, inputs));
  ComesFrom(node_, node);
  state_.integers.Record(graph_, node);
  for (int i = 0; i < node->num_outputs(); ++i) outputs.push_back({node, i});
  return outputs;
}

Emitted LegalizeContext::Emit(const OpAttrs& attrs, const Operands& inputs,
                              std::string_view suffix) {
  LINNET_ASSIGN_OR_RETURN(const std::vector<Output> outputs, EmitAll(attrs, inputs, suffix));
  return outputs[0];
}

bool LegalizeContext::TakeRoom(int64_t bytes) {
  if (state_.constant_room == nullptr) return true;
  *state_.constant_room -= bytes;
  return *state_.constant_room >= 0;
}

Output LegalizeContext::AddConstant(Constant value, std::string_view suffix) {
  TakeRoom(static_cast<int64_t>(value.bytes.size()));
  return AddConstantNode(std::move(value), suffix);
}

Output LegalizeContext::AddConstantNode(Constant value, std::string_view suffix) {
  Node* node = graph_.AddConstant(NameOf(suffix), std::move(value));
  ComesFrom(node_, node);
  return {node, 0};
}

Emitted LegalizeContext::AddStrings(StringTensor strings, std::string_view suffix) {
  LINNET_ASSIGN_OR_RETURN(Node* const node,
                          converter::AddStrings(&graph_, NameOf(suffix), std::move(strings)));
  ComesFrom(node_, node);
  return Output{node, 0};
}

Output LegalizeContext::AddScalar(DType dtype, double value, std::string_view suffix) {
  Constant scalar = Constant::Of<double>({}, {value});
  if (dtype == DType::kInt64) {
    scalar = Constant::Of<int64_t>({}, {static_cast<int64_t>(value)});
  } else if (dtype == DType::kInt32) {
    scalar = Constant::Of<int32_t>({}, {static_cast<int32_t>(value)});
  } else if (dtype == DType::kFloat32) {
    scalar = Constant::Of<float>({}, {static_cast<float>(value)});
  } else {
    const CastAttrs cast{.dtype = dtype};
    if (auto converted = EvaluateOp(cast, std::span(&scalar, 1)); converted.ok())
      scalar = std::move((*converted)[0]);
  }
  return AddConstant(std::move(scalar), suffix);
}

Emitted LegalizeContext::TakeBlocks(const Emitted& blocks) {
  if (!blocks.ok()) return blocks;
  if (state_.may_not_run)
    return Unsupported(
        "its generator goes on from run to run, but the model's input decides how often it runs");
  return state_.generators.Take(graph_, *this, *blocks);
}

absl::Status LegalizeContext::ExpandControlFlow() { return state_.expand_control_flow(*this); }

absl::StatusOr<TensorList> LegalizeContext::AnyList(int i) const {
  const TensorList* list = state_.lists.Find(input(i));
  if (list == nullptr) return Unsupported("input {} is no list of tensors that the model made", i);
  return *list;
}

absl::StatusOr<std::unique_ptr<Graph>> LegalizeContext::TableContent(const Node& table) const {
  if (state_.tables == nullptr) return absl::NotFoundError("nothing is known of its content");
  LINNET_ASSIGN_OR_RETURN(std::unique_ptr<Graph> content, state_.tables->Content(TableName(table)));
  for (Node* node : content->op_nodes())
    if (node->node_class() == NodeClass::kRetval)
      node->ClearAttr("T");  // no Cast back to double, no check of strings
  const PassContext context{.unroll = UnrollLimits::Unlimited(),
                            .constant_room = state_.constant_room,
                            .folding_work = state_.folding_work};
  LINNET_RETURN_IF_ERROR(state_.legalize(*content, context).status());
  return content;
}

absl::Status LegalizeContext::KeepAsList(int output, TensorList list) {
  state_.is_unrolling = true;
  if (!state_.lists.HasRoomFor(list))
    return Unsupported("the model's lists have too many elements, all together");
  state_.lists.Set({&node_, output}, std::move(list));
  return absl::OkStatus();
}

absl::Status LegalizeContext::Replace(const Operands& operands) {
  LINNET_RETURN_IF_ERROR(operands.status());
  const std::vector<Output>& outputs = operands.outputs();
  for (int i = 0; i < static_cast<int>(node_.tf_output_types().size()); ++i) {
    if (!IsUsed(i)) continue;
    if (i >= static_cast<int>(outputs.size()) || !outputs[i])
      return Unsupported("output {} is used, but is not supported", i);
    if (!numbers_.empty() &&
        IsComplex(node_.tf_output_type(i)) != (FindNumbers(outputs[i]) != nullptr))
      return absl::InternalError(fmt::format("whether output {} is complex has changed", i));
    graph_.ReplaceUses({&node_, i}, outputs[i]);
  }
  const std::string name = node_.name();
  graph_.RemoveNode(&node_);
  // The last op of an expansion gets the node's name, even if it was emitted under another one
  // because the step after it had nothing to do.
  if (outputs.empty() || !outputs[0] || graph_.FindNode(name) != nullptr) return absl::OkStatus();
  Node* last = outputs[0].node;
  if (last->sources().size() == 1 && last->sources()[0] == name) graph_.Rename(last, name);
  return absl::OkStatus();
}

}  // namespace linnet::converter
