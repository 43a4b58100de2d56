// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <algorithm>
#include <cstdint>
#include <initializer_list>
#include <map>
#include <memory>
#include <memory_resource>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "absl/container/inlined_vector.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "converter/graph/constant.h"
#include "converter/graph/edge_list.h"
#include "converter/graph/op_attrs.h"
#include "converter/graph/symbolic_shapes.h"
#include "schema/tensorflow/node_def.pb.h"
#include "schema/tensorflow/op_def.pb.h"
#include "schema/tensorflow/versions.pb.h"

// TensorFlow's graph: nodes; edges from an output of one node to an input of another, -1 for both
// in control edges; a Source (id 0) before everything and a Sink (id 1) after everything. Ids only
// grow; a removed node leaves a gap. The same graph holds two vocabularies, one after the other:
// TensorFlow ops as imported, then Linnet ops (runtime/ops) once the pass `legalize` has run. See
// README.md.
namespace linnet::converter {

class Graph;
class Node;
class OpRegistry;
class FunctionLibrary;

inline constexpr int kControlSlot = -1;

struct Edge {
  Node* src;
  Node* dst;
  int id;
  int src_output;  // kControlSlot for control edges, then dst_input is too
  int dst_input;
  EdgeLinks out = {};  // in src->out_edges()
  EdgeLinks in = {};   // in dst->in_edges()
  bool IsControlEdge() const { return src_output == kControlSlot; }
};
using InEdges = EdgeList<&Edge::in>;
using OutEdges = EdgeList<&Edge::out>;

// One output of a node, where data edges start.
struct Output {
  Node* node = nullptr;
  int index = 0;
  explicit operator bool() const { return node != nullptr; }
  friend bool operator==(const Output&, const Output&) = default;
};

using AttrMap = std::map<std::string, tf::AttrValue, std::less<>>;

// "node" for output 0, "node:1" for output 1, "^node" for a control edge.
std::string TensorName(std::string_view node, int slot);
std::string TensorName(Output output);

// Attribute `index` of an _Arg or _Retval; 0 where it is missing.
int64_t EndIndex(const Node& node);

// The TensorFlow form of a node. Copies of a node share it until one of them changes it.
struct NodeProperties {
  std::string op;                         // "Conv2D"; function name for calls
  const tf::OpDef* op_def = nullptr;      // owned by registry or function library; null = Linnet op
  AttrMap attrs;                          // without the value of a Const: see Node::constant()
  std::vector<tf::DataType> input_types;  // ref types included
  std::vector<tf::DataType> output_types;
};

// What a node is, as far as passes need to tell nodes apart.
enum class NodeClass : uint8_t {
  kSource,
  kSink,
  // In both vocabularies: Const, _Arg, _Retval.
  kConstant,
  kArg,
  kRetval,
  // Linnet's. Its While and If have regions (structured_node.h); TensorFlow's below call functions.
  kOp,  // attrs() says which
  kLinnetWhile,
  kLinnetIf,
  // TensorFlow's.
  kPlaceholder,
  kVariable,
  kIdentity,
  kMetadata,
  kSwitch,
  kMerge,
  kEnter,
  kExit,
  kNextIteration,
  kLoopCond,
  kControlTrigger,
  kSend,
  kRecv,
  kFunctionCall,
  kPartitionedCall,
  kTfIf,
  kTfWhile,
  kCase,
  kSymbolicGradient,
  kFakeParam,
  kNoOp,
  kOther,
};

class Node {
 public:
  ~Node();
  int id() const { return id_; }
  const std::string& name() const { return name_; }
  NodeClass node_class() const { return class_; }
  bool IsSource() const { return class_ == NodeClass::kSource; }
  bool IsSink() const { return class_ == NodeClass::kSink; }
  bool IsOp() const { return id_ > 1; }  // neither Source nor Sink
  bool IsConstant() const { return class_ == NodeClass::kConstant; }
  bool IsStructured() const {
    return class_ == NodeClass::kLinnetWhile || class_ == NodeClass::kLinnetIf;
  }

