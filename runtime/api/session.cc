// SPDX-License-Identifier: Apache-2.0
#include <cstdio>
#include <new>

#include "runtime/api/backend_table.h"
#include "runtime/api/block.h"
#include "runtime/api/error.h"
#include "runtime/api/session_handle.h"

namespace linnet::api {
namespace {

constexpr Status kNoMemory{StatusCode::kNoMemory, "not enough memory for the session"};

void Destroy(linnet_session* session) {
  if (session == nullptr) return;
  if (session->submitted) session->interpreter->Cancel();
  session->thread.reset();  // waits for the run
  if (session->interpreter != nullptr) session->interpreter->~Interpreter();
  linnet_weights* shared = session->shares_weights ? session->weights : nullptr;
  if (session->in_block)
    session->~linnet_session();
  else
    session->plan->allocator.Delete(session);
  if (shared != nullptr) ReleaseSharedWeights(shared);
}

linnet_session* NewSession(linnet_plan* plan, const linnet_session_options& options) {
  if (options.block == nullptr) {
    auto* session = plan->allocator.New<linnet_session>(plan);
    if (session != nullptr) LimitRegion(options, &session->region);
    return session;
  }
  const BlockLayout layout =
      SplitBlock(options.block, static_cast<int64_t>(options.block_bytes), sizeof(linnet_session));
  if (layout.handle == nullptr) return nullptr;
  return new (layout.handle) linnet_session(plan, layout.rest, layout.rest_bytes);
}

Status OpenThreads(const linnet_session_options& options, ThreadPool* pool) {
  if (options.pool == nullptr) return pool->Open(options.threads);
  return pool->Lend(options.pool);
}

Status Fill(linnet_plan* plan, const linnet_session_options& options, linnet_session* session,
            Diagnostic* diagnostic) {
  LINNET_RETURN_IF_ERROR(OpenThreads(options, &session->pool));
  if (options.weights != nullptr) {
    session->weights = options.weights;
    if (options.weights->plan != plan)
      return {StatusCode::kInvalidArgument, "the prepared weights belong to another plan"};
  } else {
    LINNET_RETURN_IF_ERROR(AcquireSharedWeights(plan, options, &session->weights, diagnostic));
    session->shares_weights = true;
  }
  void* memory = session->region.Allocate(sizeof(Interpreter));
  if (memory == nullptr) return kNoMemory;
  session->interpreter = new (memory) Interpreter(&session->region, &session->weights->prepared);
  return session->interpreter->Create(session->pool.threads(), diagnostic);
}

Status Create(linnet_plan* plan, const linnet_session_options& options, linnet_session** out,
              Diagnostic* diagnostic) {
  if (options.weights == nullptr && plan->FindProgram(options.signature) < 0)
    return {StatusCode::kInvalidArgument, "the plan has no signature of that name"};
  linnet_session* session = NewSession(plan, options);
  Status status = kNoMemory;
  if (session != nullptr) status = Fill(plan, options, session, diagnostic);
  if (status.ok()) {
    *out = session;
    return {};
  }
  Destroy(session);
  return status;
}

linnet_memory Memory(const linnet_session& session) {
  const SessionBytes& bytes = session.interpreter->bytes();
  linnet_memory memory{};
  memory.struct_size = sizeof(memory);
  memory.block = SplitBlock(nullptr, 0, sizeof(linnet_session)).before_rest + session.region.peak();
  memory.arena = bytes.arena;
  memory.operators = bytes.operators;
  memory.workspace = bytes.workspace;
  memory.state = memory.block - bytes.arena - bytes.operators - bytes.workspace;
  memory.prepared = session.weights->prepared.bytes();
  memory.backend_heap = BackendHeapBytes();
  memory.devices = bytes.devices + session.weights->prepared.device_bytes();
  return memory;
}

// Creates the session without a block, to find out how much memory it needs.
Status Measure(linnet_plan* plan, linnet_session_options options, linnet_memory* memory,
               Diagnostic* diagnostic) {
  options.block = nullptr;
  options.block_bytes = 0;
  linnet_session* session = nullptr;
  LINNET_RETURN_IF_ERROR(Create(plan, options, &session, diagnostic));
  *memory = Memory(*session);
  Destroy(session);
  return {};
}

void ExplainBlock(linnet_plan* plan, const linnet_session_options& options,
                  Diagnostic* diagnostic) {
  linnet_memory memory{};
  if (!Measure(plan, options, &memory, nullptr).ok()) return;
  const int64_t misaligned =
      static_cast<int64_t>(-reinterpret_cast<uintptr_t>(options.block) & (kHostAlignment - 1));
  diagnostic->bytes_needed = memory.block + misaligned;
  diagnostic->Format("the session's block has %lld bytes, %lld are needed",
                     static_cast<long long>(options.block_bytes),
                     static_cast<long long>(diagnostic->bytes_needed));
}

// These tell the caller's log what was decided and may be unexpected.
void LogThreads(const linnet_session_options& options, const linnet_session& session) {
  const int started = session.pool.threads().parallel.threads;
  if (options.log == nullptr || options.pool != nullptr || started >= options.threads) return;
  char text[96];
  std::snprintf(text, sizeof(text),
                "the session runs on %d of %d threads: the system started no more", started,
                static_cast<int>(options.threads));
  options.log(options.log_context, LINNET_LOG_WARNING, text);
}

void LogBackends(const linnet_session_options& options, const linnet_session& session) {
  if (options.log == nullptr) return;
  const PreparedWeights& weights = session.weights->prepared;
  int64_t steps[PreparedWeights::kMaxBackends] = {};
  for (const PreparedWeights::Step& step : weights.steps())
    if (step.backend >= 0) ++steps[step.backend];
  for (size_t i = 0; i < weights.backends().size(); ++i) {
    char text[96];
    std::snprintf(text, sizeof(text), "%lld of %lld steps run on %s",
                  static_cast<long long>(steps[i]), static_cast<long long>(weights.steps().size()),
                  weights.backends()[i]->name());
    options.log(options.log_context, LINNET_LOG_INFO, text);
  }
}

}  // namespace
}  // namespace linnet::api

