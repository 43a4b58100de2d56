// SPDX-License-Identifier: Apache-2.0
// e / Sum(e),  e = Exp(x - Max(x)) or Exp(x)                 =>  Softmax(x)
// s - Log(Sum(Exp(s))),  s = x - Max(x) or x;  Log(Softmax(x))    =>  LogSoftmax(x)
// Sum and Max over the last axis, dimensions kept. Not under strict algebra.
#include "converter/pass/passes.h"

#include "converter/optimize/match.h"
#include "converter/optimize/rewrite.h"

namespace linnet::converter {
namespace {

// x for x - Max(x); any other value is returned as it is.
Output WithoutMax(Output value) {
  const Node* sub = BinaryProducer(value, BinaryKind::Sub);
  if (sub == nullptr) return value;
  const Node* max = RowReductionProducer(sub->input(1), ReduceKind::Max);
  return max != nullptr && max->input(0) == sub->input(0) ? sub->input(0) : value;
}

absl::StatusOr<bool> Rewrite(Graph& graph, Node* root, Output x, bool log) {
  if (!IsF32(x) || TypeOf(x) != root->type()) return false;
  return ReplaceWithOp(graph, root, SoftmaxAttrs{.log = log}, {x});
}

absl::StatusOr<bool> FuseDivision(Graph& graph, Node* node) {
  const Output e = node->input(0);
  Node* exp = UnaryProducer(e, UnaryKind::Exp);
  Node* sum = RowReductionProducer(node->input(1), ReduceKind::Sum);
  // Nothing else may read the exponentials, or they would be computed twice.
  if (exp == nullptr || exp->NumUses(0) != 2 || !HasSingleUse(sum)) return false;
  if (sum->input(0) != e) return false;
  return Rewrite(graph, node, WithoutMax(exp->input(0)), /*log=*/false);
}

absl::StatusOr<bool> FuseSubtraction(Graph& graph, Node* node) {
  const Output s = node->input(0);
  Node* log = UnaryProducer(node->input(1), UnaryKind::Log);
  if (!HasSingleUse(log)) return false;
  Node* sum = RowReductionProducer(log->input(0), ReduceKind::Sum);
  if (!HasSingleUse(sum)) return false;
  Node* exp = UnaryProducer(sum->input(0), UnaryKind::Exp);
  if (!HasSingleUse(exp) || exp->input(0) != s) return false;
  return Rewrite(graph, node, WithoutMax(s), /*log=*/true);
}

absl::StatusOr<bool> FuseLog(Graph& graph, Node* node) {
  Node* softmax = Producer<SoftmaxAttrs>(node->input(0));
  if (!HasSingleUse(softmax) || softmax->attrs<SoftmaxAttrs>().log) return false;
  return Rewrite(graph, node, softmax->input(0), /*log=*/true);
}

}  // namespace

absl::StatusOr<int> FuseSoftmax(Graph& graph, const PassContext& context) {
  if (context.strict()) return 0;
  return RewriteToFixPoint(graph, [&](Node* node) -> absl::StatusOr<bool> {
    if (IsBinary(node, BinaryKind::Div)) return FuseDivision(graph, node);
    if (IsBinary(node, BinaryKind::Sub)) return FuseSubtraction(graph, node);
    if (IsUnary(node, UnaryKind::Log)) return FuseLog(graph, node);
    return false;
  });
}

}  // namespace linnet::converter
