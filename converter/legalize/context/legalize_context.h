// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <functional>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "converter/graph/graph.h"
#include "converter/graph/string_constant.h"
#include "converter/legalize/context/emitted.h"
#include "converter/legalize/context/folded_constants.h"
#include "converter/legalize/context/generators.h"
#include "converter/legalize/context/lookup_table.h"
#include "converter/legalize/context/status_macros.h"
#include "converter/legalize/context/tensor_lists.h"
#include "converter/legalize/extents/integer_values.h"
#include "converter/pass/pass.h"
#include "converter/resources/tables.h"
#include "fmt/format.h"

namespace linnet::converter {

using Extents = SymbolicShapes::Extents;

// The dtype that a TensorFlow type has after legalize: half and double compute in f32. kInvalid for
// types that no Linnet tensor has (strings, resources, complex, ...).
DType LegalDType(tf::DataType type);

// An error of the node at hand: the walk adds the node's name and op.
template <typename... Args>
absl::Status Unsupported(fmt::format_string<Args...> format, Args&&... args) {
  return absl::UnimplementedError(fmt::format(format, std::forward<Args>(args)...));
}
template <typename... Args>
absl::Status Invalid(fmt::format_string<Args...> format, Args&&... args) {
  return absl::InvalidArgumentError(fmt::format(format, std::forward<Args>(args)...));
}
// "[1,224,224,3]"
std::string ShapeText(const Shape& shape);

class LegalizeContext;

// What the walk over the graph keeps from node to node.
struct LegalizeState {
  // Puts the functions that a node calls in its place (control_flow/).
  std::function<absl::Status(LegalizeContext& context)> expand_control_flow;
  // The pass itself, for graphs other than the one at hand.
  PassFunction legalize = nullptr;
  int64_t* constant_room = nullptr;  // see PassContext
  int64_t* folding_work = nullptr;   // the same
  const std::map<std::string, int64_t, std::less<>>* most = nullptr;
  UnrollLimits unroll;  // see PassContext
  // True from the first loop, branch or list on. Constants that nothing reads are then kept, since
  // the next iteration may read them, and what is computed from them is computed once.
  bool is_unrolling = false;
  // Whether, or how often, the nodes at hand run depends on the model's input.
  bool may_not_run = false;
  TensorLists lists;
  const Tables* tables = nullptr;  // see PassContext
  LookupTables lookup_tables;
  Generators generators;
  FoldedConstants folded;
  IntegerValues integers;
};

// One TensorFlow node while it is turned into Linnet ops: what the node says, what is known of its
// inputs (which are Linnet ops by now, so every type is static), and how to build what replaces it.
class LegalizeContext {
 public:
  LegalizeContext(Graph& graph, Node& node, LegalizeState* state)
      : graph_(graph), node_(node), state_(*state) {}

  const Node& node() const { return node_; }
  const std::string& op() const { return node_.op_name(); }
  // The version of TensorFlow's graph format that the model was made for: some rules only hold from
  // a version on.
  int producer() const { return graph_.versions().producer(); }

