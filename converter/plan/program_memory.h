// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "converter/graph/graph.h"
#include "converter/plan/plan_symbols.h"
#include "converter/plan/planner/plan_problem.h"
#include "converter/plan/program.h"

namespace linnet::converter {

// Memory that one step uses while it runs: a structured step for its regions, one after another, a
// device's step as its device likes, strips for their rows.
struct StepScratch {
  int step = 0;  // index among those of the region around
  std::vector<int> regions;
  int64_t bytes = 0;     // with regions, of the largest
  planner::Place place;  // in the memory of the region around, once that is planned
};

// Plans the memory of a program whose steps and tensors are there: states the problems that the
// planner solves, and puts its results (places, buffers, the order of steps) into the program.
// Regions come first, those inside before those around; then the program, then the devices.
class ProgramMemory {
 public:
  ProgramMemory(const Graph& graph, const PlanSymbols& symbols, Program* program)
      : graph_(graph), symbols_(symbols), program_(*program) {}

  // Plans a region on its own, as if it were the program. Its tensors, and those of the regions
  // inside, are all from `first` on. `scratch`: of its structured steps.
  void PlanRegion(int number, int first, std::vector<StepScratch> scratch, Program::Region* region);
  // Of a region that has been planned.
  int64_t BytesOfRegion(int number) const { return plans_.at(number).memory.arena_bytes; }

  // Plans the host's memory, and lays the regions' buffers into the scratch of their steps. To the
  // planner, strips are one step. `reorder`: the steps may run in any order that works.
  // `keep_inputs`: no step writes where an input lies.
  void PlanProgram(bool reorder, bool keep_inputs, std::vector<StepScratch> scratch);
  // Plans the memory of each device. The steps keep their order.
  void PlanDevices();

 private:
  // Tensors that are planned together.
  struct Area {
    int region = 0;
    int space = 0;
  };
  struct RegionPlan {
    int first = 0, end = 0;  // its tensors, and those of regions inside
    planner::MemoryPlan memory;
    std::vector<StepScratch> scratch;
  };

  // Does a step of the area, or the caller, write the tensor?
  bool IsMadeIn(const Area& area, int tensor) const;
  // Does it take memory of the area, too? A loop's variable may be overwritten where it lies.
  bool IsOf(const Area& area, int tensor) const;
  // Of the tensors from `first` on; what is not the area's own gets no memory here. Values behind
  // the tensors are the scratch of steps.
  planner::MemoryProblem MakeProblem(const Area& area, int first,
                                     std::span<const Program::Step> steps,
                                     std::span<const StepScratch> scratch) const;
  // Takes the places of the area's tensors and of the scratch from the solution of such a problem.
  void Place(const Area& area, int first, const planner::MemoryPlan& memory,
             std::span<StepScratch> scratch);
  // Puts the buffers of a step's regions into the step's scratch, whose place among the buffers
  // `around` is known by now.
  void PlaceRegions(const StepScratch& scratch, std::span<const planner::BufferPlace> around);

  const Graph& graph_;
  const PlanSymbols& symbols_;
  Program& program_;
  std::map<int, RegionPlan> plans_;  // by region
};

}  // namespace linnet::converter
