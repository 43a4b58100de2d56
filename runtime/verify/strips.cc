// SPDX-License-Identifier: Apache-2.0
#include "runtime/verify/strips.h"

#include "runtime/verify/overlap.h"

namespace linnet {

void StripsVerifier::Reach(int32_t index) {
  index_ = index;
  if (!kLinkedStrips || is_inside()) return;
  // Strips without steps are refused when they end, so they must begin.
  if (next_ == program_.strips.size()) return;
  const schema::Strips& strips = program_.strips[next_];
  if (strips.first() != static_cast<uint32_t>(index)) return;
  current_ = &strips;
  ++next_;
  *chain_ = {};
}

bool StripsVerifier::IsFirst(int32_t step) const {
  return kLinkedStrips && is_inside() && current_->first() == static_cast<uint32_t>(step);
}

bool StripsVerifier::IsLast() const {
  return static_cast<uint32_t>(index_) + 1 >= current_->first() + current_->count();
}

bool StripsVerifier::IsReadable(int32_t tensor) const {
  return kLinkedStrips && is_inside() && program_.tensors[tensor].storage == Storage::kStrips &&
         chain_->PartOf(tensor) >= 0;
}

bool StripsVerifier::MayWrite(int32_t tensor) const {
  return kLinkedStrips && is_inside() && program_.tensors[tensor].storage == Storage::kStrips;
}

const char* StripsVerifier::Add(const OpInstance& op, const PlanStep& step) {
  if (step.space != 0) return "only the host runs steps in strips";
  if (const char* problem = chain_->Add(op, step.inputs, step.outputs[0])) return problem;
  const bool in_strips = program_.tensors[step.outputs[0]].storage == Storage::kStrips;
  return in_strips == IsLast() ? "of strips, the last step and no other writes to the arena" : nullptr;
}

const char* StripsVerifier::Leave() {
  if (!is_inside() || !IsLast()) return nullptr;
  if (const char* problem = chain_->Finish(current_->rows())) return problem;
  if (const char* problem = FindBadMemory()) return problem;
  current_ = nullptr;
  return nullptr;
}

const char* StripsVerifier::FindBadMemory() const {
  const int32_t scratch = program_.steps[current_->first()].scratch;
  if (scratch < 0) return "strips have no memory";
  const PlanBuffer& buffer = program_.buffers[scratch];
  if (buffer.space != 0 || buffer.bytes < chain_->memory_bytes()) return "strips have too little memory";
  const ByteRange rows = {buffer.offset, buffer.offset + buffer.bytes};
  const PlanTensor& out = program_.tensors[chain_->last().tensor];
  const ByteRange written = {out.offset, out.offset + program_.BytesOf(out)};
  if (Overlaps(program_, out, rows)) return "the memory of strips overlaps their output";
  for (uint32_t i = 0; i < current_->count(); ++i) {
    for (const int32_t input : program_.steps[current_->first() + i].inputs) {
      const PlanTensor& tensor = program_.tensors[input];
      if (Overlaps(program_, tensor, rows)) return "the memory of strips overlaps an input";
      if (Overlaps(program_, tensor, written)) return "the output of strips overlaps an input";
    }
  }
  return nullptr;
}

}  // namespace linnet
