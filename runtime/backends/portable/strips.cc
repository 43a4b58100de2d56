// SPDX-License-Identifier: Apache-2.0
#include "runtime/backends/portable/strips.h"

#include <algorithm>
#include <cstring>
#include <new>

#include "runtime/backends/portable/ops/packed_filter.h"
#include "runtime/backends/portable/portable_op.h"
#include "runtime/backends/portable/strip_shares.h"
#include "runtime/kernels/gemm_split.h"
#include "runtime/ops/linked_ops.h"
#include "runtime/threads/clock.h"

namespace linnet::portable {
namespace {

constexpr Status kNoMemory{StatusCode::kNoMemory, "out of memory for steps in strips"};

// Fewer rows per thread are not worth the rows that are made twice.
constexpr int64_t kLeastRowsPerSlot = 7;
static_assert(kMaxStrips <= Share::kMostTasks);

// An input or the output of a part, as a whole.
struct Operand {
  TensorType type;
  RowUse use = RowUse::kRows;
  int32_t part = -1;  // that makes it in strips; -1: it lies in memory as a whole
  std::byte* data = nullptr;
  int64_t picture_bytes = 0;  // from picture to picture, 0 where all have the same
  int64_t row_bytes = 0;
};

struct Part {
  const PortableOp* kernel = nullptr;
  const OpDef* def = nullptr;
  OpInstance op;  // of whole pictures
  const void* prepared = nullptr;
  int32_t num_operands = 0;  // inputs, then the output
  Operand* operands = nullptr;
};

// The attributes of a part for some of its rows.
struct CutAttrs {
  alignas(8) std::byte bytes[kMaxAttrsBytes];
};

// What a thread works with.
struct Slot {
  std::byte* rows = nullptr;      // of the tensors between the parts
  std::byte* scratch = nullptr;   // of the kernel that runs
  TensorView* views = nullptr;    // of the part with the most operands
  int64_t* first_rows = nullptr;  // by part: the row at the beginning of its memory
  int64_t* ns = nullptr;          // by part: time in it
  Status status;
};

class Strips final : public RunnableStep {
 public:
  Strips(const StripChain& chain, PacksWeights packs, const Parallel& parallel)
      : chain_(chain), packs_(packs), parallel_(parallel), alone_(parallel) {
    alone_.threads = 1;
  }

  Status Create(const StripsContext& strips, Region& region) {
    const auto count = static_cast<int64_t>(chain_.parts().size());
    parts_ = region.New<Part>(count);
    if (parts_ == nullptr) return kNoMemory;
    for (int32_t i = 0; i < count; ++i)
      LINNET_RETURN_IF_ERROR(AddPart(strips.steps[i].op, strips.packed[i], i, region));
    const int64_t slots_per_picture =
        std::clamp<int64_t>(chain_.last().rows / kLeastRowsPerSlot, 1, chain_.strips());
    const int64_t worth = SaturatingMul(chain_.pictures(), slots_per_picture);
    too_few_rows_ = worth < parallel_.threads;
    num_slots_ = std::min<int64_t>({parallel_.threads, kernels::kMaxGemmSlots, worth});
    slots_ = region.New<Slot>(num_slots_);
    if (slots_ == nullptr) return kNoMemory;
    for (int64_t i = 0; i < num_slots_; ++i) {
      slots_[i].views = region.New<TensorView>(most_operands_);
      slots_[i].first_rows = region.New<int64_t>(count);
      slots_[i].ns = region.New<int64_t>(count);
      if (slots_[i].views == nullptr || slots_[i].first_rows == nullptr || slots_[i].ns == nullptr)
        return kNoMemory;
    }
    return FindScratch(region);
  }

  // The first slot has the plan's memory for rows.
  int64_t workspace_bytes() const {
    const int64_t alone = SaturatingAdd(SaturatingMul(num_slots_, scratch_bytes_),
                                        SaturatingMul(num_slots_ - 1, chain_.memory_bytes()));
    return std::max(alone, together_bytes_);
  }

  Status Setup(const StepBuffers& buffers) override {
    size_t next = 0;
    uint64_t overwritten = 0;  // bit i: part i reads what the last one overwrites
    for (size_t i = 0; i < chain_.parts().size(); ++i) {
      for (int32_t k = 0; k < parts_[i].num_operands; ++k) {
        void* data = buffers.inputs[next++];
        parts_[i].operands[k].data = static_cast<std::byte*>(data);
        if (k + 1 < parts_[i].num_operands && data == buffers.outputs[0])
          overwritten |= uint64_t{1} << i;
      }
    }
    together_ = too_few_rows_ || !chain_.OverwritesOnlyOwnRows(overwritten);
    auto* at = static_cast<std::byte*>(buffers.workspace);
    for (int64_t i = 0; i < num_slots_; ++i, at += scratch_bytes_) slots_[i].scratch = at;
    slots_[0].rows = static_cast<std::byte*>(buffers.strip_rows);
    for (int64_t i = 1; i < num_slots_; ++i, at += chain_.memory_bytes()) slots_[i].rows = at;
    return {};
  }

