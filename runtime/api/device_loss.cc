// SPDX-License-Identifier: Apache-2.0
// A session whose device is lost goes on with the host's program of its signature.
#include "runtime/api/choose_program.h"
#include "runtime/api/error.h"
#include "runtime/api/gpu_sessions.h"
#include "runtime/api/gpu_trust.h"
#include "runtime/api/session_handle.h"
#include "runtime/core/format.h"

namespace linnet::api {
namespace {

constexpr Status kNoMemory{StatusCode::kNoMemory, "not enough memory for the host's program"};

Status CreateHost(linnet_session* session, const ProgramChoice& choice, Interpreter** out) {
  LINNET_RETURN_IF_ERROR(
      CreateHostProgram(session, choice, &session->host_region, &session->host_weights, out));
  return (*out)->TakeOver(*session->first);
}

// Whether a run failed because of the GPU, and not because of its inputs or its caller.
bool IsTheGpus(const Status& status) {
  return status.code() != StatusCode::kBadIndex && status.code() != StatusCode::kCancelled;
}

// False, and nothing is left behind, where the host's program cannot take over.
bool TakeOver(linnet_session* session, const Status& lost) {
  const ProgramChoice failed{.signature = session->weights->signature};
  const ProgramChoice choice = HostInstead(failed, {}, lost);
  Interpreter* host = nullptr;
  if (CreateHost(session, choice, &host).ok()) {
    session->why_not_gpu = choice.why_not_gpu;
    session->host.store(host, std::memory_order_release);
    return true;
  }
  if (host != nullptr) host->~Interpreter();
  session->host_region.reset();
  if (session->host_weights != nullptr) ReleaseSharedWeights(session->host_weights);
  session->host_weights = nullptr;
  return false;
}

}  // namespace

Status CreateHostProgram(linnet_session* session, const ProgramChoice& choice,
                         std::optional<Region>* region, linnet_weights** weights,
                         Interpreter** out) {
  linnet_session_options options{};
  options.struct_size = sizeof(options);
  options.max_bytes = session->max_bytes;
  LINNET_RETURN_IF_ERROR(AcquireSharedWeights(session->plan, options, choice, weights, nullptr));
  LimitRegion(options, &region->emplace(session->plan->allocator));
  void* memory = (*region)->Allocate(sizeof(Interpreter));
  if (memory == nullptr) return kNoMemory;
  *out = new (memory) Interpreter(&**region, &(*weights)->prepared);
  return (*out)->Create(session->pool.threads(), nullptr);
}

Status Run(linnet_session* session) {
  const Status status = session->current()->Run();
  if (status.ok() || session->host != nullptr || session->weights->backend != LINNET_BACKEND_VULKAN)
    return status;
  return kLinkedGpuSessions->go_on(session, status);
}

Status GoOnWithHost(linnet_session* session, const Status& status) {
  if (!IsTheGpus(status)) return status;
  if (status.code() == StatusCode::kDeviceLost) RecordLoss(session);
  char text[256];
  if (!TakeOver(session, status)) {
    FormatText(text, sizeof(text), "the GPU is lost and the CPU cannot take over: %s",
               status.what());
    Log(*session, LINNET_LOG_WARNING, text);
    return status;
  }
  FormatText(text, sizeof(text), "the GPU is lost, the session goes on with the CPU: %s",
             status.what());
  Log(*session, LINNET_LOG_WARNING, text);
  return session->host.load()->Run();
}

}  // namespace linnet::api

extern "C" linnet_status linnet_session_backend(const linnet_session* session,
                                                linnet_backend_info* info) {
  if (session == nullptr) return LINNET_INVALID_ARGUMENT;
  const bool lost = session->host.load(std::memory_order_acquire) != nullptr;
  linnet_backend_info now;
  __builtin_memset(&now, 0, sizeof(now));  // also the padding at the end
  now.struct_size = sizeof(now);
  now.backend = lost ? linnet_backend{LINNET_BACKEND_CPU} : session->weights->backend;
  now.device_lost = lost ? 1 : 0;
  now.why_not_gpu = now.backend == LINNET_BACKEND_VULKAN ? nullptr : session->why_not_gpu.text();
  now.self_test = session->self_test;
  now.why_cache_refused = session->why_cache_refused;
  return linnet::api::Return(now, info);
}
