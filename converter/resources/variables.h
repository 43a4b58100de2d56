// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>

#include "absl/status/statusor.h"
#include "converter/graph/constant.h"
#include "converter/graph/graph.h"

namespace linnet::converter {

// What the variables of a model hold once it is loaded.
class Variables {
 public:
  virtual ~Variables() = default;
  // By VariableName. NotFound when nothing is restored into it; else what is wrong with the value.
  virtual absl::StatusOr<Constant> Read(const std::string& name) const = 0;
};

// The value of a VarHandleOp, VariableV2 or Variable, which must have the dtype and shape that the
// node says. `variables` may be null: nothing is known. NotFound, InvalidArgument.
absl::StatusOr<Constant> ReadVariable(const Variables* variables, const Node& variable);

}  // namespace linnet::converter
