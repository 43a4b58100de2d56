// SPDX-License-Identifier: Apache-2.0
// Small models that ask for gigabytes or hours. Each is refused, with the name of the node, before
// memory or time is spent, or is converted without spending it.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sys/resource.h>

#include "converter/convert.h"
#include "tests/scratch_folder.h"

namespace linnet::converter {
namespace {

class BombsTest : public testing::Test {
 protected:
  // The reason why the model cannot be converted; "" when it converts.
  std::string Refusal(const std::string& model) {
    ConvertOptions options;
    options.model = WriteAll(folder_ / "model.pbtxt", model);
    options.output = folder_ / "model.linnet";
    ConversionReport report;
    const absl::Status status = Convert(options, &report);
    EXPECT_FALSE(absl::IsInternal(status) || absl::IsUnavailable(status)) << status;
    return {status.message().data(), status.message().size()};
  }
  void ExpectRefusal(const std::string& model, const std::string& reason) {
    const std::string refusal = Refusal(model);
    EXPECT_NE(refusal.find(reason), std::string::npos)
        << refusal.substr(refusal.size() - std::min<size_t>(refusal.size(), 1000));
  }

  ScratchFolder folder_;
};

const std::string kInput = R"(
node { name: "x" op: "Placeholder" attr { key: "dtype" value { type: DT_FLOAT } }
  attr { key: "shape" value { shape { dim { size: 4 } } } } }
node { name: "p" op: "Placeholder" attr { key: "dtype" value { type: DT_BOOL } }
  attr { key: "shape" value { shape { } } } }
versions { producer: 1395 }
)";

// A function with a chain of `count` ops whose names begin with `name`.
std::string Chain(int count, const std::string& name = "") {
  std::string nodes, before = "a";
  for (int i = 0; i < count; ++i) {
    nodes += fmt::format(
        R"(node_def {{ name: "{0}{1}" op: "{2}" input: "{3}" attr {{ key: "T" value {{ type: DT_FLOAT }} }} }}
)",
        name, i, i % 2 == 0 ? "Tanh" : "Sin", before);
    before = fmt::format("{}{}:y:0", name, i);
  }
  return fmt::format(
      R"(library {{ function {{ signature {{ name: "f" input_arg {{ name: "a" type: DT_FLOAT }}
          output_arg {{ name: "r" type: DT_FLOAT }} }} {} ret {{ key: "r" value: "{}" }} }} }})",
      nodes, before);
}

std::string Call(const std::string& name, const std::string& input,
                 const std::string& device = "") {
  return fmt::format(
      R"(node {{ name: "{}" op: "PartitionedCall" input: "{}" device: "{}"
          attr {{ key: "Tin" value {{ list {{ type: DT_FLOAT }} }} }}
          attr {{ key: "Tout" value {{ list {{ type: DT_FLOAT }} }} }} attr {{ key: "f" value {{ func {{ name: "f" }} }} }} }}
)",
      name, input, device);
}

constexpr char kTooLong[] = "shorter name";

