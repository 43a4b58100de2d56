// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <nanobind/nanobind.h>

#include <cstddef>
#include <string>

#include "linnet/linnet.h"

namespace linnet::python {

// The memory of an array that a caller gave for a tensor, held from Hold to the object's end, which
// need the interpreter's lock. In between the elements may be accessed without it.
class Elements {
 public:
  Elements() = default;
  Elements(const Elements&) = delete;
  Elements& operator=(const Elements&) = delete;
  ~Elements();

  // Elements to read: of an array, of anything else with the buffer protocol, or of what NumPy
  // makes an array of. Returns what is wrong, or "". Of dimensions that vary only the largest is
  // checked.
  std::string HoldInput(nanobind::handle value, const linnet_tensor_info& info);
  // Elements to write. The shape is checked by Fits, after the run where it varies.
  std::string HoldOutput(nanobind::handle value, const linnet_tensor_info& info);

  bool held() const { return held_; }
  const nanobind::object& value() const { return value_; }  // whose elements these are
  std::byte* data() const { return static_cast<std::byte*>(buffer_.buf); }
  size_t bytes() const { return static_cast<size_t>(buffer_.len); }
  int rank() const { return buffer_.ndim; }
  const Py_ssize_t* dims() const { return buffer_.shape; }
  // How many bytes from data() on belong to the array's memory: more than bytes() in arrays of
  // linnet.empty.
  size_t Room() const;
  // Has it exactly this shape?
  bool Fits(const int64_t* dims, int rank) const;

 private:
  bool Hold(nanobind::handle value, int flags);
  std::string TypeProblem(nanobind::handle value, const linnet_tensor_info& info) const;

  nanobind::object value_;
  Py_buffer buffer_ = {};
  bool held_ = false;
};

}  // namespace linnet::python
