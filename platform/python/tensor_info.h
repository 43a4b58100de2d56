// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <nanobind/nanobind.h>

#include <string>

#include "linnet/linnet.h"

namespace linnet::python {

// linnet.TensorInfo: what an input or output is. A copy, so it needs no plan.
class TensorInfo {
 public:
  explicit TensorInfo(const linnet_tensor_info& info);

  const std::string& name() const { return name_; }
  const std::string& source() const { return source_; }
  nanobind::object dtype() const;
  nanobind::tuple shape() const;   // the largest
  nanobind::tuple varies() const;  // of each dimension, whether it may be smaller in a run
  int64_t bytes() const { return info_.bytes; }
  std::string Text() const;

 private:
  linnet_tensor_info info_;  // without its names
  std::string name_, source_;
};

void BindTensorInfo(nanobind::module_& module);

// "float32[1, ..128]": type and shape for people.
std::string TypeText(const linnet_tensor_info& info);
nanobind::tuple TupleOf(const int64_t* dims, int rank);

}  // namespace linnet::python
