// SPDX-License-Identifier: Apache-2.0
#include "tests/runtime/api/strips_plan.h"

#include <cstring>

#include "runtime/core/encoding.h"
#include "runtime/ops/all_attrs.h"
#include "runtime/plan/file_header.h"
#include "tests/runtime/api/raw_plan.h"

namespace linnet {
namespace {

std::vector<std::byte> Unchanged() {
  RawPlan plan;
  const Shape shape = {1, 8, 6, 4};
  const int32_t x = plan.Input(shape), filter = plan.Constant({3, 3, 4}, 0.125f);
  const int32_t curve = plan.Add({.shape = shape}), windows = plan.Add({.shape = shape});
  const int32_t y = plan.Arena(shape), rows = plan.Buffer(kStripsPlanBytes);
  plan.Port(y, /*is_output=*/true);
  DepthwiseConv2DAttrs each;
  each.pad_top = each.pad_bottom = each.pad_left = each.pad_right = 1;
  UnaryAttrs exp;
  exp.kind = schema::UnaryKind::Exp;
  BinaryAttrs add;
  add.kind = schema::BinaryKind::Add;
  plan.Strips(3, 2);
  plan.Step(exp, {x}, {curve}, {.extents = {}, .sets = {}, .scratch = rows});
  plan.Step(each, {curve, filter}, {windows});
  plan.Step(add, {windows, x}, {y});
  return plan.Finish();
}

}  // namespace

void GiveMemory(schema::ProgramT& program, size_t tensor) {
  auto buffer = std::make_unique<schema::BufferT>();
  buffer->offset = program.spaces[0]->size;
  buffer->size = 8 * 6 * 4 * 4;
  program.spaces[0]->size += buffer->size;
  program.tensors[tensor]->buffer = static_cast<int32_t>(program.buffers.size());
  program.buffers.push_back(std::move(buffer));
}

std::vector<std::byte> RawStripsPlan(const std::function<void(schema::ProgramT&)>& change) {
  std::vector<std::byte> file = Unchanged();
  if (!change) return file;
  FileHeader header;
  std::memcpy(&header, file.data(), sizeof(header));
  schema::PlanT plan;
  schema::GetPlan(file.data() + header.structure_offset)->UnPackTo(&plan);
  change(*plan.programs[0]);
  flatbuffers::FlatBufferBuilder fbb;
  schema::FinishPlanBuffer(fbb, schema::Plan::Pack(fbb, &plan));
  const auto weights = file.begin() + static_cast<ptrdiff_t>(header.weights_offset);
  return PlanFileOf(fbb, {weights, weights + static_cast<ptrdiff_t>(header.weights_bytes) -
                                       static_cast<ptrdiff_t>(kWeightTail)});
}

}  // namespace linnet
