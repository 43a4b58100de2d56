// SPDX-License-Identifier: Apache-2.0
// Inserting a GraphDef into a graph that has nodes: names, devices, versions, and that a failure
// changes nothing.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>

#include "tests/converter/import/insert_fixture.h"
#include "tests/converter/import/insert_graph.h"

namespace linnet::converter {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

const std::string kAThenB =
    "node { name: 'A' op: 'TestInput' } node { name: 'B' op: 'OneInputTwoOutputs' input: 'A' }";
const InsertOptions kUniquify = {.uniquify_names = true, .return_nodes = {"A", "B"}};

// tensorflow/core/common_runtime/graph_constructor_test.cc: GraphConstructorTest.ImportGraphDef
TEST_F(InsertTest, APrefixKeepsApart) {
  ASSERT_EQ(Insert(""), "");
  EXPECT_EQ(graph_.num_edges(), 1);
  const std::string graph_def = R"(
    node { name: "A" op: "TestParams" } node { name: "X" op: "TestParams" }
    node { name: "B" op: "OneInputTwoOutputs" input: "A"
           attr { key: "_class" value { list { s: "loc:@A" s: "other" } } } }
    node { name: "C" op: "OneInputTwoOutputs" input: ["B:1", "^X"] }
    node { name: "D" op: "TestMul" input: ["B:0", "C:0"] })";
  ASSERT_EQ(Insert(graph_def), "");
  EXPECT_EQ(graph_.num_edges(), 9);
  EXPECT_THAT(Insert(graph_def), HasSubstr("Node name 'A' already exists in the Graph"));
  ASSERT_EQ(Insert(graph_def, {.prefix = "import"}), "");
  EXPECT_EQ(graph_.num_edges(), 17);
  EXPECT_EQ(Text(), R"(A = tf.TestParams()
X = tf.TestParams()
B = tf.OneInputTwoOutputs(A) {_class: ["loc:@A", "other"]}
C = tf.OneInputTwoOutputs(B:1, ^X)
D = tf.TestMul(B, C)
import/A = tf.TestParams()
import/X = tf.TestParams()
import/B = tf.OneInputTwoOutputs(import/A) {_class: ["loc:@import/A", "other"]}
import/C = tf.OneInputTwoOutputs(import/B:1, ^import/X)
import/D = tf.TestMul(import/B, import/C)
)");
  EXPECT_THAT(Insert(graph_def, {.prefix = "import/"}),
              HasSubstr("Node name 'import/A' already exists in the Graph"))
      << "TensorFlow would take it twice";
}

// tensorflow/core/common_runtime/graph_constructor_test.cc:
// GraphConstructorTest.ImportGraphDef_UniquifyNames
TEST_F(InsertTest, TakenNamesGetNumbers) {
  ASSERT_EQ(Insert(kAThenB, kUniquify), "");
  EXPECT_EQ(Nodes(), "A, B");
  for (const char* names : {"A_1, B_1", "A_2, B_2"}) {
    ASSERT_EQ(Insert(kAThenB, kUniquify), "");
    EXPECT_EQ(Nodes(), names);
    EXPECT_EQ(inserted_.nodes[1]->input(0), (Output{inserted_.nodes[0], 0}));
  }
  InsertOptions options = kUniquify;
  options.prefix = "A";
  options.uniquify_prefix = true;
  ASSERT_EQ(Insert(kAThenB, options), "");
  EXPECT_EQ(Nodes(), "A_3/A, A_3/B");
  ASSERT_EQ(Insert("node { name: 'B_3' op: 'TestInput' }"), "");

  options.uniquify_prefix = false;
  for (const char* names : {"A/A, A/B", "A/A_1, A/B_1"}) {
    ASSERT_EQ(Insert(kAThenB, options), "");
    EXPECT_EQ(Nodes(), names);
  }
  options = kUniquify;
  options.return_nodes = {"A_1", "B_1"};
  ASSERT_EQ(Insert("node { name: 'A_1' op: 'TestInput' }"
                   "node { name: 'B_1' op: 'OneInputTwoOutputs' input: 'A_1:0' }",
                   options),
            "");
  EXPECT_EQ(Nodes(), "A_1_1, B_1_1");

  options.return_nodes = {"A", "A_4", "B", "B_4/B"};
  ASSERT_EQ(Insert(R"(node { name: "A" op: "TestInput" } node { name: "A_4" op: "TestInput" }
                      node { name: "B" op: "OneInputTwoOutputs" input: "A" }
                      node { name: "B_4/B" op: "OneInputTwoOutputs" input: "A_4" })",
                   options),
            "");
  EXPECT_EQ(Nodes(), "A_5, A_4, B_5, B_4/B") << "free in the graph and among what comes";
  EXPECT_EQ(inserted_.nodes[2]->input(0).node, inserted_.nodes[0]);
  EXPECT_EQ(inserted_.nodes[3]->input(0).node, inserted_.nodes[1]);
}

