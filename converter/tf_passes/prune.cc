// SPDX-License-Identifier: Apache-2.0
// Cuts the graph to what computes context.fetches from context.feeds, as TensorFlow prepares a
// partial run. Each feed becomes `_arg_<node>_<slot>_<k>` (_Arg, index k = position among the
// feeds) and each fetch `_retval_<node>_<slot>_<k>` (_Retval); their sources() name the tensor:
// "node", "node:1". Any tensor may be fed; its producer is then needed no more. What no fetch
// depends on, through data or control edges, is removed; fed tensors stay even if unused. A
// PlaceholderWithDefault that is not fed becomes its default.
//
// Without feeds every placeholder that the fetches need is one; without fetches every output of
// every node that nobody consumes is one. Input shapes come from the feed, completed by the
// placeholder. An unknown leading dimension becomes 1 (with a note), other unknown dimensions are
// an error.
//
// Errors (all of them in one status, TensorFlow's texts):
//   Must specify at least one target to fetch or execute.
//   Endpoint "x" fed more than once.     x is both fed and fetched.
//   FeedInputs: unable to find feed output x
//   FetchOutputs node x: not found       FetchOutputs x:7: output index too large, must be < 1
// (behind the two that cannot find x: nodes whose names are near x, and the model's own inputs or
// outputs, "; there is 'call/x'; the model's inputs are 'y'")
//   Tried to fetch data for 'x', which produces no output. ...
//   You must feed a value for placeholder tensor 'x' with dtype float and shape [1,?]; --input ...
// A graph that has _Retval nodes was pruned before: only unreachable nodes go.
#include "converter/pass/passes.h"

#include <algorithm>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "converter/graph/algorithm.h"
#include "converter/graph/problems.h"
#include "converter/graph/tensorflow/dtypes.h"
#include "converter/import/graph_constructor.h"
#include "converter/tf_passes/near_nodes.h"
#include "converter/tf_passes/partial_shape.h"
#include "converter/tf_passes/string_input.h"
#include "fmt/format.h"
#include "fmt/ranges.h"
#include "runtime/core/nearest_names.h"

namespace linnet::converter {
namespace {

bool IsPlaceholder(const Node& node) { return node.node_class() == NodeClass::kPlaceholder; }

// "there is 'a/x', 'b/x'; the inputs are 'y', 'z'": nodes that `name` may mean, and what the model
// has of its own.
std::string WhatThereIs(const Graph& graph, const std::string& name, const char* kind,
                        const std::vector<std::string>& own) {
  std::vector<std::string> sentences;
  if (std::string near = NearNodes(graph, name); !near.empty())
    sentences.push_back(std::move(near));
  if (!own.empty())
    sentences.push_back(
        fmt::format("the model's {} are {}", kind,
                    ListOfNames(std::vector<std::string_view>(own.begin(), own.end()))));
  return fmt::format("{}", fmt::join(sentences, "; "));
}

// The name of the k-th _Arg or _Retval, which stands for `tensor`.
std::string EndName(const char* prefix, Output tensor, size_t k) {
  return fmt::format("{}_{}_{}_{}", prefix, tensor.node->name(), tensor.index, k);
}

class Pruner {
 public:
  Pruner(Graph& graph, const PassContext& context) : graph_(graph), context_(context) {}

  absl::StatusOr<int> Run() {
    for (Node* node : graph_.op_nodes())
      if (node->node_class() == NodeClass::kRetval) retvals_.push_back(node);
    if (!retvals_.empty()) {
      RemoveUnreachable();
      return changes_;
    }
    ResolveFeeds();
    ResolveFetches();
    CheckFedAndFetched();
    if (context_.fetches.empty()) FetchLeaves();
    if (fetched_.empty() && problems_.empty())
      Fail("Must specify at least one target to fetch or execute.");
    if (absl::Status status = problems_.ToStatus(); !status.ok()) return status;

    AddRetvals();
    if (!context_.feeds.empty()) AddArgs();
    RemoveUnreachable();
    SettlePlaceholders();
    if (context_.feeds.empty()) AddArgs();
    RemoveUnreachable();
    if (absl::Status status = problems_.ToStatus(); !status.ok()) return status;
    return changes_;
  }

 private:
  void Fail(std::string reason) { problems_.Add(Problem{.reason = std::move(reason)}); }

  void FailToFind(std::string reason, std::string what_there_is) {
    problems_.Add(Problem{.reason = std::move(reason),
                          .remedy = std::move(what_there_is),
                          .code = absl::StatusCode::kNotFound});
  }

  // Feeds as Outputs, with a problem for each that is none.
  void ResolveFeeds() {
    std::set<std::string> seen;
    for (const Feed& feed : context_.feeds) {
      const auto [name, slot] = ParseTensorName(feed.tensor);
      if (!seen.insert(TensorName(name, slot)).second) {
        Fail(fmt::format("Endpoint \"{}\" fed more than once.", feed.tensor));
        continue;
      }
      Node* node = graph_.FindNode(name);
      if (node == nullptr || !node->IsOp() || slot < 0 || slot >= node->num_outputs()) {
        FailToFind(fmt::format("FeedInputs: unable to find feed output {}", feed.tensor),
                   WhatThereIs(graph_, name, "inputs", context_.input_names));
        continue;
      }
      feeds_.push_back(feed);
      fed_.push_back({node, slot});
    }
  }

