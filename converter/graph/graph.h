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

// TensorFlow's graph: nodes, edges labelled (src output, dst input), control edges in slot -1, a
// Source (id 0) before everything and a Sink (id 1) after everything. Ids only grow; a removed node
// leaves a gap. The same graph holds two vocabularies, one after the other: TensorFlow ops as
// imported, then Linnet ops (runtime/ops) once the pass `legalize` has run. See README.md.
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
  EdgeLinks out = {};  // among the edges out of src
  EdgeLinks in = {};   // among those into dst
  bool IsControlEdge() const { return src_output == kControlSlot; }
};
using InEdges = EdgeList<&Edge::in>;
using OutEdges = EdgeList<&Edge::out>;

// One output of a node: what data edges start from. Compares by identity.
struct Output {
  Node* node = nullptr;
  int index = 0;
  explicit operator bool() const { return node != nullptr; }
  friend bool operator==(const Output&, const Output&) = default;
};

using AttrMap = std::map<std::string, tf::AttrValue, std::less<>>;

// "node", "node:1" (slot 0 goes without number), "^node" for a control edge.
std::string TensorName(std::string_view node, int slot);
std::string TensorName(Output output);

// Attribute `index` of an _Arg or _Retval; 0 where it is missing.
int64_t EndIndex(const Node& node);

// What CopyNode shares until somebody writes (copy on write): the TensorFlow form of a node.
struct NodeProperties {
  std::string op;                         // "Conv2D"; function name for calls
  const tf::OpDef* op_def = nullptr;      // owned by registry or function library; null = Linnet op
  AttrMap attrs;                          // without the tensor of Const: see Node::constant()
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
  // Linnet's. While and If have regions (structured_node.h); TensorFlow's are below.
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
  kTfIf,  // If, While and Case call functions
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
  bool IsOp() const { return id_ > 1; }  // neither Source nor Sink, as TensorFlow's IsOp
  bool IsConstant() const { return class_ == NodeClass::kConstant; }
  bool IsStructured() const {
    return class_ == NodeClass::kLinnetWhile || class_ == NodeClass::kLinnetIf;
  }

  // --- TensorFlow vocabulary. For Linnet ops op_name() is the Linnet op's name, the rest is empty.
  const std::string& op_name() const { return props_->op; }
  bool IsAnyOf(std::initializer_list<std::string_view> ops) const {
    return std::ranges::find(ops, op_name()) != ops.end();
  }
  const tf::OpDef* op_def() const { return props_->op_def; }
  const AttrMap& tf_attrs() const { return props_->attrs; }
  const tf::AttrValue* FindAttr(std::string_view name) const;  // nullptr when absent
  void SetAttr(std::string_view name, tf::AttrValue value);    // unshares the properties first
  void ClearAttr(std::string_view name);
  std::span<const tf::DataType> tf_input_types() const { return props_->input_types; }
  std::span<const tf::DataType> tf_output_types() const { return props_->output_types; }
  tf::DataType tf_output_type(int output) const;  // DT_INVALID where there is no such output

  // --- Linnet vocabulary.
  // Is this node the Linnet op that Attrs belongs to?
  template <typename Attrs>
  bool Is() const {
    return class_ == NodeClass::kOp && attrs_->kind() == KindOf<Attrs>::value;
  }
  // Is it a Linnet op with this trait?
  bool Has(OpTraits trait) const {
    return class_ == NodeClass::kOp && (FindOp(attrs_->kind())->traits & trait) != 0;
  }
  // Graphs of a structured node's own, empty for all others. To be changed in place by passes.
  std::span<const std::unique_ptr<Graph>> regions() const { return regions_; }
  OpKind kind() const { return attrs_->kind(); }    // REQUIRES: node_class() == kOp
  const OpAttrs& attrs() const { return *attrs_; }  // REQUIRES: node_class() == kOp
  template <typename Attrs>
  const Attrs& attrs() const {
    return attrs_->as<Attrs>();
  }
  OpAttrs& mutable_attrs() { return *attrs_; }  // REQUIRES: node_class() == kOp
  // Changing attributes does not re-infer types: call Graph::InferNode afterwards where they
  // matter.
  template <typename Attrs>
  Attrs& mutable_attrs() {
    return attrs_->as<Attrs>();
  }

  // Value of a Const node, either vocabulary. REQUIRES: IsConstant().
  const Constant& constant() const { return *constant_; }
  void set_constant(Constant value);

