// SPDX-License-Identifier: Apache-2.0
#include "runtime/api/gpu_sessions.h"

#include "runtime/api/gpu_trust.h"

namespace linnet::api {
namespace {

// As CreateOnGpu, for an attempt that has begun, in the way that it says.
Status CreateTested(GpuAttempt& attempt, linnet_plan* plan, const linnet_session_options& options,
                    linnet_weights* given, const ProgramChoice& choice, linnet_session** out,
                    Diagnostic* diagnostic) {
  const GpuStart start = {attempt.driver_data(), attempt.precise()};
  Status status = CreateFor(plan, options, given, choice, &start, out, diagnostic);
  if (!status.ok()) return status;
  status = attempt.Test(*out, diagnostic);
  if (status.ok()) return {};
  Destroy(*out);
  *out = nullptr;
  return status;
}

// A session whose GPU has passed the self-test; after an error nothing is left.
Status CreateOnGpu(GpuAttempt& attempt, linnet_plan* plan, const linnet_session_options& options,
                   linnet_weights* given, const ProgramChoice& choice, linnet_session** out,
                   Diagnostic* diagnostic) {
  LINNET_RETURN_IF_ERROR(attempt.Begin(diagnostic));
  Status status = CreateTested(attempt, plan, options, given, choice, out, diagnostic);
  if (attempt.TryPrecise(status)) {
    Diagnostic fast;
    fast.Format(
        "the GPU computes in a slower and more exact way, because the faster one failed: %s",
        diagnostic->TextOr(status.what()));
    *diagnostic = {};
    status = CreateTested(attempt, plan, options, given, choice, out, diagnostic);
    if (status.ok()) Log(**out, LINNET_LOG_WARNING, fast.text);
  }
  attempt.End(*out);
  return status;
}

// Where the GPU's program cannot be prepared or trusted, the host's runs.
Status CreateOnGpuOrHost(linnet_plan* plan, const linnet_session_options& options,
                         linnet_weights* given, const ProgramChoice& choice, linnet_session** out,
                         Diagnostic* diagnostic) {
  Diagnostic why;
  Status status;
  linnet_self_test self_test;
  const char* why_refused;
  {
    GpuAttempt attempt(plan, options, choice.signature);
    status = CreateOnGpu(attempt, plan, options, given, choice, out, &why);
    self_test = attempt.self_test();
    why_refused = attempt.why_refused();
  }
  if (!status.ok())
    status = CreateFor(plan, options, nullptr, HostInstead(choice, why, status), nullptr, out,
                       diagnostic);
  if (!status.ok()) return status;
  (*out)->self_test = self_test;
  (*out)->why_cache_refused = why_refused;
  return {};
}

}  // namespace

const GpuSessions kGpuSessions = {
    .device = FindGpu, .create = CreateOnGpuOrHost, .go_on = GoOnWithHost};

}  // namespace linnet::api