  // --- TensorFlow vocabulary. A Linnet op has a name only; the rest is empty.
  const std::string& op_name() const { return props_->op; }
  bool IsAnyOf(std::initializer_list<std::string_view> ops) const {
    return std::ranges::find(ops, op_name()) != ops.end();
  }
  const tf::OpDef* op_def() const { return props_->op_def; }
  const AttrMap& tf_attrs() const { return props_->attrs; }
  const tf::AttrValue* FindAttr(std::string_view name) const;  // nullptr when absent
  void SetAttr(std::string_view name, tf::AttrValue value);
  void ClearAttr(std::string_view name);
  std::span<const tf::DataType> tf_input_types() const { return props_->input_types; }
  std::span<const tf::DataType> tf_output_types() const { return props_->output_types; }
  tf::DataType tf_output_type(int output) const;  // DT_INVALID where there is no such output

  // --- Linnet vocabulary.
  // Whether this node is the Linnet op that Attrs belongs to.
  template <typename Attrs>
  bool Is() const {
    return class_ == NodeClass::kOp && attrs_->kind() == KindOf<Attrs>::value;
  }
  // Whether it is a Linnet op with this trait.
  bool Has(OpTraits trait) const {
    return class_ == NodeClass::kOp && (FindOp(attrs_->kind())->traits & trait) != 0;
  }
  // The graphs of a structured node, which passes change in place; empty for all others.
  std::span<const std::unique_ptr<Graph>> regions() const { return regions_; }
  OpKind kind() const { return attrs_->kind(); }    // REQUIRES: node_class() == kOp
  const OpAttrs& attrs() const { return *attrs_; }  // REQUIRES: node_class() == kOp
  template <typename Attrs>
  const Attrs& attrs() const {
    return attrs_->as<Attrs>();
  }
  // Changing attributes does not infer the types again: Graph::InferNode does.
  OpAttrs& mutable_attrs() { return *attrs_; }  // REQUIRES: node_class() == kOp
  template <typename Attrs>
  Attrs& mutable_attrs() {
    return attrs_->as<Attrs>();
  }

  // The value of a Const. REQUIRES: IsConstant().
  const Constant& constant() const { return *constant_; }
  void set_constant(Constant value);

  // Types of the outputs. Before `legalize` only those of Const and of _Arg with a static shape are
  // known.
  int num_outputs() const { return static_cast<int>(output_types_.size()); }
  bool HasType(int output) const { return output_types_[output].dtype != DType::kInvalid; }
  const TensorType& type(int output = 0) const { return output_types_[output]; }
  std::span<const TensorType> types() const { return output_types_; }  // by output
  void set_type(int output, const TensorType& type) { output_types_[output] = type; }

  // --- Edges.
  int num_inputs() const { return static_cast<int>(inputs_.size()); }  // data slots
  // Producer of data input `slot`; empty while the edge is missing.
  Output input(int slot) const;
  std::vector<Output> inputs() const;  // by slot
  // Data and control edges, in the order they were added.
  const InEdges& in_edges() const { return in_edges_; }
  const OutEdges& out_edges() const { return out_edges_; }
  // TensorFlow's checked access: InvalidArgument "Missing edge input number: i"; OutOfRange for a
  // slot that does not exist.
  absl::StatusOr<const Edge*> input_edge(int slot) const;
  absl::StatusOr<Node*> input_node(int slot) const;
  // All data edges out of `output`, in the order they were added.
  std::vector<Edge*> Uses(int output = 0) const;
  int NumUses(int output = 0) const;        // data edges only
  bool HasSingleUse(int output = 0) const;  // NumUses() == 1, but stops at the second use

  const std::string& requested_device() const { return requested_device_; }
  void set_requested_device(std::string device) { requested_device_ = std::move(device); }
  const std::string& assigned_device() const;  // interned in the graph
  int cost_id() const { return cost_id_; }
  // Names of the TensorFlow nodes that this node stands for: reports, profiles and errors show
  // them.
  const std::vector<std::string>& sources() const { return sources_; }
  void set_sources(std::vector<std::string> sources) { sources_ = std::move(sources); }
  // Appends those that are new, up to kMaxSources in all.
  void AddSources(std::span<const std::string> sources);
  void AddSources(const Node& other) { AddSources(other.sources_); }
  static constexpr size_t kMaxSources = 64;

  // "Conv2D 'block1/conv'": how messages name a node.
  std::string Describe() const;