  // Types of the outputs once known (after `legalize`; Const and _Arg with a static shape at once).
  int num_outputs() const { return static_cast<int>(output_types_.size()); }
  bool HasType(int output) const { return output_types_[output].dtype != DType::kInvalid; }
  const TensorType& type(int output = 0) const { return output_types_[output]; }
  void set_type(int output, const TensorType& type) { output_types_[output] = type; }

  // --- Edges.
  int num_inputs() const { return static_cast<int>(inputs_.size()); }  // data slots
  // Producer of data input `slot`; empty while the edge is missing.
  Output input(int slot) const;
  const InEdges& in_edges() const { return in_edges_; }     // data and control, as they were added
  const OutEdges& out_edges() const { return out_edges_; }  // likewise
  // TensorFlow's checked access: InvalidArgument "Missing edge input number: i" and
  // OutOfRange for a bad slot.
  absl::StatusOr<const Edge*> input_edge(int slot) const;
  absl::StatusOr<Node*> input_node(int slot) const;
  // All data edges out of `output`, in the order they were added.
  std::vector<Edge*> Uses(int output = 0) const;
  int NumUses(int output = 0) const;        // data edges only
  bool HasSingleUse(int output = 0) const;  // NumUses() == 1, in little time also among thousands

  const std::string& requested_device() const { return requested_device_; }
  void set_requested_device(std::string device) { requested_device_ = std::move(device); }
  const std::string& assigned_device() const;  // interned in the graph
  int cost_id() const { return cost_id_; }
  // Names of the TensorFlow nodes this one stands for, for reports, profiles and error texts.
  const std::vector<std::string>& sources() const { return sources_; }
  void set_sources(std::vector<std::string> sources) { sources_ = std::move(sources); }
  // Union, order kept. A node that stands for very many keeps the first kMaxSources.
  void AddSources(std::span<const std::string> sources);
  void AddSources(const Node& other) { AddSources(other.sources_); }
  static constexpr size_t kMaxSources = 64;

  // "Conv2D 'block1/conv'": how messages name a node.
  std::string Describe() const;

 private:
  friend class Graph;
  Node();
  // What every walk looks at comes first and lies together.
  int id_ = -1;
  NodeClass class_ = NodeClass::kOther;
  int cost_id_ = -1;
  int assigned_device_ = 0;
  InEdges in_edges_;
  OutEdges out_edges_;
  absl::InlinedVector<Edge*, 2> inputs_;  // by slot, null while missing
  std::optional<OpAttrs> attrs_;
  absl::InlinedVector<TensorType, 1> output_types_;
  int num_doubled_ = 0;  // data edges into a slot that has another one
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
  // Same nodes (ids compacted), edges, versions, functions. REQUIRES: *this is empty.
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
  // Any input, output or attribute of a Linnet op.
  bool Varies(const Node& node) const;
  // By dimension, constants where they are fixed.
  SymbolicShapes::Extents ExtentsOf(Output value) const;
  // The same number of dimensions of the same extents, in every run.
  bool SameShape(Output a, Output b) const;
  // Gives `node` an output whose extents vary; its type becomes the largest.
  void SetExtents(Output value, SymbolicShapes::Extents extents);

  Node* source() const { return nodes_[0]; }
  Node* sink() const { return nodes_[1]; }
  int num_nodes() const { return num_nodes_; }
  int num_node_ids() const {
    return static_cast<int>(nodes_.size());
  }  // sizes arrays indexed by id
  int num_op_nodes() const { return num_nodes_ - 2; }
  int num_edges() const { return num_edges_; }
  int num_edge_ids() const { return static_cast<int>(edges_.size()); }
  Node* FindNodeId(int id) const;               // null for gaps and bad ids
  Node* FindNode(std::string_view name) const;  // by name, any node; last added wins
  // Nodes by id, Source and Sink left out, as a copy: safe to rewrite while walking, except that a
  // node removed meanwhile is dangling (collect, then rewrite; or check FindNodeId(id)).
  std::vector<Node*> op_nodes() const;
  std::vector<Edge*> edges() const;  // by id

