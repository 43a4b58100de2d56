// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "converter/graph/tensorflow/function_library.h"
#include "converter/graph/text/text.h"
#include "converter/import/import.h"
#include "fmt/format.h"
#include "tests/converter/graph/test_ops.h"

namespace linnet::converter {
namespace {

using testing::HasSubstr;

// Weights files by name.
using Files = std::map<std::string, std::string>;

absl::StatusOr<ImportedModel> Import(const std::string& json, const Files& files) {
  return ImportTfjs(json, [&files](const std::string& name) -> absl::StatusOr<OwnedBytes> {
    const auto it = files.find(name);
    if (it == files.end()) return absl::NotFoundError("cannot read " + name);
    auto kept = std::make_shared<const std::string>(it->second);
    return OwnedBytes{std::as_bytes(std::span(*kept)), kept};
  });
}

std::string ConstJson(std::string_view name, std::string_view dtype, std::string_view dims) {
  return fmt::format(
      R"({{"name":"{0}","op":"Const","attr":{{"dtype":{{"type":"{1}"}},"value":{{"tensor":{{"dtype":"{1}","tensorShape":{{"dim":[{2}]}}}}}}}}}})",
      name, dtype, dims);
}

std::string ModelJson(std::string_view nodes, std::string_view weights,
                      std::string_view paths = R"("w.bin")", std::string_view more = "") {
  return fmt::format(
      R"({{"format":"graph-model","generatedBy":"x","unknownThing":[1,{{"a":null}}],
          "modelTopology":{{"node":[{}],"versions":{{"producer":716}},"library":{{}}}},
          "weightsManifest":[{{"paths":[{}],"weights":[{}]}}]{}}})",
      nodes, paths, weights, more);
}

// One weight `w` with this entry of the manifest; returns the value of its Const, or the error.
std::string OneWeight(std::string_view dtype, std::string_view dims, std::string_view weight,
                      const Files& files, std::string_view paths = R"("w.bin")") {
  const auto model = Import(ModelJson(ConstJson("w", dtype, dims), weight, paths), files);
  return model.ok() ? PrintNode(*model->graph->FindNode("w")) : Message(model.status());
}

// Found by fuzzing: an 18 KB manifest expanded a shard of 1 MB to 2 GB.
TEST(Tfjs, AShardIsReadOnce) {
  const std::string weight = R"({"name":"w","shape":[4],"dtype":"float32"})";
  const Files files = {{"w.bin", std::string(8, 'x')}, {"v.bin", std::string(8, 'x')}};
  for (const char* paths :
       {R"("w.bin","w.bin")", R"("w.bin","./w.bin")", R"("w.bin","a/../w.bin")"})
    EXPECT_THAT(OneWeight("DT_FLOAT", R"({"size":"4"})", weight, files, paths),
                HasSubstr("w.bin' is in the manifest twice"))
        << paths;
  EXPECT_THAT(OneWeight("DT_FLOAT", R"({"size":"4"})", weight, files, R"("w.bin","v.bin")"),
              HasSubstr("const f32[4]"));
}

TEST(Tfjs, Weights) {
  const std::string two = std::string("\0\0\x80\x3f\0\0\0\xc0", 8);  // 1, -2
  EXPECT_EQ(OneWeight("DT_FLOAT", R"({"size":"2"})",
                      R"({"name":"w","shape":[2],"dtype":"float32"})", {{"w.bin", two}}),
            "w = const f32[2] {1, -2}");
  EXPECT_EQ(OneWeight("DT_INT32", R"({"size":"1"})", R"({"name":"w","shape":[1],"dtype":"int32"})",
                      {{"w.bin", two.substr(0, 4)}}),
            "w = const i32[1] {1065353216}");
  EXPECT_EQ(OneWeight("DT_BOOL", R"({"size":2})", R"({"name":"w","shape":[2],"dtype":"bool"})",
                      {{"w.bin", std::string("\1\0", 2)}}),
            "w = const bool[2] {true, false}");
  EXPECT_EQ(
      OneWeight("DT_FLOAT", "", R"({"name":"w","shape":[],"dtype":"float32"})", {{"w.bin", two}}),
      "w = const f32[] 1");
  EXPECT_EQ(OneWeight("DT_INT64", R"({"size":"1"})", R"({"name":"w","shape":[1],"dtype":"int32"})",
                      {{"w.bin", std::string("\xfe\xff\xff\xff", 4)}}),
            "w = const i64[1] {-2}");
  EXPECT_EQ(OneWeight("DT_DOUBLE", R"({"size":"2"})",
                      R"({"name":"w","shape":[2],"dtype":"float32"})", {{"w.bin", two}}),
            "w = const f64[2] {1, -2}");
}

