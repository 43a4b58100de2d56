// SPDX-License-Identifier: Apache-2.0
// Inputs for inner loops (isa.h), and the sets of loops that this machine can run.
#pragma once
#include <cmath>
#include <vector>

#include "runtime/kernels/isa.h"
#include "tests/runtime/kernels/random_floats.h"

namespace linnet::kernels {

struct IsaSet {
  const char* name;
  const IsaKernels* kernels;
};
// Within LINNET_ISA, the smallest first.
inline std::vector<IsaSet> UsableSets() {
  std::vector<IsaSet> sets;
  for (size_t i = 0; i <= ChosenLoops(); ++i)
    sets.push_back({kInstructionSetNames[static_cast<size_t>(kLoopSets[i])], kIsaTables[i]});
#if defined(__aarch64__)
  static const IsaKernels in_order = [] {
    IsaKernels kernels = isa_baseline::kKernels;
    kernels.gemm = isa_baseline::GemmInOrder;
    return kernels;
  }();
  sets.push_back({"for cores that issue in order", &in_order});
#endif
  return sets;
}

struct GemmSizes {
  int64_t rows, cols, taps, depth;
};

// A product whose taps are `taps` matrices apart, as GemmBlock's pointers allow.
class GemmCase {
 public:
  GemmCase(const GemmSizes& sizes, bool panels_per_tap)
      : s_(sizes),
        per_tap_(panels_per_tap),
        a_(Random(s_.taps * s_.rows * s_.depth, 1)),
        b_(Random(s_.taps * s_.depth * s_.cols, 2)),
        bias_(Random(s_.cols, 3)),
        panels_(PackedFloats(s_.taps * s_.depth, s_.cols)) {
    for (int64_t t = 0; t < s_.taps; ++t) {
      float* tap_panels = panels_.data() + (per_tap_ ? t * PackedFloats(s_.depth, s_.cols) : 0);
      PackPanels({b_.data() + t * s_.depth * s_.cols, s_.cols, 1}, s_.depth, s_.cols,
                 per_tap_ ? s_.depth : s_.taps * s_.depth, per_tap_ ? 0 : t * s_.depth, tap_panels);
      tap_panels_.push_back(tap_panels);
      for (int64_t m = 0; m < s_.rows; ++m)
        a_rows_.push_back(a_.data() + (t * s_.rows + m) * s_.depth);
    }
  }

  // Rows of the output are `cols` + 1 apart: the element between them must not change.
  std::vector<float> Run(const IsaKernels& kernels) const {
    std::vector<float> out(s_.rows * (s_.cols + 1), 7.0f);
    std::vector<float*> out_rows;
    for (int64_t m = 0; m < s_.rows; ++m) out_rows.push_back(out.data() + m * (s_.cols + 1));
    GemmBlock block;
    block.rows = s_.rows;
    block.cols = s_.cols;
    block.taps = s_.taps;
    block.depth = s_.depth;
    block.a = a_rows_.data();
    block.panels = per_tap_ ? nullptr : panels_.data();
    block.tap_panels = per_tap_ ? tap_panels_.data() : nullptr;
    block.bias = bias_.data();
    block.out = out_rows.data();
    block.min = -1.5f;
    block.max = 1.25f;
    kernels.gemm(block);
    return out;
  }

  std::vector<float> Expected() const {
    std::vector<float> out(s_.rows * (s_.cols + 1), 7.0f);
    for (int64_t m = 0; m < s_.rows; ++m) {
      for (int64_t n = 0; n < s_.cols; ++n) {
        double sum = bias_[n];
        for (int64_t t = 0; t < s_.taps; ++t)
          for (int64_t k = 0; k < s_.depth; ++k)
            sum +=
                double{a_[(t * s_.rows + m) * s_.depth + k]} * b_[(t * s_.depth + k) * s_.cols + n];
        out[m * (s_.cols + 1) + n] = static_cast<float>(std::fmin(std::fmax(sum, -1.5), 1.25));
      }
    }
    return out;
  }

 private:
  GemmSizes s_;
  bool per_tap_;
  std::vector<float> a_, b_, bias_, panels_;
  std::vector<const float*> a_rows_, tap_panels_;
};

}  // namespace linnet::kernels
