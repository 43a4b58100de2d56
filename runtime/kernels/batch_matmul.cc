// SPDX-License-Identifier: Apache-2.0
#include "runtime/kernels/batch_matmul.h"

#include <algorithm>
#include <limits>

#include "runtime/kernels/gemm.h"
#include "runtime/kernels/gemm_split.h"
#include "runtime/kernels/independent_loops.h"

namespace linnet::kernels {
namespace {

constexpr int64_t kRunPanels = 4;    // panels of b packed at a time
constexpr int64_t kCopiedRows = 24;  // rows of a transposed at a time

// The stored matrices that product number `index` reads.
struct Operands {
  Operands(const BatchMatMulShape& s, int64_t index) {
    for (int i = s.batch.rank() - 1; i >= 0; --i) {
      const int64_t at = index % s.batch[i];
      index /= s.batch[i];
      a += at * s.a_stride[i];
      b += at * s.b_stride[i];
    }
  }
  int64_t a = 0, b = 0;
};

MatrixView ViewOfB(const BatchMatMulShape& s, const float* b, int64_t matrix) {
  const float* data = b + matrix * s.depth * s.cols;
  return s.transpose_b ? MatrixView{data, 1, s.depth} : MatrixView{data, s.cols, 1};
}

struct Layout {
  Layout(const BatchMatMulShape& s, OperandB form)
      : panel_bytes(form == OperandB::kPackedInRun
                        ? AlignedBytes<float>(SaturatingMul(kRunPanels * kPanelCols, s.depth))
                        : 0),
        copy_bytes(s.transpose_a ? AlignedBytes<float>(SaturatingMul(kCopiedRows, s.depth)) : 0) {}
  int64_t slot_bytes() const { return SaturatingAdd(panel_bytes, copy_bytes); }
  int64_t panel_bytes, copy_bytes;
};

// Divides the work into matrices x runs of columns x runs of rows, each about as large. There is
// more than one run of rows only when threads would be idle otherwise, because each packs its
// columns again.
struct Pieces {
  Pieces(const BatchMatMulShape& s, int64_t slots)
      : rows(s.rows), cols(s.cols), col_runs(CeilDiv(NumPanels(s.cols), kRunPanels)) {
    constexpr int64_t kLeastRows = 96;
    const int64_t columns = std::max<int64_t>(s.num_matrices() * col_runs, 1);
    const int64_t wanted = slots == 1 ? 1 : CeilDiv(4 * slots, columns);
    row_runs = std::clamp<int64_t>(rows / kLeastRows, 1, wanted);
    count = s.num_matrices() * col_runs * row_runs;
  }
  int64_t RowBegin(int64_t run) const { return rows * run / row_runs; }
  int64_t ColBegin(int64_t run) const {
    return std::min(NumPanels(cols) * run / col_runs * kPanelCols, cols);
  }
  int64_t rows, cols, col_runs, row_runs, count;
};

// Rows [first, first + block->rows) of a transposed matrix of a, copied so that they are
// contiguous.
void CopyRows(const BatchMatMulShape& s, const float* a, int64_t first, int64_t rows, float* to) {
  for (int64_t k = 0; k < s.depth; ++k)
    for (int64_t i = 0; i < rows; ++i) to[i * s.depth + k] = a[k * s.rows + first + i];
}

struct Product {
  const BatchMatMulShape& s;
  const float* a;
  const float* b;
  OperandB form;
  float* out;
  const Parallel& parallel;

  void RunPiece(const Pieces& pieces, int64_t piece, float* panels, float* copy) const {
    const int64_t index = piece / (pieces.col_runs * pieces.row_runs);
    const int64_t col_run = piece / pieces.row_runs % pieces.col_runs;
    const int64_t col = pieces.ColBegin(col_run);
    const Operands operands(s, index);
    GemmBlock block;
    block.cols = pieces.ColBegin(col_run + 1) - col;
    block.depth = s.depth;
    if (kLinkedPacking && form == OperandB::kPacked) {
      block.panels = b + operands.b * PackedFloats(s.depth, s.cols) + col * s.depth;
    } else {
      block.plain = ViewOfB(s, b, operands.b);
      block.plain.data += col * block.plain.col_stride;
    }
    if (kLinkedPacking && form == OperandB::kPackedInRun) {
      PackPanels(block.plain, s.depth, block.cols, s.depth, 0, panels);
      block.panels = panels;
      block.plain = {nullptr, 0, 0};
    }
    block.min = -std::numeric_limits<float>::infinity();
    block.max = std::numeric_limits<float>::infinity();
    const int64_t row_run = piece % pieces.row_runs;
    RunRows(block, a + operands.a * s.rows * s.depth, out + index * s.rows * s.cols + col,
            pieces.RowBegin(row_run), pieces.RowBegin(row_run + 1), copy);
  }

