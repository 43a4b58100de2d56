// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "runtime/ops/op_def.h"

namespace linnet::xnnpack {

// What an XNNPACK package offers beyond what all of them do.
struct XnnpackFeatures {
  const char* package = "none";  // its date: "2022-02"
  bool available = false;        // this build links an XNNPACK at all
  bool weights_cache = false;    // packed weights can be kept outside operators
  bool more_unary = false;       // Exp, Tanh, GeluErf
  bool binary_prelu = false;     // Prelu with any slope; without: a constant [C]
  bool sum_and_any_mean =
      false;  // reductions over any run of axes; without: means that keep [.., C]
  bool batch_matmul = false;
  bool transpose = false;
  bool space_to_depth = false;
};

inline constexpr XnnpackFeatures kXnnpack2022 = {.package = "2022-02", .available = true};
inline constexpr XnnpackFeatures kXnnpack2024 = {.package = "2024-11",
                                                 .available = true,
                                                 .weights_cache = true,
                                                 .more_unary = true,
                                                 .binary_prelu = true,
                                                 .sum_and_any_mean = true,
                                                 .batch_matmul = true,
                                                 .transpose = true,
                                                 .space_to_depth = true};

// The package that this build was made with (FindXNNPACK.cmake). A converter may run beside another
// package than the device: what it learns here is a forecast, not a decision.
XnnpackFeatures BuildFeatures();

// nullptr when XNNPACK can run `op`, else a short reason for reports and test skips. Pure; needs no
// XNNPACK to be linked.
const char* WhyUnsupported(const OpInstance& op, const XnnpackFeatures& features);
const char* WhyUnsupported(const OpInstance& op);

// True when XNNPACK reads constant input `i` of `op`, which it can run, only while packing.
bool PacksInput(const OpInstance& op, int i, const XnnpackFeatures& features);

}  // namespace linnet::xnnpack