extern "C" {

using linnet::Status;
using linnet::StatusCode;

linnet_status linnet_session_bytes(linnet_plan* plan, const linnet_session_options* options,
                                   linnet_memory* memory, linnet_error* error) {
  if (plan == nullptr || memory == nullptr)
    return linnet::api::Report({StatusCode::kInvalidArgument, "plan or memory is NULL"}, error);
  linnet::Diagnostic diagnostic;
  linnet_memory measured{};
  const linnet_session_options wanted = linnet::api::Defaulted(options);
  const Status status = linnet::api::Measure(plan, wanted, &measured, &diagnostic);
  linnet::api::ExplainLimit(wanted, status, &diagnostic);
  if (!status.ok()) return linnet::api::Report(status, diagnostic, error);
  return linnet::api::Return(measured, memory);
}

linnet_status linnet_session_create(linnet_plan* plan, const linnet_session_options* options,
                                    linnet_session** session, linnet_error* error) {
  if (plan == nullptr || session == nullptr)
    return linnet::api::Report({StatusCode::kInvalidArgument, "plan or session is NULL"}, error);
  *session = nullptr;
  const linnet_session_options wanted = linnet::api::Defaulted(options);
  linnet::Diagnostic diagnostic;
  const Status status = linnet::api::Create(plan, wanted, session, &diagnostic);
  if (status.ok()) {
    linnet::api::LogThreads(wanted, **session);
    linnet::api::LogBackends(wanted, **session);
  }
  if (status.code() == StatusCode::kNoMemory && wanted.block != nullptr)
    linnet::api::ExplainBlock(plan, wanted, &diagnostic);
  linnet::api::ExplainLimit(wanted, status, &diagnostic);
  return linnet::api::Report(status, diagnostic, error);
}

void linnet_session_destroy(linnet_session* session) { linnet::api::Destroy(session); }

linnet_status linnet_session_memory(const linnet_session* session, linnet_memory* memory) {
  if (session == nullptr) return LINNET_INVALID_ARGUMENT;
  return linnet::api::Return(linnet::api::Memory(*session), memory);
}

}  // extern "C"
