// SPDX-License-Identifier: Apache-2.0
#include "converter/plan/step_names.h"

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "runtime/plan/plan_view.h"

namespace linnet::converter {
namespace {

using Steps = std::vector<schema::StepT*>;

bool IsHosts(const schema::ProgramT& program) {
  return VariantOf(program.variant) == Variant::kHost;
}

// In the order of regions.
Steps StepsOf(const schema::ProgramT& program) {
  Steps steps;
  for (const auto& region : program.regions)
    for (const auto& step : region->steps) steps.push_back(step.get());
  return steps;
}

// The host's program of the same signature, which must come before; -1 without one.
int32_t FindHosts(const schema::PlanT& plan, size_t program) {
  for (size_t i = 0; i < program; ++i)
    if (IsHosts(*plan.programs[i]) &&
        plan.programs[i]->signature->key == plan.programs[program]->signature->key)
      return static_cast<int32_t>(i);
  return -1;
}

}  // namespace

void ShareNames(schema::PlanT* plan) {
  for (size_t p = 0; p < plan->programs.size(); ++p) {
    schema::ProgramT& program = *plan->programs[p];
    if (IsHosts(program)) continue;
    const int32_t hosts = FindHosts(*plan, p);
    if (hosts < 0) continue;
    std::map<std::vector<std::string>, int32_t> numbers;
    const Steps named = StepsOf(*plan->programs[static_cast<size_t>(hosts)]);
    for (size_t i = 0; i < named.size(); ++i)
      numbers.emplace(named[i]->sources, static_cast<int32_t>(i));
    for (schema::StepT* step : StepsOf(program)) {
      const auto same = numbers.find(step->sources);
      if (step->sources.empty() || same == numbers.end()) continue;
      step->named_after = same->second;
      step->sources.clear();
      program.named_after = hosts;
    }
  }
}

void RepeatNames(schema::PlanT* plan) {
  for (size_t p = 0; p < plan->programs.size(); ++p) {
    schema::ProgramT& program = *plan->programs[p];
    const auto hosts = static_cast<size_t>(program.named_after);
    const Steps named = hosts < p ? StepsOf(*plan->programs[hosts]) : Steps();
    for (schema::StepT* step : StepsOf(program)) {
      const auto number = static_cast<size_t>(step->named_after);
      if (number < named.size()) step->sources = named[number]->sources;
      step->named_after = -1;
    }
    program.named_after = -1;
  }
}

}  // namespace linnet::converter
