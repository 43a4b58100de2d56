// SPDX-License-Identifier: Apache-2.0
#include "platform/python/tensor_info.h"

#include <nanobind/stl/string.h>

#include "platform/python/element_type.h"

namespace linnet::python {
namespace nb = nanobind;

nb::tuple TupleOf(const int64_t* dims, int rank) {
  nb::list list;
  for (int i = 0; i < rank; ++i) list.append(dims[i]);
  return nb::tuple(list);
}

std::string TypeText(const linnet_tensor_info& info) {
  std::string text = ElementTypeOf(info.dtype).name;
  text += '[';
  for (int i = 0; i < info.rank; ++i) {
    if (i > 0) text += ", ";
    if ((info.varies >> i & 1) != 0) text += "..";
    text += std::to_string(info.dims[i]);
  }
  return text + "]";
}

TensorInfo::TensorInfo(const linnet_tensor_info& info)
    : info_(info), name_(info.name), source_(info.source) {}

nb::object TensorInfo::dtype() const { return NumpyType(info_.dtype); }
nb::tuple TensorInfo::shape() const { return TupleOf(info_.dims, info_.rank); }

nb::tuple TensorInfo::varies() const {
  nb::list list;
  for (int i = 0; i < info_.rank; ++i) list.append((info_.varies >> i & 1) != 0);
  return nb::tuple(list);
}

std::string TensorInfo::Text() const { return "<" + name_ + ": " + TypeText(info_) + ">"; }

void BindTensorInfo(nb::module_& module) {
  nb::class_<TensorInfo>(module, "TensorInfo", "An input or output of a plan.")
      .def_prop_ro("name", &TensorInfo::name,
                   "Its name in the model's signature; the node's name without signatures.")
      .def_prop_ro("source", &TensorInfo::source, "\"node:output\" in the TensorFlow graph.")
      .def_prop_ro("dtype", &TensorInfo::dtype, nb::sig("def dtype(self) -> numpy.dtype"))
      .def_prop_ro("shape", &TensorInfo::shape, nb::sig("def shape(self) -> tuple[int, ...]"),
                   "The largest, where dimensions vary from run to run.")
      .def_prop_ro("varies", &TensorInfo::varies, nb::sig("def varies(self) -> tuple[bool, ...]"),
                   "For each dimension, whether it may be smaller in a run.")
      .def_prop_ro("bytes", &TensorInfo::bytes, "Of a tensor of this shape.")
      .def("__repr__", &TensorInfo::Text);
}

}  // namespace linnet::python
