// SPDX-License-Identifier: Apache-2.0
#include "converter/legalize/tf_op_table.h"

#include <algorithm>
#include <iterator>
#include <vector>

namespace linnet::converter {
namespace {

std::vector<TfOp> Collect() {
  std::vector<TfOp> all;
  for (const auto family :
       {ElementwiseOps, ConvolutionOps, MatMulOps,       NormalizationOps, PoolingOps,
        ReductionOps,   ShapeOps,       SlicingOps,      JoiningOps,       GatherOps,
        LookupTableOps, ImageOps,       ConstantLikeOps, SelectOps,        EinsumOps,
        PassThroughOps, BlockOps,       QuantizationOps, QuantizedTypeOps, ScatterOps,
        DiagonalOps,    VolumeOps,      RecurrentOps,    SpectralOps,      ComplexOps,
        AudioOps,       DetectionOps,   ControlFlowOps,  TensorListOps,    TensorArrayOps,
        GroupingOps,    RandomOps,      ColorOps,        LinearAlgebraOps, ResamplingOps,
        WarpOps,        WindowOps,      GlimpseOps,      DrawingOps,       SegmentOps,
        SparseOps,      RaggedOps}) {
    const std::span<const TfOp> rows = family();
    all.insert(all.end(), rows.begin(), rows.end());
  }
  std::sort(all.begin(), all.end(), [](const TfOp& a, const TfOp& b) { return a.name < b.name; });
  return all;
}

}  // namespace

std::span<const TfOp> TfOpTable() {
  static const std::vector<TfOp>& table = *new std::vector<TfOp>(Collect());
  return table;
}

const TfOp* FindTfOp(std::string_view name) {
  const std::span<const TfOp> table = TfOpTable();
  const auto row = std::lower_bound(table.begin(), table.end(), name,
                                    [](const TfOp& op, std::string_view n) { return op.name < n; });
  return row != table.end() && row->name == name ? &*row : nullptr;
}

const TfOp* FindComplexTfOp(std::string_view name) {
  for (const std::span<const TfOp> rows : {ComplexForms(), ComplexOps(), SpectralOps()}) {
    const auto row = std::ranges::find(rows, name, &TfOp::name);
    if (row != rows.end()) return &*row;
  }
  const TfOp* row = FindTfOp(name);
  return row != nullptr && row->takes_complex() ? row : nullptr;
}

}  // namespace linnet::converter
