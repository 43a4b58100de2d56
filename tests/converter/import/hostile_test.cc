// SPDX-License-Identifier: Apache-2.0
// Damaged and malicious files must lead to an error, in bounded time and memory, and to nothing
// else.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "converter/graph/graph_def.h"
#include "converter/graph/text/text.h"
#include "converter/import/import.h"
#include "tests/converter/graph/test_ops.h"

namespace linnet::converter {
namespace {

using testing::HasSubstr;

absl::Status Import(const std::string& bytes) {
  return ImportGraphDef({std::as_bytes(std::span(bytes)), nullptr}, {.max_expanded_bytes = 1 << 20})
      .status();
}

TEST(Hostile, EveryTruncationOfAGraphDefIsAnErrorOrASmallerGraph) {
  auto graph = ParseGraph("w = const f32[400] seed=1\nr = tf.Relu(w)\ns = tf.Relu6(r, ^w)");
  ASSERT_TRUE(graph.ok()) << graph.status();
  const std::string whole = ToGraphDef(**graph).SerializeAsString();
  ASSERT_TRUE(Import(whole).ok());
  for (size_t size = 0; size < whole.size(); ++size) Import(whole.substr(0, size)).IgnoreError();
}

TEST(Hostile, EveryFlippedByteIsSurvived) {
  auto graph = ParseGraph(
      "w = const f32[300] seed=1\nr = tf.Relu(w)\np = tf.Split(w, r) {num_split: 2, T: float}");
  const std::string whole = ToGraphDef(**graph).SerializeAsString();
  for (size_t at = 0; at < whole.size(); ++at) {
    for (const char mask : {'\x01', '\x80', '\xff'}) {
      std::string damaged = whole;
      damaged[at] ^= mask;
      Import(damaged).IgnoreError();
    }
  }
}

TEST(Hostile, Lengths) {
  EXPECT_THAT(Message(Import(std::string("\x0a\xff\xff\xff\xff\x0f", 6))),
              HasSubstr("damaged, at byte 0 of 6"));
  EXPECT_THAT(Message(Import(std::string("\x0a\x05", 2))), HasSubstr("not a GraphDef"));
  EXPECT_THAT(Message(Import(std::string("\x0f", 1))), HasSubstr("not a GraphDef"));
  EXPECT_THAT(Message(Import(std::string("\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff", 11))),
              HasSubstr("not a GraphDef"));
  EXPECT_TRUE(Import("").ok());
}

// `content` as a length-delimited field. Both are written backwards, so that wrapping many times
// takes linear time.
void Wrap(char tag, std::string* content) {
  std::string header(1, tag);
  size_t length = content->size();
  for (; length > 0x7f; length >>= 7) header.push_back(static_cast<char>((length & 0x7f) | 0x80));
  header.push_back(static_cast<char>(length));
  content->append(header.rbegin(), header.rend());
}

// func { attr { value { func { ... } } } }, nested too deeply for any stack.
TEST(Hostile, NestedAttributes) {
  std::string value;
  for (int i = 0; i < 20000; ++i) {
    Wrap('\x12', &value);  // value of a map entry
    Wrap('\x12', &value);  // NameAttrList.attr
    Wrap('\x52', &value);  // AttrValue.func
  }
  Wrap('\x12', &value);
  value += "x\x01\x0a";  // the entry's key
  Wrap('\x2a', &value);  // NodeDef.attr
  Wrap('\x0a', &value);  // GraphDef.node
  std::ranges::reverse(value);
  EXPECT_THAT(Message(Import(value)), HasSubstr("not a GraphDef"));
}

TEST(Hostile, DeepText) {
  std::string text = "node { name: \"a\" op: \"NoOp\" attr { key: \"f\" value { ";
  for (int i = 0; i < 20000; ++i) text += "func { attr { value { ";
  EXPECT_FALSE(ImportPbtxt(text).ok());
  EXPECT_FALSE(ImportPbtxt("node {").ok());
  EXPECT_FALSE(ImportPbtxt("node { name: \"").ok());
  EXPECT_FALSE(ImportPbtxt(std::string("\0\0\0", 3)).ok());
}

TEST(Hostile, CountsThatWouldFillTheMemory) {
  EXPECT_THAT(
      Message(
          ImportPbtxt(R"(node { name: "c" op: "Const" attr { key: "dtype" value { type: DT_FLOAT } }
      attr { key: "value" value { tensor { dtype: DT_FLOAT tensor_shape { dim { size: 1000000000000 } } float_val: 1 } } } })")
              .status()),
      HasSubstr("would need 4000000000000 bytes"));
  EXPECT_THAT(
      Message(ImportPbtxt(R"(node { name: "c" op: "Split" attr { key: "T" value { type: DT_FLOAT } }
      attr { key: "num_split" value { i: 4000000000000 } } })")
                  .status()),
      HasSubstr("too big"));
}

TEST(Hostile, Json) {
  const FileLoader none = [](const std::string&) -> absl::StatusOr<OwnedBytes> {
    return absl::NotFoundError("none");
  };
  std::string deep = "{\"modelTopology\":";
  for (int i = 0; i < 100000; ++i) deep += "[";
  for (const std::string& json :
       {std::string(""), std::string("{"), std::string("[]"), std::string("{}"),
        std::string("null"), deep, std::string("{\"modelTopology\":{\"node\":[{\"name\":7}]}}"),
        std::string("{\"modelTopology\":{\"node\":{}}}")})
    EXPECT_FALSE(ImportTfjs(json, none).ok()) << json.substr(0, 100);
}

}  // namespace
}  // namespace linnet::converter
