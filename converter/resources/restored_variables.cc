// SPDX-License-Identifier: Apache-2.0
#include "converter/resources/restored_variables.h"

#include <algorithm>
#include <charconv>
#include <map>
#include <optional>
#include <set>

#include "converter/functions/inline_calls.h"
#include "converter/functions/variable_ops.h"
#include "converter/import/graph_constructor.h"
#include "fmt/format.h"
#include "schema/tensorflow/trackable_object_graph.pb.h"

namespace linnet::converter {
namespace {

constexpr char kObjectGraphKey[] = "_CHECKPOINTABLE_OBJECT_GRAPH";
// Functions that restore have constants for names only.
constexpr int64_t kRestoringConstantRoom = int64_t{16} << 20;

// Where the value of a variable is in the checkpoint.
struct Place {
  std::string key;
  TensorSlice slice;
};

// Element i of a constant of strings; the last one written stands for all that follow.
std::optional<std::string> StringAt(Output value, int i) {
  while (value && value.node->node_class() == NodeClass::kIdentity) value = value.node->input(0);
  if (!value || !value.node->IsConstant()) return std::nullopt;
  const tf::AttrValue* attr = value.node->FindAttr("value");
  if (attr == nullptr || attr->tensor().string_val().empty()) return std::nullopt;
  const auto& strings = attr->tensor().string_val();
  return strings.Get(std::min(i, strings.size() - 1));
}

std::optional<int64_t> Number(std::string_view text) {
  int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

std::string_view NextPart(std::string_view* text, char separator) {
  const size_t end = std::min(text->find(separator), text->size());
  const std::string_view part = text->substr(0, end);
  text->remove_prefix(std::min(end + 1, text->size()));
  return part;
}

// "4 3 0,2:-": the full shape, then start,length of each dimension, or "-" for all of it. The slice
// is empty where the text is.
std::optional<TensorSlice> ParseSlice(std::string_view text) {
  TensorSlice slice;
  if (text.empty()) return slice;
  std::string_view spec = text.substr(text.rfind(' ') + 1);
  while (!spec.empty()) {
    std::string_view extent = NextPart(&spec, ':');
    if (extent == "-") {
      slice.start.push_back(0);
      slice.length.push_back(-1);
      continue;
    }
    const auto start = Number(NextPart(&extent, ',')), length = Number(extent);
    if (!start || !length) return std::nullopt;
    slice.start.push_back(*start);
    slice.length.push_back(*length);
  }
  return slice;
}

// The tensor that `value` was restored from.
std::optional<Place> RestoredFrom(Output value) {
  while (value && value.node->node_class() == NodeClass::kIdentity) value = value.node->input(0);
  if (!value || value.node->op_name() != "RestoreV2") return std::nullopt;
  const std::optional<std::string> key = StringAt(value.node->input(1), value.index);
  const std::optional<std::string> spec = StringAt(value.node->input(2), value.index);
  if (!key || !spec) return std::nullopt;
  std::optional<TensorSlice> slice = ParseSlice(*spec);
  if (!slice) return std::nullopt;
  return Place{*key, *std::move(slice)};
}

using Places = std::map<std::string, Place>;

void FindAssignments(const Graph& graph, const std::string& restore_op, Places* places,
                     std::vector<std::string>* notes) {
  Graph copy(&graph.registry());
  copy.CopyFrom(graph);
  Node* root = copy.FindNode(ParseTensorName(restore_op).first);
  if (root == nullptr || !root->IsOp()) {
    if (!restore_op.empty())
      notes->push_back(fmt::format("the restore op '{}' is not in the graph", restore_op));
    return;
  }
  int64_t constant_room = kRestoringConstantRoom;
  const auto inlined = InlineCalls(&copy, {root}, {.constant_room = &constant_room});
  if (!inlined.ok())
    notes->push_back(fmt::format("the restore op '{}' cannot be read: {}", restore_op,
                                 std::string(inlined.status().message())));
  for (const Node* node : copy.op_nodes()) {
    if (!node->IsAnyOf({"AssignVariableOp", "Assign"})) continue;
    const Node* variable = VariableBehind(node->input(0));
    std::optional<Place> place = RestoredFrom(node->input(1));
    if (variable != nullptr && place) places->insert_or_assign(VariableName(*variable), *place);
  }
}

// By full names. A name that several tensors have is ignored.
void FindObjects(const TensorBundle& bundle, Places* places) {
  if (!bundle.Contains(kObjectGraphKey)) return;
  const absl::StatusOr<std::string> text = bundle.ReadString(kObjectGraphKey);
  tf::TrackableObjectGraph objects;
  if (!text.ok() || !objects.ParseFromString(*text)) return;
  std::map<std::string, std::set<std::string>> keys;
  for (const auto& node : objects.nodes())
    for (const auto& tensor : node.attributes())
      if (tensor.name() == "VARIABLE_VALUE")
        keys[tensor.full_name()].insert(tensor.checkpoint_key());
  for (const auto& [name, found] : keys)
    if (found.size() == 1) places->try_emplace(name, Place{*found.begin(), {}});
}

class BundleVariables : public Variables {
 public:
  BundleVariables(std::unique_ptr<TensorBundle> bundle, Places places)
      : bundle_(std::move(bundle)), places_(std::move(places)) {}

  absl::StatusOr<Constant> Read(const std::string& name) const override {
    const auto it = places_.find(name);
    if (it != places_.end()) return bundle_->Read(it->second.key, it->second.slice);
    if (bundle_->Contains(name)) return bundle_->Read(name);
    return absl::NotFoundError("the checkpoint has no value for it");
  }

 private:
  const std::unique_ptr<TensorBundle> bundle_;
  const Places places_;
};

}  // namespace

std::unique_ptr<Variables> RestoredVariables(const Graph& graph, const std::string& restore_op,
                                             std::unique_ptr<TensorBundle> bundle,
                                             std::vector<std::string>* notes) {
  Places places;
  FindAssignments(graph, restore_op, &places, notes);
  FindObjects(*bundle, &places);
  return std::make_unique<BundleVariables>(std::move(bundle), std::move(places));
}

}  // namespace linnet::converter
