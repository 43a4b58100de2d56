// SPDX-License-Identifier: Apache-2.0
#include "converter/graph/algorithm.h"
#include "converter/graph/tensorflow/function_library.h"
#include "converter/graph/tensorflow/op_binding.h"
#include "converter/graph/tensorflow/op_registry.h"
#include "converter/graph/text/attrs_text.h"
#include "converter/graph/text/constant_text.h"
#include "converter/graph/text/text.h"
#include "converter/graph/text/text_lexer.h"
#include "converter/graph/text/tf_attrs_text.h"
#include "fmt/format.h"

namespace linnet::converter {
namespace {

// An input as it is written. A TensorFlow node may read nodes that come later (loops).
struct InputRef {
  std::string name;
  int slot = 0;
};

class GraphParser {
 public:
  GraphParser(TextLexer* lexer, Graph* graph, int depth = 0)
      : lexer_(*lexer), graph_(*graph), depth_(depth) {}

  // Parses to the end of the text, or of the region.
  absl::Status Parse() {
    while (lexer_.kind() != TextLexer::Kind::kEnd && !(depth_ > 0 && lexer_.Is(']'))) {
      const int line = lexer_.line();
      if (absl::Status s = ParseNode(); !s.ok()) return At(line, s);
    }
    for (const Pending& p : pending_) {
      Node* src = graph_.FindNode(p.input.name);
      if (src == nullptr)
        return At(p.line,
                  absl::InvalidArgumentError(fmt::format("there is no node '{}'", p.input.name)));
      if (absl::Status s = Connect(src, p.input.slot, p.dst, p.dst_input); !s.ok())
        return At(p.line, s);
    }
    FixupSourceAndSinkEdges(&graph_);
    return absl::OkStatus();
  }

 private:
  struct Pending {
    InputRef input;
    Node* dst;
    int dst_input;
    int line;
  };

  static absl::Status At(int line, const absl::Status& s) {
    if (s.message().substr(0, 5) == "line ") return s;  // inside a region
    return absl::InvalidArgumentError(fmt::format("line {}: {}", line, std::string(s.message())));
  }

  absl::Status ParseNode() {
    std::string name, op;
    LINNET_RETURN_IF_ERROR(lexer_.TakeWord("a node's name", &name));
    if (graph_.FindNode(name) != nullptr)
      return absl::InvalidArgumentError(fmt::format("there are two nodes '{}'", name));
    LINNET_RETURN_IF_ERROR(lexer_.Expect('='));
    LINNET_RETURN_IF_ERROR(lexer_.TakeWord("an op", &op));
    Node* node = nullptr;
    if (op == "arg") {
      LINNET_RETURN_IF_ERROR(ParseArg(name, &node));
    } else if (op == "ret") {
      LINNET_RETURN_IF_ERROR(ParseRet(name, &node));
    } else if (op == "const") {
      LINNET_RETURN_IF_ERROR(ParseConst(name, &node));
      if (lexer_.Is('(')) {  // control inputs
        LINNET_RETURN_IF_ERROR(ParseInputs(name));
        LINNET_RETURN_IF_ERROR(ConnectAll(node));
      }
    } else if (op.starts_with("tf.")) {
      LINNET_RETURN_IF_ERROR(ParseTfNode(name, op.substr(3), &node));
    } else if (op == "While" || op == "If") {
      LINNET_RETURN_IF_ERROR(ParseStructured(name, op, &node));
    } else {
      LINNET_RETURN_IF_ERROR(ParseOp(name, op, &node));
    }
    if (!lexer_.Take('@')) return absl::OkStatus();
    std::string device;
    LINNET_RETURN_IF_ERROR(lexer_.TakeWord("a device", &device));
    node->set_requested_device(device);
    return absl::OkStatus();
  }

  absl::Status ParseArg(const std::string& name, Node** node) {
    int64_t index = args_;
    if (int64_t written = 0;
        lexer_.kind() == TextLexer::Kind::kWord && ToInt(lexer_.token(), &written)) {
      index = written;
      lexer_.Advance();
    }
    TensorType type;
    LINNET_RETURN_IF_ERROR(ParseType(lexer_, &type));
    *node = graph_.AddArg(name, static_cast<int>(index), type);
    ++args_;
    return absl::OkStatus();
  }

  absl::Status ParseRet(const std::string& name, Node** node) {
    int64_t index = rets_;
    if (!lexer_.Is('(')) LINNET_RETURN_IF_ERROR(lexer_.TakeInt(&index));
    LINNET_RETURN_IF_ERROR(ParseInputs(name));
    if (inputs_.empty() || inputs_[0].slot == kControlSlot)
      return absl::InvalidArgumentError("ret wants one input");
    absl::StatusOr<Output> value = Resolve(inputs_[0]);
    if (!value.ok()) return value.status();
    *node = graph_.AddRetval(name, static_cast<int>(index), *value);
    ++rets_;
    inputs_.erase(inputs_.begin());
    return ConnectAll(*node, 1);
  }

