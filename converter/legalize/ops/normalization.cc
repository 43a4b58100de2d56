// SPDX-License-Identifier: Apache-2.0
// Batch normalisation, local response normalisation, softmax and the losses made of it.
#include "converter/legalize/context/building_blocks.h"
#include "converter/legalize/context/tf_op.h"
#include "converter/legalize/context/varying.h"
#include "converter/legalize/ops/batch_norm.h"
#include "runtime/ops/gather.h"
#include "runtime/ops/one_hot.h"
#include "runtime/ops/pool2d.h"
#include "runtime/ops/softmax.h"

namespace linnet::converter {
namespace {

struct Moments {
  Emitted mean, variance;
};

// The moments of an NHWC tensor over all dimensions but the last, as in training.
Moments EmitMoments(LegalizeContext& context, const Emitted& x) {
  const Shape axes = {0, 1, 2};
  const Emitted mean = EmitReduce(context, ReduceKind::Mean, axes, false, x, "mean");
  const Emitted squares =
      EmitBinary(context, BinaryKind::SquaredDifference, x, mean, "squared_difference");
  return {mean, EmitReduce(context, ReduceKind::Mean, axes, false, squares, "variance")};
}

// old * (1 - factor) + fresh * factor.
Emitted EmitMovingAverage(LegalizeContext& context, const Emitted& old, const Emitted& fresh,
                          float factor, const std::string& name) {
  if (factor == 1.0f) return fresh;
  const Emitted kept = EmitBinary(context, BinaryKind::Mul, old, 1.0 - factor, name + "/old");
  const Emitted added = EmitBinary(context, BinaryKind::Mul, fresh, factor, name + "/new");
  return EmitBinary(context, BinaryKind::Add, kept, added, name);
}

// Replaces the outputs y, running mean and running variance; the reserved ones are for gradients
// only.
absl::Status TrainingBatchNorm(LegalizeContext& context, DataFormat format, const Emitted& x,
                               float epsilon) {
  LINNET_ASSIGN_OR_RETURN(const float factor, context.Float("exponential_avg_factor", 1.0f));
  const Moments moments = EmitMoments(context, x);
  const Emitted y = EmitBatchNorm(
      context, x, {context.input(1), context.input(2), moments.mean, moments.variance, epsilon},
      ChannelsLastSuffix(format, ""));
  std::vector<Emitted> outputs(3, Output());
  outputs[0] = FromChannelsLast(context, format, y);
  if (context.IsUsed(1))
    outputs[1] = EmitMovingAverage(context, context.input(3), moments.mean, factor, "batch_mean");
  if (context.IsUsed(2)) {
    // Bessel's correction.
    const Shape& shape = context.shape(0);
    const auto n = static_cast<double>(shape[0] * shape[format.h()] * shape[format.w()]);
    const Emitted unbiased = EmitBinary(context, BinaryKind::Mul, moments.variance,
                                        n > 1 ? n / (n - 1) : 1.0, "unbiased_variance");
    outputs[2] = EmitMovingAverage(context, context.input(4), unbiased, factor, "batch_variance");
  }
  return context.Replace(outputs);
}

absl::Status FusedBatchNorm(LegalizeContext& context) {
  LINNET_RETURN_IF_ERROR(context.WantRank(0, 4));
  LINNET_ASSIGN_OR_RETURN(const DataFormat format, GetDataFormat(context));
  LINNET_ASSIGN_OR_RETURN(const float epsilon, context.Float("epsilon", 1e-4f));
  LINNET_ASSIGN_OR_RETURN(const bool is_training, context.Bool("is_training", true));
  const Emitted x = ToChannelsLast(context, format, context.input(0));
  if (is_training) return TrainingBatchNorm(context, format, x, epsilon);
  for (int i = 1; i < 5; ++i) LINNET_RETURN_IF_ERROR(context.WantRank(i, 1));
  const BatchNorm norm{context.input(1), context.input(2), context.input(3), context.input(4),
                       epsilon};
  const Emitted y = EmitBatchNorm(context, x, norm, ChannelsLastSuffix(format, ""));
  return context.Replace({FromChannelsLast(context, format, y), norm.mean, norm.variance});
}

// TensorFlow's first batch normalisation, in models of 2015: inputs x, mean, variance, beta, gamma.
absl::Status BatchNormWithGlobalNormalization(LegalizeContext& context) {
  LINNET_ASSIGN_OR_RETURN(const float epsilon, context.Float("variance_epsilon", 0.0f));
  LINNET_ASSIGN_OR_RETURN(const bool scales, context.Bool("scale_after_normalization", true));
  const Output scale = scales ? context.input(4) : context.AddScalar(DType::kFloat32, 1, "one");
  return context.Replace(
      EmitBatchNorm(context, context.input(0),
                    {scale, context.input(3), context.input(1), context.input(2), epsilon}, ""));
}

// x / (bias + alpha * sum of squares over 2 radius + 1 channels) ^ beta. The sum is an average
// pooling over the channels, padded and laid out as columns of a picture, times the size of its
// window.
absl::Status LocalResponseNorm(LegalizeContext& context) {
  LINNET_RETURN_IF_ERROR(context.WantRank(0, 4));
  LINNET_ASSIGN_OR_RETURN(const int64_t radius, context.Int("depth_radius", 5));
  LINNET_ASSIGN_OR_RETURN(const float bias, context.Float("bias", 1.0f));
  LINNET_ASSIGN_OR_RETURN(const float alpha, context.Float("alpha", 1.0f));
  LINNET_ASSIGN_OR_RETURN(const float beta, context.Float("beta", 0.5f));
  const Shape shape = context.shape(0);
  if (radius < 0 || radius > 1 << 20) return Invalid("attr 'depth_radius' is {}", radius);
  const Output x = context.input(0);
  const Emitted squares = EmitUnary(context, UnaryKind::Square, x, "Square");
  const Shape picture = {1, shape.Product(0, 3), shape[3], 1};
  Emitted sum = EmitReshape(context, picture, squares, "picture");
  sum = EmitPad(context, {0, 0, radius, 0}, {0, 0, radius, 0}, sum, "picture/padded");
  const Pool2DAttrs pool{.kind = schema::PoolKind::Average,
                         .window_h = 1,
                         .window_w = static_cast<int>(2 * radius + 1)};
  sum = context.Emit(pool, {sum}, "average");
  sum = EmitReshape(context, shape, sum, "average/reshaped");
  sum = EmitBinary(context, BinaryKind::Mul, sum, double{alpha} * pool.window_w, "alpha");
  sum = EmitBinary(context, BinaryKind::Add, sum, bias, "bias");
  sum = EmitBinary(context, BinaryKind::Pow, sum, -beta, "beta");
  return context.Replace(EmitBinary(context, BinaryKind::Mul, x, sum));
}

template <bool kLog>
absl::Status Softmax(LegalizeContext& context) {
  return context.Replace(context.Emit(SoftmaxAttrs{.log = kLog}, {context.input(0)}));
}

// The classes' scores broadcast to the extents of `other`.
Emitted EmitLike(LegalizeContext& context, Output x, Output other, std::string_view suffix) {
  Extents extents = context.extents(x);
  const Extents others = context.extents(other);
  for (size_t i = 0; i < extents.size(); ++i)
    if (context.shape(x)[static_cast<int>(i)] == 1) extents[i] = others[i];
  return EmitBroadcastTo(context, extents, x, suffix);
}

// -sum(labels * log_softmax(features)) of each row, and its derivative by the features, softmax -
// labels.
absl::Status SoftmaxCrossEntropy(LegalizeContext& context) {
  for (const int i : {0, 1}) LINNET_RETURN_IF_ERROR(context.WantRank(i, 2));
  LINNET_RETURN_IF_ERROR(context.WantFloats(0));
  const Emitted features = EmitLike(context, context.input(0), context.input(1), "features");
  const Emitted labels = EmitLike(context, context.input(1), context.input(0), "labels");
  const Emitted logs = context.Emit(SoftmaxAttrs{.log = true}, {features}, "LogSoftmax");
  const Emitted products = EmitBinary(context, BinaryKind::Mul, labels, logs, "products");
  const Emitted sum = EmitReduce(context, ReduceKind::Sum, {1}, false, products, "Sum");
  const Emitted loss = EmitUnary(context, UnaryKind::Neg, sum);
  if (!context.IsUsed(1)) return context.Replace({loss, Output()});
  const Emitted shares = context.Emit(SoftmaxAttrs(), {features}, "Softmax");
  return context.Replace({loss, EmitBinary(context, BinaryKind::Sub, shares, labels, "backprop")});
}

// The same with the number of one class for each row. A number out of range fails when the model
// runs, as in TensorFlow.
absl::Status SparseSoftmaxCrossEntropy(LegalizeContext& context) {
  LINNET_RETURN_IF_ERROR(context.WantRank(0, 2));
  LINNET_RETURN_IF_ERROR(context.WantRank(1, 1));
  LINNET_RETURN_IF_ERROR(context.WantFloats(0));
  if (!context.extents(0)[1].is_constant()) return Unsupported("the number of classes varies");
  const Output features = context.input(0);
  const Emitted classes = EmitIndices(context, context.input(1));
  const Extent rows = context.extents(1)[0];
  const Emitted column = EmitReshape(context, Extents{rows, 1}, classes, "column");
  const Emitted logs = context.Emit(SoftmaxAttrs{.log = true}, {features}, "LogSoftmax");
  const Emitted chosen =
      context.Emit(GatherAttrs{.axis = 1, .batch_dims = 1}, {logs, column}, "chosen");
  const Emitted flat = EmitReshape(context, Extents{rows}, chosen, "flat");
  const Emitted loss = EmitUnary(context, UnaryKind::Neg, flat);
  if (!context.IsUsed(1)) return context.Replace({loss, Output()});
  const Output one = context.AddScalar(DType::kFloat32, 1, "one");
  const Output zero = context.AddScalar(DType::kFloat32, 0, "zero");
  const Emitted labels = context.Emit(OneHotAttrs{.depth = context.shape(0)[1], .axis = 1},
                                      {classes, one, zero}, "labels");
  const Emitted shares = context.Emit(SoftmaxAttrs(), {features}, "Softmax");
  return context.Replace({loss, EmitBinary(context, BinaryKind::Sub, shares, labels, "backprop")});
}

constexpr char kBatchNorm[] = "Binary Mul and Add; in training mode with moments by Reduce";

}  // namespace

Emitted EmitBatchNorm(LegalizeContext& context, const Emitted& x, const BatchNorm& norm,
                      std::string_view suffix) {
  Emitted scale =
      EmitBinary(context, BinaryKind::Add, norm.variance, norm.epsilon, "variance_epsilon");
  scale = EmitUnary(context, UnaryKind::Rsqrt, scale, "Rsqrt");
  scale = EmitBinary(context, BinaryKind::Mul, scale, norm.scale, "scale");
  Emitted shift = EmitBinary(context, BinaryKind::Mul, norm.mean, scale, "mean_scale");
  shift = EmitBinary(context, BinaryKind::Sub, norm.offset, shift, "shift");
  const Emitted product = EmitBinary(context, BinaryKind::Mul, x, scale, "Mul");
  return EmitBinary(context, BinaryKind::Add, product, shift, suffix);
}

std::span<const TfOp> NormalizationOps() {
  static constexpr TfOp kRows[] = {
      {"BatchNormWithGlobalNormalization", BatchNormWithGlobalNormalization, "Binary Mul and Add"},
      {"FusedBatchNorm", FusedBatchNorm, kBatchNorm, kMayVary},
      {"FusedBatchNormV2", FusedBatchNorm, kBatchNorm, kMayVary},
      {"FusedBatchNormV3", FusedBatchNorm, kBatchNorm, kMayVary},
      {"LRN", LocalResponseNorm, "Unary, Pad, Pool2D, Binary"},
      {"LogSoftmax", Softmax<true>, "Softmax", kMayVary},
      {"Softmax", Softmax<false>, "Softmax", kMayVary},
      {"SoftmaxCrossEntropyWithLogits", SoftmaxCrossEntropy, "Softmax, Binary, Reduce, Unary",
       kMayVary},
      {"SparseSoftmaxCrossEntropyWithLogits", SparseSoftmaxCrossEntropy,
       "Softmax, Gather, Unary, OneHot, Binary", kMayVary},
  };
  return kRows;
}

}  // namespace linnet::converter
