// SPDX-License-Identifier: Apache-2.0
#include "converter/cli/exposed_plan.h"

#include <algorithm>
#include <cstring>
#include <deque>
#include <map>
#include <memory>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "converter/cli/plan_file.h"
#include "converter/plan/plan_structure.h"
#include "converter/plan/program.h"
#include "fmt/format.h"
#include "runtime/core/checked.h"
#include "runtime/core/layout.h"
#include "runtime/core/region.h"
#include "runtime/ops/op_def.h"
#include "runtime/plan/file_header.h"

namespace linnet::cli {
namespace {

TensorType TypeOf(const schema::TensorT& tensor) {
  return {static_cast<DType>(tensor.dtype), Shape(tensor.shape)};
}

// Steps that run in strips run one after the other, on whole tensors, which gives the same bits.
void RunWhole(schema::ProgramT* program) {
  for (const schema::Strips& strips : program->strips)
    program->regions[0]->steps[strips.first()]->scratch = -1;
  program->strips.clear();
  std::erase(program->required_features, kStripsFeature);
  for (const auto& tensor : program->tensors) {
    if (tensor->buffer >= 0 || tensor->weight >= 0 || tensor->state >= 0) continue;
    tensor->buffer = static_cast<int32_t>(program->buffers.size());
    program->buffers.push_back(std::make_unique<schema::BufferT>());  // Separate places it
  }
}

// Each tensor of the program's memories in a buffer of its own.
void Separate(schema::ProgramT* program) {
  std::vector<int64_t> ends(program->spaces.size(), 0);
  const auto old_buffers = std::move(program->buffers);
  program->buffers.clear();
  for (const auto& tensor : program->tensors) {
    if (tensor->buffer < 0) continue;
    const uint8_t space = old_buffers[static_cast<size_t>(tensor->buffer)]->space;
    const auto layout = static_cast<Layout>(program->spaces[space]->layout);
    tensor->buffer = static_cast<int32_t>(program->buffers.size());
    tensor->offset = 0;
    auto& buffer = *program->buffers.emplace_back(std::make_unique<schema::BufferT>());
    buffer.space = space;
    buffer.offset = ends[space];
    buffer.size = AlignUp(std::max<int64_t>(BytesIn(layout, TypeOf(*tensor)), 1),
                          space == 0 ? kHostAlignment : converter::kDeviceAlignment);
    ends[space] += buffer.size;
  }
  for (const auto& step : program->regions[0]->steps) {
    if (step->scratch < 0) continue;
    auto buffer =
        std::make_unique<schema::BufferT>(*old_buffers[static_cast<size_t>(step->scratch)]);
    buffer->offset = ends[buffer->space];
    ends[buffer->space] += AlignUp(buffer->size, converter::kDeviceAlignment);
    step->scratch = static_cast<int32_t>(program->buffers.size());
    program->buffers.push_back(std::move(buffer));
  }
  for (size_t i = 0; i < ends.size(); ++i) {
    schema::SpaceT& space = *program->spaces[i];
    space.size = ends[i];
    space.lower_bound = space.naive = space.imported_bound = 0;
  }
}

std::string OpName(const schema::StepT& step) {
  if (step.control != schema::Control::None) return schema::EnumNameControl(step.control);
  return FindOp(static_cast<OpKind>(step.op))->name;
}

// What the program's steps write, in order, and its tensors; copies write nothing new.
std::vector<std::pair<ExposedTensor, int32_t>> Written(const schema::ProgramT& program) {
  std::vector<std::pair<ExposedTensor, int32_t>> written;
  const auto fetched_as = [&](int tensor) -> std::string {
    for (const auto& port : program.signature->outputs)
      if (port->tensor == tensor) return port->name;
    return "";
  };
  const auto& steps = program.regions[0]->steps;
  for (size_t i = 0; i < steps.size(); ++i) {
    const schema::StepT& step = *steps[i];
    if (step.control == schema::Control::Copy) continue;
    for (size_t k = 0; k < step.outputs.size(); ++k)
      written.emplace_back(ExposedTensor{static_cast<int32_t>(i), static_cast<int32_t>(k),
                                         OpName(step), step.sources, fetched_as(step.outputs[k])},
                           step.outputs[k]);
  }
  return written;
}

// For each tensor of `exposed`, the one of another program that steps for the same nodes write.
// Where one node became several steps of one op, their order tells them apart. Empty when the
// programs do not have the same steps.
std::vector<int32_t> Counterparts(const std::vector<ExposedTensor>& exposed,
                                  const schema::ProgramT& other) {
  const auto key = [](const ExposedTensor& tensor) {
    return std::tuple(tensor.op, tensor.sources, tensor.output);
  };
  std::map<decltype(key(ExposedTensor())), std::deque<int32_t>> found;
  const auto written = Written(other);
  for (const auto& [tensor, index] : written) found[key(tensor)].push_back(index);
  std::vector<int32_t> counterparts;
  if (written.size() != exposed.size()) return counterparts;
  for (const ExposedTensor& tensor : exposed) {
    std::deque<int32_t>& same = found[key(tensor)];
    if (same.empty()) return {};
    counterparts.push_back(same.front());
    same.pop_front();
  }
  return counterparts;
}

// A tensor of the host's memory that gets the value of `tensor`, which is a device's, at the end.
int32_t CopyToHost(int32_t tensor, schema::ProgramT* program) {
  const schema::TensorT& from = *program->tensors[static_cast<size_t>(tensor)];
  if (from.buffer < 0 || program->buffers[static_cast<size_t>(from.buffer)]->space == 0)
    return tensor;
  auto to = std::make_unique<schema::TensorT>();
  to->dtype = from.dtype;
  to->shape = from.shape;
  to->buffer = static_cast<int32_t>(program->buffers.size());
  program->buffers.push_back(std::make_unique<schema::BufferT>());  // Separate places it
  const auto index = static_cast<int32_t>(program->tensors.size());
  program->tensors.push_back(std::move(to));
  auto& steps = program->regions[0]->steps;
  if (program->segments.back()->backend != 0) {
    auto& segment = *program->segments.emplace_back(std::make_unique<schema::SegmentT>());
    segment.first = static_cast<uint32_t>(steps.size());
  }
  ++program->segments.back()->count;
  auto& copy = *steps.emplace_back(std::make_unique<schema::StepT>());
  copy.control = schema::Control::Copy;
  copy.inputs = {tensor};
  copy.outputs = {index};
  return index;
}

// `names` and `tensors`: of the outputs, as they become.
void Expose(const std::vector<ExposedTensor>& names, std::span<const int32_t> tensors,
            schema::ProgramT* program) {
  RunWhole(program);
  program->signature->outputs.clear();
  for (size_t i = 0; i < names.size(); ++i) {
    auto& port = *program->signature->outputs.emplace_back(std::make_unique<schema::PortT>());
    port.name = fmt::format("{}:{}", names[i].step, names[i].output);
    port.tensor = CopyToHost(tensors[i], program);
  }
  Separate(program);
}

// A file of this structure and these weights.
std::string Assemble(std::span<const uint8_t> structure, std::span<const std::byte> weights) {
  const FileHeader header =
      LayOutFile(std::ssize(structure), std::ssize(weights), kWeightAlignment);
  std::string file(header.file_bytes, '\0');
  std::memcpy(file.data(), &header, sizeof(header));
  std::memcpy(file.data() + header.structure_offset, structure.data(), structure.size());
  if (!weights.empty())
    std::memcpy(file.data() + header.weights_offset, weights.data(), weights.size());
  return file;
}

}  // namespace

absl::StatusOr<ExposedPlan> ExposeTensors(std::span<const std::byte> file,
                                          const std::string& signature) {
  Region region;
  VerifiedPlan verified;
  if (const absl::Status status = OpenPlanFile(file, &region, &verified); !status.ok())
    return status;
  converter::PlanStructure plan = converter::ReadStructure(file);
  // As the runtime reads a key: up to the first NUL.
  const auto key = [](const auto& program) {
    return std::string_view(program->signature->key.c_str());
  };
  const std::string wanted(signature.empty() ? key(plan.programs[0]) : signature);
  std::erase_if(plan.programs, [&](const auto& program) { return key(program) != wanted; });
  if (plan.programs.empty())
    return absl::NotFoundError(fmt::format("the plan has no signature '{}'", signature));
  if (!plan.programs[0]->segments.empty())
    return absl::UnimplementedError(
        "tensors of other devices than the CPU cannot be looked at: convert with --place cpu");
  ExposedPlan exposed;
  std::vector<int32_t> tensors;
  for (auto& [tensor, index] : Written(*plan.programs[0])) {
    exposed.tensors.push_back(std::move(tensor));
    tensors.push_back(index);
  }
  for (const auto& program : plan.programs) {
    if (program != plan.programs[0]) tensors = Counterparts(exposed.tensors, *program);
    if (tensors.size() != exposed.tensors.size())
      return absl::UnimplementedError("the plan's programs do not have the same steps");
    Expose(exposed.tensors, tensors, program.get());
  }
  plan.producer = "linnet bisect";
  const flatbuffers::DetachedBuffer structure = converter::PackStructure(plan);
  const FileHeader& header = verified.view.header;
  exposed.bytes = Assemble({structure.data(), structure.size()},
                           file.subspan(header.weights_offset, header.weights_bytes));
  return exposed;
}

}  // namespace linnet::cli
