// SPDX-License-Identifier: Apache-2.0
#include "runtime/session/exactness.h"

#include <algorithm>

#include "runtime/ops/binary.h"
#include "runtime/ops/unary.h"

namespace linnet {
namespace {

// Whether outputs that are floats jump where the inputs change only a little.
bool Jumps(const VerifiedStep& step) {
  switch (step.kind) {
    case OpKind::kUnary:
      switch (static_cast<const UnaryAttrs*>(step.attrs)->kind) {
        case schema::UnaryKind::Sign:
        case schema::UnaryKind::Floor:
        case schema::UnaryKind::Ceil:
        case schema::UnaryKind::Round:
        case schema::UnaryKind::Tan:
          return true;
        default:
          return false;
      }
    case OpKind::kBinary:
      switch (static_cast<const BinaryAttrs*>(step.attrs)->kind) {
        case schema::BinaryKind::FloorDiv:
        case schema::BinaryKind::FloorMod:
        case schema::BinaryKind::TruncateDiv:
        case schema::BinaryKind::TruncateMod:
        case schema::BinaryKind::DivNoNan:
        case schema::BinaryKind::Atan2:
          return true;
        default:
          return false;
      }
    // Boxes at the edge of an image; which boxes, values or rows are chosen, in which order.
    case OpKind::kCropAndResize:
    case OpKind::kNonMaxSuppression:
    case OpKind::kCombinedNonMaxSuppression:
    case OpKind::kUnique:
    case OpKind::kRandom:
    case OpKind::kLookup:
      return true;
    default:
      return false;
  }
}

// Whether float outputs are as exact as the inputs.
bool KeepsFloats(const VerifiedStep& step) {
  if ((step.def->traits & (kAlias | kMovesElements | kPicksElements)) != 0) return true;
  switch (step.kind) {
    case OpKind::kClamp:
    case OpKind::kSelect:
    case OpKind::kPad:
    case OpKind::kTopK:
    case OpKind::kOneHot:
    case OpKind::kReverseSequence:
      return true;
    default:
      return false;
  }
}

Exactness OfOutput(const VerifiedStep& step, DType dtype, Exactness inputs) {
  if (inputs == Exactness::kUnstable) return inputs;
  if (IsFloat(dtype)) {
    if (inputs == Exactness::kRounded && Jumps(step)) return Exactness::kUnstable;
    return KeepsFloats(step) ? inputs : Exactness::kRounded;
  }
  return inputs == Exactness::kRounded ? Exactness::kUnstable : inputs;
}

}  // namespace

void FindExactness(const VerifiedProgram& program, Exactness* tensors) {
  const PlanProgram& plan = *program.plan;
  std::fill_n(tensors, plan.tensors.size(), Exactness::kExact);
  Exactness worst = Exactness::kExact;  // of all tensors so far
  for (int32_t i = 0; i < plan.regions[0].count; ++i) {
    const VerifiedStep& step = program.steps[i];
    Exactness inputs = Exactness::kExact;
    for (const int32_t input : step.inputs) inputs = std::max(inputs, tensors[input]);
    for (size_t k = 0; k < step.outputs.size(); ++k) {
      Exactness& output = tensors[step.outputs[k]];
      if (step.control == schema::Control::Copy) {
        output = tensors[step.inputs[k]];
      } else if (step.control != schema::Control::None) {
        // Its regions may read every tensor, and rounded values may decide how often they run.
        output = worst == Exactness::kExact ? Exactness::kRounded : Exactness::kUnstable;
      } else {
        output = OfOutput(step, plan.tensors[step.outputs[k]].type.dtype, inputs);
      }
      // The shape may follow from any value.
      if (plan.tensors[step.outputs[k]].varies() && worst == Exactness::kUnstable) output = worst;
      worst = std::max(worst, output);
    }
  }
}

}  // namespace linnet
