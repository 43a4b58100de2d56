// SPDX-License-Identifier: Apache-2.0
// linnet._runtime: opens plans and runs them. Knows nothing of the converter, so that programs that
// only run plans load neither that nor the libraries it needs.
#include <nanobind/nanobind.h>

#include "platform/python/errors.h"
#include "platform/python/plan.h"
#include "platform/python/session.h"
#include "platform/python/tensor_info.h"

NB_MODULE(_runtime, module) {
  module.attr("__version__") = linnet_version();
  linnet::python::BindError(module);
  linnet::python::BindTensorInfo(module);
  linnet::python::BindPlan(module);
  linnet::python::BindSession(module);
}
