// SPDX-License-Identifier: Apache-2.0
#include "runtime/ops/unary.h"

namespace linnet {

Status Decode(const schema::UnaryAttrs& table, UnaryAttrs* attrs) {
  if (table.kind() == schema::UnaryKind::Invalid || table.kind() > schema::UnaryKind::MAX)
    return {StatusCode::kInvalidPlan, "Unary: unknown kind"};
  attrs->kind = table.kind();
  attrs->alpha = table.alpha();
  return {};
}

flatbuffers::Offset<schema::UnaryAttrs> Encode(flatbuffers::FlatBufferBuilder& fbb,
                                               const UnaryAttrs& attrs) {
  return schema::CreateUnaryAttrs(fbb, attrs.kind, attrs.alpha);
}

namespace {

using schema::UnaryKind;

bool TakesIntegers(UnaryKind kind) {
  return kind == UnaryKind::Abs || kind == UnaryKind::Neg || kind == UnaryKind::Sign ||
         kind == UnaryKind::Square || kind == UnaryKind::BitwiseNot;
}

bool GivesBool(UnaryKind kind) {
  return kind == UnaryKind::IsNan || kind == UnaryKind::IsInf || kind == UnaryKind::IsFinite;
}

Status InferUnary(const OpInstance& op, TensorType* outputs) {
  const UnaryKind kind = op.as<UnaryAttrs>().kind;
  const TensorType& in = op.input(0);
  outputs[0] = in;
  if (kind == UnaryKind::LogicalNot) {
    if (in.dtype != DType::kBool) return {StatusCode::kInvalidPlan, "Unary: LogicalNot takes bool"};
    return {};
  }
  if (kind == UnaryKind::BitwiseNot && !IsInteger(in.dtype))
    return {StatusCode::kInvalidPlan, "Unary: BitwiseNot takes integers"};
  if (in.dtype != DType::kFloat32 && !(IsInteger(in.dtype) && TakesIntegers(kind)))
    return {StatusCode::kInvalidPlan,
            "Unary: takes f32; Abs, Neg, Sign and Square also take integers"};
  if (GivesBool(kind)) outputs[0].dtype = DType::kBool;
  return {};
}

// Rough operations per element.
int64_t Flops(UnaryKind kind) {
  switch (kind) {
    case UnaryKind::Exp:
    case UnaryKind::Expm1:
    case UnaryKind::Log:
    case UnaryKind::Log1p:
    case UnaryKind::Sin:
    case UnaryKind::Cos:
    case UnaryKind::Tan:
    case UnaryKind::Tanh:
    case UnaryKind::Sigmoid:
    case UnaryKind::Swish:
    case UnaryKind::Elu:
    case UnaryKind::Selu:
    case UnaryKind::Asin:
    case UnaryKind::Acos:
    case UnaryKind::Atan:
    case UnaryKind::Sinh:
    case UnaryKind::Cosh:
    case UnaryKind::Asinh:
    case UnaryKind::Acosh:
    case UnaryKind::Atanh:
    case UnaryKind::Erfinv:
      return 20;
    case UnaryKind::Erf:
    case UnaryKind::GeluErf:
    case UnaryKind::GeluTanh:
    case UnaryKind::Softplus:
    case UnaryKind::Lgamma:
    case UnaryKind::Digamma:
    case UnaryKind::Erfc:
      return 40;
    case UnaryKind::Sqrt:
    case UnaryKind::Rsqrt:
    case UnaryKind::Reciprocal:
    case UnaryKind::HardSwish:
    case UnaryKind::HardSigmoid:
    case UnaryKind::Softsign:
      return 4;
    default:
      return 1;
  }
}

Cost CostUnary(const OpInstance& op) {
  return {.flops = op.output(0).shape.num_elements() * Flops(op.as<UnaryAttrs>().kind)};
}

}  // namespace

const OpDef kUnaryOp = MakeOpDef<UnaryAttrs>({.name = "Unary",
                                              .min_inputs = 1,
                                              .max_inputs = 1,
                                              .num_outputs = 1,
                                              .traits = kMayRunInPlace | kElementwise,
                                              .infer = InferUnary,
                                              .cost = CostUnary});

}  // namespace linnet
