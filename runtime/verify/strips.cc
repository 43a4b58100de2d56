// SPDX-License-Identifier: Apache-2.0
#include "runtime/verify/strips.h"

#include "runtime/verify/overlap.h"

namespace linnet {

void StripsVerifier::Reach(int32_t index) {
  index_ = index;
  if (!kLinkedStrips || is_inside()) return;
  if (next_ == program_.strips.size()) return;
  const schema::Strips& strips = program_.strips[next_];
  if (strips.first() != static_cast<uint32_t>(index)) return;
  current_ = &strips;
  ++next_;
  chain_ = StripChain(room_);
  overwritten_ = 0;
}

bool StripsVerifier::IsFirst(int32_t step) const {
  return kLinkedStrips && is_inside() && current_->first() == static_cast<uint32_t>(step);
}

bool StripsVerifier::IsLast() const {
  return static_cast<uint32_t>(index_) + 1 >= current_->first() + current_->count();
}

bool StripsVerifier::IsReadable(int32_t tensor) const {
  return kLinkedStrips && is_inside() && program_.tensors[tensor].storage == Storage::kStrips &&
         chain_.PartOf(tensor) >= 0;
}

const char* StripsVerifier::Add(const OpInstance& op, const PlanStep& step) {
  if (step.space != 0) return "only the host runs steps in strips";
  if (const char* problem = chain_.Add(op, step.inputs, step.outputs[0])) return problem;
  if (const char* problem = FindBadOverwrite(op, step)) return problem;
  const bool in_strips = program_.tensors[step.outputs[0]].storage == Storage::kStrips;
  return in_strips == IsLast() ? "of strips, the last step and no other writes to the arena"
                               : nullptr;
}

const PlanTensor* StripsVerifier::LastOutput() const {
  const PlanStep& last = program_.steps[current_->first() + current_->count() - 1];
  return last.outputs.empty() ? nullptr : &program_.tensors[last.outputs[0]];
}

// Rows that a strip has read may be overwritten by it where they lie in the same place.
const char* StripsVerifier::FindBadOverwrite(const OpInstance& op, const PlanStep& step) {
  const PlanTensor* last = LastOutput();
  if (last == nullptr || last->storage != Storage::kArena) return nullptr;
  const PlanTensor& out = *last;
  const ByteRange written = {out.offset, out.offset + program_.BytesOf(out)};
  for (size_t i = 0; i < step.inputs.size(); ++i) {
    const PlanTensor& in = program_.tensors[step.inputs[i]];
    if (!Overlaps(program_, in, written)) continue;
    if (in.type != out.type || in.offset != out.offset ||
        UseOf(op, static_cast<int>(i)) != RowUse::kRows)
      return "the output of strips overlaps an input that they still read";
    overwritten_ |= uint64_t{1} << chain_.PartOf(step.outputs[0]);
  }
  return nullptr;
}

const char* StripsVerifier::Leave() {
  if (!is_inside() || !IsLast()) return nullptr;
  if (const char* problem = chain_.Finish(current_->rows())) return problem;
  if (const char* problem = FindBadMemory()) return problem;
  current_ = nullptr;
  return nullptr;
}

const char* StripsVerifier::FindBadMemory() const {
  const int32_t scratch = program_.steps[current_->first()].scratch;
  if (scratch < 0) return "strips have no memory";
  const PlanBuffer& buffer = program_.buffers[scratch];
  if (buffer.space != 0 || buffer.bytes < chain_.memory_bytes())
    return "strips have too little memory";
  const ByteRange rows = {buffer.offset, buffer.offset + buffer.bytes};
  if (overwritten_ != 0 && !chain_.MayOverwrite(overwritten_))
    return "the output of strips overlaps rows that a later strip reads";
  if (Overlaps(program_, *LastOutput(), rows)) return "the memory of strips overlaps their output";
  for (uint32_t i = 0; i < current_->count(); ++i) {
    for (const int32_t input : program_.steps[current_->first() + i].inputs) {
      const PlanTensor& tensor = program_.tensors[input];
      if (Overlaps(program_, tensor, rows)) return "the memory of strips overlaps an input";
    }
  }
  return nullptr;
}

}  // namespace linnet
