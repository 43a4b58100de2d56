// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <vector>

#include "tests/conformance/case_runner.h"

namespace linnet::conformance {

// Runs a case again with its constants as inputs that are fed, if it has any and the op and the
// runner allow that. `run` gets the op without constants and returns "" or what went wrong; so does
// this function.
template <typename Run>
std::string RunWithConstantsFed(const CaseRunner& runner, const OpInstance& op, const Run& run) {
  std::vector<InputInfo> fed;
  bool has_constants = false;
  for (const InputInfo& input : op.inputs) {
    has_constants |= input.is_constant;
    fed.push_back({input.type});
  }
  OpInstance fed_op = op;
  fed_op.inputs = fed;
  TensorType types[kMaxOpOutputs];
  if (!has_constants || !InferTypes(fed_op, types).ok() || runner.WhyUnsupported(fed_op) != nullptr)
    return "";
  fed_op.outputs = {types, op.outputs.size()};
  const std::string error = run(fed_op);
  return error.empty() ? "" : "with constants fed: " + error;
}

}  // namespace linnet::conformance
