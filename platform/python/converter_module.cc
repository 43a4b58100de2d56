// SPDX-License-Identifier: Apache-2.0
// linnet._converter: the converter, for the Python code that is in this package beside it.
#include <nanobind/nanobind.h>

#include "platform/python/conversion.h"
#include "platform/python/report.h"

NB_MODULE(_converter, module) {
  linnet::python::BindReport(module);
  linnet::python::BindConversion(module);
}
