// SPDX-License-Identifier: Apache-2.0
#ifdef LINNET_HAS_VULKAN
#include <algorithm>
#include <cstdlib>
#include <cstring>

#include "runtime/backends/vulkan/backend.h"
#include "runtime/backends/vulkan/lowering.h"
#include "runtime/backends/vulkan/memory.h"
#include "runtime/backends/vulkan/support.h"
#include "tests/conformance/case_runner.h"
#include "tests/conformance/fed_constants.h"
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

// `name`: part of the device's name.
bool IsDevice(const char* name) {
  vulkan::Device* device = nullptr;
  return vulkan::SharedDevice(&device).ok() && std::strstr(device->facts().name, name) != nullptr;
}

constexpr int64_t kGuardBytes = 256;
constexpr uint8_t kGuardByte = 0xc5;

// A way to run a case.
struct GpuVariant {
  uint32_t fill;         // what memory contains before: NaNs or zeros
  bool in_host = false;  // inputs and outputs lie in DeviceMemory::host_data
  int in_place = -1;     // the input that output 0 overwrites
};

// Bytes of a tensor in the arena, with a guard before and behind it.
struct Place {
  int64_t offset = -1;
  int64_t bytes = 0;
};

// Builds with sanitizers, which are slow, run a sample.
#ifndef LINNET_HALF_STRIDE
#define LINNET_HALF_STRIDE 1
#endif

// A plan with one step, packed once.
class GpuStep {
 public:
  GpuStep(const OpCase& test, const OpInstance& op, Layout layout, int64_t scratch_bytes)
      : test_(test),
        op_(op),
        layout_(layout),
        scratch_bytes_(scratch_bytes),
        inputs_(op.inputs.begin(), op.inputs.end()) {}
  ~GpuStep() {
    if (weights_ != nullptr) weights_->Destroy();
  }

  std::string Pack() {
    const int64_t bytes = AlignUp(backend_.PackedBytes(Context()), 256);
    Status status = backend_.NewPackedWeights(bytes, prepared_, &weights_);
    if (status.ok()) status = backend_.Pack(Context(), weights_, prepared_, &packed_);
    if (status.ok() && weights_ != nullptr) status = weights_->Finalize();
    if (!status.ok()) return std::string("Pack: ") + status.what();
    // Sessions no longer have the plain values of packed constants.
    for (int i = 0; i < op_.num_inputs(); ++i)
      if (backend_.PacksInput(op_, i)) inputs_[i].value = nullptr;
    op_.inputs = inputs_;
    return "";
  }

  std::string Run(const GpuVariant& variant, std::vector<std::vector<uint8_t>>* outputs) {
    Region region;
    DeviceMemory* memory = nullptr;
    RunnableSegment* segment = nullptr;
    PlaceAll(variant);
    std::string error = Build(variant, region, &memory, &segment);
    if (error.empty()) error = RunTwice(variant, *memory, *segment, outputs);
    if (segment != nullptr) segment->Destroy();
    if (memory != nullptr) memory->Destroy();
    return error;
  }

 private:
  StepContext Context() const {
    return {.index = 7,
            .op = op_,
            .layout = layout_,
            .scratch_offset = scratch_place_.offset,
            .scratch_bytes = scratch_bytes_};
  }

  void PlaceAll(const GpuVariant& variant) {
    arena_bytes_ = kGuardBytes;
    const auto reserve = [&](int64_t bytes) {
      const Place here{arena_bytes_, bytes};
      arena_bytes_ = AlignUp(here.offset + here.bytes + kGuardBytes, kGuardBytes);
      return here;
    };
    const auto place = [&](const TensorType& type) { return reserve(BytesIn(layout_, type)); };
    if (scratch_bytes_ > 0) scratch_place_ = reserve(scratch_bytes_);
    input_places_.clear();
    output_places_.clear();
    for (const InputInfo& input : inputs_)
      input_places_.push_back(input.is_constant ? Place() : place(input.type));
    for (size_t i = 0; i < op_.outputs.size(); ++i) {
      const bool over = i == 0 && variant.in_place >= 0;
      output_places_.push_back(over ? input_places_[variant.in_place] : place(op_.outputs[i]));
    }
  }

