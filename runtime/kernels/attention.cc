// SPDX-License-Identifier: Apache-2.0
#include "runtime/kernels/attention.h"

#include <algorithm>
#include <limits>

#include "runtime/kernels/gemm.h"
#include "runtime/kernels/gemm_split.h"
#include "runtime/kernels/independent_loops.h"
#include "runtime/kernels/normalize.h"

namespace linnet::kernels {
namespace {

// The scratch of a thread: k and v of one group in panels, and scores of a block of rows.
struct Layout {
  Layout(const AttentionShape& s, PacksWeights packs);
  int64_t key_floats = 0, value_floats = 0, slot_bytes;
};

Layout::Layout(const AttentionShape& s, PacksWeights packs) {
  int64_t floats = GemmBlockFloatsBound(s.cols);
  if (packs) {
    constexpr int64_t kLine = 64 / sizeof(float);
    key_floats = AlignUp(PackedFloats(s.depth, s.cols), kLine);
    value_floats = AlignUp(PackedFloats(s.cols, s.value_depth), kLine);
    floats = SaturatingAdd(floats, SaturatingAdd(key_floats, value_floats));
  }
  slot_bytes = AlignedBytes<float>(floats);
}

// Divides the work into groups x runs of rows, of which a group has those of all its heads. There
// is more than one run of rows only where threads would be idle otherwise, because each may pack
// its group again.
struct Pieces {
  Pieces(const AttentionShape& s, int64_t slots)
      : groups(s.batch * s.groups), rows(s.heads / s.groups * s.rows) {
    constexpr int64_t kLeastRows = 48;
    const int64_t wanted = slots == 1 ? 1 : CeilDiv(4 * slots, groups);
    row_runs = std::clamp<int64_t>(rows / kLeastRows, 1, wanted);
  }
  int64_t count() const { return groups * row_runs; }
  int64_t RowBegin(int64_t run) const { return rows * run / row_runs; }
  int64_t groups, rows, row_runs;
};

class AttentionRun {
 public:
  AttentionRun(const AttentionShape& s, const float* q, const float* k, const float* v,
               std::span<const AttentionMask> masks, PacksWeights packs, float* out,
               const Parallel& parallel)
      : s_(s),
        q_(q),
        k_(k),
        v_(v),
        masks_(masks),
        packs_(packs),
        out_(out),
        layout_(s, packs),
        parallel_(parallel) {
    alone_.stop = parallel.stop;
    alone_.stop_context = parallel.stop_context;
  }

  int64_t slot_bytes() const { return layout_.slot_bytes; }

  // `keys` is the slot's scratch, and `packed` the group that lies there, or -1.
  void RunPiece(const Pieces& pieces, int64_t piece, float* keys, int64_t* packed) const {
    const int64_t group = piece / pieces.row_runs, run = piece % pieces.row_runs;
    float* values = keys + layout_.key_floats;
    float* scores = values + layout_.value_floats;
    if (packs_ && *packed != group) {
      if (!Pack(group, keys, values)) return;
      *packed = group;
    }
    const int64_t last = pieces.RowBegin(run + 1), step = GemmBlockRows(s_.cols);
    for (int64_t row = pieces.RowBegin(run); row < last; row += step) {
      if (parallel_.Stopped()) return;
      const int64_t rows = std::min(step, last - row);
      if (s_.cols > 0) {
        MakeScores(group, keys, row, rows, scores);
        if (parallel_.Stopped()) return;
        Softmax(scores, rows, s_.cols, scores, alone_);
        if (parallel_.Stopped()) return;
      }
      MixValues(group, values, scores, row, rows);
    }
  }

 private:
  // A matrix of `depth` columns for each group, of which the next row is behind those of all
  // groups.
  MatrixView OfGroup(const float* data, int64_t group, int64_t depth) const {
    const int64_t batch = group / s_.groups, of_batch = group % s_.groups;
    const int64_t pitch = s_.groups * depth;
    return {data + batch * s_.cols * pitch + of_batch * depth, pitch, 1};
  }
  MatrixView KeysOf(int64_t group) const {
    const MatrixView k = OfGroup(k_, group, s_.depth);
    return {k.data, 1, k.depth_stride};
  }
  MatrixView ValuesOf(int64_t group) const { return OfGroup(v_, group, s_.value_depth); }

  // False when the run shall stop. Does not ask at once, as ForEachPiece has just asked.
  bool Pack(int64_t group, float* keys, float* values) const {
    const int64_t depth = std::max<int64_t>({s_.depth, s_.value_depth, 1});
    const int64_t part = AlignUp(CeilDiv(kWorkPerQuestion, depth), kPanelCols);
    const MatrixView k = KeysOf(group), v = ValuesOf(group);
    for (int64_t col = 0; col < s_.cols; col += part) {
      if (col > 0 && parallel_.Stopped()) return false;
      const int64_t cols = std::min(part, s_.cols - col);
      PackPanels({k.data + col * k.col_stride, 1, k.col_stride}, s_.depth, cols, s_.depth, 0,
                 keys + col * s_.depth);
      PackPanels({v.data + col * v.depth_stride, v.depth_stride, 1}, cols, s_.value_depth, s_.cols,
                 col, values);
    }
    return true;
  }

