// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "runtime/ops/op_def.h"

namespace linnet::xnnpack {

// What an XNNPACK package has beyond what all packages have.
struct XnnpackFeatures {
  const char* library = "none";  // with its package's date: "XNNPACK 2022-02"
  bool available = false;        // this build links XNNPACK
  bool weights_cache = false;    // packed weights can be kept outside operators
  bool more_unary = false;       // Exp, Tanh, GeluErf
  bool binary_prelu = false;     // Prelu with any slope; without: a constant [C]
  bool any_reduce = false;       // Sum, and Mean over the last dimension
  bool batch_matmul = false;
  bool transpose = false;
  bool space_to_depth = false;
  // Depends on the CPU and the compiler: matrix products, convolutions and exponentials are slower
  // than ours (README.md).
  bool slow_loops = false;
};

inline constexpr XnnpackFeatures kXnnpack2022 = {.library = "XNNPACK 2022-02", .available = true};
inline constexpr XnnpackFeatures kXnnpack2024 = {.library = "XNNPACK 2024-11",
                                                 .available = true,
                                                 .weights_cache = true,
                                                 .more_unary = true,
                                                 .binary_prelu = true,
                                                 .any_reduce = true,
                                                 .batch_matmul = true,
                                                 .transpose = true,
                                                 .space_to_depth = true};

// The features of the package with which this build was made (FindXNNPACK.cmake), for the
// converter. The device may have another package and another CPU, so the answer is only a forecast,
// but it is the same on every workstation.
XnnpackFeatures PackageFeatures();
// The same with what is known about this CPU without calling XNNPACK. Which of XNNPACK's kernels
// are wrong at the edges of their domain is known only when they have run (edge_probe.h).
XnnpackFeatures DeviceFeatures();

// nullptr when XNNPACK should run `op`, else a short reason for reports: WhyUnable or WhySlower.
// Depends on the arguments only; does not need XNNPACK to be linked.
const char* WhyUnsupported(const OpInstance& op, const XnnpackFeatures& features);
// nullptr when XNNPACK can run `op`.
[[gnu::noinline]] const char* WhyUnable(const OpInstance& op, const XnnpackFeatures& features);
// nullptr unless our portable kernel is clearly faster, as measured with xnnpack_ops_benchmark.
// REQUIRES: XNNPACK can run `op`.
const char* WhySlower(const OpInstance& op, const XnnpackFeatures& features);
// nullptr unless the plan has a filter of `op` in panels, of which XNNPACK would need a copy in
// rows and a packed one: a part of WhySlower that no measurement of times can overrule.
const char* WhyCopied(const OpInstance& op);

// True when XNNPACK reads constant input `i` of `op` only while packing. REQUIRES: XNNPACK can run
// `op`.
bool PacksInput(const OpInstance& op, int i, const XnnpackFeatures& features);

}  // namespace linnet::xnnpack
