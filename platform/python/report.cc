// SPDX-License-Identifier: Apache-2.0
#include "platform/python/report.h"

#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "converter/report/html.h"
#include "converter/report/json.h"
#include "runtime/core/printable.h"

namespace linnet::python {
namespace nb = nanobind;

std::vector<std::string> Report::Problems() const {
  std::vector<std::string> texts;
  for (const converter::Problem& problem : outcome_.report.problems)
    texts.push_back(PrintableLines(ToString(problem)));
  return texts;
}

std::string Report::Json() const { return converter::ReportJson(outcome_.report); }
std::string Report::Html() const { return converter::ReportHtml(outcome_.report); }
std::string Report::Fragment() const { return converter::ReportFragment(outcome_.report); }
std::string Report::Graph() const { return converter::GraphFragment(outcome_.report); }
std::string Report::Arena() const { return converter::ArenaFragment(outcome_.report); }

void BindReport(nb::module_& module) {
  nb::class_<Report>(module, "Report")
      .def_prop_ro("exit_code", &Report::exit_code)
      .def_prop_ro("text", &Report::text)
      .def_prop_ro("error", &Report::error)
      .def_prop_ro("problems", &Report::Problems)
      .def("json", &Report::Json)
      .def("html", &Report::Html)
      .def("fragment", &Report::Fragment)
      .def("graph", &Report::Graph)
      .def("arena", &Report::Arena);
}

}  // namespace linnet::python
