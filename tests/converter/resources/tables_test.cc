// SPDX-License-Identifier: Apache-2.0
#include "converter/resources/tables.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "converter/graph/string_constant.h"
#include "converter/graph/tensorflow/op_registry.h"
#include "converter/import/import.h"
#include "converter/resources/resources.h"
#include "converter/resources/text_table.h"
#include "fmt/format.h"
#include "fmt/ranges.h"
#include "tests/converter/graph/test_ops.h"

namespace linnet::converter {
namespace {

using ::testing::HasSubstr;

// The elements of a constant as text.
std::string Elements(const Node& node) {
  if (const auto strings = StringsOf(node))
    return fmt::format("{}", fmt::join(strings->values, " "));
  const Constant value = node.constant().Plain();
  if (value.type.dtype == DType::kFloat32)
    return fmt::format("{}", fmt::join(value.as<float>(), " "));
  if (value.type.dtype == DType::kFloat64)
    return fmt::format("{}", fmt::join(value.as<double>(), " "));
  return fmt::format("{}", fmt::join(value.ToInt64(), " "));
}

// The contents of a vocabulary as "keys -> values", or the error.
std::string Read(std::string_view text, const TextTableFormat& format) {
  Graph graph(OpRegistry::Global());
  Output keys, values;
  const absl::Status status = ReadTextTable(text, format, &graph, &keys, &values);
  if (!status.ok()) return Message(status);
  return fmt::format("{} -> {}", Elements(*keys.node), Elements(*values.node));
}

struct Vocabulary {
  const char* text;
  TextTableFormat format;
  const char* want;
};
constexpr TextTableFormat::Column kLine = {tf::DT_STRING, kWholeLine},
                                  kNumber = {tf::DT_INT64, kLineNumber};
TextTableFormat Columns(tf::DataType key, tf::DataType value) { return {{key, 0}, {value, 1}}; }

// Attributes of an untrusted model may hold any number.
TEST(TextTable, ColumnsThatAreNone) {
  for (const int64_t index : {int64_t{-3}, INT64_MIN}) {
    EXPECT_THAT(Read("one\n", {{tf::DT_STRING, index}, {tf::DT_INT64, kLineNumber}}),
                testing::HasSubstr("Invalid column index"));
    EXPECT_THAT(Read("one\n", {{tf::DT_STRING, kWholeLine}, {tf::DT_STRING, index}}),
                testing::HasSubstr("Invalid column index"));
  }
  EXPECT_THAT(Read("one\n", {{tf::DT_STRING, INT64_MAX}, {tf::DT_INT64, kLineNumber}}),
              testing::HasSubstr("expected 9223372036854775808 got 1"));
  TextTableFormat wrapping = {{tf::DT_STRING, kWholeLine}, {tf::DT_INT64, kLineNumber}};
  wrapping.offset = INT64_MAX;
  EXPECT_THAT(Read("one\ntwo\n", wrapping), testing::HasSubstr("-9223372036854775808"));
}

TEST(TextTable, ReadsWhatTensorFlowReads) {
  const Vocabulary kVocabularies[] = {
      {"a\nb\n", {kLine, kNumber}, "a b -> 0 1"},
      {"a\r\nb", {kLine, kNumber}, "a b -> 0 1"},
      {"a\nb\nc\n", {kLine, kNumber, 2}, "a b -> 0 1"},
      {"a\nb\n", {kLine, kNumber, -1, 5}, "a b -> 5 6"},
      {"a\tx\nb\ty\n", {kNumber, kLine}, "0 1 -> a\tx b\ty"},
      {" 5 \t1e2\n+7\t-.5\n", Columns(tf::DT_INT64, tf::DT_FLOAT), "5 7 -> 100 -0.5"},
      {"5\t3\n", Columns(tf::DT_INT32, tf::DT_DOUBLE), "5 -> 3"},
      {"5,,3\n", {{tf::DT_INT32, 0}, {tf::DT_INT64, 2}, -1, 0, ','}, "5 -> 3"},
      {"a\n\nb\n", {kLine, kNumber}, "Invalid content: empty line found at line 1"},
      {"", {kLine, kNumber}, "the vocabulary is empty"},
      {"a\n", {kLine, kNumber, 3}, "Invalid vocab_size: expected 3 but got 1"},
      {"1\t2\n3\n", Columns(tf::DT_INT64, tf::DT_INT64),
       "Invalid number of columns in line 1: expected 2 got 1"},
      {"1\t0x10\n", Columns(tf::DT_INT64, tf::DT_INT64),
       "Field 0x10 in line 0 is not a valid int64."},
      {"9999999999\t1\n", Columns(tf::DT_INT32, tf::DT_INT64),
       "Field 9999999999 in line 0 is not a valid int32."},
      {"1\t1\n", Columns(tf::DT_INT64, tf::DT_BOOL), "Data type bool not supported."},
      {"a\n", {kLine, {tf::DT_INT32, kLineNumber}}, "line numbers are int64"},
  };
  for (const Vocabulary& row : kVocabularies) EXPECT_EQ(Read(row.text, row.format), row.want);
}

// A table that is filled from the file that `path` names.
std::string TextModel(const char* path) {
  return fmt::format(R"(
    node {{ name: "path" op: "Const" attr {{ key: "dtype" value {{ type: DT_STRING }} }} attr {{ key: "value" value {{
           tensor {{ dtype: DT_STRING tensor_shape {{ }} string_val: "{}" }} }} }} }}
    node {{ name: "t" op: "HashTableV2" attr {{ key: "key_dtype" value {{ type: DT_INT64 }} }}
           attr {{ key: "value_dtype" value {{ type: DT_INT64 }} }} }}
    node {{ name: "i" op: "InitializeTableFromTextFileV2" input: "t" input: "path"
           attr {{ key: "key_index" value {{ i: -2 }} }} attr {{ key: "value_index" value {{ i: -1 }} }} }})",
                     path);
}

// Keys and values of table `t`, in a folder where vocab.txt is "8\n6\n", or the error.
std::string ContentOf(const std::string& model) {
  ImportOptions options;
  options.files = [](const std::string& name) -> absl::StatusOr<OwnedBytes> {
    static constexpr std::string_view kText = "8\n6\n";
    if (name != "vocab.txt") return absl::NotFoundError(name);
    return OwnedBytes{std::as_bytes(std::span(kText)), nullptr};
  };
  auto imported = ImportPbtxt(model, options);
  if (!imported.ok()) return Message(imported.status());
  const auto resources = LoadResources(&*imported);
  if (!resources.ok()) return Message(resources.status());
  if (resources->tables == nullptr) return "no tables";
  const auto content = resources->tables->Content("t");
  if (!content.ok()) return Message(content.status());
  std::string columns[2];
  for (const Node* node : (*content)->op_nodes())
    if (node->node_class() == NodeClass::kRetval)
      columns[node->FindAttr("index")->i()] = Elements(*node->input(0).node);
  return fmt::format("{} -> {}", columns[0], columns[1]);
}

TEST(Tables, FilesLieBesideTheModel) {
  EXPECT_EQ(ContentOf(TextModel("vocab.txt")), "8 6 -> 0 1");
  EXPECT_EQ(ContentOf(TextModel("/home/somebody/training/vocab.txt")), "8 6 -> 0 1");
  EXPECT_THAT(ContentOf(TextModel("../words.txt")),
              HasSubstr("the file 'words.txt', which fills the table, is not beside the model"));
}

TEST(Tables, PathsThatAreNotKnown) {
  std::string fed = TextModel("vocab.txt");
  fed.replace(fed.find("\"Const\""), 7, "\"Placeholder\"");
  EXPECT_THAT(ContentOf(fed), HasSubstr("the path of the file that fills the table is computed"));
}

TEST(Tables, NoneAtAll) {
  EXPECT_EQ(ContentOf(R"(node { name: "n" op: "NoOp" })"), "no tables");
  EXPECT_THAT(
      ContentOf(
          R"(node { name: "t" op: "HashTableV2" attr { key: "key_dtype" value { type: DT_INT64 } }
                   attr { key: "value_dtype" value { type: DT_INT64 } } })"),
      HasSubstr("nothing in the model fills the table"));
}

}  // namespace
}  // namespace linnet::converter
