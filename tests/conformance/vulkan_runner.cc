// SPDX-License-Identifier: Apache-2.0
#ifdef LINNET_HAS_VULKAN
#include <algorithm>
#include <cstdlib>

#include "runtime/backends/vulkan/backend.h"
#include "runtime/backends/vulkan/lowering.h"
#include "runtime/backends/vulkan/support.h"
#include "tests/conformance/case_runner.h"
#include "tests/conformance/fed_constants.h"
#include "tests/conformance/gpu_step.h"
#include "tests/conformance/gpu_tiles.h"
#include "tests/conformance/half_precision.h"

namespace linnet::conformance {
namespace {

// Cases that some devices compute differently, because Vulkan promises nothing about them.
struct ExceptedOnGpu {
  const char* device;  // part of its name
  OpKind kind;
  const char* test;
  const char* reason;
};
constexpr const char* kExpOfNan = "SwiftShader's exp(NaN) is infinite";
constexpr ExceptedOnGpu kExceptedOnGpu[] = {
    {"SwiftShader", OpKind::kSoftmax, "infinity", kExpOfNan},
    {"SwiftShader", OpKind::kSoftmax, "log_infinity", kExpOfNan},
    {"SwiftShader", OpKind::kSoftmax, "nan", kExpOfNan},
    {"SwiftShader", OpKind::kSoftmax, "log_nan", kExpOfNan},
    {"SwiftShader", OpKind::kReduce, "min_special_columns",
     "SwiftShader packs a 0 behind a NaN as 1.2e-7 (in halves)"},
};

// Builds with sanitizers, which are slow, run a sample.
#ifndef LINNET_HALF_STRIDE
#define LINNET_HALF_STRIDE 1
#endif

std::vector<GpuVariant> GpuVariants(const OpInstance& op, Layout layout) {
  constexpr uint32_t kNan = 0xffffffff;
  std::vector<GpuVariant> variants = {{kNan}, {.divided = true}, {kNan, true}};
  // Where each costs seconds, as under GPU-assisted validation, one has to do.
  if (std::getenv("LINNET_VULKAN_VARIANTS") != nullptr) return {{kNan}};
  const uint32_t traits = FindOp(op.kind)->traits;
  const auto may = [&](int i) {
    return i < op.num_inputs() && !op.inputs[i].is_constant &&
           SameElements(layout, op.input(i), op.output(0));
  };
  if ((traits & kMayRunInPlace) && may(0)) variants.push_back({kNan, false, 0});
  if ((traits & kInPlaceSecond) && may(1)) variants.push_back({kNan, false, 1});
  return variants;
}

std::string RunVariant(GpuStep& step, const GpuVariant& variant,
                       std::vector<std::vector<uint8_t>>* outputs) {
  vulkan::Device* device = nullptr;
  if (!vulkan::SharedDevice(&device).ok()) return "no device";
  const vulkan::Pace own = device->pace();
  if (variant.divided) device->set_pace({.buffer_ns = 1, .dispatch_ns = 1});
  const std::string error = step.Run(variant, outputs);
  device->set_pace(own);
  return error;
}

// All variants must give the same bits.
std::string RunGpuVariants(const OpCase& test, const OpInstance& op, Layout layout,
                           int64_t scratch_bytes, const Margin& margin) {
  GpuStep step(test, op, layout, scratch_bytes);
  std::string error = step.Pack();
  if (!error.empty()) return error;
  std::vector<std::vector<uint8_t>> first;
  for (const GpuVariant& variant : GpuVariants(op, layout)) {
    const std::string what =
        std::string(variant.fill == 0 ? "over zeros" : "over NaNs") +
        (variant.divided ? ", in pieces" : "") + (variant.in_host ? ", in the host's memory" : "") +
        (variant.in_place < 0 ? "" : ", over input " + std::to_string(variant.in_place)) + ": ";
    std::vector<std::vector<uint8_t>> outputs;
    error = RunVariant(step, variant, &outputs);
    for (size_t i = 0; i < outputs.size() && error.empty(); ++i)
      error = Difference(test.outputs[i], outputs[i].data(), margin);
    if (!error.empty()) return what + error;
    if (first.empty()) first = outputs;
    if (outputs != first) return what + "bits differ";
  }
  return "";
}

// Without scratch memory, and with it where the op can use any.
std::string RunGpuVariants(const OpCase& test, const OpInstance& op, Layout layout,
                           const Margin& margin) {
  std::string error = RunGpuVariants(test, op, layout, /*scratch_bytes=*/0, margin);
  const int64_t scratch_bytes = vulkan::ScratchBytes(op, layout);
  if (!error.empty() || scratch_bytes == 0) return error;
  error = RunGpuVariants(test, op, layout, scratch_bytes, margin);
  return error.empty() ? "" : "with scratch memory: " + error;
}

// A case in which an index is bad. Where it is constant Pack says so, else each run.
std::string RunBadIndex(const OpCase& test, const OpInstance& op, Layout layout, const Margin&) {
  GpuStep step(test, op, layout, /*scratch_bytes=*/0);
  if (!step.Pack().empty()) return "";
  for (const GpuVariant& variant : GpuVariants(op, layout)) {
    std::vector<std::vector<uint8_t>> outputs;
    Status status;
    const std::string error = step.Run(variant, &outputs, &status);
    if (status.ok()) return error.empty() ? "runs although it should fail" : error;
    if (status.code() != test.error || status.step() != 7) return error;
  }
  return "";
}

// With the device's own tiles and with others.
std::string RunWithAllTiles(const OpCase& test, const OpInstance& op, Layout layout,
                            const Margin& margin) {
  std::string error = RunGpuVariants(test, op, layout, margin);
  vulkan::Device* device = nullptr;
  const bool is_empty =
      std::any_of(op.outputs.begin(), op.outputs.end(),
                  [](const TensorType& type) { return type.shape.num_elements() == 0; });
  if (!error.empty() || is_empty || !vulkan::SharedDevice(&device).ok()) return error;
  const vulkan::Tiles own = device->tiles();
  for (const vulkan::Tiles& tiles : kAllTiles) {
    if (!error.empty() || AreAlike(op, layout, own, tiles)) continue;
    device->set_tiles(tiles);
    error = RunGpuVariants(test, op, layout, margin);
    if (!error.empty())
      error = "with tiles of " + std::to_string(tiles.product.rows) + " rows: " + error;
  }
  device->set_tiles(own);
  return error;
}

class Vulkan : public CaseRunner {
 public:
  explicit Vulkan(Layout layout, bool native = false) : layout_(layout), native_(native) {}

