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

// Of ComplexForms and SpectralOps.
const TfOp* FindComplexTfOp(std::string_view name);

}  // namespace linnet::converter
