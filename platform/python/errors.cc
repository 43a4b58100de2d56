// SPDX-License-Identifier: Apache-2.0
#include "platform/python/errors.h"

#include <nanobind/stl/string.h>

namespace linnet::python {
namespace nb = nanobind;
namespace {

// Owned by the module, which the interpreter never unloads.
PyObject* g_error = nullptr;

[[noreturn]] void RaiseText(const std::string& text, linnet_status status, int step) {
  nb::object error = nb::borrow(g_error)(text);
  error.attr("status") = linnet_status_name(status);
  error.attr("step") = step;
  PyErr_SetObject(g_error, error.ptr());
  throw nb::python_error();
}

}  // namespace

void BindError(nb::module_& module) {
  g_error = PyErr_NewExceptionWithDoc(
      "linnet.Error",
      "What Linnet refuses or cannot do. The text lists every problem. `status` is the name of the "
      "C API's status; `step` is the index of the plan's step that failed, or -1.",
      PyExc_Exception, nullptr);
  if (g_error == nullptr) throw nb::python_error();
  nb::borrow(g_error).attr("status") = linnet_status_name(LINNET_INVALID_ARGUMENT);
  nb::borrow(g_error).attr("step") = -1;
  module.attr("Error") = nb::borrow(g_error);
}

void Raise(const linnet_error& error, const std::string& about) {
  RaiseText(about.empty() ? error.text : about + ": " + error.text, error.status, error.step);
}

void RaiseProblems(const std::vector<std::string>& problems) {
  std::string text = problems[0];
  if (problems.size() > 1) {
    text = std::to_string(problems.size()) + " problems:";
    for (const std::string& problem : problems) text += "\n" + problem;
  }
  RaiseText(text, LINNET_INVALID_ARGUMENT, -1);
}

}  // namespace linnet::python
