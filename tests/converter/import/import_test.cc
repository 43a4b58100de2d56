// SPDX-License-Identifier: Apache-2.0
#include "converter/import/import.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

#include "converter/graph/graph_def.h"
#include "converter/graph/text/text.h"
#include "google/protobuf/text_format.h"
#include "tests/converter/graph/test_ops.h"

namespace linnet::converter {
namespace {

using testing::HasSubstr;

class ImportTest : public testing::Test {
 protected:
  std::filesystem::path Write(const std::string& name, const std::string& content) {
    const std::filesystem::path path = folder_ / name;
    std::ofstream(path, std::ios::binary) << content;
    return path;
  }
  void SetUp() override { std::filesystem::create_directories(folder_); }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  const std::filesystem::path folder_ =
      std::filesystem::path(testing::TempDir()) / ("linnet_import_" + std::to_string(getpid()));
};

tf::GraphDef SmallGraph() {
  auto graph = ParseGraph(
      "x = tf.Placeholder() {dtype: DT_FLOAT, shape: [1,400]}\nw = const f32[400] seed=1\n"
      "y = tf.Mul(x, w)\nz = tf.TopKV2(y, const i32[] 3)\nn = tf.NoOp(^w)\n");
  EXPECT_TRUE(graph.ok()) << graph.status();
  return ToGraphDef(**graph);
}

TEST_F(ImportTest, FormatsAreToldApartByContent) {
  std::string text;
  google::protobuf::TextFormat::PrintToString(SmallGraph(), &text);
  const auto binary = ImportModel(Write("model.txt", SmallGraph().SerializeAsString()));
  ASSERT_TRUE(binary.ok()) << binary.status();
  EXPECT_EQ(binary->format, "graphdef");
  const auto pbtxt = ImportModel(Write("model.pb", "# a comment\n" + text));
  ASSERT_TRUE(pbtxt.ok()) << pbtxt.status();
  EXPECT_EQ(pbtxt->format, "pbtxt");
  EXPECT_EQ(PrintGraph(*binary->graph), PrintGraph(*pbtxt->graph));
  const auto json =
      ImportModel(Write("m", R"({"modelTopology":{"node":[{"name":"a","op":"NoOp"}]}})"));
  ASSERT_TRUE(json.ok()) << json.status();
  EXPECT_EQ(json->format, "tfjs");
}

TEST_F(ImportTest, FilesOfOtherKinds) {
  using namespace std::string_literals;
  const auto message = [&](const std::string& content) {
    return std::string(ImportModel(Write("m.pb", content)).status().message());
  };
  EXPECT_THAT(message("\x89HDF\r\n\x1a\nrest"), HasSubstr("in HDF5: export it with Keras"));
  EXPECT_THAT(message("PK\x03\x04\x14\0 metadata.json"s), HasSubstr("a Keras model: export it"));
  EXPECT_THAT(message("PK\x03\x04\x14\0 archive/data.pkl"s), HasSubstr("a PyTorch model"));
  EXPECT_THAT(message("PK\x03\x04\x14\0 readme"s), HasSubstr("a zip archive"));
  EXPECT_THAT(message("\x1c\0\0\0TFL3 and more"s), HasSubstr("a TensorFlow Lite model"));
  EXPECT_THAT(message("\x1f\x8b\x08rest"), HasSubstr("compressed with gzip, but damaged"));
  EXPECT_THAT(message(std::string(257, 'm') + "ustar"), HasSubstr("a tar archive"));
  EXPECT_THAT(message("\x08\x08\x12\x07pytorch"), HasSubstr("an ONNX model"));
  EXPECT_THAT(message(""), HasSubstr("an empty file"));
  EXPECT_THAT(message("version https://git-lfs.github.com/spec/v1\n"), HasSubstr("git lfs pull"));
  EXPECT_THAT(message("{\"class_name\": \"Functional\"}"), HasSubstr("a Keras model's layers"));
  EXPECT_THAT(message("\1table\x57\xfb\x80\x8b\x24\x75\x47\xdb"),
              HasSubstr("the index of a checkpoint"));
  EXPECT_THAT(message("model_checkpoint_path: \"model.ckpt-7\""), HasSubstr("without a graph"));
}

TEST_F(ImportTest, Folders) {
  const auto message = [&] { return std::string(ImportModel(folder_).status().message()); };
  EXPECT_THAT(message(), HasSubstr("no SavedModel"));
  Write("checkpoint", "model_checkpoint_path: \"m\"");
  EXPECT_THAT(message(), HasSubstr("it has a checkpoint"));
  Write("config.json", "{}");
  EXPECT_THAT(message(), HasSubstr("it looks like a Keras model"));
  Write("model.json", R"({"modelTopology":{"node":[{"name":"a","op":"NoOp"}]}})");
  const auto model = ImportModel(folder_);
  ASSERT_TRUE(model.ok()) << model.status();
  EXPECT_EQ(model->format, "tfjs");
}

TEST_F(ImportTest, NamesAndStringsAreNoOutputs) {
  auto graph = ParseGraph(
      "x = tf.Placeholder() {dtype: DT_FLOAT, shape: [4]}\n"
      "training = tf.Placeholder() {dtype: DT_BOOL, shape: []}\n"
      "switch = tf.Switch(x, training)\nswitch_t = tf.Identity(switch:1)\n"
      "switch_f = tf.Identity(switch)\ny = tf.Neg(x)\n"
      "step = tf.VariableV2() {dtype: DT_INT64, shape: []}\nread = tf.Identity(step)\n"
      "file = tf.Placeholder() {dtype: DT_STRING, shape: []}\nsaved = tf.StringLower(file)\n");
  ASSERT_TRUE(graph.ok()) << graph.status();
  const auto model = ImportModel(Write("m.pb", ToGraphDef(**graph).SerializeAsString()));
  ASSERT_TRUE(model.ok()) << model.status();
  ASSERT_EQ(model->signatures.at(0).outputs.size(), 1u);
  EXPECT_EQ(model->signatures.at(0).outputs[0].tensor, "y");
}

TEST_F(ImportTest, SignatureOfAModelWithoutOne) {
  const auto model = ImportModel(Write("m.pb", SmallGraph().SerializeAsString()));
  ASSERT_TRUE(model.ok()) << model.status();
  EXPECT_FALSE(model->has_signatures);
  const SignatureInfo& s = model->signatures.at(0);
  ASSERT_EQ(s.inputs.size(), 1u);
  EXPECT_EQ(s.inputs[0].key, "x");
  EXPECT_EQ(s.inputs[0].dtype, tf::DT_FLOAT);
  EXPECT_EQ(s.inputs[0].shape.dim(1).size(), 400);
  ASSERT_EQ(s.outputs.size(), 2u);
  EXPECT_EQ(s.outputs[0].tensor, "z");
  EXPECT_EQ(s.outputs[1].tensor, "z:1");
  EXPECT_EQ(s.outputs[1].dtype, tf::DT_INT32);
}

TEST_F(ImportTest, WeightsLieBesideTheModel) {
  const std::string json =
      R"({"modelTopology":{"node":[{"name":"w","op":"Const","attr":{"dtype":{"type":"DT_FLOAT"}}}]},
      "weightsManifest":[{"paths":["%"],"weights":[{"name":"w","shape":[1],"dtype":"float32"}]}]})";
  const auto with = [&](const std::string& path) {
    return std::string(json).replace(json.find('%'), 1, path);
  };
  Write("w.bin", std::string("\0\0\x80\x3f", 4));
  const auto model = ImportModel(Write("m.json", with("w.bin")));
  ASSERT_TRUE(model.ok()) << model.status();
  EXPECT_EQ(PrintNode(*model->graph->FindNode("w")), "w = const f32[1] {1}");
  EXPECT_THAT(Message(ImportModel(Write("m.json", with("../w.bin"))).status()),
              HasSubstr("is not beside model.json"));
  EXPECT_THAT(Message(ImportModel(Write("m.json", with("/etc/passwd"))).status()),
              HasSubstr("is not beside model.json"));
  EXPECT_EQ(ImportModel(Write("m.json", with("none.bin"))).status().code(),
            absl::StatusCode::kNotFound);
}

TEST_F(ImportTest, FilesThatAreNoModels) {
  EXPECT_EQ(ImportModel(folder_ / "missing.pb").status().code(), absl::StatusCode::kNotFound);
  EXPECT_THAT(Message(ImportModel(folder_).status()), HasSubstr("no SavedModel"));
  const std::string empty("\x08\x01\x12\x00", 4);
  EXPECT_THAT(Message(ImportModel(Write("other.pb", empty)).status()),
              HasSubstr("belongs to a SavedModel: give the folder"));
  EXPECT_THAT(Message(ImportModel(Write("saved_model.pb", empty)).status()),
              HasSubstr("Could not find meta graph def matching supplied tags: { serve }"));
  EXPECT_THAT(Message(ImportModel(Write("bad.pbtxt", "node {\n  nam: 3 x\n}")).status()),
              HasSubstr("line "));
}

}  // namespace
}  // namespace linnet::converter
