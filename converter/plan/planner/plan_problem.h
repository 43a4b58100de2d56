// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <vector>

namespace linnet::planner {

// A tensor, or anything else that needs memory for a while: a step's scratch is an output that
// nobody reads. A value that is neither an input nor written by a step (a constant) gets no memory.
struct Value {
  int64_t bytes = 0;
  bool is_input = false;   // there before the first step; its bytes are free after its last use
  bool keep = false;       // input that no step may overwrite, not even after its last use
  bool is_output = false;  // lives until after the last step
  // Shares its bytes with no other value while it lives: the caller may bind it to other memory.
  bool exclusive = false;
};

struct Step {
  std::vector<int> inputs, outputs;  // values; an input may be there twice
  std::vector<int> after;            // steps that must run earlier, besides those it reads from
};

enum class AliasKind {
  // outer is an input of the step, inner the output written over it: equally many bytes, and
  // outer's die here. The kernel must read each element before it writes it.
  kOverwrite,
  // outer is an input, inner an output that is outer's bytes from `offset` on: reshapes, slices.
  kView,
  // inner is an input, outer the output that has inner's bytes from `offset` on: concatenation.
  // The step must not move bytes that are in place already, and copies the other inputs.
  kPart,
};

// Permission to put `inner` at byte `offset` of `outer`. The planner decides whether it is legal
// under the order chosen, and whether it pays.
struct AliasOption {
  AliasKind kind;
  int step = 0;
  int inner = 0, outer = 0;
  int64_t offset = 0;
};

struct MemoryProblem {
  std::vector<Value> values;
  std::vector<Step> steps;  // in a valid order
  std::vector<AliasOption> aliases;
};

struct PlannerOptions {
  int64_t alignment = 64;  // of buffers, a power of two: 64 on the host, 256 for GPUs
  // Of values inside a buffer. 4: float tensors may lie anywhere (all kernels use unaligned loads),
  // bytes only at multiples of four; 256 for GPUs. Element alignment follows, since offsets count
  // elements.
  int64_t view_alignment = 4;
  bool reorder = true;      // false: keep the order of the steps
  bool share = true;        // false: take no alias
  bool keep_shares = true;  // false: threads have no caches of their own (keep_shares.h)
  // Budgets of the search for offsets where the greedy methods miss the lower bound, in elementary
  // operations of a few nanoseconds, so that they mean the same on every machine. The first
  // combination of order and sharing that is tried gets all of them, each further one a quarter.
  int64_t perturb_work = 1'000'000;
  int64_t exact_work = 4'000'000;
  int64_t exact_nodes = 200'000;
};

// Where a value lies. buffer is -1 for values without memory.
struct Place {
  int buffer = -1;
  int64_t offset = 0;  // in the buffer
};

struct BufferPlace {
  int64_t offset = 0;  // in the arena, a multiple of the alignment
  int64_t bytes = 0;
  // Lifetime, both ends inclusive: 0 is before the run, i + 1 is order[i], n + 1 is after the run.
  int first = 0, last = 0;
};

struct MemoryPlan {
  std::vector<int> order;     // steps in order of execution
  std::vector<Place> places;  // one per value
  std::vector<BufferPlace> buffers;
  std::vector<int> aliases;  // options taken: indices into MemoryProblem::aliases, ascending
  int64_t arena_bytes = 0;
  // Largest sum over the steps of the sizes of live buffers, rounded up to the alignment.
  int64_t lower_bound = 0;
  int64_t imported_lower_bound = 0;  // the same under the order given
  int64_t naive_bytes = 0;           // every value in a place of its own
  const char* order_method = "";
  const char* offset_method = "";
};

}  // namespace linnet::planner