TEST(Tfjs, ElementTypesAreRestored) {
  EXPECT_EQ(OneWeight("DT_UINT8", R"({"size":"1"})", R"({"name":"w","shape":[1],"dtype":"int32"})",
                      {{"w.bin", std::string("\xc8\0\0\0", 4)}}),
            "w = const u8[1] {200}");
  EXPECT_EQ(OneWeight("DT_HALF", R"({"size":"1"})", R"({"name":"w","shape":[1],"dtype":"float32"})",
                      {{"w.bin", std::string("\0\0\x80\x3f", 4)}}),
            "w = const f16[1] {1}");
  EXPECT_EQ(
      OneWeight("DT_INT32", R"({"size":"1"})", R"({"name":"w","shape":[1],"dtype":"float32"})",
                {{"w.bin", std::string("\0\0\x80\x3f", 4)}}),
      "Const 'w': attr 'dtype' is int32, but the value is float");
}

TEST(Tfjs, QuantisedWeightsStayEncoded) {
  EXPECT_EQ(
      OneWeight(
          "DT_FLOAT", R"({"size":"2"})",
          R"({"name":"w","shape":[2],"dtype":"float32","quantization":{"dtype":"float16","original_dtype":"float32"}})",
          {{"w.bin", std::string("\0\x3c\0\xc0", 4)}}),
      "w = const f32[2] encoding=Float16 {1, -2}");
  EXPECT_EQ(
      OneWeight(
          "DT_FLOAT", R"({"size":"2"})",
          R"({"name":"w","shape":[2],"dtype":"float32","quantization":{"dtype":"uint8","min":-1.5,"scale":0.25}})",
          {{"w.bin", "\x01\xff"}}),
      "w = const f32[2] encoding=AffineU8 scale=0.25 min=-1.5 {1, 255}");
  EXPECT_EQ(
      OneWeight(
          "DT_FLOAT", R"({"size":"1"})",
          R"({"name":"w","shape":[1],"dtype":"float32","quantization":{"dtype":"uint16","min":0,"scale":2}})",
          {{"w.bin", "\x01\x01"}}),
      "w = const f32[1] encoding=AffineU16 scale=2 min=0 {257}");
  // int32 = floor(q * scale + min + 0.5)
  EXPECT_EQ(
      OneWeight(
          "DT_INT32", R"({"size":"2"})",
          R"({"name":"w","shape":[2],"dtype":"int32","quantization":{"dtype":"uint8","min":-3,"scale":0.5}})",
          {{"w.bin", "\x01\x04"}}),
      "w = const i32[2] {-2, -1}");
}

TEST(Tfjs, WeightsMayStraddleShards) {
  const std::string weights =
      R"({"name":"a","shape":[1],"dtype":"float32"},{"name":"w","shape":[2],"dtype":"float32"},{"name":"b","shape":[1],"dtype":"float32"})";
  const std::string bytes("\0\0\x80\x3f\0\0\0\x40\0\0\x40\x40\0\0\x80\x40", 16);  // 1 2 3 4
  for (size_t cut = 0; cut <= bytes.size(); ++cut) {
    const auto model =
        Import(ModelJson(ConstJson("b", "DT_FLOAT", R"({"size":"1"})") + "," +
                             ConstJson("w", "DT_FLOAT", R"({"size":"2"})"),
                         weights, R"("1.bin","empty.bin","2.bin")"),
               {{"1.bin", bytes.substr(0, cut)}, {"empty.bin", ""}, {"2.bin", bytes.substr(cut)}});
    ASSERT_TRUE(model.ok()) << model.status();
    EXPECT_EQ(PrintNode(*model->graph->FindNode("w")), "w = const f32[2] {2, 3}") << cut;
    EXPECT_EQ(PrintNode(*model->graph->FindNode("b")), "b = const f32[1] {4}") << cut;
  }
}