// tensorflow/core/common_runtime/graph_constructor_test.cc:
// GraphConstructorTest.ImportGraphDef_UniquifyNames, of scopes and of mapped inputs
TEST_F(InsertTest, ScopesAreTakenNames) {
  ASSERT_EQ(Insert("node { name: 'foo/abc' op: 'ABC' } node { name: 'outer/inner/abc' op: 'ABC' }"),
            "");
  ASSERT_EQ(Insert("node { name: 'foo' op: 'TestInput' }",
                   {.uniquify_names = true, .return_nodes = {"foo"}}),
            "");
  EXPECT_EQ(Nodes(), "foo_1");
  EXPECT_EQ(Insert("node { name: 'foo' op: 'TestInput' }"),
            "Node name 'foo' already exists in the Graph");
  ASSERT_EQ(Insert(R"(node { name: "outer" op: "TestInput" } node { name: "inner" op: "TestInput" }
                node { name: "abc" op: "TestInput" } node { name: "outer/inner" op: "TestInput" }
                node { name: "outer/inner/abc" op: "TestInput" })",
                   {.uniquify_names = true,
                    .return_nodes = {"outer", "inner", "abc", "outer/inner", "outer/inner/abc"}}),
            "");
  EXPECT_EQ(Nodes(), "outer_1, inner, abc, outer/inner_1, outer/inner/abc_1");

  ASSERT_EQ(Insert(kAThenB, kUniquify), "");
  InsertOptions options = kUniquify;
  options.input_map = {{{"A", 0}, {"A", 0}}, {{"B", 0}, {"B", 0}}};
  ASSERT_EQ(Insert(kAThenB, options), "");
  EXPECT_EQ(Nodes(), "A_1, B_1");
  EXPECT_EQ(inserted_.nodes[1]->input(0).node->name(), "A") << "as mapped, not as renamed";
}

TEST_F(InsertTest, NumbersBelowAPrefixAreFreeAmongWhatComes) {
  ASSERT_EQ(Insert("node { name: 'p/A' op: 'ABC' }"), "");
  ASSERT_EQ(Insert("node { name: 'A' op: 'ABC' } node { name: 'A_1' op: 'ABC' }",
                   {.prefix = "p", .uniquify_names = true, .return_nodes = {"A", "A_1"}}),
            "");
  EXPECT_EQ(Nodes(), "p/A_2, p/A_1");
}