  std::string Build(const GpuVariant& variant, Region& region, DeviceMemory** memory,
                    RunnableSegment** segment) {
    int64_t host_bytes = 0;
    for (const InputInfo& input : inputs_) host_bytes += AlignUp(input.type.bytes(), 256);
    for (const TensorType& output : op_.outputs) host_bytes += AlignUp(output.bytes(), 256);
    Status status = backend_.NewMemory(
        arena_bytes_, variant.in_host ? std::max<int64_t>(host_bytes, 1) : 0, region, memory);
    if (status.ok()) status = backend_.NewSegment(*memory, layout_, weights_, region, segment);
    std::vector<int64_t> from, to;
    for (size_t i = 0; i < inputs_.size(); ++i) {
      from.push_back(input_places_[i].offset);
      if (!inputs_[i].is_constant && status.ok())
        status = (*segment)->AddInput(inputs_[i].type, from.back());
    }
    for (const Place& place : output_places_) to.push_back(place.offset);
    if (status.ok()) {
      // The spans and types are valid during the call only.
      std::vector<InputInfo> inputs = inputs_;
      std::vector<TensorType> types(op_.outputs.begin(), op_.outputs.end());
      StepContext step = Context();
      step.op.inputs = inputs;
      step.op.outputs = types;
      status = (*segment)->AddStep(step, packed_, from, to);
      std::fill(inputs.begin(), inputs.end(), InputInfo());
      std::fill(types.begin(), types.end(), TensorType());
    }
    for (size_t i = 0; i < to.size() && status.ok(); ++i)
      status = (*segment)->AddOutput(op_.outputs[i], to[i]);
    if (status.ok()) status = (*segment)->Finish();
    return status.ok() ? "" : std::string("Build: ") + status.what();
  }

  std::string RunTwice(const GpuVariant& variant, DeviceMemory& memory, RunnableSegment& segment,
                       std::vector<std::vector<uint8_t>>* outputs) {
    if (variant.in_host && memory.host_data() == nullptr) return "no memory for the host";
    auto* host = static_cast<uint8_t*>(memory.host_data());
    const auto take = [&](int64_t bytes) {
      uint8_t* here = host;
      host += AlignUp(bytes, 256);
      return here;
    };
    int number = 0;
    for (size_t i = 0; i < inputs_.size(); ++i) {
      if (inputs_[i].is_constant) continue;
      const std::vector<uint8_t>& bytes = test_.inputs[i].bytes;
      const uint8_t* data = bytes.data();
      if (variant.in_host) {
        uint8_t* here = take(inputs_[i].type.bytes());
        std::copy(bytes.begin(), bytes.end(), here);
        data = here;
      }
      const Status status = segment.BindInput(number++, data);
      if (!status.ok()) return std::string("BindInput: ") + status.what();
    }
    std::vector<std::vector<uint8_t>> buffers;
    std::vector<uint8_t*> bound;
    for (size_t i = 0; i < op_.outputs.size(); ++i) {
      const int64_t bytes = op_.outputs[i].bytes();
      buffers.emplace_back(bytes + kGuardBytes, kGuardByte);
      bound.push_back(variant.in_host ? take(bytes) : buffers[i].data());
      const Status status = segment.BindOutput(static_cast<int>(i), bound[i]);
      if (!status.ok()) return std::string("BindOutput: ") + status.what();
    }
    std::string error = RunOnce(variant, memory, segment, bound, outputs);
    std::vector<std::vector<uint8_t>> again;
    if (error.empty()) error = RunOnce(variant, memory, segment, bound, &again);
    if (error.empty() && again != *outputs) error = "second run differs";
    for (const std::vector<uint8_t>& buffer : buffers)
      if (!variant.in_host && std::any_of(buffer.end() - kGuardBytes, buffer.end(),
                                          [](uint8_t byte) { return byte != kGuardByte; }))
        error = "writes behind an output of the host";
    return error;
  }

