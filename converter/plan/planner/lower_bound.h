// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "converter/plan/planner/plan_problem.h"

namespace linnet::planner {

// When values live, both ends inclusive. Position 0 is before the run, i + 1 is order[i], and
// order.size() + 1 after the run.
struct Lifetimes {
  std::vector<int> first, last;  // per value; first is -1 where a value needs no memory
  int positions = 0;
};

Lifetimes ComputeLifetimes(const MemoryProblem& problem, std::span<const int> order);

// One piece of memory and the positions during which it is needed, as in Lifetimes.
struct Buffer {
  int64_t bytes = 0;
  int first = 0, last = 0;
};

int64_t RoundUp(int64_t bytes, int64_t alignment);

// Largest sum over the positions of the rounded sizes of the buffers that live there: no arena can
// be smaller.
int64_t LowerBound(std::span<const Buffer> buffers, int positions, int64_t alignment);

// Sum of the rounded sizes of all values that need memory.
int64_t NaiveBytes(const MemoryProblem& problem, int64_t alignment);

// Null, or what makes `problem` invalid: bad indices, a value with two writers, an order that reads
// a value before it is written.
const char* FindProblemError(const MemoryProblem& problem);

}  // namespace linnet::planner
