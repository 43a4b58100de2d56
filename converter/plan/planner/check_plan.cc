// SPDX-License-Identifier: Apache-2.0
// FindPlanError executes the plan on memory that remembers where each byte comes from.
#include <algorithm>
#include <iterator>
#include <map>
#include <string>
#include <vector>

#include "converter/plan/planner/lower_bound.h"
#include "converter/plan/planner/planner.h"

namespace linnet::planner {
namespace {

// Bytes from some begin to `end` hold what `origin` wrote at its own bytes from `from` on.
struct Segment {
  int64_t end = 0;
  int origin = -1;
  int64_t from = 0;
};

// Disjoint segments by their begin.
class Content {
 public:
  void Write(int64_t begin, const Segment& segment) {
    if (begin >= segment.end) return;
    SplitAt(begin);
    SplitAt(segment.end);
    segments_.erase(segments_.lower_bound(begin), segments_.lower_bound(segment.end));
    segments_[begin] = segment;
  }

  // Copies `bytes` of `other` from `other_begin` to `begin`.
  void Copy(int64_t begin, const Content& other, int64_t other_begin, int64_t bytes) {
    const int64_t end = other_begin + bytes;
    auto it = other.segments_.upper_bound(other_begin);
    if (it != other.segments_.begin()) --it;
    for (; it != other.segments_.end() && it->first < end; ++it) {
      const int64_t from = std::max(it->first, other_begin), to = std::min(it->second.end, end);
      if (from >= to) continue;
      Write(begin + from - other_begin,
            {begin + to - other_begin, it->second.origin, it->second.from + from - it->first});
    }
  }

  // Whether all of `wanted` lies here, from `begin` on.
  bool Holds(int64_t begin, const Content& wanted) const {
    for (const auto& [at, segment] : wanted.segments_) {
      for (int64_t p = at; p < segment.end;) {
        auto it = segments_.upper_bound(begin + p);
        if (it == segments_.begin()) return false;
        --it;
        if (it->second.end <= begin + p || it->second.origin != segment.origin ||
            it->second.from + begin + p - it->first != segment.from + p - at)
          return false;
        p = it->second.end - begin;
      }
    }
    return true;
  }

 private:
  void SplitAt(int64_t position) {
    auto it = segments_.lower_bound(position);
    if (it == segments_.begin()) return;
    --it;
    if (it->second.end <= position) return;
    const Segment tail = {it->second.end, it->second.origin,
                          it->second.from + position - it->first};
    it->second.end = position;
    segments_[position] = tail;
  }

  std::map<int64_t, Segment> segments_;
};

// Bytes of the arena.
struct Addresses {
  int64_t begin, end;
  bool Overlaps(const Addresses& o) const {
    return std::max(begin, o.begin) < std::min(end, o.end);
  }
  bool operator==(const Addresses&) const = default;
};

class PlanCheck {
 public:
  PlanCheck(const MemoryProblem& problem, const MemoryPlan& plan, const PlannerOptions& options)
      : problem_(problem), plan_(plan), options_(options), contents_(problem.values.size()) {}

  std::string Run() {
    std::string error = CheckOrder();
    if (error.empty()) error = CheckBuffers();
    if (error.empty()) error = CheckPlaces();
    if (error.empty()) error = CheckOutputsApart();
    if (error.empty()) error = Execute();
    return error;
  }

 private:
  int64_t Bytes(int v) const { return problem_.values[v].bytes; }
  int64_t Address(int v) const {
    return plan_.buffers[plan_.places[v].buffer].offset + plan_.places[v].offset;
  }
  bool HasPlace(int v) const { return plan_.places[v].buffer >= 0; }
  Addresses RangeOf(int v) const { return {Address(v), Address(v) + Bytes(v)}; }
  static std::string Name(const char* what, int index) {
    return std::string(what) + " " + std::to_string(index);
  }

