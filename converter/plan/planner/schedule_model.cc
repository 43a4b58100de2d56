// SPDX-License-Identifier: Apache-2.0
#include "converter/plan/planner/schedule_model.h"

#include <algorithm>
#include <numeric>

#include "converter/plan/planner/alias.h"
#include "converter/plan/planner/lower_bound.h"

namespace linnet::planner {
namespace {

void SortUnique(std::vector<int>& list) {
  std::ranges::sort(list);
  list.erase(std::unique(list.begin(), list.end()), list.end());
}

// Per value the value that stands for its storage: the source of a chain of reshapes.
std::vector<int> FindStorages(const MemoryProblem& problem, const PlannerOptions& options) {
  std::vector<int> storage(problem.values.size());
  std::iota(storage.begin(), storage.end(), 0);
  if (!options.share) return storage;
  std::vector<std::vector<const AliasOption*>> views(problem.steps.size());
  for (const AliasOption& option : problem.aliases) {
    if (option.kind == AliasKind::kView && IsWellFormed(problem, option, options) &&
        problem.values[option.inner].bytes == problem.values[option.outer].bytes)
      views[option.step].push_back(&option);
  }
  // The steps are in a working order, so a source has its storage before its views ask for it.
  for (const auto& of_step : views) {
    for (const AliasOption* view : of_step) storage[view->inner] = storage[view->outer];
  }
  return storage;
}

void AddDependencies(const MemoryProblem& problem, ScheduleModel* model) {
  std::vector<int> writer(problem.values.size(), -1);
  for (size_t s = 0; s < problem.steps.size(); ++s)
    for (int v : problem.steps[s].outputs) writer[v] = static_cast<int>(s);
  for (size_t s = 0; s < problem.steps.size(); ++s) {
    std::vector<int> earlier = problem.steps[s].after;
    for (int v : problem.steps[s].inputs) {
      if (writer[v] >= 0) earlier.push_back(writer[v]);
    }
    SortUnique(earlier);
    model->steps[s].waits_for = static_cast<int>(earlier.size());
    for (int e : earlier) model->steps[e].next.push_back(static_cast<int>(s));
  }
}

}  // namespace

ScheduleModel BuildScheduleModel(const MemoryProblem& problem, const PlannerOptions& options) {
  const std::vector<int> storage = FindStorages(problem, options);
  const size_t num_values = problem.values.size(), num_steps = problem.steps.size();
  ScheduleModel model;
  model.steps.resize(num_steps);
  model.bytes.assign(num_values, 0);
  model.reader_steps.resize(num_values);
  std::vector<bool> exists(num_values, false), outlives(num_values, false);
  for (size_t v = 0; v < num_values; ++v) {
    const Value& value = problem.values[v];
    if (value.is_input) {
      exists[v] = true;
      model.initial.push_back(static_cast<int>(v));
    }
    if (value.is_output || value.keep) outlives[storage[v]] = true;
  }
  AddDependencies(problem, &model);
  for (size_t s = 0; s < num_steps; ++s) {
    ScheduleModel::StepModel& step = model.steps[s];
    for (int v : problem.steps[s].outputs) {
      exists[v] = true;
      if (storage[v] == v) step.writes.push_back(v);
    }
    for (int v : problem.steps[s].inputs)
      if (exists[v]) step.reads.push_back(storage[v]);
    SortUnique(step.reads);
    for (int r : step.reads) model.reader_steps[r].push_back(static_cast<int>(s));
  }
  for (size_t v = 0; v < num_values; ++v) {
    if (exists[v]) model.bytes[v] = RoundUp(problem.values[v].bytes, options.alignment);
    model.readers.push_back(static_cast<int>(model.reader_steps[v].size()) + outlives[v]);
  }
  for (int v : model.initial) model.initial_bytes += model.bytes[v];
  for (const AliasOption& option : problem.aliases) {
    if (options.share && option.kind == AliasKind::kOverwrite &&
        IsWellFormed(problem, option, options) && exists[option.outer])
      model.steps[option.step].overwrites.push_back({option.inner, storage[option.outer]});
  }
  return model;
}

ScheduleState::ScheduleState(const ScheduleModel& model)
    : model_(&model), readers_(model.readers), live_(model.initial_bytes) {
  peak_ = live_;
  for (int v : model.initial) {
    if (readers_[v] == 0) live_ -= model.bytes[v];
  }
  for (size_t s = 0; s < model.steps.size(); ++s) {
    waits_for_.push_back(model.steps[s].waits_for);
    if (waits_for_.back() == 0) ready_.push_back(static_cast<int>(s));
  }
}

// The input, which dies in `step`, in whose memory `output` may lie; -1 for none.
int ScheduleState::OverwrittenBy(int output, const ScheduleModel::StepModel& step) const {
  for (const ScheduleModel::Overwrite& pair : step.overwrites)
    if (pair.output == output && DiesWith(pair.input)) return pair.input;
  return -1;
}

ScheduleState::Effect ScheduleState::Try(int step) const {
  const ScheduleModel::StepModel& s = model_->steps[step];
  int64_t added = 0, freed = 0, unread = 0;
  int used = -1;  // an input makes room for one output only
  for (int w : s.writes) {
    const int input = OverwrittenBy(w, s);
    if (input >= 0 && input != used)
      used = input;
    else
      added += model_->bytes[w];
    if (readers_[w] == 0) unread += model_->bytes[w];
  }
  for (int r : s.reads) {
    if (DiesWith(r) && r != used) freed += model_->bytes[r];
  }
  return {live_ + added, live_ + added - freed - unread};
}

void ScheduleState::Run(int step) {
  const Effect effect = Try(step);
  peak_ = std::max(peak_, effect.during);
  live_ = effect.after;
  const ScheduleModel::StepModel& s = model_->steps[step];
  for (int r : s.reads) --readers_[r];
  ready_.erase(std::lower_bound(ready_.begin(), ready_.end(), step));
  for (int next : s.next) {
    if (--waits_for_[next] == 0)
      ready_.insert(std::lower_bound(ready_.begin(), ready_.end(), next), next);
  }
}

int64_t SchedulePeak(const ScheduleModel& model, std::span<const int> order) {
  ScheduleState state(model);
  for (int step : order) state.Run(step);
  return state.peak();
}

int64_t BestConceivablePeak(const ScheduleModel& model) {
  int64_t best = model.initial_bytes;
  for (const ScheduleModel::StepModel& step : model.steps) {
    int64_t need = 0;
    for (int r : step.reads) need += model.bytes[r];
    for (int w : step.writes) {
      if (std::ranges::count(step.overwrites, w, &ScheduleModel::Overwrite::output) == 0)
        need += model.bytes[w];
    }
    best = std::max(best, need);
  }
  return best;
}

}  // namespace linnet::planner
