// SPDX-License-Identifier: Apache-2.0
#include "runtime/core/nearest_names.h"

#include <algorithm>
#include <array>
#include <tuple>

#include "runtime/core/format.h"
#include "runtime/core/tensor_name.h"

namespace linnet {
namespace {

constexpr size_t kMostChanges = 3;
constexpr size_t kTooMany = kMostChanges + 1;

constexpr char Lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

constexpr bool Same(char a, char b) { return Lower(a) == Lower(b); }

constexpr std::string_view LastPart(std::string_view name) {
  const size_t slash = name.rfind('/');
  return slash == std::string_view::npos ? name : Part(name, slash + 1, name.size() - slash - 1);
}

void DropCommonEnds(std::string_view* a, std::string_view* b) {
  while (!a->empty() && !b->empty() && Same(a->front(), b->front())) {
    a->remove_prefix(1);
    b->remove_prefix(1);
  }
  while (!a->empty() && !b->empty() && Same(a->back(), b->back())) {
    a->remove_suffix(1);
    b->remove_suffix(1);
  }
}

// How many letters have to be changed, added, left out or swapped with their neighbour, whatever
// their case; kTooMany where these are more than kMostChanges. Only a band of the usual table can
// hold numbers that are small enough, so three rows of it are kept.
size_t Changes(std::string_view a, std::string_view b) {
  if (a.size() > b.size()) std::swap(a, b);
  if (b.size() - a.size() > kMostChanges) return kTooMany;
  DropCommonEnds(&a, &b);
  constexpr size_t kWidth = 2 * kMostChanges + 1;  // column j of row i is at j - i + kMostChanges
  using Row = std::array<size_t, kWidth + 2>;      // with a column of kTooMany on both sides
  Row before, last, row;
  before.fill(kTooMany);
  last.fill(kTooMany);
  for (size_t j = 0; j <= kMostChanges; ++j) last[1 + kMostChanges + j] = j;
  for (size_t i = 1; i <= a.size(); ++i) {
    row.fill(kTooMany);
    size_t least = kTooMany;
    for (size_t at = 0; at < kWidth; ++at) {
      if (i + at < kMostChanges || i + at - kMostChanges > b.size()) continue;
      const size_t j = i + at - kMostChanges;
      size_t& best = row[1 + at];
      if (j == 0) {
        best = i;
      } else {
        best = std::min(
            {last[1 + at] + (Same(a[i - 1], b[j - 1]) ? 0 : 1), last[2 + at] + 1, row[at] + 1});
        if (i > 1 && j > 1 && Same(a[i - 1], b[j - 2]) && Same(a[i - 2], b[j - 1]))
          best = std::min(best, before[1 + at] + 1);
      }
      least = std::min(least, best);
    }
    if (least >= kTooMany) return kTooMany;
    before = last;
    last = row;
  }
  return std::min(last[1 + kMostChanges + b.size() - a.size()], kTooMany);
}

bool Contains(std::string_view text, std::string_view part) {
  return std::search(text.begin(), text.end(), part.begin(), part.end(), Same) != text.end();
}

// Changes() where they are few for the length, else kTooMany.
size_t FewChanges(std::string_view a, std::string_view b) {
  const size_t changes = Changes(a, b);
  return changes <= std::max(a.size(), b.size()) / 3 ? changes : kTooMany;
}

constexpr size_t kNotNear = 100;
// Nobody types more, and the search takes time in proportion to it.
constexpr size_t kLongestPart = 64;

// Smaller is nearer.
size_t Distance(std::string_view name, std::string_view other) {
  const size_t changes = FewChanges(name, other);
  if (changes == 0) return 0;
  const std::string_view last = LastPart(name), other_last = LastPart(other);
  if (last == other_last) return 1;
  if (changes < kTooMany) return 1 + changes;
  if (const size_t in_last = FewChanges(last, other_last); in_last < kTooMany) return 6 + in_last;
  return name.size() >= 3 && name.size() <= kLongestPart && Contains(other, name) ? 20 : kNotNear;
}

}  // namespace

std::vector<std::string_view> NearestNames(std::string_view name,
                                           std::span<const std::string_view> names, size_t most) {
  std::vector<std::tuple<size_t, size_t, std::string_view>> near;
  for (const std::string_view other : names)
    if (const size_t distance = Distance(name, other); distance < kNotNear)
      near.emplace_back(distance, other.size(), other);
  const size_t count = std::min(most, near.size());
  std::partial_sort(near.begin(), near.begin() + static_cast<std::ptrdiff_t>(count), near.end());
  std::vector<std::string_view> nearest;
  for (size_t i = 0; i < count; ++i) nearest.push_back(std::get<2>(near[i]));
  return nearest;
}

std::string ListOfNames(std::span<const std::string_view> names, size_t most) {
  std::string list;
  const size_t count = std::min(most, names.size());
  for (size_t i = 0; i < count; ++i) {
    list += i == 0 ? "'" : ", '";
    list += names[i];
    list += "'";
  }
  if (count < names.size()) {
    char more[40];
    FormatText(more, sizeof(more), " and %llu more",
               static_cast<unsigned long long>(names.size() - count));
    list += more;
  }
  return list;
}

}  // namespace linnet
