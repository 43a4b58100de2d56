// SPDX-License-Identifier: Apache-2.0
#include "converter/plan/planner/lower_bound.h"

#include <algorithm>

#include "runtime/core/checked.h"

namespace linnet::planner {

Lifetimes ComputeLifetimes(const MemoryProblem& problem, std::span<const int> order) {
  const size_t count = problem.values.size();
  Lifetimes lives = {std::vector<int>(count, -1), std::vector<int>(count, -1),
                     static_cast<int>(order.size()) + 2};
  for (size_t v = 0; v < count; ++v) {
    if (problem.values[v].is_input) lives.first[v] = lives.last[v] = 0;
  }
  for (size_t i = 0; i < order.size(); ++i) {
    const Step& step = problem.steps[order[i]];
    const int position = static_cast<int>(i) + 1;
    for (int v : step.outputs) lives.first[v] = lives.last[v] = position;
    for (int v : step.inputs) lives.last[v] = std::max(lives.last[v], position);
  }
  for (size_t v = 0; v < count; ++v) {
    if (lives.first[v] < 0)
      lives.last[v] = -1;
    else if (problem.values[v].is_output || problem.values[v].keep)
      lives.last[v] = lives.positions - 1;
  }
  return lives;
}

int64_t RoundUp(int64_t bytes, int64_t alignment) { return AlignUp(bytes, alignment); }

int64_t LowerBound(std::span<const Buffer> buffers, int positions, int64_t alignment) {
  std::vector<int64_t> change(positions + 1, 0);
  for (const Buffer& buffer : buffers) {
    const int64_t bytes = RoundUp(buffer.bytes, alignment);
    change[buffer.first] += bytes;
    change[buffer.last + 1] -= bytes;
  }
  int64_t live = 0, most = 0;
  for (int64_t delta : change) most = std::max(most, live += delta);
  return most;
}

int64_t NaiveBytes(const MemoryProblem& problem, int64_t alignment) {
  int64_t sum = 0;
  for (const Value& value : problem.values)
    if (value.is_input) sum += RoundUp(value.bytes, alignment);
  for (const Step& step : problem.steps)
    for (int v : step.outputs) sum += RoundUp(problem.values[v].bytes, alignment);
  return sum;
}

const char* FindProblemError(const MemoryProblem& problem) {
  const int num_values = static_cast<int>(problem.values.size());
  const int num_steps = static_cast<int>(problem.steps.size());
  std::vector<int> writer(num_values, -1);
  for (const Value& value : problem.values)
    if (value.bytes < 0) return "a value has negative bytes";
  for (int s = 0; s < num_steps; ++s) {
    for (int v : problem.steps[s].outputs) {
      if (v < 0 || v >= num_values) return "a step writes a value that does not exist";
      if (writer[v] >= 0) return "a value is written twice";
      if (problem.values[v].is_input) return "a step writes an input";
      writer[v] = s;
    }
  }
  for (int s = 0; s < num_steps; ++s) {
    for (int v : problem.steps[s].inputs) {
      if (v < 0 || v >= num_values) return "a step reads a value that does not exist";
      if (writer[v] >= s) return "a step reads before it is written";
    }
    for (int earlier : problem.steps[s].after)
      if (earlier < 0 || earlier >= s) return "a step must come after a later one";
  }
  return nullptr;
}

}  // namespace linnet::planner
