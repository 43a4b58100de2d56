// SPDX-License-Identifier: Apache-2.0
// linnet.Session as Python sees it.
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "platform/python/session.h"

namespace linnet::python {
namespace nb = nanobind;

namespace {

constexpr char kClass[] =
    "A plan ready to run, with its memory and threads. Threads that use one session wait for each "
    "other; sessions of one plan run in parallel.";
constexpr char kInit[] =
    "`backend`: auto, cpu, portable, plain or vulkan. `max_bytes` limits the memory that an "
    "untrusted plan may take; 0: no limit. `kernels` is a profile that `linnet-run "
    "--measure-kernels` wrote on this machine with as many threads: the path of its file, or its "
    "bytes.";
constexpr char kRun[] =
    "Runs the plan once, without the interpreter's lock. `inputs` has an array for every input; "
    "they are copied. Without it the inputs are what their views hold. `out` has arrays for some "
    "outputs, or all. Returns all outputs, those in `out` and fresh arrays for the others; None "
    "when neither `inputs` nor `out` is given. linnet.Error lists everything that does not fit.";
constexpr char kInput[] =
    "The session's own memory of an input, in the shape of the next run, to write to before every "
    "run(): a run may overwrite it.";
constexpr char kOutput[] =
    "The session's own memory of an output, in the shape of the last run. The next run overwrites "
    "it. It is not the output of a run that got memory of linnet.empty for it.";

}  // namespace

void BindSession(nb::module_& module) {
  nb::class_<Session>(module, "Session", kClass)
      .def(
          "__init__",
          [](Session* self, const nb::object& plan, int threads,
             std::optional<std::string> signature, std::string backend, size_t max_bytes,
             nb::object kernels) {
            if (!nb::isinstance<Plan>(plan))
              throw nb::type_error("plan: want a linnet.Plan, as of linnet.Plan(path)");
            new (self) Session(plan, {threads, std::move(signature), std::move(backend), max_bytes,
                                      std::move(kernels)});
          },
          nb::arg("plan"), nb::arg("threads") = 1, nb::kw_only(), nb::arg("signature") = nb::none(),
          nb::arg("backend") = "auto", nb::arg("max_bytes") = 0, nb::arg("kernels") = nb::none(),
          nb::sig("def __init__(self, plan: Plan, threads: int = 1, *, signature: str | None = "
                  "None, backend: str = 'auto', max_bytes: int = 0, kernels: str | os.PathLike | "
                  "bytes | None = None) -> None"),
          kInit)
      .def("run", &Session::Run, nb::arg("inputs") = nb::none(), nb::arg("out") = nb::none(),
           nb::sig("def run(self, inputs: dict[str, typing.Any] | None = None, out: dict[str, "
                   "numpy.ndarray] | None = None) -> typing.Any"),
           kRun)
      .def(
          "input",
          [](nb::handle_t<Session> self, const char* name) {
            return nb::cast<Session&>(self).InputView(self, name);
          },
          nb::arg("name"), nb::sig("def input(self, name: str) -> numpy.ndarray"), kInput)
      .def(
          "output",
          [](nb::handle_t<Session> self, const char* name) {
            return nb::cast<Session&>(self).OutputView(self, name);
          },
          nb::arg("name"), nb::sig("def output(self, name: str) -> numpy.ndarray"), kOutput)
      .def("set_input_shape", &Session::SetInputShape, nb::arg("name"), nb::arg("shape"),
           nb::sig("def set_input_shape(self, name: str, shape: typing.Sequence[int]) -> None"),
           "The shape of an input from the next run on. run(inputs) sets it itself.")
      .def_prop_ro("inputs", &Session::Inputs, nb::sig("def inputs(self) -> list[TensorInfo]"))
      .def_prop_ro("outputs", &Session::Outputs, nb::sig("def outputs(self) -> list[TensorInfo]"))
      .def_prop_ro("backend", &Session::Backend,
                   "What runs the plan: cpu, portable, plain or vulkan.")
      .def_prop_ro("why_not_gpu", &Session::WhyNotGpu, "One sentence; None on a GPU.")
      .def_prop_ro("memory", &Session::Memory, nb::sig("def memory(self) -> dict[str, int]"),
                   "Bytes, as linnet_memory has them.")
      .def_prop_ro("steps", &Session::Steps,
                   nb::sig("def steps(self) -> list[dict[str, typing.Any]]"),
                   "What runs, step by step; \"ns\" is how long each took in the last run with "
                   "`profile`, \"chosen_by\" why its backend runs it: \"plan\", \"profile\" "
                   "(`kernels`) or \"rules\". \"kind\" is its name in a profile of kernels, \"\" "
                   "where there is no choice.")
      .def_prop_rw("profile", &Session::profile, &Session::EnableProfile,
                   "Whether runs measure their steps.")
      .def("reset", &Session::Reset, "Gives the model's variables their first values.")
      .def("cancel", &Session::Cancel,
           "Makes the run in progress, or else the next one, fail. From any thread.");
}

}  // namespace linnet::python