  void RunRows(GemmBlock block, const float* matrix, float* out_col, int64_t first, int64_t last,
               float* copy) const {
    const float* a_rows[kMaxGemmBlockRows];
    float* out_rows[kMaxGemmBlockRows];
    block.a = a_rows;
    block.out = out_rows;
    const int64_t step = s.transpose_a ? kCopiedRows : GemmBlockRows(s.depth);
    for (int64_t m = first; m < last; m += step) {
      block.rows = std::min(step, last - m);
      if (s.transpose_a) CopyRows(s, matrix, m, block.rows, copy);
      PointToRows(s.transpose_a ? copy : matrix + m * s.depth, s.depth, block.rows, a_rows);
      PointToRows(out_col + m * s.cols, s.cols, block.rows, out_rows);
      if (parallel.Stopped()) return;
      Gemm(block, parallel);
    }
  }
};

void IntegerRow(const BatchMatMulShape& s, const int32_t* a, int64_t a_step, const int32_t* b,
                int32_t* out, Questions& questions) {
  if (s.transpose_b) {
    for (int64_t n = 0; n < s.cols; ++n, b += s.depth) {
      if (questions.Stop(s.depth)) return;
      uint32_t sum = 0;
      for (int64_t k = 0; k < s.depth; ++k)
        sum += static_cast<uint32_t>(a[k * a_step]) * static_cast<uint32_t>(b[k]);
      out[n] = static_cast<int32_t>(sum);
    }
    return;
  }
  std::fill_n(out, s.cols, 0);
  for (int64_t k = 0; k < s.depth; ++k, b += s.cols) {
    if (questions.Stop(s.cols)) return;
    const auto factor = static_cast<uint32_t>(a[k * a_step]);
    LINNET_VECTORIZE
    for (int64_t n = 0; n < s.cols; ++n)
      out[n] = static_cast<int32_t>(static_cast<uint32_t>(out[n]) +
                                    factor * static_cast<uint32_t>(b[n]));
  }
}

}  // namespace

int64_t PackedBatchMatMulFloats(const BatchMatMulShape& s) {
  return SaturatingMul(s.b_matrices, PackedFloats(s.depth, s.cols));
}

void PackBatchMatMul(const BatchMatMulShape& s, const float* b, float* packed) {
  for (int64_t i = 0; i < s.b_matrices; ++i)
    PackPanels(ViewOfB(s, b, i), s.depth, s.cols, s.depth, 0,
               packed + i * PackedFloats(s.depth, s.cols));
}

int64_t BatchMatMulScratchBytes(const BatchMatMulShape& s, OperandB form, int threads) {
  return SaturatingMul(threads, Layout(s, form).slot_bytes());
}

void BatchMatMul(const BatchMatMulShape& s, const float* a, const float* b, OperandB form,
                 float* out, void* scratch, const Parallel& parallel) {
  if (s.num_matrices() * s.rows * s.cols == 0) return;
  const Layout layout(s, form);
  const int64_t slots =
      GemmSlots(parallel, SaturatingMul(s.num_matrices() * s.rows * s.cols, s.depth));
  const Pieces pieces(s, slots);
  const Product product{s, a, b, form, out, parallel};
  ForEachPiece(parallel, slots, pieces.count, [&](int64_t slot, int64_t piece) {
    char* memory = static_cast<char*>(scratch) + slot * layout.slot_bytes();
    product.RunPiece(pieces, piece, reinterpret_cast<float*>(memory),
                     reinterpret_cast<float*>(memory + layout.panel_bytes));
  });
}

void BatchMatMul(const BatchMatMulShape& s, const int32_t* a, const int32_t* b, int32_t* out,
                 const Parallel& parallel) {
  if (s.num_matrices() * s.rows * s.cols == 0) return;
  const int64_t grain = CeilDiv(1 << 14, std::max<int64_t>(s.cols * s.depth, 1));
  ParallelFor(parallel, s.num_matrices() * s.rows, grain, [&](int64_t begin, int64_t end) {
    Questions questions(parallel);
    for (int64_t row = begin; row < end; ++row) {
      const Operands operands(s, row / s.rows);
      const int64_t m = row % s.rows;
      const int32_t* matrix = a + operands.a * s.rows * s.depth;
      IntegerRow(s, s.transpose_a ? matrix + m : matrix + m * s.depth, s.transpose_a ? s.rows : 1,
                 b + operands.b * s.depth * s.cols, out + row * s.cols, questions);
    }
  });
}

}  // namespace linnet::kernels