TEST_F(BombsTest, NamesOfCalls) {
  const std::string long_name(300'000, 'n');
  ExpectRefusal(kInput + Call(long_name, "x") + Chain(1000), kTooLong);
  // The names in the function itself, repeated by nested calls.
  std::string calls, before = "x";
  for (int i = 0; i < 300; ++i) {
    calls += Call(fmt::format("c{}", i), before);
    before = fmt::format("c{}", i);
  }
  ExpectRefusal(kInput + calls + Chain(1, long_name), kTooLong);
  EXPECT_EQ(Refusal(kInput + Call(std::string(200, 'n'), "x") + Chain(1000)), "");
}

TEST_F(BombsTest, DevicesOfCalls) {
  const std::string device = "/job:" + std::string(300'000, 'j') + "/cpu:0";
  ExpectRefusal(kInput + Call("c", "x", device) + Chain(1000), kTooLong);
}

TEST_F(BombsTest, NamesOfBranches) {
  const auto branch = [](const std::string& name) {
    return fmt::format(
        R"(node {{ name: "{}" op: "StatelessIf" input: "p" input: "x" attr {{ key: "Tcond" value {{ type: DT_BOOL }} }}
             attr {{ key: "Tin" value {{ list {{ type: DT_FLOAT }} }} }}
             attr {{ key: "Tout" value {{ list {{ type: DT_FLOAT }} }} }}
             attr {{ key: "then_branch" value {{ func {{ name: "f" }} }} }}
             attr {{ key: "else_branch" value {{ func {{ name: "f" }} }} }} }}
)",
        name);
  };
  ExpectRefusal(kInput + branch(std::string(300'000, 'n')) + Chain(1000), kTooLong);
  EXPECT_EQ(Refusal(kInput + branch(std::string(100, 'n')) + Chain(1000)), "");
}

// while (i < limit) { i += 1; repeat Tanh }: unrolled when `limit` is known, otherwise kept as a
// loop.
std::string Loop(const std::string& name, const std::string& limit) {
  const auto constant = [](const char* node, const char* name, int value) {
    return fmt::format(
        R"({} {{ name: "{}" op: "Const" attr {{ key: "dtype" value {{ type: DT_FLOAT }} }}
             attr {{ key: "value" value {{ tensor {{ dtype: DT_FLOAT tensor_shape {{ }} float_val: {} }} }} }} }}
)",
        node, name, value);
  };
  const std::string ends =
      R"(input_arg { name: "i" type: DT_FLOAT } input_arg { name: "n" type: DT_FLOAT }
         input_arg { name: "v" type: DT_FLOAT })";
  return constant("node", "zero", 0) + constant("node", "ten", 10) +
         fmt::format(
             R"(node {{ name: "{}" op: "StatelessWhile" input: "zero" input: "{}" input: "x"
                  attr {{ key: "T" value {{ list {{ type: DT_FLOAT type: DT_FLOAT type: DT_FLOAT }} }} }}
                  attr {{ key: "cond" value {{ func {{ name: "cond" }} }} }}
                  attr {{ key: "body" value {{ func {{ name: "body" }} }} }} }}
node {{ name: "y" op: "Identity" input: "{}:2" attr {{ key: "T" value {{ type: DT_FLOAT }} }} }}
library {{ function {{ signature {{ name: "cond" {} output_arg {{ name: "b" type: DT_BOOL }} }}
  node_def {{ name: "less" op: "Less" input: "i" input: "n" attr {{ key: "T" value {{ type: DT_FLOAT }} }} }}
  ret {{ key: "b" value: "less:z:0" }} }}
  function {{ signature {{ name: "body" {} output_arg {{ name: "i2" type: DT_FLOAT }}
    output_arg {{ name: "n2" type: DT_FLOAT }} output_arg {{ name: "v2" type: DT_FLOAT }} }}
  {}
  node_def {{ name: "more" op: "AddV2" input: "i" input: "one:output:0" attr {{ key: "T" value {{ type: DT_FLOAT }} }} }}
  node_def {{ name: "tanh" op: "Tanh" input: "v" attr {{ key: "T" value {{ type: DT_FLOAT }} }} }}
  ret {{ key: "i2" value: "more:z:0" }} ret {{ key: "n2" value: "n" }} ret {{ key: "v2" value: "tanh:y:0" }} }} }}
)",
             name, limit, name, ends, ends, constant("node_def", "one", 1));
}

TEST_F(BombsTest, NamesOfLoops) {
  const std::string fed =
      R"(node { name: "limit" op: "Placeholder" attr { key: "dtype" value { type: DT_FLOAT } }
    attr { key: "shape" value { shape { } } } }
)";
  const std::string long_name(2'000'000, 'n');
  ExpectRefusal(kInput + Loop(long_name, "ten"), kTooLong);
  ExpectRefusal(kInput + fed + Loop(long_name, "limit"), kTooLong);
  EXPECT_EQ(Refusal(kInput + Loop("loop", "ten")), "");
  EXPECT_EQ(Refusal(kInput + fed + Loop("loop", "limit")), "");
}

