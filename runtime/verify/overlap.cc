// SPDX-License-Identifier: Apache-2.0
#include "runtime/verify/overlap.h"

#include "runtime/ops/concat.h"
#include "runtime/ops/contiguous.h"
#include "runtime/ops/slice.h"

namespace linnet {
namespace {

bool Overlap(const PlanTensor& a, const PlanTensor& b) {
  if (a.storage != Storage::kArena || b.storage != Storage::kArena) return false;
  const int64_t a_bytes = a.type.bytes(), b_bytes = b.type.bytes();
  return a_bytes > 0 && b_bytes > 0 && a.offset < b.offset + b_bytes &&
         b.offset < a.offset + a_bytes;
}

bool SameBytes(const PlanTensor& a, const PlanTensor& b) {
  return a.offset == b.offset && a.type.bytes() == b.type.bytes();
}

// Is `part` at [begin, begin + size) of `whole`, to the byte?
bool LiesAt(const PlanTensor& part, const PlanTensor& whole, const Shape& begin,
            const Shape& size) {
  const int64_t elements = ContiguousOffset(whole.type.shape, begin, size);
  return elements >= 0 && part.offset == whole.offset + elements * DTypeBytes(whole.type.dtype);
}

bool IsSliceInPlace(const SliceAttrs& slice, const PlanTensor& source, const PlanTensor& out) {
  for (int i = 0; i < slice.stride.rank(); ++i)
    if (slice.stride[i] != 1 && slice.size[i] > 1) return false;
  return LiesAt(out, source, slice.begin, slice.size);
}

// An input of a concatenation that is already where it belongs is left alone, so it may be read
// there for another part too (Concat(x, x)). Is `in` such an input, or bytes of one?
bool IsPartInPlace(const ConcatAttrs& concat, std::span<const PlanTensor* const> inputs,
                   const PlanTensor& in, const PlanTensor& out) {
  Shape begin;
  for (int i = 0; i < out.type.shape.rank(); ++i) begin.Append(0);
  for (const PlanTensor* part : inputs) {
    if (part->storage == Storage::kArena && part->offset <= in.offset &&
        in.offset + in.type.bytes() <= part->offset + part->type.bytes() &&
        LiesAt(*part, out, begin, part->type.shape))
      return true;
    begin[concat.axis] += part->type.shape[concat.axis];
  }
  return false;
}

// May output 0 share bytes with input `index`?
bool MayShare(const OpInstance& op, uint32_t traits, std::span<const PlanTensor* const> inputs,
              size_t index, const PlanTensor& out) {
  const PlanTensor& in = *inputs[index];
  if (op.kind == OpKind::kSlice) return IsSliceInPlace(op.as<SliceAttrs>(), in, out);
  if (op.kind == OpKind::kConcat) return IsPartInPlace(op.as<ConcatAttrs>(), inputs, in, out);
  if (!SameBytes(in, out)) return false;
  if (index == 1 && (traits & kInPlaceSecond)) return true;
  // Any input that is the same memory as input 0 (x * x).
  return (traits & (kMayRunInPlace | kAlias)) && SameBytes(in, *inputs[0]) &&
         inputs[0]->storage == Storage::kArena;
}

}  // namespace

const char* FindBadOverlap(const OpInstance& op, uint32_t traits,
                           std::span<const PlanTensor* const> inputs,
                           std::span<const PlanTensor* const> outputs) {
  for (size_t o = 0; o < outputs.size(); ++o) {
    for (size_t i = 0; i < inputs.size(); ++i)
      if (Overlap(*inputs[i], *outputs[o]) &&
          (o != 0 || !MayShare(op, traits, inputs, i, *outputs[o])))
        return "an output lies over an input that the op still reads";
    for (size_t p = 0; p < o; ++p)
      if (Overlap(*outputs[p], *outputs[o])) return "two outputs lie over each other";
  }
  return nullptr;
}

}  // namespace linnet
