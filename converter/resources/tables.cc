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

// Filling takes keys and values; other constants are not what functions that run at loading have.
constexpr int64_t kConstantRoom = int64_t{256} << 20;
// From a table to its initialiser's path: variables that were assigned from variables.
constexpr int kMaxSteps = 64;

bool FillsFromText(const Node& node) {
  return node.IsAnyOf({"InitializeTableFromTextFile", "InitializeTableFromTextFileV2"});
}

bool FillsTable(const Node& node) {
  return FillsFromText(node) || node.IsAnyOf({"InitializeTable", "InitializeTableV2",
                                              "LookupTableImport", "LookupTableImportV2"});
}

Output BehindIdentity(Output value) {
  while (value &&
         (value.node->node_class() == NodeClass::kIdentity || value.node->op_name() == "IdentityN"))
    value = value.node->input(value.index);
  return value;
}

// Seen through the variable that TensorFlow 2 keeps the path of an asset in.
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

std::optional<int64_t> IntAttr(const Node& node, const char* name) {
  const tf::AttrValue* attr = node.FindAttr(name);
  return attr == nullptr ? std::nullopt : std::optional(attr->i());
}

absl::StatusOr<TextTableFormat> FormatOf(const Node& filler, const Node& table) {
  TextTableFormat format;
  const tf::AttrValue* key_type = table.FindAttr("key_dtype");
  const tf::AttrValue* value_type = table.FindAttr("value_dtype");
  if (key_type == nullptr || value_type == nullptr)
    return absl::InvalidArgumentError("the table has no dtypes");
  format.key = {key_type->type(), IntAttr(filler, "key_index").value_or(kWholeLine)};
  format.value = {value_type->type(), IntAttr(filler, "value_index").value_or(kLineNumber)};
  format.vocab_size = IntAttr(filler, "vocab_size").value_or(-1);
  format.offset = IntAttr(filler, "offset").value_or(0);
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
  std::shared_ptr<Tables> tables(new Tables(graph, std::move(loading)));
  std::vector<Node*> roots;
  for (Node* node : tables->graph_.op_nodes()) {
    const bool runs = std::ranges::find(tables->loading_.init_ops, node->name()) !=
                      tables->loading_.init_ops.end();
    if (runs || FillsTable(*node)) roots.push_back(node);
  }
  int64_t constant_room = kConstantRoom;
  InlineOptions options;
  options.constant_room = &constant_room;
  if (const auto inlined = InlineCalls(&tables->graph_, roots, options); !inlined.ok())
    notes->push_back(fmt::format(
        "what runs when the model is loaded cannot be read: {}",
        std::string(inlined.status().message().data(), inlined.status().message().size())));
  tables->FindFillers();
  return tables;
}

Tables::Tables(const Graph& graph, Loading loading)
    : graph_(&graph.registry()), loading_(std::move(loading)) {
  graph_.CopyFrom(graph);
}

void Tables::FindFillers() {
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
  // Not where the machine had it that made the model: a model must not reach other places of the
  // disk.
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
        ReadTextTable({reinterpret_cast<const char*>(file->bytes.data()), file->bytes.size()},
                      *format, content.get(), &keys, &values);
    if (!read.ok()) return read;
  }
  std::vector<Node*> results;
  for (const Output column : {keys, values}) {
    if (!column) return absl::InvalidArgumentError("what fills the table lacks an input");
    const auto index = static_cast<int>(results.size());
    results.push_back(
        content->AddRetval(content->UniqueName(index == 0 ? "keys" : "values"), index, column));
  }
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
