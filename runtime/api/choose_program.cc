// SPDX-License-Identifier: Apache-2.0
#include "runtime/api/choose_program.h"

#include <cstring>

#include "runtime/api/backend_table.h"
#include "runtime/api/device.h"
#include "runtime/core/linked_weights.h"

namespace linnet::api {
namespace {

constexpr Status kContradiction{StatusCode::kInvalidArgument,
                                "the backend and the device contradict each other"};

// Whether the GPU is usable, or why it is not; a literal. `asked`: for the GPU, whatever it is.
const char* WhyUnusable(bool asked) {
  const DeviceBackend* gpu = FindDevice(kVulkanVariant);
  if (gpu == nullptr) return "this build has no Vulkan backend";
  const Status status = gpu->Initialize();
  if (!status.ok()) return status.what();
  if (!asked && gpu->is_software())
    return "the only Vulkan driver of this machine computes on the CPU: it has to be asked for";
  return nullptr;
}

const char* WhyNotGpuProgram(const PlanProgram& program, bool asked) {
  if (!program.has_devices()) return "the converter could place no step on the GPU";
  return WhyUnusable(asked);
}

}  // namespace

Status ChooseProgram(const linnet_plan& plan, const linnet_session_options& options,
                     ProgramChoice* choice) {
  const int signature = plan.FindSignature(options.signature);
  if (signature < 0)
    return {StatusCode::kInvalidArgument, "the plan has no signature of that name"};
  LINNET_RETURN_IF_ERROR(CheckDevice(options.device));
  const bool gpu = IsGpu(options.device), cpu = options.device != nullptr && !gpu;
  *choice = {
      .signature = signature, .program = signature, .backends = HostBackends(options.backend)};
  const bool portable =
      options.backend == LINNET_BACKEND_PORTABLE || options.backend == LINNET_BACKEND_PLAIN;
  if (portable) choice->backend = options.backend;
  if (options.backend == LINNET_BACKEND_PLAIN && !kLinkedPlain)
    return {StatusCode::kUnsupported,
            "this program was linked with kernels for packed weights only"};
  if (options.backend == LINNET_BACKEND_CPU || portable) {
    if (gpu) return kContradiction;
    choice->why_not_gpu.Set("the CPU is asked for");
    return {};
  }
  if (options.backend != LINNET_BACKEND_AUTO && options.backend != LINNET_BACKEND_VULKAN)
    return {StatusCode::kUnsupported, "this library has no such backend"};
  const bool asked = gpu || options.backend == LINNET_BACKEND_VULKAN;
  if (cpu && asked) return kContradiction;
  const int program = kLinkedDevices ? plan.FindVariant(signature, Variant::kVulkan) : -1;
  if (program < 0 && asked)
    return {StatusCode::kUnsupported,
            "the plan has no program for the GPU: convert the model with --place vulkan"};
  if (cpu)
    choice->why_not_gpu.Set("the CPU is asked for");
  else if (program < 0)
    choice->why_not_gpu.Set("the plan has no program for the GPU: it was not converted for one");
  else if (const char* why = WhyNotGpuProgram(plan.verified.view.programs[program], asked);
           why != nullptr)
    choice->why_not_gpu.Set(why);
  else
    *choice = {signature, program, AllBackends(), LINNET_BACKEND_VULKAN, {}};
  return {};
}

ProgramChoice HostInstead(const ProgramChoice& failed, const Diagnostic& diagnostic,
                          const Status& status) {
  ProgramChoice choice{.signature = failed.signature,
                       .program = failed.signature,
                       .backends = HostBackends(LINNET_BACKEND_CPU)};
  choice.why_not_gpu.Set(diagnostic.TextOr(status.what()));
  return choice;
}

}  // namespace linnet::api