 private:
  friend class Graph;
  Node();
  // Members that every walk over the graph reads come first, to lie close together in memory.
  int id_ = -1;
  NodeClass class_ = NodeClass::kOther;
  int cost_id_ = -1;
  int assigned_device_ = 0;
  InEdges in_edges_;
  OutEdges out_edges_;
  absl::InlinedVector<Edge*, 2> inputs_;  // by slot, null while missing
  std::optional<OpAttrs> attrs_;
  absl::InlinedVector<TensorType, 1> output_types_;
  int num_doubled_ = 0;  // data edges into slots that have one already
  std::optional<Constant> constant_;
  std::vector<std::unique_ptr<Graph>> regions_;
  Graph* graph_ = nullptr;
  std::shared_ptr<NodeProperties> props_;
  std::string name_;
  std::vector<std::string> sources_;
  std::string requested_device_;
};

class Graph {
 public:
  // `registry` outlives the graph. A new graph has Source, Sink and the control edge between them.
  explicit Graph(const OpRegistry* registry);
  ~Graph();
  Graph(const Graph&) = delete;
  Graph& operator=(const Graph&) = delete;
  // Copies nodes (without gaps between ids), edges, versions and functions. REQUIRES: *this is
  // empty and no extent of `other` varies.
  void CopyFrom(const Graph& other);

  const OpRegistry& registry() const { return *registry_; }
  FunctionLibrary& functions() { return *functions_; }
  const FunctionLibrary& functions() const { return *functions_; }
  tf::VersionDef& versions() { return versions_; }
  const tf::VersionDef& versions() const { return versions_; }

  // Extents that may differ from run to run.
  SymbolicShapes& shapes() { return shapes_; }
  const SymbolicShapes& shapes() const { return shapes_; }
  bool Varies(Output value) const { return shapes_.Find(value.node, value.index) != nullptr; }
  // Whether any input, output or attribute of a Linnet op varies.
  bool Varies(const Node& node) const;
  // One per dimension; constants for those that are fixed.
  SymbolicShapes::Extents ExtentsOf(Output value) const;
  // Whether both have the same shape in every run.
  bool SameShape(Output a, Output b) const;
  // Sets extents that vary, and the type of `value` to the largest that they allow.
  void SetExtents(Output value, SymbolicShapes::Extents extents);

  Node* source() const { return nodes_[0]; }
  Node* sink() const { return nodes_[1]; }
  int num_nodes() const { return num_nodes_; }
  // One more than the largest id: the size of arrays by id.
  int num_node_ids() const { return static_cast<int>(nodes_.size()); }
  int num_op_nodes() const { return num_nodes_ - 2; }
  int num_edges() const { return num_edges_; }
  int num_edge_ids() const { return static_cast<int>(edges_.size()); }
  Node* FindNodeId(int id) const;               // null where there is no such node
  Node* FindNode(std::string_view name) const;  // the last added node of that name, or null
  // All nodes but Source and Sink, by id. The vector is a copy, so the graph may be changed during
  // a walk over it; pointers to nodes that are removed meanwhile dangle.
  std::vector<Node*> op_nodes() const;
  std::vector<Edge*> edges() const;  // by id

  // --- Adding nodes. Names need not be unique here: import checks that.
  // A TensorFlow node without edges. Its op is looked up among the functions, then in the registry;
  // the types of its inputs and outputs follow from its attributes. NotFound "Op type not
  // registered 'X' ...".
  absl::StatusOr<Node*> AddNode(const tf::NodeDef& def);
  // A copy of `node`, which may be of another graph, without its edges.
  Node* CopyNode(const Node* node);
  // A Const node, in either vocabulary.
  Node* AddConstant(std::string name, Constant value);
  // A Linnet op over `inputs`, whose output types are inferred. InvalidArgument with the reason of
  // the op's shape rule. sources() of the new node are empty: callers set them.
  absl::StatusOr<Node*> AddOp(std::string name, OpAttrs attrs, std::span<const Output> inputs);
  absl::StatusOr<Node*> AddOp(std::string name, OpAttrs attrs,
                              std::initializer_list<Output> inputs) {
    return AddOp(std::move(name), std::move(attrs), std::span(inputs.begin(), inputs.size()));
  }
  // While or If of the Linnet vocabulary (structured_node.h). InvalidArgument where inputs and
  // regions do not fit together.
  absl::StatusOr<Node*> AddStructured(std::string name, NodeClass node_class,
                                      std::span<const Output> inputs,
                                      std::vector<std::unique_ptr<Graph>> regions);
  // An argument and a result, as functions have them. A type with dtype kInvalid is unknown.
  Node* AddArg(std::string name, int index, const TensorType& type);
  Node* AddRetval(std::string name, int index, Output value);
  // Infers the output types of a Linnet op again, after its inputs or attributes have changed.
  absl::Status InferNode(Node* node);
  // Turns `node` in place into the constant `value` (one output): data edges in are dropped,
  // control edges stay.
  void TurnIntoConstant(Node* node, Constant value);

