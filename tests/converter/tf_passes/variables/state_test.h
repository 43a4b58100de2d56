// SPDX-License-Identifier: Apache-2.0
#pragma once
// Models that assign variables, as text, and what they compute over several runs.
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "converter/graph/constant.h"
#include "converter/graph/graph.h"
#include "gmock/gmock.h"

namespace linnet::converter {

class StateTest : public ::testing::Test {
 protected:
  // A function's body as text. Its arguments are its `arg`s and, for handles, the VarHandleOps
  // called "arg..", in the order of the text; its results the `ret`s.
  void Function(std::string name, std::string body) {
    functions_.push_back({std::move(name), std::move(body)});
  }

  // Through the whole pipeline; "" or what is wrong. The variables a = 10, b = -3, n = 0, an int32,
  // and all whose names begin with v = 0 have values to begin with.
  std::string Convert(const std::string& text);

  // The outputs of one more run, by index; `fed`: by the arg's name.
  std::vector<float> Run(const std::map<std::string, float>& fed = {});

  // What a variable held when the last run was done.
  float State(const std::string& name) const;

 private:
  struct TextFunction {
    std::string name, body;
  };
  static void AddFunction(const TextFunction& text, Graph* graph);

  std::vector<TextFunction> functions_;
  std::unique_ptr<Graph> graph_;
  std::map<std::string, Constant> states_;
};

// `nodes` behind the arguments x, p (bool) and k (i32), and the handles of a and b.
std::string Model(std::string_view nodes);

inline constexpr char kArgA[] = "arg_a = tf.VarHandleOp() {dtype: DT_FLOAT, shape: shape[]}\n";
inline constexpr char kArgB[] = "arg_b = tf.VarHandleOp() {dtype: DT_FLOAT, shape: shape[]}\n";

// Bodies of functions of a variable that return what it holds: as it is, and when `added` is.
std::string ReadsA();
std::string AddsToA(int added);

}  // namespace linnet::converter
