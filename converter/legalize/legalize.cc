// SPDX-License-Identifier: Apache-2.0
// Turns every TensorFlow op that the results (_Retval) need into Linnet ops, producers first, so
// that each op sees static types; whatever is computed from constants alone is folded on the way.
// Ops that no result needs are removed, and so are control edges: Linnet ops have no effects to
// order. Fails with all problems at once: ops without a row, unknown dimensions, attributes out of
// range. REQUIRES: functions inlined, variables frozen, placeholders turned into _Arg (pass
// `prune`).
#include "converter/pass/passes.h"

#include <algorithm>
#include <string>
#include <vector>

#include "converter/graph/algorithm.h"
#include "converter/graph/placement_wish.h"
#include "converter/graph/problems.h"
#include "converter/graph/tensorflow/dtypes.h"
#include "converter/legalize/complex_constant.h"
#include "converter/legalize/constant_tables.h"
#include "converter/legalize/context/legalize_context.h"
#include "converter/legalize/control_flow/control_flow.h"
#include "converter/legalize/control_flow/region_builder.h"
#include "converter/legalize/legality_checks.h"
#include "converter/legalize/lists/dense_list.h"
#include "converter/legalize/refusal.h"
#include "converter/legalize/tf_op_table.h"
#include "converter/pass/evaluate_op.h"
#include "runtime/ops/cast.h"

namespace linnet::converter {
namespace {

// Removes control edges and then all that no result needs.
int KeepWhatResultsNeed(Graph& graph) {
  int removed = 0;
  for (Edge* edge : graph.edges()) {
    if (!edge->IsControlEdge() || edge->src->IsSource() || edge->dst->IsSink()) continue;
    // What sets an extent that the op's attributes take.
    if (edge->dst->node_class() == NodeClass::kOp && !edge->dst->attrs().varying().empty())
      continue;
    graph.RemoveControlEdge(edge);
    ++removed;
  }
  std::vector<Node*> results;
  for (Node* node : graph.op_nodes()) {
    if (node->node_class() == NodeClass::kRetval) results.push_back(node);
  }
  FixupSourceAndSinkEdges(&graph);
  const int before = graph.num_op_nodes();
  PruneForReverseReachability(&graph, results);
  return removed + before - graph.num_op_nodes();
}

// Problems of which the first ones name the ops that are called like an unknown one.
constexpr size_t kProblemsWithNames = 100;

class Legalizer {
 public:
  // `outer`: of the walk over the graph that `graph` is a region of.
  Legalizer(Graph& graph, const PassContext& context, ControlFlow* outer = nullptr)
      : graph_(graph),
        context_(context),
        state_{.constant_room = context.constant_room,
               .folding_work = context.folding_work,
               .most = &context.most,
               .unroll = context.unroll,
               .may_not_run = outer != nullptr,
               .tables = context.tables},
        control_flow_(
            graph, &state_,
            {.visit = [this](Node* node) { return VisitCopy(node); },
             .visit_region = [this](Graph& region,
                                    RegionValues* values) { return VisitRegion(region, values); },
             .attempt =
                 [this](const std::function<absl::Status()>& build) { return Attempt(build); },
             .outer = outer}),
        is_region_(outer != nullptr) {
    state_.expand_control_flow = [this](LegalizeContext& node) {
      return control_flow_.Expand(node);
    };
    state_.legalize = Legalize;
  }

  absl::StatusOr<int> Run() {
    AddRoomForWeights();
    // Before the order of effects goes.
    CheckTablesAreConstant(graph_, &problems_);
    int changes = KeepWhatResultsNeed(graph_);
    const std::vector<Node*> order = TopologicalOrder(graph_);
    const bool cyclic = static_cast<int>(order.size()) != graph_.num_op_nodes();
    for (Node* node : order) {
      if (is_region_ && state_.lists.Find({node, 0}) != nullptr) continue;  // names an argument
      if (absl::Status status = Visit(node); !status.ok()) return status;
    }
    if (cyclic && problems_.empty())
      problems_.Add(absl::InvalidArgumentError("the graph has a cycle"));
    if (!problems_.empty()) return problems_.ToStatus();
    // Not from the literal alone: GCC 12 takes its copy for an overrun (-Warray-bounds).
    if (narrowed_ && !is_region_)
      context_.Note(fmt::format("half and double tensors are computed in float"));
    KeepWhatResultsNeed(graph_);
    // No plan holds what is left of TensorFlow.
    for (Node* node : graph_.op_nodes())
      if (IsTensorFlowOp(*node)) problems_.Add(*node, "it could not be replaced");
    if (!problems_.empty()) return problems_.ToStatus();
    return changes + changes_;
  }

