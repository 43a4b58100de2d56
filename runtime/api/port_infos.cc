// SPDX-License-Identifier: Apache-2.0
#include "runtime/api/port_infos.h"

#include <algorithm>
#include <cstring>
#include <numeric>

#include "runtime/verify/kept_inputs.h"

namespace linnet::api {
namespace {

linnet_tensor_info Describe(const PlanPort& port, const PlanTensor& tensor) {
  linnet_tensor_info info{};
  info.name = port.name;
  info.source = port.source;
  info.dtype = static_cast<linnet_dtype>(tensor.type.dtype);
  info.rank = tensor.type.shape.rank();
  for (int i = 0; i < info.rank; ++i) info.dims[i] = tensor.type.shape[i];
  info.bytes = tensor.type.bytes();
  for (size_t i = 0; i < tensor.symbols.size(); ++i)
    if (tensor.symbols[i] >= 0) info.varies |= 1u << i;
  return info;
}

// A session may run any program of its signature, so an input is kept if all of them keep it. The
// verifier has checked that they have the same inputs.
class KeptInputs {
 public:
  // `infos`: of the signatures' inputs.
  KeptInputs(const linnet_plan& plan, linnet_tensor_info* const* infos)
      : plan_(plan), infos_(infos), temporary_(plan.region.allocator()) {}

  Status Mark() {
    const std::span<const PlanProgram> programs = plan_.verified.view.programs;
    const auto count = static_cast<size_t>(plan_.num_signatures());
    by_key_ = temporary_.New<size_t>(static_cast<int64_t>(count));
    if (by_key_ == nullptr) return kNoMemoryToOpen;
    std::iota(by_key_, by_key_ + count, size_t{0});
    std::sort(by_key_, by_key_ + count, [&](size_t a, size_t b) {
      return std::strcmp(programs[a].key, programs[b].key) < 0;
    });
    for (size_t p = 0; p < programs.size(); ++p)
      LINNET_RETURN_IF_ERROR(MarkThoseOf(p, p < count ? p : SignatureOf(programs[p])));
    return {};
  }

 private:
  size_t SignatureOf(const PlanProgram& program) const {
    const std::span<const PlanProgram> programs = plan_.verified.view.programs;
    return *std::lower_bound(
        by_key_, by_key_ + plan_.num_signatures(), program.key,
        [&](size_t host, const char* key) { return std::strcmp(programs[host].key, key) < 0; });
  }

  Status MarkThoseOf(size_t program, size_t signature) {
    const size_t count = plan_.verified.view.programs[program].inputs.size();
    auto* kept = temporary_.New<bool>(static_cast<int64_t>(count));
    if (kept == nullptr) return kNoMemoryToOpen;
    LINNET_RETURN_IF_ERROR(
        FindKeptInputs(plan_.verified.programs[program], plan_.region, {kept, count}));
    for (size_t i = 0; i < count; ++i) {
      linnet_tensor_info& info = infos_[signature][i];
      const bool is_first = program == signature;
      const bool so_far = is_first || (info.flags & LINNET_TENSOR_KEPT) != 0;
      info.flags = so_far && kept[i] ? LINNET_TENSOR_KEPT : 0;
    }
    temporary_.Free(kept);
    return {};
  }

  const linnet_plan& plan_;
  linnet_tensor_info* const* infos_;
  Region temporary_;
  size_t* by_key_ = nullptr;  // the signatures, sorted
};

}  // namespace

Status DescribePorts(linnet_plan* plan) {
  plan->num_host_programs = static_cast<int>(
      std::ranges::count(plan->verified.view.programs, Variant::kHost, &PlanProgram::variant));
  const auto programs =
      plan->verified.view.programs.first(static_cast<size_t>(plan->num_signatures()));
  const auto num_programs = static_cast<int64_t>(programs.size());
  plan->ports = plan->region.New<std::span<const linnet_tensor_info>>(num_programs);
  Region temporary(plan->region.allocator());
  auto** infos = temporary.New<linnet_tensor_info*>(num_programs);
  if (plan->ports == nullptr || infos == nullptr) return kNoMemoryToOpen;
  for (size_t p = 0; p < programs.size(); ++p) {
    const PlanProgram& program = programs[p];
    const size_t count = program.inputs.size() + program.outputs.size();
    auto* info = plan->region.New<linnet_tensor_info>(static_cast<int64_t>(count));
    if (info == nullptr) return kNoMemoryToOpen;
    plan->ports[p] = {info, count};
    infos[p] = info;
    for (const std::span<const PlanPort> ports : {program.inputs, program.outputs})
      for (const PlanPort& port : ports) *info++ = Describe(port, program.tensors[port.tensor]);
  }
  return KeptInputs(*plan, infos).Mark();
}

}  // namespace linnet::api
