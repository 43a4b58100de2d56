// SPDX-License-Identifier: Apache-2.0
// Running a session: on the calling thread, or on a thread of its own.
#include "runtime/api/error.h"
#include "runtime/api/session_handle.h"

namespace linnet::api {
namespace {

// Also says which step failed.
linnet_status ReportRun(const Status& status, linnet_session* session) {
  if (status.ok()) return Report(status, &session->last_error);
  Diagnostic diagnostic;
  if (status.step() != kNoStep)
    diagnostic.Format("step %d '%s': %s", static_cast<int>(status.step()),
                      session->program().steps[status.step()].source, status.what());
  return Report(status, diagnostic, &session->last_error);
}

Status Submit(linnet_session* session) {
  if (session->submitted) return kSubmitted;
  if (!session->thread.has_value()) session->thread.emplace();
  const bool begun = session->thread->Begin(
      [](void* raw) {
        auto* self = static_cast<linnet_session*>(raw);
        self->submitted_status = Run(self);
      },
      session);
  if (!begun)
    return {StatusCode::kNoMemory, "the system could not start a thread for submitted runs"};
  session->submitted = true;
  return {};
}

Status Wait(linnet_session* session, int64_t timeout_ns) {
  if (!session->submitted) return {StatusCode::kInvalidArgument, "no run was submitted"};
  switch (session->thread->Wait(timeout_ns)) {
    case BackgroundThread::Outcome::kRunning:
      return {StatusCode::kTimeout, "the time is up and the run is still going on"};
    case BackgroundThread::Outcome::kGone:
      session->submitted = false;
      return {StatusCode::kCancelled, "the run continues in the parent process only"};
    case BackgroundThread::Outcome::kDone:
      break;
  }
  session->submitted = false;
  return session->submitted_status;
}

}  // namespace
}  // namespace linnet::api

extern "C" {

linnet_status linnet_session_run(linnet_session* session) {
  if (session == nullptr) return LINNET_INVALID_ARGUMENT;
  if (session->submitted) return linnet::api::Report(linnet::api::kSubmitted, &session->last_error);
  return linnet::api::ReportRun(linnet::api::Run(session), session);
}

linnet_status linnet_session_submit(linnet_session* session) {
  if (session == nullptr) return LINNET_INVALID_ARGUMENT;
  return linnet::api::Report(linnet::api::Submit(session), &session->last_error);
}

linnet_status linnet_session_wait(linnet_session* session, int64_t timeout_ns) {
  if (session == nullptr) return LINNET_INVALID_ARGUMENT;
  return linnet::api::ReportRun(linnet::api::Wait(session, timeout_ns), session);
}

void linnet_session_reset(linnet_session* session) {
  if (session != nullptr && !session->submitted) session->current()->Reset();
}

void linnet_session_cancel(linnet_session* session) {
  if (session != nullptr) session->first->Cancel();
}

const linnet_error* linnet_session_last_error(const linnet_session* session) {
  static constexpr linnet_error kNoSession{LINNET_INVALID_ARGUMENT, linnet::kNoStep, 0,
                                           "session is NULL"};
  return session == nullptr ? &kNoSession : &session->last_error;
}

}  // extern "C"
