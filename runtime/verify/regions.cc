// SPDX-License-Identifier: Apache-2.0
#include "runtime/verify/regions.h"

#include <algorithm>

namespace linnet {
namespace {

using schema::Control;

constexpr OpDef kWhile{"While", 0, kMaxOpInputs, 0, kNoTraits, nullptr, NoCost};
constexpr OpDef kIf{"If", 0, kMaxOpInputs, 0, kNoTraits, nullptr, NoCost};
constexpr OpDef kCopy{"Copy", 0, kMaxOpInputs, 0, kNoTraits, nullptr, NoCost};

bool IsPredicate(const TensorType& type) {
  return type.dtype == DType::kBool && type.shape.rank() == 0;
}

// Copies are of the largest extents, so that those of a run must be the same.
bool IsSame(const PlanTensor& a, const PlanTensor& b) {
  return a.type == b.type &&
         std::equal(a.symbols.begin(), a.symbols.end(), b.symbols.begin(), b.symbols.end());
}

}  // namespace

const OpDef* ControlDef(Control control) {
  if (control == Control::Copy) return &kCopy;
  return control == Control::While ? &kWhile : &kIf;
}

Status RegionScopes::Create(std::span<const PlanProgram> programs, Region& region) {
  size_t tensors = 0, regions = 0;
  for (const PlanProgram& program : programs) {
    tensors = std::max(tensors, program.tensors.size());
    regions = std::max(regions, program.regions.size());
  }
  scopes_ = region.New<int32_t>(static_cast<int64_t>(tensors));
  parents_ = region.New<int32_t>(static_cast<int64_t>(regions));
  if (scopes_ == nullptr || parents_ == nullptr)
    return {StatusCode::kNoMemory, "out of memory while verifying the plan"};
  return {};
}

void RegionScopes::BeginProgram(const PlanProgram& program) {
  program_ = &program;
  std::fill_n(scopes_, program.tensors.size(), -1);
  std::fill_n(parents_, program.regions.size(), -1);
  current_ = 0;
  depth_ = 0;
}

bool RegionScopes::Write(int32_t tensor, Storage storage) {
  if (program_->tensors[tensor].storage != storage || scopes_[tensor] >= 0) return false;
  scopes_[tensor] = current_;
  return true;
}

const char* RegionScopes::WriteAll(std::span<const int32_t> tensors) {
  for (int32_t tensor : tensors)
    if (!Write(tensor)) return "writes a weight or a tensor that is written already";
  return nullptr;
}

const char* RegionScopes::Begin(const PlanStep& step) {
  const auto& tensors = program_->tensors;
  for (int32_t tensor : step.inputs)
    if (!IsReadable(tensor)) return "reads a tensor that nothing has written";
  if (step.control == Control::If) {
    if (step.inputs.empty() || !IsPredicate(tensors[step.inputs[0]].type))
      return "the predicate is not a bool scalar";
    return nullptr;
  }
  if (step.outputs.empty() || step.inputs.size() < step.outputs.size())
    return "needs at least one variable, and an initial value for each";
  for (size_t i = 0; i < step.outputs.size(); ++i)
    if (!IsSame(tensors[step.inputs[i]], tensors[step.outputs[i]]))
      return "a variable and its initial value have different types";
  return WriteAll(step.outputs);
}

const char* RegionScopes::End(const PlanStep& step) {
  return step.control == Control::If ? WriteAll(step.outputs) : nullptr;
}

std::span<const int32_t> RegionScopes::Captured(const PlanStep& step) {
  return step.inputs.subspan(step.control == Control::While ? step.outputs.size() : 1);
}

void RegionScopes::Show(std::span<const int32_t> tensors, int32_t region) {
  for (int32_t tensor : tensors)
    if (program_->tensors[tensor].storage == Storage::kArena) scopes_[tensor] = region;
}

const char* RegionScopes::Enter(const PlanStep& step, int index) {
  const int32_t region = step.regions[index];
  if (region <= current_) return "names a region that is not above its own";
  if (parents_[region] >= 0) return "names a region of another step";
  if (++depth_ > kMaxRegionDepth) return "structured steps are nested too deeply";
  parents_[region] = current_;
  current_ = region;
  Show(Captured(step), region);
  if (step.control == Control::While) Show(step.outputs, region);
  return nullptr;
}

const char* RegionScopes::Leave(const PlanStep& step, int index) {
  const char* problem = FindBadResults(step, index);
  --depth_;
  current_ = parents_[current_];
  Show(Captured(step), current_);
  if (step.control == Control::While) Show(step.outputs, current_);
  return problem;
}

const char* RegionScopes::FindBadResults(const PlanStep& step, int index) const {
  const auto& tensors = program_->tensors;
  const std::span<const int32_t> results = program_->regions[current_].results;
  for (int32_t tensor : results)
    if (!IsReadable(tensor)) return "a region's result is never written in it";
  if (step.control == Control::While && index == 0)
    return results.size() == 1 && IsPredicate(tensors[results[0]].type)
               ? nullptr
               : "its condition's result is not a bool scalar";
  if (results.size() != step.outputs.size())
    return "a region must have as many results as the step has outputs";
  for (size_t i = 0; i < results.size(); ++i)
    if (!IsSame(tensors[results[i]], tensors[step.outputs[i]]))
      return "a region's result has another type than the output";
  return nullptr;
}

const char* RegionScopes::FindUnusedRegion() const {
  for (size_t i = 1; i < program_->regions.size(); ++i)
    if (parents_[i] < 0) return "a region belongs to no step";
  return nullptr;
}

}  // namespace linnet
