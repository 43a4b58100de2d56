// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "converter/pass/pass.h"

namespace linnet::converter {

// op(a, b), op(a, b)  =>  op(a, b) once: the one that comes first in topological order stays.
// Equal means: same op, equal attributes, same inputs (in any order where the op is commutative,
// see IsCommutative) and the same control inputs. Constants are equal when type, encoding and bytes
// are. Inputs and outputs of the graph are left alone. Maximum and Minimum count as commutative
// except under strict algebra: with two NaNs, or +0 and -0, the order shows.
absl::StatusOr<int> EliminateCommonSubexpressions(Graph& graph, const PassContext& context);

}  // namespace linnet::converter
