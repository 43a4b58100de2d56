// SPDX-License-Identifier: Apache-2.0
// What TensorFlow refuses is refused, what it accepts is accepted.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "converter/convert.h"
#include "tests/scratch_folder.h"

namespace linnet::converter {
namespace {

constexpr char kDims2[] = "dim { size: 2 }";

std::string Placeholder(const std::string& dims) {
  return fmt::format(
      R"(node {{ name: "x" op: "Placeholder" attr {{ key: "dtype" value {{ type: DT_FLOAT }} }}
           attr {{ key: "shape" value {{ shape {{ {} }} }} }} }}
versions {{ producer: 1395 }}
)",
      dims);
}

// An op of type float with a shape attribute, that reads x.
std::string Promise(const std::string& name, const std::string& op, const std::string& type_attr,
                    const std::string& dims) {
  return fmt::format(
      R"(node {{ name: "{}" op: "{}" input: "x" attr {{ key: "{}" value {{ type: DT_FLOAT }} }}
           attr {{ key: "shape" value {{ shape {{ {} }} }} }} }}
)",
      name, op, type_attr, dims);
}

class StrictnessTest : public testing::Test {
 protected:
  // What is wrong with the model, or nothing.
  std::string Convert(const std::string& model, std::vector<std::string> outputs = {},
                      std::vector<Feed> inputs = {}) {
    ConvertOptions options;
    options.model = WriteAll(folder_ / "model.pbtxt", model);
    options.output = folder_ / "model.linnet";
    options.outputs = std::move(outputs);
    options.inputs = std::move(inputs);
    report_ = {};
    const absl::Status status = converter::Convert(options, &report_);
    return {status.message().data(), status.message().size()};
  }
  void ExpectRefusal(const std::string& message, const std::string& reason) {
    EXPECT_NE(message.find(reason), std::string::npos) << reason << "\n" << message;
  }

  ScratchFolder folder_;
  ConversionReport report_;
};

TEST_F(StrictnessTest, PromisedShapes) {
  const auto ensure = [](const char* dims) {
    return Placeholder(kDims2) + Promise("y", "EnsureShape", "T", dims);
  };
  for (const char* dims : {"dim { size: 3 }", "", "dim { size: 2 } dim { size: -1 }"})
    ExpectRefusal(Convert(ensure(dims)), "EnsureShape 'y': shape [2] is not the promised");
  for (const char* dims : {"dim { size: 2 }", "dim { size: -1 }", "unknown_rank: true"})
    EXPECT_EQ(Convert(ensure(dims)), "") << dims;
}

// 3 is only the largest of what it may be.
TEST_F(StrictnessTest, PromisedShapesOfWhatVaries) {
  const std::string model =
      Placeholder("dim { size: -1 }") + Promise("y", "EnsureShape", "T", "dim { size: 3 }");
  EXPECT_EQ(Convert(model, {}, {{"x", std::vector<int64_t>{3}}}), "");
  ExpectRefusal(Convert(model, {}, {{"x", std::vector<int64_t>{3}, {1}}}), "is not the promised");
}

TEST_F(StrictnessTest, DefaultsOfPlaceholders) {
  const std::string constant =
      R"(node { name: "x" op: "Const" attr { key: "dtype" value { type: DT_FLOAT } }
           attr { key: "value" value { tensor { dtype: DT_FLOAT tensor_shape { dim { size: 2 } } float_val: 1 } } } }
)";
  const std::string read =
      R"(node { name: "z" op: "Neg" input: "y" attr { key: "T" value { type: DT_FLOAT } } }
)";
  const auto with_default = [&](const char* dims) {
    return constant + Promise("y", "PlaceholderWithDefault", "dtype", dims) + read;
  };
  for (const char* dims : {"dim { size: 3 }", "", "dim { size: 2 } dim { size: -1 }"})
    ExpectRefusal(Convert(with_default(dims), {"z"}),
                  "'y': its default has shape [2], which is not");
  for (const char* dims : {"dim { size: 2 }", "dim { size: -1 }", "unknown_rank: true"})
    EXPECT_EQ(Convert(with_default(dims), {"z"}), "") << dims;
}

TEST_F(StrictnessTest, ImpossibleDimensions) {
  const std::string read =
      R"(node { name: "y" op: "Neg" input: "x" attr { key: "T" value { type: DT_FLOAT } } }
)";
  ExpectRefusal(Convert(Placeholder("dim { size: -2 }") + read), "dimensions with values below -1");
  ExpectRefusal(Convert(Placeholder(kDims2) +
                        Promise("y", "EnsureShape", "T", "dim { size: -9223372036854775808 }")),
                "dimensions with values below -1");
}

TEST_F(StrictnessTest, InternalNames) {
  const auto named = [](const char* name) {
    return Placeholder(kDims2) +
           fmt::format(
               R"(node {{ name: "{}" op: "Neg" input: "x" attr {{ key: "T" value {{ type: DT_FLOAT }} }} }}
)",
               name);
  };
  ExpectRefusal(Convert(named("_abc")), "Node '_abc': Node name contains invalid characters");
  EXPECT_EQ(Convert(named("a_bc")), "");
}

TEST_F(StrictnessTest, OneOutputAskedForTwice) {
  const std::string model =
      Placeholder(kDims2) +
      R"(node { name: "y" op: "Neg" input: "x" attr { key: "T" value { type: DT_FLOAT } } }
)";
  EXPECT_EQ(Convert(model, {"y", "y"}), "");
  EXPECT_EQ(report_.outputs.size(), 1u);
  EXPECT_EQ(Convert(model, {"y", "y:0"}), "");
  EXPECT_EQ(report_.outputs.size(), 2u);
}

// As TensorFlow did by accident until version 21 of its graphs.
TEST_F(StrictnessTest, AxesThatAreNoList) {
  const auto sum = [](int producer) {
    return fmt::format(
        R"(node {{ name: "x" op: "Placeholder" attr {{ key: "dtype" value {{ type: DT_FLOAT }} }}
           attr {{ key: "shape" value {{ shape {{ dim {{ size: 2 }} dim {{ size: 3 }} }} }} }} }}
node {{ name: "axes" op: "Const" attr {{ key: "dtype" value {{ type: DT_INT32 }} }}
        attr {{ key: "value" value {{ tensor {{ dtype: DT_INT32
          tensor_shape {{ dim {{ size: 1 }} dim {{ size: 2 }} }} int_val: [0, 1] }} }} }} }}
node {{ name: "y" op: "Sum" input: "x" input: "axes" attr {{ key: "T" value {{ type: DT_FLOAT }} }} }}
versions {{ producer: {} }}
)",
        producer);
  };
  EXPECT_EQ(Convert(sum(20)), "");
  ExpectRefusal(Convert(sum(21)),
                "Sum 'y': 'reduction_indices' must be a number or a list, but has shape [1,2]");
}

// TensorFlow reads what the shape asks for and leaves the rest.
TEST_F(StrictnessTest, ValuesThatAreTooMany) {
  EXPECT_EQ(Convert(R"(
node { name: "c" op: "Const" attr { key: "dtype" value { type: DT_FLOAT } }
  attr { key: "value" value { tensor { dtype: DT_FLOAT tensor_shape { dim { size: 2 } } float_val: [1, 2, 3] } } } }
)",
                    {"c"}),
            "");
}

}  // namespace
}  // namespace linnet::converter