// A single op that is expanded into many.
TEST_F(BombsTest, NamesOfWhatAnOpBecomes) {
  const auto split = [](const std::string& name) {
    std::string text = fmt::format(
        R"(node {{ name: "{}" op: "Unpack" input: "x" attr {{ key: "T" value {{ type: DT_FLOAT }} }}
             attr {{ key: "num" value {{ i: 4 }} }} attr {{ key: "axis" value {{ i: 0 }} }} }}
)",
        name);
    for (int i = 0; i < 4; ++i)
      text += fmt::format(
          R"(node {{ name: "y{}" op: "Neg" input: "{}:{}" attr {{ key: "T" value {{ type: DT_FLOAT }} }} }}
)",
          i, name, i);
    return text;
  };
  ExpectRefusal(kInput + split(std::string(20'000'000, 'n')), kTooLong);
  EXPECT_EQ(Refusal(kInput + split("n")), "");
}

// Counting 50 million rows is left to the device; the converter must not allocate for them.
TEST_F(BombsTest, RowsOfABincount) {
  rusage before = {}, after = {};
  getrusage(RUSAGE_SELF, &before);
  EXPECT_EQ(Refusal(R"(
node { name: "rows" op: "Placeholder" attr { key: "dtype" value { type: DT_INT32 } }
  attr { key: "shape" value { shape { dim { size: 50000000 } dim { size: 1 } } } } }
node { name: "size" op: "Const" attr { key: "dtype" value { type: DT_INT32 } }
  attr { key: "value" value { tensor { dtype: DT_INT32 tensor_shape { } int_val: 2 } } } }
node { name: "weights" op: "Const" attr { key: "dtype" value { type: DT_FLOAT } }
  attr { key: "value" value { tensor { dtype: DT_FLOAT tensor_shape { dim { size: 0 } } } } } }
node { name: "y" op: "DenseBincount" input: "rows" input: "size" input: "weights"
  attr { key: "Tidx" value { type: DT_INT32 } } attr { key: "T" value { type: DT_FLOAT } } }
)"),
            "");
  getrusage(RUSAGE_SELF, &after);
  EXPECT_LT(after.ru_maxrss - before.ru_maxrss, 100 << 10);  // KB
}

std::string ConstantOf(const std::string& name, const std::string& dtype, const std::string& shape,
                       const std::string& values) {
  return fmt::format(
      R"(node {{ name: "{}" op: "Const" attr {{ key: "dtype" value {{ type: {} }} }}
           attr {{ key: "value" value {{ tensor {{ dtype: {} tensor_shape {{ {} }} {} }} }} }} }}
)",
      name, dtype, dtype, shape, values);
}

constexpr char kLongVector[] = R"(
node { name: "long" op: "Placeholder" attr { key: "dtype" value { type: DT_FLOAT } }
  attr { key: "shape" value { shape { dim { size: 2147483647 } } } } }
)";

TEST_F(BombsTest, RowsOfAList) {
  ExpectRefusal(kLongVector + ConstantOf("any", "DT_INT32", "", "int_val: -1") +
                    ConstantOf("zero", "DT_INT32", "", "int_val: 0") + R"(
node { name: "list" op: "TensorListFromTensor" input: "long" input: "any"
  attr { key: "element_dtype" value { type: DT_FLOAT } } attr { key: "shape_type" value { type: DT_INT32 } } }
node { name: "y" op: "TensorListGetItem" input: "list" input: "zero" input: "any"
  attr { key: "element_dtype" value { type: DT_FLOAT } } }
)",
                "becomes more than");
}

