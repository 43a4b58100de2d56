// SPDX-License-Identifier: Apache-2.0
// Ragged tensors: the rows' values one after another, and where each row ends.
#include <algorithm>

#include "converter/legalize/context/building_blocks.h"
#include "converter/legalize/context/tf_op.h"
#include "converter/legalize/context/varying.h"
#include "converter/legalize/ops/scatter.h"
#include "runtime/ops/cumulative.h"
#include "runtime/ops/gather.h"

namespace linnet::converter {
namespace {

constexpr int kFirstPartition = 3;  // input

// 0, then how many values the rows up to each one have, of the row number of each value.
Emitted EmitSplitsOfRows(LegalizeContext& context, Output row_of_value, const Extent& rows,
                         const std::string& suffix) {
  if (context.shape(row_of_value).rank() != 1) return Invalid("the numbers of rows are no vector");
  const Emitted lengths =
      EmitOccurrences(context, row_of_value, rows, DType::kInt32, suffix + "/lengths");
  const Emitted ends = context.Emit(CumulativeAttrs{.kind = schema::CumulativeKind::Sum}, {lengths},
                                    suffix + "/ends");
  const Output first = context.AddConstant(Constant::Of<int32_t>({1}, {0}), suffix + "/first");
  return EmitJoined(context, {first, ends}, 0, suffix);
}

// The splits of each ragged dimension, i32 [rows + 1], the outermost first.
absl::StatusOr<std::vector<Output>> GetSplits(LegalizeContext& context) {
  LINNET_ASSIGN_OR_RETURN(const std::vector<std::string> types,
                          context.Strings("row_partition_types"));
  if (std::ssize(types) != context.num_inputs() - kFirstPartition || types.empty())
    return Invalid("attr 'row_partition_types' has {} elements for {} partitions", types.size(),
                   context.num_inputs() - kFirstPartition);
  std::vector<Output> splits;
  std::optional<Extent> rows;  // that the next partition divides, if that is known
  for (size_t i = 0; i < types.size(); ++i) {
    const int input = kFirstPartition + static_cast<int>(i);
    const std::string suffix = fmt::format("splits_{}", i);
    if (types[i] == "FIRST_DIM_SIZE" && i == 0) {
      LINNET_ASSIGN_OR_RETURN(const Extents size, context.ExtentValues(input, "first dimension"));
      if (size.size() != 1) return Invalid("the first dimension has {} sizes", size.size());
      rows = size[0];
    } else if (types[i] == "VALUE_ROWIDS" && rows) {
      LINNET_ASSIGN_OR_RETURN(const Output made,
                              EmitSplitsOfRows(context, context.input(input), *rows, suffix));
      splits.push_back(made);
      rows = context.extents(input)[0];
    } else if (types[i] == "ROW_SPLITS" && context.shape(input).rank() == 1 &&
               context.symbols().Min(context.extents(input)[0]) > 0) {
      LINNET_ASSIGN_OR_RETURN(const Output cast,
                              EmitCast(context, DType::kInt32, context.input(input), suffix));
      splits.push_back(cast);
      rows.reset();
    } else {
      return Unsupported("partition {} is '{}' of shape {}", i, types[i],
                         ShapeText(context.shape(input)));
    }
  }
  if (splits.empty()) return Invalid("no partition says where rows end");
  return splits;
}

// The result's extents as the model gives them; -1 = they follow from the rows.
absl::StatusOr<std::vector<int64_t>> GetWantedShape(const LegalizeContext& context, size_t rank) {
  LINNET_ASSIGN_OR_RETURN(std::vector<int64_t> wanted, context.ConstantInts(0, "shape"));
  if (context.shape(0).rank() == 0) wanted.assign(rank, -1);
  const auto is_wrong = [](int64_t extent) { return extent < -1 || extent > kMostElements; };
  if (wanted.size() != rank || std::ranges::any_of(wanted, is_wrong))
    return Invalid("'shape' is [{}], want {} extents of at most {}, or -1", fmt::join(wanted, ","),
                   rank, kMostElements);
  return wanted;
}

// How long the longest row is.
absl::StatusOr<Extent> EmitLongest(LegalizeContext& context, Output lengths, int64_t most,
                                   const std::string& suffix) {
  const Output zero = context.AddConstant(Constant::Of<int32_t>({1}, {0}), suffix + "/no_rows");
  const Emitted all = EmitJoined(context, {zero, lengths}, 0, suffix + "/lengths_and_0");
  LINNET_ASSIGN_OR_RETURN(const Output longest, EmitReduce(context, ReduceKind::Max, {0}, false,
                                                           all, suffix + "/longest"));
  return context.SymbolOf(longest, 0, 0, most);
}

Emitted EmitDefaults(LegalizeContext& context, const Extent& rows, Extents shape,
                     const std::string& name) {
  shape[0] = rows;
  return EmitBroadcastTo(context, shape, context.input(2), name);
}

// values [n, ...] as [rows, width, ...]: each row's values, then the default. They are picked from
// a table that begins with the default.
Emitted EmitDenseRows(LegalizeContext& context, Output values, Output splits, int64_t wanted,
                      const std::string& name, std::string_view suffix) {
  const Extents from = context.extents(values);
  const Extent rows = context.extents(splits)[0] - 1;
  const Extents column = {rows, 1};
  const Emitted starts =
      EmitSlice(context, Extents{0}, Extents{rows}, {1}, splits, name + "/starts");
  const Emitted ends = EmitSlice(context, Extents{1}, Extents{rows}, {1}, splits, name + "/ends");
  LINNET_ASSIGN_OR_RETURN(const Output lengths,
                          EmitBinary(context, BinaryKind::Sub, ends, starts, name + "/lengths"));
  Extent width = wanted;
  if (wanted < 0) {
    LINNET_ASSIGN_OR_RETURN(
        width, EmitLongest(context, lengths, context.symbols().Largest(from[0]), name));
  }
  if (context.symbols().Largest(width) > kMostElements)
    return Unsupported("rows of up to {} elements", context.symbols().Largest(width));
  const Output most =
      AddIndices<int32_t>(context, {context.symbols().Largest(width)}, name + "/all_columns");
  const Emitted columns = EmitCutTo(context, {width}, most, name + "/columns");
  const Emitted length_of_row = EmitReshape(context, column, lengths, name + "/length_of_row");
  const Emitted inside =
      EmitCompare(context, CompareKind::Less, columns, length_of_row, name + "/inside");
  Emitted at = EmitReshape(context, column, starts, name + "/start_of_row");
  at = EmitBinary(context, BinaryKind::Add, at, 1, name + "/behind_default");
  at = EmitBinary(context, BinaryKind::Add, at, columns, name + "/at");
  const Output zero = context.AddScalar(DType::kInt32, 0, name + "/default");
  at = EmitSelect(context, inside, at, zero, name + "/indices");
  const Emitted defaults = EmitDefaults(context, 1, from, name + "/default_row");
  const Emitted table = EmitJoined(context, {defaults, values}, 0, name + "/table");
  return context.Emit(GatherAttrs(), {table, at}, suffix);
}

// x with `wanted` rows: its first ones, or rows of defaults behind all of them.
Emitted EmitAsManyRows(LegalizeContext& context, Output x, int64_t wanted) {
  const Extents shape = context.extents(x);
  if (!shape[0].is_constant())
    return Unsupported("{} rows of {}, of which there are more or less in each run", wanted,
                       context.symbols().Text(shape));
  const int64_t missing = wanted - shape[0].constant();
  if (missing < 0) return EmitFirst(context, wanted, x);
  const Emitted defaults = EmitDefaults(context, missing, shape, "missing_rows");
  return EmitJoined(context, {x, defaults}, 0);
}

absl::Status RaggedTensorToTensor(LegalizeContext& context) {
  LINNET_ASSIGN_OR_RETURN(const std::vector<Output> splits, GetSplits(context));
  const Extents values = context.extents(1);
  if (values.empty()) return Invalid("'values' is a scalar");
  if (splits.size() + values.size() > static_cast<size_t>(kMaxRank))
    return Unsupported("a result of {} dimensions, want at most {}", splits.size() + values.size(),
                       kMaxRank);
  LINNET_ASSIGN_OR_RETURN(const std::vector<int64_t> wanted,
                          GetWantedShape(context, splits.size() + values.size()));
  for (size_t i = 1; i < values.size(); ++i) {
    const int64_t extent = wanted[splits.size() + i];
    if (extent >= 0 && values[i] != Extent(extent))
      return Invalid("'shape' wants [{}] of values {}", fmt::join(wanted, ","),
                     context.symbols().Text(values));
  }
  const bool has_all_rows = wanted[0] < 0 || context.extents(splits[0])[0] == Extent(wanted[0] + 1);
  Output y = context.input(1);
  for (size_t level = splits.size(); level-- > 0;) {
    const std::string name = fmt::format("rows_{}", level);
    LINNET_ASSIGN_OR_RETURN(y, EmitDenseRows(context, y, splits[level], wanted[level + 1], name,
                                             level == 0 && has_all_rows ? "" : name));
  }
  return has_all_rows ? context.Replace(y) : context.Replace(EmitAsManyRows(context, y, wanted[0]));
}

}  // namespace

std::span<const TfOp> RaggedOps() {
  static constexpr TfOp kRows[] = {
      {"RaggedTensorToTensor", RaggedTensorToTensor,
       "Slice, Binary, Select, Concat, Gather; shape known", kMayVary},
  };
  return kRows;
}

}  // namespace linnet::converter
