// SPDX-License-Identifier: Apache-2.0
#include "converter/legalize/context/lookup_table.h"

#include <gmock/gmock.h>

#include "converter/graph/tensorflow/op_registry.h"
#include "converter/import/import.h"
#include "converter/pipeline.h"
#include "converter/resources/tables.h"
#include "fmt/format.h"
#include "tests/converter/pass/pass_test.h"

namespace linnet::converter {
namespace {

using ::testing::HasSubstr;

// Legalizes a graph that begins with arg and ends with ret.
absl::Status LegalizeTables(Graph* graph) {
  std::vector<std::string> notes;
  const auto tables = Tables::Of(*graph, {}, &notes);
  PassContext context;
  context.tables = tables.get();
  return RunPass(*FindPass("legalize"), *graph, context).status();
}

std::string ErrorOfTables(std::string_view text) {
  const auto graph = Parse(text);
  const absl::Status status = LegalizeTables(graph.get());
  return std::string(status.message().data(), status.message().size());
}

constexpr char kTable[] = R"(
    x = arg i64[4]
    t = tf.HashTableV2() {key_dtype: DT_INT64, value_dtype: DT_INT64}
    i = tf.InitializeTableV2(t, const i64[3] {5, 2, 9}, const i64[3] {50, 20, 90})
    y = tf.LookupTableFindV2(t, x, const i64[] -1)
    out = ret(y))";

TEST(LookupTable, IsSortedKeysAndAGather) {
  const auto graph = Parse(kTable);
  const absl::Status status = LegalizeTables(graph.get());
  ASSERT_TRUE(status.ok()) << status;
  EXPECT_EQ(Canonical(*graph), Canonical(*Parse(R"(
    x = arg i64[4]
    y/keys = const i64[3] {2, 5, 9}
    y/positions = Lookup(x, y/keys)
    y/entries = const i64[4] {20, 50, 90, -1}
    y = Gather(y/entries, y/positions)
    out = ret(y))")));
}

TEST(LookupTable, LookupsShareTheContent) {
  const auto graph = Parse(fmt::format("{}\n{}", kTable, R"(
    z = tf.LookupTableFindV2(t, y, const i64[] -2)
    out2 = ret(z))"));
  ASSERT_TRUE(LegalizeTables(graph.get()).ok());
  std::vector<const Node*> keys;
  for (const Node* node : graph->op_nodes())
    if (node->Is<LookupAttrs>()) keys.push_back(node->input(1).node);
  ASSERT_EQ(keys.size(), 2u);
  EXPECT_EQ(keys[0], keys[1]);
}

TEST(LookupTable, SizeCountsKeysOnce) {
  const auto graph = Parse(R"(
    t = tf.MutableHashTableV2() {key_dtype: DT_INT32, value_dtype: DT_FLOAT}
    i = tf.LookupTableImportV2(t, const i32[3] {5, 5, 9}, const f32[3] {1, 2, 3})
    n = tf.LookupTableSizeV2(t)
    out = ret(n))");
  ASSERT_TRUE(LegalizeTables(graph.get()).ok());
  EXPECT_EQ(Canonical(*graph), Canonical(*Parse("n = const i64[] 2\nout = ret(n)")));
}

struct RefusedTable {
  const char* text;
  const char* reason;
};
const RefusedTable kRefused[] = {
    {R"(x = arg i64[4]
        t = tf.HashTableV2() {key_dtype: DT_INT64, value_dtype: DT_INT64}
        y = tf.LookupTableFindV2(t, x, const i64[] -1)
        out = ret(y))",
     "LookupTableFindV2 'y': table 't': nothing in the model fills the table when it is loaded"},
    {R"(x = arg i64[4]
        k = arg i64[2]
        t = tf.HashTableV2() {key_dtype: DT_INT64, value_dtype: DT_INT64}
        i = tf.InitializeTableV2(t, k, const i64[2] {1, 2})
        y = tf.LookupTableFindV2(t, x, const i64[] -1)
        out = ret(y))",
     "table 't': its keys are not known at conversion"},
    {R"(x = arg i64[4]
        t = tf.HashTableV2() {key_dtype: DT_INT64, value_dtype: DT_INT64}
        i = tf.InitializeTableV2(t, const i64[2] {7, 7}, const i64[2] {1, 2})
        y = tf.LookupTableFindV2(t, x, const i64[] -1)
        out = ret(y))",
     "table 't': HashTable has different value for same key. Key 7 has several values"},
    {R"(x = arg i64[4]
        t = tf.HashTableV2() {key_dtype: DT_INT64, value_dtype: DT_INT64}
        i = tf.InitializeTableV2(t, const i64[2] {7, 8}, const i64[3] {1, 2, 3})
        y = tf.LookupTableFindV2(t, x, const i64[] -1)
        out = ret(y))",
     "table 't': its keys have shape [2] and its values [3]"},
    {R"(x = arg i64[4]
        t = tf.HashTableV2() {key_dtype: DT_INT64, value_dtype: DT_INT64}
        i = tf.InitializeTableV2(t, const i64[2] {7, 8}, const i64[2] {1, 2})
        j = tf.InitializeTableV2(t, const i64[2] {7, 8}, const i64[2] {1, 2})
        y = tf.LookupTableFindV2(t, x, const i64[] -1)
        out = ret(y))",
     "table 't': the table is filled by several ops: i, j"},
    {R"(x = arg i64[4]
        t = tf.MutableHashTableV2() {key_dtype: DT_INT64, value_dtype: DT_INT64}
        i = tf.LookupTableImportV2(t, const i64[2] {7, 8}, const i64[2] {1, 2})
        w = tf.LookupTableInsertV2(t, x, x)
        y = tf.LookupTableFindV2(t, x, const i64[] -1, ^w)
        out = ret(y))",
     "LookupTableInsertV2 'w': it changes a hash table, whose content must be constant"},
    {R"(x = arg i32[4]
        t = tf.HashTableV2() {key_dtype: DT_INT64, value_dtype: DT_INT64}
        i = tf.InitializeTableV2(t, const i64[2] {7, 8}, const i64[2] {1, 2})
        y = tf.LookupTableFindV2(t, x, const i64[] -1)
        out = ret(y))",
     "Lookup: keys must be a vector of the queries' dtype"},
    {R"(x = arg i64[4]
        t = tf.HashTableV2() {key_dtype: DT_INT64, value_dtype: DT_INT64}
        i = tf.InitializeTableV2(t, const i64[2] {7, 8}, const i64[2] {1, 2})
        y = tf.LookupTableFindV2(t, x, const i64[2] {0, 1})
        out = ret(y))",
     "'default_value' has shape [2], want []"},
};