  void ResolveFetches() {
    for (const std::string& fetch : context_.fetches) {
      const auto [name, slot] = ParseTensorName(fetch);
      Node* node = graph_.FindNode(name);
      if (node == nullptr || !node->IsOp() || slot < 0) {
        FailToFind(fmt::format("FetchOutputs node {}: not found", fetch),
                   WhatThereIs(graph_, name, "outputs", context_.output_names));
      } else if (node->num_outputs() == 0) {
        Fail(
            fmt::format("Tried to fetch data for '{0}', which produces no output. To run to a "
                        "node but not fetch any data, pass '{0}' as an argument to the "
                        "'target_node_names' argument of the Session::Run API.",
                        fetch));
      } else if (slot >= node->num_outputs()) {
        FailToFind(fmt::format("FetchOutputs {}: output index too large, must be < {}", fetch,
                               node->num_outputs()),
                   "");
      } else {
        fetched_.push_back({node, slot});
      }
    }
  }

  // Every output that nothing reads.
  void FetchLeaves() {
    for (Node* node : graph_.op_nodes()) {
      using enum NodeClass;
      const NodeClass c = node->node_class();
      if (c == kConstant || c == kArg || c == kPlaceholder || c == kVariable || IsRead(*node))
        continue;
      for (int slot = 0; slot < node->num_outputs(); ++slot) fetched_.push_back({node, slot});
    }
  }

  void CheckFedAndFetched() {
    for (const Output& output : fetched_)
      if (std::ranges::find(fed_, output) != fed_.end())
        Fail(fmt::format("{} is both fed and fetched.", TensorName(output)));
  }

  void AddRetvals() {
    for (size_t k = 0; k < fetched_.size(); ++k) {
      const Output tensor = fetched_[k];
      Node* retval = graph_.AddRetval(graph_.UniqueName(EndName("_retval", tensor, k)),
                                      static_cast<int>(k), tensor);
      retval->set_sources({TensorName(tensor)});
      retvals_.push_back(retval);
      ++changes_;
    }
  }

  void RemoveUnreachable() {
    const int before = graph_.num_nodes();
    PruneForReverseReachability(&graph_, retvals_);
    changes_ += before - graph_.num_nodes();
  }

  std::optional<TensorType> ArgType(const Feed& feed, Output fed) {
    const tf::DataType type = BaseType(fed.node->tf_output_types()[fed.index]);
    const DType dtype = ToDType(type);
    if (dtype == DType::kInvalid) {
      problems_.Add(*fed.node,
                    fmt::format("an input of type {} is not possible", DataTypeString(type)),
                    type == tf::DT_STRING ? InsteadOfStrings(graph_, fed) : "");
      return std::nullopt;
    }
    const PartialShape declared = DeclaredShape(graph_, *fed.node, fed.index);
    PartialShape shape = feed.shape ? Completed(feed.shape, declared) : declared;
    if (!Agree(shape, declared) && !feed.is_signature && IsPlaceholder(*fed.node) &&
        declared->size() == shape->size()) {
      // What depends on the declared size, such as a Reshape to a number of cells, is refused
      // later.
      context_.Note(fmt::format("input '{}' is {}, as was asked for; the model was made for {}",
                                feed.tensor, PartialShapeText(shape), PartialShapeText(declared)));
    } else if (!Agree(shape, declared)) {
      problems_.Add(*fed.node,
                    fmt::format("shape {} was asked for, but the model says {}",
                                PartialShapeText(feed.shape), PartialShapeText(declared)));
      return std::nullopt;
    }
    if (shape && !shape->empty() && (*shape)[0] < 0) {
      (*shape)[0] = 1;
      std::string another = fmt::format("{}=N", feed.tensor);
      for (const int64_t dim : std::span(*shape).subspan(1))
        another += dim < 0 ? "x?" : fmt::format("x{}", dim);
      context_.Note(fmt::format("input '{}': unknown batch size set to 1; --input {} sets another",
                                feed.tensor, another));
    }
    const bool known = shape && std::ranges::none_of(*shape, [](int64_t dim) { return dim < 0; });
    int64_t elements;
    if (known && shape->size() <= static_cast<size_t>(kMaxRank) &&
        Shape(*shape).NumElementsChecked(&elements))
      return TensorType{dtype, Shape(*shape)};
    problems_.Add(*fed.node,
                  fmt::format("the input's shape {} is not fully known", PartialShapeText(shape)),
                  fmt::format("give it with --input {}={}, a number for each {}", feed.tensor,
                              ShapeArgument(shape), shape ? "?" : "DIM, or \"scalar\""));
    return std::nullopt;
  }

