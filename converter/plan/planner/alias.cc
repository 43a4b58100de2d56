// SPDX-License-Identifier: Apache-2.0
#include "converter/plan/planner/alias.h"

#include <algorithm>
#include <climits>
#include <optional>
#include <set>
#include <utility>

#include "converter/plan/planner/byte_range.h"
#include "converter/plan/planner/live_bytes.h"

namespace linnet::planner {
namespace {

// Values that share one buffer.
struct Group {
  std::set<std::pair<int, int>> members;  // (first position, value)
  int longest_life = 0;                   // no member lives for more positions
  Buffer buffer;
  bool merged = false;  // into another group; members are kept, to undo that
};

// How two groups would become one: b's members move by `shift`, then all by `base`.
struct Merge {
  int a, b;
  int64_t shift, base;
  Buffer buffer;
};

class Sharer {
 public:
  Sharer(const MemoryProblem& problem, std::span<const int> order, const PlannerOptions& options,
         SharePolicy policy)
      : problem_(problem),
        options_(options),
        policy_(policy),
        lives_(ComputeLifetimes(problem, order)),
        places_(problem.values.size()),
        live_(lives_.positions),
        options_of_(problem.values.size()),
        seen_(problem.values.size(), 0) {
    for (const AliasOption& option : problem.aliases) {
      if (!IsWellFormed(problem, option, options)) continue;
      well_formed_.push_back(&option);
      options_of_[option.inner].push_back(&option);
      options_of_[option.outer].push_back(&option);
    }
    for (size_t v = 0; v < problem.values.size(); ++v) {
      if (lives_.first[v] < 0) continue;
      places_[v] = {static_cast<int>(groups_.size()), 0};
      const Buffer buffer = {problem.values[v].bytes, lives_.first[v], lives_.last[v]};
      groups_.push_back(
          {{{buffer.first, static_cast<int>(v)}}, buffer.last - buffer.first + 1, buffer});
      AddLive(groups_.back().buffer, 1);
    }
  }

  Sharing Run() {
    if (policy_ != SharePolicy::kNone) {
      TakeFillers();
      TakeBundles();
      for (const AliasOption* option : well_formed_) TakeIfAllPay({&option, 1});
    }
    return Finish();
  }

 private:
  struct Undo {
    Merge merge;
    Buffer a_buffer;
    int a_longest_life;
  };

  // Where v lies once `merge` has happened, before everything moves by merge.base.
  ByteRange RangeOf(int v, const Merge& merge) const {
    const Place& place = places_[v];
    const int64_t begin = place.offset + (place.buffer == merge.b ? merge.shift : 0);
    return {begin, begin + problem_.values[v].bytes};
  }
  bool Joined(int v, const Merge& merge) const {
    return places_[v].buffer == merge.a || places_[v].buffer == merge.b;
  }
  bool InEffect(const AliasOption& option, const Merge& merge) const {
    return Joined(option.inner, merge) && Joined(option.outer, merge) &&
           RangeOf(option.inner, merge).begin == RangeOf(option.outer, merge).begin + option.offset;
  }
  bool BothLive(int a, int b) const {
    return lives_.first[a] <= lives_.last[b] && lives_.first[b] <= lives_.last[a];
  }
  void AddLive(const Buffer& buffer, int sign) {
    live_.Add(buffer.first, buffer.last, sign * RoundUp(buffer.bytes, options_.alignment));
  }

  // Whether `from` and `to` hold the same bytes in `range`: by a chain of views and parts that all
  // cover it and lie where their options want them.
  bool Agree(int from, int to, const ByteRange& range, const Merge& merge) {
    ++stamp_;
    std::vector<int> todo = {from};
    seen_[from] = stamp_;
    while (!todo.empty()) {
      const int v = todo.back();
      todo.pop_back();
      for (const AliasOption* option : options_of_[v]) {
        const int next = option->inner == v ? option->outer : option->inner;
        if (option->kind == AliasKind::kOverwrite || seen_[next] == stamp_ ||
            !InEffect(*option, merge) || !RangeOf(next, merge).Covers(range))
          continue;
        if (next == to) return true;
        seen_[next] = stamp_;
        todo.push_back(next);
      }
    }
    return false;
  }

  // Whether `inner` is written over `outer` by permission, in the step at which outer dies.
  bool Overwrites(int inner, int outer, const Merge& merge) const {
    return lives_.last[outer] == lives_.first[inner] &&
           std::ranges::any_of(options_of_[inner], [&](const AliasOption* option) {
             return option->kind == AliasKind::kOverwrite && option->inner == inner &&
                    option->outer == outer && InEffect(*option, merge);
           });
  }

