// SPDX-License-Identifier: Apache-2.0
#include "runtime/verify/kept_inputs.h"

#include <algorithm>

#include "runtime/verify/overlap.h"

namespace linnet {
namespace {

// The bytes of a tensor in the host's arena; none when it is elsewhere or empty.
ByteRange BytesInArena(const PlanProgram& program, int32_t tensor) {
  const PlanTensor& info = program.tensors[tensor];
  if (info.storage != Storage::kArena || info.space != 0) return {};
  return {info.offset, info.offset + program.BytesOf(info)};
}

// True when output 0 is its input's own bytes. Where the output of such an op overlaps the input,
// the verifier has checked that it lies exactly there (overlap.h).
bool IsView(const PlanProgram& program, const VerifiedStep& step) {
  const bool may_be = step.control == schema::Control::None &&
                      ((step.def->traits & kAlias) != 0 || step.kind == OpKind::kSlice);
  if (!may_be) return false;
  const ByteRange in = BytesInArena(program, step.inputs[0]);
  const ByteRange out = BytesInArena(program, step.outputs[0]);
  return in.begin < out.end && out.begin < in.end;
}

// Sorted, and joined where they touch. Returns how many are left.
size_t Join(std::span<ByteRange> ranges) {
  std::ranges::sort(ranges, {}, &ByteRange::begin);
  size_t count = 0;
  for (const ByteRange& range : ranges) {
    if (count > 0 && range.begin <= ranges[count - 1].end)
      ranges[count - 1].end = std::max(ranges[count - 1].end, range.end);
    else
      ranges[count++] = range;
  }
  return count;
}

struct Input {
  ByteRange bytes;
  size_t index = 0;
};

// The caller writes inputs one after another.
void DropOverlapping(std::span<Input> inputs, std::span<bool> kept) {
  std::ranges::sort(inputs, {}, [](const Input& input) { return input.bytes.begin; });
  const Input* longest = nullptr;  // of those before, the one that ends last
  for (const Input& input : inputs) {
    if (longest != nullptr && input.bytes.begin < longest->bytes.end)
      kept[input.index] = kept[longest->index] = false;
    if (longest == nullptr || input.bytes.end > longest->bytes.end) longest = &input;
  }
}

}  // namespace

Status FindKeptInputs(const VerifiedProgram& program, const Region& region, std::span<bool> kept) {
  const PlanProgram& plan = *program.plan;
  int64_t outputs = 0;
  for (const VerifiedStep& step : program.steps) outputs += std::ssize(step.outputs);
  Region temporary(region.allocator());
  auto* written = temporary.New<ByteRange>(outputs);
  auto* inputs = temporary.New<Input>(std::ssize(plan.inputs));
  if (written == nullptr || inputs == nullptr) return kNoMemoryToOpen;

  size_t num_written = 0, num_inputs = 0;
  for (const VerifiedStep& step : program.steps)
    for (size_t o = 0; o < step.outputs.size(); ++o)
      if (const ByteRange bytes = BytesInArena(plan, step.outputs[o]);
          bytes.begin < bytes.end && !(o == 0 && IsView(plan, step)))
        written[num_written++] = bytes;
  const std::span<const ByteRange> joined(written, Join({written, num_written}));

  for (size_t i = 0; i < plan.inputs.size(); ++i) {
    const ByteRange bytes = BytesInArena(plan, plan.inputs[i].tensor);
    const auto behind = std::ranges::upper_bound(joined, bytes.begin, {}, &ByteRange::end);
    kept[i] = bytes.begin == bytes.end || behind == joined.end() || behind->begin >= bytes.end;
    if (bytes.begin < bytes.end) inputs[num_inputs++] = {bytes, i};
  }
  DropOverlapping({inputs, num_inputs}, kept);
  return {};
}

}  // namespace linnet
