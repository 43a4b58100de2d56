// SPDX-License-Identifier: Apache-2.0
#include "runtime/kernels/pad.h"

#include <cstring>
#include <utility>

#include "runtime/kernels/copy_bytes.h"
#include "runtime/kernels/strided_copy.h"

namespace linnet::kernels {
namespace {

// The two borders of one row of `size` slabs, each slab being contiguous.
struct Row {
  int64_t before, size, after;
  int64_t slab_bytes;
};

// Of all rows, of which the first begins at `first`.
void FillBorders(const CopyBox& rows, char* first, const Row& r, int64_t element_bytes,
                 const void* value, const Parallel& parallel) {
  const int64_t end = r.before + r.size;
  for (const auto& [slab, slabs] : {std::pair(int64_t{0}, r.before), std::pair(end, r.after)}) {
    CopyBox box = rows;
    box.Append(slabs * r.slab_bytes / element_bytes, 0, element_bytes);
    StridedCopy(box, element_bytes, value, first + slab * r.slab_bytes, parallel);
  }
}

void MirrorBorders(char* row, const Row& r, bool repeat_edge) {
  const int64_t edge = repeat_edge ? 1 : 0;
  const auto bytes = static_cast<size_t>(r.slab_bytes);
  for (int64_t i = 0; i < r.before; ++i)
    std::memcpy(row + i * r.slab_bytes, row + (2 * r.before - edge - i) * r.slab_bytes, bytes);
  const int64_t end = r.before + r.size;
  for (int64_t i = 0; i < r.after; ++i)
    std::memcpy(row + (end + i) * r.slab_bytes, row + (end - 2 + edge - i) * r.slab_bytes, bytes);
}

}  // namespace

void Pad(const void* in, const Shape& in_shape, void* out, const Shape& before, const Shape& after,
         int64_t element_bytes, PadBorder border, const void* value, const Parallel& parallel) {
  const int rank = in_shape.rank();
  Shape out_shape = in_shape;
  for (int i = 0; i < rank; ++i) out_shape[i] += before[i] + after[i];
  if (out_shape.num_elements() == 0) return;
  const Shape src = DenseStrides(in_shape, element_bytes);
  const Shape dst = DenseStrides(out_shape, element_bytes);
  CopyBox box;
  auto* base = static_cast<char*>(out);
  int64_t interior = 0;
  for (int i = 0; i < rank; ++i) {
    box.Append(in_shape[i], src[i], dst[i]);
    interior += before[i] * dst[i];
  }
  StridedCopy(box, element_bytes, in, base + interior, parallel);
  // Innermost dimension first, so that the slabs that a mirrored border copies are complete.
  for (int axis = rank - 1; axis >= 0; --axis) {
    if (before[axis] == 0 && after[axis] == 0) continue;
    const Row row = {before[axis], in_shape[axis], after[axis], dst[axis]};
    if (border == PadBorder::kConstant) {
      CopyBox rows;
      int64_t first = 0;
      for (int i = 0; i < axis; ++i) {
        rows.Append(in_shape[i], 0, dst[i]);
        first += before[i] * dst[i];
      }
      FillBorders(rows, base + first, row, element_bytes, value, parallel);
      continue;
    }
    const int64_t border_bytes = (row.before + row.after) * row.slab_bytes;
    ParallelFor(parallel, in_shape.Product(0, axis), CeilDiv(kBytesPerThread, border_bytes),
                [&](int64_t begin, int64_t end) {
                  for (; begin < end; ++begin) {
                    int64_t offset = 0, rest = begin;
                    for (int i = axis - 1; i >= 0; --i) {
                      offset += (rest % in_shape[i] + before[i]) * dst[i];
                      rest /= in_shape[i];
                    }
                    MirrorBorders(base + offset, row, border == PadBorder::kSymmetric);
                  }
                });
  }
}

}  // namespace linnet::kernels
