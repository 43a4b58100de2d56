// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstring>

#include "runtime/api/error.h"
#include "runtime/api/gpu_trust.h"
#include "runtime/api/plan_handle.h"

namespace linnet::api {
namespace {

// Reads the whole plan through `reader` into memory of the plan's allocator.
Status ReadAll(const linnet_reader& reader, linnet_plan* plan) {
  const int64_t bytes = reader.size(reader.context);
  if (bytes < 0) return {StatusCode::kIo, "the read hook could not tell the size of the plan"};
  if (bytes > (int64_t{1} << 40)) return {StatusCode::kInvalidPlan, "the plan is too large"};
  plan->copied_bytes = bytes + 1;  // so that an empty plan has memory too
  plan->copied = plan->allocator.Allocate(plan->copied_bytes, kHostAlignment);
  if (plan->copied == nullptr) return kNoMemoryToOpen;
  if (bytes > 0 && reader.read(reader.context, 0, plan->copied, static_cast<size_t>(bytes)) != 0)
    return {StatusCode::kIo, "the read hook failed"};
  plan->bytes = {static_cast<const std::byte*>(plan->copied), bytes, nullptr};
  return {};
}

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

// Describes the inputs and outputs of each signature, once for all sessions.
Status DescribePorts(linnet_plan* plan) {
  plan->num_host_programs = static_cast<int>(
      std::ranges::count(plan->verified.view.programs, Variant::kHost, &PlanProgram::variant));
  const auto programs =
      plan->verified.view.programs.first(static_cast<size_t>(plan->num_signatures()));
  plan->ports =
      plan->region.New<std::span<const linnet_tensor_info>>(static_cast<int64_t>(programs.size()));
  if (plan->ports == nullptr) return kNoMemoryToOpen;
  for (size_t p = 0; p < programs.size(); ++p) {
    const PlanProgram& program = programs[p];
    const size_t count = program.inputs.size() + program.outputs.size();
    auto* info = plan->region.New<linnet_tensor_info>(static_cast<int64_t>(count));
    if (info == nullptr) return kNoMemoryToOpen;
    plan->ports[p] = {info, count};
    for (const std::span<const PlanPort> ports : {program.inputs, program.outputs})
      for (const PlanPort& port : ports) *info++ = Describe(port, program.tensors[port.tensor]);
  }
  return {};
}

Status AllocateTrust(linnet_plan* plan) {
  if (std::ssize(plan->verified.view.programs) == plan->num_signatures()) return {};
  plan->trust = plan->region.New<GpuTrust>(plan->num_signatures());
  return plan->trust == nullptr ? kNoMemoryToOpen : Status();
}

const PlanProgram* ProgramOf(const linnet_plan* plan, int32_t signature) {
  if (signature < 0 || signature >= linnet_plan_num_signatures(plan)) return nullptr;
  return &plan->verified.view.programs[static_cast<size_t>(signature)];
}

Status ReadAllocator(const linnet_allocator* given, HostAllocator* allocator) {
  *allocator = kMalloc;
  if (given == nullptr) return {};
  const linnet_allocator hooks = Defaulted(given);
  if (hooks.allocate == nullptr || hooks.release == nullptr)
    return {StatusCode::kInvalidArgument, "the allocator lacks a function"};
  *allocator = {hooks.context, hooks.allocate, hooks.release};
  return {};
}

// Runs `load` to fill plan->bytes, then verifies. A failure leaves nothing behind.
template <typename Load>
linnet_status Open(const linnet_open_options& options, const Load& load, linnet_plan** out,
                   linnet_error* error) {
  if (out == nullptr) return Report({StatusCode::kInvalidArgument, "plan is NULL"}, error);
  *out = nullptr;
  if ((options.flags & ~static_cast<uint32_t>(LINNET_OPEN_COPY)) != 0)
    return Report({StatusCode::kInvalidArgument, "flags has a bit that this library does not know"},
                  error);
  HostAllocator allocator = kMalloc;
  if (const Status read = ReadAllocator(options.allocator, &allocator); !read.ok())
    return Report(read, error);
  auto* plan = allocator.New<linnet_plan>(allocator);
  if (plan == nullptr) return Report(kNoMemoryToOpen, error);
  Diagnostic diagnostic;
  Status status = load(plan);
  if (status.ok())
    status = linnet::VerifyPlan({plan->bytes.data, static_cast<size_t>(plan->bytes.bytes)},
                                plan->region, &plan->verified, &diagnostic);
  if (status.ok()) status = DescribePorts(plan);
  if (status.ok()) status = AllocateTrust(plan);
  if (status.ok())
    *out = plan;
  else
    linnet_plan_close(plan);
  return Report(status, diagnostic, error);
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
  const auto programs = verified.view.programs;
  for (size_t i = 0; i < programs.size(); ++i)
    if (programs[i].variant == variant &&
        std::strcmp(programs[i].key, programs[signature].key) == 0)
      return static_cast<int>(i);
  return -1;
}

extern "C" {

using linnet::Status;
using linnet::StatusCode;

linnet_status linnet_plan_open_file(const char* path, const linnet_open_options* options,
                                    linnet_plan** plan, linnet_error* error) {
  const linnet_open_options wanted = linnet::api::Defaulted(options);
  return linnet::api::Open(
      wanted,
      [&](linnet_plan* opened) -> Status {
        if (path == nullptr) return {StatusCode::kInvalidArgument, "path is NULL"};
        const bool copy = (wanted.flags & LINNET_OPEN_COPY) != 0;
        const Status status =
            copy ? opened->file.Read(path, opened->allocator) : opened->file.Map(path);
        opened->bytes = {opened->file.data(), opened->file.bytes(), nullptr};
        if (!copy)
          opened->bytes.drop_pages = [](const linnet::PlanFile& file, int64_t offset,
                                        int64_t bytes) {
            linnet::FileBytes::DropPages(file.data, offset, bytes);
          };
        return status;
      },
      plan, error);
}

linnet_status linnet_plan_open_memory(const void* data, size_t bytes,
                                      const linnet_open_options* options, linnet_plan** plan,
                                      linnet_error* error) {
  return linnet::api::Open(
      linnet::api::Defaulted(options),
      [&](linnet_plan* opened) -> Status {
        if (data == nullptr) return {StatusCode::kInvalidArgument, "data is NULL"};
        opened->bytes = {static_cast<const std::byte*>(data), static_cast<int64_t>(bytes), nullptr};
        return {};
      },
      plan, error);
}

linnet_status linnet_plan_open_reader(const linnet_reader* reader,
                                      const linnet_open_options* options, linnet_plan** plan,
                                      linnet_error* error) {
  return linnet::api::Open(
      linnet::api::Defaulted(options),
      [&](linnet_plan* opened) -> Status {
        const linnet_reader given = linnet::api::Defaulted(reader);
        if (given.size == nullptr || given.read == nullptr)
          return {StatusCode::kInvalidArgument, "reader is NULL or lacks a function"};
        return linnet::api::ReadAll(given, opened);
      },
      plan, error);
}

void linnet_plan_close(linnet_plan* plan) {
  if (plan == nullptr) return;
  const linnet::HostAllocator allocator = plan->allocator;
  allocator.Release(plan->copied, plan->copied_bytes);
  allocator.Delete(plan);
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
