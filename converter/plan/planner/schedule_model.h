// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "converter/plan/planner/plan_problem.h"

namespace linnet::planner {

// What the search for an order needs to know: which memory a step takes and frees. Values that
// are reshapes of each other are one *storage*; an output that may overwrite a dying input takes
// none. Aliases inside other buffers (slices, concatenations) are left out: they depend on the
// whole order, and ShareBuffers settles them afterwards.
struct ScheduleModel {
  struct Overwrite {
    int output, input;  // storages
  };
  struct StepModel {
    std::vector<int> reads;   // storages, each once
    std::vector<int> writes;  // storages that begin here
    std::vector<Overwrite> overwrites;
    std::vector<int> next;  // steps that wait for this one
    int waits_for = 0;      // steps that this one waits for
  };
  std::vector<StepModel> steps;
  std::vector<int64_t> bytes;                  // per storage, rounded
  std::vector<std::vector<int>> reader_steps;  // per storage
  std::vector<int> readers;  // per storage: steps that read it, plus one if it outlives the run
  std::vector<int> initial;  // storages that live before the first step
  int64_t initial_bytes = 0;
};

ScheduleModel BuildScheduleModel(const MemoryProblem& problem, const PlannerOptions& options);

// A point in the middle of a schedule.
class ScheduleState {
 public:
  explicit ScheduleState(const ScheduleModel& model);

  const std::vector<int>& ready() const { return ready_; }  // ascending
  int64_t live() const { return live_; }
  int64_t peak() const { return peak_; }                        // most that was ever live
  int readers(int storage) const { return readers_[storage]; }  // still to come
  int waits_for(int step) const { return waits_for_[step]; }    // steps still to come

  struct Effect {
    int64_t during, after;  // live bytes while the step runs, and once it has
  };
  Effect Try(int step) const;  // step is ready
  void Run(int step);

 private:
  bool DiesWith(int storage) const { return readers_[storage] == 1; }
  int OverwrittenBy(int output, const ScheduleModel::StepModel& step) const;

  const ScheduleModel* model_;
  std::vector<int> readers_;    // per storage, still to come
  std::vector<int> waits_for_;  // per step
  std::vector<int> ready_;
  int64_t live_ = 0, peak_ = 0;
};

// Largest live memory of `order`.
int64_t SchedulePeak(const ScheduleModel& model, std::span<const int> order);

// No order needs less than what some step needs for its own inputs and outputs.
int64_t BestConceivablePeak(const ScheduleModel& model);

}  // namespace linnet::planner
