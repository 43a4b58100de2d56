// SPDX-License-Identifier: Apache-2.0
// What a plan tells about itself.
#include <cstring>

#include "runtime/api/block.h"
#include "runtime/api/error.h"
#include "runtime/api/plan_handle.h"

namespace linnet::api {
namespace {

const PlanProgram* ProgramOf(const linnet_plan* plan, int32_t signature) {
  if (signature < 0 || signature >= linnet_plan_num_signatures(plan)) return nullptr;
  return &plan->verified.view.programs[static_cast<size_t>(signature)];
}

}  // namespace
}  // namespace linnet::api

int linnet_plan::FindSignature(const char* key) const {
  if (key == nullptr) return 0;
  for (int i = 0; i < num_signatures(); ++i)
    if (std::strcmp(verified.view.programs[i].key, key) == 0) return i;
  return -1;
}

int linnet_plan::FindVariant(int signature, linnet::Variant variant) const {
  const auto programs = verified.programs;
  for (size_t i = 0; i < programs.size(); ++i)
    if (programs[i].signature == signature && programs[i].plan->variant == variant)
      return static_cast<int>(i);
  return -1;
}

extern "C" {

int64_t linnet_plan_bytes(const linnet_plan* plan) {
  if (plan == nullptr) return 0;
  return linnet::api::SplitBlock(nullptr, 0, sizeof(*plan)).before_rest + plan->region.peak();
}

int32_t linnet_plan_num_signatures(const linnet_plan* plan) {
  return plan == nullptr ? 0 : plan->num_signatures();
}

const char* linnet_plan_signature(const linnet_plan* plan, int32_t index) {
  if (index < 0 || index >= linnet_plan_num_signatures(plan)) return nullptr;
  return plan->verified.view.programs[static_cast<size_t>(index)].key;
}

int32_t linnet_plan_num_inputs(const linnet_plan* plan, int32_t signature) {
  const linnet::PlanProgram* program = linnet::api::ProgramOf(plan, signature);
  return program == nullptr ? 0 : static_cast<int32_t>(program->inputs.size());
}

int32_t linnet_plan_num_outputs(const linnet_plan* plan, int32_t signature) {
  const linnet::PlanProgram* program = linnet::api::ProgramOf(plan, signature);
  return program == nullptr ? 0 : static_cast<int32_t>(program->outputs.size());
}

const linnet_tensor_info* linnet_plan_input_info(const linnet_plan* plan, int32_t signature,
                                                 int32_t index) {
  if (index < 0 || index >= linnet_plan_num_inputs(plan, signature)) return nullptr;
  return &plan->ports[signature][static_cast<size_t>(index)];
}

const linnet_tensor_info* linnet_plan_output_info(const linnet_plan* plan, int32_t signature,
                                                  int32_t index) {
  if (index < 0 || index >= linnet_plan_num_outputs(plan, signature)) return nullptr;
  const int32_t port = linnet_plan_num_inputs(plan, signature) + index;
  return &plan->ports[signature][static_cast<size_t>(port)];
}

linnet_status linnet_plan_get_stats(const linnet_plan* plan, linnet_plan_stats* stats) {
  if (plan == nullptr) return LINNET_INVALID_ARGUMENT;
  const linnet::PlanProgram& program = plan->verified.view.programs[0];
  linnet_plan_stats result;
  std::memset(&result, 0, sizeof(result));  // also the padding after `steps`
  result.plan_bytes = plan->bytes.bytes;
  result.weights_bytes = static_cast<int64_t>(plan->verified.view.header.weights_bytes);
  result.steps = static_cast<int32_t>(program.steps.size());
  result.arena_bytes = program.arena().bytes;
  result.lower_bound = program.arena().lower_bound;
  result.naive = program.arena().naive;
  result.imported_bound = program.arena().imported_bound;
  return linnet::api::Return(result, stats);
}

}  // extern "C"
