// SPDX-License-Identifier: Apache-2.0
#include "converter/resources/tables.h"

#include <algorithm>
#include <filesystem>
#include <utility>

#include "converter/functions/inline_calls.h"
#include "converter/functions/variable_ops.h"
#include "converter/graph/algorithm.h"
#include "converter/graph/string_constant.h"
#include "converter/import/graph_constructor.h"
#include "converter/resources/text_table.h"
#include "converter/resources/variables.h"
#include "fmt/format.h"
#include "fmt/ranges.h"

namespace linnet::converter {
namespace {

// Functions that run at loading have constants for keys and values only.
constexpr int64_t kTableConstantRoom = int64_t{256} << 20;
// Most variables between a table's initializer and the path of its file.
constexpr int kMaxSteps = 64;

bool FillsFromText(const Node& node) {
  return node.IsAnyOf({"InitializeTableFromTextFile", "InitializeTableFromTextFileV2"});
}

bool FillsTable(const Node& node) {
  return FillsFromText(node) || node.IsAnyOf({"InitializeTable", "InitializeTableV2",
                                              "LookupTableImport", "LookupTableImportV2"});
}

// What `value` is, also behind the variable in which TensorFlow 2 keeps the path of an asset.
Output OriginOf(const Graph& graph, Output value) {
  for (int step = 0; step < kMaxSteps; ++step) {
    value = BehindIdentity(value);
    if (!value || value.node->op_name() != "ReadVariableOp") return value;
    const Node* variable = VariableBehind(value.node->input(0));
    value = {};
    for (const Node* node : graph.op_nodes()) {
      if (variable == nullptr || node->op_name() != "AssignVariableOp") continue;
      const Node* assigned = VariableBehind(node->input(0));
      if (assigned != nullptr && VariableName(*assigned) == VariableName(*variable))
        value = node->input(1);
    }
  }
  return {};
}

int64_t IntAttr(const Node& node, const char* name, int64_t otherwise) {
  const tf::AttrValue* attr = node.FindAttr(name);
  return attr == nullptr ? otherwise : attr->i();
}

absl::StatusOr<TextTableFormat> FormatOf(const Node& filler, const Node& table) {
  const tf::AttrValue* key_type = table.FindAttr("key_dtype");
  const tf::AttrValue* value_type = table.FindAttr("value_dtype");
  if (key_type == nullptr || value_type == nullptr)
    return absl::InvalidArgumentError("the table has no dtypes");
  TextTableFormat format = {
      .key = {key_type->type(), IntAttr(filler, "key_index", kWholeLine)},
      .value = {value_type->type(), IntAttr(filler, "value_index", kLineNumber)},
      .vocab_size = IntAttr(filler, "vocab_size", -1),
      .offset = IntAttr(filler, "offset", 0)};
  const tf::AttrValue* delimiter = filler.FindAttr("delimiter");
  if (delimiter != nullptr && delimiter->s().size() != 1)
    return absl::InvalidArgumentError("attr 'delimiter' is not one character");
  if (delimiter != nullptr) format.delimiter = delimiter->s()[0];
  return format;
}

const Node* TableOf(const Node& filler) {
  const Output handle = BehindIdentity(filler.input(0));
  return handle && IsTable(*handle.node) ? handle.node : nullptr;
}

}  // namespace

bool IsTable(const Node& node) {
  return IsMutableTable(node) || node.IsAnyOf({"HashTable", "HashTableV2", "AnonymousHashTable"});
}

bool IsMutableTable(const Node& table) {
  return table.IsAnyOf({"MutableHashTable", "MutableHashTableV2", "AnonymousMutableHashTable",
                        "MutableHashTableOfTensors", "MutableHashTableOfTensorsV2",
                        "AnonymousMutableHashTableOfTensors"});
}

std::string TableName(const Node& table) { return VariableName(table); }

bool WritesTable(std::string_view op) {
  return op == "LookupTableInsert" || op == "LookupTableInsertV2" || op == "LookupTableRemoveV2";
}

std::shared_ptr<const Tables> Tables::Of(const Graph& graph, Loading loading,
                                         std::vector<std::string>* notes) {
  if (std::ranges::none_of(graph.op_nodes(), [](const Node* node) { return IsTable(*node); }))
    return nullptr;
  return std::shared_ptr<const Tables>(new Tables(graph, std::move(loading), notes));
}

Tables::Tables(const Graph& graph, Loading loading, std::vector<std::string>* notes)
    : graph_(&graph.registry()), loading_(std::move(loading)) {
  graph_.CopyFrom(graph);
  std::vector<Node*> roots = graph_.op_nodes();
  std::erase_if(roots, [&](const Node* node) {
    return std::ranges::count(loading_.init_ops, node->name()) == 0 && !FillsTable(*node);
  });
  int64_t constant_room = kTableConstantRoom;
  const auto inlined = InlineCalls(&graph_, roots, {.constant_room = &constant_room});
  if (!inlined.ok())
    notes->push_back(fmt::format("what runs when the model is loaded cannot be read: {}",
                                 std::string(inlined.status().message())));
  for (const Node* node : graph_.op_nodes())
    if (const Node* table = FillsTable(*node) ? TableOf(*node) : nullptr; table != nullptr)
      fillers_[TableName(*table)].push_back(node->name());
}

absl::StatusOr<OwnedBytes> Tables::FileOf(Output path) const {
  const Output origin = OriginOf(graph_, path);
  if (!origin)
    return absl::UnimplementedError("the path of the file that fills the table is computed");
  if (!loading_.files)
    return absl::NotFoundError("a file fills the table, but the model was not read from a folder");
  const auto asset = loading_.assets.find(TensorName(origin));
  if (asset != loading_.assets.end()) return loading_.files(asset->second);
  const std::optional<StringTensor> text = StringsOf(*origin.node);
  if (!text || text->values.size() != 1)
    return absl::UnimplementedError("the path of the file that fills the table is computed");
  // The folder is ignored: it is one of the machine that made the model, and an untrusted model
  // must not read files elsewhere.
  const std::string name = std::filesystem::path(text->values[0]).filename().string();
  absl::StatusOr<OwnedBytes> file = loading_.files(name);
  if (!absl::IsNotFound(file.status())) return file;
  return absl::NotFoundError(
      fmt::format("the file '{}', which fills the table, is not beside the model", name));
}

absl::StatusOr<std::unique_ptr<Graph>> Tables::Content(const std::string& name) const {
  const auto fillers = fillers_.find(name);
  if (fillers == fillers_.end())
    return absl::NotFoundError("nothing in the model fills the table when it is loaded");
  if (fillers->second.size() > 1)
    return absl::UnimplementedError(
        fmt::format("the table is filled by several ops: {}", fmt::join(fillers->second, ", ")));
  auto content = std::make_unique<Graph>(&graph_.registry());
  content->CopyFrom(graph_);
  const Node* filler = content->FindNode(fillers->second[0]);
  Output keys, values;
  if (!FillsFromText(*filler)) {
    keys = filler->input(1);
    values = filler->input(2);
  } else {
    absl::StatusOr<OwnedBytes> file = FileOf(graph_.FindNode(filler->name())->input(1));
    if (!file.ok()) return file.status();
    const absl::StatusOr<TextTableFormat> format = FormatOf(*filler, *TableOf(*filler));
    if (!format.ok()) return format.status();
    const absl::Status read =
        ReadTextTable(AsText(file->bytes), *format, content.get(), &keys, &values);
    if (!read.ok()) return read;
  }
  if (!keys || !values) return absl::InvalidArgumentError("what fills the table lacks an input");
  Node* const results[] = {content->AddRetval(content->UniqueName("keys"), 0, keys),
                           content->AddRetval(content->UniqueName("values"), 1, values)};
  PruneForReverseReachability(content.get(), results);
  return content;
}

bool Tables::Reads(const std::string& tensor) const {
  for (const auto& [table, fillers] : fillers_)
    for (const std::string& name : fillers) {
      const Node* filler = graph_.FindNode(name);
      const Output origin = FillsFromText(*filler) ? OriginOf(graph_, filler->input(1)) : Output();
      if (origin && TensorName(origin) == tensor) return true;
    }
  return false;
}

}  // namespace linnet::converter
