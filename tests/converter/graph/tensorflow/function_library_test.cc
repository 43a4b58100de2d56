// SPDX-License-Identifier: Apache-2.0
#include "converter/graph/tensorflow/function_library.h"

#include <gtest/gtest.h>

#include <set>

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

// tensorflow/core/framework/function_test.cc: FunctionLibraryDefinitionTest.AddFunctionDef
// tensorflow/core/framework/function_test.cc: FunctionLibraryDefinitionTest.LookUp
// TensorFlow graph row 2: functions first, then ops
// TensorFlow graph row 24: function library
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

// tensorflow/core/framework/function_test.cc: FunctionLibraryDefinitionTest.AddGradientDef
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

tf::FunctionDefLibrary Library(const std::vector<tf::FunctionDef>& functions,
                               const std::vector<tf::GradientDef>& gradients) {
  tf::FunctionDefLibrary library;
  for (const tf::FunctionDef& function : functions) *library.add_function() = function;
  for (const tf::GradientDef& gradient : gradients) *library.add_gradient() = gradient;
  return library;
}

constexpr char kDifferentF[] =
    "Cannot add function 'F' because a different function with the same name already exists.";

// Rows: what is added to a library that has the function F and its gradient G, and the error. When
// an addition fails, no part of it is added.
TEST(FunctionLibrary, AllOrNothing) {
  const struct {
    tf::FunctionDefLibrary more;
    std::string error;
  } kCases[] = {
      // tensorflow/core/framework/function_test.cc: FunctionLibraryDefinitionTest.AddLibrary_Atomic
      {Library({Function("H"), Function("H", "ABC")}, {}),
       "Cannot add function 'H' because a different function with the same name already exists."},
      {Library({Function("H"), Function("I")}, {Gradient("H", "I"), Gradient("H", "J")}),
       "Cannot assign gradient function 'J' to 'H' because it already has gradient function 'I'"},
      // tensorflow/core/framework/function_test.cc:
      // FunctionLibraryDefinitionTest.AddLibraryDefinition_Atomic_FuncConflict
      {Library({Function("H"), Function("F", "ABC")}, {Gradient("H", "F")}), kDifferentF},
      // tensorflow/core/framework/function_test.cc:
      // FunctionLibraryDefinitionTest.AddLibraryDefinition_Atomic_GradConflict
      {Library({Function("H"), Function("F")}, {Gradient("H", "F"), Gradient("F", "H")}),
       "Cannot assign gradient function 'H' to 'F' because it already has gradient function 'G'"},
  };
  for (const auto& [more, error] : kCases) {
    FunctionLibrary library(TestOps());
    ASSERT_TRUE(library.AddLibrary(Library({Function("F")}, {Gradient("F", "G")})).ok());
    const absl::Status s = library.AddLibrary(more);
    EXPECT_EQ(s.code(), absl::StatusCode::kInvalidArgument);
    EXPECT_EQ(Message(s), error);
    EXPECT_EQ(library.names(), std::vector<std::string>{"F"}) << error;
    EXPECT_EQ(library.ToProto().gradient_size(), 1) << error;
  }
}

// tensorflow/core/framework/function_test.cc: FunctionLibraryDefinitionTest.AddLibrary
// tensorflow/core/graph/graph_test.cc: GraphTest.AddFunctionLibrary
TEST(FunctionLibrary, LibrariesMayBeAddedTwice) {
  FunctionLibrary library(TestOps());
  const tf::FunctionDefLibrary both =
      Library({Function("F"), Function("G")}, {Gradient("F", "Undefined")});
  EXPECT_TRUE(library.AddLibrary(both).ok());
  EXPECT_TRUE(library.AddLibrary(both).ok());
  EXPECT_EQ(library.num_functions(), 2);
  EXPECT_EQ(library.FindGradient("F"), "Undefined");  // the gradient's functions are not looked up
  FunctionLibrary other(TestOps());
  ASSERT_TRUE(other.AddLibrary(Library({Function("H")}, {Gradient("G", "H")})).ok());
  EXPECT_TRUE(library.AddLibrary(other.ToProto()).ok());
  EXPECT_TRUE(library.AddLibrary(library.ToProto()).ok());
  EXPECT_EQ(library.num_functions(), 3);
  EXPECT_EQ(Message(library.AddLibrary(Library({Function("F", "ABC")}, {}))), kDifferentF);
  EXPECT_EQ(Message(library.AddLibrary(Library({Function("Add")}, {}))),
            "Cannot add function 'Add' because an op with the same name already exists.");
  EXPECT_EQ(Message(library.AddLibrary(Library({}, {Gradient("F", "Undefined2")}))),
            "Cannot assign gradient function 'Undefined2' to 'F' because it already has gradient "
            "function "
            "'Undefined'");
}

