// SPDX-License-Identifier: Apache-2.0
#include "runtime/kernels/strided_copy.h"

#include <algorithm>
#include <cstring>

#include "runtime/core/transpose_tile.h"
#include "runtime/kernels/copy_bytes.h"

namespace linnet::kernels {
namespace {

// Drops loops of one step, merges loops that continue each other on both sides, and moves a
// contiguous innermost loop into `run` (bytes of one element).
CopyBox Collapse(const CopyBox& box, int64_t* run) {
  CopyBox out;
  for (int i = 0; i < box.rank; ++i) {
    if (box.extent[i] == 1) continue;
    const int last = out.rank - 1;
    if (last >= 0 && out.src_stride[last] == box.extent[i] * box.src_stride[i] &&
        out.dst_stride[last] == box.extent[i] * box.dst_stride[i]) {
      out.extent[last] *= box.extent[i];
      out.src_stride[last] = box.src_stride[i];
      out.dst_stride[last] = box.dst_stride[i];
    } else {
      out.Append(box.extent[i], box.src_stride[i], box.dst_stride[i]);
    }
  }
  const int last = out.rank - 1;
  if (last >= 0 && out.src_stride[last] == *run && out.dst_stride[last] == *run) {
    *run *= out.extent[last];
    --out.rank;
  }
  return out;
}

// A position in a box, which advances in the order of the loops.
class Cursor {
 public:
  // Starts at element number `index`.
  Cursor(const CopyBox& box, int64_t index) : box_(box) {
    for (int i = box.rank - 1; i >= 0; --i) {
      at_[i] = index % box.extent[i];
      index /= box.extent[i];
      src_ += at_[i] * box.src_stride[i];
      dst_ += at_[i] * box.dst_stride[i];
    }
  }
  int64_t src() const { return src_; }
  int64_t dst() const { return dst_; }
  int64_t LeftInRow() const {
    return box_.rank == 0 ? 1 : box_.extent[box_.rank - 1] - at_[box_.rank - 1];
  }
  // n <= LeftInRow()
  void Advance(int64_t n) {
    for (int i = box_.rank - 1; i >= 0; --i) {
      at_[i] += n;
      src_ += n * box_.src_stride[i];
      dst_ += n * box_.dst_stride[i];
      if (at_[i] < box_.extent[i]) return;
      at_[i] = 0;
      src_ -= box_.extent[i] * box_.src_stride[i];
      dst_ -= box_.extent[i] * box_.dst_stride[i];
      n = 1;
    }
  }

