// SPDX-License-Identifier: Apache-2.0
#include "runtime/api/port_infos.h"

#include <algorithm>

#include "runtime/verify/kept_inputs.h"

namespace linnet::api {
namespace {

// `info` is zero before.
void Describe(const PlanPort& port, const PlanTensor& tensor, linnet_tensor_info& info) {
  info.name = port.name;
  info.source = port.source;
  info.dtype = static_cast<linnet_dtype>(tensor.type.dtype);
  info.rank = tensor.type.shape.rank();
  for (int i = 0; i < info.rank; ++i) info.dims[i] = tensor.type.shape[i];
  info.bytes = tensor.type.bytes();
  for (size_t i = 0; i < tensor.symbols.size(); ++i)
    if (tensor.symbols[i] >= 0) info.varies |= 1u << i;
}

// A session may run any program of its signature, so an input is kept if all of them keep it. The
// verifier has checked that they have the same inputs.
Status MarkKeptInputs(linnet_plan* plan) {
  Region temporary(plan->region.allocator());
  const std::span<const VerifiedProgram> programs = plan->verified.programs;
  for (int32_t p = 0; p < std::ssize(programs); ++p) {
    const size_t count = programs[p].plan->inputs.size();
    auto* kept = temporary.New<bool>(static_cast<int64_t>(count));
    if (kept == nullptr) return kNoMemoryToOpen;
    LINNET_RETURN_IF_ERROR(FindKeptInputs(programs[p], plan->region, {kept, count}));
    for (size_t i = 0; i < count; ++i) {
      linnet_tensor_info& info = plan->ports[programs[p].signature][i];
      const bool is_first = p == programs[p].signature;
      const bool so_far = is_first || (info.flags & LINNET_TENSOR_KEPT) != 0;
      info.flags = so_far && kept[i] ? LINNET_TENSOR_KEPT : 0;
    }
    temporary.Free(kept);
  }
  return {};
}

}  // namespace

Status DescribePorts(linnet_plan* plan) {
  const std::span<const PlanProgram> programs = plan->verified.view.programs;
  plan->num_host_programs =
      static_cast<int>(std::count_if(programs.begin(), programs.end(), [](const PlanProgram& p) {
        return p.variant == Variant::kHost;
      }));
  plan->ports = plan->region.New<std::span<linnet_tensor_info>>(plan->num_signatures());
  if (plan->ports == nullptr) return kNoMemoryToOpen;
  for (int p = 0; p < plan->num_signatures(); ++p) {
    const PlanProgram& program = programs[p];
    const size_t count = program.inputs.size() + program.outputs.size();
    auto* info = plan->region.New<linnet_tensor_info>(static_cast<int64_t>(count));
    if (info == nullptr) return kNoMemoryToOpen;
    plan->ports[p] = {info, count};
    for (const std::span<const PlanPort> ports : {program.inputs, program.outputs})
      for (const PlanPort& port : ports) Describe(port, program.tensors[port.tensor], *info++);
  }
  return MarkKeptInputs(plan);
}

}  // namespace linnet::api
