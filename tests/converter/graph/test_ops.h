// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <gtest/gtest.h>

#include <string>

#include "converter/graph/graph.h"
#include "converter/graph/tensorflow/op_registry.h"

namespace linnet::converter {

// The private ops that TensorFlow's own graph tests register, on top of the real ones.
inline const OpRegistry* TestOps() {
  static const OpRegistry* const kOps = [] {
    auto* table = new OpTable(OpRegistry::Global());
    const absl::Status s = table->AddText(R"(
      op { name: "ABC" }
      op { name: "TestParams" output_arg { name: "o" type: DT_FLOAT } }
      op { name: "TestInput" output_arg { name: "a" type: DT_FLOAT } output_arg { name: "b" type: DT_FLOAT } }
      op { name: "TestMul" input_arg { name: "a" type: DT_FLOAT } input_arg { name: "b" type: DT_FLOAT }
           output_arg { name: "o" type: DT_FLOAT } }
      op { name: "TestRelu" input_arg { name: "i" type: DT_FLOAT } output_arg { name: "o" type: DT_FLOAT } }
      op { name: "TestInt" input_arg { name: "a" type: DT_INT32 } }
      op { name: "OneInput" input_arg { name: "x" type: DT_FLOAT } }
      op { name: "OneOutput" output_arg { name: "y" type: DT_FLOAT } }
      op { name: "OneInputTwoOutputs" input_arg { name: "x" type: DT_FLOAT }
           output_arg { name: "y" type: DT_FLOAT } output_arg { name: "z" type: DT_FLOAT } }
      op { name: "TwoInputsOneOutput" input_arg { name: "x" type: DT_FLOAT } input_arg { name: "y" type: DT_FLOAT }
           output_arg { name: "z" type: DT_FLOAT } }
      op { name: "TestRefIn" input_arg { name: "v" type: DT_FLOAT is_ref: true } }
      op { name: "TestRefOut" output_arg { name: "v" type: DT_FLOAT is_ref: true } }
      op { name: "TestDefaultAttr" attr { name: "default_int" type: "int" default_value { i: 31415 } } }
      op { name: "RequiresCurrentGraphVersion" output_arg { name: "version" type: DT_INT32 } is_stateful: true }
      op { name: "RequiresOlderGraphVersion" output_arg { name: "version" type: DT_INT32 }
           deprecation { version: 100 explanation: "For reasons" } })");
    if (!s.ok()) __builtin_trap();
    return table;
  }();
  return kOps;
}

inline tf::NodeDef Def(std::string name, std::string op, std::vector<std::string> inputs = {}) {
  tf::NodeDef def;
  def.set_name(std::move(name));
  def.set_op(std::move(op));
  for (std::string& input : inputs) def.add_input(std::move(input));
  return def;
}

inline std::string Message(const absl::Status& s) {
  return std::string(s.message().data(), s.message().size());
}

// A fixture with an empty graph of these ops.
class TestOpsGraph : public testing::Test {
 protected:
  Node* Add(std::string name, std::string op) {
    absl::StatusOr<Node*> node = graph_.AddNode(Def(std::move(name), std::move(op)));
    EXPECT_TRUE(node.ok()) << node.status();
    return *node;
  }
  Graph graph_{TestOps()};
};

}  // namespace linnet::converter
