// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <span>
#include <vector>

#include "platform/file_bytes.h"
#include "runtime/session/prepared_weights.h"
#include "runtime/verify/verify_plan.h"

namespace linnet {

// The operators of a plan's steps without an interpreter: made by the backends as in a session, and
// bound to the same addresses in one arena.
class PlanOperators {
 public:
  struct Operator {
    RunnableStep* runnable;
    const Backend* backend;
    const VerifiedStep* step;
  };

  ~PlanOperators();

  // For the plan's first signature. A step runs on the first of `backends` that can run it.
  // `backends` and the threads must outlive this object. kUnsupported for plans whose run is more
  // than a sequence of operators: regions, extents that vary, states.
  Status Open(const char* path, std::span<const Backend* const> backends, const Threads& threads,
              Diagnostic* diagnostic);

  std::span<const Operator> operators() const { return operators_; }
  // Fills the inputs with noise, as `linnet-run` does. Call it before each run, because a run may
  // overwrite them.
  void Feed();

 private:
  Status MakeOperators(const Threads& threads);
  Status MakeOperator(int32_t index, const Threads& threads);
  Status Bind(int32_t index);
  void MakeNoise();
  void* Address(int32_t tensor) const;
  const VerifiedProgram& verified() const { return plan_.programs[0]; }
  const PlanProgram& program() const { return *verified().plan; }

  FileBytes file_;
  Region plan_region_, weights_region_, region_;
  VerifiedPlan plan_;
  PreparedWeights weights_{&weights_region_};
  std::byte* arena_ = nullptr;
  std::vector<std::byte*> wholes_;  // by tensor: memory of what a plan makes in strips
  void* workspace_ = nullptr;
  int64_t workspace_bytes_ = 0;
  std::vector<Operator> operators_;
  std::vector<std::vector<std::byte>> noise_;  // by input
};

}  // namespace linnet
