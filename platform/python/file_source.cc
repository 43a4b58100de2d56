// SPDX-License-Identifier: Apache-2.0
#include "platform/python/file_source.h"

#include <nanobind/stl/string.h>

#include <string>

#include "platform/python/errors.h"

namespace linnet::python {
namespace nb = nanobind;

nb::object BytesOf(const nb::object& source) {
  if (PyBytes_Check(source.ptr())) return source;
  if (PyUnicode_Check(source.ptr()) || PyObject_CheckBuffer(source.ptr()) == 0) return nb::none();
  nb::object copy = nb::steal(PyBytes_FromObject(source.ptr()));
  if (!copy.is_valid()) throw nb::python_error();
  return copy;
}

nb::object ReadBytes(const nb::object& source) {
  nb::object bytes = BytesOf(source);
  if (!bytes.is_none()) return bytes;
  const nb::object path = nb::module_::import_("pathlib").attr("Path")(source);
  try {
    return path.attr("read_bytes")();
  } catch (nb::python_error& error) {
    if (!error.matches(PyExc_OSError)) throw;
    Raise({LINNET_IO, -1, 0, "cannot read the file"}, nb::cast<std::string>(nb::str(path)));
  }
}

}  // namespace linnet::python