  absl::Status ParseConst(const std::string& name, Node** node) {
    TensorType type;
    LINNET_RETURN_IF_ERROR(ParseType(lexer_, &type));
    ValueSpec spec;
    LINNET_RETURN_IF_ERROR(ParseValue(lexer_, &spec));
    absl::StatusOr<Constant> value = MakeConstant(type, spec);
    if (!value.ok()) return value.status();
    *node = graph_.AddConstant(name, *std::move(value));
    return absl::OkStatus();
  }

  // (a, b:1, const i32[2] {0, 1}, ^c) into inputs_: constants written inside become nodes
  // <name>/const_<slot>.
  absl::Status ParseInputs(const std::string& name) {
    inputs_.clear();
    return lexer_.TakeList('(', ')', [&] {
      InputRef input;
      if (lexer_.Take('^')) input.slot = kControlSlot;
      const bool quoted = lexer_.kind() == TextLexer::Kind::kString;
      LINNET_RETURN_IF_ERROR(lexer_.TakeWord("an input", &input.name));
      if (!quoted && input.name == "const" && input.slot == 0) {
        Node* constant = nullptr;
        input.name = graph_.UniqueName(fmt::format("{}/const_{}", name, inputs_.size()));
        LINNET_RETURN_IF_ERROR(ParseConst(input.name, &constant));
      } else if (lexer_.Take(':')) {
        int64_t slot = 0;
        LINNET_RETURN_IF_ERROR(lexer_.TakeInt(&slot));
        if (slot < 0 || slot > 1 << 20) return absl::InvalidArgumentError("no such output slot");
        input.slot = static_cast<int>(slot);
      }
      inputs_.push_back(std::move(input));
      return absl::OkStatus();
    });
  }

  absl::StatusOr<Output> Resolve(const InputRef& input) const {
    Node* node = graph_.FindNode(input.name);
    if (node == nullptr)
      return absl::InvalidArgumentError(
          fmt::format("there is no node '{}' before this line", input.name));
    if (input.slot >= node->num_outputs())
      return absl::InvalidArgumentError(fmt::format("'{}' has {} outputs, no output {}", input.name,
                                                    node->num_outputs(), input.slot));
    return Output{node, input.slot};
  }

  absl::Status Connect(Node* src, int slot, Node* dst, int dst_input) {
    if (slot == kControlSlot) {
      graph_.AddControlEdge(src, dst);
      return absl::OkStatus();
    }
    if (slot >= src->num_outputs())
      return absl::InvalidArgumentError(
          fmt::format("'{}' has {} outputs, no output {}", src->name(), src->num_outputs(), slot));
    graph_.AddEdge(src, slot, dst, dst_input);
    return absl::OkStatus();
  }

  // Connects inputs_ to the data slots from `first` on. Inputs that the text has not defined yet
  // are connected at its end.
  absl::Status ConnectAll(Node* node, int first = 0) {
    for (const InputRef& input : inputs_) {
      const int dst_input = input.slot == kControlSlot ? kControlSlot : first++;
      Node* src = graph_.FindNode(input.name);
      if (src == nullptr)
        pending_.push_back({input, node, dst_input, lexer_.line()});
      else
        LINNET_RETURN_IF_ERROR(Connect(src, input.slot, node, dst_input));
    }
    inputs_.clear();
    return absl::OkStatus();
  }

  // Moves the data inputs, which must be there already, from inputs_ to *outputs.
  absl::Status ResolveInputs(std::vector<Output>* outputs) {
    std::vector<InputRef> controls;
    for (const InputRef& input : inputs_) {
      if (input.slot == kControlSlot) {
        controls.push_back(input);
        continue;
      }
      absl::StatusOr<Output> output = Resolve(input);
      if (!output.ok()) return output.status();
      outputs->push_back(*output);
    }
    inputs_ = std::move(controls);
    return absl::OkStatus();
  }

  // Connects the node that has been added to inputs_ and parses the types behind it.
  absl::Status Finish(const absl::StatusOr<Node*>& added, Node** node) {
    if (!added.ok()) return added.status();
    *node = *added;
    LINNET_RETURN_IF_ERROR(ConnectAll(*node));
    return ParseTypes(*node);
  }

