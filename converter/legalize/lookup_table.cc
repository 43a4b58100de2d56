// SPDX-License-Identifier: Apache-2.0
// Hash tables with constant content: a table is its keys, in order, and their values; a lookup is
// the key's position and a Gather.
#include "converter/legalize/lookup_table.h"

#include <algorithm>
#include <cstring>
#include <limits>
#include <numeric>
#include <span>

#include "converter/graph/dtypes.h"
#include "converter/graph/function_library.h"
#include "converter/import/function_bodies.h"
#include "converter/legalize/building_blocks.h"
#include "converter/legalize/tf_op_table.h"
#include "runtime/ops/gather.h"
#include "runtime/ops/lookup.h"

namespace linnet::converter {
namespace {

// The keys or the values of a table, in the order in which it is filled.
struct Column {
  std::optional<Constant> numbers;
  std::vector<std::string> strings;
  Shape shape;

  int64_t size() const { return shape.rank() == 0 ? 1 : shape[0]; }
  bool SameEntry(int32_t a, int32_t b) const {
    if (!numbers) return strings[static_cast<size_t>(a)] == strings[static_cast<size_t>(b)];
    return std::memcmp(Entry(a), Entry(b), EntryBytes()) == 0;
  }
  size_t EntryBytes() const { return numbers->bytes.size() / static_cast<size_t>(size()); }
  const std::byte* Entry(int32_t i) const {
    return numbers->bytes.data() + static_cast<size_t>(i) * EntryBytes();
  }
};

absl::StatusOr<Column> GetColumn(const Graph& content, int64_t index) {
  const char* what = index == 0 ? "keys" : "values";
  for (const Node* node : content.op_nodes()) {
    if (node->node_class() != NodeClass::kRetval || node->FindAttr("index")->i() != index) continue;
    const Node& value = *node->input(0).node;
    Column column;
    if (!value.IsConstant()) return Unsupported("its {} are not known at conversion", what);
    if (value.HasType(0)) {
      column.numbers = value.constant().Plain();
      column.shape = value.type().shape;
    } else if (std::optional<StringTensor> strings = StringsOf(value)) {
      column.shape = strings->shape;
      column.strings = std::move(strings->values);
    } else {
      return Unsupported("its {} are {}, which Linnet does not have", what,
                         DataTypeString(value.tf_output_types()[0]));
    }
    return column;
  }
  return Invalid("it has no {}", what);
}

// The entries that count, in the order of their keys.
template <typename Key>
absl::StatusOr<std::vector<int32_t>> SortEntries(std::span<const Key> keys, const Column& values,
                                                 bool is_mutable) {
  std::vector<int32_t> order(keys.size()), kept;
  std::iota(order.begin(), order.end(), 0);
  const auto key = [&](int32_t i) -> const Key& { return keys[static_cast<size_t>(i)]; };
  std::ranges::stable_sort(order, {}, key);
  for (const int32_t entry : order) {
    if (kept.empty() || key(kept.back()) != key(entry)) {
      kept.push_back(entry);
    } else if (is_mutable) {
      kept.back() = entry;
    } else if (!values.SameEntry(kept.back(), entry)) {
      return Invalid("HashTable has different value for same key. Key {} has several values",
                     key(entry));
    }
  }
  return kept;
}

absl::StatusOr<std::vector<int32_t>> SortEntries(const Column& keys, const Column& values,
                                                 bool is_mutable) {
  if (!keys.numbers)
    return SortEntries(std::span<const std::string>(keys.strings), values, is_mutable);
  if (keys.numbers->type.dtype == DType::kInt32)
    return SortEntries(keys.numbers->as<int32_t>(), values, is_mutable);
  if (keys.numbers->type.dtype == DType::kInt64)
    return SortEntries(keys.numbers->as<int64_t>(), values, is_mutable);
  return Unsupported("its keys are {}, want int32, int64 or strings",
                     DTypeName(keys.numbers->type.dtype));
}

// Entries of `column` as a constant of the graph, or as strings.
void Pick(LegalizeContext& context, const Column& column, const std::vector<int32_t>& entries,
          const char* name, Output* numbers, std::vector<std::string>* strings) {
  if (!column.numbers) {
    for (const int32_t i : entries) strings->push_back(column.strings[static_cast<size_t>(i)]);
    return;
  }
  TensorType type = column.numbers->type;
  type.shape[0] = static_cast<int64_t>(entries.size());
  void* data = nullptr;
  Constant picked = Constant::Allocate(type, &data);
  auto* to = static_cast<std::byte*>(data);
  for (const int32_t i : entries) {
    std::memcpy(to, column.Entry(i), column.EntryBytes());
    to += column.EntryBytes();
  }
  *numbers = context.AddConstant(std::move(picked), name);
}

absl::StatusOr<LookupTable> BuildTable(LegalizeContext& context, const Graph& content,
                                       bool is_mutable) {
  LINNET_ASSIGN_OR_RETURN(const Column keys, GetColumn(content, 0));
  LINNET_ASSIGN_OR_RETURN(const Column values, GetColumn(content, 1));
  if (keys.shape.rank() != 1 || values.shape.rank() < 1 || keys.shape[0] != values.shape[0] ||
      keys.shape[0] > std::numeric_limits<int32_t>::max())
    return Invalid("its keys have shape {} and its values {}", ShapeText(keys.shape),
                   ShapeText(values.shape));
  LINNET_ASSIGN_OR_RETURN(const std::vector<int32_t> entries,
                          SortEntries(keys, values, is_mutable));
  LookupTable table;
  table.size = static_cast<int64_t>(entries.size());
  Pick(context, keys, entries, "keys", &table.keys, &table.string_keys);
  Pick(context, values, entries, "values", &table.values, &table.string_values);
  return table;
}

// Positions of the keys in the table; its size where they are none of them.
absl::StatusOr<Output> EmitPositions(LegalizeContext& context, const LookupTable& table) {
  const Output queries = context.input(1);
  const std::optional<StringTensor> strings = StringsOf(*queries.node);
  if (strings.has_value() == static_cast<bool>(table.keys))
    return Invalid("the table's keys are {}, those to look up are {}",
                   table.keys ? DTypeName(context.type(table.keys).dtype) : "strings",
                   strings ? "strings" : DTypeName(context.type(queries).dtype));
  if (table.keys) return context.Emit(LookupAttrs(), {queries, table.keys}, "positions");
  std::vector<int32_t> positions;
  for (const std::string& text : strings->values) {
    const auto found = std::ranges::lower_bound(table.string_keys, text);
    const bool is_key = found != table.string_keys.end() && *found == text;
    positions.push_back(is_key ? static_cast<int32_t>(found - table.string_keys.begin())
                               : static_cast<int32_t>(table.size));
  }
  return context.AddConstant(Constant::Of<int32_t>(strings->shape, std::move(positions)),
                             "positions");
}

// A lookup whose results are strings, for another one to look up.
absl::Status ReplaceByStrings(LegalizeContext& context, const LookupTable& table,
                              Output positions) {
  const Constant* known = LegalizeContext::FindConstant(positions);
  const std::optional<StringTensor> fallback = StringsOf(*context.input(2).node);
  if (known == nullptr)
    return Unsupported("its results are strings, which no plan has: look the ids up in the app");
  if (!fallback || fallback->values.size() != 1) return Invalid("'default_value' is no string");
  StringTensor found{known->type.shape, {}};
  for (const int64_t i : known->ToInt64())
    found.values.push_back(i == table.size ? fallback->values[0]
                                           : table.string_values[static_cast<size_t>(i)]);
  return context.Replace(context.AddStrings(std::move(found)));
}

absl::Status LookupTableFind(LegalizeContext& context) {
  LINNET_RETURN_IF_ERROR(context.WantInputs(3, 3));
  LINNET_ASSIGN_OR_RETURN(const LookupTable* const table, context.Table(0));
  LINNET_ASSIGN_OR_RETURN(const Output positions, EmitPositions(context, *table));
  if (!table->values) return ReplaceByStrings(context, *table, positions);
  if (StringsOf(*context.input(2).node)) return Invalid("'default_value' is a string");
  Shape one = context.shape(table->values);
  one[0] = 1;
  if (context.shape(2).num_elements() != one.num_elements())
    return Invalid("'default_value' has shape {}, want {}", ShapeText(context.shape(2)),
                   ShapeText(SubShape(one, 1, one.rank())));
  LINNET_ASSIGN_OR_RETURN(const Output fallback,
                          EmitReshape(context, one, context.input(2), "default"));
  LINNET_ASSIGN_OR_RETURN(const Output entries,
                          EmitJoined(context, {table->values, fallback}, 0, "entries"));
  return context.Replace(context.Emit(GatherAttrs(), {entries, positions}));
}

absl::Status LookupTableSize(LegalizeContext& context) {
  LINNET_RETURN_IF_ERROR(context.WantInputs(1, 1));
  LINNET_ASSIGN_OR_RETURN(const LookupTable* const table, context.Table(0));
  return context.Replace(context.AddConstant(Constant::Of<int64_t>({}, {table->size})));
}

// What fills a table is read when the model is imported (import/tables.h).
absl::Status Drop(LegalizeContext& context) { return context.Replace(std::vector<Output>()); }

// The handle is the node itself until the walk ends: lookups find the table by it.
absl::Status KeepHandle(LegalizeContext&) { return absl::OkStatus(); }

constexpr char kHandle[] = "nothing; content constant";
constexpr char kContent[] = "the table's content";
constexpr char kFind[] = "Lookup, Gather; strings: where the conversion knows them";
constexpr TfOp kRows[] = {
    {"AnonymousHashTable", KeepHandle, kHandle},
    {"AnonymousMutableHashTable", KeepHandle, kHandle},
    {"AnonymousMutableHashTableOfTensors", KeepHandle, kHandle},
    {"HashTable", KeepHandle, kHandle},
    {"HashTableV2", KeepHandle, kHandle},
    {"InitializeTable", Drop, kContent, true},
    {"InitializeTableFromTextFile", Drop, kContent, true},
    {"InitializeTableFromTextFileV2", Drop, kContent, true},
    {"InitializeTableV2", Drop, kContent, true},
    {"LookupTableFind", LookupTableFind, kFind, true},
    {"LookupTableFindV2", LookupTableFind, kFind, true},
    {"LookupTableImport", Drop, kContent, true},
    {"LookupTableImportV2", Drop, kContent, true},
    {"LookupTableSize", LookupTableSize, "a constant", true},
    {"LookupTableSizeV2", LookupTableSize, "a constant", true},
    {"MutableHashTable", KeepHandle, kHandle},
    {"MutableHashTableOfTensors", KeepHandle, kHandle},
    {"MutableHashTableOfTensorsV2", KeepHandle, kHandle},
    {"MutableHashTableV2", KeepHandle, kHandle},
};

}  // namespace

absl::StatusOr<const LookupTable*> LookupTables::Find(LegalizeContext& context, int i) {
  const Node& handle = *context.input(i).node;
  if (!IsTable(handle)) return Unsupported("input {} is no table that the model made", i);
  const auto [entry, is_new] = tables_.try_emplace(TableName(handle));
  if (!is_new) return &entry->second;
  const auto fill = [&]() -> absl::StatusOr<LookupTable> {
    LINNET_ASSIGN_OR_RETURN(const std::unique_ptr<Graph> content, context.TableContent(handle));
    return BuildTable(context, *content, IsMutableTable(handle));
  };
  absl::StatusOr<LookupTable> table = fill();
  if (!table.ok()) {
    tables_.erase(entry);
    const auto message = table.status().message();
    return absl::Status(table.status().code(),
                        fmt::format("table '{}': {}", handle.name(),
                                    std::string_view(message.data(), message.size())));
  }
  entry->second = *std::move(table);
  return &entry->second;
}

void CheckTablesAreConstant(const Graph& graph, Problems* problems) {
  const auto check = [problems](const std::string& node, const std::string& op) {
    if (WritesTable(op))
      problems->Add({node, op, std::string(RejectionReason(op)),
                     "fill the table before the model is saved", absl::StatusCode::kUnimplemented});
  };
  const std::vector<Node*> nodes = graph.op_nodes();
  for (const Node* node : nodes) check(node->name(), node->op_name());
  for (const std::string& function : FunctionsReached(graph.functions(), nodes))
    for (const tf::NodeDef& node : graph.functions().Find(function)->node_def())
      check(fmt::format("{}/{}", function, node.name()), node.op());
}

std::span<const TfOp> LookupTableOps() { return kRows; }

}  // namespace linnet::converter
