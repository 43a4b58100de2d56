// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <vector>

#include "converter/legalize/context/legalize_context.h"

namespace linnet::converter {

// A Select: `a` if the bool scalar `condition` is true, else `b`. Emits nothing where both are the
// same. Unimplemented for lists and for tensors of different types.
Emitted EmitChoice(LegalizeContext& context, const Emitted& condition, Output a, const Emitted& b,
                   const std::string& suffix);

// The results of a While that is being unrolled. As long as its conditions are constants, they are
// the variables after the last iteration. Once a condition depends on the model's input, unrolling
// goes on as if it were true: that way counters stay constants and end the loop in time. The
// results then keep their values from the iteration on at which the loop should have ended:
//   alive = condition_0 & condition_1 & ...;   result = alive ? next : result
class LoopResults {
 public:
  LoopResults(LegalizeContext& context, std::vector<Output> initial);

  // The most iterations that may depend on the input. Without a limit, unrolling a loop that no
  // counter ends would never finish; a loop that runs longer is better kept as a loop.
  static constexpr int kMaxUncertain = 256;

  // How many conditions so far depended on the input.
  int uncertain() const { return uncertain_; }
  // From iteration `iteration` on the results change only if the bool scalar `condition`, which is
  // not constant, is true. REQUIRES: no variable of the loop is a list.
  absl::Status GoOnOnlyIf(Output condition, int iteration);
  // `next`: the variables of the loop after the iteration.
  absl::Status Take(const std::vector<Output>& next, int iteration);
  // Replaces the node of the context, the While, by the results.
  absl::Status Replace();

 private:
  LegalizeContext& context_;
  std::vector<Output> results_;
  Output alive_;  // empty while no condition depended on the input
  int uncertain_ = 0;
};

}  // namespace linnet::converter
