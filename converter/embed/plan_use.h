// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <set>
#include <string>
#include <vector>

#include "runtime/ops/op_kind.h"
#include "runtime/plan/plan_view.h"

namespace linnet::converter {

// What a program has to contain in order to run some plans.
struct PlanUse {
  std::set<OpKind> ops;
  std::set<std::string> devices;   // other than the host that any program of a plan runs on
  std::vector<std::string> plans;  // for messages
  // Parts of the runtime (runtime/core/linked_parts.h).
  bool controls = false;        // loops, branches, copies to devices
  bool extents = false;         // that vary
  bool panels = false;          // with weights
  bool encoded_panels = false;  // products of few rows by others than floats
  bool strips = false;          // steps that run together
  bool winograd = false;        // convolutions by Winograd's method
  // The program decides, not its plans:
  bool threads = true;
  bool packing = true;
};

// Adds what `plan` uses. REQUIRES: it is verified.
void AddUse(const std::string& name, const PlanView& plan, PlanUse* use);

// The names of all backends, preferred ones first; "portable" is the last.
std::vector<std::string> BackendNames();

// Of `wanted`, in the order of BackendNames, those that can have a part in these plans: a GPU's
// only when a plan was converted for it. The portable one always, because it runs what others
// cannot.
std::vector<std::string> BackendsToLink(const PlanUse& use, const std::set<std::string>& wanted);

}  // namespace linnet::converter
