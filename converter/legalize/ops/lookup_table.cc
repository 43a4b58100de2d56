// SPDX-License-Identifier: Apache-2.0
// Hash tables with constant content: a Lookup finds the position of the key, a Gather the value
// there.
#include <algorithm>

#include "converter/legalize/context/building_blocks.h"
#include "converter/legalize/context/lookup_table.h"
#include "converter/legalize/context/tf_op.h"
#include "runtime/ops/gather.h"
#include "runtime/ops/lookup.h"

namespace linnet::converter {
namespace {

// The positions in the table of the keys to look up; the table's size for those that it does not
// have.
Emitted EmitPositions(LegalizeContext& context, const LookupTable& table) {
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
    const int64_t position = is_key ? found - table.string_keys.begin() : table.size;
    positions.push_back(static_cast<int32_t>(position));
  }
  return context.AddConstant(Constant::Of<int32_t>(strings->shape, std::move(positions)),
                             "positions");
}

// A lookup whose results are strings, which another lookup can take as keys.
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
  LINNET_ASSIGN_OR_RETURN(const LookupTable* const table, context.Table(0));
  LINNET_ASSIGN_OR_RETURN(const Output positions, EmitPositions(context, *table));
  if (!table->values) return ReplaceByStrings(context, *table, positions);
  if (StringsOf(*context.input(2).node)) return Invalid("'default_value' is a string");
  Shape one = context.shape(table->values);
  one[0] = 1;
  if (context.shape(2).num_elements() != one.num_elements())
    return Invalid("'default_value' has shape {}, want {}", ShapeText(context.shape(2)),
                   ShapeText(SubShape(one, 1, one.rank())));
  const Emitted fallback = EmitReshape(context, one, context.input(2), "default");
  const Emitted entries = EmitJoined(context, {table->values, fallback}, 0, "entries");
  return context.Replace(context.Emit(GatherAttrs(), {entries, positions}));
}

absl::Status LookupTableSize(LegalizeContext& context) {
  LINNET_ASSIGN_OR_RETURN(const LookupTable* const table, context.Table(0));
  return context.Replace(context.AddConstant(Constant::Of<int64_t>({}, {table->size})));
}

// Keeps the node until the walk ends, as it is the handle by which lookups find the table.
absl::Status KeepHandle(LegalizeContext&) { return absl::OkStatus(); }

constexpr char kHandle[] = "nothing; content constant";
constexpr char kContent[] = "the table's content";
constexpr char kFind[] = "Lookup, Gather; strings: where the conversion knows them";

}  // namespace

std::span<const TfOp> LookupTableOps() {
  static constexpr TfOp kRows[] = {
      {"AnonymousHashTable", KeepHandle, kHandle},
      {"AnonymousMutableHashTable", KeepHandle, kHandle},
      {"AnonymousMutableHashTableOfTensors", KeepHandle, kHandle},
      {"HashTable", KeepHandle, kHandle},
      {"HashTableV2", KeepHandle, kHandle},
      {"InitializeTable", Drop, kContent, kTakesLists},
      {"InitializeTableFromTextFile", Drop, kContent, kTakesLists},
      {"InitializeTableFromTextFileV2", Drop, kContent, kTakesLists},
      {"InitializeTableV2", Drop, kContent, kTakesLists},
      {"LookupTableFind", LookupTableFind, kFind, kTakesLists | kMayVary},
      {"LookupTableFindV2", LookupTableFind, kFind, kTakesLists | kMayVary},
      {"LookupTableImport", Drop, kContent, kTakesLists},
      {"LookupTableImportV2", Drop, kContent, kTakesLists},
      {"LookupTableSize", LookupTableSize, "a constant", kTakesLists},
      {"LookupTableSizeV2", LookupTableSize, "a constant", kTakesLists},
      {"MutableHashTable", KeepHandle, kHandle},
      {"MutableHashTableOfTensors", KeepHandle, kHandle},
      {"MutableHashTableOfTensorsV2", KeepHandle, kHandle},
      {"MutableHashTableV2", KeepHandle, kHandle},
  };
  return kRows;
}

}  // namespace linnet::converter
