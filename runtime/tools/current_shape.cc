// SPDX-License-Identifier: Apache-2.0
#include "runtime/tools/current_shape.h"

namespace linnet::tools {
namespace {

linnet_tensor_info WithShape(linnet_tensor_info info, const int64_t* dims) {
  int64_t largest = 1, elements = 1;
  for (int32_t i = 0; i < info.rank; ++i) {
    largest *= info.dims[i];
    elements *= dims[i];
    info.dims[i] = dims[i];
  }
  info.bytes = largest == 0 ? 0 : info.bytes / largest * elements;
  return info;
}

}  // namespace

linnet_tensor_info InputNow(const linnet_session* session, int32_t index) {
  int64_t dims[LINNET_MAX_RANK];
  linnet_session_input_shape(session, index, dims);
  return WithShape(*linnet_session_input_info(session, index), dims);
}

linnet_tensor_info OutputNow(const linnet_session* session, int32_t index) {
  int64_t dims[LINNET_MAX_RANK];
  linnet_session_output_shape(session, index, dims);
  return WithShape(*linnet_session_output_info(session, index), dims);
}

std::string TakeShape(linnet_session* session, int32_t index, const NpyArray& array) {
  const linnet_tensor_info& info = *linnet_session_input_info(session, index);
  const auto rank = static_cast<int32_t>(array.shape.size());
  if (info.varies == 0 || rank != info.rank ||
      linnet_session_set_input_shape(session, index, array.shape.data(), rank) == LINNET_OK)
    return "";
  return TypeText(info.dtype, array.shape.data(), rank) + " of at most " +
         TypeText(info.dtype, info.dims, info.rank) + ": " +
         linnet_session_last_error(session)->text;
}

std::string FeedArray(const NpyArray& array, linnet_session* session, int32_t index) {
  if (std::string problem = TakeShape(session, index, array); !problem.empty()) return problem;
  return CopyToTensor(array, InputNow(session, index), linnet_session_input_data(session, index));
}

}  // namespace linnet::tools
