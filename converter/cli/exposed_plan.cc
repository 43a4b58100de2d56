// SPDX-License-Identifier: Apache-2.0
#include "converter/cli/exposed_plan.h"

#include <algorithm>
#include <cstring>
#include <memory>
#include <string_view>
#include <utility>

#include "converter/cli/plan_file.h"
#include "converter/plan/plan_structure.h"
#include "fmt/format.h"
#include "runtime/core/checked.h"
#include "runtime/core/region.h"
#include "runtime/ops/op_def.h"
#include "runtime/plan/file_header.h"

namespace linnet::cli {
namespace {

// Each tensor of the arena in a buffer of its own.
void Separate(schema::ProgramT* program) {
  int64_t arena_bytes = 0;
  program->buffers.clear();
  for (const auto& tensor : program->tensors) {
    if (tensor->buffer < 0) continue;
    const TensorType type{static_cast<DType>(tensor->dtype), Shape(tensor->shape)};
    tensor->buffer = static_cast<int32_t>(program->buffers.size());
    tensor->offset = 0;
    auto& buffer = *program->buffers.emplace_back(std::make_unique<schema::BufferT>());
    buffer.offset = arena_bytes;
    buffer.size = AlignUp(std::max<int64_t>(type.bytes(), 1), kHostAlignment);
    arena_bytes += buffer.size;
  }
  program->spaces.clear();
  auto& arena = *program->spaces.emplace_back(std::make_unique<schema::SpaceT>());
  arena.size = arena_bytes;
  arena.alignment = static_cast<int32_t>(kHostAlignment);
}

std::string OpName(const schema::StepT& step) {
  if (step.control != schema::Control::None) return schema::EnumNameControl(step.control);
  return FindOp(static_cast<OpKind>(step.op))->name;
}

// What its steps write becomes its outputs.
std::vector<ExposedTensor> Expose(schema::ProgramT* program) {
  std::vector<ExposedTensor> exposed;
  std::vector<std::unique_ptr<schema::PortT>> outputs;
  const auto fetched_as = [&](int tensor) -> std::string {
    for (const auto& port : program->signature->outputs)
      if (port->tensor == tensor) return port->name;
    return "";
  };
  const auto& steps = program->regions[0]->steps;
  for (size_t i = 0; i < steps.size(); ++i) {
    const schema::StepT& step = *steps[i];
    for (size_t k = 0; k < step.outputs.size(); ++k) {
      auto& port = *outputs.emplace_back(std::make_unique<schema::PortT>());
      port.name = fmt::format("{}:{}", i, k);
      port.tensor = step.outputs[k];
      exposed.push_back({static_cast<int32_t>(i), static_cast<int32_t>(k), OpName(step),
                         step.sources, fetched_as(port.tensor)});
    }
  }
  program->signature->outputs = std::move(outputs);
  return exposed;
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
  const auto wanted = std::ranges::find_if(plan.programs, [&](const auto& program) {
    // As the runtime reads a key: up to the first NUL.
    return signature.empty() || std::string_view(program->signature->key.c_str()) == signature;
  });
  if (wanted == plan.programs.end())
    return absl::NotFoundError(fmt::format("the plan has no signature '{}'", signature));
  if (!(*wanted)->segments.empty())
    return absl::UnimplementedError(
        "tensors of other devices than the CPU cannot be looked at: convert with --place cpu");
  std::swap(plan.programs[0], *wanted);
  plan.programs.resize(1);
  schema::ProgramT* program = plan.programs[0].get();
  ExposedPlan exposed{"", Expose(program)};
  Separate(program);
  plan.producer = "linnet bisect";
  const flatbuffers::DetachedBuffer structure = converter::PackStructure(plan);
  const FileHeader& header = verified.view.header;
  exposed.bytes = Assemble({structure.data(), structure.size()},
                           file.subspan(header.weights_offset, header.weights_bytes));
  return exposed;
}

}  // namespace linnet::cli
