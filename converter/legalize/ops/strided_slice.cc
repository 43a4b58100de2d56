// SPDX-License-Identifier: Apache-2.0
#include "converter/legalize/ops/strided_slice.h"

#include <algorithm>
#include <bit>

#include "converter/legalize/context/building_blocks.h"

namespace linnet::converter {
namespace {

bool Bit(int64_t mask, size_t i) { return i < 63 && (mask >> i & 1) != 0; }

// How one dimension of the input is sliced, or a new dimension of the result.
struct Entry {
  Extent begin, end;
  int64_t stride = 1;
  bool begin_masked = true, end_masked = true;
  bool shrink = false;
  bool new_axis = false;
  size_t number = 0;  // in the spec
};

// The entries in the order of the dimensions; an ellipsis becomes an entry for each dimension that
// it stands for.
absl::StatusOr<std::vector<Entry>> Expand(const StridedSliceSpec& spec, int rank) {
  const size_t count = spec.begin.size();
  if (spec.end.size() != count || spec.strides.size() != count)
    return Invalid("'begin', 'end' and 'strides' have {}, {} and {} values, want equally many",
                   count, spec.end.size(), spec.strides.size());
  if (count > 32) return Invalid("'begin' has {} values, want at most 32", count);
  const auto mask = static_cast<uint64_t>(spec.masks.ellipsis) & ((uint64_t{1} << count) - 1);
  if (std::popcount(mask) > 1) return Invalid("more than one ellipsis");
  // Without an ellipsis there is one after the last entry, for the remaining dimensions.
  const size_t ellipsis = mask == 0 ? count : std::countr_zero(mask);
  int named = 0;
  for (size_t i = 0; i < count; ++i) named += i != ellipsis && !Bit(spec.masks.new_axis, i) ? 1 : 0;
  if (named > rank) return Invalid("{} dimensions are indexed, but the input has {}", named, rank);
  std::vector<Entry> entries;
  for (size_t i = 0; i <= count; ++i) {
    if (i == ellipsis) entries.resize(entries.size() + (rank - named));
    if (i == ellipsis || i == count) continue;
    if (Bit(spec.masks.new_axis, i)) {
      entries.push_back({.new_axis = true});
    } else {
      entries.push_back({.begin = spec.begin[i],
                         .end = spec.end[i],
                         .stride = spec.strides[i],
                         .begin_masked = Bit(spec.masks.begin, i),
                         .end_masked = Bit(spec.masks.end, i),
                         .shrink = Bit(spec.masks.shrink_axis, i),
                         .number = i});
    }
  }
  return entries;
}

struct Range {
  Extent begin, size;
};

// The elements that `entry` takes of a dimension of `dim` elements. All numbers are known.
absl::StatusOr<Range> ResolveFixed(const Entry& entry, int64_t dim) {
  const int64_t first = entry.begin.constant(), last = entry.end.constant();
  if (entry.shrink) {
    if (entry.stride < 0) return Invalid("a single index wants stride 1, has {}", entry.stride);
    const int64_t index = first < 0 ? first + dim : first;
    if (index < 0 || index >= dim)
      return Invalid("slice index {} is out of bounds for {} elements", first, dim);
    return Range{index, 1};
  }
  const bool forward = entry.stride > 0;
  const int64_t low = forward ? 0 : -1, high = forward ? dim : dim - 1;
  const auto clamped = [&](int64_t x) { return std::clamp(x < 0 ? x + dim : x, low, high); };
  const int64_t begin = entry.begin_masked ? (forward ? low : high) : clamped(first);
  const int64_t end = entry.end_masked ? (forward ? high : low) : clamped(last);
  const int64_t distance = forward ? end - begin : begin - end;
  if (distance <= 0) return Range{0, 0};
  const int64_t step =
      forward ? entry.stride : (entry.stride == INT64_MIN ? INT64_MAX : -entry.stride);
  return Range{begin, distance / step + (distance % step != 0 ? 1 : 0)};
}

// The elements that `entry` takes of a dimension. Some numbers are known only when the model runs.
absl::StatusOr<Range> ResolveVarying(const Entry& entry, const Extent& dim, size_t dimension,
                                     const SymbolTable& symbols, const SmallerOne& smaller_one) {
  if (entry.stride != 1)
    return Unsupported("stride {}, want 1 where an extent or a bound varies", entry.stride);
  // Negative numbers count from the end.
  const auto from_start = [&](const Extent& x) { return symbols.Max(x) < 0 ? dim + x : x; };
  const auto clamped = [&](bool is_end) -> absl::StatusOr<Extent> {
    const Extent& bound = is_end ? entry.end : entry.begin;
    const Extent x = from_start(bound);
    if (symbols.AtLeast(dim, x)) return x;
    if (symbols.AtLeast(x, dim)) return dim;
    if (smaller_one && symbols.TightMin(bound) >= 0)
      return smaller_one(is_end, entry.number, dimension);
    return Unsupported("whether {} is beyond the end, {}, depends on data", symbols.Text(x),
                       symbols.Text(dim));
  };
  // An index beyond the end fails when the model runs, as in TensorFlow.
  if (entry.shrink) return Range{from_start(entry.begin), 1};
  Extent begin = 0, end = dim;
  if (!entry.begin_masked) {
    LINNET_ASSIGN_OR_RETURN(begin, clamped(/*is_end=*/false));
  }
  if (!entry.end_masked) {
    LINNET_ASSIGN_OR_RETURN(end, clamped(/*is_end=*/true));
  }
  return Range{begin, end - begin};
}

absl::StatusOr<Range> Resolve(const Entry& entry, const Extent& dim, size_t dimension,
                              const SymbolTable& symbols, const SmallerOne& smaller_one) {
  if (entry.stride == 0) return Invalid("a stride is 0");
  const bool takes_all = entry.begin_masked && entry.end_masked && entry.stride == 1;
  if (takes_all && !entry.shrink) return Range{0, dim};
  const bool fixed = dim.is_constant() && (entry.begin_masked || entry.begin.is_constant()) &&
                     (entry.end_masked || entry.shrink || entry.end.is_constant());
  if (fixed) return ResolveFixed(entry, dim.constant());
  return ResolveVarying(entry, symbols.Canonical(dim), dimension, symbols, smaller_one);
}

}  // namespace

absl::StatusOr<SlicePlan> PlanStridedSlice(const StridedSliceSpec& spec,
                                           const std::vector<Extent>& input,
                                           const SymbolTable& symbols,
                                           const SmallerOne& smaller_one) {
  LINNET_ASSIGN_OR_RETURN(const std::vector<Entry> entries,
                          Expand(spec, static_cast<int>(input.size())));
  SlicePlan plan;
  size_t dimension = 0;
  for (const Entry& entry : entries) {
    if (entry.new_axis) {
      plan.shape.push_back(1);
      continue;
    }
    LINNET_ASSIGN_OR_RETURN(const Range range,
                            Resolve(entry, input[dimension], dimension, symbols, smaller_one));
    ++dimension;
    plan.begin.push_back(range.begin);
    plan.size.push_back(range.size);
    const bool single = range.size.is_constant() && range.size.constant() <= 1;
    plan.stride.Append(single ? 1 : entry.stride);
    if (!entry.shrink) plan.shape.push_back(range.size);
  }
  return plan;
}

}  // namespace linnet::converter
