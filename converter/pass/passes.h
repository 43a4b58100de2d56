// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "converter/pass/pass.h"

// Every pass of passes.def. What it does, needs and refuses stands at the top of its file.
namespace linnet::converter {

#define STAGE(name, vocabulary, rounds)
#define PASS(folder, name, Function, summary) \
  absl::StatusOr<int> Function(Graph& graph, const PassContext& context);
#include "converter/pass/passes.def"
#undef PASS
#undef STAGE

}  // namespace linnet::converter