TEST(LookupTable, RefusedTables) {
  for (const RefusedTable& row : kRefused)
    EXPECT_THAT(ErrorOfTables(row.text), HasSubstr(row.reason));
}

// Maps words to ids to scores; `word` is looked up.
std::unique_ptr<Graph> Words(const char* word) {
  auto model = ImportPbtxt(fmt::format(
      R"(
    node {{ name: "ids" op: "Placeholder" attr {{ key: "dtype" value {{ type: DT_INT64 }} }}
           attr {{ key: "shape" value {{ shape {{ dim {{ size: 2 }} }} }} }} }}
    node {{ name: "text" op: "Placeholder" attr {{ key: "dtype" value {{ type: DT_STRING }} }} }}
    node {{ name: "cat" op: "Const" attr {{ key: "dtype" value {{ type: DT_STRING }} }} attr {{ key: "value" value {{
           tensor {{ dtype: DT_STRING tensor_shape {{ }} string_val: "cat" }} }} }} }}
    node {{ name: "one" op: "Const" attr {{ key: "dtype" value {{ type: DT_INT64 }} }} attr {{ key: "value" value {{
           tensor {{ dtype: DT_INT64 tensor_shape {{ dim {{ size: 1 }} }} int64_val: 1 }} }} }} }}
    node {{ name: "words" op: "Const" attr {{ key: "dtype" value {{ type: DT_STRING }} }} attr {{ key: "value" value {{
           tensor {{ dtype: DT_STRING tensor_shape {{ dim {{ size: 1 }} }} string_val: "cat" }} }} }} }}
    node {{ name: "none" op: "Const" attr {{ key: "dtype" value {{ type: DT_INT64 }} }} attr {{ key: "value" value {{
           tensor {{ dtype: DT_INT64 tensor_shape {{ }} int64_val: -1 }} }} }} }}
    node {{ name: "t" op: "HashTableV2" attr {{ key: "key_dtype" value {{ type: DT_STRING }} }}
           attr {{ key: "value_dtype" value {{ type: DT_INT64 }} }} }}
    node {{ name: "i" op: "InitializeTableV2" input: "t" input: "words" input: "one"
           attr {{ key: "Tkey" value {{ type: DT_STRING }} }} attr {{ key: "Tval" value {{ type: DT_INT64 }} }} }}
    node {{ name: "r" op: "HashTableV2" attr {{ key: "key_dtype" value {{ type: DT_INT64 }} }}
           attr {{ key: "value_dtype" value {{ type: DT_STRING }} }} }}
    node {{ name: "j" op: "InitializeTableV2" input: "r" input: "one" input: "words"
           attr {{ key: "Tkey" value {{ type: DT_INT64 }} }} attr {{ key: "Tval" value {{ type: DT_STRING }} }} }}
    node {{ name: "word" op: "LookupTableFindV2" input: "r" input: "ids" input: "cat"
           attr {{ key: "Tin" value {{ type: DT_INT64 }} }} attr {{ key: "Tout" value {{ type: DT_STRING }} }} }}
    node {{ name: "known" op: "LookupTableFindV2" input: "r" input: "one" input: "cat"
           attr {{ key: "Tin" value {{ type: DT_INT64 }} }} attr {{ key: "Tout" value {{ type: DT_STRING }} }} }}
    node {{ name: "lower" op: "StringLower" input: "{0}" }}
    node {{ name: "raw" op: "LookupTableFindV2" input: "t" input: "{0}" input: "none"
           attr {{ key: "Tin" value {{ type: DT_STRING }} }} attr {{ key: "Tout" value {{ type: DT_INT64 }} }} }}
    node {{ name: "id" op: "LookupTableFindV2" input: "t" input: "lower" input: "none"
           attr {{ key: "Tin" value {{ type: DT_STRING }} }} attr {{ key: "Tout" value {{ type: DT_INT64 }} }} }}
  )",
      word));
  EXPECT_TRUE(model.ok()) << model.status();
  return model.ok() ? std::move(model->graph) : std::make_unique<Graph>(OpRegistry::Global());
}

std::string ErrorOfFetch(const char* word, const char* fetch) {
  const auto graph = Words(word);
  std::vector<std::string> notes;
  const auto tables = Tables::Of(*graph, {}, &notes);
  PassContext context;
  context.tables = tables.get();
  context.fetches = {fetch};
  const absl::Status status = RunPipeline(*graph, context);
  return std::string(status.message().data(), status.message().size());
}

TEST(LookupTable, StringsAreForTheConversionOnly) {
  EXPECT_EQ(ErrorOfFetch("cat", "raw"), "");
  EXPECT_THAT(ErrorOfFetch("text", "id"),
              HasSubstr("Placeholder 'text': an input of type string is not possible; look the ids "
                        "up in the app and feed them: --input id=DIMxDIMx.."));
  EXPECT_THAT(ErrorOfFetch("cat", "id"), HasSubstr("StringLower 'lower': there are no strings"));
  EXPECT_THAT(ErrorOfFetch("cat", "word"),
              HasSubstr("LookupTableFindV2 'word': its results are strings, which no plan has"));
  EXPECT_THAT(ErrorOfFetch("cat", "known"), HasSubstr("there are no strings in a plan"));
}

}  // namespace
}  // namespace linnet::converter
