// SPDX-License-Identifier: Apache-2.0
#include "converter/plan/planner/order.h"

#include <algorithm>
#include <numeric>
#include <set>
#include <tuple>

namespace linnet::planner {
namespace {

// A schedule that takes the best ready step each time. What a step adds and frees changes only when
// it becomes the last reader of a storage, so ready steps are judged again only then.
class BestFirst {
 public:
  // The smallest key is the best. `since`: the number of steps that ran before this one was ready.
  using Key = std::tuple<int64_t, int64_t, int>;
  using Judge = Key (*)(const ScheduleState& state, int step, int64_t since);

  BestFirst(const ScheduleModel& model, Judge judge)
      : model_(model), judge_(judge), state_(model), keys_(model.steps.size()) {}

  std::vector<int> Run() {
    std::vector<int> order;
    for (int step : state_.ready()) Enter(step, 0);
    while (!frontier_.empty()) {
      const int step = std::get<2>(*frontier_.begin());
      frontier_.erase(frontier_.begin());
      state_.Run(step);
      order.push_back(step);
      for (int storage : model_.steps[step].reads) {
        if (state_.readers(storage) == 1) JudgeAgain(model_.reader_steps[storage]);
      }
      for (int next : model_.steps[step].next) {
        if (state_.waits_for(next) == 0) Enter(next, static_cast<int64_t>(order.size()));
      }
    }
    return order;
  }

 private:
  struct Entry {
    Key key;
    int64_t since = -1;  // not ready
  };

  void Enter(int step, int64_t since) {
    keys_[step] = {judge_(state_, step, since), since};
    frontier_.insert(keys_[step].key);
  }
  void JudgeAgain(const std::vector<int>& steps) {
    for (int step : steps) {
      if (keys_[step].since < 0 || frontier_.erase(keys_[step].key) == 0) continue;
      Enter(step, keys_[step].since);
    }
  }

  const ScheduleModel& model_;
  const Judge judge_;
  ScheduleState state_;
  std::vector<Entry> keys_;
  std::set<Key> frontier_;
};

// The greedy order: always the step that leaves the least alive.
BestFirst::Key LeastLeft(const ScheduleState& state, int step, int64_t) {
  const ScheduleState::Effect effect = state.Try(step);
  return {effect.after - state.live(), effect.during - state.live(), step};
}

// Depth first: finishes one branch before it begins the next, so the step whose inputs were made
// last comes first.
BestFirst::Key LatestInputs(const ScheduleState& state, int step, int64_t since) {
  return {-since, state.Try(step).after - state.live(), step};
}

// Keeps the best `width` partial schedules of each length.
class BeamSearch {
 public:
  BeamSearch(const ScheduleModel& model, int width) : model_(model), width_(width) {
    // Sets of steps are compared by a 64-bit sum of numbers that look random but never change.
    uint64_t seed = 0x9e3779b97f4a7c15u;
    for (size_t s = 0; s < model.steps.size(); ++s) {
      seed ^= seed << 13;
      seed ^= seed >> 7;
      seed ^= seed << 17;
      keys_.push_back(seed);
    }
  }

  std::vector<int> Run() {
    std::vector<Entry> beam;
    beam.push_back({ScheduleState(model_), 0, -1});
    for (size_t length = 0; length < model_.steps.size(); ++length) {
      std::vector<Entry> next;
      for (const Choice& choice : Choose(Expand(beam))) {
        const Entry& from = beam[choice.parent];
        next.push_back({from.state, choice.set, static_cast<int>(trail_.size())});
        next.back().state.Run(choice.step);
        trail_.push_back({from.trail, choice.step});
      }
      beam = std::move(next);
    }
    std::vector<int> order;
    for (int at = beam.front().trail; at >= 0; at = trail_[at].parent)
      order.push_back(trail_[at].step);
    std::ranges::reverse(order);
    return order;
  }

 private:
  struct Entry {
    ScheduleState state;
    uint64_t set;
    int trail;
  };
  struct Trail {
    int parent, step;
  };
  struct Choice {
    int64_t peak, live;
    int parent, step;
    uint64_t set;
  };

  std::vector<Choice> Expand(const std::vector<Entry>& beam) const {
    std::vector<Choice> choices;
    for (size_t i = 0; i < beam.size(); ++i) {
      const ScheduleState& state = beam[i].state;
      const size_t begin = choices.size();
      for (int step : state.ready()) {
        const ScheduleState::Effect effect = state.Try(step);
        // Such a step can go first without harm: it raises neither the peak nor what stays.
        const bool free = effect.during <= state.peak() && effect.after <= state.live();
        if (free) choices.resize(begin);
        choices.push_back({std::max(state.peak(), effect.during), effect.after, static_cast<int>(i),
                           step, beam[i].set + keys_[step]});
        if (free) break;
      }
    }
    return choices;
  }

  // The best of them, each set of steps once.
  std::vector<Choice> Choose(std::vector<Choice> choices) const {
    std::ranges::sort(choices, {}, [](const Choice& choice) {
      return std::tuple(choice.peak, choice.live, choice.parent, choice.step);
    });
    std::vector<Choice> kept;
    for (const Choice& choice : choices) {
      if (static_cast<int>(kept.size()) == width_) break;
      if (std::ranges::find(kept, choice.set, &Choice::set) == kept.end()) kept.push_back(choice);
    }
    return kept;
  }

  const ScheduleModel& model_;
  const int width_;
  std::vector<uint64_t> keys_;
  std::vector<Trail> trail_;
};

// Wide for small graphs. A beam copies its states at each step, which costs too much for very large
// graphs: 0, no beam search.
int BeamWidth(size_t steps) {
  constexpr int64_t kCopiedNumbers = 8'000'000, kMaxSteps = 6000;
  const auto n = static_cast<int64_t>(std::max<size_t>(steps, 1));
  return n > kMaxSteps ? 0 : static_cast<int>(std::clamp<int64_t>(kCopiedNumbers / (n * n), 2, 32));
}

}  // namespace

std::vector<OrderCandidate> FindOrders(const ScheduleModel& model, bool reorder) {
  std::vector<int> imported(model.steps.size());
  std::iota(imported.begin(), imported.end(), 0);
  const int64_t imported_peak = SchedulePeak(model, imported);
  std::vector<OrderCandidate> candidates = {{imported, imported_peak, "imported"}};
  if (!reorder) return candidates;
  const int64_t goal = BestConceivablePeak(model);
  int64_t best = imported_peak;
  const auto add = [&](std::vector<int> order, const char* method) {
    const int64_t peak = SchedulePeak(model, order);
    if (peak >= imported_peak) return;
    if (std::ranges::count(candidates, order, &OrderCandidate::order) > 0) return;
    best = std::min(best, peak);
    candidates.push_back({std::move(order), peak, method});
  };
  if (best > goal) add(BestFirst(model, LeastLeft).Run(), "greedy");
  if (best > goal) add(BestFirst(model, LatestInputs).Run(), "depth first");
  const int width = BeamWidth(model.steps.size());
  if (best > goal && width > 0) add(BeamSearch(model, width).Run(), "beam");
  std::ranges::stable_sort(candidates.begin() + 1, candidates.end(), {}, &OrderCandidate::peak);
  return candidates;
}

}  // namespace linnet::planner