  // Whether a and b may overlap in `range`.
  bool MayOverlap(int a, int b, const ByteRange& range, const Merge& merge) {
    const Value &x = problem_.values[a], &y = problem_.values[b];
    if (x.is_output && y.is_output && (x.bytes != y.bytes || range.end - range.begin != x.bytes))
      return false;
    return !BothLive(a, b) || Overwrites(a, b, merge) || Overwrites(b, a, merge) ||
           Agree(a, b, range, merge);
  }

  // The first member that is born after `position`. Groups grow at their end mostly, so that is
  // looked at first.
  static auto FirstAfter(const Group& group, int position) {
    const std::pair<int, int> key = {position, INT_MAX};
    return *group.members.rbegin() < key ? group.members.end() : group.members.upper_bound(key);
  }

  // Whether all members may lie where `merge` puts them. Members that never live at the same time
  // always may, so only those are looked at whose lives meet.
  bool MayShare(const Group& a, const Group& b, const Merge& merge) {
    const bool walk_a = a.members.size() < b.members.size();
    const Group &walked = walk_a ? a : b, &searched = walk_a ? b : a;
    for (const auto& [first, x] : walked.members) {
      auto at = FirstAfter(searched, lives_.last[x]);
      while (at != searched.members.begin()) {
        const auto& [other_first, y] = *--at;
        if (other_first + searched.longest_life <= first) break;
        const ByteRange common = Common(RangeOf(x, merge), RangeOf(y, merge));
        if (!common.empty() && !MayOverlap(x, y, common, merge)) return false;
      }
    }
    return true;
  }

  // The merge that takes `option`; nothing when that is illegal here or in effect already.
  std::optional<Merge> Propose(const AliasOption& option) {
    const Place inner = places_[option.inner], outer = places_[option.outer];
    if (inner.buffer < 0 || outer.buffer < 0 || inner.buffer == outer.buffer) return {};
    const Group &a = groups_[outer.buffer], &b = groups_[inner.buffer];
    const int64_t shift = outer.offset + option.offset - inner.offset;
    Merge merge = {outer.buffer, inner.buffer, shift, std::max<int64_t>(0, -shift), {}};
    if (!MayShare(a, b, merge)) return {};
    if (merge.base % options_.view_alignment != 0 || shift % options_.view_alignment != 0)
      return {};
    merge.buffer.bytes = std::max(a.buffer.bytes, b.buffer.bytes + shift) + merge.base;
    merge.buffer.first = std::min(a.buffer.first, b.buffer.first);
    merge.buffer.last = std::max(a.buffer.last, b.buffer.last);
    return merge;
  }

  void Apply(const Merge& merge) {
    Group &a = groups_[merge.a], &b = groups_[merge.b];
    applied_.push_back({merge, a.buffer, a.longest_life});
    AddLive(a.buffer, -1);
    AddLive(b.buffer, -1);
    Shift(a, merge.base);
    for (const auto& member : b.members) {
      places_[member.second].offset += merge.base + merge.shift;
      places_[member.second].buffer = merge.a;
      a.members.insert(a.members.end(), member);
    }
    b.merged = true;
    a.longest_life = std::max(a.longest_life, b.longest_life);
    a.buffer = merge.buffer;
    AddLive(a.buffer, 1);
  }

  void UndoLast() {
    const Undo undo = applied_.back();
    applied_.pop_back();
    const Merge& merge = undo.merge;
    Group &a = groups_[merge.a], &b = groups_[merge.b];
    AddLive(a.buffer, -1);
    for (const auto& member : b.members) {
      places_[member.second].offset -= merge.base + merge.shift;
      places_[member.second].buffer = merge.b;
      a.members.erase(member);
    }
    b.merged = false;
    Shift(a, -merge.base);
    a.longest_life = undo.a_longest_life;
    a.buffer = undo.a_buffer;
    AddLive(a.buffer, 1);
    AddLive(b.buffer, 1);
  }

  void Shift(const Group& group, int64_t offset) {
    if (offset == 0) return;
    for (const auto& member : group.members) places_[member.second].offset += offset;
  }

  bool Pays(int64_t peak_before, int64_t area_before) {
    if (live_.peak() > peak_before) return false;
    const bool area_grows = live_.area() > area_before;
    if (policy_ == SharePolicy::kPeak && area_grows) area_grew_ = true;
    return policy_ == SharePolicy::kPeak || !area_grows;
  }

  // Aliases of values that fill both buffers: one buffer instead of two, never alive for longer
  // than the two together.
  void TakeFillers() {
    for (const AliasOption* option : well_formed_) {
      if (option->kind == AliasKind::kPart) continue;
      const std::optional<Merge> merge = Propose(*option);
      if (!merge) continue;
      const int64_t bytes = groups_[merge->a].buffer.bytes;
      if (merge->buffer.bytes == bytes && groups_[merge->b].buffer.bytes == bytes) Apply(*merge);
    }
  }

