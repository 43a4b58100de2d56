// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "converter/graph/text/constant_text.h"
#include "converter/import/raw_graph.h"
#include "google/protobuf/text_format.h"
#include "tests/converter/graph/test_ops.h"

namespace linnet::converter {
namespace {

// Rows: a TensorProto, and the constant that it becomes or the error.
struct TensorCase {
  const char* proto;
  const char* want;
};
const TensorCase kCases[] = {
    {"dtype: DT_FLOAT tensor_shape { } float_val: 2.5", "f32[] 2.5"},
    {"dtype: DT_FLOAT tensor_shape { dim { size: 3 } } float_val: [1, 2]", "f32[3] {1, 2, 2}"},
    {"dtype: DT_FLOAT tensor_shape { dim { size: 2 } }", "f32[2] {0, 0}"},
    {"dtype: DT_FLOAT tensor_shape { dim { size: 1 } } float_val: [1, 2]", "f32[1] {1}"},
    {"dtype: DT_FLOAT tensor_shape { dim { size: 0 } } float_val: 1", "f32[0] {}"},
    {"dtype: DT_DOUBLE tensor_shape { } double_val: 0.1", "f64[] 0.1"},
    {"dtype: DT_HALF tensor_shape { dim { size: 2 } } half_val: [15360, 49152]", "f16[2] {1, -2}"},
    {"dtype: DT_BFLOAT16 tensor_shape { dim { size: 3 } } half_val: [16256, 49152]",
     "f32[3] {1, -2, -2}"},
    {"dtype: DT_BFLOAT16 tensor_shape { dim { size: 1 } } tensor_content: \"\\200\\077\"",
     "f32[1] {1}"},
    {"dtype: DT_BFLOAT16 tensor_shape { dim { size: 1 } } tensor_content: \"\\200\\077\\000\\000\"",
     "tensor_content has 4 bytes, want 2 for bfloat16[1]"},
    {"dtype: DT_INT32 tensor_shape { dim { size: 2 } } int_val: [-1, 7]", "i32[2] {-1, 7}"},
    {"dtype: DT_INT64 tensor_shape { } int64_val: 1099511627776", "i64[] 1099511627776"},
    {"dtype: DT_UINT8 tensor_shape { dim { size: 2 } } int_val: 255", "u8[2] {255, 255}"},
    {"dtype: DT_INT8 tensor_shape { } int_val: -3", "i8[] -3"},
    {"dtype: DT_INT16 tensor_shape { } int_val: -300", "i16[] -300"},
    {"dtype: DT_UINT16 tensor_shape { } int_val: 65535", "u16[] 65535"},
    {"dtype: DT_BOOL tensor_shape { dim { size: 2 } } bool_val: [true, false]",
     "bool[2] {true, false}"},
    {"dtype: DT_BOOL tensor_shape { dim { size: 2 } } tensor_content: \"\\002\\000\"",
     "bool[2] {true, false}"},
    {"dtype: DT_INT32 tensor_shape { dim { size: 1 } } tensor_content: \"\\001\\002\\000\\000\"",
     "i32[1] {513}"},
    {"dtype: DT_INT32 tensor_shape { dim { size: 2 } } tensor_content: \"\\001\\002\\000\\000\"",
     "tensor_content has 4 bytes, want 8 for int32[2]"},
    {"dtype: DT_FLOAT tensor_shape { dim { size: -1 } } float_val: 1",
     "the shape of the value, float[?], is not known"},
    {"dtype: DT_FLOAT tensor_shape { unknown_rank: true }",
     "the shape of the value, float<unknown>, is not known"},
    {"dtype: DT_FLOAT tensor_shape { dim { size: 9223372036854775807 } dim { size: 4 } }",
     "too big"},
    {"dtype: DT_FLOAT tensor_shape { dim { size: 100000000000 } } float_val: 1",
     "would need 400000000000 bytes"},
};

TEST(ConstantFromTensor, Cases) {
  for (const TensorCase& c : kCases) {
    RawTensor tensor;
    ASSERT_TRUE(google::protobuf::TextFormat::ParseFromString(c.proto, &tensor.proto)) << c.proto;
    int64_t constant_room = 1 << 20;
    const absl::StatusOr<Constant> value = ConstantFromTensor(std::move(tensor), &constant_room);
    const std::string got =
        value.ok() ? TypeText(value->type) + " " + ValueText(*value, 16) : Message(value.status());
    EXPECT_THAT(got, testing::HasSubstr(c.want)) << c.proto;
  }
}

TEST(ConstantFromTensor, TypesWithoutEquivalentKeepTheirContent) {
  RawTensor tensor;
  tensor.proto.set_dtype(tf::DT_UINT32);
  tensor.proto.mutable_tensor_shape()->add_dim()->set_size(1);
  tensor.proto.set_tensor_content("abcd");
  int64_t constant_room = kMostExpandedBytes;
  const absl::StatusOr<Constant> value = ConstantFromTensor(std::move(tensor), &constant_room);
  ASSERT_TRUE(value.ok());
  EXPECT_EQ(value->type.dtype, DType::kInvalid);
  EXPECT_EQ(value->bytes.size(), 4u);
}

TEST(ConstantFromTensor, TheRoomIsShared) {
  int64_t constant_room = 10;
  for (int i = 0; i < 3; ++i) {
    RawTensor tensor;
    tensor.proto.set_dtype(tf::DT_FLOAT);
    tensor.proto.mutable_tensor_shape();
    EXPECT_EQ(ConstantFromTensor(std::move(tensor), &constant_room).ok(), i < 2);
  }
}

}  // namespace
}  // namespace linnet::converter
