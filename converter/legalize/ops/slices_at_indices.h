// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "converter/legalize/context/legalize_context.h"

// Parts of known size at positions that are only computed when the model runs.
namespace linnet::converter {

// `x` with the elements of `update` written from `start` on, a vector with a position of each
// dimension, `stride` positions apart. Nothing must lie outside.
Emitted EmitUpdatedAt(LegalizeContext& context, Output x, const Emitted& update,
                      const Emitted& start, const Shape& stride);

// Translators (TfOp::legalize): forms of Slice, StridedSlice and
// TensorStridedSliceUpdate. They return Unimplemented where
// the sizes do not follow.
absl::Status SliceAtIndices(LegalizeContext& context);
absl::Status StridedSliceAtIndices(LegalizeContext& context);
absl::Status StridedSliceUpdateAtIndices(LegalizeContext& context);
absl::Status XlaDynamicSlice(LegalizeContext& context);
absl::Status XlaDynamicUpdateSlice(LegalizeContext& context);

}  // namespace linnet::converter
