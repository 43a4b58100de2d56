// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "runtime/ops/op_def.h"

namespace linnet {

// What a step reads of an input while it makes some rows of its output.
enum class RowUse {
  kRows,     // rows of the same picture, by the step's RowWindow
  kPicture,  // all that belongs to the same picture
  kWhole     // all of it, for all pictures
};

// True when the op can make any rows of its output, pictures NHWC, from few rows of input 0 (and of
// the other inputs that have rows). Then *window says from which. All extents are fixed, and
// op.outputs is filled in.
bool FindRowWindow(const OpInstance& op, RowWindow* window);

// REQUIRES: FindRowWindow(op).
RowUse UseOf(const OpInstance& op, int input);

// The types of a step that makes rows of one picture: those of `op`, but one picture of so many
// rows.
TensorType RowsOf(const TensorType& type, RowUse use, int64_t rows);

}  // namespace linnet