  // Options of one step, all or none: a concatenation or a split gains nothing while some of its
  // parts are still apart. Later steps first, so that an outer concatenation decides before those
  // inside it.
  void TakeBundles() {
    std::vector<std::vector<const AliasOption*>> by_step(problem_.steps.size());
    for (const AliasOption* option : well_formed_)
      if (option->kind != AliasKind::kOverwrite) by_step[option->step].push_back(option);
    for (size_t s = by_step.size(); s-- > 0;)
      if (by_step[s].size() > 1) TakeIfAllPay(by_step[s]);
  }

  // Takes what is legal of `options`, or nothing when that does not pay.
  void TakeIfAllPay(std::span<const AliasOption* const> options) {
    const size_t before = applied_.size();
    const int64_t peak = live_.peak(), area = live_.area();
    for (const AliasOption* option : options) {
      if (const std::optional<Merge> merge = Propose(*option)) Apply(*merge);
    }
    if (Pays(peak, area)) return;
    while (applied_.size() > before) UndoLast();
  }

  bool IsTaken(const AliasOption& option) const {
    const Place inner = places_[option.inner], outer = places_[option.outer];
    const bool in_effect = inner.buffer >= 0 && inner.buffer == outer.buffer &&
                           inner.offset == outer.offset + option.offset;
    return in_effect && (option.kind != AliasKind::kOverwrite ||
                         lives_.last[option.outer] == lives_.first[option.inner]);
  }

  Sharing Finish() {
    Sharing sharing;
    std::vector<int> number(groups_.size(), -1);
    for (size_t g = 0; g < number.size(); ++g) {
      if (groups_[g].merged) continue;
      number[g] = static_cast<int>(sharing.buffers.size());
      sharing.buffers.push_back(groups_[g].buffer);
    }
    sharing.lower_bound = live_.peak();
    sharing.area_grew = area_grew_;
    sharing.places = places_;
    for (Place& place : sharing.places) {
      if (place.buffer >= 0) place.buffer = number[place.buffer];
    }
    // One merge may have put several options into effect.
    for (const AliasOption* option : well_formed_)
      if (IsTaken(*option))
        sharing.taken.push_back(static_cast<int>(option - problem_.aliases.data()));
    return sharing;
  }

  const MemoryProblem& problem_;
  const PlannerOptions& options_;
  const SharePolicy policy_;
  const Lifetimes lives_;
  std::vector<Group> groups_;
  std::vector<Place> places_;  // buffer = group
  LiveBytes live_;             // of rounded buffers
  std::vector<Undo> applied_;
  bool area_grew_ = false;
  std::vector<const AliasOption*> well_formed_;              // options, in the problem's order
  std::vector<std::vector<const AliasOption*>> options_of_;  // per value, the well-formed ones
  std::vector<int> seen_;                                    // per value: last search to visit it
  int stamp_ = 0;
};

}  // namespace

bool IsWellFormed(const MemoryProblem& problem, const AliasOption& option,
                  const PlannerOptions& options) {
  const int num_values = static_cast<int>(problem.values.size());
  if (option.step < 0 || option.step >= static_cast<int>(problem.steps.size())) return false;
  if (option.inner < 0 || option.inner >= num_values || option.outer < 0 ||
      option.outer >= num_values || option.inner == option.outer)
    return false;
  const Value &inner = problem.values[option.inner], &outer = problem.values[option.outer];
  if (inner.exclusive || outer.exclusive) return false;
  if (inner.bytes == 0 || option.offset < 0 || option.offset % options.view_alignment != 0 ||
      option.offset > outer.bytes - inner.bytes)
    return false;
  const Step& step = problem.steps[option.step];
  const bool is_part = option.kind == AliasKind::kPart;
  const auto reads = std::ranges::count(step.inputs, is_part ? option.inner : option.outer);
  const auto writes = std::ranges::count(step.outputs, is_part ? option.outer : option.inner);
  if (reads == 0 || writes == 0) return false;
  // An input that is there twice would be read after part of it has been overwritten.
  if (option.kind == AliasKind::kOverwrite) return inner.bytes == outer.bytes && reads == 1;
  // The caller writes a graph input where it lies: that is no place to gather other values.
  return !is_part || !inner.is_input;
}

Sharing ShareBuffers(const MemoryProblem& problem, std::span<const int> order,
                     const PlannerOptions& options, SharePolicy policy) {
  return Sharer(problem, order, options, policy).Run();
}

}  // namespace linnet::planner