TEST(Tfjs, StringWeightsAreSkipped) {
  const auto model = Import(
      ModelJson(
          ConstJson("w", "DT_FLOAT", R"({"size":"1"})"),
          R"({"name":"s","shape":[2],"dtype":"string"},{"name":"w","shape":[1],"dtype":"float32"})"),
      {{"w.bin", std::string("\2\0\0\0ab\0\0\0\0\0\0\x80\x3f", 14)}});
  ASSERT_TRUE(model.ok()) << model.status();
  EXPECT_EQ(PrintNode(*model->graph->FindNode("w")), "w = const f32[1] {1}");
}

// Rows: weight, part of the error.
TEST(Tfjs, BadManifests) {
  const Files files = {{"w.bin", "12345678"}};
  const std::pair<const char*, const char*> kBad[] = {
      {R"({"name":"w","shape":[3],"dtype":"float32"})",
       "weight 'w': ends behind the weights files, which hold 8 bytes"},
      {R"({"name":"w","shape":[-1],"dtype":"float32"})", "impossible shape"},
      {R"({"name":"w","shape":[4611686018427387904,4],"dtype":"float32"})", "impossible shape"},
      {R"({"name":"w","shape":[1,1,1,1,1,1,1,1,1],"dtype":"float32"})", "has rank 9, above 8"},
      {R"({"name":"w","shape":[1],"dtype":"float99"})", "has the unknown dtype 'float99'"},
      {R"({"name":"w","shape":[1],"dtype":"float32","quantization":{"dtype":"uint8","min":1}})",
       "is quantised without min or scale"},
      {R"({"name":"w","shape":[1],"dtype":"float32","quantization":{"dtype":"int3","min":1,"scale":1}})",
       "unknown quantisation 'int3'"},
      {R"({"name":"w","shape":[1],"dtype":"bool","quantization":{"dtype":"uint8","min":1,"scale":1}})",
       "is quantised, which bool cannot be"},
      {R"({"name":"w","shape":[1],"dtype":"string"})", "ends behind the weights files"},
      {R"({"name":"w","shape":[1],"dtype":"float32"},{"name":"w","shape":[1],"dtype":"float32"})",
       "is in the manifest twice"},
      {R"({"name":"other","shape":[1],"dtype":"float32"})",
       "Const 'w': there is no weight of this name in weightsManifest"},
  };
  for (const auto& [weight, error] : kBad)
    EXPECT_THAT(OneWeight("DT_FLOAT", R"({"size":"1"})", weight, files), HasSubstr(error));
  EXPECT_THAT(OneWeight("DT_FLOAT", R"({"size":"1"})", "", {}), HasSubstr("cannot read w.bin"));
}

