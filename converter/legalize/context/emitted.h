// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <initializer_list>
#include <span>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "converter/graph/graph.h"
#include "converter/legalize/context/status_macros.h"

namespace linnet::converter {

// What emitting an op gives: its output, or the error that kept it from being made. Whatever emits
// takes such values too and passes the first error on, so a formula of many ops is checked once,
// where it ends (LegalizeContext::Replace). Only a translator that looks at the type of a value
// needs the Output itself: LINNET_ASSIGN_OR_RETURN(const Output y, Emit...).
using Emitted = absl::StatusOr<Output>;

// The inputs of an op that is emitted: a list in braces, or a vector. The first error among them
// becomes the op's error. A compiler may evaluate the arguments of a call in any order, but a list
// in braces only from left to right. So at most one argument of a call may emit ops; otherwise
// plans would differ from compiler to compiler.
class Operands {
 public:
  Operands(std::initializer_list<Emitted> values)
      : Operands(std::span(values.begin(), values.end())) {}
  Operands(const std::vector<Emitted>& values) : Operands(std::span(values)) {}
  Operands(std::vector<Output> values) : outputs_(std::move(values)) {}

  const absl::Status& status() const { return status_; }
  // Complete only where status() is OK.
  const std::vector<Output>& outputs() const { return outputs_; }

 private:
  explicit Operands(std::span<const Emitted> values) {
    outputs_.reserve(values.size());
    for (const Emitted& value : values) {
      status_.Update(value.status());
      outputs_.push_back(value.ok() ? *value : Output());
    }
  }

  absl::Status status_;
  std::vector<Output> outputs_;
};

}  // namespace linnet::converter