TEST_F(BombsTest, ListsOfManyElements) {
  std::string lists = ConstantOf("scalar", "DT_INT32", "dim { size: 0 }", "") +
                      ConstantOf("many", "DT_INT32", "", "int_val: 1000000");
  for (int i = 0; i < 100; ++i)
    lists += fmt::format(
        R"(node {{ name: "list{0}" op: "TensorListReserve" input: "scalar" input: "many"
             attr {{ key: "element_dtype" value {{ type: DT_FLOAT }} }}
             attr {{ key: "shape_type" value {{ type: DT_INT32 }} }} }}
           node {{ name: "length{0}" op: "TensorListLength" input: "list{0}" }}
)",
        i);
  ExpectRefusal(lists, "too many elements, all together");
}

TEST_F(BombsTest, ExtentsOfAPartition) {
  ExpectRefusal(kInput + R"(
node { name: "marks" op: "Placeholder" attr { key: "dtype" value { type: DT_INT32 } }
  attr { key: "shape" value { shape { dim { size: 4 } } } } }
node { name: "parts" op: "DynamicPartition" input: "x" input: "marks" attr { key: "T" value { type: DT_FLOAT } }
  attr { key: "num_partitions" value { i: 20000 } } }
node { name: "y" op: "Neg" input: "parts:19999" attr { key: "T" value { type: DT_FLOAT } } }
)",
                "extents of the model vary");
}

TEST_F(BombsTest, ConstantsWrittenAsOneValue) {
  std::string sum = ConstantOf("c0", "DT_FLOAT", "dim { size: 10000000 }", "float_val: 0");
  for (int i = 1; i < 40; ++i)
    sum += ConstantOf(fmt::format("c{}", i), "DT_FLOAT", "dim { size: 10000000 }",
                      fmt::format("float_val: {}", i));
  ExpectRefusal(sum, "written as a few elements");
}

// Constants that would take hours to compute are left to the device.
TEST_F(BombsTest, FoldingOfLongComputations) {
  EXPECT_EQ(
      Refusal(ConstantOf("picture", "DT_FLOAT",
                         "dim { size: 1 } dim { size: 2000 } dim { size: 2000 } dim { size: 1 }",
                         "float_val: 1") +
              R"(
node { name: "y" op: "AvgPool" input: "picture" attr { key: "T" value { type: DT_FLOAT } }
  attr { key: "ksize" value { list { i: 1 i: 1000 i: 1000 i: 1 } } }
  attr { key: "strides" value { list { i: 1 i: 1 i: 1 i: 1 } } } attr { key: "padding" value { s: "VALID" } } }
)"),
      "");
}

// A norm over so many channels must not get a gamma and a beta of gigabytes.
TEST_F(BombsTest, ChannelsOfALayerNorm) {
  const auto binary = [](const char* name, const char* op, const char* a, const char* b) {
    return fmt::format(
        R"(node {{ name: "{}" op: "{}" input: "{}" input: "{}" attr {{ key: "T" value {{ type: DT_FLOAT }} }} }}
)",
        name, op, a, b);
  };
  const auto mean = [](const char* name, const char* input) {
    return fmt::format(
        R"(node {{ name: "{}" op: "Mean" input: "{}" input: "axis" attr {{ key: "T" value {{ type: DT_FLOAT }} }}
             attr {{ key: "Tidx" value {{ type: DT_INT32 }} }} attr {{ key: "keep_dims" value {{ b: true }} }} }}
)",
        name, input);
  };
  EXPECT_EQ(
      Refusal(
          kLongVector + ConstantOf("axis", "DT_INT32", "dim { size: 1 }", "int_val: 0") +
          ConstantOf("epsilon", "DT_FLOAT", "", "float_val: 0.001") + mean("mean", "long") +
          binary("d", "SquaredDifference", "long", "mean") + mean("variance", "d") +
          binary("ve", "AddV2", "variance", "epsilon") +
          R"(node { name: "r" op: "Rsqrt" input: "ve" attr { key: "T" value { type: DT_FLOAT } } }
)" + binary("s", "Sub", "long", "mean") +
          binary("y", "Mul", "s", "r")),
      "");
}

}  // namespace
}  // namespace linnet::converter