TEST(Tfjs, NodesInAnyOrderAndFusedOps) {
  const auto model = Import(
      ModelJson(
          R"({"name":"c","op":"_FusedConv2D","input":["x","w","b"],"device":"/device:CPU:0","attr":{
            "T":{"type":"DT_FLOAT"},"num_args":{"i":"1"},"padding":{"s":"U0FNRQ=="},"data_format":{"s":"TkhXQw=="},
            "strides":{"list":{"i":["1","2","2","1"]}},"dilations":{"list":{"i":["1","1","1","1"]}},
            "fused_ops":{"list":{"s":["Qmlhc0FkZA==","UmVsdTY="]}},"epsilon":{"f":0},"explicit_paddings":{"list":{}}}},
          {"name":"x","op":"Placeholder","attr":{"dtype":{"type":"DT_FLOAT"},"shape":{"shape":{"dim":[{"size":"-1"},{"size":"8"},{"size":"8"},{"size":"1"}]}}}},)" +
              ConstJson("w", "DT_FLOAT", R"({"size":"1"},{"size":"1"},{"size":"1"},{"size":"1"})") +
              "," + ConstJson("b", "DT_FLOAT", R"({"size":"1"})"),
          R"({"name":"w","shape":[1,1,1,1],"dtype":"float32"},{"name":"b","shape":[1],"dtype":"float32"})"),
      {{"w.bin", "12345678"}});
  ASSERT_TRUE(model.ok()) << model.status();
  const Node* c = model->graph->FindNode("c");
  EXPECT_EQ(c->FindAttr("padding")->s(), "SAME");
  EXPECT_EQ(c->FindAttr("strides")->list().i(1), 2);
  EXPECT_EQ(c->FindAttr("fused_ops")->list().s(1), "Relu6");
  EXPECT_EQ(model->graph->versions().producer(), 716);
  // Without signature the inputs are the placeholders, and the outputs the nodes that nothing
  // reads.
  EXPECT_FALSE(model->has_signatures);
  ASSERT_EQ(model->signatures.size(), 1u);
  ASSERT_EQ(model->signatures[0].inputs.size(), 1u);
  EXPECT_EQ(model->signatures[0].inputs[0].tensor, "x");
  EXPECT_EQ(model->signatures[0].inputs[0].shape.dim(1).size(), 8);
  ASSERT_EQ(model->signatures[0].outputs.size(), 1u);
  EXPECT_EQ(model->signatures[0].outputs[0].tensor, "c");
}

const char kTwoOutputs[] =
    R"({"name":"x","op":"Placeholder","attr":{"dtype":{"type":"DT_FLOAT"},"shape":{"shape":{"unknownRank":true}}}},
       {"name":"y","op":"Relu","input":["x"],"attr":{"T":{"type":"DT_FLOAT"}}},
       {"name":"z","op":"Relu6","input":["y"],"attr":{"T":{"type":"DT_FLOAT"}}})";

TEST(Tfjs, SignaturesKeepTheOrderOfTheFile) {
  const std::string signature =
      R"({"inputs":{"in:0":{"name":"x:0","dtype":"DT_FLOAT","tensorShape":{"dim":[{"size":"2"}]}}},
      "outputs":{"zeta":{"name":"z:0"},"alpha":{"name":"y"}}})";
  for (const std::string& more :
       {R"(,"signature":)" + signature,
        R"(,"userDefinedMetadata":{"x":1,"signature":)" + signature + "}"}) {
    const auto model = Import(ModelJson(kTwoOutputs, "", "", more), {});
    ASSERT_TRUE(model.ok()) << model.status();
    EXPECT_TRUE(model->has_signatures);
    const SignatureInfo& s = model->signatures[0];
    ASSERT_EQ(s.outputs.size(), 2u);
    EXPECT_EQ(s.outputs[0].key, "zeta");
    EXPECT_EQ(s.outputs[0].tensor, "z");
    EXPECT_EQ(s.outputs[1].key, "alpha");
    EXPECT_EQ(s.inputs[0].key, "in:0");
    EXPECT_EQ(s.inputs[0].shape.dim(0).size(), 2);
    EXPECT_TRUE(s.outputs[0].shape.unknown_rank());
  }
}

TEST(Tfjs, SignaturesMustNameTensors) {
  const auto model =
      Import(ModelJson(kTwoOutputs, "", "",
                       R"(,"signature":{"outputs":{"o":{"name":"nowhere:0"},"p":{"name":"y:3"}}})"),
             {});
  EXPECT_THAT(Message(model.status()), HasSubstr("2 problems:"));
  EXPECT_THAT(Message(model.status()),
              HasSubstr("'o' names the tensor 'nowhere', which the graph does not have"));
}

TEST(Tfjs, WhatIsNoJsonIsSaidInOneLine) {
  const std::string error = Message(Import(R"({"modelTopology": {"no)", {}).status());
  EXPECT_THAT(error, HasSubstr("not a tfjs graph model: "));
  EXPECT_EQ(error.find('\n'), std::string::npos) << error;
}

TEST(Tfjs, LayersModelsAreNamed) {
  EXPECT_THAT(Message(Import(R"({"format":"layers-model","modelTopology":{}})", {}).status()),
              HasSubstr("layers models cannot be read"));
}

}  // namespace
}  // namespace linnet::converter