 private:
  // Weights that several ops read may come to stand in the layouts of two, and each is read and
  // written some times on the way.
  void AddRoomForWeights() {
    constexpr int64_t kTimes = 16;
    if (is_region_) return;
    for (const Node* node : graph_.op_nodes()) {
      if (!node->IsConstant() || (!node->HasType(0) && !IsComplexConstant(*node))) continue;
      const int64_t bytes =
          node->HasType(0) ? node->type(0).bytes() : std::ssize(node->constant().bytes);
      if (context_.constant_room != nullptr) *context_.constant_room += bytes;
      if (context_.folding_work != nullptr) *context_.folding_work += kTimes * bytes;
    }
  }

  absl::Status Visit(Node* node) {
    switch (node->node_class()) {
      case NodeClass::kConstant:
        return VisitConstant(node);
      case NodeClass::kArg:
        return VisitArg(node);
      case NodeClass::kRetval:
        return VisitRetval(node);
      case NodeClass::kOp:
      case NodeClass::kLinnetWhile:
      case NodeClass::kLinnetIf:
        return absl::OkStatus();
      default:
        VisitOp(node);
        return absl::OkStatus();
    }
  }

  // Half and double compute in f32. Halves stay halves in the file: only their type changes.
  // Complex numbers become pairs.
  absl::Status VisitConstant(Node* node) {
    if (IsComplexConstant(*node)) {
      absl::StatusOr<Constant> pairs = PairsOf(*node, context_.constant_room);
      if (!pairs.ok()) {
        problems_.Add(pairs.status(), node->name(), node->op_name());
        return absl::OkStatus();
      }
      node->set_constant(*std::move(pairs));
      ++changes_;
      return absl::OkStatus();
    }
    if (!node->HasType(0)) return absl::OkStatus();  // strings: a problem of who reads them
    const Constant& value = node->constant();
    if (value.type.dtype == DType::kFloat16) {
      Constant encoded = value;
      encoded.type.dtype = DType::kFloat32;
      encoded.encoding = schema::Encoding::Float16;
      node->set_constant(std::move(encoded));
      narrowed_ = true;
      ++changes_;
    } else if (value.type.dtype == DType::kFloat64) {
      CastAttrs cast;
      cast.dtype = DType::kFloat32;
      auto narrow = EvaluateOp(cast, std::span(&value, 1));
      if (!narrow.ok()) return narrow.status();
      node->set_constant(std::move((*narrow)[0]));
      ++changes_;
    }
    return absl::OkStatus();
  }

  absl::Status VisitArg(Node* node) {
    if (!CanBeInput(*node, &problems_)) return absl::OkStatus();
    const DType dtype = node->type().dtype;
    if (dtype != DType::kFloat16 && dtype != DType::kFloat64) return absl::OkStatus();
    std::vector<Edge*> uses;
    for (Edge* use : node->Uses()) {
      if (!use->dst->Is<CastAttrs>()) uses.push_back(use);
    }
    if (uses.empty()) return absl::OkStatus();
    auto cast = AddCast(node->name() + "/float", DType::kFloat32, {node, 0});
    if (!cast.ok()) return cast.status();
    for (Edge* use : uses) graph_.SetInput(use->dst, use->dst_input, {*cast, 0});
    return absl::OkStatus();
  }

  // A result has the dtype that TensorFlow gave it.
  absl::Status VisitRetval(Node* node) {
    const Output value = node->input(0);
    if (is_region_ && state_.lists.Find(value) != nullptr) return ReturnRows(node);
    const tf::AttrValue* attr = node->FindAttr("T");
    if (!CanBeOutput(*node, state_.lists, &problems_) || attr == nullptr) return absl::OkStatus();
    const DType wanted = ToDType(attr->type());
    if (!IsFloat(wanted) || wanted == value.node->type(value.index).dtype) return absl::OkStatus();
    auto cast = AddCast(node->name() + "/cast", wanted, value);
    if (!cast.ok()) return cast.status();
    graph_.SetInput(node, 0, {*cast, 0});
    return absl::OkStatus();
  }

  // A list leaves a region as its rows.
  absl::Status ReturnRows(Node* node) {
    LegalizeContext context(graph_, *node, &state_);
    LINNET_ASSIGN_OR_RETURN(TensorList list, context.AnyList(0));
    LINNET_ASSIGN_OR_RETURN(list, MakeDense(context, std::move(list), "rows"));
    if (!list.rows) {
      problems_.Add(*node, "the shape of a list's elements is not known, as nothing writes to it");
      return absl::OkStatus();
    }
    graph_.SetInput(node, 0, list.rows);
    state_.lists.Set({node, 0}, std::move(list));
    return absl::OkStatus();
  }

