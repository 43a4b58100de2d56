// SPDX-License-Identifier: Apache-2.0
#include "runtime/ops/binary.h"

#include "runtime/backends/vulkan/broadcast.h"
#include "runtime/backends/vulkan/index_check.h"

namespace linnet::vulkan {
namespace {

using schema::BinaryKind;

// The shaders have the schema's numbers.
static_assert(kBinaryAdd == static_cast<uint>(BinaryKind::Add));
static_assert(kBinaryDivNoNan == static_cast<uint>(BinaryKind::DivNoNan));
static_assert(kBinaryAtan2 == static_cast<uint>(BinaryKind::Atan2));
static_assert(kBinaryRightShift == static_cast<uint>(BinaryKind::MAX));

bool Divides(BinaryKind kind) {
  return kind == BinaryKind::Div || kind == BinaryKind::FloorDiv || kind == BinaryKind::FloorMod ||
         kind == BinaryKind::TruncateDiv || kind == BinaryKind::TruncateMod;
}

// The smallest element, and whether one is 0, of integers of 1 or 4 bytes.
struct Content {
  int32_t lowest = 0;
  bool has_zero = false;
};
Content ContentOf(const InputInfo& input) {
  Content content;
  const int64_t count = input.type.shape.num_elements();
  for (int64_t i = 0; i < count; ++i) {
    int32_t element = 0;
    const int64_t bytes = DTypeBytes(input.type.dtype);
    __builtin_memcpy(&element, static_cast<const uint8_t*>(input.value) + i * bytes,
                     static_cast<size_t>(bytes));
    content.lowest = element < content.lowest ? element : content.lowest;
    content.has_zero = content.has_zero || element == 0;
  }
  return content;
}

bool MayBeUndefined(const OpInstance& op) {
  const BinaryKind kind = op.as<BinaryAttrs>().kind;
  return op.input(0).dtype != DType::kFloat32 && (Divides(kind) || kind == BinaryKind::Pow);
}

constexpr char kByZero[] = "integer division by zero";
constexpr char kNegativePower[] = "integer to a negative power";

const char* WhyBadConstants(const OpInstance& op) {
  if (!MayBeUndefined(op) || !op.inputs[1].is_constant || op.output(0).shape.num_elements() == 0)
    return nullptr;
  const Content content = ContentOf(op.inputs[1]);
  const bool divides = Divides(op.as<BinaryAttrs>().kind);
  if (divides && content.has_zero) return kByZero;
  if (!divides && content.lowest < 0) return kNegativePower;
  return nullptr;
}

const char* WhyUnsupported(const OpInstance& op) { return WhyNotBroadcast(op); }

// The shader computes something for any integers.
void AddChecks(const OpInstance& op, Dispatches& dispatches) {
  if (!MayBeUndefined(op) || op.inputs[1].is_constant) return;
  if (Divides(op.as<BinaryAttrs>().kind))
    AddZeroCheck(op, 1, kByZero, dispatches);
  else
    AddIndexCheck(op, 1, INT64_MAX, kNegativePower, dispatches);
}

void Lower(const OpInstance& op, Dispatches& dispatches) {
  const BinaryAttrs& attrs = op.as<BinaryAttrs>();
  AddChecks(op, dispatches);
  const Shader shader =
      op.input(0).dtype == DType::kFloat32 ? Shader::k_binary : Shader::k_binary_int;
  AddBroadcast(shader, op, static_cast<uint>(attrs.kind), attrs.range, dispatches);
}

}  // namespace

const OpLowering kBinaryLowering = {
    .why_unsupported = WhyUnsupported, .lower = Lower, .why_bad_constants = WhyBadConstants};

}  // namespace linnet::vulkan
