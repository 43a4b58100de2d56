// SPDX-License-Identifier: Apache-2.0
// Loops: which are unrolled, and which stay.
#include <algorithm>

#include "converter/legalize/control_flow/conditions.h"
#include "converter/legalize/control_flow/control_flow.h"
#include "converter/legalize/control_flow/loop_results.h"
#include "converter/legalize/control_flow/region_builder.h"
#include "converter/legalize/lists/tensor_list.h"

namespace linnet::converter {
namespace {

// A loop that reads such a list most likely ends where the list does. Unrolled to the largest
// length, it would cost as much for a short list as for the longest.
bool ReadsListOfVaryingLength(const LegalizeContext& context) {
  for (int i = 0; i < context.num_inputs(); ++i)
    if (const TensorList* list = context.FindList(context.input(i)); list != nullptr)
      if (list->is_dense && !list->length.is_constant()) return true;
  return false;
}

// Whether anything reads a result that is constant so far: a number that may size a tensor, which
// only unrolling tells. Before the first iteration only integers are taken for such, since the
// zeros that a state begins with are constant too.
bool ReadsConstantResult(const LegalizeContext& context, const FunctionBody& body, int iteration,
                         const std::vector<Output>& variables) {
  for (size_t i = 0; i < variables.size(); ++i) {
    if (!variables[i].node->IsConstant() || PassesThrough(body, i)) continue;
    const DType dtype = context.type(variables[i]).dtype;
    const bool may_count = dtype == DType::kInt32 || dtype == DType::kInt64;
    if ((iteration > 0 || may_count) && context.IsUsed(static_cast<int>(i))) return true;
  }
  return false;
}

}  // namespace

absl::Status ControlFlow::ExpandWhile(LegalizeContext& context) {
  LINNET_ASSIGN_OR_RETURN(Body* const condition, FindBody(context.node(), "cond"));
  LINNET_ASSIGN_OR_RETURN(Body* const body, FindBody(context.node(), "body"));
  const auto variables = static_cast<size_t>(context.num_inputs());
  if (condition->function->rets.size() != 1 || body->function->rets.size() != variables)
    return Invalid("its functions return {} and {} values, want 1 and {}",
                   condition->function->rets.size(), body->function->rets.size(), variables);
  if (ReadsListOfVaryingLength(context)) shared_.structured.insert(body->function);
  if (shared_.structured.contains(body->function))
    return BuildWhile(context, *condition->function, *body->function, absl::OkStatus());
  UnrollLimits limits = state_->unroll;
  // What holds a loop that stays has to become an If or a While too, which it might not be able to.
  if (state_->may_not_run || shared_.wasted > kMaxWasted) limits = UnrollLimits::Unlimited();
  if (shared_.large.contains(body->function) && KeepIfPossible(context, *condition, *body))
    return absl::OkStatus();
  if (shared_.unfit.contains(body->function)) limits = UnrollLimits::Unlimited();
  LINNET_ASSIGN_OR_RETURN(Unrolled unrolled, TryToUnroll(context, *condition, *body, limits));
  if (unrolled.end == Unrolled::End::kLarge) {
    if (KeepIfPossible(context, *condition, *body)) return absl::OkStatus();
    LINNET_ASSIGN_OR_RETURN(unrolled,
                            TryToUnroll(context, *condition, *body, UnrollLimits::Unlimited()));
  }
  if (unrolled.end != Unrolled::End::kTooLong) return absl::OkStatus();
  if (shared_.wasted > kMaxWasted) return unrolled.why;
  shared_.structured.insert(body->function);
  return BuildWhile(context, *condition->function, *body->function, unrolled.why);
}

bool ControlFlow::KeepIfPossible(LegalizeContext& context, const Body& condition,
                                 const Body& body) {
  CountNodes();
  const std::set<const FunctionBody*> structured = shared_.structured;
  const int nodes = shared_.nodes, num_structured = num_structured_;
  const bool is_kept = walk_.attempt(
      [&] { return BuildWhile(context, *condition.function, *body.function, absl::OkStatus()); });
  (is_kept ? shared_.large : shared_.unfit).insert(body.function);
  if (is_kept) return true;
  CountNodes();
  shared_.wasted += shared_.nodes - nodes;
  shared_.nodes = nodes;
  shared_.structured = structured;
  num_structured_ = num_structured;
  shared_.large.erase(body.function);
  return false;
}

absl::StatusOr<ControlFlow::Unrolled> ControlFlow::TryToUnroll(LegalizeContext& context,
                                                               Body& condition, Body& body,
                                                               const UnrollLimits& limits) {
  using enum Unrolled::End;
  CountNodes();
  const int iterations = shared_.iterations, nodes = shared_.nodes;
  LINNET_ASSIGN_OR_RETURN(Unrolled unrolled, Unroll(context, condition, body, limits));
  if (unrolled.end != kTooLong && unrolled.end != kLarge) return unrolled;
  // Nothing reads what was unrolled: it is removed later.
  CountNodes();
  shared_.wasted += shared_.nodes - nodes;
  shared_.iterations = iterations;
  shared_.nodes = nodes;
  return unrolled;
}

absl::StatusOr<ControlFlow::Unrolled> ControlFlow::Unroll(LegalizeContext& context, Body& condition,
                                                          Body& body, const UnrollLimits& limits) {
  using enum Unrolled::End;
  const int nodes = shared_.nodes;
  const size_t generators = state_->generators.num_used();
  Results variables = context.inputs(0, context.num_inputs());
  LoopResults results(context, variables);
  ScopedFlag may_not_run(&state_->may_not_run);
  const std::string origin = context.origin();
  for (int iteration = 0;; ++iteration) {
    const int num_structured = num_structured_;
    if (absl::Status s = CheckSize(kMaxNodes); !s.ok()) return Unrolled{kTooLong, std::move(s)};
    const std::string name = fmt::format("{}/{}", context.node().name(), iteration);
    LINNET_ASSIGN_OR_RETURN(
        const Results goes_on,
        Instantiate(condition, name, fmt::format("{}/condition", origin), variables));
    if (goes_on.empty()) return Unrolled{kFailedInside, {}};
    LINNET_ASSIGN_OR_RETURN(const Output truth, EmitTruth(context, goes_on[0]));
    const Constant* known = LegalizeContext::FindConstant(truth);
    if (known != nullptr && known->ScalarValue() == 0) {
      LINNET_RETURN_IF_ERROR(results.Replace());
      return Unrolled{kReplaced, {}};
    }
    if (known == nullptr) {
      // The iterations after the one that should be the last might write behind the end of a list.
      if (std::ranges::any_of(variables, [&](Output v) { return context.FindList(v) != nullptr; }))
        return Unrolled{kTooLong, Unsupported("how often it runs depends on the model's input")};
      if (results.uncertain() == LoopResults::kMaxUncertain)
        return Unrolled{
            kTooLong, Unsupported("how often it runs depends on the model's input, and no counter "
                                  "ends it within {} iterations",
                                  LoopResults::kMaxUncertain)};
      may_not_run.Set();
      LINNET_RETURN_IF_ERROR(results.GoOnOnlyIf(truth, iteration));
    }
    const bool is_large = iteration >= limits.iterations || shared_.nodes - nodes > limits.nodes;
    if (is_large && state_->generators.num_used() == generators &&
        !ReadsConstantResult(context, *body.function, iteration, variables))
      return Unrolled{kLarge, {}};
    if (++shared_.iterations > kMaxIterations)
      return Unrolled{kTooLong,
                      Unsupported("the model's loops run more than {} times", kMaxIterations)};
    LINNET_ASSIGN_OR_RETURN(variables,
                            Instantiate(body, name, fmt::format("{}/body", origin), variables));
    if (variables.empty()) return Unrolled{kFailedInside, {}};
    // In the iterations after the one that should be the last, the inner loop might never end.
    if (results.uncertain() > 0 && num_structured_ > num_structured)
      return Unrolled{kTooLong, Unsupported("how often it runs depends on the model's input, and "
                                            "so does a loop inside")};
    LINNET_RETURN_IF_ERROR(results.Take(variables, iteration));
  }
}

}  // namespace linnet::converter
