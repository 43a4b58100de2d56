// SPDX-License-Identifier: Apache-2.0
#include "runtime/kernels/broadcast.h"

#include <cstring>

#include "runtime/core/stack.h"

namespace linnet::kernels {
namespace {

// Elements of a repeated input that are copied out at a time.
constexpr int64_t kBlock = kStackElements;
constexpr int64_t kGrain = 1 << 11;  // elements worth a thread
constexpr int64_t kMaxElementBytes = 8;

// The output as `rank` merged dimensions; strides count elements, 0 = repeated.
struct Loops {
  int inputs = 0;
  int rank = 0;
  int64_t dims[kMaxRank] = {};
  int64_t strides[kMaxBroadcastInputs][kMaxRank] = {};
  int64_t elements = 1;

  int64_t row() const { return dims[rank - 1]; }
  bool Repeats(int input) const { return strides[input][rank - 1] == 0; }
};

// Row-major strides of `shape`, extended to the axes of an output of rank `rank`.
void FillStrides(const Shape& shape, int rank, int64_t* strides) {
  int64_t stride = 1;
  for (int axis = rank - 1, i = shape.rank() - 1; axis >= 0; --axis, --i) {
    const int64_t dim = i < 0 ? 1 : shape[i];
    strides[axis] = dim == 1 ? 0 : stride;
    stride *= dim;
  }
}

Loops MergeDimensions(std::span<const BroadcastInput> inputs, const Shape& out) {
  Loops loops;
  loops.inputs = static_cast<int>(inputs.size());
  int64_t strides[kMaxBroadcastInputs][kMaxRank];
  for (int k = 0; k < loops.inputs; ++k) FillStrides(inputs[k].shape, out.rank(), strides[k]);
  for (int axis = 0; axis < out.rank(); ++axis) {
    const int64_t dim = out[axis];
    loops.elements *= dim;
    if (dim == 1) continue;
    bool merges = loops.rank > 0;
    for (int k = 0; k < loops.inputs && merges; ++k)
      merges = loops.strides[k][loops.rank - 1] == strides[k][axis] * dim;
    if (!merges) loops.dims[loops.rank++] = 1;
    loops.dims[loops.rank - 1] *= dim;
    for (int k = 0; k < loops.inputs; ++k) loops.strides[k][loops.rank - 1] = strides[k][axis];
  }
  if (loops.rank == 0) loops.dims[loops.rank++] = 1;  // one element: strides stay 0
  return loops;
}

template <typename T>
void ExpandAs(const void* from, int64_t rows, int64_t cols, int64_t row_stride, int64_t col_stride,
              void* to) {
  const T* in = static_cast<const T*>(from);
  T* out = static_cast<T*>(to);
  for (int64_t r = 0; r < rows; ++r, in += row_stride, out += cols) {
    if (col_stride == 0)
      std::fill_n(out, cols, *in);
    else
      std::memcpy(out, in, cols * sizeof(T));
  }
}

// Elements bigger than one byte are copied as integers of their size.
void Expand(int64_t bytes, const void* from, int64_t rows, int64_t cols, int64_t row_stride,
            int64_t col_stride, void* to) {
  const auto expand = bytes == 1   ? ExpandAs<uint8_t>
                      : bytes == 2 ? ExpandAs<uint16_t>
                      : bytes == 4 ? ExpandAs<uint32_t>
                                   : ExpandAs<uint64_t>;
  expand(from, rows, cols, row_stride, col_stride, to);
}

// Walks through the rows of the output and tracks the offset of each input.
class Walk {
 public:
  Walk(const Loops& loops, int64_t row) : loops_(loops) {
    for (int axis = loops.rank - 2; axis >= 0; --axis) {
      index_[axis] = row % loops.dims[axis];
      row /= loops.dims[axis];
      for (int k = 0; k < loops.inputs; ++k) offset_[k] += index_[axis] * loops.strides[k][axis];
    }
  }

  int64_t offset(int input) const { return offset_[input]; }

  // Rows until the innermost index but one wraps.
  int64_t RowsAhead() const {
    return loops_.rank < 2 ? 1 : loops_.dims[loops_.rank - 2] - index_[loops_.rank - 2];
  }

