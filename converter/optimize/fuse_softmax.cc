// SPDX-License-Identifier: Apache-2.0
// e / Sum(e),  e = Exp(x - Max(x)) or Exp(x)                 =>  Softmax(x)
// s - Log(Sum(Exp(s))),  s = x - Max(x) or x;  Log(Softmax(x))    =>  LogSoftmax(x)
// Sum and Max over the last axis, dimensions kept. Not under strict algebra.
#include "converter/pass/passes.h"

#include "converter/optimize/match.h"
#include "converter/optimize/rewrite.h"

namespace linnet::converter {
namespace {

// A reduction of `value` over its last axis, dimensions kept.
bool IsRowReduce(const Node* node, ReduceKind kind, Output value) {
  return node != nullptr && node->Is<ReduceAttrs>() && node->attrs<ReduceAttrs>().kind == kind &&
         node->attrs<ReduceAttrs>().keep_dims && node->input(0) == value && ReducesLastAxis(node);
}

// x for x - Max(x); anything else is itself.
Output WithoutMax(Output value) {
  const Node* sub = BinaryProducer(value, BinaryKind::Sub);
  if (sub == nullptr || !IsRowReduce(sub->input(1).node, ReduceKind::Max, sub->input(0)))
    return value;
  return sub->input(0);
}

absl::StatusOr<bool> Rewrite(Graph& graph, Node* root, Output x, bool log) {
  if (!IsF32(x) || x.node->type(x.index) != root->type()) return false;
  absl::StatusOr<Node*> fused = ReplaceWithOp(graph, root, SoftmaxAttrs{.log = log}, {x});
  if (!fused.ok()) return fused.status();
  return true;
}

absl::StatusOr<bool> FuseDivision(Graph& graph, Node* node) {
  const Output e = node->input(0);
  Node* exp = UnaryProducer(e, UnaryKind::Exp);
  Node* sum = node->input(1).node;
  // The exponentials may serve nothing else, or they would be computed twice.
  if (exp == nullptr || exp->NumUses(0) != 2 || !HasSingleUse(sum)) return false;
  if (!IsRowReduce(sum, ReduceKind::Sum, e)) return false;
  return Rewrite(graph, node, WithoutMax(exp->input(0)), /*log=*/false);
}

absl::StatusOr<bool> FuseSubtraction(Graph& graph, Node* node) {
  const Output s = node->input(0);
  Node* log = UnaryProducer(node->input(1), UnaryKind::Log);
  if (!HasSingleUse(log)) return false;
  Node* sum = log->input(0).node;
  if (!HasSingleUse(sum) || !sum->Is<ReduceAttrs>()) return false;
  Node* exp = UnaryProducer(sum->input(0), UnaryKind::Exp);
  if (!HasSingleUse(exp) || exp->input(0) != s) return false;
  if (!IsRowReduce(sum, ReduceKind::Sum, {exp, 0})) return false;
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
