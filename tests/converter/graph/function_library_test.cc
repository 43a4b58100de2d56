// SPDX-License-Identifier: Apache-2.0
#include "converter/graph/function_library.h"

#include <gtest/gtest.h>

#include "tests/converter/graph/test_ops.h"

namespace linnet::converter {
namespace {

tf::FunctionDef Function(std::string name, std::string body_op = "NoOp") {
  tf::FunctionDef f;
  f.mutable_signature()->set_name(std::move(name));
  *f.add_node_def() = Def("n", std::move(body_op));
  return f;
}

tf::GradientDef Gradient(std::string function, std::string gradient) {
  tf::GradientDef g;
  g.set_function_name(std::move(function));
  g.set_gradient_func(std::move(gradient));
  return g;
}

TEST(FunctionLibrary, DuplicatesAndNameClashes) {
  FunctionLibrary library(TestOps());
  EXPECT_TRUE(library.Add(Function("F")).ok());
  EXPECT_TRUE(library.Add(Function("F")).ok());
  EXPECT_EQ(library.num_functions(), 1);
  EXPECT_EQ(
      Message(library.Add(Function("F", "ABC"))),
      "Cannot add function 'F' because a different function with the same name already exists.");
  EXPECT_EQ(Message(library.Add(Function("Add"))),
            "Cannot add function 'Add' because an op with the same name already exists.");
  EXPECT_EQ(library.LookUp("F")->name(), "F");
  EXPECT_EQ(library.LookUp("Add")->name(), "Add");
  EXPECT_EQ(library.LookUp("G"), nullptr);
}

TEST(FunctionLibrary, Gradients) {
  FunctionLibrary library(TestOps());
  EXPECT_TRUE(library.AddGradient(Gradient("F", "A")).ok());
  EXPECT_TRUE(library.AddGradient(Gradient("F", "A")).ok());
  EXPECT_EQ(
      Message(library.AddGradient(Gradient("F", "B"))),
      "Cannot assign gradient function 'B' to 'F' because it already has gradient function 'A'");
  EXPECT_EQ(library.FindGradient("F"), "A");
  EXPECT_EQ(library.FindGradient("G"), "");
}

TEST(FunctionLibrary, AddLibraryIsAtomic) {
  FunctionLibrary library(TestOps());
  EXPECT_TRUE(library.Add(Function("F")).ok());
  tf::FunctionDefLibrary more;
  *more.add_function() = Function("G");
  *more.add_gradient() = Gradient("G", "F");
  *more.add_function() = Function("F", "ABC");
  EXPECT_FALSE(library.AddLibrary(more).ok());
  EXPECT_FALSE(library.Contains("G"));
  EXPECT_EQ(library.FindGradient("G"), "");
}

TEST(FunctionLibrary, ReplaceKeepsTheOldSignatureAlive) {
  FunctionLibrary library(TestOps());
  EXPECT_TRUE(library.Add(Function("F")).ok());
  const tf::OpDef* old = library.LookUp("F");
  EXPECT_TRUE(library.Replace("F", Function("F", "ABC")).ok());
  EXPECT_EQ(old->name(), "F");
  EXPECT_EQ(library.Find("F")->node_def(0).op(), "ABC");
  EXPECT_EQ(library.Replace("G", Function("G")).code(), absl::StatusCode::kNotFound);
}

TEST(FunctionLibrary, ReachableFollowsCallsAndAttributes) {
  FunctionLibrary library(TestOps());
  tf::FunctionDef f = Function("F", "G");
  tf::FunctionDef h = Function("H");
  (*h.mutable_node_def(0)->mutable_attr())["branches"].mutable_list()->add_func()->set_name("F");
  for (const tf::FunctionDef& def : {f, Function("G"), h, Function("unused")})
    EXPECT_TRUE(library.Add(def).ok());
  EXPECT_EQ(library.Reachable({"H", "NoOp"}), (std::vector<std::string>{"F", "G", "H"}));
  EXPECT_EQ(library.ToProto().function_size(), 4);
}

}  // namespace
}  // namespace linnet::converter
