// SPDX-License-Identifier: Apache-2.0
// The tables of runtime/ops/linked_ops.h without a row, for the portable backend, and no part of
// runtime/core/linked_parts.h.
namespace linnet {

extern const bool kLinkedThreads, kLinkedControls, kLinkedExtents, kLinkedDevices, kLinkedPanels,
    kLinkedStrips, kLinkedEncodedPanels, kLinkedPacking, kLinkedPlain;
const bool kLinkedThreads = false;
const bool kLinkedControls = false;
const bool kLinkedExtents = false;
const bool kLinkedDevices = false;
const bool kLinkedPanels = false;
const bool kLinkedStrips = false;
const bool kLinkedEncodedPanels = false;
const bool kLinkedPacking = false;
const bool kLinkedPlain = false;

struct KernelProfileFunctions;
extern const KernelProfileFunctions* const kLinkedKernelProfile;
const KernelProfileFunctions* const kLinkedKernelProfile = nullptr;

struct OpDef;
extern const OpDef* const kLinkedOps[];
const OpDef* const kLinkedOps[] = {nullptr};
extern const int kNumLinkedOps;
const int kNumLinkedOps = 1;
extern const char kLinkedFor[];
const char kLinkedFor[] = "nothing";

class Backend;
namespace portable {
struct PortableOp;
extern const PortableOp* const kLinkedKernels[];
const PortableOp* const kLinkedKernels[] = {nullptr};
const Backend& GetBackend();
}  // namespace portable

namespace api {
extern const Backend& (*const kLinkedBackends[])();
const Backend& (*const kLinkedBackends[])() = {&portable::GetBackend};
extern const int kNumLinkedBackends;
const int kNumLinkedBackends = 1;
struct GpuSessions;
extern const GpuSessions* const kLinkedGpuSessions;
const GpuSessions* const kLinkedGpuSessions = nullptr;
}  // namespace api

}  // namespace linnet