  std::string CheckOrder() const {
    const int num_steps = static_cast<int>(problem_.steps.size());
    std::vector<int> sorted = plan_.order, position(problem_.steps.size());
    std::ranges::sort(sorted);
    if (sorted.size() != problem_.steps.size()) return "order has the wrong length";
    for (int i = 0; i < num_steps; ++i)
      if (sorted[i] != i) return "order is no permutation";
    for (int i = 0; i < num_steps; ++i) position[plan_.order[i]] = i;
    std::vector<int> written(problem_.values.size(), -1);  // position; -1: before the run
    for (int s = 0; s < num_steps; ++s)
      for (int v : problem_.steps[s].outputs) written[v] = position[s];
    for (int s = 0; s < num_steps; ++s) {
      for (int v : problem_.steps[s].inputs)
        if (written[v] >= position[s]) return Name("step", s) + " runs before its input";
      for (int e : problem_.steps[s].after)
        if (position[e] >= position[s]) return Name("step", s) + " runs too early";
    }
    return "";
  }

  std::string CheckBuffers() const {
    std::vector<Buffer> buffers;
    for (const BufferPlace& b : plan_.buffers) {
      if (b.offset < 0 || b.offset % options_.alignment != 0) return "a buffer is unaligned";
      if (b.offset + b.bytes > plan_.arena_bytes) return "a buffer leaves the arena";
      for (const BufferPlace& other : plan_.buffers) {
        const Addresses range = {other.offset, other.offset + other.bytes};
        if (&other != &b && b.first <= other.last && other.first <= b.last &&
            range.Overlaps({b.offset, b.offset + b.bytes}))
          return "two buffers overlap";
      }
      buffers.push_back({b.bytes, b.first, b.last});
    }
    const int positions = static_cast<int>(plan_.order.size()) + 2;
    if (plan_.lower_bound != LowerBound(buffers, positions, options_.alignment))
      return "the lower bound is another one";
    return plan_.arena_bytes < plan_.lower_bound ? "the arena is below the lower bound" : "";
  }

  std::string CheckPlaces() const {
    if (plan_.places.size() != problem_.values.size()) return "a value has no place";
    const Lifetimes lives = ComputeLifetimes(problem_, plan_.order);
    for (int v = 0; v < std::ssize(problem_.values); ++v) {
      const Place& place = plan_.places[v];
      if ((place.buffer >= 0) != (lives.first[v] >= 0)) return Name("value", v) + " has no place";
      if (place.buffer < 0) continue;
      const BufferPlace& buffer = plan_.buffers[place.buffer];
      if (place.offset < 0 || place.offset + Bytes(v) > buffer.bytes)
        return Name("value", v) + " leaves its buffer";
      if (lives.first[v] < buffer.first || lives.last[v] > buffer.last)
        return Name("value", v) + " outlives its buffer";
      if (place.offset % options_.view_alignment != 0) return Name("value", v) + " is unaligned";
    }
    return "";
  }

  std::string CheckOutputsApart() const {
    const auto is_placed_output = [&](int v) {
      return problem_.values[v].is_output && HasPlace(v);
    };
    for (int x = 0; x < std::ssize(problem_.values); ++x) {
      for (int y = 0; y < x; ++y) {
        if (is_placed_output(x) && is_placed_output(y) && RangeOf(x) != RangeOf(y) &&
            RangeOf(x).Overlaps(RangeOf(y)))
          return Name("output", x) + " shares bytes with " + Name("output", y);
      }
    }
    return "";
  }

  std::vector<const AliasOption*> Taken(int step) const {
    std::vector<const AliasOption*> taken;
    for (int a : plan_.aliases) {
      if (problem_.aliases[a].step == step) taken.push_back(&problem_.aliases[a]);
    }
    return taken;
  }

