// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "converter/legalize/context/legalize_context.h"

namespace linnet::converter {

// Translators (TfOp::legalize) of the Bessel functions of order 0 and 1: J and Y of the first and
// second kind, I and K the modified ones. With `e` the modified ones are scaled: I by exp(-|x|), K
// by exp(x).
absl::Status BesselI0(LegalizeContext& context);
absl::Status BesselI0e(LegalizeContext& context);
absl::Status BesselI1(LegalizeContext& context);
absl::Status BesselI1e(LegalizeContext& context);
absl::Status BesselJ0(LegalizeContext& context);
absl::Status BesselJ1(LegalizeContext& context);
absl::Status BesselK0(LegalizeContext& context);
absl::Status BesselK0e(LegalizeContext& context);
absl::Status BesselK1(LegalizeContext& context);
absl::Status BesselK1e(LegalizeContext& context);
absl::Status BesselY0(LegalizeContext& context);
absl::Status BesselY1(LegalizeContext& context);

}  // namespace linnet::converter
