// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string_view>

#include "converter/graph/graph.h"

namespace linnet::converter {

// Attr of If, While and Case: TensorFlow runs the node as Switch and Merge.
inline constexpr std::string_view kLowerUsingSwitchMerge = "_lower_using_switch_merge";

// The class of a TensorFlow op by its name; kOther for names it does not know (functions too).
NodeClass NodeClassOf(std::string_view op);

}  // namespace linnet::converter
