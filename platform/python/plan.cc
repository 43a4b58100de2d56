// SPDX-License-Identifier: Apache-2.0
#include "platform/python/plan.h"

#include <cstddef>
#include <optional>

#include "platform/python/errors.h"
#include "platform/python/file_source.h"

namespace linnet::python {
namespace nb = nanobind;
namespace {

linnet::Plan Open(const nb::object& source, const nb::object& bytes) {
  nb::object path;
  if (bytes.is_none()) {
    PyObject* encoded = nullptr;
    if (PyUnicode_FSConverter(source.ptr(), &encoded) == 0) throw nb::python_error();
    path = nb::steal(encoded);
  }
  const auto open = [&] {
    const nb::gil_scoped_release others_may_run;
    if (path.is_valid()) return linnet::Plan::Open(PyBytes_AS_STRING(path.ptr()));
    const auto* data = reinterpret_cast<const std::byte*>(PyBytes_AS_STRING(bytes.ptr()));
    return linnet::Plan::Open({data, static_cast<size_t>(PyBytes_GET_SIZE(bytes.ptr()))});
  };
  linnet::Result<linnet::Plan> plan = open();
  if (!plan) Raise(plan.error(), path.is_valid() ? PyBytes_AS_STRING(path.ptr()) : "");
  return *plan;
}

}  // namespace

Plan::Plan(const nb::object& source) : bytes_(BytesOf(source)), plan_(Open(source, bytes_)) {}

nb::list Plan::Inputs(int signature) const {
  nb::list infos;
  for (int i = 0; i < plan_.num_inputs(signature); ++i)
    infos.append(TensorInfo(*plan_.input_info(i, signature)));
  return infos;
}

nb::list Plan::Outputs(int signature) const {
  nb::list infos;
  for (int i = 0; i < plan_.num_outputs(signature); ++i)
    infos.append(TensorInfo(*plan_.output_info(i, signature)));
  return infos;
}

nb::dict Plan::Signatures() const {
  nb::dict signatures;
  for (int i = 0; i < plan_.num_signatures(); ++i)
    signatures[plan_.signature(i)] = nb::make_tuple(Inputs(i), Outputs(i));
  return signatures;
}

nb::dict Plan::Stats() const {
  const linnet::PlanStats stats = plan_.stats();
  nb::dict all;
  all["plan_bytes"] = stats.plan_bytes;
  all["weights_bytes"] = stats.weights_bytes;
  all["steps"] = stats.steps;
  all["arena_bytes"] = stats.arena_bytes;
  all["lower_bound"] = stats.lower_bound;
  all["naive"] = stats.naive;
  all["imported_bound"] = stats.imported_bound;
  return all;
}

void BindPlan(nb::module_& module) {
  nb::class_<Plan>(
      module, "Plan",
      "A plan that was opened and verified: from the path of a file, which must not be "
      "changed meanwhile (linnet.convert and `linnet convert` replace files instead), "
      "or from bytes. Any number of threads may use it.")
      .def(nb::init<const nb::object&>(), nb::arg("source"),
           nb::sig("def __init__(self, source: str | os.PathLike | bytes) -> None"))
      .def_prop_ro(
          "inputs", [](const Plan& plan) { return plan.Inputs(0); },
          nb::sig("def inputs(self) -> list[TensorInfo]"), "Of the first signature.")
      .def_prop_ro(
          "outputs", [](const Plan& plan) { return plan.Outputs(0); },
          nb::sig("def outputs(self) -> list[TensorInfo]"), "Of the first signature.")
      .def_prop_ro(
          "signatures", &Plan::Signatures,
          nb::sig("def signatures(self) -> dict[str, tuple[list[TensorInfo], list[TensorInfo]]]"),
          "Name -> (inputs, outputs).")
      .def_prop_ro("bytes", &Plan::bytes, "Of the whole plan.")
      .def_prop_ro("stats", &Plan::Stats, nb::sig("def stats(self) -> dict[str, int]"),
                   "Sizes of the plan's parts, as linnet_plan_stats has them.")
      .def("__repr__", [](const Plan& plan) {
        return nb::str("<linnet.Plan: {} -> {}, {} bytes>")
            .attr("format")(plan.Inputs(0), plan.Outputs(0), plan.bytes());
      });
}

}  // namespace linnet::python
