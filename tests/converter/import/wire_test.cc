// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "converter/graph/graph_def.h"
#include "converter/graph/text/text.h"
#include "converter/import/import.h"
#include "converter/import/raw_graph.h"
#include "tests/converter/graph/test_ops.h"

namespace linnet::converter {
namespace {

OwnedBytes Owned(std::string text) {
  auto kept = std::make_shared<const std::string>(std::move(text));
  return {std::as_bytes(std::span(*kept)), kept};
}

std::string Serialized(std::string_view text) {
  auto graph = ParseGraph(text, TestOps());
  EXPECT_TRUE(graph.ok()) << graph.status();
  return ToGraphDef(**graph).SerializeAsString();
}

TEST(ReadGraphDef, BigTensorsAreViewsIntoTheFile) {
  const OwnedBytes file =
      Owned(Serialized("big = const f32[1000] seed=1\nsmall = const f32[2] {1, 2}\n"));
  absl::StatusOr<ImportedModel> model = ImportGraphDef(file);
  ASSERT_TRUE(model.ok()) << model.status();
  const Constant& big = model->graph->FindNode("big")->constant();
  EXPECT_GE(big.bytes.data(), file.bytes.data());
  EXPECT_LT(big.bytes.data(), file.bytes.data() + file.bytes.size());
  EXPECT_EQ(big.owner, file.owner);
  auto same = ParseGraph("big = const f32[1000] seed=1");
  EXPECT_TRUE(big.SameAs((*same)->FindNode("big")->constant()));
  EXPECT_EQ(PrintNode(*model->graph->FindNode("small")), "small = const f32[2] {1, 2}");
}

TEST(ReadGraphDef, TheFileLivesAsLongAsItsConstants) {
  Constant kept;
  {
    absl::StatusOr<ImportedModel> model =
        ImportGraphDef(Owned(Serialized("big = const f32[1000] fill=3")));
    ASSERT_TRUE(model.ok());
    kept = model->graph->FindNode("big")->constant();
  }
  EXPECT_EQ(kept.Plain().as<float>()[999], 3.0f);
}

// TensorFlow graph row 28: GraphDef to graph and back
TEST(ReadGraphDef, SameGraphFromWireAndText) {
  const std::string text =
      "x = tf.Placeholder() {dtype: DT_FLOAT, shape: shape[1,8,8,3]}\n"
      "w = const f32[3,3,3,64] seed=1\n"
      "c = tf.Conv2D(x, w) {padding: \"SAME\", strides: [1, 1, 1, 1]}\n"
      "r = tf.Relu(c, ^w)\n";
  absl::StatusOr<ImportedModel> model =
      ImportGraphDef(Owned(Serialized(text)), {.registry = TestOps()});
  ASSERT_TRUE(model.ok()) << model.status();
  EXPECT_EQ(PrintGraph(*model->graph), PrintGraph(**ParseGraph(text, TestOps())));
}

// A tensor attribute with another name, and string tensors, must be read completely.
TEST(ReadGraphDef, BigStringTensorsStayWhole) {
  tf::GraphDef def;
  tf::NodeDef* node = def.add_node();
  *node = Def("s", "Const");
  (*node->mutable_attr())["dtype"].set_type(tf::DT_STRING);
  tf::TensorProto* tensor = (*node->mutable_attr())["value"].mutable_tensor();
  tensor->set_dtype(tf::DT_STRING);
  tensor->mutable_tensor_shape()->add_dim()->set_size(1);
  tensor->add_string_val(std::string(5000, 'x'));
  absl::StatusOr<ImportedModel> model = ImportGraphDef(Owned(def.SerializeAsString()));
  ASSERT_TRUE(model.ok()) << model.status();
  EXPECT_EQ(model->graph->FindNode("s")->FindAttr("value")->tensor().string_val(0).size(), 5000u);
}

TEST(ReadGraphDef, VersionsAndLibrary) {
  tf::GraphDef def;
  def.mutable_versions()->set_producer(808);
  def.mutable_library()->add_function()->mutable_signature()->set_name("F");
  absl::StatusOr<RawGraph> raw = ReadGraphDef(Owned(def.SerializeAsString()));
  ASSERT_TRUE(raw.ok());
  EXPECT_EQ(raw->versions.producer(), 808);
  EXPECT_EQ(raw->library.function_size(), 1);
}

}  // namespace
}  // namespace linnet::converter
