// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "converter/pass/pass.h"

namespace linnet::converter {

// Runs every op's shape rule again, producers first, and counts the outputs whose type changed. The
// legaliser infers as it goes, so this finds work only after a pass changed attributes in place.
absl::StatusOr<int> InferShapes(Graph& graph, const PassContext& context);

}  // namespace linnet::converter
