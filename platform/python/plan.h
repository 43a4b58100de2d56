// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <nanobind/nanobind.h>

#include "linnet/linnet.hpp"
#include "platform/python/tensor_info.h"

namespace linnet::python {

// linnet.Plan: an open, verified plan.
class Plan {
 public:
  // From the path of a file, or from the bytes of a plan.
  explicit Plan(const nanobind::object& source);

  const linnet::Plan& plan() const { return plan_; }
  nanobind::list Inputs(int signature) const;
  nanobind::list Outputs(int signature) const;
  // Name -> (inputs, outputs).
  nanobind::dict Signatures() const;
  nanobind::dict Stats() const;
  int64_t bytes() const { return plan_.stats().plan_bytes; }

 private:
  const nanobind::object bytes_;  // that plan_ refers to; none for a file
  const linnet::Plan plan_;
};

void BindPlan(nanobind::module_& module);

}  // namespace linnet::python
