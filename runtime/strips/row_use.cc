// SPDX-License-Identifier: Apache-2.0
#include "runtime/strips/row_use.h"

#include "runtime/core/linked_parts.h"
#include "runtime/ops/linked_ops.h"

namespace linnet {
namespace {

constexpr int kPictureDim = 0, kRowDim = 1, kPictureRank = 4;

// Of an elementwise op, whose output is `out`. False when the input has rows but no pictures, so
// that its dimensions do not stand where those of the output do.
bool FindElementwiseUse(const Shape& in, const Shape& out, RowUse* use) {
  *use = RowUse::kWhole;
  if (in.rank() < kPictureRank) return in.rank() < kPictureRank - kRowDim || in[0] == 1;
  if (in[kRowDim] == out[kRowDim])
    *use = RowUse::kRows;
  else if (in[kPictureDim] != 1)
    *use = RowUse::kPicture;
  return true;
}

// Not by FindOp: compilers inline that, and so drop the checks of ops from programs without ops,
// only as long as nothing but the verifier calls it.
const OpDef& DefOf(const OpInstance& op) { return *FindLinked(kLinkedOps, op.kind); }

bool IsElementwise(const OpInstance& op) { return DefOf(op).traits & kElementwise; }

bool SamePositions(const Shape& a, const Shape& b) {
  if (a.rank() != b.rank()) return false;
  for (int i = 0; i + 1 < a.rank(); ++i)
    if (a[i] != b[i]) return false;
  return true;
}

}  // namespace

bool FindRowWindow(const OpInstance& op, RowWindow* window) {
  if (!kLinkedStrips) return false;
  const OpDef& def = DefOf(op);
  *window = {};
  if (def.num_outputs != 1 || op.output(0).shape.rank() != kPictureRank ||
      op.output(0).shape.num_elements() == 0)
    return false;
  const Shape& out = op.output(0).shape;
  if (def.row_window != nullptr) {
    *window = def.row_window(op);
    // Each window has a row of the picture then, whatever pads a plan has.
    const int64_t last = (out[kRowDim] - 1) * window->stride - window->pad;
    return window->pad < window->size && last < op.input(0).shape[kRowDim];
  }
  if (def.traits & kAlongLastDimension) return SamePositions(op.input(0).shape, out);
  if (!(def.traits & kElementwise)) return false;
  bool has_rows = false;
  for (const InputInfo& input : op.inputs) {
    RowUse use;
    if (!FindElementwiseUse(input.type.shape, out, &use)) return false;
    has_rows |= use == RowUse::kRows;
  }
  return has_rows;
}

RowUse UseOf(const OpInstance& op, int input) {
  RowUse use = input == 0 ? RowUse::kRows : RowUse::kWhole;
  if (IsElementwise(op)) FindElementwiseUse(op.input(input).shape, op.output(0).shape, &use);
  return use;
}

TensorType RowsOf(const TensorType& type, RowUse use, int64_t rows) {
  TensorType part = type;
  if (use == RowUse::kWhole) return part;
  part.shape[kPictureDim] = 1;
  if (use == RowUse::kRows) part.shape[kRowDim] = rows;
  return part;
}

}  // namespace linnet
