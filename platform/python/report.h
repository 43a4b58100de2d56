// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <nanobind/nanobind.h>

#include <string>
#include <vector>

#include "converter/cli/convert_outcome.h"

namespace linnet::python {

// What linnet.convert returns: the report of a conversion, written when it is asked for.
class Report {
 public:
  explicit Report(cli::ConvertOutcome outcome) : outcome_(std::move(outcome)) {}

  int exit_code() const { return outcome_.exit_code; }
  const std::string& text() const { return outcome_.out; }
  const std::string& error() const { return outcome_.error; }
  std::vector<std::string> Problems() const;
  std::string Json() const;
  std::string Html() const;
  std::string Fragment() const;
  std::string Graph() const;
  std::string Arena() const;

 private:
  cli::ConvertOutcome outcome_;
};

void BindReport(nanobind::module_& module);

}  // namespace linnet::python