  std::string RunOnce(const GpuVariant& variant, DeviceMemory& memory, RunnableSegment& segment,
                      const std::vector<uint8_t*>& bound,
                      std::vector<std::vector<uint8_t>>* outputs) {
    Status status = vulkan::FillArena(&memory, variant.fill);
    const std::vector<uint8_t> guard(kGuardBytes, kGuardByte);
    for (const int64_t offset : Guards())
      if (status.ok()) status = vulkan::WriteArena(&memory, offset, guard.data(), kGuardBytes);
    if (status.ok()) status = segment.Run();
    for (size_t i = 0; i < bound.size() && status.ok(); ++i)
      status = segment.Fetch(static_cast<int>(i));
    std::vector<uint8_t> arena(arena_bytes_);
    if (status.ok()) status = vulkan::ReadArena(&memory, 0, arena.data(), arena_bytes_);
    if (!status.ok()) return std::string("Run: ") + status.what();
    for (size_t i = 0; i < bound.size(); ++i)
      outputs->emplace_back(bound[i], bound[i] + op_.outputs[i].bytes());
    for (const int64_t offset : Guards())
      if (!std::equal(guard.begin(), guard.end(), arena.begin() + offset))
        return "writes beside a tensor";
    return WhyPaddingIsWrong(arena);
  }

  // Where the guards start: in front of the first tensor and behind each, from the next multiple of
  // 8, as tensors end there.
  std::vector<int64_t> Guards() const {
    std::vector<int64_t> guards = {0};
    if (scratch_bytes_ > 0) guards.push_back(scratch_place_.offset + scratch_place_.bytes);
    for (const std::vector<Place>* places : {&input_places_, &output_places_})
      for (const Place& place : *places)
        if (place.offset >= 0) guards.push_back(place.offset + place.bytes);
    return guards;
  }

  // Whether the first padding of a row of halves need not be 0: when SwiftShader packs two numbers
  // of which the first is NaN, it sets a bit of the second.
  static bool IsChangedByNan(const uint8_t* row, const vulkan::Rows& rows) {
    uint16_t last = 0;
    std::memcpy(&last, row + (rows.columns - 1) * 2, sizeof(last));
    return rows.columns % 2 == 1 && (last & 0x7fff) > 0x7c00 && IsDevice("SwiftShader");
  }

  // All writers of tensors have to write 0 behind the rows.
  std::string WhyPaddingIsWrong(const std::vector<uint8_t>& arena) const {
    for (size_t i = 0; i < output_places_.size(); ++i) {
      if (output_places_[i].bytes == 0) continue;
      const vulkan::Rows rows = vulkan::RowsOf(op_.outputs[i]);
      const int64_t element = ElementBytes(layout_, op_.outputs[i].dtype);
      for (int64_t row = 0; row < rows.count; ++row) {
        const uint8_t* at =
            arena.data() + output_places_[i].offset + row * rows.quads * 4 * element;
        const int64_t columns = rows.columns + (element == 2 && IsChangedByNan(at, rows) ? 1 : 0);
        if (std::any_of(at + columns * element, at + rows.quads * 4 * element,
                        [](uint8_t byte) { return byte != 0; }))
          return "padding of output " + std::to_string(i) + " is not 0";
      }
    }
    return "";
  }

  const Backend& backend_ = vulkan::GetBackend();
  const OpCase& test_;
  OpInstance op_;
  const Layout layout_;
  const int64_t scratch_bytes_;
  std::vector<InputInfo> inputs_;
  Region prepared_;
  PackedWeights* weights_ = nullptr;
  void* packed_ = nullptr;
  std::vector<Place> input_places_, output_places_;
  Place scratch_place_;
  int64_t arena_bytes_ = 0;
};

