// SPDX-License-Identifier: Apache-2.0
#pragma once
// Models that assign variables, in text form, and their results over several runs.
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
  // Adds a function with this body. Its arguments are its `arg`s and, for handles, the VarHandleOps
  // called "arg..", in the order of the text; its results are the `ret`s.
  void Function(std::string name, std::string body) {
    functions_.push_back({std::move(name), std::move(body)});
  }

  // Converts with the whole pipeline; returns "" or the error. Initial values: a = 10, b = -3, n =
  // 0 (an int32), and 0 for every variable whose name begins with v.
  std::string Convert(const std::string& text);

  // The outputs of one more run, by index; `fed` has the inputs by the arg's name.
  std::vector<float> Run(const std::map<std::string, float>& fed = {});

  // The variable's value after the last run.
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

// `nodes`, after the arguments x, p (bool) and k (i32), and the handles of a and b.
std::string Model(std::string_view nodes);

inline constexpr char kArgA[] = "arg_a = tf.VarHandleOp() {dtype: DT_FLOAT, shape: shape[]}\n";
inline constexpr char kArgB[] = "arg_b = tf.VarHandleOp() {dtype: DT_FLOAT, shape: shape[]}\n";

// Bodies of functions that return the value of a variable: unchanged, and with `added` added.
std::string ReadsA();
std::string AddsToA(int added);

}  // namespace linnet::converter