  // --- Inputs: as many as the op's definition has (graph/tensorflow/tf_ops.pbtxt).
  int num_inputs() const { return node_.num_inputs(); }
  Output input(int i) const { return node_.input(i); }
  std::vector<Output> inputs(int first, int last) const;  // [first, last)
  const TensorType& type(Output value) const {
    const TensorType* numbers = numbers_.empty() ? nullptr : FindNumbers(value);
    return numbers != nullptr ? *numbers : value.node->type(value.index);
  }
  const TensorType& type(int i) const { return type(input(i)); }
  const Shape& shape(Output value) const { return type(value).shape; }
  const Shape& shape(int i) const { return type(i).shape; }
  // The extents of a value, some of which may vary. shape() has the largest ones.
  Extents extents(Output value) const;
  Extents extents(int i) const { return extents(input(i)); }
  bool Varies(Output value) const { return graph_.Varies(value); }
  bool Varies(int i) const { return Varies(input(i)); }
  const SymbolTable& symbols() const { return graph_.shapes().symbols(); }
  // The elements of an integer input that are constant or follow from extents. `what` names the
  // input in the error. An element of which only bounds are known becomes a new symbol of the
  // graph, even where another element then makes this an error.
  absl::StatusOr<Extents> ExtentValues(int i, const char* what);
  // The same for a value that is neither an input nor constant.
  absl::StatusOr<Extents> ExtentValues(Output value, std::string_view what);
  // What a user would type for a value.
  static std::string UserName(Output value);
  // Whether a value is integers that follow from extents, of which some vary.
  bool FollowsFromExtents(Output value) const;
  // The bound that the user gave for a value (--max), or nullopt.
  std::optional<int64_t> MostOf(Output value) const;
  // A number that no element of an integer tensor exceeds, or nullopt.
  std::optional<int64_t> LargestOf(Output value) const {
    const auto bounds = state_.integers.bounds().Find(value);
    return bounds ? std::optional(bounds->max) : std::nullopt;
  }
  // A symbol, in [min, max], for an element of `value`; its number where that is constant.
  Extent SymbolOf(Output value, int element, int64_t min, int64_t max) {
    if (const Constant* known = FindConstant(value)) return known->ToInt64()[element];
    return IntegerValues::SymbolOf(graph_, value, element, min, max);
  }
  // From now on complex inputs, and what is emitted on them, look like tensors of floats that have
  // TensorFlow's shape, although they are tensors of pairs (complex_pairs.h). Only ops that move
  // numbers or add them up can be emitted on them.
  void SeeNumbers();
  absl::Status WantRank(int i, int rank) const;
  absl::Status WantFloats(int i) const;
  // Only for ops whose number of inputs the definition leaves open.
  absl::Status WantInputs(int min, int max) const;

  // nullptr when the value is only known at run time.
  static const Constant* FindConstant(Output value) {
    return value.node->IsConstant() ? &value.node->constant() : nullptr;
  }
  const Constant* FindConstant(int i) const { return FindConstant(input(i)); }
  // The list (tensor_lists.h) that a value stands for, or nullptr.
  const TensorList* FindList(Output value) const { return state_.lists.Find(value); }
  // The list that input `i` stands for.
  absl::StatusOr<TensorList> AnyList(int i) const;
  // The content of the hash table whose handle is input `i`.
  absl::StatusOr<const LookupTable*> Table(int i) { return state_.lookup_tables.Find(*this, i); }
  // A graph that computes its keys and values (Tables::Content), after this pass.
  absl::StatusOr<std::unique_ptr<Graph>> TableContent(const Node& table) const;
  // Inputs that must be constant. `what` names the input in the error.
  absl::StatusOr<std::vector<int64_t>> ConstantInts(int i, const char* what) const;
  absl::StatusOr<int64_t> ConstantInt(int i, const char* what) const;
  absl::StatusOr<double> ConstantScalar(int i, const char* what) const;
  // An axis in [0, rank); negative ones count from the end.
  absl::StatusOr<int> ConstantAxis(int i, int rank, const char* what) const;
  static absl::StatusOr<int> Axis(int64_t axis, int rank, const char* what);
  // Does any node read output `i`?
  bool IsUsed(int i) const { return node_.NumUses(i) > 0; }

  // --- Attributes. `fallback` is the value of an absent one; a wrong type is an error.
  absl::StatusOr<int64_t> Int(const char* name, int64_t fallback) const;
  absl::StatusOr<bool> Bool(const char* name, bool fallback) const;
  absl::StatusOr<float> Float(const char* name, float fallback) const;
  absl::StatusOr<std::string> String(const char* name, const char* fallback) const;
  absl::StatusOr<int> AxisAttr(const char* name, int64_t fallback, int rank) const;  // see Axis
  absl::StatusOr<std::vector<int64_t>> Ints(const char* name) const;  // absent: empty
  absl::StatusOr<std::vector<float>> Floats(const char* name) const;  // absent: empty
  absl::StatusOr<std::vector<std::string>> Strings(const char* name) const;
  absl::StatusOr<DType> Type(const char* name, DType fallback) const;  // LegalDType of it

