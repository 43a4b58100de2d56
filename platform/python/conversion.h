// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <nanobind/nanobind.h>

namespace linnet::python {

// convert(arguments, progress) -> Report, convert_flags() -> [(name, kind)],
// run_program(arguments).
void BindConversion(nanobind::module_& module);

}  // namespace linnet::python
