// SPDX-License-Identifier: Apache-2.0
#include "converter/legalize/context/lookup_table.h"

#include <algorithm>
#include <cstring>
#include <limits>
#include <numeric>
#include <span>

#include "converter/graph/tensorflow/dtypes.h"
#include "converter/legalize/context/legalize_context.h"

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

// The entries that the table has in the end, in the order of their keys: of equal keys the last one
// in a mutable table, else the first, if their values are equal.
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

absl::StatusOr<LookupTable> BuildTable(LegalizeContext& context, const Node& handle) {
  LINNET_ASSIGN_OR_RETURN(const std::unique_ptr<Graph> content, context.TableContent(handle));
  LINNET_ASSIGN_OR_RETURN(const Column keys, GetColumn(*content, 0));
  LINNET_ASSIGN_OR_RETURN(const Column values, GetColumn(*content, 1));
  if (keys.shape.rank() != 1 || values.shape.rank() < 1 || keys.shape[0] != values.shape[0] ||
      keys.shape[0] > std::numeric_limits<int32_t>::max())
    return Invalid("its keys have shape {} and its values {}", ShapeText(keys.shape),
                   ShapeText(values.shape));
  LINNET_ASSIGN_OR_RETURN(const std::vector<int32_t> entries,
                          SortEntries(keys, values, IsMutableTable(handle)));
  LookupTable table;
  table.size = static_cast<int64_t>(entries.size());
  Pick(context, keys, entries, "keys", &table.keys, &table.string_keys);
  Pick(context, values, entries, "values", &table.values, &table.string_values);
  return table;
}

}  // namespace

absl::StatusOr<const LookupTable*> LookupTables::Find(LegalizeContext& context, int i) {
  const Node& handle = *context.input(i).node;
  if (!IsTable(handle)) return Unsupported("input {} is no table that the model made", i);
  const auto [entry, is_new] = tables_.try_emplace(TableName(handle));
  if (!is_new) return &entry->second;
  absl::StatusOr<LookupTable> table = BuildTable(context, handle);
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

}  // namespace linnet::converter
