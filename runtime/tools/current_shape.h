// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>

#include "linnet/linnet.h"
#include "runtime/tools/npy.h"

namespace linnet::tools {

// Infos with the shape that an input has in the next run and an output had in the last one;
// linnet_session_input_info and linnet_session_output_info have the largest shape.
linnet_tensor_info InputNow(const linnet_session* session, int32_t index);
linnet_tensor_info OutputNow(const linnet_session* session, int32_t index);

// Gives an input whose extents vary the shape of `array`. Returns "", or what is wrong with it.
std::string TakeShape(linnet_session* session, int32_t index, const NpyArray& array);

// Writes `array` to an input, which takes its shape first. Returns "", or what does not fit.
std::string FeedArray(const NpyArray& array, linnet_session* session, int32_t index);

}  // namespace linnet::tools
