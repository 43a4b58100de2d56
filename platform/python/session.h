// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <nanobind/nanobind.h>

#include <cstddef>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "linnet/linnet.hpp"
#include "platform/python/elements.h"
#include "platform/python/plan.h"

namespace linnet::python {

// How to make a session; see linnet_session_options.
struct SessionArguments {
  int threads = 1;
  std::optional<std::string> signature;
  std::string backend = "auto";
  size_t max_bytes = 0;
  // A profile: the path of its file, its bytes, or None.
  nanobind::object kernels = nanobind::none();
};

// linnet.Session. The C API's sessions are for one thread at a time; here, threads wait for each
// other.
class Session {
 public:
  Session(const nanobind::object& plan, const SessionArguments& arguments);

  // `inputs`: name -> array for every input, which are copied in; None: the inputs are what their
  // views hold. `out`: name -> array for some outputs, or None. Returns name -> array, or None when
  // both are None. Runs without the interpreter's lock.
  nanobind::object Run(const nanobind::object& inputs, const nanobind::object& out);

  // Arrays over the session's own memory, which they keep alive; `self` is this object in Python.
  nanobind::object InputView(nanobind::handle self, const char* name);
  nanobind::object OutputView(nanobind::handle self, const char* name);
  void SetInputShape(const char* name, const std::vector<int64_t>& dims);

  nanobind::list Inputs() const;
  nanobind::list Outputs() const;
  nanobind::dict Memory() const;
  // One dictionary per step; with the nanoseconds of the last run while profiling is on.
  nanobind::list Steps();
  void EnableProfile(bool on);
  bool profile() const { return profile_; }
  std::string Backend() const;
  std::optional<std::string> WhyNotGpu() const;
  void Reset();
  void Cancel() { session_.Cancel(); }

 private:
  // What a run needs of an input or output.
  struct Port {
    linnet_tensor_info info;
    nanobind::object name, dtype, shape;  // as Python has them
  };
  using Named = std::vector<Elements>;  // one for each port; held where it was given
  class Turn;                           // one thread's turn

  static Port PortOf(const linnet_tensor_info& info);
  std::string HoldOne(nanobind::handle key, nanobind::handle array, bool inputs,
                      Named* named) const;
  void Hold(const nanobind::object& given, bool inputs, Named* named,
            std::vector<std::string>* problems) const;
  void SetShapes(const Named& inputs, std::vector<std::string>* problems);
  // Makes the run write to those arrays of linnet.empty, and says which these are.
  std::vector<bool> Bind(const Named& out);
  void Unbind(const std::vector<bool>& bound);
  void CopyInAndRun(const Named& inputs);
  nanobind::object CopyOut(const Named& out, const std::vector<bool>& written);
  std::string StepKind(int index) const;  // "" where there is no choice of kernels
  int IndexOfInput(const char* name) const;
  int IndexOfOutput(const char* name) const;

  const nanobind::object plan_;  // the Python object, which may own the plan's bytes
  linnet::Session session_;
  std::vector<Port> inputs_, outputs_;
  nanobind::object empty_;  // numpy.empty
  bool profile_ = false;
  std::mutex mutex_;
};

void BindSession(nanobind::module_& module);

}  // namespace linnet::python
