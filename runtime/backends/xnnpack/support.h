// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "runtime/ops/op_def.h"

namespace linnet::xnnpack {

// What an XNNPACK package offers beyond what all of them do.
struct XnnpackFeatures {
  const char* library = "none";  // with its package's date: "XNNPACK 2022-02"
  bool available = false;        // this build links an XNNPACK at all
  bool weights_cache = false;    // packed weights can be kept outside operators
  bool more_unary = false;       // Exp, Tanh, GeluErf
  bool binary_prelu = false;     // Prelu with any slope; without: a constant [C]
  bool any_reduce = false;       // Sum, and Mean over the last dimension
  bool batch_matmul = false;
  bool transpose = false;
  bool space_to_depth = false;
  // Of the CPU and the compiler: matrix products, convolutions and exponentials slower than ours
  // (README.md).
  bool slow_loops = false;
  // Of the kernels that XNNPACK chose on this CPU: those that a look at the edges of their domain
  // found to be wrong (edge_probe.h). A bit per schema::UnaryKind.
  uint64_t wrong_unary = 0;
  bool wrong_softmax = false;
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

// The package that this build was made with (FindXNNPACK.cmake). What a converter asks: the device
// may have another package and has another CPU, so the answer is a forecast, and the same on every
// workstation.
XnnpackFeatures PackageFeatures();
// The same with what is known of the CPU that asks without asking XNNPACK. A session asks for
// ProbedFeatures (backend.h).
XnnpackFeatures DeviceFeatures();

// nullptr when XNNPACK should run `op`, else a short reason for reports: WhyUnable or WhySlower.
// Pure; needs no XNNPACK to be linked.
const char* WhyUnsupported(const OpInstance& op, const XnnpackFeatures& features);
// nullptr when XNNPACK can run `op`.
const char* WhyUnable(const OpInstance& op, const XnnpackFeatures& features);
// nullptr unless our portable kernel was measured to be clearly faster (xnnpack_ops_benchmark).
// Asks for an `op` that XNNPACK can run.
const char* WhySlower(const OpInstance& op, const XnnpackFeatures& features);

// True when XNNPACK reads constant input `i` of `op`, which it can run, only while packing.
bool PacksInput(const OpInstance& op, int i, const XnnpackFeatures& features);

}  // namespace linnet::xnnpack
