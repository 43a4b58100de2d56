// SPDX-License-Identifier: Apache-2.0
#include "converter/embed/plan_use.h"

#include <algorithm>

#include "runtime/core/encoding.h"
#include "runtime/ops/conv2d.h"

namespace linnet::converter {
namespace {

bool UsesWinograd(const PlanStep& step) {
  Conv2DAttrs attrs;
  return static_cast<OpKind>(step.op) == OpKind::kConv2D &&
         FindOp(OpKind::kConv2D)->decode(step.attrs, &attrs).ok() && attrs.winograd != 0;
}

}  // namespace

void AddUse(const std::string& name, const PlanView& plan, PlanUse* use) {
  use->plans.push_back(name);
  use->extents |= !plan.symbols.empty();
  for (const PlanWeight& weight : plan.weights) {
    use->panels |= IsPanels(weight.encoding);
    use->encoded_panels |=
        IsPanels(weight.encoding) && weight.encoding != schema::Encoding::Panels16;
  }
  for (const PlanProgram& program : plan.programs) {
    for (const PlanStep& step : program.steps) {
      if (step.control != schema::Control::None) {
        use->controls = true;
        continue;
      }
      use->ops.insert(static_cast<OpKind>(step.op));
      use->winograd |= UsesWinograd(step);
    }
    use->strips |= !program.strips.empty();
    for (const PlanSpace& space : program.spaces)
      if (space.device[0] != '\0') use->devices.insert(space.device);
  }
}

std::vector<std::string> BackendNames() {
  return {
#define BACKEND(name) #name,
#include "runtime/backends/backends.def"
#undef BACKEND
  };
}

std::vector<std::string> BackendsToLink(const PlanUse& use, const std::set<std::string>& wanted) {
  std::vector<std::string> backends;
  for (const std::string& name : BackendNames()) {
    // The backend of a device has the device's name.
    const bool is_idle = VariantOf(name).has_value() && !use.devices.contains(name);
    if (name == "portable" || (wanted.contains(name) && !is_idle)) backends.push_back(name);
  }
  return backends;
}

}  // namespace linnet::converter
