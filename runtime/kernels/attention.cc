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

// The scratch of a thread: k and v of one head in panels, and scores of a block of rows.
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

// Divides the work into heads x runs of rows. There is more than one run of rows only where threads
// would be idle otherwise, because each may pack its head again.
struct Pieces {
  Pieces(const AttentionShape& s, int64_t slots) : heads(s.batch * s.heads), rows(s.rows) {
    constexpr int64_t kLeastRows = 48;
    const int64_t wanted = slots == 1 ? 1 : CeilDiv(4 * slots, heads);
    row_runs = std::clamp<int64_t>(rows / kLeastRows, 1, wanted);
  }
  int64_t count() const { return heads * row_runs; }
  int64_t RowBegin(int64_t run) const { return rows * run / row_runs; }
  int64_t heads, rows, row_runs;
};

// Where the operands of one head begin, in floats.
struct Head {
  Head(const AttentionShape& s, const AttentionMask& mask, int64_t batch, int64_t head)
      : q((batch * s.rows * s.heads + head) * s.depth),
        k((batch * s.cols * s.heads + head) * s.depth),
        v((batch * s.cols * s.heads + head) * s.value_depth),
        out((batch * s.rows * s.heads + head) * s.value_depth),
        mask(batch * mask.stride[0] + head * mask.stride[1]) {}
  int64_t q, k, v, out, mask;
};

class AttentionRun {
 public:
  AttentionRun(const AttentionShape& s, const float* q, const float* k, const float* v,
               const AttentionMask& mask, PacksWeights packs, float* out, const Parallel& parallel)
      : s_(s),
        q_(q),
        k_(k),
        v_(v),
        mask_(mask),
        packs_(packs),
        out_(out),
        layout_(s, packs),
        parallel_(parallel) {
    alone_.stop = parallel.stop;
    alone_.stop_context = parallel.stop_context;
  }

  int64_t slot_bytes() const { return layout_.slot_bytes; }

  // `keys` is the slot's scratch, and `packed` the head that lies there, or -1.
  void RunPiece(const Pieces& pieces, int64_t piece, float* keys, int64_t* packed) const {
    const int64_t index = piece / pieces.row_runs, run = piece % pieces.row_runs;
    const Head head(s_, mask_, index / s_.heads, index % s_.heads);
    float* values = keys + layout_.key_floats;
    float* scores = values + layout_.value_floats;
    if (packs_ && *packed != index) {
      if (!Pack(head, keys, values)) return;
      *packed = index;
    }
    const int64_t last = pieces.RowBegin(run + 1), step = GemmBlockRows(s_.cols);
    for (int64_t row = pieces.RowBegin(run); row < last; row += step) {
      if (parallel_.Stopped()) return;
      const int64_t rows = std::min(step, last - row);
      if (s_.cols > 0) {
        MakeScores(head, keys, row, rows, scores);
        if (parallel_.Stopped()) return;
        Softmax(scores, rows, s_.cols, scores, alone_);
        if (parallel_.Stopped()) return;
      }
      MixValues(head, values, scores, row, rows);
    }
  }

 private:
  int64_t KeyPitch() const { return s_.heads * s_.depth; }
  int64_t ValuePitch() const { return s_.heads * s_.value_depth; }
  MatrixView KeysOf(const Head& head) const { return {k_ + head.k, 1, KeyPitch()}; }
  MatrixView ValuesOf(const Head& head) const { return {v_ + head.v, ValuePitch(), 1}; }

  // False when the run shall stop. Does not ask at once, as ForEachPiece has just asked.
  bool Pack(const Head& head, float* keys, float* values) const {
    const int64_t depth = std::max<int64_t>({s_.depth, s_.value_depth, 1});
    const int64_t part = AlignUp(CeilDiv(kWorkPerQuestion, depth), kPanelCols);
    const MatrixView k = KeysOf(head), v = ValuesOf(head);
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

  // out [rows, cols] = a [rows, depth] times `panels` or `plain`; rows are a pitch apart.
  void Multiply(int64_t rows, int64_t cols, int64_t depth, const float* a, int64_t a_pitch,
                const float* panels, const MatrixView& plain, float* out, int64_t out_pitch) const {
    const float* a_rows[kMaxGemmBlockRows];
    float* out_rows[kMaxGemmBlockRows];
    PointToRows(a, a_pitch, rows, a_rows);
    PointToRows(out, out_pitch, rows, out_rows);
    GemmBlock block;
    block.rows = rows;
    block.cols = cols;
    block.depth = depth;
    block.a = a_rows;
    block.out = out_rows;
    if (packs_)
      block.panels = panels;
    else
      block.plain = plain;
    block.min = -std::numeric_limits<float>::infinity();
    block.max = std::numeric_limits<float>::infinity();
    Gemm(block, parallel_);
  }

  void MakeScores(const Head& head, const float* keys, int64_t first, int64_t rows,
                  float* scores) const {
    Multiply(rows, s_.cols, s_.depth, q_ + head.q + first * KeyPitch(), KeyPitch(), keys,
             KeysOf(head), scores, s_.cols);
    for (int64_t i = 0; i < rows; ++i)
      Adjust(head.mask + (first + i) * mask_.stride[2], scores + i * s_.cols);
  }

  // Scale, and the mask from an element on, for one row of scores.
  void Adjust(int64_t from, float* row) const {
    InParts(parallel_, 0, s_.cols, kWorkPerQuestion, [&](int64_t begin, int64_t end) {
      const float scale = s_.scale, hidden = mask_.hidden;
      if (scale != 1.0f) {
        LINNET_VECTORIZE
        for (int64_t t = begin; t < end; ++t) row[t] *= scale;
      }
      if (mask_.kept != nullptr) {
        const uint8_t* kept = mask_.kept + from;
        for (int64_t t = begin; t < end; ++t)
          if (kept[t] == 0) row[t] = hidden;
      } else if (mask_.added != nullptr) {
        const float* added = mask_.added + from;
        LINNET_VECTORIZE
        for (int64_t t = begin; t < end; ++t) row[t] += added[t];
      }
    });
  }

  void MixValues(const Head& head, const float* values, const float* scores, int64_t first,
                 int64_t rows) const {
    Multiply(rows, s_.value_depth, s_.cols, scores, s_.cols, values, ValuesOf(head),
             out_ + head.out + first * ValuePitch(), ValuePitch());
  }

  const AttentionShape& s_;
  const float *const q_, *const k_, *const v_;
  const AttentionMask& mask_;
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
               const AttentionMask& mask, PacksWeights packs, float* out, void* scratch,
               const Parallel& parallel) {
  const int64_t heads = s.batch * s.heads;
  if (heads * s.rows * s.value_depth == 0) return;
  const int64_t macs = SaturatingMul(heads * s.rows * (s.depth + s.value_depth), s.cols);
  const int64_t slots = GemmSlots(parallel, macs);
  const Pieces pieces(s, slots);
  const AttentionRun run(s, q, k, v, mask, packs, out, parallel);
  int64_t packed[kMaxGemmSlots];
  std::fill_n(packed, slots, -1);
  ForEachPiece(parallel, slots, pieces.count(), [&](int64_t slot, int64_t piece) {
    char* memory = static_cast<char*>(scratch) + slot * run.slot_bytes();
    run.RunPiece(pieces, piece, reinterpret_cast<float*>(memory), &packed[slot]);
  });
}

}  // namespace linnet::kernels
