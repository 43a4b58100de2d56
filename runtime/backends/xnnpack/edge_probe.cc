// SPDX-License-Identifier: Apache-2.0
#include "runtime/backends/xnnpack/edge_probe.h"

#include <xnnpack.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <iterator>
#include <limits>

#include "runtime/backends/xnnpack/allocator.h"
#include "runtime/backends/xnnpack/lowering.h"
#include "runtime/ops/softmax.h"
#include "runtime/ops/unary.h"

namespace linnet::xnnpack {
namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();
// Arguments at which exponentials leave the range of floats, and far larger ones.
constexpr float kEdges[] = {-kInfinity, -3.4e38f,  -1e30f,
                            -1e10f,     -65536.0f, -1000.0f,
                            -104.0f,    -103.9f,   -89.0f,
                            -88.7f,     -87.4f,    -20.0f,
                            -6.0f,      -3.0f,     -1.0f,
                            -1e-30f,    -0.0f,     0.0f,
                            1e-30f,     1.0f,      3.0f,
                            6.0f,       20.0f,     87.4f,
                            88.7f,      89.0f,     103.9f,
                            1000.0f,    1e10f,     1e30f,
                            3.4e38f,    kInfinity, std::numeric_limits<float>::quiet_NaN()};
// Repeated so that each value is in several lanes of a vector: the number of values is odd, the
// number of lanes even.
constexpr size_t kCount = std::size(kEdges) * 7;
static_assert(std::size(kEdges) % 2 == 1);
constexpr float kSlope = 0.25f;  // LeakyRelu's

struct Buffers {
  alignas(64) float in[kCount + XNN_EXTRA_BYTES / sizeof(float)];
  alignas(64) float out[kCount + XNN_EXTRA_BYTES / sizeof(float)];
};

// The exact value; NaN for kinds that XNNPACK does not have.
double Expected(schema::UnaryKind kind, double x) {
  using schema::UnaryKind;
  switch (kind) {
    case UnaryKind::Abs:
      return std::fabs(x);
    case UnaryKind::Neg:
      return -x;
    case UnaryKind::Square:
      return x * x;
    case UnaryKind::Floor:
      return std::floor(x);
    case UnaryKind::Ceil:
      return std::ceil(x);
    case UnaryKind::Round:
      return std::nearbyint(x);
    case UnaryKind::Sigmoid:
      return 1 / (1 + std::exp(-x));
    case UnaryKind::HardSwish:
      return x * std::fmin(std::fmax(x + 3, 0), 6) / 6;
    case UnaryKind::Elu:
      return x < 0 ? std::expm1(x) : x;
    case UnaryKind::LeakyRelu:
      return x < 0 ? x * kSlope : x;
    case UnaryKind::Exp:
      return std::exp(x);
    case UnaryKind::Tanh:
      return std::tanh(x);
    case UnaryKind::GeluErf:
      return x * std::erfc(-x * std::sqrt(0.5)) / 2;
    default:
      return std::numeric_limits<double>::quiet_NaN();
  }
}

bool IsRight(double x, double want, float got) {
  if (std::isnan(x)) return std::isnan(got);
  if (std::isnan(want)) return true;  // infinity times zero: any result will do
  if (std::fabs(want) > std::numeric_limits<float>::max())
    return std::fabs(got) >= std::numeric_limits<float>::max() && (got > 0) == (want > 0);
  return std::fabs(got - want) <= 1e-4 * std::fmax(1, std::fabs(want));
}

bool RunOnce(const OpInstance& op, Buffers& buffers) {
  Region memory;
  const ScopedRegion scope(&memory);
  const xnn::Params params = FindLowering(op.kind)->describe(op);
  xnn::Operator xnn_op;
  size_t workspace = 0;
  xnn_status status = xnn::Create(params, nullptr, &xnn_op);
  if (status == xnn_status_success) status = xnn::Reshape(params, xnn_op, nullptr, &workspace);
  const xnn::Addresses at = {.input = buffers.in, .output = buffers.out};
  if (status == xnn_status_success) status = xnn::Setup(params, xnn_op, at, nullptr);
  if (status == xnn_status_success) status = xnn::Run(xnn_op, nullptr);
  xnn::Delete(&xnn_op);
  return status == xnn_status_success;
}

bool IsUnaryRight(schema::UnaryKind kind) {
  UnaryAttrs attrs;
  attrs.kind = kind;
  if (kind == schema::UnaryKind::LeakyRelu) attrs.alpha = kSlope;
  const InputInfo inputs[] = {{{DType::kFloat32, {int64_t{kCount}}}, nullptr}};
  const TensorType outputs[] = {inputs[0].type};
  Buffers buffers;
  for (size_t i = 0; i < kCount; ++i) buffers.in[i] = kEdges[i % std::size(kEdges)];
  if (!RunOnce({OpKind::kUnary, &attrs, inputs, outputs}, buffers)) return false;
  for (size_t i = 0; i < kCount; ++i)
    if (!IsRight(buffers.in[i], Expected(kind, buffers.in[i]), buffers.out[i])) return false;
  return true;
}

// Only rows of finite values, because XNNPACK gives any number for others (README.md).
bool IsSoftmaxRight() {
  constexpr int64_t kFinite = std::size(kEdges) - 3;
  constexpr int64_t kRows = kCount / kFinite;
  const SoftmaxAttrs attrs;
  const InputInfo inputs[] = {{{DType::kFloat32, {kRows, kFinite}}, nullptr}};
  const TensorType outputs[] = {inputs[0].type};
  Buffers buffers;
  // Each row lacks the largest value of the one before.
  for (int64_t i = 0; i < kRows * kFinite; ++i)
    buffers.in[i] = kEdges[1 + std::min(i % kFinite, kFinite - 1 - i / kFinite)];
  if (!RunOnce({OpKind::kSoftmax, &attrs, inputs, outputs}, buffers)) return false;
  for (int64_t row = 0; row < kRows; ++row) {
    const float* in = buffers.in + row * kFinite;
    double sum = 0;
    for (int64_t i = 0; i < kFinite; ++i) sum += std::exp(double{in[i]} - in[kFinite - 1]);
    for (int64_t i = 0; i < kFinite; ++i) {
      const double want = std::exp(double{in[i]} - in[kFinite - 1]) / sum;
      if (!IsRight(in[i], want, buffers.out[row * kFinite + i])) return false;
    }
  }
  return true;
}

// What is known about a kernel. Two threads may find it out at once: both find the same.
using Finding = std::atomic<uint8_t>;
enum : uint8_t { kUnknown, kRight, kWrong };
constinit Finding unary_findings[static_cast<size_t>(schema::UnaryKind::MAX) + 1], softmax_finding;

template <typename Probe>
bool IsWrong(Finding& finding, const Probe& is_right) {
  if (finding.load(std::memory_order_relaxed) == kUnknown)
    finding.store(is_right() ? kRight : kWrong, std::memory_order_relaxed);
  return finding.load(std::memory_order_relaxed) == kWrong;
}

}  // namespace

bool IsWrongAtEdges(const OpInstance& op) {
  if (op.kind == OpKind::kSoftmax) return IsWrong(softmax_finding, IsSoftmaxRight);
  if (op.kind != OpKind::kUnary) return false;
  const schema::UnaryKind kind = op.as<UnaryAttrs>().kind;
  return IsWrong(unary_findings[static_cast<size_t>(kind)], [&] { return IsUnaryRight(kind); });
}

}  // namespace linnet::xnnpack
