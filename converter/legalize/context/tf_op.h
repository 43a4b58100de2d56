// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <span>
#include <string_view>

#include "absl/status/status.h"

namespace linnet::converter {

class LegalizeContext;

// Traits of a TensorFlow op, which may have none or several.

// Its inputs may be lists (tensor_lists.h), hash tables (lookup_table.h) and strings, none of which
// are tensors.
inline constexpr unsigned kTakesLists = 1;
// Its inputs may have extents that vary: the ops that it turns into are right for every extent, not
// only for the largest. Tested by a case in tests/converter/legalize/varying_test.cc or
// tests/models.
inline constexpr unsigned kMayVary = 2;
// Its inputs may be complex: the op moves numbers or adds them up, so that it is translated as if
// they were floats (LegalizeContext::SeeNumbers). Ops that compute otherwise have a row of their
// own for complex numbers (ComplexForms).
inline constexpr unsigned kTakesComplex = 4;

// How one TensorFlow op becomes Linnet ops.
struct TfOp {
  std::string_view name;
  // Builds the Linnet ops and ends with context.Replace(). The message of its error becomes the
  // reason in the list of problems; the walk adds the node's name and op.
  absl::Status (*legalize)(LegalizeContext& context);
  // For `linnet ops`: the Linnet ops it turns into, and what is not covered.
  std::string_view becomes;
  unsigned traits = 0;

  bool takes_lists() const { return (traits & kTakesLists) != 0; }
  bool may_vary() const { return (traits & kMayVary) != 0; }
  bool takes_complex() const { return (traits & kTakesComplex) != 0; }
};

// What ops of other families become where their inputs or outputs are complex.
std::span<const TfOp> ComplexForms();

// The families: each one's rows live at the end of its file.
std::span<const TfOp> ElementwiseOps();
std::span<const TfOp> ConvolutionOps();
std::span<const TfOp> MatMulOps();
std::span<const TfOp> NormalizationOps();
std::span<const TfOp> PoolingOps();
std::span<const TfOp> ReductionOps();
std::span<const TfOp> ShapeOps();
std::span<const TfOp> SlicingOps();
std::span<const TfOp> JoiningOps();
std::span<const TfOp> GatherOps();
std::span<const TfOp> LookupTableOps();
std::span<const TfOp> ImageOps();
std::span<const TfOp> ConstantLikeOps();
std::span<const TfOp> SelectOps();
std::span<const TfOp> EinsumOps();
std::span<const TfOp> PassThroughOps();
std::span<const TfOp> BlockOps();
std::span<const TfOp> QuantizationOps();
std::span<const TfOp> QuantizedTypeOps();
std::span<const TfOp> ScatterOps();
std::span<const TfOp> SegmentOps();
std::span<const TfOp> SparseOps();
std::span<const TfOp> RaggedOps();
std::span<const TfOp> DiagonalOps();
std::span<const TfOp> VolumeOps();
std::span<const TfOp> RecurrentOps();
std::span<const TfOp> SpectralOps();
std::span<const TfOp> ComplexOps();
std::span<const TfOp> AudioOps();
std::span<const TfOp> DetectionOps();
std::span<const TfOp> GroupingOps();
std::span<const TfOp> RandomOps();
std::span<const TfOp> ColorOps();
std::span<const TfOp> LinearAlgebraOps();
std::span<const TfOp> ResamplingOps();
std::span<const TfOp> WarpOps();
std::span<const TfOp> WindowOps();
std::span<const TfOp> GlimpseOps();
std::span<const TfOp> DrawingOps();
std::span<const TfOp> ControlFlowOps();
std::span<const TfOp> TensorListOps();
std::span<const TfOp> TensorArrayOps();

}  // namespace linnet::converter
