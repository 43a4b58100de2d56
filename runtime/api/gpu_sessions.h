// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <span>

#include "runtime/api/choose_program.h"
#include "runtime/api/session_handle.h"

// The GPU, and sessions on it: their creation, with a test of the GPU, and what happens when it is
// lost. All of it is reached through kLinkedGpuSessions, so that a program whose backends are the
// CPU's does not contain it.
namespace linnet::api {

struct GpuSessions {
  // Null where there is none. Once it was found it stays, also when it is lost: indices are not to
  // change.
  const linnet_device* (*device)();
  // Where the GPU's program cannot be prepared or trusted, the host's runs. `given`: the caller's
  // weights, or null.
  Status (*create)(linnet_plan* plan, const linnet_session_options& options, linnet_weights* given,
                   const ProgramChoice& choice, linnet_session** out, Diagnostic* diagnostic);
  // After a run on the GPU that failed with `lost`: the host's program takes over and finishes it.
  Status (*go_on)(linnet_session* session, const Status& lost);
};

extern const GpuSessions kGpuSessions;

// Null where no backend of a GPU is linked. Like the table of backends, a program may have its own
// (runtime/ops/linked_ops.h).
extern const GpuSessions* const kLinkedGpuSessions;

// How a session on the GPU begins.
struct GpuStart {
  std::span<const std::byte> driver_data;  // for PackedWeights::OpenCache
  bool precise = false;                    // Interpreter::SetPrecise
};

// A session that runs `choice`. `given`: the caller's weights, or null; `start`: null for the
// host's program. After an error nothing is left.
Status CreateFor(linnet_plan* plan, const linnet_session_options& options, linnet_weights* given,
                 const ProgramChoice& choice, const GpuStart* start, linnet_session** out,
                 Diagnostic* diagnostic);
void Destroy(linnet_session* session);  // may be null

// The parts of kGpuSessions that are in a file of their own.
const linnet_device* FindGpu();                                      // gpu_device.cc
Status GoOnWithHost(linnet_session* session, const Status& status);  // device_loss.cc

}  // namespace linnet::api
