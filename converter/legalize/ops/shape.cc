// SPDX-License-Identifier: Apache-2.0
// Shapes as tensors (constants, unless an extent varies) and changes of shape.
#include <algorithm>
#include <limits>

#include "converter/graph/tensorflow/dtypes.h"
#include "converter/legalize/context/building_blocks.h"
#include "converter/legalize/context/tf_op.h"
#include "converter/legalize/context/varying.h"

namespace linnet::converter {
namespace {

// A constant of integers, of the dtype in attribute out_type.
Emitted EmitInts(LegalizeContext& context, const Shape& shape, const std::vector<int64_t>& values,
                 DType dtype, std::string_view suffix) {
  if (dtype == DType::kInt64)
    return context.AddConstant(Constant::Of<int64_t>(shape, values), suffix);
  if (dtype != DType::kInt32) return Invalid("attr 'out_type' is {}", DTypeName(dtype));
  std::vector<int32_t> narrow;
  for (const int64_t value : values) {
    if (value > std::numeric_limits<int32_t>::max())
      return Invalid("extent {} does not fit the int32 that attr 'out_type' wants", value);
    narrow.push_back(static_cast<int32_t>(value));
  }
  return context.AddConstant(Constant::Of<int32_t>(shape, std::move(narrow)), suffix);
}

absl::Status ShapeOf(LegalizeContext& context) {
  LINNET_ASSIGN_OR_RETURN(const DType dtype, context.Type("out_type", DType::kInt32));
  std::vector<Emitted> outputs;
  for (int i = 0; i < context.num_inputs(); ++i) {
    const Shape& shape = context.shape(i);
    const std::string suffix = context.num_inputs() == 1 ? "" : fmt::format("shape_{}", i);
    outputs.push_back(context.Varies(i) ? EmitShapeOf(context, dtype, context.input(i), suffix)
                                        : EmitInts(context, {shape.rank()},
                                                   {shape.begin(), shape.end()}, dtype, suffix));
  }
  return context.Replace(outputs);
}

absl::Status Rank(LegalizeContext& context) {
  return context.Replace(EmitInts(context, {}, {context.shape(0).rank()}, DType::kInt32, ""));
}

absl::Status Size(LegalizeContext& context) {
  LINNET_ASSIGN_OR_RETURN(const DType dtype, context.Type("out_type", DType::kInt32));
  if (!context.Varies(0))
    return context.Replace(EmitInts(context, {}, {context.shape(0).num_elements()}, dtype, ""));
  const Emitted shape = EmitShapeOf(context, dtype, context.input(0), "shape");
  return context.Replace(EmitReduce(context, ReduceKind::Prod, {0}, false, shape));
}

// The extent that -1 stands for. Where `dims` has a 0, zeros are left out of both products, so that
// [3,0] reshapes to [0,-1] = [0,3].
int64_t MissingExtent(const Shape& input, const std::vector<int64_t>& dims) {
  const bool has_zero = std::ranges::find(dims, 0) != dims.end();
  int64_t elements = 1, known = 1;
  for (const int64_t dim : input) elements *= has_zero && dim == 0 ? 1 : dim;
  for (const int64_t dim : dims) known *= dim <= 0 ? 1 : dim;
  return elements / known;
}

absl::Status Reshape(LegalizeContext& context) {
  LINNET_ASSIGN_OR_RETURN(const Extents extents, context.ExtentValues(1, "shape"));
  if (context.Varies(0) || !AllConstant(extents)) {
    LINNET_ASSIGN_OR_RETURN(const Extents filled,
                            FillMissingExtent(context, context.input(0), extents));
    return context.Replace(EmitReshape(context, filled, context.input(0)));
  }
  std::vector<int64_t> dims = Constants(extents);
  const std::string wanted = fmt::format("[{}]", fmt::join(dims, ","));
  int64_t product = 1;
  int64_t* unknown = nullptr;
  for (int64_t& dim : dims) {
    if (dim == -1 && unknown == nullptr) {
      unknown = &dim;
    } else if (dim < 0 || !CheckedMul(product, std::max<int64_t>(dim, 1), &product)) {
      return Invalid("'shape' is {}: want one -1 at most and no other negative number", wanted);
    }
  }
  if (unknown != nullptr) *unknown = MissingExtent(context.shape(0), dims);
  LINNET_ASSIGN_OR_RETURN(const Shape shape, CheckedShape(dims));
  if (shape.num_elements() != context.shape(0).num_elements())
    return Invalid("cannot reshape {} to {}", ShapeText(context.shape(0)), wanted);
  return context.Replace(EmitReshape(context, shape, context.input(0)));
}

absl::Status Squeeze(LegalizeContext& context) {
  LINNET_ASSIGN_OR_RETURN(const std::vector<int64_t> axes, context.Ints("squeeze_dims"));
  const Shape& shape = context.shape(0);
  uint32_t squeezed = 0;
  for (const int64_t value : axes) {
    LINNET_ASSIGN_OR_RETURN(const int axis, context.Axis(value, shape.rank(), "squeeze_dims"));
    if (shape[axis] != 1)
      return Invalid("cannot squeeze dimension {} of {}: want 1", axis, ShapeText(shape));
    squeezed |= 1u << axis;
  }
  const Extents extents = context.extents(0);
  Extents result;
  for (int i = 0; i < shape.rank(); ++i) {
    const Extent& extent = extents[static_cast<size_t>(i)];
    const bool drop = axes.empty() ? extent == Extent(1) : (squeezed >> i & 1) != 0;
    if (!drop) result.push_back(extent);
  }
  return context.Replace(EmitReshape(context, result, context.input(0)));
}

absl::Status ExpandDims(LegalizeContext& context) {
  const Shape& shape = context.shape(0);
  LINNET_ASSIGN_OR_RETURN(const int axis, context.ConstantAxis(1, shape.rank() + 1, "dim"));
  Extents extents = context.extents(0);
  extents.insert(extents.begin() + axis, 1);
  return context.Replace(EmitReshape(context, extents, context.input(0)));
}

absl::Status Transpose(LegalizeContext& context) {
  LINNET_ASSIGN_OR_RETURN(const Shape perm, ConstantPermutation(context, context.shape(0).rank()));
  return context.Replace(EmitTranspose(context, perm, context.input(0)));
}

absl::Status InvertPermutation(LegalizeContext& context) {
  LINNET_ASSIGN_OR_RETURN(const std::vector<int64_t> perm, context.ConstantInts(0, "x"));
  std::vector<int64_t> inverse(perm.size(), -1);
  for (size_t i = 0; i < perm.size(); ++i) {
    if (perm[i] < 0 || perm[i] >= static_cast<int64_t>(perm.size()) || inverse[perm[i]] != -1)
      return Invalid("'x' is [{}], no permutation", fmt::join(perm, ","));
    inverse[perm[i]] = static_cast<int64_t>(i);
  }
  return context.Replace(EmitInts(context, context.shape(0), inverse, context.type(0).dtype, ""));
}

absl::Status BroadcastTo(LegalizeContext& context) {
  LINNET_ASSIGN_OR_RETURN(const Extents extents, context.ExtentValues(1, "shape"));
  if (context.Varies(0) || !AllConstant(extents))
    return context.Replace(EmitBroadcastTo(context, extents, context.input(0)));
  std::vector<int64_t> dims = Constants(extents);
  const Shape& shape = context.shape(0);
  const int added = static_cast<int>(dims.size()) - shape.rank();
  for (int i = 0; i < static_cast<int>(dims.size()); ++i) {
    if (dims[i] == -1 && i >= added && added >= 0) dims[i] = shape[i - added];
  }
  LINNET_ASSIGN_OR_RETURN(const Shape result, CheckedShape(dims));
  return context.Replace(EmitBroadcastTo(context, result, context.input(0)));
}

// The shape that two shapes broadcast to.
absl::Status BroadcastArgs(LegalizeContext& context) {
  LINNET_ASSIGN_OR_RETURN(std::vector<int64_t> a, context.ConstantInts(0, "s0"));
  LINNET_ASSIGN_OR_RETURN(std::vector<int64_t> b, context.ConstantInts(1, "s1"));
  if (a.size() < b.size()) a.swap(b);
  b.insert(b.begin(), a.size() - b.size(), 1);
  for (size_t i = 0; i < a.size(); ++i) {
    if (a[i] != b[i] && a[i] != 1 && b[i] != 1)
      return Invalid("[{}] and [{}] do not broadcast", fmt::join(a, ","), fmt::join(b, ","));
    if (a[i] == 1) a[i] = b[i];
  }
  const Shape shape = {static_cast<int64_t>(a.size())};
  return context.Replace(EmitInts(context, shape, a, context.type(0).dtype, ""));
}

// Checks the input against attribute shape, whose unknown dimensions fit any extent.
absl::Status EnsureShape(LegalizeContext& context) {
  const tf::AttrValue* attr = context.node().FindAttr("shape");
  const Shape& shape = context.shape(0);
  if (attr != nullptr && attr->value_case() == tf::AttrValue::kShape &&
      !attr->shape().unknown_rank()) {
    const auto& dims = attr->shape().dim();
    bool fits = dims.size() == shape.rank();
    const Extents extents = context.extents(0);
    for (int i = 0; fits && i < shape.rank(); ++i)
      fits = dims[i].size() < 0 || extents[i] == Extent(dims[i].size());
    if (!fits)
      return Invalid("shape {} is not the promised {}", ShapeText(shape),
                     ShapeString(attr->shape()));
  }
  return context.Replace(context.input(0));
}

}  // namespace

std::span<const TfOp> ShapeOps() {
  static constexpr TfOp kRows[] = {
      {"BroadcastArgs", BroadcastArgs, "a constant"},
      {"BroadcastTo", BroadcastTo, "BroadcastTo; shape known", kMayVary | kTakesComplex},
      {"ConjugateTranspose", Transpose, "Transpose; perm known"},
      {"EnsureShape", EnsureShape, "nothing", kMayVary | kTakesComplex},
      {"ExpandDims", ExpandDims, "Reshape", kMayVary | kTakesComplex},
      {"InvertPermutation", InvertPermutation, "a constant; input known"},
      {"Rank", Rank, "a constant", kMayVary | kTakesComplex},
      {"Reshape", Reshape, "Reshape; shape known", kMayVary | kTakesComplex},
      {"Shape", ShapeOf, "a constant", kMayVary | kTakesComplex},
      {"VariableShape", ShapeOf, "a constant"},
      {"ShapeN", ShapeOf, "constants", kMayVary | kTakesComplex},
      {"Size", Size, "a constant", kMayVary | kTakesComplex},
      {"Squeeze", Squeeze, "Reshape", kMayVary | kTakesComplex},
      {"Transpose", Transpose, "Transpose; perm known", kMayVary | kTakesComplex},
  };
  return kRows;
}

}  // namespace linnet::converter
