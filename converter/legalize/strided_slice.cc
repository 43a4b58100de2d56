// SPDX-License-Identifier: Apache-2.0
#include "converter/legalize/strided_slice.h"

#include <algorithm>
#include <bit>

#include "converter/legalize/building_blocks.h"

namespace linnet::converter {
namespace {

bool Bit(int64_t mask, size_t i) { return i < 63 && (mask >> i & 1) != 0; }

// One dimension of the input, or a dimension that the result has in addition.
struct Entry {
  int64_t begin = 0, end = 0, stride = 1;
  bool begin_masked = true, end_masked = true;
  bool shrink = false;
  bool new_axis = false;
};

// Entries in the order of the result's dimensions, the ellipsis spelled out.
absl::StatusOr<std::vector<Entry>> Expand(const StridedSliceSpec& spec, int rank) {
  const size_t count = spec.begin.size();
  if (spec.end.size() != count || spec.strides.size() != count)
    return Invalid("'begin', 'end' and 'strides' have {}, {} and {} values, want equally many",
                   count, spec.end.size(), spec.strides.size());
  if (count > 32) return Invalid("'begin' has {} values, want at most 32", count);
  const auto mask = static_cast<uint64_t>(spec.ellipsis_mask) & ((uint64_t{1} << count) - 1);
  if (std::popcount(mask) > 1) return Invalid("more than one ellipsis");
  // Where there is no ellipsis, one behind the last entry takes the rest.
  const size_t ellipsis = mask == 0 ? count : std::countr_zero(mask);
  int named = 0;
  for (size_t i = 0; i < count; ++i) named += i != ellipsis && !Bit(spec.new_axis_mask, i) ? 1 : 0;
  if (named > rank) return Invalid("{} dimensions are indexed, but the input has {}", named, rank);
  std::vector<Entry> entries;
  for (size_t i = 0; i <= count; ++i) {
    if (i == ellipsis) entries.resize(entries.size() + (rank - named));
    if (i == ellipsis || i == count) continue;
    Entry entry;
    if (Bit(spec.new_axis_mask, i)) {
      entry.new_axis = true;
    } else {
      entry = {spec.begin[i],           spec.end[i],           spec.strides[i],
               Bit(spec.begin_mask, i), Bit(spec.end_mask, i), Bit(spec.shrink_axis_mask, i)};
    }
    entries.push_back(entry);
  }
  return entries;
}

struct Range {
  int64_t begin, size;
};

// Elements of a dimension of `dim` elements that `entry` takes.
absl::StatusOr<Range> Resolve(const Entry& entry, int64_t dim) {
  if (entry.stride == 0) return Invalid("a stride is 0");
  if (entry.shrink) {
    if (entry.stride < 0) return Invalid("a single index wants stride 1, has {}", entry.stride);
    const int64_t index = entry.begin < 0 ? entry.begin + dim : entry.begin;
    if (index < 0 || index >= dim)
      return Invalid("slice index {} is out of bounds for {} elements", entry.begin, dim);
    return Range{index, 1};
  }
  const bool forward = entry.stride > 0;
  const int64_t low = forward ? 0 : -1, high = forward ? dim : dim - 1;
  const auto clamped = [&](int64_t x) { return std::clamp(x < 0 ? x + dim : x, low, high); };
  const int64_t begin = entry.begin_masked ? (forward ? low : high) : clamped(entry.begin);
  const int64_t end = entry.end_masked ? (forward ? high : low) : clamped(entry.end);
  const int64_t distance = forward ? end - begin : begin - end;
  if (distance <= 0) return Range{0, 0};
  const int64_t step =
      forward ? entry.stride : (entry.stride == INT64_MIN ? INT64_MAX : -entry.stride);
  return Range{begin, distance / step + (distance % step != 0 ? 1 : 0)};
}

}  // namespace

absl::StatusOr<SlicePlan> PlanStridedSlice(const StridedSliceSpec& spec, const Shape& input) {
  LINNET_ASSIGN_OR_RETURN(const std::vector<Entry> entries, Expand(spec, input.rank()));
  SlicePlan plan;
  std::vector<int64_t> result;
  int dimension = 0;
  for (const Entry& entry : entries) {
    if (entry.new_axis) {
      result.push_back(1);
      continue;
    }
    LINNET_ASSIGN_OR_RETURN(const Range range, Resolve(entry, input[dimension++]));
    plan.begin.Append(range.begin);
    plan.size.Append(range.size);
    plan.stride.Append(range.size > 1 ? entry.stride : 1);
    if (!entry.shrink) result.push_back(range.size);
  }
  LINNET_ASSIGN_OR_RETURN(plan.shape, CheckedShape(result));
  return plan;
}

}  // namespace linnet::converter
