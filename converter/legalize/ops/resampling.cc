// SPDX-License-Identifier: Apache-2.0
// ScaleAndTranslate: resizing with a kernel as wide as the scale asks for, which is also what
// tf.image.resize does with antialias or with a Lanczos kernel. It is separable: each output row is
// a weighted sum of input rows, each output column one of input columns. The weights are constant,
// so a side is a product with a matrix.
#include <algorithm>
#include <cmath>
#include <limits>

#include "converter/legalize/context/building_blocks.h"
#include "converter/legalize/context/tf_op.h"
#include "converter/legalize/context/varying.h"
#include "runtime/ops/batch_matmul.h"
#include "runtime/ops/cast.h"

namespace linnet::converter {
namespace {

// The weight of an input pixel at distance x >= 0, which is 0 from `radius` on.
struct SamplingKernel {
  std::string_view name;
  float radius;
  float (*weight)(float x);
};

template <int kRadius>
float LanczosWeight(float x) {
  constexpr float kPi = 3.14159265359f, kR = kRadius;
  if (x > kR) return 0;
  if (x <= 1e-3f) return 1;
  return kR * std::sin(kPi * x) * std::sin(kPi * x / kR) / (kPi * kPi * x * x);
}

float GaussianWeight(float x) {
  constexpr float kRadius = 1.5f, kSigma = kRadius / 3;
  return x >= kRadius ? 0 : std::exp(-x * x / (2 * kSigma * kSigma));
}

float BoxWeight(float x) {
  if (x == 0.5f) return 0.5f;
  return x < 0.5f ? 1 : 0;
}

float TriangleWeight(float x) { return x < 1 ? 1 - x : 0; }

// Of Keys' cubic kernels the one with a = -1/2.
float KeysCubicWeight(float x) {
  if (x >= 2) return 0;
  if (x >= 1) return ((-0.5f * x + 2.5f) * x - 4) * x + 2;
  return ((1.5f * x - 2.5f) * x) * x + 1;
}

// Of Mitchell and Netravali's cubic kernels the one with B = C = 1/3.
float MitchellCubicWeight(float x) {
  if (x >= 2) return 0;
  if (x >= 1) return (((-7.0f / 18) * x + 2) * x - 10.0f / 3) * x + 16.0f / 9;
  return (((7.0f / 6) * x - 2) * x) * x + 8.0f / 9;
}

constexpr SamplingKernel kSamplingKernels[] = {
    {"lanczos1", 1, LanczosWeight<1>},
    {"lanczos3", 3, LanczosWeight<3>},
    {"lanczos5", 5, LanczosWeight<5>},
    {"gaussian", 1.5f, GaussianWeight},
    {"box", 1, BoxWeight},
    {"triangle", 1, TriangleWeight},
    {"keyscubic", 2, KeysCubicWeight},
    {"mitchellcubic", 2, MitchellCubicWeight},
};

// Rows or columns: output o lies at o * scale + translation... of the input, where 0 is the border.
struct PixelSide {
  int64_t inputs = 0, outputs = 0;
  float scale = 1, translation = 0;
};

// What an output pixel is made of: the input pixels from `first` on, and their weights. None where
// the output lies beyond the input's border.
struct PixelSpan {
  int64_t first = 0;
  std::vector<float> weights;
  int64_t end() const { return first + std::ssize(weights); }
};

// A row of the matrix. In float and in this order, as in TensorFlow, so that the same pixels count.
PixelSpan SpanAt(float sample, int64_t inputs, float kernel_scale, const SamplingKernel& kernel) {
  const float reach = kernel.radius * kernel_scale;
  const auto inside = [&](float pixel) {
    return static_cast<int64_t>(std::clamp<double>(pixel, 0, static_cast<double>(inputs - 1)));
  };
  PixelSpan span{.first = inside(std::ceil(sample - reach - 0.5f)), .weights = {}};
  const int64_t last = inside(std::floor(sample + reach - 0.5f));
  const float inverse = 1.0f / kernel_scale;
  float sum = 0;
  for (int64_t pixel = span.first; pixel <= last; ++pixel) {
    const float distance = static_cast<float>(pixel) + 0.5f - sample;
    span.weights.push_back(kernel.weight(std::abs(distance * inverse)));
    sum += span.weights.back();
  }
  if (std::abs(sum) < 1000 * std::numeric_limits<float>::min()) return PixelSpan();
  const float share = 1.0f / sum;
  for (float& weight : span.weights) weight *= share;
  return span;
}

absl::StatusOr<std::vector<PixelSpan>> SpansOf(const PixelSide& side, const SamplingKernel& kernel,
                                               bool antialias) {
  const auto inverse = static_cast<float>(1.0 / side.scale);
  const float offset = -inverse * side.translation;
  const float kernel_scale = antialias ? std::max(inverse, 1.0f) : 1.0f;
  if (side.outputs > kMostElements)
    return Unsupported("{} rows or columns of pixels are more than a matrix is made for",
                       side.outputs);
  std::vector<PixelSpan> spans(static_cast<size_t>(side.outputs));
  int64_t elements = 0;
  for (int64_t o = 0; o < side.outputs; ++o) {
    const float sample = (static_cast<float>(o) + 0.5f) * inverse + offset;
    if (!(sample >= 0 && sample <= static_cast<float>(side.inputs))) continue;
    spans[o] = SpanAt(sample, side.inputs, kernel_scale, kernel);
    elements += std::ssize(spans[o].weights);
    if (elements > kMostElements)
      return Unsupported("{} pixels from {} are more than a matrix is made for", side.outputs,
                         side.inputs);
  }
  return spans;
}

// Some outputs, one after another, and the inputs that they are made of.
struct WeightBand {
  int64_t first_output = 0, outputs = 0, first_input = 0, inputs = 0;
};

WeightBand BandOf(const std::vector<PixelSpan>& spans, int64_t first, int64_t count) {
  int64_t begin = std::numeric_limits<int64_t>::max(), end = 0;
  for (int64_t o = first; o < first + count; ++o) {
    if (spans[o].weights.empty()) continue;
    begin = std::min(begin, spans[o].first);
    end = std::max(end, spans[o].end());
  }
  // Zeros are made of any pixel, with weight 0.
  return end == 0 ? WeightBand{first, count, 0, 1} : WeightBand{first, count, begin, end - begin};
}

int64_t ElementsOf(const std::vector<WeightBand>& bands) {
  int64_t elements = 0;
  for (const WeightBand& band : bands) elements += band.outputs * band.inputs;
  return elements;
}

// The matrix cut into bands of rows, without the columns in which a band has only zeros: more of
// them the larger the side, as long as that saves at least a quarter of the multiplications.
std::vector<WeightBand> BandsOf(const std::vector<PixelSpan>& spans) {
  constexpr int64_t kMostBands = 32, kFewestOutputs = 16;
  const int64_t outputs = std::ssize(spans);
  std::vector<WeightBand> bands = {BandOf(spans, 0, outputs)};
  for (int64_t count = 2; count <= kMostBands && outputs / count >= kFewestOutputs; count *= 2) {
    std::vector<WeightBand> finer;
    for (int64_t i = 0; i < count; ++i) {
      const int64_t first = outputs * i / count;
      finer.push_back(BandOf(spans, first, outputs * (i + 1) / count - first));
    }
    if (ElementsOf(finer) > ElementsOf(bands) / 4 * 3) break;
    bands = std::move(finer);
  }
  return bands;
}

Constant WeightsOf(const std::vector<PixelSpan>& spans, const WeightBand& band) {
  std::vector<float> weights(static_cast<size_t>(band.outputs * band.inputs), 0.0f);
  for (int64_t o = 0; o < band.outputs; ++o) {
    const PixelSpan& span = spans[band.first_output + o];
    const int64_t skipped = span.weights.empty() ? 0 : span.first - band.first_input;
    std::ranges::copy(span.weights, weights.begin() + (o * band.inputs + skipped));
  }
  return Constant::Of<float>({band.outputs, band.inputs}, std::move(weights));
}

// A side after its weights are known.
struct Resampling {
  std::vector<PixelSpan> spans;
  std::vector<WeightBand> bands;
  int64_t outputs() const { return std::ssize(spans); }
};

// [..., inputs, rest] -> [..., outputs, rest].
Emitted EmitWeighted(LegalizeContext& context, const Emitted& x, const Resampling& side,
                     const std::string& suffix) {
  if (!x.ok()) return x;
  const int axis = context.shape(*x).rank() - 2;
  std::vector<Emitted> parts;
  for (const WeightBand& band : side.bands) {
    const Output weights =
        context.AddConstant(WeightsOf(side.spans, band), fmt::format("{}/weights", suffix));
    const Emitted inputs = EmitSliceAlong(context, axis, band.first_input, band.inputs, x,
                                          fmt::format("{}/pixels", suffix));
    parts.push_back(context.Emit(BatchMatMulAttrs(), {weights, inputs}, suffix));
  }
  return EmitJoined(context, parts, axis, fmt::format("{}/joined", suffix));
}

// x is [batch, height, width, channels].
Emitted EmitResampledRows(LegalizeContext& context, const Emitted& x, const Resampling& rows) {
  if (!x.ok()) return x;
  const Shape shape = context.shape(*x);
  Emitted y = EmitReshape(context, {shape[0], shape[1], shape[2] * shape[3]}, x, "rows/flat");
  y = EmitWeighted(context, y, rows, "rows");
  return EmitReshape(context, {shape[0], rows.outputs(), shape[2], shape[3]}, y, "rows/pictures");
}

Emitted EmitResampledColumns(LegalizeContext& context, const Emitted& x,
                             const Resampling& columns) {
  if (!x.ok()) return x;
  // So few columns of a product leave most of a vector register empty, so that moving the pixels
  // there and back costs less.
  constexpr int64_t kFewChannels = 16;
  const Shape shape = context.shape(*x);
  if (shape[3] >= kFewChannels) return EmitWeighted(context, x, columns, "columns");
  Emitted y = EmitTranspose(context, {0, 2, 1, 3}, x, "columns/first");
  y = EmitReshape(context, {shape[0], shape[2], shape[1] * shape[3]}, y, "columns/flat");
  y = EmitWeighted(context, y, columns, "columns");
  y = EmitReshape(context, {shape[0], columns.outputs(), shape[1], shape[3]}, y,
                  "columns/pictures");
  return EmitTranspose(context, {0, 2, 1, 3}, y, "columns/last");
}

absl::StatusOr<const SamplingKernel*> GetSamplingKernel(const LegalizeContext& context) {
  LINNET_ASSIGN_OR_RETURN(const std::string& name, context.String("kernel_type", "lanczos3"));
  const auto* const kernel = std::ranges::find(kSamplingKernels, name, &SamplingKernel::name);
  if (kernel == std::end(kSamplingKernels))
    return Invalid("attr 'kernel_type' is '{}', which TensorFlow does not know", name);
  return kernel;
}

// Floats that are constant, or the quotient of such, or integers that follow from fixed extents of
// a tensor whose batch varies: what tf.image computes the scale of.
absl::StatusOr<std::vector<float>> FixedFloats(LegalizeContext& context, Output value,
                                               const char* what, int depth = 0) {
  constexpr int kMostDivisions = 3;
  if (const Constant* constant = context.FindConstant(value)) {
    if (constant->type.dtype != DType::kFloat32 || constant->type.shape.num_elements() > 2)
      return Invalid("'{}' has shape {}, want two floats", what, ShapeText(constant->type.shape));
    const Constant plain = constant->Plain();
    return std::vector<float>(plain.as<float>().begin(), plain.as<float>().end());
  }
  const Node& node = *value.node;
  if (node.Is<CastAttrs>() && IsInteger(context.type(node.input(0)).dtype)) {
    LINNET_ASSIGN_OR_RETURN(const Extents extents, context.ExtentValues(node.input(0), what));
    if (std::ranges::all_of(extents, &Extent::is_constant)) {
      std::vector<float> floats;
      for (const Extent& extent : extents) floats.push_back(static_cast<float>(extent.constant()));
      return floats;
    }
  } else if (depth < kMostDivisions && node.Is<BinaryAttrs>() &&
             node.attrs<BinaryAttrs>().kind == BinaryKind::Div) {
    LINNET_ASSIGN_OR_RETURN(std::vector<float> quotient,
                            FixedFloats(context, node.input(0), what, depth + 1));
    LINNET_ASSIGN_OR_RETURN(const std::vector<float> divisor,
                            FixedFloats(context, node.input(1), what, depth + 1));
    if (quotient.size() == divisor.size()) {
      for (size_t i = 0; i < quotient.size(); ++i) quotient[i] /= divisor[i];
      return quotient;
    }
  }
  return Unsupported("'{}' is computed from fed data, but must be known at conversion", what);
}

absl::StatusOr<std::vector<float>> TwoFloats(LegalizeContext& context, int i, const char* what) {
  LINNET_ASSIGN_OR_RETURN(std::vector<float> values, FixedFloats(context, context.input(i), what));
  if (values.size() != 2) return Invalid("'{}' has {} values, want 2", what, values.size());
  for (const float value : values)
    if (!std::isfinite(value)) return Invalid("'{}' is [{}]", what, fmt::join(values, ","));
  return values;
}

struct PictureSides {
  PixelSide rows, columns;
};

absl::StatusOr<PictureSides> GetPictureSides(LegalizeContext& context) {
  LINNET_ASSIGN_OR_RETURN(const std::vector<int64_t> size, context.ConstantInts(1, "size"));
  LINNET_ASSIGN_OR_RETURN(const std::vector<float> scale, TwoFloats(context, 2, "scale"));
  LINNET_ASSIGN_OR_RETURN(const std::vector<float> translation,
                          TwoFloats(context, 3, "translation"));
  if (size.size() != 2 || size[0] < 1 || size[1] < 1)
    return Invalid("'size' is [{}], want a positive height and width", fmt::join(size, ","));
  if (scale[0] <= 0 || scale[1] <= 0)
    return Invalid("'scale' is [{}], want values above 0", fmt::join(scale, ","));
  const Shape& in = context.shape(0);
  if (in[1] < 1 || in[2] < 1 || in[1] > INT32_MAX || in[2] > INT32_MAX)
    return Invalid("pictures have shape {}", ShapeText(in));
  LINNET_RETURN_IF_ERROR(
      CheckedShape(std::vector{in[0], std::max(in[1], size[0]), std::max(in[2], size[1]), in[3]})
          .status());
  return PictureSides{{in[1], size[0], scale[0], translation[0]},
                      {in[2], size[1], scale[1], translation[1]}};
}

// Rows and columns in the order that takes fewer multiplications.
absl::Status ScaleAndTranslate(LegalizeContext& context) {
  LINNET_RETURN_IF_ERROR(OnlyBatchVaries(context));
  LINNET_ASSIGN_OR_RETURN(const SamplingKernel* kernel, GetSamplingKernel(context));
  LINNET_ASSIGN_OR_RETURN(const bool antialias, context.Bool("antialias", true));
  LINNET_ASSIGN_OR_RETURN(const PictureSides sides, GetPictureSides(context));
  Resampling rows, columns;
  LINNET_ASSIGN_OR_RETURN(rows.spans, SpansOf(sides.rows, *kernel, antialias));
  LINNET_ASSIGN_OR_RETURN(columns.spans, SpansOf(sides.columns, *kernel, antialias));
  rows.bands = BandsOf(rows.spans);
  columns.bands = BandsOf(columns.spans);
  const int64_t row_work = ElementsOf(rows.bands), column_work = ElementsOf(columns.bands);
  if (row_work + column_work > kMostElements)
    return Unsupported("{}x{} pixels from {}x{} are more than matrices are made for",
                       rows.outputs(), columns.outputs(), sides.rows.inputs, sides.columns.inputs);
  const int64_t rows_first = row_work * sides.columns.inputs + column_work * rows.outputs();
  const int64_t columns_first = column_work * sides.rows.inputs + row_work * columns.outputs();
  const Emitted x = EmitCast(context, DType::kFloat32, context.input(0), "float");
  if (rows_first <= columns_first)
    return context.Replace(
        EmitResampledColumns(context, EmitResampledRows(context, x, rows), columns));
  return context.Replace(
      EmitResampledRows(context, EmitResampledColumns(context, x, columns), rows));
}

}  // namespace

std::span<const TfOp> ResamplingOps() {
  static constexpr TfOp kRows[] = {
      {"ScaleAndTranslate", ScaleAndTranslate,
       "BatchMatMul, Transpose; size, scale and translation known", kMayVary},
  };
  return kRows;
}

}  // namespace linnet::converter
