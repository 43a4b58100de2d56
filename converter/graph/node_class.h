// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string_view>

#include "converter/graph/graph.h"

namespace linnet::converter {

// Attribute of If, While and Case which asks TensorFlow to run them as Switch and Merge nodes.
inline constexpr std::string_view kLowerUsingSwitchMerge = "_lower_using_switch_merge";

// The class of a TensorFlow op by its name; kOther for all other names, those of functions too.
NodeClass NodeClassOf(std::string_view op);

}  // namespace linnet::converter