  const char* name() const override {
    if (native_) return "vulkan_native_half";
    return layout_ == Layout::kRows4Half ? "vulkan_half" : "vulkan";
  }
  const char* WhyUnsupported(const OpInstance& op) const override {
    if (const char* reason = vulkan::GetBackend().WhyUnsupported(op)) return reason;
    static const Status started = vulkan::GetBackend().Initialize();
    if (!started.ok()) return started.what();
    if (!native_) return nullptr;
    vulkan::Device* device = nullptr;
    if (!vulkan::SharedDevice(&device).ok() || !device->CanUse(vulkan::ShaderMode::k_f16a))
      return "the GPU has no arithmetic of 16-bit floats";
    return HasNativeShader(op) ? nullptr : "the same shaders as with packed halves";
  }

  const char* WhyExcepted(const OpCase& test) const override {
    for (const ExceptedOnGpu& row : kExceptedOnGpu)
      if (row.kind == test.kind && row.test == test.name && IsDevice(row.device)) return row.reason;
    return nullptr;
  }
  int stride() const override { return layout_ == Layout::kRows4Half ? LINNET_HALF_STRIDE : 1; }

  std::string Run(const OpCase& test, const OpInstance& op) const override {
    if (layout_ != Layout::kRows4Half || test.error != StatusCode::kOk) return RunCase(test, op);
    OpCase in_halves = test;
    const std::string error = ExpectInHalves(op, &in_halves);
    return error.empty() ? RunCase(in_halves, op) : error;
  }

 private:
  std::string RunCase(const OpCase& test, const OpInstance& op) const {
    vulkan::Device* device = nullptr;
    if (vulkan::SharedDevice(&device).ok()) device->set_native_halves(native_);
    const Margin margin = MarginFor(test);
    const auto run = test.error == StatusCode::kOk ? RunWithAllTiles : RunBadIndex;
    const std::string error = run(test, op, layout_, margin);
    if (!error.empty()) return error;
    return RunWithConstantsFed(
        *this, op, [&](const OpInstance& fed) { return run(test, fed, layout_, margin); });
  }

  Margin MarginFor(const OpCase& test) const {
    if (native_) return NativeHalfMarginOf(test);
    return layout_ == Layout::kRows4Half ? HalfMarginOf(test) : MarginOf(test);
  }

  const Layout layout_;
  const bool native_;
};

}  // namespace

const CaseRunner& VulkanRunner() {
  static const Vulkan runner(Layout::kRows4);
  return runner;
}

const CaseRunner& VulkanHalfRunner() {
  static const Vulkan runner(Layout::kRows4Half);
  return runner;
}

const CaseRunner& VulkanNativeHalfRunner() {
  static const Vulkan runner(Layout::kRows4Half, true);
  return runner;
}

}  // namespace linnet::conformance
#endif  // LINNET_HAS_VULKAN
