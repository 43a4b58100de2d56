// SPDX-License-Identifier: Apache-2.0
#include "runtime/tools/step_info.h"

namespace linnet::tools {

linnet_step_info InfoOf(const linnet_session* session, int step) {
  linnet_step_info info{};
  info.struct_size = sizeof(info);
  linnet_session_get_step_info(session, step, &info);
  return info;
}

}  // namespace linnet::tools
