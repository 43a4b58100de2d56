// SPDX-License-Identifier: Apache-2.0
// A run by dictionaries: the arrays are checked, copied in, and fresh ones are copied out.
#include <nanobind/stl/string.h>

#include <algorithm>
#include <cstring>
#include <utility>

#include "platform/python/errors.h"
#include "platform/python/turn.h"

namespace linnet::python {
namespace nb = nanobind;
namespace {

// Copies of more than this are made without the interpreter's lock.
constexpr size_t kLargeCopy = 1 << 16;

std::string Quoted(nb::handle name) { return nb::cast<std::string>(nb::repr(name)); }

std::string ShapeText(const Py_ssize_t* dims, int rank) {
  std::string text = "[";
  for (int i = 0; i < rank; ++i) text.append(i > 0 ? ", " : "").append(std::to_string(dims[i]));
  return text + "]";
}

}  // namespace

nb::object Session::Run(const nb::object& inputs, const nb::object& out) {
  const Turn turn(mutex_);
  Named in_arrays(inputs.is_none() ? 0 : inputs_.size());
  Named out_arrays(out.is_none() ? 0 : outputs_.size());
  std::vector<std::string> problems;
  if (!inputs.is_none()) Hold(inputs, true, &in_arrays, &problems);
  if (!out.is_none()) Hold(out, false, &out_arrays, &problems);
  if (problems.empty()) SetShapes(in_arrays, &problems);
  if (!problems.empty()) RaiseProblems(problems);
  if (out.is_none()) {
    CopyInAndRun(in_arrays);
    return inputs.is_none() ? nb::none() : CopyOut(out_arrays, {});
  }
  const std::vector<bool> bound = Bind(out_arrays);
  try {
    CopyInAndRun(in_arrays);
  } catch (...) {
    Unbind(bound);
    throw;
  }
  Unbind(bound);
  return CopyOut(out_arrays, bound);
}

std::vector<bool> Session::Bind(const Named& out) {
  std::vector<bool> bound(out.size());
  for (size_t i = 0; i < out.size(); ++i) {
    if (!out[i].held() || outputs_[i].info.varies != 0) continue;
    const size_t room = out[i].Room();
    // An output that is a constant cannot be bound; it is copied.
    if (room > out[i].bytes())
      bound[i] = !session_.BindOutput(static_cast<int>(i), {out[i].data(), room});
  }
  return bound;
}

void Session::Unbind(const std::vector<bool>& bound) {
  for (size_t i = 0; i < bound.size(); ++i)
    if (bound[i]) (void)session_.BindOutput(static_cast<int>(i), {});
}

// What is wrong with an array that was given under this name, or "".
std::string Session::HoldOne(nb::handle key, nb::handle array, bool inputs, Named* named) const {
  const std::vector<Port>& ports = inputs ? inputs_ : outputs_;
  const char* name = PyUnicode_Check(key.ptr()) ? PyUnicode_AsUTF8(key.ptr()) : nullptr;
  if (name == nullptr) PyErr_Clear();
  const int index = name == nullptr ? -1 : inputs ? IndexOfInput(name) : IndexOfOutput(name);
  const std::string thing = inputs ? "input " : "output ";
  if (index < 0) {
    std::string text = "there is no " + thing + Quoted(key) + "; there is";
    for (const Port& port : ports)
      text.append(&port == ports.data() ? " " : ", ").append(Quoted(port.name));
    return text;
  }
  Elements& elements = (*named)[index];
  if (elements.held()) return thing + Quoted(ports[index].name) + " is given twice";
  const linnet_tensor_info& info = ports[index].info;
  const std::string problem =
      inputs ? elements.HoldInput(array, info) : elements.HoldOutput(array, info);
  return problem.empty() ? "" : thing + Quoted(key) + " " + problem;
}

void Session::Hold(const nb::object& given, bool inputs, Named* named,
                   std::vector<std::string>* problems) const {
  if (!PyDict_Check(given.ptr())) {
    problems->emplace_back(inputs ? "inputs are given as a dict, {name: array}"
                                  : "outputs are given as a dict, {name: array}");
    return;
  }
  PyObject *key = nullptr, *value = nullptr;
  Py_ssize_t at = 0;
  while (PyDict_Next(given.ptr(), &at, &key, &value) != 0) {
    // References, because code of an array's class may change the dictionary.
    const nb::object name = nb::borrow(key), array = nb::borrow(value);
    std::string problem = HoldOne(name, array, inputs, named);
    if (!problem.empty()) problems->push_back(std::move(problem));
  }
  if (!inputs || !problems->empty()) return;
  for (size_t i = 0; i < inputs_.size(); ++i)
    if (!(*named)[i].held())
      problems->emplace_back("input ").append(Quoted(inputs_[i].name)).append(" is missing");
}

void Session::SetShapes(const Named& inputs, std::vector<std::string>* problems) {
  for (size_t i = 0; i < inputs.size(); ++i) {
    if (inputs_[i].info.varies == 0) continue;
    const int index = static_cast<int>(i);
    const Dims now = session_.InputShape(index);
    if (inputs[i].Fits(now.values, now.rank)) continue;
    int64_t dims[LINNET_MAX_RANK];
    std::copy_n(inputs[i].dims(), inputs[i].rank(), dims);
    if (const auto error =
            session_.SetInputShape(index, {dims, static_cast<size_t>(inputs[i].rank())}))
      problems->push_back("input " + Quoted(inputs_[i].name) + ": " + error->text);
  }
  // One input's shape may decide others'.
  for (size_t i = 0; problems->empty() && i < inputs.size(); ++i) {
    if (inputs_[i].info.varies == 0) continue;
    const Dims now = session_.InputShape(static_cast<int>(i));
    if (!inputs[i].Fits(now.values, now.rank))
      problems->push_back("input " + Quoted(inputs_[i].name) + " has shape " +
                          ShapeText(inputs[i].dims(), inputs[i].rank()) +
                          ", which does not go with the other inputs");
  }
}

void Session::CopyInAndRun(const Named& inputs) {
  const auto run = [&] {
    const nb::gil_scoped_release others_may_run;
    for (size_t i = 0; i < inputs.size(); ++i)
      std::memmove(linnet_session_input_data(session_.get(), static_cast<int>(i)), inputs[i].data(),
                   inputs[i].bytes());
    return session_.Run();
  };
  if (const std::optional<Error> error = run()) Raise(*error);
}

nb::object Session::CopyOut(const Named& out, const std::vector<bool>& written) {
  nb::object result = nb::steal(PyDict_New());
  if (!result.is_valid()) throw nb::python_error();
  for (size_t i = 0; i < outputs_.size(); ++i) {
    const Port& port = outputs_[i];
    const int index = static_cast<int>(i);
    const bool given = i < out.size() && out[i].held();
    const Dims dims = session_.OutputShape(index);
    if (given && !out[i].Fits(dims.values, dims.rank))
      RaiseProblems({"output " + Quoted(port.name) + " has shape " +
                     ShapeText(dims.values, dims.rank) + " after this run, the array " +
                     ShapeText(out[i].dims(), out[i].rank())});
    Elements fresh;
    if (!given) {
      const nb::object shape = port.info.varies == 0 ? port.shape : TupleOf(dims.values, dims.rank);
      PyObject* const arguments[] = {shape.ptr(), port.dtype.ptr()};
      const nb::object array = nb::steal(PyObject_Vectorcall(empty_.ptr(), arguments, 2, nullptr));
      if (!array.is_valid()) throw nb::python_error();
      if (!fresh.HoldOutput(array, port.info).empty()) RaiseProblems({"numpy.empty failed"});
    }
    const Elements& to = given ? out[i] : fresh;
    const void* from = linnet_session_output_data(session_.get(), index);
    if (given && written[i]) {
      // The run wrote to it.
    } else if (to.bytes() > kLargeCopy) {
      const nb::gil_scoped_release others_may_run;
      std::memmove(to.data(), from, to.bytes());
    } else {
      std::memmove(to.data(), from, to.bytes());
    }
    if (PyDict_SetItem(result.ptr(), port.name.ptr(), to.value().ptr()) != 0)
      throw nb::python_error();
  }
  return result;
}

}  // namespace linnet::python
