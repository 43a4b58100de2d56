// SPDX-License-Identifier: Apache-2.0
// Models that TensorFlow refuses must be refused, models that it accepts must be accepted.
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

// An op with a float output and a shape attribute, which reads x.
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
  // The error message for the model, or "".
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

// 3 is only the upper bound of the extent.
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

// A model that adds a placeholder of two elements and a constant of two.
TEST_F(StrictnessTest, OutputShapes) {
  const auto model = [](std::string_view of_x, std::string_view of_c, std::string_view of_y) {
    const auto shapes = [](std::string_view list) {
      return fmt::format(R"(attr {{ key: "_output_shapes" value {{ list {{ {} }} }} }})", list);
    };
    return fmt::format(
        R"(node {{ name: "x" op: "Placeholder" attr {{ key: "dtype" value {{ type: DT_FLOAT }} }}
             attr {{ key: "shape" value {{ shape {{ dim {{ size: 2 }} }} }} }} {} }}
           node {{ name: "c" op: "Const" attr {{ key: "dtype" value {{ type: DT_FLOAT }} }}
             attr {{ key: "value" value {{ tensor {{ dtype: DT_FLOAT tensor_shape {{ dim {{ size: 2 }} }}
               float_val: 1 }} }} }} {} }}
           node {{ name: "y" op: "AddV2" input: "x" input: "c"
             attr {{ key: "T" value {{ type: DT_FLOAT }} }} {} }}
versions {{ producer: 27 }})",
        shapes(of_x), shapes(of_c), shapes(of_y));
  };
  const char* two = "shape { dim { size: 2 } }";
  const char* any = "shape { unknown_rank: true }";
  EXPECT_EQ(Convert(model(two, two, two)), "");
  EXPECT_EQ(Convert(model(any, "shape { dim { size: -1 } }", any)), "");
  EXPECT_EQ(Convert(model("shape { dim { size: 2 } } shape { }", two, two)), "");
  for (const char* other : {"shape { dim { size: 3 } }", "shape { }"}) {
    ExpectRefusal(Convert(model(other, two, two)),
                  "Node 'x' has an _output_shapes attribute incon");
    ExpectRefusal(Convert(model(two, other, two)),
                  "Node 'c' has an _output_shapes attribute incon");
  }
  ExpectRefusal(Convert(model(two, two, "")), "Node 'y' has 1 outputs but the _output_shapes");
  ExpectRefusal(Convert(model(two, two, "shape { dim { size: -2 } }")),
                "Node 'y' has an invalid _output_shapes attribute");
}

// A scalar must not be broadcast over a whole dimension before it is known that a layer reads it.
TEST_F(StrictnessTest, DimensionsOfBillions) {
  const std::string neg =
      R"(node { name: "y" op: "Neg" input: "x" attr { key: "T" value { type: DT_FLOAT } } }
)";
  EXPECT_EQ(Convert(Placeholder("dim { size: 12 } dim { size: 2147483647 }") + neg), "");
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

// Shapes of the graph's own arguments and results, which the converter itself makes.
TEST_F(StrictnessTest, EndsOfFunctions) {
  const auto end = [](const char* input) {
    return fmt::format(
        R"({} {{ name: "r" op: "_Retval" input: "{}" attr {{ key: "T" value {{ type: DT_FLOAT }} }}
             attr {{ key: "index" value {{ i: 4611686018427387904 }} }} }})",
        *input == 'x' ? "node" : "node_def", input);
  };
  const std::string in_function =
      R"(library { function { signature { name: "f" input_arg { name: "a" type: DT_FLOAT } }
)" + end("a") +
      "} }\n";
  for (const std::string& part : {end("x"), in_function})
    ExpectRefusal(Convert(Placeholder(kDims2) + part),
                  "_Retval 'r': is an op that only TensorFlow");
  const std::string argument =
      R"(node { name: "r" op: "_Arg" attr { key: "T" value { type: DT_FLOAT } }
           attr { key: "index" value { i: 0 } } })";
  ExpectRefusal(Convert(Placeholder(kDims2) + argument), "_Arg 'r': is an op that only TensorFlow");
}

