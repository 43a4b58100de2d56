// SPDX-License-Identifier: Apache-2.0
#include "runtime/ops/fourier.h"

namespace linnet {
namespace {

// Keeps the table of angles small and single precision meaningful.
constexpr int64_t kMaxLength = int64_t{1} << 24;

}  // namespace

Status Decode(const schema::FourierAttrs& table, FourierAttrs* attrs) {
  if (table.kind() == schema::FourierKind::Invalid || table.kind() > schema::FourierKind::MAX)
    return {StatusCode::kInvalidPlan, "Fourier: unknown kind"};
  if (table.length() < 1 || table.length() > kMaxLength)
    return {StatusCode::kInvalidPlan, "Fourier: length must be in 1..2^24"};
  attrs->kind = table.kind();
  attrs->length = table.length();
  return {};
}

flatbuffers::Offset<schema::FourierAttrs> Encode(flatbuffers::FlatBufferBuilder& fbb,
                                                 const FourierAttrs& attrs) {
  return schema::CreateFourierAttrs(fbb, attrs.kind, attrs.length);
}

namespace {

using schema::FourierKind;

Status InferFourier(const OpInstance& op, TensorType* outputs) {
  const auto& attrs = op.as<FourierAttrs>();
  const TensorType& in = op.input(0);
  if (in.dtype != DType::kFloat32) return {StatusCode::kInvalidPlan, "Fourier: want f32"};
  const bool real = attrs.kind == FourierKind::RealForward;
  const int rank = in.shape.rank(), axis = rank - (real ? 1 : 2);
  if (axis < 0 || (!real && in.shape.back() != 2) || (real && rank == kMaxRank))
    return {StatusCode::kInvalidPlan, "Fourier: want rows, of pairs where they are complex"};
  const int64_t half = attrs.length / 2 + 1;
  if (in.shape[axis] != (attrs.kind == FourierKind::RealInverse ? half : attrs.length))
    return {StatusCode::kInvalidPlan, "Fourier: rows must fit the length"};
  outputs[0] = {DType::kFloat32, {}};
  for (int i = 0; i < axis; ++i) outputs[0].shape.Append(in.shape[i]);
  outputs[0].shape.Append(real ? half : attrs.length);
  if (attrs.kind != FourierKind::RealInverse) outputs[0].shape.Append(2);
  return {};
}

// 5 n log2 n for each row of complex numbers, half of it for real ones.
Cost CostFourier(const OpInstance& op) {
  const auto& attrs = op.as<FourierAttrs>();
  const bool real =
      attrs.kind == FourierKind::RealForward || attrs.kind == FourierKind::RealInverse;
  int64_t levels = 1;
  while (int64_t{1} << levels < attrs.length) ++levels;
  const int64_t numbers =
      std::max(op.input(0).shape.num_elements(), op.output(0).shape.num_elements());
  return {.flops = SaturatingMul(numbers, 5 * levels) / (real ? 4 : 2)};
}

}  // namespace

const OpDef kFourierOp = MakeOpDef<FourierAttrs>({.name = "Fourier",
                                                  .min_inputs = 1,
                                                  .max_inputs = 1,
                                                  .num_outputs = 1,
                                                  .traits = kNoTraits,
                                                  .infer = InferFourier,
                                                  .cost = CostFourier});

}  // namespace linnet
