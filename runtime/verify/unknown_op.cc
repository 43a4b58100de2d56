// SPDX-License-Identifier: Apache-2.0
#include "runtime/verify/unknown_op.h"

#include <cstring>

#include "runtime/core/format.h"
#include "runtime/core/linked_parts.h"
#include "runtime/ops/op_def.h"

namespace linnet {
namespace {

// One after another, so that a small program needs no table of addresses.
constexpr char kOpNames[] =
#define LINNET_OP(name, file) #name "\0"
#include "runtime/ops/op_list.def"
#undef LINNET_OP
    ;

const char* OpName(int kind) {
  const char* name = kOpNames;
  for (; kind > 0; --kind) name += std::strlen(name) + 1;
  return name;
}

bool IsMissing(const PlanStep& step) {
  return step.control == schema::Control::None && step.op < kNumOps &&
         FindOp(static_cast<OpKind>(step.op)) == nullptr;
}

// "op Softmax, TopK": the missing ops of all programs, as many as there is room for.
struct MissingOps {
  char text[120] = "op ";
  explicit MissingOps(const PlanView& view) {
    bool missing[kNumOps] = {};
    for (const PlanProgram& program : view.programs)
      for (const PlanStep& step : program.steps)
        if (IsMissing(step)) missing[step.op] = true;
    const char* separator = "";
    size_t at = std::strlen(text);
    for (int kind = 0; kind < kNumOps; ++kind) {
      if (!missing[kind] || at >= sizeof(text)) continue;
      at += static_cast<size_t>(
          FormatText(text + at, sizeof(text) - at, "%s%s", separator, OpName(kind)));
      separator = ", ";
    }
  }
};

}  // namespace

Status UnknownOp(const PlanView& view, const PlanStep& step, int32_t index,
                 Diagnostic* diagnostic) {
  if (!IsMissing(step)) {
    if (diagnostic != nullptr)
      diagnostic->Format("step %d '%s' (?): unknown op", static_cast<int>(index), step.source);
    return {StatusCode::kInvalidPlan, "unknown op", index};
  }
  return NotLinked(MissingOps(view).text, diagnostic).At(index);
}

}  // namespace linnet
