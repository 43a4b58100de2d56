// SPDX-License-Identifier: Apache-2.0
// Fourier transforms of real tensors and of complex ones, which are tensors of pairs
// (context/complex_pairs.h).
#include <algorithm>

#include "converter/legalize/context/building_blocks.h"
#include "converter/legalize/context/tf_op.h"
#include "runtime/ops/fourier.h"

namespace linnet::converter {
namespace {

using schema::FourierKind;

// Transforms have a fixed length.
absl::Status WantFixedRows(const LegalizeContext& context, Output x, int axis) {
  const Extents extents = context.extents(x);
  if (extents[static_cast<size_t>(axis)].is_constant()) return absl::OkStatus();
  return Unsupported("it transforms along dimension {} of {}, whose extent varies", axis,
                     context.symbols().Text(extents));
}

// The first `size` elements along `axis`. TensorFlow does not pad tensors with fewer elements,
// either.
Emitted EmitFirstAlong(LegalizeContext& context, const Emitted& x, int axis, int64_t size) {
  if (!x.ok()) return x;
  LINNET_RETURN_IF_ERROR(WantFixedRows(context, *x, axis));
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
  LINNET_RETURN_IF_ERROR(WantFixedRows(context, *x, axis));
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

constexpr char kTransform[] = "Fourier; complex numbers only inside the model";
constexpr char kRealTransform[] = "Slice, Fourier; fft_length known";

}  // namespace

std::span<const TfOp> SpectralOps() {
  // clang-format off
  static constexpr TfOp kRows[] = {
      {"FFT", Fft<1, false>, kTransform, kMayVary},
      {"FFT2D", Fft<2, false>, kTransform, kMayVary},
      {"FFT3D", Fft<3, false>, kTransform, kMayVary},
      {"IFFT", Fft<1, true>, kTransform, kMayVary},
      {"IFFT2D", Fft<2, true>, kTransform, kMayVary},
      {"IFFT3D", Fft<3, true>, kTransform, kMayVary},
      {"IRFFT", Irfft<1>, kRealTransform, kMayVary},
      {"IRFFT2D", Irfft<2>, kRealTransform, kMayVary},
      {"IRFFT3D", Irfft<3>, kRealTransform, kMayVary},
      {"RFFT", Rfft<1>, kRealTransform, kMayVary},
      {"RFFT2D", Rfft<2>, kRealTransform, kMayVary},
      {"RFFT3D", Rfft<3>, kRealTransform, kMayVary},
  };
  return kRows;
}

}  // namespace linnet::converter
