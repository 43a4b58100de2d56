// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "absl/status/statusor.h"
#include "converter/pass/pass.h"
#include "converter/tf_passes/partial_shape.h"

namespace linnet::converter {

// What --set gives to a tensor of type `dtype`, of whose shape the model says `declared`.
//
// Text is one element or several with commas between them: true, false, 0.25, 256,512. One element
// fills the tensor; extents that the model leaves open are 1 then, and where not even the rank is
// known it is a scalar. Several fill the shape in row-major order, of which one extent may be open.
// An array of another type is converted where every element stays the same number.
//
// InvalidArgument says what does not fit. Bytes are taken from *room (PassContext::constant_room),
// ResourceExhausted where too few are left.
absl::StatusOr<Constant> GivenValue(const FixedTensor& fixed, DType dtype,
                                    const PartialShape& declared, int64_t* room);

}  // namespace linnet::converter