  // --- Removing and rewiring.
  // Removes a node and its edges. REQUIRES: node->IsOp().
  void RemoveNode(Node* node);
  const Edge* AddEdge(Node* src, int src_output, Node* dst, int dst_input);
  // Null, without a new edge, when there is one already and no allow_duplicates.
  const Edge* AddControlEdge(Node* src, Node* dst, bool allow_duplicates = false);
  void RemoveEdge(const Edge* edge);
  void RemoveControlEdge(const Edge* edge);
  // Replaces the edge into (dst, dst_input). OutOfRange "Node 'A' (type: 'X', num of outputs: 1)
  // does not have output 1", "... num of inputs: 0) does not have input 0"; InvalidArgument
  // "Couldn't find edge to ...".
  absl::Status UpdateEdge(Node* new_src, int new_src_output, Node* dst, int dst_input);
  // Every data edge out of `from` starts at `to` instead, except those into to.node.
  void ReplaceUses(Output from, Output to);
  // Calls ReplaceUses for every output i and to[i] and removes `node`. Its outgoing control edges
  // then start at to[0].node, or at the nodes of its own control inputs where there is no to[0].
  void ReplaceNode(Node* node, std::span<const Output> to);
  // Connects data input `slot`, which is added where `dst` lacks it, to `src` alone.
  void SetInput(Node* dst, int slot, Output src);
  void TruncateInputs(Node* dst, int num_inputs);  // drops trailing data inputs

  // A name that no node has: `prefix` itself if possible, else prefix/_1, prefix/_2, ...
  std::string UniqueName(std::string_view prefix) const;
  // TensorFlow's NewName: prefix + "/_" + counter.
  std::string NewName(std::string_view prefix);
  void Rename(Node* node, std::string name);

  int InternDeviceName(std::string_view device);  // 0 = ""
  void set_assigned_device(Node* node, std::string_view device);
  const std::string& device_name(int index) const { return device_names_[index]; }

  absl::Status IsValidNode(const Node* node) const;
  absl::Status IsValidOutputTensor(const Node* node, int index) const;
  absl::Status IsValidInputTensor(const Node* node, int index) const;

 private:
  friend class Node;
  friend std::vector<Node*> TopologicalOrder(const Graph& graph);
  Node* Allocate(std::string name, NodeClass node_class, std::shared_ptr<NodeProperties> props);
  using Inferred = SymbolicShapes::Inferred;
  // `before` (may be null): the node that has these attributes and inputs already.
  absl::StatusOr<Inferred> InferOp(std::string_view name, const OpAttrs& attrs,
                                   std::span<const Output> inputs, const Node* before);
  void TakeTypes(Node* node, Inferred inferred);
  void Forget(const Node* node);  // out of the name index
  void Disconnect(Edge* edge);    // out of both ends, without freeing it

  const OpRegistry* registry_;
  std::unique_ptr<FunctionLibrary> functions_;
  tf::VersionDef versions_;
  // Memory of nodes and edges, which lie side by side in the order in which they were added: a walk
  // over a large graph reads memory in order.
  std::pmr::unsynchronized_pool_resource memory_;
  std::vector<Node*> nodes_;                                  // by id, null when gone; owned
  std::vector<Edge*> edges_;                                  // likewise
  std::unordered_multimap<std::string_view, Node*> names_;    // the nodes' own names
  mutable std::unordered_map<std::string, int> next_suffix_;  // that UniqueName tries, by prefix
  std::vector<std::string> device_names_;
  SymbolicShapes shapes_;
  // Grows when a node or an edge is added or removed, or a node gets another class.
  int64_t structure_version_ = 0;
  // What TopologicalOrder returned last: most passes ask for the order and change nothing.
  struct KnownOrder {
    std::vector<Node*> nodes;
    int64_t structure_version = -1;
  };
  mutable KnownOrder known_order_;
  int num_nodes_ = 0;
  int num_edges_ = 0;
  int name_counter_ = 0;
};

}  // namespace linnet::converter
