// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <span>
#include <string_view>

#include "converter/legalize/context/tf_op.h"

namespace linnet::converter {

// All rows, sorted by name.
std::span<const TfOp> TfOpTable();
// nullptr when there is no row.
const TfOp* FindTfOp(std::string_view name);

// The row for a node with complex inputs or outputs: of ComplexForms, ComplexOps or SpectralOps, or
// one with kTakesComplex. nullptr when there is none.
const TfOp* FindComplexTfOp(std::string_view name);

}  // namespace linnet::converter