 private:
  const CopyBox& box_;
  int64_t at_[CopyBox::kCapacity] = {};
  int64_t src_ = 0, dst_ = 0;
};

using RowCopy = void (*)(const char* src, int64_t src_stride, char* dst, int64_t dst_stride,
                         int64_t n, int64_t run);

template <int kRun>
void CopyRow(const char* src, int64_t src_stride, char* dst, int64_t dst_stride, int64_t n,
             int64_t) {
  if (dst_stride == kRun && src_stride == 0) {
    char value[kRun];
    std::memcpy(value, src, kRun);
    for (int64_t i = 0; i < n; ++i) std::memcpy(dst + i * kRun, value, kRun);
  } else if (dst_stride == kRun) {
    for (int64_t i = 0; i < n; ++i) std::memcpy(dst + i * kRun, src + i * src_stride, kRun);
  } else {
    for (int64_t i = 0; i < n; ++i) std::memcpy(dst + i * dst_stride, src + i * src_stride, kRun);
  }
}

// Runs of some blocks of bytes, too short for a call of memcpy.
constexpr int64_t kBlock = 32;
void CopyRowOfBlocks(const char* src, int64_t src_stride, char* dst, int64_t dst_stride, int64_t n,
                     int64_t run) {
  for (int64_t i = 0; i < n; ++i)
    for (int64_t at = 0; at < run; at += kBlock)
      std::memcpy(dst + i * dst_stride + at, src + i * src_stride + at, kBlock);
}

void CopyLongRow(const char* src, int64_t src_stride, char* dst, int64_t dst_stride, int64_t n,
                 int64_t run) {
  for (int64_t i = 0; i < n; ++i)
    std::memcpy(dst + i * dst_stride, src + i * src_stride, static_cast<size_t>(run));
}

RowCopy ChooseRowCopy(int64_t run) {
  switch (run) {
    case 1:
      return CopyRow<1>;
    case 2:
      return CopyRow<2>;
    case 4:
      return CopyRow<4>;
    case 8:
      return CopyRow<8>;
    case 12:
      return CopyRow<12>;
    case 16:
      return CopyRow<16>;
    case 32:
      return CopyRow<32>;
    default:
      return run % kBlock == 0 && run <= 8 * kBlock ? CopyRowOfBlocks : CopyLongRow;
  }
}

void CopyRuns(const CopyBox& box, int64_t run, const char* src, char* dst,
              const Parallel& parallel) {
  if (box.rank == 0) {
    CopyBytes(src, dst, run, parallel);
    return;
  }
  int64_t count = 1;
  for (int i = 0; i < box.rank; ++i) count *= box.extent[i];
  const RowCopy copy = ChooseRowCopy(run);
  const int last = box.rank - 1;
  ParallelFor(parallel, count, CeilDiv(kBytesPerThread, run), [&](int64_t begin, int64_t end) {
    Cursor cursor(box, begin);
    while (begin < end) {
      const int64_t n = std::min(end - begin, cursor.LeftInRow());
      copy(src + cursor.src(), box.src_stride[last], dst + cursor.dst(), box.dst_stride[last], n,
           run);
      cursor.Advance(n);
      begin += n;
    }
  });
}

// The loop that is contiguous in the source while the innermost one is contiguous in the
// destination; -1 when tiles do not apply.
int TileLoop(const CopyBox& box, int64_t element_bytes) {
  const int last = box.rank - 1;
  if (last < 1 || box.dst_stride[last] != element_bytes || box.src_stride[last] <= 0) return -1;
  for (int i = last - 1; i >= 0; --i) {
    if (box.src_stride[i] == element_bytes) return i;
  }
  return -1;
}

template <typename T>
void CopyTiles(const CopyBox& box, int loop, const char* src, char* dst, const Parallel& parallel) {
  constexpr int64_t kBlock = 64 / static_cast<int64_t>(sizeof(T));  // rows: one cache line of src
  const int last = box.rank - 1;
  CopyBox outer;
  for (int i = 0; i < last; ++i) {
    if (i != loop) outer.Append(box.extent[i], box.src_stride[i], box.dst_stride[i]);
  }
  const int64_t rows = box.extent[loop], cols = box.extent[last];
  outer.Append(CeilDiv(rows, kBlock), kBlock * box.src_stride[loop], kBlock * box.dst_stride[loop]);
  int64_t count = 1;
  for (int i = 0; i < outer.rank; ++i) count *= outer.extent[i];
  const int64_t grain = CeilDiv(kBytesPerThread, kBlock * cols * static_cast<int64_t>(sizeof(T)));
  ParallelFor(parallel, count, grain, [&](int64_t begin, int64_t end) {
    Cursor cursor(outer, begin);
    for (; begin < end; ++begin, cursor.Advance(1)) {
      const int64_t first_row = begin % outer.extent[outer.rank - 1] * kBlock;
      TransposeBlock<T>(src + cursor.src(), box.src_stride[last], dst + cursor.dst(),
                        box.dst_stride[loop], std::min(kBlock, rows - first_row), cols);
    }
  });
}

}  // namespace

Shape DenseStrides(const Shape& shape, int64_t element_bytes) {
  Shape strides = shape;
  for (int i = shape.rank() - 1; i >= 0; --i) {
    strides[i] = element_bytes;
    element_bytes *= std::max<int64_t>(shape[i], 1);
  }
  return strides;
}

void StridedCopy(const CopyBox& box, int64_t element_bytes, const void* src, void* dst,
                 const Parallel& parallel) {
  for (int i = 0; i < box.rank; ++i) {
    if (box.extent[i] == 0) return;
  }
  int64_t run = element_bytes;
  const CopyBox loops = Collapse(box, &run);
  if (src == dst && std::equal(loops.src_stride, loops.src_stride + loops.rank, loops.dst_stride))
    return;
  const auto* from = static_cast<const char*>(src);
  auto* to = static_cast<char*>(dst);
  const int tile_loop = run == element_bytes ? TileLoop(loops, run) : -1;
  if (tile_loop >= 0 && run == 4) return CopyTiles<uint32_t>(loops, tile_loop, from, to, parallel);
  if (tile_loop >= 0 && run == 1) return CopyTiles<uint8_t>(loops, tile_loop, from, to, parallel);
  if (tile_loop >= 0 && run == 2) return CopyTiles<uint16_t>(loops, tile_loop, from, to, parallel);
  if (tile_loop >= 0 && run == 8) return CopyTiles<uint64_t>(loops, tile_loop, from, to, parallel);
  CopyRuns(loops, run, from, to, parallel);
}

}  // namespace linnet::kernels
