// SPDX-License-Identifier: Apache-2.0
#include "runtime/verify/attributes.h"

#include <cstddef>
#include <cstring>

#include "runtime/core/checked.h"

namespace linnet {
namespace {

constexpr size_t kMaxAttrsFlatBuffer = 1024;

// Steps that cannot be decoded take no memory: an untrusted plan may have many of them.
int64_t DecodedBytes(const PlanStep& step) {
  const OpDef* def = step.attrs.empty() ? nullptr : FindOp(static_cast<OpKind>(step.op));
  return def == nullptr ? 0 : AlignUp(def->attrs_bytes, alignof(std::max_align_t));
}

}  // namespace

bool PlaceAttributes(const PlanProgram& program, Region& region, VerifiedStep* steps) {
  int64_t bytes = 0;
  for (const PlanStep& step : program.steps) bytes += DecodedBytes(step);
  auto* next = static_cast<std::byte*>(region.Allocate(bytes));
  if (next == nullptr) return false;
  for (const PlanStep& step : program.steps) {
    (steps++)->attrs = next;
    next += DecodedBytes(step);
  }
  return true;
}

const char* DecodeAttributes(const PlanStep& step, const OpDef& def, const Extents& extents,
                             VerifiedStep* out) {
  // FlatBuffers needs the alignment that the buffer had when it was written.
  alignas(16) uint8_t aligned[kMaxAttrsFlatBuffer];
  if (step.attrs.empty() || step.attrs.size() > sizeof(aligned))
    return "attributes are missing or too large";
  std::memcpy(aligned, step.attrs.data(), step.attrs.size());
  void* attrs = const_cast<void*>(out->attrs);
  const Status status = def.decode({aligned, step.attrs.size()}, attrs);
  if (!status.ok()) return status.what();
  for (const schema::AttrExtent& extent : step.attr_extents)
    if (def.set_extent == nullptr ||
        !def.set_extent(attrs, extent.slot(), extents.value(extent.symbol())))
      return "an attribute cannot take the value of a symbol";
  return nullptr;
}

}  // namespace linnet
