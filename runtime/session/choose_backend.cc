// SPDX-License-Identifier: Apache-2.0
// The part of PreparedWeights that chooses which backend runs a step.
#include "runtime/session/prepared_weights.h"

namespace linnet {

// Whether the backend can run the step, faster than others or not.
bool PreparedWeights::MayRun(size_t backend, int32_t index, const OpInstance& op) const {
  return spaces_[backend] == program_->plan->steps[index].space &&
         (!program_->steps[index].varies || backends_[backend]->can_resize()) &&
         backends_[backend]->WhyUnable(op) == nullptr;
}

bool PreparedWeights::HasChoice(int32_t step, const OpInstance& op) const {
  if (kLinkedStrips && program_->steps[step].in_strips) return false;
  int able = 0;
  for (size_t i = 0; i < num_backends_; ++i) able += MayRun(i, step, op) ? 1 : 0;
  return able > 1;
}

// -1 where the profile says nothing, or names a backend that cannot run the step.
int PreparedWeights::ChooseMeasured(int32_t index, const OpInstance& op,
                                    const KernelProfile& kernels) const {
  if (!HasChoice(index, op)) return -1;
  const Backend* faster =
      kLinkedKernelProfile->find(kernels, op, program_->plan->steps[index].attrs);
  for (size_t i = 0; i < num_backends_; ++i)
    if (backends_[i] == faster && MayRun(i, index, op)) return static_cast<int>(i);
  return -1;
}

// The first in order of preference; -1, and *reason, where there is none.
int PreparedWeights::ChooseByRules(int32_t index, const OpInstance& op, const char** reason) const {
  const bool varies = program_->steps[index].varies;
  const bool in_strips = kLinkedStrips && program_->steps[index].in_strips;
  const int space = program_->plan->steps[index].space;
  int chosen = -1;
  for (size_t i = 0; i < num_backends_; ++i) {
    if (spaces_[i] != space) continue;
    *reason = varies && !backends_[i]->can_resize() ? "its extents vary"
                                                    : backends_[i]->WhyUnsupported(op);
    if (*reason != nullptr) continue;
    if (chosen < 0) chosen = static_cast<int>(i);
    if (in_strips && !backends_[i]->runs_strips()) continue;
    return static_cast<int>(i);
  }
  return chosen;
}

Status PreparedWeights::ChooseBackend(int32_t index, const OpInstance& op,
                                      const KernelProfile* kernels, Diagnostic* diagnostic) {
  Step& step = steps_[index];
  if (kLinkedKernelProfile != nullptr && kernels != nullptr) {
    step.backend = ChooseMeasured(index, op, *kernels);
    step.is_measured = step.backend >= 0;
  }
  const char* reason = "no backend is linked in";
  if (step.backend < 0) step.backend = ChooseByRules(index, op, &reason);
  if (step.backend >= 0) return {};
  if (diagnostic != nullptr)
    diagnostic->Format("step %d '%s' (%s): no backend runs it: %s", static_cast<int>(index),
                       program_->steps[index].source, program_->steps[index].def->name, reason);
  return {StatusCode::kUnsupported, "no backend of this build can run a step", index};
}

}  // namespace linnet