  Status Run() override {
    for (int64_t i = 0; i < num_slots_; ++i) slots_[i].status = {};
    // As many pictures at a time as have strips that shares can hold.
    const int64_t most = Share::kMostTasks / chain_.strips();
    for (int64_t first = 0; first < chain_.pictures(); first += most) {
      RunPictures(first, std::min(most, chain_.pictures() - first));
      for (int64_t i = 0; i < num_slots_; ++i)
        if (!slots_[i].status.ok()) return slots_[i].status;
    }
    if (parallel_.Stopped()) return {StatusCode::kCancelled, "cancelled"};
    return {};
  }

  void EnableProfile(bool on) override {
    profile_ = on;
    for (int64_t i = 0; i < num_slots_; ++i) std::fill_n(slots_[i].ns, chain_.parts().size(), 0);
  }

  void PartTimes(std::span<int64_t> ns) const override {
    std::fill(ns.begin(), ns.end(), 0);
    for (int64_t i = 0; i < num_slots_; ++i)
      for (size_t part = 0; part < ns.size(); ++part) ns[part] += slots_[i].ns[part];
  }

  void Destroy() override {}  // everything is in the session's region

 private:
  Status AddPart(const OpInstance& op, const void* packed, int32_t index, Region& region) {
    Part& part = parts_[index];
    const int64_t num_inputs = op.num_inputs();
    part.operands = region.New<Operand>(num_inputs + 1);
    if (part.operands == nullptr) return kNoMemory;
    part.kernel = FindPortableOp(op.kind);
    part.def = FindLinked(kLinkedOps, op.kind);
    part.op = op;
    part.prepared = packed;
    part.num_operands = static_cast<int32_t>(num_inputs + 1);
    most_operands_ = std::max<int64_t>(most_operands_, part.num_operands);
    for (int i = 0; i < num_inputs; ++i) SetOperand(op.input(i), UseOf(op, i), &part.operands[i]);
    SetOperand(op.output(0), RowUse::kRows, &part.operands[num_inputs]);
    const StripPart& made = chain_.parts()[index];
    for (int32_t k = 0; k < made.num_sources; ++k)
      part.operands[made.sources[k].input].part = made.sources[k].part;
    return {};
  }

  void SetOperand(const TensorType& type, RowUse use, Operand* operand) const {
    operand->type = type;
    operand->use = use;
    if (use == RowUse::kWhole) return;
    const int64_t picture = type.bytes() / std::max<int64_t>(type.shape[0], 1);
    operand->picture_bytes = type.shape[0] == 1 ? 0 : picture;
    if (use == RowUse::kRows) operand->row_bytes = picture / type.shape[1];
  }

  // Of all kernels, for all numbers of rows that occur.
  Status FindScratch(Region& region) {
    auto* inputs = region.New<InputInfo>(most_operands_);
    if (inputs == nullptr) return kNoMemory;
    int64_t seen[kMaxStripParts] = {};  // by part: the rows of which it was asked last
    ForEachStripPart(chain_, [&](int i, const StripWalk& walk) {
      const RowRange rows = walk.Made(i);
      // Parts of as many rows differ only in their pads, and those at the end have fewest rows.
      if (rows.size() <= 0 || rows.size() == seen[i]) return;
      seen[i] = rows.size();
      const Part& part = parts_[i];
      CutAttrs attrs;
      const RowRange under = RowsUnder(chain_.parts()[i], rows);
      OpInstance op = part.op;
      for (int k = 0; k < op.num_inputs(); ++k) {
        inputs[k] = op.inputs[k];
        inputs[k].type =
            RowsOf(op.input(k), part.operands[k].use, k == 0 ? under.size() : rows.size());
      }
      const TensorType output = RowsOf(op.output(0), RowUse::kRows, rows.size());
      op.attrs = Cut(i, rows, &attrs);
      op.inputs = {inputs, op.inputs.size()};
      op.outputs = {&output, 1};
      scratch_bytes_ = std::max(scratch_bytes_, ScratchBytes(*part.kernel, op, packs_, alone_));
      together_bytes_ =
          std::max(together_bytes_, ScratchBytes(*part.kernel, op, packs_, parallel_));
    });
    scratch_bytes_ = AlignUp(scratch_bytes_, kHostAlignment);
    region.Free(inputs);
    return {};
  }

  // The attributes of part `i` for these rows.
  const void* Cut(int i, RowRange rows, CutAttrs* attrs) const {
    const Part& part = parts_[i];
    if (part.def->cut_rows == nullptr) return part.op.attrs;
    const StripPart& shape = chain_.parts()[i];
    const int64_t top = rows.begin * shape.window.stride - shape.window.pad;
    const int64_t end = (rows.end - 1) * shape.window.stride - shape.window.pad + shape.window.size;
    part.def->cut_rows(part.op, std::max<int64_t>(-top, 0),
                       std::max<int64_t>(end - shape.in_rows, 0), attrs->bytes);
    return attrs->bytes;
  }

  void RunPictures(int64_t first, int64_t pictures) {
    const int64_t members = together_ ? 1 : num_slots_;
    StripShares shares(members, pictures * chain_.strips());
    if (together_) return RunSlot(0, first, shares);
    ParallelRanges(parallel_, members, 1, [&](int64_t begin, int64_t end) {
      for (int64_t slot = begin; slot < end; ++slot) RunSlot(slot, first, shares);
    });
  }

