// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <initializer_list>
#include <vector>

#include "converter/plan/planner/plan_problem.h"

namespace linnet::planner {

// Builds problems in few lines. Sizes are in units of 64 bytes, so that rounding does not matter.
class ProblemBuilder {
 public:
  static constexpr int64_t kUnit = 64;

  int Input(int64_t units, bool keep = false) {
    problem_.values.push_back({.bytes = units * kUnit, .is_input = true, .keep = keep});
    return Last();
  }
  // A step that makes one value.
  int Make(int64_t units, std::initializer_list<int> inputs) {
    problem_.values.push_back({.bytes = units * kUnit});
    problem_.steps.push_back({.inputs = inputs, .outputs = {Last()}});
    return Last();
  }
  // The same, but the value overwrites `over` where that is allowed.
  int MakeOver(int64_t units, std::initializer_list<int> inputs, int over) {
    const int value = Make(units, inputs);
    Allow(AliasKind::kOverwrite, value, over);
    return value;
  }
  int View(int64_t units, int of, int64_t offset_units = 0) {
    const int value = Make(units, {of});
    Allow(AliasKind::kView, value, of, offset_units);
    return value;
  }
  int Concat(const std::vector<int>& parts) {
    int64_t bytes = 0;
    for (int part : parts) bytes += problem_.values[part].bytes;
    problem_.values.push_back({.bytes = bytes});
    problem_.steps.push_back({.inputs = parts, .outputs = {Last()}});
    const int whole = Last();
    int64_t offset = 0;
    for (int part : parts) {
      Allow(AliasKind::kPart, part, whole, offset / kUnit);
      offset += problem_.values[part].bytes;
    }
    return whole;
  }
  void Output(int value) { problem_.values[value].is_output = true; }
  void Allow(AliasKind kind, int inner, int outer, int64_t offset_units = 0) {
    problem_.aliases.push_back(
        {kind, static_cast<int>(problem_.steps.size()) - 1, inner, outer, offset_units * kUnit});
  }

  Value& value(int v) { return problem_.values[v]; }
  MemoryProblem& problem() { return problem_; }

 private:
  int Last() const { return static_cast<int>(problem_.values.size()) - 1; }

  MemoryProblem problem_;
};

inline bool SamePlace(const MemoryPlan& plan, int a, int b, int64_t offset_units = 0) {
  return plan.places[a].buffer == plan.places[b].buffer &&
         plan.places[a].offset == plan.places[b].offset + offset_units * ProblemBuilder::kUnit;
}

}  // namespace linnet::planner
