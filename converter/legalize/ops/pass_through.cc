// SPDX-License-Identifier: Apache-2.0
// Ops whose outputs are their inputs, and ops that are dropped.
#include "converter/legalize/context/building_blocks.h"
#include "converter/legalize/context/tf_op.h"

namespace linnet::converter {
namespace {

// The pass freeze_variables hands functions and loops the value of a variable in place of its
// handle.
absl::Status ReadVariable(LegalizeContext& context) {
  const DType held = context.type(0).dtype;
  LINNET_ASSIGN_OR_RETURN(const DType wanted, context.Type("dtype", held));
  if (wanted != held)
    return Invalid("reads its variable as {}, but it holds {}", DTypeName(wanted), DTypeName(held));
  return context.Replace(context.input(0));
}

absl::Status Placeholder(LegalizeContext&) {
  return Invalid("this placeholder is reached by the outputs, but is not fed");
}

constexpr char kNothing[] = "nothing";

}  // namespace

std::span<const TfOp> PassThroughOps() {
  static constexpr TfOp kRows[] = {
      {"Assert", Drop, kNothing, kMayVary},
      {"CheckNumerics", PassThrough, kNothing, kMayVary},
      {"CheckNumericsV2", PassThrough, kNothing, kMayVary},
      {"ControlTrigger", Drop, kNothing},
      {"DebugIdentity", PassThrough, kNothing},
      {"DebugIdentityV2", PassThrough, kNothing},
      {"DebugIdentityV3", PassThrough, kNothing},
      {"DeepCopy", PassThrough, kNothing, kTakesComplex},
      {"GuaranteeConst", PassThrough, kNothing, kMayVary | kTakesComplex},
      {"Identity", PassThrough, kNothing, kTakesLists | kMayVary | kTakesComplex},
      {"IdentityN", PassThrough, kNothing, kTakesLists | kMayVary | kTakesComplex},
      {"NoOp", Drop, kNothing, kMayVary},
      {"Placeholder", Placeholder, "an input", kMayVary},
      {"PlaceholderV2", Placeholder, "an input"},
      {"PlaceholderWithDefault", PassThrough, "an input, or its default", kMayVary},
      {"PreventGradient", PassThrough, kNothing, kMayVary | kTakesComplex},
      {"Print", PassThrough, kNothing},
      {"PrintV2", Drop, kNothing},
      {"ReadVariableOp", ReadVariable, "the variable's value", kMayVary},
      {"Snapshot", PassThrough, kNothing, kMayVary | kTakesComplex},
      {"StopGradient", PassThrough, kNothing, kMayVary | kTakesComplex},
  };
  return kRows;
}

}  // namespace linnet::converter