// tensorflow/core/common_runtime/graph_constructor_test.cc:
// GraphConstructorTest.ImportGraphDef_UniquifyNames_ColocationGroups
TEST_F(InsertTest, ColocationGroupsFollowTheirNames) {
  const auto a_then_b = [](const std::string& of_a, const std::string& of_b) {
    const auto group = [](const std::string& name) {
      return name.empty() ? "" : "attr { key: '_class' value { list { s: 'loc:@" + name + "' } } }";
    };
    return "node { name: 'A' op: 'TestInput' " + group(of_a) +
           " } node { name: 'B' op: 'OneInputTwoOutputs' input: 'A:0' " + group(of_b) + "}";
  };
  const auto group_of = [&](int node) {
    return inserted_.nodes[node]->FindAttr("_class")->list().s(0);
  };
  ASSERT_EQ(Insert(kAThenB), "");
  ASSERT_EQ(Insert(a_then_b("", "A"), kUniquify), "");
  EXPECT_EQ(group_of(1), "loc:@A_1");
  ASSERT_EQ(Insert(a_then_b("B", ""), kUniquify), "");
  EXPECT_EQ(group_of(0), "loc:@B_2") << "also of a node that comes later";
  ASSERT_EQ(Insert(a_then_b("B", "B"), kUniquify), "");
  EXPECT_EQ(group_of(0), "loc:@B_3");
  EXPECT_EQ(group_of(1), "loc:@B_3");
}

// tensorflow/core/common_runtime/graph_constructor_test.cc:
// GraphConstructorTest.ImportGraphDef_ErrorsDoNoChangeTheGraph
TEST_F(InsertTest, AFailureLeavesNoTrace) {
  const std::string scope_a = "node { name: 'scope/A' op: 'TestParams' }";
  ASSERT_EQ(Insert(scope_a + "versions { producer: 20 }"), "");
  const struct {
    std::string graph_def, prefix, error;
  } kCases[] = {
      {scope_a, "", "Node name 'scope/A' already exists in the Graph"},
      {"node { name: '!B' op: 'TestParams' }", "",
       "Node '!B': Node name contains invalid characters"},
      {"node { name: '_B' op: 'TestParams' }", "",
       "Node '_B': Node name contains invalid characters"},
      {scope_a, "!bad_prefix",
       "Imported node name prefix '!bad_prefix/' would lead to invalid node names"},
      {scope_a, "/", "Imported node name prefix '/' would lead to invalid node names"},
      {"node { name: 'B' op: 'SomeUnknownOp' }", "import",
       "Op type not registered 'SomeUnknownOp'"},
      {"node { name: 'B' op: 'OneInputTwoOutputs' input: 'C' }", "import",
       "Node 'B': Unknown input node 'C'"},
      {R"(node { name: "Root" op: "TestParams" }
          node { name: "Integer" op: "TestOneInputOneOutput" input: "Root"
                 attr { key: "T" value { type: DT_INT64 } } })",
       "import",
       "Input 0 of node import/Integer was passed float from import/Root:0 incompatible with "
       "expected int64"},
      {R"(node { name: "A" op: "TestParams" } node { name: "B" op: "OneInputTwoOutputs" input: "A:1" })",
       "import", "Node 'B': Connecting to invalid output 1 of source node A which has 1 outputs"},
      {R"(node { name: "A" op: "TestParams" } node { name: "B" op: "TestParams" }
          node { name: "C" op: "OneInputTwoOutputs" input: ["A", "B"] })",
       "import", "do not match 2 inputs specified"},
      {"node { name: 'A' op: 'OneInputTwoOutputs' }", "import", "do not match 0 inputs specified"},
      {"node { name: 'A' op: 'TestParams' attr { key: '_class' value { list { s: 'loc:@B' } } } }",
       "import", "Node 'A' expects to be colocated with unknown node 'B'"},
      {"node { name: 'A' op: 'TestParams' } node { name: 'B' op: 'TestMul' input: ['A', 'B'] }",
       "import", "1 nodes in a cycle: 'B'"},
      {"node { name: 'A' op: 'TestParams' } versions { min_consumer: 2475 producer: 3 }", "import",
       "GraphDef min consumer version 2475 above current version 2474"},
  };
  for (const auto& [graph_def, prefix, error] : kCases) {
    EXPECT_THAT(Insert(graph_def, {.prefix = prefix}), HasSubstr(error)) << graph_def;
    EXPECT_EQ(Text(), "scope/A = tf.TestParams()\n") << graph_def;
    EXPECT_EQ(graph_.num_nodes(), 3) << graph_def;
    EXPECT_EQ(graph_.num_edges(), 3) << graph_def;
    EXPECT_EQ(graph_.versions().producer(), 20) << graph_def;
  }
}

