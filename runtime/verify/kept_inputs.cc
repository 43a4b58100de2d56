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

// What a step writes or the caller does.
struct Written {
  ByteRange bytes;
  int64_t input = -1;  // the caller's input with this index
};

// `written` in the order of their first bytes. Drops the inputs whose bytes something else writes.
void DropOverwritten(std::span<const Written> written, std::span<bool> kept) {
  int64_t end_of_steps = INT64_MIN;  // of what steps have written so far, the end
  // Of the inputs so far, the one that ends last. No other one that is still kept reaches further
  // than to where this one begins.
  const Written* last = nullptr;
  for (const Written& next : written) {
    if (last != nullptr && next.bytes.begin < last->bytes.end) {
      kept[last->input] = false;
      if (next.input >= 0) kept[next.input] = false;
    }
    if (next.input < 0) {
      end_of_steps = std::max(end_of_steps, next.bytes.end);
      continue;
    }
    if (next.bytes.begin < end_of_steps) kept[next.input] = false;
    if (last == nullptr || next.bytes.end > last->bytes.end) last = &next;
  }
}

}  // namespace

Status FindKeptInputs(const VerifiedProgram& program, const Region& region, std::span<bool> kept) {
  const PlanProgram& plan = *program.plan;
  // Besides outputs, strips write the rows in their memory.
  int64_t most = std::ssize(plan.inputs) + std::ssize(plan.steps);
  for (const VerifiedStep& step : program.steps) most += std::ssize(step.outputs);
  Region temporary(region.allocator());
  auto* written = temporary.New<Written>(most);
  if (written == nullptr) return kNoMemoryToOpen;

  size_t count = 0;
  const auto add = [&](ByteRange bytes, int64_t input) {
    if (bytes.begin < bytes.end) written[count++] = {bytes, input};
  };
  for (const VerifiedStep& step : program.steps)
    for (size_t o = 0; o < step.outputs.size(); ++o)
      if (o != 0 || !IsView(plan, step)) add(BytesInArena(plan, step.outputs[o]), -1);
  for (const PlanStep& step : plan.steps)
    if (kLinkedStrips && step.scratch >= 0 && step.space == 0) {
      const PlanBuffer& rows = plan.buffers[step.scratch];
      add({rows.offset, rows.offset + rows.bytes}, -1);
    }
  for (int64_t i = 0; i < std::ssize(plan.inputs); ++i) {
    kept[i] = true;
    add(BytesInArena(plan, plan.inputs[i].tensor), i);
  }
  // All of it: that is a heap sort, a third of the code of std::sort.
  std::partial_sort(
      written, written + count, written + count,
      [](const Written& a, const Written& b) { return a.bytes.begin < b.bytes.begin; });
  DropOverwritten({written, count}, kept);
  return {};
}

}  // namespace linnet