  // --- Adding nodes. Names need not be unique here: import checks that.
  // A TensorFlow node without edges: the op is looked up (functions first, then registry), argument
  // types are bound from the attributes. NotFound "Op type not registered 'X' ...".
  absl::StatusOr<Node*> AddNode(const tf::NodeDef& def);
  // A copy of `node` (possibly of another graph) that shares its properties; no edges.
  Node* CopyNode(const Node* node);
  // A Const node, either vocabulary.
  Node* AddConstant(std::string name, Constant value);
  // A Linnet op over `inputs`; infers its output types. InvalidArgument with the op's own reason.
  // `sources` of the new node are empty: callers set them (legalize and passes have helpers).
  absl::StatusOr<Node*> AddOp(std::string name, OpAttrs attrs, std::span<const Output> inputs);
  absl::StatusOr<Node*> AddOp(std::string name, OpAttrs attrs,
                              std::initializer_list<Output> inputs) {
    return AddOp(std::move(name), std::move(attrs), std::span(inputs.begin(), inputs.size()));
  }
  // A loop or a branch of the Linnet vocabulary (structured_node.h). InvalidArgument where inputs
  // and regions do not fit.
  absl::StatusOr<Node*> AddStructured(std::string name, NodeClass node_class,
                                      std::span<const Output> inputs,
                                      std::vector<std::unique_ptr<Graph>> regions);
  // Function-style ends: _Arg (index, type; dtype invalid = unknown) and _Retval over `value`.
  Node* AddArg(std::string name, int index, const TensorType& type);
  Node* AddRetval(std::string name, int index, Output value);
  // Runs the shape rule of a Linnet op again, after its inputs or attributes changed.
  absl::Status InferNode(Node* node);
  // Turns `node` in place into the constant `value` (one output): data edges in are dropped,
  // control edges stay.
  void TurnIntoConstant(Node* node, Constant value);

  // --- Removing and rewiring.
  void RemoveNode(
      Node* node);  // REQUIRES: node->IsOp(). Its edges go too, and nobody may use `node` again.
  const Edge* AddEdge(Node* src, int src_output, Node* dst, int dst_input);
  // Null when it exists already, unless allow_duplicates.
  const Edge* AddControlEdge(Node* src, Node* dst, bool allow_duplicates = false);
  void RemoveEdge(const Edge* edge);
  void RemoveControlEdge(const Edge* edge);
  // Replaces the edge into (dst, dst_input). OutOfRange "Node 'A' (type: 'X', num of outputs: 1)
  // does not have output 1", "... num of inputs: 0) does not have input 0"; InvalidArgument
  // "Couldn't find edge to ...".
  absl::Status UpdateEdge(Node* new_src, int new_src_output, Node* dst, int dst_input);
  // Every data use of `from` reads `to` instead (the use by `to.node` itself excepted).
  void ReplaceUses(Output from, Output to);
  // ReplaceUses for every output i -> to[i]; control edges out of `node` leave from to[0].node (or
  // the control inputs' sources when to is empty); then removes `node`.
  void ReplaceNode(Node* node, std::span<const Output> to);
  // Sets data input `slot` of a node that exists, adding slots as needed (Linnet ops).
  void SetInput(Node* dst, int slot, Output src);
  void TruncateInputs(Node* dst, int num_inputs);  // drops trailing data inputs

  // A name that nothing in this graph has: `prefix` itself when free, else prefix/_1, prefix/_2 ...
  std::string UniqueName(std::string_view prefix) const;
  // TensorFlow's NewName: prefix + "/_" + counter.
  std::string NewName(std::string_view prefix);
  // Gives `node` another name (it keeps its id); the index follows.
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
  // `before` (may be null) has these attributes and inputs already.
  absl::StatusOr<Inferred> InferOp(std::string_view name, const OpAttrs& attrs,
                                   std::span<const Output> inputs, const Node* before);
  void TakeTypes(Node* node, Inferred inferred);
  void Forget(const Node* node);  // out of the name index
  void Disconnect(Edge* edge);    // out of both ends, without freeing it

  const OpRegistry* registry_;
  std::unique_ptr<FunctionLibrary> functions_;
  tf::VersionDef versions_;
  // Where nodes and edges lie, side by side in the order in which they came: a walk over a large
  // graph then follows memory.
  std::pmr::unsynchronized_pool_resource memory_;
  std::vector<Node*> nodes_;                                // by id, null when gone; owned
  std::vector<Edge*> edges_;                                // likewise
  std::unordered_multimap<std::string_view, Node*> names_;  // the nodes' own names
  mutable std::unordered_map<std::string, int>
      next_suffix_;  // of UniqueName: where to go on searching
  std::vector<std::string> device_names_;
  SymbolicShapes shapes_;
  int64_t structure_version_ = 0;  // grows when a node or an edge comes, goes, becomes another kind
  // What TopologicalOrder last returned: most passes change nothing, and the next one asks again.
  struct KnownOrder {
    std::vector<Node*> nodes;
    int64_t structure_version = -1;  // then
  };
  mutable KnownOrder known_order_;
  int num_nodes_ = 0;
  int num_edges_ = 0;
  int name_counter_ = 0;
};

}  // namespace linnet::converter