// tensorflow/core/common_runtime/graph_constructor_test.cc:
// GraphConstructorTest.ImportGraphDef_ValidateColocationConstraints
TEST_F(InsertTest, ColocationWithMissingNodesMayBeAccepted) {
  const std::string graph_def =
      "node { name: 'A' op: 'TestInput' attr { key: '_class' value { list { s: 'loc:@missing' } } "
      "} }";
  EXPECT_THAT(Insert(graph_def), HasSubstr("colocated with unknown node 'missing'"));
  EXPECT_EQ(Insert(graph_def, {.validate_colocation = false}), "");
}

// tensorflow/core/common_runtime/graph_constructor_test.cc:
// GraphConstructorTest.ImportGraphDef_DefaultAttrs
TEST_F(InsertTest, DefaultsAreFilledIn) {
  ASSERT_EQ(Insert("node { name: 'A' op: 'TestDefaultAttr' }"), "");
  EXPECT_EQ(graph_.FindNode("A")->FindAttr("default_int")->i(), 31415);
}

// tensorflow/core/common_runtime/graph_constructor_test.cc:
// GraphConstructorTest.ImportGraphDef_ValidateDefaultDevice
TEST_F(InsertTest, TheDefaultDeviceIsForNodesWithoutOne) {
  ASSERT_EQ(Insert("node { name: 'old' op: 'TestParams' }"), "");
  ASSERT_EQ(Insert("node { name: 'A' op: 'TestParams' }"
                   "node { name: 'B' op: 'TestParams' device: '/device:CPU:1' }",
                   {.default_device = "/device:CPU:0"}),
            "");
  EXPECT_EQ(Text(),
            "old = tf.TestParams()\nA = tf.TestParams() @\"/device:CPU:0\"\n"
            "B = tf.TestParams() @\"/device:CPU:1\"\n");
}

std::array<int, 2> Both(const tf::VersionDef& versions) {
  return {versions.producer(), versions.min_consumer()};
}

// tensorflow/core/common_runtime/graph_constructor_test.cc:
// GraphConstructorTest.GraphDefVersionMergingDuringImport
// TensorFlow graph row 22: versions
TEST_F(InsertTest, VersionsMerge) {
  ASSERT_EQ(Insert("versions { producer: 15 min_consumer: 5 bad_consumers: [2, 3] }"), "");
  EXPECT_THAT(Both(graph_.versions()), ElementsAre(15, 5));
  EXPECT_THAT(graph_.versions().bad_consumers(), ElementsAre(2, 3));
  ASSERT_EQ(Insert("versions { producer: 10 min_consumer: 8 bad_consumers: [1, 3] }"), "");
  EXPECT_THAT(Both(graph_.versions()), ElementsAre(10, 8));
  EXPECT_THAT(graph_.versions().bad_consumers(), ElementsAre(1, 2, 3));
  ASSERT_EQ(Insert("versions { producer: 20 min_consumer: 7 }"), "");
  EXPECT_THAT(Both(graph_.versions()), ElementsAre(10, 8));
  EXPECT_THAT(graph_.versions().bad_consumers(), ElementsAre(1, 2, 3));
}

// tensorflow/core/common_runtime/graph_constructor_test.cc:
// GraphConstructorTest.ImportGraphDef_Versioning, what it accepts
TEST_F(InsertTest, OtherConsumersMayBeBad) {
  ASSERT_EQ(Insert("versions { min_consumer: 2 bad_consumers: 2473 }"), "");
  EXPECT_EQ(graph_.versions().min_consumer(), 2);
  EXPECT_THAT(graph_.versions().bad_consumers(), ElementsAre(2473));
  EXPECT_THAT(Insert("versions { bad_consumers: 2474 }"), HasSubstr("disallows consumer version"));
}

}  // namespace
}  // namespace linnet::converter
