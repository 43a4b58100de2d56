// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "runtime/api/backend_table.h"
#include "runtime/api/block.h"
#include "runtime/api/choose_program.h"
#include "runtime/api/error.h"
#include "runtime/api/plan_handle.h"
#include "runtime/core/hash.h"

namespace linnet::api {
namespace {

bool HasKernels(const linnet_session_options& options) {
  return kLinkedKernelProfile != nullptr && options.kernels != nullptr;
}

// Tells the caller's kernel profile, and the number of threads for which it is read, from others.
[[gnu::cold]] uint64_t HashOfKernels(const linnet_session_options& options) {
  return HashBytes({static_cast<const std::byte*>(options.kernels), options.kernels_bytes},
                   static_cast<uint64_t>(options.threads));
}

[[gnu::cold]] Status ReadKernels(const linnet_session_options& options, Region& region,
                                 KernelProfile* profile, Diagnostic* diagnostic) {
  const linnet_device& cpu = *linnet_get_device(0);
  const KernelMachine machine = {cpu.name, cpu.instruction_set, linnet_cpu_kernels(),
                                 std::max(static_cast<int>(options.threads), 1)};
  return kLinkedKernelProfile->read(
      {static_cast<const char*>(options.kernels), options.kernels_bytes}, machine, AllBackends(),
      region, profile, diagnostic);
}

// `kernels` may be null.
Status PrepareBy(const KernelProfile* kernels, const ProgramChoice& choice, linnet_weights* weights,
                 Diagnostic* diagnostic) {
  const linnet_plan& plan = *weights->plan;
  return weights->prepared.Prepare(plan.verified.programs[choice.program], plan.verified.view,
                                   plan.bytes, choice.backends, diagnostic, kernels);
}

[[gnu::cold]] Status PrepareByProfile(const linnet_session_options& options,
                                      const ProgramChoice& choice, linnet_weights* weights,
                                      Diagnostic* diagnostic) {
  weights->kernels = HashOfKernels(options);
  Region scratch(weights->plan->allocator);
  LimitRegion(options, &scratch);
  KernelProfile kernels;
  LINNET_RETURN_IF_ERROR(ReadKernels(options, scratch, &kernels, diagnostic));
  return PrepareBy(&kernels, choice, weights, diagnostic);
}

Status Fill(const linnet_session_options& options, const ProgramChoice& choice,
            linnet_weights* weights, Diagnostic* diagnostic) {
  LimitRegion(options, &weights->region);
  LimitRegion(options, &weights->prepared.temporaries());
  weights->signature = choice.signature;
  weights->program = choice.program;
  weights->backend = choice.backend;
  weights->why_not_gpu = choice.why_not_gpu;
  return HasKernels(options) ? PrepareByProfile(options, choice, weights, diagnostic)
                             : PrepareBy(nullptr, choice, weights, diagnostic);
}

// As PrepareWeights; where the GPU's program cannot be prepared, the host's is.
Status Prepare(linnet_plan* plan, const linnet_session_options& options, linnet_weights** weights,
               Diagnostic* diagnostic) {
  ProgramChoice choice;
  LINNET_RETURN_IF_ERROR(ChooseProgram(*plan, options, &choice));
  const Status status = PrepareWeights(plan, options, choice, weights, diagnostic);
  if (status.ok() || choice.backend != LINNET_BACKEND_VULKAN) return status;
  choice = HostInstead(choice, *diagnostic, status);
  *diagnostic = {};
  return PrepareWeights(plan, options, choice, weights, diagnostic);
}

}  // namespace

void LimitRegion(const linnet_session_options& options, Region* region) {
  if (options.max_bytes != 0 && region->owns_memory())
    region->Limit(static_cast<int64_t>(std::min<uint64_t>(options.max_bytes, INT64_MAX)));
}

void ExplainLimit(const linnet_session_options& options, const Status& status,
                  Diagnostic* diagnostic) {
  if (status.code() != StatusCode::kNoMemory || options.block != nullptr || options.max_bytes == 0)
    return;
  diagnostic->Format("more memory would be needed than max_bytes allows (%lld)",
                     static_cast<long long>(options.max_bytes));
}

void DestroyWeights(linnet_weights* weights) {
  if (weights != nullptr) DeleteHandle(weights, weights->plan->allocator);
}

Status PrepareWeights(linnet_plan* plan, const linnet_session_options& options,
                      const ProgramChoice& choice, linnet_weights** out, Diagnostic* diagnostic) {
  auto* weights =
      NewHandle<linnet_weights>(plan, plan->allocator, options.block, options.block_bytes);
  Status status{StatusCode::kNoMemory, "the block is too small for the prepared weights"};
  if (weights != nullptr) status = Fill(options, choice, weights, diagnostic);
  if (status.ok()) {
    *out = weights;
    return {};
  }
  DestroyWeights(weights);
  if (status.code() != StatusCode::kNoMemory || options.block == nullptr) return status;
  // Prepare once more without a block, to find out how large the block must be.
  linnet_session_options dry = options;
  dry.block = nullptr;
  linnet_weights* measured = nullptr;
  if (PrepareWeights(plan, dry, choice, &measured, nullptr).ok()) {
    diagnostic->bytes_needed =
        SplitBlock(options.block, 0, sizeof(linnet_weights)).before_rest + measured->region.peak();
    diagnostic->Format("the block for prepared weights has %lld bytes, %lld are needed",
                       static_cast<long long>(options.block_bytes),
                       static_cast<long long>(diagnostic->bytes_needed));
    DestroyWeights(measured);
  }
  return status;
}

Status AcquireSharedWeights(linnet_plan* plan, const linnet_session_options& options,
                            const ProgramChoice& choice, linnet_weights** out,
                            Diagnostic* diagnostic) {
  const Lock lock(plan->mutex);
  const uint64_t kernels = HasKernels(options) ? HashOfKernels(options) : 0;
  for (linnet_weights* w = plan->shared_weights; w != nullptr; w = w->next) {
    if (w->backend != choice.backend || w->program != choice.program) continue;
    if (w->kernels != kernels) continue;
    ++w->users;
    *out = w;
    return {};
  }
  linnet_session_options own = options;
  own.block = nullptr;
  LINNET_RETURN_IF_ERROR(PrepareWeights(plan, own, choice, out, diagnostic));
  (*out)->users = 1;
  (*out)->next = plan->shared_weights;
  plan->shared_weights = *out;
  return {};
}

void ReleaseSharedWeights(linnet_weights* weights) {
  const Lock lock(weights->plan->mutex);
  if (--weights->users > 0) return;
  linnet_weights** link = &weights->plan->shared_weights;
  while (*link != weights) link = &(*link)->next;
  *link = weights->next;
  DestroyWeights(weights);
}

}  // namespace linnet::api

extern "C" {

linnet_status linnet_weights_prepare(linnet_plan* plan, const linnet_session_options* options,
                                     linnet_weights** weights, linnet_error* error) {
  using linnet::StatusCode;
  if (plan == nullptr || weights == nullptr)
    return linnet::api::Report({StatusCode::kInvalidArgument, "plan or weights is NULL"}, error);
  *weights = nullptr;
  linnet::Diagnostic diagnostic;
  const linnet_session_options wanted = linnet::api::Defaulted(options);
  const linnet::Status status = linnet::api::Prepare(plan, wanted, weights, &diagnostic);
  linnet::api::ExplainLimit(wanted, status, &diagnostic);
  return linnet::api::Report(status, diagnostic, error);
}

void linnet_weights_release(linnet_weights* weights) { linnet::api::DestroyWeights(weights); }

}  // extern "C"