  void RunSlot(int64_t number, int64_t first_picture, StripShares& shares) {
    Slot& slot = slots_[number];
    shares.Join(number);
    StripWalk walk(chain_);
    uint32_t index, expected = UINT32_MAX;
    while (slot.status.ok() && shares.Next(number, &index)) {
      const int64_t strip = index % chain_.strips();
      if (index != expected || strip == 0) walk.Start(strip);
      expected = index + 1;
      walk.Next();
      slot.status = RunStrip(slot, walk, first_picture + index / chain_.strips());
    }
  }

  Status RunStrip(Slot& slot, const StripWalk& walk, int64_t picture) const {
    for (int i = 0; i < static_cast<int>(chain_.parts().size()); ++i) {
      if (walk.Made(i).size() <= 0) continue;
      const int64_t before = profile_ ? NowNs() : 0;
      MoveRows(slot, walk, i);
      LINNET_RETURN_IF_ERROR(RunPart(slot, walk.Made(i), i, picture));
      if (profile_) slot.ns[i] += NowNs() - before;
    }
    return {};
  }

  // Makes room: the rows that are still read go to the beginning of their memory.
  void MoveRows(Slot& slot, const StripWalk& walk, int i) const {
    const int64_t kept = walk.Kept(i);
    const int64_t bytes = (walk.Made(i).begin - kept) * chain_.parts()[i].row_bytes;
    if (bytes > 0 && kept != slot.first_rows[i])
      std::memmove(RowsAt(slot, i), Row(slot, i, kept), bytes);
    slot.first_rows[i] = kept;
  }

  std::byte* RowsAt(const Slot& slot, int i) const {
    return slot.rows + chain_.parts()[i].memory_offset;
  }
  std::byte* Row(const Slot& slot, int i, int64_t row) const {
    return RowsAt(slot, i) + (row - slot.first_rows[i]) * chain_.parts()[i].row_bytes;
  }

  TensorView View(const Slot& slot, const Operand& operand, int32_t made_by, int64_t picture,
                  RowRange rows) const {
    std::byte* data = operand.data;
    if (made_by >= 0)
      data = Row(slot, made_by, rows.begin);
    else if (operand.use == RowUse::kRows)
      data += picture * operand.picture_bytes + rows.begin * operand.row_bytes;
    else if (operand.use == RowUse::kPicture)
      data += picture * operand.picture_bytes;
    return {RowsOf(operand.type, operand.use, rows.size()), data};
  }

  Status RunPart(Slot& slot, RowRange rows, int i, int64_t picture) const {
    const Part& part = parts_[i];
    const RowRange under = RowsUnder(chain_.parts()[i], rows);
    const int32_t num_inputs = part.num_operands - 1;
    for (int32_t k = 0; k < num_inputs; ++k) {
      const Operand& operand = part.operands[k];
      slot.views[k] = View(slot, operand, operand.part, picture, k == 0 ? under : rows);
    }
    const bool is_last = i + 1 == static_cast<int>(chain_.parts().size());
    slot.views[num_inputs] = View(slot, part.operands[num_inputs], is_last ? -1 : i, picture, rows);
    CutAttrs attrs;
    return RunKernel(*part.kernel, {.attrs = Cut(i, rows, &attrs),
                                    .inputs = {slot.views, static_cast<size_t>(num_inputs)},
                                    .outputs = {slot.views + num_inputs, 1},
                                    .prepared = part.prepared,
                                    .is_encoded = FilterForm(part.op) == PanelForm::kEncoded,
                                    .scratch = slot.scratch,
                                    .packs = packs_,
                                    .parallel = together_ ? parallel_ : alone_});
  }

  const StripChain& chain_;
  const PacksWeights packs_;
  const Parallel parallel_;
  Parallel alone_;  // on the calling thread, for kernels
  Part* parts_ = nullptr;
  int64_t most_operands_ = 0;
  Slot* slots_ = nullptr;
  int64_t num_slots_ = 0;
  int64_t scratch_bytes_ = 0;   // of one slot
  int64_t together_bytes_ = 0;  // of all threads, where they work on one strip
  bool too_few_rows_ = false;   // for all threads
  // One strip runs after the other, each part of it by all threads: where some would have too few
  // rows, and where the output lies in the place of an input of which other strips read the rows.
  bool together_ = false;
  bool profile_ = false;
};

}  // namespace

Status CreateStrips(const StripsContext& strips, PacksWeights packs, const Parallel& parallel,
                    Region& region, RunnableStep** out, int64_t* workspace_bytes) {
  void* memory = region.Allocate(sizeof(Strips));
  if (memory == nullptr) return kNoMemory;
  auto* runnable = new (memory) Strips(strips.chain, packs, parallel);
  LINNET_RETURN_IF_ERROR(runnable->Create(strips, region));
  *workspace_bytes = runnable->workspace_bytes();
  *out = runnable;
  return {};
}

}  // namespace linnet::portable
