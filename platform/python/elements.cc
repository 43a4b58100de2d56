// SPDX-License-Identifier: Apache-2.0
#include "platform/python/elements.h"

#include <nanobind/stl/string.h>

#include "platform/python/element_type.h"
#include "platform/python/tensor_info.h"

namespace linnet::python {
namespace nb = nanobind;
namespace {

// "float64[1, 16]", of anything that NumPy makes an array of.
std::string GivenText(nb::handle value) {
  const nb::object array = nb::module_::import_("numpy").attr("asarray")(value);
  const nb::object dtype = array.attr("dtype"), shape = array.attr("shape");
  std::string text = nb::cast<std::string>(nb::str(nb::handle(dtype))) + "[";
  const char* separator = "";
  for (const nb::handle dim : shape) {
    text.append(separator).append(std::to_string(nb::cast<int64_t>(dim)));
    separator = ", ";
  }
  return text + "]";
}

std::string Text(const nb::python_error& error) {
  return nb::cast<std::string>(nb::str(nb::handle(error.value())));
}

}  // namespace

Elements::~Elements() {
  if (held_) PyBuffer_Release(&buffer_);
}

bool Elements::Hold(nb::handle value, int flags) {
  held_ = PyObject_GetBuffer(value.ptr(), &buffer_, flags | PyBUF_FORMAT | PyBUF_C_CONTIGUOUS) == 0;
  if (held_)
    value_ = nb::borrow(value);
  else
    PyErr_Clear();
  return held_;
}

std::string Elements::TypeProblem(nb::handle value, const linnet_tensor_info& info) const {
  bool fits =
      buffer_.ndim == info.rank && FormatHolds(buffer_.format, buffer_.itemsize, info.dtype);
  for (int i = 0; fits && i < info.rank; ++i)
    fits = (info.varies >> i & 1) != 0 ? buffer_.shape[i] <= info.dims[i]
                                       : buffer_.shape[i] == info.dims[i];
  return fits ? "" : "is " + GivenText(value) + ", want " + TypeText(info);
}

std::string Elements::HoldInput(nb::handle value, const linnet_tensor_info& info) {
  try {
    if (Hold(value, PyBUF_SIMPLE)) return TypeProblem(value, info);
    const nb::object array =
        nb::module_::import_("linnet._arrays").attr("as_array")(value, NumpyType(info.dtype));
    if (!Hold(array, PyBUF_SIMPLE)) return "is no array";
    return TypeProblem(array, info);
  } catch (const nb::python_error& error) {
    return Text(error);
  }
}

std::string Elements::HoldOutput(nb::handle value, const linnet_tensor_info& info) {
  try {
    if (Hold(value, PyBUF_WRITABLE)) return TypeProblem(value, info);
    return "is not a writable array with its elements in order (C-contiguous)";
  } catch (const nb::python_error& error) {
    return Text(error);
  }
}

size_t Elements::Room() const {
  const nb::object base = nb::getattr(value_, "base", nb::none());
  if (base.is_none() || PyObject_CheckBuffer(base.ptr()) == 0) return bytes();
  Py_buffer whole;
  if (PyObject_GetBuffer(base.ptr(), &whole, PyBUF_WRITABLE) != 0) {
    PyErr_Clear();
    return bytes();
  }
  const auto* const from = static_cast<const std::byte*>(whole.buf);
  const std::byte* const to = from + whole.len;
  PyBuffer_Release(&whole);
  return data() >= from && data() + bytes() <= to ? static_cast<size_t>(to - data()) : bytes();
}

bool Elements::Fits(const int64_t* dims, int rank) const {
  if (buffer_.ndim != rank) return false;
  for (int i = 0; i < rank; ++i)
    if (buffer_.shape[i] != dims[i]) return false;
  return true;
}

}  // namespace linnet::python