  absl::StatusOr<Node*> AddCast(const std::string& name, DType dtype, Output value) {
    ++changes_;
    narrowed_ = true;
    const CastAttrs attrs{.dtype = dtype};
    auto cast = graph_.AddOp(graph_.UniqueName(name), attrs, {value});
    if (cast.ok()) StandFor(*value.node, *cast);
    return cast;
  }

  // A node that came from a function.
  bool VisitCopy(Node* node) {
    if (const absl::Status status = Visit(node); !status.ok()) problems_.Add(status, node->name());
    return problems_.empty();
  }

  bool Attempt(const std::function<absl::Status()>& build) {
    Problems before = std::exchange(problems_, {});
    const bool succeeded = build().ok() && problems_.empty();
    problems_ = std::move(before);
    return succeeded;
  }

  // The graph of a structured node.
  bool VisitRegion(Graph& region, RegionValues* values) {
    Legalizer inner(region, context_, &control_flow_);
    inner.state_.lists = std::move(values->lists);
    inner.state_.integers.bounds() = std::move(values->bounds);
    const absl::StatusOr<int> changes = inner.Run();
    values->lists = std::move(inner.state_.lists);
    inner.control_flow_.CountNodes();
    narrowed_ = narrowed_ || inner.narrowed_;
    for (Problem& problem : ProblemsOf(changes.status())) problems_.Add(std::move(problem));
    if (!region.shapes().empty())
      problems_.Add(absl::UnimplementedError(
          "inside loops that are not unrolled, extents cannot depend on data"));
    return problems_.empty();
  }

  void VisitOp(Node* node) {
    const bool is_complex = HasComplex(*node);
    const bool is_function = node->node_class() == NodeClass::kFunctionCall;
    const TfOp* known = FindTfOp(is_function ? "PartitionedCall" : node->op_name());
    const TfOp* op = is_complex ? FindComplexTfOp(node->op_name()) : known;
    if (op == nullptr) {
      if (known == nullptr)
        problems_.Add(RefusalOf(*node, problems_.all().size() < kProblemsWithNames));
      else
        problems_.Add({node->name(), node->op_name(), "it is not supported for complex numbers",
                       CutBefore(*node), absl::StatusCode::kUnimplemented});
      return;
    }
    if (!InputsAreLegal(*node, op->takes_lists(), state_.lists, &problems_)) return;
    if (!op->may_vary() && !ExtentsAreFixed(graph_, *node, &problems_)) return;
    if (!HasRoom()) return;
    if (is_complex && IsFetchedAsComplex(*node, &problems_)) return;
    const std::vector<Node*> constants = ConstantInputs(*node);
    const std::string name = node->name();
    LegalizeContext context(graph_, *node, &state_);
    if (is_complex && op->takes_complex()) context.SeeNumbers();
    const absl::Status status = op->legalize(context);
    if (!HasRoom()) {
      problems_.Add({name, std::string(op->name),
                     "the constants and ops that the conversion makes, and their names, get too "
                     "large together",
                     name.size() > 256 ? "give it a shorter name" : "",
                     absl::StatusCode::kInvalidArgument});
      return;
    }
    if (status.ok()) {
      ++changes_;
      RemoveUnused(constants);
      return;
    }
    // A failed expansion leaves the node, without outputs that have types: its users are skipped.
    problems_.Add(status, node->name(), node->op_name(), CutBefore(*node));
  }

  bool HasRoom() const { return context_.constant_room == nullptr || *context_.constant_room >= 0; }

  static std::vector<Node*> ConstantInputs(const Node& node) {
    std::vector<Node*> constants;
    for (int i = 0; i < node.num_inputs(); ++i) {
      Node* input = node.input(i).node;
      if (input->IsConstant() && std::ranges::find(constants, input) == constants.end())
        constants.push_back(input);
    }
    return constants;
  }

  // Frees weights that were replaced (filters get another layout) at once: two copies of all of
  // them cost too much memory.
  void RemoveUnused(const std::vector<Node*>& constants) {
    if (state_.is_unrolling) return;
    for (Node* constant : constants)
      if (std::ranges::all_of(constant->out_edges(),
                              [](Edge* edge) { return edge->dst->IsSink(); }))
        graph_.RemoveNode(constant);
  }

  Graph& graph_;
  const PassContext& context_;
  LegalizeState state_;
  ControlFlow control_flow_;
  Problems problems_;
  int changes_ = 0;
  const bool is_region_;
  bool narrowed_ = false;  // anything was half or double
};

}  // namespace

absl::StatusOr<int> Legalize(Graph& graph, const PassContext& context) {
  return Legalizer(graph, context).Run();
}

}  // namespace linnet::converter
