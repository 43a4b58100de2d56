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

// Whether it is a product that may read its filter as the plan has it.
bool ReadsEncodedPanels(const PlanView& plan, const PlanProgram& program, const PlanStep& step) {
  const auto kind = static_cast<OpKind>(step.op);
  if (kind != OpKind::kFullyConnected && kind != OpKind::kConv2D) return false;
  const PlanTensor& filter = program.tensors[step.inputs[1]];
  if (filter.storage != Storage::kWeight) return false;
  const schema::Encoding encoding = plan.weights[filter.index].encoding;
  const Shape& out = program.tensors[step.outputs[0]].type.shape;
  return (encoding == schema::Encoding::Panels16Float16 ||
          encoding == schema::Encoding::Panels16AffineU8) &&
         out.Product(0, out.rank() - 1) <= kMostEncodedRows;
}

}  // namespace

void AddUse(const std::string& name, const PlanView& plan, PlanUse* use) {
  use->plans.push_back(name);
  use->extents |= !plan.symbols.empty();
  for (const PlanWeight& weight : plan.weights) use->panels |= IsPanels(weight.encoding);
  for (const PlanProgram& program : plan.programs) {
    for (const PlanStep& step : program.steps) {
      if (step.control != schema::Control::None) {
        use->controls = true;
        continue;
      }
      use->ops.insert(static_cast<OpKind>(step.op));
      use->winograd |= UsesWinograd(step);
      use->encoded_panels |= ReadsEncodedPanels(plan, program, step);
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