  // Notes what `v` holds once the step that makes it has run. Where the step writes that.
  std::vector<Addresses> Define(int v, const std::vector<const AliasOption*>& taken) {
    Content whole;
    whole.Write(0, {Bytes(v), v, 0});
    std::vector<Addresses> in_place;
    for (const AliasOption* alias : taken) {
      if (alias->kind == AliasKind::kView && alias->inner == v) {
        whole = {};
        whole.Copy(0, contents_[alias->outer], alias->offset, Bytes(v));
        in_place = {{0, Bytes(v)}};
      } else if (alias->kind == AliasKind::kPart && alias->outer == v &&
                 Address(alias->inner) == Address(v) + alias->offset) {
        whole.Copy(alias->offset, contents_[alias->inner], 0, Bytes(alias->inner));
        in_place.push_back({alias->offset, alias->offset + Bytes(alias->inner)});
      }
    }
    contents_[v] = whole;
    in_place.push_back({Bytes(v), Bytes(v)});
    std::ranges::sort(in_place, {}, &Addresses::begin);
    std::vector<Addresses> written;
    int64_t at = 0;
    for (const auto& [begin, end] : in_place) {
      if (at < begin) written.push_back({Address(v) + at, Address(v) + begin});
      at = std::max(at, end);
    }
    return written;
  }

  bool MayWriteOver(int v, int input, int step,
                    const std::vector<const AliasOption*>& taken) const {
    const std::vector<int>& inputs = problem_.steps[step].inputs;
    return Address(v) == Address(input) && std::ranges::count(inputs, input) == 1 &&
           std::ranges::any_of(taken, [&](const AliasOption* alias) {
             return alias->kind == AliasKind::kOverwrite && alias->inner == v &&
                    alias->outer == input;
           });
  }

  std::string Execute() {
    for (int v = 0; v < std::ssize(problem_.values); ++v) {
      if (!problem_.values[v].is_input) continue;
      contents_[v].Write(0, {Bytes(v), v, 0});
      memory_.Copy(Address(v), contents_[v], 0, Bytes(v));
    }
    for (int step : plan_.order) {
      std::string error = ExecuteStep(step);
      if (!error.empty()) return error;
    }
    for (int v = 0; v < std::ssize(problem_.values); ++v) {
      const Value& value = problem_.values[v];
      if ((value.is_output || value.keep) && HasPlace(v) &&
          !memory_.Holds(Address(v), contents_[v]))
        return Name("value", v) + " is overwritten before the run ends";
    }
    return "";
  }

  std::string ExecuteStep(int step) {
    const Step& s = problem_.steps[step];
    const std::vector<const AliasOption*> taken = Taken(step);
    for (int v : s.inputs) {
      if (HasPlace(v) && !memory_.Holds(Address(v), contents_[v]))
        return Name("step", step) + " reads " + Name("value", v) + " after it was overwritten";
    }
    for (int v : s.outputs) {
      for (const Addresses& range : Define(v, taken)) {
        for (int input : s.inputs) {
          if (HasPlace(input) && range.Overlaps(RangeOf(input)) &&
              !MayWriteOver(v, input, step, taken))
            return Name("step", step) + " writes " + Name("value", v) + " over its input " +
                   std::to_string(input);
        }
        Content fresh;
        const int64_t bytes = range.end - range.begin;
        fresh.Copy(0, contents_[v], range.begin - Address(v), bytes);
        memory_.Copy(range.begin, fresh, 0, bytes);
      }
    }
    for (int v : s.outputs) {
      if (!memory_.Holds(Address(v), contents_[v]))
        return Name("step", step) + " does not leave " + Name("value", v) + " in its place";
    }
    return "";
  }

  const MemoryProblem& problem_;
  const MemoryPlan& plan_;
  const PlannerOptions& options_;
  std::vector<Content> contents_;  // what each value must hold
  Content memory_;
};

}  // namespace

std::string FindPlanError(const MemoryProblem& problem, const MemoryPlan& plan,
                          const PlannerOptions& options) {
  return PlanCheck(problem, plan, options).Run();
}

}  // namespace linnet::planner