  // Each dimension of the feed that has a range is a symbol.
  void VaryExtents(const Feed& feed, Node* arg) {
    SymbolicShapes::Extents extents;
    for (int i = 0; i < arg->type().shape.rank(); ++i) {
      const int64_t largest = arg->type().shape[i];
      const bool varies =
          static_cast<size_t>(i) < feed.smallest.size() && feed.smallest[i] < largest;
      extents.push_back(
          !varies ? Extent(largest)
                  : Extent::OfSymbol(graph_.shapes().AddSymbol(fmt::format("{}.{}", feed.tensor, i),
                                                               feed.smallest[i], largest, {})));
    }
    if (!feed.smallest.empty()) graph_.SetExtents({arg, 0}, std::move(extents));
  }

  void AddArgs() {
    for (size_t k = 0; k < fed_.size(); ++k) {
      const Output tensor = fed_[k];
      const std::optional<TensorType> type = ArgType(feeds_[k], tensor);
      if (!type) {
        CutOff(tensor);
        continue;
      }
      Node* arg =
          graph_.AddArg(graph_.UniqueName(EndName("_arg", tensor, k)), static_cast<int>(k), *type);
      arg->set_sources({TensorName(tensor)});
      VaryExtents(feeds_[k], arg);
      graph_.ReplaceUses(tensor, {arg, 0});
      ++changes_;
      if (!IsPlaceholder(*tensor.node)) {
        WaitForFed(tensor.node, arg);
        continue;
      }
      const Output fed{arg, 0};
      graph_.ReplaceNode(tensor.node, {&fed, 1});
    }
  }

  // What waits for an op still waits for it when its output is fed, as in TensorFlow. But no plan
  // reads strings: what waited for an op that does waits for the fed tensor, unless other outputs
  // of the op are read.
  void WaitForFed(Node* producer, Node* arg) {
    const auto types = producer->tf_input_types();
    if (std::ranges::find(types, tf::DT_STRING) == types.end()) return;
    std::vector<const Edge*> waiting;
    for (const Edge* edge : producer->out_edges()) {
      if (!edge->IsControlEdge()) return;
      if (!edge->dst->IsSink()) waiting.push_back(edge);
    }
    for (const Edge* edge : waiting) {
      graph_.AddControlEdge(arg, edge->dst);
      graph_.RemoveEdge(edge);
    }
  }

  // So that nobody is asked to feed what computes a tensor whose feed is a problem already.
  void CutOff(Output tensor) {
    Node* nothing = graph_.AddConstant(graph_.UniqueName("_unknown"), Constant::Of<float>({}, {0}));
    graph_.ReplaceUses(tensor, {nothing, 0});
  }

  void UseDefault(Node* placeholder) {
    const Output value = placeholder->input(0);
    if (!value) {
      problems_.Add(*placeholder, "has no default value");
      return;
    }
    const PartialShape promised = DeclaredShape(graph_, *placeholder, 0),
                       shape = DeclaredShape(graph_, *value.node, value.index);
    if (!Agree(promised, shape)) {
      problems_.Add(*placeholder,
                    fmt::format("its default has shape {}, which is not the promised {}",
                                PartialShapeText(shape), PartialShapeText(promised)));
      return;
    }
    context_.Note(fmt::format("placeholder '{}' takes its default value", placeholder->name()));
    graph_.ReplaceNode(placeholder, {&value, 1});
    ++changes_;
  }

  // Placeholders left without a value: inputs when no feeds were given, else defaults or problems.
  void SettlePlaceholders() {
    for (Node* node : graph_.op_nodes()) {
      // A fed one is still here only when its type was a problem, which is noted already.
      if (!IsPlaceholder(*node) || std::ranges::find(fed_, node, &Output::node) != fed_.end())
        continue;
      if (node->op_name() == "PlaceholderWithDefault") {
        UseDefault(node);
      } else if (context_.feeds.empty()) {
        feeds_.push_back({node->name(), std::nullopt});
        fed_.push_back({node, 0});
      } else {
        const PartialShape shape = DeclaredShape(graph_, *node, 0);
        const std::string with_shape =
            shape && !shape->empty() ? fmt::format(" and shape {}", PartialShapeText(shape)) : "";
        Fail(
            fmt::format("You must feed a value for placeholder tensor '{}' with dtype {}{}; "
                        "--input {}={}",
                        node->name(), DataTypeString(BaseType(node->tf_output_types()[0])),
                        with_shape, node->name(), ShapeArgument(shape)));
      }
    }
  }

  Graph& graph_;
  const PassContext& context_;
  Problems problems_;
  std::vector<Feed> feeds_;
  std::vector<Output> fed_, fetched_;
  std::vector<Node*> retvals_;
  int changes_ = 0;
};

}  // namespace

absl::StatusOr<int> Prune(Graph& graph, const PassContext& context) {
  return Pruner(graph, context).Run();
}

}  // namespace linnet::converter
