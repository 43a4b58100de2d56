// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "linnet/linnet.h"

namespace linnet::tools {

// What the library tells about a step of the session.
linnet_step_info InfoOf(const linnet_session* session, int step);

}  // namespace linnet::tools
