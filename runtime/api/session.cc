// SPDX-License-Identifier: Apache-2.0
#include <new>

#include "runtime/api/backend_table.h"
#include "runtime/api/block.h"
#include "runtime/api/choose_program.h"
#include "runtime/api/device.h"
#include "runtime/api/error.h"
#include "runtime/api/gpu_sessions.h"
#include "runtime/api/session_handle.h"
#include "runtime/core/format.h"

namespace linnet::api {
namespace {

constexpr Status kNoMemory{StatusCode::kNoMemory, "not enough memory for the session"};

Status OpenThreads(const linnet_session_options& options, ThreadPool* pool) {
  if (options.pool == nullptr) return pool->Open(options.threads);
  return pool->Lend(options.pool);
}

// Lets the device continue with what its driver compiled in an earlier process.
Status OpenCache(linnet_session* session, std::span<const std::byte> driver_data) {
  const PreparedWeights& weights = session->weights->prepared;
  for (size_t i = 0; i < weights.backends().size(); ++i)
    if (PackedWeights* packed = weights.packed_weights(static_cast<int>(i)); packed != nullptr)
      LINNET_RETURN_IF_ERROR(packed->OpenCache(driver_data));
  return {};
}

// `given`: the caller's weights, or null. `start`: null for the host's program.
Status Fill(linnet_plan* plan, const linnet_session_options& options, linnet_weights* given,
            const ProgramChoice& choice, const GpuStart* start, linnet_session* session,
            Diagnostic* diagnostic) {
  session->log = options.log;
  session->log_context = options.log_context;
  session->max_bytes = options.max_bytes;
  session->store_cache = options.store_cache;
  session->store_context = options.store_context;
  session->why_not_gpu = choice.why_not_gpu;
  LINNET_RETURN_IF_ERROR(OpenThreads(options, &session->pool));
  session->weights = given;
  if (given == nullptr) {
    LINNET_RETURN_IF_ERROR(
        AcquireSharedWeights(plan, options, choice, &session->weights, diagnostic));
    session->shares_weights = true;
  }
  if (start != nullptr) LINNET_RETURN_IF_ERROR(OpenCache(session, start->driver_data));
  void* memory = session->region.Allocate(sizeof(Interpreter));
  if (memory == nullptr) return kNoMemory;
  session->first = new (memory) Interpreter(&session->region, &session->weights->prepared);
  if (start != nullptr && start->precise) session->first->SetPrecise();
  return session->first->Create(session->pool.threads(), diagnostic);
}

}  // namespace

void Destroy(linnet_session* session) {
  if (session == nullptr) return;
  if (session->submitted) session->first->Cancel();
  session->thread.reset();  // waits for the run
  if (Interpreter* host = session->host; host != nullptr) host->~Interpreter();
  if (session->first != nullptr) session->first->~Interpreter();
  linnet_weights* shared = session->shares_weights ? session->weights : nullptr;
  linnet_weights* host_weights = session->host_weights;
  DeleteHandle(session, session->plan->allocator);
  if (shared != nullptr) ReleaseSharedWeights(shared);
  if (host_weights != nullptr) ReleaseSharedWeights(host_weights);
}

Status CreateFor(linnet_plan* plan, const linnet_session_options& options, linnet_weights* given,
                 const ProgramChoice& choice, const GpuStart* start, linnet_session** out,
                 Diagnostic* diagnostic) {
  auto* session =
      NewHandle<linnet_session>(plan, plan->allocator, options.block, options.block_bytes);
  Status status = kNoMemory;
  if (session != nullptr) {
    LimitRegion(options, &session->region);
    status = Fill(plan, options, given, choice, start, session, diagnostic);
  }
  if (status.ok()) {
    *out = session;
    return {};
  }
  Destroy(session);
  return status;
}

namespace {

Status Create(linnet_plan* plan, const linnet_session_options& options, linnet_session** out,
              Diagnostic* diagnostic) {
  ProgramChoice choice;
  linnet_weights* const given = options.weights;
  if (given == nullptr) {
    LINNET_RETURN_IF_ERROR(ChooseProgram(*plan, options, &choice));
  } else if (given->plan != plan) {
    return {StatusCode::kInvalidArgument, "the prepared weights belong to another plan"};
  } else {
    choice = {given->signature, given->program, {}, given->backend, given->why_not_gpu};
  }
  if ((options.flags & ~static_cast<uint32_t>(LINNET_SESSION_NO_SELF_TEST)) != 0)
    return {StatusCode::kInvalidArgument, "flags has a bit that this library does not know"};
  if (choice.backend == LINNET_BACKEND_VULKAN)
    return kLinkedGpuSessions->create(plan, options, given, choice, out, diagnostic);
  return CreateFor(plan, options, given, choice, nullptr, out, diagnostic);
}

linnet_memory Memory(const linnet_session& session) {
  SessionBytes bytes = session.first->bytes();
  linnet_memory memory{};
  memory.struct_size = sizeof(memory);
  memory.block = SplitBlock(nullptr, 0, sizeof(linnet_session)).before_rest + session.region.peak();
  memory.prepared = session.weights->prepared.bytes();
  if (const Interpreter* host = session.host; host != nullptr) {
    memory.block += session.host_region->peak();
    memory.prepared += session.host_weights->prepared.bytes();
    bytes.arena += host->bytes().arena;
    bytes.operators += host->bytes().operators;
    bytes.workspace += host->bytes().workspace;
  }
  memory.arena = bytes.arena;
  memory.operators = bytes.operators;
  memory.workspace = bytes.workspace;
  memory.state = memory.block - bytes.arena - bytes.operators - bytes.workspace;
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
  if (options.pool != nullptr || started >= options.threads) return;
  char text[96];
  FormatText(text, sizeof(text), "the session runs on %d of %d threads: the system started no more",
             started, static_cast<int>(options.threads));
  Log(session, LINNET_LOG_WARNING, text);
}

void LogBackends(const linnet_session_options& options, const linnet_session& session) {
  if (session.log == nullptr) return;
  if (session.why_cache_refused != nullptr)
    Log(session, LINNET_LOG_WARNING, session.why_cache_refused);
  const linnet_plan& plan = *session.plan;
  const bool could = plan.FindVariant(session.weights->signature, Variant::kVulkan) >= 0;
  if (session.weights->backend != LINNET_BACKEND_VULKAN && could) {
    char text[Diagnostic::kCapacity + 32];
    FormatText(text, sizeof(text), "the CPU runs the plan: %s", session.why_not_gpu.text());
    const bool unexpected = options.backend == LINNET_BACKEND_VULKAN || IsGpu(options.device) ||
                            session.self_test == LINNET_SELF_TEST_FAILED;
    Log(session, unexpected ? LINNET_LOG_WARNING : LINNET_LOG_INFO, text);
  }
  const PreparedWeights& weights = session.weights->prepared;
  int64_t steps[PreparedWeights::kMaxBackends] = {};
  for (const PreparedWeights::Step& step : weights.steps())
    if (step.backend >= 0) ++steps[step.backend];
  for (size_t i = 0; i < weights.backends().size(); ++i) {
    char text[96];
    FormatText(text, sizeof(text), "%lld of %lld steps run on %s", static_cast<long long>(steps[i]),
               static_cast<long long>(weights.steps().size()), weights.backends()[i]->name());
    Log(session, LINNET_LOG_INFO, text);
  }
}

}  // namespace

void Log(const linnet_session& session, linnet_log_level level, const char* text) {
  if (session.log != nullptr) session.log(session.log_context, level, text);
}

}  // namespace linnet::api

extern "C" {

using linnet::Status;
using linnet::StatusCode;

linnet_status linnet_session_bytes(linnet_plan* plan, const linnet_session_options* options,
                                   linnet_memory* memory, linnet_error* error) {
  if (plan == nullptr || memory == nullptr)
    return linnet::api::Report({StatusCode::kInvalidArgument, "plan or memory is NULL"}, error);
  if (memory->struct_size < sizeof(memory->struct_size))
    return linnet::api::Report({StatusCode::kInvalidArgument, "memory->struct_size is not set"},
                               error);
  linnet::Diagnostic diagnostic;
  linnet_memory measured{};
  const linnet_session_options wanted = linnet::api::Defaulted(options);
  const Status status = linnet::api::Measure(plan, wanted, &measured, &diagnostic);
  linnet::api::ExplainLimit(wanted, status, &diagnostic);
  if (status.ok()) linnet::api::Return(measured, memory);
  return linnet::api::Report(status, diagnostic, error);
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
