// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>

#include "linnet/linnet.h"
#include "runtime/tools/npy.h"

namespace linnet::tools {

// An input as it is in the next run, an output as it was in the last: linnet_session_input_info has
// the largest.
linnet_tensor_info InputNow(const linnet_session* session, int32_t index);
linnet_tensor_info OutputNow(const linnet_session* session, int32_t index);

// An input whose extents vary takes those of `array`. What is wrong with them, or "".
std::string TakeShape(linnet_session* session, int32_t index, const NpyArray& array);

}  // namespace linnet::tools
