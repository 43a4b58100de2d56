// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>

#include "absl/status/statusor.h"
#include "converter/graph/constant.h"
#include "converter/graph/graph.h"

namespace linnet::converter {

// The initial values of a model's variables.
class Variables {
 public:
  virtual ~Variables() = default;
  // `name` is a VariableName. NotFound when there is no value; other errors say what is wrong with
  // the value.
  virtual absl::StatusOr<Constant> Read(const std::string& name) const = 0;
};

// The initial value of a VarHandleOp, VariableV2 or Variable. InvalidArgument where it does not
// have the dtype and shape of the node, NotFound where there is none or `variables` is null.
absl::StatusOr<Constant> ReadVariable(const Variables* variables, const Node& variable);

}  // namespace linnet::converter
