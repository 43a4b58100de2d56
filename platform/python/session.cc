// SPDX-License-Identifier: Apache-2.0
#include "platform/python/session.h"

#include <nanobind/ndarray.h>
#include <nanobind/stl/string.h>

#include <algorithm>
#include <array>
#include <utility>

#include "platform/python/element_type.h"
#include "platform/python/errors.h"
#include "platform/python/file_source.h"
#include "platform/python/turn.h"

namespace linnet::python {
namespace nb = nanobind;
namespace {

constexpr std::array<std::pair<const char*, linnet_backend>, 5> kBackends = {
    {{"auto", LINNET_BACKEND_AUTO},
     {"cpu", LINNET_BACKEND_CPU},
     {"portable", LINNET_BACKEND_PORTABLE},
     {"plain", LINNET_BACKEND_PLAIN},
     {"vulkan", LINNET_BACKEND_VULKAN}}};

linnet::Session Create(const nb::object& plan, const SessionArguments& arguments) {
  linnet::SessionOptions options;
  std::vector<std::string> problems;
  const auto* backend = kBackends.begin();
  while (backend != kBackends.end() && arguments.backend != backend->first) ++backend;
  if (backend == kBackends.end())
    problems.push_back("backend is '" + arguments.backend +
                       "', want 'auto', 'cpu', 'portable', 'plain' or 'vulkan'");
  else
    options.backend = backend->second;
  if (arguments.threads < 1)
    problems.push_back("threads is " + std::to_string(arguments.threads) + ", want at least 1");
  const linnet::Plan& opened = nb::cast<const Plan&>(plan).plan();
  std::string names;
  bool known = !arguments.signature;
  for (int i = 0; i < opened.num_signatures(); ++i) {
    known = known || *arguments.signature == opened.signature(i);
    names += (i > 0 ? ", '" : "'") + std::string(opened.signature(i)) + "'";
  }
  if (!known)
    problems.push_back("there is no signature '" + *arguments.signature + "'; there is " + names);
  if (!problems.empty()) RaiseProblems(problems);
  options.threads = arguments.threads;
  options.signature = arguments.signature ? arguments.signature->c_str() : nullptr;
  options.max_bytes = arguments.max_bytes;
  nb::object kernels;  // held while a session is created from them
  if (!arguments.kernels.is_none()) {
    kernels = ReadBytes(arguments.kernels);
    options.kernels = {reinterpret_cast<const std::byte*>(PyBytes_AS_STRING(kernels.ptr())),
                       static_cast<size_t>(PyBytes_GET_SIZE(kernels.ptr()))};
  }
  const auto create = [&] {
    const nb::gil_scoped_release others_may_run;
    return linnet::Session::Create(opened, options);
  };
  linnet::Result<linnet::Session> session = create();
  if (!session) Raise(session.error());
  return std::move(*session);
}

// `index`, which is negative where there is no such name.
int Known(int index, const char* kind, const char* name) {
  if (index < 0) RaiseProblems({std::string("there is no ") + kind + " '" + name + "'"});
  return index;
}

// An array over memory of the session `owner`. Traits: how Python sees it.
template <typename... Traits, typename Data>
nb::object View(Data* data, const Dims& dims, nb::handle owner, linnet_dtype dtype) {
  size_t shape[LINNET_MAX_RANK];
  std::copy_n(dims.values, dims.rank, shape);
  return nb::cast(nb::ndarray<Traits...>(data, static_cast<size_t>(dims.rank), shape, owner,
                                         nullptr, DlpackType(dtype)));
}

}  // namespace

Session::Session(const nb::object& plan, const SessionArguments& arguments)
    : plan_(plan),
      session_(Create(plan, arguments)),
      empty_(nb::module_::import_("numpy").attr("empty")) {
  for (int i = 0; i < session_.num_inputs(); ++i)
    inputs_.push_back(PortOf(*session_.input_info(i)));
  for (int i = 0; i < session_.num_outputs(); ++i)
    outputs_.push_back(PortOf(*session_.output_info(i)));
}

Session::Port Session::PortOf(const linnet_tensor_info& info) {
  return {info, nb::str(info.name), NumpyType(info.dtype), TupleOf(info.dims, info.rank)};
}

int Session::IndexOfInput(const char* name) const { return session_.FindInput(name); }
int Session::IndexOfOutput(const char* name) const { return session_.FindOutput(name); }

nb::object Session::InputView(nb::handle self, const char* name) {
  const Turn turn(mutex_);
  const int index = Known(IndexOfInput(name), "input", name);
  return View<nb::numpy>(linnet_session_input_data(session_.get(), index),
                         session_.InputShape(index), self, inputs_[index].info.dtype);
}

nb::object Session::OutputView(nb::handle self, const char* name) {
  const Turn turn(mutex_);
  const int index = Known(IndexOfOutput(name), "output", name);
  return View<nb::numpy, nb::ro>(linnet_session_output_data(session_.get(), index),
                                 session_.OutputShape(index), self, outputs_[index].info.dtype);
}

void Session::SetInputShape(const char* name, const std::vector<int64_t>& dims) {
  const Turn turn(mutex_);
  const int index = Known(IndexOfInput(name), "input", name);
  if (const auto error = session_.SetInputShape(index, dims)) Raise(*error);
}

nb::list Session::Inputs() const {
  nb::list infos;
  for (int i = 0; i < session_.num_inputs(); ++i) infos.append(TensorInfo(*session_.input_info(i)));
  return infos;
}

nb::list Session::Outputs() const {
  nb::list infos;
  for (int i = 0; i < session_.num_outputs(); ++i)
    infos.append(TensorInfo(*session_.output_info(i)));
  return infos;
}

nb::dict Session::Memory() const {
  const linnet::Memory memory = session_.memory();
  nb::dict all;
  all["block"] = memory.block;
  all["arena"] = memory.arena;
  all["state"] = memory.state;
  all["operators"] = memory.operators;
  all["workspace"] = memory.workspace;
  all["prepared"] = memory.prepared;
  all["backend_heap"] = memory.backend_heap;
  all["devices"] = memory.devices;
  return all;
}

nb::list Session::Steps() {
  const Turn turn(mutex_);
  nb::list steps;
  const Span<const int64_t> times = session_.step_ns();
  for (int i = 0; i < session_.num_steps(); ++i) {
    const std::optional<StepInfo> info = session_.step_info(i);
    if (!info) break;
    nb::dict step;
    step["op"] = info->op;
    step["source"] = info->source;
    step["backend"] = info->backend;
    step["chosen_by"] = info->chosen_by;
    step["kind"] = StepKind(i);
    step["macs"] = info->macs;
    step["bytes"] = info->bytes;
    step["ns"] = times.empty() ? nb::none() : nb::object(nb::int_(times[i]));
    steps.append(step);
  }
  return steps;
}

std::string Session::StepKind(int index) const {
  const int length = session_.StepKind(index, {});
  if (length <= 0) return "";
  std::string kind(static_cast<size_t>(length) + 1, '\0');  // with room for a NUL
  session_.StepKind(index, {kind.data(), kind.size()});
  kind.pop_back();
  return kind;
}

void Session::EnableProfile(bool on) {
  const Turn turn(mutex_);
  session_.EnableProfile(on);
  profile_ = on;
}

std::string Session::Backend() const {
  const linnet_backend backend = session_.backend().backend;
  for (const auto& [name, value] : kBackends)
    if (value == backend) return name;
  return "unknown";
}

std::optional<std::string> Session::WhyNotGpu() const {
  const char* const why = session_.backend().why_not_gpu;
  if (why == nullptr) return std::nullopt;
  return why;
}

void Session::Reset() {
  const Turn turn(mutex_);
  session_.Reset();
}

}  // namespace linnet::python
