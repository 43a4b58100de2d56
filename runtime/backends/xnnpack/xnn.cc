// SPDX-License-Identifier: Apache-2.0
// The calls of xnn.h that are the same in all package generations.
#include "runtime/backends/xnnpack/xnn.h"

namespace linnet::xnnpack::xnn {

xnn_status Run(const Operator& op, pthreadpool_t pool) {
  xnn_status status = xnn_run_operator(op.op, pool);
  if (status == xnn_status_success && op.clamp != nullptr)
    status = xnn_run_operator(op.clamp, pool);
  return status;
}

void Delete(Operator* op) {
  if (op->clamp != nullptr) xnn_delete_operator(op->clamp);
  if (op->op != nullptr) xnn_delete_operator(op->op);
  *op = {};
}

}  // namespace linnet::xnnpack::xnn