  // Rows of a group that belong to one head.
  struct HeadRows {
    int64_t batch, head, row;  // the first row
    int64_t at, count;         // the first of these rows in the block, and their number
  };
  // Calls f with the HeadRows of rows first .. first + count - 1 of a group.
  template <typename F>
  void ForEachHead(int64_t group, int64_t first, int64_t count, const F& f) const {
    const int64_t heads = s_.heads / s_.groups;  // of a group
    for (int64_t at = 0; at < count;) {
      HeadRows rows = {.batch = group / s_.groups,
                       .head = group % s_.groups * heads + (first + at) / s_.rows,
                       .row = (first + at) % s_.rows,
                       .at = at};
      rows.count = std::min(s_.rows - rows.row, count - at);
      f(rows);
      at += rows.count;
    }
  }
  // Points to rows of `depth` elements in [batch, rows, heads, depth].
  template <typename T>
  void PointToHeads(T* data, int64_t depth, int64_t group, int64_t first, int64_t count,
                    T** pointers) const {
    ForEachHead(group, first, count, [&](const HeadRows& r) {
      PointToRows(data + ((r.batch * s_.rows + r.row) * s_.heads + r.head) * depth,
                  s_.heads * depth, r.count, pointers + r.at);
    });
  }

  // The product of `block`'s rows by `panels` or `plain`.
  void Multiply(GemmBlock* block, int64_t cols, int64_t depth, const float* panels,
                const MatrixView& plain) const {
    block->cols = cols;
    block->depth = depth;
    if (packs_)
      block->panels = panels;
    else
      block->plain = plain;
    block->min = -std::numeric_limits<float>::infinity();
    block->max = std::numeric_limits<float>::infinity();
    Gemm(*block, parallel_);
  }

  void MakeScores(int64_t group, const float* keys, int64_t first, int64_t rows,
                  float* scores) const {
    const float* q_rows[kMaxGemmBlockRows];
    float* score_rows[kMaxGemmBlockRows];
    PointToHeads(q_, s_.depth, group, first, rows, q_rows);
    PointToRows(scores, s_.cols, rows, score_rows);
    GemmBlock block;
    block.rows = rows;
    block.a = q_rows;
    block.out = score_rows;
    Multiply(&block, s_.cols, s_.depth, keys, KeysOf(group));
    ForEachHead(group, first, rows, [&](const HeadRows& r) {
      for (int64_t i = 0; i < r.count; ++i)
        Adjust(r.batch, r.head, r.row + i, scores + (r.at + i) * s_.cols);
    });
  }

  void MixValues(int64_t group, const float* values, const float* scores, int64_t first,
                 int64_t rows) const {
    const float* score_rows[kMaxGemmBlockRows];
    float* out_rows[kMaxGemmBlockRows];
    PointToRows(scores, s_.cols, rows, score_rows);
    PointToHeads(out_, s_.value_depth, group, first, rows, out_rows);
    GemmBlock block;
    block.rows = rows;
    block.a = score_rows;
    block.out = out_rows;
    Multiply(&block, s_.value_depth, s_.cols, values, ValuesOf(group));
  }

  // Scale and masks for one row of scores.
  void Adjust(int64_t batch, int64_t head, int64_t row, float* scores) const {
    InParts(parallel_, 0, s_.cols, kWorkPerQuestion, [&](int64_t begin, int64_t end) {
      const float scale = s_.scale;
      if (scale != 1.0f) {
        LINNET_VECTORIZE
        for (int64_t t = begin; t < end; ++t) scores[t] *= scale;
      }
      for (const AttentionMask& mask : masks_)
        Apply(mask, batch * mask.stride[0] + head * mask.stride[1] + row * mask.stride[2], begin,
              end, scores);
    });
  }

  // `from`: where the row of the mask begins.
  static void Apply(const AttentionMask& mask, int64_t from, int64_t begin, int64_t end,
                    float* scores) {
    if (mask.kept != nullptr) {
      const uint8_t* kept = mask.kept + from;
      const float hidden = mask.hidden;
      LINNET_VECTORIZE
      for (int64_t t = begin; t < end; ++t) scores[t] = kept[t] != 0 ? scores[t] : hidden;
    } else {
      const float* added = mask.added + from;
      LINNET_VECTORIZE
      for (int64_t t = begin; t < end; ++t) scores[t] += added[t];
    }
  }

  const AttentionShape& s_;
  const float *const q_, *const k_, *const v_;
  const std::span<const AttentionMask> masks_;
  const PacksWeights packs_;
  float* const out_;
  const Layout layout_;
  const Parallel& parallel_;
  Parallel alone_;  // one thread
};

}  // namespace

int64_t AttentionScratchBytes(const AttentionShape& s, PacksWeights packs, int threads) {
  return SaturatingMul(threads, Layout(s, packs).slot_bytes);
}

void Attention(const AttentionShape& s, const float* q, const float* k, const float* v,
               std::span<const AttentionMask> masks, PacksWeights packs, float* out, void* scratch,
               const Parallel& parallel) {
  const int64_t heads = s.batch * s.heads;
  if (heads * s.rows * s.value_depth == 0) return;
  const int64_t macs = SaturatingMul(heads * s.rows * (s.depth + s.value_depth), s.cols);
  const int64_t slots = GemmSlots(parallel, macs);
  const Pieces pieces(s, slots);
  const AttentionRun run(s, q, k, v, masks, packs, out, parallel);
  int64_t packed[kMaxGemmSlots];
  std::fill_n(packed, slots, -1);
  ForEachPiece(parallel, slots, pieces.count(), [&](int64_t slot, int64_t piece) {
    char* memory = static_cast<char*>(scratch) + slot * run.slot_bytes();
    run.RunPiece(pieces, piece, reinterpret_cast<float*>(memory), &packed[slot]);
  });
}

}  // namespace linnet::kernels
