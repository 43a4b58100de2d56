// SPDX-License-Identifier: Apache-2.0
#include "tests/conformance/half_precision.h"

#include <algorithm>
#include <cstring>

#include "runtime/core/half.h"
#include "tests/conformance/portable_result.h"

namespace linnet::conformance {
namespace {

constexpr double kMargin = 2e-3, kNativeMargin = 1e-2;
constexpr float kLargest = 65504.0f;

constexpr char kInfinite[] = "an infinity is 65504";
constexpr char kTiny[] = "an input is smaller than the smallest half";
constexpr char kBoundary[] = "rounding an input takes it across a step of the function";
constexpr char kSteep[] = "the output changes more than the input does";
constexpr char kCancelled[] = "what the inputs have in common is subtracted";

// Cases with outputs that depend on more than the first three decimal digits of their inputs.
struct Sensitive {
  OpKind kind;
  const char* test;
  const char* reason;
};
constexpr Sensitive kSensitive[] = {
    {OpKind::kUnary, "sign_small_edges", kTiny},
    {OpKind::kUnary, "ceil_small_edges", kTiny},
    {OpKind::kUnary, "log_small_edges", kTiny},
    {OpKind::kUnary, "lgamma_small_edges", kTiny},
    {OpKind::kUnary, "digamma_small_edges", kTiny},
    {OpKind::kUnary, "sqrt_large_edges", kInfinite},
    {OpKind::kUnary, "rsqrt_large_edges", kInfinite},
    {OpKind::kUnary, "log_large_edges", kInfinite},
    {OpKind::kUnary, "log1p_large_edges", kInfinite},
    {OpKind::kUnary, "sin_large_edges", kInfinite},
    {OpKind::kUnary, "cos_large_edges", kInfinite},
    {OpKind::kUnary, "tan_large_edges", kInfinite},
    {OpKind::kUnary, "asinh_large_edges", kInfinite},
    {OpKind::kUnary, "acosh_large_edges", kInfinite},
    {OpKind::kUnary, "lgamma_large_edges", kInfinite},
    {OpKind::kUnary, "digamma_large_edges", kInfinite},
    {OpKind::kUnary, "geluerf_large_edges", kInfinite},
    {OpKind::kUnary, "gelutanh_large_edges", kInfinite},
    {OpKind::kUnary, "swish_large_edges", kInfinite},
    {OpKind::kUnary, "hardswish_large_edges", kInfinite},
    {OpKind::kUnary, "softsign_large_edges", kInfinite},
    {OpKind::kUnary, "isinf_large_edges", kInfinite},
    {OpKind::kUnary, "isfinite_large_edges", kInfinite},
    {OpKind::kUnary, "sin", kSteep},
    {OpKind::kUnary, "cos", kSteep},
    {OpKind::kUnary, "tan", kSteep},
    {OpKind::kUnary, "atanh", kSteep},
    {OpKind::kUnary, "lgamma", kSteep},
    {OpKind::kUnary, "digamma", kSteep},
    {OpKind::kUnary, "erfinv", kSteep},
    {OpKind::kBinary, "floordiv", kBoundary},
    {OpKind::kBinary, "floormod", kBoundary},
    {OpKind::kBinary, "truncatemod", kBoundary},
    {OpKind::kBinary, "add_special", kInfinite},
    {OpKind::kBinary, "mul_special", kInfinite},
    {OpKind::kCompare, "long_row", kBoundary},
    {OpKind::kCast, "f32_to_i32", kBoundary},
    {OpKind::kCast, "f32_to_u8", kBoundary},
    {OpKind::kCast, "negative_to_i32", kBoundary},
    {OpKind::kCast, "big_to_i32", kInfinite},
    {OpKind::kCast, "long", kBoundary},
    {OpKind::kPrelu, "special_values", kInfinite},
    {OpKind::kPrelu, "known_special_values", kInfinite},
    {OpKind::kConv2D, "infinity", kInfinite},
    {OpKind::kBatchMatMul, "infinity", kInfinite},
    {OpKind::kArgReduce, "max_special_rows", kInfinite},
    {OpKind::kArgReduce, "max_special_columns", kInfinite},
    {OpKind::kArgReduce, "min_special_rows", kInfinite},
    {OpKind::kArgReduce, "min_special_columns", kInfinite},
    {OpKind::kArgReduce, "min_long_row", kBoundary},
    {OpKind::kArgReduce, "max_special_rows_to_i32", kInfinite},
    {OpKind::kArgReduce, "max_special_columns_to_i32", kInfinite},
    {OpKind::kArgReduce, "min_special_rows_to_i32", kInfinite},
    {OpKind::kArgReduce, "min_special_columns_to_i32", kInfinite},
    {OpKind::kArgReduce, "min_long_row_to_i32", kBoundary},
    {OpKind::kSoftmax, "imagenet", kSteep},
    {OpKind::kSoftmax, "large_logits", kSteep},
    {OpKind::kSoftmax, "all_masked", kInfinite},
    {OpKind::kSoftmax, "log_all_masked", kInfinite},
    {OpKind::kSoftmax, "infinity", kInfinite},
    {OpKind::kSoftmax, "log_infinity", kInfinite},
    {OpKind::kLayerNorm, "offset", kCancelled},
    {OpKind::kLayerNorm, "large", kCancelled},
    {OpKind::kL2Normalize, "below_epsilon", kTiny},
    {OpKind::kL2Normalize, "infinity", kInfinite},
    {OpKind::kRmsNorm, "large", kInfinite},
    {OpKind::kRmsNorm, "infinity", kInfinite},
    {OpKind::kCropAndResize, "nearest", kBoundary},
    {OpKind::kCropAndResize, "nearest_one_pixel", kBoundary},
    {OpKind::kCropAndResize, "nearest_one_row", kBoundary},
    {OpKind::kCropAndResize, "nearest_larger", kBoundary},
    {OpKind::kCropAndResize, "nearest_one_channel", kBoundary},
};

bool IsSensitive(const OpCase& test) {
  return std::any_of(std::begin(kSensitive), std::end(kSensitive), [&](const Sensitive& row) {
    return row.kind == test.kind && test.name == row.test;
  });
}

// What a half can hold; `round`: as one.
void MakeHalves(bool round, CaseTensor* tensor) {
  if (tensor->type.dtype != DType::kFloat32) return;
  for (size_t at = 0; at + sizeof(float) <= tensor->bytes.size(); at += sizeof(float)) {
    float value;
    std::memcpy(&value, &tensor->bytes[at], sizeof(value));
    value = std::clamp(value, -kLargest, kLargest);
    if (round) value = HalfToFloat(FloatToHalf(value));
    std::memcpy(&tensor->bytes[at], &value, sizeof(value));
  }
}

}  // namespace

Margin HalfMarginOf(const OpCase& test) {
  Margin margin = MarginOf(test);
  margin.of_largest = std::max(margin.of_largest, kMargin);
  return margin;
}

Margin NativeHalfMarginOf(const OpCase& test) {
  Margin margin = HalfMarginOf(test);
  margin.of_largest = std::max(margin.of_largest, kNativeMargin);
  return margin;
}

std::string ExpectInHalves(const OpInstance& op, OpCase* test) {
  if (IsSensitive(*test)) {
    OpCase rounded = *test;
    for (CaseTensor& input : rounded.inputs) MakeHalves(true, &input);
    std::vector<std::vector<uint8_t>> outputs;
    if (std::string error = PortableResult(rounded, op, &outputs); !error.empty()) return error;
    for (size_t i = 0; i < outputs.size(); ++i) test->outputs[i].bytes = outputs[i];
  }
  for (CaseTensor& output : test->outputs) MakeHalves(false, &output);
  return "";
}

}  // namespace linnet::conformance
