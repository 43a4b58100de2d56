// SPDX-License-Identifier: Apache-2.0
#include "converter/plan/program_memory.h"

#include <algorithm>
#include <utility>

#include "converter/plan/alias_options.h"
#include "converter/plan/planner/planner.h"

namespace linnet::converter {
namespace {

using planner::AliasKind;
using planner::AliasOption;

void Reorder(const planner::MemoryPlan& memory, std::vector<Program::Step>* steps) {
  std::vector<Program::Step> ordered;
  for (int index : memory.order) ordered.push_back(std::move((*steps)[index]));
  *steps = std::move(ordered);
}

// Steps [first, first + count), which are one to the planner.
struct Group {
  int first = 0, count = 1;
};

std::vector<Group> GroupsOf(size_t num_steps, std::span<const Program::Strips> strips) {
  std::vector<Group> groups;
  for (int i = 0; i < static_cast<int>(num_steps);) {
    const bool begins = !strips.empty() && strips.front().first == i;
    groups.push_back({i, begins ? strips.front().count : 1});
    if (begins) strips = strips.subspan(1);
    i += groups.back().count;
  }
  return groups;
}

int GroupOf(int step, std::span<const Group> groups) {
  const auto behind = std::ranges::upper_bound(groups, step, {}, &Group::first);
  return static_cast<int>(behind - groups.begin()) - 1;
}

// The problem whose steps are the groups of those of `problem`. What strips make for themselves is
// none of its values.
planner::MemoryProblem OfGroups(planner::MemoryProblem problem, std::span<const Group> groups) {
  std::vector<planner::Step> steps(groups.size());
  // Once each: what strips write over, one or more of their parts may read
  // (StripChain::MayOverwrite).
  const auto append = [](const std::vector<int>& from, bool once, std::vector<int>* to) {
    for (const int value : from)
      if (!once || std::ranges::find(*to, value) == to->end()) to->push_back(value);
  };
  for (size_t g = 0; g < groups.size(); ++g) {
    for (int i = groups[g].first; i < groups[g].first + groups[g].count; ++i) {
      const planner::Step& step = problem.steps[static_cast<size_t>(i)];
      append(step.inputs, groups[g].count > 1, &steps[g].inputs);
      append(step.outputs, groups[g].count > 1, &steps[g].outputs);
      for (const int earlier : step.after)
        if (const int group = GroupOf(earlier, groups); group != static_cast<int>(g))
          steps[g].after.push_back(group);
    }
  }
  problem.steps = std::move(steps);
  // Another part of the same strips may still read what a part would overwrite.
  std::erase_if(problem.aliases, [&](AliasOption& alias) {
    alias.step = GroupOf(alias.step, groups);
    return groups[static_cast<size_t>(alias.step)].count > 1;
  });
  return problem;
}

// Puts the groups of a program's steps into the order of the plan.
void ReorderGroups(std::span<const Group> groups, Program* program) {
  std::vector<Program::Step> steps;
  std::vector<Program::Strips> strips;
  for (const int index : program->memory.order) {
    const Group& group = groups[static_cast<size_t>(index)];
    const auto own = std::ranges::find(program->strips, group.first, &Program::Strips::first);
    if (own != program->strips.end()) {
      strips.push_back(*own);
      strips.back().first = static_cast<int>(steps.size());
    }
    for (int i = group.first; i < group.first + group.count; ++i)
      steps.push_back(std::move(program->steps[static_cast<size_t>(i)]));
  }
  program->steps = std::move(steps);
  program->strips = std::move(strips);
}

}  // namespace

void ProgramMemory::PlanRegion(int number, int first, std::vector<StepScratch> scratch,
                               Program::Region* region) {
  RegionPlan plan{.first = first, .scratch = std::move(scratch)};
  const Area area{.region = number};
  planner::MemoryProblem problem = MakeProblem(area, first, region->steps, plan.scratch);
  for (const int result : region->results)
    if (IsOf(area, result)) problem.values[static_cast<size_t>(result - first)].is_output = true;
  plan.memory = planner::PlanMemory(problem, {});
  plan.end = static_cast<int>(program_.tensors.size());
  Place(area, first, plan.memory, plan.scratch);
  Reorder(plan.memory, &region->steps);
  plans_[number] = std::move(plan);
}

void ProgramMemory::PlanProgram(bool reorder, bool keep_inputs, std::vector<StepScratch> scratch) {
  const Area host;
  const std::vector<Group> groups = GroupsOf(program_.steps.size(), program_.strips);
  planner::MemoryProblem problem = OfGroups(MakeProblem(host, 0, program_.steps, scratch), groups);
  for (const Program::Strips& strips : program_.strips) {
    const Program::Step& last =
        program_.steps[static_cast<size_t>(strips.first + strips.count) - 1];
    if (strips.overwrites >= 0)
      problem.aliases.push_back({AliasKind::kOverwrite, GroupOf(strips.first, groups),
                                 last.outputs[0], strips.overwrites, 0});
  }
  for (const Program::Port& port : program_.inputs) {
    problem.values[port.tensor].is_input = true;
    // Where a device may be lost in the middle of a run, another program runs on the same inputs.
    problem.values[port.tensor].keep = keep_inputs || !program_.devices.empty();
  }
  const auto is_read_later = [&](int tensor) {
    if (program_.tensors[tensor].in_arena()) problem.values[tensor].is_output = true;
  };
  for (const Program::Port& port : program_.outputs) is_read_later(port.tensor);
  for (const Program::Update& update : program_.updates) is_read_later(update.next);
  program_.memory = planner::PlanMemory(problem, {.reorder = reorder});
  Place(host, 0, program_.memory, scratch);
  for (const StepScratch& memory : scratch)
    if (memory.regions.empty())
      program_.steps[static_cast<size_t>(memory.step)].scratch = memory.place.buffer;
  ReorderGroups(groups, &program_);
  for (const StepScratch& memory : scratch) PlaceRegions(memory, program_.memory.buffers);
  for (Program::Tensor& tensor : program_.tensors) {
    if (tensor.overwrites < 0) continue;
    tensor.buffer = program_.tensors[tensor.overwrites].buffer;
    tensor.offset = program_.tensors[tensor.overwrites].offset;
  }
}

void ProgramMemory::PlanDevices() {
  for (size_t i = 0; i < program_.devices.size(); ++i) {
    const Area area{.space = static_cast<int>(i) + 1};
    std::vector<StepScratch> scratch;
    for (size_t k = 0; k < program_.steps.size(); ++k)
      if (const Program::Step& step = program_.steps[k];
          step.space == area.space && step.scratch_bytes > 0)
        scratch.push_back({.step = static_cast<int>(k), .bytes = step.scratch_bytes});
    const planner::MemoryProblem problem = MakeProblem(area, 0, program_.steps, scratch);
    planner::MemoryPlan& memory = program_.devices[i].memory;
    // A tensor inside another one is a window of its own, too.
    memory = planner::PlanMemory(problem, {.alignment = kDeviceAlignment,
                                           .view_alignment = kDeviceAlignment,
                                           .reorder = false,
                                           .keep_shares = false});
    Place(area, 0, memory, scratch);
    for (const StepScratch& own : scratch)
      program_.steps[static_cast<size_t>(own.step)].scratch = own.place.buffer;
  }
}

bool ProgramMemory::IsMadeIn(const Area& area, int tensor) const {
  const Program::Tensor& info = program_.tensors[tensor];
  return info.in_arena() && info.region == area.region && info.space == area.space;
}

bool ProgramMemory::IsOf(const Area& area, int tensor) const {
  return IsMadeIn(area, tensor) && program_.tensors[tensor].overwrites < 0;
}

planner::MemoryProblem ProgramMemory::MakeProblem(const Area& area, int first,
                                                  std::span<const Program::Step> steps,
                                                  std::span<const StepScratch> scratch) const {
  planner::MemoryProblem problem;
  const Layout layout = program_.LayoutOf(area.space);
  const auto end = static_cast<int>(program_.tensors.size());
  for (int i = first; i < end; ++i)
    problem.values.push_back(
        {.bytes = IsOf(area, i) ? BytesIn(layout, program_.tensors[i].type) : 0});
  for (const Program::Step& from : steps) {
    planner::Step step;
    for (int tensor : from.inputs)
      if (IsMadeIn(area, tensor)) step.inputs.push_back(tensor - first);
    for (int tensor : from.outputs)
      if (IsMadeIn(area, tensor)) step.outputs.push_back(tensor - first);
    // Steps that set extents which this step's attributes take must run earlier.
    if (!from.is_copy && !from.node->IsStructured())
      for (const Node* source : symbols_.Sources(from.node->attrs()))
        for (size_t k = 0; k < problem.steps.size(); ++k)
          if (steps[k].node == source) step.after.push_back(static_cast<int>(k));
    const auto index = static_cast<int>(problem.steps.size());
    problem.steps.push_back(std::move(step));
    for (const AliasOption& alias :
         AliasesOf(from, program_.tensors, layout, graph_.Varies(*from.node)))
      if (IsOf(area, alias.inner) && IsOf(area, alias.outer))
        problem.aliases.push_back(
            {alias.kind, index, alias.inner - first, alias.outer - first, alias.offset});
  }
  for (const StepScratch& memory : scratch) {
    problem.steps[memory.step].outputs.push_back(static_cast<int>(problem.values.size()));
    problem.values.push_back({.bytes = memory.bytes});
  }
  return problem;
}

void ProgramMemory::Place(const Area& area, int first, const planner::MemoryPlan& memory,
                          std::span<StepScratch> scratch) {
  const auto end = static_cast<int>(program_.tensors.size());
  for (int i = first; i < end; ++i) {
    if (!IsOf(area, i)) continue;
    program_.tensors[i].buffer = memory.places[i - first].buffer;
    program_.tensors[i].offset = memory.places[i - first].offset;
  }
  for (size_t i = 0; i < scratch.size(); ++i)
    scratch[i].place = memory.places[static_cast<size_t>(end - first) + i];
}

void ProgramMemory::PlaceRegions(const StepScratch& scratch,
                                 std::span<const planner::BufferPlace> around) {
  const planner::BufferPlace base =
      scratch.place.buffer < 0 ? planner::BufferPlace() : around[scratch.place.buffer];
  for (const int region : scratch.regions) {
    const auto first = static_cast<int>(program_.memory.buffers.size());
    const RegionPlan& plan = plans_.at(region);
    std::vector<planner::BufferPlace> buffers = plan.memory.buffers;
    for (planner::BufferPlace& buffer : buffers)
      buffer = {base.offset + buffer.offset, buffer.bytes, base.first, base.last};
    for (int i = plan.first; i < plan.end; ++i)
      if (IsOf({.region = region}, i) && program_.tensors[i].buffer >= 0)
        program_.tensors[i].buffer += first;
    program_.memory.buffers.insert(program_.memory.buffers.end(), buffers.begin(), buffers.end());
    for (const StepScratch& inner : plan.scratch) PlaceRegions(inner, buffers);
  }
}

}  // namespace linnet::converter
