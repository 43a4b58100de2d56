// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "converter/pass/pass.h"

namespace linnet::converter {

// _Retval(state) => _Retval(Reshape(state)), a copy: by the time somebody reads the output, or the
// next value of another state is taken, the state has its next value itself.
absl::StatusOr<int> CopyFetchedState(Graph& graph, const PassContext& context);

}  // namespace linnet::converter
