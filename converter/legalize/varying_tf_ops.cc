// SPDX-License-Identifier: Apache-2.0
// The TensorFlow ops whose inputs may have extents that vary: what they turn into holds for every extent, as it takes no
// number from the largest. An op joins this list with a case in tests/converter/legalize/varying_test.cc or tests/models.
#include <algorithm>
#include <string_view>

#include "converter/legalize/varying.h"

namespace linnet::converter {
namespace {

// Sorted.
constexpr std::string_view kOps[] = {
    "Abs", "Acos", "Acosh", "Add", "AddN", "AddV2", "All", "Any", "ApproximateEqual", "ArgMax",
    "ArgMin", "Asin", "Asinh", "Assert", "Atan", "Atan2", "Atanh", "BatchMatMul", "BatchMatMulV2",
    "BatchMatMulV3", "BiasAdd", "BiasAddV1", "BitwiseAnd", "BitwiseOr", "BitwiseXor",
    "BroadcastTo", "Cast", "Ceil", "CheckNumerics", "CheckNumericsV2", "ClipByValue", "Concat",
    "ConcatV2", "Cos", "Cosh", "Cumprod", "Cumsum", "Div", "DivNoNan", "Elu", "EnsureShape",
    "Equal", "Erf", "Erfc", "Exp", "ExpandDims", "Expm1", "Fill", "Floor", "FloorDiv", "FloorMod",
    "Gather", "GatherNd", "GatherV2", "Greater", "GreaterEqual", "GuaranteeConst", "Identity",
    "IdentityN", "Inv", "Invert", "IsFinite", "IsInf", "IsNan", "LeakyRelu", "Less", "LessEqual",
    "Log", "Log1p", "LogSoftmax", "LogicalAnd", "LogicalNot", "LogicalOr", "MatMul", "Max",
    "Maximum", "Mean", "Min", "Minimum", "Mod", "Mul", "MulNoNan", "Neg", "NoOp",
    "NonMaxSuppression", "NonMaxSuppressionV2", "NonMaxSuppressionV3", "NonMaxSuppressionV4",
    "NonMaxSuppressionV5", "NotEqual", "OneHot", "OnesLike", "Pack", "Pad", "PadV2",
    "PartitionedCall", "Placeholder", "PlaceholderWithDefault", "Pow", "PreventGradient", "Prod",
    "Range", "Rank", "ReadVariableOp", "RealDiv", "Reciprocal", "Relu", "Relu6", "Reshape",
    "ResourceGather", "Rint", "Round", "Rsqrt", "Select", "SelectV2", "Selu", "Shape", "ShapeN",
    "Sigmoid", "Sign", "Sin", "Sinh", "Size", "Slice", "Snapshot", "Softmax", "Softplus",
    "Softsign", "Split", "SplitV", "Sqrt", "Square", "SquaredDifference", "Squeeze",
    "StatefulPartitionedCall", "StopGradient", "StridedSlice", "Sub", "Sum", "Tan", "Tanh", "Tile",
    "TopKV2", "Transpose", "TruncateDiv", "TruncateMod", "Unpack", "Where", "Xdivy", "Xlogy",
    "ZerosLike", "_FusedMatMul",
};
static_assert(std::ranges::is_sorted(kOps));

}  // namespace

bool TakesVaryingExtents(std::string_view tf_op) {
  return std::ranges::binary_search(kOps, tf_op);
}

}  // namespace linnet::converter
