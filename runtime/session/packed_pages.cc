// SPDX-License-Identifier: Apache-2.0
// The part of PreparedWeights that gives pages of the file back.
#include <algorithm>

#include "runtime/session/prepared_weights.h"

namespace linnet {

bool PreparedWeights::ReadsWeights(const VerifiedStep& step) const {
  return std::any_of(step.inputs.begin(), step.inputs.end(), [&](int32_t tensor) {
    return program_->plan->tensors[tensor].storage == Storage::kWeight;
  });
}

// Pages of the file need not stay in memory when their weights are only used packed or decoded.
void PreparedWeights::DropPackedPages() const {
  if (file_.drop_pages == nullptr) return;
  for (int32_t i = 0; i < static_cast<int32_t>(steps_.size()); ++i) {
    TensorType outputs[kMaxOpOutputs];
    const VerifiedStep& step = program_->steps[i];
    if (step.control != schema::Control::None || !ReadsWeights(step)) continue;
    const OpInstance op = Instance(i, inputs_.first(step.inputs.size()), outputs);
    for (size_t k = 0; k < step.inputs.size(); ++k) {
      const PlanTensor& info = program_->plan->tensors[step.inputs[k]];
      if (info.storage != Storage::kWeight) continue;
      const PlanWeight& weight = plan_->weights[info.index];
      const bool runs_read_file =
          kLinkedPanels && (op.inputs[k].form == PanelForm::kEncoded ||
                            op.inputs[k].panels == file_.data + weight.offset);
      if (!runs_read_file && (backends_[steps_[i].backend]->PacksInput(op, static_cast<int>(k)) ||
                              weight.encoding != schema::Encoding::Plain))
        file_.drop_pages(file_, weight.offset, weight.bytes);
    }
  }
}

}  // namespace linnet
