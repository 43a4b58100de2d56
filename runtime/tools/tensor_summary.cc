// SPDX-License-Identifier: Apache-2.0
#include "runtime/tools/tensor_summary.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "runtime/tools/element.h"
#include "runtime/tools/npy.h"

namespace linnet::tools {
namespace {

constexpr size_t kLargest = 5;
constexpr int64_t kShort = 8;  // so many elements are all shown

std::string NumberText(linnet_dtype dtype, double value) {
  char text[32];
  std::snprintf(text, sizeof(text), IsFloating(dtype) ? "%.4g" : "%.0f", value);
  return text;
}

// Whether all elements are in one row, as those of a classifier.
bool IsRow(const linnet_tensor_info& info) {
  return info.rank > 0 && NumElements(info) == info.dims[info.rank - 1];
}

std::string AllElements(linnet_dtype dtype, const std::vector<double>& elements) {
  std::string text = "{";
  for (const double element : elements) {
    if (text.size() > 1) text += ", ";
    text += NumberText(dtype, element);
  }
  return text += '}';
}

std::string Largest(const linnet_tensor_info& info, const TensorSummary& summary) {
  std::string text = "  largest:";
  for (const auto& [index, value] : summary.largest)
    text.append(" ")
        .append(std::to_string(index))
        .append(" (")
        .append(NumberText(info.dtype, value))
        .append("),");
  text.pop_back();
  return text;
}

// Keeps `largest` sorted and short.
void Insert(const TensorSummary::Entry& entry, std::vector<TensorSummary::Entry>& largest) {
  if (largest.size() == kLargest && largest.back().value >= entry.value) return;
  const auto at = std::ranges::find_if(
      largest, [&](const TensorSummary::Entry& other) { return other.value < entry.value; });
  largest.insert(at, entry);
  if (largest.size() > kLargest) largest.pop_back();
}

}  // namespace

TensorSummary Summarize(const linnet_tensor_info& info, const void* data) {
  TensorSummary summary;
  bool is_first = true;
  const int64_t count = NumElements(info);
  for (int64_t i = 0; i < count; ++i) {
    const double value = ElementAt(info.dtype, data, i);
    if (count <= kShort) summary.all.push_back(value);
    if (std::isnan(value)) {
      ++summary.nans;
      continue;
    }
    summary.min = is_first ? value : std::min(summary.min, value);
    summary.max = is_first ? value : std::max(summary.max, value);
    is_first = false;
    Insert({i, value}, summary.largest);
  }
  return summary;
}

std::string SummaryText(const linnet_tensor_info& info, const TensorSummary& summary) {
  std::string text = TypeText(info.dtype, info.dims, info.rank);
  const int64_t count = NumElements(info);
  if (count == 0) return text + "  empty";
  if (count <= kShort) return text + "  " + AllElements(info.dtype, summary.all);
  if (summary.nans < count)
    text += "  " + NumberText(info.dtype, summary.min) + ".." + NumberText(info.dtype, summary.max);
  if (summary.nans > 0) text += "  " + std::to_string(summary.nans) + " are NaN";
  if (IsRow(info) && !summary.largest.empty()) text += Largest(info, summary);
  return text;
}

}  // namespace linnet::tools
