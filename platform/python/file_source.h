// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <nanobind/nanobind.h>

namespace linnet::python {

// Where a caller may give the path of a file or its bytes: the bytes, as a Python object that does
// not change, or None when `source` is not bytes, so that it has to be a path.
nanobind::object BytesOf(const nanobind::object& source);

// The bytes in either case: those of the file are read. linnet.Error when it cannot be read.
nanobind::object ReadBytes(const nanobind::object& source);

}  // namespace linnet::python
