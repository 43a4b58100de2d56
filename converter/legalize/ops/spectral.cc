// SPDX-License-Identifier: Apache-2.0
// Fourier transforms, and the ops on complex numbers between them. A complex tensor is one of pairs
// (real, imaginary), which are one more dimension, the last.
#include <algorithm>

#include "converter/graph/tensorflow/dtypes.h"
#include "converter/legalize/context/building_blocks.h"
#include "converter/legalize/context/tf_op.h"
#include "runtime/ops/fourier.h"

namespace linnet::converter {
namespace {

using schema::FourierKind;

// The shape that a tensor of pairs has in TensorFlow.
Shape NumbersShape(const Shape& pairs) { return SubShape(pairs, 0, pairs.rank() - 1); }

absl::StatusOr<Shape> PairsShape(const Shape& numbers) {
  if (numbers.rank() >= kMaxRank)
    return Unsupported("complex numbers of rank {}, want less than {}", numbers.rank(), kMaxRank);
  return Concatenated(numbers, {2});
}

// The real parts (0) or the imaginary ones (1), without the dimension of the pairs unless
// `keep_dim`.
Emitted EmitPart(LegalizeContext& context, Output pairs, int part, bool keep_dim,
                 const std::string& suffix) {
  const Shape shape = context.shape(pairs);
  const Emitted column = EmitSliceAlong(context, shape.rank() - 1, part, 1, pairs,
                                        keep_dim ? suffix : suffix + "_column");
  return keep_dim ? column : EmitReshape(context, NumbersShape(shape), column, suffix);
}

Emitted EmitPairs(LegalizeContext& context, Emitted real, Emitted imaginary,
                  const std::string& suffix) {
  if (!real.ok()) return real;
  LINNET_ASSIGN_OR_RETURN(Shape shape, PairsShape(context.shape(*real)));
  const int last = shape.rank() - 1;
  shape[last] = 1;
  real = EmitReshape(context, shape, real, "real_column");
  imaginary = EmitReshape(context, shape, imaginary, "imaginary_column");
  return EmitJoined(context, {real, imaginary}, last, suffix);
}

// The first `size` elements along `axis`. TensorFlow does not pad tensors with fewer elements,
// either.
Emitted EmitFirstAlong(LegalizeContext& context, const Emitted& x, int axis, int64_t size) {
  if (!x.ok()) return x;
  const int64_t extent = context.shape(*x)[axis];
  if (extent < size)
    return Invalid("'fft_length' wants {} elements of dimension {}, but there are {}", size, axis,
                   extent);
  return EmitSliceAlong(context, axis, 0, size, x, fmt::format("axis_{}/first", axis));
}

// A transform along `axis` of the tensor, the dimension of the pairs not counted.
Emitted EmitAlong(LegalizeContext& context, FourierKind kind, int64_t length, int axis, Emitted x) {
  if (!x.ok()) return x;
  const std::string suffix = fmt::format("axis_{}", axis);
  const FourierAttrs attrs{.kind = kind, .length = length};
  const int rank = context.shape(*x).rank();
  const int last = rank - (kind == FourierKind::RealForward ? 1 : 2);
  if (axis == last) return context.Emit(attrs, {x}, suffix);
  Shape perm;  // it is its own inverse
  for (int i = 0; i < rank; ++i) perm.Append(i);
  std::swap(perm[axis], perm[last]);
  x = EmitTranspose(context, perm, x, suffix + "/axis_last");
  x = context.Emit(attrs, {x}, suffix + "/Fourier");
  return EmitTranspose(context, perm, x, suffix);
}

// Along the last kRank dimensions.
template <int kRank, bool kInverse>
absl::Status Fft(LegalizeContext& context) {
  Emitted x = context.input(0);
  const int rank = context.shape(0).rank() - 1;
  if (rank < kRank) return Invalid("input has rank {}, want {}", rank, kRank);
  constexpr FourierKind kKind = kInverse ? FourierKind::Inverse : FourierKind::Forward;
  for (int axis = rank - 1; axis >= rank - kRank; --axis)
    x = EmitAlong(context, kKind, context.shape(0)[axis], axis, x);
  return context.Replace(x);
}

// The lengths of the transforms along the last `wanted` dimensions.
absl::StatusOr<std::vector<int64_t>> FftLengths(const LegalizeContext& context, int rank,
                                                int wanted) {
  LINNET_ASSIGN_OR_RETURN(const std::vector<int64_t> lengths,
                          context.ConstantInts(1, "fft_length"));
  if (static_cast<int>(lengths.size()) != wanted || rank < wanted || std::ranges::min(lengths) < 1)
    return Invalid("'fft_length' is [{}] for an input of rank {}, want {} positive lengths",
                   fmt::join(lengths, ","), rank, wanted);
  return lengths;
}

template <int kRank>
absl::Status Rfft(LegalizeContext& context) {
  Emitted x = context.input(0);
  const int rank = context.shape(0).rank(), first = rank - kRank;
  LINNET_ASSIGN_OR_RETURN(const std::vector<int64_t> lengths, FftLengths(context, rank, kRank));
  for (int i = 0; i < kRank; ++i) x = EmitFirstAlong(context, x, first + i, lengths[i]);
  x = EmitAlong(context, FourierKind::RealForward, lengths.back(), rank - 1, x);
  for (int i = kRank - 2; i >= 0; --i)
    x = EmitAlong(context, FourierKind::Forward, lengths[i], first + i, x);
  return context.Replace(x);
}

template <int kRank>
absl::Status Irfft(LegalizeContext& context) {
  Emitted x = context.input(0);
  const int rank = context.shape(0).rank() - 1, first = rank - kRank;
  LINNET_ASSIGN_OR_RETURN(const std::vector<int64_t> lengths, FftLengths(context, rank, kRank));
  for (int i = 0; i < kRank - 1; ++i) x = EmitFirstAlong(context, x, first + i, lengths[i]);
  x = EmitFirstAlong(context, x, rank - 1, lengths.back() / 2 + 1);
  for (int i = 0; i < kRank - 1; ++i)
    x = EmitAlong(context, FourierKind::Inverse, lengths[i], first + i, x);
  const FourierAttrs last{.kind = FourierKind::RealInverse, .length = lengths.back()};
  return context.Replace(context.Emit(last, {x}));
}

template <int kPart>
absl::Status Part(LegalizeContext& context) {
  return context.Replace(EmitPart(context, context.input(0), kPart, false, "part"));
}

absl::Status ComplexAbs(LegalizeContext& context) {
  const Emitted squares = EmitUnary(context, UnaryKind::Square, context.input(0), "squares");
  const int last = context.shape(0).rank() - 1;
  const Emitted sum = EmitReduce(context, ReduceKind::Sum, {last}, false, squares, "sum");
  return context.Replace(EmitUnary(context, UnaryKind::Sqrt, sum));
}

absl::Status Angle(LegalizeContext& context) {
  const Emitted re = EmitPart(context, context.input(0), 0, false, "real");
  const Emitted im = EmitPart(context, context.input(0), 1, false, "imaginary");
  return context.Replace(EmitBinary(context, BinaryKind::Atan2, im, re));
}

absl::Status Complex(LegalizeContext& context) {
  if (context.shape(0) != context.shape(1))
    return Unsupported("parts of shapes {} and {}, want the same", ShapeText(context.shape(0)),
                       ShapeText(context.shape(1)));
  return context.Replace(EmitPairs(context, context.input(0), context.input(1), ""));
}

absl::Status Conj(LegalizeContext& context) {
  const Output signs = context.AddVector<float>({1.0f, -1.0f}, "signs");
  return context.Replace(EmitBinary(context, BinaryKind::Mul, context.input(0), signs));
}

// --- Ops of other families on complex tensors.

// Real to complex, or complex to real, which drops the imaginary parts.
absl::Status ComplexCast(LegalizeContext& context) {
  const bool from_pairs = IsComplex(context.node().tf_input_types()[0]);
  const bool to_pairs = IsComplex(context.node().tf_output_types()[0]);
  const Output x = context.input(0);
  if (from_pairs && to_pairs) return context.Replace(x);
  if (to_pairs) {
    const Emitted real = EmitCast(context, DType::kFloat32, x, "float");
    const Output zero = context.AddScalar(DType::kFloat32, 0, "zero");
    const Emitted zeros = EmitBroadcastTo(context, context.shape(x), zero, "zeros");
    return context.Replace(EmitPairs(context, real, zeros, ""));
  }
  LINNET_ASSIGN_OR_RETURN(const DType dtype, context.Type("DstT", DType::kFloat32));
  const Emitted real = EmitPart(context, x, 0, false, "real");
  return context.Replace(EmitCast(context, dtype, real));
}

// (a + bi)(c + di): a times (c, d) plus b times (-d, c).
absl::Status ComplexMul(LegalizeContext& context) {
  const Output x = context.input(0), y = context.input(1);
  const Emitted a = EmitPart(context, x, 0, true, "a");
  const Emitted b = EmitPart(context, x, 1, true, "b");
  const Emitted c = EmitPart(context, y, 0, true, "c");
  const Emitted d = EmitPart(context, y, 1, true, "d");
  const Emitted minus_d = EmitUnary(context, UnaryKind::Neg, d, "minus_d");
  const Emitted turned = EmitJoined(context, {minus_d, c}, context.shape(y).rank() - 1, "turned");
  const Emitted by_a = EmitBinary(context, BinaryKind::Mul, a, y, "by_a");
  const Emitted by_b = EmitBinary(context, BinaryKind::Mul, b, turned, "by_b");
  return context.Replace(EmitBinary(context, BinaryKind::Add, by_a, by_b));
}

absl::Status ReplaceReshaped(LegalizeContext& context, const std::vector<int64_t>& numbers) {
  LINNET_ASSIGN_OR_RETURN(const Shape checked, CheckedShape(numbers));
  LINNET_ASSIGN_OR_RETURN(const Shape shape, PairsShape(checked));
  if (shape.num_elements() != context.shape(0).num_elements())
    return Invalid("cannot reshape {} to {}", ShapeText(NumbersShape(context.shape(0))),
                   ShapeText(checked));
  return context.Replace(EmitReshape(context, shape, context.input(0)));
}

absl::Status ComplexReshape(LegalizeContext& context) {
  LINNET_ASSIGN_OR_RETURN(std::vector<int64_t> dims, context.ConstantInts(1, "shape"));
  int64_t known = 1;
  for (const int64_t dim : dims) {
    if (dim != -1 && (dim < 0 || !CheckedMul(known, dim, &known)))
      return Invalid("'shape' is [{}]", fmt::join(dims, ","));
  }
  const int64_t numbers = context.shape(0).num_elements() / 2;
  const auto unknown = std::ranges::find(dims, -1);
  if (unknown != dims.end()) {
    if (known == 0 || numbers % known != 0)
      return Invalid("'shape' is [{}] for {} numbers", fmt::join(dims, ","), numbers);
    *unknown = numbers / known;
  }
  return ReplaceReshaped(context, dims);
}

absl::Status ComplexExpandDims(LegalizeContext& context) {
  const Shape shape = NumbersShape(context.shape(0));
  LINNET_ASSIGN_OR_RETURN(const int axis, context.ConstantAxis(1, shape.rank() + 1, "dim"));
  std::vector<int64_t> dims(shape.begin(), shape.end());
  dims.insert(dims.begin() + axis, 1);
  return ReplaceReshaped(context, dims);
}

absl::Status ComplexSqueeze(LegalizeContext& context) {
  LINNET_ASSIGN_OR_RETURN(std::vector<int64_t> axes, context.Ints("squeeze_dims"));
  const Shape shape = NumbersShape(context.shape(0));
  for (int64_t& axis : axes) {
    LINNET_ASSIGN_OR_RETURN(axis, context.Axis(axis, shape.rank(), "squeeze_dims"));
  }
  std::vector<int64_t> dims;
  for (int i = 0; i < shape.rank(); ++i) {
    const bool drop = axes.empty() ? shape[i] == 1 : std::ranges::find(axes, i) != axes.end();
    if (!drop) dims.push_back(shape[i]);
  }
  return ReplaceReshaped(context, dims);
}

absl::Status ComplexTranspose(LegalizeContext& context) {
  const int rank = context.shape(0).rank() - 1;
  LINNET_ASSIGN_OR_RETURN(Shape perm, ConstantPermutation(context, rank));
  perm.Append(rank);
  return context.Replace(EmitTranspose(context, perm, context.input(0)));
}

absl::Status ComplexConcat(LegalizeContext& context) {
  LINNET_RETURN_IF_ERROR(context.WantInputs(2, kMaxOpInputs));
  const int last = context.num_inputs() - 1;
  LINNET_ASSIGN_OR_RETURN(const int axis,
                          context.ConstantAxis(last, context.shape(0).rank() - 1, "axis"));
  return context.Replace(EmitJoined(context, context.inputs(0, last), axis));
}

absl::Status ComplexPad(LegalizeContext& context) {
  LINNET_ASSIGN_OR_RETURN(const std::vector<int64_t> paddings, context.ConstantInts(1, "paddings"));
  const int rank = context.shape(0).rank() - 1;
  LINNET_ASSIGN_OR_RETURN(Paddings pads, SplitPaddings(paddings, rank));
  pads.before.Append(0);
  pads.after.Append(0);
  return context.Replace(EmitPad(context, pads.before, pads.after, context.input(0)));
}

absl::Status ComplexShape(LegalizeContext& context) {
  LINNET_ASSIGN_OR_RETURN(const DType dtype, context.Type("out_type", DType::kInt32));
  const Shape shape = NumbersShape(context.shape(0));
  const Output wide = context.AddVector<int64_t>({shape.begin(), shape.end()}, "shape");
  return context.Replace(EmitCast(context, dtype, wide));
}

constexpr char kTransform[] = "Fourier; complex numbers only inside the model";
constexpr char kRealTransform[] = "Slice, Fourier; fft_length known";
constexpr char kParts[] = "Slice, Reshape";
// clang-format on

constexpr TfOp kComplexForms[] = {
    {"Add", Binary<BinaryKind::Add>, "Binary", kMayVary},
    {"AddV2", Binary<BinaryKind::Add>, "Binary", kMayVary},
    {"Cast", ComplexCast, "Cast, Reshape, Concat; or Slice", kMayVary},
    {"ConcatV2", ComplexConcat, "Concat", kMayVary},
    {"ExpandDims", ComplexExpandDims, "Reshape", kMayVary},
    {"Identity", PassThrough, "nothing", kMayVary},
    {"Mul", ComplexMul, "Slice, Unary, Concat, Binary", kMayVary},
    {"Neg", Unary<UnaryKind::Neg>, "Unary", kMayVary},
    {"Pad", ComplexPad, "Pad; paddings known", kMayVary},
    {"Reshape", ComplexReshape, "Reshape", kMayVary},
    {"Shape", ComplexShape, "a constant", kMayVary},
    {"Squeeze", ComplexSqueeze, "Reshape", kMayVary},
    {"StopGradient", PassThrough, "nothing", kMayVary},
    {"Sub", Binary<BinaryKind::Sub>, "Binary", kMayVary},
    {"Transpose", ComplexTranspose, "Transpose", kMayVary},
};

}  // namespace

std::span<const TfOp> SpectralOps() {
  // clang-format off
  static constexpr TfOp kRows[] = {
      {"Angle", Angle, "Slice, Reshape, Binary"},
      {"Complex", Complex, "Reshape, Concat"},
      {"ComplexAbs", ComplexAbs, "Unary, Reduce"},
      {"Conj", Conj, "Binary"},
      {"FFT", Fft<1, false>, kTransform},
      {"FFT2D", Fft<2, false>, kTransform},
      {"FFT3D", Fft<3, false>, kTransform},
      {"IFFT", Fft<1, true>, kTransform},
      {"IFFT2D", Fft<2, true>, kTransform},
      {"IFFT3D", Fft<3, true>, kTransform},
      {"IRFFT", Irfft<1>, kRealTransform},
      {"IRFFT2D", Irfft<2>, kRealTransform},
      {"IRFFT3D", Irfft<3>, kRealTransform},
      {"Imag", Part<1>, kParts},
      {"RFFT", Rfft<1>, kRealTransform},
      {"RFFT2D", Rfft<2>, kRealTransform},
      {"RFFT3D", Rfft<3>, kRealTransform},
      {"Real", Part<0>, kParts},
  };
  return kRows;
}

std::span<const TfOp> ComplexForms() { return kComplexForms; }

}  // namespace linnet::converter
