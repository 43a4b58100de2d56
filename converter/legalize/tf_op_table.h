// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <span>
#include <string_view>

#include "converter/legalize/context/tf_op.h"

namespace linnet::converter {

// A TensorFlow op that is refused, with the reason users read.
struct RejectedTfOp {
  std::string_view name;  // a trailing '*' stands for any rest, a leading one for any start
  std::string_view reason;
};

// All rows, sorted by name.
std::span<const TfOp> TfOpTable();
// nullptr when there is no row.
const TfOp* FindTfOp(std::string_view name);

// Of ComplexForms and SpectralOps.
const TfOp* FindComplexTfOp(std::string_view name);

// In order of match: exact names before patterns.
std::span<const RejectedTfOp> RejectedTfOps();
// Why `name` has no row; never empty.
std::string_view RejectionReason(std::string_view name);

}  // namespace linnet::converter
