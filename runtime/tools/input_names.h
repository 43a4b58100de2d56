// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <string_view>

#include "linnet/linnet.h"

namespace linnet::tools {

// "'x', 'y' and 3 more": the inputs of a session.
std::string InputNames(const linnet_session* session);

// "the plan has no input 'z'; it has 'x', 'y'". Where there are too many to list, names that are
// like `name` come first.
std::string NoSuchInput(const linnet_session* session, std::string_view name);

}  // namespace linnet::tools