  void Advance(int64_t rows) {  // rows <= RowsAhead()
    int axis = loops_.rank - 2;
    if (axis < 0) return;
    Move(axis, rows);
    for (; axis > 0 && index_[axis] == loops_.dims[axis]; --axis) {
      Move(axis, -loops_.dims[axis]);
      Move(axis - 1, 1);
    }
  }

 private:
  void Move(int axis, int64_t by) {
    index_[axis] += by;
    for (int k = 0; k < loops_.inputs; ++k) offset_[k] += by * loops_.strides[k][axis];
  }

  const Loops& loops_;
  int64_t index_[kMaxRank] = {};
  int64_t offset_[kMaxBroadcastInputs] = {};
};

// The copied-out elements of a repeated input, reused until the source changes.
class Expanded {
 public:
  const void* Get(const BroadcastInput& input, int64_t offset, int64_t rows, int64_t cols,
                  int64_t row_stride, int64_t col_stride) {
    const auto* from = static_cast<const uint8_t*>(input.data) + offset * input.element_bytes;
    const bool fixed = rows == 1 ? col_stride == 0 : row_stride == 0;
    if (fixed && from == from_ && cols == cols_ && rows <= rows_) return block_;
    Expand(input.element_bytes, from, rows, cols, row_stride, col_stride, block_);
    from_ = fixed ? from : nullptr;
    rows_ = rows;
    cols_ = cols;
    return block_;
  }

 private:
  const void* from_ = nullptr;
  int64_t rows_ = 0, cols_ = 0;
  alignas(64) uint8_t block_[kBlock * kMaxElementBytes];
};

struct Job {
  std::span<const BroadcastInput> inputs;
  uint8_t* out;
  int64_t out_element_bytes;
  void (*row)(const BroadcastRow& row, const void* context);
  const void* context;
};

void RunRange(const Job& job, const Loops& loops, int64_t begin, int64_t end) {
  Expanded expanded[kMaxBroadcastInputs];
  const int64_t row_size = loops.row();
  bool any_repeats = false;
  for (int k = 0; k < loops.inputs; ++k) any_repeats |= loops.Repeats(k);
  Walk walk(loops, begin / row_size);
  int64_t column = begin % row_size;
  while (begin < end) {
    // Either a part of one row, or several short rows at once.
    int64_t rows = 1, cols = std::min(row_size - column, end - begin);
    if (cols == row_size && row_size <= kBlock / 2)
      rows = std::min({kBlock / row_size, walk.RowsAhead(), (end - begin) / row_size});
    else if (any_repeats)
      cols = std::min(cols, kBlock);
    BroadcastRow stretch;
    stretch.count = rows * cols;
    stretch.out = job.out + begin * job.out_element_bytes;
    for (int k = 0; k < loops.inputs; ++k) {
      const BroadcastInput& input = job.inputs[k];
      const int64_t col_stride = loops.strides[k][loops.rank - 1];
      const int64_t row_stride = loops.rank < 2 ? 0 : loops.strides[k][loops.rank - 2];
      const int64_t offset = walk.offset(k) + column * col_stride;
      const bool dense = col_stride == 1 && (rows == 1 || row_stride == row_size);
      stretch.in[k] = dense ? static_cast<const uint8_t*>(input.data) + offset * input.element_bytes
                            : expanded[k].Get(input, offset, rows, cols, row_stride, col_stride);
    }
    job.row(stretch, job.context);
    begin += stretch.count;
    column += rows == 1 ? cols : 0;
    if (rows > 1 || column == row_size) {
      walk.Advance(rows);
      column = 0;
    }
  }
}

}  // namespace

void ForEachBroadcastRow(std::span<const BroadcastInput> inputs, const Shape& out_shape, void* out,
                         int64_t out_element_bytes,
                         void (*row)(const BroadcastRow& row, const void* context),
                         const void* context, const Parallel& parallel) {
  const Loops loops = MergeDimensions(inputs, out_shape);
  const Job job{inputs, static_cast<uint8_t*>(out), out_element_bytes, row, context};
  ParallelFor(parallel, loops.elements, kGrain,
              [&](int64_t begin, int64_t end) { RunRange(job, loops, begin, end); });
}

}  // namespace linnet::kernels
