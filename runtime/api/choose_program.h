// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <span>

#include "linnet/linnet.h"
#include "runtime/api/plan_handle.h"
#include "runtime/core/diagnostic.h"

namespace linnet::api {

// Which of a signature's programs runs, on which backends.
struct ProgramChoice {
  int signature = -1;
  int program = -1;                               // of the plan
  std::span<const Backend* const> backends = {};  // preferred ones first
  linnet_backend backend = LINNET_BACKEND_CPU;    // what runs: CPU, PORTABLE or VULKAN
  WhyNotGpu why_not_gpu = {};                     // empty where the GPU runs it
};

// Chooses by options.signature, backend and device: the program for the GPU where the plan has one,
// steps of it are placed there and this machine has a GPU that can be used; else the host's. A GPU
// in software is used only where options.backend asks for the GPU. kInvalidArgument: no such
// signature, or a device that contradicts the backend; kUnsupported: no such device or backend, or
// the GPU is asked for and the plan has no program for it.
Status ChooseProgram(const linnet_plan& plan, const linnet_session_options& options,
                     ProgramChoice* choice);

// The host's program in the place of `failed`, which the GPU could not run for this reason.
ProgramChoice HostInstead(const ProgramChoice& failed, const Diagnostic& diagnostic,
                          const Status& status);

}  // namespace linnet::api
