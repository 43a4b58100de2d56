// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <vector>

#include "converter/legalize/context/legalize_context.h"

namespace linnet::converter {

// `a` where the scalar `condition` holds, else `b`: a Select, unless they are the same. Both are
// tensors of one type.
Emitted EmitChoice(LegalizeContext& context, const Emitted& condition, Output a, const Emitted& b,
                   const std::string& suffix);

// What a While that is being unrolled gives. As long as its conditions are constants that is what
// the last iteration gave. Once the model's input decides, iterations go on as if the loop did, so
// that counters stay constants and end it; here the results stand still as soon as it should have
// ended:
//   alive = condition_0 & condition_1 & ...;   result = alive ? next : result
class LoopResults {
 public:
  LoopResults(LegalizeContext& context, std::vector<Output> initial);

  // A loop without a bound would go on for ever; one with a large bound is better not unrolled.
  static constexpr int kMaxUncertain = 256;

  // Iterations that depended on the input.
  int uncertain() const { return uncertain_; }
  // The loop only gets to iteration `iteration` where the scalar `condition` holds. None of its
  // variables is a list.
  absl::Status GoOnOnlyIf(Output condition, int iteration);
  // What the iteration gave.
  absl::Status Take(const std::vector<Output>& next, int iteration);
  // Ends the node of the context.
  absl::Status Replace();

 private:
  LegalizeContext& context_;
  std::vector<Output> results_;
  Output alive_;  // empty while nothing depends on the input
  int uncertain_ = 0;
};

}  // namespace linnet::converter
