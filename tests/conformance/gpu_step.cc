// SPDX-License-Identifier: Apache-2.0
#ifdef LINNET_HAS_VULKAN
#include "tests/conformance/gpu_step.h"

#include <algorithm>
#include <cstring>

#include "runtime/backends/vulkan/device.h"
#include "runtime/backends/vulkan/memory.h"
#include "runtime/core/checked.h"

namespace linnet::conformance {
namespace {

constexpr int64_t kGuardBytes = 256;
constexpr uint8_t kGuardByte = 0xc5;

}  // namespace

bool IsDevice(const char* name) {
  vulkan::Device* device = nullptr;
  return vulkan::SharedDevice(&device).ok() && std::strstr(device->facts().name, name) != nullptr;
}

std::string GpuStep::Pack() {
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

std::string GpuStep::Run(const GpuVariant& variant, std::vector<std::vector<uint8_t>>* outputs,
                         Status* status) {
  Region region;
  DeviceMemory* memory = nullptr;
  RunnableSegment* segment = nullptr;
  PlaceAll(variant);
  std::string error = Build(variant, region, &memory, &segment);
  if (error.empty()) error = RunTwice(variant, *memory, *segment, outputs);
  if (segment != nullptr) segment->Destroy();
  if (memory != nullptr) memory->Destroy();
  if (status != nullptr) *status = run_status_;
  return error;
}

StepContext GpuStep::Context() const {
  return {.index = 7,
          .op = op_,
          .layout = layout_,
          .scratch_offset = scratch_place_.offset,
          .scratch_bytes = scratch_bytes_};
}

void GpuStep::PlaceAll(const GpuVariant& variant) {
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

std::string GpuStep::Build(const GpuVariant& variant, Region& region, DeviceMemory** memory,
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

std::string GpuStep::RunTwice(const GpuVariant& variant, DeviceMemory& memory,
                              RunnableSegment& segment,
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

std::string GpuStep::RunOnce(const GpuVariant& variant, DeviceMemory& memory,
                             RunnableSegment& segment, const std::vector<uint8_t*>& bound,
                             std::vector<std::vector<uint8_t>>* outputs) {
  Status status = vulkan::FillArena(&memory, variant.fill);
  const std::vector<uint8_t> guard(kGuardBytes, kGuardByte);
  for (const int64_t offset : Guards())
    if (status.ok()) status = vulkan::WriteArena(&memory, offset, guard.data(), kGuardBytes);
  if (status.ok()) status = run_status_ = segment.Run();
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

std::vector<int64_t> GpuStep::Guards() const {
  std::vector<int64_t> guards = {0};
  if (scratch_bytes_ > 0) guards.push_back(scratch_place_.offset + scratch_place_.bytes);
  for (const std::vector<Place>* places : {&input_places_, &output_places_})
    for (const Place& place : *places)
      if (place.offset >= 0) guards.push_back(place.offset + place.bytes);
  return guards;
}

bool GpuStep::IsChangedByNan(const uint8_t* row, const vulkan::Rows& rows) {
  uint16_t last = 0;
  std::memcpy(&last, row + (rows.columns - 1) * 2, sizeof(last));
  return rows.columns % 2 == 1 && (last & 0x7fff) > 0x7c00 && IsDevice("SwiftShader");
}

std::string GpuStep::WhyPaddingIsWrong(const std::vector<uint8_t>& arena) const {
  for (size_t i = 0; i < output_places_.size(); ++i) {
    if (output_places_[i].bytes == 0) continue;
    const vulkan::Rows rows = vulkan::RowsOf(op_.outputs[i]);
    const int64_t element = ElementBytes(layout_, op_.outputs[i].dtype);
    for (int64_t row = 0; row < rows.count; ++row) {
      const uint8_t* at = arena.data() + output_places_[i].offset + row * rows.quads * 4 * element;
      const int64_t columns = rows.columns + (element == 2 && IsChangedByNan(at, rows) ? 1 : 0);
      if (std::any_of(at + columns * element, at + rows.quads * 4 * element,
                      [](uint8_t byte) { return byte != 0; }))
        return "padding of output " + std::to_string(i) + " is not 0";
    }
  }
  return "";
}

}  // namespace linnet::conformance
#endif  // LINNET_HAS_VULKAN