// tensorflow/core/framework/function_test.cc: FunctionLibraryDefinitionTest.Contains
// tensorflow/core/framework/function_test.cc: FunctionLibraryDefinitionTest.Find
// tensorflow/core/framework/function_test.cc: FunctionLibraryDefinitionTest.RemoveFunction
TEST(FunctionLibrary, FindAndRemove) {
  FunctionLibrary library(TestOps());
  ASSERT_TRUE(library.Add(Function("F")).ok());
  EXPECT_TRUE(library.Contains("F"));
  EXPECT_FALSE(library.Contains("G"));
  EXPECT_EQ(library.Find("G"), nullptr);
  ASSERT_NE(library.Find("F"), nullptr);
  EXPECT_EQ(library.Find("F")->SerializeAsString(), Function("F").SerializeAsString());
  EXPECT_EQ(Message(library.Remove("G")), "Tried to remove non-existent function 'G'.");
  const tf::OpDef* signature = library.LookUp("F");
  EXPECT_TRUE(library.Remove("F").ok());
  EXPECT_FALSE(library.Contains("F"));
  EXPECT_EQ(signature->name(), "F");  // nodes may still use it
}

// tensorflow/core/framework/function_test.cc: FunctionLibraryDefinitionTest.ToProto
// tensorflow/core/framework/function_test.cc: FunctionLibraryDefinitionTest.ListFunctionNames
TEST(FunctionLibrary, AsAProtoAndBack) {
  FunctionLibrary library(TestOps()), again(TestOps());
  for (const char* name : {"G", "F"}) ASSERT_TRUE(library.Add(Function(name)).ok());
  EXPECT_EQ(library.names(), (std::vector<std::string>{"F", "G"}));
  ASSERT_TRUE(again.AddLibrary(library.ToProto()).ok());
  EXPECT_EQ(again.ToProto().SerializeAsString(), library.ToProto().SerializeAsString());
  EXPECT_EQ(again.LookUp("G")->name(), "G");
}

// Differences that make two functions of one name different functions.
// tensorflow/core/framework/function_test.cc: FunctionDefsEqualTest.TestFunctionDefsEqual
TEST(FunctionLibrary, DifferentFunctions) {
  tf::FunctionDef f = Function("F");
  f.mutable_signature()->add_input_arg()->set_name("x");
  (*f.mutable_ret())["y"] = "n:z:0";
  (*f.mutable_attr())["a"].set_b(true);
  (*f.mutable_attr())["b"].set_i(123);
  FunctionLibrary library(TestOps());
  ASSERT_TRUE(library.Add(f).ok());
  const auto differs = [&](auto change) {
    tf::FunctionDef other = f;
    change(other);
    return Message(library.Add(other)) == kDifferentF;
  };
  EXPECT_FALSE(differs([](tf::FunctionDef&) {}));
  EXPECT_TRUE(differs([](auto& g) { g.mutable_signature()->mutable_input_arg(0)->set_name("z"); }));
  EXPECT_TRUE(differs([](auto& g) { *g.add_node_def() = Def("new", "NoOp"); }));
  EXPECT_TRUE(differs([](auto& g) { (*g.mutable_ret())["y"] = "n:z:1"; }));
  EXPECT_TRUE(differs([](auto& g) { (*g.mutable_attr())["c"].set_b(true); }));
  EXPECT_FALSE(differs([](auto& g) {
    g.mutable_attr()->clear();  // the order of attributes does not matter
    (*g.mutable_attr())["b"].set_i(123);
    (*g.mutable_attr())["a"].set_b(true);
  }));
}

// tensorflow/core/framework/graph_def_util_test.cc: StrippedOpListForGraphTest.NestedFunctionTest
TEST(FunctionLibrary, ReachableEndsInRecursion) {
  for (const bool is_recursive : {false, true}) {
    FunctionLibrary library(TestOps());
    tf::FunctionDef f = Function("F", "ABC"), g = Function("G", "F");
    if (is_recursive) {
      *f.add_node_def() = Def("again", "F");
      *g.add_node_def() = Def("again", "G");
    }
    ASSERT_TRUE(library.Add(f).ok());
    ASSERT_TRUE(library.Add(g).ok());
    EXPECT_EQ(library.Reachable({"G"}), (std::vector<std::string>{"F", "G"}));
    std::set<std::string> known;
    EXPECT_EQ(library.FindCycle("G", &known).empty(), !is_recursive);
  }
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
