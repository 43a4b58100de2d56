// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <span>

#include "runtime/api/choose_program.h"
#include "runtime/api/session_handle.h"
#include "runtime/session/device_cache.h"
#include "runtime/threads/mutex.h"

// Whether a signature's program for the GPU can be trusted, and what of that the application stores
// for its next process: see linnet_session_options.cache.
namespace linnet::api {

// What this process knows of one signature. linnet_plan::trusting guards it.
struct GpuTrust {
  Verdict verdict = Verdict::kNone;
  bool from_cache = false;  // who says so is an earlier process
  bool stored = false;      // the application's callback has the blob
  WhyNotGpu why;            // a verdict against the GPU, if this process came to it
};

// The creation of one session that runs on the GPU. One at a time for each plan.
class GpuAttempt {
 public:
  GpuAttempt(linnet_plan* plan, const linnet_session_options& options, int signature);

  // Reads the caller's cache and tells its callback that an attempt begins. kUnsupported, and the
  // diagnostic says why: the GPU must not be tried.
  Status Begin(Diagnostic* diagnostic);
  // Whether the session must be told to compute precisely (Interpreter::SetPrecise): the GPU has no
  // faster way, or it is known that only the precise one is right.
  bool precise() const { return precise_; }
  // After a session could not be created, or failed: whether it was not precise, so that one that
  // is may be better. If so, the attempt goes on with that.
  bool TryPrecise(const Status& status);
  // For PackedWeights::OpenCache.
  std::span<const std::byte> driver_data() const { return cache_.driver; }
  // Tests a new session, unless it is known to pass.
  Status Test(linnet_session* session, Diagnostic* diagnostic);
  // Tells the callback how the attempt ended. `session`: null where it failed.
  void End(const linnet_session* session);

  linnet_self_test self_test() const;
  // Why the caller's cache is of no use; null when it is, or when there is none.
  const char* why_refused() const { return why_refused_; }

 private:
  void Read();
  bool PrefersSpeed() const;
  bool stores() const { return options_.store_cache != nullptr && !trust_.stored; }

  linnet_plan* const plan_;
  const linnet_session_options& options_;
  const int signature_;
  const Lock lock_;
  GpuTrust& trust_;
  DeviceCache cache_;
  bool precise_ = false;
  const char* why_refused_ = nullptr;
};

// Remembers that the session's GPU was lost, and tells the callback.
void RecordLoss(linnet_session* session);

// Prepares the host's program of the session's signature. The caller owns what was made, also after
// an error: `*out` is in `region`, `*weights` are shared.
Status CreateHostProgram(linnet_session* session, const ProgramChoice& choice,
                         std::optional<Region>* region, linnet_weights** weights,
                         Interpreter** out);

}  // namespace linnet::api
