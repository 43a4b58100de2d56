// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <nanobind/nanobind.h>

#include <string>
#include <vector>

#include "linnet/linnet.h"

namespace linnet::python {

// linnet.Error, with the attributes `status` ("LINNET_BAD_INDEX") and `step` (-1: of no step).
void BindError(nanobind::module_& module);

// Raise it. The interpreter's lock is held. `about`: the file that the error is about, or "".
[[noreturn]] void Raise(const linnet_error& error, const std::string& about = "");
// For arguments that do not fit: one exception says all that is wrong. `problems` is not empty.
[[noreturn]] void RaiseProblems(const std::vector<std::string>& problems);

}  // namespace linnet::python
