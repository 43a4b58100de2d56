// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <string>

#include "linnet/linnet.h"

namespace linnet::python {

// A linnet_dtype as NumPy, the buffer protocol and DLPack know it.
struct ElementType {
  const char* name;  // of numpy.dtype
  char kind;         // 'f', 'i', 'u' or 'b', as numpy.dtype.kind
  int bytes;
};

const ElementType& ElementTypeOf(linnet_dtype dtype);
// numpy.dtype of these elements.
nanobind::object NumpyType(linnet_dtype dtype);
nanobind::dlpack::dtype DlpackType(linnet_dtype dtype);
// Has a buffer with this format of struct (and this size of items) elements of this type?
bool FormatHolds(const char* format, Py_ssize_t item_bytes, linnet_dtype dtype);

}  // namespace linnet::python