  // While(x, y) [ condition ] [ body ], If(p, x) [ then ] [ else ]
  absl::Status ParseStructured(const std::string& name, std::string_view op, Node** node) {
    LINNET_RETURN_IF_ERROR(ParseInputs(name));
    std::vector<Output> outputs;
    LINNET_RETURN_IF_ERROR(ResolveInputs(&outputs));
    if (depth_ >= kMaxDepth) return absl::InvalidArgumentError("regions are nested too deeply");
    std::vector<std::unique_ptr<Graph>> regions;
    while (lexer_.Take('[')) {
      regions.push_back(std::make_unique<Graph>(&graph_.registry()));
      LINNET_RETURN_IF_ERROR(GraphParser(&lexer_, regions.back().get(), depth_ + 1).Parse());
      LINNET_RETURN_IF_ERROR(lexer_.Expect(']'));
    }
    const NodeClass node_class = op == "While" ? NodeClass::kLinnetWhile : NodeClass::kLinnetIf;
    return Finish(graph_.AddStructured(name, node_class, outputs, std::move(regions)), node);
  }

  absl::Status ParseOp(const std::string& name, const std::string& op, Node** node) {
    OpKind kind;
    if (!FindOpKind(op.c_str(), &kind))
      return absl::InvalidArgumentError(
          fmt::format("'{}' is no Linnet op (TensorFlow's are written tf.{})", op, op));
    LINNET_RETURN_IF_ERROR(ParseInputs(name));
    absl::StatusOr<OpAttrs> attrs =
        AttrsFromText(kind, lexer_.Is('{') ? lexer_.TakeBraces() : "{}");
    if (!attrs.ok()) return attrs.status();
    std::vector<Output> outputs;
    LINNET_RETURN_IF_ERROR(ResolveInputs(&outputs));
    return Finish(graph_.AddOp(name, *attrs, outputs), node);
  }

  // `: f32[1], f32[2]`: a Linnet op must have these types already; a TensorFlow op gets them.
  absl::Status ParseTypes(Node* node) {
    if (!lexer_.Take(':')) return absl::OkStatus();
    for (int i = 0; i == 0 || lexer_.Take(','); ++i) {
      TensorType type;
      LINNET_RETURN_IF_ERROR(ParseType(lexer_, &type));
      if (i >= node->num_outputs())
        return absl::InvalidArgumentError(
            fmt::format("'{}' has {} outputs", node->name(), node->num_outputs()));
      if (node->node_class() != NodeClass::kOp && !node->IsStructured())
        node->set_type(i, type);
      else if (type != node->type(i))
        return absl::InvalidArgumentError(fmt::format("output {} of '{}' is {}, the text says {}",
                                                      i, node->name(), TypeText(node->type(i)),
                                                      TypeText(type)));
    }
    return absl::OkStatus();
  }

  absl::Status ParseTfNode(const std::string& name, const std::string& op, Node** node) {
    const tf::OpDef* op_def = graph_.functions().LookUp(op);
    if (op_def == nullptr) return OpNotRegistered(op);
    LINNET_RETURN_IF_ERROR(ParseInputs(name));
    tf::NodeDef def;
    def.set_name(name);
    def.set_op(op);
    if (lexer_.Is('{')) LINNET_RETURN_IF_ERROR(ParseTfAttrs(lexer_, *op_def, &def));
    std::vector<tf::DataType> types;
    for (const InputRef& input : inputs_) {
      if (input.slot == kControlSlot) continue;
      const Node* src = graph_.FindNode(input.name);
      types.push_back(src == nullptr ? tf::DT_INVALID : src->tf_output_type(input.slot));
    }
    InferAttrsFromInputs(*op_def, types, &def);
    AddDefaults(*op_def, &def);
    const absl::StatusOr<Node*> added = graph_.AddNode(def);
    if (added.ok() && types.size() > static_cast<size_t>((*added)->num_inputs()))
      return absl::InvalidArgumentError(
          fmt::format("'{}' takes {} inputs, not {}", name, (*added)->num_inputs(), types.size()));
    return Finish(added, node);
  }

  static constexpr int kMaxDepth = 16;

  TextLexer& lexer_;
  Graph& graph_;
  const int depth_;
  std::vector<InputRef> inputs_;
  std::vector<Pending> pending_;
  int64_t args_ = 0, rets_ = 0;
};

}  // namespace

absl::Status ParseGraph(std::string_view text, Graph* graph) {
  TextLexer lexer(text);
  return GraphParser(&lexer, graph).Parse();
}

absl::StatusOr<std::unique_ptr<Graph>> ParseGraph(std::string_view text,
                                                  const OpRegistry* registry) {
  auto graph = std::make_unique<Graph>(registry == nullptr ? OpRegistry::Global() : registry);
  if (absl::Status s = ParseGraph(text, graph.get()); !s.ok()) return s;
  return graph;
}

}  // namespace linnet::converter