// Ops that pass their inputs through, with attributes that contradict the inputs.
TEST_F(StrictnessTest, OpsThatPassOn) {
  const auto model = [](const char* types, int n, const char* second) {
    return Placeholder(kDims2) + fmt::format(
                                     R"(node {{ name: "l" op: "_ListToArray" input: "x"
                    attr {{ key: "Tin" value {{ list {{ type: [DT_FLOAT] }} }} }}
                    attr {{ key: "T" value {{ type: {} }} }} attr {{ key: "N" value {{ i: {} }} }} }}
                  node {{ name: "y" op: "Maximum" input: "l" input: "{}"
                    attr {{ key: "T" value {{ type: {} }} }} }})",
                                     types, n, second, types);
  };
  EXPECT_EQ(Convert(model("DT_FLOAT", 1, "l")), "");
  ExpectRefusal(Convert(model("DT_FLOAT", 2, "l:1")), "_ListToArray 'l'");
  ExpectRefusal(Convert(model("DT_INT32", 1, "l")), "_ListToArray 'l'");
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

// Up to version 21 of its graphs TensorFlow accepted this by accident.
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

// TensorFlow reads as many values as the shape needs and ignores the rest.
TEST_F(StrictnessTest, ValuesThatAreTooMany) {
  EXPECT_EQ(Convert(R"(
node { name: "c" op: "Const" attr { key: "dtype" value { type: DT_FLOAT } }
  attr { key: "value" value { tensor { dtype: DT_FLOAT tensor_shape { dim { size: 2 } } float_val: [1, 2, 3] } } } }
)",
                    {"c"}),
            "");
}

// A model with a condition p of these dimensions and a Switch that sends a number x one way or the
// other.
TEST_F(StrictnessTest, ConditionsOfSwitches) {
  const auto model = [](std::string_view dims, std::string_view choice) {
    return fmt::format(
        R"(node {{ name: "p" op: "Placeholder" attr {{ key: "dtype" value {{ type: DT_BOOL }} }}
             attr {{ key: "shape" value {{ shape {{ {} }} }} }} }}
           node {{ name: "x" op: "Placeholder" attr {{ key: "dtype" value {{ type: DT_FLOAT }} }}
             attr {{ key: "shape" value {{ shape {{ }} }} }} }}
           {} versions {{ producer: 1395 }})",
        dims, choice);
  };
  const std::string_view kSwitch =
      R"(node { name: "s" op: "Switch" input: "x" input: "p" attr { key: "T" value { type: DT_FLOAT } } }
         node { name: "n" op: "Neg" input: "s:1" attr { key: "T" value { type: DT_FLOAT } } }
         node { name: "y" op: "Merge" input: "s" input: "n" attr { key: "T" value { type: DT_FLOAT } }
           attr { key: "N" value { i: 2 } } })";
  const auto if_node = [](bool lowered) {
    const auto function = [](const char* name, const char* op) {
      return fmt::format(R"(function {{ signature {{ name: "{}"
             input_arg {{ name: "a" type: DT_FLOAT }} output_arg {{ name: "r" type: DT_FLOAT }} }}
           node_def {{ name: "y" op: "{}" input: "a" attr {{ key: "T" value {{ type: DT_FLOAT }} }} }}
           ret {{ key: "r" value: "y:y:0" }} }})",
                         name, op);
    };
    return fmt::format(R"(node {{ name: "y" op: "StatelessIf" input: "p" input: "x"
             attr {{ key: "Tcond" value {{ type: DT_BOOL }} }}
             attr {{ key: "Tin" value {{ list {{ type: DT_FLOAT }} }} }}
             attr {{ key: "Tout" value {{ list {{ type: DT_FLOAT }} }} }}
             attr {{ key: "then_branch" value {{ func {{ name: "then" }} }} }}
             attr {{ key: "else_branch" value {{ func {{ name: "else" }} }} }}
             attr {{ key: "_lower_using_switch_merge" value {{ b: {} }} }} }}
           library {{ {} {} }})",
                       lowered, function("then", "Neg"), function("else", "Abs"));
  };
  EXPECT_EQ(Convert(model("", kSwitch)), "");
  EXPECT_EQ(Convert(model("", if_node(true))), "");
  for (const char* dims : {"dim { size: 1 }", kDims2}) {
    ExpectRefusal(Convert(model(dims, kSwitch)), "'y': its condition is bool[");
    ExpectRefusal(Convert(model(dims, if_node(true))), "a Switch wants one bool");
    EXPECT_EQ(Convert(model(dims, if_node(false))), "");
  }
}

}  // namespace
}  // namespace linnet::converter