  // --- Building. Nodes are named after the TensorFlow node: `suffix` "" gives the last op the name
  // itself, "Conv2D" gives <name>/Conv2D. An op whose inputs are all constant is evaluated at once
  // if its result is small enough (MayFold), so chains of shape arithmetic become constants.
  Emitted Emit(const OpAttrs& attrs, const Operands& inputs, std::string_view suffix = "");
  // All outputs of an op that has several.
  absl::StatusOr<std::vector<Output>> EmitAll(const OpAttrs& attrs, const Operands& inputs,
                                              std::string_view suffix = "");
  // Takes its bytes from the room for constants, which may fall below 0: the walk checks that after
  // each node.
  Output AddConstant(Constant value, std::string_view suffix = "");
  // A constant of one dimension.
  template <typename T>
  Output AddVector(std::vector<T> values, std::string_view suffix = "") {
    const Shape shape = {static_cast<int64_t>(values.size())};
    return AddConstant(Constant::Of<T>(shape, std::move(values)), suffix);
  }
  // A constant of strings, which only ops on hash tables can read.
  Emitted AddStrings(StringTensor strings, std::string_view suffix = "");
  // A constant scalar of `dtype` (any but f16).
  Output AddScalar(DType dtype, double value, std::string_view suffix = "");

  // How many blocks of words (i64 [1]) the generator of this stateful op has produced before; from
  // now on it is `blocks` more.
  Emitted TakeBlocks(const Emitted& blocks);
  // The name of the node that this one is a copy of, the same for all iterations of a loop; else
  // its own.
  const std::string& origin() const { return state_.generators.Origin(node_); }

  // Replaces the node by the functions that it calls.
  absl::Status ExpandControlFlow();
  // Output `output` stands for `list` from now on. The node stays in the graph, so that its readers
  // can refer to the output.
  absl::Status KeepAsList(int output, TensorList list);
  // Readers of one output read `value` instead. The node stays.
  void ReplaceOutput(int output, Output value) { graph_.ReplaceUses({&node_, output}, value); }
  // Lets the readers of the node's outputs read `outputs` and removes the node: call it last. An
  // output that nothing reads may be empty. Returns the error that kept an output from being made.
  absl::Status Replace(const Operands& outputs);
  absl::Status Replace(const Emitted& output) { return Replace(Operands({output})); }

 private:
  // False once the room for constants is used up, from which ops take a little too. The walk then
  // ends.
  bool TakeRoom(int64_t bytes);
  std::string NameOf(std::string_view suffix) const;
  absl::StatusOr<const tf::AttrValue*> Attr(const char* name, tf::AttrValue::ValueCase want,
                                            const char* type_name) const;
  // Evaluates the op and gives its outputs as constants; false when it has to run on the device.
  bool TryFold(const OpAttrs& attrs, std::span<const Output> inputs, std::string_view suffix,
               std::vector<Output>* outputs);

  Output AddConstantNode(Constant value, std::string_view suffix);

  // The type of a tensor of pairs as one of numbers; nullptr for all others, and for every tensor
  // before SeeNumbers.
  const TensorType* FindNumbers(Output value) const;
  void AddNumbers(Output pairs);
  // EmitAll on the pairs behind what looks like numbers.
  absl::StatusOr<std::vector<Output>> EmitOnPairs(const OpAttrs& attrs, std::vector<Output> inputs,
                                                  std::string_view suffix);
  absl::StatusOr<std::vector<Output>> EmitOnTensors(const OpAttrs& attrs,
                                                    const std::vector<Output>& inputs,
                                                    std::string_view suffix);

  Graph& graph_;
  Node& node_;
  LegalizeState& state_;
  int num_ops_ = 0;                                    // in place of the node
  std::map<std::pair<int, int>, TensorType> numbers_;  // by node id and output
};

}  // namespace linnet::converter
