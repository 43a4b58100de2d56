// SPDX-License-Identifier: Apache-2.0
// Decoding until something is found: a loop that writes to a list which TensorFlow extends as
// needed. Lists of Linnet do not grow, so such a loop converts only when it surely stays inside the
// list.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include "converter/convert.h"
#include "tests/scratch_folder.h"

namespace linnet::converter {
namespace {

using testing::HasSubstr;

std::string Const(const std::string& node, const std::string& name, int value) {
  return fmt::format(
      R"({} {{ name: "{}" op: "Const" attr {{ key: "dtype" value {{ type: DT_INT32 }} }}
  attr {{ key: "value" value {{ tensor {{ dtype: DT_INT32 tensor_shape {{}} int_val: {} }} }} }} }}
)",
      node, name, value);
}

// i = 0; while (i < steps and `goes_on`): list[i] = i; i += 1
std::string Model(int size, bool may_grow, int steps, const std::string& condition) {
  const std::string args =
      R"(input_arg { name: "i" type: DT_INT32 } input_arg { name: "list" type: DT_VARIANT } input_arg { name: "x" type: DT_INT32 }
)";
  const std::string type = R"(attr { key: "T" value { type: DT_INT32 } } )";
  const std::string element =
      R"(attr { key: "element_dtype" value { type: DT_INT32 } } attr { key: "shape_type" value { type: DT_INT32 } } )";
  return R"(node { name: "x" op: "Placeholder" attr { key: "dtype" value { type: DT_INT32 } } attr { key: "shape" value { shape {} } } }
)" + Const("node", "zero", 0) +
         Const("node", "size", size) + R"(
node { name: "any" op: "Const" attr { key: "dtype" value { type: DT_INT32 } }
  attr { key: "value" value { tensor { dtype: DT_INT32 tensor_shape { dim {} } } } } }
node { name: "list" op: "TensorListReserve" input: "any" input: "size" )" +
         element + R"(}
node { name: "loop" op: "StatelessWhile" input: "zero" input: "list" input: "x"
  attr { key: "T" value { list { type: [DT_INT32, DT_VARIANT, DT_INT32] } } }
  attr { key: "cond" value { func { name: "cond" } } } attr { key: "body" value { func { name: "body" } } } }
node { name: "y" op: "TensorListStack" input: "loop:1" input: "any" attr { key: "element_dtype" value { type: DT_INT32 } } }
library {
function { signature { name: "cond" )" +
         args + R"(output_arg { name: "go" type: DT_BOOL } }
)" + Const("node_def", "steps", steps) +
         R"(node_def { name: "inside" op: "Less" input: "i" input: "steps:output:0" )" + type + R"(}
node_def { name: "wanted" op: "Less" input: "i" input: "x" )" +
         type + R"(}
node_def { name: "both" op: "LogicalAnd" input: "inside:z:0" input: "wanted:z:0" }
ret { key: "go" value: ")" +
         condition + R"(:z:0" } }
function { signature { name: "body" )" +
         args +
         R"(output_arg { name: "j" type: DT_INT32 } output_arg { name: "l" type: DT_VARIANT } output_arg { name: "z" type: DT_INT32 } }
)" + Const("node_def", "one", 1) +
         R"(node_def { name: "next" op: "AddV2" input: "i" input: "one:output:0" )" + type + R"(}
node_def { name: "set" op: "TensorListSetItem" input: "list" input: "i" input: "i"
  attr { key: "element_dtype" value { type: DT_INT32 } }
  attr { key: "resize_if_index_out_of_bounds" value { b: )" +
         (may_grow ? "true" : "false") + R"( } } }
ret { key: "j" value: "next:z:0" } ret { key: "l" value: "set:output_handle:0" } ret { key: "z" value: "x" } } }
versions { producer: 1395 }
)";
}

class GrowingListTest : public testing::Test {
 protected:
  std::string Convert(const std::string& model) {
    ConvertOptions options;
    options.model = WriteAll(folder_ / "model.pbtxt", model);
    options.output = folder_ / "model.linnet";
    options.outputs = {"y"};
    ConversionReport report;
    const absl::Status status = converter::Convert(options, &report);
    return {status.message().data(), status.message().size()};
  }

  ScratchFolder folder_;
};

TEST_F(GrowingListTest, SureToStayInside) {
  for (const int size : {6, 8}) EXPECT_EQ(Convert(Model(size, true, 6, "both")), "") << size;
}

TEST_F(GrowingListTest, MayGrow) {
  for (const int size : {1, 5})
    EXPECT_THAT(
        Convert(Model(size, true, 6, "both")),
        HasSubstr(fmt::format("it may write behind the {} elements that the list has", size)));
  EXPECT_THAT(Convert(Model(8, true, 6, "wanted")), HasSubstr("behind the 8 elements"));
  EXPECT_THAT(Convert(Model(0, true, 6, "both")), HasSubstr("it writes to a list of no elements"));
}

// TensorFlow's loop would end with an error too.
TEST_F(GrowingListTest, MayNotGrow) { EXPECT_EQ(Convert(Model(1, false, 6, "both")), ""); }

}  // namespace
}  // namespace linnet::converter