std::vector<GpuVariant> GpuVariants(const OpInstance& op, Layout layout) {
  constexpr uint32_t kNan = 0xffffffff;
  std::vector<GpuVariant> variants = {{kNan}, {0}, {kNan, true}};
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

// All variants must give the same bits.
std::string RunGpuVariants(const OpCase& test, const OpInstance& op, Layout layout,
                           int64_t scratch_bytes) {
  const Margin margin = layout == Layout::kRows4Half ? HalfMarginOf(test) : MarginOf(test);
  GpuStep step(test, op, layout, scratch_bytes);
  std::string error = step.Pack();
  if (!error.empty()) return error;
  std::vector<std::vector<uint8_t>> first;
  for (const GpuVariant& variant : GpuVariants(op, layout)) {
    const std::string what =
        std::string(variant.fill == 0 ? "over zeros" : "over NaNs") +
        (variant.in_host ? ", in the host's memory" : "") +
        (variant.in_place < 0 ? "" : ", over input " + std::to_string(variant.in_place)) + ": ";
    std::vector<std::vector<uint8_t>> outputs;
    error = step.Run(variant, &outputs);
    for (size_t i = 0; i < outputs.size() && error.empty(); ++i)
      error = Difference(test.outputs[i], outputs[i].data(), margin);
    if (!error.empty()) return what + error;
    if (first.empty()) first = outputs;
    if (outputs != first) return what + "bits differ";
  }
  return "";
}

// Without scratch memory, and with it where the op can use any.
std::string RunGpuVariants(const OpCase& test, const OpInstance& op, Layout layout) {
  std::string error = RunGpuVariants(test, op, layout, /*scratch_bytes=*/0);
  const int64_t scratch_bytes = vulkan::ScratchBytes(op, layout);
  if (!error.empty() || scratch_bytes == 0) return error;
  error = RunGpuVariants(test, op, layout, scratch_bytes);
  return error.empty() ? "" : "with scratch memory: " + error;
}

// With the device's own tiles and with others.
std::string RunWithAllTiles(const OpCase& test, const OpInstance& op, Layout layout) {
  std::string error = RunGpuVariants(test, op, layout);
  vulkan::Device* device = nullptr;
  const bool is_empty =
      std::any_of(op.outputs.begin(), op.outputs.end(),
                  [](const TensorType& type) { return type.shape.num_elements() == 0; });
  if (!error.empty() || is_empty || !vulkan::SharedDevice(&device).ok()) return error;
  const vulkan::Tiles own = device->tiles();
  for (const vulkan::Tiles& tiles : kAllTiles) {
    if (!error.empty() || AreAlike(op, layout, own, tiles)) continue;
    device->set_tiles(tiles);
    error = RunGpuVariants(test, op, layout);
    if (!error.empty())
      error = "with tiles of " + std::to_string(tiles.product.rows) + " rows: " + error;
  }
  device->set_tiles(own);
  return error;
}

class Vulkan : public CaseRunner {
 public:
  explicit Vulkan(Layout layout) : layout_(layout) {}

  const char* name() const override {
    return layout_ == Layout::kRows4Half ? "vulkan_half" : "vulkan";
  }
  const char* WhyUnsupported(const OpInstance& op) const override {
    if (const char* reason = vulkan::GetBackend().WhyUnsupported(op)) return reason;
    static const Status started = vulkan::GetBackend().Initialize();
    return started.ok() ? nullptr : started.what();
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
    if (test.error != StatusCode::kOk) {
      // Only constants can be wrong, because a run cannot say so.
      return GpuStep(test, op, layout_, /*scratch_bytes=*/0).Pack().empty()
                 ? "packs although it should fail"
                 : "";
    }
    const std::string error = RunWithAllTiles(test, op, layout_);
    if (!error.empty()) return error;
    return RunWithConstantsFed(
        *this, op, [&](const OpInstance& fed) { return RunWithAllTiles(test, fed, layout_); });
  }

  const Layout layout_;
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

}  // namespace linnet::conformance
#endif  // LINNET_HAS_VULKAN
