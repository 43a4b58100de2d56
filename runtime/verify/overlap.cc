// SPDX-License-Identifier: Apache-2.0
#include "runtime/verify/overlap.h"

#include <algorithm>

#include "runtime/ops/concat.h"
#include "runtime/ops/contiguous.h"
#include "runtime/ops/slice.h"

namespace linnet {
namespace {

bool Overlap(Layout layout, const PlanTensor& a, const PlanTensor& b) {
  if (a.storage != Storage::kArena || b.storage != Storage::kArena) return false;
  const int64_t a_bytes = BytesIn(layout, a.type), b_bytes = BytesIn(layout, b.type);
  return a_bytes > 0 && b_bytes > 0 && a.offset < b.offset + b_bytes &&
         b.offset < a.offset + a_bytes;
}

bool SameBytes(Layout layout, const PlanTensor& a, const PlanTensor& b) {
  return a.offset == b.offset && SameElements(layout, a.type, b.type);
}

// True when `part` is exactly the bytes [begin, begin + size) of `whole`.
bool LiesAt(Layout layout, const PlanTensor& part, const PlanTensor& whole, const Shape& begin,
            const Shape& size) {
  const int64_t bytes = PartOffset(layout, whole.type, begin, size);
  return bytes >= 0 && part.offset == whole.offset + bytes;
}

bool IsSliceInPlace(Layout layout, const SliceAttrs& slice, const PlanTensor& source,
                    const PlanTensor& out) {
  for (int i = 0; i < slice.stride.rank(); ++i)
    if (slice.stride[i] != 1 && slice.size[i] > 1) return false;
  return LiesAt(layout, out, source, slice.begin, slice.size);
}

// The inputs of a concatenation that are already at their place in the output, in order of address.
std::span<const ByteRange> PartsInPlace(const PlacedStep& step, std::span<ByteRange> scratch) {
  const PlanTensor& out = *step.outputs[0];
  const int axis = step.op.as<ConcatAttrs>().axis;
  size_t count = 0;
  Shape begin;
  for (int i = 0; i < out.type.shape.rank(); ++i) begin.Append(0);
  for (const PlanTensor* part : step.inputs) {
    const int64_t bytes = BytesIn(step.layout, part->type);
    if (part->storage == Storage::kArena && bytes > 0 &&
        LiesAt(step.layout, *part, out, begin, part->type.shape))
      scratch[count++] = {part->offset, part->offset + bytes};
    begin[axis] += part->type.shape[axis];
  }
  return scratch.first(count);
}

// The step does not write such a part, so it may be read as another input too: Concat(x, x), or x
// and some of its rows. True when all bytes that `in` shares with `out` are in one of the parts.
bool SharesLeftAlone(Layout layout, const PlanTensor& in, const PlanTensor& out,
                     std::span<const ByteRange> parts) {
  const int64_t begin = std::max(in.offset, out.offset);
  const int64_t end =
      std::min(in.offset + BytesIn(layout, in.type), out.offset + BytesIn(layout, out.type));
  const auto behind =
      std::upper_bound(parts.begin(), parts.end(), begin,
                       [](int64_t offset, const ByteRange& part) { return offset < part.begin; });
  return behind != parts.begin() && end <= behind[-1].end;
}

// True when both have the same extents for all values of the symbols.
bool SameExtents(const PlanTensor& a, const PlanTensor& b) {
  return a.type.shape == b.type.shape &&
         std::equal(a.symbols.begin(), a.symbols.end(), b.symbols.begin(), b.symbols.end()) &&
         DTypeBytes(a.type.dtype) == DTypeBytes(b.type.dtype);
}

// True when output 0 may share bytes with input `index`. For all ops but Concat.
bool MayShare(const PlacedStep& step, size_t index) {
  const PlanTensor &in = *step.inputs[index], &out = *step.outputs[0];
  const PlanTensor& first = *step.inputs[0];
  if (step.op.kind == OpKind::kSlice)
    return !step.varies && IsSliceInPlace(step.layout, step.op.as<SliceAttrs>(), in, out);
  if (!SameBytes(step.layout, in, out)) return false;
  // An alias has the bytes of its input with any extents.
  if ((step.traits & kAlias) && index == 0) return true;
  if (!CanOverwrite(step.layout, in.type, out.type)) return false;
  if (step.varies && !SameExtents(in, out)) return false;
  if (index == 1 && (step.traits & kInPlaceSecond)) return true;
  // Also an input that is the same memory as input 0 (x * x).
  return (step.traits & (kMayRunInPlace | kAlias)) && SameBytes(step.layout, in, first) &&
         first.storage == Storage::kArena;
}

}  // namespace

bool Overlaps(const PlanProgram& program, const PlanTensor& tensor, ByteRange bytes) {
  if (tensor.storage != Storage::kArena) return false;
  const int64_t end = tensor.offset + program.BytesOf(tensor);
  return tensor.offset < end && bytes.begin < bytes.end && tensor.offset < bytes.end &&
         bytes.begin < end;
}

const char* FindBadScratch(const PlanProgram& program, const PlanStep& step) {
  const PlanBuffer& scratch = program.buffers[step.scratch];
  if (step.space == 0 || scratch.space != step.space)
    return "its scratch memory is not in its device's memory";
  const ByteRange bytes = {scratch.offset, scratch.offset + scratch.bytes};
  for (const std::span<const int32_t> tensors : {step.inputs, step.outputs})
    for (const int32_t tensor : tensors)
      if (Overlaps(program, program.tensors[tensor], bytes))
        return "its scratch memory overlaps one of its tensors";
  return nullptr;
}

const char* FindBadOverlap(const PlacedStep& step, std::span<ByteRange> scratch) {
  const bool joins = step.op.kind == OpKind::kConcat && !step.varies;
  const std::span<const ByteRange> parts =
      joins ? PartsInPlace(step, scratch) : std::span<const ByteRange>();
  for (size_t o = 0; o < step.outputs.size(); ++o) {
    const PlanTensor& out = *step.outputs[o];
    for (size_t i = 0; i < step.inputs.size(); ++i) {
      if (!Overlap(step.layout, *step.inputs[i], out)) continue;
      const bool may_share = step.op.kind == OpKind::kConcat
                                 ? SharesLeftAlone(step.layout, *step.inputs[i], out, parts)
                                 : MayShare(step, i);
      if (o != 0 || !may_share) return "an output overlaps an input that the op still reads";
    }
    for (size_t p = 0; p < o; ++p)
      if (Overlap(step.layout, *step.outputs[p], out)) return "two outputs overlap";
  }
  return nullptr;
}

}  // namespace linnet
